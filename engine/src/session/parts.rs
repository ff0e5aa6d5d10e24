//! The parts of a session, as snapshots hold them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::phase::Phase;
use super::question::Question;
use super::{Start, View};

/// A session as data.
#[derive(Deserialize, Serialize)]
pub(super) struct Parts<'a> {
    pub(super) start: Cow<'a, Start>,
    pub(super) question: Cow<'a, Option<Question>>,
    pub(super) phase: Cow<'a, Phase>,
    pub(super) view: Cow<'a, View>,
    /// Id of the last effect; 0 before the first.
    pub(super) last_effect: u32,
}

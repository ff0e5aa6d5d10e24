//! Dictionary packs: vague terms with their possible definitions, and concept words.

mod pack;

pub(crate) use crate::data::{Concept, CustomKind, Definition, Term, TermKind, TermOption};
pub(crate) use pack::Dictionary;

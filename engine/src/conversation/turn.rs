//! A text of a conversation as it is read.

use crate::linking::{ColumnId, Mention, Target};
use crate::reading::{Frame, Part};

/// A text with its mentions and its frame.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Mentions, in order.
    pub(crate) mentions: Vec<Mention>,
    /// The role of each mention.
    pub(crate) parts: Vec<Part>,
    /// What the text asks for.
    pub(crate) frame: Frame,
}

/// Columns that a mention may mean, or that store the value that it means.
pub(super) fn columns(mention: Option<&Mention>) -> Vec<ColumnId> {
    let readings = mention.into_iter().flat_map(|mention| &mention.readings);
    let found = readings.filter_map(|reading| match &reading.target {
        Target::Column(column) | Target::Value(column, _) => Some(*column),
        _ => None,
    });
    found.collect()
}

/// The same of the first of several mentions.
pub(super) fn first_columns(at: &[usize], mentions: &[Mention]) -> Vec<ColumnId> {
    columns(at.first().and_then(|at| mentions.get(*at)))
}

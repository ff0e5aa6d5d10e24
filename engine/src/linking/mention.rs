//! Mentions: places of a question with everything they may be tied to.

use std::ops::Range;

use super::index::{ColumnId, TableId};
use super::lexicon::Lexical;
use crate::confidence::Method;
use crate::intent::TimeGrain;
use crate::order;
use crate::text::{NumberMention, Span, TimeMention};

/// A place of a question with its readings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mention {
    /// Tokens it covers.
    pub(crate) tokens: Range<usize>,
    /// Place in the question.
    pub(crate) span: Span,
    /// Words in that place.
    pub(crate) phrase: String,
    /// What it may do as a structure word.
    pub(crate) lexical: Vec<Lexical>,
    /// Things of the catalog it may mean, best first.
    pub(crate) readings: Vec<Reading>,
    /// Dictionary term it may be.
    pub(crate) vague: Option<usize>,
    /// Concept word it may be, such as "sales".
    pub(crate) concept: Option<usize>,
    /// Superlative it may be.
    pub(crate) superlative: Option<usize>,
    /// Time expression it is.
    pub(crate) time: Option<TimeMention>,
    /// Period it names, such as "month".
    pub(crate) grain: Option<TimeGrain>,
    /// Number it is.
    pub(crate) number: Option<NumberMention>,
    /// Whether the time up to its date is meant: "healing time".
    pub(crate) duration: Option<Duration>,
    /// Whether it says that its value does not hold ("unpaid").
    pub(crate) negated: bool,
    /// Whether it may still be typed.
    pub(crate) unfinished: bool,
    /// Whether it was quoted.
    pub(crate) quoted: bool,
}

/// The time up to a date.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Duration {
    /// Date it starts with, where words say so.
    pub(crate) from: Option<ColumnId>,
    /// Whether it is the time from its date to today, in years: an age.
    pub(crate) age: bool,
}

/// A thing of the catalog that words may mean.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// The thing.
    pub(crate) target: Target,
    /// How it was found.
    pub(crate) method: Method,
    /// How sure, 0 to 1, before the context is known.
    pub(crate) score: f64,
}

/// A thing of the catalog.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Target {
    /// A table's rows.
    Table(TableId),
    /// The columns that name a table's rows.
    Label(TableId),
    /// A column.
    Column(ColumnId),
    /// A metric of the pack.
    Metric(usize),
    /// A stored value.
    Value(ColumnId, String),
}

impl Target {
    /// Table it belongs to; none for a metric.
    pub(crate) fn table(&self) -> Option<TableId> {
        match self {
            Self::Table(table) | Self::Label(table) => Some(*table),
            Self::Column(column) | Self::Value(column, _) => Some(column.table),
            Self::Metric(_) => None,
        }
    }
}

impl Mention {
    /// Whether it may do this as a structure word.
    pub(crate) fn is(&self, lexical: Lexical) -> bool {
        self.lexical.contains(&lexical)
    }

    /// Puts the best reading first.
    pub(crate) fn rank(&mut self) {
        order::by(&mut self.readings, |a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.target.cmp(&b.target))
        });
    }

    /// Whether it is tied to nothing at all.
    pub(crate) fn is_unknown(&self) -> bool {
        self.lexical.is_empty()
            && self.readings.is_empty()
            && self.vague.is_none()
            && self.concept.is_none()
            && self.superlative.is_none()
            && self.time.is_none()
            && self.grain.is_none()
            && self.number.is_none()
    }
}

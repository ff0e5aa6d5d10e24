//! Doubts: disagreements between a question and the query composed for it.

use serde::{Deserialize, Serialize};

use crate::text::Span;

/// A disagreement between the question and the query.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Doubt {
    /// Kind of disagreement.
    pub kind: DoubtKind,
    /// Words that it is about, as a span in the question.
    #[serde(default)]
    pub span: Option<Span>,
}

/// Kinds of disagreement.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DoubtKind {
    /// "Both" is said of values of which a row can have only one.
    BothOfOneValue,
    /// No words ask for a clause of the query, and no default names it.
    ClauseUnasked,
    /// A comparison is said, but the query compares nothing.
    ComparisonLost,
    /// More related rows are asked for than a foreign key allows, which is at most one.
    CountImpossible,
    /// A number of rows is asked for that is one in each group.
    CountsOne,
    /// A date is compared with a number.
    DateCompared,
    /// A time is asked for, but the query shows none.
    DateLost,
    /// A date would have to lie in two periods that have no day in common.
    DatesExclude,
    /// Related rows must exist and must not exist.
    ExistsContradicted,
    /// A key is compared with a number that is said of something else.
    KeyCompared,
    /// A thing in a list of what to show is not shown.
    ListedUnshown,
    /// A name is compared with a number.
    NameCompared,
    /// A negation is said, but the query denies nothing.
    NegationLost,
    /// A date would have to be missing that every row has.
    NeverEmpty,
    /// A number is used by no part of the query.
    NumberUnused,
    /// A period such as "month" is used by no part of the query.
    PeriodUnused,
    /// One end of an order is asked for, but the query ranks nothing.
    RankLost,
    /// A verb says how two rows of one table hang together, but the query reads one row.
    RelationLost,
    /// Rows are asked for that no part of the query reads.
    RowsUnread,
    /// A state that lasts is asked for ("still"), but the query has no condition.
    StateLost,
    /// The same column is shown twice.
    ShownTwice,
    /// A value would have to lie in two ranges that have no value in common.
    ValuesExclude,
    /// Words for things of the data are used by no part of the query.
    WordsUnused,
}

impl DoubtKind {
    /// Whether a statement with this disagreement must not run.
    pub(crate) fn is_severe(self) -> bool {
        !matches!(self, Self::ClauseUnasked | Self::ShownTwice | Self::WordsUnused)
    }

    /// What is wrong, as a clause that follows the words it is about.
    pub fn reason(self) -> &'static str {
        match self {
            Self::BothOfOneValue => "asks for rows with both, but a row has only one",
            Self::ClauseUnasked => "has a clause that no words ask for",
            Self::ComparisonLost => "is a comparison, but it is not clear of what",
            Self::CountImpossible => "would be more than one, but each row refers to at most one",
            Self::CountsOne => "would count one row in each group",
            Self::DateCompared => "would compare a date with a number",
            Self::DateLost => "asks for a time, but no part of the query shows one",
            Self::DatesExclude => "would ask for dates in two periods at once",
            Self::ExistsContradicted => "would both have to exist and not to exist",
            Self::KeyCompared => "would be compared with an identifier",
            Self::ListedUnshown => "is listed with what is shown, but would not be shown",
            Self::NameCompared => "would be compared with a name",
            Self::NegationLost => "is a negation, but it is not clear of what",
            Self::NeverEmpty => "would ask for rows without a date that every row has",
            Self::NumberUnused => "is a number that no part of the query uses",
            Self::PeriodUnused => "is a period that no part of the query uses",
            Self::RankLost => "asks for one end of an order, but it is not clear of what",
            Self::RelationLost => "says how rows hang together, but no part of the query does",
            Self::RowsUnread => "asks for rows that no part of the query reads",
            Self::StateLost => "asks for a state that lasts, but it is not clear which",
            Self::ShownTwice => "would show the same column twice",
            Self::ValuesExclude => "would ask for values in two ranges at once",
            Self::WordsUnused => "is used by no part of the query",
        }
    }
}

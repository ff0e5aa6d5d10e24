//! Functions of structure words.

use serde::Deserialize;

/// The function of a structure word.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Lexical {
    /// After a given date.
    After,
    /// Ascending order.
    Ascending,
    /// Several words that add nothing together: "so far".
    Aside,
    /// "also", "in addition": what follows is separate from what precedes.
    Also,
    /// "how much": an amount, never a number of rows.
    Amount,
    /// "and" between items of the same kind.
    And,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// Arithmetic mean.
    Average,
    /// Before a given date.
    Before,
    /// "between".
    Between,
    /// "with", "including": what follows may be shown beside the rows.
    Beside,
    /// Smallest N.
    Bottom,
    /// "both", "either": the condition applies to all items listed.
    Both,
    /// "by": grouping, ordering or agent.
    By,
    /// Common values or properties.
    Common,
    /// "more" and the like as one part of a comparison: "more … than".
    Comparative,
    /// A construction that cannot be composed, such as a comparison of groups.
    Compare,
    /// Text contains a phrase.
    Contains,
    /// Number of rows.
    Count,
    /// "number" as a noun.
    CountNoun,
    /// Descending order.
    Descending,
    /// Without duplicates.
    Distinct,
    /// "each", "every", "all" before a noun.
    Distributive,
    /// Is NULL.
    Empty,
    /// Text ends with a phrase.
    EndsWith,
    /// `=`
    EqualTo,
    /// All rows; no restriction.
    Everything,
    /// Smallest count or measure.
    Fewest,
    /// Words without meaning for the query.
    Filler,
    /// First by order.
    First,
    /// Words that mark a follow-up question.
    FollowUp,
    /// "ratio": a share whose part has to be named.
    Ratio,
    /// Verbs that only express a relation between two things.
    Relation,
    /// Words for data in general.
    Generic,
    /// "per", "for each".
    Group,
    /// The change from each period to the next.
    Growth,
    /// Place or membership.
    In,
    /// "is", "named".
    Is,
    /// Last by order.
    Last,
    /// `<`
    LessThan,
    /// "show", "which".
    List,
    /// Largest.
    Maximum,
    /// The middle value, beside the sense of an average.
    Median,
    /// Smallest.
    Minimum,
    /// `>`
    MoreThan,
    /// "times" after a number: how often something was done.
    Times,
    /// Largest count or measure.
    Most,
    /// Negation.
    Not,
    /// `<>`
    NotEqualTo,
    /// Possession.
    Of,
    /// "or" between items of the same kind.
    Or,
    /// "or less" after a number.
    OrLess,
    /// "or more" after a number.
    OrMore,
    /// "sorted by".
    Order,
    /// What lasts until now: "currently".
    Present,
    /// "respectively", "its own": one result per item.
    Separately,
    /// A part as a percentage of a whole.
    Share,
    /// Text starts with a phrase.
    StartsWith,
    /// Sum.
    Sum,
    /// A verb that leads to the person whom a person's row refers to.
    Superior,
    /// Largest N.
    Top,
    /// Change over time.
    Trend,
    /// Relative clause.
    Where,
    /// "with", "having".
    With,
    /// "without".
    Without,
    /// A request to modify data.
    Write,
}

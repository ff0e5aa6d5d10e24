//! The frame: the parts of what is asked for, before tables are joined.

use crate::clarification::Scope;
use crate::data::Role;
use crate::intent::{Aggregate, Comparison, DateRange, TextMatch, TimeGrain};
use crate::linking::{ColumnId, TableId};

/// Parts of what is asked for; numbers called `at` are positions of mentions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Table whose rows are asked about, where one is named.
    pub(crate) head: Option<(TableId, usize)>,
    /// Further tables named, with what they do.
    pub(crate) related: Vec<Related>,
    /// Columns and labels to show.
    pub(crate) outputs: Vec<usize>,
    /// Tables whose label is shown beside the head.
    pub(crate) output_tables: Vec<(TableId, usize)>,
    /// Keys to a row of the same table whose name is shown beside the head, with their mentions.
    pub(crate) parents: Vec<(ColumnId, usize)>,
    /// What is computed.
    pub(crate) measures: Vec<Measure>,
    /// What results are grouped by.
    pub(crate) groups: Vec<Group>,
    /// Conditions.
    pub(crate) conditions: Vec<Condition>,
    /// Time expressions.
    pub(crate) times: Vec<TimeSpec>,
    /// Vague terms.
    pub(crate) vague: Vec<VagueUse>,
    /// Explicit ordering.
    pub(crate) order: Vec<OrderSpec>,
    /// "top 5", "the most", "the largest".
    pub(crate) superlative: Option<Superlative>,
    /// Things listed with a condition before or behind them.
    pub(crate) coordination: Option<Coordination>,
    /// Two conditions of different kinds, one of which has to hold: "cheaper than 5 or discontinued".
    pub(crate) either: Option<Either>,
    /// Mention from which on conditions hold for all related rows: "customers where every order is over 500".
    pub(crate) universal: Option<usize>,
    /// Tables that only lead to what is said of other rows, with their mentions.
    pub(crate) leading: Vec<(TableId, usize)>,
    /// Rows of a table that things are listed for, each or all.
    pub(crate) distribution: Option<Distribution>,
    /// Table whose label stands first beside what is listed.
    pub(crate) beside: Option<TableId>,
    /// Table all of whose rows have what is listed.
    pub(crate) shared: Option<TableId>,
    /// Number of rows asked for without an order.
    pub(crate) limit: Option<(u32, usize)>,
    /// Equal rows once.
    pub(crate) distinct: bool,
    /// The superlative is of each group: "the latest order of each customer".
    pub(crate) top_of_each: bool,
    /// A part of the rows or of an amount as a percentage of the whole.
    pub(crate) share: Option<Share>,
    /// The measure of each group is averaged; the mention that says so.
    pub(crate) average: Option<usize>,
    /// The measure of each group is compared with a mean.
    pub(crate) against: Option<Against>,
    /// The average is a median; the mention that says so.
    pub(crate) median: Option<usize>,
    /// The change from each period to the next is asked for.
    pub(crate) growth: Option<usize>,
    /// Tables through whose rows those of another one are related: "patients treated by Ada".
    pub(crate) through: Vec<(TableId, TableId)>,
    /// Mention of the unit that a computed figure is converted to.
    pub(crate) unit: Option<usize>,
    /// Mention of the period that another is compared with.
    pub(crate) compared_period: Option<usize>,
    /// Only what is more in the first of two periods than in the other is asked for, or less.
    pub(crate) differs: Option<Comparison>,
    /// A change over time is asked for.
    pub(crate) trend: Option<usize>,
    /// Whether something says what to do: "how many", "show", "total".
    pub(crate) operation: bool,
    /// Words that tie to nothing.
    pub(crate) unread: Vec<usize>,
    /// Verbs that only say how two things hang together.
    pub(crate) linking: Vec<usize>,
    /// Verbs that no list names, left out by their class.
    pub(crate) by_class: Vec<usize>,
    /// Nouns that only say what kind of thing a column holds.
    pub(crate) classifying: Vec<usize>,
    /// Constructions that are understood but not composed.
    pub(crate) blocked: Vec<Blocked>,
}

/// "share of orders that are late".
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Share {
    /// Mention of the word.
    pub(crate) at: usize,
    /// Mention of what it is a share of.
    pub(crate) noun: usize,
    /// Mentions of the conditions that only the part meets; none for the share of each group.
    pub(crate) part: Vec<usize>,
}

/// "whose average price is above that of all products".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Against {
    /// Mention of the measure.
    pub(crate) measure: usize,
    /// Operator.
    pub(crate) operator: Comparison,
    /// Mention of the mean.
    pub(crate) at: usize,
}

/// "dogs and cats with diabetes": values of one column or rows of two tables, and what is said of one or all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coordination {
    /// Mention of the first value.
    pub(crate) first: usize,
    /// Mention of the last value.
    pub(crate) last: usize,
    /// Tables of the first and last, where rows of tables are listed rather than values.
    pub(crate) tables: Option<(TableId, TableId)>,
    /// Whether what is said stands before the values.
    pub(crate) leads: bool,
    /// What it is said of, where other words say so.
    pub(crate) attachment: Option<Attachment>,
}

/// What a condition beside several things holds for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Attachment {
    /// All of them.
    All,
    /// The nearest.
    Nearest,
}

/// "for each agency", "that all engineers use".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Distribution {
    /// Table of the noun.
    pub(crate) table: TableId,
    /// Mention of the noun.
    pub(crate) at: usize,
    /// Mention of the word of quantity.
    pub(crate) quantifier: usize,
    /// What it means, where other words say so.
    pub(crate) scope: Option<Scope>,
}

/// A further table and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Related {
    /// The table.
    pub(crate) table: TableId,
    /// Mention.
    pub(crate) at: usize,
    /// What it does.
    pub(crate) how: TableUse,
}

/// What a further table does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum TableUse {
    /// Only says through which table the others hang together.
    Path,
    /// Rows of it must exist.
    With,
    /// No row of it may exist.
    Without,
}

/// Something computed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    /// What is computed.
    pub(crate) target: MeasureTarget,
    /// Mention that names it.
    pub(crate) at: usize,
}

/// What is computed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MeasureTarget {
    /// An aggregate of the column, metric or concept at the mention, or of the table's measure.
    Aggregate(Aggregate),
    /// Number of rows or values.
    Count(CountTarget),
    /// A metric, concept or column whose own aggregate is meant.
    Own,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CountTarget {
    /// Rows of the table at the mention.
    Rows(TableId),
    /// Rows of the head, whatever it turns out to be.
    Head,
    /// Values of the column at the mention.
    Values {
        /// Different values only.
        distinct: bool,
    },
}

/// Something results are grouped by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Group {
    /// The column or label at the mention.
    Thing(usize),
    /// The rows of a table.
    Table(TableId, usize),
    /// A period.
    Period {
        /// How long.
        grain: TimeGrain,
        /// Its mention.
        at: usize,
        /// Mention of the date that is grouped by, where words say which.
        date: Option<usize>,
    },
}

/// A condition on rows or groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// The column at the mention compared with a number.
    Compare {
        /// Mention of the column; none where it has to be found.
        column: Option<usize>,
        /// Operator.
        operator: Comparison,
        /// Decimal text.
        value: String,
        /// Mention of the number.
        at: usize,
        /// Unit that follows the number, or its currency.
        unit: Option<String>,
        /// Roles of the column, where the comparative names them.
        roles: Vec<Role>,
    },
    /// The column at the mention compared with a number that the question does not give.
    Bound {
        /// Mention of the column; none where it has to be found.
        column: Option<usize>,
        /// Operator.
        operator: Comparison,
        /// Mention of the comparison.
        at: usize,
    },
    /// The column at the mention compared with a figure of it.
    Figure {
        /// Mention of the column; none where it has to be found.
        column: Option<usize>,
        /// Operator.
        operator: Comparison,
        /// Figure.
        function: Aggregate,
        /// Mention of the figure.
        at: usize,
        /// Roles of the column, where the comparative names them.
        roles: Vec<Role>,
        /// Columns that are the same in the rows it is computed of, with the mention that says so.
        same: Option<(Vec<ColumnId>, usize)>,
        /// Mentions of the conditions on the rows it is computed of.
        rows: Vec<usize>,
    },
    /// A row of another table has the highest or the lowest value of a column: "rivers in the largest state".
    Extreme {
        /// The other table.
        table: TableId,
        /// Mention of the column; none where one of `roles` has to be found.
        column: Option<usize>,
        /// Roles of the column.
        roles: Vec<Role>,
        /// Whether it is the highest.
        highest: bool,
        /// Mention of the adjective.
        at: usize,
    },
    /// The column at a mention compared with another, or with that of another row.
    Columns {
        /// Mention of the column; none where it has to be found.
        column: Option<usize>,
        /// Operator.
        operator: Comparison,
        /// Mention of the column that it is compared with; none for the same column of another row.
        than: Option<usize>,
        /// Key that leads to the other row, with its mention; none for the same row.
        parent: Option<(ColumnId, usize)>,
        /// Mention of the word of comparison.
        at: usize,
    },
    /// The date at a mention is later than another, or earlier.
    Dates {
        /// Mention of the date.
        at: usize,
        /// Mention of the date that it is compared with.
        than: usize,
        /// Operator of the days between.
        operator: Comparison,
    },
    /// The last of the related rows is of a time, or the first: "customers whose last order was in 2024".
    End {
        /// Related table.
        table: TableId,
        /// Whether the last is meant rather than the first.
        last: bool,
        /// Time of that row.
        range: DateRange,
        /// Mention of the time.
        at: usize,
        /// Mention of the related table.
        rows: usize,
    },
    /// A number of related rows compared with a number.
    CountOf {
        /// Related table.
        table: TableId,
        /// Operator.
        operator: Comparison,
        /// Decimal text.
        value: String,
        /// Mention of the table.
        at: usize,
    },
    /// The measure at the mention compared with a number.
    Measure {
        /// Mention of the measure.
        at: usize,
        /// Operator.
        operator: Comparison,
        /// Decimal text.
        value: String,
    },
    /// The flag or date at the mention is set, or is not.
    Set {
        /// Mention of the column.
        at: usize,
        /// Not set.
        negated: bool,
    },
    /// The column at the mention is NULL, or is not.
    Null {
        /// Mention of the column.
        at: usize,
        /// Not NULL.
        negated: bool,
    },
    /// The row that a row refers to has these stored values: "who reports to Ada Lovelace".
    Parent {
        /// Key that refers to a row of the same table.
        key: ColumnId,
        /// Mention of the key.
        at: usize,
        /// Mentions of the values.
        values: Vec<usize>,
        /// Whether it must not have them.
        negated: bool,
        /// Whether the values are those of a row that refers to the one asked about.
        of_child: bool,
    },
    /// A column compared with that of the row with these stored values, or of the row that a key leads to: "more
    /// expensive than Chai", "older than their manager".
    Row {
        /// Mention of the column; none where one of `roles` has to be found.
        column: Option<usize>,
        /// Operator.
        operator: Comparison,
        /// Mentions of the values.
        values: Vec<usize>,
        /// Key that leads to the other row, with its mention.
        parent: Option<(ColumnId, usize)>,
        /// Mention of the word of comparison.
        at: usize,
        /// Roles of the column.
        roles: Vec<Role>,
    },
    /// A row has the same as the one with these stored values: "in the same city as Ada".
    Same {
        /// Table of both rows.
        table: TableId,
        /// Columns that are equal.
        columns: Vec<ColumnId>,
        /// Mention of what is the same.
        at: usize,
        /// Mentions of the values.
        values: Vec<usize>,
        /// Whether it must not be the same.
        negated: bool,
    },
    /// A row has the same in a column as some row of another table: "in the same city as an employee".
    Shared {
        /// Column of the rows asked about.
        column: ColumnId,
        /// Column of the other table.
        than: ColumnId,
        /// Mention of what is the same.
        at: usize,
        /// Mention of the other table.
        rows: usize,
        /// Whether no row may have the same.
        negated: bool,
    },
    /// A row is paired with the one that has these stored values: "states that border Texas".
    Paired {
        /// Keys of the linking table.
        pair: Pair,
        /// Mention of the word for the pair.
        at: usize,
        /// Mentions of the values.
        values: Vec<usize>,
        /// Whether it must not be paired with it.
        negated: bool,
    },
    /// The row with this primary key.
    Key {
        /// Table.
        table: TableId,
        /// Decimal text.
        value: String,
        /// Mention of the number.
        at: usize,
    },
    /// Text that a column contains, starts or ends with, or equals where no stored value is known.
    Text {
        /// Mention of the column, or of the table whose rows it names; none for the label of the head.
        column: Option<usize>,
        /// How; none for equality.
        matching: Option<TextMatch>,
        /// The text.
        text: String,
        /// Mention of the text.
        at: usize,
        /// Must not hold.
        negated: bool,
    },
    /// Stored values at the mentions, any of which may hold.
    Values {
        /// Mentions of the values.
        at: Vec<usize>,
        /// None of them may hold.
        negated: bool,
        /// Column or table that says which column is meant.
        hint: Option<usize>,
    },
}

impl Condition {
    /// Mention it stands at.
    pub(crate) fn at(&self) -> usize {
        match self {
            Self::Bound { at, .. }
            | Self::Columns { at, .. }
            | Self::Compare { at, .. }
            | Self::CountOf { at, .. }
            | Self::Dates { at, .. }
            | Self::End { at, .. }
            | Self::Extreme { at, .. }
            | Self::Figure { at, .. }
            | Self::Key { at, .. }
            | Self::Measure { at, .. }
            | Self::Null { at, .. }
            | Self::Paired { at, .. }
            | Self::Parent { at, .. }
            | Self::Row { at, .. }
            | Self::Same { at, .. }
            | Self::Set { at, .. }
            | Self::Shared { at, .. }
            | Self::Text { at, .. } => *at,
            Self::Values { at, .. } => at.first().copied().unwrap_or_default(),
        }
    }
}

/// Two conditions, one of which has to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Either {
    /// Before "or".
    pub(crate) one: Side,
    /// Behind it.
    pub(crate) other: Side,
    /// Mention of "or".
    pub(crate) or: usize,
}

/// One of two conditions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// The condition at a mention.
    Condition(usize),
    /// There are related rows of a table.
    Rows(TableId),
}

/// Keys of a linking table that refer to the same table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// The table that both refer to.
    pub(crate) rows: TableId,
    /// Key to the rows asked about.
    pub(crate) of: ColumnId,
    /// Key to the rows that are named.
    pub(crate) by: ColumnId,
}

/// A time expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeSpec {
    /// Range.
    pub(crate) range: DateRange,
    /// Mention.
    pub(crate) at: usize,
    /// Further ranges, any of which may hold ("in 2023 or 2024").
    pub(crate) others: Vec<DateRange>,
    /// The days of the week that the date falls on, bit 0 for Monday; 0 where the range says when.
    pub(crate) weekdays: u8,
    /// Another reading of the words.
    pub(crate) rival: Option<DateRange>,
    /// Mention of the date column, where one is named.
    pub(crate) column: Option<usize>,
    /// Table named just before, whose date may be meant.
    pub(crate) table: Option<TableId>,
    /// Whether the range must not hold.
    pub(crate) negated: bool,
}

/// A vague term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VagueUse {
    /// Term of the dictionary.
    pub(crate) term: usize,
    /// Mention.
    pub(crate) at: usize,
    /// Mention it qualifies, where one follows.
    pub(crate) noun: Option<usize>,
    /// "not recent".
    pub(crate) negated: bool,
    /// Days that it holds for longer than, with the mention of the number: "overdue by more than 30 days".
    pub(crate) longer: Option<(u32, usize)>,
}

/// An ordering.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OrderSpec {
    /// Mention of what orders; none for the column with one of `roles`, or the label where there are none.
    pub(crate) at: Option<usize>,
    /// Roles of the column that an adjective orders by: "cheapest first".
    pub(crate) roles: Vec<Role>,
    /// Roles of a column that the adjective orders the other way round: "oldest first" by age.
    pub(crate) opposite: Vec<Role>,
    /// Largest first.
    pub(crate) descending: bool,
    /// Whether the words put names or dates in order: "in alphabetical order".
    pub(crate) of_labels: bool,
}

/// Rows at one end of an order.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts that have nothing to do with each other"
)]
pub(crate) struct Superlative {
    /// Number of rows; none where the question names none.
    pub(crate) limit: Option<u32>,
    /// Largest first.
    pub(crate) descending: bool,
    /// Mention of the word.
    pub(crate) at: usize,
    /// What orders: a measure of this frame, a column, or roles.
    pub(crate) by: Option<Measure>,
    /// Roles of the column that orders when none is named.
    pub(crate) roles: Vec<Role>,
    /// Concepts that are recorded of the rows, and order them as well: "best selling", "biggest".
    pub(crate) concepts: Vec<String>,
    /// Roles of a column that orders the other way round: the youngest has the lowest age.
    pub(crate) opposite: Vec<Role>,
    /// Whether any number may be meant: "largest".
    pub(crate) figure: bool,
    /// Whether it is said of the things that are counted: "most common".
    pub(crate) counted: bool,
    /// Whether a count orders ("the most orders").
    pub(crate) by_count: bool,
}

impl Superlative {
    /// The rows at one end of an order by the figure or column at a mention, as many as are implied.
    pub(crate) fn by_own(at: usize, descending: bool) -> Self {
        Self {
            limit: None,
            descending,
            at,
            by: Some(Measure { target: MeasureTarget::Own, at }),
            roles: Vec::new(),
            concepts: Vec::new(),
            opposite: Vec::new(),
            figure: false,
            counted: false,
            by_count: false,
        }
    }
}

/// A construction that is understood but not composed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Blocked {
    /// Mention.
    pub(crate) at: usize,
    /// Why, in words.
    pub(crate) reason: &'static str,
}

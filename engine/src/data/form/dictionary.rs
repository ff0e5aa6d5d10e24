//! Dictionary packs: vague terms and concepts.

use serde::Deserialize;

use super::role::Role;

/// A pack file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pack {
    #[expect(dead_code, reason = "read so that a pack without a name is refused")]
    name: String,
    #[serde(default)]
    pub(crate) terms: Vec<Term>,
    #[serde(default)]
    pub(crate) concepts: Vec<Concept>,
}

/// A vague term, such as "recent".
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Term {
    /// The term.
    #[allow(dead_code, reason = "faults of a file name it")]
    pub(crate) term: String,
    /// Kind of vagueness.
    pub(crate) kind: TermKind,
    /// Phrases that match the term.
    pub(crate) forms: Vec<String>,
    /// Roles of the columns that the term applies to, best first; `any_date` and `any_number` match any column of
    /// that type.
    pub(crate) roles: Vec<Role>,
    /// Columns that the term applies to, which take precedence over roles; only terms of a
    /// catalog name columns, as `table.column`.
    #[serde(skip)]
    pub(crate) columns: Vec<String>,
    /// Units that the column must have, if the definitions depend on one.
    #[serde(default)]
    pub(crate) units: Vec<String>,
    /// Possible definitions.
    pub(crate) options: Vec<TermOption>,
    /// Kind of custom definition that the user can enter, if any.
    #[serde(default)]
    pub(crate) custom: Option<CustomKind>,
}

/// Kind of vagueness of a term.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TermKind {
    /// Amount: large, high.
    Quantifier,
    /// Severity: serious.
    Severity,
    /// State: active.
    Status,
    /// Time: recent.
    Temporal,
}

/// Kind of custom definition that the user can enter.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CustomKind {
    /// A minimum.
    AtLeast,
    /// A maximum.
    AtMost,
    /// A date range.
    DateRange,
}

/// A possible definition of a term, with exactly one condition.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawOption")]
pub(crate) struct TermOption {
    /// Id within the term.
    pub(crate) id: String,
    /// Label shown to the user, a few words.
    pub(crate) label: String,
    /// Role of the column that the option applies to, if different from the roles of the term.
    pub(crate) role: Option<Role>,
    /// Column that the option applies to, if different from those of the term.
    pub(crate) column: Option<String>,
    /// Whether the option is the default, used as the best guess.
    pub(crate) default: bool,
    /// The condition.
    pub(crate) definition: Definition,
}

/// The condition of a definition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Definition {
    /// Greater than a number.
    Above(f64),
    /// Done after the due date (true), or by then (false).
    AfterDue(bool),
    /// Greater (true) or less (false) than the average of the column.
    Average(bool),
    /// At least a number.
    AtLeast(f64),
    /// More than this many days ago.
    BeforeDays(u32),
    /// Less than a number.
    Below(f64),
    /// A boolean column that is true, or false.
    Flag(bool),
    /// Among the highest values of the column, as a percentage of the rows.
    HighestPercent(u8),
    /// Among the lowest values of the column, as a percentage of the rows.
    LowestPercent(u8),
    /// Among the values around the median of the column, as a percentage of the rows.
    MiddlePercent(u8),
    /// NULL (true) or not NULL (false).
    Missing(bool),
    /// From today until this many days from now.
    NextDays(u32),
    /// No row of another table in the period of this many days that ends today.
    NoneWithinDays(u32),
    /// One of these values.
    OneOf(Vec<String>),
    /// In the period of this many days that ends today.
    WithinDays(u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOption {
    id: String,
    label: String,
    role: Option<Role>,
    #[serde(default)]
    default: bool,
    above: Option<f64>,
    above_average: Option<bool>,
    after_due: Option<bool>,
    at_least: Option<f64>,
    before_days: Option<u32>,
    below: Option<f64>,
    below_average: Option<bool>,
    flag: Option<bool>,
    highest_percent: Option<u8>,
    lowest_percent: Option<u8>,
    middle_percent: Option<u8>,
    missing: Option<bool>,
    next_days: Option<u32>,
    none_within_days: Option<u32>,
    values: Option<Vec<String>>,
    within_days: Option<u32>,
}

impl TryFrom<RawOption> for TermOption {
    type Error = String;

    fn try_from(raw: RawOption) -> Result<Self, Self::Error> {
        let definitions: Vec<Definition> = [
            raw.above.map(Definition::Above),
            raw.above_average.map(Definition::Average),
            raw.after_due.map(Definition::AfterDue),
            raw.at_least.map(Definition::AtLeast),
            raw.before_days.map(Definition::BeforeDays),
            raw.below.map(Definition::Below),
            raw.below_average.map(|below| Definition::Average(!below)),
            raw.flag.map(Definition::Flag),
            raw.highest_percent.map(Definition::HighestPercent),
            raw.lowest_percent.map(Definition::LowestPercent),
            raw.middle_percent.map(Definition::MiddlePercent),
            raw.missing.map(Definition::Missing),
            raw.next_days.map(Definition::NextDays),
            raw.none_within_days.map(Definition::NoneWithinDays),
            raw.values.map(Definition::OneOf),
            raw.within_days.map(Definition::WithinDays),
        ]
        .into_iter()
        .flatten()
        .collect();
        match definitions.as_slice() {
            [definition] => Ok(Self {
                id: raw.id,
                label: raw.label,
                role: raw.role,
                column: None,
                default: raw.default,
                definition: definition.clone(),
            }),
            found => Err(format!(
                "option {} has {} conditions, exactly one is needed",
                raw.id,
                found.len()
            )),
        }
    }
}

/// A word for a measure that many data sources record, such as "sales".
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Concept {
    /// The word that denotes the concept.
    pub(crate) term: String,
    /// Phrases that match the concept.
    pub(crate) forms: Vec<String>,
    /// Roles of columns that measure the concept.
    pub(crate) roles: Vec<Role>,
    /// Words in the names of the tables that record the concept.
    pub(crate) tables: Vec<String>,
    /// Whether any table with a column of the roles records it where none is called so.
    #[serde(default)]
    pub(crate) anywhere: bool,
    /// Nouns that a quantity counts where one of `piece_verbs` follows: "units" in "how many units were sold".
    #[serde(default)]
    pub(crate) pieces: Vec<String>,
    /// Verbs behind such a noun: "sold".
    #[serde(default)]
    pub(crate) piece_verbs: Vec<String>,
    /// Forms that modify a noun, such as "sold" in "products sold".
    #[serde(default)]
    pub(crate) participles: Vec<String>,
}

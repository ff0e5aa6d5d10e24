//! What is expected at a place of a sentence, and what the sentence has already.

use crate::catalog::Catalog;
use crate::data::{Feature, Position};
use crate::linking::{ColumnId, Lexical, Mention, SchemaIndex, TableId, Target};
use crate::reading::Part;

/// The words before a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sentence {
    /// What is expected there.
    pub(super) positions: Vec<Position>,
    /// What the sentence has.
    pub(super) features: Vec<Feature>,
    /// Tables in play.
    pub(super) tables: Vec<TableId>,
    /// The column named last.
    pub(super) column: Option<ColumnId>,
    /// Whether it ends with "in".
    pub(super) is_in: bool,
}

/// Tables that are meant if a text names none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier<'a> {
    /// The tables.
    pub(crate) tables: &'a [TableId],
    /// Whether they are those of a question that the text may follow.
    pub(crate) is_followed: bool,
    /// Whether they are meant at the start of the text, too.
    pub(crate) is_kept: bool,
}

/// Functions of structure words, with what is expected behind them.
const EXPECTED: &[(&[Lexical], &[Position])] = &[
    (&[Lexical::Where], &[Position::Condition]),
    (&[Lexical::With], &[Position::Possession]),
    (&[Lexical::Count, Lexical::CountNoun, Lexical::Distinct], &[Position::Rows]),
    (&[Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum], &[Position::Figure]),
    (&[Lexical::Amount, Lexical::Share, Lexical::Growth, Lexical::Trend], &[Position::Figure]),
    (&[Lexical::Most, Lexical::Fewest], &[Position::Rows, Position::Figure]),
    (&[Lexical::Top, Lexical::Bottom, Lexical::First, Lexical::Last], &[Position::Rows]),
    (&[Lexical::Group, Lexical::Distributive], &[Position::Group]),
    (&[Lexical::Order], &[Position::Rank]),
    (&[Lexical::Is, Lexical::EqualTo, Lexical::NotEqualTo, Lexical::Not], &[Position::Value]),
    (&[Lexical::In], &[Position::Value, Position::Time, Position::Rows]),
    (&[Lexical::After, Lexical::Before], &[Position::Time]),
    (&[Lexical::MoreThan, Lexical::LessThan, Lexical::AtLeast], &[Position::Number]),
    (&[Lexical::AtMost, Lexical::Between], &[Position::Number]),
    (&[Lexical::Compare], &[Position::Compared, Position::Number]),
    (&[Lexical::And, Lexical::Or], &[Position::Condition, Position::Group, Position::Rows]),
    (&[Lexical::Of], &[Position::Rows, Position::Value]),
    (&[Lexical::Without], &[Position::Rows]),
    (&[Lexical::List, Lexical::Everything], &[Position::Rows, Position::Figure]),
];

impl Sentence {
    /// What is expected behind the mentions that end before `place`; `earlier` says which tables are meant if
    /// none is named.
    pub(crate) fn before(
        catalog: &Catalog,
        schema: &SchemaIndex,
        mentions: &[(Mention, Part)],
        place: usize,
        earlier: &Earlier<'_>,
    ) -> Self {
        let before = mentions.iter().filter(|(mention, _)| mention.span.end as usize <= place);
        let before: Vec<&(Mention, Part)> = before.collect();
        let mut sentence = Self::default();
        for (mention, part) in &before {
            sentence.notice(catalog, schema, mention, *part);
        }
        sentence.positions = positions(schema, &before);
        sentence.is_in = before.last().is_some_and(|(mention, _)| mention.is(Lexical::In));
        // "by mon" is read as a day of the week, and may go on as a period to group by.
        let is_within = |mention: &Mention| {
            (mention.span.start as usize) < place && place < mention.span.end as usize
        };
        if let Some((mention, _)) = mentions.iter().find(|(mention, _)| is_within(mention)) {
            let is_by = mention.phrase.to_lowercase().starts_with("by ");
            sentence.positions =
                vec![if is_by { Position::Group } else { Position::Time }, Position::Value];
        }
        if sentence.features.contains(&Feature::Order) {
            sentence.positions.retain(|position| *position != Position::Group);
        } else if !before.last().is_some_and(|(mention, _)| mention.is(Lexical::Order)) {
            sentence.positions.retain(|position| *position != Position::Rank);
        }
        let starts = sentence.positions.contains(&Position::Start);
        if sentence.tables.is_empty() && (!starts || earlier.is_kept) {
            sentence.tables = earlier.tables.to_vec();
            if earlier.is_followed {
                sentence.features.extend([Feature::Rows, Feature::Figure]);
                sentence.positions.push(Position::Whole);
            }
        }
        let has_date = |table: &TableId| schema.profile(*table).date.is_some();
        let measures = catalog.metrics.iter().any(|metric| {
            metric.date_column.is_some()
                && schema.table(&metric.table).is_some_and(|id| sentence.tables.contains(&id))
        });
        if sentence.tables.iter().any(has_date) || measures {
            sentence.features.push(Feature::Dated);
        }
        sentence
    }

    fn notice(&mut self, catalog: &Catalog, schema: &SchemaIndex, mention: &Mention, part: Part) {
        let features = &mut self.features;
        match part {
            Part::Concept(_) => features.push(Feature::Figure),
            Part::Grain(_) => features.push(Feature::Group),
            Part::Time => features.push(Feature::Time),
            Part::Superlative(_) => features.push(Feature::Order),
            Part::Lexical => {
                let figures = [
                    Lexical::Average,
                    Lexical::Count,
                    Lexical::Maximum,
                    Lexical::Minimum,
                    Lexical::Sum,
                ];
                let orders = [Lexical::Top, Lexical::Bottom, Lexical::Order, Lexical::Most];
                let is_any = |list: &[Lexical]| list.iter().any(|lexical| mention.is(*lexical));
                if is_any(&figures) {
                    features.push(Feature::Figure);
                }
                if is_any(&orders) {
                    features.push(Feature::Order);
                }
                if is_any(&[Lexical::By, Lexical::Group]) && !features.contains(&Feature::Order) {
                    features.push(Feature::Group);
                }
            }
            Part::Schema => {
                let Some(first) = mention.readings.first() else { return };
                let table = match &first.target {
                    Target::Metric(metric) => {
                        features.push(Feature::Figure);
                        catalog.metrics.get(*metric).and_then(|it| schema.table(&it.table))
                    }
                    Target::Column(column) => {
                        if schema.is_number(*column) {
                            features.push(Feature::Figure);
                        }
                        self.column = Some(*column);
                        Some(column.table)
                    }
                    Target::Table(table) | Target::Label(table) => {
                        features.push(Feature::Rows);
                        self.column = None;
                        Some(*table)
                    }
                    Target::Value(column, _) => {
                        self.column = None;
                        Some(column.table)
                    }
                };
                if let Some(table) = table.filter(|table| !self.tables.contains(table)) {
                    self.tables.push(table);
                }
            }
            Part::Number | Part::Unknown | Part::Vague(_) => {}
        }
    }
}

/// Whether a mention begins a condition.
fn is_condition((mention, part): &(Mention, Part)) -> bool {
    *part == Part::Lexical && (mention.is(Lexical::Where) || mention.is(Lexical::With))
}

/// What is expected behind mentions.
fn positions(schema: &SchemaIndex, before: &[&(Mention, Part)]) -> Vec<Position> {
    let says = |entry: &&&(Mention, Part)| {
        let (mention, part) = **entry;
        let adds_nothing = [Lexical::Filler, Lexical::Aside, Lexical::Generic, Lexical::Present];
        *part != Part::Lexical || !mention.lexical.iter().all(|it| adds_nothing.contains(it))
    };
    let mut said = before.iter().rev().filter(says);
    let Some((mention, part)) = said.next() else { return vec![Position::Start, Position::Rows] };
    match part {
        Part::Concept(_) | Part::Grain(_) | Part::Time => vec![Position::Whole],
        Part::Superlative(_) => vec![Position::Rows, Position::Figure, Position::Whole],
        Part::Unknown => vec![Position::Whole, Position::Value, Position::Rows],
        Part::Number | Part::Vague(_) => vec![Position::Rows, Position::Whole],
        Part::Schema => match mention.readings.first().map(|reading| &reading.target) {
            Some(Target::Column(column)) if schema.is_flag(*column) => vec![Position::Whole],
            Some(Target::Column(_)) if said.next().is_some_and(|before| is_condition(before)) => {
                vec![Position::Operator]
            }
            Some(Target::Column(_)) => vec![Position::Operator, Position::Whole],
            Some(Target::Value(..)) => vec![Position::Whole, Position::Rows],
            _ => vec![Position::Whole],
        },
        Part::Lexical => {
            let is_first = said.next().is_none();
            if !is_first && (mention.is(Lexical::With) || mention.is(Lexical::Where)) {
                let last = mention.phrase.split(' ').next_back().unwrap_or_default();
                if ["are", "is", "was", "were"].contains(&last) {
                    return vec![Position::State];
                }
            }
            if mention.is(Lexical::By) {
                return vec![Position::Group, Position::Rank];
            }
            let expected = EXPECTED.iter().filter(|(words, _)| {
                let asks = is_first && words.contains(&Lexical::Where);
                !asks && words.iter().any(|word| mention.is(*word))
            });
            let mut found: Vec<Position> =
                expected.flat_map(|(_, expected)| expected.iter().copied()).collect();
            if found.is_empty() {
                found = vec![Position::Rows, Position::Value, Position::Whole];
            }
            found
        }
    }
}

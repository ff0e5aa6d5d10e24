//! Stored figures: "average budget" where a column holds the average already.

use super::context::Composer;
use super::settle::{Settled, keep};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::confidence::Method;
use crate::linking::{ColumnId, Lexical, Lexicon, Named, Reading, TableId, Target};
use crate::reading::Part;

const FUNCTIONS: [Lexical; 4] =
    [Lexical::Average, Lexical::Maximum, Lexical::Minimum, Lexical::Sum];

impl Composer<'_> {
    /// Asks whether a figure is computed from rows, or taken from the column that holds it.
    pub(super) fn settle_stored(&mut self, settled: &mut Settled, lexicon: &Lexicon) {
        for at in 0..settled.parts.len() {
            self.prefer_plain(settled, at, lexicon);
            let Some(column) = number_at(self, settled, at) else { continue };
            let functions = functions_before(settled, at);
            let stored: Vec<ColumnId> = functions
                .iter()
                .filter_map(|(_, function)| self.stored(*function, column, lexicon))
                .collect();
            let Some(first) = stored.first().copied() else { continue };
            if stored.len() < functions.len() {
                continue;
            }
            let words = self.column_words(column);
            let rows = self.table_rows(column.table);
            let computed = ClarificationOption {
                label: format!("{words} computed from {rows}"),
                description: format!("from {words} of each row"),
                ..self.column_option(column)
            };
            let held = self.column_option(first);
            let chosen = self.decide(Decision {
                kind: AmbiguityKind::MetricDefinition,
                severity: Severity::Important,
                span: Some(settled.mentions[at].span),
                phrase: settled.mentions[at].phrase.clone(),
                relation: Relation::Means,
                reason: "a column already stores this figure".to_owned(),
                options: vec![computed, held.clone()],
                recommended: None,
                custom: None,
            });
            if chosen == held.binding && matches!(chosen, OptionBinding::Column { .. }) {
                take(settled, at, column.table, &functions, &stored);
            }
        }
    }

    /// Words that name no function mean a column that names none, where there is one.
    fn prefer_plain(&self, settled: &mut Settled, at: usize, lexicon: &Lexicon) {
        let computed = |reading: &Reading| match reading.target {
            Target::Column(column) => self.schema.words_of(column).iter().any(|word| {
                let kinds = lexicon.get(word);
                FUNCTIONS.iter().any(|function| kinds.contains(function))
                    || kinds.contains(&Lexical::Compare)
            }),
            _ => false,
        };
        let mention = &mut settled.mentions[at];
        let best = mention.readings.first().map_or(0.0, |first| first.score);
        let plain = mention.readings.iter().any(|reading| {
            matches!(reading.target, Target::Column(_))
                && !computed(reading)
                && best - reading.score < 2.0 * self.settings.rival_gap
        });
        let named = mention.readings.first().is_some_and(|first| first.method.is_whole());
        if plain && !named && settled.parts[at] == Part::Schema {
            mention.readings.retain(|reading| !computed(reading));
        }
    }

    /// Column whose name is a function and the words of another column.
    fn stored(&self, function: Lexical, column: ColumnId, lexicon: &Lexicon) -> Option<ColumnId> {
        let own = self.schema.stems_of(column);
        let names = |id: ColumnId| {
            let (words, stems) = (self.schema.words_of(id), self.schema.stems_of(id));
            let is = |word: &String| lexicon.get(word).contains(&function);
            let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
            if words.len() != own.len() + 1 {
                return false;
            }
            is(first) && stems[1..] == *own || is(last) && stems[..words.len() - 1] == *own
        };
        let mut found = Vec::new();
        for (table, definition) in self.catalog.tables.iter().enumerate() {
            for (position, other) in definition.columns.iter().enumerate() {
                let id = ColumnId { table: TableId(table as u16), column: position as u16 };
                if other.data_type.is_numeric() && names(id) {
                    found.push(id);
                }
            }
        }
        let near = |other: &&ColumnId| other.table == column.table;
        found.iter().find(near).or(found.first()).copied()
    }
}

/// Number column that a mention means.
fn number_at(composer: &Composer<'_>, settled: &Settled, at: usize) -> Option<ColumnId> {
    let first = settled.mentions[at].readings.first()?;
    match first.target {
        Target::Column(column)
            if settled.parts[at] == Part::Schema
                && composer.catalog.column_at(column).data_type.is_numeric() =>
        {
            Some(column)
        }
        _ => None,
    }
}

/// Aggregates that stand before a mention, with nothing between that means something else.
fn functions_before(settled: &Settled, at: usize) -> Vec<(usize, Lexical)> {
    let mut found = Vec::new();
    for before in (0..at).rev() {
        let mention = &settled.mentions[before];
        if settled.parts[before] != Part::Lexical {
            break;
        }
        match FUNCTIONS.iter().find(|function| mention.is(**function)) {
            Some(function) => found.push((before, *function)),
            None if [Lexical::Filler, Lexical::Of, Lexical::And]
                .iter()
                .any(|kind| mention.is(*kind)) => {}
            None => break,
        }
    }
    found.reverse();
    found
}

/// Puts the stored columns in the place of the functions.
fn take(
    settled: &mut Settled,
    at: usize,
    table: TableId,
    functions: &[(usize, Lexical)],
    stored: &[ColumnId],
) {
    for ((place, _), column) in functions.iter().zip(stored) {
        let target = Target::Column(*column);
        let method = Method::Exact;
        settled.mentions[*place].readings = vec![Reading { target, method, score: method.base() }];
        settled.parts[*place] = Part::Schema;
    }
    settled.mentions[at].readings.clear();
    settled.mentions[at].lexical = vec![Lexical::Filler];
    settled.parts[at] = Part::Lexical;
    let Some(holder) = stored.first().map(|column| column.table).filter(|holder| *holder != table)
    else {
        return;
    };
    for (mention, part) in settled.mentions.iter_mut().zip(&settled.parts) {
        for reading in &mut mention.readings {
            if reading.target == Target::Table(table) {
                reading.target = Target::Table(holder);
            }
        }
        if *part == Part::Lexical && mention.is(Lexical::Group) {
            mention.lexical = vec![Lexical::And];
        }
    }
    keep(&mut settled.mentions, holder, &[table]);
}

//! Settling: places decided on the mentions themselves, before the question is taken apart.

use super::context::Composer;
use super::option::OPTIONS;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, OptionBinding, Relation};
use crate::linking::{Act, Lexicon, Mention, Reading, TableId, Target};
use crate::reading::Part;

/// Mentions of a question with the part each plays.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// The mentions, without the readings that were decided against.
    pub(crate) mentions: Vec<Mention>,
    /// Their parts.
    pub(crate) parts: Vec<Part>,
}

impl Composer<'_> {
    /// Decides between tables that fit the same words or hold the same columns, and between stored and computed
    /// figures; notes every tie by meaning alone as an assumption.
    pub(crate) fn settle_mentions(&mut self, parts: &[Part], lexicon: &Lexicon) -> Settled {
        let mut settled = Settled { mentions: self.mentions.to_vec(), parts: parts.to_vec() };
        self.untie_adjectives(&mut settled, lexicon);
        self.untie_grouped_words(&mut settled);
        self.settle_unknown(&mut settled);
        for at in 0..parts.len() {
            self.settle_named(&mut settled, at);
        }
        for at in 0..parts.len() {
            self.settle_implied(&mut settled, at);
        }
        self.settle_unlinked(&mut settled, lexicon);
        self.settle_stored(&mut settled, lexicon);
        for at in 0..parts.len() {
            self.note_meaning(&settled, at);
        }
        settled
    }

    /// A word that several tables fit.
    fn settle_named(&mut self, settled: &mut Settled, at: usize) {
        let Some((table, first)) = first_table(settled, at) else { return };
        let whole = first.method.is_whole();
        let gap = self.settings.rival_gap / if whole { 2.0 } else { 1.0 };
        let mut rivals: Vec<TableId> = settled.mentions[at]
            .readings
            .iter()
            .filter(|reading| first.score - reading.score < gap)
            .filter_map(|reading| match reading.target {
                Target::Table(table) => Some(table),
                _ => None,
            })
            .filter(|rival| *rival == table || !self.relates(*rival, table))
            .collect();
        if !whole {
            let twins = self.schema.twin_tables(table).iter().copied();
            rivals.extend(twins.filter(|twin| !rivals.contains(twin)).collect::<Vec<_>>());
        }
        if rivals.len() > 1 {
            let chosen = self.choose_table(&rivals, at, "several tables fit these words");
            let readings = &mut settled.mentions[at].readings;
            readings.retain(|reading| !matches!(reading.target, Target::Table(_)));
            readings.insert(0, Reading { target: Target::Table(chosen), ..first });
            let twins = self.schema.twin_tables(chosen).to_vec();
            keep(&mut settled.mentions, chosen, &twins);
        }
    }

    /// Whether a table's rows only say something of another's: a bridge, or one that refers to it and bears its name.
    pub(super) fn relates(&self, rival: TableId, table: TableId) -> bool {
        let (rival, own) = (self.schema.profile(rival), self.schema.profile(table));
        let named = own.words.iter().all(|word| rival.words.contains(word));
        let refers = self
            .catalog
            .foreign_keys
            .iter()
            .any(|key| key.from_table == rival.key && key.to_table == own.key);
        rival.is_bridge || named && refers && rival.words.len() > own.words.len()
    }

    /// Words that are tied only to columns which several tables hold alike.
    fn settle_implied(&mut self, settled: &mut Settled, at: usize) {
        let table = match settled.mentions[at].readings.first() {
            Some(reading) if settled.parts[at] == Part::Schema => reading.target.table(),
            _ => None,
        };
        let Some(table) = table else { return };
        let twins = self.schema.twin_tables(table);
        let holds = |twin: &TableId| {
            let mut readings = settled.mentions[at].readings.iter();
            readings.any(|reading| reading.target.table() == Some(*twin))
        };
        let named = (0..settled.parts.len()).any(|at| {
            first_table(settled, at)
                .is_some_and(|(named, _)| named == table || twins.contains(&named))
        });
        let rivals: Vec<TableId> =
            std::iter::once(table).chain(twins.iter().copied().filter(holds)).collect();
        if named || rivals.len() < 2 {
            if named {
                let chosen = (0..settled.parts.len())
                    .find_map(|at| first_table(settled, at).map(|(named, _)| named))
                    .filter(|named| twins.contains(named) || *named == table);
                if let Some(chosen) = chosen {
                    let others = self.schema.twin_tables(chosen).to_vec();
                    let both = (0..settled.parts.len()).any(|at| {
                        first_table(settled, at).is_some_and(|(named, _)| others.contains(&named))
                    });
                    if !both {
                        keep(&mut settled.mentions, chosen, &others);
                    }
                }
            }
            return;
        }
        let chosen = self.choose_table(&rivals, at, "several tables hold these columns");
        let others = self.schema.twin_tables(chosen).to_vec();
        keep(&mut settled.mentions, chosen, &others);
    }

    /// A tie that rests on the meaning of words alone is shown, so that it can be seen to be wrong.
    fn note_meaning(&mut self, settled: &Settled, at: usize) {
        let mention = &settled.mentions[at];
        let Some(first) = mention.readings.first() else { return };
        let gap = self.settings.rival_gap;
        let alone =
            mention.readings.iter().filter(|other| first.score - other.score < gap).count() == 1;
        if settled.parts[at] != Part::Schema || !first.method.is_by_meaning() || !alone {
            return;
        }
        let (kind, option, table) = match &first.target {
            Target::Table(table) => (AmbiguityKind::Table, self.table_option(*table), *table),
            Target::Column(column) => {
                (AmbiguityKind::Column, self.column_option(*column), column.table)
            }
            _ => return,
        };
        // "Trades this month": where nothing else is named, the whole answer rests on a column.
        let rests = kind == AmbiguityKind::Column
            && settled.parts.iter().filter(|part| **part == Part::Schema).count() == 1
            // "Came in last week": an appointment may have been missed.
            || mention.act == Some(Act::Planned);
        let custom = rests.then(|| self.own_words(table));
        self.decide(Decision {
            kind,
            severity: if rests { Severity::Important } else { Severity::Minor },
            span: Some(mention.span),
            phrase: mention.phrase.clone(),
            relation: Relation::Means,
            reason: format!("matched by meaning: {}", first.method.reason()),
            options: vec![option],
            recommended: None,
            custom,
        });
    }

    fn choose_table(&mut self, rivals: &[TableId], at: usize, reason: &str) -> TableId {
        let options = rivals.iter().take(OPTIONS).map(|rival| self.table_option(*rival)).collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Table,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: reason.to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Table { table } => self.schema.table(&table),
            _ => None,
        }
        .or(rivals.first().copied())
        .unwrap_or(TableId(0))
    }
}

/// Table that a mention means first of all.
fn first_table(settled: &Settled, at: usize) -> Option<(TableId, Reading)> {
    let reading = settled.mentions[at].readings.first()?;
    match reading.target {
        Target::Table(table) if settled.parts[at] == Part::Schema => Some((table, reading.clone())),
        _ => None,
    }
}

/// Leaves out readings in other tables wherever there is one in the chosen table.
pub(super) fn keep(mentions: &mut [Mention], chosen: TableId, others: &[TableId]) {
    for mention in mentions {
        let within = |reading: &Reading| reading.target.table() == Some(chosen);
        if mention.readings.iter().any(within) {
            mention.readings.retain(|reading| {
                reading.target.table().is_none_or(|table| !others.contains(&table))
            });
        }
    }
}

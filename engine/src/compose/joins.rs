//! Join planning: the way meant among the shortest along foreign keys, and a question where there are several.

use super::context::{Composer, Failure};
use super::rating::hundredths;
use super::ways::Way;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::failure::FailureCode;
use crate::intent::JoinStep;
use crate::linking::{ColumnId, Edge, Mention, Named, TableId, Target, words_of_identifier};
use crate::narration::{self, WayStep, Wording};
use crate::order;
use crate::text::stem;

/// Whether a mention is a concept that is computed, or a metric.
fn is_amount(mention: &Mention) -> bool {
    match mention.readings.first() {
        Some(first) => matches!(first.target, Target::Metric(_)),
        None => mention.concept.is_some(),
    }
}

/// A way between two tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Steps in order.
    pub(super) steps: Vec<JoinStep>,
    /// Whether any step leads to many rows.
    pub(super) to_many: bool,
    /// Whether a row may have no partner, because one that may refer to it need not exist.
    pub(super) optional: bool,
}

impl Path {
    /// A way and its continuation.
    fn then(mut self, next: Self) -> Self {
        self.steps.extend(next.steps);
        self.to_many |= next.to_many;
        self.optional |= next.optional;
        self
    }
}

impl<'a> Composer<'a> {
    /// Shortest way between two tables; parallel foreign keys are decided on.
    pub(super) fn path(
        &mut self,
        from: TableId,
        to: TableId,
        named: &[TableId],
    ) -> Result<Path, Failure> {
        self.path_past(from, to, named, &[])
    }

    /// Way to rows that are counted: where the shortest leads to one row at most, the only one through rows of which there
    /// may be several. "Members who shopped at more than one branch" counts branches of purchases, not the one branch
    /// that a member is registered at. True beside the way where it is not the shortest.
    pub(super) fn path_to_several(
        &mut self,
        from: TableId,
        to: TableId,
        named: &[TableId],
    ) -> Result<(Path, bool), Failure> {
        let path = self.path(from, to, named)?;
        // "Orders with more than one customer": a key of the order itself refers to one customer at most.
        if path.to_many || path.steps.len() < 2 {
            return Ok((path, false));
        }
        let refers = |between: TableId| {
            self.usable(between).any(|edge| edge.to_one && edge.forward && edge.to == to)
        };
        let mut between: Vec<TableId> = self
            .usable(from)
            .filter(|edge| !edge.to_one && refers(edge.to))
            .map(|edge| edge.to)
            .collect();
        between.dedup();
        let [between] = between[..] else { return Ok((path, false)) };
        let first = self.path(from, between, named)?;
        Ok((first.then(self.path(between, to, named)?), true))
    }

    /// Shortest way, where words already led past some tables: two that each lead past the other make no circle.
    fn path_past(
        &mut self,
        from: TableId,
        to: TableId,
        named: &[TableId],
        past: &[(TableId, TableId)],
    ) -> Result<Path, Failure> {
        if from == to {
            return Ok(Path::default());
        }
        let between = self.through.iter().find(|between| {
            let (via, end) = **between;
            end == to && via != from && via != to && !past.contains(between)
        });
        if let Some((via, _)) = between.copied()
            && !self.schema.edges(via).is_empty()
        {
            let past = [past, &[(via, to)]].concat();
            let first = self.path_past(from, via, named, &past)?;
            let second = self.path_past(via, to, named, &past)?;
            return Ok(first.then(second));
        }
        let ways = self.cheapest(from, to, named);
        let Some(edges) = self.choose_way(&ways, to) else {
            let message = format!(
                "no foreign keys lead from {} to {}",
                self.table_rows(from),
                self.table_rows(to)
            );
            return Err(self.fail(
                FailureCode::NoJoinPath,
                message,
                "name a table that links the two",
                None,
            ));
        };
        for edge in edges.iter().filter(|edge| edge.inferred) {
            self.note_inferred(edge);
        }
        Ok(Path {
            steps: edges.iter().map(|edge| self.step(edge)).collect(),
            to_many: edges.iter().any(|edge| !edge.to_one),
            optional: edges.iter().any(|edge| !edge.forward),
        })
    }

    /// Folded words of a table's name, as a question may contain them.
    fn table_phrase(&self, table: TableId) -> String {
        words_of_identifier(&self.catalog.table_at(table).name).join(" ")
    }

    /// A way that only names suggest is shown, so that it can be seen to be wrong.
    fn note_inferred(&mut self, edge: &Edge) {
        let (one, other) = (self.table_phrase(edge.from), self.table_phrase(edge.to));
        let key = self.key_column(edge);
        let reason = if key.is_some_and(|key| self.is_held(key, edge)) {
            "no foreign key is declared, but the values are found in the other table"
        } else {
            "no foreign key is declared, but the names match"
        };
        let key = key.map(|column| self.column_words(column));
        self.decide(Decision {
            kind: AmbiguityKind::Join,
            severity: Severity::Minor,
            span: None,
            phrase: format!("{one} and {other}"),
            relation: Relation::Means,
            reason: reason.to_owned(),
            options: vec![ClarificationOption {
                id: "way_1".to_owned(),
                label: format!("linked by {}", key.unwrap_or_default()),
                description: "no foreign key is declared".to_owned(),
                binding: OptionBinding::Join { joins: vec![self.step(edge)] },
                confidence: None,
            }],
            recommended: None,
            custom: None,
        });
    }

    /// Whether the values of a referencing column were found in the referenced table.
    fn is_held(&self, key: ColumnId, edge: &Edge) -> bool {
        let from = self.catalog.reference(key);
        let referenced = if edge.forward { edge.to } else { edge.from };
        let to = &self.schema.profile(referenced).key;
        let mut held = self.catalog.containments.iter();
        held.any(|held| held.from == from && held.to.table == *to && held.found > 0)
    }

    /// The way meant: the one whose keys the question names, else by decision.
    fn choose_way(&mut self, ways: &[Way<'a>], to: TableId) -> Option<Way<'a>> {
        let (first, rest) = ways.split_first()?;
        if rest.is_empty() {
            return Some(first.clone());
        }
        let mentioned: Vec<&Way<'a>> =
            ways.iter().filter(|way| way.iter().any(|edge| self.is_mentioned(edge))).collect();
        if let [one] = mentioned.as_slice() {
            return Some((*one).clone());
        }
        let mut ordered: Vec<&Way<'a>> =
            if mentioned.is_empty() { ways.iter().collect() } else { mentioned };
        let plain = |way: &Way<'_>| way.iter().all(|edge| edge.plain);
        order::by_key(&mut ordered, |way| !plain(way));
        let obvious = ordered.iter().filter(|way| plain(way)).count() == 1;
        // Ways to many rows are told from the other side: "the customer's billing address", and not all behind it.
        let ends = first.first().zip(first.last()).map(|(start, end)| (start.from, end.to));
        let spread = ordered.iter().all(|way| way.iter().all(|edge| !edge.to_one));
        let back: Option<Vec<Way<'a>>> =
            ordered.iter().filter(|_| spread).map(|way| self.reversed(way)).collect();
        let back = back.filter(|back| !back.is_empty());
        let (start, end) = match (ends, &back) {
            (Some((start, end)), Some(_)) => (end, start),
            (Some((start, end)), None) => (start, end),
            (None, _) => (to, to),
        };
        let way_steps = |way: &Way<'a>| -> Vec<WayStep> {
            way.iter().map(|edge| self.way_step(edge)).collect()
        };
        let steps: Vec<Vec<WayStep>> = match &back {
            Some(back) => back.iter().map(way_steps).collect(),
            None => ordered.iter().map(|way| way_steps(way)).collect(),
        };
        let told = narration::ways(&self.table_words(start), &steps);
        // Nothing in the question speaks for one of several ways, unless one is obvious.
        let even = (!obvious && ordered.len() > 1).then(|| hundredths(1.0 / ordered.len() as f64));
        let options: Vec<ClarificationOption> = ordered
            .iter()
            .zip(told.wordings)
            .enumerate()
            .map(|(position, (way, Wording { label, description }))| ClarificationOption {
                id: format!("way_{}", position + 1),
                label,
                description,
                binding: OptionBinding::Join {
                    joins: way.iter().map(|edge| self.step(edge)).collect(),
                },
                confidence: even,
            })
            .collect();
        if !obvious {
            self.joined = false;
        }
        let place = self.mentions.iter().find(|mention| {
            mention.readings.first().is_some_and(|reading| reading.target.table() == Some(end))
        });
        let is_value = place
            .and_then(|mention| mention.readings.first())
            .is_some_and(|reading| matches!(reading.target, Target::Value(..)));
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Join,
            severity: if obvious { Severity::Minor } else { Severity::Important },
            span: place.map(|mention| mention.span),
            phrase: place.map_or_else(|| self.table_phrase(end), |mention| mention.phrase.clone()),
            reason: "the tables are linked in several ways".to_owned(),
            relation: if told.name_end && is_value { Relation::Is } else { Relation::RefersTo },
            options: options.clone(),
            recommended: None,
            custom: None,
        });
        let position = options.iter().position(|option| option.binding == chosen).unwrap_or(0);
        ordered.get(position).map(|way| (*way).clone())
    }

    /// Referencing column of a foreign key, whichever way it is walked.
    pub(super) fn key_column(&self, edge: &Edge) -> Option<ColumnId> {
        let (table, columns) = if edge.forward {
            (edge.from, &edge.from_columns)
        } else {
            (edge.to, &edge.to_columns)
        };
        columns.first().map(|column| ColumnId { table, column: *column })
    }

    /// Words of a referencing column without its "id".
    fn key_words(&self, edge: &Edge) -> Vec<String> {
        let Some(column) = self.key_column(edge) else { return Vec::new() };
        let mut words = self.schema.words_of(column).to_vec();
        if words.len() > 1 && words.last().is_some_and(|last| last == "id") {
            words.pop();
        }
        words
    }

    /// Whether the question names a word that only the referencing column has.
    fn is_mentioned(&self, edge: &Edge) -> bool {
        let referenced = if edge.forward { edge.to } else { edge.from };
        let own = &self.schema.profile(referenced).stems;
        let Some(column) = self.key_column(edge) else { return false };
        let words = self.schema.words_of(column).iter().zip(self.schema.stems_of(column));
        words.filter(|(word, stem)| word.len() > 2 && !own.contains(stem)).any(|(word, stemmed)| {
            // Inflections begin alike: only those are stemmed.
            let names = |part: &str| {
                part == word
                    || word.len() > 3
                        && part.as_bytes().first() == word.as_bytes().first()
                        && stem(part) == *stemmed
            };
            // "Total sales" is an amount, and does not name the key of the sales representative.
            self.mentions.iter().filter(|mention| !is_amount(mention)).any(|mention| {
                mention.phrase.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(names)
            })
        })
    }

    /// A join of a path as it is said; its key only where the table has several to the same rows.
    fn way_step(&self, edge: &Edge) -> WayStep {
        let key = self.key_words(edge).join(" ");
        if edge.forward {
            return WayStep::Forward(key);
        }
        let between = self.schema.edges(edge.from).iter().filter(|other| other.to == edge.to);
        let table = self.table_words(edge.to);
        WayStep::Back { table, key: (between.count() > 1).then_some(key) }
    }

    /// An edge as a join.
    pub(super) fn step(&self, edge: &Edge) -> JoinStep {
        let names = |table: TableId, columns: &[u16]| {
            columns
                .iter()
                .map(|column| {
                    self.catalog.column_at(ColumnId { table, column: *column }).name.clone()
                })
                .collect()
        };
        JoinStep {
            from_table: self.schema.profile(edge.from).key.clone(),
            from_columns: names(edge.from, &edge.from_columns),
            to_table: self.schema.profile(edge.to).key.clone(),
            to_columns: names(edge.to, &edge.to_columns),
            outer: false,
        }
    }
}

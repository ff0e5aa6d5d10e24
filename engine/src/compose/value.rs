//! Stored values that mentions mean.

use wherefore_english::or_list;

use super::condition::negate;
use super::context::{Composer, Failure};
use super::option::{OPTIONS, WITHOUT_CONDITION, ignore_option};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{ColumnRef, Coverage};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::confidence::Method;
use crate::failure::FailureCode;
use crate::intent::Predicate;
use crate::linking::{ColumnId, Lexical, Mention, Named, TableId, Target};
use crate::narration::{self, Wording};

/// Stored values that a mention may mean, the best first.
struct Rivals {
    /// Column of the best.
    column: ColumnId,
    /// The best.
    value: String,
    /// All that fit about as well.
    all: Vec<(ColumnId, String)>,
    /// Whether they only hold the words, or are spelled otherwise.
    fuzzy: bool,
    /// Whether they only hold the words.
    in_part: bool,
}

impl Composer<'_> {
    /// Predicate of stored values that are listed, all in one column.
    pub(super) fn values(
        &mut self,
        at: &[usize],
        negated: bool,
        hint: Option<usize>,
        head: TableId,
    ) -> Result<Option<(TableId, Predicate)>, Failure> {
        let Some(first) = at.first() else { return Ok(None) };
        let hinted = match hint {
            Some(hint) => Some(self.column(hint, Some(head))?),
            None => None,
        };
        let alone = at.len() == 1;
        let Some((column, mut values)) = self.stored_value(*first, hinted, alone)? else {
            return Ok(None);
        };
        for further in &at[1..] {
            let Some((_, more)) = self.stored_value(*further, Some(column), alone)? else {
                continue;
            };
            values.extend(
                more.into_iter().filter(|value| !values.contains(value)).collect::<Vec<_>>(),
            );
        }
        if let Some(own) = self.lacks_value(column, head) {
            let (rows, own) = (self.table_rows(head), self.column_words(own));
            return Err(self.fail(
                FailureCode::NotAValue,
                format!("“{}” is no {own} of {rows}", self.phrase(*first)),
                "name the rows that it is said of",
                Some(*first),
            ));
        }
        let words = at.iter().any(|at| self.is_word_of_values(*at));
        let predicate = if words {
            self.containing(column, &values)
        } else {
            Predicate::OneOf { column: self.catalog.reference(column), values }
        };
        Ok(Some((column.table, negate(predicate, negated))))
    }

    /// The column of the rows asked about that is called as that of a value, which is only stored with rows that nothing
    /// names and that they may have several of: "Dutch customers", where suppliers are Dutch.
    fn lacks_value(&self, column: ColumnId, head: TableId) -> Option<ColumnId> {
        let far = self.schema.distance(head, column.table).is_some_and(|(_, to_many)| to_many);
        let named = (0..self.mentions.len()).any(
            |at| matches!(self.target(at), Some(Target::Table(table)) if table == column.table),
        );
        if !far || named || self.names_rows(column) {
            return None;
        }
        let columns = 0..self.catalog.table_at(head).columns.len() as u16;
        let mut columns = columns.map(|column| ColumnId { table: head, column });
        columns.find(|own| {
            let list = self.catalog.column_at(*own).values.as_ref();
            self.schema.stems_of(*own) == self.schema.stems_of(column)
                && list.is_some_and(|list| list.coverage == Coverage::Complete)
        })
    }

    /// Stored value that a mention means; several that fit equally are decided on, `alone` also for any of them.
    pub(super) fn stored_value(
        &mut self,
        at: usize,
        column: Option<ColumnId>,
        alone: bool,
    ) -> Result<Option<(ColumnId, Vec<String>)>, Failure> {
        let rivals = self.rivals(at, column)?;
        if rivals.all.len() < 2 && !rivals.fuzzy {
            return Ok(Some((rivals.column, vec![rivals.value])));
        }
        let all = self.names_first(rivals.all, rivals.fuzzy);
        let rivals = Rivals { all, ..rivals };
        let chosen = self.decide_value(at, &rivals, alone);
        let Rivals { column, value, .. } = rivals;
        Ok(match chosen {
            OptionBinding::Value { column: chosen, value } => {
                Some((self.column_id(&chosen).unwrap_or(column), vec![value]))
            }
            OptionBinding::Predicate { predicate: Predicate::OneOf { values, .. } } => {
                Some((column, values))
            }
            OptionBinding::Predicate { predicate: Predicate::Text { column: of, text, .. } } => {
                Some((self.column_id(&of).unwrap_or(column), vec![text]))
            }
            OptionBinding::Ignore => None,
            _ => Some((column, vec![value])),
        })
    }

    /// Stored values that a mention may mean, in the given column or in any.
    fn rivals(&self, at: usize, column: Option<ColumnId>) -> Result<Rivals, Failure> {
        let readings = self.mentions.get(at).map_or(&[][..], |mention| &mention.readings);
        let mut stored: Vec<(f64, ColumnId, String)> = readings
            .iter()
            .filter_map(|reading| match &reading.target {
                Target::Value(of, value) if column.is_none_or(|column| column == *of) => {
                    Some((reading.score, *of, value.clone()))
                }
                _ => None,
            })
            .collect();
        let Some((best, first, value)) = stored.first().cloned() else {
            return Err(self.fail(
                FailureCode::NotAValue,
                format!("“{}” is not a stored value there", self.phrase(at)),
                "check the spelling, or put it in quotes",
                Some(at),
            ));
        };
        let view = self.schema.profile(first.table).is_view;
        let asked = self.tables_asked_of(at);
        let own = |column: ColumnId| asked.contains(&column.table) && self.names_rows(column);
        let close = |score: f64| best - score < self.settings.rival_gap;
        if stored.iter().any(|(score, column, _)| own(*column) && close(*score)) {
            stored.retain(|(_, column, _)| own(*column));
        }
        if let Some(rows) = self.rows_of_named(at) {
            let own = |(_, column, _): &(f64, ColumnId, String)| {
                column.table == rows && self.names_rows(*column)
            };
            let owner = |(_, column, _): &(f64, ColumnId, String)| {
                let ways = self.schema.distance(rows, column.table);
                let one = ways.is_some_and(|(joins, to_many)| joins > 0 && !to_many);
                self.names_rows(*column) && one
            };
            if stored.iter().any(owner) {
                stored.retain(|stored| !own(stored));
            }
        }
        if let Some(rows) = self.rows_in_a_place(at) {
            let place = |column: ColumnId| column.table != rows || !self.names_rows(column);
            if stored.iter().any(|(score, column, _)| place(*column) && close(*score)) {
                stored.retain(|(_, column, _)| place(*column));
            }
        }
        let (best, first, value) = stored.first().cloned().unwrap_or((best, first, value));
        let named = self.named_beside(at, &stored);
        let first = named.unwrap_or(first);
        let value = match stored.iter().find(|(_, column, _)| Some(*column) == named) {
            Some((_, _, value)) => value.clone(),
            None => value,
        };
        let all = self
            .without_references(stored)
            .into_iter()
            .filter(|(_, column, _)| named.is_none_or(|named| named == *column))
            .filter(|(score, column, _)| {
                best - score < self.settings.rival_gap
                    && (view || !self.schema.profile(column.table).is_view)
            })
            .map(|(_, column, value)| (column, value))
            .collect();
        let mut all = self.without_copies(all);
        if all.is_empty() {
            all.push((first, value.clone()));
        }
        let (first, value) = match all.first() {
            Some(kept) if all.iter().all(|(column, _)| *column != first) => kept.clone(),
            _ => (first, value),
        };
        let method = readings.first().map(|reading| reading.method);
        let in_part = matches!(method, Some(Method::ValuePart | Method::ValueWord));
        let fuzzy = in_part || method == Some(Method::ValueFuzzy);
        Ok(Rivals { column: first, value, all, fuzzy, in_part })
    }

    /// Drops columns that copy the name of a row which their table references, such as `orders.ship_name` beside
    /// `customers.name`.
    fn without_copies(&self, all: Vec<(ColumnId, String)>) -> Vec<(ColumnId, String)> {
        let names = |column: &ColumnId| self.schema.profile(column.table).label == [*column];
        let copies = |column: &ColumnId| {
            all.iter().any(|(named, _)| {
                names(named)
                    && self.schema.edges(column.table).iter().any(|edge| {
                        edge.forward && edge.to_one && !edge.inferred && edge.to == named.table
                    })
            })
        };
        let kept = |(column, _): &&(ColumnId, String)| names(column) || !copies(column);
        all.iter().filter(kept).cloned().collect()
    }

    /// Rows of which a value says something else than what they are called: "rivers in Colorado", "which states does the
    /// Missouri run through".
    fn rows_in_a_place(&self, at: usize) -> Option<TableId> {
        let before = |at: usize| {
            (0..at).rev().find(|before| {
                !self.mentions[*before].is(Lexical::Filler) || self.target(*before).is_some()
            })
        };
        let lead = before(at)?;
        if !self.mentions[lead].has_do() && !self.mentions[lead].is(Lexical::In) {
            return None;
        }
        let by_meaning = |at: usize| {
            self.mentions[at].readings.iter().all(|reading| reading.method.is_by_meaning())
        };
        let tied = (0..lead).rev().find(|before| !by_meaning(*before))?;
        match self.target(tied) {
            Some(Target::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// Rows in the plural that are those of what a value names: "Iron Maiden albums", "albums by Iron Maiden".
    fn rows_of_named(&self, at: usize) -> Option<TableId> {
        let value = self.mentions.get(at)?;
        let plural = |at: usize| match self.target(at) {
            Some(Target::Table(table))
                if self.mentions[at].phrase.to_lowercase().ends_with('s') =>
            {
                Some(table)
            }
            _ => None,
        };
        let behind = self.mentions.get(at + 1).filter(|next| next.tokens.start == value.tokens.end);
        let by = at.checked_sub(2).filter(|rows| self.mentions[rows + 1].is(Lexical::By));
        behind.and_then(|_| plural(at + 1)).or_else(|| by.and_then(plural))
    }

    /// "the airline Lufthansa", "the Missouri river": the column that names the rows of the table right before or
    /// behind a value, if it is stored there.
    fn named_beside(&self, at: usize, stored: &[(f64, ColumnId, String)]) -> Option<ColumnId> {
        let value = self.mentions.get(at)?;
        let label = |beside: usize| {
            let Some(Target::Table(table)) = self.target(beside) else { return None };
            let [label] = self.schema.profile(table).label.as_slice() else { return None };
            stored.iter().any(|(_, column, _)| column == label).then_some(*label)
        };
        let before = at
            .checked_sub(1)
            .filter(|before| self.mentions[*before].tokens.end == value.tokens.start);
        let behind = Some(at + 1).filter(|behind| {
            let one = |mention: &Mention| {
                mention.tokens.start == value.tokens.end
                    && !mention.phrase.to_lowercase().ends_with('s')
            };
            self.mentions.get(*behind).is_some_and(one)
        });
        before.and_then(label).or_else(|| behind.and_then(label))
    }

    /// Decides which of the values is meant.
    fn decide_value(&mut self, at: usize, rivals: &Rivals, alone: bool) -> OptionBinding {
        let names = self.schema.profile(rivals.column.table).label.contains(&rivals.column);
        let doubtful = rivals.in_part && !names;
        let only = rivals.all.len() < 2;
        let several_columns = rivals.all.iter().any(|(column, _)| *column != rivals.column);
        let several_values = rivals.all.iter().any(|(_, other)| *other != rivals.value);
        let mut options = if self.is_word_of_values(at) {
            self.word_options(&rivals.all)
        } else {
            self.value_options(&rivals.all, OPTIONS - usize::from(alone))
        };
        let mut any = None;
        if alone && !several_columns && !only && rivals.in_part {
            any = Some(options.len());
            options.push(self.option_of_any(rivals));
        }
        if doubtful && only {
            options.push(ignore_option("leave it out".to_owned(), WITHOUT_CONDITION));
        }
        self.decide(Decision {
            kind: AmbiguityKind::Value,
            severity: if only && !doubtful { Severity::Minor } else { Severity::Important },
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: if several_columns && !several_values {
                Relation::Is
            } else {
                Relation::Means
            },
            reason: if several_columns {
                "several columns hold this value".to_owned()
            } else {
                format!("no stored value is exactly “{}”", self.phrase(at))
            },
            options,
            recommended: any,
            custom: None,
        })
    }

    /// An option for each of the values, up to `most`.
    pub(super) fn value_options(
        &self,
        values: &[(ColumnId, String)],
        most: usize,
    ) -> Vec<ClarificationOption> {
        let offered: Vec<(ColumnRef, String)> = values
            .iter()
            .take(most)
            .map(|(column, value)| (self.catalog.reference(*column), value.clone()))
            .collect();
        let wordings = narration::values(self.catalog, &offered);
        let options = offered.into_iter().zip(wordings);
        options
            .map(|((column, value), Wording { label, description })| ClarificationOption {
                id: format!("{column}={value}"),
                label,
                description,
                binding: OptionBinding::Value { column, value },
                confidence: None,
            })
            .collect()
    }

    /// The option for all values of one column together.
    fn option_of_any(&self, rivals: &Rivals) -> ClarificationOption {
        let values: Vec<String> = rivals.all.iter().map(|(_, value)| value.clone()).collect();
        ClarificationOption {
            id: "any".to_owned(),
            label: if values.len() == 2 {
                "both matches".to_owned()
            } else {
                format!("all {} matches", values.len())
            },
            description: or_list(&values),
            binding: OptionBinding::Predicate {
                predicate: Predicate::OneOf {
                    column: self.catalog.reference(rivals.column),
                    values,
                },
            },
            confidence: None,
        }
    }

    /// Of values that only hold a word, those in a column that names rows, where there are any.
    fn names_first(
        &self,
        rivals: Vec<(ColumnId, String)>,
        in_part: bool,
    ) -> Vec<(ColumnId, String)> {
        let names = |column: ColumnId| self.schema.profile(column.table).label.contains(&column);
        if !in_part || !rivals.iter().any(|(column, _)| names(*column)) {
            return rivals;
        }
        rivals.into_iter().filter(|(column, _)| names(*column)).collect()
    }

    /// Stored values without those of a column that a foreign key makes the same as one before.
    fn without_references(
        &self,
        stored: Vec<(f64, ColumnId, String)>,
    ) -> Vec<(f64, ColumnId, String)> {
        let mut kept: Vec<(f64, ColumnId, String)> = Vec::new();
        for (score, column, value) in stored {
            if !kept.iter().any(|(_, known, own)| *own == value && self.refers(*known, column)) {
                kept.push((score, column, value));
            }
        }
        kept
    }
}

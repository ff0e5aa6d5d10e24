//! Conditions of a frame as predicates on columns.

use wherefore_english::or_list;

use super::columns::Sides;
use super::context::{Composer, Failure};
use super::option::{OPTIONS, WITHOUT_CONDITION, ignore_option};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{ColumnRef, DataType};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::confidence::Method;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Comparison, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Lexical, Named, Reading, TableId, Target};
use crate::narration::{self, Wording};
use crate::reading::Condition;
use crate::text::{numbers, tokenize};

impl Composer<'_> {
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

    /// Predicate of a condition on rows, with the table it is about.
    pub(super) fn condition(
        &mut self,
        condition: &Condition,
        head: TableId,
    ) -> Result<Option<(TableId, Predicate)>, Failure> {
        match condition {
            Condition::Compare { column: None, operator, value, at, unit, roles }
                if self.may_be_age(self.compared_rows(*at, head), unit.as_deref(), roles, *at) =>
            {
                Ok(Some(self.age(self.compared_rows(*at, head), *operator, value, *at)?))
            }
            Condition::Compare { column: Some(column), operator, value, unit, .. }
                if self.is_duration(*column) =>
            {
                let days = self.duration(*column, Some(head))?;
                let aged = matches!(days.expression, Expression::Age { .. });
                let unit = unit.as_deref().filter(|_| !aged);
                let right = Literal::Number { value: self.in_days(value, unit) };
                let left = days.expression;
                Ok(Some((days.fact, Predicate::Compare { left, operator: *operator, right })))
            }
            Condition::Compare { column, operator, value, at, unit, roles } => {
                let column = if let Some(column) = column {
                    self.column(*column, Some(head))?
                } else {
                    let rows = self.compared_rows(*at, head);
                    self.compared_column(rows, unit.as_deref(), roles, *at)?
                };
                let text = self.catalog.column_at(column).data_type == DataType::Text;
                if text && !matches!(operator, Comparison::Equal | Comparison::NotEqual) {
                    let message = format!(
                        "{} contains text and cannot be compared with {value}",
                        self.column_words(column)
                    );
                    return Err(self.fail(
                        FailureCode::NotANumber,
                        message,
                        "name a column with numbers",
                        Some(*at),
                    ));
                }
                let amounts = if text { self.amounts(column, value) } else { Vec::new() };
                if !amounts.is_empty() {
                    let (table, column) = (column.table, self.catalog.reference(column));
                    let predicate = Predicate::OneOf { column, values: amounts };
                    let negated = *operator == Comparison::NotEqual;
                    return Ok(Some((table, negate(predicate, negated))));
                }
                let right = if text {
                    Literal::Text { value: value.clone() }
                } else {
                    Literal::Number { value: self.converted(column, value, unit.as_deref()) }
                };
                let left = self.column_expression(column);
                Ok(Some((column.table, Predicate::Compare { left, operator: *operator, right })))
            }
            Condition::Figure { column, operator, function, at, roles } => {
                self.against_figure(head, *column, roles, (*operator, *function), *at).map(Some)
            }
            Condition::Columns { column, operator, than, parent, at } => {
                let parent = parent.map(|(key, _)| key);
                let sides = Sides { column: *column, than: *than, parent, at: *at };
                self.against_column(head, sides, *operator).map(Some)
            }
            Condition::Dates { at, than, operator } => {
                let date = match self.only_date(*at, head) {
                    Some(date) => date,
                    None => self.column(*at, Some(head))?,
                };
                let than = self.column(*than, Some(head))?;
                if date.table != than.table {
                    return Err(self.fail(
                        FailureCode::NotComposable,
                        "dates of different tables cannot be compared".to_owned(),
                        "name two dates of one table",
                        Some(*at),
                    ));
                }
                let (from, to) = (self.catalog.reference(than), self.catalog.reference(date));
                let left = Expression::Days { from, to };
                let right = Literal::Number { value: "0".to_owned() };
                Ok(Some((date.table, Predicate::Compare { left, operator: *operator, right })))
            }
            Condition::Set { at, negated } => {
                let column = self.column(*at, Some(head))?;
                let definition = self.catalog.column_at(column);
                let predicate = if definition.is_flag() {
                    self.flag(column, !negated)
                } else {
                    Predicate::IsNull { column: self.catalog.reference(column), negated: !negated }
                };
                Ok(Some((column.table, predicate)))
            }
            Condition::Null { at, negated } => {
                let column = self.column(*at, Some(head))?;
                let predicate =
                    Predicate::IsNull { column: self.catalog.reference(column), negated: *negated };
                Ok(Some((column.table, predicate)))
            }
            Condition::Key { table, value, at } => self.key(*table, value, *at),
            Condition::Parent { key, at, values, negated, of_child } => {
                self.of_parent((*key, *at), values, (*negated, *of_child)).map(Some)
            }
            Condition::Text { column, matching, text, at, negated } => {
                let named = column.and_then(|column| self.mentions.get(column)?.readings.first());
                let rows = match named.map(|reading| &reading.target) {
                    Some(Target::Table(table)) => Some(*table),
                    Some(_) => None,
                    None => Some(head),
                };
                let column = match (rows, column) {
                    (None, Some(column)) => self.column(*column, Some(head))?,
                    (rows, _) => self.name_of(rows.unwrap_or(head), text, *at)?,
                };
                let reference = self.catalog.reference(column);
                let predicate = match matching {
                    Some(matching) => Predicate::Text {
                        column: reference,
                        matching: *matching,
                        text: text.clone(),
                    },
                    None => Predicate::Compare {
                        left: Expression::Column { column: reference },
                        operator: Comparison::Equal,
                        right: Literal::Text { value: text.clone() },
                    },
                };
                Ok(Some((column.table, negate(predicate, *negated))))
            }
            Condition::Values { at, negated, hint } => self.values(at, *negated, *hint, head),
            Condition::CountOf { .. } | Condition::Measure { .. } => Ok(None),
        }
    }

    /// Table that is named right before a comparison, else the one asked about: "wounds of patients over 65".
    fn compared_rows(&self, number: usize, head: TableId) -> TableId {
        let before = (0..number).rev().find(|&before| match self.mentions.get(before) {
            Some(mention) => mention.lexical.is_empty() || self.target(before).is_some(),
            None => false,
        });
        // What stands behind several things is said of each.
        let listed = |before: usize| {
            let joins = [Lexical::And, Lexical::Also, Lexical::List, Lexical::Or];
            let mut words = self.mentions[..before].iter().rev();
            let word =
                words.find(|mention| !mention.is(Lexical::Filler) || mention.is(Lexical::Also));
            word.is_some_and(|word| joins.iter().any(|kind| word.is(*kind)))
        };
        match before.and_then(|before| Some((before, self.target(before)?))) {
            Some((before, Target::Table(table))) if !listed(before) => table,
            _ => head,
        }
    }

    /// Stored texts of a column that are this number in words or with a unit: "20 million USD".
    fn amounts(&self, column: ColumnId, number: &str) -> Vec<String> {
        let listed = self.catalog.column_at(column).values.iter().flat_map(|list| &list.values);
        let is_it = |text: &&String| {
            let found = numbers(&tokenize(text));
            matches!(found.as_slice(), [only] if only.value == number && !only.weak && !only.ordinal)
        };
        listed.filter(is_it).cloned().collect()
    }

    /// Column that names the rows of a table, which a text in quotes is looked for in.
    fn name_of(&self, table: TableId, text: &str, at: usize) -> Result<ColumnId, Failure> {
        self.schema.profile(table).label.first().copied().ok_or_else(|| {
            let rows = self.table_rows(table);
            let message = format!("{rows} have no name that “{text}” could be");
            self.fail(FailureCode::NoTextColumn, message, "name the column", Some(at))
        })
    }

    /// A flag that is set, or is not, whatever its type.
    pub(super) fn flag(&self, column: ColumnId, value: bool) -> Predicate {
        let definition = self.catalog.column_at(column);
        let reference = self.catalog.reference(column);
        match definition.flag_text(value) {
            Some(text) if definition.data_type == DataType::Text => {
                Predicate::OneOf { column: reference, values: vec![text.to_owned()] }
            }
            _ => Predicate::Compare {
                left: Expression::Column { column: reference },
                operator: Comparison::Equal,
                right: Literal::Boolean { value },
            },
        }
    }

    fn key(
        &mut self,
        table: TableId,
        value: &str,
        at: usize,
    ) -> Result<Option<(TableId, Predicate)>, Failure> {
        let [key] = self.schema.profile(table).primary_key.as_slice() else {
            return Err(self.fail(
                FailureCode::NoSingleKey,
                format!("{} are not numbered", self.table_rows(table)),
                "name the column that the number belongs to",
                Some(at),
            ));
        };
        let numeric = self.catalog.column_at(*key).data_type.is_numeric();
        let right = if numeric {
            Literal::Number { value: value.to_owned() }
        } else {
            Literal::Text { value: value.to_owned() }
        };
        let left = self.column_expression(*key);
        Ok(Some((table, Predicate::Compare { left, operator: Comparison::Equal, right })))
    }

    fn unit_of(&self, column: ColumnId) -> Option<String> {
        self.units.of_column(self.catalog.column_at(column))
    }

    /// A number in the unit of the column it is compared with.
    fn converted(&self, column: ColumnId, value: &str, unit: Option<&str>) -> String {
        let factor = unit.and_then(|unit| self.units.factor(unit, &self.unit_of(column)?));
        times(factor, value)
    }

    /// A number of days.
    pub(super) fn in_days(&self, value: &str, unit: Option<&str>) -> String {
        times(unit.and_then(|unit| self.units.factor(unit, "days")), value)
    }

    /// Column that a number without a column is compared with.
    pub(super) fn compared_column(
        &mut self,
        head: TableId,
        unit: Option<&str>,
        roles: &[Role],
        at: usize,
    ) -> Result<ColumnId, Failure> {
        let columns: Vec<ColumnId> = (0..self.catalog.table_at(head).columns.len())
            .map(|column| ColumnId { table: head, column: column as u16 })
            .filter(|column| {
                self.catalog.column_at(*column).data_type.is_numeric()
                    && !self.schema.has_role(*column, Role::Identifier)
                    && !self.schema.profile(head).primary_key.contains(column)
                    && !self.is_foreign(*column)
            })
            .collect();
        let of_unit = |column: &ColumnId| {
            let converts = self.unit_of(*column).is_some_and(|own| {
                unit.is_some_and(|unit| self.units.factor(unit, &own).is_some())
            });
            let money = unit.is_some_and(|unit| {
                ["usd", "eur", "gbp"]
                    .iter()
                    .any(|currency| self.units.factor(unit, currency).is_some())
            });
            let priced = [Role::Amount, Role::Price, Role::Cost]
                .iter()
                .any(|role| self.schema.has_role(*column, *role));
            converts || money && priced && self.unit_of(*column).is_none()
        };
        let of_role =
            |column: &ColumnId| roles.iter().any(|role| self.schema.has_role(*column, *role));
        let narrowed: Vec<ColumnId> =
            columns.iter().copied().filter(|column| of_unit(column)).collect();
        let narrowed = match (unit, narrowed.is_empty()) {
            (Some(unit), true) => {
                return Err(self.fail(
                    FailureCode::NoSuchUnit,
                    format!("{} have no column measured in {unit}", self.table_rows(head)),
                    "name the column that is compared",
                    Some(at),
                ));
            }
            (_, false) => narrowed,
            (None, true) => {
                let fitting: Vec<ColumnId> = columns.iter().copied().filter(of_role).collect();
                if !roles.is_empty() && fitting.is_empty() && columns.len() < 2 {
                    return Err(self.fail(
                        FailureCode::NothingToCompare,
                        format!("{} have no such number", self.table_rows(head)),
                        "name the column that is compared",
                        Some(at),
                    ));
                }
                fitting
            }
        };
        let fitting = if narrowed.is_empty() { columns } else { narrowed };
        let measures = self.schema.profile(head).measures.clone();
        let ordered: Vec<ColumnId> = measures
            .iter()
            .copied()
            .filter(|column| fitting.contains(column))
            .chain(fitting.iter().copied().filter(|column| !measures.contains(column)))
            .collect();
        match ordered.as_slice() {
            [] => Err(self.fail(
                FailureCode::NothingToCompare,
                format!("it is not clear what is compared with {}", self.phrase(at)),
                "name a column with numbers",
                Some(at),
            )),
            [one] => Ok(*one),
            several => {
                if let Some(total) = self.only_total(several, at) {
                    return Ok(total);
                }
                let reason = "the question does not say which number is compared".to_owned();
                Ok(self.choose_column(several, at, reason).unwrap_or(several[0]))
            }
        }
    }

    /// The only total among amounts of one row, taken as the amount meant: "invoices over 2000".
    fn only_total(&mut self, columns: &[ColumnId], at: usize) -> Option<ColumnId> {
        let amounts = columns.iter().all(|column| self.schema.has_role(*column, Role::Amount));
        let total =
            |column: &&ColumnId| self.schema.words_of(**column).iter().any(|word| word == "total");
        let mut totals = columns.iter().filter(total);
        let only = totals.next().copied().filter(|_| totals.next().is_none() && amounts)?;
        let rest = columns.iter().copied().filter(|column| *column != only);
        let offered: Vec<ColumnId> = std::iter::once(only).chain(rest).collect();
        let reason = "the question does not say which amount is compared".to_owned();
        self.assume_column(&offered, at, reason)
    }

    /// Whether a column refers to another table.
    pub(super) fn is_foreign(&self, column: ColumnId) -> bool {
        let key = self.schema.profile(column.table).key.as_str();
        let name = self.catalog.column_at(column).name.as_str();
        self.catalog.foreign_keys.iter().any(|foreign| {
            foreign.from_table == key && foreign.from_columns.iter().any(|column| column == name)
        })
    }

    fn values(
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
        let predicate = Predicate::OneOf { column: self.catalog.reference(column), values };
        Ok(Some((column.table, negate(predicate, negated))))
    }

    /// Stored value that a mention means; several that fit equally are decided on, `alone` also for any of them.
    pub(super) fn stored_value(
        &mut self,
        at: usize,
        column: Option<ColumnId>,
        alone: bool,
    ) -> Result<Option<(ColumnId, Vec<String>)>, Failure> {
        let readings: Vec<Reading> =
            self.mentions.get(at).map(|mention| mention.readings.clone()).unwrap_or_default();
        let stored: Vec<(f64, ColumnId, String)> = readings
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
        let stored = self.without_references(stored);
        let rivals: Vec<(ColumnId, String)> = stored
            .into_iter()
            .filter(|(score, column, _)| {
                best - score < self.settings.rival_gap
                    && (view || !self.schema.profile(column.table).is_view)
            })
            .map(|(_, column, value)| (column, value))
            .collect();
        let method = readings.first().map(|reading| reading.method);
        let fuzzy = matches!(method, Some(Method::ValueFuzzy | Method::ValuePart));
        if rivals.len() < 2 && !fuzzy {
            return Ok(Some((first, vec![value])));
        }
        let names = self.schema.profile(first.table).label.contains(&first);
        let doubtful = method == Some(Method::ValuePart) && !names;
        let rivals = self.names_first(rivals, fuzzy);
        let several_columns = rivals.iter().any(|(column, _)| *column != first);
        let several_values = rivals.iter().any(|(_, other)| *other != value);
        let offered: Vec<(ColumnRef, String)> = rivals
            .iter()
            .take(OPTIONS - usize::from(alone))
            .map(|(column, value)| (self.catalog.reference(*column), value.clone()))
            .collect();
        let wordings = narration::values(self.catalog, &offered);
        let options = offered.into_iter().zip(wordings);
        let mut options: Vec<ClarificationOption> = options
            .map(|((column, value), Wording { label, description })| ClarificationOption {
                id: format!("{column}={value}"),
                label,
                description,
                binding: OptionBinding::Value { column, value },
            })
            .collect();
        let mut any = None;
        if alone && !several_columns && rivals.len() > 1 && method == Some(Method::ValuePart) {
            let values: Vec<String> = rivals.iter().map(|(_, value)| value.clone()).collect();
            any = Some(options.len());
            options.push(ClarificationOption {
                id: "any".to_owned(),
                label: if values.len() == 2 {
                    "both matches".to_owned()
                } else {
                    format!("all {} matches", values.len())
                },
                description: or_list(&values),
                binding: OptionBinding::Predicate {
                    predicate: Predicate::OneOf { column: self.catalog.reference(first), values },
                },
            });
        }
        if doubtful && rivals.len() < 2 {
            options.push(ignore_option("leave it out".to_owned(), WITHOUT_CONDITION));
        }
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Value,
            severity: if rivals.len() < 2 && !doubtful {
                Severity::Minor
            } else {
                Severity::Important
            },
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
        });
        match chosen {
            OptionBinding::Value { column, value } => {
                Ok(Some((self.column_id(&column).unwrap_or(first), vec![value])))
            }
            OptionBinding::Predicate { predicate: Predicate::OneOf { values, .. } } => {
                Ok(Some((first, values)))
            }
            OptionBinding::Ignore => Ok(None),
            _ => Ok(Some((first, vec![value]))),
        }
    }
}

/// A number in another unit.
fn times(factor: Option<f64>, value: &str) -> String {
    match (factor, value.parse::<f64>()) {
        (Some(factor), Ok(number)) if (factor - 1.0).abs() > f64::EPSILON => {
            crate::intent::decimal(number * factor)
        }
        _ => value.to_owned(),
    }
}

/// The predicate, or its negation.
pub(super) fn negate(predicate: Predicate, negated: bool) -> Predicate {
    if negated { Predicate::Not { condition: Box::new(predicate) } } else { predicate }
}

//! Vague terms: definitions of the dictionary, resolved against the columns at hand.

use super::context::Composer;
use super::option::{OPTIONS, ignore_option};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, CustomInput, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::dictionary::{CustomKind, Definition, Term, TermKind, TermOption};
use crate::intent::{Comparison, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Named, TableId, Target, holds_persons, words_of_identifier};
use crate::narration::Describer;
use crate::order;
use crate::reading::VagueUse;
use crate::text::{akin, fold, stem};

impl Composer<'_> {
    /// Condition that a vague term was decided to mean; none where it is left out.
    pub(super) fn vague(&mut self, term: &VagueUse, head: Option<TableId>) -> Option<Predicate> {
        let noun = term.noun.and_then(|noun| self.target(noun));
        let named = match &noun {
            Some(Target::Column(column))
                if self.catalog.column_at(*column).data_type.is_numeric() =>
            {
                Some(*column)
            }
            _ => None,
        };
        let table = noun.as_ref().and_then(Target::table).or(head);
        let done = self.done_before(term.at, table);
        let forms = self.dictionary.terms_by_form(&fold(self.phrase(term.at))).to_vec();
        let mut options = Vec::new();
        let mut custom = None;
        let mut recommended = None;
        let mut plain = false;
        // A concept or metric is not compared by another number of the rows.
        let known = if self.is_figure(term) { &[][..] } else { &forms[..] };
        for definition in known.iter().filter_map(|position| self.dictionary.terms.get(*position)) {
            let found = if let Some((days, _)) = term.longer {
                self.longer_options(definition, named, table, days)
            } else {
                let options = self.options_of(definition, named, table, done);
                self.of_open_rows(definition, options)
            };
            if found.is_empty() {
                continue;
            }
            let after = found.iter().position(|(_, option)| is_after(option));
            recommended = after
                .filter(|_| done.is_some())
                .or_else(|| found.iter().position(|(default, _)| *default))
                .or(Some(0));
            custom = self.custom_of(definition, named, table);
            plain = definition.options.len() == 1
                || done.is_some() && after.is_some()
                || term.longer.is_some() && found.len() == 1
                || self.is_flag_of_its_name(term.at, table, &found[recommended.unwrap_or(0)].1);
            options = found.into_iter().map(|(_, option)| option).collect();
            break;
        }
        options.truncate(OPTIONS);
        let undefined = options.is_empty();
        let stored = if undefined { self.values_for_unknown(term.at) } else { Vec::new() };
        let threshold = named.is_some() && matches!(custom, Some(CustomInput::Number { .. }));
        if undefined {
            options
                .push(ignore_option("leave it out".to_owned(), "answers without this condition"));
        }
        let custom = custom.or_else(|| table.map(|table| self.own_words(table)));
        // A term that everybody means the same by is only said.
        let severity = if plain { Severity::Minor } else { Severity::Important };
        let chosen = if stored.is_empty() {
            self.decide(Decision {
                kind: if threshold { AmbiguityKind::Threshold } else { AmbiguityKind::VagueTerm },
                severity,
                span: self.span(term.at),
                phrase: self.phrase(term.at).to_owned(),
                relation: Relation::Means,
                reason: if undefined {
                    format!("nothing in this data defines “{}”", self.phrase(term.at))
                } else {
                    "it means different things to different people".to_owned()
                },
                options,
                recommended,
                custom,
            })
        } else {
            self.decide_unknown(term.at, custom)
        };
        let predicate = match chosen {
            OptionBinding::Predicate { predicate } => predicate,
            OptionBinding::TimeRange { column, range } => Predicate::InRange { column, range },
            OptionBinding::Value { column, value } => {
                Predicate::OneOf { column, values: vec![value] }
            }
            _ => return None,
        };
        Some(if term.negated {
            Predicate::Not { condition: Box::new(predicate) }
        } else {
            predicate
        })
    }

    /// Whether an option is a flag of the table that bears the name of the term: "active" and `is_active`.
    fn is_flag_of_its_name(
        &self,
        at: usize,
        table: Option<TableId>,
        option: &ClarificationOption,
    ) -> bool {
        let OptionBinding::Predicate {
            predicate:
                Predicate::Compare {
                    left: Expression::Column { column },
                    right: Literal::Boolean { .. },
                    ..
                },
        } = &option.binding
        else {
            return false;
        };
        let said = stem(&fold(self.phrase(at)));
        self.column_id(column).is_some_and(|id| Some(id.table) == table)
            && words_of_identifier(&column.column).iter().any(|word| stem(word) == said)
    }

    /// Date of what was done, in the words before a vague term: "shipped late".
    fn done_before(&self, at: usize, table: Option<TableId>) -> Option<ColumnId> {
        let mention = self.mentions.get(at.checked_sub(1)?)?;
        let own = mention.readings.iter().find_map(|reading| match reading.target {
            Target::Column(column)
                if Some(column.table) == table
                    && self.catalog.column_at(column).data_type.is_temporal()
                    && !self.schema.has_role(column, Role::DueDate) =>
            {
                Some(column)
            }
            _ => None,
        });
        // "Orders delivered late", where orders have that status and their shipments the dates.
        own.or_else(|| {
            let ended = self.ended_after(self.by_roles(&[Role::DueDate], table, &[])?)?;
            let said = fold(&mention.phrase);
            self.schema.words_of(ended).iter().any(|word| akin(word, &said)).then_some(ended)
        })
    }

    /// The date of what persons do most: that of the rows of another table that refer to them, of which there are most.
    fn activity_of(&self, table: TableId) -> Option<ColumnId> {
        let children = self.schema.edges(table).iter().filter(|edge| !edge.to_one);
        let dated = children.map(|edge| edge.to).filter(|child| {
            *child != table && !self.is_rejected(*child) && !holds_persons(self.schema, *child)
        });
        let rows = |child: &TableId| self.catalog.table_at(*child).row_estimate.unwrap_or_default();
        let mut dated: Vec<TableId> =
            dated.filter(|child| self.schema.profile(*child).date.is_some()).collect();
        order::by_key(&mut dated, |child| std::cmp::Reverse(rows(child)));
        self.schema.profile(*dated.first()?).date
    }

    fn options_of(
        &self,
        term: &Term,
        named: Option<ColumnId>,
        table: Option<TableId>,
        done: Option<ColumnId>,
    ) -> Vec<(bool, ClarificationOption)> {
        let describer = Describer { catalog: self.catalog };
        term.options
            .iter()
            .filter_map(|option| {
                let done = done.filter(|_| matches!(option.definition, Definition::AfterDue(_)));
                let column = done.or_else(|| self.column_for(term, option, named, table))?;
                // "No new wound" is said of patients, not of wounds.
                let none = matches!(option.definition, Definition::NoneWithinDays(_));
                if none && Some(column.table) == table {
                    return None;
                }
                // When somebody was registered or hired does not say that they are active; what they do does.
                let registered = Some(column.table) == table
                    && term.kind == TermKind::Status
                    && holds_persons(self.schema, column.table);
                let (column, definition) = match option.definition {
                    Definition::WithinDays(_) if registered => {
                        (self.activity_of(column.table)?, option.definition.clone())
                    }
                    Definition::BeforeDays(days) if registered => {
                        (self.activity_of(column.table)?, Definition::NoneWithinDays(days))
                    }
                    _ => (column, option.definition.clone()),
                };
                // That a customer has a ticket that is open does not say what the customer is.
                let of_many = table.is_some_and(|table| {
                    self.schema.distance(table, column.table).is_some_and(|(_, to_many)| to_many)
                });
                let closed = match option.definition {
                    Definition::Missing(open) => open || term.roles.contains(&Role::ClosedDate),
                    _ => false,
                };
                if of_many && closed {
                    return None;
                }
                let binding = self.definition(&definition, column)?;
                let description = match &binding {
                    OptionBinding::Predicate { predicate } => describer.predicate(predicate),
                    OptionBinding::TimeRange { column, range } => {
                        describer.predicate(&Predicate::InRange {
                            column: column.clone(),
                            range: range.clone(),
                        })
                    }
                    _ => String::new(),
                };
                let option_id = option.id.clone();
                Some((
                    option.default,
                    ClarificationOption {
                        id: option_id,
                        label: option.label.clone(),
                        description,
                        binding,
                        confidence: None,
                    },
                ))
            })
            .collect()
    }

    /// "Overdue by more than 60 days": what the term means of dates before today, with these days; where rows have a
    /// date of their end too, first only those that have not ended.
    fn longer_options(
        &self,
        term: &Term,
        named: Option<ColumnId>,
        table: Option<TableId>,
        days: u32,
    ) -> Vec<(bool, ClarificationOption)> {
        let told = |option: &TermOption| match option.definition {
            Definition::BeforeDays(own) if own > 0 => Some((own, option.clone())),
            _ => None,
        };
        let options = term.options.iter().find_map(told).map(|(own, option)| TermOption {
            label: option.label.replace(&own.to_string(), &days.to_string()),
            definition: Definition::BeforeDays(days),
            ..option
        });
        let term = Term { options: options.into_iter().collect(), ..term.clone() };
        let mut found = self.options_of(&term, named, table, None);
        let open = found.first().and_then(|(_, option)| self.still_open(option));
        found.splice(0..0, open.map(|option| (true, option)));
        found
    }

    /// "Late orders": what is due before today is late only while it has not ended, where rows have a date of their end.
    fn of_open_rows(
        &self,
        term: &Term,
        options: Vec<(bool, ClarificationOption)>,
    ) -> Vec<(bool, ClarificationOption)> {
        if term.roles != [Role::DueDate] {
            return options;
        }
        let open = |(default, option): (bool, ClarificationOption)| {
            let open = self.still_open(&option);
            (default, open.unwrap_or(option))
        };
        options.into_iter().map(open).collect()
    }

    /// The option with the condition that the rows have not ended, if they have a date of their end.
    fn still_open(&self, option: &ClarificationOption) -> Option<ClarificationOption> {
        let OptionBinding::TimeRange { column, range } = &option.binding else { return None };
        let ended = self.ended_after(self.column_id(column)?)?;
        let (column, range) = (column.clone(), range.clone());
        let conditions = vec![
            Predicate::InRange { column, range },
            Predicate::IsNull { column: self.catalog.reference(ended), negated: false },
        ];
        let predicate = Predicate::All { conditions };
        let ended = self.column_words(ended);
        Some(ClarificationOption {
            id: format!("{}_open", option.id),
            label: format!("{} and without {ended}", option.label),
            description: Describer { catalog: self.catalog }.predicate(&predicate),
            binding: OptionBinding::Predicate { predicate },
            confidence: None,
        })
    }

    fn custom_of(
        &self,
        term: &Term,
        named: Option<ColumnId>,
        table: Option<TableId>,
    ) -> Option<CustomInput> {
        let column = named
            .or_else(|| self.by_columns(&term.columns, table))
            .or_else(|| self.by_roles(&term.roles, table, &term.units))?;
        let definition = self.catalog.column_at(column);
        let reference = self.catalog.reference(column);
        let number = |operator| CustomInput::Number {
            column: reference.clone(),
            operator,
            unit: definition.unit.clone(),
            minimum: definition.minimum.as_ref().and_then(|text| text.parse().ok()),
            maximum: definition.maximum.as_ref().and_then(|text| text.parse().ok()),
        };
        match term.custom? {
            CustomKind::AtLeast if definition.data_type.is_numeric() => {
                Some(number(Comparison::GreaterOrEqual))
            }
            CustomKind::AtMost if definition.data_type.is_numeric() => {
                Some(number(Comparison::LessOrEqual))
            }
            CustomKind::DateRange if definition.data_type.is_temporal() => {
                Some(CustomInput::DateRange { column: reference })
            }
            _ => None,
        }
    }
}

/// Whether an option compares two dates of a row.
fn is_after(option: &ClarificationOption) -> bool {
    matches!(
        &option.binding,
        OptionBinding::Predicate {
            predicate: Predicate::Compare { left: Expression::Days { .. }, .. }
        }
    )
}

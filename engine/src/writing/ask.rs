//! Questions of a model as clarifications: only options that resolve in the catalog are kept (invariant I7).

use super::Brief;
use super::reply::{Asked, AskedOption};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Catalog, ColumnRef, Coverage};
use crate::clarification::{Clarification, ClarificationOption, Decision, OptionBinding, clarify};
use crate::text::{Span, fold};

/// Most options of a question, and most questions.
const OPTIONS: usize = 5;
const QUESTIONS: usize = 3;

/// Clarifications that a person can be asked: those with two options or more, about words that are not decided.
pub(super) fn clarifications(
    catalog: &Catalog,
    brief: &Brief,
    asked: &[Asked],
) -> Vec<Clarification> {
    let mut found: Vec<Clarification> = Vec::new();
    for question in asked {
        let span = place(&brief.question, &question.term);
        let phrase =
            span.map_or_else(|| question.term.clone(), |span| span.of(&brief.question).to_owned());
        let decided = brief.decided.iter().any(|words| fold(&words.phrase) == fold(&phrase));
        let known = found.iter().any(|other| fold(&other.phrase) == fold(&phrase));
        let mut options: Vec<ClarificationOption> = Vec::new();
        for option in &question.options {
            let Some(option) = typed(catalog, option) else { continue };
            if !options.iter().any(|other| other.binding == option.binding) {
                options.push(option);
            }
        }
        options.truncate(OPTIONS);
        if options.len() < 2 || decided || known {
            continue;
        }
        let kind = match &options[0].binding {
            OptionBinding::Column { .. } => AmbiguityKind::Column,
            OptionBinding::Value { .. } => AmbiguityKind::Value,
            _ => AmbiguityKind::Table,
        };
        found.push(clarify(
            &brief.question,
            Decision {
                kind,
                severity: Severity::Important,
                span,
                phrase,
                reason: if question.question.is_empty() {
                    "the model that writes the statement asks it".to_owned()
                } else {
                    format!("the model that writes the statement asks: {}", question.question)
                },
                options,
                recommended: None,
                custom: None,
            },
        ));
        if found.len() == QUESTIONS {
            break;
        }
    }
    found
}

/// A choice among tables that each could answer by itself.
pub(super) fn choose_table(
    catalog: &Catalog,
    brief: &Brief,
    tables: &[String],
) -> Vec<Clarification> {
    let options =
        tables.iter().map(|table| AskedOption { table: table.clone(), ..AskedOption::default() });
    let asked =
        Asked { term: brief.question.clone(), question: String::new(), options: options.collect() };
    clarifications(catalog, brief, &[asked])
}

fn typed(catalog: &Catalog, option: &AskedOption) -> Option<ClarificationOption> {
    let table = catalog.tables.iter().find(|table| {
        table.has_key(&option.table) || table.name.eq_ignore_ascii_case(&option.table)
    })?;
    let key = table.key();
    let label = |otherwise: String| {
        if option.label.is_empty() { otherwise } else { option.label.clone() }
    };
    if option.column.is_empty() {
        return Some(ClarificationOption {
            id: key.clone(),
            label: label(key.clone()),
            description: table.description.clone(),
            binding: OptionBinding::Table { table: key },
        });
    }
    let column =
        table.columns.iter().find(|column| column.name.eq_ignore_ascii_case(&option.column))?;
    let reference = ColumnRef::new(key, column.name.clone());
    if option.value.is_empty() {
        return Some(ClarificationOption {
            id: reference.to_string(),
            label: label(reference.to_string()),
            description: column.description.clone(),
            binding: OptionBinding::Column { column: reference },
        });
    }
    let list = column.values.as_ref().filter(|_| !column.sensitive)?;
    let stored = list.values.iter().find(|value| fold(value) == fold(&option.value));
    let value = match (stored, list.coverage) {
        (Some(stored), _) => stored.clone(),
        (None, Coverage::Partial) => option.value.clone(),
        (None, Coverage::Complete) => return None,
    };
    Some(ClarificationOption {
        id: format!("{reference}={value}"),
        label: label(value.clone()),
        description: format!("{reference} is {value}"),
        binding: OptionBinding::Value { column: reference, value },
    })
}

/// Where words stand in a question, ignoring case; none where they do not.
fn place(question: &str, words: &str) -> Option<Span> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    question.char_indices().find_map(|(start, _)| {
        let end = start + words.len();
        let same = question.get(start..end)?.eq_ignore_ascii_case(words);
        same.then(|| Span::new(start, end))
    })
}

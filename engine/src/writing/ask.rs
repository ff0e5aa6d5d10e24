//! Questions of a model; only options that exist in the catalog are kept (invariant I7).

use super::reply::{Asked, AskedOption};
use super::skeleton::{OpenWay, Turn};
use super::{Brief, WrittenOption, WrittenQuestion};
use crate::catalog::{Catalog, ColumnRef, Coverage};
use crate::narration;
use crate::text::fold;
use wherefore_english::name_words;

/// Maximum number of options of a question, and of questions.
const OPTIONS: usize = 5;
const QUESTIONS: usize = 3;

/// Questions to ask the user: those with at least two options, about words that are not decided.
pub(super) fn questions(catalog: &Catalog, brief: &Brief, asked: &[Asked]) -> Vec<WrittenQuestion> {
    let mut found: Vec<WrittenQuestion> = Vec::new();
    for question in asked {
        let same = |phrase: &String| fold(phrase) == fold(&question.term);
        let decided = brief.decided.iter().any(|words| same(&words.phrase));
        let known = found.iter().any(|other| same(&other.phrase));
        let options = of_catalog(catalog, &question.options);
        if options.len() > 1 && !decided && !known && found.len() < QUESTIONS {
            let (phrase, reason) = (question.term.clone(), question.question.clone());
            found.push(WrittenQuestion { phrase, reason, options });
        }
    }
    found
}

/// The options that the catalog contains, each once.
pub(super) fn of_catalog(catalog: &Catalog, asked: &[AskedOption]) -> Vec<WrittenOption> {
    let mut options: Vec<WrittenOption> = Vec::new();
    for option in asked {
        let Some(option) = typed(catalog, option) else { continue };
        let means_same = |other: &WrittenOption| {
            (&other.table, &other.column, &other.value)
                == (&option.table, &option.column, &option.value)
        };
        if !options.iter().any(means_same) {
            options.push(option);
        }
    }
    options.truncate(OPTIONS);
    options
}

/// Builds the question which of several tables, each sufficient alone, is meant.
pub(super) fn choose_table(
    catalog: &Catalog,
    brief: &Brief,
    tables: &[String],
) -> Vec<WrittenQuestion> {
    let option = |table: &String| AskedOption { table: table.clone(), ..AskedOption::default() };
    let asked = Asked {
        term: brief.question.clone(),
        question: String::new(),
        options: tables.iter().map(option).collect(),
    };
    questions(catalog, brief, &[asked])
}

/// Builds the question by which key a table is joined, if several ways are as short, and none was decided or named.
pub(super) fn choose_way(catalog: &Catalog, brief: &Brief, open: &OpenWay) -> Vec<WrittenQuestion> {
    let option = |turn: &Turn| AskedOption {
        label: match &turn.through {
            Some(table) => format!("through {}", narration::rows(catalog, table)),
            None => name_words(&turn.column),
        },
        table: turn.table.clone(),
        column: turn.column.clone(),
        ..AskedOption::default()
    };
    let named = brief.ties.iter().find(|tie| tie.table == open.table);
    let asked = Asked {
        term: named.map_or_else(|| name_words(&open.table), |tie| tie.phrase.clone()),
        question: "the tables can be joined in more than one way".to_owned(),
        options: open.ways.iter().map(option).collect(),
    };
    questions(catalog, brief, &[asked])
}

/// An option as a table, column or value; `None` if the catalog does not contain it.
pub(super) fn typed(catalog: &Catalog, option: &AskedOption) -> Option<WrittenOption> {
    let table = catalog.tables.iter().find(|table| {
        table.has_key(&option.table) || table.name.eq_ignore_ascii_case(&option.table)
    })?;
    let key = table.key();
    let typed = |otherwise: String, column: Option<String>, value: Option<String>| WrittenOption {
        label: if option.label.is_empty() { otherwise } else { option.label.clone() },
        table: key.clone(),
        column,
        value,
        figure: None,
    };
    if option.column.is_empty() {
        return Some(typed(narration::rows(catalog, &key), None, None));
    }
    let column =
        table.columns.iter().find(|column| column.name.eq_ignore_ascii_case(&option.column))?;
    let name = column.name.clone();
    if option.value.is_empty() {
        let reference = ColumnRef::new(&key, &name);
        return Some(typed(narration::column_of_table(catalog, &reference), Some(name), None));
    }
    let list = column.values.as_ref().filter(|_| !column.sensitive)?;
    let stored = list.values.iter().find(|value| fold(value) == fold(&option.value));
    let value = match (stored, list.coverage) {
        (Some(stored), _) => stored.clone(),
        (None, Coverage::Partial) => option.value.clone(),
        (None, Coverage::Complete) => return None,
    };
    Some(typed(value.clone(), Some(name), Some(value)))
}

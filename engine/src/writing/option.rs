//! Turns a difference between drafts into a question.

use super::ask::typed;
use super::reply::AskedOption;
use super::taken::{Role, Thing};
use super::{Brief, WrittenOption, WrittenQuestion};
use crate::catalog::Catalog;
use crate::intent::Aggregate;
use crate::text::{fold, stem};
use wherefore_english::name_words;

/// Maximum number of options of a question.
const OPTIONS: usize = 5;

/// Kind of the options of a question.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Options {
    /// Aggregates of one column.
    Figures,
    /// Columns and tables, optionally with a value.
    Things,
    /// Values of one column.
    Values,
}

impl Options {
    /// The question about the most significant difference, with options in the order of the drafts; `None` if no
    /// difference can be asked about.
    pub(super) fn question(
        catalog: &Catalog,
        brief: &Brief,
        parts: &[&(Role, Thing, Thing)],
    ) -> Option<WrittenQuestion> {
        let mut telling = parts.to_vec();
        crate::order::by_key(&mut telling, |(role, ..)| *role);
        telling.iter().find_map(|(role, own, other)| {
            let kind = Self::of(*role, own, other)?;
            let mut things = vec![own];
            for (also, one, another) in parts {
                let same =
                    also == role && one == own && Self::of(*also, one, another) == Some(kind);
                if same && !things.contains(&another) {
                    things.push(another);
                }
            }
            things.truncate(OPTIONS);
            let apart = things.iter().any(|thing| thing.table != own.table);
            let options: Vec<WrittenOption> =
                things.iter().filter_map(|thing| kind.option(catalog, thing, apart)).collect();
            let typed = options.len() == things.len() && are_apart(&options);
            typed.then(|| WrittenQuestion {
                phrase: phrase(brief, *role, &things),
                reason: "the question can be read in more than one way".to_owned(),
                options,
            })
        })
    }

    fn of(role: Role, one: &Thing, other: &Thing) -> Option<Self> {
        match (role, one.is_of(other)) {
            (_, false) => Some(Self::Things),
            (Role::Figure, true) => Some(Self::Figures),
            (Role::Filter, true) => Some(Self::Values),
            (_, true) => None,
        }
    }

    fn option(self, catalog: &Catalog, thing: &Thing, apart: bool) -> Option<WrittenOption> {
        let figure = thing.figure.filter(|_| self == Self::Figures);
        if self == Self::Figures && figure.is_none()
            || self == Self::Values && thing.value.is_none()
        {
            return None;
        }
        let asked = AskedOption {
            label: thing.words(catalog, apart),
            table: thing.table.clone(),
            column: thing.column.clone().unwrap_or_default(),
            value: thing.value.clone().unwrap_or_default(),
        };
        let typed = typed(catalog, &asked)?;
        Some(WrittenOption { figure, ..typed })
    }
}

/// Whether all options differ in meaning and label.
fn are_apart(options: &[WrittenOption]) -> bool {
    let same = |one: &WrittenOption, other: &WrittenOption| {
        one.label == other.label
            || WrittenOption { label: String::new(), ..one.clone() }
                == WrittenOption { label: String::new(), ..other.clone() }
    };
    let pairs = options.iter().enumerate();
    options.len() > 1
        && pairs
            .into_iter()
            .all(|(at, one)| !options.iter().skip(at + 1).any(|other| same(one, other)))
}

/// Whether an element was decided or selected, or is the only match of words in the question.
///
/// A match of a table says which rows are asked for, not which aggregate of them.
pub(super) fn is_settled(brief: &Brief, role: Role, thing: &Thing) -> bool {
    let column = thing.reference().map(|column| column.to_string());
    let decided = brief.decided.iter().any(|words| {
        let required = &words.required;
        let says = |value: &String| required.values.iter().any(|any| any.contains(value));
        let figure = thing.figure.and_then(Aggregate::only_function);
        if let Some(column) = &column {
            required.columns.contains(column) && thing.value.as_ref().is_none_or(says)
                || role == Role::Figure
                    && figure.is_some_and(|name| required.functions.iter().any(|it| it == name))
        } else {
            // Words that name the table do not say that its rows are counted.
            let names = role == Role::Figure && shares_word(&words.phrase, &thing.table);
            required.tables.contains(&thing.table) && !names
        }
    });
    let selected = brief.selected.contains(column.as_ref().unwrap_or(&thing.table));
    let tied = brief.ties.iter().any(|tie| {
        let same = match &thing.value {
            Some(value) => tie.value.as_ref().is_some_and(|tied| fold(tied) == fold(value)),
            None => tie.value.is_none(),
        };
        let fits = tie.table == thing.table && tie.column == thing.column && same;
        tie.sure && fits && (thing.column.is_some() || role == Role::Table)
    });
    decided || selected || tied
}

/// Whether words and a table name share a word.
fn shares_word(words: &str, table: &str) -> bool {
    let name = stems(&name_words(table));
    stems(words).iter().any(|word| name.contains(word))
}

/// Stems of words.
fn stems(words: &str) -> Vec<String> {
    words.split([' ', '.']).map(|word| stem(&fold(word))).collect()
}

/// Words of the question that the elements interpret; if there are none, a word for their role.
fn phrase(brief: &Brief, role: Role, things: &[&Thing]) -> String {
    let is_free =
        |words: &str| !brief.decided.iter().any(|decided| fold(&decided.phrase) == fold(words));
    let tied = brief.ties.iter().find(|tie| {
        let fits = |thing: &&Thing| {
            tie.table == thing.table && tie.column == thing.column && tie.column.is_some()
        };
        things.iter().any(fits) && is_free(&tie.phrase)
    });
    if let Some(tie) = tied {
        return tie.phrase.clone();
    }
    let names: Vec<String> = things
        .iter()
        .map(|thing| name_words(thing.column.as_ref().unwrap_or(&thing.table)))
        .collect();
    let shared = |word: &str| names.iter().all(|name| stems(name).contains(&stem(&fold(word))));
    let words = brief.question.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| word.len() > 2 && is_free(word))
        .find(|word| shared(word))
        .map_or_else(|| role.word().to_owned(), str::to_owned)
}

//! Index of the templates whose statement passes the guard.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::statement::TemplateStatement;
use super::words::{NeutralWords, Weight, words};
use crate::catalog::{
    Catalog, ColumnRef, ParameterType, Pattern, QueryTemplate, TemplateParameter,
};
use crate::data::Words;
use crate::linking::{ColumnId, Lexicon, SchemaIndex};
use crate::text::{Postings, Stems, Token, fold, runs, tokenize};
use wherefore_sql::guard::{ParameterUse, bind};
use wherefore_sql::tree::{Literal, Query};
use wherefore_sql::{Dialect, GuardLimits};

/// Index of templates.
#[derive(Clone, Debug, Default)]
pub(crate) struct TemplateIndex {
    pub(super) templates: Vec<Prepared>,
    pub(super) neutral: NeutralWords,
}

/// A template with its parsed statement.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// Index in the catalog.
    pub(super) position: usize,
    /// The statement, with placeholders.
    pub(super) query: Query,
    /// Examples, in order.
    pub(super) examples: Vec<Example>,
    /// Words of all examples.
    pub(super) vocabulary: BTreeSet<String>,
    /// Properties of each parameter, in order.
    pub(super) parameters: Vec<Known>,
}

/// An example question.
#[derive(Clone, Debug)]
pub(super) struct Example {
    /// Stems of the example's significant words.
    pub(super) words: BTreeSet<String>,
    /// Names of the parameters that the example has a slot for.
    pub(super) slots: BTreeSet<String>,
}

/// Properties of a parameter that follow from the statement and the catalog.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Column that holds the parameter's values.
    pub(super) column: Option<ColumnId>,
    /// Allowed or listed values of the parameter.
    pub(super) values: Arc<Values>,
    /// Comparisons with the parameter in the statement.
    pub(super) uses: Vec<ParameterUse>,
    /// Pattern that a whole text must match.
    pub(super) pattern: Option<Pattern>,
    /// Whether the values are neither listed nor stored in a column.
    pub(super) free: bool,
}

/// Listed values, sorted by their normalised form.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    all: Vec<String>,
    by_letters: Postings,
    by_stem: Postings,
}

/// Values of columns that were collected so far, and stems of their words.
#[derive(Default)]
struct Listed {
    stems: Stems,
    columns: BTreeMap<(ColumnId, bool), Arc<Values>>,
}

impl TemplateIndex {
    /// Builds the index; a template whose statement does not pass the guard, or whose parameters are faulty, is left
    /// out.
    pub(crate) fn new(
        catalog: &Catalog,
        schema: &SchemaIndex,
        lexicon: &Lexicon,
        statements: &[TemplateStatement],
        words: &Words,
    ) -> Self {
        let neutral = NeutralWords::built_in(words);
        let mut listed = Listed::default();
        let templates = catalog
            .templates
            .iter()
            .enumerate()
            .filter_map(|(position, template)| {
                let stated = statements.iter().find(|stated| stated.template == template.name)?;
                let query = stated.query()?;
                let uses = compared(catalog, template, &query)?;
                let examples = examples(template, &neutral, lexicon);
                if examples.is_empty() {
                    return None;
                }
                let vocabulary =
                    examples.iter().flat_map(|example| example.words.iter().cloned()).collect();
                let parameters = template
                    .parameters
                    .iter()
                    .map(|parameter| known(catalog, schema, parameter, &uses, &mut listed))
                    .collect::<Option<_>>()?;
                Some(Prepared { position, query, examples, vocabulary, parameters })
            })
            .collect();
        Self { templates, neutral }
    }
}

/// Comparisons with parameters in the statement; `None` if the guard rejects it with sample values.
fn compared(
    catalog: &Catalog,
    template: &QueryTemplate,
    query: &Query,
) -> Option<Vec<ParameterUse>> {
    let values = template
        .parameters
        .iter()
        .map(|parameter| {
            let literal = match parameter.parameter_type {
                ParameterType::Boolean => Literal::Boolean(true),
                ParameterType::Date => Literal::Date("2000-01-01".to_owned()),
                ParameterType::Integer | ParameterType::Number => Literal::Number("1".to_owned()),
                ParameterType::Enum | ParameterType::String => Literal::String("a".to_owned()),
            };
            (parameter.name.clone(), literal)
        })
        .collect();
    let dialect: Dialect = catalog.dialect;
    let checked = bind(query, catalog, dialect, &GuardLimits::default(), &values).ok()?;
    Some(checked.1)
}

fn examples(template: &QueryTemplate, neutral: &NeutralWords, lexicon: &Lexicon) -> Vec<Example> {
    template
        .examples
        .iter()
        .filter_map(|text| {
            let (text, slots) = without_slots(text);
            let tokens: Vec<Token> = tokenize(&text);
            let weights = neutral.weights(lexicon, &tokens);
            let of_weight = |wanted: Weight| -> BTreeSet<String> {
                tokens
                    .iter()
                    .zip(&weights)
                    .filter(|(_, weight)| **weight == wanted)
                    .map(|(token, _)| token.stem.clone())
                    .collect()
            };
            let words = of_weight(Weight::Word);
            let words = if words.is_empty() { of_weight(Weight::Filler) } else { words };
            (!words.is_empty()).then_some(Example { words, slots })
        })
        .collect()
}

/// An example without its `{slots}`, and the names of the slots.
fn without_slots(example: &str) -> (String, BTreeSet<String>) {
    let mut text = String::new();
    let mut slots = BTreeSet::new();
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('{')
        && let Some((slot, behind)) = after.split_once('}')
    {
        text.push_str(before);
        text.push(' ');
        slots.insert(slot.trim().to_owned());
        rest = behind;
    }
    text.push_str(rest);
    (text, slots)
}

/// Properties of a parameter; `None` if its pattern is malformed.
fn known(
    catalog: &Catalog,
    schema: &SchemaIndex,
    parameter: &TemplateParameter,
    uses: &[ParameterUse],
    listed: &mut Listed,
) -> Option<Known> {
    let pattern = match &parameter.pattern {
        Some(pattern) => Some(Pattern::new(pattern).ok()?),
        None => None,
    };
    let reference = match (&parameter.table, &parameter.column) {
        (Some(table), Some(column)) => Some(ColumnRef::new(table.clone(), column.clone())),
        _ => None,
    };
    let stored = reference
        .as_ref()
        .and_then(|reference| catalog.column(reference))
        .filter(|column| !column.sensitive)
        .and_then(|column| column.values.as_ref())
        .map_or(&[][..], |list| list.values.as_slice());
    let words = parameter.parameter_type == ParameterType::String;
    let column = reference.and_then(|reference| schema.column(catalog, &reference));
    let Listed { stems, columns } = listed;
    let stems = words.then_some(stems);
    let values = match column {
        Some(column) if parameter.allowed_values.is_empty() => Arc::clone(
            columns
                .entry((column, words))
                .or_insert_with(|| Arc::new(Values::new(stored.iter(), stems))),
        ),
        _ => Arc::new(Values::new(stored.iter().chain(&parameter.allowed_values), stems)),
    };
    Some(Known {
        column,
        values,
        uses: uses.iter().filter(|found| found.name == parameter.name).cloned().collect(),
        pattern,
        free: words && column.is_none() && parameter.allowed_values.is_empty(),
    })
}

impl Known {
    /// Whether a text may be a value, by its pattern.
    pub(super) fn admits(&self, text: &str) -> bool {
        self.pattern.as_ref().is_none_or(|pattern| pattern.admits(text))
    }
}

impl Values {
    /// Indexes values; of several with the same normalised form, the last is kept. With `stems`, values can also be
    /// found by one of their words.
    fn new<'a>(listed: impl Iterator<Item = &'a String>, stems: Option<&mut Stems>) -> Self {
        let mut by_letters = Postings::default();
        let listed: Vec<&String> = listed.collect();
        for (number, value) in listed.iter().enumerate() {
            by_letters.push(&runs(&fold(value)), number);
        }
        by_letters.settle();
        let mut values = Self::default();
        let mut before = "";
        for (letters, number) in
            by_letters.starting_with("").filter(|(letters, _)| !letters.is_empty())
        {
            if letters == before {
                values.all.pop();
            } else {
                values.by_letters.push(&[letters], values.all.len());
                before = letters;
            }
            values.all.push(listed[number].clone());
        }
        values.by_letters.settle();
        if let Some(known) = stems {
            for (number, value) in values.all.iter().enumerate() {
                for word in words(value) {
                    values.by_stem.push(&[known.of(&word)], number);
                }
            }
            values.by_stem.settle();
        }
        values
    }

    /// All values, sorted by their normalised form.
    pub(super) fn all(&self) -> &[String] {
        &self.all
    }

    /// The value with this normalised form.
    pub(super) fn with_letters(&self, letters: &str) -> Option<&String> {
        self.by_letters.get(letters).next().and_then(|number| self.all.get(number))
    }

    /// Values with a word that has this stem.
    pub(super) fn with_stem(&self, stem: &str) -> impl Iterator<Item = &String> {
        self.by_stem.get(stem).filter_map(|number| self.all.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::without_slots;

    #[test]
    fn slots_are_told_from_words() {
        let (text, slots) = without_slots("top {limit} customers of {product}");
        assert_eq!(text, "top   customers of  ");
        assert_eq!(slots.into_iter().collect::<Vec<_>>(), ["limit", "product"]);
        assert_eq!(without_slots("a { b").0, "a { b");
    }
}

//! What a question and its query tree tell about the chance that the tree answers the question.
//!
//! Each signal is a small count. The name of a signal is that of its weight in `data/confidence.tsv`.

use super::tree_parts::TreeParts;
use crate::catalog::Catalog;
use crate::compose::Open;
use crate::intent::{Aggregate, QueryTree};
use crate::linking::{Lexical, Mention, Named, Target};
use crate::reading::{Frame, Part};

/// Signals of a question whose query tree was composed, in a fixed order.
pub(super) fn signals(
    catalog: &Catalog,
    question: &str,
    mentions: &[(Mention, Part)],
    frame: &Frame,
    (open, doubts): (&[Open], usize),
    tree: &QueryTree,
    joined: bool,
) -> Vec<(&'static str, i32)> {
    let parts = TreeParts::of(tree);
    let mut signals = Signals(Vec::new());
    of_words(&mut signals, question, mentions, frame);
    of_ties(&mut signals, catalog, mentions, tree, &parts);
    of_tree(&mut signals, catalog, tree, &parts);
    of_faults(&mut signals, question, mentions, &parts);
    signals.flag("several ways to join", !joined);
    signals.count("assumptions", open.len(), 3);
    signals.count("doubts", doubts, 2);
    signals.0
}

struct Signals(Vec<(&'static str, i32)>);

impl Signals {
    fn flag(&mut self, name: &'static str, holds: bool) {
        self.0.push((name, i32::from(holds)));
    }

    /// A count, at most `most`.
    fn count(&mut self, name: &'static str, count: usize, most: i32) {
        self.0.push((name, i32::try_from(count).unwrap_or(most).min(most)));
    }
}

/// Whether a structure word with one of these functions is read as such.
fn says(mentions: &[(Mention, Part)], functions: &[Lexical]) -> bool {
    mentions.iter().any(|(mention, part)| {
        *part == Part::Lexical && functions.iter().any(|function| mention.is(*function))
    })
}

/// Whether the question asks for an end of an order.
fn ranks(mentions: &[(Mention, Part)]) -> bool {
    use Lexical::{Bottom, Fewest, First, Last, Maximum, Minimum, Most, Top};
    says(mentions, &[Bottom, Fewest, First, Last, Maximum, Minimum, Most, Top])
        || mentions.iter().any(|(_, part)| matches!(part, Part::Superlative(_)))
}

fn of_words(signals: &mut Signals, question: &str, mentions: &[(Mention, Part)], frame: &Frame) {
    let parts =
        |wanted: fn(&Part) -> bool| mentions.iter().filter(|(_, part)| wanted(part)).count();
    signals.count("words", question.split_whitespace().count() / 5, 6);
    signals.count("things named", parts(|part| *part == Part::Schema), 8);
    signals.count("numbers", parts(|part| *part == Part::Number), 3);
    signals.count("unknown words", parts(|part| *part == Part::Unknown), 3);
    signals.count(
        "vague words",
        parts(|part| matches!(part, Part::Vague(_) | Part::Concept(_))),
        2,
    );
    signals.count("verbs that link", frame.linking.len(), 3);
    signals.count("verbs left out by their class", frame.by_class.len(), 2);
    signals.count("nouns that classify", frame.classifying.len(), 2);
    signals.flag("negation", says(mentions, &[Lexical::Not, Lexical::Without]));
    signals.flag("both", says(mentions, &[Lexical::Both]));
    signals.flag("or", says(mentions, &[Lexical::Or]));
    signals.flag("and", says(mentions, &[Lexical::And]));
    signals.flag("each", says(mentions, &[Lexical::Distributive]));
    signals.flag("per", says(mentions, &[Lexical::Group]));
    signals.flag("distinct", says(mentions, &[Lexical::Distinct]));
    signals.flag("how many", says(mentions, &[Lexical::Count, Lexical::CountNoun]));
    signals.flag("sum or average", says(mentions, &[Lexical::Sum, Lexical::Average]));
    signals.flag("an end of an order", ranks(mentions));
    let sentences = question.trim_end_matches(['.', '?', '!', ' ']);
    signals.flag("two sentences", sentences.contains(". ") || sentences.contains("? "));
}

fn of_ties(
    signals: &mut Signals,
    catalog: &Catalog,
    mentions: &[(Mention, Part)],
    tree: &QueryTree,
    parts: &TreeParts<'_>,
) {
    let tied: Vec<&Mention> = mentions
        .iter()
        .filter(|(_, part)| *part == Part::Schema)
        .map(|(mention, _)| mention)
        .collect();
    let precision = |mention: &Mention| {
        mention.readings.first().map_or(1.0, |reading| reading.method.confidence())
    };
    let weak = |below: f64| tied.iter().filter(|mention| precision(mention) < below).count();
    signals.count("ties by a part of a name", weak(0.85), 3);
    signals.count("ties by meaning", weak(0.75), 3);
    let rivals = tied.iter().filter(|mention| match mention.readings.as_slice() {
        [first, second, ..] => first.score - second.score < 0.1,
        _ => false,
    });
    signals.count("rivals", rivals.count(), 3);
    let mut columns = Vec::new();
    let mut tables = Vec::new();
    for reading in tied.iter().filter_map(|mention| mention.readings.first()) {
        match &reading.target {
            Target::Column(id) | Target::Value(id, _) => {
                let table = catalog.table_at(id.table);
                tables.push(table.key());
                if let Some(column) = table.columns.get(usize::from(id.column)) {
                    columns.push((table.key(), column.name.as_str()));
                }
            }
            Target::Table(id) | Target::Label(id) => tables.push(catalog.table_at(*id).key()),
            Target::Metric(_) => {}
        }
    }
    let used = |column: &&(String, &str)| {
        parts.columns.iter().any(|known| known.column == column.1 && known.table == column.0)
    };
    let lost = columns.iter().filter(|column| !used(column)).count();
    signals.count("named columns in no clause", lost, 3);
    let named = |column: &crate::catalog::ColumnRef| {
        columns.iter().any(|known| known.1 == column.column && known.0 == column.table)
    };
    let shown = parts.shown.iter().filter(|column| !named(column)).count();
    signals.count("shown columns that nothing names", shown, 4);
    let grouped = parts.groups.iter().filter(|column| !named(column)).count();
    signals.count("group keys that nothing names", grouped, 3);
    signals.flag("rows of a table that nothing names", !tables.contains(&tree.from));
}

fn of_tree(signals: &mut Signals, catalog: &Catalog, tree: &QueryTree, parts: &TreeParts<'_>) {
    signals.count("joins", tree.joins.len(), 4);
    signals.count("exists", parts.exists, 3);
    signals.flag("exists without a condition", parts.empty_exists > 0);
    signals.flag("not exists", parts.not_exists > 0);
    signals.flag("null", parts.nulls > 0);
    signals.count("lists of values", parts.lists, 2);
    signals.count("alternatives", parts.alternatives, 2);
    signals.count("groups", tree.group_by.len(), 3);
    signals.count("outputs", tree.select.len(), 5);
    signals.count("aggregates", parts.aggregates.len(), 3);
    signals.flag("conditions on groups", !tree.having.is_empty() || parts.counts > 0);
    signals.flag("compared with a figure", parts.figures > 0);
    signals.flag("all of them", parts.every > 0);
    signals.flag("a limit", tree.limit.is_some());
    signals.flag("distinct rows", tree.distinct);
    signals.flag("count of different", parts.distinct_counts > 0);
    signals.flag("put together", !tree.also.is_empty());
    signals.flag("computed", parts.computed > 0);
    let undeclared = catalog.foreign_keys.iter().all(|key| key.inferred);
    signals.flag("no declared key", undeclared && catalog.tables.len() > 1);
    let inferred = tree.joins.iter().filter(|step| {
        catalog.foreign_keys.iter().any(|key| {
            key.inferred
                && (key.from_table == step.from_table && key.to_table == step.to_table
                    || key.from_table == step.to_table && key.to_table == step.from_table)
        })
    });
    signals.count("joins by inferred keys", inferred.count(), 2);
}

/// What is probably wrong.
fn of_faults(
    signals: &mut Signals,
    question: &str,
    mentions: &[(Mention, Part)],
    parts: &TreeParts<'_>,
) {
    use Lexical::{AtLeast, AtMost, LessThan, MoreThan, OrLess, OrMore};
    let lower = question.to_lowercase();
    let numbers = mentions.iter().filter(|(_, part)| *part == Part::Number).count();
    let compares = says(mentions, &[AtLeast, AtMost, LessThan, MoreThan, OrLess, OrMore]);
    let negates = says(mentions, &[Lexical::Not, Lexical::Without]);
    let has = |function| parts.aggregates.contains(&function);
    let extreme = has(Aggregate::Maximum) || has(Aggregate::Minimum);
    let sums = says(mentions, &[Lexical::Sum]);
    let unsaid = parts.texts.iter().filter(|text| !lower.contains(&text.to_lowercase())).count();
    let limits = parts.limit.is_some();
    signals.flag("a comparison is lost", compares && parts.comparisons == 0);
    signals.flag("a negation is lost", negates && parts.negations == 0);
    signals.flag("distinct is lost", says(mentions, &[Lexical::Distinct]) && !parts.different);
    signals.flag("a number is lost", numbers > parts.numbers + usize::from(limits));
    signals.flag("both as a list", says(mentions, &[Lexical::Both]) && parts.lists > 0);
    signals.flag("and as a list", says(mentions, &[Lexical::And]) && parts.lists > 0);
    signals.flag("an extreme by group", extreme && !parts.groups.is_empty());
    signals.flag("an extreme beside other columns", extreme && !parts.shown.is_empty());
    signals.flag("a sum that nothing names", has(Aggregate::Sum) && !sums);
    signals.flag("a limit that nothing names", limits && !ranks(mentions) && numbers == 0);
    signals.flag("an end without a limit", ranks(mentions) && !limits && !extreme);
    signals
        .flag("exists beside not exists", parts.not_exists > 0 && parts.exists > parts.not_exists);
    signals.flag("the same output twice", parts.repeated_output);
    signals.count("texts that the question lacks", unsaid, 2);
}

//! What is already understood of a question, as a clarification lists it: intent, tables, and tied phrases.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_english::and_list;

use super::{MentionKind, Understanding};
use crate::ambiguity::AmbiguityKind;
use crate::catalog::Catalog;
use crate::clarification::Clarification;
use crate::intent::QueryTree;
use crate::narration::Describer;
use crate::text::Span;

/// What is known of the statement while clarifications are asked.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    /// No statement follows from the question yet.
    Nothing,
    /// The sentence of a template.
    Sentence(&'a str),
    /// The query tree with the best option of what is open.
    Tree(&'a QueryTree),
}

/// Adds to clarifications what was understood so far, and the remark about each.
pub(super) fn with_remarks(
    mut open: Vec<Clarification>,
    understanding: &Understanding,
    remarks: &BTreeMap<String, String>,
    catalog: &Catalog,
    known: Known<'_>,
) -> Vec<Clarification> {
    let mut understood = Vec::new();
    understood.extend(intent(catalog, &open, known).map(|intent| format!("intent → {intent}")));
    let tables = tables(understanding, &open, known);
    if !tables.is_empty() {
        let label = if tables.len() == 1 { "table" } else { "tables" };
        understood.push(format!("{label} → {}", tables.join(", ")));
    }
    understood.extend(
        understanding
            .mentions
            .iter()
            .filter(|mention| mention.kind.is_tied() && mention.phrase != mention.meaning)
            .filter(|mention| !is_asked(&open, mention.span))
            .map(|mention| format!("{} → {}", mention.phrase, mention.meaning)),
    );
    for clarification in &mut open {
        clarification.understood.clone_from(&understood);
        if let Some(remark) = remarks.get(&clarification.id) {
            clarification.reason = format!("{}; {remark}", clarification.reason);
        }
    }
    open
}

/// What is shown and for which groups; none while that is asked about.
fn intent(catalog: &Catalog, open: &[Clarification], known: Known<'_>) -> Option<String> {
    let asked = open.iter().any(|clarification| {
        matches!(
            clarification.ambiguity,
            AmbiguityKind::Aggregation
                | AmbiguityKind::Column
                | AmbiguityKind::Intent
                | AmbiguityKind::MetricDefinition
                | AmbiguityKind::Table
        )
    });
    match known {
        _ if asked => None,
        Known::Nothing => None,
        Known::Sentence(sentence) => Some(sentence.trim_end_matches('.').to_owned()),
        Known::Tree(tree) => {
            let describer = Describer { catalog };
            let shown = describer.shown(tree);
            let groups = describer.groups(tree);
            let is_figure = tree.select.iter().any(|item| item.expression.is_aggregate());
            Some(if groups.is_empty() || !is_figure || tree.over_groups.is_some() {
                shown
            } else {
                format!("{shown} for each {}", and_list(&groups))
            })
        }
    }
}

/// Keys of the tables in the statement; while tables or joins are asked about, those that other words name.
fn tables(understanding: &Understanding, open: &[Clarification], known: Known<'_>) -> Vec<String> {
    let mut tables: Vec<String> = Vec::new();
    let asked = open.iter().any(|clarification| {
        matches!(
            clarification.ambiguity,
            AmbiguityKind::Column
                | AmbiguityKind::Intent
                | AmbiguityKind::Join
                | AmbiguityKind::MetricDefinition
                | AmbiguityKind::Table
                | AmbiguityKind::Value
        )
    });
    if let Known::Tree(tree) = known
        && !asked
    {
        tables.push(tree.from.clone());
        tables.extend(tree.joins.iter().map(|join| join.to_table.clone()));
    } else {
        let settled = understanding
            .mentions
            .iter()
            .filter(|mention| mention.kind == MentionKind::Table && !is_asked(open, mention.span));
        tables.extend(settled.map(|mention| mention.meaning.clone()));
    }
    let mut seen = BTreeSet::new();
    tables.retain(|table| seen.insert(table.clone()));
    tables
}

/// Whether a clarification asks about words of the span.
fn is_asked(open: &[Clarification], span: Span) -> bool {
    open.iter().filter_map(|clarification| clarification.span).any(|asked| asked.overlaps(span))
}

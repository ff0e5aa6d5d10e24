//! Judging a draft: guard, decisions kept, score (`spec` §9).

use serde::{Deserialize, Serialize};

use super::admit::admit;
use super::facts::Facts;
use super::packet::{named_tables, plain};
use super::reply::Draft;
use super::skeleton::skeleton;
use super::{Brief, StatedAssumption, SubQuestion, WritingSettings};
use crate::catalog::{Catalog, ColumnRef, Coverage};
use crate::sql::CheckedSql;
use crate::sql::lint;
use crate::sql::tree::Query;

/// A draft with what was found about it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Judged {
    /// As the model wrote it, or as printed where the guard let it through.
    pub(super) sql: String,
    pub(super) explanation: String,
    pub(super) assumptions: Vec<StatedAssumption>,
    pub(super) steps: Vec<SubQuestion>,
    /// What has to be repaired; none where it may run.
    pub(super) faults: Vec<String>,
    /// What is likely wrong although it runs.
    #[serde(default)]
    pub(super) doubts: Vec<String>,
    /// What was mended without asking.
    #[serde(default)]
    pub(super) corrected: Vec<String>,
    /// Score, without what EXPLAIN adds.
    pub(super) score: i32,
    /// Why it has this score.
    pub(super) reasons: Vec<String>,
    /// Whether the data source was asked to plan it.
    pub(super) explained: bool,
    /// Key of the first table it reads.
    pub(super) table: Option<String>,
}

/// Judges a draft.
pub(super) fn judge(
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    draft: Draft,
) -> Judged {
    let Draft { sql, explanation, assumptions, steps } = draft;
    let mut judged =
        Judged { sql, explanation, assumptions, steps, score: 100, ..Judged::default() };
    let checked = match admit(catalog, settings, &judged.sql, &mut judged.corrected) {
        Ok(checked) => checked,
        Err(mut faults) => {
            faults.dedup();
            judged.score -= 25 * i32::try_from(faults.len()).unwrap_or(4).min(4);
            judged.faults = faults;
            judged.reasons.push("the guard refuses it".to_owned());
            return judged;
        }
    };
    let facts = Facts::of(checked.query(), catalog);
    checked.sql().clone_into(&mut judged.sql);
    judged.table = facts.tables.first().cloned();
    judged.steps.retain(|step| facts.common.contains(&step.name));
    judged.faults = lost(brief, &facts);
    if settings.flags.value_verification {
        judged.faults.extend(unknown_values(catalog, checked.query()));
    }
    let (score, reasons) = score(catalog, brief, settings, &checked, &facts);
    judged.score = judged.score + score - 25 * i32::try_from(judged.faults.len()).unwrap_or(4);
    judged.reasons = reasons;
    judged.doubts = doubts(catalog, brief, checked.sql());
    judged.score -= 5 * i32::try_from(judged.doubts.len()).unwrap_or(4).min(10);
    judged
}

/// What the linter warns of, with what the question says for certain.
fn doubts(catalog: &Catalog, brief: &Brief, sql: &str) -> Vec<String> {
    let asked = lint::Asked { values: said(brief, sql), ..lint::Asked::default() };
    lint::lint(sql, catalog, Some(&asked))
        .into_iter()
        .filter(|finding| finding.severity == lint::Severity::Warning)
        .map(|finding| finding.message)
        .collect()
}

/// Values, periods and numbers of the question that a statement has to hold.
fn said(brief: &Brief, sql: &str) -> Vec<lint::AskedValue> {
    let lower = sql.to_ascii_lowercase();
    let counts_from_today = ["now", "current_date", "current_timestamp", "localtime"]
        .iter()
        .any(|word| lower.contains(word));
    let times = brief.said.iter().filter(|said| !(said.relative && counts_from_today));
    let times = times.map(|said| lint::AskedValue {
        phrase: said.phrase.clone(),
        literals: said.literals.clone(),
        ..lint::AskedValue::default()
    });
    // Words that are tied to one value only, and were not decided otherwise.
    let sure = brief.ties.iter().filter(|tie| {
        tie.value.is_some()
            && brief.ties.iter().filter(|other| other.phrase == tie.phrase).count() == 1
            && !brief.decided.iter().any(|words| words.phrase == tie.phrase)
    });
    let values = sure.map(|tie| lint::AskedValue {
        phrase: tie.phrase.clone(),
        literals: tie.value.iter().cloned().collect(),
        ..lint::AskedValue::default()
    });
    times.chain(values).collect()
}

/// What the asker decided, or a correction selected or rejected, and the statement does not keep.
fn lost(brief: &Brief, facts: &Facts) -> Vec<String> {
    let fixed = brief.decided.iter().filter(|words| words.fixed);
    let decided = fixed.filter(|words| !facts.hold(&words.required)).map(|words| {
        format!(
            "it does not keep what was decided about “{}”: {}",
            plain(&words.phrase, 100),
            plain(&words.meaning, 200)
        )
    });
    let uses = |name: &String| {
        facts.reads(name)
            || name
                .rsplit_once('.')
                .is_some_and(|(table, column)| facts.uses(&ColumnRef::new(table, column)))
    };
    let missing = brief.selected.iter().filter(|name| !uses(name));
    let missing = missing.map(|name| format!("it does not use {name}"));
    let unwanted = brief.rejected.iter().filter(|name| uses(name));
    let unwanted = unwanted.map(|name| format!("it uses {name}, which was ruled out"));
    decided.chain(missing).chain(unwanted).collect()
}

/// Literals compared with columns whose values are all listed, and that are none of them.
fn unknown_values(catalog: &Catalog, query: &Query) -> Vec<String> {
    let mut found = Vec::new();
    let tree = serde_json::to_value(query).unwrap_or_default();
    let facts = Facts::of(query, catalog);
    compared(&tree, &mut |column, literal| {
        let columns = facts
            .tables
            .iter()
            .filter_map(|table| catalog.column(&ColumnRef::new(table.as_str(), column)));
        let mut lists = columns.filter_map(|column| column.values.as_ref()).peekable();
        let known = lists.peek().is_none()
            || lists.any(|list| {
                list.coverage == Coverage::Partial
                    || list.values.iter().any(|value| value == literal)
            });
        if !known {
            found.push(format!("no {column} is stored as '{}'", plain(literal, 64)));
        }
    });
    found
}

/// Pairs of a column and a text that it is made equal to, wherever in a tree as data.
fn compared(node: &serde_json::Value, found: &mut dyn FnMut(&str, &str)) {
    let name =
        |node: &serde_json::Value| node["column"]["name"]["name"].as_str().map(str::to_owned);
    let text = |node: &serde_json::Value| node["literal"]["string"].as_str().map(str::to_owned);
    match node {
        serde_json::Value::Array(nodes) => nodes.iter().for_each(|node| compared(node, found)),
        serde_json::Value::Object(members) => {
            let equal = &node["binary"];
            if equal["operator"] == "equal" {
                for (one, other) in [("left", "right"), ("right", "left")] {
                    if let (Some(column), Some(literal)) = (name(&equal[one]), text(&equal[other]))
                    {
                        found(&column, &literal);
                    }
                }
            }
            if let Some(column) = name(&node["in_list"]["operand"]) {
                let list = node["in_list"]["list"].as_array().into_iter().flatten();
                list.filter_map(text).for_each(|literal| found(&column, &literal));
            }
            members.values().for_each(|node| compared(node, found));
        }
        _ => {}
    }
}

/// Points beyond the first hundred, with their reasons.
fn score(
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    checked: &CheckedSql,
    facts: &Facts,
) -> (i32, Vec<String>) {
    let mut points = 0;
    let mut reasons = Vec::new();
    let mut add = |given: bool, worth: i32, reason: &str| {
        if given {
            points += worth;
            reasons.push(format!("{worth:+} {reason}"));
        }
    };
    let shape = brief.shape;
    add(shape.groups && facts.groups, 10, "grouped as asked");
    add(shape.ranks && facts.ranks, 10, "ordered and cut as asked");
    let named = named_tables(catalog, brief);
    let plan = skeleton(catalog, &named);
    let linked = !named.is_empty()
        && facts.tables.iter().all(|table| named.contains(table) || plan.between.contains(table));
    add(settings.flags.schema_linker && linked, 15, "only tables of the question");
    let joined = plan.joins.iter().all(|(one, other)| {
        let column = |text: &String| {
            text.rsplit_once('.').map(|(table, column)| ColumnRef::new(table, column))
        };
        matches!((column(one), column(other)), (Some(one), Some(other)) if facts.joins(&one, &other))
    });
    add(settings.flags.join_planner && !plan.joins.is_empty() && joined, 20, "joined as planned");
    let one_figure = checked.output_columns().len() == 1 && !facts.groups;
    let fits = if shape.figure {
        one_figure
    } else if shape.groups {
        checked.output_columns().len() > 1
    } else {
        !one_figure || facts.functions.is_empty()
    };
    add(fits, 10, "rows as asked");
    add(!fits, -10, "other rows than asked");
    (points, reasons)
}

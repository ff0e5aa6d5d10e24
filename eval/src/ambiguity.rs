//! `eval ambiguity`: whether ambiguous questions are detected, and whether the options cover every gold interpretation.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use serde_json::{Value, json};

use super::coverage::{Covered, Reached, covered, covered_share, reach};
use super::dialogue::Dialogue;
use super::gold::Golds;
use super::item::Item;
use super::options::Options;
use super::report::{self, Table, line, percent};
use super::score::{Detection, figure, mean, share};
use super::source::Source;
use super::work;

/// Verdict on one question.
struct Judged {
    asked: bool,
    end: &'static str,
    covered: Vec<Covered>,
    detail: String,
}

/// Evaluates all items and prints tables and figures.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let judged = work::each(items, options, |source, item| judge(source, item, options))?;
    let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        kinds.entry(&item.kind).or_default().push(index);
    }
    let all = Figures::of(items, &judged, 0..items.len());
    let mut table = Table::new(&[
        "type",
        "n",
        "precision",
        "recall",
        "F1",
        "always ask F1",
        "false ask",
        "coverage",
        "all found",
        "by rows",
        "same columns",
        "by names",
        "asked",
    ]);
    let mut by_type = serde_json::Map::new();
    for (kind, indices) in &kinds {
        let figures = Figures::of(items, &judged, indices.iter().copied());
        table.row(figures.row(kind));
        by_type.insert((*kind).to_owned(), figures.json());
    }
    table.row(all.row("all"));
    let mut result = all.json();
    if let Value::Object(fields) = &mut result {
        fields.retain(|name, _| {
            [
                "n",
                "precision",
                "recall",
                "f1",
                "always_ask_f1",
                "false_ask",
                "coverage",
                "all_found",
            ]
            .contains(&name.as_str())
        });
        fields.insert("by_type".to_owned(), Value::Object(by_type));
    }
    let details: Vec<String> = judged.into_iter().map(|judged| judged.detail).collect();
    report::print(if options.verbose { &details } else { &[] }, &[table], &result)
}

fn judge(source: &Source, item: &Item, options: &Options) -> Result<Judged> {
    let dialogue = Dialogue::ask(source, &item.question, item.today(options), false)?;
    let asked = !dialogue.questions().is_empty();
    let (mut golds, mut reached) = (None, Vec::new());
    if item.ambiguous == Some(true) && !item.golds.is_empty() {
        let known = Golds::of(source, item);
        reached = reach(source, &dialogue, &known)?;
        golds = Some(known);
    }
    let covered = covered(golds.as_ref().map_or(0, |golds| golds.rows.len()), &reached);
    let detail = if options.verbose {
        describe(item, &dialogue, asked, golds.as_ref(), &reached, &covered)?
    } else {
        String::new()
    };
    Ok(Judged { asked, end: dialogue.end(), covered, detail })
}

fn describe(
    item: &Item,
    dialogue: &Dialogue<'_>,
    asked: bool,
    golds: Option<&Golds>,
    reached: &[Reached],
    covered: &[Covered],
) -> Result<String> {
    let verdict = match (item.ambiguous, asked) {
        (Some(true), true) if covered.iter().all(|gold| gold.any()) => "ASKED, ALL FOUND",
        (Some(true), true) => "ASKED, NOT ALL FOUND",
        (Some(true), false) => "MISSED",
        (Some(false), true) => "FALSE ASK",
        (Some(false), false) => "RIGHTLY SILENT",
        (None, true) => "ASKED",
        (None, false) => "SILENT",
    };
    let mut text = format!("[{}] {} {verdict} ({})\n", item.id, item.kind, dialogue.end());
    writeln!(text, "  {}", item.question)?;
    for (index, sql) in item.golds.iter().enumerate() {
        let how = covered.get(index).map_or("", |gold| match gold {
            Covered { strict: true, .. } => "same rows: ",
            Covered { lenient: true, .. } => "same rows, other columns: ",
            Covered { bound: true, .. } => "named: ",
            _ => "not covered: ",
        });
        let rows = golds.and_then(|golds| golds.rows.get(index)?.as_ref());
        let empty = if golds.is_some() && rows.is_none() { " (no rows)" } else { "" };
        writeln!(text, "  gold {} {how}{}{empty}", index + 1, line(sql))?;
    }
    dialogue.describe(&mut text)?;
    for question in dialogue.questions() {
        writeln!(text, "  ASK [{:?}] {}", question.ambiguity, line(&question.question))?;
    }
    for option in reached {
        let rows: Vec<String> =
            option.by_rows.iter().map(|(gold, _)| (gold + 1).to_string()).collect();
        let named = option.by_names.map_or_else(|| "–".to_owned(), |gold| (gold + 1).to_string());
        let sql = option.sql.as_deref().map_or_else(|| "no statement".to_owned(), line);
        writeln!(text, "    {} [rows {} named {named}] {sql}", option.label, rows.join(","))?;
    }
    Ok(text)
}

/// Aggregated figures of a subset of the questions.
struct Figures {
    n: usize,
    detection: Detection,
    covered: Vec<Vec<Covered>>,
    asked: usize,
    ends: BTreeMap<&'static str, usize>,
}

impl Figures {
    fn of(items: &[Item], judged: &[Judged], indices: impl Iterator<Item = usize>) -> Self {
        let mut figures = Self {
            n: 0,
            detection: Detection::default(),
            covered: Vec::new(),
            asked: 0,
            ends: BTreeMap::new(),
        };
        for index in indices {
            let (item, judged) = (&items[index], &judged[index]);
            figures.n += 1;
            figures.asked += usize::from(judged.asked);
            *figures.ends.entry(judged.end).or_default() += 1;
            if let Some(ambiguous) = item.ambiguous {
                figures.detection.add(ambiguous, judged.asked);
            }
            if !judged.covered.is_empty() {
                figures.covered.push(judged.covered.clone());
            }
        }
        figures
    }

    fn coverage(&self, way: impl Fn(&Covered) -> bool + Copy) -> Option<f64> {
        let shares: Vec<f64> =
            self.covered.iter().filter_map(|covered| covered_share(covered, way)).collect();
        mean(&shares)
    }

    fn all_found(&self, way: impl Fn(&Covered) -> bool + Copy) -> Option<f64> {
        share(
            self.covered.iter().filter(|covered| covered.iter().all(way)).count(),
            self.covered.len(),
        )
    }

    fn row(&self, name: &str) -> Vec<String> {
        let shares = [
            self.detection.precision(),
            self.detection.recall(),
            self.detection.f1(),
            self.detection.always_ask_f1(),
            self.detection.false_ask(),
            self.coverage(|gold| gold.any()),
            self.all_found(|gold| gold.any()),
            self.all_found(|gold| gold.lenient),
            self.all_found(|gold| gold.strict),
            self.all_found(|gold| gold.bound),
            share(self.asked, self.n),
        ];
        let mut cells = vec![name.to_owned(), self.n.to_string()];
        cells.extend(shares.map(percent));
        cells
    }

    fn json(&self) -> Value {
        let detection = &self.detection;
        json!({
            "n": self.n,
            "precision": figure(detection.precision()),
            "recall": figure(detection.recall()),
            "f1": figure(detection.f1()),
            "always_ask_f1": figure(detection.always_ask_f1()),
            "false_ask": figure(detection.false_ask()),
            "coverage": figure(self.coverage(|gold| gold.any())),
            "coverage_by_rows": figure(self.coverage(|gold| gold.lenient)),
            "coverage_same_columns": figure(self.coverage(|gold| gold.strict)),
            "coverage_by_names": figure(self.coverage(|gold| gold.bound)),
            "all_found": figure(self.all_found(|gold| gold.any())),
            "all_found_by_rows": figure(self.all_found(|gold| gold.lenient)),
            "all_found_same_columns": figure(self.all_found(|gold| gold.strict)),
            "all_found_by_names": figure(self.all_found(|gold| gold.bound)),
            "asked": figure(share(self.asked, self.n)),
            "ends": self.ends,
        })
    }
}

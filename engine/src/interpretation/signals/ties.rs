//! Signals of the ties between words and the catalog.

use super::{Evidence, Signals, TreeParts};
use crate::catalog::{Catalog, ColumnRef};
use crate::confidence::Method;
use crate::linking::{Mention, Named as _, Target};
use crate::reading::Part;

/// Numbers of tables from which a catalog counts as larger.
const TABLES: [usize; 5] = [3, 4, 6, 9, 14];

/// What the words name.
#[derive(Default)]
struct Words<'a> {
    columns: Vec<(String, &'a str)>,
    values: usize,
}

impl Words<'_> {
    fn has(&self, column: &ColumnRef) -> bool {
        self.columns.iter().any(|known| known.1 == column.column && known.0 == column.table)
    }
}

pub(super) fn add(
    signals: &mut Signals,
    catalog: &Catalog,
    evidence: &Evidence<'_>,
    parts: &TreeParts<'_>,
) {
    let tied: Vec<&Mention> = evidence
        .mentions
        .iter()
        .filter(|(_, part)| *part == Part::Schema)
        .map(|(mention, _)| mention)
        .collect();
    of_methods(signals, &tied);
    let named = named(catalog, &tied);
    let used = |column: &&(String, &str)| {
        parts.columns.iter().any(|known| known.column == column.1 && known.table == column.0)
    };
    let lost = named.columns.iter().filter(|column| !used(column)).count();
    signals.count("named columns in no clause", lost, 3);
    signals.count("columns named", named.columns.len() - named.values, 6);
    signals.count("values named", named.values, 4);
    let shown = parts.shown.iter().filter(|column| !named.has(column)).count();
    signals.count("shown columns that nothing names", shown, 4);
    let grouped = parts.groups.iter().filter(|column| !named.has(column)).count();
    signals.count("group keys that nothing names", grouped, 3);
    let from = &evidence.tree.from;
    let exact = tied.iter().filter_map(|mention| mention.readings.first()).any(|reading| {
        reading.method.is_whole()
            && matches!(reading.target, Target::Table(id) if catalog.table_at(id).key() == *from)
    });
    signals.flag("the table is named in whole", exact);
    let size = TABLES.iter().filter(|tables| catalog.tables.len() >= **tables).count();
    signals.count("size of the catalog", size, 5);
}

fn of_methods(signals: &mut Signals, tied: &[&Mention]) {
    let methods = || tied.iter().filter_map(|mention| mention.readings.first());
    let by = |wanted: &[Method]| methods().filter(|tie| wanted.contains(&tie.method)).count();
    let weak = |below: f64| methods().filter(|tie| tie.method.confidence() < below).count();
    signals.count("ties by a part of a name", weak(0.85), 4);
    signals.count("ties by meaning", weak(0.75), 4);
    signals.count("ties by the whole name", by(&[Method::Exact]), 5);
    signals.count("ties by another form", by(&[Method::Stem, Method::Synonym]), 5);
    signals.count("ties by the last word", by(&[Method::Head]), 4);
    signals.count("ties by another word of a name", by(&[Method::Modifier]), 4);
    let lowest = methods().map(|tie| percent(tie.method.confidence())).min();
    signals.count("lowest tie in a hundred", lowest.unwrap_or(100), 100);
    let gaps = tied.iter().filter_map(|mention| match mention.readings.as_slice() {
        [first, second, ..] => Some(percent((first.score - second.score).max(0.0))),
        _ => None,
    });
    let nearest = gaps.clone().min();
    signals.count("distance to the nearest rival", nearest.unwrap_or(100) / 5, 6);
    signals.count("rivals", gaps.filter(|gap| *gap < 10).count(), 3);
}

/// A share from 0 to 1 in hundredths, rounded.
fn percent(share: f64) -> usize {
    (share * 100.0 + 0.5) as usize
}

fn named<'a>(catalog: &'a Catalog, tied: &[&Mention]) -> Words<'a> {
    let mut named = Words::default();
    for reading in tied.iter().filter_map(|mention| mention.readings.first()) {
        match &reading.target {
            Target::Column(id) | Target::Value(id, _) => {
                named.values += usize::from(matches!(reading.target, Target::Value(..)));
                let table = catalog.table_at(id.table);
                if let Some(column) = table.columns.get(usize::from(id.column)) {
                    named.columns.push((table.key(), column.name.as_str()));
                }
            }
            Target::Table(_) | Target::Label(_) | Target::Metric(_) => {}
        }
    }
    named
}

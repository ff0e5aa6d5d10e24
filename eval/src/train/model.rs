//! The text form of a model, `engine/data/confidence.tsv`.

use std::fmt::Write as _;

use super::boost::Model;
use super::calibrate::Table;
use super::rows::Rows;
use super::tree::Tree;

/// Lines of a model: its signals, its base, its trees in prefix order, and its table of chances.
pub(crate) fn lines(model: &Model, rows: &Rows, table: &Table) -> String {
    let mut used = Vec::new();
    for tree in &model.trees {
        note_columns(tree, &mut used);
    }
    used.sort_unstable_by_key(|column| rows.columns[*column].name);
    used.dedup();
    let mut text = String::new();
    for column in &used {
        let _ = writeln!(text, "signal\t{}", rows.columns[*column].name);
    }
    let _ = writeln!(text, "base\t{}", model.base);
    for tree in &model.trees {
        text.push_str("tree\t");
        print(tree, &used, &mut text);
        text.pop();
        text.push('\n');
    }
    for (score, chance) in &table.0 {
        let _ = writeln!(text, "chance\t{score}\t{chance}");
    }
    text
}

fn note_columns(tree: &Tree, used: &mut Vec<usize>) {
    if let Tree::Split { column, parts, .. } = tree {
        used.push(*column);
        note_columns(&parts.0, used);
        note_columns(&parts.1, used);
    }
}

fn print(tree: &Tree, used: &[usize], text: &mut String) {
    match tree {
        Tree::Leaf(value) => {
            let _ = write!(text, "{value} ");
        }
        Tree::Split { column, most, parts } => {
            let at = used.iter().position(|known| known == column).unwrap_or_default();
            let _ = write!(text, "{at}>{most} ");
            print(&parts.0, used, text);
            print(&parts.1, used, text);
        }
    }
}

//! The part of a catalog that a prompt contains, within a size budget.

use std::fmt::Write;

use serde_json::{Value, json};

use super::rank::rank;
use super::similar::Clues;
use super::skeleton::{Skeleton, skeleton};
use super::{Brief, WritingSettings};
use crate::catalog::{Catalog, Column, Coverage, DataType, Table};
use crate::data::Role;

/// Maximum length of a stored value or description in a prompt, in characters.
const TEXT: usize = 64;
const DESCRIPTION: usize = 160;
/// Columns that are always kept when columns are pruned.
const FIRST_COLUMNS: usize = 5;

/// The part of a catalog that a prompt contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Packet {
    /// Keys of the tables, best first.
    pub(super) tables: Vec<String>,
    /// The tables as JSON.
    pub(super) told: Vec<Value>,
    /// Number of tables that did not fit.
    pub(super) left_out: usize,
    /// Joins between the tables of the brief.
    pub(super) skeleton: Skeleton,
}

/// Selects these tables, or the best-ranked ones, within the budget of the settings.
pub(super) fn packet(
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    clues: Clues<'_>,
    only: Option<&[String]>,
) -> Packet {
    let flags = settings.flags;
    let ranked: Vec<&Table> = rank(catalog, brief, clues, flags)
        .into_iter()
        .filter_map(|position| catalog.tables.get(position))
        .filter(|table| !brief.rejected.iter().any(|key| table.has_key(key)))
        .collect();
    let named = named_tables(catalog, brief);
    let plan =
        if flags.join_planner { skeleton(catalog, brief, &named) } else { Skeleton::default() };
    let first = |table: &&Table| {
        let key = table.key();
        named.contains(&key) || plan.between.contains(&key)
    };
    let (mut tables, rest): (Vec<&Table>, Vec<&Table>) = ranked.into_iter().partition(first);
    tables.extend(rest);
    if let Some(only) = only {
        tables.retain(|table| only.contains(&table.key()));
    }
    let mut packet = Packet { skeleton: plan, ..Packet::default() };
    let mut left = settings.data_bytes().saturating_sub(overhead(brief, &packet.skeleton));
    let all = tables.len();
    for table in tables.into_iter().take(usize::from(settings.tables)) {
        let mut told = table_data(catalog, table, brief, settings, flags.column_pruning);
        let mut size = told.to_string().len() + 1;
        if size > left && !flags.column_pruning {
            told = table_data(catalog, table, brief, settings, true);
            size = told.to_string().len() + 1;
        }
        if size > left {
            continue;
        }
        left -= size;
        packet.tables.push(table.key());
        packet.told.push(told);
    }
    packet.left_out = all - packet.told.len();
    packet
}

/// Only these tables, in this order, each with all its columns; one that does not fit is told without descriptions and
/// values, or left out as a whole.
pub(super) fn whole_tables(
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    keys: &[String],
) -> Packet {
    let mut names = settings.clone();
    names.flags.glosses = false;
    names.values = 0;
    let allowed = keys.iter().filter(|key| !brief.rejected.contains(key));
    let mut packet = Packet::default();
    let mut left = settings.data_bytes().saturating_sub(overhead(brief, &packet.skeleton));
    for table in allowed.filter_map(|key| catalog.table(key)) {
        let forms = [settings, &names].map(|form| table_data(catalog, table, brief, form, false));
        let fits = forms.into_iter().find(|told| told.to_string().len() < left);
        let Some(told) = fits else { continue };
        left -= told.to_string().len() + 1;
        packet.tables.push(table.key());
        packet.told.push(told);
    }
    packet.left_out = catalog.tables.len() - packet.told.len();
    packet
}

/// Size of everything but the tables, in bytes.
fn overhead(brief: &Brief, plan: &Skeleton) -> usize {
    let others = plan.others.iter().flatten();
    let joins: usize =
        plan.joins.iter().chain(others).map(|(left, right)| left.len() + right.len() + 8).sum();
    serde_json::to_string(brief).map_or(0, |text| text.len()) + joins
}

/// Keys of the tables that the brief names.
pub(super) fn named_tables(catalog: &Catalog, brief: &Brief) -> Vec<String> {
    let decided = brief.decided.iter().flat_map(|words| words.required.all_tables());
    let decided = decided.map(str::to_owned);
    let selected = brief.selected.iter().map(|key| {
        let column = key.rsplit_once('.').map(|(table, _)| table.to_owned());
        column.filter(|table| catalog.table(table).is_some()).unwrap_or_else(|| key.clone())
    });
    let tied = brief.ties.iter().map(|tie| tie.table.clone());
    let mut keys: Vec<String> = Vec::new();
    for key in selected.chain(decided).chain(tied) {
        if !keys.contains(&key) && catalog.table(&key).is_some() && !brief.rejected.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// A table as JSON, with one line per column.
pub(super) fn table_data(
    catalog: &Catalog,
    table: &Table,
    brief: &Brief,
    settings: &WritingSettings,
    pruned: bool,
) -> Value {
    let key = table.key();
    let mut columns = Vec::new();
    let mut hidden = 0;
    for (position, column) in table.columns.iter().enumerate() {
        let reference = format!("{key}.{}", column.name);
        if brief.rejected.contains(&reference) {
            continue;
        }
        let tied = brief
            .ties
            .iter()
            .any(|tie| tie.table == key && tie.column.as_ref() == Some(&column.name))
            || brief.selected.contains(&reference)
            || brief.decided.iter().any(|words| words.required.columns.contains(&reference));
        let is_key =
            table.primary_key.contains(&column.name) || refers(catalog, &key, column).is_some();
        if pruned && !is_key && !tied && position >= FIRST_COLUMNS {
            hidden += 1;
            continue;
        }
        columns.push(Value::String(column_line(catalog, table, column, settings, tied)));
    }
    let mut data = json!({ "table": key, "columns": columns });
    if settings.flags.glosses && !table.description.is_empty() {
        data["about"] = json!(plain(&table.description, DESCRIPTION));
    }
    if let Some(rows) = table.row_estimate {
        data["rows"] = json!(rows);
    }
    if hidden > 0 {
        data["columns_left_out"] = json!(hidden);
    }
    data
}

fn column_line(
    catalog: &Catalog,
    table: &Table,
    column: &Column,
    settings: &WritingSettings,
    tied: bool,
) -> String {
    let mut line = format!("{} {}", column.name, type_word(column.data_type));
    if table.primary_key.contains(&column.name) {
        line.push_str(" [key]");
    }
    if let Some(to) = refers(catalog, &table.key(), column) {
        let _ = write!(line, " [FK→{to}]");
    }
    if settings.flags.glosses {
        if column.data_type.is_temporal() {
            line.push_str(" [DATE]");
        }
        if column.roles.iter().any(|role| role == Role::Amount.as_str()) {
            line.push_str(" [AMT]");
        }
        if let Some(unit) = &column.unit {
            let _ = write!(line, " in {}", plain(unit, TEXT));
        }
        if !column.description.is_empty() {
            let _ = write!(line, ": {}", plain(&column.description, DESCRIPTION));
        }
        if !column.synonyms.is_empty() {
            let synonyms: Vec<String> =
                column.synonyms.iter().take(4).map(|word| plain(word, TEXT)).collect();
            let _ = write!(line, " (also {})", synonyms.join(", "));
        }
    }
    if let Some(list) = &column.values
        && settings.values > 0
        && !column.sensitive
        && (tied || list.coverage == Coverage::Complete)
    {
        let most = usize::from(settings.values);
        let values: Vec<String> = list
            .values
            .iter()
            .take(most)
            .map(|value| json!(plain(value, TEXT)).to_string())
            .collect();
        let more = if list.values.len() > most || list.coverage == Coverage::Partial {
            ", …"
        } else {
            ""
        };
        let _ = write!(line, " = {}{more}", values.join(" | "));
    } else if let (Some(minimum), Some(maximum), false) =
        (&column.minimum, &column.maximum, column.sensitive)
    {
        let _ = write!(line, " from {} to {}", plain(minimum, TEXT), plain(maximum, TEXT));
    }
    line
}

/// Target of a foreign key, as `table.column`.
fn refers(catalog: &Catalog, key: &str, column: &Column) -> Option<String> {
    catalog.foreign_keys.iter().filter(|foreign| foreign.from_table == key).find_map(|foreign| {
        let at = foreign.from_columns.iter().position(|name| *name == column.name)?;
        Some(format!("{}.{}", foreign.to_table, foreign.to_columns.get(at)?))
    })
}

fn type_word(data_type: DataType) -> String {
    serde_json::to_value(data_type)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// A text without control and bidirectional characters, truncated to `most` characters.
pub(super) fn plain(text: &str, most: usize) -> String {
    let invisible = |character: char| {
        character.is_control()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{2028}' | '\u{2029}')
    };
    let cleaned = text.chars().map(|character| if invisible(character) { ' ' } else { character });
    let mut kept: String = cleaned.take(most).collect();
    if text.chars().count() > most {
        kept.push('…');
    }
    kept
}

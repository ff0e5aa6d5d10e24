//! The tool `catalog`: tables and columns of a data source, never stored values.

use rmcp::model::CallToolResult;
use serde::{Deserialize, Serialize};
use wherefore_engine::catalog::{Catalog, Column, DataType, Table};

use super::text;
use crate::knowledge::Knowledge;
use crate::wire_name::wire_name;

/// Maximum size of the listed tables as JSON, in bytes.
const LISTED_BYTES: usize = 20_000;
/// Maximum number of columns listed per table.
const COLUMNS: usize = 100;
/// Maximum number of areas listed.
const AREAS: usize = 50;

/// Arguments of `catalog`: filters on tables.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    #[serde(default)]
    words: String,
    #[serde(default)]
    area: Option<String>,
}

#[derive(Serialize)]
struct Listing<'a> {
    tables: Vec<ListedTable<'a>>,
    areas: Vec<ListedArea<'a>>,
    /// Number of matching tables that are not listed.
    left_out: usize,
}

#[derive(Serialize)]
struct ListedArea<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
}

#[derive(Serialize)]
struct ListedTable<'a> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    columns: Vec<ListedColumn<'a>>,
    /// Number of columns that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    columns_left_out: usize,
}

#[derive(Serialize)]
struct ListedColumn<'a> {
    name: &'a str,
    data_type: DataType,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    /// Column that this column references by a foreign key.
    #[serde(skip_serializing_if = "Option::is_none")]
    refers_to: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Lists the tables that match a filter, up to the size limit.
pub(super) fn list(knowledge: &Knowledge, filter: &Filter) -> CallToolResult {
    let catalog = knowledge.engine.catalog();
    let words: Vec<String> = filter.words.split_whitespace().map(str::to_lowercase).collect();
    let found = catalog.tables.iter().filter(|table| {
        filter.area.as_ref().is_none_or(|area| table.area.as_ref() == Some(area))
            && words.iter().all(|word| mentions(catalog, table, word))
    });
    let mut listing = Listing { tables: Vec::new(), areas: areas(catalog), left_out: 0 };
    let (mut told, mut bytes) = (String::new(), 0);
    for table in found {
        let listed = listed(catalog, table);
        let json = serde_json::to_string(&listed).map_or(0, |json| json.len());
        if listing.left_out > 0 || (bytes + json > LISTED_BYTES && bytes > 0) {
            listing.left_out += 1;
            continue;
        }
        bytes += json;
        tell(&mut told, &listed);
        listing.tables.push(listed);
    }
    let note = match (listing.tables.len(), listing.left_out) {
        (0, _) => "No table matches. Try fewer words.".to_owned(),
        (listed, 0) => format!("{listed} tables."),
        (listed, more) => {
            format!("{listed} tables; {more} more match. Use words or an area to narrow the list.")
        }
    };
    let note = match catalog.unread_tables {
        0 => note,
        unread => format!(
            "{note} The values of {unread} tables are not listed yet; questions search for them."
        ),
    };
    text::result(&told, &note, serde_json::to_value(&listing))
}

fn areas(catalog: &Catalog) -> Vec<ListedArea<'_>> {
    let listed = catalog.areas.iter().take(AREAS).map(|area| ListedArea {
        name: &area.name,
        title: &area.title,
        description: &area.description,
    });
    listed.collect()
}

fn mentions(catalog: &Catalog, table: &Table, word: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(word);
    let column = |column: &Column| {
        has(&column.name)
            || has(&column.description)
            || column.synonyms.iter().any(|synonym| has(synonym))
    };
    let area = catalog.areas.iter().find(|area| table.area.as_ref() == Some(&area.name));
    has(&table.key())
        || has(&table.description)
        || table.synonyms.iter().any(|synonym| has(synonym))
        || area.is_some_and(|area| has(&area.name) || has(&area.title))
        || table.columns.iter().any(column)
}

fn listed<'a>(catalog: &'a Catalog, table: &'a Table) -> ListedTable<'a> {
    let key = table.key();
    let refers_to = |column: &Column| {
        let mut keys = catalog.foreign_keys.iter().filter(|foreign| foreign.from_table == key);
        keys.find_map(|foreign| {
            let place = foreign.from_columns.iter().position(|name| *name == column.name)?;
            Some(format!("{}.{}", foreign.to_table, foreign.to_columns.get(place)?))
        })
    };
    let columns = table.columns.iter().take(COLUMNS).map(|column| ListedColumn {
        name: &column.name,
        data_type: column.data_type,
        description: &column.description,
        unit: column.unit.as_deref(),
        refers_to: refers_to(column),
    });
    ListedTable {
        columns: columns.collect(),
        area: table.area.as_deref(),
        description: &table.description,
        columns_left_out: table.columns.len().saturating_sub(COLUMNS),
        name: key.clone(),
    }
}

fn tell(told: &mut String, table: &ListedTable<'_>) {
    let about = |description: &str| match description {
        "" => String::new(),
        description => format!(": {description}"),
    };
    let area = table.area.map(|area| format!(" ({area})")).unwrap_or_default();
    told.extend([table.name.as_str(), &area, &about(table.description), "\n"]);
    for column in &table.columns {
        told.extend(["- ", column.name, " ", &wire_name(column.data_type)]);
        if let Some(unit) = column.unit {
            told.extend([" in ", unit]);
        }
        if let Some(to) = &column.refers_to {
            told.extend([" → ", to]);
        }
        told.extend([about(column.description).as_str(), "\n"]);
    }
    if table.columns_left_out > 0 {
        told.extend(["- and ", &table.columns_left_out.to_string(), " more columns\n"]);
    }
    told.push('\n');
}

//! Catalogs given as spreadsheets, with one row per column of a table.

use std::collections::BTreeMap;
use std::path::Path;

use calamine::{Reader, open_workbook_auto};
use wherefore_engine::catalog::{Area, Catalog, Column, DataType, ForeignKey, Table, is_sensitive};
use wherefore_sql::Dialect;

const HEADERS: &str = include_str!("../../../data/sheet_headers.txt");

/// Reads the first sheet of a workbook whose first row names a table and a column.
pub(super) fn read_workbook(path: &Path, dialect: Dialect) -> Result<Catalog, String> {
    let mut workbook = open_workbook_auto(path)
        .map_err(|error| format!("cannot read the spreadsheet: {error}"))?;
    for name in workbook.sheet_names() {
        let range = workbook
            .worksheet_range(&name)
            .map_err(|error| format!("cannot read sheet {name}: {error}"))?;
        let rows: Vec<Vec<String>> =
            range.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect();
        if let Some(layout) = rows.first().and_then(|row| Layout::of(row)) {
            return build(&layout, &rows[1..], dialect)
                .map_err(|reason| format!("sheet {name}, {reason}"));
        }
    }
    Err("no sheet has the headers `table` and `column` in its first row".to_owned())
}

/// Reads a file of comma-separated values.
pub(super) fn read_csv(path: &Path, dialect: Dialect) -> Result<Catalog, String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_path(path)
        .map_err(|error| format!("cannot read the file: {error}"))?;
    let rows = reader
        .records()
        .map(|record| record.map(|record| record.iter().map(str::to_owned).collect()))
        .collect::<Result<Vec<Vec<String>>, _>>()
        .map_err(|error| format!("cannot read the file: {error}"))?;
    let layout = rows
        .first()
        .and_then(|row| Layout::of(row))
        .ok_or("the first row needs the headers `table` and `column`")?;
    build(&layout, &rows[1..], dialect)
}

/// Index of each field in a row.
struct Layout(BTreeMap<&'static str, usize>);

impl Layout {
    fn of(row: &[String]) -> Option<Self> {
        let mut places = BTreeMap::new();
        for line in HEADERS.lines().filter(|line| !line.starts_with('#')) {
            let Some((field, names)) = line.split_once(':') else { continue };
            let place = row.iter().position(|cell| {
                let cell =
                    cell.trim().trim_start_matches('\u{feff}').to_lowercase().replace('_', " ");
                names.split(',').any(|name| name.trim() == cell)
            });
            if let Some(place) = place {
                places.insert(field, place);
            }
        }
        (places.contains_key("table") && places.contains_key("column")).then_some(Self(places))
    }

    fn text<'a>(&self, row: &'a [String], field: &str) -> &'a str {
        self.0.get(field).and_then(|place| row.get(*place)).map_or("", |cell| cell.trim())
    }

    fn list(&self, row: &[String], field: &str) -> Vec<String> {
        let cell = self.text(row, field);
        cell.split([',', ';'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn flag(&self, row: &[String], field: &str) -> bool {
        matches!(
            self.text(row, field).to_lowercase().as_str(),
            "1" | "pk" | "primary" | "primary key" | "true" | "x" | "y" | "yes"
        )
    }
}

fn build(layout: &Layout, rows: &[Vec<String>], dialect: Dialect) -> Result<Catalog, String> {
    let mut catalog = Catalog { dialect, ..Catalog::default() };
    let mut references = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        // Rows are numbered as in spreadsheets: from 1, with the header row as the first.
        let line = index + 2;
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let name = layout.text(row, "table");
        if name.is_empty() {
            return Err(format!("row {line}: the table name is empty"));
        }
        let place = table_of(layout, row, &mut catalog);
        let table = &mut catalog.tables[place];
        let column = layout.text(row, "column");
        if column.is_empty() {
            // A row that names no column describes the table.
            layout.text(row, "description").clone_into(&mut table.description);
            table.synonyms = layout.list(row, "synonyms");
            continue;
        }
        let declared = layout.text(row, "type");
        let data_type =
            if declared.is_empty() { DataType::Text } else { DataType::from_declaration(declared) };
        let key = layout.flag(row, "key");
        if key {
            table.primary_key.push(column.to_owned());
        }
        let target = layout.text(row, "references");
        if !target.is_empty() {
            references.push((line, table.key(), column.to_owned(), target.to_owned()));
        }
        let unit = layout.text(row, "unit");
        table.columns.push(Column {
            name: column.to_owned(),
            data_type,
            declared_type: declared.to_owned(),
            nullable: !key
                && (layout.text(row, "nullable").is_empty() || layout.flag(row, "nullable")),
            unique: layout.flag(row, "unique"),
            description: layout.text(row, "description").to_owned(),
            synonyms: layout.list(row, "synonyms"),
            unit: (!unit.is_empty()).then(|| unit.to_owned()),
            sensitive: layout.flag(row, "sensitive") || is_sensitive(column, data_type),
            ..Column::default()
        });
    }
    for table in &mut catalog.tables {
        if let [only] = &table.primary_key[..] {
            for column in table.columns.iter_mut().filter(|column| column.name == *only) {
                column.unique = true;
            }
        }
    }
    for (line, from_table, from_column, target) in references {
        let (to_table, to_column) = target_of(&catalog, &target)
            .ok_or_else(|| format!("row {line}: unknown reference: {target}"))?;
        catalog.foreign_keys.push(ForeignKey {
            from_table,
            from_columns: vec![from_column],
            to_table,
            to_columns: vec![to_column],
            inferred: false,
        });
    }
    catalog.tables.sort_by_key(Table::key);
    Ok(catalog)
}

fn table_of(layout: &Layout, row: &[String], catalog: &mut Catalog) -> usize {
    let schema = Some(layout.text(row, "schema"))
        .filter(|schema| !matches!(*schema, "" | "public" | "main"))
        .map(str::to_owned);
    let name = layout.text(row, "table");
    let known =
        catalog.tables.iter().position(|table| table.name == name && table.schema == schema);
    let place = known.unwrap_or_else(|| {
        catalog.tables.push(Table { schema, name: name.to_owned(), ..Table::default() });
        catalog.tables.len() - 1
    });
    let area = layout.text(row, "area");
    if !area.is_empty() {
        catalog.tables[place].area = Some(area.to_owned());
        if !catalog.areas.iter().any(|known| known.name == area) {
            catalog.areas.push(Area {
                name: area.to_owned(),
                title: area.to_owned(),
                ..Area::default()
            });
        }
    }
    place
}

/// Table and column of `table.column` or `table(column)`; a table name alone refers to its primary key.
fn target_of(catalog: &Catalog, target: &str) -> Option<(String, String)> {
    let target = target.trim_end_matches(')').replace('(', ".");
    if let Some(table) = catalog.table(&target) {
        let [column] = &table.primary_key[..] else { return None };
        return Some((table.key(), column.clone()));
    }
    let (table, column) = target.rsplit_once('.')?;
    let table = catalog.table(table.trim())?;
    Some((table.key(), table.column(column.trim())?.name.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect()
    }

    fn read(text: &str) -> Result<Catalog, String> {
        let rows = rows(text);
        build(&Layout::of(&rows[0]).unwrap(), &rows[1..], Dialect::Sqlite)
    }

    #[test]
    fn one_row_is_one_column() {
        let catalog = read(
            "Table Name|Column|Data_Type|PK|References|Synonyms|Area\n\
             orders||||||sales\n\
             orders|id|integer|x|||\n\
             orders|customer|integer||customers|client; buyer|\n\
             customers|id|integer|yes|||",
        )
        .unwrap();
        assert_eq!(catalog.tables[0].name, "customers");
        assert_eq!(catalog.tables[1].columns[1].synonyms, ["client", "buyer"]);
        assert_eq!(catalog.tables[1].area.as_deref(), Some("sales"));
        assert_eq!(catalog.foreign_keys[0].to_columns, ["id"]);
    }

    #[test]
    fn a_reference_to_nowhere_is_refused_with_its_row() {
        let error =
            read("table|column|references\norders|id|\norders|customer|customers.id").unwrap_err();
        assert_eq!(error, "row 3: unknown reference: customers.id");
    }
}

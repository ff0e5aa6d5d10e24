//! `guard`: statements that the guard must reject or accept.

use std::io::Write;

use anyhow::{Result, bail};
use wherefore_engine::catalog::{Catalog, Column, DataType, ForeignKey, Table};
use wherefore_sql::{CheckedSql, Dialect, GuardLimits, ReadDialect, check_text, print, read};

use super::{Faults, Options, judge, text_of};

/// Tables of the test catalog, each with its columns and their types.
const TABLES: [(&str, &str); 5] = [
    ("delete", "id integer"),
    ("order_items", "order_id integer, product_id integer, qty integer"),
    ("orders", "id integer, user_id integer, amount decimal, status text, created_at timestamp"),
    ("products", "id integer, name text, price decimal"),
    (
        "users",
        "id integer, name text, email text, city text, created_at timestamp, update_time timestamp, manager_id integer",
    ),
];

/// Foreign keys of the test catalog: table, column, referenced table (by its `id`).
const FOREIGN_KEYS: [(&str, &str, &str); 4] = [
    ("order_items", "order_id", "orders"),
    ("order_items", "product_id", "products"),
    ("orders", "user_id", "users"),
    ("users", "manager_id", "users"),
];

/// Checks every statement; an accepted one must also print to an equivalent statement.
pub(super) fn run(options: &Options) -> Result<()> {
    let catalog = catalog();
    let text = text_of(&options.cases)?;
    let mut faults = Faults::default();
    let mut n = 0_usize;
    let mut right = 0_usize;
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [dialect, expected, sql, why] = fields.as_slice() else {
            bail!("no case of four fields: {line}");
        };
        let sql = unescaped(sql);
        let (from, to) = dialects(dialect)?;
        n += 1;
        let checked = check_text(&sql, from, &catalog, to, &GuardLimits::default());
        let fault = match (*expected, checked) {
            ("reject", Err(_)) => None,
            ("reject", Ok(checked)) => Some(format!("let through: {}", checked.sql())),
            ("allow", Err(found)) => {
                let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                Some(format!("refused: {}", found.join("; ")))
            }
            ("allow", Ok(checked)) => changed(&checked),
            (other, _) => bail!("{other} is neither allow nor reject"),
        };
        match fault {
            None => right += 1,
            Some(fault) => faults.add(format!("{dialect}: {why}"), format!("{sql}\n{fault}")),
        }
    }
    let mut output = std::io::stdout().lock();
    faults.write("wrong", options.show, &mut output)?;
    writeln!(output, "{}", serde_json::json!({ "n": n, "right": right, "wrong": n - right }))?;
    Ok(())
}

/// Difference between a checked statement and the statement printed from it, if any.
fn changed(checked: &CheckedSql) -> Option<String> {
    let sql = checked.sql();
    let Ok(reread) = read(sql, checked.dialect().into()) else {
        return Some(format!("not read again: {sql}"));
    };
    if print(&reread, checked.dialect()).as_deref() != Ok(sql) {
        return Some(format!("printed otherwise when it is read again: {sql}"));
    }
    if checked.dialect() == Dialect::Postgres && judge::check().is_ok() {
        return judge::meaning(sql).err().map(|fault| format!("no statement: {fault}: {sql}"));
    }
    None
}

fn catalog() -> Catalog {
    let tables = TABLES
        .iter()
        .map(|(name, columns)| {
            let columns = columns
                .split(", ")
                .filter_map(|column| column.split_once(' '))
                .map(|(name, declared)| Column {
                    name: name.to_owned(),
                    data_type: DataType::from_declaration(declared),
                    declared_type: declared.to_owned(),
                    ..Column::default()
                })
                .collect();
            Table { name: (*name).to_owned(), columns, ..Table::default() }
        })
        .collect();
    let foreign_keys = FOREIGN_KEYS
        .iter()
        .map(|(from, column, to)| ForeignKey {
            from_table: (*from).to_owned(),
            from_columns: vec![(*column).to_owned()],
            to_table: (*to).to_owned(),
            to_columns: vec!["id".to_owned()],
            inferred: false,
        })
        .collect();
    Catalog { name: "shop".to_owned(), tables, foreign_keys, ..Catalog::default() }
}

/// Dialects to read and to print a case in.
fn dialects(name: &str) -> Result<(ReadDialect, Dialect)> {
    Ok(match name {
        "bigquery" => (ReadDialect::Bigquery, Dialect::Postgres),
        "duckdb" => (ReadDialect::Duckdb, Dialect::Postgres),
        "mysql" => (ReadDialect::Mysql, Dialect::Postgres),
        "postgres" => (ReadDialect::Postgres, Dialect::Postgres),
        "sqlite" => (ReadDialect::Sqlite, Dialect::Sqlite),
        "tsql" => (ReadDialect::Mssql, Dialect::Postgres),
        other => bail!("unknown dialect {other}"),
    })
}

/// Decodes the escapes of a case file.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('0') => '\0',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescaped(r"a\nb\\n\0"), "a\nb\\n\0");
    }
}

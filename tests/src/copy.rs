//! Copies tables, keys and rows of a SQLite database into PostgreSQL, MariaDB or DuckDB, and without keys into Spark SQL.

use std::fmt::Write as _;
use std::path::Path;

use postgres::{Client, NoTls};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::Failure;
use crate::mariadb::MariaDb;

/// Copies all tables. Views are skipped, since their SQL is of another dialect.
pub fn sqlite_to_postgres(file: &Path, url: &str) -> Result<(), Failure> {
    let source = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut target = Client::connect(url, NoTls)?;
    let mut transaction = target.transaction()?;
    let tables = tables_of(&source)?;
    for table in &tables {
        transaction.batch_execute(&create_statement(&source, table)?)?;
        let mut copy = transaction.copy_in(&format!("COPY {} FROM STDIN", quoted(table)))?;
        write_rows(&source, table, &mut copy)?;
        copy.finish()?;
    }
    // Foreign keys come last, so that tables can be filled in any order.
    for table in &tables {
        for statement in foreign_keys(&source, table)? {
            transaction.batch_execute(&statement)?;
        }
    }
    transaction.commit()?;
    target.batch_execute("ANALYZE")?;
    Ok(())
}

/// Copies all tables. Texts get a collation that ignores case and accents, as is the default of many servers.
pub fn sqlite_to_mariadb(file: &Path, target: &MariaDb) -> Result<(), Failure> {
    let source = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let tables = tables_of(&source)?;
    let mut script =
        "SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'; SET foreign_key_checks = 0; \
         ALTER DATABASE test COLLATE utf8mb4_general_ci;\n"
            .to_owned();
    for table in &tables {
        let mut created = create_statement(&source, table)?;
        for (theirs, ours) in
            [("double precision", "double"), ("timestamp", "datetime(6)"), ("bytea", "blob")]
        {
            created = created.replace(&format!(" {theirs}"), &format!(" {ours}"));
        }
        // Keys need a maximum length.
        created = created.replace(" numeric", " decimal(20, 6)").replace(" text", " varchar(500)");
        writeln!(script, "{created};")?;
        insert_rows(&source, table, 500, literal, &mut script)?;
    }
    for table in &tables {
        for statement in foreign_keys(&source, table)? {
            writeln!(script, "{statement};")?;
        }
    }
    script += "SELECT 1";
    target.query(&script)?;
    Ok(())
}

/// Statements that make all tables and their rows in DuckDB, where foreign keys cannot be added later.
pub fn sqlite_to_duckdb(file: &Path) -> Result<String, Failure> {
    let source = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut left = tables_of(&source)?;
    let mut made: Vec<String> = Vec::new();
    let mut script = String::new();
    while !left.is_empty() {
        let mut next = None;
        for (place, table) in left.iter().enumerate() {
            let keys = foreign_keys(&source, table)?;
            let known = |key: &String| {
                let names = made.iter().chain([table]);
                names.into_iter().any(|name| key.contains(&format!("REFERENCES {}", quoted(name))))
            };
            if keys.iter().all(known) {
                next = Some((place, keys));
                break;
            }
        }
        let (place, keys) = next.ok_or("the tables refer to each other")?;
        let table = left.remove(place);
        let created = create_statement(&source, &table)?.replace(" numeric", " decimal(20, 6)");
        let mut parts = vec![created.trim_end_matches(')').to_owned()];
        if created.ends_with("))") {
            parts[0].push(')');
        }
        let added = format!("ALTER TABLE {} ADD ", quoted(&table));
        parts.extend(keys.iter().map(|key| key.replacen(&added, "", 1)));
        writeln!(script, "{});", parts.join(", "))?;
        let refers_to_itself =
            keys.iter().any(|key| key.contains(&format!("REFERENCES {}", quoted(&table))));
        insert_rows(&source, &table, if refers_to_itself { 1 } else { 500 }, literal, &mut script)?;
        made.push(table);
    }
    Ok(script)
}

/// Statements that make all tables and their rows, as Parquet files, in Spark SQL, which has no keys.
pub fn sqlite_to_spark(file: &Path) -> Result<Vec<String>, Failure> {
    let source = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statements = Vec::new();
    for table in tables_of(&source)? {
        let mut columns =
            source.prepare("SELECT name, type FROM pragma_table_info(?1) ORDER BY cid")?;
        let columns = columns.query_map([&table], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let columns: Vec<(String, String)> = columns.collect::<Result<_, _>>()?;
        let typed = columns.iter().map(|(_, declared)| match type_of(declared) {
            "double precision" => "double",
            "numeric" => "decimal(20, 6)",
            "timestamp" => "timestamp_ntz",
            "bytea" => "binary",
            "text" => "string",
            other => other,
        });
        let typed: Vec<&str> = typed.collect();
        let defined: Vec<String> =
            columns.iter().zip(&typed).map(|((name, _), to)| format!("`{name}` {to}")).collect();
        statements.push(format!("CREATE TABLE `{table}` ({}) USING parquet", defined.join(", ")));
        let cast = typed.iter().enumerate();
        let cast: Vec<String> = cast.map(|(at, to)| format!("CAST(col{at} AS {to})")).collect();
        let names: Vec<String> = (0..typed.len()).map(|at| format!("col{at}")).collect();
        let into = format!("INSERT INTO `{table}` SELECT {} FROM VALUES ", cast.join(", "));
        let mut script = String::new();
        insert_rows(&source, &table, 2_000, spark_literal, &mut script)?;
        let start = format!("INSERT INTO {} VALUES ", quoted(&table));
        for rows in script.split(";\n").filter_map(|sql| sql.trim().strip_prefix(&start)) {
            statements.push(format!("{into}{rows} AS rows ({})", names.join(", ")));
        }
    }
    Ok(statements)
}

/// Appends INSERT statements for the rows of a table, with so many rows each.
fn insert_rows(
    source: &Connection,
    table: &str,
    size: usize,
    literal: fn(ValueRef<'_>) -> Result<String, std::str::Utf8Error>,
    script: &mut String,
) -> Result<(), Failure> {
    let mut statement = source.prepare(&format!("SELECT * FROM {}", quoted(table)))?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        if count % size == 0 {
            let end = if count == 0 { "" } else { ";\n" };
            write!(script, "{end}INSERT INTO {} VALUES ", quoted(table))?;
        } else {
            script.push(',');
        }
        count += 1;
        let cells = (0..columns).map(|column| Ok(literal(row.get_ref(column)?)?));
        write!(script, "({})", cells.collect::<Result<Vec<_>, Failure>>()?.join(","))?;
    }
    if count > 0 {
        script.push_str(";\n");
    }
    Ok(())
}

/// A cell as a literal of MariaDB without backslash escapes.
fn literal(cell: ValueRef<'_>) -> Result<String, std::str::Utf8Error> {
    Ok(match cell {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) => format!("'{}'", std::str::from_utf8(bytes)?.replace('\'', "''")),
        ValueRef::Blob(bytes) => {
            let digits =
                bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
            format!("x'{digits}'")
        }
    })
}

/// A cell as a literal of Spark SQL.
fn spark_literal(cell: ValueRef<'_>) -> Result<String, std::str::Utf8Error> {
    match cell {
        ValueRef::Text(bytes) => {
            let text = std::str::from_utf8(bytes)?.replace('\\', "\\\\").replace('\'', "\\'");
            Ok(format!("'{text}'"))
        }
        other => literal(other),
    }
}

fn tables_of(source: &Connection) -> Result<Vec<String>, Failure> {
    let mut statement = source.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

fn create_statement(source: &Connection, table: &str) -> Result<String, Failure> {
    let mut statement = source
        .prepare("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid")?;
    let mut rows = statement.query([table])?;
    let mut parts = Vec::new();
    let mut key = Vec::new();
    while let Some(row) = rows.next()? {
        let (name, declared): (String, String) = (row.get(0)?, row.get(1)?);
        let required = if row.get(2)? { " NOT NULL" } else { "" };
        parts.push(format!("{} {}{required}", quoted(&name), type_of(&declared)));
        let position: u32 = row.get(3)?;
        if position > 0 {
            key.push((position, quoted(&name)));
        }
    }
    key.sort();
    if !key.is_empty() {
        let columns: Vec<String> = key.into_iter().map(|(_, name)| name).collect();
        parts.push(format!("PRIMARY KEY ({})", columns.join(", ")));
    }
    Ok(format!("CREATE TABLE {} ({})", quoted(table), parts.join(", ")))
}

/// PostgreSQL type for a declared SQLite type.
fn type_of(declared: &str) -> &'static str {
    let declared = declared.to_ascii_uppercase();
    let has = |part: &str| declared.contains(part);
    if has("INT") {
        "bigint"
    } else if has("NUMERIC") || has("DECIMAL") {
        "numeric"
    } else if has("REAL") || has("FLOA") || has("DOUB") {
        "double precision"
    } else if has("DATETIME") || has("TIMESTAMP") {
        "timestamp"
    } else if has("DATE") {
        "date"
    } else if has("BLOB") {
        "bytea"
    } else {
        "text"
    }
}

fn foreign_keys(source: &Connection, table: &str) -> Result<Vec<String>, Failure> {
    let mut statement = source.prepare(
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
    )?;
    let mut rows = statement.query([table])?;
    let mut keys: Vec<(i64, String, Vec<String>, Vec<String>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, other, from): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let to: Option<String> = row.get(3)?;
        if keys.last().is_none_or(|key| key.0 != id) {
            keys.push((id, other, Vec::new(), Vec::new()));
        }
        if let Some(key) = keys.last_mut() {
            key.2.push(quoted(&from));
            key.3.extend(to.map(|name| quoted(&name)));
        }
    }
    let statement = |(_, other, from, to): (i64, String, Vec<String>, Vec<String>)| {
        // A foreign key without column names references the primary key.
        let columns = if to.is_empty() { String::new() } else { format!(" ({})", to.join(", ")) };
        format!(
            "ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {}{columns}",
            quoted(table),
            from.join(", "),
            quoted(&other),
        )
    };
    Ok(keys.into_iter().map(statement).collect())
}

fn write_rows(
    source: &Connection,
    table: &str,
    copy: &mut impl std::io::Write,
) -> Result<(), Failure> {
    let mut statement = source.prepare(&format!("SELECT * FROM {}", quoted(table)))?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut line = String::new();
    while let Some(row) = rows.next()? {
        line.clear();
        for column in 0..columns {
            if column > 0 {
                line.push('\t');
            }
            write_cell(row.get_ref(column)?, &mut line)?;
        }
        line.push('\n');
        copy.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Appends a cell in COPY text format.
fn write_cell(cell: ValueRef<'_>, line: &mut String) -> Result<(), Failure> {
    match cell {
        ValueRef::Null => line.push_str("\\N"),
        ValueRef::Integer(number) => write!(line, "{number}")?,
        ValueRef::Real(number) => write!(line, "{number}")?,
        ValueRef::Text(bytes) => {
            for character in std::str::from_utf8(bytes)?.chars() {
                match character {
                    '\\' => line.push_str("\\\\"),
                    '\t' => line.push_str("\\t"),
                    '\n' => line.push_str("\\n"),
                    '\r' => line.push_str("\\r"),
                    other => line.push(other),
                }
            }
        }
        ValueRef::Blob(bytes) => {
            line.push_str("\\\\x");
            for byte in bytes {
                write!(line, "{byte:02x}")?;
            }
        }
    }
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

//! DuckDB: a file that is opened read-only, without access to any other file, and with locked settings.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use wherefore_engine::catalog::DataType;
use wherefore_sql::ReadDialect;

use super::{Explained, Listed, Options, Place, Profile, Structure, Syntax};
use crate::database::listed_values::COLUMN_BUDGET;
use crate::database::{DatabaseError, LargestStep, Plan, quoted};

/// Bytes 8 to 11 of every DuckDB file.
const MAGIC: &[u8] = b"DUCK";
/// Memory of the process, of which nothing is written to a disk.
pub(in crate::database::adbc) const MEMORY: &str = "2GB";
/// Most threads of all statements together.
const THREADS: usize = 4;
/// Steps of a plan that send each row as it is found.
const STREAMING: [&str; 7] = [
    "COLUMN_DATA_SCAN",
    "DUMMY_SCAN",
    "FILTER",
    "PROJECTION",
    "SEQ_SCAN",
    "STREAMING_LIMIT",
    "TABLE_SCAN",
];
/// Steps of a plan that compare each row of one input with each row of the other.
const PAIRING: [&str; 3] = ["BLOCKWISE_NL_JOIN", "CROSS_PRODUCT", "NESTED_LOOP_JOIN"];

/// The profile of DuckDB.
pub(in crate::database::adbc) static DUCKDB: Profile = Profile {
    name: "duckdb",
    form: "the path of a DuckDB file",
    located: |uri| (!uri.contains("://")).then(|| Place::File(uri.into())),
    allowed: &["memory_limit", "threads"],
    secret: &[],
    driver: "duckdb",
    entry: "duckdb_adbc_init",
    install: "the npm packages @duckdb/node-bindings-* contain the library libduckdb",
    dialect: ReadDialect::Duckdb,
    // Another process writes to the file.
    passes: |message| message.contains("Could not set lock"),
    options: |place| Ok(options(place)),
    // The folder for temporary files has to be taken away before access to files is.
    setup: &[
        "SET temp_directory = ''",
        "SET enable_external_access = false",
        "SET TimeZone = 'UTC'",
        "SET lock_configuration = true",
    ],
    session: &[],
    structure: Structure::Listed(Listed {
        tables: include_str!("../../../../data/duckdb_tables.sql"),
        columns: include_str!("../../../../data/duckdb_columns.sql"),
        keys: include_str!("../../../../data/duckdb_keys.sql"),
        foreign_keys: include_str!("../../../../data/duckdb_foreign_keys.sql"),
    }),
    default_schema: "main",
    family,
    syntax: Syntax {
        name: quoted,
        literal: None,
        text: "varchar",
        escape: " ESCAPE '\\'",
        has_in_query: true,
        within: |sql, rows| {
            let limit = rows.map(|rows| format!(" LIMIT {rows}")).unwrap_or_default();
            format!("SELECT * FROM (\n{sql}\n) AS checked{limit}")
        },
    },
    translate: |statement, catalog| statement.for_duckdb(catalog).map_err(Box::new),
    explained: Some(Explained { statement: |sql| format!("EXPLAIN (FORMAT JSON) {sql}"), plan }),
    failure: |_, message| DatabaseError::statement(message),
    small: Duration::from_secs(2),
    column_budget: COLUMN_BUDGET,
    cool_down: Duration::ZERO,
};

/// Whether a path names a DuckDB file: by its content, or by its name if there is no such file.
pub(crate) fn is_duckdb(path: &Path) -> bool {
    let mut head = [0; 12];
    match File::open(path).and_then(|mut file| file.read_exact(&mut head)) {
        Ok(()) if head.starts_with(b"SQLite format") => false,
        Ok(()) if head[8..] == *MAGIC => true,
        _ => path.extension().is_some_and(|it| it.eq_ignore_ascii_case("duckdb")),
    }
}

/// Why a file cannot be opened, with what to do about a file of a later release.
pub(in crate::database::adbc) fn unreadable(message: String) -> String {
    let Some((first, _)) =
        message.split_once("\nThe database file was created with a newer version")
    else {
        if message.contains("Could not read enough bytes") {
            return format!("{message}; the file is cut off: copy it again, or restore it");
        }
        return message;
    };
    format!(
        "{}: set --driver to the library of a later release of DuckDB, or copy the tables into a file that this one reads \
         (ATTACH 'copy.duckdb' (STORAGE_VERSION 'v1.0.0'), COPY FROM DATABASE)",
        first.trim_end_matches('.')
    )
}

fn options(place: &Place) -> Options {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let path = match place {
        // The view is made after opening, and nothing else is in memory.
        Place::View(_) => ":memory:".to_owned(),
        Place::File(_) | Place::Server(_) => place.to_string(),
    };
    let mode = if matches!(place, Place::View(_)) { "automatic" } else { "read_only" };
    let options: [(&str, &str); 9] = [
        ("path", &path),
        ("access_mode", mode),
        ("autoload_known_extensions", "false"),
        ("autoinstall_known_extensions", "false"),
        ("allow_community_extensions", "false"),
        ("allow_persistent_secrets", "false"),
        // NULL sorts above every value, as on PostgreSQL.
        ("default_null_order", "nulls_last_on_asc_first_on_desc"),
        ("memory_limit", MEMORY),
        ("threads", &threads.to_string()),
    ];
    options.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn family(declared: &str) -> DataType {
    let name = declared.split('(').next().unwrap_or_default().trim();
    match name {
        _ if declared.ends_with(']') => DataType::Other,
        "ENUM" => DataType::Text,
        "STRUCT" | "MAP" | "UNION" | "BIT" | "INTERVAL" | "VARIANT" => DataType::Other,
        "TINYINT" | "SMALLINT" | "INTEGER" | "BIGINT" | "HUGEINT" | "UTINYINT" | "USMALLINT"
        | "UINTEGER" | "UBIGINT" | "UHUGEINT" | "BIGNUM" => DataType::Integer,
        "DECIMAL" | "DOUBLE" | "FLOAT" => DataType::Number,
        "TIME" | "TIME WITH TIME ZONE" | "TIME_NS" => DataType::Time,
        "TIMESTAMP"
        | "TIMESTAMP WITH TIME ZONE"
        | "TIMESTAMP_S"
        | "TIMESTAMP_MS"
        | "TIMESTAMP_NS" => DataType::Timestamp,
        name => DataType::from_declaration(name),
    }
}

/// Cost of a plan: the rows of all its steps. A plan that sends each row as it is found has none, since it stops at the
/// limit.
fn plan(text: &str, stops: bool) -> Plan {
    let Ok(steps) = serde_json::from_str::<Value>(text) else { return Plan::default() };
    let mut found = Steps { cost: 0.0, streams: true, largest: None };
    let roots = if let Value::Array(roots) = &steps { roots } else { std::slice::from_ref(&steps) };
    for root in roots {
        found.add(root, stops);
    }
    let rows = roots.first().and_then(rows).filter(|rows| *rows > 0.0);
    if stops && found.streams {
        return Plan { rows, ..Plan::default() };
    }
    Plan { cost: Some(found.cost), rows, largest: found.largest }
}

struct Steps {
    cost: f64,
    streams: bool,
    largest: Option<LargestStep>,
}

impl Steps {
    /// Adds a step and those that it reads. Returns the rows that come out of it.
    ///
    /// DuckDB gives no estimate for a step that pairs each row of one input with each of the other: it is the product of
    /// both, unless the step `stops` with the limit of the statement.
    fn add(&mut self, step: &Value, stops: bool) -> f64 {
        let name = step["name"].as_str().unwrap_or_default().trim();
        let streams = STREAMING.contains(&name);
        let pairs = PAIRING.contains(&name);
        self.streams &= streams;
        let children = step["children"].as_array().map(Vec::as_slice).unwrap_or_default();
        let inputs: Vec<f64> =
            children.iter().map(|child| self.add(child, stops && (streams || pairs))).collect();
        let paired = pairs.then(|| inputs.iter().map(|rows| rows.max(1.0)).product::<f64>());
        let own = rows(step);
        if let Some(rows) = own.or(paired.filter(|_| !stops)) {
            self.cost += rows;
            self.largest = Some(LargestStep::or_larger(self.largest.take(), rows, || {
                match step["extra_info"]["Table"].as_str() {
                    Some(table) => format!("{name} on {table}"),
                    None => name.to_owned(),
                }
            }));
        }
        own.or(paired).unwrap_or_else(|| match name {
            "UNGROUPED_AGGREGATE" => 1.0,
            "UNION" => inputs.iter().sum(),
            _ => inputs.iter().copied().fold(0.0, f64::max),
        })
    }
}

fn rows(step: &Value) -> Option<f64> {
    step["extra_info"]["Estimated Cardinality"].as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_follow_the_declaration() {
        for (declared, expected) in [
            ("DECIMAL(10,2)", DataType::Number),
            ("HUGEINT", DataType::Integer),
            ("INTEGER[]", DataType::Other),
            ("ENUM('open', 'it''s')", DataType::Text),
            ("STRUCT(a INTEGER)", DataType::Other),
            ("TIMESTAMP WITH TIME ZONE", DataType::Timestamp),
            ("VARCHAR", DataType::Text),
            ("BLOB", DataType::Binary),
            ("UUID", DataType::Uuid),
            ("JSON", DataType::Json),
            ("BOOLEAN", DataType::Boolean),
            ("DATE", DataType::Date),
            ("TIME", DataType::Time),
        ] {
            assert_eq!(family(declared), expected, "{declared}");
        }
    }

    #[test]
    fn a_file_of_a_later_release_is_refused_with_what_to_do() {
        let found = "IO Error: Trying to read a database file with version number 69, but we can only read versions \
             between 64 and 68.\nThe database file was created with a newer version of DuckDB.\n\nSee the page.";
        let told = unreadable(found.to_owned());
        assert!(told.contains("between 64 and 68: set --driver to"), "{told}");
        assert!(told.contains("STORAGE_VERSION") && !told.contains('\n'), "{told}");
        assert_eq!(unreadable("IO Error: other".to_owned()), "IO Error: other");
        let cut = "IO Error: Could not read enough bytes from file \"shop.duckdb\"";
        assert!(unreadable(cut.to_owned()).contains("copy it again"));
    }

    #[test]
    fn the_rows_of_all_steps_are_the_cost() {
        let scan = r#"{"name": "SEQ_SCAN ", "children": [],
            "extra_info": {"Table": "t", "Estimated Cardinality": "100"}}"#;
        let largest = Some(LargestStep { rows: 100.0, name: "SEQ_SCAN on t".to_owned() });
        let found = format!(
            r#"[{{"name": "PROJECTION", "children": [{scan}], "extra_info": {{"Estimated Cardinality": "20"}}}}]"#
        );
        assert_eq!(plan(&found, false), Plan { cost: Some(120.0), rows: Some(20.0), largest });
        assert_eq!(plan(&found, true), Plan { rows: Some(20.0), ..Plan::default() });
        let grouped = found.replace("PROJECTION", "HASH_GROUP_BY");
        assert_eq!(plan(&grouped, true).cost, Some(120.0));
        assert_eq!(plan("no plan", true), Plan::default());
    }

    #[test]
    fn a_cross_product_is_estimated_by_its_inputs() {
        let scan = r#"{"name": "SEQ_SCAN", "children": [],
            "extra_info": {"Table": "t", "Estimated Cardinality": "40"}}"#;
        let of = |name: &str, inputs: &[&str]| {
            format!(
                r#"{{"name": "{name}", "children": [{}], "extra_info": {{}}}}"#,
                inputs.join(",")
            )
        };
        let product = of("CROSS_PRODUCT", &[scan, &of("CROSS_PRODUCT", &[scan, scan])]);
        let counted = of("UNGROUPED_AGGREGATE", &[&product]);
        let largest = |rows| Some(LargestStep { rows, name: "CROSS_PRODUCT".to_owned() });
        assert_eq!(plan(&format!("[{counted}]"), true).largest, largest(64_000.0));
        // What ends at the limit has not as many rows; what is counted below it has.
        assert_eq!(plan(&product, true).cost, Some(120.0));
        assert_eq!(plan(&product, false).cost, Some(65_720.0));
        let with_one = of("CROSS_PRODUCT", &[scan, &counted]);
        assert_eq!(plan(&with_one, true).cost, Some(40.0 + 64_000.0 + 1_720.0));
    }
}

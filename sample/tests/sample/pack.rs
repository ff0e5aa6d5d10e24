//! The catalog pack covers every table and column, and names nothing that does not exist.

use jiff::civil::date;
use rusqlite::Connection;
use wherefore_engine::catalog::DataType;
use wherefore_sample::{Schema, load_sqlite, schema};

use crate::pack_file::{example, pack};

const ROLES: &str = "identifier name amount price cost quantity area_size length duration \
    percentage score event_date created_date due_date birth_date closed_date healed_date onset_date visit_date status stock_level \
    stage severity trend category infection_flag active_flag city country email phone free_text";

fn has_column(schema: &Schema, table: &str, column: &str) -> bool {
    schema.table(table).is_some_and(|table| table.column(column).is_some())
}

#[test]
fn every_name_exists() {
    let (pack, schema) = (pack(), schema().unwrap());
    assert!(!pack.name.is_empty());
    assert_eq!(pack.areas.len(), schema.areas().len());
    for area in &pack.areas {
        assert!(schema.areas().contains(&area.name.as_str()), "{}", area.name);
    }
    for table in &pack.tables {
        let stored = schema.table(&table.name).unwrap_or_else(|| panic!("{}", table.name));
        assert_eq!(table.area.as_deref(), Some(stored.area), "{}", table.name);
        let single = table.date_column.iter().chain(&table.measure_column);
        let named = table.columns.iter().map(|column| &column.name);
        for column in single.chain(&table.label_columns).chain(named) {
            assert!(stored.column(column).is_some(), "{}.{column}", table.name);
        }
    }
    for cohort in &pack.cohorts {
        assert!(has_column(&schema, &cohort.table, &cohort.column), "{}", cohort.label);
    }
    for metric in &pack.metrics {
        for word in metric.expression.split(" * ").filter(|word| !word.is_empty()) {
            assert!(has_column(&schema, &metric.table, word), "{}: {word}", metric.name);
        }
        let (table, column) = metric.date_column.as_ref().unwrap().split_once('.').unwrap();
        assert!(has_column(&schema, table, column), "{}", metric.name);
    }
    let named = pack.terms.iter().flat_map(|term| {
        term.columns.iter().chain(term.options.iter().filter_map(|option| option.column.as_ref()))
    });
    for name in named {
        let (table, column) = name.split_once('.').unwrap();
        assert!(has_column(&schema, table, column), "{name}");
    }
    for template in &pack.templates {
        assert!(pack.areas.iter().any(|area| template.area.as_ref() == Some(&area.name)));
        for parameter in &template.parameters {
            if let (Some(table), Some(column)) = (&parameter.table, &parameter.column) {
                assert!(has_column(&schema, table, column), "{}", template.name);
            }
        }
    }
}

#[test]
fn every_table_and_every_column_but_the_table_s_own_key_is_described() {
    let (pack, schema) = (pack(), schema().unwrap());
    for table in &schema.tables {
        let described = pack.tables.iter().find(|other| other.name == table.name);
        let described = described.unwrap_or_else(|| panic!("{} is missing", table.name));
        assert!(!described.description.is_empty() && !described.label_columns.is_empty());
        for column in &table.columns {
            if table.primary_key == [column.name.clone()] {
                continue;
            }
            let text = described.column(&column.name).map(|column| column.description.as_str());
            assert!(text.is_some_and(|text| !text.is_empty()), "{}.{}", table.name, column.name);
        }
    }
}

#[test]
fn roles_are_known_and_fit_the_type() {
    let (pack, schema) = (pack(), schema().unwrap());
    for table in &pack.tables {
        for column in &table.columns {
            let stored = schema.table(&table.name).unwrap().column(&column.name).unwrap();
            let data_type = DataType::from_declaration(&stored.declared_type);
            for role in &column.roles {
                let place = format!("{}.{}: {role}", table.name, column.name);
                assert!(ROLES.split_whitespace().any(|known| known == role), "{place}");
                let fits = match role.as_str() {
                    role if role.ends_with("_date") => data_type.is_temporal(),
                    role if role.ends_with("_flag") => data_type == DataType::Boolean,
                    "amount" | "price" | "cost" | "quantity" | "area_size" | "length"
                    | "duration" | "percentage" | "score" | "stage" | "stock_level" => {
                        data_type.is_numeric()
                    }
                    _ => data_type == DataType::Text,
                };
                assert!(fits, "{place} does not fit {data_type:?}");
            }
        }
    }
}

#[test]
fn each_area_suggests_three_to_five_questions() {
    for area in pack().areas {
        assert!((3..=5).contains(&area.suggestions.len()), "{}", area.name);
    }
}

#[test]
fn templates_name_their_parameters_and_find_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.sqlite");
    load_sqlite(&path, date(2026, 3, 17)).unwrap();
    let connection = Connection::open(&path).unwrap();
    let pack = pack();
    assert_eq!(pack.templates.len(), 8);
    for template in &pack.templates {
        for parameter in &template.parameters {
            assert!(template.sql.contains(&format!(":{}", parameter.name)), "{}", template.name);
        }
        let (_, count) = example(template, &connection);
        assert!(count > 0, "{} finds nothing", template.name);
    }
}

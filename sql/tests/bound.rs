//! Checks of statements whose placeholders are bound to literals.

use std::collections::BTreeMap;

use wherefore_catalog::{Catalog, Column, DataType, Table};
use wherefore_sql::tree::Literal;
use wherefore_sql::{Code, Dialect, GuardLimits, ReadDialect, check, check_bound, read};

fn catalog() -> Catalog {
    let table = |schema: &str, name: &str| Table {
        schema: Some(schema.to_owned()),
        name: name.to_owned(),
        columns: vec![
            Column { name: "id".to_owned(), data_type: DataType::Integer, ..Column::default() },
            Column { name: "name".to_owned(), data_type: DataType::Text, ..Column::default() },
        ],
        ..Table::default()
    };
    let tables =
        vec![table("a", "things"), table("a", "twins"), table("b", "twins"), table("a", "pg_x")];
    Catalog { name: "two areas".to_owned(), tables, ..Catalog::default() }
}

fn bound(sql: &str, parameters: &[(&str, Literal)]) -> Result<String, Code> {
    let query = read(sql, ReadDialect::Postgres).map_err(|faults| faults[0].code)?;
    let parameters: BTreeMap<String, Literal> =
        parameters.iter().map(|(name, literal)| ((*name).to_owned(), literal.clone())).collect();
    check_bound(&query, &catalog(), Dialect::Postgres, &GuardLimits::default(), &parameters)
        .map(|checked| checked.sql().replace('\n', " "))
        .map_err(|faults| faults[0].code)
}

fn text(value: &str) -> Literal {
    Literal::String(value.to_owned())
}

fn number(value: &str) -> Literal {
    Literal::Number(value.to_owned())
}

#[test]
fn placeholders_become_literals_wherever_they_stand() {
    let sql = "SELECT name FROM things WHERE name = :n OR id IN (:m, 2) ORDER BY id LIMIT :m";
    assert_eq!(
        bound(sql, &[("n", text("O'Neil")), ("m", number("3"))]).unwrap(),
        "SELECT name FROM a.things WHERE name = 'O''Neil' OR id IN (3, 2) ORDER BY id LIMIT 3"
    );
}

#[test]
fn a_placeholder_without_a_literal_is_refused() {
    assert_eq!(bound("SELECT :x", &[]), Err(Code::Parameter));
    assert_eq!(bound("SELECT :x, :y", &[("x", number("1"))]), Err(Code::Parameter));
}

#[test]
fn a_literal_is_checked_like_any_other() {
    assert_eq!(bound("SELECT :x", &[("x", text("a\0b"))]), Err(Code::Lexical));
    let rows = "SELECT g FROM generate_series(1, :rows) AS g";
    assert_eq!(bound(rows, &[("rows", number("1000000000"))]), Err(Code::Limit));
    assert!(bound(rows, &[("rows", number("5"))]).is_ok());
}

#[test]
fn bare_names_mean_the_one_table_of_that_name() {
    assert_eq!(bound("SELECT id FROM things", &[]).unwrap(), "SELECT id FROM a.things");
    assert_eq!(bound("SELECT id FROM twins", &[]), Err(Code::UnknownTable));
    assert_eq!(bound("SELECT id FROM b.twins", &[]).unwrap(), "SELECT id FROM b.twins");
    assert_eq!(bound("SELECT id FROM pg_x", &[]), Err(Code::Relation));
}

#[test]
fn a_statement_without_bound_placeholders_keeps_to_the_default_schema() {
    let query = read("SELECT id FROM things", ReadDialect::Postgres).unwrap();
    let refused = check(&query, &catalog(), Dialect::Postgres, &GuardLimits::default());
    assert_eq!(refused.unwrap_err()[0].code, Code::UnknownTable);
}

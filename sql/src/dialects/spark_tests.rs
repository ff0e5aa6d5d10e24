//! Tests of statements as Spark and Sail run them.

use proptest::prelude::*;
use wherefore_catalog::Catalog;

use crate::diagnostic::Diagnostic;
use crate::print::{Target, print_fitted};
use crate::tree::{Body, Expr, Query, Select, SelectItem};
use crate::{Dialect, GuardLimits, NativeSql, ReadDialect, check_text};

fn shop() -> Catalog {
    let json = r#"{ "name": "shop", "dialect": "postgres", "tables": [
        { "name": "users", "primary_key": ["id"], "columns": [
            { "name": "id", "data_type": "integer" }, { "name": "name", "data_type": "text" },
            { "name": "born", "data_type": "date" }, { "name": "paid", "data_type": "number" },
            { "name": "at", "data_type": "timestamp" }, { "name": "odd`name", "data_type": "text" }] }] }"#;
    serde_json::from_str(json).unwrap()
}

fn native(sql: &str) -> Result<NativeSql, Diagnostic> {
    let limits = GuardLimits::default();
    let checked =
        check_text(sql, ReadDialect::Postgres, &shop(), Dialect::Postgres, &limits).unwrap();
    checked.for_spark(&shop())
}

fn text(expression: &str) -> String {
    let sql = native(&format!("SELECT {expression} FROM users")).unwrap();
    let sql = sql.sql().split_whitespace().collect::<Vec<_>>().join(" ");
    sql["SELECT ".len()..].trim_end_matches(" FROM `users`").to_owned()
}

#[test]
fn what_differs_is_rewritten() {
    for (postgres, spark) in [
        ("id / 2", "(`id` DIV 2)"),
        ("id / id", "(`id` DIV nullif(`id`, 0))"),
        ("paid / id", "CAST(`paid` AS DOUBLE) / nullif(`id`, 0)"),
        ("name ~ '^A'", "rlike(`name`, '(?s)^A')"),
        ("name !~* 'a'", "NOT rlike(`name`, '(?is)a')"),
        ("name LIKE 'a%'", "`name` LIKE 'a%'"),
        ("name LIKE 'a\\%'", "`name` LIKE 'a\\\\%'"),
        ("name LIKE '\\a!'", "`name` LIKE 'a!'"),
        ("name LIKE 'a!%' ESCAPE '!'", "`name` LIKE 'a\\\\%'"),
        ("name ILIKE 'a%'", "`name` ILIKE 'a%'"),
        ("\"odd`name\"", "`odd``name`"),
        ("'it''s'", "'it\\'s'"),
        ("'a\\'", "'a\\\\'"),
        ("'${x}'", "'\\u0024{x}'"),
        ("to_char(born, 'YYYY-MM')", "date_format(`born`, 'yyyy-MM')"),
        ("to_char(born, 'YYYY-\"Q\"Q')", "date_format(`born`, 'yyyy-\\'Q\\'Q')"),
        ("date_trunc('month', born)", "CAST(date_trunc('month', `born`) AS TIMESTAMP_NTZ)"),
        ("extract(dow FROM born)", "dayofweek(`born`) - 1"),
        ("born - DATE '2024-01-01'", "datediff(`born`, DATE '2024-01-01')"),
        ("max(born) - min(born)", "datediff(max(`born`), min(`born`))"),
        ("born + 7", "date_add(`born`, 7)"),
        ("born - id", "date_sub(`born`, CAST(`id` AS INT))"),
        (
            "born + INTERVAL '1 month 2 weeks'",
            "CAST(`born` AS TIMESTAMP_NTZ) + INTERVAL '1' MONTH + INTERVAL '14' DAY",
        ),
        ("TIMESTAMP '2024-01-01 10:00:00'", "TIMESTAMP_NTZ '2024-01-01 10:00:00'"),
        ("CAST(id AS numeric)", "CAST(`id` AS DECIMAL(38, 0))"),
        ("CAST(paid AS bigint)", "CAST(round(`paid`) AS BIGINT)"),
        ("CAST(name AS varchar(3))", "left(CAST(`name` AS STRING), 3)"),
        ("avg(paid)", "avg(CAST(`paid` AS DOUBLE))"),
        (
            "string_agg(name, ', ' ORDER BY name)",
            "string_agg(`name`, ', ') WITHIN GROUP (ORDER BY `name` NULLS LAST)",
        ),
        ("concat(name, 'x')", "concat(coalesce(CAST(`name` AS STRING), ''), 'x')"),
        ("strpos(name, 'a')", "instr(`name`, 'a')"),
        ("left(name, -1)", "left(`name`, greatest(char_length(`name`) - 1, 0))"),
    ] {
        assert_eq!(text(postgres), spark, "{postgres}");
    }
}

#[test]
fn null_sorts_above_every_value() {
    let sql = native("SELECT id FROM users ORDER BY name, born DESC LIMIT 3 OFFSET 1").unwrap();
    assert!(
        sql.sql()
            .ends_with("ORDER BY `name` NULLS LAST, `born` DESC NULLS FIRST\nLIMIT 3\nOFFSET 1"),
        "{sql:?}"
    );
}

#[test]
fn outputs_of_subqueries_have_the_names_of_postgresql() {
    let sql = native("SELECT count FROM (SELECT count(*) FROM users) AS c").unwrap();
    assert!(sql.sql().contains("count(*) AS `count`"), "{sql:?}");
}

#[test]
fn what_spark_cannot_express_is_named() {
    for (sql, what) in [
        ("SELECT initcap(name) FROM users", "initcap"),
        ("SELECT array_agg(id) FROM users", "array_agg"),
        ("SELECT chr(id) FROM users", "chr"),
        ("SELECT to_char(paid, '999') FROM users", "to_char of a number"),
        ("SELECT CAST(name AS char(3)) FROM users", "fixed length"),
        ("SELECT \"at\" - TIMESTAMP '2024-01-01 00:00:00' FROM users", "a difference of times"),
        ("SELECT INTERVAL '1 month' FROM users", "an interval"),
        ("SELECT n FROM generate_series(1, 3) AS n", "generate_series"),
        ("SELECT DISTINCT ON (name) name, id FROM users ORDER BY name, id", "DISTINCT ON"),
        ("SELECT id FROM users WHERE (id, name) IN ((1, 'a'))", "a row value"),
        (
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
            "WITH RECURSIVE",
        ),
        ("SELECT name AS \"${x}\" FROM users", "a name with ${"),
    ] {
        let fault = native(sql).unwrap_err();
        assert!(fault.message.contains(what) && fault.message.contains("Spark"), "{fault}");
    }
}

/// The value of a string literal of Spark: its lexer and what it does with escapes. `None` if the text is not one literal.
fn literal_value(text: &str) -> Option<String> {
    let mut characters = text.chars();
    if characters.next() != Some('\'') {
        return None;
    }
    let mut value = String::new();
    loop {
        match characters.next()? {
            '\'' => return characters.next().is_none().then_some(value),
            '\\' => match characters.next()? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                'u' => {
                    let digits: String = characters.by_ref().take(4).collect();
                    value.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                }
                other @ ('\\' | '\'') => value.push(other),
                _ => return None,
            },
            other => value.push(other),
        }
    }
}

proptest! {
    #[test]
    fn a_literal_ends_where_it_should_and_holds_no_variable(value in "([\\\\'\"`$\\{\\}%_;-]|\\PC|[\\n\\r\\t]){0,12}") {
        let item = SelectItem::Expr { expr: Expr::string(&value), alias: None };
        let select = Select { items: vec![item], ..Select::default() };
        let query = Query { body: Body::Select(Box::new(select)), ..Query::default() };
        let sql = print_fitted(&query, Target::Spark).unwrap();
        let literal = sql.strip_prefix("SELECT ").unwrap();
        prop_assert_eq!(literal_value(literal), Some(value));
        let has_variable = literal.contains("${");
        prop_assert!(!has_variable);
    }
}

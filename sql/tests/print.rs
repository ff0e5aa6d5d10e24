//! What the printer writes and what it rejects.

use wherefore_sql::tree::{
    BinaryOperator, Body, CastType, Expr, FromItem, Identifier, Join, JoinCondition, JoinKind,
    Literal, OrderItem, Query, Select, SelectItem, SetOperator, Source,
};
use wherefore_sql::{Dialect, print};

fn select_of(expr: Expr) -> Query {
    let items = vec![SelectItem::Expr { expr, alias: None }];
    Query {
        body: Body::Select(Box::new(Select { items, ..Select::default() })),
        ..Query::default()
    }
}

/// Text of an expression in a dialect, or the error.
fn written(expr: Expr, dialect: Dialect) -> String {
    match print(&select_of(expr), dialect) {
        Ok(text) => text.trim_start_matches("SELECT ").to_owned(),
        Err(error) => error.to_string(),
    }
}

fn column(name: &str) -> Expr {
    Expr::Column { qualifier: None, name: Identifier::stored(name) }
}

fn table(name: &str, alias: &str) -> Source {
    Source::Table {
        schema: None,
        name: Identifier::stored(name),
        alias: Some(Identifier::stored(alias)),
    }
}

fn top_artists() -> Query {
    let artist = Join {
        kind: JoinKind::Inner,
        source: table("Artist", "a"),
        condition: JoinCondition::On(Expr::binary(
            Expr::column("a", "ArtistId"),
            BinaryOperator::Equal,
            Expr::column("l", "ArtistId"),
        )),
    };
    let select = Select {
        items: vec![
            SelectItem::Expr { expr: Expr::column("a", "Name"), alias: None },
            SelectItem::Expr {
                expr: Expr::call("count", vec![Expr::column("l", "AlbumId")]),
                alias: Some(Identifier::stored("albums")),
            },
        ],
        from: vec![FromItem { source: table("Album", "l"), joins: vec![artist] }],
        filter: Some(Expr::And(vec![
            Expr::binary(Expr::column("a", "Name"), BinaryOperator::NotEqual, Expr::string("O'x")),
            Expr::Or(vec![
                Expr::binary(Expr::number("1"), BinaryOperator::Equal, Expr::number("1")),
                Expr::IsNull { operand: Box::new(column("order")), negated: true },
            ]),
        ])),
        group_by: vec![Expr::column("a", "Name")],
        ..Select::default()
    };
    Query {
        body: Body::Select(Box::new(select)),
        order_by: vec![OrderItem {
            expr: column("albums"),
            descending: true,
            nulls_first: Some(false),
        }],
        limit: Some(Expr::number("5")),
        ..Query::default()
    }
}

#[test]
fn a_query_reads_one_clause_a_line() {
    insta::assert_snapshot!(print(&top_artists(), Dialect::Sqlite).unwrap(), @r#"
    SELECT a.Name, count(l.AlbumId) AS albums
    FROM Album AS l
      JOIN Artist AS a ON a.ArtistId = l.ArtistId
    WHERE a.Name <> 'O''x'
      AND (1 = 1 OR "order" IS NOT NULL)
    GROUP BY a.Name
    ORDER BY albums DESC NULLS LAST
    LIMIT 5
    "#);
    insta::assert_snapshot!(print(&top_artists(), Dialect::Postgres).unwrap(), @r#"
    SELECT a."Name", count(l."AlbumId") AS albums
    FROM "Album" AS l
      JOIN "Artist" AS a ON a."ArtistId" = l."ArtistId"
    WHERE a."Name" <> 'O''x'
      AND (1 = 1 OR "order" IS NOT NULL)
    GROUP BY a."Name"
    ORDER BY albums DESC NULLS LAST
    LIMIT 5
    "#);
}

#[test]
fn strings_end_only_at_their_own_quote() {
    for dialect in [Dialect::Postgres, Dialect::Sqlite] {
        let text = written(Expr::string("\\'; DROP TABLE users; --"), dialect);
        assert_eq!(text, "'\\''; DROP TABLE users; --'");
        assert!(written(Expr::string("a\0b"), dialect).contains("a zero byte"));
    }
}

#[test]
fn parentheses_follow_precedence() {
    let binary = |left, operator, right| Expr::binary(left, operator, right);
    let (a, b, c) = (column("a"), column("b"), column("c"));
    let sum = binary(a.clone(), BinaryOperator::Plus, b.clone());
    let text = binary(a.clone(), BinaryOperator::Concat, b.clone());
    for (expr, expected) in [
        (binary(sum.clone(), BinaryOperator::Multiply, c.clone()), "(a + b) * c"),
        (binary(c.clone(), BinaryOperator::Minus, sum.clone()), "c - (a + b)"),
        (binary(sum.clone(), BinaryOperator::Minus, c.clone()), "a + b - c"),
        (binary(text.clone(), BinaryOperator::Plus, c.clone()), "(a || b) + c"),
        (binary(c.clone(), BinaryOperator::Multiply, text.clone()), "c * (a || b)"),
        (binary(sum.clone(), BinaryOperator::Concat, c.clone()), "(a + b) || c"),
        (binary(text, BinaryOperator::Equal, c.clone()), "a || b = c"),
        (Expr::Not(Box::new(binary(a.clone(), BinaryOperator::Equal, b.clone()))), "NOT (a = b)"),
        (Expr::And(vec![Expr::Or(vec![a.clone(), b.clone()]), c.clone()]), "(a OR b) AND c"),
        (Expr::Or(vec![Expr::And(vec![a.clone(), b.clone()]), c.clone()]), "(a AND b) OR c"),
        (Expr::Unary { negative: true, operand: Box::new(Expr::number("-1")) }, "-(-1)"),
        (
            Expr::IsNull { operand: Box::new(binary(a, BinaryOperator::Less, b)), negated: false },
            "(a < b) IS NULL",
        ),
    ] {
        assert_eq!(written(expr.clone(), Dialect::Postgres), expected);
        assert_eq!(written(expr, Dialect::Sqlite), expected);
    }
}

#[test]
fn a_joined_pattern_of_a_regular_expression_is_in_parentheses() {
    // PostgreSQL groups operators of its own from the left: `a ~ b || c` is `(a ~ b) || c`.
    let binary = |left, operator, right| Expr::binary(left, operator, right);
    let (a, b, c) = (column("a"), column("b"), column("c"));
    let text = binary(a.clone(), BinaryOperator::Concat, b.clone());
    for (expr, expected) in [
        (binary(c.clone(), BinaryOperator::Regex, text.clone()), "c ~ (a || b)"),
        (binary(text, BinaryOperator::NotRegexInsensitive, c), "a || b !~* c"),
        (
            binary(a.clone(), BinaryOperator::Regex, binary(a, BinaryOperator::JsonGetText, b)),
            "a ~ (a ->> b)",
        ),
    ] {
        assert_eq!(written(expr, Dialect::Postgres), expected);
    }
}

#[test]
fn each_dialect_writes_its_own_form() {
    let like = Expr::Like {
        operand: Box::new(column("name")),
        pattern: Box::new(Expr::string("50\\%%")),
        case_insensitive: true,
        negated: false,
        escape: Some('\\'),
    };
    let unescaped = Expr::Like {
        operand: Box::new(column("name")),
        pattern: Box::new(Expr::string("a\\%")),
        case_insensitive: false,
        negated: true,
        escape: None,
    };
    let date = Expr::literal(Literal::Date("2025-01-01".to_owned()));
    let to_date = Expr::Cast {
        operand: Box::new(column("t")),
        to: CastType { name: "date".to_owned(), arguments: vec![] },
    };
    let money = Expr::Cast {
        operand: Box::new(column("t")),
        to: CastType { name: "numeric".to_owned(), arguments: vec![10, 2] },
    };
    let year = Expr::Extract { field: "year".to_owned(), operand: Box::new(column("t")) };
    let today = Expr::call("current_date", vec![]);
    for (expr, postgres, sqlite) in [
        (like, "name ILIKE '50\\%%' ESCAPE '\\'", "name LIKE '50\\%%' ESCAPE '\\'"),
        (unescaped, "name NOT LIKE 'a\\%' ESCAPE ''", "name NOT LIKE 'a\\%'"),
        (date, "DATE '2025-01-01'", "'2025-01-01'"),
        (to_date, "CAST(t AS DATE)", "date(t)"),
        (money, "CAST(t AS NUMERIC(10, 2))", "CAST(t AS NUMERIC)"),
        (year, "EXTRACT(year FROM t)", "CAST(strftime('%Y', t) AS INTEGER)"),
        (today, "CURRENT_DATE", "CURRENT_DATE"),
        (column("Año"), "\"Año\"", "\"Año\""),
        (column("a\"b"), "\"a\"\"b\"", "\"a\"\"b\""),
    ] {
        assert_eq!(written(expr.clone(), Dialect::Postgres), postgres);
        assert_eq!(written(expr, Dialect::Sqlite), sqlite);
    }
}

#[test]
fn an_unquoted_name_folds_as_the_server_would_fold_it() {
    let name = Identifier { name: "UserName".to_owned(), ..Identifier::default() };
    let expr = Expr::Column { qualifier: None, name };
    assert_eq!(written(expr.clone(), Dialect::Postgres), "username");
    assert_eq!(written(expr, Dialect::Sqlite), "UserName");
}

#[test]
fn what_a_dialect_lacks_is_refused_by_name() {
    let interval = Expr::literal(Literal::Interval("1 day".to_owned()));
    assert_eq!(written(interval, Dialect::Sqlite), "cannot be expressed in SQLite: an interval");
    let glob = Expr::binary(column("a"), BinaryOperator::Glob, Expr::string("x*"));
    assert_eq!(written(glob, Dialect::Postgres), "cannot be expressed in PostgreSQL: glob");
    for number in ["1; DROP", "1.2.3", "", "-", "e5", "0x1F"] {
        let text = written(Expr::number(number), Dialect::Postgres);
        assert!(text.starts_with("cannot be expressed"), "{number}: {text}");
    }
    let call = Expr::call("now(); --", vec![]);
    assert!(written(call, Dialect::Postgres).starts_with("cannot be expressed"));
}

#[test]
fn operands_of_set_operations_keep_their_order() {
    let one = |operator, left: Query, right: Query| Query {
        body: Body::SetOperation {
            operator,
            all: false,
            left: Box::new(left),
            right: Box::new(right),
        },
        ..Query::default()
    };
    let part = |name: &str| select_of(column(name));
    let union = one(SetOperator::Union, part("a"), part("b"));
    let query = one(SetOperator::Intersect, union, part("c"));
    let flat =
        |dialect| print(&query, dialect).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(flat(Dialect::Postgres), "( SELECT a UNION SELECT b ) INTERSECT SELECT c");
    assert_eq!(flat(Dialect::Sqlite), "SELECT a UNION SELECT b INTERSECT SELECT c");
}

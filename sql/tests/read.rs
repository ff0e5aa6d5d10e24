//! What the reader accepts and rejects; reading printed text changes nothing.

use proptest::prelude::*;
use wherefore_sql::{Code, Dialect, ReadDialect, print, read, read_plain};

const DIALECTS: [Dialect; 2] = [Dialect::Postgres, Dialect::Sqlite];

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn reprinted(sql: &str, from: ReadDialect, to: Dialect) -> String {
    match read(sql, from) {
        Ok(query) => match print(&query, to) {
            Ok(text) => one_line(&text),
            Err(error) => error.to_string(),
        },
        Err(faults) => faults[0].to_string(),
    }
}

fn code_of(sql: &str, dialect: ReadDialect) -> Option<Code> {
    read(sql, dialect).err().map(|faults| faults[0].code)
}

/// Reads printed text and prints it again.
fn again(text: &str, dialect: Dialect) -> Result<String, String> {
    let query = read(text, dialect.into()).map_err(|faults| faults[0].to_string())?;
    print(&query, dialect).map_err(|error| error.to_string())
}

#[test]
fn queries_are_read_and_written_in_the_project_s_form() {
    for (sql, expected) in [
        ("select Id from Users", "SELECT id FROM users"),
        ("select 1 union all select 2 limit 3", "SELECT 1 UNION ALL SELECT 2 LIMIT 3"),
        ("select a from t where (a or b) and c", "SELECT a FROM t WHERE (a OR b) AND c"),
        ("select a from t where not a is null", "SELECT a FROM t WHERE NOT (a IS NULL)"),
        ("select a::date from t", "SELECT CAST(a AS DATE) FROM t"),
        ("select date '2025-01-01'", "SELECT DATE '2025-01-01'"),
        (
            "select a from t where a in ((select 1), 2)",
            "SELECT a FROM t WHERE a IN (( SELECT 1 ), 2)",
        ),
        ("select a from t fetch first (5) rows only", "SELECT a FROM t LIMIT 5"),
        ("select a from t where b like 'x\\%'", "SELECT a FROM t WHERE b LIKE 'x\\%'"),
        ("(select 1) except (select 2)", "SELECT 1 EXCEPT SELECT 2"),
        (
            "select 1 = ((select 1) union (select 2 limit 1))",
            "SELECT 1 = ( SELECT 1 UNION ( SELECT 2 LIMIT 1 ) )",
        ),
        ("select ((select 1) except select 2)", "SELECT ( SELECT 1 EXCEPT SELECT 2 )"),
        (
            "select overlay(a placing 'x' from 2 for 1) from t",
            "SELECT overlay(a PLACING 'x' FROM 2 FOR 1) FROM t",
        ),
        ("select current_date", "SELECT CURRENT_DATE"),
        ("select a from t group by rollup(a)", "SELECT a FROM t GROUP BY ROLLUP (a)"),
    ] {
        assert_eq!(reprinted(sql, ReadDialect::Postgres, Dialect::Postgres), expected, "{sql}");
    }
}

#[test]
fn words_of_postgresql_stay_and_are_left_out_where_only_the_meaning_is_asked_for() {
    for (sql, in_words, plain) in [
        ("select interval '1' month", "SELECT INTERVAL '1' MONTH", "SELECT INTERVAL '1 month'"),
        (
            "select a from t where a = any(array[1,2])",
            "SELECT a FROM t WHERE a = ANY (ARRAY[1, 2])",
            "SELECT a FROM t WHERE a IN (1, 2)",
        ),
        (
            "select a from t where a <> all (select 1)",
            "SELECT a FROM t WHERE a <> ALL ( SELECT 1 )",
            "SELECT a FROM t WHERE a NOT IN ( SELECT 1 )",
        ),
        (
            "select sum(a) over w, max(a) over (w rows 1 preceding) from t window w as (order by b)",
            "SELECT sum(a) OVER w, max(a) OVER (w ROWS 1 PRECEDING) FROM t WINDOW w AS (ORDER BY b)",
            "SELECT sum(a) OVER (ORDER BY b), max(a) OVER (ORDER BY b ROWS 1 PRECEDING) FROM t",
        ),
        (
            "select a from t window w as (order by b) order by rank() over w",
            "SELECT a FROM t WINDOW w AS (ORDER BY b) ORDER BY rank() OVER w",
            "SELECT a FROM t ORDER BY rank() OVER (ORDER BY b)",
        ),
        (
            "select substring(a from 2 for 3), substring(a for 3) from t",
            "SELECT SUBSTRING(a FROM 2 FOR 3), SUBSTRING(a FOR 3) FROM t",
            "SELECT substring(a, 2, 3), substring(a, 1, 3) FROM t",
        ),
        (
            "select position('x' in a), trim(leading from a), date(b) from t",
            "SELECT POSITION('x' IN a), TRIM(LEADING FROM a), date(b) FROM t",
            "SELECT strpos(a, 'x'), ltrim(a), CAST(b AS DATE) FROM t",
        ),
        ("select a ^ 2 from t", "SELECT a ^ 2 FROM t", "SELECT power(a, 2) FROM t"),
        ("select a is not unknown", "SELECT a IS NOT UNKNOWN", "SELECT a IS NOT NULL"),
    ] {
        let printed = reprinted(sql, ReadDialect::Postgres, Dialect::Postgres);
        assert_eq!(printed, in_words, "{sql}");
        let meant = read_plain(sql, ReadDialect::Postgres).unwrap();
        assert_eq!(one_line(&print(&meant, Dialect::Postgres).unwrap()), plain, "{sql}");
    }
}

#[test]
fn other_dialects_are_carried_over_where_they_mean_the_same() {
    for (dialect, sql, expected) in [
        (
            ReadDialect::Mysql,
            "SELECT `Id`, ifnull(a, \"x\") FROM t LIMIT 5, 10",
            "SELECT id, coalesce(a, 'x') FROM t LIMIT 10 OFFSET 5",
        ),
        (
            ReadDialect::Mssql,
            "SELECT TOP 10 [id] FROM [dbo].[t] WITH (NOLOCK)",
            "SELECT id FROM t LIMIT 10",
        ),
        (ReadDialect::Bigquery, "SELECT DATE(a) FROM `t`", "SELECT CAST(a AS DATE) FROM t"),
        (
            ReadDialect::Sqlite,
            "SELECT a FROM t WHERE a LIKE 'x%'",
            "SELECT a FROM t WHERE a ILIKE 'x%'",
        ),
        (
            ReadDialect::Sqlite,
            "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
            "( SELECT 1 UNION SELECT 2 ) INTERSECT SELECT 3",
        ),
    ] {
        assert_eq!(reprinted(sql, dialect, Dialect::Postgres), expected, "{sql}");
    }
}

#[test]
fn what_is_refused_says_what_it_is() {
    for (sql, code) in [
        ("", Code::OneStatement),
        (" -- nothing", Code::OneStatement),
        (";select 1", Code::OneStatement),
        ("select 1; select 2", Code::OneStatement),
        ("explain select 1", Code::SelectOnly),
        ("delete from t", Code::DataModification),
        ("select 1 from", Code::Syntax),
        ("select 'a", Code::Lexical),
        ("select\u{a0}1", Code::Lexical),
    ] {
        assert_eq!(code_of(sql, ReadDialect::Postgres), Some(code), "{sql}");
    }
}

#[test]
fn operators_that_servers_group_differently_need_parentheses() {
    let both = [ReadDialect::Postgres, ReadDialect::Sqlite];
    for (sql, dialects) in [
        ("select a = b < c from t", &both[..]),
        ("select a = b is null from t", &both[..]),
        ("select a * not b from t", &both[..]),
        ("select a || b * 2 from t", &[]),
        ("select a * 2 || b from t", &both[1..]),
        ("select (a || b) * 2 from t", &[]),
        ("select a || b = c and not d from t", &[]),
        ("select j -> 'a' ->> 'b' from t", &[]),
        ("select -a + b * 2 - c from t", &[]),
        ("select -2 ^ 2", &both[..]),
        ("select a like '%' || b from t", &[]),
        ("select a between 1 and 2 + 3 from t", &[]),
    ] {
        for dialect in both {
            let expected = dialects.contains(&dialect).then_some(Code::Unsupported);
            assert_eq!(code_of(sql, dialect), expected, "{dialect:?}: {sql}");
        }
    }
}

#[test]
fn a_joined_pattern_of_a_regular_expression_needs_parentheses() {
    for (sql, code) in [
        ("select a ~ '^' || b from t", Some(Code::Unsupported)),
        ("select a !~* b ->> 'c' from t", Some(Code::Unsupported)),
        ("select a ~ ('^' || b) from t", None),
        ("select a || b ~ 'c' from t", None),
        ("select a ->> 'b' ~ 'c' from t", None),
    ] {
        assert_eq!(code_of(sql, ReadDialect::Postgres), code, "{sql}");
    }
}

#[test]
fn only_a_star_after_a_table_stands_for_inheriting_tables() {
    for (sql, expected) in [
        ("select a from t *", "SELECT a FROM t"),
        ("select a from s.t * join u * on true", "SELECT a FROM s.t JOIN u ON TRUE"),
        ("select 1 where a in (select b from t *)", "SELECT 1 WHERE a IN ( SELECT b FROM t )"),
        ("select a is distinct from b * c from t", "SELECT a IS DISTINCT FROM b * c FROM t"),
        ("select substring(a from b * -1) from t", "SELECT SUBSTRING(a FROM (b * -1)) FROM t"),
        ("select extract(epoch from a * b) from t", "SELECT EXTRACT(epoch FROM a * b) FROM t"),
    ] {
        assert_eq!(reprinted(sql, ReadDialect::Postgres, Dialect::Postgres), expected, "{sql}");
    }
}

#[test]
fn faults_point_at_their_place() {
    let sql = "SELECT a,\n  größe, pg_catalog.now() FROM t";
    let place = read(sql, ReadDialect::Sqlite).unwrap_err()[0].span;
    assert_eq!(&sql[place.start as usize..place.end as usize], "pg_catalog");
}

#[test]
fn caps_hold_on_a_small_stack() {
    let repeated = |start: &str, part: &str, count: usize, end: &str| {
        format!("{start}{}{end}", part.repeat(count))
    };
    let bombs = [
        repeated("SELECT 1", "+1", 3_000, ""),
        repeated("SELECT 1", " AND 1", 3_000, ""),
        repeated("SELECT ", "(", 3_000, ""),
        format!("SELECT {}1{}", "(".repeat(150), ")".repeat(150)),
        format!("SELECT {}1{}", "f(".repeat(150), ")".repeat(150)),
        repeated("SELECT ", "NOT ", 3_000, "1"),
        repeated("SELECT ", "- ", 3_000, "1"),
        repeated("SELECT 1", "::text", 3_000, ""),
        repeated("SELECT ", "CASE WHEN 1 THEN ", 500, "1"),
        repeated("SELECT 1", " UNION ALL SELECT 1", 1_500, ""),
        repeated("SELECT 1", " IS NULL", 1_500, ""),
        repeated("", "SELECT * FROM (", 150, "SELECT 1"),
        repeated("SELECT * FROM t ", "JOIN t ON 1=1 ", 1_000, ""),
        format!("SELECT {}1{}", "(1+".repeat(45), "+1+1+1+1+1+1+1+1+1+1)".repeat(45)),
        format!("SELECT {}", "x".repeat(40_000)),
        format!("SELECT {}1{}", "(SELECT (".repeat(24), "))".repeat(24)),
        repeated("SELECT a", " @> a", 3_000, ""),
        repeated("SELECT a", "[a", 150, &"]".repeat(150)),
        repeated("SELECT a", "[1]", 1_500, ""),
        repeated("SELECT ", "@ ", 3_000, "a"),
        repeated("SELECT a", "::kind", 3_000, ""),
        repeated("SELECT ", "s.f(x => ", 19, &format!("1{}", ")".repeat(19))),
        repeated("SELECT ", "(", 30, &format!("a{}", ").b".repeat(30))),
        repeated("SELECT a FROM ", "(", 30, &format!("t{}", " JOIN t ON TRUE)".repeat(30))),
        repeated(
            "SELECT 1 FROM ",
            "(SELECT sum(a) OVER w FROM ",
            30,
            &format!("t{}", " WINDOW w AS ()) AS t".repeat(30)),
        ),
        repeated("", "WITH t AS (", 30, &format!("SELECT 1 FOR UPDATE{}", ") SELECT 1".repeat(30))),
        repeated("SELECT ", "xmlelement(name a, ", 19, &format!("1{}", ")".repeat(19))),
    ];
    let handle = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let run = handle.spawn(move || {
        for sql in bombs {
            for dialect in DIALECTS {
                if let Ok(query) = read(&sql, dialect.into()) {
                    drop(print(&query, dialect));
                }
            }
        }
    });
    run.unwrap().join().unwrap();
}

/// Fragments whose random sequences resemble SQL.
fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "SELECT", "FROM", "WHERE", "t", "a", "b.c", "1", "'x'", "'\\'", "\"q\"", "(", ")", ",",
        "*", "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS NULL", "CASE", "WHEN", "THEN", "END",
        "+", "-", "||", "=", "JOIN", "ON", "LEFT", "GROUP BY", "ORDER BY", "LIMIT", "OVER",
        "UNION", "WITH", "AS", ";", "--", "/*", "*/", "::", "$$", "E'", "interval", "date",
        "count(*)", "->", "extract(", "cast(", "[", "]", "`", "\n", ":x", "$1", "?",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

/// Expressions that are valid in both dialects.
fn expression() -> impl Strategy<Value = String> {
    let text = "[ -~äß\\\\']{0,6}".prop_map(|text| format!("'{}'", text.replace('\'', "''")));
    let leaf = prop_oneof![
        prop::sample::select(vec!["a", "t.b", "\"Order\"", "1", "2.5", "NULL", "TRUE", "1e3"])
            .prop_map(str::to_owned),
        text,
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operator = prop::sample::select(vec![
            "+",
            "-",
            "*",
            "/",
            "%",
            "||",
            "=",
            "<>",
            "<",
            ">=",
            "AND",
            "OR",
            "->",
            "->>",
            "LIKE",
            "IS DISTINCT FROM",
        ]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) - 1 + ({b})")),
            inner.clone().prop_map(|a| format!("NOT ({a})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("({a}) IS NOT NULL")),
            inner.clone().prop_map(|a| format!("({a}) IS TRUE")),
            // sqlparser reads a subquery at the start of a list as the whole list, and rejects what follows it.
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) IN (1, {b})")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("({a}) NOT BETWEEN 1 AND ({b})")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("CASE WHEN {a} THEN {b} ELSE 0 END")),
            inner.clone().prop_map(|a| format!("coalesce({a}, 0)")),
            inner.clone().prop_map(|a| format!("CAST({a} AS INTEGER)")),
            inner.clone().prop_map(|a| format!("(SELECT {a} FROM t)")),
            inner.prop_map(|a| format!("sum({a}) OVER (PARTITION BY a ORDER BY b DESC)")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_or_refused(text in soup()) {
        for dialect in [
            ReadDialect::Bigquery, ReadDialect::Duckdb, ReadDialect::Mssql, ReadDialect::Mysql,
            ReadDialect::Postgres, ReadDialect::Sqlite,
        ] {
            drop(read(&text, dialect));
            drop(read(&format!("SELECT {text}"), dialect));
        }
    }

    #[test]
    fn any_characters_are_read_or_refused(text in "\\PC{0,60}") {
        drop(read(&format!("SELECT {text}"), ReadDialect::Postgres));
        drop(read(&format!("SELECT {text}"), ReadDialect::Mysql));
    }

    #[test]
    fn what_was_printed_is_one_statement_that_prints_the_same(expr in expression(), filter in expression()) {
        let sql = format!("SELECT {expr} AS x FROM t WHERE {filter} ORDER BY 1 LIMIT 5");
        for dialect in DIALECTS {
            let query = read(&sql, dialect.into()).map_err(|faults| TestCaseError::fail(format!("{sql}: {}", faults[0])))?;
            let text = print(&query, dialect).map_err(|error| TestCaseError::fail(format!("{sql}: {error}")))?;
            prop_assert_eq!(again(&text, dialect), Ok(text.clone()), "{}", sql);
            prop_assert_eq!(read(&text, dialect.into()), Ok(query), "{}", text);
        }
    }

    #[test]
    fn strings_and_names_survive_printing(text in "[^\\x00-\\x1f]{1,12}") {
        use wherefore_sql::tree::{Body, Expr, Identifier, Query, Select, SelectItem};
        for dialect in DIALECTS {
            let item = SelectItem::Expr {
                expr: Expr::string(text.clone()),
                alias: Some(Identifier::stored(text.clone())),
            };
            let select = Select { items: vec![item], ..Select::default() };
            let query = Query { body: Body::Select(Box::new(select)), ..Query::default() };
            let Ok(printed) = print(&query, dialect) else { continue };
            // Even a text with rejected characters cannot end a string literal or a name early.
            match again(&printed, dialect) {
                Ok(second) => prop_assert_eq!(second, printed),
                Err(fault) => prop_assert!(fault.contains("G07"), "{}: {}", printed, fault),
            }
        }
    }
}

//! Differences between good drafts, and which draft is chosen.

use proptest::prelude::*;

use crate::catalog::Catalog;
use crate::writing::choice::{choose, ranked};
use crate::writing::difference::difference;
use crate::writing::judge::Judged;
use crate::writing::taken::Taken;
use crate::writing::{
    Brief, Call, DecidedWords, Required, Tie, Writing, WritingSettings, WrittenStatement,
};

fn shop() -> Catalog {
    serde_json::from_str(include_str!("../../../tests/data/catalogs/shop.json"))
        .expect("the catalog is one")
}

/// `role: one | other` if one part differs, `+` and the roles if several do, empty if none does.
fn differs(one: &str, other: &str) -> String {
    let catalog = shop();
    let found = difference(&Taken::of(&catalog, one), &Taken::of(&catalog, other));
    match found.one {
        Some((role, one, other)) => {
            let apart = one.table != other.table;
            format!(
                "{}: {} | {}",
                role.word(),
                one.words(&catalog, apart),
                other.words(&catalog, apart)
            )
        }
        None => found.several.iter().flat_map(|(role, ..)| ["+", role.word()]).collect(),
    }
}

#[test]
fn other_ways_to_write_the_same_do_not_differ() {
    let pairs = [
        ("SELECT count(*) FROM orders", "SELECT count(o.id) AS n FROM orders o"),
        ("SELECT count(*) FROM orders", "SELECT count(DISTINCT id) FROM orders"),
        ("SELECT count(*) FROM orders", "SELECT sum(1) FROM orders"),
        (
            "SELECT count(*) FROM orders WHERE status = 'paid'",
            "SELECT sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM orders",
        ),
        (
            "SELECT count(*) FROM orders WHERE status = 'paid'",
            "SELECT count(*) FILTER (WHERE lower(status) = 'PAID') FROM orders",
        ),
        (
            "SELECT count(*) FROM orders WHERE status IN ('paid', 'open')",
            "SELECT count(*) FROM orders WHERE status IN ('open', 'paid')",
        ),
        ("SELECT avg(total) FROM orders", "SELECT sum(total) * 1.0 / count(*) AS mean FROM orders"),
        (
            "SELECT c.name, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name",
            "SELECT c.id, c.name, count(o.id) FROM customers c JOIN orders o ON o.customer_id = c.id \
             GROUP BY c.id, c.name ORDER BY 3 DESC",
        ),
        (
            "SELECT c.name, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name",
            "SELECT customer_id, count(*) FROM orders GROUP BY customer_id",
        ),
        (
            "SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer_id",
            "SELECT o.id, c.name FROM orders o LEFT JOIN customers c ON c.id = o.customer_id",
        ),
        (
            "SELECT sum(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id",
            "SELECT sum(o.total) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id",
        ),
        (
            "SELECT name FROM customers WHERE is_active",
            "SELECT id, name, email FROM customers WHERE is_active = TRUE",
        ),
        (
            "SELECT count(*) FROM orders WHERE order_date >= '2025-01-01' AND order_date < '2026-01-01'",
            "SELECT count(*) FROM orders WHERE EXTRACT(YEAR FROM order_date) = 2025",
        ),
        (
            "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status = 'paid')",
            "SELECT DISTINCT c.name FROM customers c JOIN orders o ON o.customer_id = c.id \
             WHERE o.status = 'paid'",
        ),
        (
            "WITH n AS (SELECT status, count(*) AS n FROM orders GROUP BY status) SELECT status, n FROM n",
            "SELECT status, count(*) FROM orders GROUP BY status",
        ),
    ];
    for (one, other) in pairs {
        assert_eq!(differs(one, other), "", "{one}\n{other}");
        assert_eq!(differs(other, one), "", "{other}\n{one}");
    }
}

#[test]
fn one_part_that_is_taken_differently_explains_every_place_of_it() {
    let pairs = [
        (
            "SELECT c.billing_city, count(*) FROM customers c GROUP BY c.billing_city",
            "SELECT c.shipping_city, count(*) FROM customers c GROUP BY c.shipping_city",
            "grouping: billing city | shipping city",
        ),
        (
            "SELECT name FROM customers WHERE billing_city = 'Vienna'",
            "SELECT name FROM customers WHERE shipping_city = 'Vienna'",
            "condition: billing city: Vienna | shipping city: Vienna",
        ),
        (
            "SELECT count(*) FROM orders WHERE status = 'paid'",
            "SELECT count(*) FROM orders WHERE status = 'shipped'",
            "condition: status: paid | status: shipped",
        ),
        (
            "SELECT count(*) FROM orders WHERE status = 'paid'",
            "SELECT count(*) FROM orders WHERE status <> 'paid'",
            "condition: status: paid | status not paid",
        ),
        (
            "SELECT count(*) FROM orders WHERE order_date > '2025-01-01'",
            "SELECT count(*) FROM orders WHERE due_date > '2025-01-01'",
            "date: order date | due date",
        ),
        (
            "SELECT sum(total) FROM orders",
            "SELECT avg(total) FROM orders",
            "figure: sum of total | average total",
        ),
        (
            "SELECT count(*) FROM orders",
            "SELECT count(DISTINCT customer_id) FROM orders",
            "figure: number of orders | number of different customer id",
        ),
        (
            "SELECT sum(total) FROM orders",
            "SELECT sum(l.quantity * l.unit_price) FROM order_lines l JOIN orders o ON o.id = l.order_id",
            "figure: sum of total of orders | sum of quantity × unit price of order lines",
        ),
        (
            "SELECT avg(total) FROM orders",
            "SELECT sum(total) / count(DISTINCT customer_id) FROM orders",
            "+figure+figure+figure",
        ),
        (
            "SELECT name FROM customers",
            "SELECT name FROM products",
            "column: name of customers | name of products",
        ),
        (
            "SELECT name FROM customers WHERE created_at > '2025-01-01'",
            "SELECT name FROM products WHERE released_on > '2025-01-01'",
            "table: customers | products",
        ),
        ("SELECT email FROM customers", "SELECT name FROM customers", "column: email | name"),
        (
            "SELECT c.name, count(o.id) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name",
            "SELECT c.name, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name",
            "+link",
        ),
        (
            "SELECT count(*) FROM orders WHERE status = 'paid'",
            "SELECT count(*) FROM orders",
            "+condition",
        ),
        (
            "SELECT status, sum(total) FROM orders GROUP BY status",
            "SELECT status, customer_id, avg(total) FROM orders GROUP BY status, customer_id",
            "+figure+grouping",
        ),
    ];
    for (one, other, expected) in pairs {
        assert_eq!(differs(one, other), expected, "{one}\n{other}");
    }
}

fn draft(sql: &str, score: i32) -> Judged {
    Judged { sql: sql.to_owned(), score, explained: true, ..Judged::default() }
}

const CITIES: [&str; 2] = [
    "SELECT c.billing_city, count(*) FROM customers c GROUP BY c.billing_city",
    "SELECT c.shipping_city, count(*) FROM customers c GROUP BY c.shipping_city",
];

/// The chosen statement, or the options of the question.
fn chosen(brief: &Brief, drafts: &[Judged]) -> String {
    let choice = choose(&shop(), brief, drafts, &ranked(drafts), true);
    let choice = choice.expect("there are drafts that may run");
    match choice.question {
        Some(question) => {
            let options: Vec<String> = question.options.into_iter().map(|it| it.label).collect();
            format!("{}? {}", question.phrase, options.join(" | "))
        }
        None => drafts[choice.best].sql.clone(),
    }
}

#[test]
fn options_stand_in_the_order_of_their_drafts_scores() {
    let drafts = [draft(CITIES[0], 120), draft(CITIES[1], 125)];
    let brief = Brief { question: "share of customers by city".to_owned(), ..Brief::default() };
    assert_eq!(chosen(&brief, &drafts), "city? shipping city | billing city");
}

#[test]
fn a_draft_that_is_far_behind_or_has_a_doubt_more_is_no_rival() {
    let brief = Brief::default();
    let far = [draft(CITIES[0], 125), draft(CITIES[1], 109)];
    assert_eq!(chosen(&brief, &far), CITIES[0]);
    let doubted = Judged { doubts: vec!["x".to_owned()], ..draft(CITIES[1], 120) };
    assert_eq!(chosen(&brief, &[draft(CITIES[0], 125), doubted]), CITIES[0]);
    let faulty = Judged { faults: vec!["x".to_owned()], ..draft(CITIES[1], 125) };
    assert_eq!(chosen(&brief, &[draft(CITIES[0], 125), faulty]), CITIES[0]);
}

#[test]
fn what_was_decided_or_said_is_taken_even_from_a_draft_that_scores_less() {
    let drafts = [draft(CITIES[0], 125), draft(CITIES[1], 115)];
    let required =
        Required { columns: vec!["customers.shipping_city".to_owned()], ..Required::default() };
    let words = DecidedWords { phrase: "city".to_owned(), required, ..DecidedWords::default() };
    let decided = Brief { decided: vec![words], ..Brief::default() };
    assert_eq!(chosen(&decided, &drafts), CITIES[1]);
    let tie = |column: &str, sure: bool| Tie {
        phrase: "city".to_owned(),
        table: "customers".to_owned(),
        column: Some(column.to_owned()),
        value: None,
        sure,
    };
    let said = Brief { ties: vec![tie("shipping_city", true)], ..Brief::default() };
    assert_eq!(chosen(&said, &drafts), CITIES[1]);
    let open = Brief {
        ties: vec![tie("shipping_city", false), tie("billing_city", false)],
        ..Brief::default()
    };
    assert_eq!(chosen(&open, &drafts), "city? billing city | shipping city");
}

#[test]
fn words_that_name_a_table_do_not_say_that_its_rows_are_counted() {
    let drafts =
        [draft("SELECT sum(total) FROM orders", 125), draft("SELECT count(*) FROM orders", 120)];
    let decided = |phrase: &str| {
        let required = Required { tables: vec!["orders".to_owned()], ..Required::default() };
        let words = DecidedWords { phrase: phrase.to_owned(), required, ..DecidedWords::default() };
        Brief { decided: vec![words], ..Brief::default() }
    };
    assert_eq!(chosen(&decided("order"), &drafts), "figure? sum of total | number of orders");
    assert_eq!(chosen(&decided("figure"), &drafts), "SELECT count(*) FROM orders");
}

#[test]
fn held_drafts_are_planned_anew_and_only_where_none_keeps_the_answer_a_model_is_called() {
    let catalog = shop();
    let begin = |held: &[&str]| {
        let column = "customers.shipping_city".to_owned();
        let required = Required { columns: vec![column], ..Required::default() };
        let statement =
            |sql: &str| WrittenStatement { sql: sql.to_owned(), ..WrittenStatement::default() };
        let held = held.iter().map(|sql| serde_json::to_string(&statement(sql)).unwrap());
        let brief = Brief {
            question: "share of customers by city".to_owned(),
            decided: vec![DecidedWords { required, fixed: true, ..DecidedWords::default() }],
            held: held.collect(),
            ..Brief::default()
        };
        let (_, calls) =
            Writing::begin(&catalog, WritingSettings::default(), brief, "n".to_owned());
        let plans = calls.iter().filter(|(_, call)| matches!(call, Call::Explain(_))).count();
        (plans, calls.len() - plans)
    };
    assert_eq!(begin(&CITIES), (1, 0));
    assert_eq!(begin(&["DROP TABLE customers", CITIES[1]]), (1, 0));
    let (plans, prompts) = begin(&["DROP TABLE customers", CITIES[0]]);
    assert!(plans == 0 && prompts > 0, "{plans} plans, {prompts} prompts");
}

#[test]
fn ties_go_to_the_shorter_statement_then_to_the_earlier_draft() {
    let short = "SELECT count(*) FROM orders";
    let same = "SELECT count(1) FROM orders";
    let long = "SELECT count(*) AS number FROM orders";
    let brief = Brief::default();
    assert_eq!(chosen(&brief, &[draft(long, 100), draft(short, 100), draft(same, 100)]), short);
    assert_eq!(chosen(&brief, &[draft(same, 100), draft(short, 100)]), same);
}

proptest! {
    #[test]
    fn the_choice_does_not_depend_on_the_order_of_the_drafts(
        order in Just(vec![0_usize, 1, 2, 3, 4]).prop_shuffle(),
        scores in prop::collection::vec(100_i32..125, 5),
    ) {
        // The names have different lengths, so that no two statements tie.
        let statements = [
            CITIES[0],
            CITIES[1],
            "SELECT c.shipping_country, count(*) FROM customers c GROUP BY c.shipping_country",
            "SELECT billing_city, sum(1) FROM customers GROUP BY 1",
            "SELECT c.billing_city, count(*) FROM customers c WHERE c.is_active GROUP BY c.billing_city",
        ];
        let drafts: Vec<Judged> =
            statements.iter().zip(&scores).map(|(sql, score)| draft(sql, *score)).collect();
        let shuffled: Vec<Judged> = order.iter().map(|at| drafts[*at].clone()).collect();
        prop_assert_eq!(chosen(&Brief::default(), &shuffled), chosen(&Brief::default(), &drafts));
    }

    #[test]
    fn any_text_is_taken_for_something(text: String, start in "(SELECT|WITH) [a-z*(), ]{0,40}") {
        let catalog = shop();
        Taken::of(&catalog, &text);
        let taken = Taken::of(&catalog, &format!("{start} FROM orders o, customers"));
        prop_assert!(difference(&taken, &taken).one.is_none());
    }
}

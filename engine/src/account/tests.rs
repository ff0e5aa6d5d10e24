//! Each kind of doubt, on questions made of a few mentions.

use super::{Accounted, DoubtKind};
use crate::catalog::{Catalog, ColumnRef};
use crate::data::Words;
use crate::intent::{
    Aggregate, Comparison, Expression, JoinStep, Literal, Predicate, QueryTree, Selection,
};
use crate::linking::{Lexical, Mention, SchemaIndex};
use crate::reading::{Condition, Frame, Part};
use crate::text::{Span, numbers, tokenize};

/// A structure word.
fn word(phrase: &str, lexical: Lexical) -> (Mention, Part) {
    let mention =
        Mention { phrase: phrase.to_owned(), lexical: vec![lexical], ..Mention::default() };
    (mention, Part::Lexical)
}

/// A number.
fn number(text: &str) -> (Mention, Part) {
    let number = numbers(&tokenize(text)).into_iter().next();
    (Mention { phrase: text.to_owned(), number, ..Mention::default() }, Part::Number)
}

/// Kinds of the doubts about mentions, a frame and a query tree.
fn kinds(said: Vec<(Mention, Part)>, frame: &Frame, tree: &QueryTree) -> Vec<DoubtKind> {
    let catalog = Catalog::default();
    let schema = SchemaIndex::new(&catalog, None, &Words::BUILT_IN);
    let placed = said
        .into_iter()
        .enumerate()
        .map(|(at, (mention, part))| (Mention { span: Span::new(at, at + 1), ..mention }, part));
    let (mentions, parts): (Vec<Mention>, Vec<Part>) = placed.unzip();
    let accounted = Accounted {
        catalog: &catalog,
        schema: &schema,
        mentions: &mentions,
        parts: &parts,
        frame,
        tree,
    };
    accounted.doubts().into_iter().map(|doubt| doubt.kind).collect()
}

fn column(name: &str) -> Expression {
    Expression::Column { column: ColumnRef::new("orders", name) }
}

fn bound(operator: Comparison) -> Predicate {
    let right = Literal::Number { value: "5".to_owned() };
    Predicate::Compare { left: column("total"), operator, right }
}

fn tree(filters: Vec<Predicate>) -> QueryTree {
    QueryTree { filters, ..QueryTree::default() }
}

#[test]
fn a_comparison_that_the_query_lacks_is_doubted() {
    let said = || vec![word("more than", Lexical::MoreThan)];
    assert_eq!(kinds(said(), &Frame::default(), &tree(vec![])), [DoubtKind::ComparisonLost]);
    let equal = tree(vec![bound(Comparison::Equal)]);
    assert_eq!(kinds(said(), &Frame::default(), &equal), [DoubtKind::ComparisonLost]);
    let compared = tree(vec![bound(Comparison::Greater)]);
    assert_eq!(kinds(said(), &Frame::default(), &compared), []);
}

#[test]
fn a_negation_that_the_query_lacks_is_doubted() {
    let said = || vec![word("not", Lexical::Not)];
    let kept = tree(vec![bound(Comparison::Equal)]);
    assert_eq!(kinds(said(), &Frame::default(), &kept), [DoubtKind::NegationLost]);
    let denied = tree(vec![bound(Comparison::NotEqual)]);
    assert_eq!(kinds(said(), &Frame::default(), &denied), []);
}

#[test]
fn a_number_that_no_clause_uses_is_doubted_and_a_percentage_is_no_limit() {
    let limited = Frame { limit: Some((7, 3)), ..Frame::default() };
    assert_eq!(kinds(vec![number("7")], &limited, &tree(vec![])), []);
    assert_eq!(kinds(vec![number("7%")], &limited, &tree(vec![])), [DoubtKind::NumberUnused]);
    assert_eq!(kinds(vec![number("8")], &limited, &tree(vec![])), [DoubtKind::NumberUnused]);
    let counted = Frame {
        conditions: vec![Condition::Measure {
            at: 3,
            operator: Comparison::Greater,
            value: "8".to_owned(),
        }],
        ..Frame::default()
    };
    assert_eq!(kinds(vec![number("8")], &counted, &tree(vec![])), []);
}

#[test]
fn rows_that_must_and_must_not_exist_are_doubted() {
    let joins = || {
        vec![JoinStep {
            from_table: "customers".to_owned(),
            from_columns: vec!["id".to_owned()],
            to_table: "orders".to_owned(),
            to_columns: vec!["customer_id".to_owned()],
            outer: false,
        }]
    };
    let exists = |negated| Predicate::Exists { joins: joins(), conditions: Vec::new(), negated };
    let both = tree(vec![exists(false), exists(true)]);
    assert_eq!(kinds(vec![], &Frame::default(), &both), [DoubtKind::ExistsContradicted]);
    assert_eq!(kinds(vec![], &Frame::default(), &tree(vec![exists(true)])), []);
}

#[test]
fn both_values_of_one_column_are_doubted() {
    let either = Predicate::OneOf {
        column: ColumnRef::new("orders", "status"),
        values: vec!["open".to_owned(), "paid".to_owned()],
    };
    let tree = tree(vec![either]);
    let both = || word("both", Lexical::Both);
    assert_eq!(kinds(vec![both()], &Frame::default(), &tree), [DoubtKind::BothOfOneValue]);
    let or = vec![both(), word("or", Lexical::Or)];
    assert_eq!(kinds(or, &Frame::default(), &tree), []);
    let having = |distinct: bool, operator| Predicate::Compare {
        left: Expression::Aggregate {
            function: Aggregate::Count,
            argument: distinct.then(|| Box::new(column("status"))),
            distinct,
        },
        operator,
        right: Literal::Number { value: "2".to_owned() },
    };
    let all = QueryTree { having: vec![having(true, Comparison::Equal)], ..tree.clone() };
    assert_eq!(kinds(vec![both()], &Frame::default(), &all), []);
    let some = QueryTree { having: vec![having(false, Comparison::Greater)], ..tree };
    assert_eq!(kinds(vec![both()], &Frame::default(), &some), [DoubtKind::BothOfOneValue]);
}

#[test]
fn a_column_shown_twice_is_a_mild_doubt() {
    let shown = |name| Selection { expression: column(name), alias: None };
    let tree = QueryTree { select: vec![shown("total"), shown("total")], ..QueryTree::default() };
    assert_eq!(kinds(vec![], &Frame::default(), &tree), [DoubtKind::ShownTwice]);
    assert!(!DoubtKind::ShownTwice.is_severe() && DoubtKind::NumberUnused.is_severe());
}

//! Ways to join the tables of a brief.

use crate::catalog::{Catalog, Column, ForeignKey, Table};
use crate::writing::skeleton::skeleton;
use crate::writing::ways::{JOIN, Ways};
use crate::writing::{Brief, DecidedWords, Required, Writing, WritingSettings};

/// A catalog with foreign keys such as `sales.sold_by>people`, and the tables that they name.
fn catalog(keys: &[&str]) -> Catalog {
    let mut catalog = Catalog::default();
    let mut add = |name: &str, column: &str| {
        let at = catalog.tables.iter().position(|table| table.name == name);
        let at = at.unwrap_or_else(|| {
            catalog.tables.push(Table { name: name.to_owned(), ..Table::default() });
            catalog.tables.len() - 1
        });
        let column = Column { name: column.to_owned(), ..Column::default() };
        catalog.tables[at].columns.push(column);
    };
    let mut foreign = Vec::new();
    for key in keys {
        let (from, to) = key.split_once('>').expect("a key has a target");
        let (table, column) = from.split_once('.').expect("a key has a column");
        add(table, column);
        add(to, "id");
        foreign.push(ForeignKey {
            from_table: table.to_owned(),
            from_columns: vec![column.to_owned()],
            to_table: to.to_owned(),
            to_columns: vec!["id".to_owned()],
            ..ForeignKey::default()
        });
    }
    catalog.foreign_keys = foreign;
    catalog
}

/// The ways from a table to another, each as the tables that it leads to, with its cost.
fn ways(keys: &[&str], from: &str, to: &str, most: usize) -> Vec<(u32, String)> {
    let catalog = catalog(keys);
    let ways = Ways { catalog: &catalog, costs: vec![JOIN; keys.len()] };
    let found = ways.shortest(&[from.to_owned()], to, most);
    let tables = |steps: Vec<(usize, String)>| {
        steps.into_iter().map(|(key, table)| format!("{key}>{table}")).collect::<Vec<_>>().join(" ")
    };
    found.into_iter().map(|way| (way.cost, tables(way.steps))).collect()
}

const SALES: [&str; 5] = [
    "sales.sold_by>people",
    "sales.approved_by>people",
    "sales.shop_id>shops",
    "shops.boss_id>people",
    "people.chief_id>people",
];

#[test]
fn ways_come_by_cost_each_once_and_without_loops() {
    let found = ways(&SALES, "sales", "people", 5);
    let wanted = [(10, "0>people"), (10, "1>people"), (20, "2>shops 3>people")];
    let wanted: Vec<(u32, String)> =
        wanted.iter().map(|(cost, way)| (*cost, (*way).to_owned())).collect();
    assert_eq!(found, wanted);
    assert_eq!(ways(&SALES, "sales", "people", 2), wanted[..2]);
    assert_eq!(ways(&SALES, "shops", "people", 5).len(), 3);
    assert!(ways(&SALES[..1], "sales", "nothing", 3).is_empty());
}

#[test]
fn a_role_of_the_question_decides_between_equal_ways() {
    let catalog = catalog(&SALES);
    let tables = ["sales".to_owned(), "people".to_owned()];
    let of = |question: &str| {
        let brief = Brief { question: question.to_owned(), ..Brief::default() };
        skeleton(&catalog, &brief, &tables)
    };
    let open = of("ratio of sales per person");
    assert_eq!(open.open.len(), 1, "{open:?}");
    let columns: Vec<&str> = open.open[0].ways.iter().map(|turn| turn.column.as_str()).collect();
    assert_eq!(columns, ["sold_by", "approved_by"]);
    assert_eq!(open.others.len(), 2);
    let named = of("ratio of sales per person they were approved by");
    assert!(named.open.is_empty(), "{named:?}");
    assert_eq!(named.joins, [("sales.approved_by".to_owned(), "people.id".to_owned())]);
}

#[test]
fn an_open_way_is_asked_about_before_anything_is_written() {
    let catalog = catalog(&SALES);
    let selected = vec!["sales".to_owned(), "people".to_owned()];
    let brief = Brief { question: "ratio".to_owned(), selected, ..Brief::default() };
    let begin = |brief: &Brief| {
        let settings = WritingSettings::default();
        Writing::begin(&catalog, settings, brief.clone(), "n".to_owned())
    };
    let (writing, calls) = begin(&brief);
    assert!(calls.is_empty(), "{calls:?}");
    let asked = &writing.finished().expect("a question ends the writing").questions[0];
    let labels: Vec<&str> = asked.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["sold by", "approved by"]);
    let required =
        Required { columns: vec!["sales.approved_by".to_owned()], ..Required::default() };
    let decided = vec![DecidedWords { required, fixed: true, ..DecidedWords::default() }];
    let (writing, calls) = begin(&Brief { decided, ..brief.clone() });
    assert!(writing.finished().is_none() && !calls.is_empty(), "the answer is kept");
    let (writing, _) = begin(&Brief { skip_clarification: true, ..brief });
    assert!(writing.finished().is_none(), "nothing is asked where asking is off");
}

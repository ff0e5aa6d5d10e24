//! The clauses of a query tree, in the order of SQL, before words are assigned to them.

use wherefore_english::and_list;

use super::touched::Touched;
use super::{ClauseDefault, ClauseKind};
use crate::catalog::Catalog;
use crate::intent::{Aggregate, Expression, QueryTree, Selection};
use crate::narration::Describer;

/// A clause of a query tree.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) kind: ClauseKind,
    /// What it says, in a few words.
    pub(super) text: String,
    /// What it is about.
    pub(super) about: Touched<'a>,
    /// Positions of the mentions that ask for it.
    pub(super) mentions: Vec<usize>,
}

/// All clauses of a query tree.
pub(super) fn drafts<'a>(catalog: &Catalog, tree: &'a QueryTree) -> Vec<Draft<'a>> {
    let mut drafter = Drafter { describer: Describer { catalog }, drafts: Vec::new() };
    for part in std::iter::once(tree).chain(&tree.also) {
        drafter.tree(part);
    }
    drafter.drafts
}

impl Draft<'_> {
    /// Why the clause is there if no words ask for it, as far as its kind alone says so.
    pub(super) fn default(&self) -> Option<ClauseDefault> {
        Some(match self.kind {
            ClauseKind::Column => ClauseDefault::Columns,
            ClauseKind::Distinct => ClauseDefault::Distinct,
            ClauseKind::Join => ClauseDefault::Join,
            ClauseKind::Limit => ClauseDefault::Limit,
            ClauseKind::Order => ClauseDefault::Order,
            ClauseKind::Rows => ClauseDefault::Rows,
            ClauseKind::Figure if self.text.starts_with("number of ") => ClauseDefault::Count,
            ClauseKind::Condition
            | ClauseKind::Figure
            | ClauseKind::Group
            | ClauseKind::GroupCondition
            | ClauseKind::Template => return None,
        })
    }
}

/// Collects clauses.
struct Drafter<'a, 'b> {
    describer: Describer<'b>,
    drafts: Vec<Draft<'a>>,
}

impl<'a> Drafter<'a, '_> {
    fn push(&mut self, kind: ClauseKind, text: String, about: Touched<'a>) {
        let known = |draft: &Draft<'_>| draft.kind == kind && draft.text == text;
        if !self.drafts.iter().any(known) {
            self.drafts.push(Draft { kind, text, about, mentions: Vec::new() });
        }
    }

    fn tree(&mut self, tree: &'a QueryTree) {
        self.shown(tree);
        if tree.distinct {
            self.push(ClauseKind::Distinct, "equal rows once".to_owned(), Touched::default());
        }
        let about = Touched { tables: [tree.from.as_str()].into(), ..Touched::default() };
        self.push(ClauseKind::Rows, self.describer.rows(&tree.from), about);
        for join in &tree.joins {
            let about = Touched { tables: [join.to_table.as_str()].into(), ..Touched::default() };
            let rows = |key: &str| self.describer.rows(key);
            let text = format!("{} with their {}", rows(&join.from_table), rows(&join.to_table));
            self.push(ClauseKind::Join, text, about);
        }
        for predicate in &tree.filters {
            let text = self.describer.predicate(predicate);
            self.push(ClauseKind::Condition, text, Touched::default().predicate(predicate));
        }
        self.groups(tree);
        for predicate in &tree.having {
            let text = self.describer.group_condition(tree, predicate);
            self.push(ClauseKind::GroupCondition, text, Touched::default().predicate(predicate));
        }
        if let Some(mean) = &tree.against_mean {
            let mut about = Touched::default().expression(&mean.aggregate);
            about.functions.push(Aggregate::Average);
            self.push(ClauseKind::GroupCondition, self.describer.against_mean(tree, mean), about);
        }
        self.order(tree);
    }

    fn shown(&mut self, tree: &'a QueryTree) {
        let is_group = |item: &Selection| tree.group_by.contains(&item.expression);
        for item in tree.select.iter().filter(|item| !is_group(item)) {
            let figure = item.expression.is_aggregate();
            let kind = if figure { ClauseKind::Figure } else { ClauseKind::Column };
            let text = self.describer.shown_item(tree, item);
            self.push(kind, text, Touched::default().expression(&item.expression));
        }
        if let Some(over) = &tree.over_groups {
            let about = Touched { functions: vec![over.function], ..Touched::default() };
            self.push(ClauseKind::Figure, self.describer.shown(tree), about);
        }
    }

    /// One clause for each thing that is grouped by; the columns of one row are one thing.
    fn groups(&mut self, tree: &'a QueryTree) {
        let mut keyed: Vec<&str> = Vec::new();
        for expression in &tree.group_by {
            let table = match expression {
                Expression::Column { column } => Some(column.table.as_str()),
                _ => None,
            };
            let text = and_list(&self.describer.groups(&grouped_by(expression)));
            let text = format!("for each {text}");
            let about = Touched::default().expression(expression);
            let last = self
                .drafts
                .last_mut()
                .filter(|_| table.is_some_and(|table| keyed.contains(&table)));
            if let Some(last) = last {
                last.about.columns.extend(about.columns);
                continue;
            }
            if let Some(table) = table.filter(|_| self.describer.is_key(expression)) {
                keyed.push(table);
            }
            self.push(ClauseKind::Group, text, about);
        }
    }

    fn order(&mut self, tree: &'a QueryTree) {
        for order in &tree.order_by {
            let text = self.describer.order(tree, order);
            let about = Touched::default().expression(&order.expression);
            self.push(ClauseKind::Order, text, about);
        }
        if let Some(top) = &tree.top {
            let about = Touched { kept: Some(top.count), ..Touched::default() };
            let about = top.partition.iter().fold(about, Touched::expression);
            self.push(ClauseKind::Limit, self.describer.first_of_each(tree, top), about);
        }
        if let Some(limit) = tree.limit {
            let text = match limit {
                1 => "the first row".to_owned(),
                limit => format!("the first {limit} rows"),
            };
            let about = Touched { kept: Some(limit), ..Touched::default() };
            self.push(ClauseKind::Limit, text, about);
        }
    }
}

fn grouped_by(expression: &Expression) -> QueryTree {
    QueryTree { group_by: vec![expression.clone()], ..QueryTree::default() }
}

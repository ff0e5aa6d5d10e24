//! Lowering of conditions.

use super::{Lowering, Scope, all};
use crate::catalog::{ColumnRef, DataType};
use crate::intent::{Aggregate, Comparison, JoinStep, Predicate, TextMatch};
use wherefore_sql::Dialect;
use wherefore_sql::tree::{
    Argument, BinaryOperator, Body, Expr, FromItem, FunctionCall, Literal as SqlLiteral, Query,
    Select, SelectItem,
};

impl Lowering<'_> {
    pub(super) fn predicate(&self, predicate: &Predicate, scope: &Scope) -> Expr {
        match predicate {
            Predicate::AgainstColumn { column, operator, joins, other } => {
                let other = if joins.is_empty() {
                    self.column(other, scope)
                } else {
                    self.of_related_row(joins, other, scope)
                };
                Expr::binary(self.column(column, scope), comparison(*operator), other)
            }
            Predicate::AgainstFigure { column, operator, function, conditions, same } => {
                let figure = self.figure(column, *function, conditions, (same, scope));
                Expr::binary(self.column(column, scope), comparison(*operator), figure)
            }
            Predicate::All { conditions } => all(self.each(conditions, scope))
                .unwrap_or(Expr::literal(SqlLiteral::Boolean(true))),
            Predicate::Any { conditions } => any(self.each(conditions, scope)),
            Predicate::Compare { left, operator, right } => {
                let literal = self.literal(right, left);
                Expr::binary(self.expression(left, scope), comparison(*operator), literal)
            }
            Predicate::Exists { joins, conditions, negated } => {
                let query = self.related(joins, conditions, scope, Expr::number("1"));
                Expr::Exists { query: Box::new(query), negated: *negated }
            }
            // Only groups have it, and their query lowers it.
            Predicate::AmongGroups { .. } => Expr::literal(SqlLiteral::Boolean(false)),
            Predicate::Extreme { column, percent, highest } => {
                self.extreme(column, *percent, *highest, scope)
            }
            Predicate::InRange { column, range } => {
                let bound = |operator, date: &Option<String>| {
                    date.as_ref().map(|date| {
                        let literal = match self.data_type(column) {
                            DataType::Timestamp if self.dialect == Dialect::Postgres => {
                                SqlLiteral::Timestamp(format!("{date} 00:00:00"))
                            }
                            _ => SqlLiteral::Date(date.clone()),
                        };
                        Expr::binary(self.column(column, scope), operator, Expr::literal(literal))
                    })
                };
                let bounds = [
                    bound(BinaryOperator::GreaterOrEqual, &range.start),
                    bound(BinaryOperator::Less, &range.end),
                ];
                all(bounds.into_iter().flatten().collect())
                    .unwrap_or(Expr::literal(SqlLiteral::Boolean(true)))
            }
            Predicate::IsNull { column, negated } => {
                Expr::IsNull { operand: Box::new(self.column(column, scope)), negated: *negated }
            }
            Predicate::Not { condition } => self.negated(condition, scope),
            Predicate::OneOf { column, values } => self.one_of(column, values, false, scope),
            Predicate::RelatedCount { joins, conditions, operator, value, distinct } => {
                let count = match distinct {
                    Some(key) => self.different(joins, key, scope),
                    None => Expr::from(FunctionCall::new("count", vec![Argument::Star])),
                };
                let query = self.related(joins, conditions, scope, count);
                let count = Expr::Subquery(Box::new(query));
                Expr::binary(count, comparison(*operator), Expr::number(value))
            }
            Predicate::RelatedToAll { joins, key, conditions } => {
                self.related_to_all(joins, key, conditions, scope)
            }
            Predicate::Text { column, matching, text } => {
                self.text(column, *matching, text, false, scope)
            }
        }
    }

    /// Relational division: as many different partners as there are rows at the far end.
    fn related_to_all(
        &self,
        joins: &[JoinStep],
        key: &ColumnRef,
        conditions: &[Predicate],
        scope: &Scope,
    ) -> Expr {
        let inner = self.within(scope);
        let partners = self.related(joins, conditions, scope, self.different(joins, key, scope));
        let rows = inner.scope(&[&key.table]);
        let all = Select {
            items: vec![SelectItem::Expr {
                expr: Expr::from(FunctionCall::new("count", vec![Argument::Star])),
                alias: None,
            }],
            from: vec![FromItem { source: inner.source(&key.table, &rows), joins: Vec::new() }],
            filter: all(inner.each(conditions, &rows)),
            ..Select::default()
        };
        let all = Query { body: Body::Select(Box::new(all)), ..Query::default() };
        Expr::binary(
            Expr::Subquery(Box::new(partners)),
            BinaryOperator::Equal,
            Expr::Subquery(Box::new(all)),
        )
    }

    /// The number of different values of a column of the rows at the far end of some joins.
    fn different(&self, joins: &[JoinStep], key: &ColumnRef, scope: &Scope) -> Expr {
        let inner = self.within(scope);
        let far = inner.scope(&joins.iter().map(|step| step.to_table.as_str()).collect::<Vec<_>>());
        Expr::from(FunctionCall {
            distinct: true,
            ..FunctionCall::new("count", vec![Argument::Expr(inner.column(key, &far))])
        })
    }

    /// Lowering of a level inside this one.
    fn within(&self, outside: &Scope) -> Self {
        let mut outer = self.outer.clone();
        outer.extend(outside.tables.iter().map(|(_, name)| name.clone()));
        Self { catalog: self.catalog, dialect: self.dialect, outer }
    }

    fn negated(&self, condition: &Predicate, scope: &Scope) -> Expr {
        match condition {
            Predicate::OneOf { column, values } => {
                let differs = self.one_of(column, values, true, scope);
                if self.catalog.column(column).is_some_and(|column| column.nullable) {
                    let operand = Box::new(self.column(column, scope));
                    Expr::Or(vec![differs, Expr::IsNull { operand, negated: false }])
                } else {
                    differs
                }
            }
            Predicate::Text { column, matching, text } => {
                self.text(column, *matching, text, true, scope)
            }
            // "Not shipped in 2024": what was never shipped is among them.
            Predicate::InRange { column, .. }
                if self.catalog.column(column).is_some_and(|column| column.nullable) =>
            {
                let operand = Box::new(self.column(column, scope));
                let outside = Expr::Not(Box::new(self.predicate(condition, scope)));
                Expr::Or(vec![outside, Expr::IsNull { operand, negated: false }])
            }
            other => Expr::Not(Box::new(self.predicate(other, scope))),
        }
    }

    pub(super) fn each(&self, conditions: &[Predicate], scope: &Scope) -> Vec<Expr> {
        conditions.iter().map(|condition| self.predicate(condition, scope)).collect()
    }

    fn one_of(&self, column: &ColumnRef, values: &[String], negated: bool, scope: &Scope) -> Expr {
        let operand = self.column(column, scope);
        match values {
            [value] => {
                let operator =
                    if negated { BinaryOperator::NotEqual } else { BinaryOperator::Equal };
                Expr::binary(operand, operator, Expr::string(value))
            }
            values => Expr::InList {
                operand: Box::new(operand),
                list: values.iter().map(Expr::string).collect(),
                negated,
            },
        }
    }

    fn text(
        &self,
        column: &ColumnRef,
        matching: TextMatch,
        text: &str,
        negated: bool,
        scope: &Scope,
    ) -> Expr {
        let mut escaped = String::new();
        for character in text.chars() {
            if matches!(character, '%' | '_' | '\\') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        let pattern = match matching {
            TextMatch::Contains => format!("%{escaped}%"),
            TextMatch::EndsWith => format!("%{escaped}"),
            TextMatch::StartsWith => format!("{escaped}%"),
        };
        Expr::Like {
            operand: Box::new(self.column(column, scope)),
            pattern: Box::new(Expr::string(pattern)),
            case_insensitive: true,
            negated,
            escape: text.contains(['%', '_', '\\']).then_some('\\'),
        }
    }

    /// A subquery over the rows at the far end of some joins, tied to the row outside.
    fn related(
        &self,
        joins: &[JoinStep],
        conditions: &[Predicate],
        outside: &Scope,
        select: Expr,
    ) -> Query {
        let inner = self.within(outside);
        let keys: Vec<&str> = joins.iter().map(|step| step.to_table.as_str()).collect();
        let scope = inner.scope(&keys);
        let Some(first) = joins.first() else { return Query::default() };
        let mut filters = vec![inner.link(first, outside, &scope)];
        filters.extend(inner.each(conditions, &scope));
        let select = Select {
            items: vec![SelectItem::Expr { expr: select, alias: None }],
            from: vec![FromItem {
                source: inner.source(&first.to_table, &scope),
                joins: inner.joins(&joins[1..], &scope),
            }],
            filter: all(filters),
            ..Select::default()
        };
        Query { body: Body::Select(Box::new(select)), ..Query::default() }
    }

    /// A scalar subquery: the value of a column in the one row that joins lead to.
    pub(super) fn of_related_row(
        &self,
        joins: &[JoinStep],
        column: &ColumnRef,
        scope: &Scope,
    ) -> Expr {
        let inner = self.within(scope);
        let far = inner.scope(&joins.iter().map(|step| step.to_table.as_str()).collect::<Vec<_>>());
        let query = self.related(joins, &[], scope, inner.column(column, &far));
        Expr::Subquery(Box::new(query))
    }

    /// A scalar subquery: a figure of the values that a column has in the rows where conditions hold.
    fn figure(
        &self,
        column: &ColumnRef,
        function: Aggregate,
        conditions: &[Predicate],
        (same, outside): (&[ColumnRef], &Scope),
    ) -> Expr {
        let correlated = self.within(outside);
        let apart = !same.is_empty() || conditions.iter().any(is_nested);
        let inner = if apart { &correlated } else { self };
        let tables = inner.scope(&[&column.table]).tables;
        let scope = Scope { tables, qualified: apart };
        let equal = same.iter().map(|same| {
            let operator = BinaryOperator::Equal;
            Expr::binary(inner.column(same, &scope), operator, self.column(same, outside))
        });
        let filters = inner.each(conditions, &scope).into_iter().chain(equal).collect();
        let inner = Select {
            items: vec![SelectItem::Expr {
                expr: Expr::call(function.function(), vec![inner.column(column, &scope)]),
                alias: None,
            }],
            from: vec![FromItem { source: inner.source(&column.table, &scope), joins: Vec::new() }],
            filter: all(filters),
            ..Select::default()
        };
        Expr::Subquery(Box::new(Query { body: Body::Select(Box::new(inner)), ..Query::default() }))
    }
}

pub(super) fn is_nested(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::AgainstColumn { joins, .. } => !joins.is_empty(),
        Predicate::AgainstFigure { .. }
        | Predicate::Exists { .. }
        | Predicate::Extreme { .. }
        | Predicate::RelatedCount { .. }
        | Predicate::RelatedToAll { .. } => true,
        Predicate::All { conditions } | Predicate::Any { conditions } => {
            conditions.iter().any(is_nested)
        }
        Predicate::Not { condition } => is_nested(condition),
        _ => false,
    }
}

pub(super) fn comparison(operator: Comparison) -> BinaryOperator {
    match operator {
        Comparison::Equal => BinaryOperator::Equal,
        Comparison::Greater => BinaryOperator::Greater,
        Comparison::GreaterOrEqual => BinaryOperator::GreaterOrEqual,
        Comparison::Less => BinaryOperator::Less,
        Comparison::LessOrEqual => BinaryOperator::LessOrEqual,
        Comparison::NotEqual => BinaryOperator::NotEqual,
    }
}

fn any(mut conditions: Vec<Expr>) -> Expr {
    match conditions.len() {
        1 => conditions.pop().unwrap_or(Expr::literal(SqlLiteral::Boolean(false))),
        _ => Expr::Or(conditions),
    }
}

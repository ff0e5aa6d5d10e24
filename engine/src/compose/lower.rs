//! Lowering: a query tree becomes a SQL tree for one dialect.

use crate::catalog::{Catalog, ColumnRef, DataType};
use crate::intent::{
    Aggregate, ArithmeticOperator, Comparison, Expression, JoinStep, Literal, Predicate, QueryTree,
    TextMatch, TimeGrain,
};
use crate::sql::Dialect;
use crate::sql::tree::{
    Argument, BinaryOperator, Body, CastType, Expr, FromItem, FunctionCall, Identifier, Join,
    JoinCondition, JoinKind, Literal as SqlLiteral, OrderItem, Query, Select, SelectItem,
    SetOperator, Source, Window,
};

/// SQL tree of a query tree; rows beyond `offset` are left out, and at most `limit` come back.
pub(crate) fn lower(catalog: &Catalog, tree: &QueryTree, limit: Option<u32>, offset: u32) -> Query {
    let lowering = Lowering { catalog, dialect: catalog.dialect, outer: Vec::new() };
    lowering.query(tree, limit, offset)
}

/// Lowering of one query level.
#[derive(Debug)]
struct Lowering<'a> {
    catalog: &'a Catalog,
    dialect: Dialect,
    /// Table names used by the levels around this one.
    outer: Vec<String>,
}

/// Tables of one level with the names they go by.
#[derive(Clone, Debug, Default)]
struct Scope {
    tables: Vec<(String, String)>,
    qualified: bool,
}

impl Scope {
    fn name_of(&self, key: &str) -> Option<&str> {
        self.tables.iter().find(|(table, _)| table == key).map(|(_, name)| name.as_str())
    }
}

impl Lowering<'_> {
    fn query(&self, tree: &QueryTree, limit: Option<u32>, offset: u32) -> Query {
        if !tree.also.is_empty() {
            return self.union(tree, limit, offset);
        }
        let keys: Vec<&str> = std::iter::once(tree.from.as_str())
            .chain(tree.joins.iter().map(|step| step.to_table.as_str()))
            .collect();
        let mut scope = self.scope(&keys);
        scope.qualified = keys.len() > 1 || tree.filters.iter().any(is_nested);
        let items = tree
            .select
            .iter()
            .map(|item| SelectItem::Expr {
                expr: self.expression(&item.expression, &scope),
                alias: item
                    .alias
                    .as_ref()
                    .map(|alias| Identifier { name: alias.clone(), ..Identifier::default() }),
            })
            .collect();
        let filters: Vec<Expr> =
            tree.filters.iter().map(|filter| self.predicate(filter, &scope)).collect();
        let having: Vec<Expr> =
            tree.having.iter().map(|filter| self.predicate(filter, &scope)).collect();
        let select = Select {
            distinct: tree.distinct,
            items,
            from: vec![FromItem {
                source: self.source(&tree.from, &scope),
                joins: self.joins(&tree.joins, &scope),
            }],
            filter: all(filters),
            group_by: tree.group_by.iter().map(|group| self.expression(group, &scope)).collect(),
            having: all(having),
            ..Select::default()
        };
        let order_by = tree
            .order_by
            .iter()
            .map(|order| OrderItem {
                expr: self.ordered(tree, &order.expression, &scope),
                descending: order.descending,
                nulls_first: None,
            })
            .collect();
        Query {
            body: Body::Select(Box::new(select)),
            order_by,
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..Query::default()
        }
    }

    /// Rows of several trees as one, in the order of the output columns.
    fn union(&self, tree: &QueryTree, limit: Option<u32>, offset: u32) -> Query {
        let alone =
            |tree: &QueryTree| QueryTree { also: Vec::new(), order_by: Vec::new(), ..tree.clone() };
        let first = self.query(&alone(tree), None, 0);
        let whole = tree.also.iter().fold(first, |left, right| Query {
            body: Body::SetOperation {
                operator: SetOperator::Union,
                all: false,
                left: Box::new(left),
                right: Box::new(self.query(&alone(right), None, 0)),
            },
            ..Query::default()
        });
        let named = tree.select.iter().filter_map(|item| match (&item.alias, &item.expression) {
            (Some(alias), _) => Some(Identifier { name: alias.clone(), ..Identifier::default() }),
            (None, Expression::Column { column }) => Some(Identifier::stored(&column.column)),
            _ => None,
        });
        let order_by = named
            .map(|name| OrderItem {
                expr: Expr::Column { qualifier: None, name },
                descending: false,
                nulls_first: None,
            })
            .collect();
        Query {
            order_by,
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..whole
        }
    }

    /// An ordering names the output column where the expression is one with an alias.
    fn ordered(&self, tree: &QueryTree, expression: &Expression, scope: &Scope) -> Expr {
        let alias = tree
            .select
            .iter()
            .find(|item| {
                item.expression == *expression && !matches!(expression, Expression::Column { .. })
            })
            .and_then(|item| item.alias.clone());
        match alias {
            Some(alias) => Expr::Column {
                qualifier: None,
                name: Identifier { name: alias, ..Identifier::default() },
            },
            None => self.expression(expression, scope),
        }
    }

    fn scope(&self, keys: &[&str]) -> Scope {
        let mut scope = Scope { tables: Vec::new(), qualified: true };
        for key in keys {
            let bare = self.catalog.table(key).map_or(*key, |table| table.name.as_str());
            let mut name = bare.to_owned();
            let mut number = 2;
            while self.outer.contains(&name) || scope.tables.iter().any(|(_, used)| *used == name) {
                name = format!("{bare}_{number}");
                number += 1;
            }
            scope.tables.push(((*key).to_owned(), name));
        }
        scope
    }

    fn source(&self, key: &str, scope: &Scope) -> Source {
        let (schema, name) = match self.catalog.table(key) {
            Some(table) => (table.schema.clone(), table.name.clone()),
            None => (None, key.to_owned()),
        };
        let used = scope.name_of(key).unwrap_or(&name);
        let alias =
            (used != name || schema.is_some() && scope.qualified).then(|| Identifier::stored(used));
        Source::Table {
            schema: schema.map(Identifier::stored),
            name: Identifier::stored(name),
            alias,
        }
    }

    fn joins(&self, steps: &[JoinStep], scope: &Scope) -> Vec<Join> {
        steps
            .iter()
            .map(|step| Join {
                kind: if step.outer { JoinKind::Left } else { JoinKind::Inner },
                source: self.source(&step.to_table, scope),
                condition: JoinCondition::On(self.link(step, scope, scope)),
            })
            .collect()
    }

    fn link(&self, step: &JoinStep, from: &Scope, to: &Scope) -> Expr {
        let left = from.name_of(&step.from_table).unwrap_or(&step.from_table);
        let right = to.name_of(&step.to_table).unwrap_or(&step.to_table);
        let pairs: Vec<Expr> = step
            .from_columns
            .iter()
            .zip(&step.to_columns)
            .map(|(from, to)| {
                Expr::binary(
                    Expr::column(right, to),
                    BinaryOperator::Equal,
                    Expr::column(left, from),
                )
            })
            .collect();
        all(pairs).unwrap_or(Expr::literal(SqlLiteral::Boolean(true)))
    }

    fn column(&self, column: &ColumnRef, scope: &Scope) -> Expr {
        let name = Identifier::stored(&column.column);
        let qualifier =
            scope.qualified.then(|| scope.name_of(&column.table)).flatten().map(Identifier::stored);
        Expr::Column { qualifier, name }
    }

    fn data_type(&self, column: &ColumnRef) -> DataType {
        self.catalog.column(column).map_or(DataType::Other, |column| column.data_type)
    }

    fn expression(&self, expression: &Expression, scope: &Scope) -> Expr {
        match expression {
            Expression::Aggregate { function, argument, distinct } => {
                let argument = argument.as_ref().map_or(Argument::Star, |argument| {
                    Argument::Expr(self.expression(argument, scope))
                });
                Expr::from(FunctionCall {
                    distinct: *distinct,
                    ..FunctionCall::new(function_name(*function), vec![argument])
                })
            }
            Expression::Arithmetic { operator, left, right } => {
                let sign = match operator {
                    ArithmeticOperator::Divide => BinaryOperator::Divide,
                    ArithmeticOperator::Minus => BinaryOperator::Minus,
                    ArithmeticOperator::Multiply => BinaryOperator::Multiply,
                    ArithmeticOperator::Plus => BinaryOperator::Plus,
                };
                Expr::binary(self.expression(left, scope), sign, self.expression(right, scope))
            }
            Expression::Column { column } => self.column(column, scope),
            Expression::Age { column, on } => self.age(column, on, scope),
            Expression::Days { from, to } => self.days(from, to, scope),
            Expression::Number { value } => Expr::number(value),
            Expression::Period { column, grain } => self.period(self.column(column, scope), *grain),
        }
    }

    /// Years from a date to a day: the Gregorian calendar has 365.2425 days a year.
    fn age(&self, column: &ColumnRef, on: &str, scope: &Scope) -> Expr {
        let born = self.column(column, scope);
        let (today, born) = match self.dialect {
            Dialect::Postgres => {
                let born = match self.data_type(column) {
                    DataType::Date => born,
                    _ => Expr::Cast {
                        operand: Box::new(born),
                        to: CastType { name: "date".to_owned(), arguments: Vec::new() },
                    },
                };
                (Expr::literal(SqlLiteral::Date(on.to_owned())), born)
            }
            Dialect::Sqlite => (
                Expr::call("julianday", vec![Expr::string(on)]),
                Expr::call("julianday", vec![born]),
            ),
        };
        let days = Expr::binary(today, BinaryOperator::Minus, born);
        Expr::binary(days, BinaryOperator::Divide, Expr::number("365.2425"))
    }

    /// Days from one date to another.
    fn days(&self, from: &ColumnRef, to: &ColumnRef, scope: &Scope) -> Expr {
        let minus = |one: Expr, other: Expr| Expr::binary(one, BinaryOperator::Minus, other);
        let (first, last) = (self.column(from, scope), self.column(to, scope));
        let dates = [from, to].iter().all(|column| self.data_type(column) == DataType::Date);
        match self.dialect {
            Dialect::Postgres if dates => minus(last, first),
            Dialect::Postgres => {
                let moment = |operand: Expr| Expr::Cast {
                    operand: Box::new(operand),
                    to: CastType { name: "timestamp".to_owned(), arguments: Vec::new() },
                };
                let seconds = Expr::Extract {
                    field: "epoch".to_owned(),
                    operand: Box::new(minus(moment(last), moment(first))),
                };
                Expr::binary(seconds, BinaryOperator::Divide, Expr::number("86400"))
            }
            Dialect::Sqlite => {
                let day = |column: Expr| Expr::call("julianday", vec![column]);
                minus(day(last), day(first))
            }
        }
    }

    /// A period as text that sorts by time: `2025`, `2025-Q1`, `2025-03`, `2025-W07`, `2025-03-01`.
    fn period(&self, column: Expr, grain: TimeGrain) -> Expr {
        match self.dialect {
            Dialect::Postgres => {
                let format = match grain {
                    TimeGrain::Day => "YYYY-MM-DD",
                    TimeGrain::Week => "IYYY-\"W\"IW",
                    TimeGrain::Month => "YYYY-MM",
                    TimeGrain::Quarter => "YYYY-\"Q\"Q",
                    TimeGrain::Year => "YYYY",
                };
                Expr::call("to_char", vec![column, Expr::string(format)])
            }
            Dialect::Sqlite => {
                let part = |format: &str| {
                    Expr::call("strftime", vec![Expr::string(format), column.clone()])
                };
                match grain {
                    TimeGrain::Day => part("%Y-%m-%d"),
                    TimeGrain::Week => part("%G-W%V"),
                    TimeGrain::Month => part("%Y-%m"),
                    TimeGrain::Year => part("%Y"),
                    TimeGrain::Quarter => {
                        let month = Expr::Cast {
                            operand: Box::new(part("%m")),
                            to: CastType { name: "integer".to_owned(), arguments: Vec::new() },
                        };
                        let quarter = Expr::binary(
                            Expr::binary(month, BinaryOperator::Plus, Expr::number("2")),
                            BinaryOperator::Divide,
                            Expr::number("3"),
                        );
                        let start =
                            Expr::binary(part("%Y"), BinaryOperator::Concat, Expr::string("-Q"));
                        Expr::binary(start, BinaryOperator::Concat, quarter)
                    }
                }
            }
        }
    }

    fn predicate(&self, predicate: &Predicate, scope: &Scope) -> Expr {
        match predicate {
            Predicate::AgainstFigure { column, operator, function, conditions } => {
                let figure = self.figure(column, *function, conditions);
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
            Predicate::RelatedCount { joins, conditions, operator, value } => {
                let count = Expr::from(FunctionCall::new("count", vec![Argument::Star]));
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
        let counted = |select: Expr| {
            Expr::from(FunctionCall {
                distinct: true,
                ..FunctionCall::new("count", vec![Argument::Expr(select)])
            })
        };
        let inner = self.within(scope);
        let far = inner.scope(&joins.iter().map(|step| step.to_table.as_str()).collect::<Vec<_>>());
        let partners = self.related(joins, conditions, scope, counted(inner.column(key, &far)));
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
            other => Expr::Not(Box::new(self.predicate(other, scope))),
        }
    }

    fn each(&self, conditions: &[Predicate], scope: &Scope) -> Vec<Expr> {
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

    fn literal(&self, literal: &Literal, beside: &Expression) -> Expr {
        match literal {
            Literal::Boolean { value } => {
                let boolean = match beside {
                    Expression::Column { column } => self.data_type(column) == DataType::Boolean,
                    _ => false,
                };
                if boolean && self.dialect == Dialect::Postgres {
                    Expr::literal(SqlLiteral::Boolean(*value))
                } else {
                    Expr::number(u8::from(*value).to_string())
                }
            }
            Literal::Date { value } => Expr::literal(SqlLiteral::Date(value.clone())),
            Literal::Number { value } => match value.strip_prefix('-') {
                Some(rest) => Expr::Unary { negative: true, operand: Box::new(Expr::number(rest)) },
                None => Expr::number(value),
            },
            Literal::Text { value } => Expr::string(value),
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

    /// A scalar subquery: a figure of the values that a column has in the rows where conditions hold.
    fn figure(&self, column: &ColumnRef, function: Aggregate, conditions: &[Predicate]) -> Expr {
        let scope = Scope { tables: self.scope(&[&column.table]).tables, qualified: false };
        let inner = Select {
            items: vec![SelectItem::Expr {
                expr: Expr::call(function_name(function), vec![self.column(column, &scope)]),
                alias: None,
            }],
            from: vec![FromItem { source: self.source(&column.table, &scope), joins: Vec::new() }],
            filter: all(self.each(conditions, &scope)),
            ..Select::default()
        };
        Expr::Subquery(Box::new(Query { body: Body::Select(Box::new(inner)), ..Query::default() }))
    }

    /// A number at least (at most) the smallest (largest) of the highest (lowest) so many percent.
    fn extreme(&self, column: &ColumnRef, percent: u8, highest: bool, scope: &Scope) -> Expr {
        let plain = Scope { tables: self.scope(&[&column.table]).tables, qualified: false };
        let value = self.column(column, &plain);
        let named = |name: &str| Identifier { name: name.to_owned(), ..Identifier::default() };
        let rank = Expr::from(FunctionCall {
            over: Some(Window {
                order_by: vec![OrderItem {
                    expr: value.clone(),
                    descending: highest,
                    nulls_first: None,
                }],
                ..Window::default()
            }),
            ..FunctionCall::new("percent_rank", Vec::new())
        });
        let ranked = Select {
            items: vec![
                SelectItem::Expr { expr: value.clone(), alias: Some(named("ranked_value")) },
                SelectItem::Expr { expr: rank, alias: Some(named("rank_share")) },
            ],
            from: vec![FromItem { source: self.source(&column.table, &plain), joins: Vec::new() }],
            filter: Some(Expr::IsNull { operand: Box::new(value), negated: true }),
            ..Select::default()
        };
        let bare = |name: &str| Expr::Column { qualifier: None, name: named(name) };
        let bound = Select {
            items: vec![SelectItem::Expr {
                expr: Expr::call(if highest { "min" } else { "max" }, vec![bare("ranked_value")]),
                alias: None,
            }],
            from: vec![FromItem {
                source: Source::Derived {
                    query: Box::new(Query {
                        body: Body::Select(Box::new(ranked)),
                        ..Query::default()
                    }),
                    alias: Some(named("ranked")),
                    columns: Vec::new(),
                    lateral: false,
                },
                joins: Vec::new(),
            }],
            filter: Some(Expr::binary(
                bare("rank_share"),
                BinaryOperator::Less,
                Expr::number(format!("{}.{:02}", percent / 100, percent % 100)),
            )),
            ..Select::default()
        };
        let operator =
            if highest { BinaryOperator::GreaterOrEqual } else { BinaryOperator::LessOrEqual };
        Expr::binary(
            self.column(column, scope),
            operator,
            Expr::Subquery(Box::new(Query {
                body: Body::Select(Box::new(bound)),
                ..Query::default()
            })),
        )
    }
}

fn is_nested(predicate: &Predicate) -> bool {
    match predicate {
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

fn function_name(function: Aggregate) -> &'static str {
    match function {
        Aggregate::Average => "avg",
        Aggregate::Count => "count",
        Aggregate::Maximum => "max",
        Aggregate::Minimum => "min",
        Aggregate::Sum => "sum",
    }
}

fn comparison(operator: Comparison) -> BinaryOperator {
    match operator {
        Comparison::Equal => BinaryOperator::Equal,
        Comparison::Greater => BinaryOperator::Greater,
        Comparison::GreaterOrEqual => BinaryOperator::GreaterOrEqual,
        Comparison::Less => BinaryOperator::Less,
        Comparison::LessOrEqual => BinaryOperator::LessOrEqual,
        Comparison::NotEqual => BinaryOperator::NotEqual,
    }
}

fn all(conditions: Vec<Expr>) -> Option<Expr> {
    let mut conditions: Vec<Expr> = conditions
        .into_iter()
        .flat_map(|condition| match condition {
            Expr::And(inner) => inner,
            other => vec![other],
        })
        .collect();
    match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ => Some(Expr::And(conditions)),
    }
}

fn any(mut conditions: Vec<Expr>) -> Expr {
    match conditions.len() {
        1 => conditions.pop().unwrap_or(Expr::literal(SqlLiteral::Boolean(false))),
        _ => Expr::Or(conditions),
    }
}

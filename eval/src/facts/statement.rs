//! Facts of a statement, with columns resolved to their stored tables.

use wherefore_engine::catalog::{Catalog, Table};
use wherefore_sql::tree::{
    Argument, BinaryOperator, Body, Cte, Expr, FunctionCall, JoinCondition, Literal, Query, Select,
    SelectItem, SetOperator, Source,
};
use wherefore_sql::{ReadDialect, read};

use super::logic::Logic;
use super::{Facts, column, plain, restricted, table, value};

/// Facts of a statement; `None` when it cannot be parsed.
pub(crate) fn of_statement(sql: &str, catalog: &Catalog) -> Option<Facts> {
    let query = read(sql, ReadDialect::Sqlite).ok()?;
    let mut collector = FactCollector { catalog, facts: Facts::new(), scopes: Vec::new() };
    let logic = collector.query(&query);
    logic.relate(&mut collector.facts);
    Some(collector.facts)
}

/// FROM items of one SELECT: alias in lower case, and the stored table if it is one.
type Scope<'a> = Vec<(String, Option<&'a Table>)>;

struct FactCollector<'a> {
    catalog: &'a Catalog,
    facts: Facts,
    scopes: Vec<Scope<'a>>,
}

impl<'a> FactCollector<'a> {
    fn query(&mut self, query: &Query) -> Logic {
        let mut parts: Vec<Logic> =
            query.with.iter().map(|Cte { query, .. }| self.query(query)).collect();
        match &query.body {
            Body::Select(select) => {
                self.scopes.push(Vec::new());
                parts.push(self.select(select));
                for item in &query.order_by {
                    parts.push(self.expression(&item.expr));
                }
                self.scopes.pop();
            }
            Body::SetOperation { operator, left, right, .. } => {
                let sides = vec![self.side(left), self.side(right)];
                parts.push(match operator {
                    SetOperator::Union => Logic::Any(sides),
                    SetOperator::Except | SetOperator::Intersect => Logic::All(sides),
                });
            }
            Body::Values(_) | Body::Foreign(_) | Body::Spelled(_) => {}
        }
        Logic::All(parts)
    }

    /// Collects the facts of one branch of a set operation; its rows are those of its first table.
    fn side(&mut self, query: &Query) -> Logic {
        let mut parts = vec![self.query(query)];
        if let Body::Select(select) = &query.body
            && let Some(Source::Table { name, .. }) = select.from.first().map(|from| &from.source)
        {
            if parts.iter().any(Logic::says_something) {
                let named = self.tables_named(select);
                self.facts.extend(named.iter().map(|name| restricted(name)));
            }
            parts.push(Logic::Leaf(name.name.to_lowercase()));
        }
        Logic::All(parts)
    }

    /// Names of the stored tables in the FROM clause of a SELECT.
    fn tables_named(&self, select: &Select) -> Vec<&'a str> {
        let joined = select.from.iter().flat_map(|from| {
            std::iter::once(&from.source).chain(from.joins.iter().map(|join| &join.source))
        });
        joined
            .filter_map(|source| match source {
                Source::Table { name, .. } => self.stored(&name.name),
                _ => None,
            })
            .map(|table| table.name.as_str())
            .collect()
    }

    fn select(&mut self, select: &Select) -> Logic {
        let mut parts = Vec::new();
        let mut conditions = Vec::new();
        for from in &select.from {
            parts.push(self.source(&from.source));
            for join in &from.joins {
                parts.push(self.source(&join.source));
                conditions.push(&join.condition);
            }
        }
        for condition in conditions {
            match condition {
                JoinCondition::On(on) => parts.push(self.expression(on)),
                JoinCondition::Using(names) => {
                    for name in names {
                        self.column(None, &name.name);
                    }
                }
                JoinCondition::None | JoinCondition::Natural | JoinCondition::Foreign(_) => {}
            }
        }
        for item in &select.items {
            if let SelectItem::Expr { expr, .. } = item {
                parts.push(self.expression(expr));
            }
        }
        for expr in select.filter.iter().chain(&select.group_by).chain(&select.having) {
            parts.push(self.expression(expr));
        }
        Logic::All(parts)
    }

    fn source(&mut self, source: &Source) -> Logic {
        match source {
            Source::Table { name, alias, .. } => {
                let stored = self.stored(&name.name);
                if let Some(stored) = stored {
                    self.facts.insert(table(&stored.name));
                }
                let alias = alias.as_ref().unwrap_or(name).name.to_lowercase();
                self.bind(alias, stored);
                Logic::none()
            }
            Source::Derived { query, alias, .. } => {
                let logic = self.query(query);
                let alias =
                    alias.as_ref().map_or_else(String::new, |name| name.name.to_lowercase());
                self.bind(alias, None);
                logic
            }
            Source::Function { call, .. } => self.call(call),
            Source::Foreign(_) => Logic::none(),
        }
    }

    fn bind(&mut self, alias: String, stored: Option<&'a Table>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((alias, stored));
        }
    }

    fn stored(&self, name: &str) -> Option<&'a Table> {
        self.catalog.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
    }

    /// Records a column; returns false when no FROM item has it.
    fn column(&mut self, qualifier: Option<&str>, name: &str) -> bool {
        let qualifier = qualifier.map(str::to_lowercase);
        let holds = |table: &Table| {
            table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
        };
        let found = self.scopes.iter().rev().find_map(|scope| {
            scope.iter().find_map(|(alias, stored)| {
                let meant = qualifier.as_ref().is_none_or(|qualifier| qualifier == alias);
                stored.filter(|table| meant && holds(table))
            })
        });
        if let Some(stored) = found {
            self.facts.insert(column(&stored.name, name));
        }
        found.is_some()
    }

    fn all<'e>(&mut self, expressions: impl IntoIterator<Item = &'e Expr>) -> Vec<Logic> {
        expressions.into_iter().map(|expr| self.expression(expr)).collect()
    }

    fn expression(&mut self, expr: &Expr) -> Logic {
        match expr {
            Expr::Column { qualifier, name } => {
                let known =
                    self.column(qualifier.as_ref().map(|name| name.name.as_str()), &name.name);
                // SQLite reads a double-quoted name as a string when no column has that name.
                if known || qualifier.is_some() { Logic::none() } else { self.text(&name.name) }
            }
            Expr::Literal(literal, _) => match literal {
                Literal::String(text)
                | Literal::Number(text)
                | Literal::Date(text)
                | Literal::Timestamp(text) => self.text(text),
                Literal::Boolean(_) | Literal::Interval(_) | Literal::Null => Logic::none(),
            },
            Expr::And(parts) | Expr::Tuple(parts) | Expr::Array(parts) => {
                Logic::All(self.all(parts))
            }
            Expr::Or(parts) => Logic::Any(self.all(parts)),
            Expr::Not(operand)
            | Expr::Unary { operand, .. }
            | Expr::IsNull { operand, .. }
            | Expr::IsBoolean { operand, .. }
            | Expr::Cast { operand, .. }
            | Expr::Collate { operand, .. }
            | Expr::AtTimeZone { operand, .. }
            | Expr::Extract { operand, .. } => self.expression(operand),
            Expr::Binary { operator, left, right } => {
                if *operator == BinaryOperator::Equal
                    && (counts_all(left, right) || counts_all(right, left))
                {
                    self.facts.insert("every".to_owned());
                }
                Logic::All(self.all([left.as_ref(), right.as_ref()]))
            }
            Expr::Between { operand, low, high, .. } => {
                Logic::All(self.all([operand.as_ref(), low.as_ref(), high.as_ref()]))
            }
            Expr::InList { operand, list, .. } => {
                Logic::All(vec![self.expression(operand), Logic::Any(self.all(list))])
            }
            Expr::InQuery { operand, query, .. } => {
                Logic::All(vec![self.expression(operand), self.query(query)])
            }
            Expr::Exists { query, negated } => {
                if *negated && denies(query) {
                    self.facts.insert("every".to_owned());
                }
                self.query(query)
            }
            Expr::Subquery(query) => self.query(query),
            Expr::Like { operand, pattern, .. } => {
                Logic::All(self.all([operand.as_ref(), pattern.as_ref()]))
            }
            Expr::Case { operand, branches, otherwise } => {
                let mut parts =
                    self.all(operand.as_deref().into_iter().chain(otherwise.as_deref()));
                for (when, then) in branches {
                    parts.extend(self.all([when, then]));
                }
                Logic::All(parts)
            }
            Expr::Function(call) => self.call(call),
            Expr::Grouping { sets, .. } => Logic::All(self.all(sets.iter().flatten())),
            Expr::Spelled(spelled) => self.expression(&spelled.meaning),
            Expr::Parameter(_) | Expr::Foreign(_) => Logic::none(),
        }
    }

    fn text(&mut self, text: &str) -> Logic {
        self.facts.insert(value(text));
        Logic::Leaf(plain(text))
    }

    fn call(&mut self, call: &FunctionCall) -> Logic {
        let aggregate = match call.name.as_str() {
            "avg" => Some("average"),
            "count" => Some("count"),
            "max" => Some("maximum"),
            "min" => Some("minimum"),
            "sum" | "total" => Some("sum"),
            _ => None,
        };
        self.facts.extend(aggregate.map(|name| format!("aggregate:{name}")));
        let arguments = call.arguments.iter().filter_map(|argument| match argument {
            Argument::Expr(expr) => Some(expr),
            Argument::Star => None,
        });
        Logic::All(self.all(arguments))
    }
}

/// Whether one side is a count and the other a subquery that counts: relational division.
fn counts_all(one: &Expr, other: &Expr) -> bool {
    let Expr::Subquery(query) = other else { return false };
    let Body::Select(select) = &query.body else { return false };
    let counted = select.items.iter().any(|item| match item {
        SelectItem::Expr { expr, .. } => is_count(expr),
        SelectItem::Wildcard { .. }
        | SelectItem::WildcardExcept { .. }
        | SelectItem::Foreign(_) => false,
    });
    let beside = match one {
        Expr::Subquery(query) => match &query.body {
            Body::Select(select) => select
                .items
                .iter()
                .any(|item| matches!(item, SelectItem::Expr { expr, .. } if is_count(expr))),
            _ => false,
        },
        expr => is_count(expr),
    };
    counted && beside
}

fn is_count(expr: &Expr) -> bool {
    matches!(expr, Expr::Function(call) if call.name == "count")
}

/// Whether a query is an anti-join (rows without a related row).
fn denies(query: &Query) -> bool {
    let Body::Select(select) = &query.body else { return false };
    let is_denial = |expr: &Expr| match expr {
        Expr::Exists { negated, .. } | Expr::InQuery { negated, .. } => *negated,
        Expr::Not(operand) => matches!(operand.as_ref(), Expr::Exists { .. }),
        _ => false,
    };
    match &select.filter {
        Some(Expr::And(parts)) => parts.iter().any(is_denial),
        Some(expr) => is_denial(expr),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::Column;

    use super::*;

    fn facts(sql: &str) -> Vec<String> {
        let table = |name: &str, columns: &[&str]| Table {
            name: name.into(),
            columns: columns
                .iter()
                .map(|name| Column { name: (*name).into(), ..Column::default() })
                .collect(),
            ..Table::default()
        };
        let catalog = Catalog {
            tables: vec![
                table("Space", &["id", "Kind", "Size"]),
                table("Event", &["id", "space_id"]),
            ],
            ..Catalog::default()
        };
        of_statement(sql, &catalog).unwrap().into_iter().collect()
    }

    #[test]
    fn columns_are_tied_to_the_table_that_holds_them() {
        let found =
            facts("SELECT s.kind, space_id FROM Space AS s JOIN event ON s.id = event.space_id");
        let expected = [
            "column:event.space_id",
            "column:space.id",
            "column:space.kind",
            "table:event",
            "table:space",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_in_double_quotes_is_a_value_and_brackets_count() {
        let wide =
            facts("SELECT id FROM space WHERE (kind = \"Hall\" OR kind = \"Room\") AND size = 200");
        let narrow =
            facts("SELECT id FROM space WHERE kind = \"Hall\" OR kind = \"Room\" AND size = 200");
        assert!(
            wide.contains(&"and:200|hall".to_owned()) && wide.contains(&"value:hall".to_owned())
        );
        assert!(narrow.contains(&"or:200|hall".to_owned()));
    }

    #[test]
    fn the_parts_of_a_union_that_a_condition_holds_for_are_facts() {
        let found = facts(
            "SELECT id FROM space UNION SELECT e.id FROM event AS e JOIN space ON true WHERE e.id = 3",
        );
        assert!(found.contains(&"restricted:event".to_owned()));
        let narrow = facts("SELECT kind FROM space UNION SELECT id FROM event WHERE id = 3");
        assert!(narrow.contains(&"restricted:event".to_owned()));
        assert!(!narrow.contains(&"restricted:space".to_owned()));
    }

    #[test]
    fn being_related_to_all_is_a_fact() {
        for sql in [
            "SELECT kind FROM space GROUP BY kind HAVING count(DISTINCT id) = (SELECT count(*) FROM event)",
            "SELECT kind FROM space WHERE NOT EXISTS (SELECT 1 FROM event WHERE NOT EXISTS \
             (SELECT 1 FROM space AS other WHERE other.id = event.space_id))",
        ] {
            assert!(facts(sql).contains(&"every".to_owned()), "{sql}");
        }
        assert!(!facts("SELECT count(*) FROM space").contains(&"every".to_owned()));
    }
}

//! Printing of queries: WITH, bodies, set operations, ordering and limits.

use crate::tree::{Body, Cte, Expr, OrderItem, Query, Select, SelectItem, SetOperator};

use super::layout::{break_line, list_clause};
use super::{Printer, TRANSPILES, Target, Text};

impl Printer {
    /// A query; lines after the first are indented by `indent`.
    pub(super) fn query(self, query: &Query, indent: usize) -> Text {
        self.check_spark_query(query)?;
        let mut clauses = Vec::new();
        if !query.with.is_empty() {
            clauses.push(self.with(query, indent)?);
        }
        clauses.push(self.topped(query, indent)?);
        if !query.order_by.is_empty() {
            clauses.push(list_clause("ORDER BY", &self.order_items(&query.order_by)?, indent));
        }
        if TRANSPILES && self.target == Target::Tsql {
            clauses.extend(self.offset_fetch(query, indent)?);
            return Ok(clauses.join(&break_line(indent)));
        }
        if TRANSPILES && self.is_warehouse() {
            clauses.extend(self.warehouse_limit(query, indent)?);
            return Ok(clauses.join(&break_line(indent)));
        }
        match (&query.limit, &query.offset) {
            (Some(limit), _) => clauses.push(format!("LIMIT {}", self.inline(limit, indent)?)),
            (None, Some(_)) if self.is_sqlite() => clauses.push("LIMIT -1".to_owned()),
            (None, Some(_)) if self.is_mysql() => {
                clauses.push(format!("LIMIT {}", super::mysql::ALL_ROWS));
            }
            (None, _) => {}
        }
        if let Some(offset) = &query.offset {
            clauses.push(format!("OFFSET {}", self.inline(offset, indent)?));
        }
        Ok(clauses.join(&break_line(indent)))
    }

    /// The body of a query, with TOP for targets that limit rows by it.
    fn topped(self, query: &Query, indent: usize) -> Text {
        let body = self.body(&query.body, indent)?;
        if TRANSPILES && let Some(top) = self.top(query, indent)? {
            let keyword =
                if body.starts_with("SELECT DISTINCT") { "SELECT DISTINCT" } else { "SELECT" };
            return Ok(body.replacen(keyword, &format!("{keyword} {top}"), 1));
        }
        Ok(body)
    }

    /// A query in parentheses, indented.
    pub(super) fn parenthesised(self, query: &Query, indent: usize) -> Text {
        if TRANSPILES
            && self.target == Target::Tsql
            && query.limit.is_none()
            && query.offset.is_none()
            && !query.order_by.is_empty()
        {
            // T-SQL does not allow ORDER BY in a subquery, where it has no effect.
            let unordered = Query { order_by: Vec::new(), ..query.clone() };
            return self.parenthesised(&unordered, indent);
        }
        let inner = self.query(query, indent + 2)?;
        Ok(format!("({}{inner}{})", break_line(indent + 2), break_line(indent)))
    }

    /// ORDER BY items, without commas.
    pub(super) fn order_items(
        self,
        items: &[OrderItem],
    ) -> Result<Vec<String>, super::Unprintable> {
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            if TRANSPILES {
                texts.extend(self.nulls_by_case(item)?);
            }
            texts.push(self.order_item(item)?);
        }
        Ok(texts)
    }

    pub(super) fn order_item(self, item: &OrderItem) -> Text {
        let mut text = self.inline(&item.expr, 0)?;
        if item.descending {
            text.push_str(" DESC");
        }
        match item.nulls_first.filter(|_| self.target != Target::Tsql && !self.is_mysql()) {
            Some(true) => text.push_str(" NULLS FIRST"),
            Some(false) => text.push_str(" NULLS LAST"),
            None => {}
        }
        Ok(text)
    }

    fn with(self, query: &Query, indent: usize) -> Text {
        let keyword = if query.recursive && self.target != Target::Tsql {
            "WITH RECURSIVE "
        } else {
            "WITH "
        };
        let tables: Vec<String> =
            query.with.iter().map(|cte| self.cte(cte, indent)).collect::<Result<_, _>>()?;
        Ok(format!("{keyword}{}", tables.join(&format!(",{}", break_line(indent)))))
    }

    fn cte(self, cte: &Cte, indent: usize) -> Text {
        let columns = if cte.columns.is_empty() {
            String::new()
        } else if self.target == Target::Bigquery {
            return self.refuse("a column list on a common table expression");
        } else {
            format!(" ({})", self.names(&cte.columns)?)
        };
        let query = self.parenthesised(&cte.query, indent)?;
        Ok(format!("{}{columns} AS {query}", self.name(&cte.name)?))
    }

    /// The body of a query, without WITH, ORDER BY and limits.
    pub(super) fn body(self, body: &Body, indent: usize) -> Text {
        match body {
            Body::Select(select) => self.select(select, indent),
            Body::SetOperation { operator, all, left, right } => {
                let unions = self.target == Target::Postgres || self.is_duckdb() || self.is_spark();
                if !unions && *all && *operator != SetOperator::Union {
                    return self.refuse("INTERSECT ALL or EXCEPT ALL");
                }
                let keyword = set_keyword(*operator);
                let all = match (*all, self.target) {
                    (true, _) => " ALL",
                    (false, Target::Bigquery) => " DISTINCT",
                    (false, _) => "",
                };
                let left = self.left_operand(left, *operator, indent)?;
                let right = self.right_operand(right, indent)?;
                let line = break_line(indent);
                Ok(format!("{left}{line}{keyword}{all}{line}{right}"))
            }
            Body::Values(rows) => self.values(rows, indent),
            Body::Foreign(foreign) => self.foreign(foreign, indent),
            Body::Spelled(spelled) => self.spelled_body(spelled, indent),
        }
    }

    fn left_operand(self, left: &Query, operator: SetOperator, indent: usize) -> Text {
        let chains = match (&left.body, operator) {
            (Body::SetOperation { operator: inner, .. }, operator)
                if self.target == Target::Bigquery =>
            {
                *inner == operator
            }
            (Body::SetOperation { operator: SetOperator::Intersect, .. }, _) => true,
            (Body::SetOperation { .. }, SetOperator::Intersect) => self.is_sqlite(),
            _ => true,
        };
        if is_plain(left) && chains {
            self.body(&left.body, indent)
        } else {
            self.operand(left, indent)
        }
    }

    fn right_operand(self, right: &Query, indent: usize) -> Text {
        let is_set = matches!(right.body, Body::SetOperation { .. });
        if is_plain(right) && !is_set {
            self.body(&right.body, indent)
        } else {
            self.operand(right, indent)
        }
    }

    /// An operand that needs parentheses; SQLite allows them only as a subquery in FROM.
    fn operand(self, query: &Query, indent: usize) -> Text {
        let inner = self.parenthesised(query, indent)?;
        Ok(if self.is_sqlite() { format!("SELECT * FROM {inner}") } else { inner })
    }

    /// VALUES rows.
    pub(super) fn values(self, rows: &[Vec<Expr>], indent: usize) -> Text {
        if matches!(self.target, Target::Bigquery | Target::Mysql) {
            return self.refuse("values");
        }
        if rows.is_empty() || rows.iter().any(Vec::is_empty) {
            return self.refuse("VALUES without a row or a column");
        }
        let rows: Vec<String> = rows
            .iter()
            .map(|row| Ok(format!("({})", self.expressions(row, indent)?)))
            .collect::<Result<_, _>>()?;
        Ok(list_clause("VALUES", &rows, indent))
    }

    fn select(self, select: &Select, indent: usize) -> Text {
        let mut keyword = "SELECT".to_owned();
        if !select.distinct_on.is_empty() {
            self.postgres_only("DISTINCT ON")?;
            if self.target != Target::Postgres && !self.is_duckdb() {
                return self.refuse("DISTINCT ON");
            }
            keyword =
                format!("SELECT DISTINCT ON ({})", self.expressions(&select.distinct_on, indent)?);
        } else if select.distinct {
            keyword.push_str(" DISTINCT");
        }
        if select.items.is_empty() {
            return self.refuse("an empty select list");
        }
        let items: Vec<String> = select
            .items
            .iter()
            .map(|item| self.item(item, indent + 2))
            .collect::<Result<_, _>>()?;
        let mut clauses = vec![list_clause(&keyword, &items, indent)];
        if !select.from.is_empty() {
            clauses.push(self.sources(&select.from, indent)?);
        }
        if let Some(filter) = &select.filter {
            clauses.push(self.condition("WHERE", filter, indent)?);
        }
        if !select.group_by.is_empty() {
            let items: Vec<String> = select
                .group_by
                .iter()
                .map(|expr| self.grouping(expr, indent + 2))
                .collect::<Result<_, _>>()?;
            clauses.push(list_clause("GROUP BY", &items, indent));
        }
        if let Some(having) = &select.having {
            clauses.push(self.condition("HAVING", having, indent)?);
        }
        Ok(clauses.join(&break_line(indent)))
    }

    fn item(self, item: &SelectItem, indent: usize) -> Text {
        match item {
            SelectItem::Expr { expr, alias } => {
                let text = self.inline(expr, indent)?;
                match alias {
                    Some(alias) => Ok(format!("{text} AS {}", self.name(alias)?)),
                    None => Ok(text),
                }
            }
            SelectItem::Wildcard { qualifier: None } => Ok("*".to_owned()),
            SelectItem::Wildcard { qualifier: Some(source) } => {
                Ok(format!("{}.*", self.name(source)?))
            }
            SelectItem::WildcardExcept { .. } => self.refuse("* with EXCEPT"),
            SelectItem::Foreign(foreign) => self.foreign(foreign, indent),
        }
    }

    fn grouping(self, expr: &Expr, indent: usize) -> Text {
        let Expr::Grouping { kind, sets } = expr else {
            if self.target == Target::Tsql && matches!(expr, Expr::Literal(..)) {
                return self.refuse("GROUP BY a position");
            }
            return self.inline(expr, indent);
        };
        self.postgres_only("ROLLUP, CUBE or GROUPING SETS")?;
        if self.is_mysql() {
            return self.refuse("ROLLUP, CUBE or GROUPING SETS");
        }
        let keyword = super::function::grouping_keyword(*kind);
        let sets: Vec<String> = sets
            .iter()
            .map(|set| match set.as_slice() {
                [single] if !matches!(single, Expr::Tuple(_)) => {
                    let text = self.inline(single, indent)?;
                    // A leading parenthesis would be read as that of a grouping set.
                    Ok(if text.starts_with('(') { format!("({text})") } else { text })
                }
                several => Ok(format!("({})", self.expressions(several, indent)?)),
            })
            .collect::<Result<_, _>>()?;
        Ok(format!("{keyword} ({})", sets.join(", ")))
    }

    /// `keyword condition`, with each conjunct on its own line.
    fn condition(self, keyword: &str, condition: &Expr, indent: usize) -> Text {
        Ok(format!("{keyword} {}", self.conjunction(condition, indent)?))
    }
}

fn is_plain(query: &Query) -> bool {
    if matches!(query.body, Body::Foreign(_)) {
        return false;
    }
    query.with.is_empty()
        && query.order_by.is_empty()
        && query.limit.is_none()
        && query.offset.is_none()
}

fn set_keyword(operator: SetOperator) -> &'static str {
    match operator {
        SetOperator::Except => "EXCEPT",
        SetOperator::Intersect => "INTERSECT",
        SetOperator::Union => "UNION",
    }
}

//! Checked statements as MySQL, MariaDB, DuckDB and Spark run them: in their syntax, with the meaning that they have on PostgreSQL.

use wherefore_catalog::{Catalog, DataType, Table};

use crate::Dialect;
use crate::bind::{Bound, Kind};
use crate::default_name::default_name;
use crate::diagnostic::Diagnostic;
use crate::guard::CheckedSql;
use crate::names::matches;
use crate::print::{Target, print_fitted};
use crate::read::{ReadDialect, read_habits};
use crate::tree::{Body, Cte, Expr, Identifier, Query, SelectItem, Source};

use super::recursive_texts::RecursiveTexts;
use super::stored::Tables;
use super::walk::{Done, Visitor};
use super::{
    Doubt, doubts, exact, fit, grouped, lower, marked, quotients, refused, unprintable, unwritten,
    walk::query,
};

/// Servers that speak MySQL's dialect.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MysqlServer {
    /// MariaDB 10.6 or later.
    Mariadb,
    /// MySQL 8.0.17 or later.
    Mysql,
}

impl MysqlServer {
    /// The collation by which texts are equal only if all their characters are, including trailing spaces.
    pub fn exact_collation(self) -> &'static str {
        match self {
            Self::Mariadb => "utf8mb4_nopad_bin",
            Self::Mysql => "utf8mb4_0900_bin",
        }
    }
}

/// A checked statement in the dialect of its database; only [`CheckedSql::for_mysql`], [`CheckedSql::for_duckdb`] and
/// [`CheckedSql::for_spark`] create one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NativeSql {
    sql: String,
    columns: Vec<NativeColumn>,
}

/// An output column of a statement in the dialect of its database.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NativeColumn {
    /// Name that the column has on PostgreSQL.
    pub name: String,
    /// Type family that the column has on PostgreSQL, if it is known.
    pub data_type: Option<DataType>,
}

impl NativeSql {
    /// The SQL to run.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Output columns, in order; empty if they are unknown.
    pub fn columns(&self) -> &[NativeColumn] {
        &self.columns
    }
}

impl CheckedSql {
    /// The statement for a server of MySQL's dialect, given the catalog that it was checked with or one with the same
    /// types. The statement must be in PostgreSQL's dialect.
    ///
    /// Texts are compared, grouped and sorted by their characters, whatever the collations of the columns. The diagnostic
    /// names what the server cannot express, or what would have another meaning there.
    pub fn for_mysql(
        &self,
        catalog: &Catalog,
        server: MysqlServer,
    ) -> Result<NativeSql, Diagnostic> {
        let from = ReadDialect::Postgres;
        let mut tree = self.tree_again()?;
        let outputs = outputs(&tree, catalog);
        let texts = RecursiveTexts::of(&mut tree, catalog)?;
        let known = marked::Columns::of(&tree, catalog);
        query(&mut marked::MarkOperands { columns: &known }, &mut tree)?;
        query(&mut quotients::MarkQuotients { columns: &known }, &mut tree)?;
        let doubts = doubts::of(&mut tree, from, Target::Mysql, Some(&known))?;
        if let Some(Doubt { message, .. }) = doubts.into_iter().next() {
            return Err(unprintable(Target::Mysql, message));
        }
        lower::lower(&mut tree, from)?;
        query(&mut NameOutputs, &mut tree)?;
        fit::fit(&mut tree, Target::Mysql)?;
        marked::Columns::unmark(&mut tree);
        let tables = Tables::of(&mut tree, catalog, Target::Mysql)?;
        query(&mut grouped::Dependent { tables: &tables }, &mut tree)?;
        texts.widen(&mut tree)?;
        exact::compare(&mut tree, &tables, server.exact_collation())?;
        let sql = print_fitted(&tree, Target::Mysql).map_err(|refusal| unwritten(&refusal))?;
        Ok(NativeSql { sql, columns: outputs })
    }

    /// The statement for DuckDB, given the catalog that it was checked with or one with the same types. The statement must
    /// be in PostgreSQL's dialect.
    ///
    /// The diagnostic names what DuckDB cannot express, or what would have another meaning there.
    pub fn for_duckdb(&self, catalog: &Catalog) -> Result<NativeSql, Diagnostic> {
        let from = ReadDialect::Postgres;
        let mut tree = self.tree_again()?;
        let outputs = outputs(&tree, catalog);
        let known = marked::Columns::of(&tree, catalog);
        query(&mut marked::MarkOperands { columns: &known }, &mut tree)?;
        query(&mut quotients::MarkQuotients { columns: &known }, &mut tree)?;
        query(&mut quotients::MarkCasts { columns: &known }, &mut tree)?;
        lower::lower(&mut tree, from)?;
        fit::fit(&mut tree, Target::Duckdb)?;
        marked::Columns::unmark(&mut tree);
        let tables = Tables::of(&mut tree, catalog, Target::Duckdb)?;
        query(&mut grouped::Dependent { tables: &tables }, &mut tree)?;
        query(&mut WithoutSchema { catalog }, &mut tree)?;
        let sql = print_fitted(&tree, Target::Duckdb).map_err(|refusal| unwritten(&refusal))?;
        Ok(NativeSql { sql, columns: outputs })
    }

    /// The statement for Apache Spark or Sail, given the catalog that it was checked with or one with the same types. The
    /// statement must be in PostgreSQL's dialect.
    ///
    /// The diagnostic names what Spark SQL cannot express, or what would have another meaning there.
    pub fn for_spark(&self, catalog: &Catalog) -> Result<NativeSql, Diagnostic> {
        let from = ReadDialect::Postgres;
        let mut tree = self.tree_again()?;
        let outputs = outputs(&tree, catalog);
        let known = marked::Columns::of(&tree, catalog);
        query(&mut marked::MarkOperands { columns: &known }, &mut tree)?;
        query(&mut quotients::MarkQuotients { columns: &known }, &mut tree)?;
        query(&mut quotients::MarkCasts { columns: &known }, &mut tree)?;
        lower::lower(&mut tree, from)?;
        query(&mut NameOutputs, &mut tree)?;
        fit::fit(&mut tree, Target::Spark)?;
        marked::Columns::unmark(&mut tree);
        let tables = Tables::of(&mut tree, catalog, Target::Spark)?;
        query(&mut grouped::Dependent { tables: &tables }, &mut tree)?;
        query(&mut WithoutSchema { catalog }, &mut tree)?;
        let sql = print_fitted(&tree, Target::Spark).map_err(|refusal| unwritten(&refusal))?;
        Ok(NativeSql { sql, columns: outputs })
    }

    /// The tree of the text, with what was written in PostgreSQL's alternative syntax.
    fn tree_again(&self) -> Result<Query, Diagnostic> {
        if self.dialect() != Dialect::Postgres {
            return Err(refused("a statement that is not in PostgreSQL's dialect"));
        }
        let first = |faults: Vec<Diagnostic>| faults.into_iter().next();
        read_habits(self.sql(), ReadDialect::Postgres)
            .map_err(|faults| first(faults).unwrap_or_else(|| refused("the statement")))
    }
}

/// Output columns with the names and types that they have on PostgreSQL.
fn outputs(tree: &Query, catalog: &Catalog) -> Vec<NativeColumn> {
    let bound = Bound::of(tree, catalog, Dialect::Postgres);
    let mut first = &tree.body;
    while let Body::SetOperation { left, .. } = first {
        first = &left.body;
    }
    let Body::Select(select) = first.meaning() else { return Vec::new() };
    let block = bound.blocks.iter().find(|block| std::ptr::eq(block.select, &raw const **select));
    let Some(block) = block else { return Vec::new() };
    let outputs = block.outputs.iter();
    outputs
        .map(|output| NativeColumn {
            name: output.name.clone().into_owned(),
            data_type: output.kind.and_then(family),
        })
        .collect()
}

fn family(kind: Kind) -> Option<DataType> {
    Some(match kind {
        Kind::Binary => DataType::Binary,
        Kind::Boolean => DataType::Boolean,
        Kind::Date => DataType::Date,
        Kind::Integer => DataType::Integer,
        Kind::Json => DataType::Json,
        Kind::Number => DataType::Number,
        Kind::Text | Kind::Untyped => DataType::Text,
        Kind::Time => DataType::Time,
        Kind::Timestamp => DataType::Timestamp,
        Kind::Uuid => DataType::Uuid,
        Kind::Interval | Kind::Other => return None,
    })
}

/// Removes the schema `public` from tables that the catalog has without a schema.
struct WithoutSchema<'a> {
    catalog: &'a Catalog,
}

impl Visitor for WithoutSchema<'_> {
    fn source(&mut self, source: &mut Source) -> Done {
        if let Source::Table { schema, name, .. } = source
            && schema.as_ref().is_some_and(|schema| schema.name.eq_ignore_ascii_case("public"))
        {
            let is_stored = |table: &Table| {
                table.schema.is_some() && matches(name, &table.name, Dialect::Postgres)
            };
            if !self.catalog.tables.iter().any(is_stored) {
                *schema = None;
            }
        }
        Ok(())
    }
}

/// Gives the outputs of subqueries in FROM and of common table expressions the names that PostgreSQL derives.
struct NameOutputs;

impl NameOutputs {
    fn query(query: &mut Query) {
        let mut body = &mut query.body;
        while let Body::SetOperation { left, .. } = body {
            body = &mut left.body;
        }
        let Body::Select(select) = body else { return };
        for item in &mut select.items {
            if let SelectItem::Expr { expr, alias: alias @ None } = item
                && !matches!(expr, Expr::Column { .. })
                && let Some(name) = default_name(expr)
            {
                *alias = Some(Identifier { name: name.to_owned(), ..Identifier::default() });
            }
        }
    }
}

impl Visitor for NameOutputs {
    fn query(&mut self, query: &mut Query) -> Done {
        for Cte { query, columns, .. } in &mut query.with {
            if columns.is_empty() {
                Self::query(query);
            }
        }
        Ok(())
    }

    fn source(&mut self, source: &mut Source) -> Done {
        if let Source::Derived { query, .. } = source {
            Self::query(query);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GuardLimits, check_text};

    fn shop() -> Catalog {
        let json = r#"{ "name": "shop", "dialect": "postgres", "tables": [
            { "name": "users", "primary_key": ["id"], "columns": [
                { "name": "id", "data_type": "integer" }, { "name": "name", "data_type": "text" },
                { "name": "born", "data_type": "date" }, { "name": "paid", "data_type": "number" }] },
            { "name": "orders", "primary_key": ["id"], "columns": [
                { "name": "id", "data_type": "integer" }, { "name": "user_id", "data_type": "integer" },
                { "name": "total", "data_type": "number" }] }] }"#;
        serde_json::from_str(json).unwrap()
    }

    fn native(sql: &str) -> Result<NativeSql, Diagnostic> {
        let limits = GuardLimits::default();
        let checked =
            check_text(sql, ReadDialect::Postgres, &shop(), Dialect::Postgres, &limits).unwrap();
        checked.for_mysql(&shop(), MysqlServer::Mariadb)
    }

    fn text(sql: &str) -> String {
        let sql = native(sql).unwrap().sql;
        sql.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_are_read_with_an_exact_collation() {
        assert_eq!(
            text("SELECT count(*) FROM users WHERE name = 'Ann'"),
            "SELECT count(*) FROM ( SELECT CAST(name AS char) COLLATE utf8mb4_nopad_bin AS name, name AS `_stored_name` \
             FROM users ) AS users WHERE name = 'Ann' AND users.`_stored_name` = 'Ann'"
        );
        assert_eq!(text("SELECT count(*) FROM users"), "SELECT count(*) FROM users");
        assert_eq!(
            text("SELECT sum(total) FROM public.orders AS o"),
            "SELECT sum(total) FROM orders AS o"
        );
    }

    #[test]
    fn patterns_have_the_collation_of_the_texts() {
        let sql = text("SELECT count(*) FROM users WHERE name LIKE '%' || name");
        assert!(sql.contains("COLLATE utf8mb4_nopad_bin LIKE "), "{sql}");
        assert!(!sql.contains("utf8mb4_bin"), "{sql}");
    }

    #[test]
    fn texts_of_recursive_tables_may_become_longer() {
        let sql = text(
            "WITH RECURSIVE h (id, path, note) AS (SELECT id, name, '' FROM users WHERE id = 1 \
             UNION ALL SELECT u.id, h.path || u.name, h.note || 'x' FROM users u JOIN h ON u.id = h.id + 1 \
             WHERE h.id < 9) SELECT path FROM h",
        );
        assert!(sql.contains("SELECT id, CAST(name AS char(4194303)) AS name, "), "{sql}");
        assert!(sql.contains("CAST('' AS char(4194303))"), "{sql}");
        let plain = "WITH h AS (SELECT name FROM users UNION ALL SELECT 'x') SELECT name FROM h";
        assert!(!text(plain).contains("4194303"));
    }

    #[test]
    fn ranks_without_an_order_have_one() {
        let sql = text("SELECT rank() OVER (PARTITION BY born), row_number() OVER () FROM users");
        assert!(sql.contains("rank() OVER (PARTITION BY born ORDER BY NULL)"), "{sql}");
        assert!(sql.contains("row_number() OVER ()"), "{sql}");
    }

    #[test]
    fn equalities_are_repeated_with_the_stored_columns_where_an_index_can_help() {
        let sql = text("SELECT count(*) FROM users AS u JOIN users AS v ON v.name = u.name");
        assert!(
            !sql.contains("_stored_"),
            "no foreign key says that the collations are the same: {sql}"
        );
        let sql = text("SELECT count(*) FROM users WHERE name IN ('Ann', 'Bob') AND id > 1");
        assert!(sql.ends_with("id > 1 AND users.`_stored_name` IN ('Ann', 'Bob')"), "{sql}");
        for sql in
            ["name NOT IN ('Ann')", "name = 'Ann' OR id = 1", "name <> 'Ann'", "name < 'Ann'"]
        {
            let sql = text(&format!("SELECT count(*) FROM users WHERE {sql}"));
            assert!(!sql.contains("_stored_"), "{sql}");
        }
    }

    #[test]
    fn columns_that_the_key_determines_are_grouped_by() {
        let sql = text(
            "SELECT u.name, sum(o.total) FROM users u JOIN orders o ON o.user_id = u.id GROUP BY u.id",
        );
        assert!(sql.ends_with("GROUP BY u.id, u.name"), "{sql}");
        let sql = text("SELECT id, born, count(*) FROM users GROUP BY id ORDER BY paid");
        assert!(sql.contains("GROUP BY id, born, paid ORDER BY paid"), "{sql}");
        let sql = text("SELECT born, count(*) FROM users GROUP BY born");
        assert!(sql.ends_with("GROUP BY born"), "{sql}");
    }

    #[test]
    fn types_decide_how_values_are_divided() {
        assert!(text("SELECT user_id / id FROM orders").contains("DIV"));
        let sql = text("SELECT div(CAST(7 AS numeric), CAST(2 AS numeric)) FROM orders");
        assert_eq!(sql, "SELECT (7 DIV 2) FROM orders");
        let sql = text("SELECT total / id FROM orders");
        assert_eq!(sql, "SELECT CAST(total AS double) / id FROM orders");
        let sql = text("SELECT sum(total) / count(*) FROM orders");
        assert_eq!(sql, "SELECT CAST(sum(total) AS double) / count(*) FROM orders");
        assert!(text("SELECT born + 7 FROM users").contains("date_add(born"));
        let sql = text("SELECT to_char(born, 'YYYY-\"Q\"Q') FROM users");
        assert!(
            sql.starts_with("SELECT concat(date_format(born, '%Y-Q'), quarter(born))"),
            "{sql}"
        );
    }

    #[test]
    fn outputs_keep_their_names_and_types() {
        let native =
            native("SELECT count(*), max(born), paid > 1 AS has_paid FROM users GROUP BY paid");
        let columns = native.unwrap().columns;
        let shown: Vec<_> =
            columns.iter().map(|column| (column.name.as_str(), column.data_type)).collect();
        assert_eq!(
            shown,
            [
                ("count", Some(DataType::Integer)),
                ("max", Some(DataType::Date)),
                ("has_paid", Some(DataType::Boolean))
            ]
        );
        let sql = text("SELECT sum FROM (SELECT sum(total) FROM orders) AS totals");
        assert!(sql.contains("sum(total) AS sum"), "{sql}");
    }

    #[test]
    fn what_the_server_cannot_express_is_named() {
        for (sql, what) in [
            ("SELECT split_part(name, ' ', 1) FROM users", "split_part"),
            ("WITH users AS (SELECT 1 AS id) SELECT id FROM users", "WITH users"),
            ("SELECT u.id FROM users u FULL JOIN orders o ON o.user_id = u.id", "FULL JOIN"),
        ] {
            let fault = native(sql).unwrap_err();
            assert!(fault.message.contains(what), "{fault}");
        }
    }
}

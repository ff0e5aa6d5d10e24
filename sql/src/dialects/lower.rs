//! Rewrites a query from a source dialect to the tree's own vocabulary.

use crate::diagnostic::Diagnostic;
use crate::read::ReadDialect;
use crate::tree::{BinaryOperator, Body, CastType, Expr, Identifier, OrderItem, Query, Source};

use super::kinds::{is_constant, is_fractional};
use super::walk::{self, Done, Ordering, Visitor};
use super::{
    aliases, arithmetic, casts, coerce, empty, functions, marked, nulls, patterns, qualify,
    refused, rownum, strings,
};

/// Rewrites a query that was read in another dialect.
pub(super) fn lower(query: &mut Query, from: ReadDialect) -> Result<(), Diagnostic> {
    walk::query(&mut Lowering { from }, query)?;
    coerce::coerce(query, from)?;
    let mut names = Names::default();
    if folds_case(from) {
        walk::query(&mut names, query)?;
        let Names { bare, quoted } = names;
        let mixed = quoted.into_iter().filter(|name| bare.contains(&name.to_lowercase())).collect();
        walk::query(&mut Unquoting { mixed }, query)?;
    }
    Ok(())
}

struct Lowering {
    from: ReadDialect,
}

impl Visitor for Lowering {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let taken = match node {
            Expr::Function(_) | Expr::Binary { .. } | Expr::Column { .. } => {
                std::mem::replace(node, Expr::Tuple(Vec::new()))
            }
            Expr::Cast { operand, to } => {
                self.check_cast(to)?;
                // A path in a VARIANT that is cast to text yields the text without quotes.
                if self.from == ReadDialect::Snowflake
                    && matches!(to.name.as_str(), "text" | "varchar")
                    && let Expr::Function(call) = &mut **operand
                    && call.name == "_json"
                {
                    "_json_text".clone_into(&mut call.name);
                }
                if let Some(cut) = casts::lowered(operand, to, self.from)? {
                    *node = cut;
                }
                return Ok(());
            }
            Expr::Literal(..) | Expr::IsNull { .. } if self.from == ReadDialect::Oracle => {
                empty::as_null(node);
                return Ok(());
            }
            Expr::Like { .. } if self.from == ReadDialect::Mssql => {
                if let Some(call) = patterns::with_set(node) {
                    *node = call;
                }
                return Ok(());
            }
            Expr::Parameter(name)
                if self.from == ReadDialect::Snowflake && name.starts_with('$') =>
            {
                return Err(refused(format!("a column by its position ({name})")));
            }
            _ => return Ok(()),
        };
        *node = match taken {
            Expr::Function(mut call) => {
                if self.from == ReadDialect::Oracle {
                    empty::in_call(&mut call);
                }
                let renamed = call.name == "listagg" || call.name == "string_agg";
                if renamed {
                    for item in &mut call.within_group {
                        nulls::make_explicit(item, self.from);
                    }
                    let expr = functions::lowered(*call, self.from)?;
                    let Expr::Function(lowered) = expr else { return Err(refused("listagg")) };
                    call = lowered;
                    strings::ordered_inside(&mut call);
                    let takes_any = matches!(
                        self.from,
                        ReadDialect::Mysql
                            | ReadDialect::Oracle
                            | ReadDialect::Redshift
                            | ReadDialect::Snowflake
                    );
                    if takes_any {
                        strings::first_as_text(&mut call);
                    }
                    Expr::Function(call)
                } else {
                    functions::lowered(*call, self.from)?
                }
            }
            Expr::Binary { operator, left, right } => {
                match arithmetic::lowered(operator, &left, &right, self.from)? {
                    Some(expr) => expr,
                    None => self.binary(operator, *left, *right),
                }
            }
            other => self.column(other)?,
        };
        Ok(())
    }

    fn order_item(&mut self, item: &mut OrderItem, place: Ordering) -> Done {
        if place == Ordering::Rows {
            nulls::make_explicit(item, self.from);
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        if self.from == ReadDialect::Oracle {
            without_dual(query);
        }
        aliases::group_by_all(query)?;
        aliases::in_having(query, self.from)?;
        if self.from == ReadDialect::Oracle {
            rownum::as_limit(query);
        }
        qualify::rewrite(query)
    }

    fn source(&mut self, source: &mut Source) -> Done {
        match source {
            Source::Table { name, .. } if name.name.starts_with('#') => {
                Err(refused("a temporary table"))
            }
            Source::Table { name, .. } if !name.quoted && name.name.starts_with('@') => {
                Err(refused("a table variable"))
            }
            Source::Function { call, .. } => {
                let lowered = functions::lowered(call.clone(), self.from)?;
                let Expr::Function(lowered) = lowered else {
                    return Err(refused(format!("{} in FROM", call.name)));
                };
                *call = *lowered;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Lowering {
    fn binary(&self, operator: BinaryOperator, mut left: Expr, mut right: Expr) -> Expr {
        match operator {
            BinaryOperator::Plus
                if self.from == ReadDialect::Mssql
                    && strings::plus_of_texts(&mut left, &mut right) =>
            {
                return Expr::binary(left, BinaryOperator::Concat, right);
            }
            // Oracle treats NULL as an empty string, as `concat` does on PostgreSQL.
            BinaryOperator::Concat
                if self.from == ReadDialect::Oracle
                    && !(is_constant(&left) && is_constant(&right)) =>
            {
                return Expr::call("concat", vec![left, right]);
            }
            BinaryOperator::Divide => return self.division(left, right),
            _ => {}
        }
        Expr::binary(left, operator, right)
    }

    /// Division with the source dialect's semantics: dividing integers yields a fraction in most dialects, and in some
    /// division by zero yields NULL.
    fn division(&self, left: Expr, right: Expr) -> Expr {
        let into_fraction = matches!(
            self.from,
            ReadDialect::Bigquery
                | ReadDialect::Duckdb
                | ReadDialect::Mysql
                | ReadDialect::Oracle
                | ReadDialect::Snowflake
        );
        let by_zero =
            matches!(self.from, ReadDialect::Duckdb | ReadDialect::Mysql | ReadDialect::Sqlite);
        let left = if into_fraction && !is_fractional(&left) && !is_fractional(&right) {
            let to = CastType { name: "double precision".to_owned(), arguments: Vec::new() };
            Expr::Cast { operand: Box::new(left), to }
        } else {
            left
        };
        let never_zero = match &right {
            Expr::Literal(crate::tree::Literal::Number(text), _) => {
                text.chars().any(|c| matches!(c, '1'..='9'))
            }
            Expr::Function(call) => call.name == "nullif",
            _ => false,
        };
        let right = if by_zero && !never_zero {
            Expr::call("nullif", vec![right, Expr::number("0")])
        } else {
            right
        };
        Expr::binary(left, BinaryOperator::Divide, right)
    }

    fn column(&self, column: Expr) -> Result<Expr, Diagnostic> {
        let Expr::Column { qualifier: None, name } = &column else { return Ok(column) };
        if name.quoted {
            return Ok(column);
        }
        let lower = name.name.to_ascii_lowercase();
        if self.from == ReadDialect::Oracle && lower == "rownum" {
            return Ok(Expr::call("_rownum", Vec::new()));
        }
        if self.from == ReadDialect::Oracle && matches!(lower.as_str(), "level" | "rowid" | "user")
        {
            return Err(refused(format!("Oracle's {lower}")));
        }
        Ok(functions::bare(&lower, name.span, self.from).unwrap_or(column))
    }

    fn check_cast(&self, to: &CastType) -> Done {
        if self.from == ReadDialect::Mysql
            && to.name == "date"
            && !to.arguments.is_empty()
            && !marked::is_mark(to)
        {
            return Err(refused("a cast to DATE with a length"));
        }
        Ok(())
    }
}

/// Removes `FROM dual`.
fn without_dual(query: &mut Query) {
    let Body::Select(select) = &mut query.body else { return };
    if let [item] = select.from.as_slice()
        && item.joins.is_empty()
        && let Source::Table { schema: None, name, .. } = &item.source
        && name.name.eq_ignore_ascii_case("dual")
    {
        select.from.clear();
    }
}

/// Whether quoted identifiers are case-insensitive in a dialect.
fn folds_case(from: ReadDialect) -> bool {
    matches!(
        from,
        ReadDialect::Bigquery
            | ReadDialect::Duckdb
            | ReadDialect::Mssql
            | ReadDialect::Mysql
            | ReadDialect::Redshift
            | ReadDialect::Sqlite
    )
}

/// Column names: unquoted ones in lower case, and quoted ones.
#[derive(Default)]
struct Names {
    bare: std::collections::BTreeSet<String>,
    quoted: std::collections::BTreeSet<String>,
}

impl Visitor for Names {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Column { qualifier, name } = node {
            for part in qualifier.iter().chain([&*name]) {
                if part.quoted {
                    self.quoted.insert(part.name.clone());
                } else {
                    self.bare.insert(part.name.to_lowercase());
                }
            }
        }
        Ok(())
    }
}

/// Removes the quotes from names that are also used unquoted.
struct Unquoting {
    mixed: std::collections::BTreeSet<String>,
}

impl Unquoting {
    fn unquote(&self, name: &mut Identifier) {
        if self.mixed.contains(&name.name) {
            name.quoted = false;
        }
    }
}

impl Visitor for Unquoting {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Column { qualifier, name } = node {
            self.unquote(name);
            if let Some(qualifier) = qualifier {
                self.unquote(qualifier);
            }
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        for item in &mut select.items {
            if let crate::tree::SelectItem::Expr { alias: Some(alias), .. } = item {
                self.unquote(alias);
            }
        }
        Ok(())
    }

    fn source(&mut self, source: &mut Source) -> Done {
        match source {
            Source::Table { name, alias, .. } => {
                self.unquote(name);
                if let Some(alias) = alias {
                    self.unquote(alias);
                }
            }
            Source::Derived { alias, columns, .. } | Source::Function { alias, columns, .. } => {
                for name in alias.iter_mut().chain(columns) {
                    self.unquote(name);
                }
            }
            Source::Foreign(_) => {}
        }
        Ok(())
    }
}

//! Rewrites a query from the tree's own vocabulary to that of a target.

use crate::diagnostic::Diagnostic;
use crate::foreign::Foreign;
use crate::print::Target;
use crate::tree::{
    BinaryOperator, Expr, FunctionCall, Identifier, OrderItem, Query, Source, SqlSpan,
};

use super::tables::{self, Meaning};
use super::template::{self, plain_arguments};
use super::walk::{self, Done, Ordering, Visitor};
use super::{
    aliases, arithmetic, bigquery, cases, casts, compared, duckdb, json, mysql, mysql_rows, nulls,
    patterns, spark, sqlite, strings, tsql, unprintable, warehouse,
};

/// Rewrites a query for a target. The error names the construct that the target has no equivalent for.
pub(super) fn fit(query: &mut Query, target: Target) -> Result<(), Diagnostic> {
    if target == Target::Trino {
        walk::query(&mut aliases::Keys, query)?;
    }
    walk::query(&mut Fitting { target, only: None, unnamed: 0 }, query)?;
    match target {
        Target::Tsql => tsql::with_conditions(query)?,
        Target::Sqlite => walk::query(&mut compared::Compared { partly: None }, query)?,
        Target::Snowflake | Target::Databricks | Target::Trino => cases::settle(query, target)?,
        Target::Postgres | Target::Bigquery | Target::Mysql | Target::Duckdb | Target::Spark => {}
    }
    Ok(())
}

/// Rewrites an expression for a target, except for the calls of its text: those with a position other than `place`.
/// Afterwards all rewritten calls have that position.
pub(super) fn calls_at(node: &mut Expr, target: Target, place: SqlSpan) -> Result<(), Diagnostic> {
    walk::expr(&mut Fitting { target, only: Some(place), unnamed: 0 }, node)?;
    walk::expr(&mut Placing { place }, node)
}

struct Fitting {
    target: Target,
    /// The position of the calls to rewrite; all calls if `None`.
    only: Option<SqlSpan>,
    /// Number of subqueries in FROM that were given an alias, which the target requires.
    unnamed: usize,
}

/// Gives calls without a position one.
struct Placing {
    place: SqlSpan,
}

impl Visitor for Placing {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Function(call) = node
            && call.span == SqlSpan::default()
        {
            call.span = self.place;
        }
        Ok(())
    }
}

impl Visitor for Fitting {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let (Some(place), Expr::Function(call)) = (self.only, &*node)
            && !call.name.starts_with('_')
            && call.span != place
            && call.span != SqlSpan::default()
        {
            return Ok(());
        }
        if self.only.is_none()
            && self.target == Target::Sqlite
            && let Some(days) = arithmetic::fitted_sqlite(node)?
        {
            *node = days;
            return Ok(());
        }
        if self.only.is_none()
            && self.target == Target::Sqlite
            && casts::divides_decimal(node)
            && let Expr::Binary { left, .. } = node
            && let Expr::Cast { to, .. } = &mut **left
        {
            "double precision".clone_into(&mut to.name);
        }
        if self.only.is_none()
            && let Expr::Cast { operand, to } = node
            && let Some(rounded) = casts::fitted(operand, to, self.target)
        {
            *node = rounded;
            return Ok(());
        }
        if let Expr::Function(call) = node
            && call.name == "_string_agg_any"
            && self.target != Target::Postgres
        {
            "string_agg".clone_into(&mut call.name);
        }
        let special = match self.target {
            Target::Postgres => postgres(node),
            Target::Sqlite => sqlite::fitted(node)?,
            Target::Tsql => tsql::fitted(node)?,
            Target::Bigquery => bigquery::fitted(node)?,
            Target::Mysql => mysql::fitted(node)?,
            Target::Duckdb => duckdb::fitted(node)?,
            Target::Spark => spark::fitted(node)?,
            Target::Databricks => spark::fitted_databricks(node)?,
            Target::Snowflake | Target::Trino => warehouse::fitted(node, self.target)?,
        };
        if self.target == Target::Postgres
            && let Expr::Parameter(name) = node
            && name.starts_with('@')
        {
            return Err(unprintable(self.target, format!("the variable {name}")));
        }
        if let Some(special) = special {
            *node = special;
            return Ok(());
        }
        if let Expr::Function(call) = node
            && let Some(fitted) = self.function(call)?
        {
            *node = fitted;
        }
        walk::check_size(node)
    }

    fn order_item(&mut self, item: &mut OrderItem, place: Ordering) -> Done {
        if place == Ordering::Rows {
            nulls::make_implicit(item, self.target);
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        if self.only.is_none() && self.target == Target::Mysql {
            mysql_rows::fit(query)?;
        }
        Ok(())
    }

    /// Foreign nodes are in PostgreSQL syntax, so only that target can print them.
    fn foreign(&mut self, node: &mut Foreign) -> Done {
        if self.target == Target::Postgres { Ok(()) } else { Err(node.fault.clone()) }
    }

    fn source(&mut self, source: &mut Source) -> Done {
        if let Source::Derived { alias: alias @ None, .. } = source
            && matches!(
                self.target,
                Target::Postgres
                    | Target::Tsql
                    | Target::Mysql
                    | Target::Spark
                    | Target::Databricks
            )
        {
            self.unnamed += 1;
            let name = format!("_q{}", self.unnamed);
            *alias = Some(Identifier { name, ..Identifier::default() });
        }
        if self.target == Target::Mysql {
            mysql_rows::keep_order(source);
        }
        if self.target == Target::Duckdb {
            duckdb::name_column(source)?;
        }
        let Source::Function { call, .. } = source else { return Ok(()) };
        if let Some(fitted) = self.function(call)? {
            let Expr::Function(fitted) = fitted else {
                return Err(unprintable(self.target, format!("{} in FROM", call.name)));
            };
            *call = *fitted;
        }
        Ok(())
    }
}

impl Fitting {
    /// The call rewritten for the target; `None` if it stays the same.
    fn function(&self, call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
        let target = self.target;
        let name = call.name.as_str();
        let refuse = |what: &str| {
            let fault = unprintable(target, what);
            Err(Diagnostic { span: call.span, ..fault })
        };
        match tables::targeted(name, call.arguments.len(), target) {
            Some(Meaning::Refused(reason)) => refuse(reason),
            Some(Meaning::Name(known)) => {
                Ok(Some(FunctionCall { name: known.to_owned(), ..call.clone() }.into()))
            }
            Some(Meaning::Template(text)) => match template::filled(text, call) {
                Some(expr) => Ok(Some(expr)),
                None => refuse(&format!("{name} with this clause")),
            },
            None if matches!(name, "_bits" | "_blob" | "_interval") => Ok(None),
            None if name == "_int_div"
                && matches!(target, Target::Mysql | Target::Spark | Target::Databricks) =>
            {
                Ok(None)
            }
            None if name.starts_with('_') => refuse(&spoken(name)),
            None if tables::has_function(name, target) => Ok(None),
            None if tables::is_known_anywhere(name) => refuse(name),
            // A function unknown to every server is assumed to be user-defined.
            None => Ok(None),
        }
    }
}

/// Readable name of an internal function, for messages.
fn spoken(name: &str) -> String {
    match name {
        "_json" | "_json_text" => "this JSON path".to_owned(),
        "_arrow" | "_arrow_text" => "a computed JSON path".to_owned(),
        name => name.trim_start_matches('_').replace('_', " "),
    }
}

fn postgres(node: &Expr) -> Option<Expr> {
    let Expr::Function(call) = node else { return None };
    let arguments = plain_arguments(call)?;
    match (call.name.as_str(), arguments.as_slice()) {
        ("_interval", [count, Expr::Literal(crate::tree::Literal::String(unit), _)]) => {
            let one = Expr::literal(crate::tree::Literal::Interval(format!("1 {unit}")));
            Some(Expr::binary(one, BinaryOperator::Multiply, count.clone()))
        }
        ("_greatest_or_null", _) => Some(strings::null_if_any("greatest", arguments)),
        ("_least_or_null", _) => Some(strings::null_if_any("least", arguments)),
        ("_like_set", _) => patterns::as_regex(call),
        ("_string_agg_any", _) => strings::aggregated_as_array(call),
        ("_json", [value, keys @ ..]) => json_path(value, keys, false),
        ("_json_text", [value, keys @ ..]) => json_path(value, keys, true),
        _ => None,
    }
}

/// `value -> 'key'`, or `value #> '{…}'` for several keys.
fn json_path(value: &Expr, keys: &[Expr], text: bool) -> Option<Expr> {
    let value = match value {
        Expr::Literal(..) => super::dates::cast(value.clone(), "json"),
        value => value.clone(),
    };
    let (one, several) = if text {
        (BinaryOperator::JsonGetText, BinaryOperator::JsonPathText)
    } else {
        (BinaryOperator::JsonGet, BinaryOperator::JsonPath)
    };
    match keys {
        [key] => Some(Expr::binary(value, one, key.clone())),
        keys => Some(Expr::binary(value, several, Expr::string(json::array(keys)?))),
    }
}

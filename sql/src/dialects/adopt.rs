//! Rewriting of other databases' functions in a statement that is otherwise in the data source's dialect.
//!
//! Unlike [`transpile`](super::transpile), which assumes that the whole statement has another dialect's meaning, this
//! rewrites one call at a time: a division, a LIKE or an order of NULLs keeps the meaning it has on the data source.

use wherefore_catalog::Catalog;

use crate::bind::{Wants, signature};
use crate::diagnostic::Diagnostic;
use crate::place::leaves;
use crate::print::{Target, print, print_fitted};
use crate::read::{ReadDialect, read_habits, read_plain};
use crate::tree::{
    Argument, BinaryOperator, Body, Expr, FunctionCall, Literal, Query, Select, SelectItem, SqlSpan,
};
use crate::{Dialect, guard};

use super::kinds::{is_date, is_interval, is_timestamp, whole_number};
use super::marked::{Columns, Marks};
use super::walk::{self, Done, Visitor};
use super::{compared, dates, fit, functions, refused, tables};

/// A statement whose calls of other databases' functions were rewritten.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Adopted {
    /// The statement in the data source's dialect, not yet checked by the guard.
    pub sql: String,
    /// What was rewritten, such as ``wrote `YEAR(d)` as `EXTRACT(year FROM d)` ``, in the order of the text.
    pub rewritten: Vec<String>,
}

/// Rewrites the calls of functions that the data source does not have but another database has.
///
/// Returns `None` if there is nothing to rewrite or a call has no equivalent. The guard must check the result: only
/// known functions are rewritten, every other part of the statement stays as it is.
pub fn adopt(sql: &str, catalog: &Catalog) -> Option<Adopted> {
    let own = catalog.dialect;
    let mut query = read_plain(sql, own.into()).ok();
    let mut read_as = ReadDialect::from(own);
    if query.is_none() {
        (read_as, query) = readers(sql, own)
            .find_map(|dialect| Some((dialect, Some(read_habits(sql, dialect).ok()?))))?;
    }
    let mut query = query?;
    let columns = Columns::of(&query, catalog);
    walk::query(&mut Marks { columns: &columns }, &mut query).ok()?;
    let mut adopting = Adopting { sql, own, read_as, columns: &columns, done: Vec::new() };
    walk::query(&mut adopting, &mut query).ok()?;
    let done = adopting.done;
    if done.is_empty() {
        return None;
    }
    if own == Dialect::Sqlite {
        let mut rewritten: Vec<u32> = done.iter().map(|it| it.span.start).collect();
        rewritten.sort_unstable();
        let partly = Some(compared::Partly { rewritten, columns: &columns });
        walk::query(&mut compared::Compared { partly }, &mut query).ok()?;
    }
    Columns::unmark(&mut query);
    let sql = print(&query, own).ok()?;
    Some(Adopted { sql, rewritten: notes(done) })
}

/// Dialects to read a statement in if the data source's own reader rejects it.
fn readers(sql: &str, own: Dialect) -> impl Iterator<Item = ReadDialect> {
    let quoted = sql.contains('"');
    ORDER.into_iter().filter(move |dialect| {
        let texts = [ReadDialect::Mysql, ReadDialect::Bigquery];
        *dialect != ReadDialect::from(own) && !(quoted && texts.contains(dialect))
    })
}

/// Dialects in which a function is looked up, the most likely one first.
const ORDER: [ReadDialect; 9] = [
    ReadDialect::Postgres,
    ReadDialect::Sqlite,
    ReadDialect::Mysql,
    ReadDialect::Mssql,
    ReadDialect::Snowflake,
    ReadDialect::Bigquery,
    ReadDialect::Redshift,
    ReadDialect::Oracle,
    ReadDialect::Duckdb,
];

/// A rewritten call.
struct Rewritten {
    span: SqlSpan,
    before: String,
    after: String,
}

/// One note for each call that is not inside another rewritten call.
fn notes(mut done: Vec<Rewritten>) -> Vec<String> {
    done.sort_by_key(|it| (it.span.start, std::cmp::Reverse(it.span.end)));
    let mut notes: Vec<String> = Vec::new();
    let mut end = 0;
    for it in done {
        if it.span.end <= end {
            continue;
        }
        end = it.span.end;
        let note = format!("wrote `{}` as `{}`", it.before, it.after);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

struct Adopting<'a> {
    sql: &'a str,
    own: Dialect,
    /// The dialect whose reader read the statement.
    read_as: ReadDialect,
    columns: &'a Columns,
    done: Vec<Rewritten>,
}

impl Visitor for Adopting<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let (span, before, adopted) = match node {
            Expr::Function(call) => {
                let Some(expr) = self.call(call) else { return Ok(()) };
                let span = extent(self.sql, call.span);
                (span, self.text(span), expr)
            }
            Expr::Column { qualifier: None, name }
                if !name.quoted && self.columns.is_unknown(name) =>
            {
                let lower = name.name.to_ascii_lowercase();
                let found = ORDER.into_iter().find_map(|it| functions::bare(&lower, name.span, it));
                let Some(expr) = found.and_then(|expr| self.fitted(expr, name.span)) else {
                    return Ok(());
                };
                (name.span, self.text(name.span), expr)
            }
            Expr::Binary { right, .. } => {
                let is_literal = is_interval(right);
                let Some(meant) = self.date_arithmetic(node)? else { return Ok(()) };
                let fitted = self.with_kinds(&meant, &|node| self.fitted(node.clone(), NOWHERE));
                let Some(expr) = fitted.filter(|expr| expr != node) else { return Ok(()) };
                let span = leaves(node).unwrap_or_default();
                let whole = extent(self.sql, span);
                let text = self.text(SqlSpan { start: span.start, end: whole.end });
                let before = if is_balanced(&text) && !is_literal {
                    text
                } else {
                    printed(node, Target::Postgres).unwrap_or_default()
                };
                (span, before, expr)
            }
            _ => return Ok(()),
        };
        if let Some(after) = printed(&adopted, self.own.into()) {
            self.done.push(Rewritten { span, before, after });
        }
        *node = adopted;
        Ok(())
    }
}

/// Position of nodes that come from no text.
const NOWHERE: SqlSpan = SqlSpan { start: 0, end: 0 };

/// Span of a call from its name to its closing parenthesis.
fn extent(sql: &str, name: SqlSpan) -> SqlSpan {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, character) in sql.char_indices().skip_while(|(at, _)| *at < name.end as usize) {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return SqlSpan { start: name.start, end: at as u32 + 1 };
                }
            }
            (None, _) if depth == 0 && !character.is_whitespace() => break,
            _ => {}
        }
    }
    name
}

fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

/// The text of an expression on one line, without marks.
fn printed(expr: &Expr, target: Target) -> Option<String> {
    let items = vec![SelectItem::Expr { expr: Columns::unmarked(expr), alias: None }];
    let body = Body::Select(Box::new(Select { items, ..Select::default() }));
    let text = print_fitted(&Query { body, ..Query::default() }, target).ok()?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text.strip_prefix("SELECT ")?.to_owned())
}

/// Whether the data source's function of this name takes other arguments, as Oracle's `trunc(d, 'MM')` does.
fn is_unfit(call: &FunctionCall, own: Dialect) -> bool {
    let Some(known) = signature(&call.name, own) else { return false };
    let count = call.arguments.len();
    if count < known.least || known.most.is_some_and(|most| count > most) {
        return true;
    }
    call.arguments.iter().zip(&known.wants).any(|(argument, wants)| {
        matches!(argument, Argument::Expr(Expr::Literal(Literal::String(text), _))
            if matches!(wants, Wants::Number | Wants::Kind(crate::bind::Kind::Integer))
                && text.trim().parse::<f64>().is_err())
    })
}

impl Adopting<'_> {
    fn text(&self, span: SqlSpan) -> String {
        let text = self.sql.get(span.start as usize..span.end as usize).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The data source's form of a call; `None` if it has the function, or if nothing is known about it.
    fn call(&self, call: &FunctionCall) -> Option<Expr> {
        let internal = call.name.starts_with('_');
        if internal && self.read_as == ReadDialect::from(self.own) {
            return None;
        }
        if !internal && guard::is_listed(&call.name, self.own) && !is_unfit(call, self.own) {
            return None;
        }
        let place = call.span;
        let node = Expr::from(call.clone());
        // The first dialect that has the function decides, even if the data source cannot express its meaning.
        let lowered = |dialect: ReadDialect| {
            (dialect != ReadDialect::from(self.own)
                && self.may_be(call, dialect)
                && functions::lowered(call.clone(), dialect).is_ok())
            .then_some(dialect)
        };
        let meaning = tables::drafted(&call.name, call.arguments.len(), self.own);
        let from = meaning.map_or_else(
            || lowered(self.read_as).or_else(|| ORDER.into_iter().find_map(lowered)),
            |_| Some(ReadDialect::Postgres),
        )?;
        let found = self.with_kinds(&node, &|node| {
            let Expr::Function(call) = node else { return None };
            let lowered = match meaning {
                Some(meaning) => functions::with_meaning((**call).clone(), Some(meaning), from),
                None => functions::lowered((**call).clone(), from),
            };
            self.fitted(lowered.ok()?, place)
        })?;
        (found != node).then_some(found)
    }

    /// Arithmetic on dates that the data source does not have or that has another meaning there: SQLite subtracts the
    /// years of dates, which are text. `None` for any other operation.
    fn date_arithmetic(&self, node: &Expr) -> Result<Option<Expr>, Diagnostic> {
        let Expr::Binary { operator, left, right } = node else { return Ok(None) };
        if !matches!(operator, BinaryOperator::Plus | BinaryOperator::Minus) {
            return Ok(None);
        }
        let is_sqlite = self.own == Dialect::Sqlite;
        if is_interval(right) {
            return Ok(is_sqlite.then(|| node.clone()));
        }
        // `date('now') - date(birth)` is an age in years in a statement that was written for SQLite.
        if !self.is_rewritten(left) && !self.is_rewritten(right) {
            return Ok(None);
        }
        let is_moment = |expr: &Expr| is_date(expr) || is_timestamp(expr);
        if *operator == BinaryOperator::Minus && is_moment(left) && is_moment(right) && is_sqlite {
            if is_date(left) && is_date(right) {
                return Ok(Some(Expr::call(
                    "_diff_day",
                    vec![(**right).clone(), (**left).clone()],
                )));
            }
            return Err(refused("a difference of two times"));
        }
        let days =
            whole_number(right).filter(|_| matches!(**right, Expr::Literal(Literal::Number(_), _)));
        if is_moment(left) && days.is_some() && (is_sqlite || is_timestamp(left)) {
            return dates::plus(left, right, *operator == BinaryOperator::Minus).map(Some);
        }
        Ok(None)
    }

    fn is_rewritten(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Cast { operand, .. } => self.is_rewritten(operand),
            Expr::Function(call) => {
                self.done.iter().any(|it| it.span.start == call.span.start && it.span.end > 0)
            }
            _ => false,
        }
    }

    /// Whether a call may be one of a dialect's functions.
    fn may_be(&self, call: &FunctionCall, dialect: ReadDialect) -> bool {
        let known = tables::foreign(&call.name, Some(call.arguments.len()), dialect);
        known.is_some_and(|meaning| !matches!(meaning, tables::Meaning::Refused(_)))
            || call.name.starts_with('_')
            || dialect == ReadDialect::Postgres
                && guard::is_listed(&call.name, Dialect::Postgres)
                && !is_unfit(call, Dialect::Postgres)
    }

    /// An expression of the tree's vocabulary in the form of the data source.
    fn fitted(&self, mut expr: Expr, place: SqlSpan) -> Option<Expr> {
        fit::calls_at(&mut expr, self.own.into(), place).ok()?;
        Some(expr)
    }

    /// A rewriting that depends on whether values are dates or times. On SQLite both are text: if the type of the one
    /// column in question is unknown, both forms are written and the length of the value decides.
    fn with_kinds(&self, node: &Expr, rewrite: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Expr> {
        if let Some(found) = rewrite(node) {
            return Some(found);
        }
        let column = self.columns.only_untyped(node)?;
        let day = rewrite(&self.columns.marked(node, "date"))?;
        let time = rewrite(&self.columns.marked(node, "timestamp"))?;
        if day == time {
            return Some(time);
        }
        let length = Expr::call("length", vec![column]);
        let is_day = Expr::binary(length, BinaryOperator::LessOrEqual, Expr::number("10"));
        Some(Expr::Case {
            operand: None,
            branches: vec![(is_day, day)],
            otherwise: Some(Box::new(time)),
        })
    }
}

//! Comparisons of dates with times on SQLite, where both are text: `'2024-01-05'` sorts before `'2024-01-05 00:00:00'`.

use crate::tree::{Argument, BinaryOperator, Expr, Literal, SqlSpan};

use super::kinds::{is_date, is_timestamp};
use super::marked::{Columns, marked_column};
use super::walk::{Done, Visitor};

/// Gives both sides of a comparison of a computed date or time the same form.
pub(super) struct Compared<'a> {
    /// In a statement of which only some calls were rewritten: these calls and the types of the columns. Only comparisons
    /// with such a call change, and a column that is compared with a date may hold a time.
    pub(super) partly: Option<Partly<'a>>,
}

/// The rewritten part of a statement.
pub(super) struct Partly<'a> {
    /// Start offsets of the rewritten calls, in ascending order. Calls without a position are rewritten too.
    pub(super) rewritten: Vec<u32>,
    pub(super) columns: &'a Columns,
}

impl Visitor for Compared<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        match node {
            Expr::Binary { operator, left, right } if is_comparison(*operator) => {
                self.align(&mut [&mut **left, &mut **right]);
            }
            Expr::Between { operand, low, high, .. } => {
                self.align(&mut [&mut **operand, &mut **low, &mut **high]);
            }
            Expr::InList { operand, list, .. } => {
                let mut sides: Vec<&mut Expr> = vec![&mut **operand];
                sides.extend(list);
                self.align(&mut sides);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Partly<'_> {
    fn has_rewritten(&self, side: &Expr) -> bool {
        let mut found = false;
        crate::walk::walk(side, &mut |part| {
            found |= matches!(part, Expr::Function(call)
                if call.span == SqlSpan::default()
                    || self.rewritten.binary_search(&call.span.start).is_ok());
        });
        found
    }
}

fn is_comparison(operator: BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(
        operator,
        Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessOrEqual
            | Op::Greater
            | Op::GreaterOrEqual
            | Op::IsDistinctFrom
            | Op::IsNotDistinctFrom
    )
}

/// Forms that a date or time can have as text.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Form {
    /// `yyyy-mm-dd`.
    Day,
    /// `yyyy-mm-dd hh:mm:ss`.
    Time,
    /// A column, which may hold either.
    Stored,
    /// Something else.
    Other,
}

fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

impl Compared<'_> {
    fn form(&self, expr: &Expr) -> Form {
        if marked_column(expr).is_some_and(|(_, kind)| kind == "timestamp") {
            return Form::Stored;
        }
        match expr {
            Expr::Literal(Literal::String(text), _) if is_day(text) => Form::Day,
            // Of the columns without a mark, those of unknown type may hold dates as text.
            Expr::Column { name, .. } => match &self.partly {
                Some(partly) if !partly.columns.is_untyped(name) => Form::Other,
                _ => Form::Stored,
            },
            expr if is_date(expr) => Form::Day,
            expr if is_timestamp(expr) => Form::Time,
            _ => Form::Other,
        }
    }

    fn align(&self, sides: &mut [&mut Expr]) {
        let forms: Vec<Form> = sides.iter().map(|side| self.form(side)).collect();
        let computes = sides.iter().any(|side| {
            matches!(&**side, Expr::Function(call)
                if matches!(call.name.as_str(), "date" | "datetime" | "current_date" | "current_timestamp"))
        });
        let same = forms.windows(2).all(|pair| pair.first() == pair.last());
        let has_time = self.partly.is_some() || forms.contains(&Form::Time);
        if !computes || same || !has_time || forms.contains(&Form::Other) {
            return;
        }
        if let Some(partly) = &self.partly
            && !sides.iter().any(|side| partly.has_rewritten(side))
        {
            return;
        }
        for side in sides {
            as_time(side);
        }
    }
}

/// Gives a side of a comparison the form `yyyy-mm-dd hh:mm:ss`.
fn as_time(side: &mut Expr) {
    match side {
        Expr::Literal(Literal::String(text) | Literal::Date(text), _) if is_day(text) => {
            text.push_str(" 00:00:00");
        }
        Expr::Function(call) if call.name == "datetime" || call.name == "current_timestamp" => {}
        Expr::Function(call) if call.name == "date" && call.arguments.len() == 1 => {
            "datetime".clone_into(&mut call.name);
            if let Some(Argument::Expr(inner)) = call.arguments.first_mut() {
                let day = Expr::call("date", vec![inner.clone()]);
                *inner = day;
            }
        }
        other => {
            let operand = std::mem::replace(other, Expr::Tuple(Vec::new()));
            *other = Expr::call("datetime", vec![operand]);
        }
    }
}

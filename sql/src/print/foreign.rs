//! Printing of foreign nodes part by part, each validated so that it cannot end early, and of regular nodes in
//! alternative syntax.

use crate::foreign::{Foreign, Part, Spelled, Spelling};
use crate::tree::{Argument, Body, Expr, FunctionCall};

use super::expression::{ADDITION, COMPARISON, PRIMARY, UNARY};
use super::{Printer, Text};

impl Printer {
    /// The parts of a foreign node; only PostgreSQL can express them.
    pub(super) fn foreign(self, foreign: &Foreign, indent: usize) -> Text {
        if self.is_duckdb() || self.is_spark() || self.is_warehouse() {
            return self.refuse("syntax that only PostgreSQL has");
        }
        self.postgres_only("syntax that only PostgreSQL has")?;
        self.parts(&foreign.parts, indent)
    }

    /// An expression in the syntax in which it was written.
    pub(super) fn spelled_expr(self, spelled: &Spelled<Expr>, indent: usize) -> Text {
        match (&spelled.meaning, &spelled.spelling) {
            (meaning, _) if self.prints_meaning() => self.inline(meaning, indent),
            (_, Spelling::Leaf(parts)) => self.parts(parts, indent),
            (Expr::Function(call), Spelling::Over(parts)) => {
                let plain = FunctionCall { over: None, ..(**call).clone() };
                Ok(format!("{} OVER {}", self.call(&plain, indent)?, self.parts(parts, indent)?))
            }
            (Expr::Function(call), Spelling::Power) => match &*call.arguments {
                [Argument::Expr(base), Argument::Expr(exponent)] => {
                    let base = self.operand_of(base, UNARY, indent)?;
                    Ok(format!("{base} ^ {}", self.operand_of(exponent, UNARY, indent)?))
                }
                _ => self.inline(&spelled.meaning, indent),
            },
            (like @ Expr::Like { .. }, Spelling::OwnEscape) => {
                let text = self.inline(like, indent)?;
                Ok(text.strip_suffix(" ESCAPE '\\'").unwrap_or(&text).to_owned())
            }
            (Expr::Cast { operand, .. }, Spelling::DateCall) => {
                Ok(format!("date({})", self.inline(operand, indent)?))
            }
            (
                Expr::Function(call),
                spelling @ (Spelling::Position | Spelling::Substring { .. } | Spelling::Trim(_)),
            ) => self.keyword_call(call, spelling, indent),
            (Expr::IsNull { operand, negated }, Spelling::Unknown) => {
                let not = if *negated { "NOT " } else { "" };
                Ok(format!("{} IS {not}UNKNOWN", self.operand_of(operand, ADDITION, indent)?))
            }
            (Expr::InQuery { operand, query, .. }, Spelling::All | Spelling::Any) => {
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let query = self.parenthesised(query, indent)?;
                Ok(format!("{operand} {} {query}", quantifier(&spelled.spelling)))
            }
            (Expr::InList { operand, list, .. }, Spelling::All | Spelling::Any) => {
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let list = self.expressions(list, indent)?;
                Ok(format!("{operand} {} (ARRAY[{list}])", quantifier(&spelled.spelling)))
            }
            (meaning, _) => self.inline(meaning, indent),
        }
    }

    /// A body with its WINDOW clause.
    pub(super) fn spelled_body(self, spelled: &Spelled<Body>, indent: usize) -> Text {
        let body = self.body(&spelled.meaning, indent)?;
        match &spelled.spelling {
            Spelling::Windows(parts) if !self.prints_meaning() => Ok(format!(
                "{body}{}{}",
                super::layout::break_line(indent),
                self.parts(parts, indent)?
            )),
            _ => Ok(body),
        }
    }

    /// A call with keywords between its arguments.
    fn keyword_call(self, call: &FunctionCall, spelling: &Spelling, indent: usize) -> Text {
        let operand = |argument: &Argument| match argument {
            Argument::Expr(expr) => self.operand_of(expr, UNARY, indent),
            Argument::Star => self.refuse("* as an argument"),
        };
        match (spelling, call.arguments.as_slice()) {
            (Spelling::Position, [text, needle]) => {
                Ok(format!("POSITION({} IN {})", operand(needle)?, operand(text)?))
            }
            (Spelling::Substring { from, length }, [text, start, rest @ ..]) => {
                let mut printed = format!("SUBSTRING({}", operand(text)?);
                if *from {
                    printed = format!("{printed} FROM {}", operand(start)?);
                }
                if let (true, Some(length)) = (*length, rest.first()) {
                    printed = format!("{printed} FOR {}", operand(length)?);
                }
                Ok(printed + ")")
            }
            (Spelling::Trim(side), [text, rest @ ..]) => {
                let mut printed = format!("TRIM({side}");
                if let Some(characters) = rest.first() {
                    printed = format!("{printed} {}", operand(characters)?);
                }
                Ok(format!("{printed} FROM {})", operand(text)?))
            }
            _ => self.call(call, indent),
        }
    }

    fn parts(self, parts: &[Part], indent: usize) -> Text {
        let mut text = String::new();
        for part in parts {
            text.push_str(&self.part(part, indent)?);
        }
        Ok(text)
    }

    fn part(self, part: &Part, indent: usize) -> Text {
        match part {
            Part::Text(text) => Ok((*text).to_owned()),
            Part::Word(word) if is_word(word) => Ok(word.clone()),
            Part::Symbol(symbol) if is_symbol(symbol) => Ok(symbol.clone()),
            Part::Number(number) if is_number(number) => Ok(number.clone()),
            Part::Word(other) | Part::Symbol(other) | Part::Number(other) => {
                self.refuse(format!("the token {other:?}"))
            }
            Part::Quoted(name) if name.is_empty() || name.chars().any(char::is_control) => {
                self.refuse(format!("the name {name:?}"))
            }
            Part::Quoted(name) => Ok(format!("\"{}\"", name.replace('"', "\"\""))),
            Part::String(text) => self.string(text),
            Part::Name(name) => self.name(name),
            Part::Expr(expr) => self.inline(expr, indent),
            Part::Operand(expr) => self.operand_of(expr, UNARY, indent),
            Part::Order(item) => self.order_item(item),
            Part::Window(window) => self.window(window, indent),
            Part::Query(query) => self.query(query, indent),
            Part::From(item) => self.source_with_joins(item, indent),
        }
    }
}

/// Precedence of a node in alternative syntax.
pub(super) fn binding(spelling: &Spelling) -> u8 {
    match spelling {
        Spelling::All
        | Spelling::Any
        | Spelling::OwnEscape
        | Spelling::Power
        | Spelling::Unknown => COMPARISON,
        Spelling::DateCall
        | Spelling::Position
        | Spelling::Substring { .. }
        | Spelling::Trim(_)
        | Spelling::Leaf(_)
        | Spelling::Over(_)
        | Spelling::Windows(_) => PRIMARY,
    }
}

fn quantifier(spelling: &Spelling) -> &'static str {
    if *spelling == Spelling::All { "<> ALL" } else { "= ANY" }
}

/// Whether a word is valid without quotes.
fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// Whether a text is a single operator or punctuation mark that does not start a comment.
fn is_symbol(symbol: &str) -> bool {
    let is_operator = symbol.chars().all(|c| "+-*/<>=~!@#%^&|`?".contains(c));
    let marks = ["(", ")", "[", "]", ",", ".", ":", "::", ":=", "=>"];
    !symbol.is_empty()
        && (marks.contains(&symbol)
            || is_operator && !symbol.contains("--") && !symbol.contains("/*"))
}

/// Whether a text is a single number, such as `0x1F`, `1_000` or `1.5e-3`.
fn is_number(number: &str) -> bool {
    let mut after_exponent = false;
    number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && number.chars().all(|c| {
            let is_sign = after_exponent && matches!(c, '+' | '-');
            after_exponent = matches!(c, 'e' | 'E');
            is_sign || c.is_ascii_alphanumeric() || matches!(c, '.' | '_')
        })
}

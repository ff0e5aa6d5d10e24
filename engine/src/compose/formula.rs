//! Formulas of metrics: columns and numbers joined by `+ - * /` and brackets.

use crate::catalog::{Catalog, ColumnRef};
use crate::intent::{ArithmeticOperator, Expression};
use crate::linking::{SchemaIndex, TableId};

/// Deepest nesting of brackets that is read.
const DEEPEST: usize = 32;

/// Expression of a formula over a table's columns; a column of another table is written `table.column`.
pub(crate) fn parse(
    catalog: &Catalog,
    schema: &SchemaIndex,
    table: TableId,
    text: &str,
) -> Result<Expression, String> {
    let mut parser = FormulaParser {
        catalog,
        key: schema.profile(table).key.clone(),
        pieces: pieces(text),
        at: 0,
    };
    let expression = parser.sum(0)?;
    match parser.pieces.get(parser.at) {
        None => Ok(expression),
        Some(piece) => Err(format!("“{piece}” is not expected in “{text}”")),
    }
}

struct FormulaParser<'a> {
    catalog: &'a Catalog,
    key: String,
    pieces: Vec<String>,
    at: usize,
}

impl FormulaParser<'_> {
    fn sum(&mut self, depth: usize) -> Result<Expression, String> {
        let mut left = self.product(depth)?;
        while let Some(operator) =
            self.operator(&[("+", ArithmeticOperator::Plus), ("-", ArithmeticOperator::Minus)])
        {
            let right = self.product(depth)?;
            left =
                Expression::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Expression, String> {
        let mut left = self.atom(depth)?;
        let signs = [("*", ArithmeticOperator::Multiply), ("/", ArithmeticOperator::Divide)];
        while let Some(operator) = self.operator(&signs) {
            let right = self.atom(depth)?;
            left =
                Expression::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
        }
        Ok(left)
    }

    fn operator(&mut self, signs: &[(&str, ArithmeticOperator)]) -> Option<ArithmeticOperator> {
        let piece = self.pieces.get(self.at)?;
        let (_, operator) = signs.iter().find(|(sign, _)| sign == piece)?;
        self.at += 1;
        Some(*operator)
    }

    fn atom(&mut self, depth: usize) -> Result<Expression, String> {
        let Some(piece) = self.pieces.get(self.at).cloned() else {
            return Err("the formula ends too early".to_owned());
        };
        self.at += 1;
        if piece == "(" {
            if depth >= DEEPEST {
                return Err("the formula is nested too deeply".to_owned());
            }
            let inner = self.sum(depth + 1)?;
            self.at += 1;
            return match self.pieces.get(self.at - 1).map(String::as_str) {
                Some(")") => Ok(inner),
                _ => Err("a bracket is not closed".to_owned()),
            };
        }
        if piece.chars().all(|character| character.is_ascii_digit() || character == '.')
            && piece.parse::<f64>().is_ok()
        {
            return Ok(Expression::Number { value: piece });
        }
        let column = match piece.rsplit_once('.') {
            Some((table, column)) => ColumnRef::new(table, column),
            None => ColumnRef::new(self.key.clone(), piece.clone()),
        };
        if self.catalog.column(&column).is_none() {
            return Err(format!("column {piece} does not exist"));
        }
        Ok(Expression::Column { column })
    }
}

fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut open = false;
    for character in text.chars() {
        if character.is_alphanumeric() || character == '_' || character == '.' {
            match pieces.last_mut() {
                Some(last) if open => last.push(character),
                _ => pieces.push(character.to_string()),
            }
            open = true;
        } else {
            open = false;
            if !character.is_whitespace() {
                pieces.push(character.to_string());
            }
        }
    }
    pieces
}

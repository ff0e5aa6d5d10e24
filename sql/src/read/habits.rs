//! Dialect-specific constructs, converted into regular nodes or calls of internal functions.

use sqlparser::ast;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use crate::dialects::{flattened_interval, flattened_path};
use crate::foreign::Part;
use crate::tree::{
    Argument, BinaryOperator, Expr, FunctionCall, Join, JoinCondition, JoinKind, Literal, Place,
    Query, Select, SelectItem, Source, SqlSpan,
};

use super::dialect::ReadDialect;
use super::{Converted, Reader, absent, unsupported};

/// Result of trying to convert a dialect-specific expression.
pub(super) enum Habit {
    /// The expression was specific to the dialect and is converted.
    Read(Expr),
    /// The expression is common to all dialects.
    Common(Box<ast::Expr>),
}

/// Merges or replaces tokens that the parser would misread: Oracle's `^=`, MySQL's `0b11`, and `RESPECT NULLS` inside a
/// call.
pub(super) fn repair(tokens: Vec<TokenWithSpan>, dialect: ReadDialect) -> Vec<TokenWithSpan> {
    let mut repaired: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for mut token in tokens {
        if let (ReadDialect::Mysql, Token::Word(word)) = (dialect, &token.token)
            && word.quote_style.is_none()
            && let Some(digits) = word.value.strip_prefix("0b").filter(|digits| is_binary(digits))
        {
            token.token = Token::SingleQuotedByteStringLiteral(digits.to_owned());
        }
        if dialect == ReadDialect::Mysql && is_keyword(&token, "MOD") && ends_value(repaired.last())
        {
            token.token = Token::Mod;
        }
        if token.token == Token::RParen && respects_nulls(&repaired) {
            // RESPECT NULLS is the default.
            repaired.truncate(repaired.len().saturating_sub(2));
        }
        let merged = repaired.last().and_then(|last| {
            if last.span.end != token.span.start {
                return None;
            }
            match (dialect, &last.token, &token.token) {
                (ReadDialect::Oracle, Token::Caret, Token::Eq) => Some(Token::Neq),
                _ => None,
            }
        });
        match (merged, repaired.last_mut()) {
            (Some(merged), Some(last)) => {
                let span = Span::new(last.span.start, token.span.end);
                *last = TokenWithSpan::new(merged, span);
            }
            _ => repaired.push(token),
        }
    }
    repaired
}

/// Whether a token can end an operand, so that an operator can follow.
fn ends_value(token: Option<&TokenWithSpan>) -> bool {
    let Some(token) = token else { return false };
    match &token.token {
        Token::Word(word) => {
            word.quote_style.is_some() || word.keyword == sqlparser::keywords::Keyword::NoKeyword
        }
        Token::Number(..) | Token::RParen => true,
        _ => false,
    }
}

fn is_keyword(token: &TokenWithSpan, keyword: &str) -> bool {
    matches!(&token.token, Token::Word(word)
        if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(keyword))
}

/// Whether the tokens end in `RESPECT NULLS`.
fn respects_nulls(tokens: &[TokenWithSpan]) -> bool {
    let [.., respect, nulls] = tokens else { return false };
    is_keyword(respect, "RESPECT") && is_keyword(nulls, "NULLS")
}

impl Reader<'_> {
    pub(super) fn habit_expr(&mut self, expr: ast::Expr) -> Converted<Habit> {
        Ok(Habit::Read(match expr {
            ast::Expr::Identifier(name)
                if name.quote_style.is_none() && name.value.starts_with('@') =>
            {
                Expr::Parameter(name.value)
            }
            ast::Expr::Convert {
                is_try,
                expr,
                data_type,
                charset,
                target_before_value: _,
                styles,
            } => {
                if let ([style], Some(to), false) = (styles.as_slice(), &data_type, is_try) {
                    return self.styled(*expr, to.clone(), style.clone()).map(Habit::Read);
                }
                absent(!is_try && styles.is_empty(), "TRY_CONVERT or CONVERT with a style")?;
                match (data_type, charset) {
                    (Some(to), None) => self.cast(ast::CastKind::Cast, *expr, to, None)?,
                    (None, Some(_)) => self.expr(*expr)?,
                    _ => return Err(unsupported("this form of CONVERT", SqlSpan::default())),
                }
            }
            ast::Expr::JsonAccess { value, path } => self.json_access(*value, path)?,
            ast::Expr::RLike { negated, expr, pattern, regexp: _ } => {
                self.regex(*expr, *pattern, negated)?
            }
            ast::Expr::Extract { field, syntax: _, expr } => self.habit_extract(&field, *expr)?,
            ast::Expr::OuterJoin(_) => {
                return Err(unsupported("an outer join written as (+)", SqlSpan::default()));
            }
            ast::Expr::InUnnest { expr, array_expr, negated } => {
                let operand = self.boxed(*expr)?;
                match self.expr(*array_expr)? {
                    Expr::Array(list) if !list.is_empty() => {
                        Expr::InList { operand, list, negated }
                    }
                    _ => return Err(unsupported("IN UNNEST", SqlSpan::default())),
                }
            }
            other => return Ok(Habit::Common(Box::new(other))),
        }))
    }

    /// CONVERT with a style, from a date to text or from text to a date.
    fn styled(&mut self, value: ast::Expr, to: ast::DataType, style: ast::Expr) -> Converted<Expr> {
        use ast::DataType as Type;
        let (value, style) = (self.expr(value)?, self.expr(style)?);
        let length = match to {
            Type::Date => return Ok(Expr::call("_convert_date", vec![value, style])),
            Type::Char(length) | Type::Varchar(length) | Type::Nvarchar(length) => match length {
                Some(ast::CharacterLength::IntegerLength { length, .. }) => length,
                // A length of 30 is the default.
                _ => 30,
            },
            _ => return Err(unsupported("CONVERT with a style to this type", SqlSpan::default())),
        };
        let length = Expr::number(length.to_string());
        Ok(Expr::call("_convert_text", vec![value, style, length]))
    }

    /// A binary operation that is specific to the dialect or has another meaning in it.
    pub(super) fn habit_operation(
        &self,
        left: Expr,
        op: ast::BinaryOperator,
        right: Expr,
    ) -> Converted<Expr> {
        use ast::BinaryOperator as Op;
        Ok(match (op, self.dialect) {
            (Op::Xor, _) => Expr::call("_xor", vec![left, right]),
            (Op::MyIntegerDivide | Op::DuckIntegerDivide, _) => {
                Expr::call("_int_div", vec![left, right])
            }
            (
                Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGRegexNotMatch | Op::PGRegexNotIMatch,
                ReadDialect::Duckdb,
            ) => return Err(unsupported("~ as a match of the whole text", SqlSpan::default())),
            (Op::Arrow, ReadDialect::Mysql | ReadDialect::Duckdb | ReadDialect::Sqlite) => {
                Expr::call("_arrow", vec![left, right])
            }
            (Op::LongArrow, ReadDialect::Mysql | ReadDialect::Duckdb | ReadDialect::Sqlite) => {
                Expr::call("_arrow_text", vec![left, right])
            }
            (op, _) => self.operation(left, op, right)?,
        })
    }

    fn json_access(&mut self, value: ast::Expr, path: ast::JsonPath) -> Converted<Expr> {
        let mut arguments = vec![self.expr(value)?];
        for element in path.path {
            arguments.push(match element {
                ast::JsonPathElem::Dot { key, quoted: _ } => Expr::string(key),
                ast::JsonPathElem::Bracket { key } | ast::JsonPathElem::ColonBracket { key } => {
                    self.expr(key)?
                }
            });
        }
        Ok(flattened_path(Expr::call("_json", arguments)))
    }

    fn regex(&mut self, operand: ast::Expr, pattern: ast::Expr, negated: bool) -> Converted<Expr> {
        let operator = match (self.dialect, negated) {
            (ReadDialect::Mysql, false) => BinaryOperator::RegexInsensitive,
            (ReadDialect::Mysql, true) => BinaryOperator::NotRegexInsensitive,
            _ => return Err(unsupported("rlike", SqlSpan::default())),
        };
        Ok(Expr::binary(self.expr(operand)?, operator, self.expr(pattern)?))
    }

    fn habit_extract(&mut self, field: &ast::DateTimeField, from: ast::Expr) -> Converted<Expr> {
        let field = field.to_string().trim_matches('\'').to_ascii_lowercase();
        let operand = self.expr(from)?;
        Ok(Expr::call("date_part", vec![Expr::string(field), operand]))
    }

    /// An interval such as `INTERVAL '1' DAY`, `INTERVAL -1 QUARTER` or `INTERVAL n DAY`.
    pub(super) fn habit_interval(
        &mut self,
        value: ast::Expr,
        field: Option<ast::DateTimeField>,
    ) -> Converted<Expr> {
        let value = self.expr(value)?;
        let Some(field) = field else {
            return match value {
                Expr::Literal(Literal::String(text), place) => {
                    Ok(Expr::Literal(Literal::Interval(text.replace(',', " ")), place))
                }
                _ => Err(unsupported("an interval without a unit", SqlSpan::default())),
            };
        };
        let unit = super::literal::field_name(&field)?;
        Ok(flattened_interval(value, unit))
    }

    pub(super) fn habit_value(&self, value: ast::Value, place: SqlSpan) -> Converted<Expr> {
        use ast::Value;
        let literal = match value {
            Value::Number(text, true) => Literal::Number(text),
            Value::NationalStringLiteral(text)
            | Value::SingleQuotedRawStringLiteral(text)
            | Value::DoubleQuotedRawStringLiteral(text)
            | Value::TripleSingleQuotedRawStringLiteral(text)
            | Value::TripleDoubleQuotedRawStringLiteral(text)
            | Value::TripleSingleQuotedString(text)
            | Value::TripleDoubleQuotedString(text) => Literal::String(text),
            Value::QuoteDelimitedStringLiteral(text)
            | Value::NationalQuoteDelimitedStringLiteral(text) => Literal::String(text.value),
            Value::HexStringLiteral(text) if is_hexadecimal(&text) => {
                let is_number = self.lines.starts_with(place, '0');
                match self.dialect {
                    ReadDialect::Bigquery
                    | ReadDialect::Duckdb
                    | ReadDialect::Postgres
                    | ReadDialect::Sqlite
                        if is_number =>
                    {
                        match i64::from_str_radix(&text, 16) {
                            Ok(number) => Literal::Number(number.to_string()),
                            Err(_) => return Err(unsupported("a number this long", place)),
                        }
                    }
                    // A bit string, which only PostgreSQL has.
                    ReadDialect::Postgres => return self.foreign_hex(text, place),
                    ReadDialect::Mysql | ReadDialect::Redshift => {
                        return Ok(Expr::call(
                            "_bits",
                            vec![Expr::string("x"), Expr::string(text)],
                        ));
                    }
                    _ => return Ok(Expr::call("_blob", vec![Expr::string(text)])),
                }
            }
            Value::SingleQuotedByteStringLiteral(text)
                if is_binary(&text) && self.dialect != ReadDialect::Bigquery =>
            {
                return Ok(Expr::call("_bits", vec![Expr::string("b"), Expr::string(text)]));
            }
            _ => return Err(unsupported("this kind of literal", place)),
        };
        Ok(Expr::Literal(literal, Place(place)))
    }

    /// A call; the separator of MySQL's `group_concat` becomes an argument.
    pub(super) fn habit_call(&self, mut call: FunctionCall) -> Converted<Expr> {
        if call.name.starts_with('_') {
            let what = "a function whose name starts with an underscore";
            return Err(unsupported(what, call.span));
        }
        if self.dialect == ReadDialect::Mysql && call.name == "group_concat" {
            separated(&mut call, Expr::string(","));
        }
        Ok(self.lowered(call))
    }

    pub(super) fn habit_clause(
        &self,
        clause: ast::FunctionArgumentClause,
        call: &mut FunctionCall,
    ) -> Converted<()> {
        match clause {
            ast::FunctionArgumentClause::IgnoreOrRespectNulls(ast::NullTreatment::RespectNulls) => {
                Ok(())
            }
            ast::FunctionArgumentClause::IgnoreOrRespectNulls(_) => {
                Err(unsupported("IGNORE NULLS", call.span))
            }
            ast::FunctionArgumentClause::Separator(separator) => {
                let separator = self.value(separator)?;
                separated(call, separator);
                Ok(())
            }
            _ => Err(unsupported("this clause inside a function call", call.span)),
        }
    }

    /// A join by APPLY, or a semi join or anti join; `None` for the latter two, which become a filter condition.
    pub(super) fn habit_join(
        &mut self,
        operator: ast::JoinOperator,
        relation: ast::TableFactor,
    ) -> Converted<Option<Join>> {
        let (constraint, negated) = match operator {
            ast::JoinOperator::Semi(constraint) | ast::JoinOperator::LeftSemi(constraint) => {
                (constraint, false)
            }
            ast::JoinOperator::Anti(constraint) | ast::JoinOperator::LeftAnti(constraint) => {
                (constraint, true)
            }
            ast::JoinOperator::CrossApply => return self.apply(JoinKind::Inner, relation),
            ast::JoinOperator::OuterApply => return self.apply(JoinKind::Left, relation),
            ast::JoinOperator::StraightJoin(constraint) => {
                let source = self.source(relation)?;
                let condition = self.join_condition(constraint)?;
                let kind = match condition {
                    JoinCondition::None => JoinKind::Cross,
                    _ => JoinKind::Inner,
                };
                return Ok(Some(Join { kind, source, condition }));
            }
            _ => return Err(unsupported("this kind of join", SqlSpan::default())),
        };
        let source = self.source(relation)?;
        let JoinCondition::On(condition) = self.join_condition(constraint)? else {
            return Err(unsupported("a semi or anti join without ON", SqlSpan::default()));
        };
        let select = Select {
            items: vec![SelectItem::Expr { expr: Expr::number("1"), alias: None }],
            from: vec![crate::tree::FromItem { source, joins: Vec::new() }],
            filter: Some(condition),
            ..Select::default()
        };
        let body = crate::tree::Body::Select(Box::new(select));
        let query = Box::new(Query { body, ..Query::default() });
        self.filters.push(Expr::Exists { query, negated });
        Ok(None)
    }

    fn apply(&mut self, kind: JoinKind, relation: ast::TableFactor) -> Converted<Option<Join>> {
        let mut source = self.source(relation)?;
        match &mut source {
            Source::Derived { lateral, .. } => *lateral = true,
            Source::Function { .. } => {}
            // Where APPLY is supported, the only foreign sources are schema-qualified functions.
            Source::Foreign(foreign) => foreign.parts.insert(0, Part::Text("LATERAL ")),
            Source::Table { .. } => {
                return Err(unsupported("APPLY to a table", SqlSpan::default()));
            }
        }
        let condition = JoinCondition::On(Expr::literal(Literal::Boolean(true)));
        Ok(Some(Join { kind, source, condition }))
    }
}

/// The conjunction of some conditions; `None` if there are none.
pub(super) fn all_of(mut conditions: Vec<Expr>) -> Option<Expr> {
    if conditions.len() > 1 { Some(Expr::And(conditions)) } else { conditions.pop() }
}

/// Rewrites a call as `string_agg` with a separator; several arguments are concatenated.
fn separated(call: &mut FunctionCall, separator: Expr) {
    "string_agg".clone_into(&mut call.name);
    let texts = std::mem::take(&mut call.arguments).into_iter().filter_map(|part| match part {
        Argument::Expr(expr) => Some(expr),
        Argument::Star => None,
    });
    let text = texts.reduce(|left, right| Expr::binary(left, BinaryOperator::Concat, right));
    call.arguments = text.into_iter().chain([separator]).map(Argument::Expr).collect();
}

fn is_binary(digits: &str) -> bool {
    !digits.is_empty() && digits.chars().all(|c| matches!(c, '0' | '1'))
}

fn is_hexadecimal(digits: &str) -> bool {
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit())
}

//! Reads one statement, with the parser's readers of columns and constraints.
//!
//! Only the parts that define tables are parsed. The parser's entry for whole statements rejects a statement because of
//! parts that are irrelevant here, such as storage options, and would make the Wasm module larger.

use sqlparser::ast::{ColumnDef, Ident, ObjectName, TableConstraint};
use sqlparser::dialect::Dialect as Syntax;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{IsOptional, Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::Diagnostic;
use crate::read::{LineIndex, PARSER_DEPTH, check_nesting, is_keyword, parse_fault};
use crate::tree::SqlSpan;

/// What a statement defines.
pub(super) enum Definition {
    Table { name: ObjectName, columns: Vec<ColumnDef>, constraints: Vec<TableConstraint> },
    View { name: ObjectName, columns: Vec<Ident> },
    Addition { table: ObjectName, columns: Vec<ColumnDef>, constraints: Vec<TableConstraint> },
    TableComment { table: ObjectName, comment: String },
    ColumnComment { column: ObjectName, comment: String },
}

/// The definition in a statement; `None` if it defines nothing that is read. Several dialects are tried in turn; the
/// error is that of the first.
pub(super) fn read(
    statement: &[TokenWithSpan],
    dialects: &[&dyn Syntax],
    lines: &LineIndex<'_>,
) -> Result<Option<Definition>, Diagnostic> {
    let starts =
        |keyword| matches!(&statement[0].token, Token::Word(word) if is_keyword(word, keyword));
    if !["CREATE", "ALTER", "COMMENT"].into_iter().any(starts) {
        return Ok(None);
    }
    check_nesting(statement, lines)?;
    let mut first = None;
    for dialect in dialects {
        let mut parser = Parser::new(*dialect)
            .with_recursion_limit(PARSER_DEPTH)
            .with_tokens_with_locations(statement.to_vec());
        match definition(&mut parser) {
            Ok(definition) => return Ok(definition),
            Err(error) => first = first.or(Some(error)),
        }
    }
    let Some(error) = first else { return Ok(None) };
    let mut fault = parse_fault(error, lines);
    if fault.span == SqlSpan::default() {
        fault.span = lines.span(statement[0].span);
    }
    Err(fault)
}

fn definition(parser: &mut Parser<'_>) -> Result<Option<Definition>, ParserError> {
    if parser.parse_keywords(&[Keyword::ALTER, Keyword::TABLE]) {
        return addition(parser).map(Some);
    }
    if parser.parse_keyword(Keyword::COMMENT) {
        return comment(parser);
    }
    if !parser.parse_keyword(Keyword::CREATE) {
        return Ok(None);
    }
    let modifiers = [
        Keyword::FOREIGN,
        Keyword::GLOBAL,
        Keyword::LOCAL,
        Keyword::MATERIALIZED,
        Keyword::OR,
        Keyword::RECURSIVE,
        Keyword::REPLACE,
        Keyword::TEMP,
        Keyword::TEMPORARY,
        Keyword::UNLOGGED,
    ];
    while parser.parse_one_of_keywords(&modifiers).is_some() {}
    if parser.parse_keyword(Keyword::TABLE) {
        return table(parser);
    }
    if parser.parse_keyword(Keyword::VIEW) {
        return view(parser).map(Some);
    }
    Ok(None)
}

/// `[IF NOT EXISTS] name (columns and constraints)`. Partitions of a table are left out: the table stands for them.
fn table(parser: &mut Parser<'_>) -> Result<Option<Definition>, ParserError> {
    optional(parser, &[Keyword::IF, Keyword::NOT, Keyword::EXISTS]);
    let name = parser.parse_object_name(false)?;
    if parser.parse_keyword(Keyword::PARTITION) {
        return Ok(None);
    }
    let (columns, constraints) = parser.parse_columns()?;
    check_end(parser)?;
    Ok(Some(Definition::Table { name, columns, constraints }))
}

/// `[IF NOT EXISTS] name [(columns)]`; the query is not read.
fn view(parser: &mut Parser<'_>) -> Result<Definition, ParserError> {
    optional(parser, &[Keyword::IF, Keyword::NOT, Keyword::EXISTS]);
    let name = parser.parse_object_name(false)?;
    let columns = parser.parse_parenthesized_column_list(IsOptional::Optional, false)?;
    check_end(parser)?;
    Ok(Definition::View { name, columns })
}

/// `[IF EXISTS] [ONLY] name` and actions, of which those that start with `ADD` are read.
fn addition(parser: &mut Parser<'_>) -> Result<Definition, ParserError> {
    optional(parser, &[Keyword::IF, Keyword::EXISTS]);
    optional(parser, &[Keyword::ONLY]);
    let table = parser.parse_object_name(false)?;
    let mut columns = Vec::new();
    let mut constraints = Vec::new();
    loop {
        if parser.parse_keyword(Keyword::ADD) {
            if let Some(constraint) = parser.parse_optional_table_constraint()? {
                constraints.push(constraint);
            } else {
                optional(parser, &[Keyword::COLUMN]);
                optional(parser, &[Keyword::IF, Keyword::NOT, Keyword::EXISTS]);
                columns.push(parser.parse_column_def()?);
            }
        }
        if !skip(parser, &Token::Comma) {
            return Ok(Definition::Addition { table, columns, constraints });
        }
    }
}

/// `ON TABLE name IS 'text'`, also of views, and `ON COLUMN table.column IS 'text'`.
fn comment(parser: &mut Parser<'_>) -> Result<Option<Definition>, ParserError> {
    parser.expect_keyword(Keyword::ON)?;
    let is_column = parser.parse_keyword(Keyword::COLUMN);
    if !is_column {
        optional(parser, &[Keyword::FOREIGN]);
        optional(parser, &[Keyword::MATERIALIZED]);
        if parser.parse_one_of_keywords(&[Keyword::TABLE, Keyword::VIEW]).is_none() {
            return Ok(None);
        }
    }
    let name = parser.parse_object_name(false)?;
    parser.expect_keyword(Keyword::IS)?;
    let comment = if parser.parse_keyword(Keyword::NULL) {
        String::new()
    } else {
        parser.parse_literal_string()?
    };
    Ok(Some(if is_column {
        Definition::ColumnComment { column: name, comment }
    } else {
        Definition::TableComment { table: name, comment }
    }))
}

/// Skips these keywords if they follow.
fn optional(parser: &mut Parser<'_>, keywords: &[Keyword]) {
    let _ = parser.parse_keywords(keywords);
}

/// Refuses a second statement that no semicolon separates from this one, and that would be skipped otherwise.
fn check_end(parser: &mut Parser<'_>) -> Result<(), ParserError> {
    let create = |token: &Token| matches!(token, Token::Word(word) if is_keyword(word, "CREATE"));
    if skip_to(parser, create) {
        return parser.expected("a semicolon", parser.peek_token());
    }
    Ok(())
}

/// Skips past the next such token outside parentheses; returns whether there is one.
fn skip(parser: &mut Parser<'_>, token: &Token) -> bool {
    skip_to(parser, |next| next == token) && parser.consume_token(token)
}

/// Skips to the next token outside parentheses for which a condition holds; returns whether there is one.
fn skip_to(parser: &mut Parser<'_>, is: impl Fn(&Token) -> bool) -> bool {
    let mut depth = 0_usize;
    loop {
        match &parser.peek_token_ref().token {
            Token::EOF => return false,
            token if depth == 0 && is(token) => return true,
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        parser.advance_token();
    }
}

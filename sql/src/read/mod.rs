//! Reads SQL text into the tree. A construct that the tree cannot represent is an error that names it.
//!
//! Limits on size, tokens and nesting apply before parsing, so that no input can overflow the stack.

mod dialect;
mod expression;
mod foreign;
mod function;
mod habits;
mod like;
mod literal;
mod operands;
mod operation;
mod precedence;
mod query;
mod select;
mod source;
mod span;
mod tokens;
mod window;

pub use dialect::ReadDialect;

use sqlparser::ast;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::diagnostic::{Code, Diagnostic};
use super::tree::{Expr, Identifier, Query, SqlSpan};
pub(crate) use span::LineIndex;
pub(crate) use tokens::{check_nesting, is_keyword};
use window::NamedWindow;

/// Maximum depth of the tree, in nested queries and expressions.
const MAX_DEPTH: usize = 100;

/// Maximum recursion depth of the parser. An optimized stack frame takes up to 10 kB and an unoptimized one 85 kB; the
/// stack has 1 MiB in WebAssembly.
pub(crate) const PARSER_DEPTH: usize = 36;

/// Reads the single query in a text.
///
/// Every diagnostic has a position in the text; no text makes it panic.
pub fn read(sql: &str, dialect: ReadDialect) -> Result<Query, Vec<Diagnostic>> {
    read_one(sql, dialect, Manner::InWords).map_err(|fault| vec![fault])
}

/// Like [`read`], but with regular nodes only: alternative PostgreSQL syntax is not preserved.
pub fn read_plain(sql: &str, dialect: ReadDialect) -> Result<Query, Vec<Diagnostic>> {
    read_one(sql, dialect, Manner::Plain).map_err(|fault| vec![fault])
}

/// Like [`read`], but converts dialect-specific constructs into calls of internal functions (their names start with
/// `_`), which rewriting for a target removes.
pub(super) fn read_habits(sql: &str, dialect: ReadDialect) -> Result<Query, Vec<Diagnostic>> {
    read_one(sql, dialect, Manner::Habits).map_err(|fault| vec![fault])
}

/// What the reader adds to the regular nodes.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Manner {
    /// Dialect-specific constructs, for rewriting.
    Habits,
    /// The alternative PostgreSQL syntax that regular nodes were written in.
    InWords,
    /// Nothing.
    Plain,
}

/// A query with the spans of its tokens, without white space and comments.
pub struct WithTokens {
    pub query: Query,
    pub tokens: Vec<SqlSpan>,
}

/// Reads the single query in a text into regular nodes, and returns its token spans.
pub fn read_with_tokens(sql: &str, dialect: ReadDialect) -> Result<WithTokens, Diagnostic> {
    tokens::check_text(sql, dialect)?;
    let lines = LineIndex::new(sql);
    let tokens = tokens::tokenize(sql, dialect, &lines)?;
    let places = tokens.iter().map(|token| lines.span(token.span)).collect();
    let query = read_tokens(tokens, lines, dialect, Manner::Plain)?;
    Ok(WithTokens { query, tokens: places })
}

fn read_one(sql: &str, dialect: ReadDialect, manner: Manner) -> Result<Query, Diagnostic> {
    tokens::check_text(sql, dialect)?;
    let lines = LineIndex::new(sql);
    let tokens = tokens::tokenize(sql, dialect, &lines)?;
    read_tokens(tokens, lines, dialect, manner)
}

fn read_tokens(
    tokens: Vec<TokenWithSpan>,
    lines: LineIndex<'_>,
    dialect: ReadDialect,
    manner: Manner,
) -> Result<Query, Diagnostic> {
    let (tokens, asides) = match dialect {
        ReadDialect::Postgres => foreign::prepare(tokens),
        _ => (tokens, foreign::Asides::new()),
    };
    let mut tokens = operands::mark(tokens::repair(tokens));
    if manner == Manner::Habits {
        tokens = habits::repair(tokens, dialect);
    }
    let parsed = parse(tokens, dialect, &lines)?;
    Reader {
        dialect,
        in_words: manner == Manner::InWords,
        habits: manner == Manner::Habits,
        lines,
        depth: 0,
        windows: Vec::new(),
        closed_windows: Vec::new(),
        asides,
        filters: Vec::new(),
    }
    .query(parsed)
}

fn parse(
    tokens: Vec<TokenWithSpan>,
    dialect: ReadDialect,
    lines: &LineIndex<'_>,
) -> Result<ast::Query, Diagnostic> {
    let mut parser = Parser::new(dialect.parser())
        .with_recursion_limit(PARSER_DEPTH)
        .with_tokens_with_locations(tokens);
    let query = parser.parse_query().map_err(|error| parse_fault(error, lines))?;
    let separated = parser.consume_token(&Token::SemiColon);
    let rest = parser.peek_token();
    if rest.token == Token::EOF {
        return Ok(*query);
    }
    let place = lines.span(rest.span);
    Err(if separated {
        Diagnostic::new(Code::OneStatement, "the text contains more than one statement", place)
    } else {
        Diagnostic::new(Code::Syntax, format!("unexpected {} after the query", rest.token), place)
    })
}

pub(crate) fn parse_fault(error: ParserError, lines: &LineIndex<'_>) -> Diagnostic {
    match error {
        ParserError::RecursionLimitExceeded => {
            Diagnostic::new(Code::Limit, "the statement is nested too deeply", SqlSpan::default())
        }
        ParserError::ParserError(message) | ParserError::TokenizerError(message) => {
            let (text, place) = lines.split_message(&message);
            let mut text = text.to_owned();
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            Diagnostic::new(Code::Syntax, text, place)
        }
    }
}

/// Converts the parser's tree, with one method per kind of node; each method consumes its node.
struct Reader<'a> {
    dialect: ReadDialect,
    /// Whether regular nodes keep the alternative PostgreSQL syntax they were written in.
    in_words: bool,
    lines: LineIndex<'a>,
    depth: usize,
    /// Named windows of the SELECT that is being read, by case-folded name.
    windows: Vec<NamedWindow>,
    /// Whether dialect-specific constructs are converted.
    habits: bool,
    /// Filter conditions from the semi joins and anti joins of the SELECT that is being read.
    filters: Vec<Expr>,
    /// Named windows of the SELECT that was read last.
    closed_windows: Vec<NamedWindow>,
    /// Token sequences that were cut out before parsing.
    asides: foreign::Asides,
}

type Converted<T> = Result<T, Diagnostic>;

impl Reader<'_> {
    /// Runs a conversion one level deeper.
    fn nested<T>(&mut self, convert: impl FnOnce(&mut Self) -> Converted<T>) -> Converted<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::new(
                Code::Limit,
                "the statement is nested too deeply",
                SqlSpan::default(),
            ));
        }
        self.depth += 1;
        let converted = convert(self);
        self.depth -= 1;
        converted
    }

    /// An identifier; in dialects with case-insensitive quoted names, quotes are ignored.
    fn identifier(&self, ident: ast::Ident) -> Converted<Identifier> {
        let span = self.lines.span(ident.span);
        if ident.quote_style == Some('\'') && !self.dialect.has_quoted_aliases() {
            return Err(unsupported("a name in single quotes", span));
        }
        let counts = self.habits || !self.dialect.ignores_case_of_quoted_names();
        let quoted = ident.quote_style.is_some() && counts;
        Ok(Identifier { name: ident.value, quoted, span })
    }

    fn identifiers(&self, idents: Vec<ast::Ident>) -> Converted<Vec<Identifier>> {
        idents.into_iter().map(|ident| self.identifier(ident)).collect()
    }

    /// The parts of a dotted name.
    fn parts(&self, name: ast::ObjectName) -> Converted<Vec<Identifier>> {
        name.0
            .into_iter()
            .map(|part| match part {
                ast::ObjectNamePart::Identifier(ident) => self.identifier(ident),
                ast::ObjectNamePart::Function(_) => {
                    Err(unsupported("a function in place of a name", SqlSpan::default()))
                }
            })
            .collect()
    }
}

/// Diagnostic for a construct that the tree cannot represent.
fn unsupported(what: &str, span: SqlSpan) -> Diagnostic {
    Diagnostic::new(Code::Unsupported, format!("{what} is not supported"), span)
}

/// An error that names `what` unless it is absent.
fn absent(is_absent: bool, what: &str) -> Converted<()> {
    if is_absent { Ok(()) } else { Err(unsupported(what, SqlSpan::default())) }
}

//! A lenient SQL tokenizer for syntax highlighting.

/// Keywords, one on each line, in ascending order.
const KEYWORDS: &str = include_str!("../../data/sql_keywords.txt");

/// Kind of a token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SqlTokenKind {
    /// `-- …` or `/* … */`.
    Comment,
    /// A reserved word.
    Keyword,
    /// A name, quoted or not.
    Name,
    /// A number.
    Number,
    /// White space.
    Space,
    /// A string literal.
    String,
    /// Punctuation and operators.
    Symbol,
}

impl SqlTokenKind {
    /// CSS class of the kind.
    pub fn class(self) -> &'static str {
        match self {
            Self::Comment => "sql-comment",
            Self::Keyword => "sql-keyword",
            Self::Name => "sql-name",
            Self::Number => "sql-number",
            Self::Space => "sql-space",
            Self::String => "sql-string",
            Self::Symbol => "sql-symbol",
        }
    }
}

/// Tokens in order, which cover the whole text.
pub fn tokenize(sql: &str) -> Vec<(SqlTokenKind, &str)> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = next_token(rest, first);
        let (token, after) = rest.split_at(length);
        tokens.push((kind, token));
        rest = after;
    }
    tokens
}

/// Whether a statement reads the rows of another one, written in its `FROM`.
pub fn reads_groups(sql: &str) -> bool {
    let tokens = tokenize(sql).into_iter();
    let mut tokens = tokens.filter(|(kind, _)| *kind != SqlTokenKind::Space);
    let after_from = tokens.find(|(_, text)| text.eq_ignore_ascii_case("from"));
    after_from.is_some() && tokens.next().is_some_and(|(_, text)| text == "(")
}

/// Kind and length in bytes of the first token of `rest`.
fn next_token(rest: &str, first: char) -> (SqlTokenKind, usize) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match first {
        _ if first.is_whitespace() => {
            (SqlTokenKind::Space, length_while(rest, char::is_whitespace))
        }
        '\'' => (SqlTokenKind::String, quoted_length(rest, '\'')),
        '"' | '`' => (SqlTokenKind::Name, quoted_length(rest, first)),
        '-' if rest.starts_with("--") => (SqlTokenKind::Comment, length_while(rest, |c| c != '\n')),
        '/' if rest.starts_with("/*") => {
            (SqlTokenKind::Comment, rest.find("*/").map_or(rest.len(), |end| end + 2))
        }
        _ if first.is_ascii_digit() => {
            (SqlTokenKind::Number, length_while(rest, |c| is_word(c) || c == '.'))
        }
        _ if is_word(first) => {
            let length = length_while(rest, is_word);
            let kind = if is_keyword(&rest[..length]) {
                SqlTokenKind::Keyword
            } else {
                SqlTokenKind::Name
            };
            (kind, length)
        }
        _ => (SqlTokenKind::Symbol, first.len_utf8()),
    }
}

fn length_while(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

/// Length of a quoted token in which quotes are doubled; an unterminated one extends to the end.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((index, character)) = characters.next() {
        if character == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return index + quote.len_utf8();
        }
    }
    text.len()
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.lines().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, SqlTokenKind, tokenize};

    fn check(sql: &str, expected: &[(SqlTokenKind, &str)]) {
        let tokens = tokenize(sql);
        assert_eq!(tokens.iter().map(|(_, text)| *text).collect::<String>(), sql);
        let seen: Vec<_> =
            tokens.into_iter().filter(|(kind, _)| *kind != SqlTokenKind::Space).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn each_kind_is_told_apart() {
        use SqlTokenKind::{Comment, Keyword, Name, Number, String, Symbol};
        check(
            "select \"a b\".x, 1.5 from t -- end\nWHERE n = 'O''Brien'",
            &[
                (Keyword, "select"),
                (Name, "\"a b\""),
                (Symbol, "."),
                (Name, "x"),
                (Symbol, ","),
                (Number, "1.5"),
                (Keyword, "from"),
                (Name, "t"),
                (Comment, "-- end"),
                (Keyword, "WHERE"),
                (Name, "n"),
                (Symbol, "="),
                (String, "'O''Brien'"),
            ],
        );
    }

    #[test]
    fn open_quotes_and_other_scripts_lose_nothing() {
        use SqlTokenKind::{Comment, Name, String};
        check("'abc", &[(String, "'abc")]);
        check("\"日本", &[(Name, "\"日本")]);
        check("/* é", &[(Comment, "/* é")]);
        check("größe", &[(Name, "größe")]);
    }

    #[test]
    fn keyword_list_is_sorted_without_doubles() {
        let words: Vec<_> = KEYWORDS.lines().collect();
        assert!(words.is_sorted_by(|left, right| left < right));
    }
}

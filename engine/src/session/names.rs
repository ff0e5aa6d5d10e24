//! Resolves names in corrections to tables and columns, and suggests a similar name for an unknown one.

use super::StepError;
use crate::compose::Constraints;
use crate::data::CorrectionPhrases;
use crate::day::Date;
use crate::engine::Engine;
use crate::failure::FailureCode;
use crate::linking::{
    ColumnId, Named, TableId, Target, ValueIndex, key_of_role, words_of_identifier,
};
use crate::text::{Span, Token, TokenKind, fold, tokenize};

/// Maximum edit distance of a suggested name, in percent of its length.
const SLIP: usize = 40;

/// Input of name resolution.
pub(super) struct Names<'a> {
    pub(super) engine: &'a Engine,
    pub(super) today: Date,
    /// Table of the question; its columns take precedence.
    pub(super) near: Option<TableId>,
    /// Whether the words between phrases must be a name and nothing else.
    pub(super) exact: bool,
}

/// A part of a correction.
enum Segment {
    /// Words between two phrases, with the meaning of the first phrase.
    Named { rejects: bool, span: Span },
    /// The table of the question is rejected.
    NotCurrent,
}

/// Whether a text is phrased like a correction of an answer.
pub(super) fn is_phrased(phrases: &CorrectionPhrases, text: &str) -> bool {
    let tokens = tokenize(text);
    let folded = |token: &Token| fold(token.span.of(text));
    let words = folded_words(text, &tokens);
    let before_mark = matches!(
        tokens.as_slice(),
        [first, mark, ..] if mark.kind == TokenKind::Punctuation
            && phrases.begin_before_mark.contains(&folded(first))
    );
    let is_at = |phrase: &String, at: usize| {
        let mut rest = words.get(at..).unwrap_or_default().iter();
        phrase.split(' ').all(|word| rest.next().is_some_and(|next| next == word))
    };
    let ends = |phrase: &String| {
        words.len().checked_sub(phrase.split(' ').count()).is_some_and(|at| is_at(phrase, at))
    };
    let all: Vec<String> = tokens.iter().map(folded).collect();
    let between = |phrase: &String| {
        let length = phrase.split(' ').count();
        (1..all.len()).any(|at| phrase.split(' ').eq(all.iter().skip(at).take(length)))
    };
    before_mark
        || phrases.between.iter().any(between)
        || phrases.begin.iter().any(|phrase| is_at(phrase, 0))
        || phrases.end.iter().any(ends)
}

/// Words of a text, folded, without punctuation marks.
fn folded_words(text: &str, tokens: &[Token]) -> Vec<String> {
    let words = tokens.iter().map(|token| fold(token.span.of(text)));
    words.filter(|word| word.chars().any(char::is_alphanumeric)).collect()
}

/// Whether a text can only be meant as a correction: "no, I meant …".
pub(super) fn is_plain(phrases: &CorrectionPhrases, text: &str) -> bool {
    let words = folded_words(text, &tokenize(text));
    phrases.plain.iter().any(|phrase| {
        let length = phrase.split(' ').count();
        length < words.len() && phrase.split(' ').eq(words.iter().take(length))
    })
}

/// Whether a text begins with the word that groups: "by country".
pub(super) fn groups(phrases: &CorrectionPhrases, text: &str) -> bool {
    let words = folded_words(text, &tokenize(text));
    words.len() > 1 && words.first().is_some_and(|word| *word == phrases.group)
}

/// A correction as a text behind its question: led by words that say so.
pub(super) fn led(phrases: &CorrectionPhrases, text: &str) -> String {
    if is_phrased(phrases, text) { text.to_owned() } else { format!("{}{text}", phrases.lead) }
}

/// Constraints of a correction in words.
pub(super) fn read(names: &Names<'_>, text: &str) -> Result<Constraints, StepError> {
    let phrases = names.engine.corrections();
    let tokens = tokenize(text);
    let words: Vec<String> = tokens.iter().map(|token| fold(token.span.of(text))).collect();
    if let Some(join) = join(names, text, phrases)? {
        return Ok(Constraints { joins: vec![join], ..Constraints::default() });
    }
    let mut constraints = Constraints::default();
    for segment in segments(phrases, &tokens, &words) {
        match segment {
            Segment::Named { rejects, span } => {
                let target = names.target(text, span)?;
                let list =
                    if rejects { &mut constraints.rejected } else { &mut constraints.selected };
                list.push(target);
            }
            Segment::NotCurrent => constraints.rejected.extend(names.near.map(Target::Table)),
        }
    }
    if constraints.is_empty() {
        let hint = "name the table or column that is meant";
        return Err(refused(
            FailureCode::CorrectionEmpty,
            text,
            "it names nothing".to_owned(),
            None,
            hint,
        ));
    }
    Ok(constraints)
}

/// Splits the words at phrases; a comma ends a rejection.
fn segments(phrases: &CorrectionPhrases, tokens: &[Token], words: &[String]) -> Vec<Segment> {
    let starts = |all: &[String], at: usize| {
        let fits = |phrase: &&String| {
            let mut rest = words.get(at..).unwrap_or_default().iter();
            phrase.split(' ').all(|word| rest.next().is_some_and(|next| next == word))
        };
        all.iter().filter(fits).map(|phrase| phrase.split(' ').count()).max()
    };
    let mut found: Vec<Segment> = Vec::new();
    let (mut at, mut rejects, mut open) = (0, false, false);
    while at < words.len() {
        let (select, reject) = (starts(&phrases.select, at), starts(&phrases.reject, at));
        if let Some(length) = starts(&phrases.reject_current, at) {
            found.push(Segment::NotCurrent);
            (rejects, open) = (false, false);
            at += length;
            continue;
        }
        if let (Some(length), None) = (starts(&phrases.neutral, at), reject) {
            (rejects, open) = (false, false);
            at += length;
            continue;
        }
        let is_word = words[at].chars().any(char::is_alphanumeric);
        match (select, reject) {
            (select, Some(length)) if select.is_none_or(|other| other < length) => {
                (rejects, open) = (true, false);
                at += length;
            }
            (Some(length), _) => {
                (rejects, open) = (false, false);
                at += length;
            }
            _ if !is_word => {
                // Dots and underscores are parts of names.
                let ends = !matches!(words[at].as_str(), "." | "_" | "\"" | "`");
                if ends {
                    (rejects, open) = (false, false);
                }
                at += 1;
            }
            _ => {
                let span = tokens[at].span;
                match found.last_mut().filter(|_| open) {
                    Some(Segment::Named { span: last, .. }) => *last = last.union(span),
                    _ => found.push(Segment::Named { rejects, span }),
                }
                open = true;
                at += 1;
            }
        }
    }
    found
}

type Join = (crate::catalog::ColumnRef, crate::catalog::ColumnRef);

/// Columns of a join such as `join a.id with b.a_id` or `a.id = b.a_id`; `None` if the text is no join.
fn join(
    names: &Names<'_>,
    text: &str,
    phrases: &CorrectionPhrases,
) -> Result<Option<Join>, StepError> {
    let mut start = 0;
    let lower = text.to_ascii_lowercase();
    let lead = phrases.join.iter().find(|word| lower.trim_start().starts_with(word.as_str()));
    if let Some(word) = lead {
        start = lower.find(word.as_str()).unwrap_or_default() + word.len();
    } else if !text.contains('=') {
        return Ok(None);
    }
    let rest = text.get(start..).unwrap_or_default();
    let middle = phrases.with.iter().find_map(|word| {
        let spaced = if word == "=" { word.clone() } else { format!(" {word} ") };
        lower.get(start..)?.find(&spaced).map(|at| (at, at + spaced.len()))
    });
    let Some((end, next)) = middle else { return Ok(None) };
    let side = |from: usize, to: usize| {
        let part = rest.get(from..to).unwrap_or_default();
        let name = part.trim();
        let at = start + from + part.find(name).unwrap_or_default();
        names.column(text, name, Span::new(at, at + name.len()))
    };
    let (left, right) = (side(0, end)?, side(next, rest.len())?);
    let catalog = names.engine.catalog();
    Ok(Some((catalog.reference(left), catalog.reference(right))))
}

impl Names<'_> {
    /// Table with this key.
    pub(super) fn table(&self, key: &str) -> Result<TableId, StepError> {
        let catalog = self.engine.catalog();
        let found = (0..catalog.tables.len())
            .map(|table| TableId(table as u16))
            .find(|table| catalog.table_at(*table).key().eq_ignore_ascii_case(key.trim()));
        found.ok_or_else(|| {
            self.unknown(FailureCode::UnknownTable, key, key, Span::new(0, key.len()))
        })
    }

    /// Column `table.column`; `span` is its place in `text`.
    pub(super) fn column(&self, text: &str, name: &str, span: Span) -> Result<ColumnId, StepError> {
        let catalog = self.engine.catalog();
        let columns = self.columns().find(|column| {
            catalog.reference(*column).to_string().eq_ignore_ascii_case(name.trim())
        });
        columns.ok_or_else(|| self.unknown(FailureCode::UnknownColumn, text, name, span))
    }

    /// Table or column that the words name; columns of the table of the question take precedence.
    fn target(&self, text: &str, span: Span) -> Result<Target, StepError> {
        let name = span.of(text);
        if let Ok(column) = self.column(text, name, span) {
            return Ok(Target::Column(column));
        }
        let reader = self.engine.reader(self.today);
        let one = reader.is_one_name(name, self.near);
        let linked = reader.named_things(name, &ValueIndex::default(), self.near);
        let column = one && matches!(linked, Some(Target::Column(_)));
        let key = self.near.filter(|_| !column);
        let key = key.and_then(|near| key_of_role(self.engine.schema(), near, name));
        if let Some(key) = key {
            return Ok(Target::Column(key));
        }
        let unknown = || self.unknown(FailureCode::UnknownName, text, name, span);
        if self.exact && !one {
            return Err(unknown());
        }
        linked.ok_or_else(unknown)
    }

    fn columns(&self) -> impl Iterator<Item = ColumnId> {
        let catalog = self.engine.catalog();
        (0..catalog.tables.len()).flat_map(move |table| {
            let table = TableId(table as u16);
            (0..catalog.table_at(table).columns.len())
                .map(move |column| ColumnId { table, column: column as u16 })
        })
    }

    fn unknown(&self, code: FailureCode, text: &str, name: &str, span: Span) -> StepError {
        let catalog = self.engine.catalog();
        let wanted = words_of_identifier(name).join(" ");
        let tables = (0..catalog.tables.len())
            .map(|table| catalog.table_at(TableId(table as u16)).name.clone());
        let columns = self.columns().map(|column| catalog.column_at(column).name.clone());
        let full = self.columns().map(|column| catalog.reference(column).to_string());
        let nearest = tables
            .chain(columns)
            .chain(full)
            .map(|known| {
                let words = words_of_identifier(&known).join(" ");
                (strsim::osa_distance(&wanted, &words), known)
            })
            .min();
        let letters = wanted.chars().count();
        let reason = match nearest.filter(|(distance, _)| distance * 100 <= letters * SLIP) {
            Some((_, known)) => format!("nothing is called “{name}”; did you mean “{known}”?"),
            None => format!("nothing is called “{name}”"),
        };
        refused(code, text, reason, Some(span), "use the name of a table or column")
    }
}

fn refused(
    code: FailureCode,
    text: &str,
    reason: String,
    span: Option<Span>,
    hint: &str,
) -> StepError {
    StepError::InvalidWords {
        code,
        clarification_id: None,
        text: text.to_owned(),
        reason,
        span,
        hint: hint.into(),
    }
}

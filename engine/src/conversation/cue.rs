//! Cues: words that mark a text as a follow-up, such as "and only", "instead" or "those".

use crate::data::CuePhrases;
pub(crate) use crate::data::CueWords;
use crate::linking::Mention;
use crate::text::{Span, Token, fold, tokenize};

/// How a follow-up changes the earlier question.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CueMode {
    /// Adds measures, groups or columns.
    Add,
    /// Adds conditions.
    Narrow,
    /// Replaces a part of the earlier question.
    Replace,
}

/// The cue words of a text.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "facts that have nothing to do with each other")]
pub(crate) struct Cue {
    /// How the earlier question changes; `None` if the cue does not say.
    pub(crate) mode: Option<CueMode>,
    /// Whether the text starts with a cue.
    pub(crate) lead: bool,
    /// Whether a pronoun refers to the earlier rows.
    pub(crate) pronoun: bool,
    /// Whether the text says something of some of the earlier rows: "who of them ordered in 2018".
    pub(crate) among: bool,
    /// Whether the text says what the earlier rows have or are: "with orders in 2025".
    pub(crate) with: bool,
    /// Whether the text names what the earlier rows have: "and their suppliers".
    pub(crate) owned: bool,
    /// Whether the text says that the earlier question was not what was meant: "no, in 2018".
    pub(crate) corrects: bool,
    /// Whether the text asks for something to be shown beside what is shown: "add the supplier name", "with hire date".
    pub(crate) shows: bool,
    /// Whether the text names a figure to rank or compute by: "by number of orders".
    pub(crate) ranks: bool,
    /// Whether the text asks how many the earlier rows are: "how many is that".
    pub(crate) counts: bool,
    /// Whether the text says what is no longer shown: "without the salary".
    pub(crate) hides: bool,
    /// Whether the whole text is a list of what is shown beside the earlier rows.
    pub(crate) listed: bool,
    /// What else the whole text asks for.
    pub(crate) asks: Option<Asks>,
    /// The words that say what gives way, where the others are replaced with spaces: "not Fall".
    pub(crate) rejected: Option<String>,
    /// Mentions of what gives way, once it is known that the earlier question has it.
    pub(crate) gone: Vec<Mention>,
    /// The text with the cue words replaced with spaces, so that spans stay valid.
    pub(crate) text: String,
}

/// What a text asks for that names nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Asks {
    /// The rows behind a figure: "which ones?".
    Rows,
    /// Each figure as a part of the whole: "in percent".
    Shares,
    /// The rows that are not shown: "the others".
    Others,
}

/// Most words of a name behind "their".
const NAME_WORDS: usize = 3;

/// Words that say whose something is.
const OWNERS: [&str; 2] = ["their", "its"];

impl CueWords {
    /// Finds the cue of a text: all cue phrases at its start, what gives way, then one at its end.
    pub(crate) fn of(&self, text: &str) -> Cue {
        self.read(text, true)
    }

    /// Finds the cue of a text in which nothing gives way.
    pub(crate) fn of_whole(&self, text: &str) -> Cue {
        self.read(text, false)
    }

    fn read(&self, text: &str, gives_way: bool) -> Cue {
        let tokens = tokenize(text);
        let words: Vec<String> = tokens.iter().map(|token| fold(token.span.of(text))).collect();
        let end = words.iter().rposition(|word| word.chars().any(char::is_alphanumeric));
        let end = end.map_or(0, |last| last + 1);
        let mut cue = Cue { text: text.to_owned(), ..Cue::default() };
        let mut start = 0;
        while let Some((mode, length)) = self.lead(&words[start..end]) {
            // The last phrase at the start decides: "and only in Brazil" narrows.
            (cue.mode, cue.lead) = (Some(mode), true);
            let phrase = words[start..start + length].join(" ");
            cue.corrects |= self.correct.contains(&phrase);
            blank(&mut cue.text, &tokens[start..start + length]);
            start += length;
        }
        let mut last = end;
        if gives_way && let Some(contrast) = self.contrast(&words, start..end) {
            cue.rejected = Some(only(text, &tokens[contrast.rejected]));
            blank(&mut cue.text, &tokens[contrast.said.clone()]);
            (cue.mode, cue.corrects) = (Some(CueMode::Replace), true);
            if contrast.said.end == end {
                last = contrast.said.start;
            } else {
                start = contrast.said.end;
            }
        }
        if let Some((mode, length)) = self.trail(&words[start..last]) {
            cue.mode = Some(mode);
            blank(&mut cue.text, &tokens[last - length..last]);
        }
        let owns = |word: &String| OWNERS.contains(&word.as_str());
        // "And their suppliers", "with their suppliers".
        let beside = words.get(start).is_some_and(|word| word == "with");
        cue.with = beside;
        let owner = start + usize::from(beside);
        let named = owner + 2..=owner + NAME_WORDS + 1;
        cue.owned =
            (cue.lead || beside) && named.contains(&end) && words.get(owner).is_some_and(owns);
        let said = words[start..end].join(" ");
        let among = |phrase: &String| format!(" {said} ").contains(&format!(" {phrase} "));
        cue.among = self.among.iter().any(among);
        let said = without_articles(&words[start..end]);
        let is = |phrases: &[String]| phrases.contains(&said);
        cue.asks = if is(&self.rows) {
            Some(Asks::Rows)
        } else if is(&self.shares) {
            Some(Asks::Shares)
        } else {
            is(&self.others).then_some(Asks::Others)
        };
        let counted = |phrase: &String| said.ends_with(&format!(" {phrase}"));
        let many = |phrase: &String| said.starts_with(&format!("{phrase} "));
        cue.counts = self.total.lead.iter().any(many) && self.total.trail.iter().any(counted);
        cue.shows = cue.mode == Some(CueMode::Add) || beside || cue.owned;
        cue.pronoun = words[start..end].iter().any(|word| self.pronouns.lead.contains(word));
        cue
    }

    /// The text without the words before a figure to rank by: "by number of orders"; none for other texts.
    pub(crate) fn figure_to_rank_by(&self, cue: &Cue) -> Option<String> {
        behind(&self.rank, &cue.text)
    }

    /// The text without the words that say that something is no longer shown: "without the salary"; none for other texts.
    pub(crate) fn hidden(&self, cue: &Cue) -> Option<String> {
        behind(&self.hide, &cue.text)
    }

    /// The text with a word that only groups in place of one that names of columns have as well: "per week"; none for other
    /// texts.
    pub(crate) fn grouped(&self, cue: &Cue) -> Option<String> {
        let mut text = behind(&self.each, &cue.text)?;
        let start = text.len() - text.trim_start().len();
        let by = format!("{} ", self.by);
        let place = start.checked_sub(by.len())?..start;
        text.get(place.clone())?;
        text.replace_range(place, &by);
        Some(text)
    }

    /// The text without the words that say that something is shown beside: "with hire date".
    pub(crate) fn shown(&self, cue: &Cue) -> Option<String> {
        let rest = behind(&self.show, &cue.text);
        rest.or_else(|| cue.shows.then(|| cue.text.clone()))
    }

    /// Whether a word says that a period lies behind the earlier one, or before it; none for other words.
    pub(super) fn neighbour(&self, word: &str) -> Option<bool> {
        let is = |words: &[String]| words.iter().any(|known| known == word);
        match (is(&self.after), is(&self.before)) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    fn kinds(&self) -> [(CueMode, &CuePhrases); 3] {
        [
            (CueMode::Add, &self.add),
            (CueMode::Narrow, &self.narrow),
            (CueMode::Replace, &self.replace),
        ]
    }

    fn lead(&self, words: &[String]) -> Option<(CueMode, usize)> {
        let fits = |phrase: &String| {
            let length = phrase.split(' ').count();
            (length < words.len() && phrase.split(' ').eq(words.iter().take(length)))
                .then_some(length)
        };
        longest(
            self.kinds().map(|(mode, phrases)| (mode, phrases.lead.iter().filter_map(fits).max())),
        )
    }

    fn trail(&self, words: &[String]) -> Option<(CueMode, usize)> {
        let fits = |phrase: &String| {
            let length = phrase.split(' ').count();
            let before = words.len().checked_sub(length).filter(|before| *before > 0)?;
            phrase.split(' ').eq(words.iter().skip(before)).then_some(length)
        };
        longest(
            self.kinds().map(|(mode, phrases)| (mode, phrases.trail.iter().filter_map(fits).max())),
        )
    }
}

/// The text with the longest of the phrases at its start replaced with spaces; none where no phrase stands there.
fn behind(phrases: &[String], text: &str) -> Option<String> {
    let tokens = tokenize(text);
    let words: Vec<String> = tokens.iter().map(|token| fold(token.span.of(text))).collect();
    let fits = |phrase: &String| {
        let length = phrase.split(' ').count();
        (length < words.len() && phrase.split(' ').eq(words.iter().take(length))).then_some(length)
    };
    let length = phrases.iter().filter_map(fits).max()?;
    let mut text = text.to_owned();
    blank(&mut text, &tokens[..length]);
    Some(text)
}

fn longest(found: [(CueMode, Option<usize>); 3]) -> Option<(CueMode, usize)> {
    let lengths = found.into_iter().filter_map(|(mode, length)| Some((mode, length?)));
    lengths.max_by_key(|(_, length)| *length)
}

/// The words, joined by spaces, without the articles.
fn without_articles(words: &[String]) -> String {
    let words = words.iter().map(String::as_str);
    words
        .filter(|word| !matches!(*word, "the" | "a" | "," | "?" | "." | "!"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The text with all tokens but these replaced with spaces.
fn only(text: &str, tokens: &[Token]) -> String {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
    let span = first.span.union(last.span);
    format!("{}{}", " ".repeat(span.start as usize), span.of(text))
}

/// Replaces the tokens with spaces.
fn blank(text: &mut String, tokens: &[Token]) {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
    let Span { start, end } = first.span.union(last.span);
    let (start, end) = (start as usize, end as usize);
    if text.get(start..end).is_some() {
        text.replace_range(start..end, &" ".repeat(end - start));
    }
}

#[cfg(test)]
mod tests {
    use super::CueMode;

    #[test]
    fn cues_are_blanked_and_the_last_lead_decides() {
        let words = crate::Words::BUILT_IN.cue_words();
        for (text, mode, rest) in [
            ("only in Brazil", Some(CueMode::Narrow), "     in Brazil"),
            ("And only in Brazil?", Some(CueMode::Narrow), "         in Brazil?"),
            ("by month instead", Some(CueMode::Replace), "by month        "),
            ("what about Germany too?", Some(CueMode::Add), "           Germany    ?"),
            ("orders in 2025", None, "orders in 2025"),
            ("instead", None, "instead"),
        ] {
            let cue = words.of(text);
            assert_eq!((cue.mode, cue.text.as_str()), (mode, rest), "{text}");
        }
        assert!(words.of("show them by month").pronoun);
    }
}

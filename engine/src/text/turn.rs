//! Turns of speech: patterns of words, and the words that they are read as.
//!
//! Reading works on a few canonical constructions. A turn maps another way of saying one onto it: "who heads Sales" is
//! read as "head of Sales". The reworded text keeps a map to the places of the original words.

use std::collections::BTreeMap;
use std::ops::Range;

use super::number::cardinal::is_number_word;
use super::preface::preface;
use crate::data::{Turn, Turns};
use crate::text::{Span, Token, TokenKind, tokenize};

/// Maximum number of words that a slot stands for, where the pattern states none.
const SLOT: usize = 6;

/// Number of turns of one text after which it is taken for a circle.
const MOST: usize = 8;

/// The turns of speech, ready to match.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnIndex {
    rules: Vec<Rule>,
    parts: Parts,
    requests: Vec<Vec<String>>,
    wishes: Vec<Vec<String>>,
}

/// What patterns consist of, in few lists, since there are thousands of them.
#[derive(Clone, Debug, Default)]
struct Parts {
    /// Pieces of all patterns.
    pieces: Vec<Piece>,
    /// Words of all pieces.
    alternatives: Vec<u32>,
    /// Numbers of the words of patterns, so that patterns compare numbers.
    words: Numbers,
    /// Numbers of the names of slots.
    slots: Numbers,
}

/// Numbers of texts, in the order in which they were first met.
#[derive(Clone, Debug, Default)]
struct Numbers(BTreeMap<String, u32>);

#[derive(Clone, Debug)]
struct Rule {
    patterns: Vec<Pattern>,
    read: Vec<Output>,
    firm: bool,
    needs: Option<String>,
}

#[derive(Clone, Debug)]
struct Pattern {
    /// Its pieces in [`Parts::pieces`].
    pieces: Range<usize>,
    at_start: bool,
    at_end: bool,
}

#[derive(Clone, Copy, Debug)]
enum Piece {
    /// One of the words from `first` to before `end` in [`Parts::alternatives`].
    Word { first: u32, end: u32, optional: bool },
    /// One to `most` words.
    Slot { name: u32, most: usize, number: bool },
}

#[derive(Clone, Debug)]
enum Output {
    Word(String),
    Slot(u32),
}

/// A text in other words.
#[derive(Clone, Debug)]
pub(crate) struct Reworded {
    /// The whole text, reworded.
    pub(crate) text: String,
    /// Span of the original words that were replaced.
    pub(crate) span: Span,
    /// The words that replace them.
    pub(crate) words: String,
    /// Whether it is read so even where the original can be read.
    pub(crate) firm: bool,
    /// Words of names of columns that the statement has to read.
    pub(crate) needs: Vec<String>,
    /// Places in the reworded text with their spans in the original, in order; of a text that was reworded again, the
    /// places of the last rewording come last.
    places: Vec<Vec<Place>>,
}

/// A part of the reworded text.
#[derive(Clone, Copy, Debug)]
struct Place {
    new: Span,
    old: Span,
    /// Whether the words are the same, so that each byte has its place.
    same: bool,
}

impl Reworded {
    /// Span in the original of a span in the reworded text.
    pub(crate) fn original(&self, span: Span) -> Span {
        self.places.iter().rev().fold(span, |span, places| {
            let covered = places.iter().filter(|place| place.new.overlaps(span));
            covered.map(|place| place.original(span)).reduce(Span::union).unwrap_or(self.span)
        })
    }

    /// This text in the words of a further rewording of it.
    pub(crate) fn then(&self, next: Self) -> Self {
        let span = self.span.union(self.original(next.span));
        let places = self.places.iter().chain(&next.places).cloned().collect();
        let needs = self.needs.iter().chain(&next.needs).cloned().collect();
        Self { span, words: next.text.clone(), needs, places, ..next }
    }
}

impl Place {
    /// Span in the original of what a span covers of this place.
    fn original(&self, span: Span) -> Span {
        if !self.same {
            return self.old;
        }
        let start = span.start.max(self.new.start) - self.new.start;
        let end = span.end.min(self.new.end) - self.new.start;
        Span { start: self.old.start + start, end: self.old.start + end }
    }
}

impl TurnIndex {
    /// Prepares the turns of a data file.
    pub(crate) fn new(turns: &Turns) -> Self {
        let phrase = |phrase: &String| phrase.split(' ').map(str::to_owned).collect();
        let mut parts = Parts::default();
        Self {
            rules: turns.turns.iter().map(|turn| parts.rule(turn)).collect(),
            parts,
            requests: turns.requests.iter().map(phrase).collect(),
            wishes: turns.wishes.iter().map(phrase).collect(),
        }
    }

    /// The text without what is said before the question itself.
    pub(crate) fn without_preface(&self, text: &str, tokens: &[Token]) -> Option<Reworded> {
        let span = preface(tokens, &self.requests, &self.wishes)?;
        let behind = text.get(span.end as usize..)?;
        let rest = behind.trim_start();
        let from = text.len() - rest.len();
        let place =
            Place { new: Span::new(0, rest.len()), old: Span::new(from, text.len()), same: true };
        Some(Reworded {
            text: rest.to_owned(),
            span,
            words: String::new(),
            firm: false,
            needs: Vec::new(),
            places: vec![vec![place]],
        })
    }

    /// The text with every turn that it contains in other words, if there are at least two.
    pub(crate) fn reword_all(&self, text: &str) -> Option<Reworded> {
        let tokens = tokenize(text);
        let mut reworded = self.reword(text, &tokens).next()?;
        let mut count = 1;
        while count < MOST {
            let tokens = tokenize(&reworded.text);
            let Some(next) = self.reword(&reworded.text, &tokens).next() else { break };
            reworded = reworded.then(next);
            count += 1;
        }
        (count > 1 && count < MOST).then_some(reworded)
    }

    /// The text in other words, once for each turn that it contains.
    pub(crate) fn reword<'a>(
        &'a self,
        text: &'a str,
        tokens: &'a [Token],
    ) -> impl Iterator<Item = Reworded> + 'a {
        let said = Said::new(tokens, &self.parts.words);
        self.rules.iter().filter_map(move |rule| {
            let found =
                rule.patterns.iter().find_map(|pattern| pattern.find(&self.parts, &said))?;
            Some(reworded(rule, &found, text, tokens))
        })
    }
}

/// Tokens that a pattern matched.
struct Found {
    start: usize,
    end: usize,
    /// Number of the name of each slot, with its first token and the one behind its last.
    slots: Vec<(u32, usize, usize)>,
}

/// A text as patterns see it.
struct Said<'t> {
    tokens: &'t [Token],
    /// The number of each token's word; `None` for one that no pattern has, and for names.
    words: Vec<Option<u32>>,
    /// Number of tokens without punctuation at the end.
    last: usize,
}

impl<'t> Said<'t> {
    fn new(tokens: &'t [Token], known: &Numbers) -> Self {
        let word = |at: usize| match tokens[at].kind {
            TokenKind::Punctuation if tokens[at].raw == "," => known.get(","),
            TokenKind::Word if !is_name(tokens, at) => known.get(&lower(&tokens[at])),
            _ => None,
        };
        let last = tokens.iter().rposition(|token| token.kind != TokenKind::Punctuation);
        Self {
            tokens,
            words: (0..tokens.len()).map(word).collect(),
            last: last.map_or(0, |at| at + 1),
        }
    }

    /// Whether one of these words is said anywhere.
    fn has_any(&self, words: &[u32]) -> bool {
        self.words.iter().flatten().any(|said| words.contains(said))
    }
}

impl Pattern {
    /// The first place that the pattern matches.
    fn find(&self, parts: &Parts, said: &Said<'_>) -> Option<Found> {
        let pieces = &parts.pieces[self.pieces.clone()];
        // Cheap test first: most patterns contain a word that the text lacks.
        let is_said = |piece: &Piece| match piece {
            Piece::Word { first, end, optional } => {
                *optional || said.has_any(parts.alternatives(*first, *end))
            }
            Piece::Slot { .. } => true,
        };
        if !pieces.iter().all(is_said) {
            return None;
        }
        let starts = if self.at_start { 0..said.last.min(1) } else { 0..said.last };
        for start in starts {
            let mut slots = Vec::new();
            if let Some(end) = self.ends(parts, pieces, said, start, &mut slots) {
                return Some(Found { start, end, slots });
            }
        }
        None
    }

    /// Token after the match of the pieces from `at` on; shorter slots are tried first.
    fn ends(
        &self,
        parts: &Parts,
        pieces: &[Piece],
        said: &Said<'_>,
        at: usize,
        slots: &mut Vec<(u32, usize, usize)>,
    ) -> Option<usize> {
        let Some((piece, rest)) = pieces.split_first() else {
            return (!self.at_end || at == said.last).then_some(at);
        };
        match *piece {
            Piece::Word { first, end, optional } => {
                let word = said.words.get(at).copied().flatten();
                let fits = word.is_some_and(|word| parts.alternatives(first, end).contains(&word));
                if fits && let Some(end) = self.ends(parts, rest, said, at + 1, slots) {
                    return Some(end);
                }
                if optional { self.ends(parts, rest, said, at, slots) } else { None }
            }
            Piece::Slot { name, most, number } => {
                for length in 1..=most {
                    let token = said.tokens.get(at + length - 1)?;
                    if number && token.kind != TokenKind::Number && !is_number_word(&token.folded) {
                        return None;
                    }
                    if token.kind == TokenKind::Punctuation || at + length > said.last {
                        return None;
                    }
                    slots.push((name, at, at + length));
                    if let Some(end) = self.ends(parts, rest, said, at + length, slots) {
                        return Some(end);
                    }
                    slots.pop();
                }
                None
            }
        }
    }
}

/// Whether a word is written as a name: "Staff" of "IT Staff", but no word that begins a sentence.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let capital = |at: usize| tokens[at].raw.starts_with(char::is_uppercase);
    let inner = |at: usize| at > 0 && tokens[at - 1].kind != TokenKind::Punctuation;
    let beside = at > 0 && capital(at - 1) && inner(at - 1)
        || tokens.get(at + 1).is_some_and(|_| capital(at + 1));
    capital(at) && inner(at) && beside
}

/// The word in lower case, with its possessive ending.
fn lower(token: &Token) -> String {
    token.raw.to_lowercase().replace('’', "'")
}

fn reworded(rule: &Rule, found: &Found, text: &str, tokens: &[Token]) -> Reworded {
    let covered = |from: usize, to: usize| {
        let ends = tokens.get(from).zip(to.checked_sub(1).and_then(|last| tokens.get(last)));
        ends.map_or_else(Span::default, |(first, last)| first.span.union(last.span))
    };
    let span = covered(found.start, found.end);
    let fixed = fixed_runs(found);
    let (before, behind) = (span.start as usize, span.end as usize);
    let mut new = text.get(..before).unwrap_or_default().to_owned();
    let mut places = Vec::new();
    if before > 0 {
        let whole = Span::new(0, before);
        places.push(Place { new: whole, old: whole, same: true });
    }
    let mut run = 0;
    let mut in_words = false;
    for output in &rule.read {
        if new.len() > before {
            new.push(' ');
        }
        let start = new.len();
        match output {
            Output::Word(word) => {
                new.push_str(word);
                let old = fixed.get(run.min(fixed.len().saturating_sub(1)));
                let old = old.map_or(span, |(from, to)| covered(*from, *to));
                places.push(Place { new: Span::new(start, new.len()), old, same: false });
                in_words = true;
            }
            Output::Slot(name) => {
                let slot = found.slots.iter().find(|(known, ..)| known == name);
                let Some((_, from, to)) = slot else { continue };
                let old = covered(*from, *to);
                new.push_str(old.of(text));
                places.push(Place { new: Span::new(start, new.len()), old, same: true });
                run += usize::from(in_words);
                in_words = false;
            }
        }
    }
    let words = new.get(before..).unwrap_or_default().to_owned();
    let (start, rest) = (new.len(), text.get(behind..).unwrap_or_default());
    new.push_str(rest);
    if !rest.is_empty() {
        let (new, old) = (Span::new(start, new.len()), Span::new(behind, text.len()));
        places.push(Place { new, old, same: true });
    }
    let needs = rule.needs.iter().cloned().collect();
    Reworded { text: new, span, words, firm: rule.firm, needs, places: vec![places] }
}

/// Runs of tokens of the match that stand in no slot.
fn fixed_runs(found: &Found) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut from = found.start;
    for (_, start, end) in &found.slots {
        if from < *start {
            runs.push((from, *start));
        }
        from = *end;
    }
    if from < found.end {
        runs.push((from, found.end));
    }
    runs
}

impl Numbers {
    fn get(&self, text: &str) -> Option<u32> {
        self.0.get(text).copied()
    }

    /// The number of a text, a new one if it has none.
    fn number(&mut self, text: &str) -> u32 {
        self.get(text).unwrap_or_else(|| {
            let next = self.0.len() as u32;
            self.0.insert(text.to_owned(), next);
            next
        })
    }
}

impl Parts {
    fn alternatives(&self, first: u32, end: u32) -> &[u32] {
        &self.alternatives[first as usize..end as usize]
    }

    fn rule(&mut self, turn: &Turn) -> Rule {
        let read = turn.read.split_whitespace().map(|word| match slot(word) {
            Some((name, _)) => Output::Slot(self.slots.number(name)),
            None => Output::Word(word.to_owned()),
        });
        Rule {
            read: read.collect(),
            patterns: turn.said.iter().map(|said| self.pattern(said)).collect(),
            firm: turn.firm,
            needs: turn.needs.clone(),
        }
    }

    fn pattern(&mut self, said: &str) -> Pattern {
        let (at_start, said) = said.strip_prefix('^').map_or((false, said), |rest| (true, rest));
        let (at_end, said) = said.strip_suffix('$').map_or((false, said), |rest| (true, rest));
        let start = self.pieces.len();
        for word in said.split_whitespace() {
            let piece = self.piece(word);
            self.pieces.push(piece);
        }
        Pattern { pieces: start..self.pieces.len(), at_start, at_end }
    }

    fn piece(&mut self, word: &str) -> Piece {
        if let Some((name, most)) = slot(word) {
            let name = self.slots.number(name);
            return Piece::Slot { name, most: most.unwrap_or(1), number: most.is_none() };
        }
        let (optional, word) = word.strip_suffix('?').map_or((false, word), |word| (true, word));
        let first = self.alternatives.len() as u32;
        for word in word.split('|') {
            let number = self.words.number(word);
            self.alternatives.push(number);
        }
        Piece::Word { first, end: self.alternatives.len() as u32, optional }
    }
}

/// Name and maximum length of `{x}` or `{x:2}`; `{x:number}` has no length: it is one number.
fn slot(word: &str) -> Option<(&str, Option<usize>)> {
    let inner = word.strip_prefix('{')?.strip_suffix('}')?;
    Some(match inner.split_once(':') {
        Some((name, "number")) => (name, None),
        Some((name, most)) => (name, Some(most.parse().ok()?)),
        None => (inner, Some(SLOT)),
    })
}

#[cfg(test)]
mod tests {
    use super::TurnIndex;
    use crate::data::{Turn, Turns};
    use crate::text::{Span, tokenize};

    fn index(said: &str, read: &str) -> TurnIndex {
        let turn = Turn { said: vec![said.to_owned()], read: read.to_owned(), ..Turn::default() };
        TurnIndex::new(&Turns { requests: Vec::new(), wishes: Vec::new(), turns: vec![turn] })
    }

    fn reworded(said: &str, read: &str, text: &str) -> Option<String> {
        index(said, read).reword(text, &tokenize(text)).next().map(|reworded| reworded.text)
    }

    #[test]
    fn words_are_replaced_and_slots_are_kept() {
        let heads = |text| reworded("who heads|leads the? {x}", "head of {x}", text);
        assert_eq!(heads("Who heads Sales?").as_deref(), Some("head of Sales?"));
        assert_eq!(heads("and who leads the Sales").as_deref(), Some("and head of Sales"));
        assert_eq!(heads("who pays"), None);
    }

    #[test]
    fn a_pattern_is_bound_to_the_ends() {
        assert_eq!(reworded("^who {x:2}$", "{x}", "who pays us?").as_deref(), Some("pays us?"));
        assert_eq!(reworded("^who {x:2}$", "{x}", "and who pays?"), None);
        assert_eq!(reworded("^who {x:2}$", "{x}", "who pays us now?"), None);
        assert_eq!(reworded("who {x} {y:1}$", "{y} {x}", "who, pays us"), None);
    }

    #[test]
    fn places_lead_back_to_the_original() {
        let text = "who heads Sales in May?";
        let index = index("who heads {x:1}", "head of {x}");
        let found = index.reword(text, &tokenize(text)).next().expect("a match");
        let original = |word: &str| {
            let at = found.text.find(word).expect("the word");
            found.original(Span::new(at, at + word.len())).of(text)
        };
        assert_eq!(original("Sales"), "Sales");
        assert_eq!(original("May"), "May");
        assert_eq!(original("head"), "who heads");
        assert_eq!(original("head of Sales"), "who heads Sales");
        assert_eq!(
            (found.span.of(text), found.words.as_str()),
            ("who heads Sales", "head of Sales")
        );
    }
}

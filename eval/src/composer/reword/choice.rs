//! The words of a question that are replaced, and by what.

use std::collections::BTreeSet;
use std::ops::Range;

use wherefore_engine::catalog::Catalog;
use wherefore_engine::text::stem;
use wherefore_english::with_article;

use super::form::{self, Form};
use super::lists;
use super::wordnet::{Part, WordNet};
use crate::item::Item;
use crate::score::draw;

/// Fewest letters of a word that is replaced.
const SHORTEST: usize = 3;

/// A replaced word, in the forms of the question.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Replaced {
    /// As it was written.
    pub(super) from: String,
    /// What stands there now.
    pub(super) to: String,
    at: Range<usize>,
}

/// A question with the words of it that can be replaced.
#[derive(Debug)]
pub(super) struct Rewording<'a> {
    id: &'a str,
    question: &'a str,
    possible: Vec<Replaced>,
}

/// A word in lower case outside quotes.
struct Word<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rewording<'a> {
    /// Finds what can be replaced.
    pub(super) fn of(wordnet: &WordNet, catalog: &Catalog, item: &'a Item) -> Self {
        let names = lists::names(catalog);
        let values: BTreeSet<String> = item.golds.iter().flat_map(|gold| literals(gold)).collect();
        let words = words(&item.question);
        let mut possible = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let Some(word) = word else { continue };
            if !is_replaceable(word.text) || values.contains(word.text) {
                continue;
            }
            let beside = |place: Option<usize>| {
                place.and_then(|at| words.get(at)?.as_ref()).map_or("", |word| word.text)
            };
            let (before, after) = (beside(place.checked_sub(1)), beside(Some(place + 1)));
            if is_compound(wordnet, before, word.text) || is_compound(wordnet, word.text, after) {
                continue;
            }
            let Some((part, base, form)) = analysed(wordnet, before, word.text) else { continue };
            let fits = |other: &&str| !lists::is_known(other) && !names.contains(&stem(other));
            let Some(other) = wordnet.synonyms(part, &base).into_iter().find(fits) else {
                continue;
            };
            let to = form::inflected(other, form);
            let at = word.at..word.at + word.text.len();
            possible.push(Replaced { from: word.text.to_owned(), to, at });
        }
        Self { id: &item.id, question: &item.question, possible }
    }

    /// The question with at most `most` words replaced, chosen by a hash; `None` when none can be.
    pub(super) fn apply(mut self, most: usize) -> Option<(String, Vec<Replaced>)> {
        let drawn = |word: &Replaced| draw(&format!("{}/{}", self.id, word.at.start));
        self.possible.sort_by(|one, other| drawn(one).total_cmp(&drawn(other)));
        self.possible.truncate(most);
        self.possible.sort_by_key(|word| word.at.start);
        let mut text = String::new();
        let mut from = 0;
        for word in &self.possible {
            let before = &self.question[from..word.at.start];
            if let Some(article) = article(before) {
                text.push_str(&before[..before.len() - article.len()]);
                text.push_str(&with_article(&word.to));
            } else {
                text.push_str(before);
                text.push_str(&word.to);
            }
            from = word.at.end;
        }
        text.push_str(&self.question[from..]);
        (!self.possible.is_empty()).then_some((text, self.possible))
    }
}

/// An article at the end of a text, with the space behind it.
fn article(text: &str) -> Option<&str> {
    ["a ", "an "].into_iter().find(|article| {
        text.strip_suffix(article).is_some_and(|lead| lead.is_empty() || lead.ends_with(' '))
    })
}

/// Part of speech, base form and inflection of a word behind another; `None` when they are not certain.
fn analysed(wordnet: &WordNet, before: &str, word: &str) -> Option<(Part, String, Form)> {
    let noun = form::noun(wordnet, word);
    let verb = form::verb(wordnet, word);
    let expected = lists::followed_by(before);
    let (part, (base, form)) = match (noun, verb) {
        (Some(noun), Some(verb)) => match expected.or_else(|| wordnet.mostly(&noun.0))? {
            Part::Noun => (Part::Noun, noun),
            Part::Verb => (Part::Verb, verb),
        },
        (Some(noun), None) => (Part::Noun, noun),
        (None, Some(verb)) => (Part::Verb, verb),
        (None, None) => return None,
    };
    // An adjective stands where a noun or a verb does.
    (form != Form::Base || !wordnet.is_other(word)).then_some((part, base, form))
}

fn is_replaceable(word: &str) -> bool {
    word.len() >= SHORTEST && !lists::is_structure(word)
}

/// Whether two words are a noun or a verb together.
fn is_compound(wordnet: &WordNet, one: &str, other: &str) -> bool {
    let together = |other: &str| {
        let joined = format!("{one}_{other}");
        [Part::Noun, Part::Verb].into_iter().any(|part| wordnet.has(part, &joined))
    };
    !one.is_empty()
        && !other.is_empty()
        && (together(other) || form::noun(wordnet, other).is_some_and(|(base, _)| together(&base)))
}

/// Words of a question in order; `None` for what is no word in lower case, or quoted.
fn words(question: &str) -> Vec<Option<Word<'_>>> {
    let mut quote = None;
    let mut words = Vec::new();
    let mut at = 0;
    for piece in question.split(' ') {
        let opened = quote;
        let start = piece.trim_start_matches('(');
        if quote.is_none() {
            quote = start.chars().next().filter(|first| matches!(first, '"' | '\'' | '“' | '‘'));
        }
        let is_quoted = quote.is_some();
        if let Some(mark) = quote {
            let close = match mark {
                '“' => '”',
                '‘' => '’',
                other => other,
            };
            let rest =
                if opened.is_none() { start.strip_prefix(mark).unwrap_or(start) } else { start };
            let end = rest.trim_end_matches([',', '.', '?', '!', ';', ':', ')']);
            if end.ends_with(close) || (mark == '"' && rest.contains(close)) {
                quote = None;
            }
        }
        let end = start.trim_end_matches([',', '.', '?', '!', ';', ':', ')']);
        let text = end.strip_suffix("'s").or_else(|| end.strip_suffix('\'')).unwrap_or(end);
        let is_word =
            !is_quoted && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase());
        let from = at + piece.len() - start.len();
        words.push(is_word.then_some(Word { text, at: from }));
        at += piece.len() + 1;
    }
    words
}

/// Words in the literals of a statement, in lower case.
fn literals(sql: &str) -> Vec<String> {
    let inner = sql.split(['\'', '"']).skip(1).step_by(2);
    inner
        .flat_map(|literal| literal.split(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::wordnet::tests::wordnet;
    use super::*;
    use crate::item::Place;
    use wherefore_engine::catalog::Table;

    fn reworded(question: &str, gold: &str, table: &str, most: usize) -> Option<String> {
        let item = Item {
            id: "one".to_owned(),
            kind: String::new(),
            division: String::new(),
            question: question.to_owned(),
            place: Place::Schema(Box::default()),
            golds: vec![gold.to_owned()],
            one_of: true,
            today: None,
            ambiguous: None,
        };
        let tables = vec![Table { name: table.to_owned(), ..Table::default() }];
        let catalog = Catalog { tables, ..Catalog::default() };
        Rewording::of(&wordnet(), &catalog, &item).apply(most).map(|(text, _)| text)
    }

    #[test]
    fn a_word_is_replaced_in_its_form() {
        for (question, expected) in [
            ("Show the tutees?", "Show the educatees?"),
            ("who bewailed it", "who blimated it"),
            ("Is a tutee here", "Is an educatee here"),
            ("the tutee's age", "the educatee's age"),
        ] {
            assert_eq!(reworded(question, "", "t", 1).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_no_plain_word_stays() {
        for question in [
            "Tutees",
            "'a tutee' b",
            "\"tutee\"",
            "show the high tutees",
            "the tutee_id",
            "the invitee",
        ] {
            assert_eq!(reworded(question, "", "t", 1), None, "{question}");
        }
    }

    #[test]
    fn values_of_the_gold_and_names_of_the_catalog_stay_out() {
        assert_eq!(reworded("the tutee", "SELECT 1 WHERE a = 'Tutee'", "t", 1), None);
        assert_eq!(reworded("the tutee", "", "EducateeBookman", 1), None);
    }

    #[test]
    fn no_more_words_are_replaced_than_allowed() {
        let question = "the tutee and the scholar";
        let one = reworded(question, "", "t", 1).unwrap();
        assert!(one.contains("educatee") != one.contains("bookman"), "{one}");
        let all = reworded(question, "", "t", usize::MAX).unwrap();
        assert_eq!(all, "the educatee and the bookman");
    }
}

//! Candidates for completions, before it is known which of them can be answered.

use super::expand::Filling;
use super::names::Names;
use super::position::{Earlier, Sentence};
use super::rank::small;
use super::typed::Typed;
use crate::catalog::Catalog;
use crate::data::{Offer, Position};
use crate::linking::{Mention, SchemaIndex};
use crate::order;
use crate::reading::Part;
use crate::text::{Span, fold};

/// Cost of each further candidate of a pattern, so that others come between them.
const AGAIN: i32 = 3;
/// Cost of each further candidate that offers the same.
const SAME_OFFER: i32 = 2;
/// Gain of each typed word that a candidate continues.
const TYPED: i32 = 12;
/// Cost of a name that is not expected at its place.
const ELSEWHERE: i32 = 40;
/// Number of last words, each of which may be replaced with those behind it.
const LAST_WORDS: usize = 2;
/// Letters from which names are offered that are not expected at their place.
const ELSEWHERE_LETTERS: usize = 2;

/// A continuation that may lead to a question.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Span that is replaced.
    pub(crate) span: Span,
    /// The words that take its place.
    pub(crate) words: String,
    /// What is offered.
    pub(crate) offers: Offer,
    /// Whether it is not expected at its place.
    pub(crate) is_elsewhere: bool,
    score: i32,
}

/// What candidates are made from.
pub(crate) struct Material<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) schema: &'a SchemaIndex,
    pub(crate) names: &'a Names,
    /// The text up to the cursor.
    pub(crate) text: &'a str,
    /// Its mentions.
    pub(crate) mentions: &'a [(Mention, Part)],
    /// Tables that are meant if the text names none.
    pub(crate) earlier: Earlier<'a>,
    /// This year.
    pub(crate) year: i32,
}

/// Continuations of a text, the likeliest first.
pub(crate) fn candidates(material: &Material<'_>) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let all = Typed::all(material.text);
    let (ended, begun): (Vec<&Typed>, Vec<&Typed>) =
        all.iter().partition(|typed| typed.words.is_empty());
    for typed in begun {
        add(material, typed, &mut found);
    }
    let goes_on = found.iter().any(|candidate| !candidate.is_elsewhere);
    for typed in ended.into_iter().filter(|_| is_ended(material, goes_on)) {
        add(material, typed, &mut found);
    }
    order::by_key(&mut found, |candidate| -candidate.score);
    spread(&mut found);
    found
}

fn add(material: &Material<'_>, typed: &Typed, found: &mut Vec<Candidate>) {
    let Material { catalog, schema, names, text, mentions, earlier, year } = *material;
    let sentence = Sentence::before(catalog, schema, mentions, typed.start, &earlier);
    let filling = Filling { catalog, schema, names, sentence: &sentence, year };
    let gain = TYPED * small(typed.words.len());
    let anywhere = typed.words.len() == 1 && typed.letters() >= ELSEWHERE_LETTERS;
    for pattern in &names.patterns {
        let fits = pattern.fits(&sentence.positions, &sentence.features);
        let is_name = pattern.only_slot().is_some() && !pattern.after.contains(&Position::Start);
        if !(fits || anywhere && is_name) {
            continue;
        }
        let cost = if fits { 0 } else { ELSEWHERE };
        let mut filled = filling.fill(&pattern.pieces, &typed.words, typed.is_open);
        order::by_key(&mut filled, |filled| -filled.rank);
        for (at, filled) in filled.into_iter().enumerate() {
            let words = filled.words.join(" ");
            let said = text.get(typed.start..).unwrap_or_default().trim_end();
            if fold(said) == fold(&words) {
                continue;
            }
            let again = AGAIN * small(at);
            let score = pattern.weight + filled.rank + gain - cost - again;
            let span = Span::new(typed.start, text.len());
            let offers = pattern.offers;
            found.push(Candidate {
                span,
                words: cased(said, words),
                offers,
                is_elsewhere: !fits,
                score,
            });
        }
    }
}

/// Continuations of the text up to `cut`, in place of the words behind it.
pub(crate) fn instead(material: &Material<'_>, cut: usize) -> Vec<Candidate> {
    let typed = Typed { words: Vec::new(), start: cut, is_open: false };
    let mut found = Vec::new();
    add(material, &typed, &mut found);
    order::by_key(&mut found, |candidate| -candidate.score);
    spread(&mut found);
    found
}

/// Starts of the last words, of the first word that is not read, and of the text, in this order.
pub(crate) fn cuts(text: &str, unread: &[Span]) -> Vec<usize> {
    let mut cuts: Vec<usize> =
        Typed::all(text).iter().skip(1).take(LAST_WORDS).map(|typed| typed.start).collect();
    cuts.extend(unread.first().map(|span| span.start as usize));
    cuts.push(0);
    cuts.dedup();
    cuts
}

/// Lowers what is offered again and again, and removes what is offered twice.
fn spread(found: &mut Vec<Candidate>) {
    let mut seen: Vec<(Offer, i32)> = Vec::new();
    let mut kept: Vec<(u32, String)> = Vec::new();
    found.retain_mut(|candidate| {
        let key = (candidate.span.start, candidate.words.clone());
        if kept.contains(&key) {
            return false;
        }
        kept.push(key);
        match seen.iter_mut().find(|(offer, _)| *offer == candidate.offers) {
            Some((_, count)) => {
                *count += 1;
                candidate.score -= SAME_OFFER * *count;
            }
            None => seen.push((candidate.offers, 0)),
        }
        true
    });
    order::by_key(found, |candidate| -candidate.score);
}

/// Whether the text ends with a space, or with a name, or with another word that is read and can be none that goes on.
fn is_ended(material: &Material<'_>, goes_on: bool) -> bool {
    if material.text.chars().next_back().is_none_or(char::is_whitespace) {
        return true;
    }
    let last = material.mentions.last();
    last.is_some_and(|(mention, part)| {
        mention.span.end as usize == material.text.len()
            && match part {
                Part::Unknown => false,
                Part::Schema => mention.readings.first().is_some_and(|it| it.score >= 0.8),
                _ => !goes_on,
            }
    })
}

/// The words with a capital, if the typed ones begin with one.
fn cased(said: &str, words: String) -> String {
    let is_capital = said.chars().next().is_some_and(char::is_uppercase);
    if is_capital { wherefore_english::capitalised(&words) } else { words }
}

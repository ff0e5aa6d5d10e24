//! `WordNet`'s files of nouns and verbs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// A part of speech whose words are replaced.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Part {
    /// Noun.
    Noun,
    /// Verb.
    Verb,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Noun => "noun",
            Self::Verb => "verb",
        }
    }
}

/// The words of one part of speech.
#[derive(Debug, Default)]
struct Words {
    /// Place of the first sense in the file of senses; `None` where tagged texts do not say which of several is first.
    senses: BTreeMap<String, Option<usize>>,
    /// The file of senses.
    data: String,
    /// Irregular forms with their base form.
    exceptions: BTreeMap<String, String>,
}

/// `WordNet`'s nouns and verbs, and the names of its adjectives and adverbs.
#[derive(Debug, Default)]
pub(super) struct WordNet {
    nouns: Words,
    verbs: Words,
    others: BTreeSet<String>,
    /// How often tagged texts have a word as a noun and as a verb.
    uses: BTreeMap<String, [usize; 2]>,
}

/// How many times more often a word must be one part of speech than the other for that to be taken.
const CLEARLY: usize = 4;

impl WordNet {
    /// Reads the files of a folder, or of its folder `dict`.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let inner = folder.join("dict");
        let folder = if inner.is_dir() { inner.as_path() } else { folder };
        let words = |part: Part| -> Result<Words> {
            let name = part.name();
            let exceptions = fs::read_to_string(folder.join(format!("{name}.exc")));
            Ok(Words::of(
                &text(folder, &format!("index.{name}"))?,
                text(folder, &format!("data.{name}"))?,
                // The npm package has no files of irregular forms.
                &exceptions.unwrap_or_default(),
            ))
        };
        let mut others = BTreeSet::new();
        for name in ["index.adj", "index.adv"] {
            let index = fs::read_to_string(folder.join(name)).unwrap_or_default();
            others.extend(entries(&index).map(str::to_owned));
        }
        let senses = fs::read_to_string(folder.join("index.sense")).unwrap_or_default();
        Ok(Self {
            nouns: words(Part::Noun)?,
            verbs: words(Part::Verb)?,
            others,
            uses: uses(&senses),
        })
    }

    /// The part of speech that a word mostly is, by tagged texts.
    pub(super) fn mostly(&self, word: &str) -> Option<Part> {
        let [noun, verb] = *self.uses.get(word)?;
        if noun > verb * CLEARLY {
            Some(Part::Noun)
        } else {
            (verb > noun * CLEARLY).then_some(Part::Verb)
        }
    }

    fn words(&self, part: Part) -> &Words {
        match part {
            Part::Noun => &self.nouns,
            Part::Verb => &self.verbs,
        }
    }

    /// Whether a word, or several joined by `_`, is a base form of this part of speech.
    pub(super) fn has(&self, part: Part, word: &str) -> bool {
        self.words(part).senses.contains_key(word)
    }

    /// Whether a word is an adjective or an adverb.
    pub(super) fn is_other(&self, word: &str) -> bool {
        self.others.contains(word)
    }

    /// Base form of an irregular form, by the files of exceptions.
    pub(super) fn exception(&self, part: Part, word: &str) -> Option<&str> {
        self.words(part).exceptions.get(word).map(String::as_str)
    }

    /// Synonyms of a base form in its first sense, of one word in lower case; those for which this is the first sense too
    /// come first.
    pub(super) fn synonyms(&self, part: Part, word: &str) -> Vec<&str> {
        let words = self.words(part);
        let Some(&Some(sense)) = words.senses.get(word) else { return Vec::new() };
        let all = words.of_sense(sense).into_iter();
        let mut all: Vec<&str> = all
            .filter(|other| *other != word && other.bytes().all(|byte| byte.is_ascii_lowercase()))
            .collect();
        all.sort_by_key(|other| words.senses.get(*other) != Some(&Some(sense)));
        all
    }
}

/// Uses of words by the index of senses, whose lines are `word%PART:…  place  number  uses`.
fn uses(index: &str) -> BTreeMap<String, [usize; 2]> {
    let mut uses: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for line in index.lines() {
        let Some((word, rest)) = line.split_once('%') else { continue };
        let part = match rest.bytes().next() {
            Some(b'1') => 0,
            Some(b'2') => 1,
            _ => continue,
        };
        let count = rest.rsplit(' ').next().and_then(|count| count.parse::<usize>().ok());
        if let Some(count) = count.filter(|count| *count > 0) {
            uses.entry(word.to_owned()).or_default()[part] += count;
        }
    }
    uses
}

fn text(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Lines of an index without those of the licence.
fn lines(index: &str) -> impl Iterator<Item = &str> {
    index.lines().filter(|line| !line.starts_with(' '))
}

/// The words of an index.
fn entries(index: &str) -> impl Iterator<Item = &str> {
    lines(index).filter_map(|line| line.split_whitespace().next())
}

impl Words {
    fn of(index: &str, data: String, exceptions: &str) -> Self {
        let senses = lines(index).filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let number = |at: usize| fields.get(at)?.parse::<usize>().ok();
            // word, part, number of senses, number of kinds of pointers, these, senses, tagged senses, places
            let pointers = number(3)?;
            let (senses, tagged) = (number(2)?, number(5 + pointers)?);
            let first = number(6 + pointers)?;
            let is_known = senses == 1 || tagged > 0;
            Some(((*fields.first()?).to_owned(), is_known.then_some(first)))
        });
        let exceptions = exceptions.lines().filter_map(|line| {
            let (form, bases) = line.split_once(' ')?;
            Some((form.to_owned(), bases.split(' ').next()?.to_owned()))
        });
        Self { senses: senses.collect(), exceptions: exceptions.collect(), data }
    }

    /// Words of a sense, the most frequent first.
    fn of_sense(&self, place: usize) -> Vec<&str> {
        let line = self.data.get(place..).and_then(|rest| rest.lines().next());
        let fields: Vec<&str> = line.unwrap_or_default().split(' ').collect();
        let count = fields.get(3).and_then(|count| usize::from_str_radix(count, 16).ok());
        (0..count.unwrap_or_default()).filter_map(|at| fields.get(4 + 2 * at).copied()).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::fmt::Write;

    use super::*;

    /// Four senses of nouns and two of verbs.
    pub(crate) fn wordnet() -> WordNet {
        let mut nouns = String::new();
        let mut place = |words: &str| {
            let start = nouns.len();
            let count = words.split(' ').count();
            let names: Vec<String> = words.split(' ').map(|word| format!("{word} 0")).collect();
            let names = names.join(" ");
            writeln!(nouns, "{start:08} 18 n {count:02x} {names} 000 | x").unwrap();
            start
        };
        let tutee = place("tutee bookman educatee pupil_teacher Tyro");
        let scholar = place("scholar bookman tutee");
        let tome = place("tome volumen");
        let guest = place("invitee guestling");
        let index = format!(
            "  a licence\ntutee n 2 1 @ 2 1 {tutee:08} {scholar:08}\neducatee n 1 0 1 0 {tutee:08}\n\
             tyro n 1 0 1 0 {tutee:08}\nbookman n 1 0 1 0 {scholar:08}\n\
             scholar n 1 0 1 0 {scholar:08}\ntome n 2 0 2 0 {tome:08} {guest:08}\n\
             volumen n 1 0 1 0 {tome:08}\ninvitee n 1 0 1 0 {guest:08}\n\
             guestling n 1 0 1 0 {guest:08}\npupil_teacher n 1 0 1 0 {tutee:08}\n\
             high_tutee n 1 0 1 0 {guest:08}\n"
        );
        let verbs = "00000000 29 v 02 bewail 0 blimate 0 000 | x\n";
        let verb_index = "bewail v 1 0 1 0 00000000\nblimate v 1 0 1 0 00000000\n";
        WordNet {
            nouns: Words::of(&index, nouns, "tutoi tutee\n"),
            verbs: Words::of(verb_index, verbs.to_owned(), "bewelt bewail\n"),
            others: BTreeSet::from(["invitee".to_owned()]),
            uses: BTreeMap::new(),
        }
    }

    #[test]
    fn synonyms_are_single_words_of_the_first_sense() {
        let wordnet = wordnet();
        assert_eq!(wordnet.synonyms(Part::Noun, "tutee"), ["educatee", "bookman"]);
        assert_eq!(wordnet.synonyms(Part::Noun, "scholar"), ["bookman", "tutee"]);
        assert_eq!(wordnet.synonyms(Part::Verb, "bewail"), ["blimate"]);
        assert!(wordnet.synonyms(Part::Verb, "tutee").is_empty());
    }

    #[test]
    fn several_senses_without_tagged_texts_have_no_first_one() {
        assert!(wordnet().synonyms(Part::Noun, "tome").is_empty());
    }

    #[test]
    fn a_word_is_mostly_what_tagged_texts_have_it_as() {
        let index = "plan%1:09:00:: 1 1 40\nplan%2:31:00:: 2 1 9\nuse%1:04:00:: 1 1 40\nuse%2:34:00:: 2 1 30";
        let wordnet = WordNet { uses: uses(index), ..WordNet::default() };
        assert_eq!(wordnet.mostly("plan"), Some(Part::Noun));
        assert_eq!(wordnet.mostly("use"), None);
    }
}

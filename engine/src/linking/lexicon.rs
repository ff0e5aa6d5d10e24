//! Structure words: phrases that express operations, such as filters, orders and aggregates.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::{
    AgeWords, Agents, Classifiers, Comparative, Directions, Phrases, Role, StayWords, Superlative,
    Superlatives, VerbClasses, Verbs, Words,
};
use crate::text::stem;

pub(crate) use crate::data::Lexical;

/// Phrases with their functions, from `data/lexicon.toml`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexicon {
    verbs: Verbs,
    classes: VerbClasses,
    phrases: BTreeMap<String, Vec<Lexical>>,
    words: BTreeSet<String>,
    /// Superlatives, in order.
    pub(crate) superlatives: Vec<Superlative>,
    superlative_forms: BTreeMap<String, usize>,
    comparatives: Vec<Comparative>,
    order_nouns: BTreeSet<String>,
    label_orders: Vec<String>,
    classifiers: BTreeSet<String>,
    durations: BTreeSet<String>,
    /// Words for how long somebody stays.
    pub(crate) stays: StayWords,
    ages: BTreeSet<String>,
    row_nouns: BTreeSet<String>,
    naming: BTreeSet<String>,
    superiors: BTreeSet<String>,
    subordinates: BTreeSet<String>,
    childless: BTreeSet<String>,
    texts: BTreeSet<String>,
    longest: usize,
}

/// Words behind a superlative that make it an order of all rows: "cheapest first".
const PLACES: [&str; 3] = ["first", "on top", "at the top"];

impl Lexicon {
    /// Built-in lexicon.
    pub(crate) fn built_in(words: &Words) -> Self {
        let mut lexicon = Self::of(words.phrases());
        lexicon.add_superlatives(words.superlatives());
        lexicon.add_directions(&words.directions());
        let Classifiers {
            classifiers,
            naming,
            row_nouns,
            superiors,
            subordinates,
            childless,
            texts,
        } = words.classifiers();
        lexicon.texts.extend(texts);
        lexicon.superiors.extend(superiors);
        lexicon.subordinates.extend(subordinates);
        lexicon.childless.extend(childless);
        lexicon.classifiers.extend(classifiers);
        lexicon.row_nouns.extend(row_nouns);
        lexicon.naming.extend(naming);
        let AgeWords { nouns, ages, stays } = words.durations();
        lexicon.stays = stays;
        lexicon.durations.extend(nouns);
        lexicon.ages.extend(ages);
        lexicon.verbs = words.verbs();
        lexicon.verbs.verbs = lexicon.verbs.verbs.iter().map(|verb| stem(verb)).collect();
        lexicon.classes = words.verb_classes();
        lexicon
    }

    fn of(phrases: Phrases) -> Self {
        let mut lexicon = Self::default();
        for (lexical, phrases) in phrases.0 {
            for phrase in phrases {
                // A relation verb has no meaning unless it connects two things.
                if lexical == Lexical::Relation {
                    lexicon.add(phrase.clone(), Lexical::Filler);
                }
                lexicon.add(phrase, lexical);
            }
        }
        lexicon
    }

    fn add(&mut self, phrase: String, lexical: Lexical) {
        // "dont", "whats": the apostrophe is often left out.
        if phrase.contains('\'') && !phrase.contains("'d") {
            self.add(phrase.replace('\'', ""), lexical);
        }
        let words = phrase.split(' ').count();
        self.longest = self.longest.max(words);
        for word in phrase.split(' ') {
            if !self.words.contains(word) {
                self.words.insert(word.to_owned());
            }
        }
        let kinds = self.phrases.entry(phrase).or_default();
        if !kinds.contains(&lexical) {
            kinds.push(lexical);
        }
    }

    fn add_directions(&mut self, file: &Directions) {
        for (adjectives, lexical) in
            [(&file.ascending, Lexical::Ascending), (&file.descending, Lexical::Descending)]
        {
            for (adjective, frame) in adjectives
                .iter()
                .flat_map(|word| file.frames.iter().map(move |frame| (word, frame)))
            {
                self.add(frame.replace("{}", adjective), lexical);
            }
        }
        self.order_nouns.extend(file.nouns.iter().cloned());
        self.label_orders.clone_from(&file.labels);
    }

    /// Whether a folded phrase of direction puts names or dates in order: "in alphabetical order", "oldest first".
    pub(crate) fn orders_labels(&self, phrase: &str) -> bool {
        let spaced = format!(" {phrase} ");
        self.label_orders.iter().any(|words| spaced.contains(&format!(" {words} ")))
    }

    /// Whether a folded word denotes the time up to a date: "healing time".
    pub(crate) fn is_duration(&self, word: &str) -> bool {
        self.durations.contains(word)
    }

    /// Whether a folded word denotes the time since a date of birth.
    pub(crate) fn is_age(&self, word: &str) -> bool {
        self.ages.contains(word)
    }

    /// Whether a folded word only indicates an order.
    pub(crate) fn is_order_noun(&self, word: &str) -> bool {
        self.order_nouns.contains(word)
    }

    /// Whether a folded word refers to the rows of the preceding table: "staff members".
    pub(crate) fn is_row_noun(&self, word: &str) -> bool {
        self.row_nouns.contains(word)
    }

    /// Whether a word in lower case is one for the people that report to a person.
    pub(crate) fn is_subordinate(&self, word: &str) -> bool {
        self.subordinates.contains(word)
    }

    /// Whether a word in lower case says that nothing belongs to what it is said of: "empty".
    pub(crate) fn is_childless(&self, word: &str) -> bool {
        self.childless.contains(word)
    }

    /// Whether a word in lower case is one for the text behind it that is looked for: "letter".
    pub(crate) fn is_text_noun(&self, word: &str) -> bool {
        self.texts.contains(word)
    }

    /// Whether a folded word is one for the person that the row of a person refers to: "boss".
    pub(crate) fn is_superior(&self, word: &str) -> bool {
        self.superiors.contains(word)
    }

    /// Whether a folded word only states the kind of the adjacent name: "year", "score".
    pub(crate) fn is_classifier(&self, word: &str) -> bool {
        self.classifiers.contains(word)
    }

    /// Whether a last word of a column tells the things apart that the words before it name: "name", "code".
    pub(crate) fn is_naming(&self, word: &str) -> bool {
        self.naming.contains(word)
    }

    /// Whether a folded word is a form of a relation verb.
    pub(crate) fn is_verb(&self, word: &str) -> bool {
        self.is_past(word) || self.verbs.verbs.contains(&stem(word))
    }

    /// Whether a folded word is the past form of a relation verb, which cannot be confused with a noun.
    pub(crate) fn is_past(&self, word: &str) -> bool {
        self.verbs.past.contains(word)
            || word.ends_with("ed") && self.verbs.verbs.contains(&stem(word))
    }

    /// Whether a folded word is a form of a verb by its use, and not of a noun.
    pub(crate) fn is_used_as_verb(&self, word: &str) -> bool {
        let known = |verb: &str| self.classes.verbs.contains(verb);
        let mut present = ["s", "es"].iter().filter_map(|ending| word.strip_suffix(ending));
        self.is_used_as_past(word)
            || known(word)
            || present.any(known)
            || word.strip_suffix("ies").is_some_and(|start| known(&format!("{start}y")))
            || !self.classes.nouns.contains(word) && has_base(word, "ing", known)
    }

    /// Whether a folded word is the past form of a verb by its use.
    pub(crate) fn is_used_as_past(&self, word: &str) -> bool {
        let known =
            |verb: &str| self.classes.verbs.contains(verb) || self.classes.past.contains(verb);
        wherefore_english::verb_base(word).is_some_and(known)
            || word.strip_suffix("ied").is_some_and(|start| known(&format!("{start}y")))
            || has_base(word, "ed", known)
    }

    /// Whether a folded word may be the past form of any verb, known or not.
    pub(crate) fn may_be_past(&self, word: &str) -> bool {
        self.is_past(word) || self.is_used_as_past(word) || word.len() > 4 && word.ends_with("ed")
    }

    /// Last words of the names of the tables whose rows do what a verb says: "customer" for "ordered".
    pub(crate) fn agents_of(&self, verb: &str) -> impl Iterator<Item = &str> {
        let acting = self.verbs.agents.iter().filter(move |agents| agents.verbs.contains(verb));
        acting.flat_map(|agents| agents.tables.iter().map(String::as_str))
    }

    /// The same without those whom the verb only happens to, as patients who are treated.
    pub(crate) fn doers_of(&self, verb: &str) -> impl Iterator<Item = &str> {
        let acting = self.verbs.agents.iter().filter(|agents| !agents.undergo);
        let acting = acting.filter(move |agents| agents.verbs.contains(verb));
        acting.flat_map(|agents| agents.tables.iter().map(String::as_str))
    }

    /// Whether the stems of a name end with a word for those who make things.
    pub(crate) fn names_makers(&self, stems: &[String]) -> bool {
        stems.last().is_some_and(|last| self.verbs.makers.iter().any(|maker| stem(maker) == *last))
    }

    /// Whether a folded word is a form of a verb that says of what follows that it ends or does not happen: "stopped".
    pub(crate) fn denies(&self, word: &str) -> bool {
        self.verbs.denying.iter().any(|verb| stem(verb) == stem(word))
    }

    /// Whether a folded word is a form of a verb for the start of a row, which its own date records: "joined".
    pub(crate) fn joins_rows(&self, word: &str) -> bool {
        let base = wherefore_english::verb_base(word).unwrap_or(word);
        self.verbs.joining.iter().any(|verb| stem(verb) == stem(base))
    }

    /// Whether folded words behind a verb are no object that restricts anything: "something", "from us".
    pub(crate) fn is_any_object(&self, words: &str) -> bool {
        self.verbs.any_objects.contains(words)
    }

    /// Whether a folded word stands for the company that asks.
    pub(crate) fn is_ourselves(&self, word: &str) -> bool {
        self.verbs.ourselves.contains(word)
    }

    /// The senses of a verb whose events are recorded in a table of their own.
    pub(crate) fn deeds_of(&self, verb: &str) -> impl Iterator<Item = &Agents> {
        let acting = self.verbs.agents.iter();
        acting.filter(move |agents| !agents.deeds.is_empty() && agents.verbs.contains(verb))
    }

    /// Whether rows of a table whose name ends with this stem can act: customers, staff, suppliers.
    pub(crate) fn is_agent(&self, last: &str) -> bool {
        let mut acting = self.verbs.agents.iter().filter(|agents| !agents.undergo);
        acting.any(|agents| agents.tables.iter().any(|table| stem(table) == last))
    }

    /// Last words of the names of tables that do what a person so called does: "staff" for "employee", per verb.
    pub(crate) fn acting_alike(&self, person: &str) -> impl Iterator<Item = &BTreeSet<String>> {
        let acting = self.verbs.agents.iter().filter(|agents| !agents.undergo);
        acting.map(|agents| &agents.tables).filter(move |tables| tables.contains(person))
    }

    /// Whether a folded word belongs to the verb before it: "sign up".
    pub(crate) fn is_particle(&self, word: &str) -> bool {
        self.verbs.particles.contains(word)
    }

    /// Whether a folded word is an auxiliary verb.
    pub(crate) fn is_auxiliary(&self, word: &str) -> bool {
        self.verbs.auxiliaries.contains(word)
    }

    /// Whether a word is a pronoun that a verb follows.
    pub(crate) fn is_pronoun(&self, word: &str) -> bool {
        self.verbs.pronouns.contains(&word.to_lowercase())
    }

    /// Whether a folded word is a preposition.
    pub(crate) fn is_preposition(&self, word: &str) -> bool {
        self.verbs.prepositions.contains(word)
    }

    fn add_superlatives(&mut self, file: Superlatives) {
        for superlative in file.superlatives {
            for form in &superlative.forms {
                self.longest = self.longest.max(form.split(' ').count());
                self.words.extend(form.split(' ').map(str::to_owned));
                self.superlative_forms.insert(form.clone(), self.superlatives.len());
                let kind =
                    if superlative.descending { Lexical::Descending } else { Lexical::Ascending };
                for place in PLACES.iter().filter(|_| !form.starts_with("the ")) {
                    self.add(format!("{form} {place}"), kind);
                }
            }
            self.superlatives.push(superlative);
        }
        self.comparatives = file.comparatives;
    }

    /// Roles of the column that a comparative refers to, if none is named.
    pub(crate) fn compared_roles(&self, phrase: &str) -> &[Role] {
        self.comparatives
            .iter()
            .find(|comparative| comparative.forms.iter().any(|form| form == phrase))
            .map_or(&[], |comparative| comparative.roles.as_slice())
    }

    /// Index of the superlative that a phrase of folded words matches.
    pub(crate) fn superlative(&self, phrase: &str) -> Option<usize> {
        self.superlative_forms.get(phrase).copied()
    }

    /// The superlative of a folded phrase that orders all rows: "cheapest" of "cheapest first", "largest" of "from the
    /// largest to the smallest".
    pub(crate) fn placed_superlative(&self, phrase: &str) -> Option<&Superlative> {
        let placed = PLACES.iter().find_map(|place| phrase.strip_suffix(place)?.strip_suffix(' '));
        let ends = || {
            let (first, _) = phrase.strip_prefix("from ")?.split_once(" to ")?;
            Some(first.strip_prefix("the ").unwrap_or(first))
        };
        let form = placed.or_else(ends)?;
        self.superlatives.get(self.superlative(form)?)
    }

    /// Possible functions of a phrase of folded words joined by spaces.
    pub(crate) fn get(&self, phrase: &str) -> &[Lexical] {
        self.phrases.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Whether a folded word occurs in any phrase.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Number of words of the longest phrase.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}

/// Whether a folded word is the regular past form of a verb with one of these stems: "ordered" of "order".
pub(crate) fn is_past_of(word: &str, stems: &[String]) -> bool {
    has_base(word, "ed", |verb| stems.contains(&stem(verb)))
}

/// Whether a word with an ending has a known base form: "listing", "making", "planning".
fn has_base(word: &str, ending: &str, known: impl Fn(&str) -> bool) -> bool {
    word.strip_suffix(ending).is_some_and(|start| {
        let mut letters = start.chars().rev();
        let last = letters.next();
        let doubled = last.is_some() && letters.next() == last;
        known(start)
            || known(&format!("{start}e"))
            || doubled && last.and_then(|last| start.strip_suffix(last)).is_some_and(known)
    })
}

#[cfg(test)]
mod tests {
    use super::{Lexical, Lexicon};

    #[test]
    fn forms_of_verbs_are_told_from_nouns() {
        let lexicon = Lexicon::built_in(&crate::Words::BUILT_IN);
        for verb in
            ["enrolled", "enrols", "supplies", "supplied", "producing", "submitted", "wrote"]
        {
            assert!(lexicon.is_used_as_verb(verb), "{verb}");
        }
        for other in ["building", "failed", "origin", "destination", "status", "return", "ed"] {
            assert!(!lexicon.is_used_as_verb(other), "{other}");
        }
        assert!(lexicon.is_used_as_past("priced") && !lexicon.is_used_as_verb("price"));
    }

    #[test]
    fn words_have_their_functions() {
        let lexicon = Lexicon::built_in(&crate::Words::BUILT_IN);
        assert!(lexicon.is_duration("time") && lexicon.is_age("age"));
        assert!(lexicon.is_classifier("year"));
        assert_eq!(lexicon.get("in ascending alphabetical order of"), [Lexical::Ascending]);
        assert!(lexicon.is_verb("creates") && lexicon.is_past("created"));
        assert!(lexicon.is_verb("releases") && !lexicon.is_past("releases"));
        assert!(lexicon.superlative("most expensive").is_some());
        assert_eq!(lexicon.get("how many"), [Lexical::Count]);
        assert_eq!(lexicon.get("which"), [Lexical::List, Lexical::Where]);
    }
}

//! Checks of data files beyond their types, made by the build script, so that an invalid file fails the build.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;

use super::form::{
    Abbreviations, AgeWords, Classifiers, Codes, Completions, CorrectionPhrases, CueWords,
    Derivations, Directions, Pack, Phrases, RoleRules, Slot, Superlatives, TemplateWords, Term,
    Turns, Units, VerbClasses, Verbs,
};

/// Maximum number of options of a term, the same as of a clarification.
const OPTIONS: usize = 5;

/// A data file, converted to JSON.
pub(crate) trait DataFile: DeserializeOwned {
    /// Checks what the types cannot express; the error names the entry.
    fn check(&self) -> Result<(), String>;
}

/// Checks that a text is a valid data file of type `T`.
pub(crate) fn check<T: DataFile>(text: &str) -> Result<(), String> {
    let file: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    file.check()
}

impl DataFile for Phrases {
    fn check(&self) -> Result<(), String> {
        self.0.iter().try_for_each(|(lexical, list)| check_phrases(&format!("{lexical:?}"), list))
    }
}

impl DataFile for Directions {
    fn check(&self) -> Result<(), String> {
        if let Some(frame) = self.frames.iter().find(|frame| frame.matches("{}").count() != 1) {
            return Err(format!("frames: “{frame}” has no single {{}}"));
        }
        check_phrases("frames", &self.frames)?;
        check_phrases("adjectives", self.ascending.iter().chain(&self.descending))?;
        check_phrases("nouns", &self.nouns)
    }
}

impl DataFile for Classifiers {
    fn check(&self) -> Result<(), String> {
        check_phrases("classifiers", &self.classifiers)?;
        check_phrases("naming", &self.naming)?;
        check_phrases("row_nouns", &self.row_nouns)
    }
}

impl DataFile for AgeWords {
    fn check(&self) -> Result<(), String> {
        check_phrases("nouns", &self.nouns)?;
        check_phrases("ages", &self.ages)?;
        check_phrases("stays.said", &self.stays.said)?;
        check_phrases("stays.arriving", &self.stays.arriving)?;
        check_phrases("stays.leaving", &self.stays.leaving)
    }
}

impl DataFile for VerbClasses {
    fn check(&self) -> Result<(), String> {
        check_phrases("verbs", &self.verbs)?;
        check_phrases("past", &self.past)?;
        check_phrases("nouns", &self.nouns)
    }
}

impl DataFile for Turns {
    fn check(&self) -> Result<(), String> {
        for turn in &self.turns {
            check_filled(&format!("{}: said", turn.read), &turn.said)?;
            for said in &turn.said {
                if slots(said) != slots(&turn.read) {
                    return Err(format!("“{said}” and “{}” have other slots", turn.read));
                }
            }
        }
        Ok(())
    }
}

/// Names of the slots `{x}` of a pattern, in order.
fn slots(pattern: &str) -> BTreeSet<&str> {
    let slots = pattern.split([' ', '$']).filter_map(|word| word.strip_prefix('{'));
    slots.filter_map(|slot| slot.trim_end_matches('}').split(':').next()).collect()
}

impl DataFile for Verbs {
    fn check(&self) -> Result<(), String> {
        check_phrases("verbs", &self.verbs)?;
        check_phrases("past", &self.past)?;
        check_phrases("makers", &self.makers)?;
        check_phrases("denying verbs", &self.denying)?;
        check_phrases("joining verbs", &self.joining)?;
        check_phrases("objects of any kind", &self.any_objects)?;
        check_phrases("ourselves", &self.ourselves)?;
        for agents in &self.agents {
            check_phrases("verbs of agents", &agents.verbs)?;
            check_phrases("tables of agents", &agents.tables)?;
            check_phrases("deeds of agents", &agents.deeds)?;
            check_phrases("plans of agents", &agents.plans)?;
        }
        check_phrases("auxiliaries", &self.auxiliaries)?;
        check_phrases("pronouns", &self.pronouns)?;
        check_phrases("prepositions", &self.prepositions)
    }
}

impl DataFile for TemplateWords {
    fn check(&self) -> Result<(), String> {
        check_phrases("neutral", &self.neutral)
    }
}

impl DataFile for CorrectionPhrases {
    fn check(&self) -> Result<(), String> {
        check_phrases("select and reject", self.select.iter().chain(&self.reject))?;
        check_phrases("join", &self.join)?;
        check_phrases("with", &self.with)
    }
}

impl DataFile for Completions {
    fn check(&self) -> Result<(), String> {
        check_phrases("grains", &self.grains)?;
        check_phrases("times", &self.times)?;
        check_phrases("comparisons", &self.comparisons)?;
        check_phrases("figures", &self.figures)?;
        check_filled("numbers", &self.numbers)?;
        check_phrases("numbers", &self.numbers)?;
        for continuation in &self.continuations {
            check_filled("say", &continuation.say)?;
            check_phrases("say", &continuation.say)?;
            let name = continuation.say.join(", ");
            check_filled(&format!("{name}: after"), &continuation.after)?;
            for word in continuation.say.iter().flat_map(|say| say.split(' ')) {
                Slot::of(word).transpose().map_err(|error| format!("{name}: {error}"))?;
            }
        }
        Ok(())
    }
}

impl DataFile for CueWords {
    fn check(&self) -> Result<(), String> {
        let kinds = [&self.add, &self.narrow, &self.replace];
        check_phrases("lead", kinds.iter().flat_map(|kind| &kind.lead))?;
        check_phrases("trail", kinds.iter().flat_map(|kind| &kind.trail))?;
        check_phrases("among", &self.among)?;
        check_phrases(
            "correct, reject, rank, hide and show",
            self.correct
                .iter()
                .chain(&self.reject)
                .chain(&self.rank)
                .chain(&self.hide)
                .chain(&self.show),
        )?;
        check_phrases(
            "rows, shares and others",
            self.rows.iter().chain(&self.shares).chain(&self.others),
        )?;
        check_phrases("periods", self.before.iter().chain(&self.after))?;
        check_phrases("pronouns", &self.pronouns.lead)
    }
}

impl DataFile for Superlatives {
    fn check(&self) -> Result<(), String> {
        for superlative in &self.superlatives {
            check_filled("a list of forms", &superlative.forms)?;
        }
        for comparative in &self.comparatives {
            check_filled("a list of forms", &comparative.forms)?;
        }
        check_phrases("superlatives", self.superlatives.iter().flat_map(|it| &it.forms))?;
        check_phrases("comparatives", self.comparatives.iter().flat_map(|it| &it.forms))
    }
}

impl DataFile for RoleRules {
    fn check(&self) -> Result<(), String> {
        for (at, rule) in self.roles.iter().enumerate() {
            let name = rule.name.as_str();
            if self.roles[..at].iter().any(|other| other.name == rule.name) {
                return Err(format!("the role {name} stands there twice"));
            }
            check_filled(&format!("{name}: types"), &rule.types)?;
            check_phrases(name, &rule.words)?;
            check_phrases(name, &rule.asked_as)?;
        }
        Ok(())
    }
}

impl DataFile for Abbreviations {
    fn check(&self) -> Result<(), String> {
        check_phrases("words", self.words.keys())?;
        self.words.values().try_for_each(|long| check_phrases("words", [long]))?;
        check_phrases("scales", &self.scales)?;
        check_phrases("posts", &self.posts)?;
        check_phrases("heads", &self.heads)
    }
}

impl DataFile for Derivations {
    fn check(&self) -> Result<(), String> {
        check_phrases("nouns", self.nouns.keys())?;
        self.nouns.iter().try_for_each(|(noun, verbs)| {
            check_filled(noun, verbs)?;
            check_phrases(noun, verbs)
        })
    }
}

impl DataFile for Codes {
    fn check(&self) -> Result<(), String> {
        for code in &self.codes {
            for list in [&code.columns, &code.values, &code.words] {
                check_filled("a list of a code", list)?;
                check_phrases("codes", list)?;
            }
        }
        Ok(())
    }
}

impl DataFile for Units {
    fn check(&self) -> Result<(), String> {
        check_phrases("powers", &self.powers)?;
        for quantity in &self.quantities {
            let name = &quantity.name;
            if quantity.units.iter().any(|unit| unit.size == 0 || unit.names.is_empty()) {
                return Err(format!("{name}: a unit has no size or no name"));
            }
            check_phrases(name, quantity.units.iter().flat_map(|unit| &unit.names))?;
        }
        Ok(())
    }
}

impl DataFile for Pack {
    fn check(&self) -> Result<(), String> {
        self.terms.iter().try_for_each(Term::check)?;
        for concept in &self.concepts {
            check_filled(&concept.term, &concept.forms)?;
            check_phrases(&concept.term, &concept.forms)?;
            check_phrases(&concept.term, &concept.tables)?;
            let unknown = concept.participles.iter().find(|form| !concept.forms.contains(form));
            if let Some(form) = unknown {
                return Err(format!("{}: the participle “{form}” is no form", concept.term));
            }
        }
        let forms = self.terms.iter().flat_map(|term| &term.forms);
        check_phrases("forms of terms", forms)?;
        check_phrases("forms of concepts", self.concepts.iter().flat_map(|concept| &concept.forms))
    }
}

impl Term {
    fn check(&self) -> Result<(), String> {
        let Self { term, options, .. } = self;
        check_filled(term, &self.forms)?;
        let defaults = options.iter().filter(|option| option.default).count();
        if !options.is_empty() && defaults != 1 {
            return Err(format!(
                "{term}: {defaults} options are the default, exactly one has to be"
            ));
        }
        if options.len() > OPTIONS {
            return Err(format!("{term}: {} options, {OPTIONS} are offered", options.len()));
        }
        let mut ids: Vec<&String> = options.iter().map(|option| &option.id).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("{term}: two options have the id {}", pair[0])),
            None => Ok(()),
        }
    }
}

/// Checks a list of phrases: lower-case words joined by single spaces, without duplicates.
fn check_phrases<'a>(
    list: &str,
    phrases: impl IntoIterator<Item = &'a String>,
) -> Result<(), String> {
    let mut seen: Vec<&String> = Vec::new();
    for phrase in phrases {
        if phrase.split(' ').any(str::is_empty) || *phrase != phrase.to_lowercase() {
            return Err(format!("{list}: “{phrase}” is not words of small letters"));
        }
        if seen.contains(&phrase) {
            return Err(format!("{list}: “{phrase}” stands there twice"));
        }
        seen.push(phrase);
    }
    Ok(())
}

/// Checks that a list is not empty.
fn check_filled<T>(list: &str, entries: &[T]) -> Result<(), String> {
    if entries.is_empty() { Err(format!("{list} is empty")) } else { Ok(()) }
}

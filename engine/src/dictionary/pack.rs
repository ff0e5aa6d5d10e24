//! Parses dictionary packs and looks their terms up by phrase.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::Catalog;
use crate::data::{Concept, Pack, Term, Words};

/// The terms and concepts of all packs, indexed by phrase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    /// Terms of all packs, in order.
    pub(crate) terms: Vec<Term>,
    /// Concepts of all packs, in order.
    pub(crate) concepts: Vec<Concept>,
    term_forms: BTreeMap<String, Vec<usize>>,
    concept_forms: BTreeMap<String, usize>,
    words: BTreeSet<String>,
    longest: usize,
}

impl Dictionary {
    /// The dictionary of the built-in packs; if several define a term, the later pack takes precedence.
    pub(crate) fn built_in(words: &Words) -> Self {
        let mut dictionary = Self::default();
        for pack in [words.general(), words.commerce(), words.finance(), words.healthcare()] {
            dictionary.add(pack);
        }
        dictionary
    }

    /// The dictionary of the built-in packs and of the catalog, whose terms take precedence.
    pub(crate) fn new(catalog: &Catalog, words: &Words) -> Self {
        let mut dictionary = Self::built_in(words);
        for term in catalog.terms.iter().filter_map(super::company::term) {
            dictionary.add_term(term);
        }
        dictionary
    }

    fn add_term(&mut self, term: Term) {
        let position = self.terms.len();
        for form in &term.forms {
            self.add_form(form);
            self.term_forms.entry(form.clone()).or_default().insert(0, position);
        }
        self.terms.push(term);
    }

    fn add(&mut self, pack: Pack) {
        for term in pack.terms {
            self.add_term(term);
        }
        for concept in pack.concepts {
            let position = self.concepts.len();
            for form in &concept.forms {
                self.add_form(form);
                self.concept_forms.insert(form.clone(), position);
            }
            self.concepts.push(concept);
        }
    }

    fn add_form(&mut self, form: &str) {
        self.longest = self.longest.max(form.split(' ').count());
        self.words.extend(form.split([' ', '-']).map(str::to_owned));
    }

    /// Indices of the terms that a phrase of folded words matches, those of later packs first.
    pub(crate) fn terms_by_form(&self, phrase: &str) -> &[usize] {
        self.term_forms.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Index of the concept that a phrase of folded words matches.
    pub(crate) fn concept_by_form(&self, phrase: &str) -> Option<usize> {
        self.concept_forms.get(phrase).copied()
    }

    /// Whether a folded word occurs in any form.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Number of words of the longest form.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::Dictionary;

    // Promise: asking.three-meanings
    #[test]
    fn vague_words_have_three_meanings_unless_one_is_plain() {
        let dictionary = Dictionary::built_in(&crate::Words::BUILT_IN);
        for term in dictionary.terms.iter().filter(|term| term.options.len() > 1) {
            assert!(term.options.len() >= 3, "{}", term.term);
        }
    }

    #[test]
    fn forms_of_terms_are_folded_as_questions_are() {
        let dictionary = Dictionary::built_in(&crate::Words::BUILT_IN);
        assert!(dictionary.terms.len() >= 60, "{} terms", dictionary.terms.len());
        for form in dictionary.terms.iter().flat_map(|term| &term.forms) {
            assert_eq!(*form, crate::text::fold(form));
        }
    }
}

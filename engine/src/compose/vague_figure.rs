//! Vague terms about a figure of groups: "customers with high revenue", "categories with few products".

use super::build::Measures;
use super::context::Composer;
use super::measure::Resolved;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::dictionary::{Definition, TermOption};
use crate::intent::Predicate;
use crate::linking::{Lexical, Target};
use crate::reading::{Frame, VagueUse};
use wherefore_english::name_words;

impl Composer<'_> {
    /// The vague terms that qualify a figure of groups, and the frame without them.
    pub(super) fn vague_figures(
        &self,
        frame: &Frame,
        measures: &Measures,
    ) -> (Vec<VagueUse>, Frame) {
        let mut rest = frame.clone();
        // One figure of all rows is neither high nor low.
        if frame.head.is_none() && frame.groups.is_empty() {
            return (Vec::new(), rest);
        }
        let of_figure = |term: &VagueUse| {
            self.figure_of(term, measures)
                .is_some_and(|figure| !self.options_of_figure(term, figure).is_empty())
        };
        let (figures, others) = rest.vague.into_iter().partition(of_figure);
        rest.vague = others;
        (figures, rest)
    }

    /// The figure that a term qualifies. "High number of orders" is said of the number, and "recent orders" of the rows.
    fn figure_of<'m>(&self, term: &VagueUse, measures: &'m Measures) -> Option<&'m Resolved> {
        let noun = term.noun?;
        let counts = |at: usize| {
            self.mentions[at].is(Lexical::CountNoun) || self.mentions[at].is(Lexical::Count)
        };
        let is_counted = (term.at + 1..noun).any(counts);
        if matches!(self.target(noun), Some(Target::Table(_))) && !is_counted {
            return None;
        }
        let mut figures = measures.aggregates.iter();
        figures.find(|measure| measure.at == noun && measure.expression.is_aggregate())
    }

    /// Whether a term is said of a concept or a metric, which is computed.
    pub(super) fn is_figure(&self, term: &VagueUse) -> bool {
        let mention = term.noun.and_then(|noun| self.mentions.get(noun));
        mention.is_some_and(|mention| match mention.readings.first() {
            Some(first) => matches!(first.target, Target::Metric(_)),
            None => mention.concept.is_some(),
        })
    }

    /// What a term may mean for a figure, and whether a best guess takes it.
    fn options_of_figure(
        &self,
        term: &VagueUse,
        figure: &Resolved,
    ) -> Vec<(bool, ClarificationOption)> {
        let Some(known) = self.dictionary.terms.get(term.term) else { return Vec::new() };
        let words = name_words(&figure.alias);
        let options = known.options.iter();
        options
            .filter_map(|option| Some((option.default, of_groups(option, &words, figure)?)))
            .collect()
    }

    /// Adds the condition on groups that a term was decided to mean.
    pub(super) fn vague_figure(&mut self, term: &VagueUse, measures: &mut Measures) {
        let Some(figure) = self.figure_of(term, measures) else { return };
        let options = self.options_of_figure(term, figure);
        let recommended = options.iter().position(|(default, _)| *default);
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::VagueTerm,
            severity: Severity::Important,
            span: self.span(term.at),
            phrase: self.phrase(term.at).to_owned(),
            relation: Relation::Means,
            reason: "it means different things to different people".to_owned(),
            options: options.into_iter().map(|(_, option)| option).collect(),
            recommended,
            custom: None,
        });
        let OptionBinding::Predicate { predicate } = chosen else { return };
        measures.having.push(if term.negated {
            Predicate::Not { condition: Box::new(predicate) }
        } else {
            predicate
        });
    }
}

/// An option of a term as a condition on the figure of a group.
fn of_groups(option: &TermOption, words: &str, figure: &Resolved) -> Option<ClarificationOption> {
    let (percent, highest) = match option.definition {
        Definition::Average(above) => (None, above),
        Definition::HighestPercent(percent) => (Some(percent), true),
        Definition::LowestPercent(percent) => (Some(percent), false),
        _ => return None,
    };
    let border = match (percent, highest) {
        (Some(percent), true) => format!("is among the highest {percent} %"),
        (Some(percent), false) => format!("is among the lowest {percent} %"),
        (None, true) => "is above the average".to_owned(),
        (None, false) => "is below the average".to_owned(),
    };
    let aggregate = figure.expression.clone();
    let predicate = Predicate::AmongGroups { aggregate, percent, highest };
    Some(ClarificationOption {
        id: option.id.clone(),
        label: option.label.clone(),
        description: format!("{words} {border}"),
        binding: OptionBinding::Predicate { predicate },
        confidence: None,
    })
}

//! Splits a text into mentions and gives each a role.

use super::constraints::constrain;
use super::interpreter::Interpreter;
use crate::catalog::Catalog;
use crate::dictionary::Concept;
use crate::linking::{
    Lexical, Linker, Mention, Named, TableId, Target, ValueIndex, announce_texts, count_pieces,
    imply, join_full_names, join_name_parts, join_table_words, level_rates, mentions, name_keys,
    name_places, name_stock_worth, name_worth, place_what_was_done, prefer_makers, prefer_persons,
    prefer_subjects, qualify, tell_states_apart, tie_acts, tie_beside, tie_deeds, tie_people,
    tie_persons_alike, tie_quantities, tie_rates, tie_recorded, tie_states, tie_stored_beside,
    unbind_far_verbs, unbind_verbs, untie_kinds, untie_proper_names, widen,
};
use crate::order;
use crate::reading::{
    Part, context_scores, join_numbers, name_durations, name_functions, name_stays, part_of,
};
use crate::text::{Token, numbers, time_expressions, tokenize};

/// A text with its mentions.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    /// Tokens of the text.
    pub(super) tokens: Vec<Token>,
    /// Mentions of the text, in order.
    pub(super) mentions: Vec<Mention>,
    /// The role of each mention.
    pub(super) parts: Vec<Part>,
}

impl Interpreter<'_> {
    /// Links a text to the catalog; `about` is the table that it refers to, if known.
    pub(super) fn linked(
        &self,
        text: &str,
        found: &ValueIndex,
        typing: bool,
        about: Option<TableId>,
    ) -> Linked {
        let tokens = tokenize(text);
        let times = time_expressions(&tokens, self.today, self.settings.fiscal_year_start);
        let linker = Linker {
            lexicon: self.lexicon,
            schema: self.schema,
            values: self.values,
            found,
            units: self.units,
            dictionary: self.dictionary,
            typing,
        };
        let mut mentions = mentions(&linker, text, &tokens, &times, &numbers(&tokens));
        join_full_names(self.schema, &mut mentions);
        prefer_subjects(self.schema, self.lexicon, &mut mentions);
        prefer_makers(self.schema, self.lexicon, &mut mentions);
        prefer_persons(self.schema, &mut mentions);
        tie_people(self.catalog, self.schema, self.lexicon, self.dictionary, &mut mentions);
        tie_persons_alike(self.schema, self.lexicon, &mut mentions);
        tie_acts(self.schema, &mut mentions);
        untie_kinds(&mut mentions);
        count_pieces(self.catalog, self.schema, self.dictionary, &mut mentions);
        tie_quantities(self.schema, &mut mentions);
        tie_beside(self.schema, &mut mentions);
        untie_proper_names(&mut mentions);
        announce_texts(self.lexicon, &mut mentions);
        tie_stored_beside(self.schema, [self.values, found], &mut mentions);
        tie_states(self.catalog, self.schema, &mut mentions);
        tie_rates(self.catalog, self.schema, &mut mentions);
        name_stock_worth(self.catalog, self.schema, self.dictionary, &mut mentions);
        name_worth(self.catalog, self.schema, self.dictionary, &mut mentions);
        qualify(self.schema, self.lexicon, &mut mentions);
        name_keys(self.schema, &mut mentions);
        join_name_parts(&mut mentions);
        join_table_words(self.schema, &mut mentions);
        unbind_verbs(self.lexicon, &mut mentions);
        tie_deeds(self.schema, self.lexicon, &mut mentions);
        tie_recorded(self.catalog, self.schema, self.dictionary, &mut mentions);
        imply(self.schema, &mut mentions);
        widen(&mut mentions);
        constrain(self.constraints, &mut mentions);
        self.apply_lessons(&mut mentions);
        name_places(self.schema, &mut mentions);
        place_what_was_done(self.schema, self.lexicon, &mut mentions);
        tell_states_apart(self.schema, &mut mentions);
        unbind_far_verbs(self.schema, self.lexicon, &mut mentions);
        let measured = mentions.iter().find_map(|mention| {
            if let Some(Target::Metric(metric)) =
                mention.readings.first().map(|reading| reading.target.clone())
            {
                return self.schema.table(&self.catalog.metrics.get(metric)?.table);
            }
            if mention.worth.is_some() {
                return mention.worth;
            }
            self.recorded(self.dictionary.concepts.get(mention.concept?)?)
        });
        let ranked = mentions.iter().find_map(|mention| {
            let ranked = self.lexicon.superlatives.get(mention.superlative?)?;
            let named = |concept: &&Concept| {
                ranked.roles.is_empty() && ranked.concepts.contains(&concept.term)
            };
            self.recorded(self.dictionary.concepts.iter().find(named)?)
        });
        let recorded = measured.or(ranked);
        let measured = about.or(measured).or_else(|| measured_table(self.catalog, &mentions));
        context_scores(self.schema, &mut mentions, measured, recorded);
        level_rates(&mut mentions);
        name_stays(self.catalog, self.schema, self.lexicon, text, &mut mentions);
        name_durations(self.catalog, self.schema, self.lexicon, text, &mut mentions);
        name_functions(self.catalog, self.schema, self.lexicon, &mut mentions);
        join_numbers(text, &mut mentions);
        let parts: Vec<Part> = (0..mentions.len()).map(|at| part_of(&mentions, at)).collect();
        for (mention, part) in mentions.iter_mut().zip(&parts) {
            if *part != Part::Schema {
                mention.readings.clear();
            }
        }
        Linked { tokens, mentions, parts }
    }
}

impl Interpreter<'_> {
    /// Table where a concept is recorded.
    fn recorded(&self, concept: &Concept) -> Option<TableId> {
        self.schema.recording(self.catalog, concept).first().map(|recording| recording.table)
    }

    /// Whether words are one name and nothing else, apart from articles.
    pub(crate) fn is_one_name(&self, text: &str, near: Option<TableId>) -> bool {
        let linked = self.linked(text, &ValueIndex::default(), false, near);
        let mut names = linked.mentions.iter().filter(|mention| !mention.is(Lexical::Filler));
        let is_name = |mention: &Mention| {
            let first = mention.readings.first().map(|reading| &reading.target);
            matches!(first, Some(Target::Table(_) | Target::Column(_)))
        };
        names.next().is_some_and(is_name) && names.next().is_none()
    }

    /// The table or column that words name; columns of the table `near` take precedence.
    pub(crate) fn named_things(
        &self,
        text: &str,
        found: &ValueIndex,
        near: Option<TableId>,
    ) -> Option<Target> {
        let linked = self.linked(text, found, false, near);
        let things = linked.mentions.iter().flat_map(|mention| &mention.readings);
        let things = things.filter_map(|reading| match &reading.target {
            Target::Column(column) => {
                Some((near == Some(column.table), reading.score, reading.target.clone()))
            }
            Target::Table(_) => Some((false, reading.score + 0.1, reading.target.clone())),
            _ => None,
        });
        let mut things: Vec<(bool, f64, Target)> = things.collect();
        order::by(&mut things, |a, b| {
            let score = |entry: &(bool, f64, Target)| entry.1 + if entry.0 { 0.2 } else { 0.0 };
            score(b).total_cmp(&score(a)).then_with(|| a.2.cmp(&b.2))
        });
        things.into_iter().next().map(|(_, _, target)| target)
    }
}

/// Table of the only column that an aggregate of the question is computed from.
fn measured_table(catalog: &Catalog, mentions: &[Mention]) -> Option<TableId> {
    let computed = [Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum];
    let at = mentions.iter().position(|mention| computed.iter().any(|kind| mention.is(*kind)))?;
    mentions[at + 1..].iter().take(3).find_map(|mention| {
        let first = mention.readings.first()?;
        let alone = mention.readings.get(1).is_none_or(|next| first.score - next.score > 0.1);
        match first.target {
            Target::Column(column) if alone && catalog.column_at(column).data_type.is_numeric() => {
                Some(column.table)
            }
            _ => None,
        }
    })
}

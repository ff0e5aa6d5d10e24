//! Finds the template that a question matches, with a value or an open question for each parameter.

use std::collections::BTreeSet;
use std::ops::Range;

use super::confidence::ParameterSource;
use super::extracted::{extracted, lacking};
use super::formed::{formed, unfit};
use super::index::{Example, Prepared, TemplateIndex};
use super::parameter::{Near, Place, Value, day_of, default, exact, near, number};
use super::question::{TemplateQuestion, Usage};
use crate::catalog::{Catalog, ParameterType, QueryTemplate};
use crate::confidence::Method;
use crate::linking::{ColumnId, Named};
use crate::reading::Part;
use crate::text::TimeMention;
use wherefore_sql::tree::Literal;

/// Minimum Jaccard similarity of the words of the question and of an example.
const COMMON: f64 = 0.75;
/// Minimum number of words in an example that is specific enough even if its values can mean something else.
const TELLING: usize = 3;

/// A template that a question matches.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// Index of the template.
    pub(super) template: usize,
    /// Jaccard similarity of the words, 0 to 1.
    pub(super) common: f64,
    /// Number of words in the example.
    pub(super) words: usize,
    /// Whether the template takes precedence over a composed statement; if not, it answers only if none can be
    /// composed.
    pub(crate) sure: bool,
    /// What each parameter is bound to, in order.
    pub(super) places: Vec<Place>,
}

impl TemplateIndex {
    /// The best match: sure ones first, then by similarity, then by order in the catalog.
    pub(crate) fn fit(&self, catalog: &Catalog, question: &TemplateQuestion<'_>) -> Option<Fit> {
        let mut best: Option<Fit> = None;
        let usage = question.usage(self.neutral.weights(question.lexicon, question.tokens));
        for (position, prepared) in self.templates.iter().enumerate() {
            let fit =
                self.fit_one(catalog, (position, prepared), question, &usage, &mut Guess::None);
            if let Some(fit) = fit
                && best.as_ref().is_none_or(|best| {
                    (fit.sure, fit.common, fit.words) > (best.sure, best.common, best.words)
                })
            {
                best = Some(fit);
            }
        }
        best
    }

    /// Words that would complete a match if they were values of a column whose values are not all listed.
    pub(crate) fn unlisted(
        &self,
        catalog: &Catalog,
        question: &TemplateQuestion<'_>,
    ) -> Vec<(ColumnId, Range<usize>)> {
        let mut all = Vec::new();
        let usage = question.usage(self.neutral.weights(question.lexicon, question.tokens));
        for (position, prepared) in self.templates.iter().enumerate() {
            let mut guess = Guess::Stored(Assumed { catalog, places: Vec::new() });
            let fit = self.fit_one(catalog, (position, prepared), question, &usage, &mut guess);
            if let (Some(_), Guess::Stored(assumed)) = (fit, guess) {
                all.extend(assumed.places);
            }
        }
        all
    }

    /// Name of the template that would match best if a model took values out of the words that it does not know.
    pub(crate) fn near<'c>(
        &self,
        catalog: &'c Catalog,
        question: &TemplateQuestion<'_>,
    ) -> Option<&'c str> {
        let mut best: Option<Fit> = None;
        let usage = question.usage(self.neutral.weights(question.lexicon, question.tokens));
        for (position, prepared) in self.templates.iter().enumerate() {
            let mut guess = Guess::Said(false);
            let fit = self.fit_one(catalog, (position, prepared), question, &usage, &mut guess);
            if let (Some(fit), Guess::Said(true)) = (fit, guess)
                && best
                    .as_ref()
                    .is_none_or(|best| (fit.common, fit.words) > (best.common, best.words))
            {
                best = Some(fit);
            }
        }
        let position = self.templates.get(best?.template)?.position;
        catalog.templates.get(position).map(|template| template.name.as_str())
    }

    fn fit_one(
        &self,
        catalog: &Catalog,
        (position, prepared): (usize, &Prepared),
        question: &TemplateQuestion<'_>,
        usage: &Usage,
        guess: &mut Guess<'_>,
    ) -> Option<Fit> {
        let template = catalog.templates.get(prepared.position)?;
        let known_word =
            question.tokens.iter().any(|token| prepared.vocabulary.contains(&token.stem));
        if !known_word {
            return None;
        }
        let mut usage = usage.clone();
        let mut places: Vec<Option<Place>> = vec![None; template.parameters.len()];
        let mut valued = stored(prepared, template, question, &mut usage, &mut places);
        valued.extend(free_texts(prepared, question, &mut usage, &mut places));
        dates(prepared, template, question, &mut usage, &mut places)?;
        numbers(template, question, &mut usage, &mut places);
        valued.extend(parts_of_values(prepared, template, question, &mut usage, &mut places));
        valued.extend(extracted(catalog, prepared, template, question, &mut usage, &mut places));
        match guess {
            Guess::None => {}
            Guess::Said(taken) => {
                let words = lacking(prepared, question, &mut usage, &mut places);
                *taken = !words.is_empty();
                valued.extend(words);
            }
            Guess::Stored(assumed) => {
                valued.extend(assumed.fill(prepared, template, question, &mut usage, &mut places));
            }
        }
        let open = runs(prepared, question, &usage);
        if let Some(tokens) = unfit(template, &prepared.parameters, &open, &mut places) {
            usage.take(&tokens);
            valued.push(tokens);
        }
        let left: BTreeSet<&str> =
            usage.left().map(|at| question.tokens[at].stem.as_str()).collect();
        if !left.iter().all(|stem| prepared.vocabulary.contains(*stem)) {
            return None;
        }
        let (example, common) = closest(prepared, question, &valued, &left)?;
        let mut sure = true;
        let mut filled = Vec::with_capacity(places.len());
        for ((parameter, known), place) in
            template.parameters.iter().zip(&prepared.parameters).zip(places)
        {
            let place = place.or_else(|| default(parameter, known, question).map(Place::Value));
            let place = match place {
                Some(Place::Unfit(_)) | None if common < 1.0 => return None,
                Some(place) => place,
                None => Place::Missing,
            };
            sure &= match &place {
                Place::Near(near) => !near.rivalled || example.words.len() >= TELLING,
                Place::Missing => !example.slots.contains(&parameter.name),
                Place::Unfit(unfit) => {
                    unfit.stored
                        || example.slots.contains(&parameter.name) && example.words.len() >= TELLING
                }
                Place::Value(value) => !value.rivalled || example.words.len() >= TELLING,
            };
            filled.push(match place {
                Place::Near(near) if near.values.len() == 1 => Place::Value(alone(near)),
                place => place,
            });
        }
        Some(Fit { template: position, common, words: example.words.len(), sure, places: filled })
    }
}

/// What is assumed about the words that a template does not know.
enum Guess<'a> {
    /// Nothing.
    None,
    /// A model would take values out of them; whether there are any.
    Said(bool),
    /// They are values that a search would find.
    Stored(Assumed<'a>),
}

/// Values that are assumed to be stored, to find the words whose search could complete a match.
struct Assumed<'a> {
    catalog: &'a Catalog,
    places: Vec<(ColumnId, Range<usize>)>,
}

impl Assumed<'_> {
    /// Binds unused words that a search could find; returns the tokens used.
    fn fill(
        &mut self,
        prepared: &Prepared,
        template: &QueryTemplate,
        question: &TemplateQuestion<'_>,
        usage: &mut Usage,
        places: &mut [Option<Place>],
    ) -> Vec<Range<usize>> {
        let mut used = Vec::new();
        for ((parameter, known), place) in
            template.parameters.iter().zip(&prepared.parameters).zip(places)
        {
            let column = known.column.filter(|column| self.catalog.is_searchable(*column));
            if place.is_none()
                && parameter.parameter_type == ParameterType::String
                && let Some(column) = column
                && let Some(tokens) = runs(prepared, question, usage).into_iter().next()
            {
                usage.take(&tokens);
                used.push(tokens.clone());
                self.places.push((column, tokens));
                *place = Some(Place::Missing);
            }
        }
        used
    }
}

/// Binds exact stored or allowed values; returns the tokens used.
fn stored(
    prepared: &Prepared,
    template: &QueryTemplate,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) -> Vec<Range<usize>> {
    let mut used = Vec::new();
    for ((parameter, known), place) in
        template.parameters.iter().zip(&prepared.parameters).zip(places)
    {
        if !matches!(parameter.parameter_type, ParameterType::Enum | ParameterType::String) {
            continue;
        }
        if let Some((tokens, found)) = exact(question, usage, known) {
            usage.take(&tokens);
            used.push(tokens);
            *place = Some(found);
        }
    }
    used
}

/// Binds words that match the pattern of a parameter whose values no column lists; returns the tokens used.
fn free_texts(
    prepared: &Prepared,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) -> Vec<Range<usize>> {
    let mut used = Vec::new();
    for (known, place) in prepared.parameters.iter().zip(places) {
        let open = runs(prepared, question, usage);
        if let Some(value) = formed(question, usage, known, &open) {
            usage.take(&value.tokens);
            used.push(value.tokens.clone());
            *place = Some(Place::Value(value));
        }
    }
    used
}

/// Binds dates of time expressions; `None` if the start or end of one would be dropped.
fn dates(
    prepared: &Prepared,
    template: &QueryTemplate,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) -> Option<()> {
    let mentions: Vec<(Range<usize>, TimeMention)> = question
        .free(Part::Time, usage)
        .filter_map(|mention| Some((mention.tokens.clone(), mention.time.clone()?)))
        .collect();
    for (tokens, time) in mentions {
        let (mut start, mut end) = (time.range.start.is_none(), time.range.end.is_none());
        for ((parameter, known), place) in
            template.parameters.iter().zip(&prepared.parameters).zip(&mut *places)
        {
            if parameter.parameter_type != ParameterType::Date || place.is_some() {
                continue;
            }
            let day = known.uses.first().and_then(|found| day_of(&time.range, found.operator));
            let Some((day, from, until)) = day else { continue };
            if from && start || until && end {
                continue;
            }
            (start, end) = (start || from, end || until);
            *place = Some(Place::Value(Value {
                literal: Literal::Date(day.clone()),
                text: day.clone(),
                shown: day,
                source: ParameterSource::Stated,
                score: Method::Exact.base(),
                method: None,
                tokens: tokens.clone(),
                rivalled: false,
                others: Vec::new(),
            }));
        }
        if !start || !end || time.rival.is_some() {
            return None;
        }
        usage.take(&tokens);
    }
    Some(())
}

fn numbers(
    template: &QueryTemplate,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) {
    for (parameter, place) in template.parameters.iter().zip(places) {
        let numeric =
            matches!(parameter.parameter_type, ParameterType::Integer | ParameterType::Number);
        if let (true, Some(value)) = (numeric, number(question, usage, parameter)) {
            usage.take(&value.tokens);
            *place = Some(Place::Value(value));
        }
    }
}

/// Binds stored values that contain unused words; returns the tokens used.
fn parts_of_values(
    prepared: &Prepared,
    template: &QueryTemplate,
    question: &TemplateQuestion<'_>,
    usage: &mut Usage,
    places: &mut [Option<Place>],
) -> Vec<Range<usize>> {
    let mut used = Vec::new();
    for ((parameter, known), place) in
        template.parameters.iter().zip(&prepared.parameters).zip(places)
    {
        if place.is_some() || parameter.parameter_type != ParameterType::String {
            continue;
        }
        let found = runs(prepared, question, usage)
            .into_iter()
            .find_map(|tokens| Some((tokens.clone(), near(question, tokens, known)?)));
        if let Some((tokens, found)) = found {
            usage.take(&tokens);
            used.push(tokens);
            *place = Some(found);
        }
    }
    used
}

/// Runs of unused words that occur in no example; only structure words may stand between them.
pub(super) fn runs(
    prepared: &Prepared,
    question: &TemplateQuestion<'_>,
    usage: &Usage,
) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in usage.left().filter(|&at| !prepared.vocabulary.contains(&question.tokens[at].stem)) {
        match runs.last_mut() {
            Some(run) if (run.end..at).all(|between| !usage.weighs(between)) => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// The most similar example with its similarity; `None` below the threshold.
fn closest<'a>(
    prepared: &'a Prepared,
    question: &TemplateQuestion<'_>,
    valued: &[Range<usize>],
    left: &BTreeSet<&str>,
) -> Option<(&'a Example, f64)> {
    let said: BTreeSet<&str> = question
        .tokens
        .iter()
        .enumerate()
        .filter(|(at, _)| !valued.iter().any(|range| range.contains(at)))
        .map(|(_, token)| token.stem.as_str())
        .collect();
    let mut best: Option<(&Example, f64)> = None;
    for example in &prepared.examples {
        let common = example.words.iter().filter(|word| said.contains(word.as_str())).count();
        let beyond = left.iter().filter(|word| !example.words.contains(**word)).count();
        let share = common as f64 / (example.words.len() + beyond) as f64;
        if share >= COMMON && best.is_none_or(|(_, known)| share > known) {
            best = Some((example, share));
        }
    }
    best
}

/// The only similar value, as a parameter value.
fn alone(near: Near) -> Value {
    let stored = near.values.into_iter().next().unwrap_or_default();
    Value {
        literal: Literal::String(stored.clone()),
        text: stored.clone(),
        shown: stored,
        source: ParameterSource::Similar,
        score: Method::ValueFuzzy.base(),
        method: Some(Method::ValueFuzzy),
        tokens: near.tokens,
        rivalled: false,
        others: Vec::new(),
    }
}

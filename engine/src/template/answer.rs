//! Answers of templates: the statement with all parameters bound, checked by the guard.

use std::collections::BTreeMap;
use std::ops::Range;

use super::ask::{Slot, instead, missing, which};
use super::confidence::{ParameterSource, ParameterValue, doubted, effective};
use super::index::TemplateIndex;
use super::matching::Fit;
use super::parameter::{DEFAULT, Place, Value, day_of, literal};
use super::question::TemplateQuestion;
use crate::clarification::{AssumptionSource, Decision, OptionBinding};
use crate::compose::{Composer, Open};
use crate::confidence::Method;
use crate::linking::{Reading, Target};
use wherefore_sql::tree::{Body, Literal, Query, Source};
use wherefore_sql::{GuardLimits, check_bound};

/// Confidence of a parameter that the user chose (`docs/spec.md` §2.1).
const CHOSEN: f64 = 0.95;

/// A template's statement, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct TemplateAnswer {
    /// Name of the template.
    pub(crate) name: String,
    /// Checked statement in the catalog's dialect; `None` until the user has given the values that nothing stands for.
    pub(crate) sql: Option<String>,
    /// What the statement answers, in one sentence with the parameter values.
    pub(crate) sentence: String,
    /// The parameters that have a value, in order.
    pub(crate) parameters: Vec<ParameterValue>,
    /// Key of the first table in FROM.
    pub(crate) table: Option<String>,
    /// Token ranges that match a stored value, each with that value.
    pub(crate) values: Vec<(Range<usize>, Reading)>,
    /// Number of words that the question and the example share.
    pub(crate) words: usize,
    /// Confidence of the match, 0 to 1: word similarity times the lowest confidence of a parameter.
    pub(crate) sureness: f64,
    literals: BTreeMap<String, Literal>,
}

impl TemplateAnswer {
    /// Whether the statement's literals contain what an option stands for.
    pub(crate) fn holds(&self, binding: &OptionBinding) -> bool {
        match binding {
            OptionBinding::TimeRange { .. } => {
                self.literals.values().any(|literal| matches!(literal, Literal::Date(_)))
            }
            OptionBinding::Parameter { template, parameter, value } => {
                *template == self.name
                    && self.literals.get(parameter).is_some_and(|literal| match literal {
                        Literal::Boolean(own) => own.to_string() == *value,
                        Literal::Date(own) | Literal::Number(own) | Literal::String(own) => {
                            own == value
                        }
                        _ => false,
                    })
            }
            OptionBinding::Value { value, .. } => self.literals.values().any(|literal| {
                matches!(literal, Literal::String(text) | Literal::Number(text) if text == value)
            }),
            _ => false,
        }
    }
}

impl Fit {
    /// Binds all parameters, with the decisions made so far; `None` if a parameter has no value and none is asked for.
    pub(crate) fn answer(
        self,
        index: &TemplateIndex,
        question: &TemplateQuestion<'_>,
        composer: &mut Composer<'_>,
    ) -> Option<TemplateAnswer> {
        let catalog = composer.catalog;
        let prepared = index.templates.get(self.template)?;
        let template = catalog.templates.get(prepared.position)?;
        let mut bound = Vec::new();
        let mut literals = BTreeMap::new();
        let mut said = Vec::new();
        let mut values = Vec::new();
        let mut least: f64 = 1.0;
        let mut pending = false;
        for ((parameter, known), place) in
            template.parameters.iter().zip(&prepared.parameters).zip(self.places)
        {
            let slot = Slot { template: &template.name, parameter, known };
            let (asked, tokens) = match place {
                Place::Value(value) => {
                    let value = match doubted(catalog, question, slot, &value) {
                        Some(asked) => settled(composer, asked, slot, value)?,
                        None => value,
                    };
                    bound.push((slot, value));
                    continue;
                }
                Place::Near(near) => {
                    (which(catalog, question, composer.question, known, &near)?, near.tokens)
                }
                Place::Unfit(unfit) => (instead(catalog, question, slot, &unfit)?, unfit.tokens),
                Place::Missing => (missing(catalog, composer.today, slot)?, 0..0),
            };
            let (binding, by_user) = decided(composer, asked);
            if binding == OptionBinding::Ignore && awaits(&composer.open) {
                pending = true;
                continue;
            }
            bound.push((slot, chosen(binding, by_user, slot, tokens)?));
        }
        let mut parameters = Vec::new();
        for (Slot { parameter, known, .. }, value) in bound {
            let confidence = effective(value.score, parameter);
            least = least.min(confidence);
            parameters.push(ParameterValue {
                name: parameter.name.clone(),
                value: value.text.clone(),
                confidence,
                source: value.source,
            });
            if let (Some(method), Some(column)) = (value.method, known.column) {
                let target = Target::Value(column, value.shown.clone());
                values.push((value.tokens, Reading { target, method, score: method.base() }));
            }
            let name = crate::linking::words_of_identifier(&parameter.name).join(" ");
            said.push(match value.literal {
                Literal::String(_) => format!("{name} is “{}”", value.shown),
                _ => format!("{name} is {}", value.shown),
            });
            literals.insert(parameter.name.clone(), value.literal);
        }
        let limits = GuardLimits::default();
        let (sql, table) = if pending {
            (None, None)
        } else {
            let checked =
                check_bound(&prepared.query, catalog, catalog.dialect, &limits, &literals).ok()?;
            (Some(checked.sql().to_owned()), first_table(checked.query()))
        };
        let mut sentence = template.description.trim_end_matches('.').to_owned();
        if !said.is_empty() {
            sentence.push_str(": ");
            sentence.push_str(&said.join(", "));
        }
        sentence.push('.');
        Some(TemplateAnswer {
            name: template.name.clone(),
            sql,
            sentence,
            parameters,
            table,
            values,
            words: self.words,
            sureness: self.common * least,
            literals,
        })
    }
}

/// What is taken, and whether the user decided so, now or before.
fn decided(composer: &mut Composer<'_>, asked: Decision) -> (OptionBinding, bool) {
    let binding = composer.decide(asked);
    let source = composer.open.last().and_then(|open| open.decided);
    let by_user = matches!(
        source,
        Some(AssumptionSource::Correction | AssumptionSource::Memory | AssumptionSource::User)
    );
    (binding, by_user)
}

/// A doubted value, or what was decided instead.
fn settled(
    composer: &mut Composer<'_>,
    asked: Decision,
    slot: Slot<'_>,
    value: Value,
) -> Option<Value> {
    let current = asked.options.first().map(|option| option.binding.clone());
    let (binding, by_user) = decided(composer, asked);
    if !by_user && current.as_ref() == Some(&binding) {
        if value.source == ParameterSource::Extracted
            && let Some(open) = composer.open.last_mut()
            && open.decided == Some(AssumptionSource::Default)
        {
            open.decided = Some(AssumptionSource::Model);
        }
        return Some(value);
    }
    chosen(binding, by_user, slot, value.tokens)
}

/// Parameter value of a chosen option; `by_user` if it is not only the best one.
fn chosen(
    binding: OptionBinding,
    by_user: bool,
    Slot { template, parameter, known }: Slot<'_>,
    tokens: Range<usize>,
) -> Option<Value> {
    let text = match binding {
        OptionBinding::Parameter { template: own, parameter: name, value } => {
            Some(value).filter(|_| own == template && name == parameter.name)?
        }
        OptionBinding::Value { value, .. } => value,
        OptionBinding::TimeRange { range, .. } => day_of(&range, known.uses.first()?.operator)?.0,
        _ => return None,
    };
    let literal = literal(&text, parameter, known.pattern.as_ref())?;
    let method = (!tokens.is_empty()).then_some(Method::ValueFuzzy);
    let (score, source) = if by_user {
        (CHOSEN, ParameterSource::Chosen)
    } else {
        (DEFAULT, ParameterSource::Guessed)
    };
    Some(Value {
        literal,
        text: text.clone(),
        shown: text,
        source,
        score,
        method,
        tokens,
        rivalled: false,
        others: Vec::new(),
    })
}

/// Whether an open clarification has no option to go on with.
fn awaits(open: &[Open]) -> bool {
    open.iter().any(|place| place.decided.is_none() && place.chosen == OptionBinding::Ignore)
}

/// Key of the first table in FROM.
fn first_table(query: &Query) -> Option<String> {
    let Body::Select(select) = &query.body else { return None };
    match &select.from.first()?.source {
        Source::Table { schema: Some(schema), name, .. } => {
            Some(format!("{}.{}", schema.name, name.name))
        }
        Source::Table { schema: None, name, .. } => Some(name.name.clone()),
        _ => None,
    }
}

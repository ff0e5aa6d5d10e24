//! Vague terms that a catalog defines.

use crate::catalog::{VagueOption, VagueTerm};
use crate::data::{CustomKind, Definition, Role, Term, TermKind, TermOption};
use crate::text::fold;

/// Maximum number of options of a term, the same as of a clarification.
const OPTIONS: usize = 5;

/// Why a vague term of a catalog is not usable.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TermFault {
    /// Index of the option at fault; `None` for the term itself.
    pub option: Option<usize>,
    /// The reason, with the word in question.
    pub reason: String,
}

/// Checks all of a vague term that does not depend on tables and columns.
pub fn check_term(term: &VagueTerm) -> Result<(), TermFault> {
    let fault = |reason| Err(TermFault { option: None, reason });
    let Some(first) = term.forms.iter().find(|form| !form.trim().is_empty()) else {
        return fault("a term needs at least one form".to_owned());
    };
    if let Some(role) = term.roles.iter().find(|role| Role::from_text(role).is_none()) {
        return fault(format!("unknown role: {role}"));
    }
    if !(1..=OPTIONS).contains(&term.options.len()) {
        return fault(format!("{first}: a term needs from 1 to {OPTIONS} options"));
    }
    let defaults = term.options.iter().filter(|option| option.default).count();
    if defaults != 1 {
        return fault(format!("{first}: exactly one option has to be the default; got {defaults}"));
    }
    let placed = !term.roles.is_empty() || !term.columns.is_empty();
    for (place, option) in term.options.iter().enumerate() {
        let fault = |reason| Err(TermFault { option: Some(place), reason });
        let label = &option.label;
        if id(label).is_empty() {
            return fault("an option needs a label".to_owned());
        }
        if term.options[..place].iter().any(|other| id(&other.label) == id(label)) {
            return fault(format!("duplicate option: {label}"));
        }
        if let Some(role) = option.role.as_ref().filter(|role| Role::from_text(role).is_none()) {
            return fault(format!("unknown role: {role}"));
        }
        match (placed, &option.role, &option.column) {
            (_, Some(_), Some(_)) => {
                return fault(format!("{label}: an option has a role or a column, not both"));
            }
            (false, None, None) => {
                return fault(format!(
                    "{label}: neither the term nor the option has a role or a column"
                ));
            }
            _ => {}
        }
        if let Err(reason) = definition(option) {
            return fault(format!("{label}: {reason}"));
        }
    }
    Ok(())
}

/// The term in the form of the built-in dictionary; none where it is not usable.
pub(super) fn term(given: &VagueTerm) -> Option<Term> {
    check_term(given).ok()?;
    let options: Vec<TermOption> = given.options.iter().filter_map(option).collect();
    let recommended = options.iter().find(|option| option.default)?;
    let dated = options.iter().all(|option| {
        matches!(
            option.definition,
            Definition::WithinDays(_) | Definition::BeforeDays(_) | Definition::NextDays(_)
        )
    });
    Some(Term {
        term: given.forms.first()?.clone(),
        kind: if dated { TermKind::Temporal } else { TermKind::Status },
        forms: given
            .forms
            .iter()
            .map(|form| fold(form.trim()))
            .filter(|form| !form.is_empty())
            .collect(),
        roles: given.roles.iter().filter_map(|role| Role::from_text(role)).collect(),
        columns: given.columns.clone(),
        units: Vec::new(),
        custom: custom(&recommended.definition),
        options,
    })
}

fn option(given: &VagueOption) -> Option<TermOption> {
    Some(TermOption {
        id: id(&given.label),
        label: given.label.clone(),
        role: given.role.as_deref().and_then(Role::from_text),
        column: given.column.clone(),
        default: given.default,
        definition: definition(given).ok()?,
    })
}

/// The label with an underscore for each run of other characters than letters and digits.
fn id(label: &str) -> String {
    let folded = fold(label);
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

/// The one condition of an option.
fn definition(option: &VagueOption) -> Result<Definition, String> {
    let values = (!option.values.is_empty()).then(|| Definition::OneOf(option.values.clone()));
    let given: Vec<Definition> = [
        option.above.map(Definition::Above),
        option.at_least.map(Definition::AtLeast),
        option.below.map(Definition::Below),
        option.above_average.map(Definition::Average),
        option.highest_percent.map(Definition::HighestPercent),
        option.lowest_percent.map(Definition::LowestPercent),
        option.flag.map(Definition::Flag),
        option.missing.map(Definition::Missing),
        values,
        option.within_days.map(Definition::WithinDays),
        option.before_days.map(Definition::BeforeDays),
        option.next_days.map(Definition::NextDays),
    ]
    .into_iter()
    .flatten()
    .collect();
    match given.as_slice() {
        [Definition::HighestPercent(percent) | Definition::LowestPercent(percent)]
            if !(1..=99).contains(percent) =>
        {
            Err(format!("a percentage must be between 1 and 99; got {percent}"))
        }
        [Definition::Above(number) | Definition::AtLeast(number) | Definition::Below(number)]
            if !number.is_finite() =>
        {
            Err("the number must be finite".to_owned())
        }
        [definition] => Ok(definition.clone()),
        found => Err(format!("an option needs exactly one condition; got {}", found.len())),
    }
}

fn custom(definition: &Definition) -> Option<CustomKind> {
    match definition {
        Definition::Above(_) | Definition::AtLeast(_) => Some(CustomKind::AtLeast),
        Definition::Below(_) => Some(CustomKind::AtMost),
        Definition::WithinDays(_) | Definition::BeforeDays(_) | Definition::NextDays(_) => {
            Some(CustomKind::DateRange)
        }
        _ => None,
    }
}

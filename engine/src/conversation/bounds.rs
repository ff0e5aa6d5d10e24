//! Bounds of a follow-up that name nothing: "and less than 45?" is said of what the earlier question compares.

use crate::intent::Comparison;
use crate::reading::{Condition, Frame, Measure, MeasureTarget};

/// The condition on what the only comparison of the earlier question is about, or on the only figure of its groups; the
/// other bound goes where both cannot hold, and where the text corrects it.
pub(super) fn of_compared(frame: &mut Frame, condition: Condition, corrects: bool) -> Condition {
    let Condition::Compare { column: None, operator, value, at, unit, roles } = &condition else {
        return condition;
    };
    if let Some(figure) = figure_of_groups(frame) {
        let (operator, value) = (*operator, value.clone());
        let of_figure =
            |known: &Condition| matches!(known, Condition::Measure { at, .. } if *at == figure);
        frame.conditions.retain(|known| match known {
            Condition::Measure { operator: bound, value: limit, .. } => {
                !(of_figure(known) && (corrects || excludes(*bound, limit, operator, &value)))
            }
            _ => true,
        });
        return Condition::Measure { at: figure, operator, value };
    }
    let compares = |known: &&Condition| {
        matches!(
            known,
            Condition::Compare { .. } | Condition::CountOf { .. } | Condition::Measure { .. }
        )
    };
    let mut known = frame.conditions.iter().filter(compares);
    let (Some(only), None) = (known.next(), known.next()) else { return condition };
    let (bound, told) = match only.clone() {
        Condition::Compare {
            column,
            operator: bound,
            value: limit,
            unit: kind,
            roles: own,
            ..
        } if unit.is_none() || *unit == kind => {
            if !roles.is_empty() && *roles != own {
                return condition;
            }
            let (operator, value, at) = (*operator, value.clone(), *at);
            let told = Condition::Compare { column, operator, value, at, unit: kind, roles: own };
            ((bound, limit), told)
        }
        Condition::CountOf { table, operator: bound, value: limit, at: counted }
            if unit.is_none() =>
        {
            let (operator, value) = (*operator, value.clone());
            ((bound, limit), Condition::CountOf { table, operator, value, at: counted })
        }
        Condition::Measure { at, operator: bound, value: limit } if unit.is_none() => {
            let (operator, value) = (*operator, value.clone());
            ((bound, limit), Condition::Measure { at, operator, value })
        }
        _ => return condition,
    };
    if corrects || excludes(bound.0, &bound.1, *operator, value) {
        let only = only.clone();
        frame.conditions.retain(|known| *known != only);
    }
    told
}

/// Mention of the only figure that is shown of each group, where no other condition is a comparison.
fn figure_of_groups(frame: &Frame) -> Option<usize> {
    let ranked = frame.superlative.as_ref().and_then(|superlative| superlative.by.as_ref());
    let grouped = !frame.groups.is_empty() || ranked.is_some_and(is_computed);
    let figure = match frame.measures.as_slice() {
        [only] => Some(only),
        [] => ranked.filter(|by| is_computed(by)),
        _ => None,
    };
    figure.filter(|_| grouped && frame.share.is_none() && frame.average.is_none()).map(|by| by.at)
}

fn is_computed(measure: &Measure) -> bool {
    !matches!(measure.target, MeasureTarget::Own)
}

/// Whether no number meets both comparisons.
fn excludes(one: Comparison, limit: &str, other: Comparison, value: &str) -> bool {
    let (Ok(limit), Ok(value)) = (limit.parse::<f64>(), value.parse::<f64>()) else { return false };
    let up = |operator| matches!(operator, Comparison::Greater | Comparison::GreaterOrEqual);
    let down = |operator| matches!(operator, Comparison::Less | Comparison::LessOrEqual);
    up(one) && down(other) && value <= limit || down(one) && up(other) && value >= limit
}

#[cfg(test)]
mod tests {
    use super::excludes;
    use crate::intent::Comparison::{Greater, Less, LessOrEqual};

    #[test]
    fn bounds_that_leave_no_number_exclude_each_other() {
        assert!(excludes(Greater, "100", Less, "45"));
        assert!(excludes(Less, "45", Greater, "100"));
        assert!(!excludes(Greater, "10", Less, "45"));
        assert!(!excludes(Greater, "10", Greater, "45"));
        assert!(!excludes(Less, "45", LessOrEqual, "10"));
    }
}

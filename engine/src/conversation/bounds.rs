//! Bounds of a follow-up that name nothing: "and less than 45?" is said of what the earlier question compares.

use crate::intent::Comparison;
use crate::reading::{Condition, Frame};

/// The condition on what the only comparison of the earlier question is about; the other bound goes where both cannot
/// hold.
pub(super) fn of_compared(frame: &mut Frame, condition: Condition) -> Condition {
    let Condition::Compare { column: None, operator, value, at, unit, roles } = &condition else {
        return condition;
    };
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
    if excludes(bound.0, &bound.1, *operator, value) {
        let only = only.clone();
        frame.conditions.retain(|known| *known != only);
    }
    told
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

//! Figures of hits that are repeated on changed rows.

use serde_json::{Value, json};

use super::judge::{Judged, Repeated, Verdict};
use crate::score::{figure, share};

/// Adds to the last line how many hits hold on changed rows, and how many answers are right if the others are wrong.
pub(super) fn add(judged: &[Judged], result: &mut Value) {
    let answered: Vec<Verdict> =
        judged.iter().filter_map(|judged| judged.answered).map(|(_, verdict)| verdict).collect();
    let surviving = |hit: fn(Verdict) -> bool, again: fn(Verdict) -> bool| {
        let decided = answered
            .iter()
            .filter(|verdict| hit(**verdict))
            .filter(|verdict| !matches!(verdict.repeated, Repeated::Undecided | Repeated::Untried));
        let decided: Vec<&Verdict> = decided.collect();
        share(decided.iter().filter(|verdict| again(***verdict)).count(), decided.len())
    };
    let of_answered = |way: fn(Verdict) -> bool| {
        share(answered.iter().filter(|verdict| way(**verdict)).count(), answered.len())
    };
    let undecided =
        answered.iter().filter(|verdict| verdict.repeated == Repeated::Undecided).count();
    result["changed_rows"] = figure(surviving(|verdict| verdict.right, Verdict::is_right_again));
    result["changed_rows_lenient"] =
        figure(surviving(Verdict::is_accepted, Verdict::is_accepted_again));
    result["selective_accuracy_changed"] = figure(of_answered(Verdict::is_right_again));
    result["lenient_changed"] = figure(of_answered(Verdict::is_accepted_again));
    result["undecided"] = json!(undecided);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(right: bool, repeated: Repeated) -> Judged {
        let verdict = Verdict { right, repeated, ..Verdict::default() };
        Judged { answered: Some((1.0, verdict)), ..Judged::default() }
    }

    #[test]
    fn what_cannot_be_decided_is_no_fault_and_no_survivor() {
        let all = [
            judged(true, Repeated::Agrees),
            judged(true, Repeated::Leniently),
            judged(true, Repeated::Differs),
            judged(true, Repeated::Undecided),
            judged(false, Repeated::Untried),
        ];
        let mut result = json!({});
        add(&all, &mut result);
        assert_eq!(
            result,
            json!({
                "changed_rows": 0.3333,
                "changed_rows_lenient": 0.6667,
                "selective_accuracy_changed": 0.4,
                "lenient_changed": 0.6,
                "undecided": 1,
            })
        );
    }
}

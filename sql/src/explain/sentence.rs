//! A one-sentence summary of a whole statement.

use super::step::{Step, StepKind};
use wherefore_english::{and_list, capitalised};

/// Summarizes steps: `Counts orders created in the last 30 days, for each status.`
pub fn sentence(steps: &[Step]) -> String {
    let mut text = String::new();
    let lists: Vec<&Step> = steps.iter().filter(|step| step.kind == StepKind::List).collect();
    for (at, list) in lists.iter().enumerate() {
        text.push_str(if at == 0 { "First builds " } else { "Then builds " });
        text.push_str(&list.clause);
        text.push_str(": ");
        text.push_str(&inside(list));
        text.push_str(". ");
    }
    let main = body(steps);
    if lists.is_empty() {
        text.push_str(&capitalised(&main));
    } else {
        text.push_str("Then ");
        text.push_str(&main);
    }
    text.push('.');
    text
}

/// The steps of a list, as a clause.
fn inside(list: &Step) -> String {
    match list.inner.as_slice() {
        [first, again] if again.kind == StepKind::List && first.kind == StepKind::List => {
            format!("{}, and repeatedly what follows from it", inside(first))
        }
        steps => body(steps),
    }
}

fn body(steps: &[Step]) -> String {
    let of = |kind: StepKind| steps.iter().filter(move |step| step.kind == kind);
    let clauses = |kind: StepKind| of(kind).map(|step| step.clause.clone()).collect::<Vec<_>>();
    let mut text = match of(StepKind::Combine).next() {
        Some(combined) => {
            let lists: Vec<String> = combined.inner.iter().map(inside).collect();
            let others = lists.iter().skip(1).map(|list| {
                let list = list.strip_prefix("shows ").unwrap_or(list);
                if combined.clause == "and" { format!("shows {list}") } else { list.to_owned() }
            });
            let others = others.collect::<Vec<_>>().join(", and ");
            let first = lists.first().cloned().unwrap_or_default();
            format!("{first}, {} {others}", combined.clause)
        }
        None => selected(steps, &clauses(StepKind::Read), &clauses(StepKind::Join)),
    };
    let mut add = |part: &str| {
        text.push_str(", ");
        text.push_str(part);
    };
    for part in clauses(StepKind::Group) {
        add(&part);
    }
    let groups = clauses(StepKind::KeepGroups);
    if !groups.is_empty() {
        let conditions: Vec<String> = groups
            .iter()
            .map(|part| part.strip_prefix("where ").unwrap_or(part).to_owned())
            .collect();
        add(&format!("only groups where {}", conditions.join(" and ")));
    }
    for part in clauses(StepKind::Order) {
        add(&part);
    }
    for step in of(StepKind::Merge) {
        add(step.clause.strip_prefix("keep ").unwrap_or(&step.clause));
    }
    for part in clauses(StepKind::Cut) {
        add(&part);
    }
    text
}

fn selected(steps: &[Step], read: &[String], joins: &[String]) -> String {
    let of = |kind: StepKind| steps.iter().filter(move |step| step.kind == kind);
    let figures = || of(StepKind::Compute).map(|it| it.clause.clone()).collect::<Vec<_>>();
    let shown = of(StepKind::Show).next().map(|step| step.clause.clone());
    let shown = shown.unwrap_or_else(|| and_list(&figures()));
    let Some(rows) = read.first() else {
        return if shown.is_empty() {
            "shows the result".to_owned()
        } else {
            format!("shows {shown}")
        };
    };
    let mut from = rows.clone();
    let mut is_with = false;
    for join in joins {
        match join.strip_prefix("with ").filter(|_| is_with) {
            Some(rest) => from.extend([" and ", rest]),
            None => from.extend([" ", join]),
        }
        is_with |= join.starts_with("with ");
    }
    let keeps: Vec<String> = of(StepKind::Keep).map(|step| step.clause.clone()).collect();
    let (clauses, attached): (Vec<String>, Vec<String>) =
        keeps.into_iter().partition(|keep| keep.starts_with("where "));
    if !attached.is_empty() {
        from.push(' ');
        from.push_str(&attached.join(" and "));
    }
    if !clauses.is_empty() {
        let conditions: Vec<&str> =
            clauses.iter().map(|it| it.strip_prefix("where ").unwrap_or(it)).collect();
        from.push_str(if joins.is_empty() { " where " } else { ", where " });
        from.push_str(&conditions.join(" and "));
    }
    if shown.is_empty() {
        return format!("shows {from}");
    }
    let counted = shown.strip_prefix("number of ");
    if joins.is_empty() && counted == Some(rows.as_str()) {
        return format!("counts {from}");
    }
    let is_plain = joins.is_empty()
        && !["(", ", ", " of ", " from ", " where ", " if ", "`"]
            .iter()
            .any(|it| shown.contains(it));
    if is_plain || joins.is_empty() && shown == "all columns" {
        format!("shows {shown} of {from}")
    } else {
        format!("shows {shown}, from {from}")
    }
}

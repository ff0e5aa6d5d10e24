//! Merges the frame of a follow-up into the frame of the earlier question.

use super::bounds::of_compared;
use super::contrast::compare_periods;
use super::cue::{Cue, CueMode};
use super::other_row::{is_place_at_end, name_other_row, place_at_end};
use super::shift::shifted;
use super::turn::{Turn, columns, first_columns};
use crate::catalog::{Catalog, ColumnRef};
use crate::intent::{Comparison, Predicate, QueryTree};
use crate::linking::{ColumnId, Lexical, Mention, Named, TableId, Target};
use crate::reading::{
    Blocked, Condition, CountTarget, Frame, Group, MISSING_FROM_NOTHING, Measure, MeasureTarget,
    Part, Share,
};

/// Why a condition on some of the first rows is refused: it would rank other rows.
const SOME_OF_FIRST: &str = "a condition on the first rows alone takes two steps";

/// Why "who placed them" is refused.
const WHO: &str = "it is not clear which people are asked for";

/// "Which customer was it", "which suppliers deliver them": rows that the earlier rows have, and nothing else.
fn asks_of_rows(turn: &Turn, cue: &Cue, about: Option<TableId>) -> bool {
    let frame = &turn.frame;
    let others = frame.head.is_some_and(|(head, _)| Some(head) != about);
    let plain = frame.measures.is_empty()
        && frame.groups.is_empty()
        && frame.conditions.is_empty()
        && frame.times.is_empty()
        && frame.vague.is_empty()
        && frame.related.is_empty()
        && frame.superlative.is_none()
        && frame.order.is_empty()
        && frame.limit.is_none();
    cue.pronoun && !cue.lead && others && plain && named_head(turn).is_some()
}

/// Whether a text is a complete question, so that it is no follow-up; `about` is the table of the earlier rows.
pub(crate) fn stands_alone(turn: &Turn, cue: &Cue, about: Option<TableId>) -> bool {
    let frame = &turn.frame;
    let beside = cue.owned && named_head(turn).is_some() || asks_of_rows(turn, cue, about);
    if about.is_some() && beside {
        return false;
    }
    let changes_data = turn
        .mentions
        .iter()
        .find(|mention| !mention.is(Lexical::Filler))
        .is_some_and(|mention| mention.is(Lexical::Write));
    let computes = frame
        .measures
        .iter()
        .any(|measure| matches!(turn.parts.get(measure.at), Some(Part::Schema | Part::Concept(_))));
    let names_rows = named_head(turn).is_some();
    if changes_data {
        return true;
    }
    match (cue.mode, cue.pronoun) {
        // "orders of customers in Brazil only" is complete, and its "only" may matter.
        (Some(CueMode::Narrow), _) if !cue.lead => names_rows,
        (Some(_), _) => names_rows && frame.operation && !is_place_at_end(turn),
        (None, true) => names_rows,
        (None, false) => {
            let says = !frame.measures.is_empty()
                || turn.parts.iter().any(|part| !matches!(part, Part::Lexical | Part::Unknown));
            // "Total amount", behind invoices: a column of the rows asked about.
            let own = |at: &usize| {
                let target = turn.mentions[*at].readings.first();
                target.and_then(|reading| reading.target.table()) == about && !frame.operation
            };
            let shown = !frame.outputs.is_empty() && !frame.outputs.iter().all(own);
            names_rows || computes || shown || !says
        }
    }
}

/// Index of the mention that names the table whose rows the text asks for.
fn named_head(turn: &Turn) -> Option<usize> {
    let (_, at) = turn.frame.head?;
    let first = turn.mentions.get(at)?.readings.first()?;
    matches!(first.target, Target::Table(_)).then_some(at)
}

/// Applies a follow-up to the earlier question; `tree` is the query tree of the earlier question.
pub(crate) fn merge(
    catalog: &Catalog,
    before: Turn,
    mut after: Turn,
    cue: &Cue,
    (tree, about): (&QueryTree, Option<TableId>),
) -> Turn {
    let by = before.mentions.len();
    let mode = cue.mode.unwrap_or(CueMode::Replace);
    let beside = cue.owned || asks_of_rows(&after, cue, about);
    if is_place_at_end(&after) {
        place_at_end(&before.frame, &mut after.frame);
    }
    let named = named_head(&after);
    keep_columns(catalog, &before, &mut after, tree);
    let Turn { mut mentions, mut parts, mut frame } = before;
    let tokens = mentions.last().map_or(0, |mention| mention.tokens.end + 1);
    for mut mention in after.mentions {
        mention.tokens = mention.tokens.start + tokens..mention.tokens.end + tokens;
        mentions.push(mention);
    }
    parts.extend(after.parts);
    let mut new = shifted(after.frame, by);
    if mode != CueMode::Narrow {
        name_other_row(&mut frame, &mut new.conditions, &mentions);
    }
    if beside && named.is_some() {
        frame.output_tables.extend(new.head);
    } else {
        rows(&mut frame, &new, named.is_some());
    }
    compare_periods(&mut frame, &mut new, &mentions, by);
    computed(&mut frame, &new, &parts, mode, about);
    if mode != CueMode::Add {
        unranked(&mut frame, &new, (&mentions, &parts));
    }
    ranked(&mut frame, &new, cue);
    rows_asked_for(&mut frame, &new, cue);
    says_nothing(&mut frame, &new, &mentions, by);
    eprintln!(
        "NEW {new:?} {:?}",
        mentions[by..].iter().map(|m| (&m.phrase, &m.lexical)).collect::<Vec<_>>()
    );
    listed(&mut frame, cue, (&mentions[by..], &new));
    for condition in new.conditions {
        let condition = of_compared(&mut frame, condition);
        let condition = contrasted(&frame, &mentions, condition);
        add_condition(&mut frame, &mentions, condition, mode);
    }
    if !new.times.is_empty() {
        stand_in(
            &mut frame.share,
            frame.times.iter().map(|time| time.at).collect(),
            new.times.iter().map(|time| time.at).collect(),
        );
        let column = frame.times.first().and_then(|time| time.column);
        let times = new.times.into_iter().map(|mut time| {
            time.column = time.column.or(column);
            time
        });
        if mode == CueMode::Add {
            let mut times = times;
            match (frame.times.last_mut(), times.next()) {
                (Some(last), Some(first)) => last.others.push(first.range),
                (None, first) => frame.times.extend(first),
                (Some(_), None) => {}
            }
        } else {
            frame.times = times.collect();
        }
    }
    for term in new.vague {
        frame.vague.retain(|known| known.term != term.term);
        frame.vague.push(term);
    }
    frame.related.extend(new.related);
    frame.through.extend(new.through);
    frame.beside = new.beside.or(frame.beside);
    frame.distinct |= new.distinct;
    frame.top_of_each |= new.top_of_each;
    frame.top_of_each &= frame.superlative.is_some() && frame.groups.len() == 1;
    frame.share = match new.share {
        // "How many instead" asks for the number itself.
        None if !new.measures.is_empty() && mode != CueMode::Add => None,
        share => share.or(frame.share),
    };
    frame.average = match new.average {
        None if !new.measures.is_empty() => None,
        average => average.or(frame.average).filter(|_| !frame.groups.is_empty()),
    };
    frame.against = new
        .against
        .or(frame.against)
        .filter(|against| frame.measures.iter().any(|measure| measure.at == against.measure));
    frame.growth = new.growth.or(frame.growth);
    frame.differs = new.differs.or(frame.differs);
    frame.median = new.median.or(frame.median.filter(|_| new.measures.is_empty()));
    frame.unit = new.unit.or(frame.unit);
    frame.trend = new.trend.or(frame.trend);
    frame.unread.extend(new.unread);
    // "Without orders" is said of the rows that were asked for.
    let headed = frame.head.is_some();
    let blocked = new.blocked.into_iter();
    frame
        .blocked
        .extend(blocked.filter(|blocked| !(headed && blocked.reason == MISSING_FROM_NOTHING)));
    Turn { mentions, parts, frame }
}

/// "Which of them are discontinued", behind a figure: the rows that it was computed of.
fn rows_asked_for(frame: &mut Frame, new: &Frame, cue: &Cue) {
    let asks = cue.among && new.measures.is_empty() && new.groups.is_empty();
    let first = frame.superlative.as_ref().map(|superlative| superlative.at);
    if let Some(at) = first.or(frame.limit.map(|(_, at)| at)).filter(|_| cue.among) {
        frame.blocked.push(Blocked { at, reason: SOME_OF_FIRST });
    }
    if asks && frame.groups.is_empty() && first.is_none() {
        frame.measures.clear();
        frame.head = frame.head.or(new.head);
        (frame.average, frame.median, frame.share) = (None, None, None);
    }
}

/// Leaves verbs of a text that says nothing else unread, and refuses "who placed them": all would stay as it was.
fn says_nothing(frame: &mut Frame, new: &Frame, mentions: &[Mention], by: usize) {
    let plain = new.measures.is_empty()
        && new.groups.is_empty()
        && new.conditions.is_empty()
        && new.times.is_empty()
        && new.vague.is_empty()
        && new.related.is_empty()
        && new.outputs.is_empty()
        && new.output_tables.is_empty()
        && new.order.is_empty()
        && new.superlative.is_none()
        && new.limit.is_none()
        && new.head.is_none()
        && new.unread.is_empty()
        && new.blocked.is_empty();
    if !plain {
        return;
    }
    frame.unread.extend(new.linking.iter().chain(&new.by_class));
    if mentions.get(by).is_some_and(|first| first.phrase.eq_ignore_ascii_case("who")) {
        frame.blocked.push(Blocked { at: by, reason: WHO });
    }
}

/// Merges the table whose rows are asked for and the columns to show.
fn rows(frame: &mut Frame, new: &Frame, named: bool) {
    let head = new.head.filter(|_| named);
    if let Some((table, at)) = head
        && frame.head.is_none_or(|(known, _)| known != table)
    {
        for measure in &mut frame.measures {
            if let MeasureTarget::Count(CountTarget::Rows(counted)) = &mut measure.target {
                *counted = table;
                measure.at = at;
            }
        }
        frame.head = Some((table, at));
        frame.outputs.clear();
        frame.output_tables.clear();
    }
}

/// Merges measures, groups and shown columns.
fn computed(frame: &mut Frame, new: &Frame, parts: &[Part], mode: CueMode, about: Option<TableId>) {
    let add = mode == CueMode::Add;
    if !new.outputs.is_empty() || !new.output_tables.is_empty() {
        if !add {
            frame.outputs.clear();
            frame.output_tables.clear();
        }
        frame.outputs.extend(&new.outputs);
        frame.output_tables.extend(&new.output_tables);
    }
    if !new.groups.is_empty() {
        if !add {
            frame.groups.clear();
        }
        frame.groups.extend(&new.groups);
    }
    if new.measures.is_empty() {
        return;
    }
    // "The sum of it", behind a list of amounts.
    let listed = frame.outputs.first().filter(|_| frame.outputs.len() == 1).copied();
    let of = frame.measures.first().map(|measure| measure.at).or(listed);
    let named = |at: usize| matches!(parts.get(at), Some(Part::Schema | Part::Concept(_)));
    let headless = frame.head.is_none();
    let measures = new.measures.iter().map(|measure| match (&measure.target, of) {
        // "the average instead" applies to the measure of the earlier question.
        (MeasureTarget::Aggregate(_), Some(of)) if !named(measure.at) && named(of) => {
            frame.outputs.retain(|output| *output != of);
            Measure { target: measure.target.clone(), at: of }
        }
        (MeasureTarget::Count(CountTarget::Head), _) if headless => Measure {
            target: about.map_or_else(
                || measure.target.clone(),
                |table| MeasureTarget::Count(CountTarget::Rows(table)),
            ),
            at: measure.at,
        },
        _ => measure.clone(),
    });
    let measures: Vec<Measure> = measures.collect();
    if !add {
        frame.measures.clear();
    }
    frame.measures.extend(measures);
}

/// Shows every period: the first of the rows or groups before ("top 10 customers by revenue") are not the first periods.
fn unranked(frame: &mut Frame, new: &Frame, (mentions, parts): (&[Mention], &[Part])) {
    let period = |group: &Group| matches!(group, Group::Period { .. });
    if new.groups.is_empty() || !new.groups.iter().all(period) {
        return;
    }
    let is_figure = |by: &Measure| {
        let metric = mentions.get(by.at).and_then(|mention| mention.readings.first());
        !matches!(by.target, MeasureTarget::Own)
            || matches!(parts.get(by.at), Some(Part::Concept(_)))
            || metric.is_some_and(|reading| matches!(reading.target, Target::Metric(_)))
    };
    let by = frame.superlative.as_ref().and_then(|superlative| superlative.by.clone());
    if frame.measures.is_empty() {
        frame.measures.extend(by.filter(is_figure));
    }
    if !frame.measures.is_empty() {
        frame.superlative = None;
        if frame.limit.take().is_some() {
            frame.order.clear();
        }
    }
}

/// Merges order and limit.
fn ranked(frame: &mut Frame, new: &Frame, cue: &Cue) {
    if !new.order.is_empty() {
        if let Some(superlative) = frame.superlative.take() {
            frame.limit = superlative.limit.map(|limit| (limit, superlative.at)).or(frame.limit);
        }
        frame.order.clone_from(&new.order);
    }
    if let Some(superlative) = &new.superlative {
        let mut superlative = superlative.clone();
        let plain = superlative.by.is_none()
            && superlative.roles.is_empty()
            && superlative.concepts.is_empty();
        // "The cheapest instead", behind "top 5 products by price": as many.
        if let Some(known) = frame.superlative.as_ref().filter(|_| !cue.lead && cue.mode.is_some())
        {
            superlative.limit = superlative.limit.or(known.limit);
        }
        match (plain, &frame.superlative, frame.order.first()) {
            (true, Some(known), _) => {
                superlative.by.clone_from(&known.by);
                superlative.roles.clone_from(&known.roles);
                superlative.concepts.clone_from(&known.concepts);
                superlative.opposite.clone_from(&known.opposite);
                (superlative.figure, superlative.counted) = (known.figure, known.counted);
                superlative.by_count = known.by_count;
                superlative.descending = end_of(known.descending, superlative.descending);
            }
            (true, None, Some(order)) => {
                superlative.by = order.at.map(|at| Measure { target: MeasureTarget::Own, at });
                superlative.descending = end_of(order.descending, superlative.descending);
            }
            // "Top 3" of groups that have one figure is by this figure.
            (true, None, None) if !frame.groups.is_empty() => {
                if let [only] = frame.measures.as_slice() {
                    superlative.by = Some(only.clone());
                }
            }
            _ => {}
        }
        frame.order.clear();
        frame.limit = None;
        frame.superlative = Some(superlative);
    }
    if let Some((limit, at)) = new.limit {
        match &mut frame.superlative {
            Some(superlative) => superlative.limit = Some(limit),
            None => frame.limit = Some((limit, at)),
        }
    }
}

/// Sort direction for "top" or "bottom" rows: unchanged for "top", reversed for "bottom".
fn end_of(descending: bool, top: bool) -> bool {
    descending == top
}

/// "Show them", behind a count: the rows that were counted.
fn listed(frame: &mut Frame, cue: &Cue, (mentions, new): (&[Mention], &Frame)) {
    let lists = cue.pronoun
        && mentions.iter().any(|mention| mention.is(Lexical::List))
        && mentions.iter().all(|mention| mention.readings.is_empty());
    let plain = new.measures.is_empty() && new.groups.is_empty() && new.conditions.is_empty();
    let counts = |measure: &Measure| matches!(measure.target, MeasureTarget::Count(_));
    let counted = frame.groups.is_empty() && frame.share.is_none() && frame.average.is_none();
    if lists && plain && counted && frame.measures.iter().all(counts) {
        frame.measures.clear();
    }
}

/// "Not Brazil, Chile": the first value gives way to the others, where the earlier question asked for it.
fn contrasted(frame: &Frame, mentions: &[Mention], mut condition: Condition) -> Condition {
    let Condition::Values { at, negated, .. } = &mut condition else { return condition };
    let phrase = |at: &usize| mentions.get(*at).map(|mention| mention.phrase.to_lowercase());
    let Some(first) = at.first().map(phrase) else { return condition };
    let is_asked = frame.conditions.iter().any(|known| match known {
        Condition::Values { at, negated: false, .. } => {
            at.iter().any(|known| phrase(known) == first)
        }
        _ => false,
    });
    if *negated && at.len() > 1 && is_asked {
        at.remove(0);
        *negated = false;
    }
    condition
}

/// Adds a condition, or replaces the condition on the same column.
fn add_condition(frame: &mut Frame, mentions: &[Mention], condition: Condition, mode: CueMode) {
    if mode == CueMode::Add
        && let Condition::Values { at: further, negated: false, .. } = &condition
        && let Some(Condition::Values { at, .. }) = frame.conditions.iter_mut().find(|known| {
            matches!(known, Condition::Values { negated: false, .. })
                && same_slot(known, &condition, mentions)
        })
    {
        at.extend(further);
        return;
    }
    let replaced = frame.conditions.iter().filter(|known| same_slot(known, &condition, mentions));
    stand_in(&mut frame.share, replaced.map(Condition::at).collect(), vec![condition.at()]);
    frame.conditions.retain(|known| !same_slot(known, &condition, mentions));
    frame.conditions.push(condition);
}

/// Lets conditions make the part of a share where those did that they replace.
fn stand_in(share: &mut Option<Share>, replaced: Vec<usize>, by: Vec<usize>) {
    let Some(share) = share else { return };
    if replaced.iter().any(|at| share.part.contains(at)) {
        share.part.extend(by);
    }
}

/// Whether two conditions are of the same kind and on the same column, so that one replaces the other.
fn same_slot(known: &Condition, new: &Condition, mentions: &[Mention]) -> bool {
    let column = |at: &Option<usize>| at.map(|at| columns(mentions.get(at)));
    match (known, new) {
        (
            Condition::Compare { column: a, operator: x, .. },
            Condition::Compare { column: b, operator: y, .. },
        )
        | (
            Condition::Figure { column: a, operator: x, .. },
            Condition::Figure { column: b, operator: y, .. },
        ) => column(a) == column(b) && direction(*x) == direction(*y),
        (
            Condition::CountOf { table: a, operator: x, .. },
            Condition::CountOf { table: b, operator: y, .. },
        ) => a == b && direction(*x) == direction(*y),
        (Condition::Measure { at: a, .. }, Condition::Measure { at: b, .. }) => a == b,
        (
            Condition::Set { at: a, .. } | Condition::Null { at: a, .. },
            Condition::Set { at: b, .. } | Condition::Null { at: b, .. },
        ) => columns(mentions.get(*a)) == columns(mentions.get(*b)),
        (Condition::Key { table: a, .. }, Condition::Key { table: b, .. })
        | (Condition::Extreme { table: a, .. }, Condition::Extreme { table: b, .. }) => a == b,
        (Condition::Text { column: a, .. }, Condition::Text { column: b, .. }) => {
            column(a) == column(b)
        }
        (
            Condition::Values { at: a, negated: x, .. },
            Condition::Values { at: b, negated: y, .. },
        ) => {
            let (known, new) = (first_columns(a, mentions), first_columns(b, mentions));
            let shared = new.iter().any(|column| known.contains(column));
            let same_values = || {
                let phrase =
                    |at: &usize| mentions.get(*at).map(|mention| mention.phrase.to_lowercase());
                a.iter().any(|one| b.iter().any(|other| phrase(one) == phrase(other)))
            };
            shared && (!y || !x && same_values())
        }
        _ => false,
    }
}

/// Direction of a comparison: -1 for less, 1 for greater, 0 else.
fn direction(operator: Comparison) -> i8 {
    match operator {
        Comparison::Equal | Comparison::NotEqual => 0,
        Comparison::Greater | Comparison::GreaterOrEqual => 1,
        Comparison::Less | Comparison::LessOrEqual => -1,
    }
}

/// Restricts a value of the follow-up to the column of the value that it replaces.
fn keep_columns(catalog: &Catalog, before: &Turn, after: &mut Turn, tree: &QueryTree) {
    let mut held = Vec::new();
    for filter in tree.row_conditions() {
        value_columns(filter, &mut held);
    }
    let asked: Vec<ColumnId> = before
        .frame
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::Values { at, .. } => Some(first_columns(at, &before.mentions)),
            _ => None,
        })
        .flatten()
        .filter(|column| held.contains(&catalog.reference(*column)))
        .collect();
    for mention in &mut after.mentions {
        let kept =
            |target: &Target| matches!(target, Target::Value(column, _) if asked.contains(column));
        if mention.readings.iter().any(|reading| kept(&reading.target)) {
            mention.readings.retain(|reading| kept(&reading.target));
        }
    }
}

/// Collects the columns that a condition compares with stored values.
fn value_columns(predicate: &Predicate, found: &mut Vec<ColumnRef>) {
    match predicate {
        Predicate::OneOf { column, .. } => found.push(column.clone()),
        Predicate::Not { condition } => value_columns(condition, found),
        Predicate::All { conditions }
        | Predicate::Any { conditions }
        | Predicate::Exists { conditions, .. }
        | Predicate::RelatedCount { conditions, .. } => {
            for condition in conditions {
                value_columns(condition, found);
            }
        }
        _ => {}
    }
}

//! Merges the frame of a follow-up into the frame of the earlier question.

use super::asks::{OTHERS, as_shares, count_rows, only_rows};
use super::beside::{figure_beside, show_beside};
use super::bounds::of_compared;
use super::contrast::compare_periods;
use super::cue::{Asks, Cue, CueMode};
use super::kept_columns::keep_columns;
use super::other_row::{is_place_at_end, name_other_row, place_at_end};
use super::ranks::{rank_by, ranked, unranked};
use super::rejected::{Gone, give_way};
use super::shift::shifted;
use super::slots::{add_condition, contrasted, end_in, stand_in};
use super::turn::Turn;
use crate::catalog::Catalog;
use crate::intent::QueryTree;
use crate::linking::{Lexical, Mention, TableId, Target};
use crate::reading::{
    Blocked, CountTarget, Frame, MISSING_FROM_NOTHING, Measure, MeasureTarget, Part, TimeSpec,
};

/// Why a condition on some of the first rows is refused: it would rank other rows.
const SOME_OF_FIRST: &str = "a condition on the first rows alone takes two steps";

/// Why "without the name" is refused behind names alone.
const NOTHING_SHOWN: &str = "nothing else would be shown";

/// Why alternatives beside others are refused.
const SEVERAL: &str = "alternatives beside others have several readings";

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
    if cue.asks.is_some() || !cue.gone.is_empty() || cue.ranks || cue.listed || cue.counts {
        return false;
    }
    let adds = cue.mode == Some(CueMode::Add) && cue.lead;
    if adds && !turn.frame.measures.is_empty() && turn.frame.groups.is_empty() {
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
                || !frame.order.is_empty()
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
    mut before: Turn,
    mut after: Turn,
    cue: &Cue,
    (tree, about): (&QueryTree, Option<TableId>),
) -> Turn {
    let by = before.mentions.len();
    let gone = give_way(&mut before, &after.frame, &cue.gone);
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
    let mut new = if cue.asks.is_some() { Frame::default() } else { shifted(after.frame, by) };
    if mode != CueMode::Narrow {
        name_other_row(&mut frame, &mut new.conditions, &mentions);
    }
    if cue.ranks {
        rank_by(&mut frame, &mut new);
    }
    if cue.listed {
        show_beside(&mut frame, &mut new, &mentions);
    } else if cue.lead && mode == CueMode::Add && figure_beside(&mut frame, &mut new) {
        new.outputs.clear();
    } else if beside && named.is_some() {
        frame.output_tables.extend(new.head);
    } else {
        rows(&mut frame, &new, named.is_some());
    }
    compare_periods(&mut frame, &mut new, &mentions, by);
    if cue.counts {
        count_rows(&mut frame, &new);
    }
    let mode = if cue.listed { CueMode::Add } else { mode };
    computed(&mut frame, &new, &parts, (mode, gone), about);
    if mode != CueMode::Add {
        unranked(&mut frame, &new, (&mentions, &parts));
    }
    ranked(&mut frame, &new, cue);
    rows_asked_for(&mut frame, &new, cue);
    says_nothing(&mut frame, &new, &mentions, by);
    match cue.asks {
        Some(Asks::Rows) => only_rows(&mut frame, about, by),
        Some(Asks::Shares) => as_shares(&mut frame, by),
        Some(Asks::Others) => frame.blocked.push(Blocked { at: by, reason: OTHERS }),
        None => listed(&mut frame, cue, (&mentions[by..], &new)),
    }
    for condition in std::mem::take(&mut new.conditions) {
        let condition = of_compared(&mut frame, condition, cue.corrects);
        let condition = contrasted(&frame, &mentions, condition);
        let mode = if gone.value { CueMode::Add } else { mode };
        add_condition(&mut frame, &mentions, condition, (mode, cue.corrects));
    }
    either(&mut frame, &new, by);
    if mode != CueMode::Add {
        end_in(&mut frame, &mut new.times);
    }
    periods(&mut frame, std::mem::take(&mut new.times), mode);
    figures(&mut frame, &mut new, mode);
    for term in new.vague {
        frame.vague.retain(|known| known.term != term.term);
        frame.vague.push(term);
    }
    frame.related.extend(new.related);
    frame.leading.extend(new.leading);
    frame.through.extend(new.through);
    frame.beside = new.beside.or(frame.beside);
    if cue.hides && frame.outputs.is_empty() && frame.output_tables.is_empty() {
        frame.blocked.push(Blocked { at: by, reason: NOTHING_SHOWN });
    }
    frame.distinct |= new.distinct;
    frame.top_of_each |= new.top_of_each;
    frame.top_of_each &= frame.superlative.is_some() && frame.groups.len() == 1;
    frame.unread.extend(new.unread);
    // "Without orders" is said of the rows that were asked for.
    let headed = frame.head.is_some();
    let blocked = new.blocked.into_iter();
    frame
        .blocked
        .extend(blocked.filter(|blocked| !(headed && blocked.reason == MISSING_FROM_NOTHING)));
    Turn { mentions, parts, frame }
}

/// Merges alternatives: those of the follow-up are added to a question without any.
fn either(frame: &mut Frame, new: &Frame, by: usize) {
    if frame.either.is_some() && new.either.is_some() {
        frame.blocked.push(Blocked { at: by, reason: SEVERAL });
    }
    frame.either = new.either.or(frame.either);
}

/// Merges periods.
fn periods(frame: &mut Frame, new: Vec<TimeSpec>, mode: CueMode) {
    if new.is_empty() {
        return;
    }
    stand_in(
        &mut frame.share,
        frame.times.iter().map(|time| time.at).collect(),
        new.iter().map(|time| time.at).collect(),
    );
    let column = frame.times.first().and_then(|time| time.column);
    let times = new.into_iter().map(|mut time| {
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

/// Merges what is done with figures: shares, means, changes and units.
fn figures(frame: &mut Frame, new: &mut Frame, mode: CueMode) {
    frame.share = match new.share.take() {
        // "How many instead" asks for the number itself.
        None if !new.measures.is_empty() && mode != CueMode::Add => None,
        share => share.or(frame.share.take()),
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
fn computed(
    frame: &mut Frame,
    new: &Frame,
    parts: &[Part],
    (mode, gone): (CueMode, Gone),
    about: Option<TableId>,
) {
    let add = mode == CueMode::Add;
    if !new.outputs.is_empty() || !new.output_tables.is_empty() {
        if !add && !gone.output {
            frame.outputs.clear();
            frame.output_tables.clear();
        }
        frame.outputs.extend(&new.outputs);
        frame.output_tables.extend(&new.output_tables);
    }
    if !new.groups.is_empty() {
        if !add && !gone.group {
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

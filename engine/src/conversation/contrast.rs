//! "Compared with 2018", behind a figure of one period: both periods, with the change from one to the other.

use super::period::moved;
use crate::day;
use crate::intent::{DateRange, TimeGrain};
use crate::linking::{Lexical, Mention};
use crate::reading::{Blocked, Frame, Group, TimeSpec};

/// Why a comparison is refused for a figure of each period.
const EACH: &str = "each period compared with that of another year takes two steps";

/// Compares the period of the earlier question with that of a follow-up, and leaves the follow-up without one.
pub(super) fn compare_periods(frame: &mut Frame, new: &mut Frame, mentions: &[Mention], by: usize) {
    let word = (by..mentions.len()).find(|at| mentions[*at].is(Lexical::Compare));
    let Some(word) = word else { return };
    let Some(other) = (word + 1..mentions.len()).find(|at| mentions[*at].time.is_some()) else {
        return;
    };
    if frame.groups.iter().any(is_period) {
        new.blocked.retain(|blocked| blocked.at != word);
        new.blocked.push(Blocked { at: word, reason: EACH });
        return;
    }
    let Some((spec, grain, range)) = both(frame, mentions, other) else { return };
    new.groups.retain(|group| !is_period(group));
    let groups = if new.groups.is_empty() { &mut frame.groups } else { &mut new.groups };
    groups.push(Group::Period { grain, at: spec.at, date: spec.column });
    frame.times = vec![TimeSpec { others: vec![range], ..spec }];
    (frame.growth, frame.compared_period) = (Some(word), Some(other));
    new.times.clear();
    (new.growth, new.compared_period) = (None, None);
    new.blocked.retain(|blocked| blocked.at != word);
}

fn is_period(group: &Group) -> bool {
    matches!(group, Group::Period { .. })
}

/// The only period of the earlier question, its length, and the one that it is compared with: of the same length, or the
/// same part of a longer one.
fn both(
    frame: &Frame,
    mentions: &[Mention],
    other: usize,
) -> Option<(TimeSpec, TimeGrain, DateRange)> {
    let [spec] = frame.times.as_slice() else { return None };
    let asked = mentions.get(spec.at)?.time.as_ref()?;
    let with = mentions[other].time.as_ref()?;
    let grain = asked.grain_hint?;
    if !spec.others.is_empty() || spec.negated {
        return None;
    }
    let range = if with.grain_hint == Some(grain) {
        with.range.clone()
    } else if with.grain_hint == Some(TimeGrain::Year) {
        let year =
            |range: &DateRange| day::parse(range.start.as_ref()?).map(|day| i64::from(day.year()));
        moved(&spec.range, (year(&with.range)? - year(&spec.range)?) * 12)?
    } else {
        return None;
    };
    (range != spec.range).then(|| (spec.clone(), grain, range))
}

//! Which words ask for which clause: each mention is given to the clause that says most of what it means.

use super::drafts::Draft;
use super::fit::Fit;
use super::{Accounted, ClauseKind};
use crate::compose::Open;
use crate::linking::Lexical;
use crate::reading::Part;

/// Structure words that stand before the thing they group by, order by or deny.
const BEFORE: &[Lexical] = &[
    Lexical::After,
    Lexical::AtLeast,
    Lexical::AtMost,
    Lexical::Before,
    Lexical::Between,
    Lexical::By,
    Lexical::Comparative,
    Lexical::Contains,
    Lexical::Distributive,
    Lexical::EndsWith,
    Lexical::EqualTo,
    Lexical::Group,
    Lexical::LessThan,
    Lexical::MoreThan,
    Lexical::Not,
    Lexical::NotEqualTo,
    Lexical::Separately,
    Lexical::StartsWith,
    Lexical::Without,
];

/// Structure words that stand behind the thing they speak of.
const BEHIND: &[Lexical] = &[Lexical::Empty, Lexical::OrLess, Lexical::OrMore, Lexical::Times];

/// Gives every mention that asks for something to one clause.
pub(super) fn license(accounted: &Accounted<'_>, open: &[Open], drafts: &mut [Draft<'_>]) {
    let mut owners: Vec<Option<usize>> = vec![None; accounted.mentions.len()];
    let fit = Fit::new(accounted, open);
    for content in [true, false] {
        for (at, owner) in owners.iter_mut().enumerate() {
            if content == accounted.is_structure(at) {
                continue;
            }
            if let Some(best) = best(&fit, at, drafts, content) {
                drafts[best].mentions.push(at);
                *owner = Some(best);
            }
        }
    }
    for at in 0..owners.len() {
        if owners[at].is_none()
            && let Some(clause) = neighbour(accounted, &owners, drafts, at)
                .or_else(|| of_condition(accounted, &owners, drafts, at))
        {
            drafts[clause].mentions.push(at);
            owners[at] = Some(clause);
        }
    }
}

/// The clause that fits a mention best; of several, the first, for `content` the first that has no words yet.
fn best(fit: &Fit<'_>, at: usize, drafts: &[Draft<'_>], content: bool) -> Option<usize> {
    let fits = drafts.iter().enumerate().filter_map(|(position, draft)| {
        let score = fit.of(at, draft);
        let free = content && draft.kind != ClauseKind::Order && draft.mentions.is_empty();
        (score > 0).then(|| (2 * score + u8::from(free), position))
    });
    fits.fold(None, |best: Option<(u8, usize)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    })
    .map(|(_, position)| position)
}

/// The clause of the thing next to a structure word, if the word can belong to a clause of this kind.
fn neighbour(
    accounted: &Accounted<'_>,
    owners: &[Option<usize>],
    drafts: &[Draft<'_>],
    at: usize,
) -> Option<usize> {
    let mention = &accounted.mentions[at];
    let part_before = at.checked_sub(1).and_then(|before| accounted.parts.get(before));
    // "65 years": the unit belongs to the number.
    if matches!(accounted.parts.get(at), Some(Part::Grain(_))) && part_before == Some(&Part::Number)
    {
        return owners[at - 1];
    }
    // "Average length in minutes": the unit belongs to the figure.
    if accounted.frame.unit == Some(at) {
        return drafts.iter().position(|draft| draft.kind == ClauseKind::Figure);
    }
    if accounted.parts.get(at) != Some(&Part::Lexical) {
        return None;
    }
    let is_any = |kinds: &[Lexical]| kinds.iter().any(|kind| mention.is(*kind));
    let takes = |clause: &usize| {
        let kind = drafts[*clause].kind;
        match kind {
            ClauseKind::Group => {
                is_any(&[Lexical::By, Lexical::Distributive, Lexical::Group, Lexical::Separately])
            }
            ClauseKind::Limit => is_any(&[Lexical::Distributive, Lexical::Group]),
            ClauseKind::Order => is_any(&[Lexical::By]),
            ClauseKind::Condition | ClauseKind::GroupCondition => {
                !is_any(&[Lexical::By, Lexical::Group, Lexical::Separately])
            }
            ClauseKind::Figure => !drafts[*clause].about.conditions.is_empty(),
            _ => false,
        }
    };
    let after = || owners[at + 1..].iter().flatten().next().copied().filter(takes);
    let before = || owners[..at].iter().rev().flatten().next().copied().filter(takes);
    if is_any(BEFORE) {
        after().or_else(before)
    } else if is_any(BEHIND) {
        before().or_else(after)
    } else {
        None
    }
}

/// The clause of a mention that a condition of the frame uses but whose words it does not repeat: a number in another
/// unit, the unit itself, the key to another row.
fn of_condition(
    accounted: &Accounted<'_>,
    owners: &[Option<usize>],
    drafts: &[Draft<'_>],
    at: usize,
) -> Option<usize> {
    let used = accounted.condition_of(at)?;
    let is_condition = |clause: &usize| {
        let Draft { kind, about, .. } = &drafts[*clause];
        matches!(kind, ClauseKind::Condition | ClauseKind::GroupCondition)
            || *kind == ClauseKind::Figure && !about.conditions.is_empty()
    };
    let owned = |at: &usize| owners.get(*at).copied().flatten().filter(is_condition);
    let free = || {
        let mut all = (0..drafts.len()).filter(is_condition);
        all.find(|clause| drafts[*clause].mentions.is_empty())
    };
    used.iter().find_map(owned).or_else(free)
}

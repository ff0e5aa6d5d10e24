//! Makes the account of a question from its words and its query tree.

use super::characters::{Claims, Owner, remainders, shared_out};
use super::drafts::{Draft, drafts};
use super::fit::{Fit, NEAR, bound};
use super::license::license;
use super::{Account, Accounted, Clause, ClauseDefault, ClauseKind, RemainderKind};
use crate::catalog::ColumnRef;
use crate::compose::Open;
use crate::intent::Predicate;
use crate::linking::{Lexical, Mention, Target};
use crate::reading::Part;
use crate::text::Span;

/// What an account reads beside the words and the query tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read<'a> {
    /// The question; of a conversation, all its texts.
    pub(crate) text: &'a str,
    /// Where the last text of a conversation starts.
    pub(crate) lead: usize,
    /// Ambiguities, decided or open.
    pub(crate) open: &'a [Open],
    /// Spans that match nothing.
    pub(crate) unread: &'a [Span],
    /// Whether words outside of all mentions hold the sentence together, as those of a follow-up or a turn of speech do.
    pub(crate) has_cues: bool,
}

impl Accounted<'_> {
    /// The clauses of the query tree with their words, and how the other words were read.
    ///
    /// Spans refer to the last text of a conversation.
    pub(crate) fn account(&self, read: &Read<'_>) -> Account {
        let mut drafts = drafts(self.catalog, self.tree);
        license(self, read.open, &mut drafts);
        let claims = self.claims(&drafts, read);
        let unclaimed =
            if read.has_cues { RemainderKind::Structure } else { RemainderKind::Unread };
        let text = read.text.get(read.lead..).unwrap_or_default();
        let claims = localised(claims, read.lead);
        let runs = shared_out(text, &claims, unclaimed);
        let defaults: Vec<Option<ClauseDefault>> =
            drafts.iter().map(|draft| self.default(read, &drafts, draft)).collect();
        let mut clauses: Vec<Clause> = Vec::new();
        for (position, (draft, default)) in drafts.into_iter().zip(defaults).enumerate() {
            let own = runs.iter().filter(|(_, owner)| *owner == Owner::Clause(position));
            let spans: Vec<Span> = own.map(|(span, _)| *span).collect();
            let earlier = spans.is_empty() && !draft.mentions.is_empty();
            let default = match default {
                _ if !spans.is_empty() => None,
                _ if earlier && read.lead > 0 => Some(ClauseDefault::Earlier),
                // Other words for the same thing stand in the place of these.
                _ if earlier => Some(ClauseDefault::Shared),
                default => default,
            };
            let clause = Clause { kind: draft.kind, text: draft.text, spans, default };
            match clauses.last_mut().filter(|last| is_listed_with(last, &clause)) {
                Some(last) => {
                    last.text.push_str(", ");
                    last.text.push_str(&clause.text);
                }
                None => clauses.push(clause),
            }
        }
        Account { clauses, rest: remainders(&runs) }
    }

    /// Spans with their owners: words of clauses first, then what was decided, not read, asked, and the rest.
    fn claims(&self, drafts: &[Draft<'_>], read: &Read<'_>) -> Claims {
        let mut claims: Claims = Vec::new();
        for (position, draft) in drafts.iter().enumerate() {
            let spans = draft.mentions.iter().filter_map(|at| self.mentions.get(*at));
            claims.extend(spans.map(|mention| (mention.span, Owner::Clause(position))));
        }
        let connecting = self.frame.linking.iter().chain(&self.frame.by_class);
        let connecting = connecting.chain(&self.frame.classifying);
        let spans = connecting.filter_map(|at| Some(self.mentions.get(*at)?.span));
        let connecting = spans.map(|span| (span, Owner::Rest(RemainderKind::Structure)));
        let rest = rest(self.mentions.iter().zip(self.parts), read);
        // An assumption that names a verb says more than that it connects things.
        let assumed = |(_, owner): &(Span, Owner)| *owner == Owner::Rest(RemainderKind::Assumed);
        claims.extend(rest.iter().copied().filter(assumed));
        claims.extend(connecting);
        claims.extend(rest);
        claims
    }

    /// Why a clause without words is there.
    fn default(
        &self,
        read: &Read<'_>,
        drafts: &[Draft<'_>],
        draft: &Draft<'_>,
    ) -> Option<ClauseDefault> {
        if !draft.mentions.is_empty() {
            return None;
        }
        let asked_elsewhere = || {
            let columns = &draft.about.columns;
            let same = |other: &Draft<'_>| {
                !other.mentions.is_empty()
                    && other.about.functions == draft.about.functions
                    && other.about.columns == *columns
                    && (!columns.is_empty() || !draft.about.functions.is_empty())
            };
            drafts.iter().any(same)
        };
        let fit = Fit::new(self, read.open);
        let related = (0..self.mentions.len()).map(|at| fit.of(at, draft)).max().unwrap_or(0);
        let by_part = |(mention, part): (&Mention, &Part)| {
            let metric = mention.readings.first();
            let metric = metric.is_some_and(|it| matches!(it.target, Target::Metric(_)));
            metric
                || matches!(part, Part::Concept(_) | Part::Vague(_))
                || mention.is(Lexical::Compare)
                || mention.is(Lexical::Growth)
                || mention.is(Lexical::Trend)
        };
        let is_decided = read.open.iter().any(|open| bound(&open.chosen, draft) > 0);
        let is_defined = || self.mentions.iter().zip(self.parts).any(by_part);
        let orders = |column: &ColumnRef| {
            let mut order = drafts.iter().filter(|other| other.kind == ClauseKind::Order);
            order.any(|other| other.about.has(column))
        };
        let fills = match draft.about.conditions.as_slice() {
            [Predicate::IsNull { column, negated: true }] => orders(column),
            _ => false,
        };
        match draft.kind {
            ClauseKind::Condition if fills => Some(ClauseDefault::Filled),
            ClauseKind::Figure if asked_elsewhere() => Some(ClauseDefault::Shared),
            ClauseKind::Condition | ClauseKind::GroupCondition if is_decided => {
                Some(ClauseDefault::Definition)
            }
            ClauseKind::Condition | ClauseKind::GroupCondition if related >= NEAR => {
                Some(ClauseDefault::Shared)
            }
            ClauseKind::Figure | ClauseKind::Group if related > 0 => Some(ClauseDefault::Shared),
            ClauseKind::Condition | ClauseKind::Group | ClauseKind::GroupCondition => {
                (is_decided || is_defined()).then_some(ClauseDefault::Definition)
            }
            _ => draft.default(),
        }
    }
}

/// The account of a statement that stands for a whole question: all words that say something ask for it.
pub(crate) fn account_of_template(
    sentence: &str,
    mentions: &[(Mention, Part)],
    read: &Read<'_>,
) -> Account {
    let said = mentions.iter().filter(|(_, part)| *part != Part::Lexical);
    let mut claims: Claims = said.map(|(it, _)| (it.span, Owner::Clause(0))).collect();
    claims.extend(rest(mentions.iter().map(|(mention, part)| (mention, part)), read));
    let runs = shared_out(read.text, &claims, RemainderKind::Structure);
    let spans = runs.iter().filter(|(_, owner)| *owner == Owner::Clause(0));
    let spans: Vec<Span> = spans.map(|(span, _)| *span).collect();
    let default = spans.is_empty().then_some(ClauseDefault::Definition);
    let clause = Clause { kind: ClauseKind::Template, text: sentence.to_owned(), spans, default };
    Account { clauses: vec![clause], rest: remainders(&runs) }
}

/// How the words of a question without a composed statement were read.
pub(crate) fn account_of_words(mentions: &[(Mention, Part)], read: &Read<'_>) -> Account {
    let claims = rest(mentions.iter().map(|(mention, part)| (mention, part)), read);
    let unclaimed = if read.has_cues { RemainderKind::Structure } else { RemainderKind::Unread };
    let text = read.text.get(read.lead..).unwrap_or_default();
    let runs = shared_out(text, &localised(claims, read.lead), unclaimed);
    Account { clauses: Vec::new(), rest: remainders(&runs) }
}

/// Claims of no clause.
fn rest<'a>(mentions: impl Iterator<Item = (&'a Mention, &'a Part)>, read: &Read<'_>) -> Claims {
    let decided = |decided: bool| {
        let places = read.open.iter().filter(move |open| open.decided.is_some() == decided);
        places.filter_map(|open| open.clarification.span)
    };
    let of = |kind| move |span| (span, Owner::Rest(kind));
    let mut claims: Claims = decided(true).map(of(RemainderKind::Assumed)).collect();
    claims.extend(read.unread.iter().copied().map(of(RemainderKind::Unread)));
    claims.extend(decided(false).map(of(RemainderKind::Asked)));
    claims.extend(mentions.map(|(mention, part)| {
        let kind = match part {
            Part::Lexical => RemainderKind::Structure,
            Part::Unknown => RemainderKind::Unread,
            _ => RemainderKind::Unused,
        };
        (mention.span, Owner::Rest(kind))
    }));
    claims
}

/// Claims of the text that starts at byte `lead`, relative to it.
fn localised(claims: Claims, lead: usize) -> Claims {
    let Span { start: by, .. } = Span::new(lead, lead);
    let local = |(span, owner): (Span, Owner)| {
        let start = span.start.checked_sub(by)?;
        Some((Span { start, end: span.end.checked_sub(by)? }, owner))
    };
    claims.into_iter().filter_map(local).collect()
}

/// Whether two clauses are told as one: columns that are all shown for the same reason.
fn is_listed_with(last: &Clause, next: &Clause) -> bool {
    next.kind == ClauseKind::Column
        && last.kind == next.kind
        && next.default.is_some()
        && last.default == next.default
}

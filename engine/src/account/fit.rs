//! How well a mention fits a clause: whether the clause is about what the mention means.

use super::drafts::Draft;
use super::touched::Touched;
use super::{Accounted, ClauseKind};
use crate::ambiguity::AmbiguityKind;
use crate::catalog::Catalog;
use crate::clarification::OptionBinding;
use crate::compose::Open;
use crate::intent::{Aggregate, TimeGrain};
use crate::linking::{Lexical, Mention, Named, TableId, Target};
use crate::reading::{Group, Part};
use crate::text::TimeMention;

/// Fit of the role that the frame gives a mention.
const ROLE: u8 = 4;
/// Fit of a mention whose decided meaning or very value the clause holds.
const SAME: u8 = 9;
/// Fit of a mention whose column or function the clause holds.
const ABOUT: u8 = 6;
/// Fit of a mention whose table the clause reads.
pub(super) const NEAR: u8 = 3;

/// Compares mentions with clauses.
#[derive(Debug)]
pub(super) struct Fit<'a> {
    accounted: &'a Accounted<'a>,
    open: &'a [Open],
}

impl<'a> Fit<'a> {
    pub(super) fn new(accounted: &'a Accounted<'a>, open: &'a [Open]) -> Self {
        Self { accounted, open }
    }

    /// Fit of the mention at a position; 0 if the clause says nothing of it.
    pub(super) fn of(&self, at: usize, draft: &Draft<'_>) -> u8 {
        let Some((mention, part)) =
            self.accounted.mentions.get(at).zip(self.accounted.parts.get(at))
        else {
            return 0;
        };
        // "empty playlists": a word that names nothing says that there are no rows.
        let related = self.accounted.frame.related.iter().any(|related| related.at == at);
        if related && *part != Part::Schema && draft.kind == ClauseKind::Condition {
            return ABOUT * u8::from(draft.about.denies);
        }
        let own = match part {
            Part::Schema => self.readings(mention, draft),
            Part::Concept(_) => concept(draft),
            Part::Grain(grain) => SAME * u8::from(draft.about.grains.contains(grain)),
            Part::Number => number(mention, draft),
            Part::Time => time(mention, draft),
            Part::Superlative(_) => superlative(draft),
            Part::Lexical => return structure(mention, draft),
            Part::Unknown | Part::Vague(_) => {
                ABOUT * u8::from(draft.about.texts.contains(&mention.phrase.as_str()))
            }
        };
        let fit = own.max(self.decided(mention, draft));
        if fit > 0 && self.has_role(at, draft.kind) { fit + ROLE } else { fit }
    }

    /// Whether the frame uses a mention for clauses of a kind.
    fn has_role(&self, at: usize, kind: ClauseKind) -> bool {
        let frame = self.accounted.frame;
        match kind {
            ClauseKind::Column => {
                frame.outputs.contains(&at) || frame.output_tables.iter().any(|(_, it)| *it == at)
            }
            ClauseKind::Figure => {
                frame.measures.iter().any(|measure| measure.at == at)
                    || frame.share.as_ref().is_some_and(|share| share.part.contains(&at))
            }
            ClauseKind::Rows => frame.head.is_some_and(|(_, it)| it == at),
            ClauseKind::Group => frame.groups.iter().any(|group| match group {
                Group::Thing(it) | Group::Table(_, it) => *it == at,
                Group::Period { at: it, date, .. } => *it == at || *date == Some(at),
            }),
            ClauseKind::Order => {
                let by = frame.superlative.as_ref().and_then(|it| it.by.as_ref());
                frame.order.iter().any(|order| order.at == Some(at))
                    || by.is_some_and(|by| by.at == at)
            }
            ClauseKind::Limit => frame.limit.is_some_and(|(_, it)| it == at),
            ClauseKind::Condition | ClauseKind::GroupCondition => {
                self.accounted.condition_of(at).is_some()
            }
            ClauseKind::Distinct | ClauseKind::Join | ClauseKind::Template => false,
        }
    }

    /// Fit of the best reading.
    fn readings(&self, mention: &Mention, draft: &Draft<'_>) -> u8 {
        let readings = mention.readings.iter().enumerate();
        let fits = readings.map(|(rank, reading)| {
            let fit = self.target(&reading.target, draft);
            if rank == 0 { fit } else { fit.saturating_sub(2) }
        });
        fits.max().unwrap_or(0)
    }

    fn target(&self, target: &Target, draft: &Draft<'_>) -> u8 {
        let catalog = self.accounted.catalog;
        let about = &draft.about;
        match target {
            Target::Table(table) => of_table(&key(catalog, *table), draft),
            Target::Label(table) => match of_table(&key(catalog, *table), draft) {
                0 => 0,
                _ if about.reads(&key(catalog, *table)) => ABOUT - 1,
                fit => fit.min(NEAR),
            },
            Target::Column(column) if about.has(&catalog.reference(*column)) => ABOUT,
            Target::Value(column, value) => {
                let has = about.has(&catalog.reference(*column));
                match (about.conditions.is_empty(), about.texts.contains(&value.as_str())) {
                    (false, true) if has => SAME,
                    (false, true) => ABOUT,
                    (false, false) if has => NEAR,
                    // All values of a column are its groups.
                    (true, _) if has && draft.kind == ClauseKind::Group => NEAR,
                    _ => 0,
                }
            }
            Target::Column(_) => 0,
            Target::Metric(metric) => {
                let of_rows = catalog
                    .metrics
                    .get(*metric)
                    .is_some_and(|metric| about.columns.is_empty() || about.reads(&metric.table));
                match draft.kind {
                    ClauseKind::Figure if of_rows => ABOUT,
                    ClauseKind::GroupCondition => ABOUT - 1,
                    ClauseKind::Figure | ClauseKind::Order => NEAR,
                    _ => 0,
                }
            }
        }
    }

    /// Fit of what was decided about the words.
    fn decided(&self, mention: &Mention, draft: &Draft<'_>) -> u8 {
        let about = |open: &&Open| {
            let unknown = open.clarification.ambiguity == AmbiguityKind::UnknownTerm;
            let settled = open.decided.is_some() || !unknown;
            settled && open.clarification.span.is_some_and(|span| span.overlaps(mention.span))
        };
        self.open.iter().filter(about).map(|open| bound(&open.chosen, draft)).max().unwrap_or(0)
    }
}

/// Fit of a part of a query that was decided on.
pub(super) fn bound(binding: &OptionBinding, draft: &Draft<'_>) -> u8 {
    let about = &draft.about;
    let fits = match binding {
        OptionBinding::Predicate { predicate } => about.conditions.contains(&predicate),
        OptionBinding::TimeRange { range, .. } => about.ranges.contains(&range),
        OptionBinding::Value { column, value } => {
            about.has(column) && about.texts.contains(&value.as_str())
        }
        OptionBinding::Column { column } => return (ABOUT - 1) * u8::from(about.has(column)),
        OptionBinding::Columns { columns } => {
            return (ABOUT - 1) * u8::from(columns.iter().any(|column| about.has(column)));
        }
        OptionBinding::Aggregate { function } => {
            return (ABOUT - 1) * u8::from(about.functions.contains(function));
        }
        OptionBinding::Grain { grain } => about.grains.contains(grain),
        OptionBinding::Table { table } => return of_table(table, draft),
        OptionBinding::Attachment { .. }
        | OptionBinding::Ignore
        | OptionBinding::Join { .. }
        | OptionBinding::Parameter { .. }
        | OptionBinding::Scope { .. } => false,
    };
    SAME * u8::from(fits)
}

fn key(catalog: &Catalog, table: TableId) -> String {
    catalog.table_at(table).key()
}

/// Fit of words for the rows of a table.
fn of_table(table: &str, draft: &Draft<'_>) -> u8 {
    let Touched { tables, .. } = &draft.about;
    let whole = tables.contains(table);
    let reads = draft.about.reads(table);
    match draft.kind {
        ClauseKind::Rows if whole => ABOUT,
        ClauseKind::Limit if reads => ABOUT,
        ClauseKind::Condition | ClauseKind::GroupCondition | ClauseKind::Join if whole => ABOUT - 1,
        ClauseKind::Group if reads => ABOUT - 1,
        ClauseKind::Column if reads => NEAR,
        ClauseKind::Condition | ClauseKind::Figure | ClauseKind::GroupCondition if reads => 1,
        _ => 0,
    }
}

fn concept(draft: &Draft<'_>) -> u8 {
    match draft.kind {
        ClauseKind::Figure => ABOUT,
        ClauseKind::Column | ClauseKind::GroupCondition => ABOUT - 1,
        ClauseKind::Condition if !draft.about.numbers.is_empty() => NEAR,
        ClauseKind::Order => NEAR,
        _ => 0,
    }
}

fn number(mention: &Mention, draft: &Draft<'_>) -> u8 {
    let Some(number) = &mention.number else { return 0 };
    let value = number.value.as_str();
    let kept = draft.about.kept.is_some_and(|kept| kept.to_string() == value);
    let texts = &draft.about.texts;
    if kept || draft.about.numbers.contains(&value) {
        SAME
    } else if texts.contains(&value) || texts.contains(&mention.phrase.as_str()) {
        ABOUT
    } else {
        0
    }
}

fn time(mention: &Mention, draft: &Draft<'_>) -> u8 {
    let ranges = &draft.about.ranges;
    // A year that is stored as a number.
    let year = |time: &TimeMention| {
        let start = time.range.start.as_deref().and_then(|start| start.get(..4));
        start.is_some_and(|year| draft.about.numbers.contains(&year))
    };
    match &mention.time {
        Some(time) if time.weekdays != 0 => {
            SAME * u8::from(draft.about.grains.contains(&TimeGrain::DayOfWeek))
        }
        Some(time) if ranges.contains(&&time.range) || year(time) => SAME,
        _ => ABOUT * u8::from(!ranges.is_empty()),
    }
}

fn superlative(draft: &Draft<'_>) -> u8 {
    match draft.kind {
        ClauseKind::Order => ABOUT,
        ClauseKind::Condition if draft.about.numbers.is_empty() => {
            NEAR * u8::from(!draft.about.functions.is_empty())
        }
        ClauseKind::Figure if is_extreme(draft) => NEAR,
        ClauseKind::Limit => NEAR,
        _ => 0,
    }
}

fn is_extreme(draft: &Draft<'_>) -> bool {
    let functions = &draft.about.functions;
    functions.contains(&Aggregate::Maximum) || functions.contains(&Aggregate::Minimum)
}

/// Fit of a structure word that itself names a part of a query.
fn structure(mention: &Mention, draft: &Draft<'_>) -> u8 {
    let computes = |function| {
        let has = draft.about.functions.contains(&function);
        match draft.kind {
            ClauseKind::Figure if has => ABOUT,
            ClauseKind::Condition | ClauseKind::GroupCondition if has => NEAR,
            _ => 0,
        }
    };
    let is = |kind, fit: u8| fit * u8::from(draft.kind == kind);
    let of = |lexical: &Lexical| match lexical {
        Lexical::Average => computes(Aggregate::Average),
        Lexical::Count | Lexical::CountNoun => computes(Aggregate::Count),
        Lexical::Sum => computes(Aggregate::Sum),
        Lexical::Maximum => computes(Aggregate::Maximum).max(is(ClauseKind::Order, ABOUT - 1)),
        Lexical::Minimum => computes(Aggregate::Minimum).max(is(ClauseKind::Order, ABOUT - 1)),
        Lexical::Share | Lexical::Ratio | Lexical::Growth | Lexical::Trend => {
            ABOUT * u8::from(draft.about.computes)
        }
        Lexical::Distinct => is(ClauseKind::Distinct, ABOUT),
        Lexical::Ascending | Lexical::Descending | Lexical::Order => is(ClauseKind::Order, ABOUT),
        Lexical::Bottom
        | Lexical::Fewest
        | Lexical::First
        | Lexical::Last
        | Lexical::Most
        | Lexical::Top => is(ClauseKind::Order, ABOUT).max(is(ClauseKind::Limit, NEAR)),
        Lexical::Not | Lexical::Without => {
            let denies = draft.about.denies;
            NEAR * u8::from(denies && draft.kind == ClauseKind::Condition)
        }
        _ => 0,
    };
    mention.lexical.iter().map(of).max().unwrap_or(0)
}

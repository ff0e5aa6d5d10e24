//! Parsing: one pass over the mentions, each put where its neighbours say it belongs.

use std::collections::BTreeSet;

use super::frame::{Blocked, Condition, CountTarget, Frame, Measure, MeasureTarget};
use super::part::Part;
use crate::catalog::Catalog;
use crate::intent::{Aggregate, TextMatch};
use crate::linking::{Lexical, Lexicon, Mention, SchemaIndex, TableId, Target, Units};
use crate::order;

/// Where in the sentence the next thing stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Clause {
    Main,
    Of,
    In,
    With,
    Without,
    Where,
}

/// State of the pass.
pub(super) struct Parser<'a> {
    pub(super) mentions: &'a [Mention],
    pub(super) parts: &'a [Part],
    pub(super) catalog: &'a Catalog,
    pub(super) index: &'a SchemaIndex,
    /// Table of the rows that another question says the text is about.
    pub(super) about: Option<TableId>,
    pub(super) frame: Frame,
    pub(super) lexicon: &'a Lexicon,
    pub(super) units: &'a Units,
    pub(super) clause: Clause,
    /// Last column mentioned, which a comparison or value may be about.
    pub(super) subject: Option<usize>,
    pub(super) last_table: Option<TableId>,
    pub(super) negated: Option<usize>,
    pub(super) count: Option<usize>,
    pub(super) aggregates: Vec<(Aggregate, usize)>,
    pub(super) distinct: bool,
    pub(super) number: Option<usize>,
    pub(super) grouping: bool,
    pub(super) ordering: bool,
    pub(super) conjunction: Option<Lexical>,
    /// "or" that joined nothing yet.
    pub(super) alternative: Option<usize>,
    /// Figures that are compared with, with the place from which the rows are told that they are computed of.
    pub(super) said_of_figure: Vec<(usize, usize)>,
    /// Places of "or" that stand before a condition of another kind than the one before.
    pub(super) between: Vec<usize>,
    /// Word that sets values side by side: "versus".
    pub(super) contrast: Option<usize>,
    /// "without" that nothing is missing of yet.
    pub(super) missing: Option<usize>,
    /// Columns after "with": shown to be filled where nothing else is said of them.
    pub(super) described: Vec<usize>,
    /// Columns that only make sense with a comparison or a value to come.
    pub(super) uncompared: Vec<usize>,
    /// Mention of the value read last, where a further value may join it.
    pub(super) last_value: Option<usize>,
    pub(super) date_hint: Option<usize>,
    /// Period that is ranked.
    pub(super) ranked_period: Option<usize>,
    /// "compare" before two periods.
    pub(super) comparing: Option<usize>,
    /// Mentions that were read together with one before them.
    pub(super) taken: BTreeSet<usize>,
}

/// Frame of the mentions of a question; `about` is the table of its rows where another question says which.
pub(crate) fn parse(
    catalog: &Catalog,
    index: &SchemaIndex,
    lexicon: &Lexicon,
    units: &Units,
    (mentions, parts): (&[Mention], &[Part]),
    about: Option<TableId>,
) -> Frame {
    let mut parser = parser(catalog, index, lexicon, units, (mentions, parts), about);
    let mut at = 0;
    while at < mentions.len() {
        at = parser.take(at);
    }
    parser.finish()
}

/// Frame of mentions that are a list of what is shown beside rows of a table; none where they are no such list.
pub(crate) fn parse_list(
    catalog: &Catalog,
    index: &SchemaIndex,
    lexicon: &Lexicon,
    units: &Units,
    (mentions, parts): (&[Mention], &[Part]),
    rows: TableId,
) -> Option<Frame> {
    let mut parser = parser(catalog, index, lexicon, units, (mentions, parts), Some(rows));
    parser.whole_listing(rows).then_some(parser.frame)
}

/// A parser before its pass.
fn parser<'a>(
    catalog: &'a Catalog,
    index: &'a SchemaIndex,
    lexicon: &'a Lexicon,
    units: &'a Units,
    (mentions, parts): (&'a [Mention], &'a [Part]),
    about: Option<TableId>,
) -> Parser<'a> {
    Parser {
        mentions,
        parts,
        catalog,
        index,
        about,
        frame: Frame { head: about.map(|table| (table, 0)), ..Frame::default() },
        lexicon,
        units,
        clause: Clause::Main,
        subject: None,
        last_table: None,
        negated: None,
        count: None,
        aggregates: Vec::new(),
        distinct: false,
        number: None,
        grouping: false,
        ordering: false,
        conjunction: None,
        alternative: None,
        said_of_figure: Vec::new(),
        between: Vec::new(),
        contrast: None,
        missing: None,
        described: Vec::new(),
        uncompared: Vec::new(),
        last_value: None,
        date_hint: None,
        ranked_period: None,
        comparing: None,
        taken: BTreeSet::new(),
    }
}

impl Parser<'_> {
    /// Reads the mention at `at`, and gives back where to go on.
    fn take(&mut self, at: usize) -> usize {
        if self.taken.contains(&at) {
            return at + 1;
        }
        let pending = self.alternative;
        let next = self.take_part(at);
        if pending.is_some() && self.alternative == pending && self.part(at) != Part::Lexical {
            self.alternative = None;
            self.between_conditions(pending.unwrap_or(at));
        }
        next
    }

    fn take_part(&mut self, at: usize) -> usize {
        if let Some(next) = self.quoted_within(at) {
            return next;
        }
        if let Some(next) = self.listing(at) {
            return next;
        }
        let same = self.same_as(at).or_else(|| self.same_as_rows(at));
        if let Some(next) = same.or_else(|| self.paired_with(at)) {
            return next;
        }
        if self.is_verb_by_place(at) {
            self.frame.by_class.push(at);
            return at + 1;
        }
        if let Some(next) = self.number_of_column(at).or_else(|| self.same_again(at)) {
            return next;
        }
        match self.part(at) {
            Part::Time => self.time(at),
            Part::Number => self.number(at),
            Part::Superlative(superlative) => self.superlative(at, superlative),
            Part::Grain(grain) => self.grain(at, grain),
            Part::Vague(term) => self.vague(at, term),
            Part::Concept(_) => self.measure_like(at),
            Part::Schema => self.schema(at),
            Part::Lexical => return self.lexical(at),
            Part::Unknown => self.unknown(at),
        }
        at + 1
    }

    /// "love" in the name: a quoted text within a column.
    fn quoted_within(&mut self, at: usize) -> Option<usize> {
        let column = (at + 1..self.mentions.len().min(at + 4)).find(|&position| {
            matches!(self.target(position), Some(Target::Column(_) | Target::Label(_)))
        })?;
        let within = self.mentions[at].quoted
            && self.mentions[at + 1].is(Lexical::In)
            && (at + 2..column).all(|between| self.mentions[between].is(Lexical::Filler));
        if !within {
            return None;
        }
        self.frame.conditions.push(Condition::Text {
            column: Some(column),
            matching: Some(TextMatch::Contains),
            text: self.text_of(at),
            at,
            negated: self.negated.take().is_some(),
        });
        Some(column + 1)
    }

    pub(super) fn block(&mut self, at: usize, reason: &'static str) {
        self.frame.blocked.push(Blocked { at, reason });
    }

    /// Part that a mention plays.
    pub(super) fn part(&self, at: usize) -> Part {
        self.parts.get(at).copied().unwrap_or(Part::Unknown)
    }

    /// What a mention means, after its context.
    pub(super) fn target(&self, at: usize) -> Option<&Target> {
        self.mentions.get(at)?.readings.first().map(|reading| &reading.target)
    }

    /// Mention before, leaving out words that add nothing.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&before| {
            let mention = &self.mentions[before];
            self.part(before) != Part::Lexical
                || !(mention.is(Lexical::Filler)
                    || mention.is(Lexical::Is)
                    || mention.is(Lexical::Of)
                    || mention.is(Lexical::EqualTo))
        })
    }

    /// "who was hired in 2012": the rows are those whose date is named, where nothing else says which.
    fn head_by_date(&mut self) {
        let counts_head =
            |measure: &Measure| measure.target == MeasureTarget::Count(CountTarget::Head);
        let frame = &self.frame;
        let open = frame.head.is_none()
            && frame.outputs.is_empty()
            && frame.groups.is_empty()
            && frame.superlative.is_none()
            && frame.measures.iter().all(counts_head);
        let dates = frame.times.iter().filter_map(|time| time.column);
        let mut tables: Vec<(TableId, usize)> =
            dates.filter_map(|at| Some((self.target(at).and_then(Target::table)?, at))).collect();
        tables.dedup_by_key(|(table, _)| *table);
        if let ([only], true) = (tables.as_slice(), open) {
            self.frame.head = Some(*only);
        }
    }

    /// "total payroll", where that is a stored value: nothing of it can be added up.
    fn adds_up_a_value(&self, function: Aggregate, at: usize) -> bool {
        let Some(next) = self.mentions.get(at + 1) else { return false };
        function == Aggregate::Sum
            && next.phrase.chars().all(|letter| !letter.is_uppercase())
            && self.part(at + 1) == Part::Schema
            && matches!(self.target(at + 1), Some(Target::Value(..)))
            && !matches!(self.target(at + 2), Some(Target::Table(_)))
    }

    /// "orders with order number, customer name and order date": several columns behind "with" are shown.
    fn is_shown_in_list(&self, at: usize) -> bool {
        let next = self.frame.outputs.iter().filter(|output| **output > at).min();
        let joined = |between: usize| {
            self.mentions[between].is(Lexical::And) || self.mentions[between].is(Lexical::Filler)
        };
        let with = at.checked_sub(1).is_some_and(|before| self.mentions[before].is(Lexical::With));
        next.is_some_and(|next| with && (at + 1..*next).all(joined))
    }

    /// "what did they cost altogether": the only column shown, where it holds an amount.
    fn only_figure_shown(&self) -> Option<usize> {
        let [only] = self.frame.outputs.as_slice() else { return None };
        match self.target(*only) {
            Some(Target::Column(column)) if self.is_amount(*column) => Some(*only),
            _ => None,
        }
    }

    fn finish(mut self) -> Frame {
        if let Some(at) = self.number.take() {
            let alone = self
                .frame
                .superlative
                .as_ref()
                .is_some_and(|superlative| superlative.limit.is_none());
            let count =
                self.mentions[at].number.as_ref().and_then(|number| number.value.parse().ok());
            match (alone, count, &mut self.frame.superlative) {
                (true, Some(count), Some(superlative)) => superlative.limit = Some(count),
                _ => self.frame.unread.push(at),
            }
        }
        self.count_beside_rows();
        if let Some(at) = self.count.take()
            && self.frame.measures.is_empty()
        {
            let measure = Measure { target: MeasureTarget::Count(CountTarget::Head), at };
            self.frame.measures.push(measure);
        }
        self.rank_by_named_ends();
        self.take_average();
        if let Some((function, at)) = self.aggregates.pop()
            && self.frame.measures.is_empty()
        {
            if self.adds_up_a_value(function, at) {
                self.block(at, "it is not clear what is added up");
            }
            let figure = self.only_figure_shown().filter(|shown| *shown < at);
            self.frame.outputs.retain(|output| Some(*output) != figure);
            let at = figure.unwrap_or(at);
            self.frame.measures.push(Measure { target: MeasureTarget::Aggregate(function), at });
        }
        if let Some(at) = self.negated.take()
            && self.frame.blocked.is_empty()
        {
            self.frame.blocked.push(Blocked { at, reason: "it is not clear what is negated" });
        }
        self.block_birthdays();
        self.head_by_date();
        self.show_whose();
        self.find_other_period();
        self.find_agents();
        self.find_owners();
        self.block_nested_rank();
        self.block_counted_lists();
        self.block_single_numbers();
        self.block_every_period();
        self.block_how_often();
        self.block_unused_numbers();
        self.finish_period();
        self.rank_in_groups();
        if let Some(at) = self.missing.take() {
            self.block(at, "it is not clear what is missing");
        }
        self.hide_said_columns();
        self.settle_denied();
        self.frame.coordination = self.join_alternatives().or_else(|| self.coordination());
        self.finish_figures();
        self.last_of_rows();
        self.block_conditions_at_end();
        self.find_universals();
        self.find_either();
        self.list_for_each();
        self.frame.distribution = self.distribution();
        self.block_second_count();
        if self.count.is_some() && !self.frame.measures.is_empty() {
            self.count = None;
        }
        self.ask_for_object();
        let mut shown = std::mem::take(&mut self.described);
        shown.retain(|at| !self.is_shown_in_list(*at));
        for at in shown.into_iter().filter(|at| self.frame.outputs.contains(at)).collect::<Vec<_>>()
        {
            self.frame.outputs.retain(|output| *output != at);
            self.frame.conditions.push(Condition::Null { at, negated: true });
        }
        let loose = std::mem::take(&mut self.uncompared);
        for at in loose.into_iter().filter(|at| self.frame.outputs.contains(at)).collect::<Vec<_>>()
        {
            let ranked = self.frame.superlative.is_some();
            if !ranked {
                self.frame.outputs.retain(|output| *output != at);
                // "products with a high price": the term says how the number is compared.
                let of_term = self.frame.vague.iter().any(|term| term.noun == Some(at));
                if !of_term && !self.has_some(at) {
                    self.frame.unread.push(at);
                }
            }
        }
        self.finish_average();
        self.finish_median();
        self.split_share();
        self.finish_growth();
        self.finish_contrast();
        self.take_akin();
        self.take_what_is_done();
        self.leave_second_question();
        self.restrict_to_role();
        order::natural(&mut self.frame.unread);
        self.frame
    }
}

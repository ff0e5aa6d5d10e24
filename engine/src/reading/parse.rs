//! Parsing: one pass over the mentions, each put where its neighbours say it belongs.

use super::frame::{
    Blocked, Condition, CountTarget, Frame, Group, Measure, MeasureTarget, OrderSpec, Related,
    Superlative, TableUse, TimeSpec, VagueUse,
};
use super::part::Part;
use crate::catalog::{Catalog, DataType};
use crate::confidence::Method;
use crate::intent::{Aggregate, Comparison, TextMatch, TimeGrain};
use crate::linking::{ColumnId, Lexical, Lexicon, Mention, Named, TableId, Target, Units};

/// Where in the sentence the next thing stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Clause {
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
    pub(super) frame: Frame,
    pub(super) lexicon: &'a Lexicon,
    pub(super) units: &'a Units,
    clause: Clause,
    /// Last column mentioned, which a comparison or value may be about.
    pub(super) subject: Option<usize>,
    pub(super) last_table: Option<TableId>,
    pub(super) negated: Option<usize>,
    count: Option<usize>,
    aggregates: Vec<(Aggregate, usize)>,
    distinct: bool,
    number: Option<usize>,
    grouping: bool,
    ordering: bool,
    conjunction: Option<Lexical>,
    /// "or" that joined nothing yet.
    alternative: Option<usize>,
    /// "without" that nothing is missing of yet.
    missing: Option<usize>,
    /// Columns after "with": shown to be filled where nothing else is said of them.
    described: Vec<usize>,
    /// Columns that only make sense with a comparison or a value to come.
    uncompared: Vec<usize>,
    /// Mention of the value read last, where a further value may join it.
    last_value: Option<usize>,
    date_hint: Option<usize>,
}

/// Frame of the mentions of a question.
pub(crate) fn parse(
    catalog: &Catalog,
    lexicon: &Lexicon,
    units: &Units,
    mentions: &[Mention],
    parts: &[Part],
) -> Frame {
    let mut parser = Parser {
        mentions,
        parts,
        catalog,
        frame: Frame::default(),
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
        missing: None,
        described: Vec::new(),
        uncompared: Vec::new(),
        last_value: None,
        date_hint: None,
    };
    let mut at = 0;
    while at < mentions.len() {
        at = parser.take(at);
    }
    parser.finish()
}

impl Parser<'_> {
    /// Reads the mention at `at`, and gives back where to go on.
    fn take(&mut self, at: usize) -> usize {
        let pending = self.alternative;
        let next = self.take_part(at);
        if pending.is_some() && self.alternative == pending && self.part(at) != Part::Lexical {
            self.alternative = None;
            self.block(
                pending.unwrap_or(at),
                "alternatives of different kinds have several readings",
            );
        }
        next
    }

    fn take_part(&mut self, at: usize) -> usize {
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

    fn lexical(&mut self, at: usize) -> usize {
        let mention = &self.mentions[at];
        if let Some(next) = self.comparison(at) {
            return next;
        }
        for kind in &mention.lexical {
            match kind {
                Lexical::Count | Lexical::CountNoun => {
                    if !self.aggregates.is_empty() && *kind == Lexical::Count {
                        let sum = matches!(self.aggregates.as_slice(), [(Aggregate::Sum, _)]);
                        if !sum {
                            self.block(at, "an aggregate of counts takes two steps");
                        }
                        self.aggregates.clear();
                    }
                    self.count = Some(at);
                    self.frame.operation = true;
                }
                Lexical::Sum => self.start_aggregate(Aggregate::Sum, at),
                Lexical::Average => self.start_aggregate(Aggregate::Average, at),
                Lexical::Maximum => self.start_aggregate(Aggregate::Maximum, at),
                Lexical::Minimum => self.start_aggregate(Aggregate::Minimum, at),
                Lexical::Distinct => self.distinct = true,
                Lexical::List => {
                    self.frame.operation = true;
                    if at > 0 && mention.is(Lexical::Where) {
                        self.clause = Clause::Where;
                    }
                }
                Lexical::Group => self.start_group(),
                Lexical::By => self.by(at),
                Lexical::Order => {
                    self.ordering = true;
                    self.grouping = false;
                }
                Lexical::Ascending | Lexical::Descending => {
                    self.direction(*kind == Lexical::Descending);
                }
                Lexical::Top | Lexical::Bottom => {
                    self.start_superlative(at, *kind == Lexical::Top, false);
                }
                Lexical::Most | Lexical::Fewest => {
                    self.start_superlative(at, *kind == Lexical::Most, true);
                }
                Lexical::First | Lexical::Last => {
                    self.start_superlative(at, *kind == Lexical::Last, false);
                    if let Some(superlative) = &mut self.frame.superlative {
                        superlative.roles =
                            ["event_date", "created_date", "any_date", "identifier"]
                                .map(str::to_owned)
                                .to_vec();
                    }
                }
                Lexical::Not | Lexical::NotEqualTo => self.negated = Some(at),
                Lexical::Without => {
                    self.clause = Clause::Without;
                    self.missing = Some(at);
                    self.grouping = false;
                }
                Lexical::And => self.conjunction = Some(*kind),
                Lexical::Or => {
                    self.conjunction = Some(*kind);
                    let between_things = at > 0
                        && self.part(at - 1) != Part::Lexical
                        && self.parts.get(at + 1).is_some();
                    self.alternative = between_things.then_some(at);
                }
                Lexical::Of => self.enter(Clause::Of),
                Lexical::In => self.enter(Clause::In),
                Lexical::With => self.enter(Clause::With),
                Lexical::Where => self.enter(Clause::Where),
                Lexical::Empty => self.empty(at),
                Lexical::Trend => self.frame.trend = Some(at),
                Lexical::Share => self.block(at, "a share of a whole takes two steps"),
                Lexical::Compare => {
                    self.block(
                        at,
                        "a comparison between groups or with an average takes two steps",
                    );
                }
                Lexical::Write => self.block(at, "data is only read, never changed"),
                Lexical::Contains
                    if self.mentions.get(at + 1).is_some_and(|next| {
                        next.number.is_some()
                            || next.superlative.is_some()
                            || !next.lexical.is_empty() && !next.is(Lexical::Filler)
                    }) =>
                {
                    self.enter(Clause::With);
                }
                Lexical::Contains | Lexical::StartsWith | Lexical::EndsWith => {
                    return self.text(at, *kind);
                }
                Lexical::AtLeast
                | Lexical::AtMost
                | Lexical::LessThan
                | Lexical::MoreThan
                | Lexical::OrLess
                | Lexical::OrMore
                    if !self.beside_time(at) =>
                {
                    self.block(at, "what is compared is no number");
                }
                Lexical::Everything
                | Lexical::Filler
                | Lexical::FollowUp
                | Lexical::Generic
                | Lexical::Is
                | Lexical::AtLeast
                | Lexical::AtMost
                | Lexical::Between
                | Lexical::EqualTo
                | Lexical::LessThan
                | Lexical::MoreThan
                | Lexical::OrLess
                | Lexical::OrMore => {}
            }
        }
        at + 1
    }

    /// Whether a time expression or a number stands next to the mention, so that it is a part of that.
    fn beside_time(&self, at: usize) -> bool {
        let near = |position: usize| {
            matches!(self.parts.get(position), Some(Part::Time | Part::Number))
                || self.mentions.get(position).is_some_and(|mention| mention.time.is_some())
        };
        near(at + 1) || at > 0 && near(at - 1) || self.mentions[at].is(Lexical::In)
    }

    fn enter(&mut self, clause: Clause) {
        self.clause = clause;
        if clause != Clause::Of {
            self.grouping = false;
            self.ordering = false;
        }
    }

    fn start_aggregate(&mut self, function: Aggregate, at: usize) {
        let listed = at > 0
            && [Lexical::And, Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum]
                .iter()
                .any(|kind| self.mentions[at - 1].is(*kind));
        if !listed && !self.aggregates.is_empty() {
            self.block(at, "two computations in a row take two steps");
        }
        self.aggregates.push((function, at));
        self.frame.operation = true;
    }

    fn start_group(&mut self) {
        self.grouping = true;
        self.ordering = false;
        self.clause = Clause::Main;
    }

    fn by(&mut self, at: usize) {
        let next = (at + 1..self.mentions.len()).find(|&next| {
            !self.mentions[next].is(Lexical::Filler) || self.part(next) != Part::Lexical
        });
        let Some(next) = next else { return };
        let is_value =
            self.part(next) == Part::Schema && matches!(self.target(next), Some(Target::Value(..)));
        let thing_then_value = matches!(self.target(next), Some(Target::Table(_)))
            && matches!(self.target(next + 1), Some(Target::Value(..)))
            && self.mentions[next + 1].lexical.is_empty();
        let thing_in_value = matches!(self.target(next), Some(Target::Table(_)))
            && self.mentions.get(next + 1).is_some_and(|between| between.is(Lexical::In))
            && matches!(self.target(next + 2), Some(Target::Value(..)))
            && self.frame.measures.is_empty()
            && self.frame.superlative.is_none();
        let unknown = self.part(next) == Part::Unknown;
        if is_value || thing_then_value || thing_in_value || unknown {
            self.enter(Clause::In);
        } else if self
            .frame
            .superlative
            .as_ref()
            .is_some_and(|superlative| superlative.by.is_none())
        {
            self.ordering = true;
        } else {
            self.start_group();
        }
    }

    fn start_superlative(&mut self, at: usize, descending: bool, by_count: bool) {
        self.frame.operation = true;
        let limit = self.take_number();
        if let Some(superlative) = &mut self.frame.superlative {
            if by_count && superlative.by.is_none() {
                superlative.by_count = true;
                superlative.descending = descending;
            } else {
                self.block(at, "two orders at once");
            }
            return;
        }
        self.frame.superlative =
            Some(Superlative { limit, descending, at, by: None, roles: Vec::new(), by_count });
    }

    fn superlative(&mut self, at: usize, which: usize) {
        let Some(adjective) = self.lexicon.superlatives.get(which) else { return };
        let (descending, roles) = (adjective.descending, adjective.roles.clone());
        self.frame.operation = true;
        let limit = self.take_number();
        match &mut self.frame.superlative {
            Some(superlative) if superlative.roles.is_empty() && superlative.by.is_none() => {
                superlative.descending = descending;
                superlative.roles = roles;
            }
            Some(_) => self.block(at, "two orders at once"),
            None => {
                self.frame.superlative =
                    Some(Superlative { limit, descending, at, by: None, roles, by_count: false });
            }
        }
    }

    fn take_number(&mut self) -> Option<u32> {
        let at = self.number.take()?;
        let number = self.mentions[at].number.as_ref()?;
        if number.ordinal {
            self.block(at, "a single place of an order takes two steps");
        }
        let number = self.mentions[at].number.as_ref()?;
        number.value.parse::<u32>().ok().filter(|count| *count > 0)
    }

    fn direction(&mut self, descending: bool) {
        if let Some(order) = self.frame.order.last_mut() {
            order.descending = descending;
        } else {
            let at = self.subject.filter(|_| self.frame.outputs.len() > 1);
            self.frame.order.push(OrderSpec { at, descending });
            self.ordering = true;
        }
    }

    fn grain(&mut self, at: usize, grain: TimeGrain) {
        let adverb = ["daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually"]
            .contains(&self.mentions[at].phrase.to_lowercase().as_str());
        if self.grouping || adverb || self.conjunction.is_some() && !self.frame.groups.is_empty() {
            self.frame.groups.push(Group::Period(grain, at));
            self.conjunction = None;
        } else if self.ordering {
            self.frame.order.push(OrderSpec { at: None, descending: false });
        } else {
            self.frame.unread.push(at);
        }
    }

    fn time(&mut self, at: usize) {
        let Some(time) = &self.mentions[at].time else { return };
        let near = |subject: &usize| at - subject <= 3;
        let column = self.date_hint.take().or(self.subject.filter(|subject| {
            near(subject)
                && matches!(self.target(*subject), Some(Target::Column(column)) if self.is_date(*column))
        }));
        if let Some(column) = column {
            self.frame.outputs.retain(|output| *output != column);
        }
        let negated = self.negated.take().is_some();
        if self.alternative.is_some_and(|or| or + 1 == at)
            && let Some(last) = self.frame.times.last_mut()
            && last.at + 2 == at
        {
            last.others.push(time.range.clone());
            self.alternative = None;
            return;
        }
        self.frame.times.push(TimeSpec {
            others: Vec::new(),
            range: time.range.clone(),
            rival: time.rival.clone(),
            at,
            column,
            table: self.last_table,
            negated,
        });
        self.subject = None;
        self.grouping = false;
    }

    fn vague(&mut self, at: usize, term: usize) {
        let noun = (at + 1..self.mentions.len().min(at + 3))
            .find(|&next| matches!(self.part(next), Part::Schema | Part::Concept(_)));
        let negated = self.negated.take().is_some();
        self.frame.vague.push(VagueUse { term, at, noun, negated });
    }

    fn number(&mut self, at: usize) {
        if let Some(next) = self.mentions.get(at + 1)
            && (next.is(Lexical::OrMore) || next.is(Lexical::OrLess))
        {
            let operator = if next.is(Lexical::OrMore) {
                Comparison::GreaterOrEqual
            } else {
                Comparison::LessOrEqual
            };
            self.compare(at, operator, at + 2);
            return;
        }
        if let Some(superlative) = &mut self.frame.superlative
            && superlative.limit.is_none()
            && at - superlative.at <= 1
        {
            self.number = Some(at);
            let limit = self.take_number();
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.limit = limit;
            }
            return;
        }
        let previous = self.before(at);
        if let Some(before) = previous
            && let (Part::Schema, Some(target)) = (self.part(before), self.target(before))
        {
            match target {
                Target::Column(_) if self.subject == Some(before) => {
                    self.compare(at, Comparison::Equal, at + 1);
                    return;
                }
                Target::Table(table) => {
                    if let Some(number) = &self.mentions[at].number {
                        let value = number.value.clone();
                        self.frame.conditions.push(Condition::Key { table: *table, value, at });
                    }
                    return;
                }
                _ => {}
            }
        }
        self.number = Some(at);
    }

    fn unknown(&mut self, at: usize) {
        let about = self.subject.filter(|subject| {
            self.before(at) == Some(*subject)
                && matches!(self.target(*subject), Some(Target::Column(column))
                    if self.catalog.column_at(*column).data_type == DataType::Text)
        });
        let named = at > 0 && self.mentions[at - 1].is(Lexical::Is);
        if self.mentions[at].quoted && (about.is_some() || self.frame.head.is_some())
            || about.is_some() && named
        {
            if let Some(column) = about {
                self.frame.outputs.retain(|output| *output != column);
            }
            self.frame.conditions.push(Condition::Text {
                column: about,
                matching: None,
                text: self.text_of(at),
                at,
                negated: self.negated.take().is_some(),
            });
            return;
        }
        self.frame.unread.push(at);
    }

    fn empty(&mut self, at: usize) {
        match self.subject.take() {
            Some(subject) if matches!(self.target(subject), Some(Target::Column(_))) => {
                self.frame.outputs.retain(|output| *output != subject);
                let negated = self.negated.take().is_some();
                self.frame.conditions.push(Condition::Null { at: subject, negated });
            }
            _ => self.frame.unread.push(at),
        }
    }

    fn text(&mut self, at: usize, kind: Lexical) -> usize {
        let matching = match kind {
            Lexical::StartsWith => TextMatch::StartsWith,
            Lexical::EndsWith => TextMatch::EndsWith,
            _ => TextMatch::Contains,
        };
        let Some(next) = (at + 1..self.mentions.len()).find(|&next| {
            !self.mentions[next].is(Lexical::Filler)
                || self.mentions[next].phrase.chars().count() == 1
        }) else {
            self.frame.unread.push(at);
            return at + 1;
        };
        let column = self.subject.take();
        if let Some(column) = column {
            self.frame.outputs.retain(|output| *output != column);
        }
        let negated = self.negated.take().is_some();
        let text = self.text_of(next);
        self.frame.conditions.push(Condition::Text {
            column,
            matching: Some(matching),
            text,
            at: next,
            negated,
        });
        next + 1
    }

    fn text_of(&self, at: usize) -> String {
        let phrase = self.mentions[at].phrase.as_str();
        if self.mentions[at].quoted {
            let mut characters = phrase.chars();
            characters.next();
            characters.next_back();
            characters.as_str().to_owned()
        } else {
            phrase.to_owned()
        }
    }

    fn schema(&mut self, at: usize) {
        match self.target(at).cloned() {
            Some(Target::Table(table)) => self.table(at, table),
            Some(Target::Value(..)) => self.value(at),
            Some(Target::Metric(_)) => self.measure_like(at),
            Some(Target::Column(column)) => self.column(at, Some(column)),
            Some(Target::Label(_)) => self.column(at, None),
            None => {}
        }
    }

    fn table(&mut self, at: usize, table: TableId) {
        let limit = self.take_number();
        if !self.grouping {
            self.last_table = Some(table);
        }
        if self.grouping {
            self.frame.groups.push(Group::Table(table, at));
            self.distinct = false;
            return;
        }
        if self.ordering && self.count.is_none() {
            self.order_by_measure(Measure {
                target: MeasureTarget::Count(CountTarget::Rows(table)),
                at,
            });
            return;
        }
        if self.count.take().is_some() {
            let measure = Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at };
            self.distinct = false;
            if self.ordering {
                self.order_by_measure(measure);
            } else {
                self.add_measure(measure);
            }
            self.head_if_none(table, at);
            self.clause = Clause::Main;
            return;
        }
        let qualifies = matches!(self.target(at + 1), Some(Target::Column(column))
            if self.part(at + 1) == Part::Schema && self.catalog.column_at(*column).data_type.is_numeric());
        if qualifies && !self.aggregates.is_empty() {
            self.frame.related.push(Related { table, at, how: TableUse::Path });
            return;
        }
        if !self.aggregates.is_empty() {
            for (function, _) in std::mem::take(&mut self.aggregates) {
                self.add_measure(Measure { target: MeasureTarget::Aggregate(function), at });
            }
            self.head_if_none(table, at);
            return;
        }
        let awaiting = self
            .frame
            .superlative
            .as_ref()
            .is_some_and(|superlative| superlative.by_count && superlative.by.is_none());
        if awaiting
            && (self.frame.head.is_some_and(|(head, _)| head != table)
                || !self.frame.outputs.is_empty())
        {
            let by = Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at };
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.by = Some(by);
            }
            return;
        }
        if self.is_counted(at) {
            return;
        }
        let measured = !self.frame.measures.is_empty()
            || self.frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some());
        if self.frame.head.is_none()
            && measured
            && self.conjunction != Some(Lexical::And)
            && !matches!(self.clause, Clause::Without)
        {
            let verb = self.mentions[at].phrase.to_lowercase().ends_with("ed");
            let how =
                if verb || self.clause == Clause::With { TableUse::With } else { TableUse::Path };
            self.frame.related.push(Related { table, at, how });
            self.clause = Clause::Main;
            return;
        }
        match self.frame.head {
            None => {
                self.missing = None;
                self.frame.head = Some((table, at));
                if let Some(limit) = limit {
                    match &mut self.frame.superlative {
                        Some(superlative) => superlative.limit = Some(limit),
                        None => self.frame.limit = Some((limit, at)),
                    }
                }
                if self.distinct {
                    self.frame.distinct = true;
                    self.distinct = false;
                }
            }
            Some((head, _)) if head == table => {}
            Some(_) => {
                self.missing = None;
                let verb = self.mentions[at].phrase.to_lowercase().ends_with("ed");
                let how = match self.clause {
                    Clause::Without => TableUse::Without,
                    Clause::With | Clause::Where if self.negated.take().is_some() => {
                        TableUse::Without
                    }
                    Clause::With | Clause::Where => TableUse::With,
                    _ if verb => TableUse::With,
                    Clause::Main | Clause::Of | Clause::In => TableUse::Path,
                };
                if how == TableUse::Path && self.conjunction == Some(Lexical::And) {
                    self.frame.output_tables.push((table, at));
                } else {
                    self.frame.related.push(Related { table, at, how });
                }
            }
        }
        self.conjunction = None;
        if self.clause != Clause::Where {
            self.clause = Clause::Main;
        }
    }

    fn column(&mut self, at: usize, column: Option<ColumnId>) {
        self.last_value = None;
        if self.ordering {
            self.order_by(at);
            return;
        }
        if self.grouping {
            self.frame.groups.push(Group::Thing(at));
            self.subject = Some(at);
            self.conjunction = None;
            return;
        }
        if self.clause == Clause::Without
            && let Some(column) = column
        {
            self.without_column(at, column);
            return;
        }
        if self.count.is_some()
            && let Some(column) = column
            && (self.schema_flag(column) || self.is_participle(at, column))
        {
            self.count = None;
            let target = MeasureTarget::Count(CountTarget::Rows(column.table));
            self.add_measure(Measure { target, at });
            self.head_if_none(column.table, at);
            if self.is_dated(at) {
                self.date_hint = Some(at);
            } else {
                let negated = self.negated.take().is_some();
                self.frame.conditions.push(Condition::Set { at, negated });
            }
            return;
        }
        if self.count.take().is_some() {
            let distinct = std::mem::take(&mut self.distinct);
            self.add_measure(Measure {
                target: MeasureTarget::Count(CountTarget::Values { distinct }),
                at,
            });
            return;
        }
        if let Some((function, _)) = self.aggregates.first().copied()
            && column.is_none_or(|column| {
                let data_type = self.catalog.column_at(column).data_type;
                let ordered = matches!(function, Aggregate::Maximum | Aggregate::Minimum);
                !(data_type.is_numeric() || data_type.is_temporal() && ordered)
            })
            && self.mentions.get(at + 1).is_some_and(|next| next.lexical.is_empty())
        {
            self.block(at, "it is no number to compute something of");
        }
        if let Some((function, _)) = self.aggregates.first().copied() {
            let numeric = column.is_some_and(|column| {
                let data_type = self.catalog.column_at(column).data_type;
                data_type.is_numeric()
                    || data_type.is_temporal()
                        && matches!(function, Aggregate::Maximum | Aggregate::Minimum)
            });
            if numeric {
                for (function, _) in self.aggregates.clone() {
                    self.add_measure(Measure { target: MeasureTarget::Aggregate(function), at });
                }
                if self.mentions.get(at + 1).is_none_or(|next| !next.is(Lexical::And)) {
                    self.aggregates.clear();
                }
                self.subject = Some(at);
                return;
            }
        }
        if let Some(superlative) = &mut self.frame.superlative
            && superlative.by.is_none()
            && (self.clause != Clause::Main || at - superlative.at <= 2)
            && column.is_some_and(|column| {
                let data_type = self.catalog.column_at(column).data_type;
                data_type.is_numeric() || data_type.is_temporal()
            })
        {
            superlative.by = Some(Measure { target: MeasureTarget::Own, at });
            self.subject = Some(at);
            return;
        }
        if let Some(column) = column
            && (self.is_verb(at) || self.is_condition(at, column))
        {
            return;
        }
        if column.is_some_and(|column| self.refers_to_own_table(column))
            && matches!(self.target(at + 1), Some(Target::Value(..)))
        {
            self.block(at, "rows of a table related to rows of the same table take two steps");
        }
        self.subject = Some(at);
        let joined = self.conjunction.take() == Some(Lexical::And);
        if std::mem::take(&mut self.distinct) {
            self.frame.distinct = true;
        }
        let numeric = column.is_some_and(|column| {
            self.catalog.column_at(column).data_type.is_numeric() && !self.is_foreign(column)
        });
        let total =
            self.mentions[at].phrase.to_lowercase().split([' ', '_']).any(|word| word == "total");
        if numeric && joined && !self.frame.measures.is_empty() && total {
            self.add_measure(Measure { target: MeasureTarget::Aggregate(Aggregate::Sum), at });
            return;
        }
        let described =
            matches!(self.clause, Clause::With | Clause::Where) && self.frame.head.is_some();
        self.frame.outputs.push(at);
        if described && !joined && !numeric && column.is_some() {
            self.described.push(at);
        } else if !joined && (described && numeric || !self.frame.measures.is_empty()) {
            self.uncompared.push(at);
        }
    }

    /// Words that are only a part of column names and stand before a place or a time are verbs: they say which
    /// date is meant ("shipped in 2024"), and add nothing else ("shipped to Germany").
    fn is_verb(&mut self, at: usize) -> bool {
        let part_of_name = self.mentions[at]
            .readings
            .first()
            .is_some_and(|reading| reading.method == Method::Modifier);
        let followed = self.mentions.get(at + 1).is_some_and(|next| {
            self.part(at + 1) == Part::Time
                || (next.is(Lexical::In) || next.is(Lexical::By))
                    && matches!(self.part(at + 2), Part::Time | Part::Schema)
                    && !matches!(self.target(at + 2), Some(Target::Column(_) | Target::Label(_)))
        });
        if !part_of_name || !followed || self.grouping {
            return false;
        }
        let dated = self.mentions[at].readings.iter().any(
            |reading| matches!(reading.target, Target::Column(column) if self.is_date(column)),
        );
        if dated {
            self.date_hint = Some(at);
        }
        self.subject = None;
        true
    }

    /// Flags and participles of dates are conditions: "active customers", "orders not shipped".
    fn is_condition(&mut self, at: usize, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        let next_is_time = self.is_dated(at);
        let adjective = self.mentions.get(at + 1).is_some_and(|next| {
            matches!(next.readings.first().map(|reading| &reading.target), Some(Target::Table(_)))
        });
        let after_verb = at > 0
            && [Lexical::Is, Lexical::Not, Lexical::With, Lexical::Where]
                .iter()
                .any(|kind| self.mentions[at - 1].is(*kind));
        if definition.data_type.is_temporal() && next_is_time {
            self.head_if_none(column.table, at);
            self.date_hint = Some(at);
            self.subject = None;
            return true;
        }
        let composite = self.is_participle(at, column)
            && self.mentions[at].tokens.len() > 1
            && self.frame.head.is_none();
        if composite {
            self.head_if_none(column.table, at);
            self.frame.conditions.push(Condition::Set { at, negated: false });
            return true;
        }
        let flag = definition.is_flag();
        let last = at + 1 == self.mentions.len();
        let participle = self.is_participle(at, column);
        let stands_alone = last && self.frame.head.is_some();
        if flag && self.frame.head.is_some()
            || (flag || participle)
                && (adjective || after_verb || stands_alone || self.negated.is_some())
        {
            let negated = self.negated.take().is_some() || self.clause == Clause::Without;
            self.frame.conditions.push(Condition::Set { at, negated });
            self.subject = None;
            return true;
        }
        false
    }

    /// Whether a time follows a mention at once.
    fn is_dated(&self, at: usize) -> bool {
        self.mentions.get(at + 1).is_some_and(|next| {
            next.time.is_some()
                || next.is(Lexical::In)
                    && self.mentions.get(at + 2).is_some_and(|next| next.time.is_some())
        })
    }

    fn schema_flag(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).is_flag()
    }

    /// Whether a date is named by what happened then ("shipped", "healed"), not as a date ("order date").
    fn is_participle(&self, at: usize, column: ColumnId) -> bool {
        let phrase = self.mentions[at].phrase.to_lowercase();
        let as_date =
            ["date", "dates", "day", "time", "on", "at", "when", "since", "birth", "birthday"];
        let last = phrase.rsplit([' ', '_']).next().unwrap_or("");
        self.catalog.column_at(column).data_type.is_temporal()
            && !as_date.contains(&last)
            && !phrase.ends_with("date")
    }

    /// "without a composer", "without diabetes": a column that is empty, or a flag that is not set.
    fn without_column(&mut self, at: usize, column: ColumnId) {
        self.missing = None;
        self.clause = Clause::Main;
        let definition = self.catalog.column_at(column);
        if definition.is_flag() {
            self.frame.conditions.push(Condition::Set { at, negated: true });
        } else if definition.data_type.is_numeric() && !self.is_foreign(column) {
            self.block(at, "a number that is missing may be empty or zero");
        } else {
            self.frame.conditions.push(Condition::Null { at, negated: false });
        }
    }

    fn is_foreign(&self, column: ColumnId) -> bool {
        let reference = self.catalog.reference(column);
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == reference.table && key.from_columns.contains(&reference.column)
        })
    }

    /// Whether a value belongs to the rows that a foreign key of the subject refers to.
    fn refers_to(&self, subject: ColumnId, table: TableId) -> bool {
        let from = self.catalog.reference(subject);
        let to = self.catalog.table_at(table).key();
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == from.table
                && key.from_columns.contains(&from.column)
                && key.to_table == to
        })
    }

    fn measure_like(&mut self, at: usize) {
        let named_before = at > 0
            && self.mentions[at].concept.is_some()
            && self.subject == Some(at - 1)
            && self.ordered_or_measured(at - 1);
        if named_before {
            return;
        }
        let mut targets: Vec<MeasureTarget> = std::mem::take(&mut self.aggregates)
            .into_iter()
            .map(|(function, _)| match function {
                Aggregate::Sum => MeasureTarget::Own,
                function => MeasureTarget::Aggregate(function),
            })
            .collect();
        let target = targets.pop().unwrap_or(MeasureTarget::Own);
        for target in targets {
            self.add_measure(Measure { target, at });
        }
        self.count = None;
        let measure = Measure { target, at };
        let awaiting =
            self.frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_none());
        if self.ordering {
            self.order_by_measure(measure);
        } else if awaiting && (self.frame.head.is_some() || !self.frame.outputs.is_empty()) {
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.by = Some(measure);
            }
        } else {
            self.add_measure(measure);
        }
        self.frame.operation = true;
        self.subject = Some(at);
    }

    /// Whether a mention is what is computed or ordered by already ("quantity sold").
    fn ordered_or_measured(&self, at: usize) -> bool {
        self.frame.measures.iter().any(|measure| measure.at == at)
            || self.frame.order.iter().any(|order| order.at == Some(at))
            || self
                .frame
                .superlative
                .as_ref()
                .and_then(|superlative| superlative.by.as_ref())
                .is_some_and(|by| by.at == at)
    }

    fn add_measure(&mut self, measure: Measure) {
        self.frame.measures.push(measure);
        self.conjunction = None;
    }

    fn order_by(&mut self, at: usize) {
        let aggregate =
            self.aggregates.pop().map(|(function, _)| MeasureTarget::Aggregate(function));
        let counted = self
            .count
            .take()
            .map(|_| MeasureTarget::Count(CountTarget::Values { distinct: false }));
        let target = aggregate.or(counted).unwrap_or(MeasureTarget::Own);
        self.order_by_measure(Measure { target, at });
    }

    fn order_by_measure(&mut self, measure: Measure) {
        let at = measure.at;
        match &mut self.frame.superlative {
            Some(superlative) if superlative.by.is_none() => superlative.by = Some(measure),
            _ => {
                let plain = measure.target == MeasureTarget::Own;
                if !plain && !self.frame.measures.contains(&measure) {
                    self.frame.measures.push(measure);
                }
                self.frame.order.push(OrderSpec { at: Some(at), descending: false });
            }
        }
        self.ordering = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::And));
        self.subject = Some(at);
    }

    fn value(&mut self, at: usize) {
        let Some(Target::Value(column, _)) = self.target(at).cloned() else { return };
        let joins_last = self.last_value.is_some_and(|last| {
            let between = &self.mentions[last + 1..at];
            between.iter().all(|mention| {
                mention.is(Lexical::And)
                    || mention.is(Lexical::Or)
                    || mention.is(Lexical::Filler)
                    || mention.is(Lexical::In)
            })
        });
        if joins_last
            && let Some(Condition::Values { at: values, .. }) = self.frame.conditions.last_mut()
            && let Some(last) = values.last()
            && self.mentions[*last].readings.iter().any(
                |reading| matches!(&reading.target, Target::Value(other, _) if *other == column),
            )
        {
            values.push(at);
            self.last_value = Some(at);
            self.alternative = None;
            return;
        }
        if joins_last && self.conjunction == Some(Lexical::Or) {
            self.block(at, "alternatives in different columns have several readings");
        }
        let hint = self.subject.filter(|subject| {
            at - subject <= 3
                && matches!(self.target(*subject), Some(Target::Column(named)) if named.table == column.table
                    && self.mentions[at].readings.iter().any(|reading| {
                        matches!(&reading.target, Target::Value(other, _) if other == named)
                    }))
        });
        if let Some(hint) = hint {
            self.frame.outputs.retain(|output| *output != hint);
        }
        self.missing = None;
        if self.alternative.is_some() && joins_last {
            self.alternative = None;
        }
        if let Some(subject) = self.subject
            && at - subject <= 3
            && let Some(Target::Column(key)) = self.target(subject).cloned()
            && self.refers_to(key, column.table)
        {
            self.head_if_none(key.table, subject);
            self.frame.outputs.retain(|output| *output != subject);
        }
        if let Some(subject) = self.subject
            && at - subject <= 2
            && let Some(Target::Label(table)) = self.target(subject).cloned()
            && table == column.table
        {
            self.frame.outputs.retain(|output| *output != subject);
            self.head_if_none(table, subject);
        }
        let negated = (self.negated.take().is_some() || self.clause == Clause::Without)
            != self.mentions[at].negated;
        self.frame.conditions.push(Condition::Values { at: vec![at], negated, hint });
        self.last_value = Some(at);
        self.subject = None;
        self.conjunction = None;
        self.grouping = false;
        self.clause = Clause::Main;
    }

    /// Whether a table is one whose rows a comparison counts already.
    fn is_counted(&self, at: usize) -> bool {
        self.frame.conditions.iter().any(|condition| {
            matches!(condition, Condition::CountOf { at: counted, .. } if *counted == at)
        })
    }

    pub(super) fn head_if_none(&mut self, table: TableId, at: usize) {
        if self.frame.head.is_none() {
            self.frame.head = Some((table, at));
        }
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

    fn refers_to_own_table(&self, column: ColumnId) -> bool {
        let reference = self.catalog.reference(column);
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == reference.table
                && key.to_table == reference.table
                && key.from_columns.contains(&reference.column)
        })
    }

    fn is_date(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).data_type.is_temporal()
    }

    /// Mention before, leaving out words that add nothing.
    fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|&before| {
            let mention = &self.mentions[before];
            self.part(before) != Part::Lexical
                || !(mention.is(Lexical::Filler)
                    || mention.is(Lexical::Is)
                    || mention.is(Lexical::Of)
                    || mention.is(Lexical::EqualTo))
        })
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
        if let Some(at) = self.count.take()
            && self.frame.measures.is_empty()
        {
            let measure = Measure { target: MeasureTarget::Count(CountTarget::Head), at };
            self.frame.measures.push(measure);
        }
        if let Some((function, at)) = self.aggregates.pop()
            && self.frame.measures.is_empty()
        {
            self.frame.measures.push(Measure { target: MeasureTarget::Aggregate(function), at });
        }
        if let Some(at) = self.negated.take()
            && self.frame.blocked.is_empty()
        {
            self.frame.blocked.push(Blocked { at, reason: "it is not clear what is negated" });
        }
        if let Some(at) = self.missing.take() {
            self.block(at, "it is not clear what is missing");
        }
        if self.count.is_some() && !self.frame.measures.is_empty() {
            self.count = None;
        }
        let shown = std::mem::take(&mut self.described);
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
                self.frame.unread.push(at);
            }
        }
        self.frame.unread.sort_unstable();
        self.frame
    }
}

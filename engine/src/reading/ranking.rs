//! Ranking: superlatives, "top", "most", and the numbers that limit them.

use super::frame::{Condition, CountTarget, Measure, MeasureTarget, OrderSpec, Superlative};
use super::parse::Parser;
use super::part::Part;
use crate::linking::{ColumnId, Lexical, Mention, Named, TableId, Target};

impl Parser<'_> {
    pub(super) fn start_superlative(&mut self, at: usize, descending: bool, by_count: bool) {
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
        self.frame.superlative = Some(Superlative {
            limit,
            descending,
            at,
            by: None,
            roles: Vec::new(),
            concepts: Vec::new(),
            opposite: Vec::new(),
            figure: true,
            counted: false,
            by_count,
        });
    }

    pub(super) fn superlative(&mut self, at: usize, which: usize) {
        let Some(adjective) = self.lexicon.superlatives.get(which) else { return };
        let (descending, roles) = (adjective.descending, adjective.roles.clone());
        let (concepts, counted) = (adjective.concepts.clone(), adjective.counted);
        let (opposite, figure) = (adjective.opposite.clone(), adjective.figure);
        if self.ends_dates(at, descending) {
            return;
        }
        // "who sold the most in 2024": the year is that of what is recorded.
        if roles.is_empty() && !concepts.is_empty() {
            self.last_table = None;
        }
        self.frame.operation = true;
        let limit = self.take_number();
        let ranked = Superlative {
            limit,
            descending,
            at,
            by: None,
            roles,
            concepts,
            opposite,
            figure,
            counted,
            by_count: false,
        };
        if limit.is_none() && !counted && self.ranks_other_rows(&ranked) {
            return;
        }
        let Superlative { roles, concepts, opposite, .. } = ranked.clone();
        match &mut self.frame.superlative {
            Some(superlative) if superlative.roles.is_empty() && superlative.by.is_none() => {
                superlative.descending = descending;
                superlative.roles = roles;
                if counted || !concepts.is_empty() {
                    superlative.at = at;
                }
                superlative.concepts = concepts;
                superlative.counted = counted;
                superlative.opposite = opposite;
                superlative.figure = figure;
            }
            Some(_) => self.block(at, "two orders at once"),
            None => self.frame.superlative = Some(ranked),
        }
    }

    /// Whether "highest" ranks things by a figure that is computed: "the customer with the highest average total".
    pub(super) fn ranks_a_figure(&self, at: usize) -> bool {
        let figures = [Lexical::Sum, Lexical::Average];
        let next = (at + 1..self.mentions.len()).find(|next| {
            self.part(*next) != Part::Lexical || !self.mentions[*next].is(Lexical::Filler)
        });
        let computed = next.is_some_and(|next| {
            self.part(next) == Part::Lexical
                && figures.iter().any(|figure| self.mentions[next].is(*figure))
        });
        computed
            && self.frame.superlative.is_none()
            && (self.frame.head.is_some() || !self.frame.outputs.is_empty())
    }

    /// Takes an aggregate as what a superlative that waits for its measure ranks by.
    pub(super) fn rank_by_figure(&mut self, at: usize) -> bool {
        let [(function, said)] = self.aggregates.as_slice() else { return false };
        let (function, said) = (*function, *said);
        let Some(superlative) = &mut self.frame.superlative else { return false };
        let named_before = superlative.at < said && said - superlative.at <= 2;
        if superlative.by.is_some() || !superlative.roles.is_empty() || !named_before {
            return false;
        }
        superlative.by = Some(Measure { target: MeasureTarget::Aggregate(function), at });
        self.aggregates.clear();
        self.subject = Some(at);
        true
    }

    /// Refuses the most common of one thing as a condition on another: "customers with the most common policy".
    pub(super) fn block_nested_rank(&mut self) {
        let Some(superlative) = self.frame.superlative.as_ref().filter(|rank| rank.counted) else {
            return;
        };
        let at = superlative.at;
        let head = self.frame.head.map(|(_, at)| at);
        let things = || self.frame.outputs.iter().copied().chain(head);
        // "The total views of documents of the most popular type" says which rows are added up.
        let figure = self.frame.measures.iter().any(|measure| {
            matches!(measure.target, MeasureTarget::Aggregate(_)) && measure.at < at
        });
        if self.is_said_of_a_kind(at) {
            return;
        }
        if figure || things().any(|thing| thing < at) && things().any(|thing| thing > at) {
            self.block(at, "the most common of one thing within another takes two steps");
        }
    }

    /// "the hometown that is most common among gymnasts": the kind named before the verb is what is ranked, and the rows
    /// behind it are counted.
    fn is_said_of_a_kind(&self, at: usize) -> bool {
        let [kind] = self.frame.outputs.as_slice() else { return false };
        let is = at.checked_sub(1).is_some_and(|before| {
            let before = &self.mentions[before];
            let words = before.phrase.to_lowercase();
            let last = words.split(' ').next_back().unwrap_or_default();
            before.is(Lexical::Is)
                || before.is(Lexical::With) && self.lexicon.get(last).contains(&Lexical::Is)
        });
        let own = |column: &ColumnId| {
            let definition = self.catalog.column_at(*column);
            !definition.unique && !self.is_foreign(*column)
        };
        let kind_before =
            *kind < at && matches!(self.target(*kind), Some(Target::Column(column)) if own(column));
        is && kind_before
            && self.frame.measures.is_empty()
            && self.frame.groups.is_empty()
            && self.frame.head.is_none_or(|(_, head)| head > at)
    }

    pub(super) fn take_number(&mut self) -> Option<u32> {
        let at = self.number.take()?;
        let number = self.mentions[at].number.as_ref()?;
        if number.ordinal {
            self.block(at, "a single place of an order takes two steps");
        } else if number.percent {
            self.block(at, "a percentage of the rows takes two steps");
        }
        // In "lines 1 and 2 of the customer", 2 is not a limit.
        let of = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of));
        let one = |noun: &Mention| {
            let phrase = noun.phrase.to_lowercase();
            noun.lexical.is_empty()
                && wherefore_english::plural(&phrase) != phrase
                && !phrase.ends_with('s')
        };
        if of && self.mentions.get(at + 2).is_some_and(one) {
            self.frame.unread.push(at);
            return None;
        }
        let number = self.mentions[at].number.as_ref()?;
        number.value.parse::<u32>().ok().filter(|count| *count > 0)
    }

    pub(super) fn order_by(&mut self, at: usize) {
        let aggregate =
            self.aggregates.pop().map(|(function, _)| MeasureTarget::Aggregate(function));
        let counted = self
            .count
            .take()
            .map(|_| MeasureTarget::Count(CountTarget::Values { distinct: false }));
        let plain = aggregate.is_none() && counted.is_none();
        if let Some(measure) = self.dated_rows(at).filter(|_| plain) {
            self.order_by_measure(measure);
            return;
        }
        let target = aggregate.or(counted).unwrap_or(MeasureTarget::Own);
        self.order_by_measure(Measure { target, at });
    }

    /// "the most cancellations", "top 3 hotels by cancellations": the rows with this date are counted, and none is the
    /// latest.
    pub(super) fn dated_rows(&mut self, at: usize) -> Option<Measure> {
        let Some(Target::Column(column)) = self.target(at) else { return None };
        let column = *column;
        let waits = self.frame.superlative.as_ref().is_some_and(|first| first.by.is_none());
        let other = self.frame.head.is_some_and(|(head, _)| head != column.table);
        let several = self.mentions[at].phrase.to_lowercase().ends_with('s');
        if !waits || !other || !several || !self.catalog.column_at(column).data_type.is_temporal() {
            return None;
        }
        self.frame.conditions.push(Condition::Null { at, negated: true });
        Some(Measure { target: MeasureTarget::Count(CountTarget::Rows(column.table)), at })
    }

    pub(super) fn order_by_measure(&mut self, measure: Measure) {
        let at = measure.at;
        let stored = matches!(
            self.target(at),
            Some(Target::Column(_) | Target::Label(_) | Target::Table(_))
        );
        match &mut self.frame.superlative {
            Some(superlative) if superlative.by.is_none() => superlative.by = Some(measure),
            _ => {
                let plain = measure.target == MeasureTarget::Own && stored;
                if !plain && !self.frame.measures.contains(&measure) {
                    self.frame.measures.push(measure);
                }
                // "in descending order of beds": the direction was said first.
                if let Some(order) = self.frame.order.last_mut().filter(|order| order.at.is_none())
                {
                    order.at = Some(at);
                } else {
                    let order = OrderSpec { at: Some(at), ..OrderSpec::default() };
                    self.frame.order.push(order);
                }
            }
        }
        self.ordering = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::And))
            || self.orders_further(at);
        self.subject = Some(at);
    }

    /// Whether another column to order by follows behind "and" or a comma.
    pub(super) fn orders_further(&self, at: usize) -> bool {
        let Some(next) = self.mentions.get(at + 1) else { return false };
        let comma = next.tokens.start > self.mentions[at].tokens.end;
        let joins = [Lexical::And, Lexical::By, Lexical::Filler];
        let column = (at + 1..self.mentions.len()).find(|&further| {
            self.part(further) != Part::Lexical
                || !joins.iter().any(|kind| self.mentions[further].is(*kind))
        });
        (comma || next.is(Lexical::And))
            && column.is_some_and(|column| {
                self.part(column) == Part::Schema
                    && matches!(self.target(column), Some(Target::Column(_) | Target::Label(_)))
            })
    }

    /// Whether rows are shown by how many others they have: "customers by number of orders".
    pub(super) fn ranks_by_count(&self, at: usize) -> bool {
        let counted =
            self.mentions[at].is(Lexical::Count) || self.mentions[at].is(Lexical::CountNoun);
        self.part(at) == Part::Lexical
            && counted
            && self.frame.head.is_some()
            && self.frame.measures.is_empty()
            && self.frame.groups.is_empty()
            && self.frame.superlative.is_none()
    }

    /// Whether rows of a table are so many for each of those asked about that they are counted, not grouped by:
    /// "customers by orders".
    pub(super) fn is_counted_by(&self, table: TableId) -> bool {
        let many = self.frame.head.is_some_and(|(head, _)| {
            head != table
                && self.index.distance(head, table).is_some_and(|(joins, many)| joins == 1 && many)
                && self.index.distance(table, head).is_some_and(|(joins, many)| joins == 1 && !many)
        });
        many && self.count.is_none()
            && self.aggregates.is_empty()
            && self.frame.measures.is_empty()
            && self.frame.groups.is_empty()
    }

    /// Whether "by" says what else to order by: "ordered by ward and then by name".
    pub(super) fn continues_order(&self, at: usize) -> bool {
        let joins = [Lexical::And, Lexical::Ascending, Lexical::Descending, Lexical::Filler];
        let before = (0..at).rev().find(|&before| {
            self.part(before) != Part::Lexical
                || !joins.iter().any(|kind| self.mentions[before].is(*kind))
        });
        let last = self.frame.order.last().and_then(|order| order.at);
        before.is_some() && last == before
    }

    /// Whether a mention is what is computed or ordered by already ("quantity sold").
    pub(super) fn ordered_or_measured(&self, at: usize) -> bool {
        self.frame.measures.iter().any(|measure| measure.at == at)
            || self.frame.order.iter().any(|order| order.at == Some(at))
            || self
                .frame
                .superlative
                .as_ref()
                .and_then(|superlative| superlative.by.as_ref())
                .is_some_and(|by| by.at == at)
    }
}

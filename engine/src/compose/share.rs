//! Shares: a part as a percentage of the whole, with and without groups.

use wherefore_english::{and_list, or_list, plural};

use super::build::compose;
use super::context::{Composer, Failure};
use super::option::ignore_option;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{Decision, Relation};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, Predicate, QueryTree};
use crate::linking::{Lexical, Target};
use crate::narration::Describer;
use crate::reading::{Frame, Share};

/// Name of the output column.
const ALIAS: &str = "share_percent";

impl Composer<'_> {
    /// Query tree of a share: the counts or sums of the part, each divided by that of the whole.
    pub(super) fn share(&mut self, frame: &Frame, share: &Share) -> Result<QueryTree, Failure> {
        let plain = Frame { share: None, ..frame.clone() };
        let mut tree = compose(self, &plain)?;
        let aggregate = self.shared_aggregate(frame, &tree, share)?;
        let of = if share.part.is_empty() {
            if tree.group_by.is_empty() || self.drops_part(frame, share) {
                return Err(self.not_shared(frame, share));
            }
            self.note_share(&tree, share);
            Expression::ShareOfTotal { aggregate: Box::new(aggregate.clone()) }
        } else {
            let conditions = self.part(frame, &mut tree, share)?;
            if !tree.group_by.is_empty() {
                self.note_share(&tree, share);
            }
            Expression::Share { aggregate: Box::new(aggregate.clone()), conditions }
        };
        for item in tree.select.iter_mut().filter(|item| item.expression == aggregate) {
            item.expression = of.clone();
            item.alias = Some(ALIAS.to_owned());
        }
        for order in tree.order_by.iter_mut().filter(|order| order.expression == aggregate) {
            order.expression = of.clone();
        }
        Ok(tree)
    }

    /// The one count or sum of a tree.
    fn shared_aggregate(
        &self,
        frame: &Frame,
        tree: &QueryTree,
        share: &Share,
    ) -> Result<Expression, Failure> {
        let mut aggregates =
            tree.select.iter().map(|item| &item.expression).filter(|item| item.is_aggregate());
        let plain = tree.also.is_empty() && tree.having.is_empty() && !tree.distinct;
        match (aggregates.next(), aggregates.next()) {
            (Some(only @ Expression::Aggregate { function, .. }), None)
                if plain && matches!(function, Aggregate::Count | Aggregate::Sum) =>
            {
                Ok(only.clone())
            }
            _ => Err(self.not_shared(frame, share)),
        }
    }

    /// "Share of wounds healed by type": whether a participle behind the noun of the whole, which nothing else uses, could say
    /// the part.
    fn drops_part(&self, frame: &Frame, share: &Share) -> bool {
        let dropped = frame.by_class.iter().chain(&frame.linking);
        share.part.is_empty()
            && dropped.copied().any(|at| {
                let word = self.phrase(at).to_lowercase();
                let noun = at.checked_sub(1).and_then(|before| self.target(before));
                at > share.at
                    && matches!(noun, Some(Target::Table(_)))
                    && self.lexicon.may_be_past(&word)
                    && !self
                        .mentions
                        .get(at + 1)
                        .is_some_and(|next| next.is(Lexical::By) && self.names_an_agent(at + 2))
            })
    }

    /// Whether a mention names those who do something: "orders placed by customers".
    fn names_an_agent(&self, at: usize) -> bool {
        let Some(table) = self.target(at).and_then(|target| target.table()) else { return false };
        let last = self.schema.profile(table).stems.last();
        last.is_some_and(|last| self.lexicon.is_agent(last))
    }

    /// Takes the conditions of the part out of the tree, so that it reads all rows of the whole.
    fn part(
        &self,
        frame: &Frame,
        tree: &mut QueryTree,
        share: &Share,
    ) -> Result<Vec<Predicate>, Failure> {
        let mut apart = Composer {
            open: Vec::new(),
            given: Vec::new(),
            through: self.through.clone(),
            ..*self
        };
        let mut whole = compose(&mut apart, &frame.whole())?;
        if whole.from != tree.from {
            // The part has amounts of lines, so the whole has them too.
            apart.of_lines = true;
            whole = compose(&mut apart, &frame.whole())?;
        }
        let part: Vec<Predicate> =
            tree.filters.iter().filter(|filter| !whole.filters.contains(filter)).cloned().collect();
        let shown = |tree: &QueryTree| {
            tree.select.iter().map(|item| item.expression.clone()).collect::<Vec<_>>()
        };
        let same = tree.from == whole.from
            && tree.group_by == whole.group_by
            && shown(tree) == shown(&whole)
            && whole.filters.iter().all(|filter| tree.filters.contains(filter))
            && whole.joins.iter().all(|step| tree.joins.contains(step));
        if !same || part.is_empty() {
            return Err(self.not_shared(frame, share));
        }
        self.keep_rows(tree, &whole);
        tree.filters = whole.filters;
        Ok(part)
    }

    /// Keeps rows of the whole that lack what the part is told by.
    fn keep_rows(&self, tree: &mut QueryTree, whole: &QueryTree) {
        let mut optional: Vec<String> = Vec::new();
        for step in tree.joins.iter_mut().filter(|step| !whole.joins.contains(step)) {
            let from = step.from_columns.iter().map(|name| ColumnRef::new(&step.from_table, name));
            let nullable = from
                .into_iter()
                .any(|column| self.catalog.column(&column).is_none_or(|column| column.nullable));
            if nullable || optional.contains(&step.from_table) {
                step.outer = true;
                optional.push(step.to_table.clone());
            }
        }
    }

    /// Says what the groups are compared with.
    fn note_share(&mut self, tree: &QueryTree, share: &Share) {
        let groups = Describer { catalog: self.catalog }.groups(tree);
        let groups = if share.part.is_empty() {
            let all: Vec<String> = groups.iter().map(|group| plural(group)).collect();
            format!("of the total of all {}", and_list(&all))
        } else {
            format!("within each {}", and_list(&groups))
        };
        self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity: Severity::Minor,
            span: self.span(share.at),
            phrase: self.phrase(share.at).to_owned(),
            relation: Relation::Means,
            reason: "a share can be of each group or of all".to_owned(),
            options: vec![ignore_option(groups, "in percent")],
            recommended: None,
            custom: None,
        });
    }

    /// A share whose part is said by words that are not in this data: "share of beds that are free".
    pub(super) fn part_unknown(&self, frame: &Frame, at: usize) -> Failure {
        let words: Vec<String> =
            frame.unread.iter().map(|at| format!("“{}”", self.phrase(*at))).collect();
        let values = frame.unread.iter().flat_map(|at| self.values_for_unknown(*at));
        let values: Vec<String> = values.map(|(_, value)| format!("“{value}”")).collect();
        let hint = if values.is_empty() {
            "name the part by a column or a stored value".to_owned()
        } else {
            format!("name the part as it is stored: {}", or_list(&values))
        };
        self.fail(
            FailureCode::NotComposable,
            format!(
                "{} {} not in this data, so it is not clear what “{}” is a share of",
                and_list(&words),
                if words.len() == 1 { "is" } else { "are" },
                self.phrase(at)
            ),
            &hint,
            Some(at),
        )
    }

    fn not_shared(&self, frame: &Frame, share: &Share) -> Failure {
        if !frame.unread.is_empty() {
            return self.part_unknown(frame, share.at);
        }
        self.fail(
            FailureCode::NotComposable,
            format!("it is not clear what “{}” is a share of", self.phrase(share.at)),
            "name a part and the whole, such as the share of orders that are open",
            Some(share.at),
        )
    }
}

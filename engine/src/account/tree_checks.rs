//! Checks of a query tree against the question: what is said and missing, and what contradicts itself.

use super::exclusions::{excludes_dates, excludes_values};
use super::touched::Touched;
use super::tree_facts::TreeFacts;
use super::{Accounted, Doubt, DoubtKind};
use crate::catalog::Column;
use crate::data::Role;
use crate::intent::{Aggregate, Comparison, Expression, JoinStep, Literal, Predicate};
use crate::linking::{Lexical, Mention, Named, Target, words_of_identifier};
use crate::reading::{Condition, Part, says_same};

/// Words that compare.
const BOUNDS: [Lexical; 6] = [
    Lexical::AtLeast,
    Lexical::AtMost,
    Lexical::LessThan,
    Lexical::MoreThan,
    Lexical::OrLess,
    Lexical::OrMore,
];

/// Words that deny.
const DENIALS: [Lexical; 3] = [Lexical::Not, Lexical::NotEqualTo, Lexical::Without];

/// Words for one end of an order.
const ENDS: [Lexical; 4] = [Lexical::Bottom, Lexical::Fewest, Lexical::Most, Lexical::Top];

/// Whether a column holds times, or a text or number that is called so: `check_in_date`, `year`.
fn tells_time(column: &Column) -> bool {
    let named = words_of_identifier(&column.name);
    column.data_type.is_temporal()
        || ["date", "day", "month", "time", "year"]
            .iter()
            .any(|word| named.iter().any(|own| own == word))
}

fn says_still(mention: &Mention) -> bool {
    mention.phrase.to_lowercase().split(' ').any(|word| word == "still")
}

impl Accounted<'_> {
    /// Comparisons, ranks and negations that the query does not hold.
    pub(super) fn lost(&self, facts: &TreeFacts<'_>) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        // A comparison whose number is asked for may be left out.
        let asked =
            self.frame.conditions.iter().any(|known| matches!(known, Condition::Bound { .. }));
        if !facts.compares
            && !asked
            && let Some(at) = self.structure_word(&BOUNDS)
            && (!self.asks_for_some(at) || facts.exists.is_empty())
        {
            doubts.push(self.doubt(DoubtKind::ComparisonLost, at));
        }
        if let Some(at) = self.count_lost() {
            doubts.push(self.doubt(DoubtKind::ComparisonLost, at));
        }
        if let Some(at) = self.same_lost() {
            doubts.push(self.doubt(DoubtKind::ComparisonLost, at));
        }
        if let Some(at) = self.relation_lost() {
            doubts.push(self.doubt(DoubtKind::RelationLost, at));
        }
        let ranked = (0..self.mentions.len())
            .find(|at| matches!(self.parts.get(*at), Some(Part::Superlative(_))));
        if !facts.ranks
            && let Some(at) = ranked.or_else(|| self.structure_word(&ENDS))
        {
            doubts.push(self.doubt(DoubtKind::RankLost, at));
        }
        if let Some(at) = self.rank_of_unread(facts) {
            doubts.push(self.doubt(DoubtKind::RankLost, at));
        }
        if let Some(at) = self.age_of_a_count() {
            doubts.push(self.doubt(DoubtKind::RankLost, at));
        }
        if !facts.denies
            && !self.denies_a_word()
            && let Some(at) = self.structure_word(&DENIALS)
        {
            doubts.push(self.doubt(DoubtKind::NegationLost, at));
        }
        let conditions = self.tree.row_conditions().count() + self.tree.having.len();
        if conditions == 0
            && let Some(at) = self.mentions.iter().position(says_still)
        {
            doubts.push(self.doubt(DoubtKind::StateLost, at));
        }
        if self.asks_when() && !self.shows_a_time() {
            doubts.push(self.doubt(DoubtKind::DateLost, 0));
        }
        doubts
    }

    /// Whether a stored date is compared with a plain number.
    fn compares_a_date_with_a_number(&self) -> bool {
        let conditions = self.tree.filters.iter().chain(&self.tree.having);
        let read = conditions.fold(Touched::default(), Touched::predicate);
        read.conditions.iter().any(|condition| match condition {
            Predicate::Compare {
                left: Expression::Column { column },
                right: Literal::Number { .. },
                ..
            } => {
                let column = self.catalog.column(column);
                column.is_some_and(|column| column.data_type.is_temporal())
            }
            _ => false,
        })
    }

    /// A number of rows that is compared in the question, but not in the query.
    fn count_lost(&self) -> Option<usize> {
        let conditions = self.tree.row_conditions().chain(&self.tree.having);
        let also = self.tree.also.iter().flat_map(|also| also.filters.iter().chain(&also.having));
        let read = conditions.chain(also).fold(Touched::default(), Touched::predicate);
        self.frame.conditions.iter().find_map(|condition| match condition {
            Condition::CountOf { value, at, .. } if !read.numbers.contains(&value.as_str()) => {
                Some(*at)
            }
            _ => None,
        })
    }

    /// "The same city as" someone, where the query compares no rows.
    fn same_lost(&self) -> Option<usize> {
        let compared = self.frame.conditions.iter().any(|condition| {
            matches!(
                condition,
                Condition::Columns { .. }
                    | Condition::Row { .. }
                    | Condition::Same { .. }
                    | Condition::Shared { .. }
            )
        });
        let said = (0..self.mentions.len()).find(|at| {
            says_same(&self.mentions[*at].phrase) && self.parts.get(at + 1) == Some(&Part::Schema)
        })?;
        let than = self.mentions[said..]
            .iter()
            .any(|mention| mention.phrase.to_lowercase().split(' ').any(|word| word == "as"));
        // "Customers who have the same address"
        let had = said > 0 && self.mentions[said - 1].is(Lexical::With);
        ((than || had) && !compared).then_some(said)
    }

    /// "Employees who report to Ada", where the query asks for employees called Ada, and "which states does Ohio run
    /// through", where it asks for states called Ohio.
    fn relation_lost(&self) -> Option<usize> {
        let asked = self.schema.table(&self.tree.from).map(|table| (table, 0));
        let (head, rows) = self.frame.head.or(asked)?;
        let label = &self.schema.profile(head).label;
        let thing = |range: std::ops::Range<usize>| range.filter(|at| !self.is_structure(*at));
        let object = self.frame.linking.iter().copied().find(|verb| {
            let named = thing(verb + 1..self.mentions.len()).next();
            rows < *verb
                && named.is_some_and(|at| {
                    matches!(self.target(at), Some(Target::Value(column, _))
                        if label.contains(column))
                })
        });
        let conditions = self.tree.row_conditions();
        let read = conditions.fold(Touched::default(), Touched::predicate);
        let called = read.conditions.iter().any(|condition| match condition {
            Predicate::OneOf { column, .. } => {
                self.schema.column(self.catalog, column).is_some_and(|of| label.contains(&of))
            }
            _ => false,
        });
        let does = |mut range: std::ops::Range<usize>| range.any(|at| self.mentions[at].has_do());
        let mut verbs = self.frame.linking.iter().chain(&self.frame.by_class).copied();
        object.or_else(|| {
            verbs.find(|verb| {
                let subject = thing(0..*verb).next_back().filter(|at| *at != rows);
                called
                    && does(0..*verb)
                    && subject.is_some_and(|at| matches!(self.target(at), Some(Target::Value(..))))
            })
        })
    }

    /// "The youngest" where the query ranks by a number of rows, which has no age.
    fn age_of_a_count(&self) -> Option<usize> {
        let superlative = self.frame.superlative.as_ref()?;
        let aged = superlative.roles.contains(&Role::BirthDate)
            || superlative.opposite.contains(&Role::Age);
        let first = self.tree.order_by.first().map(|order| &order.expression);
        let counts =
            matches!(first, Some(Expression::Aggregate { function: Aggregate::Count, .. }));
        (aged && counts).then_some(superlative.at)
    }

    fn asks_when(&self) -> bool {
        let first = self.mentions.first().map(|mention| mention.phrase.to_lowercase());
        first.is_some_and(|first| first.split(' ').next() == Some("when"))
    }

    fn shows_a_time(&self) -> bool {
        self.tree.select.iter().any(|item| {
            let shown = Touched::default().expression(&item.expression);
            let kept = shown.columns.iter().filter_map(|column| self.catalog.column(column));
            !shown.grains.is_empty() || !shown.computes && kept.into_iter().any(tells_time)
        })
    }

    /// Whether a condition holds a negation that the query does not show: a flag that is not set is compared with its
    /// stored value, and "not unpaid" is paid.
    fn denies_a_word(&self) -> bool {
        let negative = |at: usize| self.mentions.get(at).is_some_and(|mention| mention.negated);
        self.frame.conditions.iter().any(|condition| match condition {
            Condition::Set { at, negated } => *negated != negative(*at),
            Condition::Values { at, negated, .. } => at.iter().any(|at| *negated != negative(*at)),
            // "without a discount": the number is zero, which no word says.
            Condition::Compare { operator: Comparison::Equal, column, at, .. } => {
                *column == Some(*at)
            }
            _ => false,
        })
    }

    /// Tables whose rows are asked for in a second sentence or beside others, and that no part of the query reads.
    pub(super) fn unread_tables(&self, facts: &TreeFacts<'_>) -> Vec<Doubt> {
        let unread = self.frame.related.iter().filter(|related| {
            let key = self.schema.profile(related.table).key.as_str();
            let listed = (0..related.at).rev().find(|at| !self.mentions[*at].is(Lexical::Filler));
            let listed = listed
                .is_some_and(|at| self.is_structure(at) && self.mentions[at].is(Lexical::List));
            listed && !facts.tables.contains(key)
        });
        let shown =
            self.frame.output_tables.iter().filter(|(table, _)| {
                !facts.tables.contains(self.schema.profile(*table).key.as_str())
            });
        let asked = self.second_who().filter(|_| facts.tables.len() == 1);
        let unread = unread.map(|related| related.at).chain(shown.map(|(_, at)| *at)).chain(asked);
        let unread = unread.chain(self.unread_compound(facts));
        unread.map(|at| self.doubt(DoubtKind::RowsUnread, at)).collect()
    }

    /// "warehouse staff": the rows that the last word of a compound names.
    fn unread_compound(&self, facts: &TreeFacts<'_>) -> Option<usize> {
        let table = |at: usize| match self.target(at) {
            Some(Target::Table(table)) if !self.is_structure(at) => Some(*table),
            _ => None,
        };
        let whole = |at: usize| {
            let first = self.mentions[at].readings.first();
            first.is_some_and(|first| first.method.is_whole())
        };
        (1..self.mentions.len()).find(|at| {
            let beside = self.mentions[at - 1].tokens.end == self.mentions[*at].tokens.start;
            let named = table(*at)
                .filter(|_| beside && whole(*at) && whole(at - 1) && table(at - 1).is_some());
            named.is_some_and(|named| {
                !facts.tables.contains(self.schema.profile(named).key.as_str())
            })
        })
    }

    /// "what was the largest invoice and who was it for": the word for the persons that are asked for besides.
    fn second_who(&self) -> Option<usize> {
        let word = |at: usize, words: &[&str]| {
            let phrase = self.mentions[at].phrase.to_lowercase();
            phrase.split(' ').any(|word| words.contains(&word))
        };
        (1..self.mentions.len()).find(|at| {
            let asks = word(*at, &["who", "whom", "whose"]) && word(at - 1, &["and"]);
            asks && (*at..self.mentions.len()).any(|behind| word(behind, &["it", "that", "this"]))
        })
    }

    /// Parts of the query that contradict each other or repeat.
    pub(super) fn contradictions(&self, facts: &TreeFacts<'_>) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        if excludes_dates(self.tree) {
            let second = self.frame.times.get(1);
            let span = second.and_then(|time| Some(self.mentions.get(time.at)?.span));
            doubts.push(Doubt { kind: DoubtKind::DatesExclude, span });
        }
        if excludes_values(self.tree) {
            doubts.push(Doubt { kind: DoubtKind::ValuesExclude, span: None });
        }
        if self.counts_one() {
            doubts.push(Doubt { kind: DoubtKind::CountsOne, span: None });
        }
        if self.tree.filters.iter().any(|filter| self.is_never_empty(filter)) {
            doubts.push(Doubt { kind: DoubtKind::NeverEmpty, span: None });
        }
        if self.compares_a_date_with_a_number() {
            doubts.push(Doubt { kind: DoubtKind::DateCompared, span: None });
        }
        let contradicted = facts
            .exists
            .iter()
            .any(|joins| facts.missing.iter().any(|missing| joins.first() == missing.first()));
        // "Patients with only healed wounds": there are some, and none of another kind.
        if contradicted && self.frame.universal.is_none() {
            doubts.push(Doubt { kind: DoubtKind::ExistsContradicted, span: None });
        }
        let impossible = |joins: &&[JoinStep]| {
            !joins.is_empty() && joins.iter().all(|step| self.refers_to_one(step))
        };
        if facts.several.iter().any(impossible) {
            let counted = self.frame.conditions.iter().find_map(|condition| match condition {
                Condition::CountOf { at, .. } => Some(*at),
                _ => None,
            });
            doubts.push(Doubt {
                kind: DoubtKind::CountImpossible,
                span: counted.and_then(|at| Some(self.mentions.get(at)?.span)),
            });
        }
        // "Both dogs and cats with diabetes": the word says what the condition holds for.
        let attaches = self.frame.coordination.is_some_and(|listed| listed.attachment.is_some());
        // "Wineries making both …" are groups that must have all of the values.
        let has_all = |condition: &Predicate| {
            matches!(
                condition,
                Predicate::Compare {
                    left: Expression::Aggregate { function: Aggregate::Count, distinct: true, .. },
                    operator: Comparison::Equal,
                    ..
                }
            )
        };
        if facts.one_of_several
            && !self.tree.having.iter().any(has_all)
            && !attaches
            && let Some(at) = self.structure_word(&[Lexical::Both])
            && !self.mentions.iter().any(|mention| mention.is(Lexical::Or))
        {
            doubts.push(self.doubt(DoubtKind::BothOfOneValue, at));
        }
        let select = &self.tree.select;
        let twice = select.iter().enumerate().any(|(at, one)| {
            select[at + 1..].iter().any(|other| one.expression == other.expression)
        });
        if twice {
            doubts.push(Doubt { kind: DoubtKind::ShownTwice, span: None });
        }
        doubts
    }

    /// Whether a condition asks for rows without a date that every row has. A table without any column that may be empty
    /// comes from a catalog that does not tell which may be.
    fn is_never_empty(&self, condition: &Predicate) -> bool {
        let Predicate::IsNull { column, negated: false } = condition else { return false };
        self.schema.column(self.catalog, column).is_some_and(|id| {
            let definition = self.catalog.column_at(id);
            let columns = &self.catalog.table_at(id.table).columns;
            column.table == self.tree.from
                && !definition.nullable
                && definition.data_type.is_temporal()
                && columns.iter().any(|column| column.nullable)
        })
    }

    /// Whether a join leads along a foreign key to the row that it refers to.
    pub(super) fn refers_to_one(&self, step: &JoinStep) -> bool {
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == step.from_table
                && key.to_table == step.to_table
                && key.from_columns == step.from_columns
        })
    }

    /// "Who assessed the latest wound": a superlative right before the noun of rows that no part of the query reads.
    fn rank_of_unread(&self, facts: &TreeFacts<'_>) -> Option<usize> {
        (0..self.mentions.len()).find(|at| {
            let ranked = matches!(self.parts.get(*at), Some(Part::Superlative(_)));
            let noun = self.mentions.get(at + 1).filter(|next| {
                next.tokens.start == self.mentions[*at].tokens.end && next.lexical.is_empty()
            });
            let rows = noun.and_then(|noun| match noun.readings.first()?.target {
                Target::Table(table) => Some(self.schema.profile(table).key.as_str()),
                _ => None,
            });
            ranked && rows.is_some_and(|rows| !facts.tables.contains(rows))
        })
    }

    /// "At least a member", "one or more members": a bound that there are rows, without another number beside it.
    fn asks_for_some(&self, at: usize) -> bool {
        let number = |mention: &Mention| mention.number.as_ref().map(|number| number.value.clone());
        let before = at.checked_sub(1).and_then(|before| number(&self.mentions[before]));
        let behind = self.mentions.get(at + 1).and_then(number);
        let bound = &self.mentions[at];
        bound.is(Lexical::AtLeast) && behind.is_none()
            || bound.is(Lexical::OrMore) && before.as_deref() == Some("1")
    }

    /// First mention whose only parts as a structure word are among these.
    fn structure_word(&self, kinds: &[Lexical]) -> Option<usize> {
        (0..self.mentions.len()).find(|&at| {
            let lexical = &self.mentions[at].lexical;
            self.is_structure(at)
                && !lexical.is_empty()
                && lexical.iter().all(|kind| kinds.contains(kind))
        })
    }

    pub(super) fn doubt(&self, kind: DoubtKind, at: usize) -> Doubt {
        Doubt { kind, span: self.mentions.get(at).map(|mention| mention.span) }
    }
}

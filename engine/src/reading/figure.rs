//! Comparisons with a figure of a column: "above the average", "cheaper than the highest price".

use super::columns::OWN;
use super::frame::{Condition, TableUse};
use super::function::function;
use super::parse::Parser;
use super::part::Part;
use super::same_as::says_same;
use crate::intent::{Aggregate, Comparison};
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

const OTHER_ROWS: &str = "a comparison with a figure of other rows takes two steps";

/// Words after which another part of the question begins.
pub(super) const ENDS: [Lexical; 5] =
    [Lexical::And, Lexical::Order, Lexical::Ascending, Lexical::Descending, Lexical::List];

impl Parser<'_> {
    /// Reads the figure behind the operator at `at`, and gives back where to go on; none where none stands there.
    pub(super) fn against_figure(&mut self, at: usize, operator: Comparison) -> Option<usize> {
        // "Above the overall average".
        let figure = self.behind(at + 1, &[Lexical::Filler, Lexical::Sum]);
        let function = self.figure(figure)?;
        let mut next =
            self.behind(figure + 1, &[Lexical::Filler, Lexical::Of, Lexical::Everything]);
        let compared = self.before(at).filter(|before| self.subject == Some(*before));
        let said = compared.filter(|before| self.number_column(*before).is_some());
        let named = self.number_column(next);
        if named.is_some() {
            next += 1;
        }
        let column = match (said, named) {
            (Some(said), Some(named)) if self.number_column(said) != Some(named) => {
                self.block(figure, "a comparison with a figure of another column takes two steps");
                return Some(next);
            }
            (Some(said), _) => Some(said),
            (None, Some(_)) => Some(next - 1),
            (None, None) => None,
        };
        let counts = self.part(next) == Part::Lexical
            && self.mentions.get(next).is_some_and(|next| next.is(Lexical::Count));
        if column.is_none() && counts {
            self.block(figure, "a comparison with a figure of counts takes two steps");
            return Some(next);
        }
        if let Some(next) = self.against_mean(at, (operator, function), figure, next) {
            return Some(next);
        }
        let computed = |at: usize| self.frame.measures.iter().any(|measure| measure.at == at);
        if compared.is_some_and(computed) || !self.aggregates.is_empty() {
            self.block(figure, "comparing two figures takes two steps");
            return Some(next);
        }
        let (next, same) = match self.same_rows_of_figure((figure + 1, next), column) {
            Some((next, same)) => (next, Some(same)),
            None => (self.rows_of_figure((figure, next), column, named.is_some()), None),
        };
        if let Some(said) = said {
            self.frame.outputs.retain(|output| *output != said);
        }
        let operator = self.after_negation(operator);
        let roles = self.compared_roles(figure);
        self.frame.conditions.push(Condition::Figure {
            column,
            operator,
            function,
            at: figure,
            roles,
            same,
            rows: Vec::new(),
        });
        Some(next)
    }

    /// "the average of their department", "in the same category": what the rows share that a figure is computed of, and
    /// the place behind it.
    fn same_rows_of_figure(
        &self,
        (from, at): (usize, usize),
        column: Option<usize>,
    ) -> Option<(usize, (Vec<ColumnId>, usize))> {
        let table = column.and_then(|column| self.number_column(column)).map(|column| column.table);
        let table = table.or(self.frame.head.map(|(head, _)| head))?;
        let skipped =
            |at: &usize| self.part(*at) == Part::Lexical || says_same(&self.mentions[*at].phrase);
        let behind = |at: usize| at + (at..self.mentions.len()).take_while(skipped).count();
        let noun = behind(at.max(behind(from)));
        let owned = (from..noun).any(|between| {
            let phrase = self.mentions[between].phrase.to_lowercase();
            phrase.split(' ').any(|word| OWN.contains(&word)) || says_same(&phrase)
        });
        let shared = self.shared_columns(table, noun).filter(|_| owned)?;
        Some((noun + 1, (shared, noun)))
    }

    /// Place behind the rows that a figure is computed of; what is said behind them is noted as said of them, or behind
    /// the column where that is named again.
    fn rows_of_figure(
        &mut self,
        (figure, at): (usize, usize),
        column: Option<usize>,
        repeated: bool,
    ) -> usize {
        let named = column.and_then(|column| self.number_column(column)).map(|column| column.table);
        let table = named.or(self.frame.head.map(|(head, _)| head));
        let links = [Lexical::Of, Lexical::In, Lexical::Everything, Lexical::Filler];
        let noun = self.behind(at, &links);
        if let Some(rows) = self.rows_behind(noun, table) {
            self.said_of_figure.push((figure, rows));
            return if rows > noun { rows } else { at };
        }
        let of = self.mentions[figure..noun].iter().any(|said| {
            let phrase = said.phrase.to_lowercase();
            said.is(Lexical::Of) || phrase.ends_with(" of") || phrase.ends_with(" of the")
        });
        let others = matches!(self.target(noun), Some(Target::Table(_) | Target::Value(..)));
        if noun > at && repeated && others {
            self.said_of_figure.push((figure, at));
        } else if of && others && self.part(noun) == Part::Schema {
            self.block(noun, OTHER_ROWS);
        }
        at
    }

    /// Place from which rows of a table are told of: behind their noun, or where adjectives begin that stand before it.
    fn rows_behind(&self, noun: usize, table: Option<TableId>) -> Option<usize> {
        let names = |at: usize| {
            self.part(at) == Part::Schema
                && matches!(self.target(at), Some(Target::Table(of)) if Some(*of) == table)
        };
        if names(noun) {
            return Some(noun + 1);
        }
        let describes = |at: usize| match self.target(at) {
            Some(Target::Value(..)) => self.part(at) == Part::Schema,
            Some(Target::Column(column)) => self.catalog.column_at(*column).is_flag(),
            _ => false,
        };
        let behind = noun + (noun..self.mentions.len()).take_while(|at| describes(*at)).count();
        (behind > noun && names(behind)).then_some(noun)
    }

    /// "Than all products in Wine", "than some instructor in Biology": the highest or the lowest of these rows; gives
    /// back where to go on.
    pub(super) fn against_each(&mut self, at: usize, operator: Comparison) -> Option<usize> {
        let said = self.before(at).filter(|before| self.subject == Some(*before));
        let said = said.filter(|before| self.number_column(*before).is_some());
        let computed = |at: usize| self.frame.measures.iter().any(|measure| measure.at == at);
        if !self.aggregates.is_empty() || said.is_some_and(computed) {
            return None;
        }
        let mut word = self.behind(at + 1, &[Lexical::Filler, Lexical::Of, Lexical::Where]);
        if said.is_some_and(|said| self.number_column(said) == self.number_column(word)) {
            word = self.behind(word + 1, &[Lexical::Filler, Lexical::Of]);
        }
        let phrase = self.mentions.get(word)?.phrase.to_lowercase();
        let phrase = phrase.strip_prefix("of ").unwrap_or(&phrase);
        let every = ["all", "all the", "all of the", "every", "each"].contains(&phrase);
        if !every && !["some", "at least one"].contains(&phrase) {
            return None;
        }
        let noun = self.behind(word + 1, &[Lexical::Filler, Lexical::Of, Lexical::Everything]);
        let table = said.and_then(|said| self.number_column(said)).map(|column| column.table);
        let table = table.or(self.frame.head.map(|(head, _)| head));
        let named = matches!(self.target(noun), Some(Target::Value(column, _)) if Some(column.table) == table);
        let rows = self.rows_behind(noun, table).or(named.then_some(noun))?;
        let above = matches!(operator, Comparison::Greater | Comparison::GreaterOrEqual);
        let below = matches!(operator, Comparison::Less | Comparison::LessOrEqual);
        if !above && !below || self.negated.is_some() {
            return None;
        }
        let function = if every == above { Aggregate::Maximum } else { Aggregate::Minimum };
        self.frame.outputs.retain(|output| Some(*output) != said);
        let roles = self.compared_roles(at + 1);
        self.frame.conditions.push(Condition::Figure {
            column: said,
            operator,
            function,
            at: word,
            roles,
            same: None,
            rows: Vec::new(),
        });
        self.said_of_figure.push((word, rows));
        Some(rows)
    }

    /// Puts what is said of the rows of a figure on them; blocks where something else is said there.
    pub(super) fn finish_figures(&mut self) {
        for (figure, from) in std::mem::take(&mut self.said_of_figure) {
            let ends = |at: &usize| {
                let mention = &self.mentions[*at];
                self.part(*at) == Part::Lexical
                    && (mention.is(Lexical::Or) || ENDS.iter().any(|kind| mention.is(*kind)))
            };
            let end = (from..self.mentions.len()).find(ends).unwrap_or(self.mentions.len());
            let within = |at: &usize| (from..end).contains(at);
            let conditions = self.frame.conditions.iter().map(Condition::at);
            let times = self.frame.times.iter().map(|time| time.at);
            let said: Vec<usize> =
                conditions.chain(times).filter(|at| *at != figure && within(at)).collect();
            let more = (from..end).any(|at| self.part(at) != Part::Lexical);
            let other = self.frame.vague.iter().any(|term| within(&term.at))
                || self.frame.outputs.iter().any(within)
                || self.frame.measures.iter().any(|measure| within(&measure.at))
                || self.frame.unread.iter().any(within)
                || self.frame.conditions.iter().any(|condition| {
                    within(&condition.at())
                        && matches!(
                            condition,
                            Condition::CountOf { .. } | Condition::Measure { .. }
                        )
                })
                || self
                    .frame
                    .related
                    .iter()
                    .any(|related| within(&related.at) && related.how == TableUse::Without);
            if other || more && said.is_empty() {
                self.block(from.min(end.saturating_sub(1)), OTHER_ROWS);
                continue;
            }
            let (leading, related) = std::mem::take(&mut self.frame.related)
                .into_iter()
                .partition::<Vec<_>, _>(|related| within(&related.at));
            self.frame.related = related;
            self.frame.leading.extend(leading.iter().map(|related| (related.table, related.at)));
            for condition in &mut self.frame.conditions {
                if let Condition::Figure { at, rows, .. } = condition
                    && *at == figure
                {
                    rows.clone_from(&said);
                }
            }
        }
    }

    /// Place of the next mention that is none of these structure words.
    pub(super) fn behind(&self, at: usize, kinds: &[Lexical]) -> usize {
        let skipped = |at: &usize| {
            let mention = &self.mentions[*at];
            self.part(*at) == Part::Lexical
                && mention.lexical.iter().all(|kind| kinds.contains(kind))
        };
        at + (at..self.mentions.len()).take_while(skipped).count()
    }

    /// Figure that a mention names.
    fn figure(&self, at: usize) -> Option<Aggregate> {
        let mention = self.mentions.get(at)?;
        let named = matches!(self.part(at), Part::Lexical | Part::Superlative(_));
        match function(self.lexicon, mention).filter(|_| named)? {
            Lexical::Average if mention.is(Lexical::Median) => None,
            Lexical::Average => Some(Aggregate::Average),
            Lexical::Maximum => Some(Aggregate::Maximum),
            Lexical::Minimum => Some(Aggregate::Minimum),
            _ => None,
        }
    }

    /// Column of numbers that a mention means.
    fn number_column(&self, at: usize) -> Option<ColumnId> {
        match self.target(at) {
            Some(Target::Column(column))
                if self.part(at) == Part::Schema
                    && self.catalog.column_at(*column).data_type.is_numeric()
                    && !self.is_foreign(*column) =>
            {
                Some(*column)
            }
            _ => None,
        }
    }
}

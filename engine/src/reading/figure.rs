//! Comparisons with a figure of a column: "above the average", "cheaper than the highest price".

use super::columns::OWN;
use super::frame::Condition;
use super::function::function;
use super::parse::Parser;
use super::part::Part;
use super::same_as::says_same;
use crate::intent::{Aggregate, Comparison};
use crate::linking::{ColumnId, Lexical, Named, Target};

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
            None => (self.rows_of_figure(figure, next, column), None),
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

    /// Place behind the rows that a figure is computed of; blocks where they are only some of those there are.
    fn rows_of_figure(&mut self, figure: usize, at: usize, column: Option<usize>) -> usize {
        let table = column.and_then(|column| self.number_column(column)).map(|column| column.table);
        let table = table.or(self.frame.head.map(|(head, _)| head));
        let links = [Lexical::Of, Lexical::In, Lexical::Everything, Lexical::Filler];
        let noun = self.behind(at, &links);
        let rows = matches!(self.target(noun), Some(Target::Table(of)) if Some(*of) == table);
        if !rows || self.part(noun) != Part::Schema {
            let mut said = self.mentions[figure..noun].iter();
            let of = said.any(|said| {
                let phrase = said.phrase.to_lowercase();
                said.is(Lexical::Of) || phrase.ends_with(" of") || phrase.ends_with(" of the")
            });
            let others = matches!(self.target(noun), Some(Target::Table(_) | Target::Value(..)));
            if of && others && self.part(noun) == Part::Schema {
                self.block(noun, "a comparison with a figure of other rows takes two steps");
            }
            return at;
        }
        let follower = noun + 1;
        let ends = match self.mentions.get(follower) {
            Some(mention) => {
                self.part(follower) == Part::Lexical && ENDS.iter().any(|kind| mention.is(*kind))
            }
            None => true,
        };
        if !ends {
            self.block(follower, "a comparison with a figure of other rows takes two steps");
        }
        follower
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

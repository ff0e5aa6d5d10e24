//! Alternatives: values of one column that are said of one row apart from each other.
//!
//! "All dogs and also all cats in Linz": no row is both, so that rows of either are meant.

use super::attachment::places;
use super::frame::{Attachment, Condition, Coordination};
use super::parse::Parser;
use super::part::Part;
use crate::intent::Comparison;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

/// Most foreign keys followed up from the rows asked about.
const STEPS: usize = 3;

/// A condition that names one value: its position, its mention, and what it says.
type Said = (usize, usize, ColumnId, String);

impl Parser<'_> {
    /// Puts values that exclude each other together, and says what holds for which, where the words say so.
    pub(super) fn join_alternatives(&mut self) -> Option<Coordination> {
        let (one, other) = self.excluding()?;
        let (first, last) = (self.frame.conditions[one].at(), self.frame.conditions[other].at());
        let places: Vec<usize> = places(&self.frame);
        let within = |place: &&usize| **place > first && **place < last;
        let between: Vec<usize> = places.iter().filter(within).copied().collect();
        let trailing = places.iter().any(|place| *place > last);
        let shared = (first..self.mentions.len()).any(|at| self.refers_back(at));
        let adjoins = between.iter().all(|place| {
            (*place + 1..last).all(|at| !self.joins(at))
                && (first + 1..*place).any(|at| self.joins(at))
        });
        if !between.is_empty() && !shared && (trailing || !adjoins) {
            self.block(last, "two kinds of rows, each with conditions of its own, take two steps");
            return None;
        }
        self.frame.conditions.remove(other);
        if let Some(Condition::Values { at, .. }) = self.frame.conditions.get_mut(one) {
            at.push(last);
        }
        let attachment = if shared { Attachment::All } else { Attachment::Nearest };
        (!between.is_empty()).then_some(Coordination {
            first,
            last,
            tables: None,
            leads: false,
            attachment: Some(attachment),
        })
    }

    /// Columns that only say what a value beside them is of are not shown: "products from the CD format".
    pub(super) fn hide_said_columns(&mut self) {
        let hidden: Vec<(usize, TableId)> = self
            .frame
            .outputs
            .iter()
            .filter_map(|output| match self.target(*output) {
                Some(Target::Column(column)) => Some((*output, *column)),
                _ => None,
            })
            .filter(|(output, column)| self.is_fixed(*column) && self.only_says(*output, *column))
            .map(|(output, column)| (output, column.table))
            .collect();
        for (output, table) in hidden {
            self.frame.outputs.retain(|other| *other != output);
            self.head_if_none(table, output);
        }
    }

    /// Whether a column has one value in all rows asked for.
    fn is_fixed(&self, column: ColumnId) -> bool {
        self.frame.conditions.iter().any(|condition| match condition {
            Condition::Values { at, negated: false, .. } => match at.as_slice() {
                [at] => matches!(self.target(*at), Some(Target::Value(of, _)) if *of == column),
                _ => false,
            },
            Condition::Compare { column: Some(of), operator: Comparison::Equal, .. } => {
                self.target(*of) == Some(&Target::Column(column))
            }
            _ => false,
        })
    }

    /// Whether a column stands where something is said of rows, and not where things to show are named.
    fn only_says(&self, at: usize, column: ColumnId) -> bool {
        let Some(before) = self.before_all(at) else { return false };
        let mention = &self.mentions[before];
        match self.part(before) {
            Part::Schema => {
                matches!(self.target(before), Some(Target::Value(of, _)) if *of == column)
            }
            Part::Lexical => {
                [Lexical::Where, Lexical::With, Lexical::In].iter().any(|kind| mention.is(*kind))
                    && !mention.is(Lexical::List)
            }
            _ => false,
        }
    }

    /// Two conditions on one column of the rows asked about that no row meets both, joined as two things to show.
    fn excluding(&self) -> Option<(usize, usize)> {
        let single = |condition: &Condition| match condition {
            Condition::Values { at, negated: false, hint: None } => match at.as_slice() {
                [at] => self.target(*at).cloned().map(|target| (*at, target)),
                _ => None,
            },
            _ => None,
        };
        let values: Vec<Said> = self
            .frame
            .conditions
            .iter()
            .enumerate()
            .filter_map(|(position, condition)| match single(condition)? {
                (at, Target::Value(column, value)) => Some((position, at, column, value)),
                _ => None,
            })
            .collect();
        let excludes = |(one, other): (&Said, &Said)| {
            let apart = (one.1 + 1..other.1).any(|at| self.joins(at));
            let said = one.2 == other.2 && one.3 != other.3;
            (apart && said && self.is_single(one.2.table)).then_some((one.0, other.0))
        };
        values.iter().enumerate().find_map(|(position, one)| {
            values[position + 1..].iter().find_map(|other| excludes((one, other)))
        })
    }

    /// Whether each row asked about has at most one row of a table, in one way only.
    fn is_single(&self, table: TableId) -> bool {
        let asked: Vec<TableId> = match self.frame.head {
            Some((head, _)) => vec![head],
            None => self.frame.outputs.iter().filter_map(|at| self.target(*at)?.table()).collect(),
        };
        asked.iter().all(|from| self.leads_up(*from, table, STEPS))
    }

    fn leads_up(&self, from: TableId, to: TableId, steps: usize) -> bool {
        if from == to {
            return true;
        }
        let (key, wanted) = (self.catalog.table_at(from).key(), self.catalog.table_at(to).key());
        let own: Vec<&str> = self
            .catalog
            .foreign_keys
            .iter()
            .filter(|foreign| foreign.from_table == key && foreign.to_table != key)
            .map(|foreign| foreign.to_table.as_str())
            .collect();
        match own.iter().filter(|parent| **parent == wanted).count() {
            0 if steps > 1 => self.catalog.tables.iter().enumerate().any(|(position, table)| {
                let parent = TableId(u16::try_from(position).unwrap_or(u16::MAX));
                own.contains(&table.key().as_str()) && self.leads_up(parent, to, steps - 1)
            }),
            count => count == 1,
        }
    }

    /// Words between two things that are asked for one beside the other.
    fn joins(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        self.part(at) == Part::Lexical
            && [Lexical::And, Lexical::Also, Lexical::List].iter().any(|kind| mention.is(*kind))
            && !mention.is(Lexical::Both)
    }

    /// "the same", "both", "their": what was said of the one is said of the other.
    fn refers_back(&self, at: usize) -> bool {
        let phrase = self.mentions[at].phrase.to_lowercase();
        phrase
            .split(' ')
            .any(|word| ["same", "both", "either", "his", "her", "its", "their"].contains(&word))
    }
}

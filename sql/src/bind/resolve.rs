//! Name resolution of columns.

use super::{Bound, Clause, ColumnPlace, Context, Meaning};
use crate::Dialect;
use crate::names::matches;
use crate::tree::Identifier;

/// Range of the sources of a SELECT that are visible to a name: from `first` up to, but not including, `end`.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) first: usize,
    pub(super) end: usize,
}

impl Bound<'_> {
    /// Resolves `name` or `qualifier.name`, from the innermost SELECT outwards.
    pub(super) fn resolve(
        &self,
        qualifier: Option<&Identifier>,
        name: &Identifier,
        place: Context,
        reach: Reach,
        is_bare: bool,
    ) -> Meaning {
        match qualifier {
            Some(source) => self.qualified(source, name, place.block, reach),
            None => self.bare(name, place, reach, is_bare),
        }
    }

    /// Index of the source with this name in a SELECT.
    pub fn source_called(&self, block: usize, name: &Identifier) -> Option<usize> {
        let sources = &self.blocks.get(block)?.sources;
        sources
            .iter()
            .position(|source| source.name.is_some_and(|own| same_name(name, own, self.dialect)))
    }

    fn qualified(
        &self,
        source: &Identifier,
        name: &Identifier,
        block: usize,
        reach: Reach,
    ) -> Meaning {
        let Some(here) = self.blocks.get(block) else { return Meaning::UnknownSource };
        let within = (reach.first..reach.end.min(here.sources.len())).find(|at| {
            here.sources[*at].name.is_some_and(|own| same_name(source, own, self.dialect))
        });
        if let Some(at) = within {
            let columns = &here.sources[at].columns;
            return match columns.find(name, self.dialect) {
                Some(column) => Meaning::Column(ColumnPlace { block, source: at, column }),
                None if matches!(columns, super::Columns::Open) => Meaning::Open,
                None => Meaning::UnknownColumn,
            };
        }
        if self.source_called(block, source).is_some() {
            return Meaning::UnreachableSource;
        }
        match here.parent {
            Some(parent) => self.qualified(source, name, parent, self.all_of(parent)),
            None => Meaning::UnknownSource,
        }
    }

    fn all_of(&self, block: usize) -> Reach {
        Reach { first: 0, end: self.blocks.get(block).map_or(0, |block| block.sources.len()) }
    }

    fn bare(&self, name: &Identifier, place: Context, reach: Reach, is_bare: bool) -> Meaning {
        let alias = self.alias(name, place.block);
        let alias_first = place.clause == Clause::Order && is_bare;
        let alias_last = match (self.dialect, place.clause) {
            (_, Clause::Group) => is_bare || self.dialect == Dialect::Sqlite,
            (Dialect::Sqlite, Clause::Having | Clause::Where | Clause::Order) => true,
            _ => false,
        };
        if let (Some(alias), true) = (alias, alias_first) {
            return Meaning::Alias(alias);
        }
        match self.bare_column(name, place.block, reach) {
            Meaning::UnknownColumn => {}
            found => return found,
        }
        if let (Some(alias), true) = (alias, alias_last) {
            return Meaning::Alias(alias);
        }
        let parent = self.blocks.get(place.block).and_then(|block| block.parent);
        match parent {
            Some(parent) => self.outer(name, parent),
            None => Meaning::UnknownColumn,
        }
    }

    fn outer(&self, name: &Identifier, block: usize) -> Meaning {
        match self.bare_column(name, block, self.all_of(block)) {
            Meaning::UnknownColumn => match self.blocks.get(block).and_then(|block| block.parent) {
                Some(parent) => self.outer(name, parent),
                None => Meaning::UnknownColumn,
            },
            found => found,
        }
    }

    fn bare_column(&self, name: &Identifier, block: usize, reach: Reach) -> Meaning {
        let Some(here) = self.blocks.get(block) else { return Meaning::UnknownColumn };
        let end = reach.end.min(here.sources.len());
        if let Some((_, source, _)) =
            here.merged.iter().find(|(merged, ..)| matches(name, merged, self.dialect))
            && let Some(column) = here.sources[*source].columns.find(name, self.dialect)
        {
            return Meaning::Column(ColumnPlace { block, source: *source, column });
        }
        let mut found: Option<ColumnPlace> = None;
        let mut others = Vec::new();
        for source in reach.first..end {
            if let Some(column) = here.sources[source].columns.find(name, self.dialect) {
                match found {
                    None => found = Some(ColumnPlace { block, source, column }),
                    Some(_) => others.push(source),
                }
            }
        }
        match found {
            Some(place) if others.is_empty() => Meaning::Column(place),
            Some(place) => {
                others.insert(0, place.source);
                Meaning::Ambiguous(others)
            }
            None => {
                let open = (reach.first..end)
                    .any(|at| matches!(here.sources[at].columns, super::Columns::Open));
                if open { Meaning::Open } else { Meaning::UnknownColumn }
            }
        }
    }

    /// Index of the output column with this alias.
    pub fn alias(&self, name: &Identifier, block: usize) -> Option<usize> {
        let select = self.blocks.get(block)?.select;
        select.items.iter().position(|item| match item {
            crate::tree::SelectItem::Expr { alias: Some(alias), .. } => {
                same_name(name, alias, self.dialect)
            }
            _ => false,
        })
    }
}

/// Whether two identifiers refer to the same name, by the dialect's rules for case and quotes.
pub fn same_name(one: &Identifier, other: &Identifier, dialect: Dialect) -> bool {
    match (dialect, other.quoted) {
        (Dialect::Postgres, true) => matches(one, &other.name, dialect),
        (Dialect::Postgres, false) if one.quoted => {
            one.name.len() == other.name.len()
                && one
                    .name
                    .bytes()
                    .zip(other.name.bytes())
                    .all(|(a, b)| a == b.to_ascii_lowercase())
        }
        _ => one.name.eq_ignore_ascii_case(&other.name),
    }
}

//! Phrases for GROUP BY.

use super::items::is_long;
use super::names::{Teller, is_key};
use crate::bind::ColumnPlace;
use crate::tree::{Expr, GroupingKind, Select, SelectItem};
use wherefore_english::{and_list, name_words};

impl Teller<'_> {
    /// The grouping keys as phrases to follow `each`.
    pub(super) fn groups<'e>(&self, keys: &[&'e Expr], block: usize) -> Vec<(&'e Expr, String)> {
        let places: Vec<Option<ColumnPlace>> =
            keys.iter().map(|key| self.bound.column_of(key)).collect();
        let keyed: Vec<usize> = places
            .iter()
            .flatten()
            .filter(|place| place.block == block && self.is_key(**place))
            .map(|place| place.source)
            .collect();
        let mut groups: Vec<(&Expr, String)> = Vec::new();
        for (key, place) in keys.iter().zip(&places) {
            if let Some(place) = place.filter(|place| place.block == block)
                && keyed.contains(&place.source)
                && !self.is_key(place)
            {
                continue;
            }
            let words = self.each(key, block);
            if !groups.iter().any(|(_, other)| *other == words) {
                groups.push((key, words));
            }
        }
        groups
    }

    /// What an expression identifies, as a phrase to follow `each`; for a key, the row itself.
    pub(super) fn each(&self, expr: &Expr, block: usize) -> String {
        if let Some(place) = self.bound.column_of(expr).filter(|place| place.block == block) {
            if self.own_origin(place).is_some_and(is_key) {
                return self.called(place.block, place.source).row;
            }
            if let Some(origin) = self.bound.origin(place) {
                let key = origin.table.key();
                let points = self.catalog.foreign_keys.iter().any(|it| {
                    it.from_table == key && it.from_columns == [origin.column.name.as_str()]
                });
                let words = name_words(&origin.column.name);
                if let Some(role) = words.strip_suffix(" id").filter(|_| points) {
                    return role.to_owned();
                }
            }
        }
        self.noun(expr, block)
    }

    /// GROUP BY as a phrase to follow `one row for each`: first with the aliases of long expressions, then with the
    /// expressions in full.
    pub(super) fn grouping(&self, select: &Select, block: usize) -> (String, String) {
        let mut plain: Vec<&Expr> = Vec::new();
        let mut more: Vec<String> = Vec::new();
        for key in &select.group_by {
            match key {
                Expr::Grouping { kind, sets } => {
                    let named: Vec<String> = sets
                        .iter()
                        .map(|set| {
                            let parts =
                                set.iter().map(|it| self.each(self.meant(it, block), block));
                            and_list(&parts.collect::<Vec<_>>())
                        })
                        .collect();
                    more.push(grouping_sets(*kind, &named));
                }
                Expr::Tuple(items) => plain.extend(items.iter().map(|it| self.meant(it, block))),
                other => plain.push(self.meant(other, block)),
            }
        }
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (key, words) in self.groups(&plain, block) {
            let alias = is_long(&words).then(|| alias_of(key, select)).flatten();
            if let Some(alias) = alias {
                long.push(format!("{alias} ({words})"));
                short.push(alias);
            } else {
                short.push(words.clone());
                long.push(words);
            }
        }
        short.extend(more.iter().cloned());
        long.extend(more);
        (and_list(&short), and_list(&long))
    }

    fn meant<'e>(&'e self, expr: &'e Expr, block: usize) -> &'e Expr {
        let select = self.bound.blocks.get(block).map(|block| block.select);
        select.and_then(|select| self.item_of(expr, select)).map_or(expr, |(item, _)| item)
    }
}

/// The alias of the output column with this expression.
fn alias_of(expr: &Expr, select: &Select) -> Option<String> {
    select.items.iter().find_map(|item| match item {
        SelectItem::Expr { expr: own, alias: Some(alias) } if own == expr => {
            Some(name_words(&alias.name))
        }
        _ => None,
    })
}

fn grouping_sets(kind: GroupingKind, sets: &[String]) -> String {
    match kind {
        GroupingKind::Cube => {
            format!("{} (with subtotals for every combination of them)", and_list(sets))
        }
        GroupingKind::GroupingSets => {
            let named: Vec<String> =
                sets.iter()
                    .map(|set| {
                        if set.is_empty() { "everything together".to_owned() } else { set.clone() }
                    })
                    .collect();
            named.join(", and then again one for each ")
        }
        GroupingKind::Rollup => match sets {
            [_] | [] => format!("{} (with a grand total)", and_list(sets)),
            [rest @ .., _] => {
                let upper: Vec<String> =
                    (1..=rest.len()).rev().map(|end| and_list(&rest[..end])).collect();
                format!(
                    "{} (with subtotals for each {} and a grand total)",
                    and_list(sets),
                    upper.join(", each ")
                )
            }
        },
    }
}

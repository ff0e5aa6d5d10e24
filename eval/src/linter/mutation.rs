//! Ways to break a correct statement, each a typical mistake of people or models.

use wherefore_engine::catalog::{Catalog, Table};
use wherefore_sql::tree::{
    Argument, Body, Expr, FromItem, Identifier, Join, JoinCondition, JoinKind, Query, Select,
    SelectItem, Source,
};

/// A way to break a statement.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Mutation {
    DroppedOn,
    FanOut,
    LostGroupBy,
    MisspeltColumn,
    MisspeltTable,
    SwappedAlias,
}

impl Mutation {
    /// All mutations.
    pub(super) const ALL: [Self; 6] = [
        Self::DroppedOn,
        Self::FanOut,
        Self::LostGroupBy,
        Self::MisspeltColumn,
        Self::MisspeltTable,
        Self::SwappedAlias,
    ];

    /// Whether only a name is wrong, so that autocorrection can restore the statement.
    pub(super) fn is_of_name(self) -> bool {
        matches!(self, Self::MisspeltColumn | Self::MisspeltTable | Self::SwappedAlias)
    }

    /// Name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::DroppedOn => "dropped on",
            Self::FanOut => "fan-out",
            Self::LostGroupBy => "lost group by",
            Self::MisspeltColumn => "misspelt column",
            Self::MisspeltTable => "misspelt table",
            Self::SwappedAlias => "swapped alias",
        }
    }

    /// A broken copy of a query, or `None` when the mutation does not apply; `seed` selects the place and the variant.
    pub(super) fn apply(self, query: &Query, catalog: &Catalog, seed: usize) -> Option<Query> {
        let mut broken = query.clone();
        let changed = match self {
            Self::DroppedOn => dropped_on(&mut broken),
            Self::FanOut => fan_out(&mut broken, catalog, seed),
            Self::LostGroupBy => lost_group_by(&mut broken, seed),
            Self::MisspeltColumn => misspelt_column(&mut broken, catalog, seed),
            Self::MisspeltTable => misspelt_table(&mut broken, catalog, seed),
            Self::SwappedAlias => swapped_alias(&mut broken, seed),
        };
        changed.then_some(broken)
    }
}

/// SELECTs of a query, without those in subqueries.
fn selects(query: &mut Query) -> Vec<&mut Select> {
    match &mut query.body {
        Body::Select(select) => vec![select],
        Body::SetOperation { left, right, .. } => {
            let mut found = selects(left);
            found.extend(selects(right));
            found
        }
        Body::Values(_) | Body::Foreign(_) | Body::Spelled(_) => Vec::new(),
    }
}

fn dropped_on(query: &mut Query) -> bool {
    let joins = selects(query).into_iter().flat_map(|select| &mut select.from);
    for join in joins.flat_map(|item| &mut item.joins) {
        if let JoinCondition::On(_) = join.condition {
            join.kind = JoinKind::Cross;
            join.condition = JoinCondition::None;
            return true;
        }
    }
    false
}

/// Joins a table that references one of the FROM items, so that a sum, average or count is inflated.
fn fan_out(query: &mut Query, catalog: &Catalog, seed: usize) -> bool {
    for select in selects(query) {
        if !adds_up(select) {
            continue;
        }
        let named = |item: &FromItem| {
            let sources =
                std::iter::once(&item.source).chain(item.joins.iter().map(|join| &join.source));
            let names: Vec<(String, String)> = sources
                .filter_map(|source| match source {
                    Source::Table { name, alias, .. } => {
                        let called = alias.as_ref().unwrap_or(name).name.clone();
                        Some((name.name.clone(), called))
                    }
                    _ => None,
                })
                .collect();
            names
        };
        let present: Vec<(String, String)> = select.from.iter().flat_map(named).collect();
        let is_present = |key: &str| present.iter().any(|(name, _)| name.eq_ignore_ascii_case(key));
        let keys: Vec<_> = catalog
            .foreign_keys
            .iter()
            .filter(|key| is_present(&key.to_table) && !is_present(&key.from_table))
            .filter(|key| key.from_columns.len() == 1)
            .collect();
        let Some(key) = keys.get(seed % keys.len().max(1)) else { continue };
        let Some((_, called)) =
            present.iter().find(|(name, _)| name.eq_ignore_ascii_case(&key.to_table))
        else {
            continue;
        };
        let condition = Expr::binary(
            Expr::column("extra", key.from_columns[0].clone()),
            wherefore_sql::tree::BinaryOperator::Equal,
            Expr::column(called.clone(), key.to_columns[0].clone()),
        );
        let source = Source::Table {
            schema: None,
            name: Identifier::stored(key.from_table.clone()),
            alias: Some(Identifier::stored("extra")),
        };
        let qualified = called.clone();
        qualify(select, &qualified, present.len());
        let Some(item) = select.from.last_mut() else { continue };
        item.joins.push(Join {
            kind: JoinKind::Inner,
            source,
            condition: JoinCondition::On(condition),
        });
        return true;
    }
    false
}

/// Qualifies bare columns with the only FROM item, so that the added table makes none of them ambiguous.
fn qualify(select: &mut Select, source: &str, sources: usize) {
    if sources > 1 {
        return;
    }
    each_column(select, &mut |qualifier, _| {
        if qualifier.is_none() {
            *qualifier = Some(Identifier::stored(source));
        }
    });
}

/// Whether a SELECT computes an aggregate that duplicated rows change.
fn adds_up(select: &Select) -> bool {
    select.items.iter().any(|item| {
        let SelectItem::Expr { expr: Expr::Function(call), .. } = item else { return false };
        !call.distinct
            && matches!(call.name.as_str(), "sum" | "avg")
            && matches!(call.arguments.as_slice(), [Argument::Expr(_)])
    })
}

fn lost_group_by(query: &mut Query, seed: usize) -> bool {
    for select in selects(query) {
        if !select.group_by.is_empty() {
            let at = seed % select.group_by.len();
            select.group_by.remove(at);
            return true;
        }
    }
    false
}

fn misspelt_column(query: &mut Query, catalog: &Catalog, seed: usize) -> bool {
    let mut count = 0;
    for select in selects(query) {
        each_column(select, &mut |_, _| count += 1);
    }
    if count == 0 {
        return false;
    }
    let wanted = seed % count;
    let mut at = 0;
    let mut changed = false;
    for select in selects(query) {
        each_column(select, &mut |_, name| {
            if at == wanted {
                let known = |spelt: &str| {
                    let columns = catalog.tables.iter().flat_map(|table| &table.columns);
                    columns.clone().any(|column| column.name.eq_ignore_ascii_case(spelt))
                };
                if let Some(spelt) = misspelt(&name.name, seed, &known) {
                    name.name = spelt;
                    changed = true;
                }
            }
            at += 1;
        });
    }
    changed
}

fn misspelt_table(query: &mut Query, catalog: &Catalog, seed: usize) -> bool {
    let known = |spelt: &str| {
        catalog.tables.iter().any(|table: &Table| table.name.eq_ignore_ascii_case(spelt))
    };
    for select in selects(query) {
        for item in &mut select.from {
            if let Source::Table { name, alias, .. } = &mut item.source
                && let Some(spelt) = misspelt(&name.name, seed, &known)
            {
                if alias.is_none() {
                    *alias = Some(name.clone());
                }
                name.name = spelt;
                return true;
            }
        }
    }
    false
}

/// Replaces the qualifier of a column with another FROM item of the same SELECT.
fn swapped_alias(query: &mut Query, seed: usize) -> bool {
    for select in selects(query) {
        let mut called: Vec<String> = Vec::new();
        for item in &select.from {
            let sources =
                std::iter::once(&item.source).chain(item.joins.iter().map(|join| &join.source));
            for source in sources {
                if let Source::Table { name, alias, .. } = source {
                    called.push(alias.as_ref().unwrap_or(name).name.clone());
                }
            }
        }
        if called.len() < 2 {
            continue;
        }
        let mut count = 0;
        each_column(select, &mut |qualifier, _| count += usize::from(qualifier.is_some()));
        if count == 0 {
            continue;
        }
        let (wanted, mut at) = (seed % count, 0);
        each_column(select, &mut |qualifier, _| {
            if let Some(qualifier) = qualifier {
                if at == wanted
                    && let Some(other) =
                        called.iter().find(|name| !name.eq_ignore_ascii_case(&qualifier.name))
                {
                    qualifier.name.clone_from(other);
                }
                at += 1;
            }
        });
        return true;
    }
    false
}

/// A name with one letter deleted, doubled, replaced or transposed that no other column or table has.
fn misspelt(name: &str, seed: usize, known: &dyn Fn(&str) -> bool) -> Option<String> {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() < 4 {
        return None;
    }
    (0..8).find_map(|attempt| {
        let at = 1 + (seed / 4 + attempt) % (letters.len() - 2);
        let mut spelt = letters.clone();
        match (seed + attempt) % 4 {
            0 => drop(spelt.remove(at)),
            1 => spelt.insert(at, letters[at]),
            2 => spelt[at] = if letters[at] == 'x' { 'y' } else { 'x' },
            _ => spelt.swap(at, at + 1),
        }
        let spelt: String = spelt.into_iter().collect();
        (spelt != name && !known(&spelt)).then_some(spelt)
    })
}

/// Calls `visit` with each column in a SELECT's own clauses, without subqueries.
fn each_column(
    select: &mut Select,
    visit: &mut dyn FnMut(&mut Option<Identifier>, &mut Identifier),
) {
    for item in &mut select.items {
        if let SelectItem::Expr { expr, .. } = item {
            columns(expr, visit);
        }
    }
    for item in &mut select.from {
        for join in &mut item.joins {
            if let JoinCondition::On(condition) = &mut join.condition {
                columns(condition, visit);
            }
        }
    }
    let conditions = select.filter.iter_mut().chain(&mut select.group_by).chain(&mut select.having);
    conditions.for_each(|expr| columns(expr, visit));
}

fn columns(expr: &mut Expr, visit: &mut dyn FnMut(&mut Option<Identifier>, &mut Identifier)) {
    match expr {
        Expr::Column { qualifier, name } => visit(qualifier, name),
        Expr::And(list) | Expr::Or(list) => list.iter_mut().for_each(|part| columns(part, visit)),
        Expr::Not(operand)
        | Expr::IsNull { operand, .. }
        | Expr::InQuery { operand, .. }
        | Expr::InList { operand, .. }
        | Expr::Like { operand, .. }
        | Expr::Between { operand, .. }
        | Expr::Cast { operand, .. } => columns(operand, visit),
        Expr::Binary { left, right, .. } => {
            columns(left, visit);
            columns(right, visit);
        }
        Expr::Function(call) => {
            for argument in &mut call.arguments {
                if let Argument::Expr(expr) = argument {
                    columns(expr, visit);
                }
            }
        }
        _ => {}
    }
}

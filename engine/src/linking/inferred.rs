//! Infers undeclared foreign keys: from names, and from values that the host found in another column.

use std::collections::BTreeMap;

use super::likely::{Ground, Likely, LikelyKeys, reference};
use super::names::TableNames;
use crate::catalog::{Catalog, ColumnRef, Containment, ForeignKey};
use crate::order::Sorted;
use crate::text::Stems;

/// Fewest distinct values that prove or refute a key.
const ENOUGH: u32 = 5;

/// Adds the foreign keys that names and values suggest, mostly between tables which declared keys do not connect.
pub(crate) fn add_inferred_keys(catalog: &mut Catalog) {
    catalog.foreign_keys.retain(|key| !key.inferred);
    let names = TableNames::all(catalog, &mut Stems::default());
    let evidence: BTreeMap<(&ColumnRef, &ColumnRef), &Containment> =
        catalog.containments.iter().map(|held| ((&held.from, &held.to), held)).collect();
    let looked_up = Sorted::new(evidence.keys().map(|(from, _)| *from));
    let mut by_column: BTreeMap<(usize, usize), Vec<(u8, Likely)>> = BTreeMap::new();
    let likely = LikelyKeys::new(catalog, &names);
    let by_values = likely
        .by_values(|from| !evidence.is_empty() && looked_up.contains(&&reference(catalog, from)));
    for likely in likely.by_names.iter().copied().chain(by_values) {
        let held = (!evidence.is_empty())
            .then(|| evidence.get(&(&likely.from(catalog), &likely.to(catalog))).copied())
            .flatten();
        if let Some(rank) = rank(&likely, held) {
            by_column.entry(likely.from).or_default().push((rank, likely));
        }
    }
    let mut found: Vec<ForeignKey> = Vec::new();
    // Sorted, since the columns are.
    let mut pairs = Vec::new();
    for targets in by_column.values() {
        let best = targets.iter().map(|(rank, _)| *rank).min();
        let mut best = targets.iter().filter(|(rank, _)| Some(*rank) == best);
        let (Some((_, only)), None) = (best.next(), best.next()) else { continue };
        // Two columns that hold each other's values are one key, not two.
        if pairs.binary_search(&(only.to, only.from)).is_err() {
            pairs.push((only.from, only.to));
            let (from, to) = (only.from(catalog), only.to(catalog));
            found.push(ForeignKey {
                from_table: from.table,
                from_columns: vec![from.column],
                to_table: to.table,
                to_columns: vec![to.column],
                inferred: true,
            });
        }
    }
    mark_unique(catalog, &found);
    catalog.foreign_keys.extend(found);
    let implied = implied_keys(catalog);
    catalog.foreign_keys.extend(implied);
}

/// Foreign keys that two declared ones imply: a column that refers to a column which refers to a key refers to that key
/// too. Through a column that repeats, the way over both would multiply rows.
fn implied_keys(catalog: &Catalog) -> Vec<ForeignKey> {
    let mut positions: BTreeMap<String, usize> = BTreeMap::new();
    for (position, table) in catalog.tables.iter().enumerate() {
        positions.entry(table.key()).or_insert(position);
    }
    let unique = |table: &str, columns: &[String]| {
        let table = positions.get(table).and_then(|position| catalog.tables.get(*position));
        table.is_none_or(|table| {
            table.primary_key == columns
                || table.column(&columns[0]).is_some_and(|column| column.unique)
        })
    };
    let declared =
        || catalog.foreign_keys.iter().filter(|key| !key.inferred && key.from_columns.len() == 1);
    let mut implied: Vec<ForeignKey> = Vec::new();
    for key in declared().filter(|key| !unique(&key.to_table, &key.to_columns)) {
        let onward = declared().find(|next| {
            next.from_table == key.to_table
                && next.from_columns == key.to_columns
                && next.to_table != key.from_table
        });
        let Some(onward) = onward else { continue };
        let known = catalog.foreign_keys.iter().chain(&implied).any(|known| {
            known.from_table == key.from_table
                && known.from_columns == key.from_columns
                && known.to_table == onward.to_table
        });
        if !known {
            implied.push(ForeignKey {
                from_table: key.from_table.clone(),
                from_columns: key.from_columns.clone(),
                ..onward.clone()
            });
        }
    }
    implied
}

/// Marks referenced columns whose values were found to be distinct.
fn mark_unique(catalog: &mut Catalog, keys: &[ForeignKey]) {
    let Catalog { tables, containments, .. } = catalog;
    for held in containments.iter().filter(|held| held.unique) {
        let referenced = keys
            .iter()
            .any(|key| key.to_table == held.to.table && key.to_columns == [held.to.column.clone()]);
        let table = tables.iter_mut().find(|table| table.has_key(&held.to.table));
        let column = table.and_then(|table| {
            table.columns.iter_mut().find(|column| column.name == held.to.column)
        });
        if let (true, Some(column)) = (referenced, column) {
            column.unique = true;
        }
    }
}

/// How good the grounds of a key are, 0 being the best; none where they are too weak.
fn rank(likely: &Likely, held: Option<&Containment>) -> Option<u8> {
    let contained =
        held.map(|held| held.unique && held.values > 0 && held.found * 10 >= held.values * 9);
    let refuted = held
        .is_some_and(|held| !held.unique || held.values >= ENOUGH && held.found * 2 < held.values);
    let many = held.is_some_and(|held| held.values >= ENOUGH);
    match likely.ground {
        _ if refuted => None,
        // Between tables that are connected in another way, names alone are not enough.
        _ if !likely.apart && contained != Some(true) => None,
        // A column of a view may be computed, whatever its name.
        _ if likely.of_view && contained != Some(true) => None,
        Ground::Key => Some(0),
        Ground::Name => (contained == Some(true)).then_some(0),
        Ground::SameName => (contained == Some(true)).then_some(1),
        Ground::Values => (contained == Some(true) && many).then_some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Column, DataType, Table, TableKind};

    fn table(name: &str, key: &str, columns: &[&str]) -> Table {
        let column = |name: &&str| Column {
            name: (*name).to_owned(),
            data_type: if name.ends_with("name") || name.ends_with("city") {
                DataType::Text
            } else {
                DataType::Integer
            },
            ..Column::default()
        };
        let primary_key = if key.is_empty() { Vec::new() } else { vec![key.to_owned()] };
        Table {
            name: name.to_owned(),
            columns: primary_key
                .iter()
                .map(String::as_str)
                .chain(columns.iter().copied())
                .map(|name| column(&name))
                .collect(),
            primary_key,
            ..Table::default()
        }
    }

    fn with_evidence(
        tables: Vec<Table>,
        keys: Vec<ForeignKey>,
        evidence: &[(&str, &str, u32, u32)],
    ) -> Vec<String> {
        let column = |text: &str| {
            let (table, column) = text.split_once('.').unwrap();
            ColumnRef::new(table, column)
        };
        let held = |(from, to, values, found): &(&str, &str, u32, u32)| Containment {
            from: column(from),
            to: column(to),
            values: *values,
            found: *found,
            unique: true,
        };
        let containments = evidence.iter().map(held).collect();
        let mut catalog =
            Catalog { tables, foreign_keys: keys, containments, ..Catalog::default() };
        add_inferred_keys(&mut catalog);
        let inferred = catalog.foreign_keys.iter().filter(|key| key.inferred);
        inferred
            .map(|key| {
                format!("{}.{} > {}", key.from_table, key.from_columns.join(","), key.to_table)
            })
            .collect()
    }

    fn inferred(tables: Vec<Table>, keys: Vec<ForeignKey>) -> Vec<String> {
        with_evidence(tables, keys, &[])
    }

    #[test]
    fn a_column_named_like_a_key_refers_to_it() {
        let tables = vec![
            table("station", "id", &["docks"]),
            table("trips", "id", &["start_station_id", "duration"]),
            table("customers", "customer_id", &["age"]),
            table("accounts", "account_id", &["customer_id"]),
        ];
        assert_eq!(
            inferred(tables, Vec::new()),
            ["trips.start_station_id > station", "accounts.customer_id > customers"]
        );
    }

    #[test]
    fn declared_keys_are_enough() {
        let tables = vec![
            table("customers", "customer_id", &[]),
            table("accounts", "account_id", &["customer_id", "payer_customer_id"]),
        ];
        let key = ForeignKey {
            from_table: "accounts".to_owned(),
            from_columns: vec!["customer_id".to_owned()],
            to_table: "customers".to_owned(),
            to_columns: vec!["customer_id".to_owned()],
            inferred: false,
        };
        assert_eq!(inferred(tables, vec![key]), Vec::<String>::new());
    }

    #[test]
    fn values_prove_a_key_between_tables_that_are_connected_otherwise() {
        let key = |from: &str| ForeignKey {
            from_table: from.to_owned(),
            from_columns: vec!["branch_id".to_owned()],
            to_table: "branches".to_owned(),
            to_columns: vec!["branch_id".to_owned()],
            inferred: false,
        };
        let tables = || {
            vec![
                table("branches", "branch_id", &[]),
                table("customers", "customer_id", &["branch_id"]),
                table("loans", "loan_id", &["customer_id", "branch_id"]),
            ]
        };
        let declared = || vec![key("customers"), key("loans")];
        assert_eq!(inferred(tables(), declared()), Vec::<String>::new());
        let evidence = [("loans.customer_id", "customers.customer_id", 3, 3)];
        assert_eq!(
            with_evidence(tables(), declared(), &evidence),
            ["loans.customer_id > customers"]
        );
    }

    #[test]
    fn common_names_are_no_keys() {
        let tables =
            vec![table("a", "id", &["year"]), table("b", "id", &["year"]), table("c", "year", &[])];
        assert_eq!(inferred(tables, Vec::new()), Vec::<String>::new());
    }

    #[test]
    fn a_view_refers_to_a_key_whose_values_it_holds() {
        let view = |name: &str, columns: &[&str]| Table {
            kind: TableKind::View,
            ..table(name, "", columns)
        };
        let tables = || {
            vec![
                table("authors", "id", &["age"]),
                view("book_sales", &["author_id", "revenue"]),
                view("totals", &["author_id", "revenue"]),
            ]
        };
        assert_eq!(inferred(tables(), Vec::new()), Vec::<String>::new());
        let held = [
            ("book_sales.author_id", "authors.id", 3, 3),
            ("totals.author_id", "authors.id", 9, 7),
        ];
        assert_eq!(with_evidence(tables(), Vec::new(), &held), ["book_sales.author_id > authors"]);
    }

    #[test]
    fn two_tables_with_the_same_key_are_not_guessed_between() {
        let tables = vec![
            table("people", "person_id", &[]),
            table("staff", "person_id", &[]),
            table("visits", "visit_id", &["person_id"]),
        ];
        assert_eq!(inferred(tables, Vec::new()), ["staff.person_id > people"]);
    }

    #[test]
    fn a_key_that_is_not_declared_either_is_known_by_the_name_of_its_table() {
        let tables = vec![
            table("dealer", "", &["did", "dealer_name"]),
            table("sale", "", &["did", "saleid", "price"]),
            table("refund", "", &["refundid", "saleid"]),
        ];
        assert_eq!(inferred(tables, Vec::new()), ["sale.did > dealer", "refund.saleid > sale"]);
    }

    #[test]
    fn names_as_keys_need_their_values() {
        let tables = || {
            vec![
                table("region", "", &["region_name", "area"]),
                table("shop", "", &["region_name", "home_city"]),
            ]
        };
        assert_eq!(inferred(tables(), Vec::new()), Vec::<String>::new());
        let held = [
            ("shop.region_name", "region.region_name", 8, 8),
            ("shop.home_city", "region.region_name", 8, 3),
        ];
        assert_eq!(with_evidence(tables(), Vec::new(), &held), ["shop.region_name > region"]);
    }

    #[test]
    fn values_refute_a_key_that_names_suggest() {
        let tables = vec![table("depot", "", &["depot_id"]), table("van", "", &["depot_id"])];
        let held = [("van.depot_id", "depot.depot_id", 9, 2)];
        assert_eq!(with_evidence(tables, Vec::new(), &held), Vec::<String>::new());
    }
}

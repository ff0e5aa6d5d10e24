//! Logical names of tables: "orders" for `PROD_ORDERS`, `tbl_orders` or `orders_v2`.

use wherefore_catalog::Catalog;
use wherefore_english::name_parts;

/// A table whose name is a logical name with a prefix, a suffix or both.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Affixed {
    /// Index of the table.
    pub table: usize,
    /// Number of tables of the catalog that carry the same affixes.
    pub carriers: usize,
}

/// Words of a name before and after those of a logical name.
#[derive(Eq, PartialEq)]
struct Affixes {
    before: Vec<String>,
    after: Vec<String>,
}

/// Tables that a logical name can stand for, in order. A table with further affixes is none of them: with `PROD_orders`
/// and `PROD_purchase_orders`, "orders" is the first.
///
/// An affix of a single table among several is a prefix: "orders" is no name of the only `orders_archive`.
pub fn affixed(catalog: &Catalog, logical: &str) -> Vec<Affixed> {
    let logical = words(logical);
    let names: Vec<Vec<String>> = catalog.tables.iter().map(|table| words(&table.name)).collect();
    let all: Vec<(usize, Affixes)> = names
        .iter()
        .enumerate()
        .filter_map(|(table, name)| Some((table, Affixes::around(&logical, name)?)))
        .collect();
    let plain = all.iter().filter(|(_, own)| !all.iter().any(|(_, other)| own.extends(other)));
    let found = plain.filter_map(|(table, affixes)| {
        let carriers = names.iter().filter(|name| affixes.are_of(name)).count();
        let counts = affixes.after.is_empty() || carriers > 1 || carriers == names.len();
        counts.then_some(Affixed { table: *table, carriers })
    });
    found.collect()
}

impl Affixes {
    /// The affixes of a name around the first occurrence of a logical name; `None` without affixes.
    fn around(logical: &[String], name: &[String]) -> Option<Self> {
        if logical.is_empty() || name.len() <= logical.len() {
            return None;
        }
        let start = name.windows(logical.len()).position(|run| run == logical)?;
        let (before, rest) = name.split_at_checked(start)?;
        let after = rest.get(logical.len()..)?;
        Some(Self { before: before.to_vec(), after: after.to_vec() })
    }

    /// Whether a name has these affixes around something.
    fn are_of(&self, name: &[String]) -> bool {
        name.len() > self.before.len() + self.after.len()
            && name.starts_with(&self.before)
            && name.ends_with(&self.after)
    }

    /// Whether these are others and more.
    fn extends(&self, other: &Self) -> bool {
        self != other
            && self.before.starts_with(&other.before)
            && self.after.ends_with(&other.after)
    }
}

/// Words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    name_parts(name).into_iter().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::affixed;
    use wherefore_catalog::{Catalog, Table};

    fn found(names: &[&str], logical: &str) -> Vec<(String, usize)> {
        let table = |name: &&str| Table { name: (*name).to_owned(), ..Table::default() };
        let catalog = Catalog { tables: names.iter().map(table).collect(), ..Catalog::default() };
        let named = |it: super::Affixed| (catalog.tables[it.table].name.clone(), it.carriers);
        affixed(&catalog, logical).into_iter().map(named).collect()
    }

    #[test]
    fn a_logical_name_lacks_the_affixes_of_the_stored_one() {
        for (names, stored) in [
            (["PROD_ORDERS", "PROD_USERS"], "PROD_ORDERS"),
            (["tblOrders", "tblUsers"], "tblOrders"),
            (["orders_v2", "users_v2"], "orders_v2"),
            (["dbo_orders_v2", "dbo_users_v2"], "dbo_orders_v2"),
        ] {
            assert_eq!(found(&names, "orders"), [(stored.to_owned(), 2)]);
        }
        assert_eq!(found(&["orders", "users"], "orders"), []);
    }

    #[test]
    fn the_plainest_affixes_win_and_others_are_rivals() {
        let plain = found(&["PROD_orders", "PROD_purchase_orders", "PROD_orders_old"], "orders");
        assert_eq!(plain, [("PROD_orders".to_owned(), 3)]);
        let rivals = found(&["PROD_orders", "PROD_users", "TEST_orders"], "orders");
        assert_eq!(rivals, [("PROD_orders".to_owned(), 2), ("TEST_orders".to_owned(), 1)]);
    }

    #[test]
    fn a_suffix_is_shared() {
        assert_eq!(found(&["orders_archive", "users"], "orders"), []);
        assert_eq!(found(&["sales_orders", "users"], "orders"), [("sales_orders".to_owned(), 1)]);
        assert_eq!(found(&["orders_v2"], "orders"), [("orders_v2".to_owned(), 1)]);
    }
}

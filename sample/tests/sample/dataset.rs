//! Tests of the generated rows: reproducible, complete and consistent.

use std::path::PathBuf;

use jiff::civil::{Date, date};
use rusqlite::Connection;
use tempfile::TempDir;
use wherefore_sample::{Error, generate, load_sqlite, schema};

const TODAY: Date = date(2026, 3, 17);

struct Loaded {
    connection: Connection,
    path: PathBuf,
    _folder: TempDir,
}

fn loaded(today: Date) -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.sqlite");
    load_sqlite(&path, today).unwrap();
    Loaded { connection: Connection::open(&path).unwrap(), path, _folder: folder }
}

/// Asserts that a query for inconsistent rows returns none.
#[track_caller]
fn check_none(loaded: &Loaded, faults: &str) {
    let count: i64 = loaded
        .connection
        .query_row(&format!("SELECT count(*) FROM ({faults})"), [], |row| row.get(0))
        .unwrap();
    assert_eq!(count, 0, "rows found by {faults}");
}

/// Asserts that a query returns rows.
#[track_caller]
fn check_some(loaded: &Loaded, query: &str) {
    let count: i64 = loaded
        .connection
        .query_row(&format!("SELECT count(*) FROM ({query})"), [], |row| row.get(0))
        .unwrap();
    assert_ne!(count, 0, "no row found by {query}");
}

#[test]
fn the_same_day_gives_the_same_bytes_and_another_day_does_not() {
    let first = std::fs::read(loaded(TODAY).path).unwrap();
    assert!(first == std::fs::read(loaded(TODAY).path).unwrap());
    assert!(first != std::fs::read(loaded(TODAY.tomorrow().unwrap()).path).unwrap());
}

#[test]
fn every_table_is_filled_with_the_columns_it_declares() {
    let data = generate(TODAY).unwrap();
    let schema = schema().unwrap();
    for table in &schema.tables {
        let rows = data.rows(&table.name).unwrap_or_else(|| panic!("{} is empty", table.name));
        let declared: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(rows.columns, declared, "{}", table.name);
    }
    assert_eq!(data.table_names().count(), schema.tables.len());
    assert!((45_000..60_000).contains(&data.len()), "{} rows", data.len());
}

#[test]
fn references_hold_on_any_kind_of_day() {
    for today in [date(2024, 2, 29), date(2025, 12, 31), date(2026, 1, 1), date(2026, 8, 16)] {
        let loaded = loaded(today);
        check_none(&loaded, "SELECT * FROM pragma_foreign_key_check");
        check_none(&loaded, "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    }
}

#[test]
fn a_day_at_the_end_of_the_calendar_is_refused() {
    assert!(matches!(generate(Date::MAX), Err(Error::DayOutOfRange(_))));
}

#[test]
fn amounts_of_headers_are_the_sums_of_their_lines() {
    let loaded = loaded(TODAY);
    for (header, line, key, amount, of_line) in [
        ("orders", "order_lines", "order_id", "total_amount", "quantity * unit_price"),
        ("invoices", "invoice_lines", "invoice_id", "net_amount", "quantity * unit_price"),
        (
            "purchase_orders",
            "purchase_order_lines",
            "purchase_order_id",
            "total_cost",
            "quantity * unit_cost",
        ),
    ] {
        check_none(
            &loaded,
            &format!(
                "SELECT h.{key} FROM {header} h LEFT JOIN {line} l ON l.{key} = h.{key}
                 GROUP BY h.{key} HAVING abs(h.{amount} - coalesce(sum({of_line}), -1)) > 0.001"
            ),
        );
    }
    check_none(
        &loaded,
        "SELECT * FROM invoices WHERE abs(net_amount + tax_amount - total_amount) > 0.001",
    );
}

#[test]
fn an_invoice_is_paid_when_the_payments_reach_its_total() {
    let loaded = loaded(TODAY);
    check_none(
        &loaded,
        "SELECT i.invoice_id FROM invoices i LEFT JOIN payments p ON p.invoice_id = i.invoice_id
         GROUP BY i.invoice_id
         HAVING (i.status = 'paid') <> (coalesce(sum(p.amount), 0) > i.total_amount - 0.001)",
    );
    check_none(
        &loaded,
        "SELECT * FROM invoices WHERE status = 'overdue' AND due_date >= '2026-03-17'",
    );
}

#[test]
fn stock_is_what_the_movements_leave() {
    let loaded = loaded(TODAY);
    check_none(
        &loaded,
        "SELECT s.product_id FROM stock_levels s LEFT JOIN stock_movements m
         ON m.product_id = s.product_id AND m.warehouse_id = s.warehouse_id
         GROUP BY s.warehouse_id, s.product_id
         HAVING s.quantity_on_hand <> coalesce(sum(m.quantity), -1) OR s.quantity_on_hand < 0",
    );
}

#[test]
fn wounds_that_heal_shrink_from_visit_to_visit() {
    let loaded = loaded(TODAY);
    check_none(
        &loaded,
        "SELECT * FROM (
             SELECT m.area, lag(m.area) OVER (PARTITION BY w.wound_id ORDER BY a.assessed_on) AS before
             FROM wounds w JOIN assessments a ON a.wound_id = w.wound_id
             JOIN measurements m ON m.assessment_id = a.assessment_id
             WHERE w.healed_on IS NOT NULL
         ) WHERE before < area",
    );
    check_none(
        &loaded,
        "SELECT * FROM wounds WHERE (healed_on IS NULL) <> (area > 0)
         OR (healed_on IS NULL) <> (status <> 'healed') OR healed_on < onset_date",
    );
}

#[test]
fn steps_of_an_order_follow_each_other() {
    let loaded = loaded(TODAY);
    check_none(
        &loaded,
        "SELECT * FROM orders WHERE shipped_date < order_date OR delivered_date < shipped_date
         OR required_date < order_date OR delivered_date > '2026-03-17'
         OR (status = 'delivered') <> (delivered_date IS NOT NULL)",
    );
    check_none(
        &loaded,
        "SELECT * FROM orders JOIN customers USING (customer_id)
         WHERE order_date < customer_since OR order_date >= closed_on",
    );
    check_none(
        &loaded,
        "SELECT * FROM payments JOIN invoices USING (invoice_id) WHERE payment_date < invoice_date",
    );
}

#[test]
fn the_traps_that_questions_fall_into_are_there() {
    let loaded = loaded(TODAY);
    for query in [
        "SELECT 1 FROM products JOIN colors USING (color_id) WHERE colors.name = 'gold' AND size = 'Large'",
        "SELECT 1 FROM customers WHERE name LIKE '%O''Brien%'",
        "SELECT 1 FROM customers WHERE name LIKE '%Müller%'",
        "SELECT 1 FROM customers WHERE billing_address_id <> shipping_address_id",
        "SELECT 1 FROM orders WHERE customer_id <> bill_to_customer_id",
        "SELECT 1 FROM cities GROUP BY name HAVING count(*) > 1",
        "SELECT n FROM (SELECT count(*) AS n FROM addresses GROUP BY city_id) GROUP BY n HAVING count(*) > 1",
        "SELECT 1 FROM invoices WHERE status = 'open'",
        "SELECT 1 FROM orders WHERE status = 'open'",
        "SELECT 1 FROM employees WHERE manager_id IS NULL",
        "SELECT 1 FROM wounds WHERE infected AND area > 10",
    ] {
        check_some(&loaded, query);
    }
}

#[test]
fn an_earlier_sample_is_replaced_and_any_other_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.sqlite");
    load_sqlite(&path, TODAY).unwrap();
    load_sqlite(&path, TODAY).unwrap();

    let other = folder.path().join("letters.sqlite");
    let text = b"dear reader";
    std::fs::write(&other, text).unwrap();
    assert!(matches!(load_sqlite(&other, TODAY), Err(Error::NotASample(_))));
    assert_eq!(std::fs::read(&other).unwrap(), text);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "nothing half made stays behind");
}

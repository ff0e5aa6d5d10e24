//! Questions to public databases, asked through the real proxy on SQLite and on PostgreSQL.
//!
//! The databases are not part of the repository; a test without its database prints that it is skipped.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};
use wherefore_tests::copy::sqlite_to_postgres;
use wherefore_tests::postgres::Cluster;
use wherefore_tests::proxy::{Proxy, Reply};
use wherefore_tests::workspace::public_database;

/// Date of the questions: the last invoices in Chinook are of December 2025.
const TODAY: &str = "2025-12-31";

#[test]
fn chinook_as_sqlite() {
    if let Some(file) = public_database("chinook.sqlite") {
        chinook(&Asker::sqlite(&file));
    }
}

#[test]
fn chinook_in_postgresql() {
    if let Some(file) = public_database("chinook.sqlite") {
        let cluster = Cluster::start().unwrap();
        chinook(&Asker::postgresql(&cluster, &file));
    }
}

#[test]
fn northwind_as_sqlite() {
    if let Some(file) = public_database("northwind.sqlite") {
        northwind(&Asker::sqlite(&file));
    }
}

#[test]
fn northwind_in_postgresql() {
    if let Some(file) = public_database("northwind.sqlite") {
        let cluster = Cluster::start().unwrap();
        northwind(&Asker::postgresql(&cluster, &file));
    }
}

fn chinook(asker: &Asker) {
    let mut failures = Failures::default();
    failures.check("a filtered count", || {
        let answer = asker.answer("how many customers are in Brazil")?;
        expect("rows", &numbers(&answer), &[vec![5.0]])
    });
    failures.check("the largest five, with a tie for the last place", || {
        let answer = asker.answer("top 5 artists by number of tracks")?;
        let counts: Vec<f64> =
            numbers(&answer).into_iter().filter_map(|row| row.last().copied()).collect();
        expect("counts", &counts, &[213.0, 135.0, 114.0, 112.0, 92.0])?;
        let names: Vec<bool> = ["Iron Maiden", "U2", "Led Zeppelin", "Metallica"]
            .iter()
            .zip(rows(&answer))
            .map(|(name, row)| row.iter().any(|cell| cell == name))
            .collect();
        expect("names in place", &names, &[true; 4])?;
        let tie = list(&answer["view"]["notes"]).iter().any(|note| note["kind"] == "tie");
        expect("mentions the tie", &tie, &true)
    });
    failures.check("a sum for each group", || {
        let answer = asker.answer("total sales per billing country")?;
        expect("number of rows", &rows(&answer).len(), &24)
    });
    failures.check("rows of a stored value in another table", || {
        let answer = asker.answer("albums by AC/DC")?;
        expect("number of rows", &rows(&answer).len(), &2)
    });
    failures.check("a year needs no question", || {
        let answer = asker.answer("invoices since 2025")?;
        expect("number of rows", &rows(&answer).len(), &80)
    });
    failures.check("things of which there are no related rows", || {
        let answer = asker.answer("how many tracks were never sold")?;
        expect("rows", &numbers(&answer), &[vec![1519.0]])
    });
    failures.check("an age is counted from moments as from days", || {
        near(&asker.answer("average age of employees")?, 61.058)
    });
    failures.check("a vague time asks for a range", || recent_invoices(asker));
    failures.check("a range entered by hand is in the statement", || custom_range(asker));
    failures.check("a question about nothing asks what is meant", || {
        let asked = asker.asked("show me data")?;
        let kind = &asked["questions"][0]["ambiguity"];
        expect("kind", kind, &json!("intent"))
    });
    failures.check("a command is refused and changes nothing", || {
        let reply =
            asker.post("query", &json!({"question": "delete all customers", "today": TODAY}))?;
        expect("outcome", &reply.body["outcome"], &json!("out_of_scope"))?;
        let answer = asker.answer("how many customers")?;
        expect("rows", &numbers(&answer), &[vec![59.0]])
    });
    failures.report();
}

fn recent_invoices(asker: &Asker) -> Result<(), String> {
    let asked = asker.asked("show me recent invoices")?;
    let question = &asked["questions"][0];
    let labels: Vec<String> =
        list(&question["options"]).iter().map(|option| option["label"].to_string()).collect();
    for days in ["7", "30", "90"] {
        let found = labels.iter().any(|label| words(label).any(|word| word == days));
        expect(&format!("offers {days} days among {labels:?}"), &found, &true)?;
    }
    expect("offers a range", &question["custom"]["type"], &json!("date_range"))?;
    let thirty = list(&question["options"])
        .iter()
        .find(|option| words(&option["label"].to_string()).any(|word| word == "30"))
        .ok_or("no option of 30 days")?;
    let answer = asker.clarify(&asked, json!({"type": "option", "option_id": thirty["id"]}))?;
    // 30 days may include today or not; in both cases the condition contains its first day.
    let sql = answer["view"]["sql"].as_str().unwrap_or_default();
    let first_days = ["2025-12-01", "2025-12-02"];
    expect(
        &format!("the first of 30 days is in {sql}"),
        &first_days.iter().any(|day| sql.contains(day)),
        &true,
    )?;
    expect("some rows", &!rows(&answer).is_empty(), &true)
}

fn custom_range(asker: &Asker) -> Result<(), String> {
    let asked = asker.asked("show me recent invoices")?;
    let answer = asker.clarify(
        &asked,
        json!({"type": "date_range", "start": "2025-03-01", "end": "2025-03-31"}),
    )?;
    let sql = answer["view"]["sql"].as_str().unwrap_or_default();
    expect(&format!("the first day is in {sql}"), &sql.contains("2025-03-01"), &true)?;
    expect("number of rows", &(rows(&answer).len() as u32), &asker.invoices_of_march)
}

fn northwind(asker: &Asker) {
    let mut failures = Failures::default();
    failures.check("a filtered count", || {
        let answer = asker.answer("how many customers are in Germany")?;
        expect("rows", &numbers(&answer), &[vec![11.0]])
    });
    failures.check("a count of all rows", || {
        let answer = asker.answer("how many suppliers are there")?;
        expect("rows", &numbers(&answer), &[vec![29.0]])
    });
    failures.check("a comparison with an average", || {
        let answer = asker.answer("how many products have a unit price above the average")?;
        expect("rows", &numbers(&answer), &[vec![25.0]])
    });
    failures.check("a mean of days between two dates", || {
        near(&asker.answer("average days from order to shipment")?, 8.492)
    });
    failures.check("a count for each group", || {
        let answer = asker.answer("number of products per category")?;
        expect("number of rows", &rows(&answer).len(), &8)?;
        let sum: f64 = numbers(&answer).iter().filter_map(|row| row.last()).sum();
        expect("products in all", &sum, &77.0)
    });
    failures.report();
}

/// Asserts that the answer is one number, equal up to three decimal places.
fn near(answer: &Value, wanted: f64) -> Result<(), String> {
    let found: Vec<Vec<f64>> = numbers(answer)
        .into_iter()
        .map(|row| row.into_iter().map(|number| (number * 1000.0).round() / 1000.0).collect())
        .collect();
    expect("rows", &found, &vec![vec![wanted]])
}

/// Asks questions of one data source.
struct Asker {
    proxy: Proxy,
    /// Number of invoices of March 2025, if the data source has any.
    invoices_of_march: u32,
}

impl Asker {
    fn sqlite(file: &Path) -> Self {
        let proxy = Proxy::start(&[OsString::from("--database"), file.into()]).unwrap();
        Self { proxy, invoices_of_march: invoices_of_march(file) }
    }

    fn postgresql(cluster: &Cluster, file: &Path) -> Self {
        let url = cluster.create_database("public_data").unwrap();
        sqlite_to_postgres(file, &url).unwrap();
        let reader = cluster.reader("public_data").unwrap();
        let proxy = Proxy::start(&["--database", &reader]).unwrap();
        Self { proxy, invoices_of_march: invoices_of_march(file) }
    }

    /// The answer to a question that needs no clarification.
    fn answer(&self, question: &str) -> Result<Value, String> {
        let reply = self.post("query", &json!({"question": question, "today": TODAY}))?;
        answered(reply)
    }

    /// The clarifications of a question.
    fn asked(&self, question: &str) -> Result<Value, String> {
        let reply = self.post("query", &json!({"question": question, "today": TODAY}))?;
        expect(&format!("status of {}", reply.body), &reply.status, &202)?;
        Ok(reply.body)
    }

    /// The answer after the first clarification is answered.
    fn clarify(&self, asked: &Value, answer: Value) -> Result<Value, String> {
        let reply = self.post(
            "query/clarify",
            &json!({
                "clarification_id": asked["clarification_id"],
                "answers": [{"clarification_id": asked["questions"][0]["id"], "answer": answer}],
            }),
        )?;
        answered(reply)
    }

    fn post(&self, path: &str, body: &Value) -> Result<Reply, String> {
        self.proxy.post(path, body).map_err(|error| error.to_string())
    }
}

/// Counted by a query that does not involve the product.
fn invoices_of_march(file: &Path) -> u32 {
    let connection = rusqlite::Connection::open(file).unwrap();
    connection
        .query_row(
            "SELECT count(*) FROM Invoice WHERE date(InvoiceDate) BETWEEN '2025-03-01' AND '2025-03-31'",
            [],
            |row| row.get(0),
        )
        .unwrap_or_default()
}

fn answered(reply: Reply) -> Result<Value, String> {
    expect(&format!("status of {}", reply.body), &reply.status, &200)?;
    expect("outcome", &reply.body["outcome"], &json!("answered"))?;
    Ok(reply.body)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn rows(answer: &Value) -> Vec<Vec<Value>> {
    let rows = list(&answer["view"]["result"]["rows"]);
    rows.iter().map(|row| list(row).to_vec()).collect()
}

/// Numbers of each row; exact decimals are sent as text.
fn numbers(answer: &Value) -> Vec<Vec<f64>> {
    let number = |cell: &Value| cell.as_f64().or_else(|| cell.as_str()?.parse().ok());
    rows(answer).iter().map(|row| row.iter().filter_map(number).collect()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric())
}

fn expect<T: std::fmt::Debug + PartialEq<U> + ?Sized, U: std::fmt::Debug + ?Sized>(
    what: &str,
    found: &T,
    wanted: &U,
) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?} instead of {wanted:?}")) }
}

/// Collects failures, so that one run reports all of them.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    fn check(&mut self, name: &str, case: impl FnOnce() -> Result<(), String>) {
        if let Err(error) = case() {
            self.0.push(format!("{name}: {error}"));
        }
    }

    fn report(self) {
        assert!(self.0.is_empty(), "{} failures:\n{}", self.0.len(), self.0.join("\n"));
    }
}

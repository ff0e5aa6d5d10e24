//! Tests of the temporary PostgreSQL server and of the database copier.

use postgres::{Client, NoTls};
use rusqlite::Connection;
use tempfile::TempDir;
use wherefore_tests::copy::sqlite_to_postgres;
use wherefore_tests::postgres::Cluster;

const SOURCE: &str = r#"
CREATE TABLE "Artist" ("ArtistId" INTEGER PRIMARY KEY, "Name" NVARCHAR(120));
CREATE TABLE "Order Details" (
    "OrderId" INTEGER NOT NULL,
    "Line" INTEGER NOT NULL,
    "ArtistId" INTEGER REFERENCES "Artist",
    "Price" NUMERIC(10,2) NOT NULL,
    "At" DATETIME,
    "Photo" BLOB,
    PRIMARY KEY ("OrderId", "Line")
);
INSERT INTO "Artist" VALUES (1, 'AC/DC'), (2, 'tab	backslash\n' || char(10) || 'Ωμέγα'), (3, NULL);
INSERT INTO "Order Details" VALUES
    (1, 1, 1, 0.99, '2025-01-02 03:04:05', x'00ff'),
    (1, 2, NULL, 12, NULL, NULL);
"#;

#[test]
fn copied_rows_types_and_keys_are_those_of_the_source() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("source.sqlite");
    Connection::open(&file).unwrap().execute_batch(SOURCE).unwrap();
    let cluster = Cluster::start().unwrap();
    let url = cluster.create_database("copy").unwrap();

    sqlite_to_postgres(&file, &url).unwrap();

    let mut client = Client::connect(&url, NoTls).unwrap();
    let text = |client: &mut Client, sql: &str| -> Vec<Option<String>> {
        client.query(sql, &[]).unwrap().iter().map(|row| row.get(0)).collect()
    };
    assert_eq!(
        text(&mut client, r#"SELECT "Name" FROM "Artist" ORDER BY "ArtistId""#),
        [Some("AC/DC".to_owned()), Some("tab\tbackslash\\n\nΩμέγα".to_owned()), None]
    );
    assert_eq!(
        text(
            &mut client,
            r#"SELECT concat_ws('|', "Price", "At", "Photo") FROM "Order Details" ORDER BY "Line""#
        ),
        [Some(r"0.99|2025-01-02 03:04:05|\x00ff".to_owned()), Some("12".to_owned())]
    );
    assert_eq!(
        text(
            &mut client,
            r"SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1"
        ),
        [
            Some(r#"FOREIGN KEY ("ArtistId") REFERENCES "Artist"("ArtistId")"#.to_owned()),
            Some(r#"PRIMARY KEY ("ArtistId")"#.to_owned()),
            Some(r#"PRIMARY KEY ("OrderId", "Line")"#.to_owned()),
        ]
    );
}

#[test]
fn a_cluster_is_gone_after_a_panic() {
    let url = std::panic::catch_unwind(|| {
        let cluster = Cluster::start().unwrap();
        let url = cluster.url("postgres");
        Client::connect(&url, NoTls).unwrap();
        std::panic::panic_any(url);
    })
    .unwrap_err()
    .downcast::<String>()
    .unwrap();
    assert!(Client::connect(&url, NoTls).is_err());
}

//! The sample on PostgreSQL has the same rows as on SQLite.

use jiff::civil::{Date, date};
use rusqlite::Connection;
use tokio_postgres::{Client, NoTls};
use wherefore_sample::{Error, load_postgres, load_sqlite, schema};

use crate::cluster::Cluster;
use crate::pack_file::{example, pack};

const TODAY: Date = date(2026, 3, 17);

async fn connect(cluster: &Cluster) -> Client {
    let (client, connection) = tokio_postgres::connect(&cluster.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn text(client: &Client, sql: &str) -> String {
    client.query_one(sql, &[]).await.unwrap_or_else(|error| panic!("{sql}: {error}")).get(0)
}

#[tokio::test]
async fn both_databases_hold_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.sqlite");
    let on_sqlite = load_sqlite(&path, TODAY).unwrap();
    let cluster = Cluster::start();
    let on_postgres = load_postgres(&cluster.url(), TODAY).await.unwrap();
    assert_eq!(on_sqlite, on_postgres);

    let sqlite = Connection::open(&path).unwrap();
    let postgres = connect(&cluster).await;
    let schema = schema().unwrap();
    for table in &schema.tables {
        let name = &table.name;
        for column in &table.columns {
            let column_name = &column.name;
            // Count of values and of distinct values.
            let counts = format!(
                "count(*) || ' ' || count({column_name}) || ' ' || count(DISTINCT {column_name})"
            );
            let expected: String = sqlite
                .query_row(&format!("SELECT {counts} FROM {name}"), [], |row| row.get(0))
                .unwrap();
            let found =
                text(&postgres, &format!("SELECT {counts} FROM {}.{name}", table.area)).await;
            assert_eq!(expected, found, "{name}.{column_name}");
            let aggregate = match column.declared_type.as_str() {
                "text" => format!("coalesce(sum(length({column_name})), 0)"),
                "date" => format!("coalesce(min({column_name}) || ' ' || max({column_name}), '')"),
                _ => continue,
            };
            let expected: String = sqlite
                .query_row(&format!("SELECT {aggregate} || '' FROM {name}"), [], |row| row.get(0))
                .unwrap();
            let found =
                text(&postgres, &format!("SELECT {aggregate} || '' FROM {}.{name}", table.area))
                    .await;
            assert_eq!(expected, found, "{name}.{column_name}");
        }
        let keys = text(
            &postgres,
            &format!(
                "SELECT count(*)::text FROM pg_constraint WHERE contype = 'f'
                 AND conrelid = '{}.{name}'::regclass",
                table.area
            ),
        )
        .await;
        let declared = table.columns.iter().filter(|column| column.references.is_some()).count();
        assert_eq!(keys, declared.to_string(), "foreign keys of {name}");
        let comment =
            text(&postgres, &format!("SELECT obj_description('{}.{name}'::regclass)", table.area))
                .await;
        assert!(!comment.is_empty());
    }

    let again = load_postgres(&cluster.url(), TODAY).await;
    assert!(matches!(again, Err(Error::SchemaExists(_))), "{again:?}");
}

#[tokio::test]
async fn templates_give_as_many_rows_as_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.sqlite");
    load_sqlite(&path, TODAY).unwrap();
    let cluster = Cluster::start();
    load_postgres(&cluster.url(), TODAY).await.unwrap();
    let sqlite = Connection::open(&path).unwrap();
    let postgres = connect(&cluster).await;
    let areas = schema().unwrap().areas().join(", ");
    postgres.batch_execute(&format!("SET search_path TO {areas}")).await.unwrap();
    for template in &pack().templates {
        let (sql, expected) = example(template, &sqlite);
        let found = text(&postgres, &format!("SELECT count(*)::text FROM ({sql}) AS answer")).await;
        assert_eq!(expected.to_string(), found, "{}", template.name);
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error_that_says_so() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = load_postgres(&format!("postgres://nobody@127.0.0.1:{port}/none"), TODAY)
        .await
        .unwrap_err();
    assert_eq!(error.code(), "sample_postgres");
    assert!(error.to_string().contains("refused"), "{error}");
}

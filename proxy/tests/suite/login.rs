//! Logins with privileges beyond reading prevent the start; a login as the README creates it does not.

use clap::Parser;
use wherefore_proxy::config::Config;
use wherefore_proxy::startup::start;

use crate::support::{Client, Cluster, SHOP, SqliteFile};

const README: &str = include_str!("../../../README.md");

fn config(folder: &std::path::Path, options: &[&str]) -> Config {
    let store = folder.join("store.sqlite");
    let own = ["wherefore-proxy", "--store", store.to_str().unwrap()];
    Config::try_parse_from([&own, options].concat()).unwrap()
}

#[tokio::test]
async fn a_login_that_may_do_more_than_read_is_refused_with_what_to_do() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run(
        "CREATE ROLE almighty LOGIN SUPERUSER;
         CREATE ROLE unseen LOGIN BYPASSRLS;
         CREATE ROLE recruiter LOGIN CREATEROLE;
         CREATE ROLE founder LOGIN CREATEDB;
         CREATE ROLE copier LOGIN REPLICATION;
         CREATE ROLE peeker LOGIN NOINHERIT; GRANT pg_read_server_files TO peeker;
         CREATE ROLE runner LOGIN; GRANT pg_execute_server_program TO runner;
         CREATE ROLE killer LOGIN; GRANT pg_signal_backend TO killer;
         CREATE ROLE clerk LOGIN; GRANT UPDATE (status) ON orders TO clerk;
         CREATE ROLE sweeper LOGIN; GRANT TRUNCATE ON orders TO sweeper;
         CREATE ROLE builder LOGIN; GRANT CREATE ON SCHEMA public TO builder;
         CREATE ROLE landlord LOGIN; CREATE TABLE land (id int); ALTER TABLE land OWNER TO landlord;
         CREATE ROLE tenant LOGIN NOINHERIT; GRANT landlord TO tenant",
    );
    let folder = tempfile::tempdir().unwrap();
    for (role, parts) in [
        ("almighty", ["superuser", "may only SELECT"]),
        ("unseen", ["row security", "NOBYPASSRLS"]),
        ("recruiter", ["roles", "NOCREATEROLE"]),
        ("founder", ["databases", "NOCREATEDB"]),
        ("copier", ["replication", "NOREPLICATION"]),
        ("peeker", ["pg_read_server_files", "REVOKE"]),
        ("runner", ["pg_execute_server_program", "REVOKE"]),
        ("killer", ["pg_signal_backend", "REVOKE"]),
        ("clerk", ["change rows of public.orders", "REVOKE"]),
        ("sweeper", ["change rows of public.orders", "REVOKE"]),
        ("builder", ["create tables in schema public", "REVOKE CREATE"]),
        ("landlord", ["owns public.land", "owns nothing"]),
        ("tenant", ["owns public.land", "owns nothing"]),
    ] {
        cluster.run(&format!("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"));
        let url = cluster.url(role);
        let Err(error) = start(&config(folder.path(), &["--database", &url])).await else {
            panic!("it started as {role}");
        };
        let error = error.to_string();
        for part in [role, "--allow-privileged-login"].iter().chain(&parts) {
            assert!(error.contains(part), "{role}: {part} is missing in: {error}");
        }
    }
    let url = cluster.url("almighty");
    let allowed = ["--database", &url, "--allow-privileged-login"];
    start(&config(folder.path(), &allowed)).await.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn a_login_made_as_the_readme_says_is_taken() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let blocks = README.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next());
    let of_login: Vec<&str> = blocks.filter(|sql| sql.contains("wherefore_reader")).collect();
    assert_eq!(of_login.len(), 2, "{of_login:?}");
    cluster.run(&of_login.concat());
    let folder = tempfile::tempdir().unwrap();
    let url = cluster.url("wherefore_reader");
    let config = config(folder.path(), &["--database", &url]);
    let client = Client::start(&config).await;
    let source = client.state.sources.get("default").unwrap();
    let findings = source.database.as_ref().unwrap().check_login().await.unwrap();
    assert_eq!(findings, []);
    client.execute("SELECT id FROM orders").await.ok(200);
}

#[tokio::test]
async fn an_sqlite_file_that_can_be_written_is_told_and_read() {
    let shop = SqliteFile::new(SHOP);
    let client =
        Client::start(&config(shop.folder.path(), &["--database", shop.path.to_str().unwrap()]))
            .await;
    let source = client.state.sources.get("default").unwrap();
    let findings = source.database.as_ref().unwrap().check_login().await.unwrap();
    assert_eq!(findings[0].code.as_str(), "file_is_writable");
}

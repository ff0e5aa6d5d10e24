//! Rights of each caller by a role that a claim is mapped to.

use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_proxy::config::Config;

use crate::support::restricted::{Restricted, bearer, configured, refusal, rows};
use crate::support::{Client, Cluster};

const ROLES: &str = r#"
    claims = { region = { claim = "region", type = "text" } }
    role = { claim = "job", map = { nurse = "app_nurse", clerk = "app_clerk" } }"#;

/// Two roles that see other tables and columns, and a login that sees nothing without one.
const WARDS: &str = "
    CREATE ROLE app_nurse; CREATE ROLE app_clerk; CREATE ROLE visitor LOGIN NOINHERIT;
    GRANT app_nurse, app_clerk TO visitor;
    CREATE TABLE wards (id int PRIMARY KEY, name text NOT NULL);
    CREATE TABLE patients (id int PRIMARY KEY, ward_id int REFERENCES wards, name text, diagnosis text);
    CREATE TABLE bills (id int PRIMARY KEY, patient_id int REFERENCES patients, total int);
    INSERT INTO wards VALUES (1, 'East');
    INSERT INTO patients VALUES (1, 1, 'Ann', 'measles'), (2, 1, 'Bob', 'mumps');
    INSERT INTO bills VALUES (1, 1, 70);
    ALTER TABLE patients ENABLE ROW LEVEL SECURITY;
    CREATE POLICY seen ON patients TO app_nurse, app_clerk USING (id = 1);
    GRANT SELECT ON wards, patients TO app_nurse;
    GRANT SELECT ON bills TO app_clerk;
    GRANT SELECT (id, name) ON patients TO app_clerk;";

fn of_job(job: &str) -> String {
    bearer(&json!({ "region": "alder", "job": job }))
}

fn as_visitor(folder: &TempDir, cluster: &Cluster, rights: &str) -> Config {
    configured(folder, &cluster.url("visitor"), rights, &[])
}

// Promise: security.roles
#[tokio::test]
async fn a_role_sees_its_own_tables_columns_and_rows() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(WARDS);
    let folder = tempfile::tempdir().unwrap();
    let client = Client::start(&as_visitor(&folder, &cluster, ROLES)).await;
    let proxy = Restricted::new(client, folder);
    let (nurse, clerk) = (of_job("nurse"), of_job("clerk"));
    for _ in 0..2 {
        let of_nurse = proxy.get(&nurse, "catalog").await;
        assert!(of_nurse.text.contains("diagnosis") && !of_nurse.text.contains("bills"));
        let of_clerk = proxy.get(&clerk, "catalog").await;
        for hidden in ["diagnosis", "ward", "East", "Ann"] {
            assert!(!of_clerk.text.contains(hidden), "{hidden}: {}", of_clerk.text);
        }
        let seen = rows(&proxy.execute(&nurse, "SELECT name, diagnosis FROM patients").await);
        assert_eq!(seen, [json!(["Ann", "measles"])]);
        assert_eq!(
            rows(&proxy.execute(&clerk, "SELECT name FROM patients").await),
            [json!(["Ann"])]
        );
        for (bearer, sql) in [
            (&clerk, "SELECT diagnosis FROM patients"),
            (&clerk, "SELECT name FROM wards"),
            (&nurse, "SELECT total FROM bills"),
            (&nurse, "SELECT set_config('role', 'app_clerk', true)"),
            (&nurse, "SET ROLE app_clerk"),
            (&nurse, "RESET ROLE"),
        ] {
            proxy.execute(bearer, sql).await.problem(422, "statement_refused");
        }
        let values = "values?table=patients&column=diagnosis&search=m";
        assert_eq!(proxy.get(&nurse, values).await.ok(200)["values"], json!(["measles"]));
        proxy.get(&clerk, values).await.problem(404, "unknown_column");
    }
    for job in [json!("doctor"), json!(""), json!(1), Value::Null] {
        let bearer = bearer(&json!({ "region": "alder", "job": job }));
        proxy.get(&bearer, "catalog").await.problem(403, "missing_claim");
    }
}

#[tokio::test]
async fn a_role_that_may_do_more_than_read_stops_the_start() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(WARDS);
    cluster.run("CREATE ROLE stranger; CREATE ROLE blind; GRANT blind TO visitor");
    for (sql, part) in [
        ("ALTER ROLE app_clerk BYPASSRLS", "app_clerk bypasses row security"),
        (
            "ALTER ROLE app_clerk NOBYPASSRLS; ALTER ROLE app_clerk SUPERUSER",
            "app_clerk is a superuser",
        ),
        (
            "ALTER ROLE app_clerk NOSUPERUSER; GRANT UPDATE ON bills TO app_clerk",
            "app_clerk can change rows",
        ),
    ] {
        cluster.run(sql);
        let folder = tempfile::tempdir().unwrap();
        let error = refusal(&as_visitor(&folder, &cluster, ROLES)).await;
        assert!(error.contains(part), "{sql}: {error}");
    }
    cluster.run("REVOKE UPDATE ON bills FROM app_clerk");
    for (role, part) in [
        ("stranger", "permission denied to set role"),
        ("nobody", "role \"nobody\" does not exist"),
        ("blind", "cannot read any"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let rights = format!("role = {{ claim = \"job\", map = {{ other = \"{role}\" }} }}");
        let error = refusal(&as_visitor(&folder, &cluster, &rights)).await;
        assert!(error.contains(part) && error.contains(&format!("role {role}")), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    Client::start(&as_visitor(&folder, &cluster, ROLES)).await;
    let mut packed = as_visitor(&folder, &cluster, ROLES);
    packed.pack = Some("pack.toml".into());
    assert!(refusal(&packed).await.contains("cannot be combined with a pack"));
}

//! Shared by the tests: temporary databases, and a client that needs no network.
#![allow(
    unreachable_pub,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test ends where a helper fails"
)]

pub mod both;
pub mod client;
pub mod cluster;
pub mod corpus;
pub mod duckdb;
pub mod events;
pub mod flood;
pub mod http;
pub mod mariadb;
pub mod restricted;
pub mod serving;
pub mod tokens;
pub mod upstream;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use tempfile::TempDir;
use wherefore_proxy::config::Config;

pub use both::Both;
pub use client::Client;
pub use cluster::Cluster;
pub use duckdb::DuckDb;
pub use events::Events;
pub use http::Http;
pub use mariadb::MariaDb;
pub use serving::{Heard, Serving, call};
pub use upstream::{Reply, Upstream};

/// Time within which something stops on a busy machine; without being stopped it would go on for a minute or more.
pub const SOON: Duration = Duration::from_secs(20);

pub const SHOP: &str = include_str!("../data/shop.sql");

/// A folder with an SQLite file made by these statements.
pub struct SqliteFile {
    pub folder: TempDir,
    pub path: PathBuf,
}

impl SqliteFile {
    pub fn new(sql: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.sqlite");
        fill(&path, sql);
        Self { folder, path }
    }

    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn config(&self, more: &[&str]) -> Config {
        let path = self.path.to_str().unwrap().to_owned();
        config(self.folder.path(), &[&["--database", &path], more].concat())
    }
}

/// Makes an SQLite file by these statements.
#[expect(clippy::disallowed_methods, reason = "a test's own statements")]
pub fn fill(path: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Options with a store in this folder.
pub fn config(folder: &Path, more: &[&str]) -> Config {
    let store = folder.join("store.sqlite");
    let store = store.to_str().unwrap();
    let owner = more.iter().any(|option| option.contains("://owner@"));
    let allowed: &[&str] = if owner { &["--allow-privileged-login"] } else { &[] };
    Config::try_parse_from([&["wherefore-proxy", "--store", store], allowed, more].concat())
        .unwrap()
}

//! The same rows in two databases.

use super::{Client, Cluster, SqliteFile, config};

/// Clients of a proxy on SQLite and, where a server can be started, of one on PostgreSQL, with the same rows.
pub struct Both {
    pub clients: Vec<Client>,
    _file: SqliteFile,
    _cluster: Option<Cluster>,
}

impl Both {
    /// Starts both on what these statements make, with more options.
    pub async fn new(statements: &str, more: &[&str]) -> Self {
        let file = SqliteFile::new(statements);
        let mut clients = vec![Client::start(&file.config(more)).await];
        let cluster = Cluster::start();
        if let Some(cluster) = &cluster {
            cluster.run(statements);
            let url = cluster.url("asker");
            let options = [&["--database", &url], more].concat();
            clients.push(Client::start(&config(file.folder.path(), &options)).await);
        }
        Self { clients, _file: file, _cluster: cluster }
    }
}

//! A temporary PostgreSQL server on a free loopback port.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};
use tempfile::TempDir;

use crate::Failure;
use crate::system::{as_user, is_root, run};

const VERSIONS: &str = "/usr/lib/postgresql";
const PATIENCE: Duration = Duration::from_mins(1);
const USER: &str = "postgres";

/// A running server; dropping it stops the server and deletes its files.
#[derive(Debug)]
pub struct Cluster {
    server: Child,
    port: u16,
    folder: TempDir,
}

impl Cluster {
    /// Creates and starts a server.
    pub fn start() -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("wherefore-postgres-")?;
        // The unprivileged user of the server must be able to enter the folder.
        Command::new("chmod").arg("711").arg(folder.path()).status()?;
        let data = folder.path().join("data");
        if is_root()? {
            let mut install = Command::new("install");
            run(install.args(["-d", "-m", "700", "-o", USER, "-g", USER]).arg(&data))?;
        }
        run(unprivileged("initdb")?.arg("-D").arg(&data).args([
            "--no-sync",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--username",
            USER,
        ]))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let log = fs::File::create(folder.path().join("log"))?;
        let server = unprivileged("postgres")?
            .arg("-D")
            .arg(&data)
            .args(["-p", &port.to_string()])
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            .args(["-c", "fsync=off"])
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let mut cluster = Self { server, port, folder };
        cluster.wait()?;
        Ok(cluster)
    }

    /// URL of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }

    /// Creates an empty database and returns its URL.
    pub fn create_database(&self, name: &str) -> Result<String, Failure> {
        let mut client = Client::connect(&self.url(USER), NoTls)?;
        client.batch_execute(&format!("CREATE DATABASE \"{}\"", name.replace('"', "\"\"")))?;
        Ok(self.url(name))
    }

    /// URL of a database for a role with SELECT privileges only.
    pub fn reader(&self, database: &str) -> Result<String, Failure> {
        let mut client = Client::connect(&self.url(database), NoTls)?;
        client.batch_execute(
            "CREATE ROLE reader LOGIN NOINHERIT;
             GRANT USAGE ON SCHEMA public TO reader;
             GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
             REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        )?;
        Ok(format!("postgres://reader@127.0.0.1:{}/{database}", self.port))
    }

    fn wait(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            let Err(error) = Client::connect(&self.url(USER), NoTls) else {
                return Ok(());
            };
            if self.server.try_wait()?.is_some() || start.elapsed() > PATIENCE {
                let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                return Err(format!("the PostgreSQL server did not start: {error}\n{log}").into());
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Fast shutdown; the server is killed if it does not stop.
        let pid = self.server.id().to_string();
        let _ = Command::new("kill").args(["-INT", &pid]).status();
        let start = Instant::now();
        while matches!(self.server.try_wait(), Ok(None)) {
            if start.elapsed() > Duration::from_secs(10) {
                let _ = self.server.kill();
                let _ = self.server.wait();
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Path of a PostgreSQL program.
pub fn program(name: &str) -> Result<PathBuf, Failure> {
    Ok(folder_of_programs()?.join(name))
}

/// A PostgreSQL program that runs as an unprivileged user, as the direct child process.
fn unprivileged(program: &str) -> Result<Command, Failure> {
    as_user(USER, &self::program(program)?)
}

fn folder_of_programs() -> Result<PathBuf, Failure> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(VERSIONS)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .map(|(version, path)| (version, path.join("bin")))
        .filter(|(_, path)| path.join("initdb").exists())
        .collect();
    versions.sort();
    let on_path = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|folder| folder.join("initdb").exists())
    };
    versions
        .pop()
        .map(|(_, path)| path)
        .or_else(on_path)
        .ok_or_else(|| "PostgreSQL is not installed: initdb was not found".into())
}

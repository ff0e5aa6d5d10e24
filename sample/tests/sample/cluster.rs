//! A temporary PostgreSQL server.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A running server on a loopback port with its own data directory; dropping it stops the server and deletes the data.
pub(crate) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
}

impl Cluster {
    /// Starts a server; panics with the server log on failure.
    pub(crate) fn start() -> Self {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(folder.path()));
        }
        let mut cluster = Self { folder, programs, port: 0 };
        run(cluster
            .command("initdb")
            .args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-sync"])
            .arg("--locale=C.UTF-8")
            .arg("--pgdata")
            .arg(cluster.data()));
        for _ in 0..3 {
            // Another process may take the port before the server binds it: try again with another one.
            cluster.port =
                TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
            let options = format!(
                "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off",
                cluster.port
            );
            let started = cluster
                .command("pg_ctl")
                .arg("start")
                .arg("--wait")
                .arg("--pgdata")
                .arg(cluster.data())
                .arg("--log")
                .arg(cluster.log())
                .args(["--options", &options])
                .status()
                .unwrap();
            if started.success() {
                return cluster;
            }
        }
        panic!("{}", std::fs::read_to_string(cluster.log()).unwrap_or_default());
    }

    /// URL of the database `postgres`.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// A PostgreSQL program, run as an unprivileged user: the server refuses to run as root.
    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        // Otherwise the server would keep the test runner's pipes open.
        command.current_dir(self.folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self
            .command("pg_ctl")
            .args(["stop", "--mode=immediate", "--pgdata"])
            .arg(self.data())
            .status();
    }
}

/// Folder of the programs of the newest installed PostgreSQL.
fn programs() -> PathBuf {
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    installed
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").exists())
        .max()
        .or_else(|| {
            let output = Command::new("pg_config").arg("--bindir").output().ok()?;
            let folder = String::from_utf8(output.stdout).ok()?;
            Some(Path::new(folder.trim()).to_owned())
        })
        .expect("PostgreSQL is installed (Debian: apt-get install postgresql)")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

fn run(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?} failed");
}

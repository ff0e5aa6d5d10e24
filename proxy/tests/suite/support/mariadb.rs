//! A temporary MariaDB server on a free port of the loopback interface.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The user `asker` can read the database `shop`, and nothing else; `owner` can do everything.
const USERS: &str = "CREATE DATABASE shop CHARACTER SET utf8mb4; \
     CREATE USER owner@'%' IDENTIFIED BY 'own'; GRANT ALL ON *.* TO owner@'%' WITH GRANT OPTION; \
     CREATE USER asker@'%' IDENTIFIED BY 'ask'; GRANT SELECT, SHOW VIEW ON shop.* TO asker@'%'";
const PATIENCE: Duration = Duration::from_mins(1);

/// A server that is stopped and removed when dropped.
pub struct MariaDb {
    folder: TempDir,
    port: u16,
    server: Mutex<Option<Child>>,
}

impl MariaDb {
    /// A running server. Prints a line and returns `None` if MariaDB is not installed.
    pub fn start() -> Option<Self> {
        static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
        if program("mariadbd").is_none() || program("mariadb-install-db").is_none() {
            println!("skipped: MariaDB's server programs are not installed");
            return None;
        }
        let template = TEMPLATE.get_or_init(template);
        let server = Self::stopped();
        copy(template, &server.data());
        server.resume();
        Some(server)
    }

    fn stopped() -> Self {
        let folder = TempDir::with_prefix("wherefore-mariadb-").unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, port, server: Mutex::default() }
    }

    /// Starts the server again after [`MariaDb::stop`].
    pub fn resume(&self) {
        let log = std::fs::File::create(self.folder.path().join("log")).unwrap();
        let server = as_mysql(&program("mariadbd").unwrap())
            .args([
                "--no-defaults",
                "--bind-address=127.0.0.1",
                "--innodb-flush-log-at-trx-commit=2",
            ])
            .args(["--innodb-buffer-pool-size=16M", "--skip-name-resolve"])
            .arg(format!("--port={}", self.port))
            .arg(["--datadir=", &self.data().to_string_lossy()].concat())
            .arg(["--socket=", &self.socket().to_string_lossy()].concat())
            .arg(["--pid-file=", &self.data().join("pid").to_string_lossy()].concat())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = Some(server);
        let start = Instant::now();
        while let Err(error) = self.try_run("", "SELECT 1") {
            assert!(start.elapsed() < PATIENCE, "MariaDB does not start: {error}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops the server at once, as a crash would.
    pub fn stop(&self) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut server) = server else { return };
        if let Ok(pid) = std::fs::read_to_string(self.data().join("pid")) {
            let _ = Command::new("kill").args(["-KILL", pid.trim()]).status();
        }
        let _ = server.kill();
        let _ = server.wait();
    }

    /// Address of the database `shop`, for this user.
    pub fn url(&self, user: &str) -> String {
        let password = if user == "owner" { "own" } else { "ask" };
        format!("mysql://{user}:{password}@127.0.0.1:{}/shop", self.port)
    }

    /// Port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Path of the socket of the server.
    pub fn socket(&self) -> PathBuf {
        self.data().join("socket")
    }

    /// Runs statements on the database `shop` as the owner, and returns the rows with tabs.
    pub fn run(&self, sql: &str) -> String {
        self.try_run("shop", sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    fn try_run(&self, database: &str, sql: &str) -> Result<String, String> {
        let mut client = Command::new(program("mariadb").unwrap())
            .args(["--no-defaults", "--user=root", "--skip-column-names", "--batch"])
            .arg("--default-character-set=utf8mb4")
            .arg(["--socket=", &self.socket().to_string_lossy()].concat())
            .arg(["--database=", database].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A client that cannot connect ends before it has read the statements; its status says so.
        let _ = client.stdin.take().unwrap().write_all(sql.as_bytes());
        let output = client.wait_with_output().unwrap();
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Data folder of a new server with the users, created once per version of MariaDB and reused by later runs.
fn template() -> PathBuf {
    let output = Command::new(program("mariadbd").unwrap()).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&output.stdout);
    let version = version.split_whitespace().find(|word| word.contains("MariaDB")).unwrap_or("any");
    let own = std::env::current_exe().unwrap();
    let folder = own.ancestors().nth(3).unwrap().join("tmp");
    std::fs::create_dir_all(&folder).unwrap();
    let kept = folder.join(format!("{}-1", version.replace(['+', ':', '~'], "-")));
    if !kept.exists() {
        let made = MariaDb::stopped();
        let status = as_mysql(&program("mariadb-install-db").unwrap())
            .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
            .arg(["--datadir=", &made.data().to_string_lossy()].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "mariadb-install-db failed");
        made.resume();
        made.try_run("", USERS).unwrap();
        made.try_run("", "SHUTDOWN").unwrap();
        let server = made.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        server.unwrap().wait().unwrap();
        let part = kept.with_extension(std::process::id().to_string());
        copy(&made.data(), &part);
        // Another test run may have created the folder first.
        if std::fs::rename(&part, &kept).is_err() {
            let _ = std::fs::remove_dir_all(part);
        }
    }
    kept
}

/// Copies a folder with its owners and rights.
fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(status.success(), "{} cannot be copied", from.display());
}

/// Path of a program, which may be on the path of administrators only.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
}

/// MariaDB refuses to run as root: then user `mysql` runs it.
fn as_mysql(program: &Path) -> Command {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !is_root {
        return Command::new(program);
    }
    let mut wrapped = Command::new("runuser");
    wrapped.args(["-u", "mysql", "--"]).arg(program);
    wrapped
}

//! A temporary PostgreSQL cluster on a free port of the loopback interface.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

/// The role `asker` can read what the owner creates, and nothing else.
const ASKER: &str = "CREATE ROLE asker LOGIN NOINHERIT; \
     ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT SELECT ON TABLES TO asker; \
     ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT USAGE ON SCHEMAS TO asker";

/// Settings of a cluster for one test.
const SETTINGS: &str = "-c listen_addresses=127.0.0.1 -c fsync=off -c shared_buffers=16MB";

/// A cluster that is stopped and removed when dropped.
pub struct Cluster {
    folder: TempDir,
    port: u16,
}

impl Cluster {
    /// A running cluster. Prints a line and returns `None` if PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
        let Some(initdb) = program("initdb") else {
            println!("skipped: PostgreSQL's server programs are not installed");
            return None;
        };
        let template = TEMPLATE.get_or_init(|| template(&initdb));
        let cluster = Self::stopped();
        copy(template, &cluster.data());
        cluster.resume();
        Some(cluster)
    }

    fn stopped() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { folder, port }
    }

    /// Restarts the cluster after [`Cluster::stop`].
    pub fn resume(&self) {
        let sockets = self.folder.path().display();
        let options = format!("{SETTINGS} -p {} -c unix_socket_directories='{sockets}'", self.port);
        run(Command::new(program("pg_ctl").unwrap())
            .args(["-w", "-o", &options, "-l"])
            .arg(self.folder.path().join("log"))
            .arg("-D")
            .arg(self.data())
            .arg("start"));
    }

    /// Stops the cluster at once, as a crash would.
    pub fn stop(&self) {
        self.stop_by("immediate");
    }

    fn stop_by(&self, mode: &str) {
        run(Command::new(program("pg_ctl").unwrap())
            .args(["-m", mode, "-D"])
            .arg(self.data())
            .arg("stop"));
    }

    /// Log of the server.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Address of the database, for this user.
    pub fn url(&self, user: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/postgres", self.port)
    }

    /// Runs statements as the owner.
    pub fn run(&self, sql: &str) -> String {
        let output = Command::new(program("psql").unwrap())
            .args(["-v", "ON_ERROR_STOP=1", "-qtAX", "-c", sql, &self.url("owner")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(pg_ctl) = program("pg_ctl") {
            let mut command = as_postgres(
                Command::new(pg_ctl).args(["-m", "immediate", "-D"]).arg(self.data()).arg("stop"),
            );
            let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
    }
}

/// Data folder of a new cluster with the role, created once per version of PostgreSQL and reused by later runs.
fn template(initdb: &Path) -> PathBuf {
    let output = Command::new(initdb).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&output.stdout).trim().replace([' ', '(', ')', '/'], "-");
    let own = std::env::current_exe().unwrap();
    let folder = own.ancestors().nth(3).unwrap().join("tmp");
    std::fs::create_dir_all(&folder).unwrap();
    let kept = folder.join(format!("{version}-1"));
    if !kept.exists() {
        let cluster = Cluster::stopped();
        run(Command::new(initdb)
            .args(["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"])
            .args(["-U", "owner", "-D"])
            .arg(cluster.data()));
        cluster.resume();
        cluster.run(ASKER);
        cluster.stop_by("fast");
        let part = kept.with_extension(std::process::id().to_string());
        copy(&cluster.data(), &part);
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

/// Newest installed program of this name.
fn program(name: &str) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders
        .into_iter()
        .rev()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
}

/// PostgreSQL refuses to run as root: then user `postgres` runs it.
fn as_postgres(command: &Command) -> Command {
    let is_root = std::fs::metadata("/proc/self")
        .is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let mut result = if is_root {
        let mut wrapped = Command::new("runuser");
        wrapped.args(["-u", "postgres", "--"]).arg(command.get_program());
        wrapped
    } else {
        Command::new(command.get_program())
    };
    result.args(command.get_args()).current_dir(Path::new("/"));
    result
}

fn run(command: &mut Command) {
    let output = as_postgres(command)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(output.success(), "{command:?} failed");
}

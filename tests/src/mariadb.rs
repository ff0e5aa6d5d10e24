//! A temporary MariaDB server on a socket, and its client program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Failure;
use crate::system::{as_user, is_root, run};

const PATIENCE: Duration = Duration::from_mins(1);
const USER: &str = "mysql";

/// A running server; dropping it stops the server and deletes its files.
#[derive(Debug)]
pub struct MariaDb {
    server: Child,
    folder: TempDir,
}

impl MariaDb {
    /// Creates and starts a server, which is reached by a socket only.
    pub fn start() -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("wherefore-mariadb-")?;
        // The unprivileged user of the server must be able to enter the folder.
        Command::new("chmod").arg("711").arg(folder.path()).status()?;
        let data = folder.path().join("data");
        if is_root()? {
            let mut install = Command::new("install");
            run(install.args(["-d", "-m", "711", "-o", USER, "-g", USER]).arg(&data))?;
        } else {
            fs::create_dir(&data)?;
        }
        let mut create = as_user(USER, &PathBuf::from("mariadb-install-db"))?;
        create.args(["--no-defaults", "--auth-root-authentication-method=normal"]);
        run(create.arg("--skip-test-db").arg(["--datadir=", &data.to_string_lossy()].concat()))?;
        let log = fs::File::create(folder.path().join("log"))?;
        let server = as_user(USER, &program("mariadbd"))?
            .args(["--no-defaults", "--skip-networking", "--innodb-flush-log-at-trx-commit=0"])
            .arg(["--datadir=", &data.to_string_lossy()].concat())
            .arg(["--socket=", &data.join("socket").to_string_lossy()].concat())
            .arg(["--pid-file=", &data.join("pid").to_string_lossy()].concat())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let mut database = Self { server, folder };
        database.wait()?;
        database.execute(
            "",
            "CREATE DATABASE test CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; \
             SET GLOBAL time_zone = '+00:00'; \
             CREATE USER asker@localhost IDENTIFIED BY 'asked'; \
             GRANT SELECT, SHOW VIEW ON test.* TO asker@localhost",
        )?;
        Ok(database)
    }

    /// Address of the database `test` for a user that can only read it.
    pub fn url(&self) -> String {
        let socket = self.folder.path().join("data/socket");
        format!("mysql://asker:asked@localhost/test?socket={}", socket.display())
    }

    /// Runs statements on the database `test`, and returns the rows of the last one; NULL is `null`.
    pub fn query(&self, sql: &str) -> Result<Vec<Vec<String>>, Failure> {
        let output = self.execute("test", sql)?;
        let rows = output.lines().map(|line| line.split('\t').map(unescaped).collect());
        Ok(rows.collect())
    }

    fn execute(&self, database: &str, sql: &str) -> Result<String, Failure> {
        let socket = self.folder.path().join("data/socket");
        let mut client = Command::new("mariadb")
            .args(["--no-defaults", "--user=root", "--skip-column-names", "--batch"])
            .arg("--default-character-set=utf8mb4")
            .arg(["--socket=", &socket.to_string_lossy()].concat())
            .arg(["--database=", database].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut input) = client.stdin.take() {
            input.write_all(sql.as_bytes())?;
        }
        let output = client.wait_with_output()?;
        if output.status.success() {
            return Ok(String::from_utf8(output.stdout)?);
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned().into())
    }

    fn wait(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            let Err(error) = self.execute("", "SELECT 1") else { return Ok(()) };
            if self.server.try_wait()?.is_some() || start.elapsed() > PATIENCE {
                let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                return Err(format!("the MariaDB server did not start: {error}\n{log}").into());
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        let pid = self.server.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
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

/// Path of a server program, which may be on the path of administrators only.
fn program(name: &str) -> PathBuf {
    let path = PathBuf::from("/usr/sbin").join(name);
    if path.exists() { path } else { PathBuf::from(name) }
}

/// A cell as the client writes it without its escapes.
fn unescaped(cell: &str) -> String {
    if cell == "NULL" {
        return "null".to_owned();
    }
    let mut text = String::new();
    let mut characters = cell.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => text.push(match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('0') => '\0',
                other => other.unwrap_or('\\'),
            }),
            (character, false) => text.push(character),
        }
    }
    text
}

//! Servers of Spark SQL, Sail and Apache Spark, from Python packages that `cargo xtask test --suite` installs, and a client
//! that makes their tables.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDriver};
use tempfile::TempDir;

use crate::Failure;

/// Time within which a server starts.
const START: Duration = Duration::from_mins(2);

/// A server of Sail with two workers, or of Apache Spark with a master, two workers and a Spark Connect server. Dropping it
/// ends all its processes.
#[derive(Debug)]
pub struct SparkSql {
    processes: Vec<Child>,
    folder: TempDir,
    environment: PathBuf,
    engine: Engine,
    port: u16,
}

/// The engine of a server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Engine {
    /// Sail, reached by Flight SQL.
    Sail,
    /// Apache Spark, reached by Spark Connect.
    Spark,
}

impl Engine {
    /// Folder of the Python environment that xtask installed.
    fn environment(self) -> Result<PathBuf, Failure> {
        let variable = match self {
            Self::Sail => "WHEREFORE_SAIL",
            Self::Spark => "WHEREFORE_SPARK",
        };
        let folder = std::env::var_os(variable);
        Ok(folder.ok_or("this test is run by cargo xtask test --suite")?.into())
    }
}

impl SparkSql {
    /// Starts a server on free ports of this machine.
    pub fn start(engine: Engine) -> Result<Self, Failure> {
        let mut server = Self {
            processes: Vec::new(),
            folder: TempDir::with_prefix("wherefore-spark-sql-")?,
            environment: engine.environment()?,
            engine,
            port: free_port()?,
        };
        server.start_again()?;
        Ok(server)
    }

    /// Starts a server that was ended, at the same address. Sail has lost its tables.
    pub fn start_again(&mut self) -> Result<(), Failure> {
        match self.engine {
            Engine::Sail => self.start_sail()?,
            Engine::Spark => self.start_spark()?,
        }
        let start = Instant::now();
        while let Err(error) = self.run(&["SELECT 1"]) {
            if start.elapsed() > START {
                let log = self.log("server")?;
                return Err(format!("the server did not start: {error}\n{log}").into());
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    fn start_sail(&mut self) -> Result<(), Failure> {
        let mut command = Command::new(self.environment.join("bin/sail"));
        command
            .args(["flight", "server", "--ip", "127.0.0.1", "--port", &self.port.to_string()])
            .env("TZ", "UTC")
            .env("SAIL_MODE", "local-cluster")
            .env("SAIL_CLUSTER__WORKER_INITIAL_COUNT", "2")
            .env("SAIL_CLUSTER__WORKER_MAX_COUNT", "2")
            .env("SAIL_CLUSTER__WORKER_TASK_SLOTS", "4")
            .env("SAIL_EXECUTION__DEFAULT_PARALLELISM", "4");
        self.spawn("server", &mut command)
    }

    fn start_spark(&mut self) -> Result<(), Failure> {
        let master = free_port()?;
        let url = format!("spark://127.0.0.1:{master}");
        let home = self.spark_home()?;
        let class = |name: &str| {
            let mut command = Command::new(home.join("bin/spark-class"));
            command.arg(format!("org.apache.spark.deploy.{name}"));
            command.args(["--host", "127.0.0.1", "--webui-port", "0"]);
            command
        };
        let port = master.to_string();
        self.spawn("master", class("master.Master").args(["--port", &port]))?;
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", master)).is_err() {
            if start.elapsed() > START {
                return Err(format!("the master did not start\n{}", self.log("master")?).into());
            }
            thread::sleep(Duration::from_millis(200));
        }
        for name in ["worker-1", "worker-2"] {
            let mut worker = class("worker.Worker");
            worker.args(["--cores", "1", "--memory", "1g", "--work-dir"]);
            self.spawn(name, worker.arg(self.folder.path().join(name)).arg(&url))?;
        }
        let mut submit = Command::new(home.join("bin/spark-submit"));
        submit.args(["--master", &url, "--driver-memory", "1g", "--class"]);
        submit.arg("org.apache.spark.sql.connect.service.SparkConnectServer");
        let folder = self.folder.path().display().to_string();
        for setting in [
            format!("spark.connect.grpc.binding.port={}", self.port),
            "spark.connect.grpc.binding.address=127.0.0.1".to_owned(),
            "spark.driver.host=127.0.0.1".to_owned(),
            "spark.driver.bindAddress=127.0.0.1".to_owned(),
            "spark.executor.memory=512m".to_owned(),
            "spark.sql.shuffle.partitions=2".to_owned(),
            "spark.ui.enabled=false".to_owned(),
            format!("spark.sql.warehouse.dir={folder}/warehouse"),
        ] {
            submit.args(["--conf", &setting]);
        }
        self.spawn("server", submit.arg("spark-internal"))
    }

    /// Folder of Apache Spark in the Python package.
    fn spark_home(&self) -> Result<PathBuf, Failure> {
        package(&self.environment, "pyspark")
    }

    fn spawn(&mut self, name: &str, command: &mut Command) -> Result<(), Failure> {
        let log = File::create(self.folder.path().join(format!("{name}.log")))?;
        if self.engine == Engine::Spark {
            let folder = self.folder.path();
            command.env("SPARK_HOME", self.spark_home()?);
            command.env("SPARK_LOCAL_IP", "127.0.0.1").env("SPARK_LOCAL_DIRS", folder);
        }
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        self.processes.push(command.stdout(log.try_clone()?).stderr(log).spawn()?);
        Ok(())
    }

    /// What a process has logged so far: `server`, or for Apache Spark `master`, `worker-1` or `worker-2`.
    pub fn log(&self, name: &str) -> Result<String, Failure> {
        Ok(fs::read_to_string(self.folder.path().join(format!("{name}.log")))?)
    }

    /// A folder that is deleted with the server.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Ends all processes of the server.
    pub fn end(&mut self) {
        for process in &mut self.processes.drain(..).rev().collect::<Vec<_>>() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Ends the second worker of Apache Spark, with the tasks that it runs.
    pub fn end_worker(&mut self) -> Result<(), Failure> {
        let worker = self.processes.get_mut(2).ok_or("the server has no workers")?;
        worker.kill()?;
        worker.wait()?;
        Ok(())
    }

    /// Address of the server as the proxy takes it.
    pub fn address(&self) -> String {
        let scheme = match self.engine {
            Engine::Sail => "sail",
            Engine::Spark => "sc",
        };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Path of the driver's library.
    pub fn driver(&self) -> Result<PathBuf, Failure> {
        let name = match self.engine {
            Engine::Sail => "adbc_driver_flightsql",
            Engine::Spark => "adbc_driver_spark",
        };
        let folder = package(&self.environment, name)?;
        let found = fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
        let mut libraries = found.filter(|path| {
            path.extension().is_some_and(|extension| extension == "so" || extension == "dylib")
        });
        Ok(libraries.next().ok_or("the package of the driver has no library")?)
    }

    /// Options of a proxy on the server.
    pub fn options(&self) -> Result<Vec<String>, Failure> {
        let driver = self.driver()?.display().to_string();
        Ok(vec!["--database".to_owned(), self.address(), "--driver".to_owned(), driver])
    }

    /// Runs statements one by one; the first that fails is the error.
    pub fn run(&self, statements: &[impl AsRef<str>]) -> Result<(), Failure> {
        let mut connection = self.connection()?;
        for sql in statements {
            ran(&mut connection, sql.as_ref())
                .map_err(|error| format!("{error}\n{}", sql.as_ref()))?;
        }
        Ok(())
    }

    /// Runs statements one by one, and returns the errors of those that fail.
    pub fn failures(&self, statements: &[String]) -> Result<Vec<String>, Failure> {
        let mut connection = self.connection()?;
        let failed =
            |sql: &String| ran(&mut connection, sql).err().map(|error| format!("{error}\n{sql}"));
        Ok(statements.iter().filter_map(failed).collect())
    }

    fn connection(&self) -> Result<ManagedConnection, Failure> {
        let uri = match self.engine {
            Engine::Sail => format!("grpc://127.0.0.1:{}", self.port),
            Engine::Spark => self.address(),
        };
        let mut driver =
            ManagedDriver::load_dynamic_from_filename(self.driver()?, None, AdbcVersion::V110)?;
        let options = [(OptionDatabase::Uri, OptionValue::String(uri))];
        Ok(driver.new_database_with_opts(options)?.new_connection()?)
    }
}

fn ran(connection: &mut ManagedConnection, sql: &str) -> Result<(), String> {
    let told = |error: adbc_core::error::Error| error.message;
    let mut statement = connection.new_statement().map_err(told)?;
    statement.set_sql_query(sql).map_err(told)?;
    for rows in statement.execute().map_err(told)? {
        rows.map_err(|error| error.to_string())?;
    }
    Ok(())
}

impl Drop for SparkSql {
    fn drop(&mut self) {
        self.end();
    }
}

fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Folder of a package in a Python environment.
fn package(environment: &Path, name: &str) -> Result<PathBuf, Failure> {
    let versions = fs::read_dir(environment.join("lib"))?.flatten();
    let mut folders = versions.map(|version| version.path().join("site-packages").join(name));
    let found = folders.find(|folder| folder.is_dir());
    Ok(found.ok_or_else(|| format!("the Python package {name} is not installed"))?)
}

//! Servers of Spark SQL, Sail and Apache Spark, from Python packages that `cargo xtask test --suite` installs, and a client
//! that makes their tables.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use adbc_core::options::{OptionDatabase, OptionValue};
use tempfile::TempDir;

use crate::Failure;
use crate::adbc::Client;

/// Time within which a server starts.
const START: Duration = Duration::from_mins(2);

/// A server of Sail with workers, or of Apache Spark with a master, workers and a Spark Connect server. Dropping it ends all
/// its processes.
#[derive(Debug)]
pub struct SparkSql {
    processes: Vec<Child>,
    folder: TempDir,
    environment: PathBuf,
    engine: Engine,
    workers: usize,
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
    /// Starts a server with two workers on free ports of this machine.
    pub fn start(engine: Engine) -> Result<Self, Failure> {
        Self::start_with(engine, 2)
    }

    /// Starts a server with so many workers on free ports of this machine.
    pub fn start_with(engine: Engine, workers: usize) -> Result<Self, Failure> {
        let mut server = Self {
            processes: Vec::new(),
            folder: TempDir::with_prefix("wherefore-spark-sql-")?,
            environment: engine.environment()?,
            engine,
            workers,
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
            .env("SAIL_CLUSTER__WORKER_INITIAL_COUNT", self.workers.to_string())
            .env("SAIL_CLUSTER__WORKER_MAX_COUNT", self.workers.to_string())
            .env("SAIL_CLUSTER__WORKER_TASK_SLOTS", "4")
            .env("SAIL_EXECUTION__DEFAULT_PARALLELISM", (2 * self.workers).to_string());
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
        for number in 1..=self.workers {
            let name = format!("worker-{number}");
            let mut worker = class("worker.Worker");
            worker.args(["--cores", "1", "--memory", "1g", "--work-dir"]);
            self.spawn(&name, worker.arg(self.folder.path().join(&name)).arg(&url))?;
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
        let mut client = self.client()?;
        for sql in statements {
            let sql = sql.as_ref();
            client.run(sql).map_err(|error| format!("{error}\n{sql}"))?;
        }
        Ok(())
    }

    /// Runs statements one by one, and returns the errors of those that fail.
    pub fn failures(&self, statements: &[String]) -> Result<Vec<String>, Failure> {
        let mut client = self.client()?;
        let failed = |sql: &String| client.run(sql).err().map(|error| format!("{error}\n{sql}"));
        Ok(statements.iter().filter_map(failed).collect())
    }

    /// A connection to the server.
    pub fn client(&self) -> Result<Client, Failure> {
        let uri = match self.engine {
            Engine::Sail => format!("grpc://127.0.0.1:{}", self.port),
            Engine::Spark => self.address(),
        };
        let options = [(OptionDatabase::Uri, OptionValue::String(uri))];
        Client::new(&self.driver()?, None, options)
    }
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

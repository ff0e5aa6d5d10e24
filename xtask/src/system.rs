//! System requirements of the tests: Chromium, PostgreSQL, MariaDB, Python, Java, Node and npm packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

const NODE: u32 = 20;
const DATABASES: &str = "/usr/lib/postgresql";

/// Installs missing system packages, if this is Debian and the user is root.
pub(crate) fn packages(chromium: bool, postgresql: bool) -> Result<()> {
    let mut missing = Vec::new();
    if chromium && self::chromium().is_none() {
        missing.extend(["chromium", "fonts-dejavu-core"]);
    }
    if postgresql && !has_postgresql() {
        missing.push("postgresql");
    }
    install(&missing)
}

/// Installs MariaDB, unless it is installed.
pub(crate) fn mariadb() -> Result<()> {
    let server = ["mariadbd", "/usr/sbin/mariadbd"];
    let works = server
        .iter()
        .any(|server| process::output_of(Command::new(server).arg("--version")).is_some());
    install(if works { &[] } else { &["mariadb-server"] })
}

/// Installs Python with its module for virtual environments, unless it is installed.
pub(crate) fn python() -> Result<()> {
    let works = process::output_of(Command::new("python3").args(["-c", "import ensurepip, venv"]));
    install(if works.is_some() { &[] } else { &["python3", "python3-venv"] })
}

/// Installs a Java runtime, unless one of version 17 or later is installed.
pub(crate) fn java() -> Result<()> {
    let version = Command::new("java").arg("-version").output().ok();
    let text = version.map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
    let number = text.as_deref().and_then(|text| text.split('"').nth(1)?.split('.').next());
    let works =
        number.and_then(|number| number.parse().ok()).is_some_and(|number: u32| number >= 17);
    install(if works { &[] } else { &["openjdk-17-jre-headless"] })
}

/// Installs packages of the system, if this is Debian and the user is root.
fn install(missing: &[&str]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    if !(is_root() && Path::new("/etc/debian_version").exists()) {
        bail!(
            "missing: {}; on Debian, as root: apt-get install {}",
            missing.join(", "),
            missing.join(" ")
        );
    }
    let apt = || {
        let mut command = process::command("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    process::run("apt-get update", apt().arg("update"))?;
    process::run(
        "apt-get install",
        apt().args(["install", "--yes", "--no-install-recommends"]).args(missing),
    )?;
    Ok(())
}

/// Path of the system's Chromium.
pub(crate) fn chromium() -> Option<PathBuf> {
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists())
}

/// Fails unless Node is installed and recent enough.
pub(crate) fn node() -> Result<()> {
    let version = process::output_of(Command::new("node").arg("--version"))
        .context("missing: node, version 20 or later")?;
    let major = version.trim_start_matches('v').split('.').next().and_then(|n| n.parse().ok());
    if major.is_none_or(|major: u32| major < NODE) {
        bail!("node {version} is too old: version {NODE} or later is needed");
    }
    Ok(())
}

/// Installs the locked npm packages of a folder, unless they are installed already.
pub(crate) fn npm_packages(folder: &str) -> Result<()> {
    node()?;
    let folder = workspace::root().join(folder);
    let modified = |path: &str| folder.join(path).metadata().and_then(|data| data.modified());
    let lock = modified("package-lock.json")
        .with_context(|| format!("no package-lock.json in {}", folder.display()))?;
    if modified("node_modules/.package-lock.json").is_ok_and(|installed| installed >= lock) {
        return Ok(());
    }
    process::run(
        "npm packages",
        process::command("npm")
            .arg("ci")
            .current_dir(&folder)
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
    )?;
    Ok(())
}

fn has_postgresql() -> bool {
    let versions = std::fs::read_dir(DATABASES).into_iter().flatten().flatten();
    versions.into_iter().any(|version| version.path().join("bin/initdb").exists())
        || process::output_of(Command::new("initdb").arg("--version")).is_some()
}

fn is_root() -> bool {
    process::output_of(Command::new("id").arg("-u")).as_deref() == Some("0")
}

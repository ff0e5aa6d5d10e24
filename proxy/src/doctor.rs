//! The command `check`: examines each part of the configuration, and says how to fix what fails.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::access::{Access, Authentication};
use crate::config::{AuthMode, Config, ReadError, Tenant};
use crate::database::{Database, DatabaseAddress, DatabaseError, LoginFinding, Severity};
use crate::startup::{
    StartError, knowledge, open_database, open_model, read_catalog_soon, read_roles,
};
use crate::store::Store;

/// Parts of error messages that already say what to do about a file.
const ADVISED: [&str; 5] =
    ["; correct ", "; save it ", "copy it again", "set --driver", "make a duckdb file"];

/// Severity of a finding.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Level {
    /// The part does not work.
    Failed,
    /// The part works.
    Ok,
    /// The part works, and should be configured differently.
    Warning,
}

/// A finding about one part.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// Name of the part.
    pub part: String,
    /// Severity.
    pub level: Level,
    /// One sentence, with what to change.
    pub text: String,
}

impl Finding {
    fn new(part: impl Into<String>, level: Level, text: impl Into<String>) -> Self {
        // Messages of databases can contain line breaks.
        let text = text.into().split_whitespace().collect::<Vec<_>>().join(" ");
        Self { part: part.into(), level, text }
    }

    /// Whether the part does not work.
    pub fn has_failed(&self) -> bool {
        self.level == Level::Failed
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Failed => "failed",
            Level::Ok => "ok",
            Level::Warning => "warning",
        };
        write!(formatter, "{level:<8} {:<12} {}", self.part, self.text)
    }
}

/// Finding for options that cannot be parsed.
pub fn unreadable(error: &ReadError) -> Finding {
    Finding::new("config", Level::Failed, error.to_string())
}

/// Examines every part, in order of dependency.
pub async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = vec![match config.check() {
        Ok(()) => Finding::new("config", Level::Ok, "the options are valid"),
        Err(error) => Finding::new("config", Level::Failed, error.to_string()),
    }];
    // A missing data source is named by the finding on the options.
    if !config.tenants.is_empty() || has_source(config) {
        for tenant in config.all_tenants() {
            findings.extend(examine_tenant(config, &tenant).await);
        }
    }
    let store = examine_store(config).await;
    findings.push(store.0);
    // What lacks is named by the finding on the options.
    if config.access.auth != AuthMode::Jwt || config.access.jwks.is_some() {
        findings.push(examine_sign_in(config, store.1.as_ref()).await);
    }
    findings.push(examine_web(config.static_files.as_deref()));
    findings.push(examine_address(config).await);
    findings.push(examine_model(config).await);
    findings
}

fn has_source(config: &Config) -> bool {
    let source = &config.source;
    source.database.is_some() || source.database_file.is_some() || source.catalog.is_some()
}

async fn examine_tenant(config: &Config, tenant: &Tenant) -> Vec<Finding> {
    let part = |name: &str| {
        if config.tenants.is_empty() { name.to_owned() } else { format!("{name} {}", tenant.name) }
    };
    if let Err(error) = config.check_rights_of(tenant) {
        return vec![Finding::new(part("database"), Level::Failed, error.to_string())];
    }
    let address = match tenant.address() {
        Ok(address) => address,
        Err(error) => {
            return vec![Finding::new(part("database"), Level::Failed, error.to_string())];
        }
    };
    let mut findings = Vec::new();
    let mut database = None;
    if let Some(address) = address {
        match reach(config, &address).await {
            Ok(reached) => {
                let text = format!("{address} responds");
                findings.push(Finding::new(part("database"), Level::Ok, text));
                database = Some(reached);
            }
            Err(error) => {
                let text = explain(config, tenant, &error, &address);
                findings.push(Finding::new(part("database"), Level::Failed, text));
                return findings;
            }
        }
    }
    if let Some(database) = database.as_deref().filter(|_| config.has_roles()) {
        findings.push(match read_roles(config, database).await {
            Ok(roles) => {
                let text = format!("each of {} roles has only read access", roles.len());
                Finding::new(part("roles"), Level::Ok, text)
            }
            Err(error) => Finding::new(part("roles"), Level::Failed, error.to_string()),
        });
        findings.extend(examine_login(config, &part("rights"), database).await);
        return findings;
    }
    let read = read_catalog_soon(config, tenant, database.as_ref()).await;
    let read = read.and_then(|catalog| {
        let tables = catalog.tables.len();
        knowledge(config, tenant, catalog, None).map(|_| tables)
    });
    findings.push(match read {
        Ok(0) => Finding::new(part("catalog"), Level::Failed, "the catalog has no tables"),
        Ok(tables) => Finding::new(part("catalog"), Level::Ok, format!("{tables} tables")),
        Err(StartError::Database { source, address }) => {
            let text = explain(config, tenant, &source, &DatabaseAddress::new(address));
            Finding::new(part("catalog"), Level::Failed, text)
        }
        Err(error) => {
            let text = explain_file(config, tenant, &error);
            Finding::new(part("catalog"), Level::Failed, text)
        }
    });
    if let Some(database) = database {
        findings.extend(examine_login(config, &part("rights"), database.as_ref()).await);
    }
    findings
}

async fn reach(
    config: &Config,
    address: &DatabaseAddress,
) -> Result<Arc<dyn Database>, DatabaseError> {
    let database = open_database(config, address).map_err(|error| match error {
        StartError::Database { source, .. } => source,
        other => DatabaseError::Unavailable(other.to_string()),
    })?;
    database.ping().await?;
    Ok(database)
}

/// A failure of a file beside the database, with the option that names the file.
fn explain_file(config: &Config, tenant: &Tenant, error: &StartError) -> String {
    let option = match error {
        StartError::CatalogFile(_) => "catalog",
        StartError::Lessons { .. } => "lessons",
        StartError::Pack(_) => "pack",
        StartError::Settings { .. } => return correct(&config.named("settings"), error),
        _ => return error.to_string(),
    };
    correct(&config.named_of(tenant, option), error)
}

/// An error, with the option to correct if it names no file that can be read.
fn correct(option: &str, error: &StartError) -> String {
    let text = error.to_string();
    if text.to_lowercase().contains("no such file") {
        return format!("{text}; correct {option}");
    }
    text
}

/// A failure of a database, with its likely cause and remedy.
fn explain(
    config: &Config,
    tenant: &Tenant,
    error: &DatabaseError,
    address: &DatabaseAddress,
) -> String {
    let reason = error.to_string();
    let named = config.named_of(tenant, tenant.address_option());
    let path = format!("correct {named}");
    let option =
        if address.is_adbc() { format!("driver of {named}") } else { config.named("driver") };
    let driver = format!("correct {option}");
    let install = format!("install it, or set {option} to its library");
    let says = |words: &str| reason.to_lowercase().contains(words);
    let is_advised = ADVISED.iter().any(|words| says(words));
    let is_folder = !address.is_url() && Path::new(address.secret()).is_dir();
    let advice = match error {
        DatabaseError::NoTables(_) => "use another database or schema, or create the tables first",
        DatabaseError::PermissionDenied(_) if says("to database") => {
            "the user has no privilege on the database, or it does not exist: correct the address, or GRANT SELECT"
        }
        DatabaseError::PermissionDenied(_) if says("password") && address.is_mysql() => {
            "wrong user or password: correct the address, or set MYSQL_PWD"
        }
        DatabaseError::PermissionDenied(_) if says("password") => {
            "wrong user or password: correct the address, or set PGPASSWORD"
        }
        DatabaseError::PermissionDenied(_) if says("pg_hba") => {
            "the server does not accept this user from this host: add a line to pg_hba.conf"
        }
        DatabaseError::PermissionDenied(_) if says("role") => {
            "the user does not exist: correct the user in the address, or CREATE ROLE"
        }
        DatabaseError::PermissionDenied(_) => {
            "the user cannot read the tables: GRANT SELECT on the tables that users may query"
        }
        DatabaseError::Unavailable(_) if says("password missing") => {
            "the server requires a password: add it to the address, or set PGPASSWORD"
        }
        DatabaseError::Unavailable(_) if says("does not speak") => {
            "another server listens there: correct host, port and scheme of the address"
        }
        DatabaseError::Unavailable(_) if says("tls handshake") => {
            "server and address differ in TLS: use another scheme (sail+tls://) or parameter (use_ssl)"
        }
        DatabaseError::Unavailable(_) if says("is no scheme") || says("(adbc_") => &path,
        DatabaseError::Unavailable(_) if says("is not installed") => &install,
        DatabaseError::Unavailable(_) if says("cannot be used") => &driver,
        DatabaseError::Unavailable(_) if says("no such file") && !address.is_url() => &path,
        DatabaseError::Unavailable(_) if says("invalid address: it has") => "correct the address",
        DatabaseError::Unavailable(_) if says("invalid address") => {
            "correct the address: mysql://USER@HOST:PORT/DATABASE"
        }
        DatabaseError::Unavailable(_) if says("does not offer tls") => {
            "turn on TLS on the server, or set ssl-mode=preferred in the address"
        }
        DatabaseError::Unavailable(_) if says("tls error") => {
            "the certificate of the server is not accepted: set ssl-ca in the address, or another ssl-mode"
        }
        DatabaseError::Unavailable(_) if says("does not exist") || says("unknown database") => {
            "the database does not exist: correct its name in the address"
        }
        DatabaseError::Unavailable(_) if says("lookup") || says("not known") || says("resolve") => {
            "the host name cannot be resolved: correct it in the address"
        }
        DatabaseError::Unavailable(_) if says("refused") => {
            "nothing listens there: correct host and port, or start the server"
        }
        DatabaseError::UnreadableFile(_) if says("folder_without_tables") => &path,
        // What is known about the fault says what to do.
        DatabaseError::UnreadableFile(_) if is_advised && is_folder => {
            "or move it out of the folder"
        }
        DatabaseError::UnreadableFile(_) if is_advised => "",
        DatabaseError::UnreadableFile(_) if is_folder => {
            "correct the file, or move it out of the folder"
        }
        DatabaseError::UnreadableFile(_) => "correct the file",
        DatabaseError::Unavailable(_) if !address.is_url() => {
            "check the path and the permissions of the file"
        }
        _ => "check the server and the network",
    };
    // Most reasons name the file, with its line.
    if matches!(error, DatabaseError::UnreadableFile(_)) {
        let named =
            if reason.contains(address.secret()) { reason } else { format!("{address}: {reason}") };
        return if advice.is_empty() { named } else { format!("{named}; {advice}") };
    }
    // Some reasons name the path of the file too.
    let reason = reason.replacen(&format!("{address}: "), "", 1);
    format!("{address}: {reason}; {advice}")
}

/// Privileges of the login beyond reading.
async fn examine_login(config: &Config, part: &str, database: &dyn Database) -> Vec<Finding> {
    let found = match database.check_login().await {
        Ok(found) => found,
        Err(error) => return vec![Finding::new(part, Level::Failed, error.to_string())],
    };
    if found.is_empty() {
        return vec![Finding::new(part, Level::Ok, "the login has only read access")];
    }
    let finding = |found: LoginFinding| {
        let level = match found.severity {
            Severity::Refuse if !config.allow_privileged_login => Level::Failed,
            Severity::Refuse | Severity::Warn => Level::Warning,
        };
        Finding::new(part, level, format!("{}: {}", found.message, found.remedy))
    };
    found.into_iter().map(finding).collect()
}

async fn examine_store(config: &Config) -> (Finding, Option<Store>) {
    let address = match config.store_address() {
        Ok(address) => address,
        Err(error) => return (Finding::new("store", Level::Failed, error.to_string()), None),
    };
    let folder = Path::new(address.secret()).parent().filter(|_| !address.is_url());
    if let Some(folder) = folder.filter(|folder| *folder != Path::new("") && !folder.is_dir()) {
        let text = format!(
            "folder {} does not exist: create it, or set --store to another file",
            folder.display()
        );
        return (Finding::new("store", Level::Failed, text), None);
    }
    let same = config.all_tenants().iter().any(|tenant| {
        tenant.address().ok().flatten().is_some_and(|source| source.same_login(&address))
    });
    if same {
        let text =
            format!("{address} uses the login of a data source: give the store its own login");
        return (Finding::new("store", Level::Failed, text), None);
    }
    let opened = match Store::open(&address).await {
        Ok(store) => store.ping().await.map(|()| store),
        Err(error) => Err(error),
    };
    match opened {
        Ok(store) => {
            (Finding::new("store", Level::Ok, format!("{address} is writable")), Some(store))
        }
        Err(error) => {
            let text = format!("{error}; set --store to a writable file or database");
            (Finding::new("store", Level::Failed, text), None)
        }
    }
}

async fn examine_sign_in(config: &Config, store: Option<&Store>) -> Finding {
    let part = "sign-in";
    let access = match Access::new(config) {
        Ok(access) => access,
        Err(error) => {
            let text = format!("{error}; set --jwks to a file with the public keys of the issuer");
            return Finding::new(part, Level::Failed, text);
        }
    };
    match access.authentication {
        Authentication::None => {
            Finding::new(part, Level::Ok, "no authentication; only reachable from this machine")
        }
        Authentication::Tokens(tokens) => {
            let text = format!("tokens are verified with {} keys", tokens.len());
            Finding::new(part, Level::Ok, text)
        }
        Authentication::Keys => {
            let Some(store) = store else {
                let text = "API keys cannot be checked without the store";
                return Finding::new(part, Level::Failed, text);
            };
            match store.list_keys().await {
                Ok(keys) => match keys.iter().filter(|key| key.is_in_force()).count() {
                    0 => Finding::new(
                        part,
                        Level::Warning,
                        "no active API key: create one with `wherefore-proxy key add --user NAME`",
                    ),
                    count => Finding::new(part, Level::Ok, format!("{count} active API keys")),
                },
                Err(error) => Finding::new(part, Level::Failed, error.to_string()),
            }
        }
    }
}

fn examine_web(folder: Option<&Path>) -> Finding {
    match folder {
        None => Finding::new("web", Level::Ok, "--static is not set: only the API is served"),
        Some(folder) if folder.join("index.html").is_file() => {
            Finding::new("web", Level::Ok, format!("{} contains the web app", folder.display()))
        }
        Some(folder) => {
            let text = format!(
                "folder {} has no index.html: set --static to the built web app",
                folder.display()
            );
            Finding::new("web", Level::Failed, text)
        }
    }
}

async fn examine_address(config: &Config) -> Finding {
    let (part, address) = ("address", config.listen);
    let is_loopback = address.ip().is_loopback();
    if config.access.auth == AuthMode::None && !is_loopback {
        let text = format!("{address} needs --auth keys or --auth jwt, or a loopback address");
        return Finding::new(part, Level::Failed, text);
    }
    match tokio::net::TcpListener::bind(address).await {
        Err(error) => {
            let text = format!(
                "cannot listen on {address}: {error}; set --listen to another port, or stop the process that uses it"
            );
            Finding::new(part, Level::Failed, text)
        }
        Ok(_) if !is_loopback && config.allow_host.is_empty() => {
            let text = format!("{address} is free, but no host name is allowed: set --allow-host");
            Finding::new(part, Level::Warning, text)
        }
        Ok(_) => Finding::new(part, Level::Ok, format!("{address} is free")),
    }
}

/// The language model.
async fn examine_model(config: &Config) -> Finding {
    let part = |level, text: String| Finding::new("model", level, text);
    match open_model(config) {
        Ok(None) => {
            let text = "no language model: questions that need one are not answered";
            part(Level::Ok, text.to_owned())
        }
        Ok(Some(model)) => match model.probe().await {
            Ok(text) => part(Level::Ok, text),
            Err(text) => part(Level::Failed, text),
        },
        Err(error) => part(Level::Failed, error.to_string()),
    }
}

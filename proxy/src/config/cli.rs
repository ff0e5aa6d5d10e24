//! The command line: serving, `catalog`, `check`, `explain`, `key` and `mcp`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use thiserror::Error;

use super::file::{self, File, FileError};
use super::{Config, Contradiction};
use crate::identity::DEFAULT_TENANT;

/// Options that each name a data source.
const SOURCES: [&str; 3] = ["database", "database_file", "catalog"];

/// Answers questions about a database over HTTP.
#[derive(Clone, Debug, Parser)]
#[command(name = "wherefore-proxy", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Subcommand; without one, the proxy serves HTTP.
    #[command(subcommand)]
    pub action: Option<Action>,

    /// Options of serving.
    #[command(flatten)]
    pub config: Config,
}

/// Subcommands of the program.
#[derive(Clone, Debug, Subcommand)]
pub enum Action {
    /// Writes the catalog of a data source.
    #[command(subcommand)]
    Catalog(CatalogAction),
    /// Checks every part of the configuration, and reports what would not work.
    Check(Box<Config>),
    /// Prints how a question is read: which words made which clause of its statement, which is not run.
    Explain(Box<Explain>),
    /// Creates, lists and revokes API keys.
    #[command(subcommand)]
    Key(KeyAction),
    /// Serves the Model Context Protocol on standard input and output, for the local user.
    Mcp(Box<Config>),
}

/// Subcommands of `catalog`.
#[derive(Clone, Debug, Subcommand)]
pub enum CatalogAction {
    /// Writes tables, columns, keys and listed values as JSON, for `--catalog` and previews without the data source.
    ///
    /// The pack is merged into it. Values of sensitive columns are never written.
    Export(Box<CatalogExport>),
}

/// What `catalog export` writes, and where.
#[derive(Args, Clone, Debug)]
pub struct CatalogExport {
    /// Tenant whose catalog is written.
    #[arg(long, default_value = DEFAULT_TENANT)]
    pub tenant: String,

    /// Leave out what was read from rows: listed values, ranges and numbers of rows.
    #[arg(long)]
    pub without_values: bool,

    /// File to write; without it, standard output.
    #[arg(long)]
    pub output: Option<PathBuf>,

    /// Options of the proxy, which specify the data source.
    #[command(flatten)]
    pub config: Config,
}

/// What `explain` reads.
#[derive(Args, Clone, Debug)]
pub struct Explain {
    /// The question.
    pub question: String,

    /// Date on which it is asked, as yyyy-mm-dd; without it, the date of this machine.
    #[arg(long)]
    pub today: Option<String>,

    /// Tenant whose data the question is about.
    #[arg(long, default_value = DEFAULT_TENANT)]
    pub tenant: String,

    /// Options of the proxy, which specify the data source.
    #[command(flatten)]
    pub config: Config,
}

/// Subcommands of `key`.
#[derive(Clone, Debug, Subcommand)]
pub enum KeyAction {
    /// Creates a key and prints it; it cannot be printed again.
    Add(Box<KeyTarget>),
    /// Lists all keys, without their secrets.
    List(Box<Config>),
    /// Revokes a key, and ends all sign-ins with it.
    Revoke {
        /// Id of the key, as listed by `key list`.
        id: String,
        /// Options of the proxy, which specify the store.
        #[command(flatten)]
        config: Box<Config>,
    },
}

/// Owner, name and expiry of a new key.
#[derive(Args, Clone, Debug)]
pub struct KeyTarget {
    /// Tenant whose data the key gives access to.
    #[arg(long, default_value = DEFAULT_TENANT)]
    pub tenant: String,

    /// User that the key authenticates.
    #[arg(long)]
    pub user: String,

    /// Display name of the key.
    #[arg(long, default_value = "")]
    pub name: String,

    /// Days until the key expires; without it, the key is valid until it is revoked.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=3_650))]
    pub expires_days: Option<u32>,

    /// Options of the proxy, which specify the store.
    #[command(flatten)]
    pub config: Config,
}

/// Why options are rejected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Options contradict each other.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The configuration file is invalid.
    #[error(transparent)]
    File(#[from] FileError),
    /// The command line is invalid, or asks for help.
    #[error(transparent)]
    Usage(#[from] clap::Error),
}

/// Reads options from the command line, the environment, and the configuration file that one of these names.
pub fn read<T: Into<OsString> + Clone>(
    arguments: impl IntoIterator<Item = T> + Clone,
) -> Result<Cli, ReadError> {
    let first = Cli::command().try_get_matches_from(arguments.clone())?;
    let Some(path) = leaf(&first).get_one::<PathBuf>("config") else {
        return Ok(Cli::from_arg_matches(&first)?);
    };
    let file = file::read(path)?;
    let matches = with_defaults(Cli::command(), &file).try_get_matches_from(arguments)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let options = leaf(&matches);
    let config = cli.config_mut();
    let from_file = |option: &str| {
        let id = if option == "static" { "static_files" } else { option };
        options.try_contains_id(id).is_err()
            || options.value_source(id) == Some(ValueSource::DefaultValue)
    };
    config.origins = file.origins;
    config.origins.retain(|option, _| from_file(option));
    config.tenants = file.tenants;
    config.rights = file.rights;
    let source = &mut config.source;
    if SOURCES.iter().any(|option| options.contains_id(option) && !from_file(option)) {
        for option in SOURCES.iter().filter(|option| from_file(option)) {
            match *option {
                "database" => source.database = None,
                "database_file" => source.database_file = None,
                _ => source.catalog = None,
            }
        }
    }
    Ok(cli)
}

impl Cli {
    /// The options of the proxy, for any subcommand.
    pub fn config(&self) -> &Config {
        match &self.action {
            None => &self.config,
            Some(
                Action::Check(config)
                | Action::Mcp(config)
                | Action::Key(KeyAction::List(config) | KeyAction::Revoke { config, .. }),
            ) => config,
            Some(Action::Explain(explain)) => &explain.config,
            Some(Action::Key(KeyAction::Add(target))) => &target.config,
            Some(Action::Catalog(CatalogAction::Export(export))) => &export.config,
        }
    }

    fn config_mut(&mut self) -> &mut Config {
        match &mut self.action {
            None => &mut self.config,
            Some(
                Action::Check(config)
                | Action::Mcp(config)
                | Action::Key(KeyAction::List(config) | KeyAction::Revoke { config, .. }),
            ) => config,
            Some(Action::Explain(explain)) => &mut explain.config,
            Some(Action::Key(KeyAction::Add(target))) => &mut target.config,
            Some(Action::Catalog(CatalogAction::Export(export))) => &mut export.config,
        }
    }
}

/// Matches of the innermost subcommand.
fn leaf(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| leaf(inner))
}

/// The command with the values of the file as defaults, which flags and environment variables override.
fn with_defaults(command: Command, file: &File) -> Command {
    command
        .mut_args(|argument| {
            let values = argument.get_long().and_then(|flag| file.values.get(flag)).cloned();
            match values {
                Some(values) => argument.default_values(values),
                None => argument,
            }
        })
        .mut_subcommands(|command| with_defaults(command, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_has_a_variable_of_its_name() {
        for option in Config::command().get_arguments() {
            let Some(flag) = option.get_long().filter(|flag| !["help", "version"].contains(flag))
            else {
                continue;
            };
            let variable = format!("WHEREFORE_{}", flag.replace('-', "_").to_uppercase());
            let own = option.get_env().and_then(|own| own.to_str());
            assert_eq!(own, Some(variable.as_str()), "--{flag}");
        }
    }

    #[test]
    fn a_switch_can_stand_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.toml");
        for (text, expected) in [("true", true), ("false", false)] {
            std::fs::write(&path, format!("shared_memory = {text}\n")).unwrap();
            let cli = read(["w", "--config", path.to_str().unwrap()]).unwrap();
            assert_eq!(cli.config.shared_memory, expected);
        }
        std::fs::write(&path, "shared_memory = 1\n").unwrap();
        let error = read(["w", "--config", path.to_str().unwrap()]).unwrap_err().to_string();
        assert!(error.ends_with("w.toml:1: shared_memory: expected true or false"), "{error}");
    }

    #[test]
    fn one_source_is_needed_and_two_are_refused() {
        let check = |arguments: &[&str]| {
            let cli = read([&["w"], arguments].concat()).unwrap();
            cli.config.check().map_err(|error| error.to_string())
        };
        assert!(check(&[]).unwrap_err().contains("no data source: set"));
        let two = check(&["--database", "a.db", "--catalog", "b.json"]).unwrap_err();
        assert!(two.starts_with("--catalog: ") && two.contains("--database"), "{two}");
        check(&["--database", "a.db"]).unwrap();
    }

    #[test]
    fn flags_come_before_the_file_and_the_file_before_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.toml");
        std::fs::write(
            &path,
            "row_limit = 7\ncatalog = \"a.json\"\nallow_host = [\"a.example\", \"b.example\"]\n",
        )
        .unwrap();
        let path = path.to_str().unwrap();
        let cli = read(["w", "--config", path]).unwrap();
        assert_eq!(cli.config.row_limit, 7);
        assert_eq!(cli.config.connections, 4);
        assert_eq!(cli.config.allow_host, ["a.example", "b.example"]);
        cli.config.check().unwrap();
        let cli = read(["w", "check", "--config", path, "--row-limit", "8", "--database", "b.db"])
            .unwrap();
        assert_eq!(cli.config().row_limit, 8);
        assert!(cli.config().source.catalog.is_none(), "the flag names another source");
        cli.config().check().unwrap();
    }
}

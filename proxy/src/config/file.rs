//! Configuration file: every flag by its name with underscores, `[database]`, `[[tenants]]` and `[rights]`.
//!
//! Values are parsed by the clap parser of their flag, so that a file accepts exactly what the flag accepts.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::builder::ArgAction;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use serde::Deserialize;
use thiserror::Error;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::{Config, RightsOptions, Tenant, database_table};

/// Minimum similarity at which an unknown key is reported as a misspelling.
const NEAR: f64 = 0.75;

/// Why a configuration file is rejected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{}: {reason}", place(path, *line))]
pub struct FileError {
    path: PathBuf,
    line: Option<usize>,
    reason: String,
}

/// A parsed configuration file.
#[derive(Debug, Default)]
pub(super) struct File {
    /// Values by flag, as on a command line.
    pub(super) values: BTreeMap<String, Vec<String>>,
    pub(super) tenants: Vec<Tenant>,
    pub(super) rights: Option<RightsOptions>,
    /// Location of each option, as `FILE:LINE`.
    pub(super) origins: BTreeMap<String, String>,
}

/// Reads a file. Every key must be an option, and every value valid for its flag.
pub(super) fn read(path: &Path) -> Result<File, FileError> {
    let failed =
        |line: Option<usize>, reason: String| FileError { path: path.to_owned(), line, reason };
    let text = std::fs::read_to_string(path)
        .map_err(|error| failed(None, format!("cannot read the configuration file: {error}")))?;
    let line_of = |position: usize| 1 + text[..position.min(text.len())].matches('\n').count();
    let refused = |error: toml::de::Error| {
        let line = error.span().map(|span| line_of(span.start));
        // Only the message, since the full error quotes the line, which may contain a password.
        failed(line, error.message().to_lowercase().replace('\n', ", "))
    };
    let command = Config::command();
    let options: BTreeMap<String, &Arg> = command
        .get_arguments()
        .filter(|argument| !matches!(argument.get_id().as_str(), "config" | "help" | "version"))
        .filter_map(|argument| Some((argument.get_long()?.replace('-', "_"), argument)))
        .collect();
    let mut file = File::default();
    for (key, value) in DeTable::parse(&text).map_err(refused)?.into_inner() {
        let line = line_of(key.span().start);
        let origin = |line| place(path, Some(line));
        if key.get_ref() == "rights" {
            file.origins.insert("rights".to_owned(), origin(line));
            let rights = RightsOptions::deserialize(ValueDeserializer::from(value));
            file.rights = Some(rights.map_err(|error| {
                let line = error.span().map_or(line, |span| line_of(span.start));
                failed(Some(line), format!("rights: {}", error.message().replace('\n', ", ")))
            })?);
            continue;
        }
        if key.get_ref() == "tenants" {
            file.origins.insert("tenants".to_owned(), origin(line));
            let DeValue::Array(tenants) = value.into_inner() else {
                let reason = "tenants: define each tenant as a [[tenants]] table".to_owned();
                return Err(failed(Some(line), reason));
            };
            for (index, mut tenant) in tenants.into_iter().enumerate() {
                let start = line_of(tenant.span().start);
                if let DeValue::Table(table) = tenant.get_mut() {
                    database_table::replace(table).map_err(|fault| {
                        failed(
                            Some(line_of(fault.at)),
                            format!("tenants: database: {}", fault.reason),
                        )
                    })?;
                }
                file.origins.insert(format!("tenants.{index}"), origin(start));
                let tenant =
                    Tenant::deserialize(ValueDeserializer::from(tenant)).map_err(|error| {
                        let line = error.span().map_or(start, |span| line_of(span.start));
                        failed(Some(line), format!("tenants: {}", error.message()))
                    })?;
                file.tenants.push(tenant);
            }
            continue;
        }
        let key = key.get_ref().as_ref();
        if let ("database", DeValue::Table(table)) = (key, value.get_ref()) {
            let address = database_table::address(table, value.span().start).map_err(|fault| {
                failed(Some(line_of(fault.at)), format!("database: {}", fault.reason))
            })?;
            file.origins.insert("database".to_owned(), origin(line));
            file.values.insert("database".to_owned(), vec![address]);
            continue;
        }
        let Some(option) = options.get(key) else {
            return Err(failed(Some(line), unknown(key, options.keys())));
        };
        let flag = key.replace('_', "-");
        let values = texts(option, value.get_ref())
            .and_then(|values| check(option, &flag, &values).map(|()| values))
            .map_err(|reason| failed(Some(line), format!("{key}: {reason}")))?;
        file.origins.insert(key.to_owned(), origin(line));
        file.values.insert(flag, values);
    }
    Ok(file)
}

fn place(path: &Path, line: Option<usize>) -> String {
    let path = path.display();
    line.map_or_else(|| path.to_string(), |line| format!("{path}:{line}"))
}

fn unknown<'a>(key: &str, options: impl Iterator<Item = &'a String>) -> String {
    let alike = key.replace('-', "_").to_lowercase();
    let nearest = options
        .map(|option| (likeness(&alike, option), option))
        .max_by(|left, right| left.0.total_cmp(&right.0));
    let shown: String = key.chars().filter(|character| !character.is_control()).take(64).collect();
    match nearest {
        Some((likeness, option)) if likeness >= NEAR => {
            format!("unknown option: {shown}; did you mean {option}?")
        }
        _ => format!("unknown option: {shown}"),
    }
}

/// Similarity of two words: share of common letter pairs (Dice coefficient).
fn likeness(left: &str, right: &str) -> f64 {
    let pairs =
        |word: &str| -> Vec<(char, char)> { word.chars().zip(word.chars().skip(1)).collect() };
    let (left, mut right) = (pairs(left), pairs(right));
    let all = left.len() + right.len();
    let common = left
        .iter()
        .filter(|pair| {
            let found = right.iter().position(|other| other == *pair);
            found.map(|index| right.swap_remove(index)).is_some()
        })
        .count();
    if all == 0 { 0.0 } else { 2.0 * common as f64 / all as f64 }
}

/// Values of a key as texts, if their TOML type fits the flag.
fn texts(option: &Arg, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let repeated = matches!(option.get_action(), ArgAction::Append);
    match value {
        DeValue::Array(values) if repeated => {
            values.iter().map(|value| text(option, value.get_ref())).collect()
        }
        DeValue::Array(_) => Err("expected a single value, not a list".to_owned()),
        DeValue::Table(table) => Err(not_a_table(option, table)),
        value => Ok(vec![text(option, value)?]),
    }
}

/// What to write instead of a table with the name of an option, and of each of its keys.
fn not_a_table(option: &Arg, table: &DeTable<'_>) -> String {
    let own = option.get_id().as_str();
    let keys = table.keys().map(|key| {
        let key = key.get_ref().as_ref();
        let shown: String = key.chars().filter(|it| !it.is_control()).take(64).collect();
        if Config::command().get_arguments().any(|it| it.get_id().as_str() == key) {
            format!("{shown} is an option of its own")
        } else {
            format!("{shown} is no option")
        }
    });
    let keys: Vec<String> = keys.collect();
    let keys = if keys.is_empty() { "it is empty".to_owned() } else { keys.join(", ") };
    format!(
        "expected a single value, not a table ({keys}); write {own} = … above the first [table]"
    )
}

fn text(option: &Arg, value: &DeValue<'_>) -> Result<String, String> {
    let kind = option.get_value_parser().type_id();
    let integers =
        [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    let is_number = integers.iter().any(|integer| kind == *integer);
    let is_decimal = kind == TypeId::of::<f64>() || kind == TypeId::of::<f32>();
    let is_switch = kind == TypeId::of::<bool>();
    match value {
        DeValue::Integer(number) if (is_number || is_decimal) && number.radix() == 10 => {
            Ok(number.as_str().to_owned())
        }
        DeValue::Float(number) if is_decimal => Ok(number.as_str().to_owned()),
        DeValue::Boolean(switch) if is_switch => Ok(switch.to_string()),
        DeValue::String(text) if !(is_number || is_decimal || is_switch) => Ok(text.to_string()),
        _ if is_number => Err("expected an integer".to_owned()),
        _ if is_decimal => Err("expected a number".to_owned()),
        _ if is_switch => Err("expected true or false".to_owned()),
        _ => Err("expected a quoted string".to_owned()),
    }
}

/// Validates values with the parser of their flag.
fn check(option: &Arg, flag: &str, values: &[String]) -> Result<(), String> {
    if matches!(option.get_action(), ArgAction::SetTrue | ArgAction::SetFalse) {
        return Ok(());
    }
    let option = option.clone().required(false).env(clap::builder::Resettable::Reset);
    let command = Command::new("file").no_binary_name(true).arg(option);
    let arguments = values.iter().map(|value| format!("--{flag}={value}"));
    let Err(error) = command.try_get_matches_from(arguments) else { return Ok(()) };
    let reason = std::error::Error::source(&error).map(ToString::to_string);
    match (error.kind(), error.get(ContextKind::ValidValue), reason) {
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(valid)), _) => {
            Err(format!("expected one of {}", valid.join(", ")))
        }
        (_, _, Some(reason)) => Err(reason),
        _ => Err("invalid value".to_owned()),
    }
}

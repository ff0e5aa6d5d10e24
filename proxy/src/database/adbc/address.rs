//! Addresses that name a profile, a driver and a database: `adbc:PROFILE?driver=…&uri=…`.

use std::path::Path;

use percent_encoding::percent_decode_str;
use thiserror::Error;

use super::place::Place;
use super::profile::{Options, PROFILES, Profile};

/// What an address with a profile consists of.
#[derive(Clone, Debug)]
pub(crate) struct DriverAddress {
    pub(super) profile: &'static Profile,
    pub(super) driver: String,
    pub(super) place: Place,
    pub(super) options: Options,
}

/// What is wrong with an address. No text shows a part of the address, since any part may be one of a password.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub(crate) enum AddressFault {
    /// The profile is missing or unknown.
    #[error(
        "the address names no known profile; profiles are {} (adbc_unknown_profile)",
        profiles()
    )]
    UnknownProfile,
    /// There is no driver.
    #[error(
        "the driver is missing: add driver=, an absolute path or the name of a manifest (adbc_missing_driver)"
    )]
    MissingDriver,
    /// The driver is neither an absolute path nor a name.
    #[error(
        "the driver is a relative path; expected an absolute path, or the name of a manifest without .toml \
         (adbc_relative_driver)"
    )]
    RelativeDriver,
    /// There is no URI, or it is empty.
    #[error("the URI is missing: add uri=, the place of the database (adbc_missing_uri)")]
    MissingUri,
    /// The URI is not one of the engine.
    #[error("the URI has the wrong form; expected {0} (adbc_wrong_uri)")]
    WrongUri(&'static str),
    /// A key is neither `driver` nor `uri` nor an option that the profile allows.
    #[error(
        "key {0} after the question mark is not allowed; allowed are driver, uri, {1} (adbc_unknown_option)"
    )]
    UnknownOption(usize, String),
    /// A key is given twice.
    #[error("key {0} after the question mark is given twice (adbc_repeated_key)")]
    RepeatedKey(usize),
    /// A key has no value.
    #[error(
        "key {0} after the question mark has no value: write KEY=VALUE, and %26 for & (adbc_missing_value)"
    )]
    MissingValue(usize),
    /// A value has a character that is not escaped.
    #[error(
        "the value of key {0} after the question mark is not escaped: write %3F for ?, %26 for & and %25 for %, and no \
         control characters (adbc_unescaped_value)"
    )]
    Unescaped(usize),
    /// There is no such file.
    #[error("there is no such file (adbc_missing_file)")]
    MissingFile,
}

impl DriverAddress {
    /// Reads what follows `adbc:`.
    pub(crate) fn parse(text: &str) -> Result<Self, AddressFault> {
        let (name, query) = text.split_once('?').unwrap_or((text, ""));
        let profile = profile(name).ok_or(AddressFault::UnknownProfile)?;
        let (mut driver, mut uri, mut options) = (None, None, Options::new());
        let pairs = query.split('&').enumerate().filter(|_| !query.is_empty());
        for (number, pair) in pairs.map(|(index, pair)| (index + 1, pair)) {
            let (key, value) = pair.split_once('=').ok_or(AddressFault::MissingValue(number))?;
            let value = decoded(value).ok_or(AddressFault::Unescaped(number))?;
            let is_repeated = match key {
                "driver" => driver.replace(value).is_some(),
                "uri" => uri.replace(value).is_some(),
                key if profile.allowed.contains(&key) => {
                    let is_repeated = options.iter().any(|(other, _)| other == key);
                    options.push((key.to_owned(), value));
                    is_repeated
                }
                _ => {
                    return Err(AddressFault::UnknownOption(number, profile.allowed.join(", ")));
                }
            };
            if is_repeated {
                return Err(AddressFault::RepeatedKey(number));
            }
        }
        let driver = driver.filter(|it| !it.is_empty()).ok_or(AddressFault::MissingDriver)?;
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if !Path::new(&driver).is_absolute() && !driver.bytes().all(is_name) {
            return Err(AddressFault::RelativeDriver);
        }
        let uri = uri.filter(|uri| !uri.trim().is_empty()).ok_or(AddressFault::MissingUri)?;
        let place = (profile.located)(&uri);
        let is_right = place.as_ref().is_some_and(|place| (profile.options)(place).is_ok());
        let place = place.filter(|_| is_right).ok_or(AddressFault::WrongUri(profile.form))?;
        Ok(Self { profile, driver, place, options })
    }

    /// The address without passwords.
    pub(crate) fn shown(&self) -> String {
        format!("adbc:{}?uri={}", self.profile.name, self.place)
    }

    /// Checks that a file which is named exists.
    pub(crate) fn check_file(&self) -> Result<(), AddressFault> {
        match &self.place {
            Place::File(path) if !path.exists() => Err(AddressFault::MissingFile),
            _ => Ok(()),
        }
    }
}

/// Options that a profile allows in the configuration; `None` if there is no such profile.
pub(crate) fn allowed_options(name: &str) -> Option<&'static [&'static str]> {
    profile(name).map(|profile| profile.allowed)
}

fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES.into_iter().find(|profile| profile.name == name)
}

fn profiles() -> String {
    PROFILES.map(|profile| profile.name).join(", ")
}

/// A value without its escapes; `None` if it is not escaped as it should be.
fn decoded(value: &str) -> Option<String> {
    let is_escape =
        |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|it| it.is_ascii_hexdigit());
    let are_escapes = value.split('%').skip(1).all(is_escape);
    let value = percent_decode_str(value)
        .decode_utf8()
        .ok()
        .filter(|_| are_escapes && !value.contains('?'))?;
    (!value.contains(char::is_control)).then(|| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fault(text: &str) -> String {
        DriverAddress::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn an_address_has_a_profile_a_driver_a_place_and_options() {
        let read = DriverAddress::parse(
            "duckdb?driver=/lib/a%20b.so&uri=/data/50%25%3F+.duckdb&threads=2",
        );
        let read = read.unwrap();
        assert_eq!((read.profile.name, &*read.driver), ("duckdb", "/lib/a b.so"));
        assert_eq!(read.place.to_string(), "/data/50%?+.duckdb");
        assert_eq!(read.options, [("threads".to_owned(), "2".to_owned())]);
        let read = DriverAddress::parse(
            "sail?driver=flightsql&uri=grpc+tls://ann:s3cr3t@h:1&password=s3cr3t",
        );
        assert_eq!(read.unwrap().shown(), "adbc:sail?uri=sail+tls://ann@h:1");
        let read = DriverAddress::parse("spark?driver=spark&uri=sc://h:1/;token=s3cr3t").unwrap();
        assert_eq!(read.shown(), "adbc:spark?uri=sc://h:1");
    }

    // Promise: sources.profile-faults
    #[test]
    fn each_wrong_form_has_its_code_and_shows_no_part_of_a_password() {
        for (text, code) in [
            ("", "adbc_unknown_profile"),
            ("s3cr3t?driver=a&uri=b", "adbc_unknown_profile"),
            ("duckdb", "adbc_missing_driver"),
            ("duckdb?driver=&uri=s3cr3t", "adbc_missing_driver"),
            ("duckdb?driver=./s3cr3t.so&uri=b", "adbc_relative_driver"),
            ("duckdb?driver=~/s3cr3t.so&uri=b", "adbc_relative_driver"),
            ("duckdb?driver=duckdb.toml&uri=b", "adbc_relative_driver"),
            ("duckdb?driver=duckdb", "adbc_missing_uri"),
            ("duckdb?driver=duckdb&uri=", "adbc_missing_uri"),
            ("duckdb?driver=duckdb&uri=postgres://s3cr3t@h", "adbc_wrong_uri"),
            ("sail?driver=flightsql&uri=http://s3cr3t:1", "adbc_wrong_uri"),
            ("sail?driver=flightsql&uri=grpc://s3cr3t", "adbc_wrong_uri"),
            ("spark?driver=spark&uri=sc://s3cr3t", "adbc_wrong_uri"),
            ("duckdb?driver=duckdb&uri=a&access_mode=s3cr3t", "adbc_unknown_option"),
            ("sail?driver=flightsql&uri=sail://u:p&s3cr3t=@h:1", "adbc_unknown_option"),
            ("sail?driver=flightsql&uri=sail://u:p&s3cr3t@h:1", "adbc_missing_value"),
            ("duckdb?driver=duckdb&uri=a&uri=s3cr3t", "adbc_repeated_key"),
            ("duckdb?driver=duckdb&uri=a?s3cr3t", "adbc_unescaped_value"),
            ("duckdb?driver=duckdb&uri=s3cr3t%2", "adbc_unescaped_value"),
            ("duckdb?driver=duckdb&uri=s3cr3t%00", "adbc_unescaped_value"),
            ("duckdb?driver=duckdb&uri=s3cr3t%FF", "adbc_unescaped_value"),
        ] {
            let found = fault(text);
            assert!(found.ends_with(&format!("({code})")), "{text}: {found}");
            assert!(!found.contains("s3cr3t"), "{found}");
        }
    }
}

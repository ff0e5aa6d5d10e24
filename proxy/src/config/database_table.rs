//! The table `[database]`, which is written as an address that names a profile.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

#[cfg(unix)]
use crate::database::adbc::allowed_options;

/// Characters that are escaped in the value of an address.
const ESCAPED: &AsciiSet = &CONTROLS.add(b'%').add(b'&').add(b'?');
/// Keys of the table that hold a text.
const KEYS: [&str; 3] = ["profile", "driver", "uri"];

/// What is wrong with a table, and the byte of the file at which it stands. The text shows no value.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) reason: String,
}

/// Writes a table `database` of a tenant as an address.
pub(super) fn replace(tenant: &mut DeTable<'_>) -> Result<(), Fault> {
    for (key, value) in tenant.iter_mut() {
        if key.get_ref() == "database"
            && let DeValue::Table(table) = value.get_ref()
        {
            let address = address(table, value.span().start)?;
            *value.get_mut() = DeValue::String(address.into());
        }
    }
    Ok(())
}

/// The address that a table stands for.
pub(super) fn address(table: &DeTable<'_>, start: usize) -> Result<String, Fault> {
    let (mut profile, mut pairs) = (None, Vec::new());
    let mut options = None;
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "profile" => profile = Some(text(key, value)?),
            "driver" => pairs.push(("driver".to_owned(), text(key, value)?)),
            "uri" => pairs.push(("uri".to_owned(), text(key, value)?)),
            "options" => options = Some(value),
            _ => {
                let reason = format!(
                    "{} is no key of this table; keys are {} and options, and other options of the proxy stand above \
                     the first [table] (adbc_unknown_key)",
                    shown(key),
                    KEYS.join(", ")
                );
                return Err(Fault { at: key.span().start, reason });
            }
        }
    }
    let Some(profile) = profile else {
        let reason = "the table has no profile (adbc_missing_profile)".to_owned();
        return Err(Fault { at: start, reason });
    };
    if let Some(options) = options {
        let DeValue::Table(table) = options.get_ref() else {
            let reason =
                "options: expected a table, { NAME = VALUE } (adbc_wrong_value)".to_owned();
            return Err(Fault { at: options.span().start, reason });
        };
        for (key, value) in table {
            check_option(&profile, key)?;
            pairs.push((key.get_ref().to_string(), text(key, value)?));
        }
    }
    let pairs =
        pairs.iter().map(|(key, value)| format!("{key}={}", utf8_percent_encode(value, ESCAPED)));
    let pairs: Vec<String> = pairs.collect();
    Ok(format!("adbc:{}?{}", utf8_percent_encode(&profile, ESCAPED), pairs.join("&")))
}

/// Refuses an option that the profile does not allow.
fn check_option(profile: &str, key: &Spanned<impl AsRef<str>>) -> Result<(), Fault> {
    #[cfg(unix)]
    let allowed = allowed_options(profile);
    #[cfg(not(unix))]
    let allowed: Option<&[&str]> = (!profile.is_empty()).then_some(&[]);
    // An unknown profile is found when the address is checked.
    let Some(allowed) = allowed else { return Ok(()) };
    if allowed.contains(&key.get_ref().as_ref()) {
        return Ok(());
    }
    let reason = format!(
        "options: {} is not allowed for the profile {profile}; allowed are {} (adbc_unknown_option)",
        shown(key),
        allowed.join(", ")
    );
    Err(Fault { at: key.span().start, reason })
}

/// A text or an integer as text.
fn text(key: &Spanned<impl AsRef<str>>, value: &Spanned<DeValue<'_>>) -> Result<String, Fault> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number)
            if number.radix() == 10 && !KEYS.contains(&key.get_ref().as_ref()) =>
        {
            Ok(number.as_str().to_owned())
        }
        _ => {
            let reason = format!("{}: expected a quoted string (adbc_wrong_value)", shown(key));
            Err(Fault { at: value.span().start, reason })
        }
    }
}

/// A key in a message.
fn shown(key: &Spanned<impl AsRef<str>>) -> String {
    key.get_ref().as_ref().chars().filter(|it| !it.is_control()).take(64).collect()
}

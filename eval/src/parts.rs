//! The parts of a data set: *development* may be read and tuned on, of *check* only the last line is read.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::options::Set;

/// A part of a data set.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Part {
    /// Kept for checking.
    Check,
    /// Read and tuned on.
    Development,
}

impl Part {
    /// The part with this name.
    pub(crate) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "check" => Self::Check,
            "development" => Self::Development,
            other => bail!("unknown part: {other}"),
        })
    }
}

/// How one data set is divided: by families of databases, or by domains.
#[derive(Debug)]
pub(crate) struct Divided {
    /// Whether databases whose names differ only by a number stay together.
    by_family: bool,
    /// Families in the part check.
    check: BTreeSet<String>,
    /// Families in the part development; `None` when it has all others.
    development: Option<BTreeSet<String>>,
}

impl Divided {
    /// Reads how a set is divided. A set that the file does not name belongs to the part development.
    pub(crate) fn read(file: &Path, set: Set) -> Result<Self> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let splits: Value = serde_json::from_str(&text)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let name = match set {
            Set::Ambrosia => "ambrosia_domains",
            Set::AmbiqtColumn | Set::AmbiqtPrecomputed | Set::AmbiqtTable | Set::Spider => "spider",
            Set::Defog => "defog",
            Set::Triage => "triagesql",
            Set::Geoquery => return Ok(Self::of(&Value::Null, true)),
            Set::Everyday => bail!("the parts of this set are files of their own"),
        };
        Ok(Self::of(&splits[name], set != Set::Triage))
    }

    fn of(section: &Value, by_family: bool) -> Self {
        let group: fn(&str) -> &str = if by_family { family } else { whole };
        let families = |part: &str| -> Option<BTreeSet<String>> {
            let names = section[part].as_array()?.iter().filter_map(Value::as_str);
            Some(names.map(|name| group(name).to_owned()).collect())
        };
        Self {
            by_family,
            check: families("check").unwrap_or_default(),
            development: families("development"),
        }
    }

    /// Whether a database or domain belongs to a part.
    pub(crate) fn holds(&self, part: Part, name: &str) -> bool {
        let name = if self.by_family { family(name) } else { name };
        let check = self.check.contains(name);
        match (part, &self.development) {
            (Part::Check, _) => check,
            (Part::Development, None) => !check,
            (Part::Development, Some(development)) => !check && development.contains(name),
        }
    }
}

/// The name itself.
fn whole(name: &str) -> &str {
    name
}

/// Family of a database: its name without a number at the end.
pub(crate) fn family(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((family, number))
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            family
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_family_stays_together() {
        let divided =
            Divided::of(&json!({ "check": ["shop_1"], "development": ["school", "_1"] }), true);
        let parts =
            |name: &str| (divided.holds(Part::Check, name), divided.holds(Part::Development, name));
        assert_eq!(parts("shop_2"), (true, false));
        assert_eq!(parts("school_3"), (false, true));
        assert_eq!(parts("shop_keeper"), (false, false));
    }

    #[test]
    fn what_is_not_kept_for_checking_is_for_development() {
        let divided = Divided::of(&json!({ "field": "databaseid", "check": ["list_2"] }), false);
        assert!(divided.holds(Part::Development, "list_3"));
        assert!(!divided.holds(Part::Development, "list_2"));
    }
}

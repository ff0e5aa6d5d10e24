//! Experiments (A/B tests): variants of settings, each for a share of the users.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use thiserror::Error;
use wherefore_engine::settings::Settings;

use crate::identity::Identity;

/// An experiment, as configured in its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Name, which seeds the assignment of users to variants.
    name: String,
    /// Variants; users in none of them have the default settings.
    variants: Vec<Variant>,
}

/// A variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    /// Share of the users, 0 to 1.
    share: f64,
    /// Engine settings that differ from the default, such as options of clarifications and their order.
    #[serde(default)]
    settings: Map<String, Value>,
}

/// Why an experiment is rejected.
#[derive(Debug, Error)]
#[error("experiment {path}: {reason}")]
pub struct ExperimentError {
    path: PathBuf,
    reason: String,
}

impl Experiment {
    /// Reads an experiment from a TOML file, and checks the settings of its variants.
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let refused = |reason| ExperimentError { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
        let read: Self = toml::from_str(&text).map_err(|error| refused(error.to_string()))?;
        read.check().map_err(refused)?;
        Ok(read)
    }

    fn check(&self) -> Result<(), String> {
        let mut total = 0.0;
        for (position, variant) in self.variants.iter().enumerate() {
            let name = &variant.name;
            if name.is_empty() || self.variants[..position].iter().any(|other| other.name == *name)
            {
                return Err(format!("variant {} needs a unique name", position + 1));
            }
            if !(0.0..=1.0).contains(&variant.share) {
                return Err(format!("the share of variant {name} must be between 0 and 1"));
            }
            total += variant.share;
            let settings = variant.settings(&Settings::default());
            let settings = settings.map_err(|error| format!("{name}: {error}"))?;
            settings.check().map_err(|error| format!("{name}: {error}"))?;
        }
        // Tolerance for rounding of floating-point sums.
        if total > 1.0 + 1e-9 {
            return Err(format!(
                "the shares of the variants add up to {total}; at most 1 is allowed"
            ));
        }
        Ok(())
    }

    /// Variant of a user or person, always the same one; empty if none is assigned, or without a user or person.
    pub(crate) fn variant_of(&self, caller: &Identity, person: Option<&str>) -> &str {
        let Some(person) = person else { return "" };
        let mut hash = Sha256::new();
        for part in [&self.name, &caller.tenant, person] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let digest = hash.finalize();
        let first =
            digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let point = first as f64 / u64::MAX as f64;
        let mut behind = 0.0;
        for variant in &self.variants {
            behind += variant.share;
            if point < behind {
                return &variant.name;
            }
        }
        ""
    }

    /// Settings of each variant, with its name.
    pub(crate) fn settings(
        &self,
        base: &Settings,
    ) -> Result<Vec<(&str, Settings)>, serde_json::Error> {
        let each = self.variants.iter();
        each.map(|variant| Ok((variant.name.as_str(), variant.settings(base)?))).collect()
    }
}

impl Variant {
    fn settings(&self, base: &Settings) -> Result<Settings, serde_json::Error> {
        let mut settings = serde_json::to_value(base)?;
        if let Value::Object(settings) = &mut settings {
            settings.extend(self.settings.clone());
        }
        serde_json::from_value(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALVES: &str = "name = 'rounds'\n\
         [[variants]]\nname = 'as before'\nshare = 0.25\n\
         [[variants]]\nname = 'one round'\nshare = 0.25\nsettings = { rounds = 1 }\n";

    fn read(text: &str) -> Result<Experiment, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("experiment.toml");
        std::fs::write(&path, text).unwrap();
        Experiment::read(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn users_are_shared_out_and_stay_where_they_are() {
        let experiment = read(HALVES).unwrap();
        let caller = Identity::default();
        let variant = |user: u32| experiment.variant_of(&caller, Some(&format!("user-{user}")));
        let of = |name: &str| (0..2_000).filter(|user| variant(*user) == name).count();
        for (name, expected) in [("as before", 500), ("one round", 500), ("", 1_000)] {
            assert!(of(name).abs_diff(expected) < 100, "{name}: {}", of(name));
        }
        let users = 0..2_000;
        assert!(users.clone().all(|user| variant(user) == variant(user)));
        let other = read(&HALVES.replace("'rounds'", "'other'")).unwrap();
        let moved =
            |user: &u32| other.variant_of(&caller, Some(&format!("user-{user}"))) != variant(*user);
        assert!(users.filter(moved).count() > 500, "another experiment assigns anew");
        assert_eq!(experiment.variant_of(&caller, None), "");
    }

    #[test]
    fn settings_of_a_variant_are_those_of_everyone_but_for_what_differs() {
        let experiment = read(HALVES).unwrap();
        let base = Settings { row_limit: 7, ..Settings::default() };
        let settings = experiment.settings(&base).unwrap();
        assert_eq!(settings[0], ("as before", base.clone()));
        assert_eq!(settings[1], ("one round", Settings { rounds: 1, ..base }));
    }

    #[test]
    fn what_is_wrong_with_an_experiment_is_said() {
        for (from, to, part) in [
            ("rounds = 1", "runds = 1", "runds"),
            ("rounds = 1", "rounds = 'one'", "one round"),
            ("rounds = 1", "rounds = 200", "between 0 and 20"),
            ("rounds = 1", "options = [{ options = ['7_days'] }]", "needs a phrase"),
            ("share = 0.25\nsettings", "share = 0.8\nsettings", "add up"),
            ("share = 0.25\nsettings", "share = -1\nsettings", "between 0 and 1"),
            ("'one round'", "'as before'", "unique name"),
            ("[[variants]]", "[[variant]]", "variant"),
        ] {
            let error = read(&HALVES.replace(from, to)).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}

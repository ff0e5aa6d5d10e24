//! The statements that the chance is learned from.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::composer::{Example, examples, reword};
use crate::options::Options;
use crate::parts::family;
use crate::score::draw;
use crate::sets;

/// Parts of the cross-validation; all statements on one family of databases are in one part.
pub(super) const FOLDS: usize = 5;
/// Data sets.
pub(super) const SETS: [&str; 6] =
    ["spider", REWORDED, "geoquery", "defog", "ambrosia", "everyday"];
/// The set of Spider's questions with one word replaced by a synonym.
const REWORDED: &str = "reworded";
/// The databases of everyday questions, each in a part of its own.
const EVERYDAY: [&str; 3] = ["chinook", "northwind", "sample"];
/// Signal of words that are left out.
const UNREAD: &str = "unread words";
/// Signal of the rule that keeps words from being left out; the chance is not learned from it.
const KEPT: &str = "unread words that may pick rows";

/// A statement with the set it belongs to.
pub(super) struct Learned {
    pub(super) set: &'static str,
    /// Whether the catalog declares no keys.
    without_keys: bool,
    /// Whether unread words may say which rows are meant.
    kept: bool,
    pub(super) example: Example,
}

impl Learned {
    /// Part of the cross-validation.
    pub(super) fn fold(&self) -> usize {
        let database = self.example.database.as_str();
        let own = EVERYDAY.iter().position(|known| self.set == "everyday" && *known == database);
        own.unwrap_or((draw(family(database)) * FOLDS as f64) as usize)
    }

    /// Weight, so that the largest set does not drown the others, nor one database of many questions the rest.
    pub(super) fn weight(&self) -> f64 {
        let of_set = match self.set {
            "defog" | "everyday" => 2.0,
            "geoquery" | REWORDED => 0.5,
            _ => 1.0,
        };
        of_set * if self.without_keys { 0.7 } else { 1.0 }
    }

    /// Whether the statement leaves out words that tie to nothing.
    pub(super) fn is_unread(&self) -> bool {
        self.example.signals.iter().any(|(name, count)| *name == UNREAD && *count > 0)
    }

    /// Whether words are left out that may be left out unasked.
    pub(super) fn may_be_left_out(&self) -> bool {
        self.is_unread() && !self.kept && !self.without_keys
    }
}

/// Statements of the development part, with and without declared keys; `wordnet` is the folder of `WordNet`'s files.
pub(super) fn collect(data: &Path, wordnet: &Path) -> Result<Vec<Learned>> {
    let mut all = Vec::new();
    for set in SETS {
        let (file, databases) = match set {
            "spider" | REWORDED => (data.join("spider/train.json"), "spider/database"),
            "geoquery" => (data.join("geoquery/geography.json"), "geoquery"),
            "defog" => (data.join("defog/questions.json"), "defog/databases"),
            "ambrosia" => (data.join("ambrosia/validation.json"), "ambrosia/databases"),
            _ => (PathBuf::from("eval/everyday/questions.json"), "everyday"),
        };
        let format = if set == REWORDED { "spider" } else { set };
        let mut arguments = vec!["--set".to_owned(), format.to_owned()];
        let mut add = |name: &str, path: &Path| {
            arguments.extend([name.to_owned(), path.display().to_string()]);
        };
        add("--file", &file);
        add("--databases", &data.join(databases));
        if set != "everyday" {
            add("--splits", &data.join("splits.json"));
            add("--part", Path::new("development"));
        }
        for without_keys in [false, true] {
            // Statements below the threshold are examples too.
            let ask_below = Some(0.0);
            let options = Options { without_keys, ask_below, ..Options::parse(&arguments)? };
            let mut items = sets::load(&options)?;
            items.retain(|item| item.ambiguous != Some(true));
            if set == REWORDED {
                items = reword::reworded(&items, wordnet, &options)?;
            }
            for mut example in examples(&items, &options)? {
                let kept = example.signals.iter().any(|(name, count)| *name == KEPT && *count > 0);
                example.signals.retain(|(name, _)| *name != KEPT);
                all.push(Learned { set, without_keys, kept, example });
            }
        }
    }
    Ok(all)
}

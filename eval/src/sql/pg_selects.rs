//! `pg-selects`: how many SELECTs of PostgreSQL are accepted, and keep their meaning when printed again.

use std::io::Write;

use anyhow::{Context, Result};
use wherefore_sql::{Dialect, ReadDialect, print, read};

use super::{Faults, Options, judge, text_of};

/// Reads and prints every statement, and compares both texts by PostgreSQL's own parser.
pub(super) fn run(options: &Options) -> Result<()> {
    judge::check()?;
    let cases: Vec<String> = serde_json::from_str(&text_of(&options.cases)?)
        .with_context(|| format!("{} is no list of statements", options.cases.display()))?;
    let mut refused = Faults::default();
    let mut different = Faults::default();
    let mut skipped = 0_usize;
    let mut accepted = 0_usize;
    let mut same = 0_usize;
    for case in &cases {
        let Ok(meant) = judge::meaning(case) else {
            skipped += 1;
            continue;
        };
        let query = match read(case, ReadDialect::Postgres) {
            Ok(query) => query,
            Err(faults) => {
                let reason = faults.first().map(ToString::to_string).unwrap_or_default();
                refused.add(reason, case.clone());
                continue;
            }
        };
        let printed = match print(&query, Dialect::Postgres) {
            Ok(printed) => printed,
            Err(fault) => {
                refused.add(format!("print: {fault}"), case.clone());
                continue;
            }
        };
        accepted += 1;
        match judge::meaning(&printed) {
            Ok(found) if found == meant => same += 1,
            Ok(found) => {
                let place = judge::difference(&meant, &found).unwrap_or_default();
                different.add(place, format!("{case}\n--\n{printed}"));
            }
            Err(fault) => different.add(fault, format!("{case}\n--\n{printed}")),
        }
    }
    let mut output = std::io::stdout().lock();
    refused.write("refused", options.show, &mut output)?;
    different.write("different", options.show, &mut output)?;
    if skipped > 0 {
        writeln!(output, "{skipped} are no statements for the judge either, and are not counted")?;
    }
    let n = cases.len() - skipped;
    writeln!(output, "{}", serde_json::json!({ "n": n, "accepted": accepted, "same": same }))?;
    Ok(())
}

//! `eval all`: the last lines of all evaluations on sets of questions, as one table.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::report::{self, Table};

/// Questions of this repository, and the folder of their databases.
const EVERYDAY: &str = "eval/everyday";

/// Figures of the composer, in the order of the table.
const COMPOSER: [&str; 7] = [
    "n",
    "coverage",
    "selective_accuracy",
    "lenient",
    "accuracy_lenient",
    "ece_overall",
    "ece_overall_lenient",
];

/// One evaluation: its name in the table, the harness, the set, the file and the folder of databases.
struct Job {
    harness: &'static str,
    set: &'static str,
    file: PathBuf,
    databases: Option<PathBuf>,
    divided: bool,
}

/// Runs all evaluations on the data in a folder.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut data, mut part, mut wordnet) = (None, "check".to_owned(), None);
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--data" => data = Some(PathBuf::from(value)),
            "--part" => part.clone_from(value),
            "--wordnet" => wordnet = Some(PathBuf::from(value)),
            other => bail!("unknown option: {other}"),
        }
    }
    let data = data.context("--data is missing: the folder of the data sets")?;
    let mut columns = vec!["composer"];
    columns.extend(COMPOSER);
    columns.extend(["covered at 90", "at 95", "on changed rows"]);
    let mut composer = Table::new(&columns);
    let mut others = Table::new(&["evaluation", "figures"]);
    let mut lines = Vec::new();
    for job in jobs(&data, &part) {
        if !job.file.is_file() || job.harness == "reword" && wordnet.is_none() {
            continue;
        }
        let figures = figures(&job, &data, &part, wordnet.as_deref())?;
        let name = format!("{} {}", job.harness, job.set);
        if job.harness == "composer" {
            let mut row = vec![job.set.to_owned()];
            row.extend(COMPOSER.map(|name| figures[name].to_string()));
            row.extend(
                ["covered_at_90", "covered_at_95"].map(|at| figures[at]["lenient"].to_string()),
            );
            row.push(figures["changed_rows"].to_string());
            composer.row(row);
        } else {
            others.row(vec![name.clone(), plain(&figures)]);
        }
        lines.push((name, figures));
    }
    report::print(&[], &[composer, others], &Value::Object(lines.into_iter().collect()))
}

/// The figures of a line that are no lists or tables.
fn plain(figures: &Value) -> String {
    let all = figures.as_object().into_iter().flatten();
    let plain =
        all.filter(|(_, value)| value.is_number()).map(|(name, value)| format!("{name} {value}"));
    plain.collect::<Vec<_>>().join(", ")
}

/// The evaluations of a part.
fn jobs(data: &Path, part: &str) -> Vec<Job> {
    let job = |harness, set, file: &str, databases: &str| Job {
        harness,
        set,
        file: data.join(file),
        databases: (!databases.is_empty()).then(|| data.join(databases)),
        divided: true,
    };
    let everyday = |harness| Job {
        harness,
        set: "everyday",
        file: Path::new(EVERYDAY).join(if part == "check" {
            "check.json"
        } else {
            "questions.json"
        }),
        databases: Some(data.join("everyday")),
        divided: false,
    };
    let mut jobs = vec![
        job("composer", "spider", "spider/train.json", "spider/database"),
        job("composer", "defog", "defog/questions.json", "defog/databases"),
        everyday("composer"),
        everyday("clarify"),
        everyday("reword"),
        job("reword", "spider", "spider/train.json", "spider/database"),
        job("clarify", "spider", "spider/train.json", "spider/database"),
        job("ambiguity", "spider", "spider/train.json", "spider/database"),
        job("unanswerable", "defog", "defog/unanswerable.json", "defog/databases"),
        job("unanswerable", "triage", "triagesql/half.json", ""),
    ];
    if part != "check" {
        jobs.insert(1, job("composer", "geoquery", "geoquery/geography.json", "geoquery"));
    }
    for harness in ["ambiguity", "clarify"] {
        jobs.push(job(harness, "ambrosia", "ambrosia/validation.json", "ambrosia/databases"));
        for (set, file) in [
            ("ambiqt-c", "ambiqt/C_train.json"),
            ("ambiqt-t", "ambiqt/T_train.json"),
            ("ambiqt-p", "ambiqt/P_train.json"),
        ] {
            jobs.push(job(harness, set, file, "spider/database"));
        }
    }
    jobs
}

/// The last line of an evaluation, which runs as a process of its own.
fn figures(job: &Job, data: &Path, part: &str, wordnet: Option<&Path>) -> Result<Value> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(job.harness).args(["--set", job.set]).arg("--file").arg(&job.file);
    if let Some(databases) = &job.databases {
        command.arg("--databases").arg(databases);
    }
    match (job.harness, wordnet) {
        ("composer", _) => {
            command.arg("--changed-rows");
        }
        ("reword", Some(folder)) => {
            command.arg("--wordnet").arg(folder);
        }
        _ => {}
    }
    if job.divided {
        command.args(["--part", part]).arg("--splits").arg(data.join("splits.json"));
    }
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().filter(|_| output.status.success());
    let last = last.with_context(|| {
        let error = String::from_utf8_lossy(&output.stderr);
        format!("{} {}: {}", job.harness, job.set, error.lines().last().unwrap_or_default())
    })?;
    serde_json::from_str(last).with_context(|| format!("no figures of {}", job.set))
}

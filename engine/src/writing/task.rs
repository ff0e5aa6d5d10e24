//! Prompts for typed tasks, rendered from files; external text occurs in them only as quoted data.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::packet::{Packet, named_tables, packet, plain, table_data};
use super::similar::Clues;
use super::{Brief, WritingSettings};
use crate::catalog::{Catalog, QueryTemplate};
use wherefore_sql::Dialect;

/// Maximum length of the question in a prompt, in characters.
const QUESTION: usize = 4_000;
/// Maximum length of the statement, and of the error message, in a prompt, in characters.
const SQL: usize = 8_000;
const FAULT: usize = 400;

/// Kinds of tasks.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Choose the needed tables.
    ChooseTables,
    /// Extract the parameter values of a template from a question.
    ExtractParameters,
    /// Find ambiguities in a question.
    FindAmbiguities,
    /// Judge whether a table is relevant.
    JudgeTable,
    /// List the parts that the query needs.
    Needs,
    /// Repair a statement.
    Repair,
    /// Guess the names of needed tables and columns.
    Sketch,
    /// Write a statement, or ask questions.
    WriteSql,
}

/// The model that a task is for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    /// The fast model, for judging.
    Fast,
    /// The strong model, for writing.
    Strong,
}

/// A rendered prompt.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Prompt {
    /// The task.
    pub task: TaskKind,
    /// Version of the prompt file.
    pub version: u32,
    /// System message: the instructions.
    pub system: String,
    /// User message: the data.
    pub user: String,
    /// Maximum number of tokens of the reply.
    pub max_tokens: u32,
    /// Sampling temperature.
    pub temperature: f32,
    /// The model that the prompt is for.
    pub role: ModelRole,
}

/// Input of prompts.
#[derive(Clone, Copy, Debug)]
pub struct PromptSource<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// The brief.
    pub brief: &'a Brief,
    /// Settings of writing.
    pub settings: &'a WritingSettings,
    /// Unguessable text that delimits the data.
    pub nonce: &'a str,
}

impl TaskKind {
    /// Name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::ChooseTables => "choose_tables",
            Self::ExtractParameters => "extract_parameters",
            Self::FindAmbiguities => "find_ambiguities",
            Self::JudgeTable => "judge_table",
            Self::Needs => "needs",
            Self::Repair => "repair",
            Self::Sketch => "sketch",
            Self::WriteSql => "write_sql",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::ChooseTables => include_str!("../../data/prompts/choose_tables.txt"),
            Self::ExtractParameters => include_str!("../../data/prompts/parameters.txt"),
            Self::FindAmbiguities => include_str!("../../data/prompts/ambiguities.txt"),
            Self::JudgeTable => include_str!("../../data/prompts/judge_table.txt"),
            Self::Needs => include_str!("../../data/prompts/needs.txt"),
            Self::Repair => include_str!("../../data/prompts/repair.txt"),
            Self::Sketch => include_str!("../../data/prompts/sketch.txt"),
            Self::WriteSql => include_str!("../../data/prompts/write.txt"),
        }
    }

    /// JSON schema of the reply, for servers that support structured output.
    pub fn schema(self) -> &'static Value {
        static SCHEMAS: LazyLock<Value> = LazyLock::new(crate::data::reply_schemas);
        &SCHEMAS[self.name()]
    }

    fn role(self) -> ModelRole {
        match self {
            Self::Repair | Self::Sketch | Self::WriteSql => ModelRole::Strong,
            _ => ModelRole::Fast,
        }
    }
}

impl PromptSource<'_> {
    /// Prompt to judge whether a table is relevant.
    pub(super) fn judge_table(&self, key: &str) -> Option<Prompt> {
        let table = self.catalog.table(key)?;
        let told = table_data(self.catalog, table, self.brief, self.settings, false);
        let told = if told.to_string().len() > self.settings.data_bytes() {
            table_data(self.catalog, table, self.brief, self.settings, true)
        } else {
            told
        };
        Some(
            self.render(
                TaskKind::JudgeTable,
                json!({ "question": self.question(), "table": told }),
            ),
        )
    }

    /// Prompt to choose among tables, each with its relevant columns.
    pub(super) fn choose_tables(&self, kept: &[(String, Vec<String>)]) -> Prompt {
        let told: Vec<Value> = kept
            .iter()
            .map(|(table, columns)| {
                let about = self.catalog.table(table).map(|table| plain(&table.description, 160));
                json!({ "table": table, "columns": columns, "about": about })
            })
            .collect();
        self.render(TaskKind::ChooseTables, json!({ "question": self.question(), "tables": told }))
    }

    /// Prompt to list the parts that the query needs.
    pub(super) fn needs(&self, tables: &[String]) -> Prompt {
        let packet =
            packet(self.catalog, self.brief, self.settings, Clues::default(), Some(tables));
        self.render(TaskKind::Needs, self.data(&packet, None))
    }

    /// Prompt to sketch the query.
    pub(super) fn sketch(&self) -> Prompt {
        self.render(TaskKind::Sketch, json!({ "question": self.question() }))
    }

    /// Prompt to write a statement.
    pub(super) fn write(&self, packet: &Packet, needs: Option<&Value>) -> Prompt {
        self.render(TaskKind::WriteSql, self.data(packet, needs))
    }

    /// Prompt to find ambiguities.
    pub(super) fn ambiguities(&self) -> Prompt {
        let packet = packet(self.catalog, self.brief, self.settings, Clues::default(), None);
        self.render(TaskKind::FindAmbiguities, self.data(&packet, None))
    }

    /// Prompt to extract parameter values.
    pub(super) fn parameters(&self, template: &QueryTemplate) -> Prompt {
        let parameters: Vec<Value> = template
            .parameters
            .iter()
            .map(|parameter| {
                let stored = parameter.table.as_ref().zip(parameter.column.as_ref());
                let stored = stored.and_then(|(table, column)| {
                    let column =
                        self.catalog.table(table)?.columns.iter().find(|of| of.name == *column)?;
                    column.values.as_ref().filter(|_| !column.sensitive)
                });
                let listed = stored.map_or(&parameter.allowed_values, |list| &list.values);
                let most = usize::from(self.settings.values) * 4;
                let allowed: Vec<String> =
                    listed.iter().take(most).map(|value| plain(value, 64)).collect();
                json!({
                    "name": parameter.name,
                    "type": parameter.parameter_type,
                    "about": plain(&parameter.description, 160),
                    "allowed": allowed,
                    "pattern": parameter.pattern.as_ref().map(|pattern| plain(pattern, 160)),
                    "minimum": parameter.minimum,
                    "maximum": parameter.maximum,
                })
            })
            .collect();
        let data = json!({ "question": self.question(), "parameters": parameters });
        self.render(TaskKind::ExtractParameters, data)
    }

    /// Prompt to repair a statement.
    pub(super) fn repair(&self, packet: &Packet, sql: &str, faults: &[String]) -> Prompt {
        let mut data = self.data(packet, None);
        let faults: Vec<String> = faults.iter().take(8).map(|fault| plain(fault, FAULT)).collect();
        data["sql"] = json!(sql.chars().take(SQL).collect::<String>());
        data["faults"] = json!(faults);
        self.render(TaskKind::Repair, data)
    }

    fn question(&self) -> String {
        plain(&self.brief.question, QUESTION)
    }

    fn data(&self, packet: &Packet, needs: Option<&Value>) -> Value {
        let brief = self.brief;
        let mut data = json!({ "question": self.question(), "tables": packet.told });
        let mut add = |name: &str, value: Value| {
            let empty = value.as_array().is_some_and(Vec::is_empty) || value.is_null();
            if !empty {
                data[name] = value;
            }
        };
        let plainly = |texts: &[String]| -> Vec<String> {
            texts.iter().map(|text| plain(text, QUESTION)).collect()
        };
        add("earlier_questions", json!(plainly(&brief.earlier)));
        if packet.left_out > 0 {
            add("tables_left_out", json!(packet.left_out));
        }
        let lines = |pairs: &[(String, String)]| -> Vec<String> {
            pairs.iter().map(|(left, right)| format!("{left} = {right}")).collect()
        };
        add("joins", json!(lines(&packet.skeleton.joins)));
        let others: Vec<Vec<String>> =
            packet.skeleton.others.iter().map(|way| lines(way)).collect();
        add("other_joins", json!(others));
        if self.settings.flags.schema_linker {
            let told = |key: &String| packet.tables.contains(key);
            let ties: Vec<Value> = brief
                .ties
                .iter()
                .filter(|tie| told(&tie.table))
                .map(|tie| {
                    json!({
                        "words": plain(&tie.phrase, 160), "table": tie.table, "column": tie.column,
                        "value": tie.value.as_deref().map(|value| plain(value, 160)),
                    })
                })
                .collect();
            add("understood", json!(ties));
        }
        let decided: Vec<Value> = brief
            .decided
            .iter()
            .map(|words| {
                json!({
                    "words": plain(&words.phrase, 160),
                    "meaning": plain(&words.meaning, 400),
                    "exactly": words.required,
                })
            })
            .collect();
        add("decided", json!(decided));
        add("selected", json!(brief.selected));
        add("rejected", json!(brief.rejected));
        add("needs", needs.cloned().unwrap_or_default());
        data
    }

    fn render(&self, task: TaskKind, data: Value) -> Prompt {
        let (version, system, user) = parts(task.file());
        // In JSON, "<" occurs only in strings; with it escaped, data cannot close the block.
        let data = data.to_string().replace('<', "\\u003c");
        let dialect = match self.catalog.dialect {
            Dialect::Postgres => "PostgreSQL",
            Dialect::Sqlite => "SQLite",
        };
        let asking = if self.brief.skip_clarification {
            "Do not ask back: take the likeliest reading and state it as an assumption."
        } else {
            "If two readings would give different rows and nothing decides, ask instead of guessing."
        };
        let funnel = if self.brief.is_complex() {
            "- The question has several parts: answer each by a common table expression, name it with its part of the question in \"steps\", and put them together at the end.\n"
        } else {
            ""
        };
        let fill = |text: &str| {
            filled(text, |name| match name {
                "asking" => Some(asking),
                "data" => Some(&data),
                "dialect" => Some(dialect),
                "funnel" => Some(funnel),
                "nonce" => Some(self.nonce),
                "today" => Some(&self.brief.today),
                _ => None,
            })
        };
        Prompt {
            task,
            version,
            system: fill(system),
            user: fill(user),
            max_tokens: self.settings.answer_tokens,
            temperature: if task == TaskKind::WriteSql { self.settings.temperature } else { 0.0 },
            role: task.role(),
        }
    }

    /// Keys of the tables that the brief names.
    pub(super) fn named_tables(&self) -> Vec<String> {
        named_tables(self.catalog, self.brief)
    }
}

/// Version, system part and user part of a prompt file.
fn parts(file: &str) -> (u32, &str, &str) {
    let (head, rest) = file.split_once("--- system\n").unwrap_or(("", file));
    let (system, user) = rest.split_once("--- user\n").unwrap_or((rest, ""));
    let version = head.trim().strip_prefix("version:").and_then(|text| text.trim().parse().ok());
    (version.unwrap_or_default(), system.trim_end(), user.trim_end())
}

/// Replaces `{{names}}` in one pass: replacements are not expanded again.
fn filled<'a>(text: &str, value: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            filled.push_str("{{");
            rest = after;
            continue;
        };
        filled.push_str(value(name).unwrap_or_default());
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [TaskKind; 8] = [
        TaskKind::ChooseTables,
        TaskKind::ExtractParameters,
        TaskKind::FindAmbiguities,
        TaskKind::JudgeTable,
        TaskKind::Needs,
        TaskKind::Repair,
        TaskKind::Sketch,
        TaskKind::WriteSql,
    ];

    #[test]
    fn every_prompt_has_a_version_both_parts_and_a_schema() {
        for task in ALL {
            let (version, system, user) = parts(task.file());
            assert!(version > 0 && !system.is_empty(), "{}", task.name());
            assert!(
                user.contains("<data-{{nonce}}>\n{{data}}\n</data-{{nonce}}>"),
                "{}",
                task.name()
            );
            assert!(system.contains("{{nonce}}"), "{}", task.name());
            assert_eq!(task.schema()["type"], "object", "{}", task.name());
        }
    }

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let text = filled("a {{x}} b {{y}} {{", |name| (name == "x").then_some("{{y}}"));
        assert_eq!(text, "a {{y}} b  {{");
    }
}

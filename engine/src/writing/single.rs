//! Tasks that need a single call, with typed results.

use serde::{Deserialize, Serialize};

use super::ask;
use super::reply::{object, questions, text_of, texts};
use super::task::{Prompt, PromptSource};
use super::{ExtractedParameter, WrittenQuestion};

/// A task that needs a single call.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SingleTask {
    /// Extract the parameter values of a template from the question.
    ExtractParameters {
        /// Name of the template.
        template: String,
    },
    /// Find ambiguities in the question.
    FindAmbiguities,
    /// Judge whether a table is relevant.
    JudgeTable {
        /// Key of the table.
        table: String,
    },
    /// List the parts that the query needs.
    Needs {
        /// Keys of the tables of the query.
        tables: Vec<String>,
    },
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SingleAnswer {
    /// Values of parameters.
    Parameters {
        /// One entry per parameter found in the question.
        parameters: Vec<ExtractedParameter>,
    },
    /// Ambiguities.
    Ambiguities {
        /// Questions whose options exist in the catalog.
        questions: Vec<WrittenQuestion>,
    },
    /// Judgement of a table.
    Table {
        /// Whether the table is relevant.
        relevant: bool,
        /// Relevant columns, as spelled in the catalog.
        columns: Vec<String>,
        /// Why, in a few words.
        why: String,
    },
    /// Parts that the query needs.
    Needs {
        /// Joins.
        joins: Vec<String>,
        /// Filters.
        filters: Vec<String>,
        /// Aggregation.
        aggregation: Vec<String>,
        /// Ordering.
        ordering: Vec<String>,
    },
}

impl PromptSource<'_> {
    /// Prompt of a task; `None` if the catalog has no such table or template.
    pub fn prompt(&self, task: &SingleTask) -> Option<Prompt> {
        match task {
            SingleTask::ExtractParameters { template } => {
                let found = self.catalog.templates.iter().find(|known| known.name == *template)?;
                Some(self.parameters(found))
            }
            SingleTask::FindAmbiguities => Some(self.ambiguities()),
            SingleTask::JudgeTable { table } => self.judge_table(table),
            SingleTask::Needs { tables } => {
                let known = tables.iter().all(|table| self.catalog.table(table).is_some());
                known.then(|| self.needs(tables))
            }
        }
    }

    /// Parses the reply to a task; `None` if it does not have the requested form.
    pub fn answer(&self, task: &SingleTask, text: &str) -> Option<SingleAnswer> {
        let has = |name: &'static str| object(text, |object| object.get(name).is_some());
        match task {
            SingleTask::ExtractParameters { template } => {
                let found = self.catalog.templates.iter().find(|known| known.name == *template)?;
                let extracted = has("parameters")?;
                let entries = extracted["parameters"].as_array()?;
                let parameters = found.parameters.iter().filter_map(|parameter| {
                    let entry =
                        entries.iter().find(|entry| entry["name"] == parameter.name.as_str())?;
                    ExtractedParameter::rated(
                        self.catalog,
                        template,
                        parameter,
                        entry["value"].as_str()?,
                        &texts(entry, "alternatives"),
                    )
                });
                Some(SingleAnswer::Parameters { parameters: parameters.collect() })
            }
            SingleTask::FindAmbiguities => {
                let found = has("clarifications")?;
                let questions = ask::questions(self.catalog, self.brief, &questions(&found));
                Some(SingleAnswer::Ambiguities { questions })
            }
            SingleTask::JudgeTable { table } => {
                let judged = has("relevant")?;
                let known = self.catalog.table(table)?;
                let columns = texts(&judged, "columns").into_iter();
                Some(SingleAnswer::Table {
                    relevant: judged["relevant"].as_bool()?,
                    columns: columns.filter(|name| known.column(name).is_some()).collect(),
                    why: text_of(&judged, "why", 160),
                })
            }
            SingleTask::Needs { .. } => {
                let needs = has("filters")?;
                Some(SingleAnswer::Needs {
                    joins: texts(&needs, "joins"),
                    filters: texts(&needs, "filters"),
                    aggregation: texts(&needs, "aggregation"),
                    ordering: texts(&needs, "ordering"),
                })
            }
        }
    }
}

//! Typed rows: reads a text as the rows of one table, with or without conditions, where the question says neither.

use super::definition::{check_length, failure, one_condition};
use super::interpreter::Interpreter;
use super::verdict::{Interpretation, Verdict};
use crate::clarification::OptionBinding;
use crate::compose::{Decisions, Failure, predicate_table};
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::linking::{Named, TableId, ValueIndex, words_of_identifier};

const HINT: &str = "name a table, with conditions if there are any";

impl Interpreter<'_> {
    /// Reads a text as a table or as a condition on its rows; the span of a failure refers to the text.
    pub(crate) fn rows(&self, text: &str, found: &ValueIndex) -> Result<OptionBinding, Failure> {
        check_length(text, self.settings.question_bytes, HINT)?;
        let read = self.read(text, &Decisions::new(), found, false);
        refuse_open(&read)?;
        let tree = match read.verdict {
            Verdict::Tree(tree) => *tree,
            Verdict::Failed(failure) | Verdict::OutOfScope(failure) => {
                return Err(Failure { code: FailureCode::DefinitionNotComposable, ..failure });
            }
            Verdict::Template(_) => return Err(no_rows(text)),
        };
        let table = self.schema.table(&tree.from).ok_or_else(|| no_rows(text))?;
        let bare = QueryTree { filters: Vec::new(), ..tree.clone() };
        if self.all_rows(table, found).is_none_or(|all| all != bare) {
            return Err(no_rows(text));
        }
        if tree.filters.is_empty() {
            return Ok(OptionBinding::Table { table: tree.from });
        }
        let key = tree.from.clone();
        let predicate = one_condition(tree)?;
        if predicate_table(&predicate) == Some(key.as_str()) {
            Ok(OptionBinding::Predicate { predicate })
        } else {
            Err(no_rows(text))
        }
    }

    /// The query tree of all rows of a table.
    fn all_rows(&self, table: TableId, found: &ValueIndex) -> Option<QueryTree> {
        let words = words_of_identifier(&self.catalog.table_at(table).name).join(" ");
        match self.read(&words, &Decisions::new(), found, false).verdict {
            Verdict::Tree(tree) => Some(*tree),
            _ => None,
        }
    }
}

/// Rejects unread and ambiguous words, because the answer to a clarification is not clarified again.
fn refuse_open(read: &Interpretation) -> Result<(), Failure> {
    let Some(open) = read.questions().next() else { return Ok(()) };
    let asked = &open.clarification;
    let span = asked.span;
    let unread = open.chosen == OptionBinding::Ignore && !asked.phrase.is_empty();
    let (code, message) = if unread {
        (FailureCode::DefinitionUnread, format!("“{}” is not in this data", asked.phrase))
    } else {
        let labels: Vec<&str> = asked.options.iter().map(|option| option.label.as_str()).collect();
        let words = if asked.phrase.is_empty() { "it" } else { &asked.phrase };
        (FailureCode::DefinitionAmbiguous, format!("“{words}” may mean {}", labels.join(" or ")))
    };
    Err(failure(code, message, HINT, span))
}

fn no_rows(text: &str) -> Failure {
    let message = format!("“{}” does not name rows of one table", text.trim());
    failure(FailureCode::DefinitionNotComposable, message, HINT, None)
}

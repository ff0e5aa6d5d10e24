//! Values of a template's parameters, in place of a statement.

use super::super::{SingleAnswer, SingleTask, Written};
use super::{Call, Phase, Purpose, Writing};
use crate::catalog::Catalog;
use crate::failure::FailureCode;
use crate::writing::WritingStage;

impl Writing {
    /// Requests the values of the brief's template; `None` if the brief asks for a statement.
    pub(super) fn extract(&mut self, catalog: &Catalog) -> Option<Vec<(u32, Call)>> {
        let template = self.brief.template.clone()?;
        let task = SingleTask::ExtractParameters { template };
        let Some(prompt) = self.source(catalog).prompt(&task) else {
            let message = "the catalog does not have the template".to_owned();
            self.fail(FailureCode::NotWritten, message);
            return Some(Vec::new());
        };
        let detail = format!("prompt {} version {}", prompt.task.name(), prompt.version);
        self.note("extracting", detail);
        let detail = "the model looks for values in the question".to_owned();
        self.tell(WritingStage::Extracting, detail);
        self.phase = Phase::Extracting;
        Some(vec![self.call(Purpose::Extract, Call::Complete(Box::new(prompt)))])
    }

    /// Ends with the values of a reply.
    pub(super) fn extracted(&mut self, catalog: &Catalog, text: &str) {
        let Some(template) = self.brief.template.clone() else { return };
        let task = SingleTask::ExtractParameters { template };
        let answer = self.source(catalog).answer(&task, text);
        let Some(SingleAnswer::Parameters { parameters }) = answer else {
            let message = "its answer is in no form that can be used".to_owned();
            self.note("extracting", message.clone());
            self.fail(FailureCode::UnreadableAnswer, message);
            return;
        };
        let told = parameters
            .iter()
            .map(|found| format!("{} = {:?} ({:.2})", found.name, found.value, found.confidence));
        let told: Vec<String> = told.collect();
        let detail = if told.is_empty() { "no values".to_owned() } else { told.join(", ") };
        self.note("extracting", detail);
        self.finish(Written { parameters, ..Written::default() });
    }

    /// Ends without values, because the call failed.
    pub(super) fn not_extracted(&mut self) {
        let failure = self.replies.failures.first().cloned().unwrap_or_default();
        self.fail(&failure.code, failure.message);
    }
}

//! What the machine tells users while it works.

use super::{Phase, Writing};
use crate::catalog::Catalog;
use crate::narration::rows;
use crate::writing::judge::Judged;
use crate::writing::{WritingStage, WritingStep};
use wherefore_english::{and_list, counted};

impl Writing {
    /// What was done so far, in order. Steps are only added.
    pub fn progress(&self) -> &[WritingStep] {
        match &self.phase {
            Phase::Done(written) => &written.progress,
            _ => &self.progress,
        }
    }

    /// Sets the time of the steps that have none, in milliseconds since writing began.
    pub fn set_time(&mut self, elapsed_ms: u32) {
        let steps = match &mut self.phase {
            Phase::Done(written) => &mut written.progress,
            _ => &mut self.progress,
        };
        for step in steps.iter_mut().rev().take_while(|step| step.elapsed_ms.is_none()) {
            step.elapsed_ms = Some(elapsed_ms);
        }
    }

    pub(super) fn tell(&mut self, stage: WritingStage, detail: String) {
        self.progress.push(WritingStep { stage, detail, elapsed_ms: None });
    }

    pub(super) fn tell_joining(&mut self, catalog: &Catalog, tables: &[String]) {
        let names: Vec<String> = tables.iter().map(|table| rows(catalog, table)).collect();
        self.tell(WritingStage::Joining, format!("joining {}", and_list(&names)));
    }

    pub(super) fn tell_judging_tables(&mut self, tables: usize) {
        let detail = format!("the model judges {}", counted(tables, "table"));
        self.tell(WritingStage::JudgingTables, detail);
    }

    pub(super) fn tell_drafting(&mut self, drafts: usize) {
        self.tell(WritingStage::Drafting, format!("the model writes {}", counted(drafts, "draft")));
    }

    pub(super) fn tell_checked(&mut self, judged: &Judged) {
        let verdict = match (judged.faults.as_slice(), judged.doubts.as_slice()) {
            ([], []) => "is sound".to_owned(),
            ([], [doubt, ..]) => format!("is doubtful: {doubt}"),
            ([fault, ..], _) => format!("is wrong: {fault}"),
        };
        self.tell(WritingStage::Checking, format!("draft {} {verdict}", judged.number));
    }

    pub(super) fn tell_planning(&mut self, drafts: usize) {
        let detail = format!("the data source plans {}", counted(drafts, "draft"));
        self.tell(WritingStage::Checking, detail);
    }

    pub(super) fn tell_repairing(&mut self, draft: usize, count: u8) {
        let draft = self.drafts.get(draft).map_or(0, |draft| draft.number);
        // The statement that failed when it ran has no number.
        let draft = if draft == 0 { "the statement".to_owned() } else { format!("draft {draft}") };
        let detail = format!("the model repairs {draft}, attempt {count}");
        self.tell(WritingStage::Repairing, detail);
    }
}

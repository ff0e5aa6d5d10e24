//! Processes replies of models and of the data source.

use serde_json::Value;

use super::super::ask::choose_table;
use super::super::judge::judge;
use super::super::reply::{Draft, Reply, object, reply, text_of, texts};
use super::super::score::UNPLANNED;
use super::super::{WritingStage, Written};
use super::{CallResult, Phase, Purpose, Relevant, Writing};
use crate::catalog::Catalog;

impl Writing {
    /// Processes the reply of a model.
    pub(super) fn completed(&mut self, catalog: &Catalog, purpose: Purpose, text: &str) {
        match purpose {
            Purpose::Sketch => {
                if let Some(sketch) = object(text, |object| object.get("tables").is_some()) {
                    self.told.wanted =
                        [texts(&sketch, "tables"), texts(&sketch, "columns")].concat();
                }
            }
            Purpose::JudgeTable(table) => self.judged(catalog, table, text),
            Purpose::Choose => self.chosen(catalog, text),
            Purpose::Needs => {
                self.told.needs = object(text, Value::is_object);
            }
            Purpose::Draft | Purpose::Repair => match reply(text) {
                Some(Reply::Draft(draft)) => self.draft(catalog, draft),
                Some(Reply::Questions(asked)) => {
                    self.replies.asking += 1;
                    self.replies.asked.extend(asked);
                }
                Some(Reply::OutOfScope(reason)) => self.replies.out_of_scope.push(reason),
                None => self.replies.unreadable += 1,
            },
            Purpose::Extract => self.extracted(catalog, text),
            Purpose::Explain(_) => {}
        }
    }

    /// Checks a draft and keeps it, unless a draft without errors has the same statement.
    pub(super) fn draft(&mut self, catalog: &Catalog, draft: Draft) {
        let mut judged = judge(catalog, &self.brief, &self.settings, draft);
        let detail = format!(
            "{} points ({}); {}",
            judged.score,
            judged.reasons.join(", "),
            match (judged.faults.is_empty(), judged.doubts.is_empty()) {
                (true, true) => "sound".to_owned(),
                (true, false) => format!("doubtful: {}", judged.doubts.join("; ")),
                (false, _) => judged.faults.join("; "),
            }
        );
        self.note("judging", detail);
        self.replies.drafts += 1;
        judged.number = self.replies.drafts;
        self.tell_checked(&judged);
        if !judged.corrected.is_empty() {
            let detail = judged.corrected.join("; ");
            self.note("correcting", detail);
        }
        // Identical statements are kept once.
        if !self.drafts.iter().any(|other| other.faults.is_empty() && other.sql == judged.sql) {
            self.drafts.push(judged);
        }
    }

    /// Processes the judgement of a table; if the reply is unreadable, the table counts as relevant.
    fn judged(&mut self, catalog: &Catalog, table: String, text: &str) {
        let Phase::JudgingTables { relevant, .. } = &mut self.phase else { return };
        let judged = object(text, |object| object.get("relevant").is_some());
        let is_relevant = judged.as_ref().is_none_or(|judged| {
            judged["relevant"].as_bool().unwrap_or(text_of(judged, "relevant", 8) != "false")
        });
        if !is_relevant {
            return;
        }
        let sure = judged.as_ref().and_then(|judged| judged["confidence"].as_f64());
        let columns = judged.map(|judged| texts(&judged, "columns")).unwrap_or_default();
        let known = catalog.table(&table);
        let columns = columns
            .into_iter()
            .filter(|name| known.is_some_and(|table| table.column(name).is_some()));
        let columns = columns.collect();
        relevant.push(Relevant { columns, sureness: sure.unwrap_or(0.5), table });
    }

    /// Processes the choice of tables; asks the user if each could answer alone.
    fn chosen(&mut self, catalog: &Catalog, text: &str) {
        let known: Vec<String> = self.relevant().iter().map(|kept| kept.table.clone()).collect();
        let chosen = object(text, |object| object.get("tables").is_some());
        let tables: Vec<String> = chosen
            .as_ref()
            .map(|chosen| texts(chosen, "tables"))
            .unwrap_or_default()
            .into_iter()
            .filter(|table| known.contains(table))
            .collect();
        let apart = chosen.as_ref().is_some_and(|chosen| chosen["joined"] == Value::Bool(false));
        let decided =
            self.brief.decided.iter().any(|words| words.required.all_tables().next().is_some());
        if apart && tables.len() > 1 && !decided && !self.brief.skip_clarification {
            let asked = choose_table(catalog, &self.brief, &tables);
            if !asked.is_empty() {
                self.finish(Written { questions: asked, ..Written::default() });
            }
        }
        self.told.tables = Some(if tables.is_empty() { known } else { tables });
    }

    /// Processes the EXPLAIN result of a draft.
    pub(super) fn explained(&mut self, at: usize, result: CallResult) {
        let Some(draft) = self.drafts.get_mut(at) else { return };
        draft.explained = true;
        let number = draft.number;
        if let CallResult::Failed(failure) = result {
            draft.score += UNPLANNED;
            draft.faults.push(failure.message.clone());
            let detail = format!("EXPLAIN fails: {}", failure.message);
            self.note("judging", detail);
            let detail = format!("the data source cannot plan draft {number}: {}", failure.message);
            self.tell(WritingStage::Checking, detail);
        }
    }
}

//! The stages of writing: which calls come next, once everything asked for has come.

use super::super::ask::questions;
use super::super::choice::{Choice, choose, ranked};
use super::super::packet::packet;
use super::super::rank::rank;
use super::super::reply::Draft;
use super::super::task::Prompt;
use super::super::tell::told;
use super::super::{Written, WrittenStatement};
use super::{Call, Purpose, Stage, Writing, is_complex};
use crate::catalog::{Catalog, Table};
use crate::order;

/// Most tables that are judged one by one.
const JUDGED: usize = 12;
/// Tables that are told without being judged where none was found relevant.
const UNJUDGED: usize = 3;
/// Context, in tokens, from which on everything is told at once.
const SMALL_CONTEXT: u32 = 4_096;

impl Writing {
    /// The next calls, once everything asked for has come.
    pub(super) fn go_on(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        match self.stage {
            Stage::Sketching => self.plan(catalog),
            Stage::JudgingTables => self.choose(catalog),
            Stage::ChoosingTables => self.ask_needs(catalog),
            Stage::Needing => self.write(catalog),
            Stage::Drafting | Stage::Repairing => self.after_drafts(catalog),
            Stage::Explaining => self.after_explaining(catalog),
        }
    }

    /// Writes at once where what is told fits, else finds the tables that matter first (`spec` §7).
    pub(super) fn plan(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let packet = packet(catalog, &self.brief, &self.settings, &self.wanted, None);
        let detail = format!("{} tables told, {} left out", packet.tables.len(), packet.left_out);
        self.note("retrieving", detail);
        if self.settings.context_tokens > SMALL_CONTEXT || packet.left_out == 0 {
            return self.write(catalog);
        }
        self.stage = Stage::JudgingTables;
        let ranked = rank(catalog, &self.brief, &self.wanted, self.settings.flags);
        let keys: Vec<String> = ranked
            .into_iter()
            .take(JUDGED)
            .filter_map(|position| catalog.tables.get(position))
            .map(Table::key)
            .collect();
        self.relevant.clear();
        self.candidates.clone_from(&keys);
        let mut calls = Vec::new();
        for key in keys {
            if let Some(prompt) = self.source(catalog).judge_table(&key) {
                calls.push(self.call(Purpose::JudgeTable(key), Call::Complete(Box::new(prompt))));
            }
        }
        if calls.is_empty() { self.write(catalog) } else { calls }
    }

    fn choose(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        order::by(&mut self.relevant, |one, other| other.sureness.total_cmp(&one.sureness));
        let kept: Vec<&str> = self.relevant.iter().map(|kept| kept.table.as_str()).collect();
        let detail = format!("needed: {}", kept.join(", "));
        self.note("judging tables", detail);
        if self.relevant.len() < 2 {
            let found = self.relevant.first().map(|kept| vec![kept.table.clone()]);
            let first = || self.candidates.iter().take(UNJUDGED).cloned().collect();
            self.tables = Some(found.unwrap_or_else(first));
            return self.ask_needs(catalog);
        }
        self.stage = Stage::ChoosingTables;
        let prompt = self.source(catalog).choose_tables(&self.kept());
        vec![self.call(Purpose::Choose, Call::Complete(Box::new(prompt)))]
    }

    fn ask_needs(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        self.stage = Stage::Needing;
        let tables = self.tables.clone().unwrap_or_default();
        let prompt = self.source(catalog).needs(&tables);
        vec![self.call(Purpose::Needs, Call::Complete(Box::new(prompt)))]
    }

    /// Asks for the drafts, all at once.
    fn write(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        self.stage = Stage::Drafting;
        let named = self.source(catalog).named_tables().len();
        let words = self.brief.question.split_whitespace().count();
        let complex = is_complex(&self.brief);
        let [easy, ordinary, hard] = self.settings.drafts;
        let drafts = match (named, words) {
            (0..=1, 0..=12) if !complex => easy,
            (4.., _) | (_, 30..) => hard,
            _ => ordinary,
        };
        let prompt = self.write_prompt(catalog);
        self.note(
            "drafting",
            format!(
                "{} drafts, prompt {} version {}",
                drafts.max(1),
                prompt.task.name(),
                prompt.version
            ),
        );
        let call = Call::Complete(Box::new(prompt));
        (0..drafts.max(1)).map(|_| self.call(Purpose::Draft, call.clone())).collect()
    }

    fn after_drafts(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let sound: Vec<usize> = self.unexplained().collect();
        let asks = !self.asked.is_empty() && !self.brief.skip_clarification;
        // Where more of the answers ask than write, those that write guess.
        if asks && (sound.is_empty() || self.asking as usize > self.drafts.len()) {
            let asked = questions(catalog, &self.brief, &self.asked);
            self.asked.clear();
            if !asked.is_empty() {
                self.finish(Written { questions: asked, ..Written::default() });
                return Vec::new();
            }
        }
        if !sound.is_empty() {
            self.stage = Stage::Explaining;
            let call = |at: usize| (at, Call::Explain(self.drafts[at].sql.clone()));
            let calls: Vec<(usize, Call)> = sound.into_iter().map(call).collect();
            return calls
                .into_iter()
                .map(|(at, call)| self.call(Purpose::Explain(at), call))
                .collect();
        }
        if self.drafts.iter().any(|draft| draft.explained && draft.faults.is_empty()) {
            return self.after_explaining(catalog);
        }
        if !self.drafts.is_empty() {
            return self.repair(catalog);
        }
        self.nothing_drafted(catalog)
    }

    /// Takes up drafts that were held while something was asked; none where none of them keeps the answer.
    pub(super) fn reuse(&mut self, catalog: &Catalog, held: &[String]) -> Option<Vec<(u32, Call)>> {
        for text in held {
            let Ok(statement) = serde_json::from_str(text) else { continue };
            let WrittenStatement { sql, explanation, assumptions, corrected, steps, .. } =
                statement;
            self.draft(catalog, Draft { sql, explanation, assumptions, steps });
            if let Some(draft) = self.drafts.last_mut() {
                draft.corrected = corrected;
            }
        }
        self.drafts.retain(|draft| draft.faults.is_empty());
        self.reuses = !self.drafts.is_empty();
        self.stage = if self.reuses { Stage::Drafting } else { self.stage };
        self.reuses.then(|| self.after_drafts(catalog))
    }

    fn nothing_drafted(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        if let Some(reason) = self.out_of_scope.first() {
            let out_of_scope = Some(reason.clone());
            self.finish(Written { out_of_scope, ..Written::default() });
            return Vec::new();
        }
        if self.unreadable == 0 && self.asking == 0 {
            let failure = self.failures.first().cloned().unwrap_or_default();
            self.fail(&failure.code, failure.message);
            return Vec::new();
        }
        if self.retried {
            self.fail("unreadable_answer", "its answer is in no form that can be used".to_owned());
            return Vec::new();
        }
        self.retried = true;
        self.note("drafting", "no answer could be used: once more".to_owned());
        let prompt = self.write_prompt(catalog);
        vec![self.call(Purpose::Draft, Call::Complete(Box::new(prompt)))]
    }

    fn after_explaining(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let ranked = ranked(&self.drafts);
        let Some(first) = ranked.first().copied() else { return self.repair(catalog) };
        // What runs and is likely wrong goes back once; if it comes back no better, the asker is told.
        let doubtful = !self.drafts[first].doubts.is_empty() && !self.reuses;
        if doubtful && self.repairs == 0 && self.settings.repairs > 0 {
            return self.repair_doubts(catalog, first);
        }
        let asks = self.settings.flags.disagreements && !self.brief.skip_clarification;
        let choice = choose(catalog, &self.brief, &self.drafts, &ranked, asks);
        let Choice { best, question, good, told: differing } = choice.unwrap_or_default();
        if let Some(question) = question {
            let detail = format!("{} good drafts differ in “{}”", good.len(), question.phrase);
            let good = good.iter().filter_map(|at| self.drafts.get(*at));
            let held = good.filter_map(|draft| {
                serde_json::to_string(&draft.statement(draft.explanation.clone())).ok()
            });
            let held = held.collect();
            self.note("choosing", detail);
            self.finish(Written { questions: vec![question], held, ..Written::default() });
            return Vec::new();
        }
        let draft = self.drafts[best].clone();
        self.note(
            "choosing",
            format!("draft {} of {}, {} points", best + 1, self.drafts.len(), draft.score),
        );
        let explanation = told(catalog, &draft.sql, &draft.explanation);
        if !draft.explanation.is_empty() && !explanation.ends_with(&draft.explanation) {
            self.note("explaining", format!("the model says: {}", draft.explanation));
        }
        let mut statement = draft.statement(explanation);
        statement.assumptions.extend(differing);
        self.finish(Written { statement: Some(statement), ..Written::default() });
        Vec::new()
    }

    /// Has the best draft repaired, or after a first repair the last one; the same fault twice ends it (`spec` §10).
    pub(super) fn repair(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let Some(at) = self.to_repair() else { return self.nothing_drafted(catalog) };
        let faults = self.drafts[at].faults.clone();
        let answered = self.stage != Stage::Repairing || self.drafts.len() > self.repaired;
        if faults == self.last_faults || self.repairs >= self.settings.repairs || !answered {
            let fault = faults.into_iter().next().unwrap_or_default();
            self.fail("not_repaired", format!("its statements do not pass the checks: {fault}"));
            return Vec::new();
        }
        self.stage = Stage::Repairing;
        self.repairs += 1;
        self.repaired = self.drafts.len();
        self.note("repairing", faults.join("; "));
        self.last_faults = faults;
        let Some(prompt) = self.repair_prompt(catalog) else { return Vec::new() };
        vec![self.call(Purpose::Repair, Call::Complete(Box::new(prompt)))]
    }

    /// Has a sound draft written anew because of what is likely wrong with it.
    fn repair_doubts(&mut self, catalog: &Catalog, at: usize) -> Vec<(u32, Call)> {
        self.stage = Stage::Repairing;
        self.repairs += 1;
        self.repaired = self.drafts.len();
        self.doubted = Some(at);
        self.note("repairing", self.drafts[at].doubts.join("; "));
        let Some(prompt) = self.repair_prompt(catalog) else { return Vec::new() };
        vec![self.call(Purpose::Repair, Call::Complete(Box::new(prompt)))]
    }

    fn to_repair(&self) -> Option<usize> {
        if self.drafts.len() == self.repaired
            && let Some(at) = self.doubted
        {
            return Some(at);
        }
        if self.repairs > 0 {
            return self.drafts.len().checked_sub(1);
        }
        (0..self.drafts.len()).min_by_key(|at| (std::cmp::Reverse(self.drafts[*at].score), *at))
    }

    pub(super) fn repair_prompt(&self, catalog: &Catalog) -> Option<Prompt> {
        let draft = self.drafts.get(self.to_repair()?)?;
        let source = self.source(catalog);
        let packet =
            packet(catalog, &self.brief, &self.settings, &self.wanted, self.tables.as_deref());
        let faults = if draft.faults.is_empty() { &draft.doubts } else { &draft.faults };
        Some(source.repair(&packet, &draft.sql, faults))
    }

    pub(super) fn write_prompt(&self, catalog: &Catalog) -> Prompt {
        let packet =
            packet(catalog, &self.brief, &self.settings, &self.wanted, self.tables.as_deref());
        self.source(catalog).write(&packet, self.needs.as_ref())
    }

    fn unexplained(&self) -> impl Iterator<Item = usize> {
        let drafts = self.drafts.iter().enumerate();
        drafts.filter(|(_, draft)| draft.faults.is_empty() && !draft.explained).map(|(at, _)| at)
    }
}

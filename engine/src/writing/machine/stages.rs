//! The next calls of writing, once all pending calls are completed.

use std::mem;

use super::super::areas::{FoundArea, areas};
use super::super::ask::{choose_way, questions};
use super::super::choice::{Choice, choose, ranked};
use super::super::packet::{Packet, packet, whole_tables};
use super::super::rank::{rank, words_of};
use super::super::reply::Draft;
use super::super::task::Prompt;
use super::super::tell::told;
use super::super::{Written, WrittenQuestion, WrittenStatement};
use super::{Call, Phase, Purpose, Relevant, Writing, kept};
use crate::catalog::{Catalog, Table};
use crate::failure::FailureCode;
use crate::order;

/// Maximum number of tables that are judged separately.
const JUDGED: usize = 12;
/// Number of tables in the prompt if none was judged relevant.
const UNJUDGED: usize = 3;
/// Maximum context size, in tokens, for which tables are judged first.
const SMALL_CONTEXT: u32 = 4_096;

impl Writing {
    /// Continues after the last pending call.
    pub(super) fn go_on(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        if let Some(calls) = self.with_smaller_prompts(catalog) {
            return calls;
        }
        match &mut self.phase {
            Phase::Extracting => {
                self.not_extracted();
                Vec::new()
            }
            Phase::Sketching => self.plan(catalog),
            Phase::JudgingTables { candidates, relevant } => {
                let (candidates, relevant) = (mem::take(candidates), mem::take(relevant));
                self.choose(catalog, candidates, relevant)
            }
            Phase::ChoosingTables { .. } => self.ask_needs(catalog),
            Phase::Needing => self.write(catalog),
            Phase::Drafting { .. } | Phase::Repairing { .. } => self.after_drafts(catalog),
            Phase::Explaining => self.after_explaining(catalog),
            Phase::Done(_) => Vec::new(),
        }
    }

    /// Writes at once if all tables fit the prompt; otherwise finds the relevant tables first (`docs/spec.md` §7).
    pub(super) fn plan(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let packet = packet(catalog, &self.brief, &self.settings, self.told.clues(), None);
        let detail =
            format!("{} tables included, {} left out", packet.tables.len(), packet.left_out);
        self.note("retrieving", detail);
        self.note_areas(catalog);
        if !packet.skeleton.joins.is_empty() {
            let tables = self.source(catalog).named_tables();
            self.tell_joining(catalog, &tables);
        }
        if let Some(asked) = self.open_way(catalog, &packet) {
            self.finish(Written { questions: asked, ..Written::default() });
            return Vec::new();
        }
        if self.settings.context_tokens > SMALL_CONTEXT || packet.left_out == 0 {
            return self.write(catalog);
        }
        let ranked = rank(catalog, &self.brief, self.told.clues(), self.settings.flags);
        let keys: Vec<String> = ranked
            .into_iter()
            .take(JUDGED)
            .filter_map(|position| catalog.tables.get(position))
            .map(Table::key)
            .collect();
        let mut calls = Vec::new();
        for key in keys.iter().cloned() {
            if let Some(prompt) = self.source(catalog).judge_table(&key) {
                calls.push(self.call(Purpose::JudgeTable(key), Call::Complete(Box::new(prompt))));
            }
        }
        if calls.is_empty() {
            return self.write(catalog);
        }
        self.tell_judging_tables(calls.len());
        self.phase = Phase::JudgingTables { candidates: keys, relevant: Vec::new() };
        calls
    }

    /// Notes the areas that the question is about.
    fn note_areas(&mut self, catalog: &Catalog) {
        if !self.settings.flags.area_router {
            return;
        }
        let clues = self.told.clues();
        let found = areas(catalog, &words_of(&self.brief, clues), clues);
        let told: Vec<String> = found.iter().map(FoundArea::told).collect();
        if !told.is_empty() {
            self.note("routing", format!("areas: {}", told.join(", ")));
        }
    }

    /// The question in which way tables are joined, if the user may be asked.
    fn open_way(&self, catalog: &Catalog, packet: &Packet) -> Option<Vec<WrittenQuestion>> {
        let open = packet.skeleton.open.first().filter(|_| !self.brief.skip_clarification)?;
        Some(choose_way(catalog, &self.brief, open)).filter(|asked| !asked.is_empty())
    }

    fn choose(
        &mut self,
        catalog: &Catalog,
        candidates: Vec<String>,
        mut relevant: Vec<Relevant>,
    ) -> Vec<(u32, Call)> {
        order::by(&mut relevant, |one, other| other.sureness.total_cmp(&one.sureness));
        let names: Vec<&str> = relevant.iter().map(|kept| kept.table.as_str()).collect();
        let detail = format!("needed: {}", names.join(", "));
        self.note("judging tables", detail);
        if relevant.len() < 2 {
            let found = relevant.into_iter().next().map(|kept| vec![kept.table]);
            let first = || candidates.into_iter().take(UNJUDGED).collect();
            self.told.tables = Some(found.unwrap_or_else(first));
            return self.ask_needs(catalog);
        }
        let prompt = self.source(catalog).choose_tables(&kept(&relevant));
        self.phase = Phase::ChoosingTables { relevant };
        vec![self.call(Purpose::Choose, Call::Complete(Box::new(prompt)))]
    }

    fn ask_needs(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        self.phase = Phase::Needing;
        let tables = self.told.tables.clone().unwrap_or_default();
        let prompt = self.source(catalog).needs(&tables);
        vec![self.call(Purpose::Needs, Call::Complete(Box::new(prompt)))]
    }

    /// Requests all drafts in parallel.
    pub(super) fn write(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        self.phase = Phase::Drafting { again: false };
        let named = self.source(catalog).named_tables().len();
        let words = self.brief.question.split_whitespace().count();
        let complex = self.brief.is_complex();
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
        self.tell_drafting(usize::from(drafts.max(1)));
        let call = Call::Complete(Box::new(prompt));
        (0..drafts.max(1)).map(|_| self.call(Purpose::Draft, call.clone())).collect()
    }

    fn after_drafts(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let sound: Vec<usize> = self.unexplained().collect();
        let asks = !self.replies.asked.is_empty() && !self.brief.skip_clarification;
        // If more replies contain questions than statements, the drafts are probably guesses.
        if asks && (sound.is_empty() || self.replies.asking as usize > self.drafts.len()) {
            let asked = questions(catalog, &self.brief, &self.replies.asked);
            self.replies.asked.clear();
            if !asked.is_empty() {
                self.finish(Written { questions: asked, ..Written::default() });
                return Vec::new();
            }
        }
        if !sound.is_empty() {
            self.phase = Phase::Explaining;
            let call = |at: usize| (at, Call::Explain(self.drafts[at].sql.clone()));
            let calls: Vec<(usize, Call)> = sound.into_iter().map(call).collect();
            self.tell_planning(calls.len());
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

    /// Reuses drafts from before a clarification; `None` if no draft matches the answer.
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
        if self.drafts.is_empty() {
            return None;
        }
        self.repairs.held = true;
        self.phase = Phase::Drafting { again: false };
        Some(self.after_drafts(catalog))
    }

    fn nothing_drafted(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        if let Some(reason) = self.replies.out_of_scope.first() {
            let out_of_scope = Some(reason.clone());
            self.finish(Written { out_of_scope, ..Written::default() });
            return Vec::new();
        }
        if self.replies.unreadable == 0 && self.replies.asking == 0 {
            let failure = self.replies.failures.first().cloned().unwrap_or_default();
            self.fail(&failure.code, failure.message);
            return Vec::new();
        }
        if matches!(self.phase, Phase::Drafting { again: true }) {
            self.fail(
                FailureCode::UnreadableAnswer,
                "its answer is in no form that can be used".to_owned(),
            );
            return Vec::new();
        }
        self.phase = Phase::Drafting { again: true };
        self.note("drafting", "no usable reply; trying again".to_owned());
        self.tell_drafting(1);
        let prompt = self.write_prompt(catalog);
        vec![self.call(Purpose::Draft, Call::Complete(Box::new(prompt)))]
    }

    fn after_explaining(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let ranked = ranked(&self.drafts);
        let Some(first) = ranked.first().copied() else { return self.repair(catalog) };
        if self.drafts[first].is_too_doubtful() {
            return self.repair_missing(catalog, first);
        }
        // A draft with warnings is repaired once; if that does not help, the user sees the warnings.
        let doubtful = !self.drafts[first].doubts.is_empty() && !self.repairs.held;
        if doubtful && self.repairs.count == 0 && self.settings.repairs > 0 {
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

    /// Requests a repair, unless the faults are those of the repair before (`docs/spec.md` §10).
    pub(super) fn repair(&mut self, catalog: &Catalog) -> Vec<(u32, Call)> {
        let Some(at) = self.to_repair() else { return self.nothing_drafted(catalog) };
        let faults = self.drafts[at].faults.clone();
        let unanswered =
            matches!(&self.phase, Phase::Repairing { before, .. } if self.drafts.len() <= *before);
        let spent = self.repairs.count >= self.settings.repairs;
        if faults == self.repairs.last_faults || spent || unanswered {
            let fault = faults.into_iter().next().unwrap_or_default();
            self.fail(
                FailureCode::NotRepaired,
                format!("its statements do not pass the checks: {fault}"),
            );
            return Vec::new();
        }
        self.note("repairing", faults.join("; "));
        self.repairs.last_faults = faults;
        self.ask_repair(catalog, at)
    }

    /// Requests a repair because parts of the question are missing, unless the repair before has the same doubts.
    fn repair_missing(&mut self, catalog: &Catalog, first: usize) -> Vec<(u32, Call)> {
        let unanswered =
            matches!(&self.phase, Phase::Repairing { before, .. } if self.drafts.len() <= *before);
        let doubts = self.drafts[first].doubts.clone();
        let spent = self.repairs.count >= self.settings.repairs;
        if doubts == self.repairs.last_faults || spent || unanswered {
            let code = FailureCode::NotRepaired;
            self.fail(
                code,
                format!("its statements are too doubtful to run: {}", doubts.join("; ")),
            );
            return Vec::new();
        }
        self.note("repairing", doubts.join("; "));
        self.repairs.last_faults = doubts;
        self.ask_repair(catalog, first)
    }

    /// Requests a repair because of warnings.
    fn repair_doubts(&mut self, catalog: &Catalog, at: usize) -> Vec<(u32, Call)> {
        self.note("repairing", self.drafts[at].doubts.join("; "));
        self.ask_repair(catalog, at)
    }

    fn ask_repair(&mut self, catalog: &Catalog, at: usize) -> Vec<(u32, Call)> {
        self.repairs.count += 1;
        self.tell_repairing(at, self.repairs.count);
        self.ask_repair_again(catalog, at)
    }

    /// Requests a repair without counting it.
    pub(super) fn ask_repair_again(&mut self, catalog: &Catalog, at: usize) -> Vec<(u32, Call)> {
        self.phase = Phase::Repairing { draft: at, before: self.drafts.len() };
        let Some(prompt) = self.repair_prompt(catalog) else { return Vec::new() };
        vec![self.call(Purpose::Repair, Call::Complete(Box::new(prompt)))]
    }

    /// Index of the draft whose errors decide about a repair: the best one, after the first repair the last one.
    fn to_repair(&self) -> Option<usize> {
        if self.repairs.count > 0 {
            return self.drafts.len().checked_sub(1);
        }
        (0..self.drafts.len()).min_by_key(|at| (std::cmp::Reverse(self.drafts[*at].score), *at))
    }

    /// Prompt to repair the draft of the phase.
    pub(super) fn repair_prompt(&self, catalog: &Catalog) -> Option<Prompt> {
        let Phase::Repairing { draft, .. } = &self.phase else { return None };
        let draft = self.drafts.get(*draft)?;
        let faults = if draft.faults.is_empty() { &draft.doubts } else { &draft.faults };
        // Where columns are unknown, only those that may be meant are shown.
        let packet = match draft.concerned.as_slice() {
            [] => self.packet(catalog),
            tables => whole_tables(catalog, &self.brief, &self.settings, tables),
        };
        Some(self.source(catalog).repair(&packet, &draft.sql, faults))
    }

    pub(super) fn write_prompt(&self, catalog: &Catalog) -> Prompt {
        self.source(catalog).write(&self.packet(catalog), self.told.needs.as_ref())
    }

    /// The tables for a prompt.
    fn packet(&self, catalog: &Catalog) -> Packet {
        let (clues, tables) = (self.told.clues(), self.told.tables.as_deref());
        packet(catalog, &self.brief, &self.settings, clues, tables)
    }

    fn unexplained(&self) -> impl Iterator<Item = usize> {
        let drafts = self.drafts.iter().enumerate();
        drafts.filter(|(_, draft)| draft.faults.is_empty() && !draft.explained).map(|(at, _)| at)
    }
}

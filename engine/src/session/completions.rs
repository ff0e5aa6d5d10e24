//! Completions of a text while it is typed: the candidates that lead to a question that can be answered.

use super::checks::{check_question, date};
use super::preview::interpreted;
use super::statement::printed;
use super::{Completion, Context};
use crate::completing::{Candidate, Earlier, Material, candidates, cuts, instead};
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::interpretation::{Interpretation, Verdict};
use crate::linking::{Mention, TableId};
use crate::text::Span;

/// Maximum number of completions.
const COMPLETIONS: usize = 6;
/// Maximum number of completions after which something is asked first.
const ASKING: usize = 3;
/// Maximum number of candidates that are composed; each costs about as much as a preview.
const CHECKS: usize = 16;
/// Maximum number of candidates that are composed for each stretch of words that they would replace.
const INSTEAD: usize = 3;

impl Engine {
    /// Continuations of a text at `cursor`, a byte, while it is typed; `today` is `yyyy-mm-dd`.
    ///
    /// Each leads to a question for which a statement is composed, and which asks something else than the text without
    /// it. At most 6, the likeliest first; none within a word, for a text that is too long, or an invalid `today`.
    pub fn completions(&self, text: &str, cursor: usize, today: &str) -> Vec<Completion> {
        completions(self, text, cursor, today, None)
    }

    /// Like [`Self::completions`], for a text that can follow up on an earlier question.
    pub fn completions_after(
        &self,
        text: &str,
        cursor: usize,
        today: &str,
        context: &Context,
    ) -> Vec<Completion> {
        completions(self, text, cursor, today, Some(context))
    }
}

fn completions(
    engine: &Engine,
    text: &str,
    cursor: usize,
    today: &str,
    context: Option<&Context>,
) -> Vec<Completion> {
    let (Some(before), Some(after)) = (text.get(..cursor), text.get(cursor..)) else {
        return Vec::new();
    };
    let within_a_word = after.chars().next().is_some_and(|next| !next.is_whitespace());
    let Ok(today) = date(today) else { return Vec::new() };
    if within_a_word || check_question(engine, before).is_err() {
        return Vec::new();
    }
    let read = |text: &str, typing: bool| interpreted(engine, text, today, context, typing);
    let so_far = read(before, true);
    let tree = match (&so_far.verdict, context) {
        (Verdict::Tree(tree), _) => Some(&**tree),
        (_, Some(context)) => Some(&context.tree),
        _ => None,
    };
    let tables = tree.map_or_else(Vec::new, |tree| tables(engine, tree));
    let earlier =
        Earlier { tables: &tables, is_followed: context.is_some(), is_kept: context.is_some() };
    let material = Material {
        catalog: engine.catalog(),
        schema: engine.schema(),
        names: engine.names(),
        text: before,
        mentions: &so_far.mentions,
        earlier,
        year: i32::from(today.year()),
    };
    let mut offers = Offers {
        checked: Checked { engine, known: Vec::new() },
        read: &|text| interpreted(engine, text, today, context, false),
        before,
        after,
        bases: Vec::new(),
        sure: Vec::new(),
        unsure: Vec::new(),
    };
    for candidate in candidates(&material).iter().take(CHECKS) {
        if offers.sure.len() < COMPLETIONS && !(candidate.is_elsewhere && offers.has_any()) {
            offers.check(candidate, false);
        }
    }
    let named: Vec<TableId> =
        so_far.mentions.iter().filter_map(|(mention, _)| table_of(mention)).collect();
    let kept = Earlier { tables: &named, is_kept: true, ..earlier };
    let material = Material { earlier: if named.is_empty() { earlier } else { kept }, ..material };
    for cut in cuts(before, &so_far.unread) {
        if !offers.sure.is_empty() || offers.continues_a_word() {
            break;
        }
        for candidate in instead(&material, cut).iter().take(INSTEAD) {
            offers.check(candidate, true);
        }
    }
    offers.finish()
}

/// The table that a mention names.
fn table_of(mention: &Mention) -> Option<TableId> {
    mention.readings.first().and_then(|reading| reading.target.table())
}

/// Completions that passed, as they are checked.
struct Offers<'a> {
    checked: Checked<'a>,
    read: &'a dyn Fn(&str) -> Interpretation,
    before: &'a str,
    after: &'a str,
    /// Places whose text without a continuation was read.
    bases: Vec<usize>,
    sure: Vec<Completion>,
    unsure: Vec<Completion>,
}

impl Offers<'_> {
    fn has_any(&self) -> bool {
        !self.sure.is_empty() || !self.unsure.is_empty()
    }

    /// Whether a word that is being typed can go on, even if something is asked then.
    fn continues_a_word(&self) -> bool {
        let is_open = self.before.ends_with(|last: char| !last.is_whitespace());
        let goes_on = |it: &Completion| !it.instead && it.span.start < it.span.end;
        is_open && self.unsure.iter().any(goes_on)
    }

    /// Keeps a candidate if it leads to a question that can be answered.
    fn check(&mut self, candidate: &Candidate, instead: bool) {
        let (before, after) = (self.before, self.after);
        let start = candidate.span.start as usize;
        if !self.bases.contains(&start) {
            self.bases.push(start);
            let base = [before.get(..start).unwrap_or_default(), after].concat();
            self.checked.knows(&(self.read)(&base));
        }
        let completion = completion(candidate, before, instead);
        let lead = before.get(..start).unwrap_or_default();
        let whole = [lead, &completion.insert, after].concat();
        if check_question(self.checked.engine, &whole).is_err() {
            return;
        }
        let interpretation = (self.read)(&whole);
        if !self.checked.is_new(&interpretation) {
            return;
        }
        if interpretation.questions().next().is_none() {
            self.sure.push(completion);
        } else {
            self.unsure.push(Completion { asks: true, ..completion });
        }
    }

    /// Those that are answered at once, then some of those that are asked about.
    fn finish(mut self) -> Vec<Completion> {
        self.unsure.truncate(ASKING);
        self.sure.append(&mut self.unsure);
        self.sure.truncate(COMPLETIONS);
        self.sure
    }
}

/// The statements that were seen.
struct Checked<'a> {
    engine: &'a Engine,
    known: Vec<String>,
}

impl Checked<'_> {
    /// Remembers the statement of a text.
    fn knows(&mut self, interpretation: &Interpretation) {
        self.known.extend(self.statement(interpretation));
    }

    /// Whether a question can be answered, by a statement that was not seen before; it is seen then.
    fn is_new(&mut self, interpretation: &Interpretation) -> bool {
        match self.statement(interpretation) {
            Some(sql) if !self.known.contains(&sql) => {
                self.known.push(sql);
                true
            }
            _ => false,
        }
    }

    /// The statement of a question all of whose words are read.
    fn statement(&self, interpretation: &Interpretation) -> Option<String> {
        if !interpretation.unread.is_empty() {
            return None;
        }
        match &interpretation.verdict {
            Verdict::Template(answer) => answer.sql.clone(),
            Verdict::Tree(tree) => printed(self.engine, tree, tree.limit, 0).ok(),
            Verdict::Failed(_) | Verdict::OutOfScope(_) => None,
        }
    }
}

/// The completion of a candidate; one that begins behind a word is set apart from it.
fn completion(candidate: &Candidate, before: &str, instead: bool) -> Completion {
    let start = candidate.span.start as usize;
    let lead = before.get(..start).unwrap_or_default();
    let is_apart = lead.chars().next_back().is_none_or(char::is_whitespace);
    let space = if is_apart { "" } else { " " };
    Completion {
        span: Span::new(start, before.len()),
        insert: format!("{space}{}", candidate.words),
        label: candidate.words.clone(),
        kind: candidate.offers.into(),
        instead,
        asks: false,
    }
}

/// Tables of a question.
fn tables(engine: &Engine, tree: &QueryTree) -> Vec<TableId> {
    let joined = tree.joins.iter().map(|join| &join.to_table);
    let keys = std::iter::once(&tree.from).chain(joined);
    keys.filter_map(|key| engine.schema().table(key)).collect()
}

//! `eval reword`: the composer's figures on questions in which words are replaced by synonyms that no list of the engine
//! holds.
//!
//! `WordNet` says what is a synonym. The questions are compared with themselves as they were written.

mod choice;
mod form;
mod lists;
mod wordnet;

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::figures;
use super::judge::{Judged, judge};
use crate::item::Item;
use crate::options::Options;
use crate::report::{self, Table};
use crate::work;
use choice::{Replaced, Rewording};
use wordnet::WordNet;

/// A question as it was written and with replaced words.
struct Pair {
    before: Judged,
    after: Judged,
    replaced: Vec<Replaced>,
}

/// What becomes of a question.
enum Outcome {
    /// No gold of it returns rows.
    NoRows,
    /// No word of it can be replaced.
    Skipped,
    /// It was asked in both wordings.
    Asked(Box<Pair>),
}

/// Evaluates all items and prints tables and figures.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let folder = options.wordnet.as_deref().context("--wordnet is missing: WordNet's folder")?;
    let wordnet = WordNet::read(folder)?;
    let outcomes = work::each(items, options, |source, item| {
        let Some(before) = judge(source, item, options)? else { return Ok(Outcome::NoRows) };
        let rewording = Rewording::of(&wordnet, source.engine.catalog(), item);
        let Some((question, replaced)) = rewording.apply(options.words) else {
            return Ok(Outcome::Skipped);
        };
        let reworded = Item { question, ..item.clone() };
        let Some(after) = judge(source, &reworded, options)? else { return Ok(Outcome::NoRows) };
        Ok(Outcome::Asked(Box::new(Pair { before, after, replaced })))
    })?;
    let skipped = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Skipped)).count();
    let pairs = outcomes.into_iter().filter_map(|outcome| match outcome {
        Outcome::Asked(pair) => Some(*pair),
        Outcome::NoRows | Outcome::Skipped => None,
    });
    let (mut details, mut moves) = (Vec::new(), Moves::default());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for pair in pairs {
        moves.add(State::of(&pair.before), State::of(&pair.after));
        details.push(detail(&pair)?);
        before.push(pair.before);
        after.push(pair.after);
    }
    let (overview, mut result) = figures(&after);
    result["skipped"] = json!(skipped);
    let (_, unchanged) = figures(&before);
    result["before"] = short(&unchanged);
    result["moves"] = moves.figures();
    let details = if options.verbose { details.as_slice() } else { &[] };
    report::print(details, &[overview, moves.table()], &result)
}

/// The questions that have a word which can be replaced, with one word of each replaced.
pub(crate) fn reworded(items: &[Item], folder: &Path, options: &Options) -> Result<Vec<Item>> {
    let wordnet = WordNet::read(folder)?;
    let reworded = work::each(items, options, |source, item| {
        let rewording = Rewording::of(&wordnet, source.engine.catalog(), item).apply(1);
        Ok(rewording.map(|(question, _)| Item { question, ..item.clone() }))
    })?;
    Ok(reworded.into_iter().flatten().collect())
}

/// The figures of the questions as they were written that are compared.
fn short(figures: &Value) -> Value {
    let names = ["coverage", "selective_accuracy", "lenient", "accuracy", "accuracy_lenient"];
    names.iter().map(|name| ((*name).to_owned(), figures[*name].clone())).collect()
}

fn detail(pair: &Pair) -> Result<String> {
    let words: Vec<String> =
        pair.replaced.iter().map(|word| format!("{} = {}", word.from, word.to)).collect();
    let (before, after) = (State::of(&pair.before).name(), State::of(&pair.after).name());
    let mut text = pair.after.detail.clone();
    writeln!(text, "  reworded {} ({before} -> {after})", words.join(", "))?;
    Ok(text)
}

/// What was done with a question.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum State {
    /// Answered, and the lenient judge accepts it.
    Right,
    /// Answered, and it does not.
    Wrong,
    /// Not answered without asking.
    Refused,
}

impl State {
    const ALL: [Self; 3] = [Self::Right, Self::Wrong, Self::Refused];

    fn of(judged: &Judged) -> Self {
        match judged.answered {
            Some((_, verdict)) if verdict.is_accepted() => Self::Right,
            Some(_) => Self::Wrong,
            None => Self::Refused,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Refused => "refused",
        }
    }
}

/// How many questions went from one state to another by being reworded.
#[derive(Debug, Default)]
struct Moves([[usize; 3]; 3]);

impl Moves {
    fn add(&mut self, before: State, after: State) {
        self.0[before as usize][after as usize] += 1;
    }

    fn figures(&self) -> Value {
        let each = State::ALL.iter().flat_map(|from| State::ALL.iter().map(move |to| (*from, *to)));
        each.map(|(from, to)| {
            let name = format!("{}_{}", from.name(), to.name());
            (name, json!(self.0[from as usize][to as usize]))
        })
        .collect()
    }

    fn table(&self) -> Table {
        let mut table = Table::new(&["as written", "reworded right", "wrong", "refused"]);
        for from in State::ALL {
            let mut row = vec![from.name().to_owned()];
            row.extend(self.0[from as usize].map(|n| n.to_string()));
            table.row(row);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_named_from_and_to() {
        let mut moves = Moves::default();
        moves.add(State::Right, State::Wrong);
        let figures = moves.figures();
        assert_eq!(figures["right_wrong"], 1);
        assert_eq!(figures["wrong_right"], 0);
    }
}

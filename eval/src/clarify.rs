//! `eval clarify`: how much accuracy the answers of a simulated user add.

use std::fmt::Write;

use anyhow::Result;
use serde_json::json;

use super::dialogue::Dialogue;
use super::facts::Facts;
use super::gold::Golds;
use super::item::Item;
use super::options::Options;
use super::report::{self, Table, line, percent};
use super::score::{figure, mean, percentile, share};
use super::source::Source;
use super::user::{Choice, User};
use super::work;

/// A simulated dialogue in which the user wants one gold interpretation of a question.
struct Episode {
    ambiguous: bool,
    /// Whether the result is right when the user answers at most 0, 1, 2, … questions (the index).
    right: Vec<bool>,
    /// Whether the columns match strictly too, at the largest number of answers.
    same_columns: bool,
    /// Number of questions that the user was asked, at the largest number of answers.
    questions: usize,
    /// Number of these questions without an option that fits the wanted interpretation.
    none_of_these: usize,
}

/// All episodes of one question.
struct Judged {
    asked_without_need: Option<bool>,
    episodes: Vec<Episode>,
    detail: String,
}

/// Final state of one simulated dialogue.
struct Walk {
    right: bool,
    same_columns: bool,
    questions: usize,
    none_of_these: usize,
    log: String,
}

/// Evaluates all items and prints tables and figures.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let judged = work::each(items, options, |source, item| judge(source, item, options))?;
    let episodes: Vec<&Episode> = judged.iter().flat_map(|judged| &judged.episodes).collect();
    let clear: Vec<bool> = judged.iter().filter_map(|judged| judged.asked_without_need).collect();
    let without_need = share(clear.iter().filter(|asked| **asked).count(), clear.len());
    let mut table = Table::new(&[
        "episodes",
        "n",
        "right at 0",
        "at 1",
        "at 2",
        "at most",
        "same columns",
        "questions",
        "p90",
        "worse",
        "none of these",
    ]);
    let part = |ambiguous: bool| -> Vec<&Episode> {
        episodes.iter().copied().filter(|episode| episode.ambiguous == ambiguous).collect()
    };
    table.row(row("ambiguous", &part(true)));
    table.row(row("clear", &part(false)));
    table.row(row("all", &episodes));
    let right = |answers: usize| right_at(&episodes, answers);
    let questions = questions(&episodes);
    let result = json!({
        "n": episodes.len(),
        "acc0": figure(right(0)),
        "acc1": figure(right(1)),
        "acc2": figure(right(2)),
        "questions_mean": figure(mean_of(&questions)),
        "questions_p90": percentile(&questions, 90),
        "worse": figure(worse(&episodes)),
        "asked_without_need": figure(without_need),
        "none_of_these": figure(none_of_these(&episodes)),
    });
    let details: Vec<String> = judged.iter().map(|judged| judged.detail.clone()).collect();
    report::print(if options.verbose { &details } else { &[] }, &[table], &result)
}

fn judge(source: &Source, item: &Item, options: &Options) -> Result<Judged> {
    let golds = Golds::of(source, item);
    let start = Dialogue::ask(source, &item.question, item.today(options), false)?;
    let guess = Dialogue::ask(source, &item.question, item.today(options), true)?;
    let ambiguous = item.ambiguous == Some(true);
    let asked_without_need = (item.ambiguous == Some(false)).then(|| !start.questions().is_empty());
    let mut episodes = Vec::new();
    let mut detail = format!("[{}] {}\n  {}\n", item.id, item.kind, item.question);
    let unread = Facts::new();
    for (wanted, rows) in golds.rows.iter().enumerate() {
        if item.one_of && !episodes.is_empty() {
            break;
        }
        writeln!(detail, "  wanted {} {}", wanted + 1, line(&item.golds[wanted]))?;
        if rows.is_none() {
            writeln!(detail, "    no rows: left out")?;
            continue;
        }
        let episode = format!("{}#{wanted}", item.id);
        let user = User {
            gold: golds.facts.get(wanted).unwrap_or(&unread),
            episode: &episode,
            wrong_clicks: options.wrong_clicks,
        };
        let wanted = if item.one_of { None } else { Some(wanted) };
        let mut walks = vec![ended(source, &golds, wanted, &guess)];
        for answers in 1..=options.max_questions {
            walks.push(walk(source, &golds, wanted, &start, &user, answers)?);
        }
        for (answers, walk) in walks.iter().enumerate() {
            let verdict = if walk.right { "right" } else { "wrong" };
            writeln!(detail, "    {answers} answers: {verdict} {}", walk.log)?;
        }
        let Some(last) = walks.last() else { continue };
        episodes.push(Episode {
            ambiguous,
            same_columns: last.same_columns,
            questions: last.questions,
            none_of_these: last.none_of_these,
            right: walks.iter().map(|walk| walk.right).collect(),
        });
    }
    Ok(Judged { asked_without_need, episodes, detail })
}

/// Runs a dialogue in which the user answers at most `answers` questions; all others take the best guess.
/// Without a wanted gold, every gold is right.
fn walk(
    source: &Source,
    golds: &Golds,
    wanted: Option<usize>,
    start: &Dialogue<'_>,
    user: &User<'_>,
    answers: usize,
) -> Result<Walk> {
    let mut dialogue = start.clone();
    let (mut questions, mut none_of_these) = (0, 0);
    let mut log = String::new();
    while questions < answers && !dialogue.questions().is_empty() {
        let mut choices = Vec::new();
        for question in dialogue.questions().iter().take(answers - questions) {
            questions += 1;
            match user.choose(question, questions) {
                Choice::Option(index) => {
                    let option = &question.options[index];
                    write!(log, "“{}” → {}; ", question.phrase, option.label)?;
                    choices.push((question.id.clone(), option.id.clone()));
                }
                Choice::NoneOfThese => {
                    let labels: Vec<&str> =
                        question.options.iter().map(|option| option.label.as_str()).collect();
                    write!(log, "“{}” → none of {}; ", question.phrase, labels.join(" / "))?;
                    none_of_these += 1;
                }
            }
        }
        dialogue.choose(&choices)?;
    }
    let end = ended(source, golds, wanted, &dialogue.finish()?);
    Ok(Walk { questions, none_of_these, log: log + &end.log, ..end })
}

/// State of a dialogue that has ended; without a wanted gold, every gold is right.
fn ended(source: &Source, golds: &Golds, wanted: Option<usize>, dialogue: &Dialogue<'_>) -> Walk {
    let sql = dialogue.statement();
    let met = match (sql, wanted) {
        (Some(sql), Some(_)) => golds.met_by(source, sql),
        (Some(sql), None) => golds.any_met_by(source, sql),
        (None, _) => Vec::new(),
    };
    let agreement = met
        .iter()
        .find(|(gold, _)| wanted.is_none_or(|wanted| *gold == wanted))
        .map(|(_, agreement)| *agreement);
    Walk {
        right: agreement.is_some(),
        same_columns: agreement.is_some_and(|agreement| agreement.distance() == 0),
        questions: 0,
        none_of_these: 0,
        log: sql.map_or_else(|| dialogue.end().to_owned(), line),
    }
}

fn row(name: &str, episodes: &[&Episode]) -> Vec<String> {
    let questions = questions(episodes);
    let same = episodes.iter().filter(|episode| episode.same_columns).count();
    vec![
        name.to_owned(),
        episodes.len().to_string(),
        percent(right_at(episodes, 0)),
        percent(right_at(episodes, 1)),
        percent(right_at(episodes, 2)),
        percent(right_at(episodes, usize::MAX)),
        percent(share(same, episodes.len())),
        mean_of(&questions).map_or_else(String::new, |mean| format!("{mean:.2}")),
        percentile(&questions, 90).map_or_else(String::new, |count| count.to_string()),
        percent(worse(episodes)),
        percent(none_of_these(episodes)),
    ]
}

/// Share of episodes that are right after at most `answers` answers; absent when fewer were allowed.
fn right_at(episodes: &[&Episode], answers: usize) -> Option<f64> {
    let right = episodes.iter().filter(|episode| {
        episode.right.get(answers).or(episode.right.last()).copied().unwrap_or_default()
    });
    share(right.count(), episodes.len())
}

fn questions(episodes: &[&Episode]) -> Vec<usize> {
    episodes.iter().map(|episode| episode.questions).collect()
}

fn mean_of(counts: &[usize]) -> Option<f64> {
    mean(&counts.iter().map(|count| *count as f64).collect::<Vec<_>>())
}

/// Share of episodes that are right with best guesses alone and wrong after the largest number of answers.
fn worse(episodes: &[&Episode]) -> Option<f64> {
    let worse = episodes.iter().filter(|episode| {
        episode.right.first() == Some(&true) && episode.right.last() == Some(&false)
    });
    share(worse.count(), episodes.len())
}

/// Share of the questions to the user that have no fitting option.
fn none_of_these(episodes: &[&Episode]) -> Option<f64> {
    let none = episodes.iter().map(|episode| episode.none_of_these).sum();
    share(none, episodes.iter().map(|episode| episode.questions).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(right: &[bool], questions: usize, none_of_these: usize) -> Episode {
        Episode {
            ambiguous: true,
            right: right.to_vec(),
            same_columns: false,
            questions,
            none_of_these,
        }
    }

    #[test]
    fn episodes_are_counted_by_their_answers() {
        let list = [
            episode(&[false, true, true], 1, 0),
            episode(&[true, true, false], 2, 1),
            episode(&[false, false, false], 1, 1),
        ];
        let list: Vec<&Episode> = list.iter().collect();
        assert_eq!(right_at(&list, 0), Some(1.0 / 3.0));
        assert_eq!(right_at(&list, 1), Some(2.0 / 3.0));
        assert_eq!(right_at(&list, 2), Some(1.0 / 3.0));
        assert_eq!(right_at(&list, usize::MAX), Some(1.0 / 3.0));
        assert_eq!(worse(&list), Some(1.0 / 3.0));
        assert_eq!(none_of_these(&list), Some(0.5));
        assert_eq!(percentile(&questions(&list), 90), Some(2));
    }
}

//! Statistics of questions and clarifications, computed in the store.

use serde::Serialize;

use super::effort::Effort;
use super::value::{Row, Statement, Value};
use super::{Store, StoreError};

/// Maximum number of ambiguities and of choices listed.
const LISTED: i64 = 20;

/// Questions of a tenant in the period from `from` (inclusive) to `to` (exclusive), in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Period<'a> {
    /// Tenant.
    pub tenant: &'a str,
    /// Start.
    pub from: i64,
    /// End.
    pub to: i64,
}

/// Statistics. Shares are from 0 to 1, and absent if they have no denominator.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Number of questions.
    pub questions: i64,
    /// Share of questions that needed clarification.
    pub asked_back: Option<f64>,
    /// Share of questions in which memory decided an ambiguity.
    pub from_memory: Option<f64>,
    /// Share of questions with clarifications that were abandoned.
    pub abandoned: Option<f64>,
    /// Share of clarifications that an authenticated user had been asked before, for the same phrase.
    pub repeated: Option<f64>,
    /// Mean number of rounds of questions with clarifications.
    pub rounds: Option<f64>,
    /// Median time from question to answer in milliseconds, including waiting for the user.
    pub median_ms: Option<i64>,
    /// Share of answered ones among completed questions with clarifications.
    pub success_after_clarification: Option<f64>,
    /// The 20 most frequent ambiguities.
    pub ambiguities: Vec<AmbiguityCount>,
    /// The 20 most frequent choices.
    pub choices: Vec<ChoiceCount>,
    /// Tokens, times to answer, remembered choices, and the trend by day.
    #[serde(flatten)]
    pub effort: Effort,
}

/// Count of an ambiguity.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct AmbiguityCount {
    /// Kind of ambiguity.
    pub ambiguity: String,
    /// Phrase of the dictionary or pack; absent for kinds of ambiguity whose phrase is text of the user.
    pub phrase: Option<String>,
    /// Number of clarifications.
    pub asked: i64,
    /// Number of clarifications that were marked as helpful.
    pub helpful: i64,
    /// Number of clarifications that were marked as unnecessary.
    pub needless: i64,
}

impl Figures {
    /// Removes the texts of questions and answers, and keeps what is counted.
    pub fn forget_texts(&mut self) {
        self.ambiguities.clear();
        self.choices.clear();
    }
}

/// Count of a choice.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ChoiceCount {
    /// Kind of ambiguity.
    pub ambiguity: String,
    /// Phrase of the dictionary or pack.
    pub phrase: String,
    /// Id of the option; `custom` for entered text or numbers; `best_guess` if the choice was left to the engine.
    pub choice: String,
    /// Number of times that the option was chosen.
    pub count: i64,
}

impl Store {
    /// Experiment variants of the questions of a period.
    pub async fn variants(&self, period: Period<'_>) -> Result<Vec<String>, StoreError> {
        let rows = self
            .query(Statement::new(
                "SELECT DISTINCT variant FROM questions \
                 WHERE tenant = $1 AND asked_at >= $2 AND asked_at < $3 AND variant <> '' \
                 ORDER BY variant",
                [period.tenant.into(), period.from.into(), period.to.into()],
            ))
            .await?;
        rows.into_iter().map(|mut row| row.text(0)).collect()
    }

    /// Statistics of a period, of one variant or of all questions.
    pub async fn figures(
        &self,
        period: Period<'_>,
        variant: Option<&str>,
    ) -> Result<Figures, StoreError> {
        let mut counts = self.one(COUNTS, values(period, variant)).await?;
        let [questions, asked, memory, abandoned, rounds, ended, answered] = integers(&mut counts)?;
        let mut again = self.one(REPEATED, values(period, variant)).await?;
        let [of_known, repeated] = integers(&mut again)?;
        let mut median = self.one(MEDIAN, values(period, variant)).await?;
        let ambiguities = self.listed(AMBIGUITIES, period, variant).await?;
        let choices = self.listed(CHOICES, period, variant).await?;
        Ok(Figures {
            questions,
            asked_back: share(asked, questions),
            from_memory: share(memory, questions),
            abandoned: share(abandoned, asked),
            repeated: share(repeated, of_known),
            rounds: share(rounds, asked),
            median_ms: median.maybe_integer(0)?,
            success_after_clarification: share(answered, ended),
            ambiguities: ambiguities.into_iter().map(ambiguity).collect::<Result<_, _>>()?,
            choices: choices.into_iter().map(choice).collect::<Result<_, _>>()?,
            effort: self.effort(period, variant).await?,
        })
    }

    pub(super) async fn one<const N: usize>(
        &self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<Row, StoreError> {
        let row = self.query_one(Statement::new(sql, values)).await?;
        row.ok_or_else(|| StoreError::Failed("the statistics query returned no row".to_owned()))
    }

    async fn listed(
        &self,
        sql: &'static str,
        period: Period<'_>,
        variant: Option<&str>,
    ) -> Result<Vec<Row>, StoreError> {
        let [tenant, from, to, variant] = values(period, variant);
        self.query(Statement::new(sql, [tenant, from, to, variant, LISTED.into()])).await
    }
}

const COUNTS: &str = "SELECT COUNT(*), \
     COUNT(CASE WHEN rounds > 0 THEN 1 END), \
     COUNT(CASE WHEN EXISTS (SELECT 1 FROM ambiguities a \
         WHERE a.question_id = q.id AND a.source = 'memory') THEN 1 END), \
     COUNT(CASE WHEN rounds > 0 AND status = 'abandoned' THEN 1 END), \
     CAST(COALESCE(SUM(rounds), 0) AS BIGINT), \
     COUNT(CASE WHEN rounds > 0 AND status = 'completed' THEN 1 END), \
     COUNT(CASE WHEN rounds > 0 AND status = 'completed' AND outcome = 'answered' THEN 1 END) \
     FROM questions q WHERE tenant = $1 AND asked_at >= $2 AND asked_at < $3 \
     AND ($4 IS NULL OR variant = $4)";

const REPEATED: &str = "SELECT COUNT(*), COUNT(CASE WHEN EXISTS (SELECT 1 FROM ambiguities b \
         WHERE b.tenant = a.tenant AND b.owner = a.owner AND b.ambiguity = a.ambiguity \
         AND b.phrase = a.phrase AND b.asked = 1 AND b.at < a.at \
         AND b.question_id <> a.question_id) THEN 1 END) \
     FROM ambiguities a JOIN questions q ON q.id = a.question_id \
     WHERE a.tenant = $1 AND q.asked_at >= $2 AND q.asked_at < $3 AND ($4 IS NULL OR q.variant = $4) \
     AND a.asked = 1 AND a.owner <> ''";

const MEDIAN: &str = "SELECT CAST(AVG(taken) AS BIGINT) FROM \
     (SELECT ended_at - asked_at AS taken, COUNT(*) OVER () AS total, \
         ROW_NUMBER() OVER (ORDER BY ended_at - asked_at) AS place FROM questions \
     WHERE tenant = $1 AND asked_at >= $2 AND asked_at < $3 AND ($4 IS NULL OR variant = $4) \
     AND status = 'completed' AND outcome = 'answered') AS timed \
     WHERE place IN ((total + 1) / 2, (total + 2) / 2)";

// Phrases of other kinds are text of users, which must not be shown to others of the tenant.
const AMBIGUITIES: &str = "SELECT ambiguity, said, COUNT(*) AS times, \
     COUNT(CASE WHEN mark = 'helpful' THEN 1 END), COUNT(CASE WHEN mark = 'needless' THEN 1 END) \
     FROM (SELECT a.ambiguity, a.mark, CASE WHEN a.ambiguity IN \
         ('vague_term', 'metric_definition', 'aggregation', 'cohort') THEN a.phrase ELSE '' END AS said \
         FROM ambiguities a JOIN questions q ON q.id = a.question_id \
         WHERE a.tenant = $1 AND q.asked_at >= $2 AND q.asked_at < $3 \
         AND ($4 IS NULL OR q.variant = $4) AND a.asked = 1) AS asked \
     GROUP BY ambiguity, said ORDER BY times DESC, ambiguity, said LIMIT $5";

const CHOICES: &str = "SELECT a.ambiguity, a.phrase, a.choice, COUNT(*) AS times \
     FROM ambiguities a JOIN questions q ON q.id = a.question_id \
     WHERE a.tenant = $1 AND q.asked_at >= $2 AND q.asked_at < $3 AND ($4 IS NULL OR q.variant = $4) \
     AND a.asked = 1 AND a.choice IS NOT NULL AND a.phrase <> '' \
     AND a.ambiguity IN ('vague_term', 'metric_definition', 'aggregation', 'cohort') \
     GROUP BY a.ambiguity, a.phrase, a.choice \
     ORDER BY times DESC, a.ambiguity, a.phrase, a.choice LIMIT $5";

pub(super) fn values(period: Period<'_>, variant: Option<&str>) -> [Value; 4] {
    [period.tenant.into(), period.from.into(), period.to.into(), variant.map(str::to_owned).into()]
}

fn integers<const N: usize>(row: &mut Row) -> Result<[i64; N], StoreError> {
    let mut read = [0; N];
    for (column, place) in read.iter_mut().enumerate() {
        *place = row.integer(column)?;
    }
    Ok(read)
}

pub(super) fn share(part: i64, whole: i64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn ambiguity(mut row: Row) -> Result<AmbiguityCount, StoreError> {
    Ok(AmbiguityCount {
        ambiguity: row.text(0)?,
        phrase: Some(row.text(1)?).filter(|phrase| !phrase.is_empty()),
        asked: row.integer(2)?,
        helpful: row.integer(3)?,
        needless: row.integer(4)?,
    })
}

fn choice(mut row: Row) -> Result<ChoiceCount, StoreError> {
    Ok(ChoiceCount {
        ambiguity: row.text(0)?,
        phrase: row.text(1)?,
        choice: row.text(2)?,
        count: row.integer(3)?,
    })
}

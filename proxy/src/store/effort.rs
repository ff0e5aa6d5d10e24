//! Statistics of effort and learning: tokens, times to answer, remembered choices, and the trend by day.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::figures::{Period, share, values};
use super::value::{Row, Statement};
use super::{Store, StoreError};

/// Maximum number of days in a trend.
const DAYS: i64 = 366;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Statistics of effort and learning.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Effort {
    /// Mean number of tokens of a question with clarifications.
    pub tokens_with_clarification: Option<f64>,
    /// Mean number of tokens of a question without clarifications.
    pub tokens_without_clarification: Option<f64>,
    /// Median time from a clarification to its answer, in milliseconds.
    pub median_answer_ms: Option<i64>,
    /// Remembered choices.
    pub patterns: Patterns,
    /// The latest 366 days with questions, oldest first.
    pub days: Vec<Day>,
}

/// Growth, reuse and success of remembered choices.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Patterns {
    /// Number of choices that a known person made for the first time.
    pub learned: i64,
    /// Number of ambiguities that memory decided.
    pub reused: i64,
    /// Share of answered questions among those that ended and in which memory decided; absent if there are none.
    pub success: Option<f64>,
}

/// Questions of one day in UTC.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Day {
    /// The day, `yyyy-mm-dd`.
    pub day: String,
    /// Number of questions.
    pub questions: i64,
    /// Number of questions that needed clarification.
    pub asked_back: i64,
    /// Number of questions in which memory decided an ambiguity.
    pub from_memory: i64,
    /// Number of answered questions.
    pub answered: i64,
}

impl Store {
    /// Statistics of effort and learning of a period, of one variant or of all questions.
    pub(super) async fn effort(
        &self,
        period: Period<'_>,
        variant: Option<&str>,
    ) -> Result<Effort, StoreError> {
        let mut spent = self.one(TOKENS, values(period, variant)).await?;
        let mut median = self.one(ANSWER_TIME, values(period, variant)).await?;
        let mut learned = self.one(LEARNED, values(period, variant)).await?;
        let mut reused = self.one(REUSED, values(period, variant)).await?;
        let [tenant, from, to, variant] = values(period, variant);
        let days = Statement::new(BY_DAY, [tenant, from, to, variant, DAYS.into()]);
        let days: Result<Vec<Day>, _> =
            self.query(days).await?.into_iter().rev().map(day).collect();
        Ok(Effort {
            tokens_with_clarification: share(spent.integer(0)?, spent.integer(1)?),
            tokens_without_clarification: share(spent.integer(2)?, spent.integer(3)?),
            median_answer_ms: median.maybe_integer(0)?,
            patterns: Patterns {
                learned: learned.integer(0)?,
                reused: reused.integer(0)?,
                success: share(reused.integer(1)?, reused.integer(2)?),
            },
            days: days?,
        })
    }
}

fn day(mut row: Row) -> Result<Day, StoreError> {
    let at = Timestamp::from_millisecond(row.integer(0)?.saturating_mul(DAY));
    let day = at.map_err(|error| StoreError::Failed(error.to_string()))?;
    Ok(Day {
        day: day.to_zoned(TimeZone::UTC).date().to_string(),
        questions: row.integer(1)?,
        asked_back: row.integer(2)?,
        from_memory: row.integer(3)?,
        answered: row.integer(4)?,
    })
}

const TOKENS: &str = "SELECT CAST(COALESCE(SUM(CASE WHEN rounds > 0 THEN tokens END), 0) AS BIGINT), \
     COUNT(CASE WHEN rounds > 0 THEN 1 END), \
     CAST(COALESCE(SUM(CASE WHEN rounds = 0 THEN tokens END), 0) AS BIGINT), \
     COUNT(CASE WHEN rounds = 0 THEN 1 END) \
     FROM questions WHERE tenant = $1 AND asked_at >= $2 AND asked_at < $3 \
     AND ($4 IS NULL OR variant = $4)";

const ANSWER_TIME: &str = "SELECT CAST(AVG(taken) AS BIGINT) FROM \
     (SELECT a.answered_at - a.at AS taken, COUNT(*) OVER () AS total, \
         ROW_NUMBER() OVER (ORDER BY a.answered_at - a.at) AS place \
     FROM ambiguities a JOIN questions q ON q.id = a.question_id \
     WHERE a.tenant = $1 AND q.asked_at >= $2 AND q.asked_at < $3 AND ($4 IS NULL OR q.variant = $4) \
     AND a.asked = 1 AND a.answered_at IS NOT NULL) AS timed \
     WHERE place IN ((total + 1) / 2, (total + 2) / 2)";

const LEARNED: &str = "SELECT COUNT(*) FROM ambiguities a JOIN questions q ON q.id = a.question_id \
     WHERE a.tenant = $1 AND q.asked_at >= $2 AND q.asked_at < $3 AND ($4 IS NULL OR q.variant = $4) \
     AND a.source = 'user' AND a.owner <> '' AND NOT EXISTS (SELECT 1 FROM ambiguities b \
         WHERE b.tenant = a.tenant AND b.owner = a.owner AND b.ambiguity = a.ambiguity \
         AND b.phrase = a.phrase AND b.choice = a.choice AND b.source = 'user' \
         AND (b.at < a.at OR (b.at = a.at AND b.question_id < a.question_id)))";

const REUSED: &str = "SELECT COUNT(*), \
     COUNT(DISTINCT CASE WHEN q.status = 'completed' AND q.outcome = 'answered' THEN q.id END), \
     COUNT(DISTINCT CASE WHEN q.status = 'completed' THEN q.id END) \
     FROM ambiguities a JOIN questions q ON q.id = a.question_id \
     WHERE a.tenant = $1 AND q.asked_at >= $2 AND q.asked_at < $3 AND ($4 IS NULL OR q.variant = $4) \
     AND a.source = 'memory'";

const BY_DAY: &str = "SELECT asked_at / 86400000 AS day, COUNT(*), \
     COUNT(CASE WHEN rounds > 0 THEN 1 END), \
     COUNT(CASE WHEN EXISTS (SELECT 1 FROM ambiguities a \
         WHERE a.question_id = q.id AND a.source = 'memory') THEN 1 END), \
     COUNT(CASE WHEN outcome = 'answered' THEN 1 END) \
     FROM questions q WHERE tenant = $1 AND asked_at >= $2 AND asked_at < $3 \
     AND ($4 IS NULL OR variant = $4) GROUP BY asked_at / 86400000 ORDER BY day DESC LIMIT $5";

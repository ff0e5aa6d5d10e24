//! Feedback on clarifications, and what the users of a tenant choose.

use serde_json::Value as Json;
use wherefore_engine::memory::Chosen;

use super::record::Mark;
use super::value::{Row, Statement};
use super::{FIGURES_DAYS, Store, StoreError, milliseconds};
use crate::identity::Identity;

/// Maximum number of choices of a tenant that are read.
const CHOICES: i64 = 500;

/// A clarification that was marked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MarkedPlace {
    /// Whether it had another mark before, or none.
    pub changed: bool,
    /// Kind of ambiguity.
    pub kind: String,
    /// The ambiguous phrase; empty if no history is kept.
    pub phrase: String,
    /// Person who asked the question; none if no history is kept.
    pub person: Option<String>,
    /// Whether the text of the question is kept in the history.
    pub kept: bool,
}

impl Store {
    /// Stores feedback on a clarification of the caller. Returns `None` if there is none.
    ///
    /// `id` is that of the question, or a clarification id of its session; `reported`, the id under which a question
    /// that the client has read itself is stored.
    pub async fn mark(
        &self,
        caller: &Identity,
        (id, reported): (&str, &str),
        clarification_id: &str,
        mark: Mark,
    ) -> Result<Option<MarkedPlace>, StoreError> {
        let mark = match mark {
            Mark::Helpful => "helpful",
            Mark::Needless => "needless",
        };
        let (tenant, owner) = (caller.tenant.as_str(), caller.owner());
        let found = self
            .query_one(Statement::new(
                "SELECT a.ambiguity, a.phrase, q.owner, q.kept FROM ambiguities a \
                 JOIN questions q ON q.id = a.question_id \
                 WHERE a.asked = 1 AND a.clarification_id = $4 AND a.question_id IN \
                 (SELECT question_id FROM sessions WHERE id = $1 AND tenant = $2 AND owner = $3 \
                 UNION ALL SELECT id FROM questions WHERE id = $5)",
                [id.into(), tenant.into(), owner.into(), clarification_id.into(), reported.into()],
            ))
            .await?;
        let Some(mut row) = found else { return Ok(None) };
        let (kind, phrase, person) = (row.text(0)?, row.text(1)?, row.text(2)?);
        let kept = row.integer(3)? == 1;
        let changed = self
            .change_one(Statement::new(
                "UPDATE ambiguities SET mark = $6 WHERE asked = 1 AND clarification_id = $4 AND question_id IN \
                 (SELECT question_id FROM sessions WHERE id = $1 AND tenant = $2 AND owner = $3 \
                 UNION ALL SELECT id FROM questions WHERE id = $5) \
                 AND COALESCE(mark, '') <> $6",
                [
                    id.into(),
                    tenant.into(),
                    owner.into(),
                    clarification_id.into(),
                    reported.into(),
                    mark.into(),
                ],
            ))
            .await?;
        let person = Some(person).filter(|person| !person.is_empty());
        Ok(Some(MarkedPlace { changed: changed == 1, kind, phrase, person, kept }))
    }

    /// Options that users of a tenant chose in the last 90 days, those chosen most often first.
    ///
    /// Phrases of other kinds are text of users, which must not be shown to others of the tenant.
    pub async fn chosen(&self, tenant: &str) -> Result<Vec<Chosen>, StoreError> {
        let from = milliseconds() - i64::from(FIGURES_DAYS) * 86_400_000;
        let rows = self
            .query(Statement::new(
                "SELECT ambiguity, phrase, choice, COUNT(*) AS times FROM ambiguities \
                 WHERE tenant = $1 AND at >= $2 AND source = 'user' AND phrase <> '' \
                 AND choice IS NOT NULL AND choice NOT IN ('custom', 'best_guess') \
                 AND ambiguity IN ('vague_term', 'metric_definition', 'aggregation', 'cohort') \
                 GROUP BY ambiguity, phrase, choice \
                 ORDER BY times DESC, ambiguity, phrase, choice LIMIT $3",
                [tenant.into(), from.into(), CHOICES.into()],
            ))
            .await?;
        rows.into_iter().map(chosen).collect()
    }
}

fn chosen(mut row: Row) -> Result<Chosen, StoreError> {
    let ambiguity = serde_json::from_value(Json::String(row.text(0)?))
        .map_err(|error| StoreError::Failed(error.to_string()))?;
    let (phrase, option_id) = (row.text(1)?, row.text(2)?);
    let times = u32::try_from(row.integer(3)?).unwrap_or(u32::MAX);
    Ok(Chosen { ambiguity, phrase, option_id, times })
}

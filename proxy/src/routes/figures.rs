//! `GET figures`: statistics of questions and clarifications of the caller's tenant.

use axum::extract::State;
use axum::routing::get;
use axum::{Json as JsonBody, Router};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::extract::Parameters;
use crate::problem::{Problem, ProblemCode};
use crate::state::AppState;
use crate::store::{Figures, Period, Store};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FiguresRequest {
    /// First day, `yyyy-mm-dd` in UTC.
    #[serde(default)]
    from: Option<String>,
    /// Last day.
    #[serde(default)]
    to: Option<String>,
}

#[derive(Serialize)]
struct Split {
    /// All questions.
    all: Figures,
    /// Statistics per variant of the experiment.
    variants: Vec<OfVariant>,
}

#[derive(Serialize)]
struct OfVariant {
    variant: String,
    figures: Figures,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/figures", get(figures))
}

async fn figures(
    State(store): State<Store>,
    caller: Caller,
    Parameters(request): Parameters<FiguresRequest>,
) -> Result<JsonBody<Split>, Problem> {
    let FiguresRequest { from, to } = request;
    let from = from.map_or(Ok(Date::constant(1970, 1, 1)), |text| day("from", &text))?;
    // The day after the last one has to exist.
    let last = Date::constant(9998, 12, 31);
    let to = to.map_or(Ok(last), |text| day("to", &text))?.min(last);
    let behind = to.tomorrow().map_err(|_| invalid("to"))?;
    let period = Period {
        tenant: &caller.identity.tenant,
        from: start("from", from)?,
        to: start("to", behind)?,
    };
    let all = store.figures(period, None).await?;
    let mut variants = Vec::new();
    for variant in store.variants(period).await? {
        let figures = store.figures(period, Some(&variant)).await?;
        variants.push(OfVariant { variant, figures });
    }
    let mut split = Split { all, variants };
    if caller.rights.is_some() {
        // What others asked and chose can hold values that the caller may not see.
        split.all.forget_texts();
        split.variants.iter_mut().for_each(|variant| variant.figures.forget_texts());
    }
    Ok(JsonBody(split))
}

fn day(name: &str, text: &str) -> Result<Date, Problem> {
    // The library also reads other forms of ISO 8601.
    let parsed = text.parse::<Date>().ok().filter(|day| day.to_string() == text);
    parsed.ok_or_else(|| invalid(name))
}

/// Start of a day in milliseconds since 1970.
fn start(name: &str, day: Date) -> Result<i64, Problem> {
    let start = day.to_zoned(TimeZone::UTC).map_err(|_| invalid(name))?;
    Ok(start.timestamp().as_millisecond())
}

fn invalid(name: &str) -> Problem {
    let detail = format!("{name} must be a date of the form yyyy-mm-dd");
    Problem::new(ProblemCode::InvalidDate, detail)
}

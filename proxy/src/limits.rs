//! Rate and concurrency limits of users and of the process.
//!
//! Usage is counted per process: several proxies that share a store each grant the full limit.

mod slots;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::LimitOptions;
use crate::identity::Identity;
use crate::problem::{Problem, ProblemCode};

pub(crate) use self::slots::{Slot, Slots};

/// Default limit of questions per minute of an authenticated user.
const QUESTIONS: u32 = 60;
/// Default limit of concurrent queries of an authenticated user.
const RUNNING: u32 = 4;
/// Default limit of concurrent requests of the process.
const REQUESTS: u32 = 1_024;
/// Part of the open connections that requests can occupy, and part that event streams can. The others wait.
const REQUESTS_PART: usize = 4;
const STREAMS_PART: usize = 2;
/// Concurrent sign-ins, which take no slots of other requests.
const SIGN_INS: usize = 32;
/// Concurrent requests without a sign-in to public paths, as a part of all requests.
const PUBLIC_PART: usize = 16;
/// Open event streams of the process, relative to its concurrent requests.
const STREAMS: usize = 4;
/// Memory of all request bodies that are being received or handled, in bytes.
const BODIES: usize = 32 << 20;
/// Memory of all documents above 64 KiB that are being sent, in bytes.
const RESPONSES: usize = 256 << 20;
/// Number of times that the requests of one caller may exceed the free ones.
const SHARE: usize = 3;
/// Seconds per day.
const DAY: u64 = 24 * 60 * 60;

/// Limits, and their current usage.
#[derive(Debug)]
pub struct Limits {
    questions: Bound<DefaultKeyedRateLimiter<Identity>>,
    most_running: Bound<u32>,
    running: Mutex<BTreeMap<Identity, u32>>,
    most_tokens: Option<u64>,
    tokens: Mutex<BTreeMap<Identity, Spent>>,
    /// Requests that are handled.
    pub(crate) requests: Arc<Slots>,
    /// Requests to public paths of callers that are not signed in.
    pub(crate) public: Arc<Slots>,
    /// Requests to the sign-in page of callers that are not signed in.
    pub(crate) sign_ins: Arc<Slots>,
    /// Open event streams.
    pub(crate) streams: Arc<Slots>,
    /// Bytes of request bodies.
    pub(crate) bodies: Arc<Slots>,
    /// Bytes of large documents that are being sent.
    pub(crate) responses: Arc<Slots>,
}

/// A limit. A default applies to authenticated users only, a configured one to all.
#[derive(Debug)]
struct Bound<T> {
    limit: Option<T>,
    for_all: bool,
}

impl<T> Bound<T> {
    fn of(&self, who: &Identity) -> Option<&T> {
        self.limit.as_ref().filter(|_| self.for_all || who.user.is_some())
    }
}

/// Tokens used on one day.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    day: u64,
    tokens: u64,
}

/// What a request occupies: shared by its response and its work, whichever ends last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupied {
    pub(crate) slot: Option<Arc<Slot>>,
    pub(crate) running: Option<Arc<RunningQuery>>,
}

/// A running query of a user, counted until it is dropped.
#[derive(Debug)]
pub struct RunningQuery {
    limits: Arc<Limits>,
    who: Identity,
}

impl Drop for RunningQuery {
    fn drop(&mut self) {
        let mut running = self.limits.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = running.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.who);
            }
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new(&LimitOptions::default())
    }
}

impl Limits {
    /// Limits with the configured values. Requests and event streams are bounded by the number of open connections.
    pub fn new(options: &LimitOptions) -> Self {
        let questions = options.questions_per_minute.unwrap_or(QUESTIONS);
        let running = options.running_queries.unwrap_or(RUNNING);
        let connections = options.open_connections as usize;
        let wanted = options.requests_at_once.unwrap_or(REQUESTS) as usize;
        let requests = wanted.min(connections / REQUESTS_PART).max(1);
        let streams = requests.saturating_mul(STREAMS).min(connections / STREAMS_PART).max(1);
        Self {
            questions: Bound {
                limit: NonZeroU32::new(questions)
                    .map(|questions| RateLimiter::keyed(Quota::per_minute(questions))),
                for_all: options.questions_per_minute.is_some(),
            },
            most_running: Bound {
                limit: (running > 0).then_some(running),
                for_all: options.running_queries.is_some(),
            },
            running: Mutex::default(),
            most_tokens: options.tokens_per_day.filter(|tokens| *tokens > 0),
            tokens: Mutex::default(),
            requests: Slots::new(requests, SHARE),
            public: Slots::new((requests / PUBLIC_PART).max(SHARE + 1), 1),
            sign_ins: Slots::new(SIGN_INS, 1),
            streams: Slots::new(streams, 1),
            bodies: Slots::new(BODIES, 1),
            responses: Slots::new(RESPONSES, 1),
        }
    }

    /// Counts a question against the rate limit.
    pub fn ask(&self, who: &Identity) -> Result<(), Problem> {
        let Some(questions) = self.questions.of(who) else { return Ok(()) };
        questions.check_key(who).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            refused(
                ProblemCode::TooManyQuestions,
                "rate limit exceeded: too many questions per minute",
            )
            .retry_after(wait.as_secs() + 1)
        })
    }

    /// Counts a running query, until the returned guard is dropped.
    pub fn run(self: &Arc<Self>, who: &Identity) -> Result<RunningQuery, Problem> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let count = running.get(who).copied().unwrap_or_default();
        if self.most_running.of(who).is_some_and(|most| count >= *most) {
            return Err(refused(
                ProblemCode::TooManyRunning,
                "too many queries of this user are running",
            )
            .retry_after(1));
        }
        running.insert(who.clone(), count + 1);
        Ok(RunningQuery { limits: Arc::clone(self), who: who.clone() })
    }

    /// Number of running queries.
    pub fn running(&self) -> u32 {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Checks that a user has tokens of the language model left today, before a call.
    pub fn check_tokens(&self, who: &Identity) -> Result<(), Problem> {
        let Some(most) = self.most_tokens else { return Ok(()) };
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        match tokens.get(who) {
            Some(spent) if spent.day == today() && spent.tokens >= most => Err(no_tokens_left()),
            _ => Ok(()),
        }
    }

    /// Counts tokens that a call used. Returns whether the user is still within the daily budget.
    pub fn charge_tokens(&self, who: &Identity, used: u64) -> bool {
        let Some(most) = self.most_tokens else { return true };
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = tokens.entry(who.clone()).or_default();
        if spent.day != today() {
            *spent = Spent { day: today(), tokens: 0 };
        }
        spent.tokens = spent.tokens.saturating_add(used);
        spent.tokens <= most
    }

    /// Removes users with no recent usage.
    pub(crate) fn sweep(&self) {
        if let Some(questions) = &self.questions.limit {
            questions.retain_recent();
        }
        let today = today();
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.retain(|_, spent| spent.day == today);
    }
}

fn refused(code: ProblemCode, detail: &'static str) -> Problem {
    Problem::new(code, detail).with("retryable", true)
}

fn no_tokens_left() -> Problem {
    refused(
        ProblemCode::TokenBudgetSpent,
        "the daily token limit for the language model is used up",
    )
    .retry_after(DAY - since_1970().as_secs() % DAY)
}

/// Days since 1970, in UTC.
fn today() -> u64 {
    since_1970().as_secs() / DAY
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> Identity {
        Identity { tenant: "default".to_owned(), user: Some(name.to_owned()) }
    }

    fn code(result: Result<(), Problem>) -> Option<String> {
        result.err().map(|problem| problem.code().to_owned())
    }

    #[test]
    fn each_user_has_a_share_of_questions() {
        let limits = Limits::default();
        for _ in 0..QUESTIONS {
            limits.ask(&user("ann")).unwrap();
        }
        assert_eq!(code(limits.ask(&user("ann"))).as_deref(), Some("too_many_questions"));
        limits.ask(&user("ben")).unwrap();
        for _ in 0..1_000 {
            limits.ask(&Identity::default()).unwrap();
        }
    }

    #[test]
    fn a_limit_that_was_set_holds_for_everyone() {
        let options = LimitOptions { questions_per_minute: Some(1), ..LimitOptions::default() };
        let limits = Limits::new(&options);
        limits.ask(&Identity::default()).unwrap();
        assert!(limits.ask(&Identity::default()).is_err());
    }

    #[test]
    fn running_queries_end_when_dropped() {
        let limits = Arc::new(Limits::default());
        let running: Vec<_> = (0..RUNNING).map(|_| limits.run(&user("ann")).unwrap()).collect();
        assert_eq!(limits.run(&user("ann")).unwrap_err().code(), "too_many_running");
        limits.run(&user("ben")).unwrap();
        assert_eq!(limits.running(), RUNNING);
        drop(running);
        limits.run(&user("ann")).unwrap();
        assert_eq!(limits.running(), 0);
    }

    #[test]
    fn requests_and_streams_leave_connections() {
        for (open_connections, requests_at_once, expected) in [
            (8_192, None, (1_024, 4_096)),
            (890, None, (222, 445)),
            (890, Some(50), (50, 200)),
            (2, Some(1_000), (1, 1)),
        ] {
            let options =
                LimitOptions { requests_at_once, open_connections, ..LimitOptions::default() };
            let Limits { requests, streams, .. } = Limits::new(&options);
            assert_eq!((requests.free(), streams.free()), expected, "{open_connections}");
        }
    }

    #[test]
    fn tokens_are_spent_by_user_and_day() {
        let options = LimitOptions { tokens_per_day: Some(100), ..LimitOptions::default() };
        let limits = Limits::new(&options);
        assert!(limits.charge_tokens(&user("ann"), 100));
        assert_eq!(code(limits.check_tokens(&user("ann"))).as_deref(), Some("token_budget_spent"));
        assert!(!limits.charge_tokens(&user("ann"), 1));
        limits.check_tokens(&user("ben")).unwrap();
        limits.tokens.lock().unwrap().get_mut(&user("ann")).unwrap().day -= 1;
        limits.check_tokens(&user("ann")).unwrap();
        limits.sweep();
        assert!(limits.tokens.lock().unwrap().is_empty());
    }
}

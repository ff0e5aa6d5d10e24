//! Metrics of the process for Prometheus. No label contains text from a caller.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Histogram buckets of response times, in seconds.
const SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Answer {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Reason {
    reason: &'static str,
}

/// Why the credentials of a request or sign-in were rejected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SignInRefusal {
    /// The request has no credentials.
    NoCredentials,
    /// The key, token or cookie of the request is not valid.
    WrongCredentials,
    /// The API key entered on the sign-in page is not valid.
    WrongKey,
}

impl SignInRefusal {
    fn as_str(self) -> &'static str {
        match self {
            Self::NoCredentials => "no_credentials",
            Self::WrongCredentials => "wrong_credentials",
            Self::WrongKey => "wrong_key",
        }
    }
}

/// Why a connection was closed before its client closed it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dropped {
    /// There were too many connections.
    Crowded,
    /// The head of a request took too long.
    SlowHead,
    /// The client did not read the response.
    Stalled,
}

impl Dropped {
    fn as_str(self) -> &'static str {
        match self {
            Self::Crowded => "crowded",
            Self::SlowHead => "slow_head",
            Self::Stalled => "stalled",
        }
    }
}

/// Metrics of the process.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Answer, Counter>,
    seconds: Family<Route, Histogram>,
    running_queries: Gauge,
    connections: Gauge,
    overdue: Gauge,
    turns_timed_out: Counter,
    sign_ins_refused: Family<Reason, Counter>,
    connections_dropped: Family<Reason, Counter>,
}

/// Values that other parts keep, read when metrics are served.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Queries currently running.
    pub(crate) running_queries: u32,
    /// Connections to databases in use.
    pub(crate) connections: u32,
    /// Statements that a database goes on with although it was told to end them.
    pub(crate) overdue: u32,
    /// Number of callers that waited for a connection to a database in vain.
    pub(crate) turns_timed_out: u64,
}

impl Default for Metrics {
    fn default() -> Self {
        let requests = Family::<Answer, Counter>::default();
        let seconds = Family::<Route, Histogram>::new_with_constructor(|| Histogram::new(SECONDS));
        let (running_queries, connections) = (Gauge::default(), Gauge::default());
        let (overdue, turns_timed_out) = (Gauge::default(), Counter::default());
        let sign_ins_refused = Family::<Reason, Counter>::default();
        let connections_dropped = Family::<Reason, Counter>::default();
        let mut registry = Registry::with_prefix("wherefore");
        registry.register("requests", "Requests answered", requests.clone());
        registry.register(
            "request_seconds",
            "Time until the response headers were sent",
            seconds.clone(),
        );
        registry.register("running_queries", "Queries currently running", running_queries.clone());
        registry.register(
            "database_connections_in_use",
            "Database connections in use",
            connections.clone(),
        );
        registry.register(
            "statements_overdue",
            "Statements that go on in a database although they were cancelled",
            overdue.clone(),
        );
        registry.register(
            "database_waits_timed_out",
            "Callers that waited in vain for a connection to a database",
            turns_timed_out.clone(),
        );
        registry.register(
            "sign_ins_refused",
            "Requests and sign-ins without valid credentials",
            sign_ins_refused.clone(),
        );
        registry.register(
            "client_connections_dropped",
            "Connections closed because their client was too slow or there were too many",
            connections_dropped.clone(),
        );
        Self {
            registry,
            requests,
            seconds,
            running_queries,
            connections,
            overdue,
            turns_timed_out,
            sign_ins_refused,
            connections_dropped,
        }
    }
}

impl Metrics {
    /// Counts a response. The route is the path template of the router, if one matched.
    pub(crate) fn answered(
        &self,
        method: &Method,
        route: Option<&str>,
        status: StatusCode,
        elapsed: Duration,
    ) {
        let route = route.unwrap_or("other").to_owned();
        let answer = Answer { method: name(method), route: route.clone(), status: status.as_u16() };
        self.requests.get_or_create(&answer).inc();
        self.seconds.get_or_create(&Route { route }).observe(elapsed.as_secs_f64());
    }

    /// Counts a request or sign-in without valid credentials.
    pub(crate) fn sign_in_refused(&self, reason: SignInRefusal) {
        let reason = reason.as_str();
        self.sign_ins_refused.get_or_create(&Reason { reason }).inc();
    }

    /// Counts a connection that was closed before its client closed it.
    pub(crate) fn connection_dropped(&self, reason: Dropped) {
        let reason = reason.as_str();
        self.connections_dropped.get_or_create(&Reason { reason }).inc();
    }

    /// All metrics as text, with the given current values.
    pub(crate) fn text(&self, usage: Usage) -> String {
        self.running_queries.set(i64::from(usage.running_queries));
        self.connections.set(i64::from(usage.connections));
        self.overdue.set(i64::from(usage.overdue));
        self.turns_timed_out.inner().store(usage.turns_timed_out, Ordering::Relaxed);
        let mut written = String::new();
        if let Err(error) = text::encode(&mut written, &self.registry) {
            tracing::error!(%error, "cannot encode the metrics");
        }
        written
    }
}

/// Name of a standard method; callers can send any other.
pub(crate) fn name(method: &Method) -> &'static str {
    match *method {
        Method::DELETE => "DELETE",
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        Method::POST => "POST",
        Method::PUT => "PUT",
        _ => "other",
    }
}

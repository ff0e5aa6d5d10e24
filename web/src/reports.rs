//! Reports of the page's questions, sent to the proxy as soon as it can be reached.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api;
use crate::browser;
use crate::view_model::report::{Report, ReportQueue, is_worth_retrying};

/// Time until the first new attempt after a failure, in milliseconds; it doubles with each failure.
const FIRST_PAUSE_MS: u32 = 2_000;
/// The longest time between attempts, in milliseconds.
const LONGEST_PAUSE_MS: u32 = 60_000;

/// Sends reports one after the other. The queue lives as long as the tab. Cloning is cheap.
#[derive(Clone, Copy)]
pub struct Reports {
    queue: StoredValue<ReportQueue>,
    sending: StoredValue<Sending>,
}

/// What the sender is doing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Sending {
    /// Nothing, as nothing waits.
    Idle,
    /// A report is on its way.
    Busy,
    /// The last attempt failed; the next one follows after this time in milliseconds.
    Paused(u32),
}

impl Reports {
    /// An empty queue, whose reports are sent again when the browser has a connection.
    pub fn start() -> Self {
        let reports =
            Self { queue: StoredValue::default(), sending: StoredValue::new(Sending::Idle) };
        browser::when_online(move || {
            if matches!(reports.sending.get_value(), Sending::Paused(_)) {
                reports.send(FIRST_PAUSE_MS);
            }
        });
        reports
    }

    /// Queues a report, and sends it unless another one is on its way.
    pub fn push(&self, report: Report) {
        self.queue.update_value(|queue| queue.push(report));
        if self.sending.get_value() == Sending::Idle {
            self.send(FIRST_PAUSE_MS);
        }
    }

    /// Sends all that waits. After a failure, it pauses for `pause_ms` first.
    fn send(self, pause_ms: u32) {
        self.sending.set_value(Sending::Busy);
        spawn_local(async move {
            let mut pause_ms = pause_ms;
            while let Some(report) = self.queue.with_value(ReportQueue::next) {
                match api::record(&report.body(browser::clock_ms())).await {
                    Err(failure) if is_worth_retrying(failure.status) => {
                        self.sending.set_value(Sending::Paused(pause_ms));
                        TimeoutFuture::new(pause_ms).await;
                        // The browser may have a connection again, and be sending already.
                        if self.sending.get_value() != Sending::Paused(pause_ms) {
                            return;
                        }
                        self.sending.set_value(Sending::Busy);
                        pause_ms = pause_ms.saturating_mul(2).min(LONGEST_PAUSE_MS);
                    }
                    // What the proxy refuses, it will refuse again.
                    Ok(()) | Err(_) => self.queue.update_value(|queue| queue.sent(&report)),
                }
            }
            self.sending.set_value(Sending::Idle);
        });
    }
}

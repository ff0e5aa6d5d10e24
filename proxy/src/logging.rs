//! Log on standard error, with exactly one line per event.

use std::fmt;

use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::{Format, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::config::LogFormat;

/// Default log levels, without `RUST_LOG`.
const LEVELS: &str = "warn,wherefore_proxy=info";

/// Initialises logging. Must be called once.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LEVELS));
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_env_filter(filter);
    match format {
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
        LogFormat::Text => {
            let text = tracing_subscriber::fmt::format().with_target(false).with_ansi(false);
            log.with_ansi(false).event_format(OneLine(text)).init();
        }
    }
}

/// Text format that escapes control characters, so that logged content cannot forge log lines.
struct OneLine(Format);

impl<S, N> FormatEvent<S, N> for OneLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        for character in line.trim_end_matches('\n').chars() {
            if character.is_control() {
                write!(writer, "{}", character.escape_default())?;
            } else {
                writer.write_char(character)?;
            }
        }
        writer.write_char('\n')
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::fmt::MakeWriter;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Written {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    #[test]
    fn nothing_logged_makes_a_line_of_its_own() {
        let written = Written::default();
        let text = tracing_subscriber::fmt::format().with_target(false).with_ansi(false);
        let log = tracing_subscriber::fmt().with_writer(written.clone()).with_ansi(false);
        let log = log.event_format(OneLine(text)).finish();
        tracing::subscriber::with_default(log, || {
            let forged = "gone\n2026-01-01 INFO forged\r\u{1b}[31m";
            tracing::warn!(error = %forged, "it failed\nagain");
        });
        let written = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(written.matches('\n').count(), 1, "{written}");
        assert!(!written.trim_end().chars().any(char::is_control), "{written}");
    }
}

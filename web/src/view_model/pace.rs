//! How fast someone types, and when there is time for work that may hold up the next keystroke.

use std::time::Duration;

/// Least time after a keystroke in milliseconds, so that its preview is painted first.
const LEAST_MS: f64 = 60.0;
/// Most time; a longer gap between two keystrokes is a pause.
const MOST_MS: f64 = 600.0;
/// Time that is set aside for each millisecond that the work took before: some takes longer, and its result is painted.
const RESERVE: f64 = 2.0;
/// Part of the gap between two keystrokes after which no other one is expected soon.
const LATE: f64 = 1.5;

/// Gaps between keystrokes, and the time that the work took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    last_ms: Option<f64>,
    gap_ms: Option<f64>,
    took_ms: f64,
}

impl Pace {
    /// A keystroke at a time in milliseconds.
    pub fn typed(&mut self, now_ms: f64) {
        let gap = self.last_ms.map(|last| now_ms - last).filter(|gap| *gap < MOST_MS);
        if let Some(gap) = gap {
            self.gap_ms = Some(self.gap_ms.map_or(gap, |before| f64::midpoint(before, gap)));
        }
        self.last_ms = Some(now_ms);
    }

    /// The work took so many milliseconds.
    pub fn took(&mut self, took_ms: f64) {
        self.took_ms = f64::midpoint(self.took_ms, took_ms.max(0.0));
    }

    /// Time after a keystroke at which the work begins: before the next one is expected, or else once it is late.
    pub fn wait(&self) -> Duration {
        let done_ms = LEAST_MS + self.took_ms * RESERVE;
        let wait_ms = match self.gap_ms {
            Some(gap) if done_ms > gap => (gap * LATE).clamp(LEAST_MS, MOST_MS),
            _ => LEAST_MS,
        };
        Duration::from_secs_f64(wait_ms / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use std::time::Duration;

    /// The pace of someone who types at these times, while the work takes so many milliseconds.
    fn pace(times: &[f64], took: f64) -> Pace {
        let mut pace = Pace { took_ms: took, ..Pace::default() };
        for time in times {
            pace.typed(*time);
        }
        pace
    }

    #[test]
    fn quick_work_is_done_between_two_keystrokes() {
        assert_eq!(pace(&[0.0, 120.0, 240.0], 20.0).wait(), Duration::from_millis(60));
        assert_eq!(pace(&[0.0], 500.0).wait(), Duration::from_millis(60));
    }

    #[test]
    fn slow_work_waits_until_no_keystroke_is_expected() {
        assert_eq!(pace(&[0.0, 120.0, 240.0], 40.0).wait(), Duration::from_millis(180));
        assert_eq!(pace(&[0.0, 500.0, 1_000.0], 400.0).wait(), Duration::from_millis(600));
        assert_eq!(pace(&[0.0, 5.0, 10.0], 40.0).wait(), Duration::from_millis(60));
    }

    #[test]
    fn a_pause_is_no_gap() {
        assert_eq!(pace(&[0.0, 120.0, 5_000.0, 5_120.0], 40.0), {
            let mut without = pace(&[0.0, 120.0, 240.0], 40.0);
            without.last_ms = Some(5_120.0);
            without
        });
    }

    #[test]
    fn the_time_of_the_work_follows_what_it_took() {
        let mut pace = pace(&[0.0, 120.0], 0.0);
        pace.took(100.0);
        assert_eq!(pace.wait(), Duration::from_millis(180));
        for _ in 0..4 {
            pace.took(0.0);
        }
        assert_eq!(pace.wait(), Duration::from_millis(60));
    }
}

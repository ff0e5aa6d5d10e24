//! Test counts, parsed from the output of the test runners.

use std::ops::AddAssign;

/// Numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Counts {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Sum of the `test result:` lines of `cargo test`.
pub(crate) fn of_cargo(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines().filter(|line| line.starts_with("test result:")) {
        for part in line.split([';', '.']) {
            counts += of_part(part);
        }
    }
    counts
}

/// Counts in the summary of Playwright.
pub(crate) fn of_playwright(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        // Summary lines are like "12 passed (4.1s)" or "1 failed".
        let part = line.split('(').next().unwrap_or_default();
        counts += of_part(part);
    }
    counts
}

/// Counts in the summary of `node --test`.
pub(crate) fn of_node(output: &str) -> Counts {
    let number = |kind: &str| {
        let told = output.lines().find_map(|line| line.split(&format!("# {kind} ")).nth(1));
        told.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    Counts { passed: number("pass"), failed: number("fail") }
}

/// Operations that a run of schemathesis tested.
pub(crate) fn of_schemathesis(output: &str) -> Counts {
    let mut tested = output.lines().filter_map(|line| line.trim().strip_prefix("Tested: "));
    let passed = tested.next().and_then(|number| number.parse().ok()).unwrap_or(0);
    Counts { passed, failed: 0 }
}

/// What `cargo test` says of the tests that failed, at most so many lines; empty where none did.
///
/// With `--no-fail-fast` it stands between the output of the test programs that passed.
pub(crate) fn failures_of_cargo(output: &str, most: usize) -> Vec<&str> {
    let mut within = false;
    let said = output.lines().filter(|line| {
        within |= *line == "failures:";
        let ends = line.starts_with("test result: FAILED");
        let said = within || ends || line.starts_with("error: ");
        within &= !ends;
        said
    });
    said.take(most).collect()
}

fn of_part(part: &str) -> Counts {
    let mut words = part.split_whitespace();
    let (Some(number), Some(kind), None) = (words.next(), words.next(), words.next()) else {
        return Counts::default();
    };
    let number = number.parse().unwrap_or(0);
    match kind {
        "passed" => Counts { passed: number, failed: 0 },
        "failed" => Counts { passed: 0, failed: number },
        _ => Counts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_test_binaries_are_summed() {
        let output = "\
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.52s
4 passed
test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        assert_eq!(of_cargo(output), Counts { passed: 13, failed: 2 });
    }

    #[test]
    fn failures_are_found_between_what_passed() {
        let output = "test a ... ok\n\nfailures:\n\n---- b stdout ----\nno\n\ntest result: FAILED. 1 passed; \
            1 failed\n\nrunning 1 test\ntest c ... ok\ntest result: ok. 1 passed\nerror: 1 target failed:";
        let said = failures_of_cargo(output, 100);
        assert_eq!(said.first(), Some(&"failures:"));
        assert!(said.contains(&"---- b stdout ----"));
        assert!(!said.iter().any(|line| line.contains("test c")));
        assert_eq!(said.last(), Some(&"error: 1 target failed:"));
    }

    #[test]
    fn summary_of_node_is_read() {
        let output = "ok 1 - a test\n# tests 44\n# pass 42\n# fail 2\n# cancelled 0\n";
        assert_eq!(of_node(output), Counts { passed: 42, failed: 2 });
    }

    #[test]
    fn summary_of_playwright_is_read() {
        let output =
            "  ✓  1 a test that passed (1.2s)\n\n  1 failed\n  2 skipped\n  12 passed (5.3s)\n";
        assert_eq!(of_playwright(output), Counts { passed: 12, failed: 1 });
    }
}

//! The rule: from differences and a tolerance to a verdict.

use cranfield_stats::non_inferiority::{DropTest, drop_test};
use cranfield_stats::progress::Watcher;
use cranfield_stats::randomisation::{Method, lower_bound, randomisation_of_differences};
use cranfield_stats::sample::Differences;
use cranfield_stats::{Alternative, Degenerate, Result};

use super::settings::{Settings, Test};
use super::{DropNull, Verdict};

/// The outcome of both questions.
pub(super) struct Tests {
    /// By Student's t, which has the deviation too.
    pub(super) t: DropTest,
    /// By the test that was asked for.
    pub(super) p_drop: f64,
    pub(super) p_within: f64,
    /// The lower confidence bound of the same test, where it was asked for and there is one.
    pub(super) low: Option<f64>,
}

/// Both questions, and the bound.
pub(super) fn tests(
    changes: &Differences,
    tolerance: f64,
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Result<Tests> {
    let method = Method::Auto(settings.resampling);
    let mut tests = tests_with(changes, tolerance, settings, method)?;
    tests.low = if is_by_t(&tests.t, settings) {
        Some(tests.t.low)
    } else {
        lower_bound(changes, settings.alpha, method, -tolerance, watcher)?
    };
    Ok(tests)
}

/// Both questions, without the bound.
pub(super) fn tests_with(
    changes: &Differences,
    tolerance: f64,
    settings: &Settings,
    method: Method,
) -> Result<Tests> {
    let t = drop_test(changes, tolerance, settings.null, settings.alpha)?;
    let by_t = is_by_t(&t, settings);
    let mut tests = Tests {
        p_drop: t.p_drop,
        p_within: t.p_within,
        t,
        low: None,
    };
    if by_t {
        return Ok(tests);
    }
    let raised = changes.plus(tolerance)?;
    let p =
        |d: &Differences, side| randomisation_of_differences(d, method, side).map(|test| test.p);
    tests.p_drop = match settings.null {
        DropNull::Zero => p(changes, Alternative::Less)?,
        DropNull::Tolerance => p(&raised, Alternative::Less)?,
    };
    tests.p_within = p(&raised, Alternative::Greater)?;
    Ok(tests)
}

/// Values that are the same on every topic need no test: there is no drop.
fn is_by_t(t: &DropTest, settings: &Settings) -> bool {
    settings.test == Test::T || t.degenerate == Some(Degenerate::Identical)
}

/// The verdict on one measure.
pub(super) fn verdict(exceeds: bool, p_drop: f64, p_within: f64, alpha: f64) -> Verdict {
    match () {
        () if exceeds && p_drop <= alpha => Verdict::Fail,
        () if !exceeds && p_within <= alpha => Verdict::Pass,
        () => Verdict::Inconclusive,
    }
}

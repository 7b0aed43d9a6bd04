//! From differences and a tolerance to a verdict.

use cranfield_stats::non_inferiority::{DropTest, drop_test};
use cranfield_stats::progress::Watcher;
use cranfield_stats::randomisation::{Method, ShiftedTests};
use cranfield_stats::sample::Differences;
use cranfield_stats::{Alternative, Degenerate, Result};

use super::settings::{Settings, Test};
use super::{DropNull, Verdict};

/// p-values of a drop and of being within the tolerance.
pub(super) struct Tests {
    /// By Student's t test, which also has the standard deviation.
    pub(super) t: DropTest,
    /// By the selected test.
    pub(super) p_drop: f64,
    pub(super) p_within: f64,
    /// Lower confidence bound of the change by the selected test.
    pub(super) low: Option<f64>,
}

/// p-values and the bound.
pub(super) fn tests(
    changes: &Differences,
    tolerance: f64,
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Result<Tests> {
    let method = Method::Auto(settings.resampling);
    let shifted = ShiftedTests::new(changes, method, watcher);
    let mut tests = tests_of(changes, &shifted, (tolerance, DropNull::Zero), settings)?;
    tests.low = if is_by_t(&tests.t, settings) {
        Some(tests.t.low)
    } else {
        shifted.lower_bound(settings.alpha, -tolerance)?
    };
    Ok(tests)
}

/// p-values without the bound; the drop is tested against `null`.
pub(super) fn tests_with(
    changes: &Differences,
    null: (f64, DropNull),
    settings: &Settings,
    method: Method,
) -> Result<Tests> {
    let shifted = ShiftedTests::new(changes, method, &|_, _| ());
    tests_of(changes, &shifted, null, settings)
}

fn tests_of(
    changes: &Differences,
    shifted: &ShiftedTests<'_>,
    (tolerance, null): (f64, DropNull),
    settings: &Settings,
) -> Result<Tests> {
    let t = drop_test(changes, tolerance, null, settings.alpha)?;
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
    let drop = match null {
        DropNull::Zero => 0.0,
        DropNull::Tolerance => -tolerance,
    };
    tests.p_drop = shifted.p(drop, Alternative::Less)?;
    tests.p_within = shifted.p(-tolerance, Alternative::Greater)?;
    Ok(tests)
}

/// Whether Student's t test decides: it was selected, or all values are identical and no test is needed.
fn is_by_t(t: &DropTest, settings: &Settings) -> bool {
    settings.test == Test::T || t.degenerate == Some(Degenerate::Identical)
}

/// The verdict on one measure.
pub(super) fn verdict(exceeds: bool, p_drop: f64, p_within: f64, alpha: f64) -> Verdict {
    if exceeds && p_drop <= alpha {
        Verdict::Fail
    } else if !exceeds && p_within <= alpha {
        Verdict::Pass
    } else {
        Verdict::Inconclusive
    }
}

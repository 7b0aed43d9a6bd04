//! The rule: from differences and a tolerance to a verdict.

use cranfield_stats::non_inferiority::{DropTest, drop_test};
use cranfield_stats::randomisation::{Method, randomisation_of_differences};
use cranfield_stats::{Alternative, Result};

use super::settings::{Settings, Test};
use super::{DropNull, Verdict};

/// The outcome of both questions.
pub(super) struct Tests {
    /// By Student's t, which has the bound and the deviation too.
    pub(super) t: DropTest,
    /// By the test that was asked for.
    pub(super) p_drop: f64,
    pub(super) p_within: f64,
}

pub(super) fn tests(changes: &[f64], tolerance: f64, settings: &Settings) -> Result<Tests> {
    tests_with(
        changes,
        tolerance,
        settings,
        Method::Auto(settings.resampling),
    )
}

pub(super) fn tests_with(
    changes: &[f64],
    tolerance: f64,
    settings: &Settings,
    method: Method,
) -> Result<Tests> {
    let t = drop_test(changes, tolerance, settings.null, settings.alpha)?;
    if settings.test == Test::T || t.degenerate.is_some() {
        let (p_drop, p_within) = (t.p_drop, t.p_within);
        return Ok(Tests {
            t,
            p_drop,
            p_within,
        });
    }
    let raised: Vec<f64> = changes.iter().map(|change| change + tolerance).collect();
    let p = |d: &[f64], side| randomisation_of_differences(d, method, side).map(|test| test.p);
    let p_drop = match settings.null {
        DropNull::Zero => p(changes, Alternative::Less)?,
        DropNull::Tolerance => p(&raised, Alternative::Less)?,
    };
    let p_within = p(&raised, Alternative::Greater)?;
    Ok(Tests {
        t,
        p_drop,
        p_within,
    })
}

/// The verdict on one measure.
pub(super) fn verdict(exceeds: bool, p_drop: f64, p_within: f64, alpha: f64) -> Verdict {
    match () {
        () if exceeds && p_drop <= alpha => Verdict::Fail,
        () if !exceeds && p_within <= alpha => Verdict::Pass,
        () => Verdict::Inconclusive,
    }
}

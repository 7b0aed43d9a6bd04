//! Warm-up until times are stable.

use std::time::{Duration, Instant};

use cranfield_stats::rank_correlation::kendall;
use serde::Serialize;

use super::measurement::{Order, median};
use super::pool::Pool;
use crate::engine::EngineError;

/// Windows that must be alike.
const WINDOWS: usize = 5;
/// Largest relative distance between the medians of these windows.
const MOST_DISTANCE: f64 = 0.05;
/// The p-value of a test for a trend (Mann-Kendall) must be above this.
const LEAST_P: f64 = 0.1;

/// When a warm-up ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmUpSettings {
    /// Length of a window.
    pub window: Duration,
    /// Longest warm-up.
    pub most: Duration,
}

impl Default for WarmUpSettings {
    /// Windows of a second, for at most a minute.
    fn default() -> Self {
        Self {
            window: Duration::from_secs(1),
            most: Duration::from_secs(60),
        }
    }
}

/// The warm-up of one repetition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WarmUp {
    /// Median time of each window, in seconds.
    pub medians: Vec<f64>,
    /// Whether the last windows were alike.
    pub is_stable: bool,
}

/// Sends requests with one client until the medians of five windows in a row are within 5 % and show no trend.
pub(super) fn warm_up(
    pool: &Pool<'_>,
    order: &Order<'_>,
    depth: usize,
    settings: WarmUpSettings,
) -> Result<WarmUp, EngineError> {
    let mut session = pool.take()?;
    let end = Instant::now() + settings.most;
    let (mut medians, mut request) = (Vec::new(), 0);
    while !is_stable(&medians) && Instant::now() < end {
        let (window, mut times) = (Instant::now(), Vec::new());
        // Failures take part, as an engine that fails must not be asked for ever.
        while times.is_empty() || window.elapsed() < settings.window {
            let sent = Instant::now();
            let _ = session.search(order.get(request).1, depth);
            times.push(sent.elapsed().as_secs_f64());
            request += 1;
        }
        medians.extend(median(&times));
    }
    pool.put(session);
    Ok(WarmUp {
        is_stable: is_stable(&medians),
        medians,
    })
}

/// Whether the last five medians are within 5 % and show no trend.
fn is_stable(medians: &[f64]) -> bool {
    let Some(last) = medians
        .len()
        .checked_sub(WINDOWS)
        .map(|start| &medians[start..])
    else {
        return false;
    };
    let least = last.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = last.iter().copied().fold(0.0, f64::max);
    let places: Vec<f64> = (0..last.len()).map(|at| at as f64).collect();
    let p = kendall(&places, last).ok().and_then(|tau| tau.p);
    // Without a p all medians are equal.
    greatest <= least * (1.0 + MOST_DISTANCE) && p.is_none_or(|p| p > LEAST_P)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_alike_windows_without_a_trend_are_stable() {
        assert!(is_stable(&[9.0, 1.0, 1.02, 1.01, 1.03, 1.0]));
        assert!(is_stable(&[1.0; 5]));
        assert!(!is_stable(&[1.0; 4]));
        assert!(!is_stable(&[1.0, 1.0, 1.0, 1.0, 1.06]));
        // Five falling medians have p = 2 / 5! = 0.017.
        assert!(!is_stable(&[1.04, 1.03, 1.02, 1.01, 1.0]));
    }
}

//! The highest rate at which an engine keeps its promise.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::load::Arrivals;
use super::measurement::{Measurement, Order};
use super::open::OpenLoop;
use super::pool::Pool;
use super::summary::QUANTILES;
use crate::duration::{parse_duration, seconds, significant};
use crate::engine::EngineError;

/// Rate of the first probe.
const FIRST: f64 = 10.0;
/// Highest rate that is tried.
const HIGHEST: f64 = 1e5;
/// Bisection ends when the limits are this close.
const CLOSE: f64 = 1.05;

/// A limit of the response time, such as `p99<50ms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    name: &'static str,
    share: f64,
    limit: Duration,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("found `{text}`, expected a target such as p99<50ms");
        let (quantile, limit) = text.split_once('<').ok_or_else(bad)?;
        let known = QUANTILES.iter().find(|(name, _)| *name == quantile.trim());
        let (name, share) = known.copied().ok_or_else(bad)?;
        let limit = parse_duration(limit).map_err(|_| bad())?;
        Ok(Self { name, share, limit })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = seconds(self.limit.as_secs_f64()).replace(' ', "");
        write!(f, "{}<{limit}", self.name)
    }
}

/// A rate that was tried.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Requests per second.
    pub rate: f64,
    /// The quantile of the response time, in seconds.
    pub latency: f64,
    /// Whether it met the target, with every request answered and sent on time.
    pub is_met: bool,
}

/// The result of a search for the highest rate.
#[derive(Clone, Debug)]
pub struct FoundRate {
    /// The target.
    pub target: Target,
    /// The highest rate that met it; `None` if none did.
    pub rate: Option<f64>,
    /// Whether the search ended at the highest rate that it tries.
    pub is_highest: bool,
    /// Every rate that was tried, in order.
    pub probes: Vec<Probe>,
}

impl fmt::Display for FoundRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = if self.is_highest { "at least " } else { "" };
        match self.rate {
            Some(rate) => write!(f, "{}: {at_least}{}/s", self.target, significant(rate)),
            None => write!(f, "{}: not met at {FIRST}/s", self.target),
        }
    }
}

/// How rates are tried.
pub(super) struct Search<'a, 'e> {
    pub(super) pool: &'a Pool<'e>,
    pub(super) order: &'a Order<'a>,
    pub(super) depth: usize,
    pub(super) length: Duration,
    pub(super) most: usize,
    pub(super) seed: u64,
}

impl Search<'_, '_> {
    /// Doubles the rate until the target is missed, then bisects.
    pub(super) fn find(&self, target: Target) -> Result<FoundRate, EngineError> {
        let mut probes = Vec::new();
        let (rate, is_highest) = bisected(|rate| {
            let measured = self.probe(rate, probes.len() as u64)?;
            let probe = judged(&measured, rate, target);
            let is_met = probe.is_met;
            probes.push(probe);
            Ok(is_met)
        })?;
        Ok(FoundRate {
            target,
            rate,
            is_highest,
            probes,
        })
    }

    fn probe(&self, rate: f64, number: u64) -> Result<Measurement, EngineError> {
        let probe = OpenLoop {
            rate,
            arrivals: Arrivals::Poisson,
            length: self.length,
            depth: self.depth,
            most: self.most,
            seed: self.seed,
            stream: (1 << 40) + number,
        };
        probe.run(self.pool, self.order)
    }
}

fn judged(measured: &Measurement, rate: f64, target: Target) -> Probe {
    let response = measured.response.as_ref();
    let latency = response.map_or(f64::INFINITY, |response| response.quantile(target.share));
    let is_on_time = measured.late.is_none_or(|late| late <= 0.001);
    let is_met = latency < target.limit.as_secs_f64() && measured.failed == 0 && is_on_time;
    Probe {
        rate,
        latency,
        is_met,
    }
}

/// The highest rate that is met, within 5 %, and whether no higher one is tried.
fn bisected<E>(mut is_met: impl FnMut(f64) -> Result<bool, E>) -> Result<(Option<f64>, bool), E> {
    let (mut met, mut missed) = (None, FIRST);
    while is_met(missed)? {
        met = Some(missed);
        if missed >= HIGHEST {
            return Ok((met, true));
        }
        missed = (2.0 * missed).min(HIGHEST);
    }
    let Some(mut low) = met else {
        return Ok((None, false));
    };
    while missed > CLOSE * low {
        let middle = (low * missed).sqrt();
        if is_met(middle)? {
            low = middle;
        } else {
            missed = middle;
        }
    }
    Ok((Some(low), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_parse_back() {
        let target: Target = "p99<50ms".parse().expect("a valid target");
        assert_eq!(target.limit, Duration::from_millis(50));
        assert_eq!(target.to_string().parse(), Ok(target));
        assert!("p98<50ms".parse::<Target>().is_err() && "p99>50ms".parse::<Target>().is_err());
    }

    #[test]
    fn bisection_finds_the_rate_within_five_percent() {
        let found = |capacity: f64| bisected(|rate| Ok::<_, ()>(rate <= capacity));
        let (rate, _) = found(777.0).expect("no probe fails");
        let rate = rate.expect("a rate");
        assert!(rate <= 777.0 && rate * CLOSE * 1.001 >= 777.0, "{rate}");
        assert_eq!(found(1.0), Ok((None, false)));
        assert_eq!(found(1e9), Ok((Some(HIGHEST), true)));
    }
}

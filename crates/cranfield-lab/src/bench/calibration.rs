//! How evenly the machine works: the same work again and again, before and after a benchmark.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::machine::{Machine, Ticks, cores};

/// Repetitions of the work.
const TIMES: usize = 20;
/// Intended time of each repetition.
const WORK: Duration = Duration::from_millis(50);
/// Largest coefficient of variation of an even machine.
const MOST_VARIATION: f64 = 0.05;
/// Largest load of an idle machine, for each core.
const MOST_LOAD: f64 = 0.5;
/// Largest share of time that a hypervisor may take.
const MOST_STOLEN: f64 = 0.01;

/// An amount of work that takes about 50 ms.
#[derive(Clone, Copy, Debug)]
pub struct Work(u64);

impl Work {
    /// Finds the amount, as the fastest of a few attempts.
    pub fn calibrated() -> Self {
        const SAMPLE: u64 = 1 << 20;
        let fastest = (0..5).map(|_| timed(SAMPLE)).min().unwrap_or(WORK);
        let rounds = SAMPLE as f64 * WORK.as_secs_f64() / fastest.as_secs_f64().max(1e-9);
        Self(rounds.clamp(1.0, 1e12) as u64)
    }

    /// Does the work 20 times.
    pub fn repeat(self) -> Calibration {
        let times = (0..TIMES).map(|_| timed(self.0).as_secs_f64());
        Calibration::of(times.collect())
    }
}

/// The time of this many steps of a sequence that cannot be shortened.
fn timed(rounds: u64) -> Duration {
    let start = Instant::now();
    let mut x = black_box(0x9E37_79B9_7F4A_7C15_u64);
    for _ in 0..rounds {
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    black_box(x);
    start.elapsed()
}

/// Times of the same work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Each time, in seconds.
    pub seconds: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation divided by their mean.
    pub variation: f64,
}

impl Calibration {
    fn of(seconds: Vec<f64>) -> Self {
        let count = seconds.len() as f64;
        let mean = seconds.iter().sum::<f64>() / count;
        let squares = seconds.iter().map(|time| (time - mean).powi(2));
        let sd = (squares.sum::<f64>() / (count - 1.0)).sqrt();
        Self {
            variation: sd / mean,
            mean,
            seconds,
        }
    }
}

/// What disturbed a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Noise {
    /// Before the benchmark.
    pub before: Option<Calibration>,
    /// After it.
    pub after: Option<Calibration>,
    /// Share of CPU time that the hypervisor took meanwhile.
    pub stolen: Option<f64>,
    /// Reasons to doubt the result; none if the machine was quiet.
    pub reasons: Vec<String>,
}

impl Noise {
    /// Judges the machine from its load before the benchmark, its calibrations, and its CPU time.
    pub fn of(
        machine: &Machine,
        calibrations: [Calibration; 2],
        ticks: [Option<Ticks>; 2],
    ) -> Self {
        let [before, after] = calibrations;
        let stolen = match ticks {
            [Some(before), Some(after)] => Some(after.stolen_since(before)),
            _ => None,
        };
        let mut reasons = Vec::new();
        for (when, calibration) in [("before", &before), ("after", &after)] {
            if calibration.variation > MOST_VARIATION {
                let percent = 100.0 * calibration.variation;
                reasons.push(format!(
                    "the same work varied by {percent:.1} % {when} the benchmark"
                ));
            }
        }
        if let Some(load) = machine
            .load
            .filter(|load| *load > MOST_LOAD * cores() as f64)
        {
            let cores = machine.cores;
            reasons.push(format!("the load was {load} on {cores} cores"));
        }
        if let Some(stolen) = stolen.filter(|stolen| *stolen > MOST_STOLEN) {
            let percent = 100.0 * stolen;
            reasons.push(format!(
                "the hypervisor took {percent:.1} % of the CPU time"
            ));
        }
        Self {
            before: Some(before),
            after: Some(after),
            stolen,
            reasons,
        }
    }

    /// Whether there is a reason to doubt the result.
    pub fn is_noisy(&self) -> bool {
        !self.reasons.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variation_is_the_standard_deviation_over_the_mean() {
        let calibration = Calibration::of(vec![9.0, 10.0, 11.0]);
        assert_eq!((calibration.mean, calibration.variation), (10.0, 0.1));
    }

    #[test]
    fn every_disturbance_has_a_reason() {
        let quiet = || Calibration::of(vec![1.0, 1.001, 1.0]);
        let machine = Machine {
            cores: cores(),
            load: Some(0.1),
            ..Machine::default()
        };
        let noise = Noise::of(&machine, [quiet(), quiet()], [None, None]);
        assert_eq!(noise.reasons, [""; 0]);
        let busy = Machine {
            load: Some(1000.0),
            ..machine
        };
        let uneven = Calibration::of(vec![1.0, 2.0]);
        let noise = Noise::of(&busy, [quiet(), uneven], [None, None]);
        assert_eq!(noise.reasons.len(), 2, "{:?}", noise.reasons);
    }
}

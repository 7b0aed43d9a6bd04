//! Self-test: plants regressions of known size and counts verdicts.

use cranfield_core::setting::Message;
use cranfield_stats::non_inferiority::DropDesign;
use cranfield_stats::random::{Resampling, Stream};
use cranfield_stats::randomisation::Method;
use cranfield_stats::sample::Differences;
use cranfield_stats::{Result as Stats, StatsError};

use super::settings::{Settings, Test};
use super::{Gate, GateError, GatedMeasure, Power, Verdict, failed, rule};
use crate::compare::Step;

/// Samples per row; fewer for a test that draws random numbers itself.
const SAMPLES: usize = 10_000;
const SLOW_SAMPLES: usize = 500;
const SLOW_REPLICATES: usize = 999;

/// Allowed deviation of a rate from its nominal value, in addition to chance, because differences of topics are not normal.
const ALLOWANCE: f64 = 0.05;

/// Proportions of verdicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Proportion of PASS.
    pub pass: f64,
    /// Proportion of INCONCLUSIVE.
    pub inconclusive: f64,
    /// Proportion of FAIL.
    pub fail: f64,
}

impl Rates {
    /// Expected proportions for normal differences.
    pub fn expected(design: &DropDesign, drop: f64) -> Stats<Self> {
        let (pass, fail) = (design.pass_rate(drop)?, design.fail_rate(drop)?);
        Ok(Self {
            pass,
            inconclusive: (1.0 - pass - fail).max(0.0),
            fail,
        })
    }
}

/// Regressions of one size, planted in one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTestRow {
    /// The measure.
    pub measure: String,
    /// The drop as a multiple of the minimum detectable drop.
    pub times: u32,
    /// The drop.
    pub drop: f64,
    /// Observed proportions.
    pub found: Rates,
    /// Proportions expected for normal differences.
    pub expected: Rates,
    /// Whether the observed proportions are as nominal.
    pub holds: bool,
}

/// Result of a self-test of the gate on its own data.
///
/// For each measure the differences of the topics are centred, so that there is no drop, and spread so that drawing from
/// them keeps their standard deviation. A sample draws as many of them as there are topics, with replacement, and takes the
/// planted drop from each. The rule of the gate, at the corrected level of one measure, gives its verdict.
///
/// The gate holds if a run without a drop fails no more often than alpha, and one with the minimum detectable drop, or twice
/// that, fails with at least the nominal power and passes no more often than alpha; up to chance (99 %) and five percentage
/// points, since differences are not normal.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    /// Samples per row.
    pub samples: usize,
    /// Seed.
    pub seed: u64,
    /// The rows.
    pub rows: Vec<SelfTestRow>,
}

impl SelfTest {
    /// Whether every row holds.
    pub fn holds(&self) -> bool {
        self.rows.iter().all(|row| row.holds)
    }
}

impl Gate {
    /// Tests the gate on its own data.
    ///
    /// # Errors
    /// If a measure has the same difference on all topics, so that their variance is unknown; or if the topics are too few to detect
    /// any drop.
    pub fn self_test(&self) -> Result<SelfTest, GateError> {
        let settings = &self.settings;
        let samples = match settings.test {
            Test::T => SAMPLES,
            Test::Randomisation => SLOW_SAMPLES,
        };
        let mut rows = Vec::new();
        for measure in &self.measures {
            if let Some(why) = &measure.no_power {
                return Err(super::failed(&measure.measure, why.clone()));
            }
            let Some(power) = measure.power else {
                let message = "all topics have the same difference, so the variance is unknown; use a baseline that differs from the run";
                let message = format!("{}: {message}", measure.measure);
                return Err(GateError::Settings(message.into()));
            };
            if let Some(why) = power.sees_nothing() {
                let message = format!(
                    "{}: {why}, so there is no detectable drop to plant; ",
                    measure.measure
                );
                let message = Message::from(message).then(power.what_would_see(settings));
                return Err(GateError::Settings(message));
            }
            for times in 0..3 {
                let report = |done: usize| {
                    settings.progress.report(Step {
                        measure: &measure.measure,
                        what: "self-test",
                        done: times as usize * samples + done,
                        total: 3 * samples,
                    });
                };
                let row = planted(measure, &power, times, samples, settings, &report);
                rows.push(row.map_err(|why| failed(&measure.measure, why))?);
            }
        }
        let seed = settings.resampling.seed;
        Ok(SelfTest {
            samples,
            seed,
            rows,
        })
    }
}

fn planted(
    measure: &GatedMeasure,
    power: &Power,
    times: u32,
    samples: usize,
    settings: &Settings,
    report: &dyn Fn(usize),
) -> Stats<SelfTestRow> {
    let count = measure.changes.len();
    let topics = u32::try_from(count).map_err(|_| StatsError::Empty)?;
    let spread = (count as f64 / (count as f64 - 1.0)).sqrt();
    let centred: Vec<f64> = measure
        .changes
        .iter()
        .map(|topic| spread * (topic.change - measure.change))
        .collect();
    let drop = f64::from(times) * power.detectable;
    let draw = |stream: &mut Stream| centred[stream.index(topics)] - drop;
    let found = rates(
        &power.design,
        samples,
        settings,
        u64::from(times),
        draw,
        report,
    )?;
    let expected = Rates::expected(&power.design, drop)?;
    Ok(SelfTestRow {
        measure: measure.measure.clone(),
        times,
        drop,
        found,
        expected,
        holds: holds(times, &found, power, samples),
    })
}

fn holds(times: u32, found: &Rates, power: &Power, samples: usize) -> bool {
    let chance = |rate: f64| 2.576 * (rate * (1.0 - rate) / samples as f64).sqrt() + ALLOWANCE;
    let design = &power.design;
    let at_most = |found: f64, rate: f64| found <= rate + chance(rate);
    if times == 0 {
        return at_most(found.fail, design.alpha_drop);
    }
    let sees = found.fail >= power.power - chance(power.power);
    sees && at_most(found.pass, design.alpha_within)
}

/// Verdicts on samples whose differences come from `draw`.
fn rates(
    design: &DropDesign,
    samples: usize,
    settings: &Settings,
    number: u64,
    draw: impl Fn(&mut Stream) -> f64,
    report: &dyn Fn(usize),
) -> Stats<Rates> {
    let seed = settings.resampling.seed;
    let mut stream = Stream::new(seed, number);
    // As many as a p-value of the level takes, and the gate's own at most.
    let needed = (20.0 / design.alpha_drop).ceil() as usize;
    let method = Method::MonteCarlo(Resampling {
        replicates: needed.clamp(
            SLOW_REPLICATES,
            SLOW_REPLICATES.max(settings.resampling.replicates),
        ),
        seed,
    });
    let mut differences = vec![0.0; design.topics];
    let (mut passed, mut failed) = (0_usize, 0_usize);
    for sample in 0..samples {
        report(sample);
        differences.fill_with(|| draw(&mut stream));
        let sample = Differences::alone(&differences)?;
        let tests = rule::tests_with(&sample, (design.tolerance, design.null), settings, method)?;
        // The level of a drop is lower where there are several measures.
        let p_drop = tests.p_drop * settings.alpha / design.alpha_drop;
        match rule::verdict(tests.t.exceeds, p_drop, tests.p_within, settings.alpha) {
            Verdict::Pass => passed += 1,
            Verdict::Fail => failed += 1,
            Verdict::Inconclusive => {}
        }
    }
    let share = |count: usize| count as f64 / samples.max(1) as f64;
    Ok(Rates {
        pass: share(passed),
        inconclusive: share(samples - passed - failed),
        fail: share(failed),
    })
}

/// Simulated proportions of verdicts for normal differences with a drop, for comparison with [`Rates::expected`].
pub fn normal_rates(
    design: &DropDesign,
    drop: f64,
    samples: usize,
    seed: u64,
) -> Result<Rates, GateError> {
    let settings = Settings {
        alpha: design.alpha_within,
        resampling: Resampling {
            seed,
            ..Resampling::default()
        },
        ..Settings::default()
    };
    let draw = |stream: &mut Stream| design.deviation * stream.normal() - drop;
    rates(design, samples, &settings, 0, draw, &|_| ()).map_err(|why| failed("simulation", why))
}

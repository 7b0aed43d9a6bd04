//! Statistical power of a gate.

use cranfield_core::setting::{Message, Setting};
use cranfield_render::{plural, rounded};
use cranfield_stats::StatsError;
use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::non_inferiority::{DropDesign, DropTest};
use cranfield_stats::randomisation::AUTO_EXACT;
use cranfield_stats::sample::unit;

use super::{DropNull, POWER, Settings, Test};
use crate::compare::{bare_p, percent};

/// Power of the gate on this number of topics, if true differences are normal with the standard deviation of the sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The experiment.
    pub design: DropDesign,
    /// The power that the other figures are for.
    pub power: f64,
    /// The minimum detectable drop: the smallest true drop that fails with this power.
    pub detectable: f64,
    /// Probability that a run without any drop passes.
    pub unchanged_passes: f64,
    /// Topics with which it would pass with this power; `None` without a tolerance, or for more than 10 million.
    pub topics_to_pass: Option<usize>,
    /// Drop for which [`topics_to_see`](Self::topics_to_see) is given: twice the tolerance, or half of the detectable drop without one.
    pub see: f64,
    /// Topics with which it would fail with this power; `None` for more than 10 million.
    pub topics_to_see: Option<usize>,
    /// The selected test. The figures are those of Student's t test, to which the randomisation test is close.
    pub test: Test,
    /// Smallest p-value of the test on this number of topics; above the level, no drop can be significant. 0 for Student's t.
    pub least_p: f64,
    /// The number of measures.
    pub family: usize,
}

impl Power {
    /// None where all differences are the same. The level of a drop is that of the first step of Holm's correction.
    pub(super) fn of(
        test: &DropTest,
        (tolerance, size): (f64, f64),
        family: usize,
        settings: &Settings,
    ) -> Result<Option<Self>, StatsError> {
        // Deviations of less than a unit of the grid on which differences are compared are rounding.
        if test.degenerate.is_some() || test.standard_deviation <= unit(size) {
            return Ok(None);
        }
        let design = design(test, tolerance, family, settings);
        let least_p = least_p(test.n, settings);
        let at_least = |level: f64| move |topics: usize| topics.max(least_topics(level, settings));
        let detectable = design.detectable(POWER)?;
        let see = if tolerance > 0.0 {
            2.0 * tolerance
        } else {
            detectable / 2.0
        };
        Ok(Some(Self {
            design,
            power: POWER,
            detectable,
            unchanged_passes: if least_p > design.alpha_within {
                0.0
            } else {
                design.pass_rate(0.0)?
            },
            topics_to_pass: design
                .topics_to_pass(POWER)?
                .map(|size| size.topics)
                .map(at_least(design.alpha_within)),
            see,
            topics_to_see: design
                .topics_to_see(see, POWER)?
                .map(at_least(design.alpha_drop)),
            test: settings.test,
            least_p,
            family,
        }))
    }

    /// The minimum detectable drop, as a sentence.
    pub fn sees(&self) -> String {
        if let Some(why) = self.sees_nothing() {
            return format!("{why}.");
        }
        let by = match self.test {
            Test::T => "",
            Test::Randomisation => ", computed for the t test",
        };
        format!(
            "{} can detect a drop of {} ({} % power{by}).",
            plural(self.design.topics, "topic"),
            rounded(self.detectable, 4),
            percent(self.power)
        )
    }

    /// Why no drop can be significant, where that is so.
    pub(super) fn sees_nothing(&self) -> Option<String> {
        (self.least_p > self.design.alpha_drop).then(|| {
            format!(
                "{} are too few for this test to detect any drop: its smallest p-value is {}",
                plural(self.design.topics, "topic"),
                self.least_p_text()
            )
        })
    }

    /// The smallest p-value, corrected as that of a measure that drops alone.
    fn least_p_text(&self) -> String {
        let mut all = vec![1.0; self.family.max(1)];
        all[0] = self.least_p;
        let corrected = adjust(&all, Correction::Holm).map_or(self.least_p, |found| found[0]);
        let alone = bare_p(self.least_p, self.design.alpha_drop);
        if self.family <= 1 {
            return alone;
        }
        format!(
            "{} (Holm for {} measures; uncorrected {alone})",
            bare_p(corrected, self.design.alpha_within),
            self.family
        )
    }

    /// Advice where no drop can be significant.
    pub(super) fn what_would_see(&self, settings: &Settings) -> Message {
        let level = self.design.alpha_drop;
        let needed = least_topics(level, settings);
        let more = if self.design.topics >= needed {
            format!("{} replicates", (1.0 / level).ceil())
        } else {
            plural(needed, "topic")
        };
        Message::from(format!("use at least {more}, or ")).then(Setting::Test.to(Test::T.name()))
    }

    /// The minimum detectable drop, the number of topics that detects twice the tolerance, and the chance of an unchanged run.
    pub fn says(&self) -> String {
        let mut sentences = vec![self.sees()];
        sentences.extend(self.topics_sentence(self.topics_to_see, || {
            format!("Detecting a drop of {}", rounded(self.see, 4))
        }));
        if self.design.tolerance > 0.0 {
            let share = 100.0 * self.unchanged_passes;
            sentences.push(format!("An unchanged run passes in {share:.0} % of cases."));
            let percent = percent(self.power);
            sentences.extend(self.topics_sentence(self.topics_to_pass, || {
                format!("Passing it in {percent} % of cases")
            }));
        } else {
            sentences.push("Without a tolerance, an unchanged run rarely passes.".into());
        }
        sentences.join(" ")
    }

    /// The number of topics that something takes; nothing if there are enough.
    fn topics_sentence(
        &self,
        needed: Option<usize>,
        what: impl FnOnce() -> String,
    ) -> Option<String> {
        match needed {
            Some(needed) if needed > self.design.topics => {
                Some(format!("{} takes {}.", what(), plural(needed, "topic")))
            }
            Some(_) => None,
            None => Some(format!("{} takes more than 10 million topics.", what())),
        }
    }
}

/// The smallest p-value of a test: there are 2^n signs, or as many as are drawn.
fn least_p(topics: usize, settings: &Settings) -> f64 {
    let all = 0.5_f64.powf(topics as f64);
    match settings.test {
        Test::T => 0.0,
        Test::Randomisation if topics > AUTO_EXACT => {
            all.max(1.0 / (settings.resampling.replicates as f64 + 1.0))
        }
        Test::Randomisation => all,
    }
}

/// The fewest topics with which the test can reach this level: n with 2^n signs of 1 / level and more.
fn least_topics(level: f64, settings: &Settings) -> usize {
    match settings.test {
        Test::T => 2,
        Test::Randomisation => (-level.log2()).ceil().max(1.0) as usize,
    }
}

fn design(test: &DropTest, tolerance: f64, family: usize, settings: &Settings) -> DropDesign {
    DropDesign {
        topics: test.n,
        deviation: test.standard_deviation,
        tolerance,
        null: DropNull::Zero,
        alpha_drop: settings.alpha / family.max(1) as f64,
        alpha_within: settings.alpha,
    }
}

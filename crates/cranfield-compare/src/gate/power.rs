//! What so many topics can show.

use cranfield_render::{plural, rounded};
use cranfield_stats::StatsError;
use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::non_inferiority::{DropDesign, DropTest};
use cranfield_stats::randomisation::AUTO_EXACT;
use cranfield_stats::sample::unit;

use super::{Settings, Test};
use crate::compare::{bare_p, correction_title, percent};

/// What the gate can show on so many topics, if true differences are normal with the standard deviation that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The experiment.
    pub design: DropDesign,
    /// The power that the other figures are for.
    pub power: f64,
    /// The least true drop that fails with this power.
    pub detectable: f64,
    /// How often a run without any drop passes.
    pub unchanged_passes: f64,
    /// Topics with which it would pass with this power; `None` without a tolerance, or for more than 10 million.
    pub topics_to_pass: Option<usize>,
    /// A drop to be seen.
    pub see: f64,
    /// Whether it was asked for.
    pub see_asked: bool,
    /// Topics with which it would fail with this power; `None` for a drop that is tolerated, or for more than 10 million.
    pub topics_to_see: Option<usize>,
    /// The test whose verdicts are given. The figures are those of Student's t test, which another test comes near.
    pub test: Test,
    /// The least p-value that the test has on so many topics; above the level, no drop can be shown. 0 for Student's t.
    pub least_p: f64,
    /// The number of measures.
    pub family: usize,
    /// How p-values of drops are corrected for it.
    pub correction: Correction,
}

impl Power {
    /// None where all differences are the same. The level of a drop is that of the first step of the correction, as if every
    /// measure were to fail.
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
        let power = settings.power;
        let design = design(test, tolerance, family, settings);
        let least_p = least_p(test.n, settings);
        let at_least = |level: f64| move |topics: usize| topics.max(least_topics(level, settings));
        let detectable = design.detectable(power)?;
        let target = settings.see.unwrap_or(if tolerance > 0.0 {
            2.0 * tolerance
        } else {
            detectable / 2.0
        });
        Ok(Some(Self {
            design,
            power,
            detectable,
            unchanged_passes: if least_p > design.alpha_within {
                0.0
            } else {
                design.pass_rate(0.0)?
            },
            topics_to_pass: design
                .topics_to_pass(power)?
                .map(|size| size.topics)
                .map(at_least(design.alpha_within)),
            see: target,
            see_asked: settings.see.is_some(),
            topics_to_see: design
                .topics_to_see(target, power)?
                .map(at_least(design.alpha_drop)),
            test: settings.test,
            least_p,
            family,
            correction: settings.correction,
        }))
    }

    /// The least drop that can be seen, in words, and what was asked for.
    pub fn sees(&self) -> String {
        let asked = self.see_asked.then(|| self.topics_for_it());
        [Some(self.least_drop()), asked.flatten()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn least_drop(&self) -> String {
        if let Some(why) = self.sees_nothing() {
            return format!("{why}.");
        }
        let (percent, topics) = (percent(self.power), self.design.topics);
        let drop = rounded(self.detectable, 4);
        let unit = plural(topics, "topic");
        match self.test {
            Test::T => format!("{unit} can show a drop of {drop} ({percent} % power)."),
            Test::Randomisation => format!(
                "{unit} can show a drop of {drop} ({percent} % power, by Student's t test, to which this one comes near)."
            ),
        }
    }

    /// That no drop can be shown, and why, where it is so.
    pub(super) fn sees_nothing(&self) -> Option<String> {
        if self.least_p <= self.design.alpha_drop {
            return None;
        }
        let topics = plural(self.design.topics, "topic");
        // Several measures that fall together may reach the level where each alone does not.
        let which = if self.family > 1 && is_step_up(self.correction) {
            "a drop of one measure alone"
        } else {
            "any drop"
        };
        Some(format!(
            "{topics} cannot show {which} by this test, whose least p-value is {}",
            self.least_p_text()
        ))
    }

    /// The least p-value, corrected as that of a measure that falls alone.
    fn least_p_text(&self) -> String {
        let mut all = vec![1.0; self.family.max(1)];
        all[0] = self.least_p;
        let corrected = adjust(&all, self.correction).map_or(self.least_p, |found| found[0]);
        // The levels: that of a single test, and that of corrected p-values.
        let alone = bare_p(self.least_p, self.design.alpha_drop);
        match (self.family, self.correction) {
            (0 | 1, _) | (_, Correction::None) => alone,
            (count, correction) => format!(
                "{} ({} for {count} measures; alone {alone})",
                bare_p(corrected, self.design.alpha_within),
                correction_title(correction),
            ),
        }
    }

    /// What to do where no drop can be shown.
    pub(super) fn what_would_see(&self, settings: &Settings) -> String {
        let level = self.design.alpha_drop;
        let needed = least_topics(level, settings);
        if self.design.topics >= needed {
            let replicates = (1.0 / level).ceil();
            return format!("draw {replicates} replicates or more, or choose the test t");
        }
        format!("give at least {needed} topics, or choose the test t")
    }

    /// The topics that it takes to see a drop.
    fn topics_for_it(&self) -> Option<String> {
        let (drop, topics) = (rounded(self.see, 4), self.design.topics);
        match self.topics_to_see {
            Some(needed) if needed > topics || self.see_asked => {
                Some(format!("To see {drop}, {} needed.", are(needed)))
            }
            Some(_) => None,
            None if self.see <= self.design.tolerance => Some(format!(
                "A drop of {drop} is tolerated, and no number of topics makes it fail so often."
            )),
            None => Some(format!(
                "To see {drop}, more than 10 million topics are needed."
            )),
        }
    }

    /// Everything in words.
    pub fn says(&self) -> String {
        let (percent, topics) = (percent(self.power), self.design.topics);
        let mut sentences = vec![self.least_drop()];
        sentences.extend(self.topics_for_it());
        if self.design.tolerance > 0.0 {
            let share = percent_of(self.unchanged_passes);
            sentences.push(format!("An unchanged run passes in {share} % of cases."));
        } else {
            sentences
                .push("Without a tolerance, an unchanged run cannot be told to be one.".into());
        }
        match self.topics_to_pass {
            Some(needed) if needed > topics => sentences.push(format!(
                "To pass it in {percent} %, {} needed.",
                are(needed)
            )),
            None if self.design.tolerance > 0.0 => sentences.push(format!(
                "To pass it in {percent} %, more than 10 million topics are needed."
            )),
            _ => {}
        }
        sentences.join(" ")
    }
}

/// So many topics are.
fn are(topics: usize) -> String {
    let verb = if topics == 1 { "is" } else { "are" };
    format!("{} {verb}", plural(topics, "topic"))
}

/// The least p-value of a test: over all signs there are 2^n, over random ones as many as are drawn.
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

/// The topics without which the test has no p-value of this level: n with 2^n signs of 1 / level and more.
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
        null: settings.null,
        alpha_drop: settings.alpha_of_one(family),
        alpha_within: settings.alpha,
    }
}

impl Settings {
    /// The level that one of so many measures must reach at worst.
    pub(super) fn alpha_of_one(&self, family: usize) -> f64 {
        match self.correction {
            Correction::None => self.alpha,
            Correction::Sidak | Correction::HolmSidak => {
                -((-self.alpha).ln_1p() / family.max(1) as f64).exp_m1()
            }
            Correction::BenjaminiYekutieli => {
                let harmonic: f64 = (1..=family.max(1)).map(|rank| 1.0 / rank as f64).sum();
                self.alpha / (family.max(1) as f64 * harmonic)
            }
            _ => self.alpha / family.max(1) as f64,
        }
    }
}

/// Whether measures that fall together help each other to be significant.
fn is_step_up(correction: Correction) -> bool {
    use Correction::{BenjaminiHochberg, BenjaminiYekutieli, Hochberg, Hommel};
    matches!(
        correction,
        Hochberg | Hommel | BenjaminiHochberg | BenjaminiYekutieli
    )
}

fn percent_of(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

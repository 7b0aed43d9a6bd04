//! What so many topics can show.

use cranfield_stats::StatsError;
use cranfield_stats::non_inferiority::{DropDesign, DropTest};

use super::Settings;

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
    /// Topics with which it would fail with this power; `None` for a drop that is tolerated, or for more than 10 million.
    pub topics_to_see: Option<usize>,
}

impl Power {
    /// None where all differences are the same. The level of a drop is that of the first step of the correction, as if every
    /// measure were to fail.
    pub(super) fn of(
        test: &DropTest,
        tolerance: f64,
        family: usize,
        settings: &Settings,
    ) -> Result<Option<Self>, StatsError> {
        if test.degenerate.is_some() || test.standard_deviation <= 1e-100 {
            return Ok(None);
        }
        let power = settings.power;
        let design = design(test, tolerance, family, settings);
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
            unchanged_passes: design.pass_rate(0.0)?,
            topics_to_pass: design.topics_to_pass(power)?.map(|size| size.topics),
            see: target,
            topics_to_see: design.topics_to_see(target, power)?,
        }))
    }

    /// The least drop that can be seen, in words.
    pub fn sees(&self) -> String {
        let (percent, topics) = (percent(self.power), self.design.topics);
        let drop = self.detectable;
        format!("{topics} topics can show a drop of {drop:.4} ({percent} % power).")
    }

    /// Everything in words.
    pub fn says(&self) -> String {
        let (percent, topics) = (percent(self.power), self.design.topics);
        let mut sentences = vec![self.sees()];
        let drop = self.see;
        match self.topics_to_see {
            Some(needed) if needed > topics => {
                sentences.push(format!("To see {drop:.4}, {needed} topics are needed."));
            }
            Some(_) => {}
            None if drop <= self.design.tolerance => sentences.push(format!(
                "A drop of {drop:.4} is tolerated, and no number of topics makes it fail so often."
            )),
            None => sentences.push(format!(
                "To see {drop:.4}, more than 10 million topics are needed."
            )),
        }
        if self.design.tolerance > 0.0 {
            let share = percent_of(self.unchanged_passes);
            sentences.push(format!("An unchanged run passes in {share} % of cases."));
        } else {
            sentences
                .push("Without a tolerance, an unchanged run cannot be told to be one.".into());
        }
        match self.topics_to_pass {
            Some(needed) if needed > topics => sentences.push(format!(
                "To pass it in {percent} %, {needed} topics are needed."
            )),
            None if self.design.tolerance > 0.0 => sentences.push(format!(
                "To pass it in {percent} %, more than 10 million topics are needed."
            )),
            _ => {}
        }
        sentences.join(" ")
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
        use cranfield_stats::corrections::Correction;
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

/// A share in percent without needless decimals.
pub(super) fn percent(share: f64) -> String {
    let text = format!("{:.1}", 100.0 * share);
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn percent_of(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

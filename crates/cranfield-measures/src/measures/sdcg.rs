//! # What it measures
//! Scaled discounted cumulative gain: DCG relative to k documents of the highest grade, whether or not the
//! topic has that many. Unlike nDCG it does not depend on what else was judged.
//!
//! # User model
//! That of DCG, relative to k documents of the highest grade, whether or not they exist.
//!
//! # Formula
//! ```math
//! \mathrm{SDCG@}k = \frac{\sum_{i \le k} (g_i / g_{\mathrm{max}}) / \log_2(i + 1)}{\sum_{i \le k} 1 / \log_2(i + 1)}
//! ```
//! SDCG@k = Σ over ranks i ≤ k of g(i) / log2(i + 1), divided by Σ over i ≤ k of 1 / log2(i + 1), where g(i) =
//! gain(i) / gain(max), from 0 to 1. `max` is the highest grade of the scale; with `scale='topic'` it is the
//! highest one in the topic's qrels.
//!
//! # Worked example
//! Grades 3, 0, 2 with `max=3`, k = 3: SDCG = (1/1 + (2/3)/2) / (1 + 1/log2(3) + 1/2) = 0.625707.
//!
//! # Undefined when
//! The highest gain is not positive.
//!
//! # Differences between tools
//! Same as SDCG in cwl_eval (formerly called NDCG there). `SDCG(max_rel=3)@k` in `ir_measures` is
//! `SDCG(max=3)@k`.
//!
//! # References
//! Järvelin and Kekäläinen 2002; Azzopardi et al. 2019.

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::log2_discount;
use cranfield_core::topic::{JudgedRanking, Label};

use super::cascade::Cascade;
use super::gain_model::{GainModel, TopicGains};

/// Scaled discounted cumulative gain.
#[derive(Clone, Debug)]
pub(super) struct Sdcg {
    gains: GainModel,
    /// The gain of the highest grade, or `None` for the topic's own.
    most: Option<f64>,
    cutoff: usize,
    /// The sum over k documents of gain 1.
    full: f64,
}

impl Measure for Sdcg {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = self.gains.read(topic);
        let most = self.most.unwrap_or_else(|| highest(&gains));
        let mut sum = 0.0;
        for (rank, gain) in gains
            .relevant()
            .take_while(|(rank, _)| *rank as usize <= self.cutoff)
        {
            sum += (gain / most).min(1.0) / log2_discount(rank);
        }
        (most > 0.0).then(|| sum / self.full)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit(label)
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "SDCG",
    aliases: &["scaled_dcg"],
    summary: "discounted cumulative gain relative to k documents of the highest grade",
    page: crate::page::page!("sdcg.rs"),
    params: &[Gains::PARAM, Cascade::MAX, Cascade::SCALE],
    cutoff: CutoffRule::Required,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
        "L. Azzopardi, P. Thomas and A. Moffat: cwl_eval: An evaluation tool for information retrieval. SIGIR 2019",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

/// The deepest cutoff; summing its weights is still fast.
const MAX_CUTOFF: usize = 1_000_000;

fn build(params: &Params) -> Result<Computation, Error> {
    let cutoff = params.required_cutoff();
    if cutoff > MAX_CUTOFF {
        return Err(Error::parameter(format!(
            "SDCG@ needs a cutoff of at most {MAX_CUTOFF}, not {cutoff}"
        )));
    }
    let gains = GainModel::by_gain(params);
    Ok(Computation::ranked(Sdcg {
        most: match params.word("scale") {
            "topic" => None,
            _ => Some(gains.of_grade(params.real("max"))),
        },
        gains,
        cutoff,
        full: (1..=cutoff as u32)
            .map(|rank| 1.0 / log2_discount(rank))
            .sum(),
    }))
}

fn highest(gains: &TopicGains<'_>) -> f64 {
    gains.ideal_steps().first().map_or(0.0, |step| step.grade)
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};
    use crate::spec::{Conventions, parse_measure};

    #[test]
    fn worked_example() {
        let full = 1.0 + 1.0 / 3f64.log2() + 1.0 / 2.0;
        let value = (1.0 + 2.0 / 3.0 / 2.0) / full;
        check("SDCG(max=3)@3", &[3, 0, 2], &[3, 2, 1, 0], value);
        check("SDCG(scale='topic')@3", &[3, 0, 2], &[3, 2, 1, 0], value);
    }

    #[test]
    fn edges() {
        check("SDCG@5", &[], &[1], 0.0);
        check("SDCG(max=1)@1", &[3], &[3], 1.0);
        check("SDCG@1", &[-2], &[], 0.0);
        undefined("SDCG(max=0)@5", &[1], &[1]);
        undefined("SDCG(scale='topic')@5", &[0], &[0]);
    }

    #[test]
    fn a_huge_cutoff_is_an_error() {
        let error = parse_measure("SDCG@99999999999", &Conventions::default()).unwrap_err();
        let expected = "SDCG@ needs a cutoff of at most 1000000, not 99999999999";
        assert_eq!(error.to_string(), expected);
    }
}

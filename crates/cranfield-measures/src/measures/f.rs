//! # What it measures
//! F-measure: the weighted harmonic mean of precision and recall, for the whole retrieved set or the first k.
//!
//! # User model
//! Sees the documents as an unordered set; recall is worth beta times as much to the user as precision.
//!
//! # Formula
//! ```math
//! \mathrm{F@}k = \frac{(1 + \beta^2)\, P\, R}{\beta^2 P + R}
//! ```
//! F@k = (1 + β²) · P · R / (β² · P + R), and 0 if nothing relevant was found. P is precision, the relevant
//! documents among the first k over k (without `@k`, over the number retrieved), R recall, over the relevant
//! documents in the qrels. β is `beta`.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: P = 2/3, R = 2/4, F =
//! 0.571429, F(beta=2) = 5 · P · R / (4 · P + R) = 0.526316; F@2: P = 1/2, R = 1/4, F = 0.333333.
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! `set_F` in `trec_eval` and `SetF` in `ir_measures` use the parameter as β²; that is SetF here. F is computed
//! as H / (α · k + (1 − α) · R) with α = 1 / (1 + β²), which is equivalent and needs no special case.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::explain::{Board, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, ranks_at};

/// F as H / (α · n + (1 − α) · R), or a value derived from it. Undefined without relevant documents, and for an
/// empty ranking without cutoff.
#[derive(Clone, Debug)]
struct OfF {
    level: f64,
    /// Weight of precision.
    alpha: f64,
    cutoff: Option<Cutoff>,
    form: Form,
}

/// The value that is made of F.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// F itself.
    F,
    /// E, which is 1 − F.
    E,
}

/// Precision and recall as counts.
struct Counts {
    shown: usize,
    found: usize,
    total: usize,
}

impl OfF {
    /// The counts; `None` if precision or recall is undefined.
    fn counts(&self, topic: &JudgedRanking<'_>) -> Option<Counts> {
        let relevant = topic.relevant(self.level);
        let (shown, found) = match self.cutoff {
            Some(cutoff) => (cutoff.get(), relevant.count_at(cutoff.get())),
            None => (topic.retrieved(), relevant.retrieved),
        };
        let total = relevant.total;
        (shown > 0 && total > 0).then_some(Counts {
            shown,
            found,
            total,
        })
    }

    /// The divisor of the number of documents found: α · n + (1 − α) · R.
    fn whole(&self, counts: &Counts) -> f64 {
        self.alpha * counts.shown as f64 + (1.0 - self.alpha) * counts.total as f64
    }
}

impl Measure for OfF {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let counts = self.counts(topic)?;
        let f = counts.found as f64 / self.whole(&counts);
        Some(match self.form {
            Form::F => f,
            Form::E => 1.0 - f,
        })
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let counts = self.counts(topic)?;
        let share = 1.0 / self.whole(&counts);
        let share = match self.form {
            Form::F => share,
            Form::E => -share,
        };
        let relevant = topic.relevant(self.level);
        // A level below zero ranks unjudged documents too, which a set does not count.
        if self.cutoff.is_none() && relevant.retrieved != relevant.ranks.len() {
            return None;
        }
        let depth = self.cutoff.map_or(usize::MAX, Cutoff::get);
        let steps = self.steps(&counts);
        Some(found_board(ranks_at(&relevant, depth), share, steps))
    }

    fn offset(&self) -> f64 {
        match self.form {
            Form::F => 0.0,
            Form::E => 1.0,
        }
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

impl OfF {
    /// Precision, recall, their weight, and the value.
    fn steps(&self, counts: &Counts) -> Vec<Step> {
        let [shown, found, total] =
            [counts.shown, counts.found, counts.total].map(|count| count as f64);
        let precision = if self.cutoff.is_some() {
            "found / k"
        } else {
            "found / retrieved"
        };
        let (p, r) = (found / shown, found / total);
        let f = found / self.whole(counts);
        let (formula, worked, value) = match self.form {
            Form::F => ("1 / (a / P + (1 - a) / R)", "1 / ({} / {} + {} / {})", f),
            Form::E => (
                "1 - 1 / (a / P + (1 - a) / R)",
                "1 - 1 / ({} / {} + {} / {})",
                1.0 - f,
            ),
        };
        let result = if counts.found == 0 {
            let formula = match self.form {
                Form::F => "0 if nothing is found",
                Form::E => "1 if nothing is found",
            };
            Step::result(formula, "", [], value)
        } else {
            Step::result(formula, worked, [self.alpha, p, 1.0 - self.alpha, r], value)
        };
        vec![
            Step::named("P", precision, "{} / {}", [found, shown], p),
            Step::named(
                "R",
                "found / relevant documents in the judgements",
                "{} / {}",
                [found, total],
                r,
            ),
            Step::given("a", "weight of precision", self.alpha),
            result,
        ]
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "F",
    aliases: &["f-measure", "f_measure", "f1"],
    summary: "weighted harmonic mean of precision and recall (F-measure)",
    page: crate::page::page!("f.rs"),
    params: &[BETA, ParamInfo::LEVEL],
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build: |params| Ok(of_f(params, alpha(params), Form::F)),
    ..MeasureInfo::DEFAULT
};

const BETA: ParamInfo = ParamInfo {
    name: "beta",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "1",
    help: "how much more recall counts than precision",
};

/// The weight of precision given by the parameter `beta`.
pub(super) fn alpha(params: &Params) -> f64 {
    1.0 / (1.0 + params.real("beta").powi(2))
}

/// Builds a measure derived from F with a weight of precision.
pub(super) fn of_f(params: &Params, alpha: f64, form: Form) -> Computation {
    Computation::ranked(OfF {
        level: params.level(),
        alpha,
        cutoff: params.cutoff(),
        form,
    })
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, 1], &[1, 1, 1, 1, 0]);
        check("F", ranking, judged, 2.0 / (0.5 * 3.0 + 0.5 * 4.0));
        check("F(beta=2)", ranking, judged, 2.0 / (0.2 * 3.0 + 0.8 * 4.0));
        check("F1@2", ranking, judged, 1.0 / (0.5 * 2.0 + 0.5 * 4.0));
    }

    #[test]
    fn edges() {
        check("F", &[0], &[1, 0], 0.0);
        check("F@5", &[], &[1], 0.0);
        check("F(beta=0)", &[1, 0], &[1, 1], 0.5);
        check("F(beta=1e300)", &[1, 0], &[1, 1, 1, 1], 0.25);
        check("F(rel=2)@1", &[2, 1], &[2, 1], 1.0);
        undefined("F", &[], &[1]);
        undefined("F", &[0], &[0]);
    }
}

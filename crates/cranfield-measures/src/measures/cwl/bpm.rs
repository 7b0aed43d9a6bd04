//! # What it measures
//! The Bejeweled player model with fixed limits: the gain per document of a user who reads until the gain T
//! is reached, or k documents are read.
//!
//! # User model
//! Reads until the gain T is collected or k documents are read, whichever comes first.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} 1 & \sum_{j \le i} g_j < T \text{ and } i < k \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = 1 while the gain of ranks 1 to i is below T and i is below k, else 0.
//!
//! With V(1) = 1 and V(i + 1) = V(i) · C(i), EU = Σ V(i) · gain(i) / Σ V(i) over the ranks down to `depth`.
//! `figure` selects another quantity: ETU = Σ L(i) · (gain of ranks 1 to i) and ETC = Σ L(i) · (cost of ranks 1
//! to i), where L(i) = V(i) · (1 − C(i)); EC, the cost of one document, is 1; ED = Σ V(i) is the expected
//! number of documents read. EU is between 0 and 1; the others may exceed 1.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the increase if all of them had gain 1.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, relevant: BPM(T=1)@3 = 1/2, because the user stops at rank 2; BPM(T=2)@3 =
//! 2/3.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `BPMCWLMetric` in `cwl_eval` with costs of 1; `ir_measures` calls it `BPM` and requires `max_rel`. T
//! is in units of gain, so with `max_rel=3` a document of grade 1 contributes a third. Pooled documents without
//! a judgement count as unjudged; `ir_measures` counts negative grades as judged, which changes only the
//! residual.
//!
//! # References
//! Zhang et al. 2017.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::CutoffRule;

use super::{CWL, Cwl, Figures, Reading, T, UserModel, walk};

/// The Bejeweled player model with fixed limits.
#[derive(Clone, Copy, Debug)]
struct Bpm {
    target: f64,
    cutoff: f64,
}

impl UserModel for Bpm {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            let wanting = seen.total_gain < self.target && seen.rank < self.cutoff;
            f64::from(u8::from(wanting))
        }))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "BPM",
    aliases: &["bejeweled_player_model"],
    summary: "gain per document of a user who stops at gain T or rank k",
    page: crate::page::page!("bpm.rs"),
    params: super::params![T],
    cutoff: CutoffRule::Required,
    references: &[
        "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu and S. Ma: Evaluating web search with a Bejeweled player model. SIGIR 2017. doi:10.1145/3077136.3080841",
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            Bpm {
                target: params.real("T"),
                cutoff: params.required_cutoff() as f64,
            },
        ))
    },
    ..CWL
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("BPM@3", &[0, 1, 1], &[1, 1, 0], 1.0 / 2.0);
        check("BPM(T=2)@3", &[0, 1, 1], &[1, 1, 0], 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("BPM@5", &[], &[1], 0.0);
        check("BPM(figure='ED')@5", &[], &[1], 5.0);
        check("BPM(max_rel=2, figure='ED')@9", &[1, 1, 1], &[1, 1, 1], 2.0);
        check("BPM(residual='true')@2", &[0], &[0], 0.5);
    }
}

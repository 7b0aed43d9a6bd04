//! # What it measures
//! The Bejeweled player model with dynamic limits: like BPM, but the documents seen change how much gain the
//! user wants and how many documents the user is willing to read.
//!
//! # User model
//! That of BPM, but good documents raise the user's expectations and patience, and poor ones lower them.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} 1 & \sum_{j \le i} g_j < T_i \text{ and } i < K_i \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = 1 while the gain of ranks 1 to i is below T(i) and i is below K(i), else 0. T(1) = T and K(1) = k;
//! T(i + 1) = T(i) + hb · (gain(i) − median), K(i + 1) = K(i) + hc · (gain(i) − median).
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
//! Ranking: relevant, relevant, non-relevant, with T = 5, hb = 0 and k = 2: K is 2, 2.5 and 3, so the user
//! stops at rank 3 and the value is 2/3, where BPM(T=5)@2 is 1.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! `BPMDCWLMetric` of `cwl_eval` updates T instead of K, after the last use of T, so K stays at k and hc has no
//! effect; `hc=0` gives its values here. `ir_measures` does not provide it.
//!
//! # References
//! Zhang et al. 2017.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};

use super::{CWL, Cwl, Figures, Reading, T, UserModel, walk};

/// The Bejeweled player model with dynamic limits.
#[derive(Clone, Copy, Debug)]
struct BpmDynamic {
    target: f64,
    cutoff: f64,
    target_step: f64,
    cutoff_step: f64,
    median: f64,
}

impl UserModel for BpmDynamic {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        let (mut target, mut cutoff) = (self.target, self.cutoff);
        Some(walk(reading, |seen| {
            let wanting = seen.total_gain < target && seen.rank < cutoff;
            target += self.target_step * (seen.gain - self.median);
            cutoff += self.cutoff_step * (seen.gain - self.median);
            f64::from(u8::from(wanting))
        }))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "BPMDynamic",
    summary: "Bejeweled player model with dynamic limits",
    page: crate::page::page!("bpm_dynamic.rs"),
    params: super::params![T, HB, HC, MEDIAN],
    cutoff: CutoffRule::Required,
    references: &[
        "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu and S. Ma: Evaluating web search with a Bejeweled player model. SIGIR 2017. doi:10.1145/3077136.3080841",
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            BpmDynamic {
                target: params.real("T"),
                cutoff: params.required_cutoff() as f64,
                target_step: params.real("hb"),
                cutoff_step: params.real("hc"),
                median: params.real("median"),
            },
        ))
    },
    ..CWL
};

const HB: ParamInfo = ParamInfo {
    name: "hb",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1",
    help: "how strongly observed gain changes the wanted gain",
};

const HC: ParamInfo = ParamInfo {
    name: "hc",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1",
    help: "how strongly observed gain changes the number of documents the user will read",
};

const MEDIAN: ParamInfo = ParamInfo {
    name: "median",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "gain of a document that changes neither limit",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("BPMDynamic(T=5, hb=0)@2", &[1, 1, 0], &[1, 1, 0], 2.0 / 3.0);
        check("BPM(T=5)@2", &[1, 1, 0], &[1, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("BPMDynamic@5", &[], &[1], 0.0);
        check("BPMDynamic(figure='ED')@4", &[0, 0, 0], &[0], 3.0);
        check("BPMDynamic(T=2, hc=0, figure='ED')@9", &[0, 1], &[1], 5.0);
    }
}

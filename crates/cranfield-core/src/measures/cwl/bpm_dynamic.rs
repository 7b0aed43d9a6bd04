//! # What it measures
//! The Bejeweled player model with limits that move: as BPM, but what the user sees changes how much gain is
//! wanted and how many documents are worth reading.
//!
//! # User model
//! As BPM, but good documents make the user want more and have more patience, poor ones less.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \begin{cases} 1 & \sum_{j \le i} g_j < T_i \text{ and } i < K_i \\ 0 & \text{else} \end{cases}
//! ```
//! C(i) = 1 while the gain of ranks 1 to i is below T(i) and i is below K(i), else 0. T(1) = T and K(1) = k;
//! T(i + 1) = T(i) + hb · (gain(i) − median), K(i + 1) = K(i) + hc · (gain(i) − median).
//!
//! With V(1) = 1 and V(i + 1) = V(i) · C(i), EU = Σ V(i) · gain(i) / Σ V(i) over the ranks down to `depth`.
//! `figure` asks for another figure: ETU = Σ L(i) · (gain of ranks 1 to i) and ETC = Σ L(i) · (cost of ranks
//! 1 to i), where L(i) = V(i) · (1 − C(i)); EC, the cost of one document, which is 1; ED = Σ V(i), the
//! documents read on average. EU lies between 0 and 1, the others need not.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), cut to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the figure if all of them had gain 1, minus the figure.
//!
//! # Worked example
//! Relevant, relevant, not, with T = 5, hb = 0 and k = 2: K is 2, 2.5 and 3, so reading ends at rank 3 and
//! the value is 2/3, where BPM(T=5)@2 is 1.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! `BPMDCWLMetric` of `cwl_eval` moves T where it means to move K, after T was last looked at, so there K
//! stays at k and hc has no effect; `hc=0` here gives its numbers. `ir_measures` does not have it.
//!
//! # References
//! Zhang et al. 2017.

use super::{
    CWL, Cwl, DEPTH, FIGURE, Figures, MAX_REL, MIN_REL, RESIDUAL, Reading, T, UserModel, walk,
};
use crate::error::Error;
use crate::measure::{Computation, MeasureInfo};
use crate::params::{CutoffRule, ParamInfo, ParamKind, Params};

/// The Bejeweled player model with moving limits.
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
    summary: "Bejeweled player model with moving limits",
    source: include_str!("bpm_dynamic.rs"),
    params: &[
        T,
        HB,
        HC,
        MEDIAN,
        FIGURE,
        RESIDUAL,
        ParamInfo::LEVEL,
        MIN_REL,
        MAX_REL,
        DEPTH,
    ],
    cutoff: CutoffRule::Required,
    references: &[
        "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu and S. Ma: Evaluating web search with a Bejeweled player model. SIGIR 2017. doi:10.1145/3077136.3080841",
    ],
    build,
    ..CWL
};

const HB: ParamInfo = ParamInfo {
    name: "hb",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1",
    help: "how much the gain seen moves the gain wanted",
};

const HC: ParamInfo = ParamInfo {
    name: "hc",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1",
    help: "how much the gain seen moves the number of documents worth reading",
};

const MEDIAN: ParamInfo = ParamInfo {
    name: "median",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "gain of a document that moves neither limit",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let model = BpmDynamic {
        target: params.real("T"),
        cutoff: params.required_cutoff() as f64,
        target_step: params.real("hb"),
        cutoff_step: params.real("hc"),
        median: params.real("median"),
    };
    Ok(Cwl::computation(params, model))
}

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

//! ERR-like measures: users whose patience at each rank is reduced by the gain there.

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, Params};

use super::{CWL, Cwl, Figures, Reading, UserModel, walk};

/// Fields shared by these measures; those without a cutoff have an additional parameter.
pub(super) const NEARLY_ERR: MeasureInfo = MeasureInfo {
    cutoff: CutoffRule::Required,
    references: &[
        "L. Azzopardi, J. Mackenzie and A. Moffat: ERR is not C/W/L: exploring the relationship between expected reciprocal rank and other metrics. ICTIR 2021. doi:10.1145/3471158.3472239",
    ],
    ..CWL
};

/// The probability of continuing from a rank after a document without gain, given the measure's parameter.
type Patience = fn(rank: f64, parameter: f64) -> f64;

/// A user who continues with probability C(i) = patience(i) · (1 − g(i)).
#[derive(Clone, Copy, Debug)]
struct NearlyErr {
    parameter: f64,
    patience: Patience,
}

impl UserModel for NearlyErr {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        Some(walk(reading, |seen| {
            (self.patience)(seen.rank, self.parameter) * (1.0 - seen.gain)
        }))
    }
}

/// Builds the measure with this patience.
pub(super) fn nearly_err(params: &Params, parameter: f64, patience: Patience) -> Computation {
    let model = NearlyErr {
        parameter,
        patience,
    };
    Cwl::computation(params, model)
}

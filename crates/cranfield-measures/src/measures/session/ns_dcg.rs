//! # What it measures
//! Normalised session discounted cumulated gain: the gain that a user collects over several rankings for one
//! information need, relative to the best session with as many rankings. Requires a sessions file.
//!
//! # User model
//! That of SessionDCG, relative to the best session.
//!
//! # Formula
//! ```math
//! \mathrm{nsDCG} = \frac{\mathrm{SessionDCG}}{\max \mathrm{SessionDCG}}
//! ```
//! nsDCG@k = SessionDCG@k divided by the highest SessionDCG@k that the judged documents of the session allow,
//! each shown once: the highest gain is placed where it counts most, and so on. A document judged for several
//! of the rankings has its highest grade there. Without a cutoff the best session has rankings of any length. A
//! document that is shown again counts again, so the value may exceed 1.
//!
//! # Worked example
//! A session of two rankings, grades 1, 0 and grade 2; judged documents of grades 2 and 1; bq = 4, b = 2.
//! SessionDCG = 1 + 2 / 1.5 = 2.333333; the best is 2 + 1 / 1.5 = 2.666667. nsDCG = 0.875.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! The scorer of the dynamic domain track assumes five documents per ranking (`nsDCG@5`) and uses as many
//! rankings as its cutoff, even if the session has fewer; an older one also divides by the number of rankings.
//!
//! # References
//! Järvelin, Price, Delcambre and Nielsen 2008; Yang, Tang and Soboroff 2017.

use std::sync::Arc;

use cranfield_core::error::Error;
use cranfield_core::explain::{SessionBoard, Step};
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;
use cranfield_core::session::{JudgedSession, SessionMeasure};

use super::{SESSION, SessionGain};

/// Normalised session discounted cumulated gain.
#[derive(Clone, Debug)]
struct NsDcg(SessionGain);

impl NsDcg {
    /// The gains of all judged documents.
    fn judged(&self, session: &JudgedSession<'_>) -> Vec<f64> {
        let grades = session.judged.iter();
        grades.map(|grade| self.0.gains.of_grade(*grade)).collect()
    }
}

impl SessionMeasure for NsDcg {
    fn evaluate(&self, session: &JudgedSession<'_>) -> Option<f64> {
        let SessionGain {
            discount, depth, ..
        } = &self.0;
        let (rankings, judged) = (self.0.rankings(session), self.judged(session));
        let value = discount.nsdcg(&rankings, &judged, rankings.len(), *depth);
        value.filter(|value| value.is_finite())
    }

    fn board(&self, session: &JudgedSession<'_>) -> Option<SessionBoard> {
        let value = self.evaluate(session)?;
        let (gains, depth) = (self.0.rankings(session), self.0.depth);
        let judged = self.judged(session);
        let best = self.0.discount.ideal(&judged, gains.len(), depth);
        let (rankings, sum) = self.0.boards(&gains, best);
        let mut steps = self.0.column_steps();
        let what = "the highest sum for as many rankings, from all judged documents";
        steps.push(Step::given("best", what, best));
        let formula = "last sum / best";
        steps.push(Step::result(formula, "{} / {}", [sum, best], value));
        Some(SessionBoard { rankings, steps })
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "nsDCG",
    aliases: &["normalized_session_dcg"],
    summary: "discounted cumulated gain of a session relative to the best possible one",
    page: crate::page::page!("ns_dcg.rs"),
    build,
    ..SESSION
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = NsDcg(SessionGain::of(params)?);
    Ok(Computation::Session(Arc::new(measure)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SESSION, check, undefined};

    #[test]
    fn worked_example() {
        check("nsDCG", SESSION, &[2, 1], 0.875);
        check("nsDCG(bq=4, b=2)@2", SESSION, &[2, 1, 0], 0.875);
    }

    #[test]
    fn edges() {
        check("nsDCG", &[&[-1], &[]], &[1], 0.0);
        check("nsDCG@1", &[&[1, 1]], &[1, 1], 1.0);
        // Shown twice, but only once in the best session.
        check("nsDCG", &[&[1], &[1]], &[1], 1.0 + 1.0 / 1.5);
        undefined("nsDCG", SESSION, &[0]);
        undefined("nsDCG", &[], &[1]);
    }
}

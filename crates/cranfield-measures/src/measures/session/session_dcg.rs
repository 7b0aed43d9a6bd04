//! # What it measures
//! Session discounted cumulated gain (sDCG): the gain that a user collects over several rankings for one
//! information need. Documents are discounted by the position of their ranking in the session and by their
//! rank. Requires a sessions file.
//!
//! # User model
//! Searches several times for one information need, becomes less likely to search again, and reads each ranking
//! from the top.
//!
//! # Formula
//! ```math
//! \mathrm{SessionDCG} = \sum_{q} \sum_{j} \frac{\mathrm{gain}_{q j}}{(1 + \log_{b_q} q)(1 + \log_b j)}
//! ```
//! SessionDCG = Σ over the rankings q of the session, counted from 1, and over their ranks j of gain(q, j) /
//! ((1 + log_bq q) · (1 + log_b j)). SessionDCG@k uses the first k documents of each ranking. A document that
//! is shown again counts again.
//!
//! # Worked example
//! A session of two rankings, grades 1, 0 and grade 2; bq = 4, b = 2.
//! SessionDCG = 1 + 2 / (1 + log_4 2) = 1 + 2 / 1.5 = 2.333333.
//!
//! # Undefined when
//! The sum overflows.
//!
//! # Differences between tools
//! Known as sDCG; here `SDCG` is a different measure ([SDCG](#sdcg)), so the name is written out. This is the
//! form of the dynamic domain track; the track's scorer returns after the first ranking. Järvelin et al. do not
//! discount ranks below b, and divide the others by log_b j.
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

/// Session discounted cumulated gain.
#[derive(Clone, Debug)]
struct SessionDcg(SessionGain);

impl SessionMeasure for SessionDcg {
    fn evaluate(&self, session: &JudgedSession<'_>) -> Option<f64> {
        let value = self.0.discount.sdcg(&self.0.rankings(session));
        Some(value).filter(|value| value.is_finite())
    }

    fn board(&self, session: &JudgedSession<'_>) -> Option<SessionBoard> {
        let value = self.evaluate(session)?;
        let (rankings, sum) = self.0.boards(&self.0.rankings(session), 1.0);
        let mut steps = self.0.column_steps();
        steps.push(Step::result("last sum", "{}", [sum], value));
        Some(SessionBoard { rankings, steps })
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "SessionDCG",
    aliases: &["session_dcg"],
    summary: "discounted cumulated gain over the rankings of a session (sDCG)",
    page: crate::page::page!("session_dcg.rs"),
    build,
    ..SESSION
};

fn build(params: &Params) -> Result<Computation, Error> {
    let measure = SessionDcg(SessionGain::of(params)?);
    Ok(Computation::Session(Arc::new(measure)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SESSION, check, undefined};

    #[test]
    fn worked_example() {
        check("SessionDCG", SESSION, &[], 1.0 + 2.0 / 1.5);
    }

    #[test]
    fn edges() {
        check("SessionDCG", &[], &[1], 0.0);
        check("SessionDCG@1", &[&[-1, 3], &[-1, 3]], &[], 0.0);
        check("SessionDCG@2", &[&[-1, 3], &[-1, 3]], &[], 1.5 + 1.5 / 1.5);
        check(
            "SessionDCG(bq=2, gains='exp')",
            SESSION,
            &[],
            1.0 + 3.0 / 2.0,
        );
        undefined("SessionDCG(gains='exp')", &[&[5000], &[5000]], &[]);
    }
}

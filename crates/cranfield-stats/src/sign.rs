//! The sign test.

use crate::common::Alternative;
use crate::distributions::fair_binomial_sf;
use crate::error::Result;
use crate::wins::{Tolerance, Wins, wins};

/// Result of [`sign_test`].
#[derive(Clone, Debug, PartialEq)]
pub struct SignTest {
    /// Wins, ties and losses; ties are left out of the test.
    pub counts: Wins,
    /// The alternative.
    pub alternative: Alternative,
    /// p-value; 1 when all topics are ties.
    pub p: f64,
}

/// Exact sign test of a against b.
///
/// Under the hypothesis a topic that is not a tie is won with probability one half: p is the probability of as many wins
/// or more (greater), as many losses or more (less), or twice the smaller of the two, at most 1.
///
/// ```
/// use cranfield_stats::sign::sign_test;
/// use cranfield_stats::{Alternative, wins::Tolerance};
/// // Four wins, no loss, one tie: 1/16 on one side.
/// let (a, b) = ([5.0, 4.0, 3.0, 2.0, 0.0], [1.0, 1.0, 1.0, 1.0, 0.0]);
/// let test = sign_test(&a, &b, Alternative::TwoSided, Tolerance::default())?;
/// assert_eq!(test.p, 0.125);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// Arbuthnott: An argument for divine providence. Philosophical Transactions 27, 1710.
pub fn sign_test(
    a: &[f64],
    b: &[f64],
    alternative: Alternative,
    tolerance: Tolerance,
) -> Result<SignTest> {
    let counts = wins(a, b, tolerance)?;
    let (more, fewer) = (counts.wins as u64, counts.losses as u64);
    let trials = more + fewer;
    let p = match alternative {
        Alternative::Greater => fair_binomial_sf(more, trials),
        Alternative::Less => fair_binomial_sf(fewer, trials),
        Alternative::TwoSided => (2.0 * fair_binomial_sf(more.max(fewer), trials)).min(1.0),
    };
    Ok(SignTest {
        counts,
        alternative,
        p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{A, B, near};

    #[test]
    fn sakai_20_topics() {
        let test = |alternative| sign_test(&A, &B, alternative, Tolerance::default()).unwrap();
        near(test(Alternative::TwoSided).p, 0.301_757_812_5);
        // 10 or more of 15: 4944 of 32768; 5 or more of 15: 30827 of 32768.
        near(test(Alternative::Greater).p, 4944.0 / 32768.0);
        near(test(Alternative::Less).p, 30827.0 / 32768.0);
    }

    /// Twice the outcomes with as many wins or more, of 2^n: p may be alpha itself.
    #[test]
    fn p_is_exact_for_few_topics() {
        for (wins, losses, p) in [
            (6, 0, 2.0 / 64.0),
            (9, 3, 2.0 * 299.0 / 4096.0),
            (20, 0, 2.0 / 1_048_576.0),
            (120, 0, 2.0 * 0.5_f64.powi(120)),
        ] {
            let a: Vec<f64> = (0..wins + losses).map(|at| f64::from(at < wins)).collect();
            let b = vec![0.5; a.len()];
            let test = sign_test(&a, &b, Alternative::TwoSided, Tolerance::default()).unwrap();
            assert_eq!(test.p, p);
        }
        // One more trial has another way to be computed.
        for wins in [61, 75, 110] {
            let (few, many) = (fair_binomial_sf(wins, 120), fair_binomial_sf(wins, 121));
            let before = fair_binomial_sf(wins - 1, 120);
            // P of k or more in n + 1 trials is the mean of P of k and of k - 1 or more in n.
            assert!((many / (0.5 * (few + before)) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn only_ties() {
        let test = sign_test(&A, &A, Alternative::TwoSided, Tolerance::default()).unwrap();
        assert_eq!((test.p, test.counts.ties), (1.0, 20));
    }
}

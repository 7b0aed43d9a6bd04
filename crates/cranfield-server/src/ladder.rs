//! The ladder of Blum and Hardt (ICML 2015): a public score that changes only for a clear improvement, so that many entries reveal little about
//! the judgements.
//!
//! With the values x of an entry and b of the best accepted one on the n public topics, d = x - b, D their mean and s their standard deviation, the entry is
//! accepted if D > 0 and D √n > c s. `blum-hardt` has c = 1, as in the authors' code; `t` has the 95 % quantile of Student's t with n - 1
//! degrees of freedom.

use cranfield_stats::distributions::t_quantile;

use crate::settings::Ladder;

/// Whether an entry with values `x` replaces the best one.
pub(crate) fn accepts(ladder: Ladder, x: &[f64], best: &[f64]) -> bool {
    let n = x.len() as f64;
    let c = match ladder {
        Ladder::Off => return x.iter().sum::<f64>() > best.iter().sum::<f64>(),
        Ladder::BlumHardt => 1.0,
        Ladder::T if x.len() < 2 => return false,
        Ladder::T => t_quantile(0.95, n - 1.0),
    };
    let differences: Vec<f64> = x.iter().zip(best).map(|(x, best)| x - best).collect();
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|d| (d - mean) * (d - mean)).sum();
    let deviation = (squares / (n - 1.0)).sqrt();
    // The factor lets an improvement of a single topic, for which both sides are equal, never pass by rounding.
    mean > 0.0 && mean * n.sqrt() > c * deviation * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_topic_never_moves_a_ladder() {
        let best = vec![0.4; 25];
        for topic in 0..25 {
            for gain in [0.001, 0.1, 0.6] {
                let mut x = best.clone();
                x[topic] += gain;
                assert!(!accepts(Ladder::BlumHardt, &x, &best));
                assert!(!accepts(Ladder::T, &x, &best));
                assert!(accepts(Ladder::Off, &x, &best));
            }
        }
    }

    #[test]
    fn two_changed_topics_move_the_ladder_of_one_standard_error_only() {
        let best = vec![0.4; 25];
        let mut x = best.clone();
        x[3] += 0.2;
        x[9] += 0.2;
        assert!(accepts(Ladder::BlumHardt, &x, &best));
        assert!(!accepts(Ladder::T, &x, &best));
    }

    #[test]
    fn an_improvement_of_all_topics_is_shown() {
        let best: Vec<f64> = (0..25).map(|t| f64::from(t) / 30.0).collect();
        let x: Vec<f64> = best.iter().map(|v| v + 0.01).collect();
        assert!(accepts(Ladder::T, &x, &best));
        assert!(!accepts(Ladder::T, &best, &x));
    }
}

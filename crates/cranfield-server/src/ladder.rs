//! The ladder of Blum and Hardt (ICML 2015): a public score that changes only for a clear improvement, so that many entries reveal little about
//! the judgements.
//!
//! The first entry of a team is shown. With the values x of a later entry and b of the one that is shown, on the n public topics as they enter
//! the mean (negated if smaller is better), d = x - b has the mean D and the standard deviation s. What the team shows changes
//!
//! | rule | if |
//! |---|---|
//! | `off` | D > 0 |
//! | `blum-hardt` | D > 0 and D √n > s, as in the authors' code: an improvement of more than one standard error |
//! | `t` | D > 0 and D √n > c s, where c is the 95 % quantile of Student's t with n - 1 degrees of freedom |
//! | `step` | the mean of x is greater than the value shown by more than η; the new value is the mean of x, rounded to a multiple of η |
//!
//! An entry that improves m topics equally and no other has D √n / s = √(m (n - 1) / (n - m)).
//! With n = 25 that is 1 for m = 1, 1.4446 for m = 2 and 1.7581 for m = 3, and c is 1.7109: `blum-hardt` stops whoever probes one topic
//! at a time, `t` also whoever probes two.
//!
//! Four topics show how the rules differ. The entry that is shown has the values 0.2, 0.4, 0.6 and 0.8, whose mean is 0.5.
//!
//! | entry | D | s | D √n / s | `off` | `blum-hardt` | `t` (c = 2.3534) | `step` (η = 0.1) |
//! |---|---|---|---|---|---|---|---|
//! | 0.6, 0.4, 0.6, 0.8 | 0.1 | 0.2 | 1 | 0.6 | 0.5 | 0.5 | 0.5 |
//! | 0.4, 0.6, 0.6, 0.8 | 0.1 | 0.11547 | 1.7321 | 0.6 | 0.6 | 0.5 | 0.5 |
//! | 0.3, 0.5, 0.7, 1 | 0.125 | 0.05 | 5 | 0.625 | 0.625 | 0.625 | 0.6 |
//! | 0.1, 0.3, 0.5, 0.7 | -0.1 | 0 | | 0.5 | 0.5 | 0.5 | 0.5 |

use cranfield_stats::distributions::t_quantile;
use cranfield_stats::sample::{mean, variance};

use crate::settings::Ladder;

/// A rule for the measure of a campaign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) ladder: Ladder,
    /// η of `step`.
    pub(crate) step: f64,
    /// 1, or −1 if smaller values are better.
    pub(crate) sign: f64,
    /// Whether undefined values are left out of the mean; they count as 0 otherwise.
    pub(crate) skips_undefined: bool,
}

/// An entry on the public topics.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) mean: f64,
    /// NaN is undefined. `off` and `step` do not need them.
    pub(crate) topics: Vec<f64>,
}

/// A change of what a team shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// The place of the entry.
    pub(crate) at: usize,
    /// The value that is shown.
    pub(crate) shown: f64,
}

impl Rule {
    /// The entries that change what a team shows, in the order of receipt.
    pub(crate) fn steps(&self, entries: &[Candidate]) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let accepts = steps
                .last()
                .is_none_or(|last| self.accepts(entry, &entries[last.at], last.shown));
            if accepts {
                let shown = self.shown(entry.mean);
                steps.push(Step { at, shown });
            }
        }
        steps
    }

    /// The value that an accepted entry shows.
    fn shown(&self, mean: f64) -> f64 {
        match self.ladder {
            Ladder::Step => {
                let steps_per_unit = self.step.recip();
                (mean * steps_per_unit).round() / steps_per_unit
            }
            Ladder::Off | Ladder::BlumHardt | Ladder::T => mean,
        }
    }

    fn accepts(&self, entry: &Candidate, best: &Candidate, shown: f64) -> bool {
        match self.ladder {
            Ladder::Off => self.sign * entry.mean > self.sign * best.mean,
            // The factor keeps the rounding of a difference from deciding.
            Ladder::Step => self.sign * (entry.mean - shown) > self.step * (1.0 + 1e-9),
            Ladder::BlumHardt => self.is_beyond(1.0, entry, best),
            Ladder::T => {
                let n = self.differences(entry, best).len();
                n > 1 && self.is_beyond(t_quantile(0.95, n as f64 - 1.0), entry, best)
            }
        }
    }

    /// Whether the mean difference is positive and greater than c standard errors.
    fn is_beyond(&self, c: f64, entry: &Candidate, best: &Candidate) -> bool {
        let differences = self.differences(entry, best);
        let (Some(mean), Some(variance)) = (mean(&differences), variance(&differences)) else {
            return false;
        };
        // An improvement of a single topic has equal sides; the factor keeps it from passing by rounding.
        let n = differences.len() as f64;
        mean > 0.0 && mean * n.sqrt() > c * variance.sqrt() * (1.0 + 1e-9)
    }

    fn differences(&self, entry: &Candidate, best: &Candidate) -> Vec<f64> {
        let pairs = entry.topics.iter().zip(&best.topics);
        pairs
            .filter(|(x, b)| !self.skips_undefined || (x.is_finite() && b.is_finite()))
            .map(|(x, b)| {
                self.sign * (if x.is_nan() { 0.0 } else { *x } - if b.is_nan() { 0.0 } else { *b })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [Ladder; 4] = [Ladder::Off, Ladder::BlumHardt, Ladder::T, Ladder::Step];

    fn rule(ladder: Ladder) -> Rule {
        Rule {
            ladder,
            step: 0.1,
            sign: 1.0,
            skips_undefined: false,
        }
    }

    fn candidate(topics: &[f64]) -> Candidate {
        Candidate {
            mean: topics.iter().sum::<f64>() / topics.len() as f64,
            topics: topics.to_vec(),
        }
    }

    /// What is shown after an entry that follows another.
    fn after(ladder: Ladder, first: &[f64], second: &[f64]) -> f64 {
        let steps = rule(ladder).steps(&[candidate(first), candidate(second)]);
        steps.last().expect("the first is shown").shown
    }

    #[test]
    fn the_worked_example_has_the_numbers_of_the_table() {
        let first = [0.2, 0.4, 0.6, 0.8];
        let rows: [([f64; 4], [f64; 4]); 4] = [
            ([0.6, 0.4, 0.6, 0.8], [0.6, 0.5, 0.5, 0.5]),
            ([0.4, 0.6, 0.6, 0.8], [0.6, 0.6, 0.5, 0.5]),
            ([0.3, 0.5, 0.7, 1.0], [0.625, 0.625, 0.625, 0.6]),
            ([0.1, 0.3, 0.5, 0.7], [0.5, 0.5, 0.5, 0.5]),
        ];
        for (entry, wanted) in rows {
            for (ladder, wanted) in RULES.into_iter().zip(wanted) {
                let shown = after(ladder, &first, &entry);
                assert!(
                    (shown - wanted).abs() < 1e-12,
                    "{ladder:?} {entry:?}: {shown}"
                );
            }
        }
        assert!((t_quantile(0.95, 3.0) - 2.3534).abs() < 1e-4);
        assert!((t_quantile(0.95, 24.0) - 1.7109).abs() < 1e-4);
    }

    #[test]
    fn one_changed_topic_never_moves_a_ladder() {
        let best = vec![0.4; 25];
        for topic in 0..25 {
            for gain in [0.001, 0.1, 0.6] {
                let mut x = best.clone();
                x[topic] += gain;
                let moves = |ladder| (after(ladder, &best, &x) - 0.4).abs() > 1e-12;
                assert!(
                    !moves(Ladder::BlumHardt) && !moves(Ladder::T),
                    "{topic} {gain}"
                );
                assert!(moves(Ladder::Off));
            }
        }
    }

    #[test]
    fn two_changed_topics_move_the_ladder_of_one_standard_error_only_and_three_both() {
        let best = vec![0.4; 25];
        let with = |topics: usize| {
            let mut x = best.clone();
            x[..topics].fill(0.6);
            [Ladder::BlumHardt, Ladder::T].map(|ladder| after(ladder, &best, &x) > 0.401)
        };
        assert_eq!(
            [with(1), with(2), with(3)],
            [[false, false], [true, false], [true, true]]
        );
    }

    #[test]
    fn a_step_is_measured_from_the_rounded_value() {
        let of = |mean| Candidate {
            mean,
            topics: Vec::new(),
        };
        // 0.46 shows 0.5, so 0.59 is not more than a step above it, but 0.61 is; 0.62 is not a step above 0.6.
        let entries = [0.46, 0.59, 0.61, 0.62, 0.55].map(of);
        let steps = rule(Ladder::Step).steps(&entries);
        let shown: Vec<(usize, String)> = steps
            .iter()
            .map(|step| (step.at, format!("{:.4}", step.shown)))
            .collect();
        assert_eq!(shown, [(0, "0.5000".into()), (2, "0.6000".into())]);
    }

    #[test]
    fn smaller_values_can_be_better() {
        for ladder in RULES {
            let rule = Rule {
                sign: -1.0,
                ..rule(ladder)
            };
            let entries = [
                [0.8, 0.9, 0.7, 0.8],
                [0.9, 1.0, 0.8, 0.9],
                [0.5, 0.6, 0.4, 0.6],
            ];
            let steps = rule.steps(&entries.map(|topics| candidate(&topics)));
            let places: Vec<usize> = steps.iter().map(|step| step.at).collect();
            assert_eq!(places, [0, 2], "{ladder:?}");
        }
    }

    #[test]
    fn undefined_values_enter_the_test_as_they_enter_the_mean() {
        let nan = f64::NAN;
        let of = |mean, topics: [f64; 4]| Candidate {
            mean,
            topics: topics.to_vec(),
        };
        let entries = [of(0.4, [0.4, 0.4, nan, nan]), of(0.5, [0.5, 0.5, nan, nan])];
        // Left out, both differences are 0.1. As zeros, D = 0.05, s = 0.057735 and D √n / s = 1.7321.
        let steps = |skips_undefined| {
            let rule = Rule {
                skips_undefined,
                ..rule(Ladder::T)
            };
            rule.steps(&entries).len()
        };
        assert_eq!((steps(true), steps(false)), (2, 1));
    }
}

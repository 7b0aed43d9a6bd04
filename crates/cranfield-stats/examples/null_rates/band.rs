//! Where the rates of an exact test lie.

use cranfield_stats::null_simulation::RejectionRate;

use crate::ALPHA;

/// Numbers of rejections that an exact test has with a high probability.
#[derive(Clone, Copy)]
pub(crate) struct Band {
    least: usize,
    most: usize,
    comparisons: usize,
}

impl Band {
    /// The simultaneous band of 99 % for `rates` rates of `comparisons` comparisons each (Bonferroni).
    pub(crate) fn new(comparisons: usize, rates: usize) -> Self {
        let tail = 0.005 / rates as f64;
        let odds = ALPHA / (1.0 - ALPHA);
        // The probability of no rejection is too small for a floating-point number where there are many comparisons.
        let mut log_probability = comparisons as f64 * (1.0 - ALPHA).ln();
        let (mut below, mut least, mut most) = (0.0, None, comparisons);
        for number in 0..comparisons {
            below += log_probability.exp();
            if least.is_none() && below >= tail {
                least = Some(number);
            }
            if below >= 1.0 - tail {
                most = number;
                break;
            }
            log_probability += ((comparisons - number) as f64 / (number + 1) as f64 * odds).ln();
        }
        Self {
            least: least.unwrap_or(0),
            most,
            comparisons,
        }
    }

    /// The ends, as rates.
    pub(crate) fn ends(&self) -> String {
        let share = |count: usize| count as f64 / self.comparisons as f64;
        format!("{:.4} and {:.4}", share(self.least), share(self.most))
    }

    pub(crate) fn is_below(&self, rate: &RejectionRate) -> bool {
        rate.rejected < self.least
    }

    pub(crate) fn is_above(&self, rate: &RejectionRate) -> bool {
        rate.rejected > self.most
    }
}

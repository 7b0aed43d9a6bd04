//! Limits of rates: token buckets in memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::problem::Problem;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    SignIn,
    Join,
    Upload,
    Check,
}

impl Action {
    /// How many at once, and per minute.
    fn rate(self) -> f64 {
        match self {
            Self::SignIn => 20.0,
            // A class behind one address joins within a minute; codes have 50 bits.
            Self::Join => 120.0,
            Self::Upload => 30.0,
            Self::Check => 10.0,
        }
    }
}

/// Buckets by action and by who acts: an address or a person.
#[derive(Default)]
pub(crate) struct Buckets(Mutex<HashMap<(Action, String), (f64, i64)>>);

/// The most buckets that are kept; full ones are forgotten first.
const MOST: usize = 100_000;

impl Buckets {
    /// Takes one from the bucket, or reports how long to wait.
    pub(crate) fn take(&self, action: Action, who: &str, now: i64) -> Result<(), Problem> {
        let rate = action.rate();
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let refill = |(left, at): (f64, i64), rate: f64| {
            (left + (now - at).max(0) as f64 * rate / 60_000.0).min(rate)
        };
        if buckets.len() >= MOST {
            buckets.retain(|(action, _), bucket| refill(*bucket, action.rate()) < action.rate());
        }
        let bucket = buckets
            .entry((action, who.to_owned()))
            .or_insert((rate, now));
        let left = refill(*bucket, rate);
        if left < 1.0 {
            let seconds = ((1.0 - left) * 60.0 / rate).ceil() as u64;
            return Err(Problem::too_many(
                format!("Wait {seconds} seconds and try again."),
                seconds,
            ));
        }
        *bucket = (left - 1.0, now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_refilled_with_time() {
        let buckets = Buckets::default();
        let tries = |at| {
            (0..30)
                .filter(|_| buckets.take(Action::SignIn, "a", at).is_ok())
                .count()
        };
        assert_eq!(tries(0), 20);
        assert_eq!(tries(0), 0);
        assert_eq!(tries(3000), 1);
        assert_eq!(tries(600_000), 20);
        assert!(buckets.take(Action::SignIn, "b", 0).is_ok());
    }
}

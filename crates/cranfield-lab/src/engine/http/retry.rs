//! Waits between tries.

use std::time::Duration;

use cranfield_stats::random::Stream;

/// Number of tries, and the waits between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// Tries in all, at least 1.
    pub tries: u32,
    /// Wait after the first try; it doubles after each further one.
    pub wait: Duration,
    /// Seed of the jitter.
    pub seed: u64,
}

impl Default for Retries {
    /// Three tries, with waits of about 0.5 s and 1 s.
    fn default() -> Self {
        Self {
            tries: 3,
            wait: Duration::from_millis(500),
            seed: 42,
        }
    }
}

impl Retries {
    /// The wait after a try, from 1: the doubled wait times a random factor from 0.5 to 1, so that clients that failed together do
    /// not come back together.
    pub(super) fn wait(&self, tried: u32, jitter: &mut Stream) -> Duration {
        let doubled = self.wait * 2_u32.saturating_pow(tried.saturating_sub(1));
        doubled.mul_f64(0.5 + 0.5 * jitter.unit())
    }
}

/// Whether a status means that the same request may succeed later.
pub(super) fn is_transient(status: u16) -> bool {
    matches!(status, 429 | 502..=504)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_vary_with_the_seed() {
        let retries = Retries::default();
        let waits = |seed| {
            let mut jitter = Stream::new(seed, 0);
            [1, 2, 3].map(|tried| retries.wait(tried, &mut jitter).as_secs_f64())
        };
        let found = waits(1);
        for (wait, longest) in found.iter().zip([0.5, 1.0, 2.0]) {
            assert!((0.5 * longest..=longest).contains(wait), "{wait}");
        }
        assert_eq!(found, waits(1));
        assert_ne!(found, waits(2));
    }

    #[test]
    fn only_overload_is_transient() {
        let transient: Vec<u16> = (400..600).filter(|status| is_transient(*status)).collect();
        assert_eq!(transient, [429, 502, 503, 504]);
    }
}

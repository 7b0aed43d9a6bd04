//! Random numbers in numbered streams, and the draws that resampling needs.
//!
//! Replicates are computed in blocks, and block b draws from stream b of the seed. The draws of a replicate therefore depend on the
//! seed and its number alone. The distributions are implemented here so that a new version of a library cannot change results.

use rand::SeedableRng;
use rand::rand_core::Rng;
use rand::rngs::ChaCha8Rng;

use crate::error::{Result, StatsError};

/// Maximum number of replicates: 100 million.
pub const MOST_REPLICATES: usize = 100_000_000;

/// Number of replicates and seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// Number of replicates.
    pub replicates: usize,
    /// Seed of all streams.
    pub seed: u64,
}

impl Default for Resampling {
    /// 100,000 replicates of seed 42.
    fn default() -> Self {
        Self {
            replicates: 100_000,
            seed: 42,
        }
    }
}

impl Resampling {
    /// Checks that the number of replicates is from 1 to `most`.
    pub fn checked(self, most: usize) -> Result<Self> {
        if (1..=most).contains(&self.replicates) {
            return Ok(self);
        }
        if self.replicates == 0 {
            return Err(StatsError::Setting {
                name: "replicates",
                value: 0.0,
                expected: "a number of at least 1",
            });
        }
        Err(StatsError::TooMany {
            what: "replicates",
            found: self.replicates,
            most,
            instead: "use fewer",
        })
    }
}

/// One stream of random numbers.
#[derive(Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream with this number, of this seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut source = ChaCha8Rng::seed_from_u64(seed);
        source.set_stream(number);
        Self(source)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `count` - 1, all equally likely (Lemire 2019); 0 if `count` is 0.
    pub fn index(&mut self, count: u32) -> usize {
        let reject_below = count.wrapping_neg().checked_rem(count).unwrap_or(0);
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(count);
            if product as u32 >= reject_below {
                return (product >> 32) as usize;
            }
        }
    }

    /// A number above 0 and below 1: the middle of one of 2^52 equal parts.
    pub fn unit(&mut self) -> f64 {
        const PARTS: f64 = (1_u64 << 52) as f64;
        ((self.bits() >> 12) as f64 + 0.5) / PARTS
    }

    /// A draw of the exponential distribution with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -self.unit().ln()
    }

    /// A draw of the standard normal distribution (Box and Muller 1958, one of the two).
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A draw of the gamma distribution with this shape and scale 1 (Marsaglia and Tsang 2000); 0 for a shape that is not
    /// positive and finite.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if !(shape > 0.0 && shape.is_finite()) {
            return 0.0;
        }
        if shape < 1.0 {
            let boost = self.unit().powf(1.0 / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && self.unit().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 200_000;

    /// Mean and variance of many draws.
    fn moments(mut draw: impl FnMut(&mut Stream) -> f64) -> (f64, f64) {
        let mut stream = Stream::new(7, 3);
        let values: Vec<f64> = (0..DRAWS).map(|_| draw(&mut stream)).collect();
        let mean = values.iter().sum::<f64>() / DRAWS as f64;
        let squares = values.iter().map(|value| (value - mean).powi(2));
        (mean, squares.sum::<f64>() / DRAWS as f64)
    }

    fn near((mean, variance): (f64, f64), expected: (f64, f64)) {
        assert!((mean - expected.0).abs() < 0.02, "mean {mean}");
        assert!((variance - expected.1).abs() < 0.08, "variance {variance}");
    }

    #[test]
    fn moments_of_draws() {
        near(moments(Stream::unit), (0.5, 1.0 / 12.0));
        near(moments(Stream::exponential), (1.0, 1.0));
        near(moments(Stream::normal), (0.0, 1.0));
        near(moments(|stream| stream.gamma(0.5)), (0.5, 0.5));
        near(moments(|stream| stream.gamma(3.0)), (3.0, 3.0));
        near(moments(|stream| stream.index(4) as f64), (1.5, 1.25));
    }

    #[test]
    fn streams_are_fixed_and_differ() {
        let first = |number| Stream::new(1, number).bits();
        assert_eq!(first(0), first(0));
        assert_ne!(first(0), first(1));
        assert_eq!(Stream::new(1, 0).index(1), 0);
        assert_eq!(Stream::new(1, 0).index(0), 0);
        for shape in [0.0, -1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(Stream::new(1, 0).gamma(shape), 0.0);
        }
    }
}

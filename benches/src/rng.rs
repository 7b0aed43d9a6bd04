//! A small random generator: xorshift64*, seeded from a list of numbers.

/// A stream of random integers.
pub struct Rng(u64);

impl Rng {
    /// The stream that belongs to the given numbers (seed, set, topic, run, purpose).
    pub fn new(parts: &[u64]) -> Self {
        let mut state = 0x6a09_e667_f3bc_c909_u64;
        for &part in parts {
            state = (state ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
            state ^= state >> 32;
        }
        // The state may not be zero; and a few steps part streams whose seeds are close.
        let mut rng = Self(state | 1);
        for _ in 0..4 {
            rng.next();
        }
        rng
    }

    /// The next 64 random bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "an endless stream needs no Option"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, which must fit 32 bits.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((self.next() >> 32) * bound) >> 32
    }

    /// A number between 0 and 4 * 65,535 whose distribution is close to a normal one.
    pub fn bell(&mut self) -> u64 {
        let bits = self.next();
        (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48)
    }

    /// `count` distinct numbers below `space`, ascending: one from each of `count` equal intervals.
    pub fn spread(&mut self, count: u64, space: u64) -> Vec<u64> {
        let width = space / count;
        (0..count).map(|i| i * width + self.below(width)).collect()
    }
}

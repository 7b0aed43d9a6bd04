//! Ranks with ties, as whole numbers.

use std::collections::BTreeMap;

/// Ranks of some values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ranks {
    /// Twice the rank of each value, from 2 upwards; tied values share the mean of their ranks.
    pub(crate) doubled: Vec<i64>,
    /// Sizes of the groups of equal values, in ascending order of the values.
    pub(crate) ties: Vec<u64>,
}

impl Ranks {
    /// Ranks in ascending order of the values.
    pub(crate) fn of<T: Ord>(values: &[T]) -> Self {
        let mut sizes: BTreeMap<&T, u64> = BTreeMap::new();
        for value in values {
            *sizes.entry(value).or_insert(0) += 1;
        }
        let mut before = 0;
        let ties: Vec<u64> = sizes.values().copied().collect();
        for size in sizes.values_mut() {
            let count = *size;
            // The ranks before + 1 to before + count have twice the mean 2 before + count + 1.
            *size = 2 * before + count + 1;
            before += count;
        }
        Self {
            doubled: values
                .iter()
                .map(|value| sizes[value].cast_signed())
                .collect(),
            ties,
        }
    }

    /// The sum of `t^3 - t` over groups of t equal values.
    pub(crate) fn tie_sum(&self) -> f64 {
        let cubes = self.ties.iter().map(|&t| t as f64).map(|t| t * t * t - t);
        cubes.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_rank() {
        let ranks = Ranks::of(&[30, 10, 20, 10]);
        assert_eq!(ranks.doubled, [8, 3, 6, 3]);
        assert_eq!(ranks.ties, [2, 1, 1]);
        assert_eq!(ranks.tie_sum(), 6.0);
    }
}

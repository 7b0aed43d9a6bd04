//! Adjusted p-values of many tests.

use crate::error::{Result, StatsError, at_most};

/// How p-values are adjusted for the number of tests. With K p-values in ascending order p(1) <= ... <= p(K), and all
/// results at most 1:
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// p, without adjustment.
    None,
    /// K p. Holds for any dependence.
    Bonferroni,
    /// 1 - (1 - p)^K. Holds for independent tests.
    Sidak,
    /// Greatest of (K - j + 1) p(j) for j up to i. Holds for any dependence (Holm 1979).
    Holm,
    /// Greatest of 1 - (1 - p(j))^(K - j + 1) for j up to i. Holds for independent tests.
    HolmSidak,
    /// Least of (K - j + 1) p(j) for j from i. Holds for independent and positively dependent tests (Hochberg 1988).
    Hochberg,
    /// Maximum over all sets of tests with this one of the minimum of (size of the set) p(j) / j within the set. Holds for
    /// independent and positively dependent tests, never above Hochberg (Hommel 1988). Takes time quadratic in K.
    Hommel,
    /// Least of K p(j) / j for j from i: the rate of false discoveries (Benjamini and Hochberg 1995).
    BenjaminiHochberg,
    /// Benjamini and Hochberg times 1 + 1/2 + ... + 1/K. Holds for any dependence (Benjamini and Yekutieli 2001).
    BenjaminiYekutieli,
}

impl Correction {
    /// All corrections.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Bonferroni,
        Self::Sidak,
        Self::Holm,
        Self::HolmSidak,
        Self::Hochberg,
        Self::Hommel,
        Self::BenjaminiHochberg,
        Self::BenjaminiYekutieli,
    ];

    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bonferroni => "bonferroni",
            Self::Sidak => "sidak",
            Self::Holm => "holm",
            Self::HolmSidak => "holm-sidak",
            Self::Hochberg => "hochberg",
            Self::Hommel => "hommel",
            Self::BenjaminiHochberg => "bh",
            Self::BenjaminiYekutieli => "by",
        }
    }

    /// The correction with this printed name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|correction| correction.name() == name)
    }
}

/// Maximum number of p-values of [`Correction::Hommel`].
pub const MOST_HOMMEL: usize = 20_000;

/// Adjusted p-values, in the order of `p`.
///
/// ```
/// use cranfield_stats::corrections::{Correction, adjust};
/// let p = [0.01, 0.04, 0.03];
/// let holm = adjust(&p, Correction::Holm)?;
/// // 3 * 0.01; then 2 * 0.03; 1 * 0.04 is less than what came before, which stays.
/// let expected = [0.03, 0.06, 0.06];
/// assert!(holm.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn adjust(p: &[f64], correction: Correction) -> Result<Vec<f64>> {
    check(p)?;
    let count = p.len() as f64;
    let capped = |values: Vec<f64>| values.into_iter().map(|value| value.min(1.0)).collect();
    Ok(capped(match correction {
        Correction::None => p.to_vec(),
        Correction::Bonferroni => p.iter().map(|p| count * p).collect(),
        Correction::Sidak => p.iter().map(|&p| any_of(p, count)).collect(),
        Correction::Holm => from_least(p, |place, p| (count - place) * p),
        Correction::HolmSidak => from_least(p, |place, p| any_of(p, count - place)),
        Correction::Hochberg => from_greatest(p, |place, p| (count - place) * p),
        Correction::Hommel => hommel(p)?,
        Correction::BenjaminiHochberg => from_greatest(p, |place, p| p * (count / (place + 1.0))),
        Correction::BenjaminiYekutieli => {
            let harmonic: f64 = (1..=p.len()).map(|i| 1.0 / i as f64).sum();
            from_greatest(p, |place, p| p * (count / (place + 1.0) * harmonic))
        }
    }))
}

/// 1 - (1 - p)^count, without loss of digits for small p.
fn any_of(p: f64, count: f64) -> f64 {
    -(count * (-p).ln_1p()).exp_m1()
}

/// Running maximum of `step(place, p)` over ascending p; places count from 0.
fn from_least(p: &[f64], step: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    running(p, ascending(p).into_iter(), step, f64::max, 0.0)
}

/// Running minimum of `step(place, p)` over descending p; places are those of ascending order.
fn from_greatest(p: &[f64], step: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    running(p, ascending(p).into_iter().rev(), step, f64::min, 1.0)
}

fn ascending(p: &[f64]) -> Vec<(usize, usize)> {
    crate::sample::ascending(p)
        .into_iter()
        .enumerate()
        .collect()
}

fn running(
    p: &[f64],
    order: impl Iterator<Item = (usize, usize)>,
    step: impl Fn(f64, f64) -> f64,
    keep: fn(f64, f64) -> f64,
    start: f64,
) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut kept = start;
    for (place, at) in order {
        kept = keep(kept, step(place as f64, p[at]));
        adjusted[at] = kept;
    }
    adjusted
}

/// Hommel's adjustment, set size by set size. Of all sets of m tests with a given one, the hardest consists of it and the
/// m - 1 greatest p-values, or of the m greatest if it is one of them.
fn hommel(p: &[f64]) -> Result<Vec<f64>> {
    let count = p.len();
    at_most(
        "p-values for Hommel's correction",
        count,
        MOST_HOMMEL,
        "use Hochberg's correction",
    )?;
    let order = ascending(p);
    let sorted: Vec<f64> = order.iter().map(|&(_, at)| p[at]).collect();
    let mut hardest = vec![0.0_f64; count];
    for size in 1..=count {
        let of_set = |place: usize, p: f64| size as f64 * p / (place + 1) as f64;
        let others = &sorted[count - size + 1..];
        let steps = others.iter().enumerate();
        let least = steps
            .map(|(place, &p)| of_set(place + 1, p))
            .fold(1.0, f64::min);
        for (place, adjusted) in hardest.iter_mut().enumerate() {
            let first = sorted[place.min(count - size)];
            *adjusted = adjusted.max(of_set(0, first).min(least));
        }
    }
    let mut adjusted = vec![0.0; count];
    for (value, (_, at)) in hardest.into_iter().zip(order) {
        adjusted[at] = value;
    }
    Ok(adjusted)
}

fn check(p: &[f64]) -> Result<()> {
    match p.iter().find(|value| !(0.0..=1.0).contains(*value)) {
        None => Ok(()),
        Some(&value) => Err(StatsError::Setting {
            name: "p",
            value,
            expected: "a number from 0 to 1",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::within;
    use proptest::prelude::*;

    /// p of the t tests of three systems, and what statsmodels makes of them.
    const P: [f64; 3] = [0.047_796_761_8, 0.123_165_104_6, 0.521_773_448_4];
    const ADJUSTED: [(Correction, [f64; 3]); 6] = [
        (Correction::Bonferroni, [0.143_390_29, 0.369_495_31, 1.0]),
        (
            Correction::Sidak,
            [0.136_645_89, 0.325_854_76, 0.890_629_28],
        ),
        (Correction::Holm, [0.143_390_29, 0.246_330_21, 0.521_773_45]),
        (
            Correction::HolmSidak,
            [0.136_645_89, 0.231_160_57, 0.521_773_45],
        ),
        (
            Correction::BenjaminiHochberg,
            [0.143_390_29, 0.184_747_66, 0.521_773_45],
        ),
        (
            Correction::BenjaminiYekutieli,
            [0.262_882_19, 0.338_704_04, 0.956_584_66],
        ),
    ];

    #[test]
    fn sakai_three_pairs() {
        for (correction, expected) in ADJUSTED {
            let found = adjust(&P, correction).unwrap();
            for (found, expected) in found.iter().zip(expected) {
                within(*found, expected, 1e-8);
            }
        }
    }

    #[test]
    fn hochberg_by_hand() {
        // From the greatest: 0.05; 2 * 0.04 = 0.08 is more; 3 * 0.01.
        let found = adjust(&[0.04, 0.01, 0.05], Correction::Hochberg).unwrap();
        for (found, expected) in found.iter().zip([0.05, 0.03, 0.05]) {
            within(*found, expected, 1e-15);
        }
    }

    #[test]
    fn hommel_over_all_sets() {
        let p: [f64; 5] = [0.01, 0.02, 0.022, 0.09, 0.6];
        let simes = |set: u32| {
            let chosen: Vec<f64> = (0..5)
                .filter(|at| set >> at & 1 == 1)
                .map(|at| p[at])
                .collect();
            let size = chosen.len() as f64;
            let steps = chosen.iter().enumerate();
            steps
                .map(|(place, p)| size * p / (place as f64 + 1.0))
                .fold(1.0, f64::min)
        };
        let found = adjust(&p, Correction::Hommel).unwrap();
        for (at, &found) in found.iter().enumerate() {
            let with = (0..32).filter(|set| set >> at & 1 == 1);
            within(found, with.map(simes).fold(0.0, f64::max), 1e-15);
        }
        let many = vec![0.5; MOST_HOMMEL + 1];
        assert!(adjust(&many, Correction::Hommel).is_err());
    }

    #[test]
    fn none_and_refused() {
        for correction in Correction::ALL {
            assert!(adjust(&[], correction).unwrap().is_empty());
            assert!(adjust(&[0.5, f64::NAN], correction).is_err());
            assert!(adjust(&[1.5], correction).is_err());
            assert_eq!(Correction::from_name(correction.name()), Some(correction));
        }
        assert_eq!(Correction::from_name("?"), None);
    }

    proptest! {
        #[test]
        fn adjusting_keeps_order_and_range(p in prop::collection::vec(0.0..=1.0_f64, 1..30)) {
            for correction in Correction::ALL {
                let adjusted = adjust(&p, correction).unwrap();
                for (i, &one) in adjusted.iter().enumerate() {
                    prop_assert!(one <= 1.0 && one >= p[i] * (1.0 - 1e-12), "{correction:?}");
                    for (j, &other) in adjusted.iter().enumerate() {
                        prop_assert!(p[i] >= p[j] || one <= other * (1.0 + 1e-12), "{correction:?}");
                    }
                }
            }
        }

        #[test]
        fn stronger_corrections_give_greater_p(p in prop::collection::vec(0.0..=1.0_f64, 1..30)) {
            let of = |correction| adjust(&p, correction).unwrap();
            let rising = [
                of(Correction::BenjaminiHochberg),
                of(Correction::Hommel),
                of(Correction::Hochberg),
                of(Correction::Holm),
                of(Correction::Bonferroni),
            ];
            for pair in rising.windows(2) {
                prop_assert!(pair[0].iter().zip(&pair[1]).all(|(less, more)| *less <= more * (1.0 + 1e-12)));
            }
        }
    }
}

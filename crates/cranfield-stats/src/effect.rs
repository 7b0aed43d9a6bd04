//! Effect sizes of paired scores, with intervals.

use crate::bootstrap::{Method, bootstrap};
use crate::common::{Alternative, Degenerate, Interval, check_level};
use crate::distributions::noncentrality;
use crate::error::Result;
use crate::paired_t::Moments;
use crate::random::Resampling;
use crate::sample::{
    Differences, Quantised, check_count, factor_for, largest, mean, scale_for, unit, variance,
};
use crate::wilcoxon::{Method as RankMethod, ZeroRule, wilcoxon_of_differences};
use crate::wins::{Tolerance, wins};

/// An effect size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The value; `None` if there is no variance to divide by. Identical systems have an effect of 0.
    pub value: Option<f64>,
    /// Its interval; `None` without a value, or if the method gives none.
    pub interval: Option<Interval>,
}

/// The effect sizes of a against b.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectSizes {
    /// Number of topics.
    pub n: usize,
    /// Mean of the differences over their standard deviation, with the interval of the noncentral t distribution.
    pub d_z: Effect,
    /// Mean difference over the root of the mean variance of both systems. This and all that follow have bootstrap
    /// intervals.
    pub d_av: Effect,
    /// `d_av`, corrected for small samples.
    pub hedges_g: Effect,
    /// Mean difference over the standard deviation of b, the baseline.
    pub glass: Effect,
    /// Cliff's delta over all pairs of a score of a and a score of b, of the same topic or not.
    pub cliff: Effect,
    /// Cliff's delta within topics, (wins - losses) / n.
    pub paired_cliff: Effect,
    /// Probability of superiority within topics, (wins + ties / 2) / n.
    pub superiority: Effect,
    /// Matched-pairs rank-biserial correlation.
    pub rank_biserial: Effect,
    /// Set if all differences are equal.
    pub degenerate: Option<Degenerate>,
}

/// All effect sizes of a against b.
///
/// ```
/// use cranfield_stats::{effect::effect_sizes, random::Resampling};
/// // Differences 1, 2, 3: mean 2, standard deviation 1.
/// let (a, b) = ([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]);
/// let sizes = effect_sizes(&a, &b, 0.95, Resampling { replicates: 1000, seed: 1 })?;
/// assert_eq!(sizes.d_z.value, Some(2.0));
/// // Variances 4 and 1: 2 / sqrt(2.5).
/// assert!((sizes.d_av.value.unwrap() - 2.0 / 2.5_f64.sqrt()).abs() < 1e-12);
/// // Of nine pairs a is greater in seven, less in one, equal in one.
/// assert!((sizes.cliff.value.unwrap() - 6.0 / 9.0).abs() < 1e-12);
/// assert_eq!(sizes.superiority.value, Some(1.0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn effect_sizes(
    a: &[f64],
    b: &[f64],
    level: f64,
    resampling: Resampling,
) -> Result<EffectSizes> {
    let d = Differences::of(a, b)?;
    let degenerate = Moments::of(&d)?.degenerate;
    check_level(level)?;
    let resampled = |effect: Statistic| resampled(a, b, effect, level, resampling);
    Ok(EffectSizes {
        n: d.values().len(),
        d_z: d_z(&d, level)?,
        d_av: resampled(cohen_d_av)?,
        hedges_g: resampled(hedges_g)?,
        glass: resampled(glass_delta)?,
        cliff: resampled(cliff_delta)?,
        paired_cliff: resampled(paired_cliff_delta)?,
        superiority: resampled(superiority)?,
        rank_biserial: resampled(rank_biserial)?,
        degenerate,
    })
}

type Statistic = fn(&[f64], &[f64]) -> Option<f64>;

/// An effect with its `BCa` interval over resampled topics, or that of percentiles where `BCa` is undefined.
fn resampled(
    a: &[f64],
    b: &[f64],
    effect: Statistic,
    level: f64,
    resampling: Resampling,
) -> Result<Effect> {
    let value = effect(a, b);
    if value.is_none() {
        return Ok(Effect {
            value,
            interval: None,
        });
    }
    let of_topics = |topics: &[usize]| {
        let pick = |scores: &[f64]| {
            topics
                .iter()
                .map(|&topic| scores[topic])
                .collect::<Vec<_>>()
        };
        effect(&pick(a), &pick(b))
    };
    let run = |method| bootstrap(a.len(), of_topics, method, level, resampling);
    let mut interval = run(Method::Bca)?.interval;
    if interval.is_none() {
        interval = run(Method::Percentile)?.interval;
    }
    Ok(Effect { value, interval })
}

/// Cohen's d of differences: mean over standard deviation.
///
/// The interval holds the effects whose noncentral t distribution (noncentrality d sqrt n, n - 1 degrees of freedom)
/// has the observed t = d sqrt n neither among its lowest nor among its highest α/2.
///
/// ```
/// use cranfield_stats::effect::d_z;
/// use cranfield_stats::sample::Differences;
/// let effect = d_z(&Differences::alone(&[1.0, 2.0, 3.0])?, 0.95)?;
/// assert_eq!(effect.value, Some(2.0));
/// let interval = effect.interval.unwrap();
/// assert!(interval.low < 2.0 && interval.high > 2.0);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
///
/// J. Cohen: Statistical power analysis for the behavioral sciences. Erlbaum 1988.
pub fn d_z(d: &Differences, level: f64) -> Result<Effect> {
    check_level(level)?;
    let moments = Moments::of(d)?;
    let root = (moments.n as f64).sqrt();
    let Some(t) = moments.t(0.0) else {
        let identical = moments.degenerate == Some(Degenerate::Identical);
        return Ok(Effect {
            value: identical.then_some(0.0),
            interval: None,
        });
    };
    let tail = 0.5 * (1.0 - level);
    let df = moments.n as f64 - 1.0;
    let end = |p: f64| noncentrality(t, df, p) / root;
    Ok(Effect {
        value: Some(moments.mean / moments.deviation),
        interval: Some(Interval {
            low: end(1.0 - tail),
            high: end(tail),
            level,
        }),
    })
}

/// Cohen's d with the average variance: `mean(a - b) / sqrt((s_a^2 + s_b^2) / 2)`. `None` if both systems are constant and
/// differ, if there are fewer than two topics, or if the lengths differ.
///
/// ```
/// use cranfield_stats::effect::cohen_d_av;
/// // Means 3 and 2, variances 2 and 2.
/// assert_eq!(cohen_d_av(&[2.0, 4.0], &[1.0, 3.0]), Some(1.0 / 2.0_f64.sqrt()));
/// ```
pub fn cohen_d_av(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b, d) = comparable(a, b)?;
    let average = 0.5 * (spread(&a)? + spread(&b)?);
    over(&d, average.sqrt())
}

/// Hedges' g: [`cohen_d_av`] times 1 - 3 / (4 · 2n - 9), which takes out most of the bias of small samples.
///
/// L. Hedges: Distribution theory for Glass's estimator of effect size. Journal of Educational Statistics 6, 1981.
pub fn hedges_g(a: &[f64], b: &[f64]) -> Option<f64> {
    let count = (a.len() + b.len()) as f64;
    Some(cohen_d_av(a, b)? * (1.0 - 3.0 / (4.0 * count - 9.0)))
}

/// Glass's delta: `mean(a - b) / s_b`, in standard deviations of the baseline b.
pub fn glass_delta(a: &[f64], b: &[f64]) -> Option<f64> {
    let (_, b, d) = comparable(a, b)?;
    over(&d, spread(&b)?.sqrt())
}

/// Cliff's delta: P(a > b) - P(a < b) over all pairs of a score of a and a score of b. Scores are compared on a grid of
/// 10^-12, so that rounding errors do not break ties.
///
/// N. Cliff: Dominance statistics: ordinal analyses to answer ordinal questions. Psychological Bulletin 114, 1993.
pub fn cliff_delta(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() || a.iter().chain(b).any(|score| !score.is_finite()) {
        return None;
    }
    let scale = scale_for(a.iter().chain(b).copied(), 1);
    let units = |scores: &[f64]| -> Vec<i64> {
        scores
            .iter()
            .map(|score| (score * scale).round() as i64)
            .collect()
    };
    let mut sorted = units(b);
    sorted.sort_unstable();
    let dominance = |unit: i64| {
        let less = sorted.partition_point(|&other| other < unit) as f64;
        let not_greater = sorted.partition_point(|&other| other <= unit) as f64;
        less + not_greater - sorted.len() as f64
    };
    let sum: f64 = units(a).into_iter().map(dominance).sum();
    Some(sum / a.len() as f64 / b.len() as f64)
}

/// Cliff's delta within topics: (wins - losses) / n, also known as robustness index.
pub fn paired_cliff_delta(a: &[f64], b: &[f64]) -> Option<f64> {
    Some(wins(a, b, Tolerance::default()).ok()?.robustness())
}

/// Probability of superiority within topics: (wins + ties / 2) / n.
pub fn superiority(a: &[f64], b: &[f64]) -> Option<f64> {
    Some(wins(a, b, Tolerance::default()).ok()?.superiority())
}

/// Matched-pairs rank-biserial correlation (R+ - R-) / (R+ + R-) of the signed ranks without zeros.
///
/// D. Kerby: The simple difference formula: an approach to teaching nonparametric correlation. Comprehensive Psychology 3,
/// 2014.
pub fn rank_biserial(a: &[f64], b: &[f64]) -> Option<f64> {
    let d = Differences::of(a, b).ok()?;
    let method = RankMethod::Normal { continuity: false };
    let test = wilcoxon_of_differences(&d, ZeroRule::Wilcox, method, Alternative::TwoSided);
    Some(test.ok()?.rank_biserial())
}

/// Scores and differences of at least two topics, scaled by a power of two if their squares would overflow or vanish.
fn comparable(a: &[f64], b: &[f64]) -> Option<(Vec<f64>, Vec<f64>, Differences)> {
    let factor = factor_for(largest(a).max(largest(b)));
    let scaled = |scores: &[f64]| scores.iter().map(|score| score * factor).collect();
    let (a, b): (Vec<f64>, Vec<f64>) = (scaled(a), scaled(b));
    let d = Differences::of(&a, &b).ok()?;
    check_count(d.values(), 2).ok()?;
    Some((a, b, d))
}

/// Variance of scores, which is exactly zero when they are all the same on the grid.
fn spread(scores: &[f64]) -> Option<f64> {
    if Quantised::of(scores).ok()?.all_equal() {
        return (scores.len() > 1).then_some(0.0);
    }
    variance(scores)
}

/// The mean difference over a deviation. If the deviation is 0, the effect is 0 for equal systems and undefined otherwise.
fn over(d: &Differences, deviation: f64) -> Option<f64> {
    let difference = mean(d.values())?;
    if !deviation.is_finite() {
        return None;
    }
    if deviation > 0.0 {
        let ratio = difference / deviation;
        return ratio.is_finite().then_some(ratio);
    }
    (difference.abs() < 0.5 * unit(d.size())).then_some(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributions::noncentral_t_cdf;
    use crate::testing::{A, B, near, within};

    const RESAMPLING: Resampling = Resampling {
        replicates: 2000,
        seed: 3,
    };

    #[test]
    fn sakai_20_topics() {
        let sizes = effect_sizes(&A, &B, 0.95, RESAMPLING).unwrap();
        near(sizes.d_z.value.unwrap(), 0.473_098_287_4);
        near(sizes.d_av.value.unwrap(), 0.378_565_848_8);
        near(sizes.hedges_g.value.unwrap(), 0.371_044_673_0);
        near(sizes.glass.value.unwrap(), 0.436_083_752_4);
        near(sizes.rank_biserial.value.unwrap(), 0.6);
        near(sizes.cliff.value.unwrap(), 0.2);
        near(sizes.paired_cliff.value.unwrap(), 0.25);
        near(sizes.superiority.value.unwrap(), 0.625);
        let all = [
            sizes.d_z,
            sizes.d_av,
            sizes.hedges_g,
            sizes.glass,
            sizes.cliff,
            sizes.paired_cliff,
            sizes.superiority,
            sizes.rank_biserial,
        ];
        for effect in all {
            let (value, interval) = (effect.value.unwrap(), effect.interval.unwrap());
            assert!(interval.low < value && value < interval.high, "{effect:?}");
        }
    }

    #[test]
    fn interval_of_d_z_meets_the_t_test() {
        // The t test has p = 0.0477967618, so the interval of that level ends at zero.
        let d = Differences::of(&A, &B).unwrap();
        let interval = d_z(&d, 1.0 - 0.047_796_761_8).unwrap().interval.unwrap();
        within(interval.low, 0.0, 1e-9);
    }

    /// Ends of `d_z` sqrt(n) for some t and degrees of freedom, from the integral of the noncentral t distribution with 25 digits
    /// (mpmath 1.3).
    #[test]
    fn noncentralities_are_those_of_the_integral() {
        for (t, df, low, high) in [
            (2.5, 19.0, 0.358_814_634_775_604_4, 4.584_789_594_549_867),
            (0.3, 4.0, -1.688_006_625_174_897, 2.252_406_015_394_956),
            (-5.0, 49.0, -7.174_110_079_309_004, -2.784_889_450_174_419),
            (12.0, 2.0, 1.644_892_373_022_277, 23.185_544_802_418_902),
            (1.5, 1.0, -1.254_852_748_477_469, 4.040_659_546_748_12),
            (40.0, 249.0, 35.967_870_883_636_77, 44.009_991_016_696_6),
        ] {
            within(noncentrality(t, df, 0.975), low, 1e-9);
            within(noncentrality(t, df, 0.025), high, 1e-9);
        }
    }

    /// Large noncentralities: the integral with 30 digits (mpmath 1.3), and scipy 1.17's `nct.cdf` to 11 of them.
    #[test]
    fn large_noncentralities_are_those_of_the_integral() {
        for (t, df, delta, expected) in [
            (50.0, 10.0, 50.0, 0.440_841_641_433_724_3),
            (100.0, 10.0, 100.0, 0.440_580_856_734_008_5),
            (200.0, 10.0, 200.0, 0.440_515_208_346_782_2),
            (1000.0, 20.0, 1000.0, 0.457_930_965_524_043_9),
            (-100.0, 10.0, -100.0, 0.559_419_143_265_991_5),
            (158.5, 10.0, 120.0, 0.837_152_709_021_070_4),
        ] {
            within(noncentral_t_cdf(t, df, delta), expected, 1e-12);
        }
    }

    /// The end of the interval has the level as its tail, however far out t and the level are.
    #[test]
    fn noncentralities_have_their_tails() {
        for df in [1.0, 3.0, 24.0, 5000.0] {
            for t in [-60.0, -3.0, 0.0, 0.01, 1.0, 8.0] {
                for p in [1e-4, 0.05, 0.5, 0.9995] {
                    let delta = noncentrality(t, df, p);
                    within(noncentral_t_cdf(t, df, delta), p, 1e-11);
                }
            }
        }
    }

    #[test]
    fn without_variance() {
        let same = effect_sizes(&A, &A, 0.95, RESAMPLING).unwrap();
        assert_eq!(same.degenerate, Some(Degenerate::Identical));
        assert_eq!(same.d_z.value, Some(0.0));
        assert_eq!(same.d_av.value, Some(0.0));
        assert_eq!(same.rank_biserial.value, Some(0.0));
        let constant = effect_sizes(&[1.0, 1.0], &[0.5, 0.5], 0.95, RESAMPLING).unwrap();
        assert_eq!(constant.degenerate, Some(Degenerate::Constant));
        assert_eq!((constant.d_z.value, constant.d_av.value), (None, None));
        assert_eq!(constant.cliff.value, Some(1.0));
    }

    #[test]
    fn cliff_ties_and_errors() {
        // 0.1 + 0.2 is not 0.3 in floating point, but tied here.
        assert_eq!(cliff_delta(&[0.1 + 0.2], &[0.3]), Some(0.0));
        assert_eq!(cliff_delta(&[], &[1.0]), None);
        assert_eq!(cliff_delta(&[f64::NAN], &[1.0]), None);
        // The mean of seven times 0.8 is not 0.8 in floating point, but there is no variance.
        let scores = [0.8, 1.0, 0.6, 1.0, 0.4, 0.0, 0.0];
        assert_eq!(glass_delta(&scores, &[0.8; 7]), None);
        assert_eq!(cohen_d_av(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(superiority(&[1.0], &[]), None);
    }
}

//! Analysis of variance: do the means of several systems differ by more than chance?
//!
//! The one-way table treats the scores of each system as an independent sample. The two-way table removes the effect of topics first, as is
//! appropriate if all systems share their topics. Its residual variance is the basis of [`tukey`](crate::tukey) and
//! [`dunnett`](crate::dunnett).
//!
//! References: R. A. Fisher, Statistical Methods for Research Workers (1925); S. W. Greenhouse and S. Geisser, On methods in the
//! analysis of profile data, Psychometrika 24 (1959); H. Huynh and L. S. Feldt, Estimation of the Box correction for degrees of
//! freedom from sample data in randomized block and split-plot designs, Journal of Educational Statistics 1 (1976).

#[cfg(test)]
pub(crate) mod tests;

use crate::common::{Degenerate, check_level};
use crate::distributions::{f_sf, t_quantile};
use crate::error::Result;
use crate::matrix::ScoreMatrix;
use crate::pairs::{check_squares, largest};

/// A line of the table: a source of variation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Sum of squared deviations.
    pub sum_of_squares: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Sum of squares over degrees of freedom.
    pub mean_square: f64,
}

impl Source {
    fn new(sum_of_squares: f64, df: usize) -> Self {
        Self {
            sum_of_squares,
            df: df as f64,
            mean_square: sum_of_squares / df as f64,
        }
    }
}

/// The F-test of a source against the residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FTest {
    /// F; `None` if there is no residual variance.
    pub statistic: Option<f64>,
    /// Degrees of freedom of the numerator.
    pub df1: f64,
    /// Degrees of freedom of the denominator.
    pub df2: f64,
    /// Probability of an F at least as large when no means differ.
    pub p: f64,
    /// The reason for a missing F: no variation at all (p is 1), or none except that of the source (p is 0).
    pub degenerate: Option<Degenerate>,
}

/// Effect sizes of a source of variation. Each is `None` if the F-test has no statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceShare {
    /// Eta squared: the proportion of all variation.
    pub eta2: Option<f64>,
    /// Partial eta squared: the proportion of the variation that the other source leaves.
    pub partial_eta2: Option<f64>,
    /// Partial omega squared, which is less biased: `df (F - 1) / (df (F - 1) + N)` for N scores. It may be negative.
    pub partial_omega2: Option<f64>,
}

/// One-way analysis of variance.
#[derive(Clone, Debug, PartialEq)]
pub struct OneWay {
    /// Mean of each system.
    pub means: Vec<f64>,
    /// Between systems.
    pub systems: Source,
    /// Within systems.
    pub residual: Source,
    /// Test of the systems.
    pub test: FTest,
    /// Share of the systems.
    pub share: VarianceShare,
}

/// Two-way analysis of variance without replication.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoWay {
    /// Mean of each system.
    pub means: Vec<f64>,
    /// Mean of each topic.
    pub topic_means: Vec<f64>,
    /// Between systems.
    pub systems: Source,
    /// Between topics.
    pub topics: Source,
    /// Residual.
    pub residual: Source,
    /// Test of the systems.
    pub system_test: FTest,
    /// Test of the topics.
    pub topic_test: FTest,
    /// Share of the systems.
    pub system_share: VarianceShare,
    /// Share of the topics.
    pub topic_share: VarianceShare,
}

/// Corrections of the two-way test for differences with unequal variances (lack of sphericity).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphericity {
    /// Factor of Greenhouse and Geisser for the degrees of freedom.
    pub greenhouse_geisser: f64,
    /// Factor of Huynh and Feldt, at most 1.
    pub huynh_feldt: f64,
    /// p of the systems with degrees of freedom times the first factor.
    pub p_greenhouse_geisser: f64,
    /// p of the systems with degrees of freedom times the second factor.
    pub p_huynh_feldt: f64,
}

/// Variance components of a two-way table, truncated at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Variance of systems.
    pub system: f64,
    /// Variance of topics.
    pub topic: f64,
    /// Residual variance: interaction and error.
    pub residual: f64,
}

/// One-way analysis of variance of m systems with n scores each.
///
/// ```text
/// between S_A = n sum_i (mean_i - M)^2,  df m - 1
/// within  S_E = sum_ij (x_ij - mean_i)^2, df m (n - 1)
/// F = (S_A / (m - 1)) / (S_E / (m (n - 1)))
/// ```
///
/// ```
/// use cranfield_stats::{ScoreMatrix, anova};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0]])?;
/// let table = anova::one_way(&scores)?;
/// // Means 2 and 5, M = 3.5: S_A = 3 (1.5^2 + 1.5^2) = 13.5, S_E = (1 + 0 + 1) + (4 + 1 + 9) = 16.
/// assert_eq!((table.systems.sum_of_squares, table.residual.sum_of_squares), (13.5, 16.0));
/// assert_eq!(table.test.statistic, Some(3.375));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn one_way(scores: &ScoreMatrix) -> Result<OneWay> {
    check_squares(scores.at_least(2, 2)?)?;
    let (m, n) = (scores.systems(), scores.topics());
    let means = system_means(scores);
    let within = scores.rows().zip(&means);
    let within = within.map(|(row, mean)| squares(row.iter().copied(), *mean));
    let between = n as f64 * squares(means.iter().copied(), centre(&means));
    let systems = Source::new(between, m - 1);
    let residual = Source::new(within.sum(), m * (n - 1));
    let test = f_test(systems, residual, scores);
    let share = share(
        systems,
        residual,
        &test,
        between + residual.sum_of_squares,
        m * n,
    );
    Ok(OneWay {
        means,
        systems,
        residual,
        test,
        share,
    })
}

/// Two-way analysis of variance of m systems on the same n topics, one score each.
///
/// ```text
/// systems S_A = n sum_i (mean_i - M)^2, df m - 1
/// topics  S_B = m sum_j (mean_j - M)^2, df n - 1
/// residual S_E = sum_ij (x_ij - mean_i - mean_j + M)^2, df (m - 1)(n - 1)
/// F_A = V_A / V_E, F_B = V_B / V_E, each V a sum of squares over its df
/// ```
///
/// ```
/// use cranfield_stats::{ScoreMatrix, anova};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0]])?;
/// let table = anova::two_way(&scores)?;
/// // Topic means 2, 3, 5.5: S_B = 2 (2.25 + 0.25 + 4) = 13; of 13.5 + 16 there remain S_E = 3 with 2 degrees of freedom.
/// assert_eq!(table.topics.sum_of_squares, 13.0);
/// assert_eq!(table.residual.mean_square, 1.5);
/// assert_eq!(table.system_test.statistic, Some(9.0));
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn two_way(scores: &ScoreMatrix) -> Result<TwoWay> {
    check_squares(scores.at_least(2, 2)?)?;
    let (m, n) = (scores.systems(), scores.topics());
    let means = system_means(scores);
    let topic_means = topic_means(scores);
    let grand = centre(&means);
    let systems = Source::new(n as f64 * squares(means.iter().copied(), grand), m - 1);
    let topics = Source::new(
        m as f64 * squares(topic_means.iter().copied(), grand),
        n - 1,
    );
    let left = scores.rows().zip(&means).map(|(row, mean)| {
        let left = row.iter().zip(&topic_means);
        squares(left.map(|(x, topic)| x - mean - topic + grand), 0.0)
    });
    let residual = Source::new(left.sum(), (m - 1) * (n - 1));
    let total = systems.sum_of_squares + topics.sum_of_squares + residual.sum_of_squares;
    let system_test = f_test(systems, residual, scores);
    let topic_test = f_test(topics, residual, scores);
    Ok(TwoWay {
        system_share: share(systems, residual, &system_test, total, m * n),
        topic_share: share(topics, residual, &topic_test, total, m * n),
        means,
        topic_means,
        systems,
        topics,
        residual,
        system_test,
        topic_test,
    })
}

impl TwoWay {
    /// Half the width of an interval for the mean of one system: `t sqrt(V_E / n)`, with t of the residual's degrees of
    /// freedom.
    pub fn margin_of_error(&self, level: f64) -> Result<f64> {
        let level = check_level(level)?;
        let t = t_quantile(0.5 + level / 2.0, self.residual.df);
        Ok(t * (self.residual.mean_square / self.topic_means.len() as f64).sqrt())
    }

    /// Variance components: `V_E`, `(V_A - V_E) / n` of systems, `(V_B - V_E) / m` of topics.
    pub fn components(&self) -> Components {
        let residual = self.residual.mean_square;
        let above = |source: Source, count: usize| {
            ((source.mean_square - residual) / count as f64).max(0.0)
        };
        Components {
            system: above(self.systems, self.topic_means.len()),
            topic: above(self.topics, self.means.len()),
            residual,
        }
    }
}

impl Components {
    /// Generalisability of relative decisions on n topics: `s / (s + e / n)`, for the variance s of systems and the residual
    /// variance e. `None` if both are 0.
    pub fn relative(&self, topics: f64) -> Option<f64> {
        ratio(self.system, self.residual / topics)
    }

    /// Dependability of absolute decisions on n topics: `s / (s + (t + e) / n)`, with the variance t of topics. `None` if all
    /// are 0.
    pub fn absolute(&self, topics: f64) -> Option<f64> {
        ratio(self.system, (self.topic + self.residual) / topics)
    }
}

fn ratio(part: f64, rest: f64) -> Option<f64> {
    let ratio = part / (part + rest);
    ratio.is_finite().then_some(ratio)
}

/// Corrections for a lack of sphericity; `None` if there is no residual variance, or only two systems, which need no
/// correction.
///
/// With S the covariance matrix of the systems, centred by rows and columns:
///
/// ```text
/// e = trace(S)^2 / ((m - 1) trace(S S))                              (Greenhouse and Geisser)
/// (n (m - 1) e - 2) / ((m - 1) (n - 1 - (m - 1) e)), at most 1       (Huynh and Feldt)
/// ```
///
/// ```
/// use cranfield_stats::{ScoreMatrix, anova};
/// let scores = ScoreMatrix::new(&[[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 0.0, 2.0]])?;
/// let corrected = anova::sphericity(&scores)?.unwrap();
/// assert!(corrected.greenhouse_geisser >= 0.5 && corrected.greenhouse_geisser <= 1.0);
/// assert!(corrected.p_greenhouse_geisser >= anova::two_way(&scores)?.system_test.p);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn sphericity(scores: &ScoreMatrix) -> Result<Option<Sphericity>> {
    let table = two_way(scores)?;
    let (Some(f), true) = (table.system_test.statistic, scores.systems() > 2) else {
        return Ok(None);
    };
    let df1 = table.systems.df;
    let n = scores.topics() as f64;
    let epsilon = epsilon(scores, &table);
    let ours = (n * df1 * epsilon - 2.0) / (df1 * (n - 1.0 - df1 * epsilon));
    // With as few topics as systems the denominator reaches 0, and the factor means no correction.
    let feldt = if ours.is_finite() && ours > 0.0 {
        ours.min(1.0)
    } else {
        1.0
    };
    let p = |factor: f64| f_sf(f, df1 * factor, table.residual.df * factor);
    Ok(Some(Sphericity {
        greenhouse_geisser: epsilon,
        huynh_feldt: feldt,
        p_greenhouse_geisser: p(epsilon),
        p_huynh_feldt: p(feldt),
    }))
}

/// The traces need no matrix of systems: with residuals E (systems by topics), trace(S) is the sum of squares of E, and
/// trace(S S) is the sum of squares of the topics' products `E^T E`, whichever of the two matrices is smaller.
fn epsilon(scores: &ScoreMatrix, table: &TwoWay) -> f64 {
    let grand = centre(&table.means);
    let residuals: Vec<Vec<f64>> = (0..scores.topics())
        .map(|topic| {
            let means = table.means.iter();
            let pairs = scores.column(topic).zip(means);
            pairs
                .map(|(x, mean)| x - mean - table.topic_means[topic] + grand)
                .collect()
        })
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let products = residuals.iter().map(|first| {
        let others = residuals.iter().map(|second| dot(first, second).powi(2));
        others.sum::<f64>()
    });
    let trace = table.residual.sum_of_squares;
    (trace * trace / (table.systems.df * products.sum::<f64>())).min(1.0)
}

fn system_means(scores: &ScoreMatrix) -> Vec<f64> {
    scores.rows().map(centre).collect()
}

fn topic_means(scores: &ScoreMatrix) -> Vec<f64> {
    let systems = scores.systems() as f64;
    let sum = |topic| scores.column(topic).sum::<f64>();
    (0..scores.topics())
        .map(|topic| sum(topic) / systems)
        .collect()
}

fn centre(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn squares(values: impl Iterator<Item = f64>, centre: f64) -> f64 {
    values.map(|value| (value - centre).powi(2)).sum()
}

/// Whether a sum of squares consists of rounding errors only.
pub(crate) fn vanishes(source: Source, scores: &ScoreMatrix) -> bool {
    let count = (scores.systems() * scores.topics()) as f64;
    source.sum_of_squares <= count * (1e-13 * largest(scores)).powi(2)
}

fn f_test(source: Source, residual: Source, scores: &ScoreMatrix) -> FTest {
    let test = |statistic, p, degenerate| FTest {
        statistic,
        df1: source.df,
        df2: residual.df,
        p,
        degenerate,
    };
    if !vanishes(residual, scores) {
        let f = source.mean_square / residual.mean_square;
        return test(Some(f), f_sf(f, source.df, residual.df), None);
    }
    if vanishes(source, scores) {
        return test(None, 1.0, Some(Degenerate::Identical));
    }
    test(None, 0.0, Some(Degenerate::Constant))
}

fn share(
    source: Source,
    residual: Source,
    test: &FTest,
    total: f64,
    count: usize,
) -> VarianceShare {
    let of = |whole: f64| test.statistic.map(|_| source.sum_of_squares / whole);
    let omega = |f: f64| {
        let above = source.df * (f - 1.0);
        let omega = above / (above + count as f64);
        omega.is_finite().then_some(omega)
    };
    VarianceShare {
        eta2: of(total),
        partial_eta2: of(source.sum_of_squares + residual.sum_of_squares),
        partial_omega2: test.statistic.and_then(omega),
    }
}

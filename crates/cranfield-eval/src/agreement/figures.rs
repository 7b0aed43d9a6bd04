//! Agreement figures.

use std::fmt;

use cranfield_stats::StatsError;
use cranfield_stats::agreement::kappa_of_disagreement;
use cranfield_stats::bootstrap::{Estimate, resample_counts};

use super::Intervals;
use super::classes::Scale;
use super::cross_table::{CrossTable, Line, Relevance};

/// A figure of agreement between two sets of judgements, computed from the documents judged in both.
///
/// With n documents, n(i, j) of which have class i in the second set and j in the first, with r(i) and c(j) the totals of rows and
/// columns, and w(i, j) a weight of disagreement:
///
/// - agreement = Σ n(i, i) / n
/// - κ = 1 − Σ w(i, j) n(i, j) / Σ w(i, j) e(i, j), where e(i, j) = r(i) c(j) / n is the count expected by
///   chance
///
/// The weight is 0 for i = j. Otherwise it is 1 (κ), the number of steps between the classes (linear), or its square
/// (quadratic). Steps are counted on the ascending scale of all grades that either set has in any topic, or of merged classes.
///
/// With R₁ and R₂ the relevant and N₁ and N₂ the non-relevant documents of the sets:
///
/// - overlap = |R₁ ∩ R₂| / |R₁ ∪ R₂| (Jaccard)
/// - positive = 2 |R₁ ∩ R₂| / (|R₁| + |R₂|) (Dice)
/// - negative = 2 |N₁ ∩ N₂| / (|N₁| + |N₂|)
///
/// # Worked example
/// Ten documents, rows the second set:
///
/// ```text
///         0  1  2  total
/// 0       4  1  0      5
/// 1       1  2  1      4
/// 2       0  0  1      1
/// total   5  3  2     10
/// ```
///
/// Agreement is 7/10. By chance 10 − (5·5 + 4·3 + 1·2)/10 = 6.1 documents would disagree, and 3 do: κ = 1 −
/// 3/6.1 = 0.5082. Counted in steps, chance gives (46 + 2·15)/10 = 7.6, in squared steps (46 + 4·15)/10 = 10.6:
/// linear κ = 1 − 3/7.6 = 0.6053, quadratic κ = 1 − 3/10.6 = 0.7170. From grade 1 on, 4 documents are relevant
/// in both sets, 1 in each alone and 4 in neither: overlap = 4/6, positive = 8/10, negative = 8/10.
///
/// # Undefined when
/// No document is judged in both. Agreement and κ are also undefined if the grades of the sets are merged
/// differently, κ if both sets have the same single class, overlap and positive if no document is relevant,
/// negative if all are.
///
/// # References
/// J. Cohen: A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1), 1960.
/// doi:10.1177/001316446002000104.
/// J. Cohen: Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit. Psychological
/// Bulletin 70(4), 1968. doi:10.1037/h0026256.
/// E. M. Voorhees: Variations in relevance judgments and the measurement of retrieval effectiveness. Information Processing and
/// Management 36(5), 2000. doi:10.1016/S0306-4573(00)00010-8.
/// D. V. Cicchetti and A. R. Feinstein: High agreement but low kappa: II. Resolving the paradoxes. Journal of Clinical
/// Epidemiology 43(6), 1990. doi:10.1016/0895-4356(90)90159-M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Fraction of documents with the same class.
    Agreement,
    /// Agreement beyond chance, Cohen's kappa.
    Kappa,
    /// Kappa with disagreements weighted by the steps between the classes.
    KappaLinear,
    /// Kappa with disagreements weighted by the square of the steps.
    KappaQuadratic,
    /// Overlap of the relevant documents.
    Overlap,
    /// Agreement on relevant documents.
    Positive,
    /// Agreement on non-relevant documents.
    Negative,
}

impl Figure {
    /// All figures.
    pub const ALL: &[Self] = &[
        Self::Agreement,
        Self::Kappa,
        Self::KappaLinear,
        Self::KappaQuadratic,
        Self::Overlap,
        Self::Positive,
        Self::Negative,
    ];

    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agreement => "agreement",
            Self::Kappa => "kappa",
            Self::KappaLinear => "kappa_lin",
            Self::KappaQuadratic => "kappa_quad",
            Self::Overlap => "overlap",
            Self::Positive => "positive",
            Self::Negative => "negative",
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl CrossTable {
    /// Computes a figure; `None` where it is undefined.
    pub fn figure(&self, figure: Figure) -> Option<f64> {
        let [both, one, neither] =
            [Relevance::Both, Relevance::One, Relevance::Neither].map(|of| self.relevant(of));
        match figure {
            Figure::Agreement => self.agreement(),
            Figure::Kappa => self.kappa(|steps| if steps > 0.0 { 1.0 } else { 0.0 }),
            Figure::KappaLinear => self.kappa(|steps| steps),
            Figure::KappaQuadratic => self.kappa(|steps| steps * steps),
            Figure::Overlap => share(both, one),
            Figure::Positive => share(2 * both, one),
            Figure::Negative => share(2 * neither, one),
        }
    }

    /// All figures, in the order of [`Figure::ALL`], with intervals from resampled documents.
    ///
    /// # Errors
    /// If the level or the number of replicates is out of range.
    pub fn estimates(&self, intervals: Intervals) -> Result<Vec<Estimate>, StatsError> {
        let counts: Vec<u64> = self.both.values().copied().collect();
        let figures = |counts: &[u64]| {
            let table = self.resampled(counts);
            let all = Figure::ALL.iter();
            all.map(|figure| table.figure(*figure)).collect()
        };
        resample_counts(&counts, figures, intervals.level, intervals.resampling)
    }

    fn agreement(&self) -> Option<f64> {
        let scale = self.axes.scale.as_ref()?;
        let total = self.count(Line::Total, Line::Total);
        let disagree = self.weighted(scale, |steps| if steps > 0.0 { 1.0 } else { 0.0 });
        (total > 0).then(|| (total as f64 - disagree) / total as f64)
    }

    /// Kappa with a weight for each number of steps between classes.
    fn kappa(&self, weight: impl Fn(f64) -> f64) -> Option<f64> {
        let scale = self.axes.scale.as_ref()?;
        let rows = scale.second.len();
        let rows = (0..rows).map(|row| self.count(Line::Class(row as u8), Line::Total));
        let columns = scale.first.len();
        let columns = (0..columns).map(|column| self.count(Line::Total, Line::Class(column as u8)));
        kappa_of_disagreement(
            self.weighted(scale, &weight),
            &rows.collect::<Vec<_>>(),
            &columns.collect::<Vec<_>>(),
            |row, column| weight(steps(scale, row, column)),
        )
    }

    /// Σ w(i, j) n(i, j).
    fn weighted(&self, scale: &Scale, weight: impl Fn(f64) -> f64) -> f64 {
        let terms = self.cells().map(|(row, column, count)| {
            weight(steps(scale, row.into(), column.into())) * count as f64
        });
        terms.sum()
    }
}

/// Steps between the classes of a row and a column.
fn steps(scale: &Scale, row: usize, column: usize) -> f64 {
    scale.second[row].abs_diff(scale.first[column]) as f64
}

/// The fraction that agree.
fn share(agree: u64, disagree: u64) -> Option<f64> {
    let all = agree + disagree;
    (all > 0).then(|| agree as f64 / all as f64)
}

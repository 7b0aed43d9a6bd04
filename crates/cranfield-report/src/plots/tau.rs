//! Agreement of measures on the order of runs.

use cranfield_render::plot::{Axis, Layer, Matrix, MatrixCell, Plot, PlotKind, Tone};
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::rank_correlation::{kendall, tau_ap};

use super::DrawingError;
use super::captions::{caption, short, signed};
use super::compared::failed;
use super::means::Means;
use cranfield_eval::Evaluation;

/// The default measures.
pub(super) const MEASURES: &str = "AP nDCG@10 nDCG P@10 Rprec RR R@1000";

/// Two coefficients of every pair of measures; those of a measure with itself are 1.
struct Agreement {
    tau: Vec<Vec<Option<f64>>>,
    tau_ap: Vec<Vec<Option<f64>>>,
}

pub(super) fn tau(evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let measures = &evaluation.plan.measures;
    let means = (0..measures.len()).map(|at| Means::of(evaluation, at));
    let means = means.collect::<Result<Vec<_>, _>>()?;
    let agreement = Agreement::of(&means)?;
    let order = clustered(&agreement.tau);
    let names: Vec<String> = order
        .iter()
        .map(|at| evaluation.profile.name_of(&measures[*at]))
        .collect();
    let runs = evaluation.runs.len();
    let what = format!("Agreement of measures on the order of {runs} runs by their means");
    let mut more = vec![
        "Above the diagonal: Kendall's tau-b; below: tau-AP-b, in which the best runs count most; 1 is the same order, −1 the opposite".to_owned(),
        "Similar measures are adjacent (average linkage of 1 − tau-b)".to_owned(),
    ];
    more.extend(means.iter().filter_map(Means::note));
    let least = agreement.least();
    Ok(Plot {
        kind: PlotKind::Tau,
        title: "Agreement of measures on the order of runs".into(),
        caption: caption(evaluation, &what, &more),
        series: "measure".into(),
        x: Axis::names("", names.clone()).with_field("other"),
        y: Axis::names("", names.clone()).with_field("measure"),
        layers: vec![
            Layer::Matrix(Matrix {
                cells: agreement.cells(&order, &names, least),
                keys: keys(least),
            }),
            Layer::Data(agreement.data(&order, &names)),
        ],
    })
}

impl Agreement {
    fn of(means: &[Means]) -> Result<Self, DrawingError> {
        let count = means.len();
        let mut agreement = Self {
            tau: vec![vec![Some(1.0); count]; count],
            tau_ap: vec![vec![Some(1.0); count]; count],
        };
        let fail = |error| failed(PlotKind::Tau, &error);
        for one in 0..count {
            for other in one + 1..count {
                let [x, y] = [&means[one].oriented, &means[other].oriented];
                let tau = kendall(x, y).map_err(fail)?.tau_b;
                let ap = tau_ap(x, y).map_err(fail)?.tau_ap_b;
                (agreement.tau[one][other], agreement.tau[other][one]) = (tau, tau);
                (agreement.tau_ap[one][other], agreement.tau_ap[other][one]) = (ap, ap);
            }
        }
        Ok(agreement)
    }

    /// The value of the lightest colour: the least coefficient, rounded down to a tenth, and at most 0.9.
    fn least(&self) -> f64 {
        let all = self.tau.iter().chain(&self.tau_ap).flatten().flatten();
        let least = all.fold(0.9_f64, |least, value| least.min(*value));
        (10.0 * least).floor() / 10.0
    }

    fn cells(&self, order: &[usize], names: &[String], least: f64) -> Vec<MatrixCell> {
        let places = || 0..order.len();
        let pairs = places().flat_map(|row| places().map(move |column| (row, column)));
        let cell = |(row, column): (usize, usize)| {
            let (one, other) = (order[row], order[column]);
            let (value, what) = if row <= column {
                (self.tau[one][other], "tau-b")
            } else {
                (self.tau_ap[one][other], "tau-AP-b")
            };
            let text = value.map_or("–".into(), |value| {
                if row == column {
                    String::new()
                } else {
                    short(value)
                }
            });
            let tone = match value {
                Some(value) if row != column => Tone::Cool((value - least) / (1.0 - least)),
                _ => Tone::Plain,
            };
            MatrixCell {
                row,
                column,
                tone,
                title: format!(
                    "{} and {}: {what} {}",
                    names[row],
                    names[column],
                    value.map_or("undefined".into(), signed)
                ),
                lines: vec![text],
            }
        };
        pairs.map(cell).collect()
    }

    fn data(&self, order: &[usize], names: &[String]) -> Table {
        let mut table = Table::new([
            Column::text("measure"),
            Column::text("other"),
            Column::number("tau_b"),
            Column::number("tau_ap_b"),
        ]);
        for (row, one) in order.iter().enumerate() {
            for (column, other) in order.iter().enumerate().skip(row + 1) {
                table.push([
                    Cell::text(&names[row]),
                    Cell::text(&names[column]),
                    Cell::real(self.tau[*one][*other]),
                    Cell::real(self.tau_ap[*one][*other]),
                ]);
            }
        }
        table
    }
}

/// The key of colours from the lightest, which is the least value, to 1.
pub(super) fn keys(least: f64) -> Vec<(Tone, String)> {
    let share = |part: f64| {
        let value = least + part * (1.0 - least);
        (Tone::Cool(part), format!("{value:.2}").replace('-', "−"))
    };
    vec![share(0.0), share(0.5), share(1.0)]
}

/// Orders items so that similar ones are adjacent.
///
/// Repeatedly joins the two clusters with the greatest mean similarity, each oriented so that the ends that meet are most
/// similar. Items without a similarity count as opposite.
fn clustered(likeness: &[Vec<Option<f64>>]) -> Vec<usize> {
    let alike = |a: usize, b: usize| likeness[a][b].unwrap_or(-1.0);
    let mut clusters: Vec<Vec<usize>> = (0..likeness.len()).map(|at| vec![at]).collect();
    while clusters.len() > 1 {
        let mean = |a: &[usize], b: &[usize]| {
            let all = a.iter().flat_map(|a| b.iter().map(|b| alike(*a, *b)));
            all.sum::<f64>() / (a.len() * b.len()) as f64
        };
        let (mut best, mut pair) = (f64::NEG_INFINITY, (0, 1));
        for first in 0..clusters.len() {
            for second in first + 1..clusters.len() {
                let found = mean(&clusters[first], &clusters[second]);
                if found > best {
                    (best, pair) = (found, (first, second));
                }
            }
        }
        let second = clusters.remove(pair.1);
        let first = std::mem::take(&mut clusters[pair.0]);
        clusters[pair.0] = joined(first, second, alike);
    }
    clusters.pop().unwrap_or_default()
}

/// Joins two lists, each reversed if necessary, so that the ends that meet are most similar.
fn joined(
    mut first: Vec<usize>,
    mut second: Vec<usize>,
    alike: impl Fn(usize, usize) -> f64,
) -> Vec<usize> {
    let ends = |list: &[usize]| {
        [list.first().copied(), list.last().copied()].map(Option::unwrap_or_default)
    };
    let ([a0, a1], [b0, b1]) = (ends(&first), ends(&second));
    let meetings = [
        (a1, b0, false, false),
        (a1, b1, false, true),
        (a0, b0, true, false),
        (a0, b1, true, true),
    ];
    let mut best = meetings[0];
    for meeting in meetings {
        if alike(meeting.0, meeting.1) > alike(best.0, best.1) {
            best = meeting;
        }
    }
    if best.2 {
        first.reverse();
    }
    if best.3 {
        second.reverse();
    }
    first.extend(second);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 is like 2 and 1 like 3; of those, 2 and 3 are most alike, so that they meet in the middle.
    #[test]
    fn likes_stand_side_by_side() {
        let rows = [
            [1.0, 0.1, 0.9, 0.2],
            [0.1, 1.0, 0.2, 0.8],
            [0.9, 0.2, 1.0, 0.5],
            [0.2, 0.8, 0.5, 1.0],
        ];
        let likeness: Vec<Vec<Option<f64>>> =
            rows.iter().map(|row| row.map(Some).to_vec()).collect();
        assert_eq!(clustered(&likeness), [0, 2, 3, 1]);
        assert_eq!(clustered(&[]), [] as [usize; 0]);
        assert_eq!(clustered(&[vec![None, None], vec![None, None]]), [0, 1]);
    }
}

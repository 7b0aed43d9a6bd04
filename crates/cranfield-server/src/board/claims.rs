//! Intervals, ranks of resampled topics and groups of a board, as `cranfield compare` computes them.

use cranfield_compare::compare::{MeasureTable, Settings as Comparison, Test, compare_scores};
use cranfield_core::evaluate::Plan;
use cranfield_core::measure::{Aggregate, BoundMeasure};
use cranfield_core::small_sort::SmallSort;

use super::entries::sign_of;
use super::{Board, FirstPlace, Row};

/// The maximum number of rows for which intervals and groups are computed.
const MOST_COMPARED: usize = 200;

/// How the runs of a board are compared.
pub(crate) fn comparison() -> Comparison {
    Comparison {
        test: Test::RandomisedTukey,
        ..Comparison::default()
    }
}

impl Board {
    /// Adds intervals, ranks of resampled topics and groups. `hides_means` leaves out what would tell a mean that a ladder rounds.
    pub(super) fn compare(&mut self, measure: &BoundMeasure, hides_means: bool) {
        // The geometric mean of a run is not a mean that can be tested.
        if !matches!(measure.info.aggregate, Aggregate::Mean | Aggregate::Sum) {
            return;
        }
        let sign = sign_of(measure);
        let compared = self.rows.len().min(MOST_COMPARED);
        // Random numbers are drawn in the order of the runs: that of the teams, which is also that of exported files.
        let mut order: Vec<usize> = (0..compared).collect();
        order.small_sort_by_key(|at| self.rows[*at].number);
        let rows: Vec<&Row> = order.iter().map(|at| &self.rows[*at]).collect();
        let skips = Plan::default().leaves_out_undefined(measure);
        let topics = rows.first().map_or(0, |row| row.topics.len());
        let kept: Vec<usize> = (0..topics)
            .filter(|topic| !skips || rows.iter().all(|row| row.topics[*topic].is_finite()))
            .collect();
        let value = |row: &Row, topic: usize| match row.topics[topic] {
            value if value.is_nan() => 0.0,
            value => sign * value,
        };
        let scores: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| kept.iter().map(|topic| value(row, *topic)).collect())
            .collect();
        let names: Vec<String> = rows.iter().map(|row| row.number.to_string()).collect();
        let settings = comparison();
        let Ok(table) = compare_scores(&self.measure, &names, &scores, &settings) else {
            return;
        };
        // A sum over topics is not in the interval of the mean.
        let has_intervals = measure.info.aggregate == Aggregate::Mean && !hides_means;
        for (at, system) in order.iter().zip(&table.systems) {
            let row = &mut self.rows[*at];
            if has_intervals {
                let interval = system.interval.map(|interval| {
                    let ends = [sign * interval.low, sign * interval.high];
                    (ends[0].min(ends[1]), ends[0].max(ends[1]))
                });
                row.low = interval.map(|(low, _)| low);
                row.high = interval.map(|(_, high)| high);
            }
            row.best_rank = Some(system.rank.lowest);
            row.worst_rank = Some(system.rank.highest);
            row.best = Some(system.rank.best).filter(|_| !hides_means);
            row.letters.clone_from(&system.letters);
        }
        self.method = Some(format!(
            "No difference between teams that share a letter is significant (randomised Tukey HSD, alpha {}, {} permutations, seed {}, {} topics).",
            settings.alpha,
            settings.resampling.replicates,
            settings.resampling.seed,
            kept.len()
        ));
        self.first = self.first_place(&order, &table);
    }

    fn first_place(&self, order: &[usize], table: &MeasureTable) -> Option<FirstPlace> {
        let teams: Vec<usize> = (0..order.len())
            .filter(|at| !self.rows[*at].baseline)
            .collect();
        let (&first, rest) = teams.split_first()?;
        let system = |row: usize| order.iter().position(|at| *at == row);
        let first_system = system(first)?;
        let is_beaten = |other: &&usize| {
            let other = system(**other);
            table.pairs.iter().any(|pair| {
                let ends = [(pair.first, pair.second), (pair.second, pair.first)];
                pair.significant
                    && ends
                        .iter()
                        .any(|(a, b)| *a == first_system && Some(*b) == other)
            })
        };
        let is_first = |row: &&Row| row.rank == Some(1);
        Some(FirstPlace {
            number: self.rows[first].number,
            sharing: self.rows.iter().filter(is_first).count(),
            beaten: rest.iter().filter(is_beaten).count(),
            others: rest.len(),
        })
    }
}

impl FirstPlace {
    /// In a sentence, with the name of the team as it may be shown.
    pub(crate) fn sentence(&self, name: &str, measure: &str) -> String {
        match (self.sharing, self.beaten, self.others) {
            (1, _, 0) => format!("{name} is the only team with a score."),
            (1, 0, _) => {
                format!("{name} has the best score, but no other team is shown to be worse.")
            }
            (1, beaten, others) if beaten == others => {
                format!("{name} is better than every other team ({measure}).")
            }
            (1, beaten, others) => {
                format!(
                    "{name} is shown to be better than {beaten} of {others} other teams ({measure})."
                )
            }
            (sharing, ..) => format!("{sharing} teams share the first place."),
        }
    }
}

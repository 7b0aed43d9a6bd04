//! # What it measures
//! Compatibility: the rank-biased overlap of the ranking with the nearest ideal ranking. Grades only order
//! documents and are not gains, so any preference scale works.
//!
//! # User model
//! Reads from the top, continues with probability p, and at each depth compares the ranking with the ideal one.
//!
//! # Formula
//! ```math
//! \mathrm{Compat} = \frac{\mathrm{RBO}(x, x^*)}{\mathrm{RBO}(x^*, x^*)}, \quad \mathrm{RBO}(x, y) = \frac{\sum_{d=1}^{D} p^{d-1}\, |x_d \cap y_d| / d}{\sum_{d=1}^{D} p^{d-1}}
//! ```
//! The ideal ranking contains the documents with a grade above 0 in descending order of grade. Documents of
//! equal grade are in the order of the run, followed by those that the run lacks. RBO(x, y) = Σ of p^(d − 1) ·
//! |x(d) ∩ y(d)| / d over depths d = 1 … D, divided by Σ of p^(d − 1), where x(d) is the set of the first d
//! documents. Compat = RBO(run, ideal) / RBO(ideal, ideal), or with `normalize='False'` the numerator alone. D
//! is k for Compat@k, otherwise the length of the longer of run and ideal.
//!
//! # Worked example
//! Grades 0, 2 in rank order, one document of grade 1 not retrieved, p = 0.5. The ideal starts with the
//! document at rank 2, so the overlaps at depths 1 and 2 are 0 and 1 of 2: 0.5 · 1/2 = 0.25. The ideal with
//! itself gives 1 + 0.5 = 1.5. Compat(p=0.5) = 0.25 / 1.5 = 0.166667, and without normalisation 0.25 / (1 +
//! 0.5) = 0.166667 as well. At depth 3 (Compat(p=0.5)@3) the overlap is 1 of 3: (0.25 + 0.25 / 3) / (1.5 + 0.25
//! · 2/3) = 0.2.
//!
//! # Undefined when
//! No document has a grade above 0.
//!
//! # Differences between tools
//! `ir_measures` agrees without a cutoff and gives 0 where the measure is undefined. It orders equal grades by
//! the run's scores, with 0 for documents that the run lacks, which fails for negative scores. The authors'
//! script computes Compat@1000, averages only topics that have an ideal, and clamps p to 0.01 to 0.99; here
//! other values of p are an error.
//!
//! # References
//! Clarke, Smucker and Vtyurina 2020.

use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind};
use cranfield_core::topic::{JudgedRanking, Label};

/// Compatibility with the nearest ideal ranking.
#[derive(Clone, Debug)]
pub(super) struct Compat {
    p: f64,
    normalize: bool,
    cutoff: Option<Cutoff>,
}

impl Measure for Compat {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let positive = topic.base().positive();
        let ideal: usize = positive.iter().map(|level| level.count as usize).sum();
        if ideal == 0 {
            return None;
        }
        let longer = topic.retrieved().max(ideal);
        let depth = self.cutoff.map_or(longer, Cutoff::get);
        let sums = self.sums(&shared_from(topic), ideal, depth);
        let divisor = if self.normalize {
            sums.ideal
        } else {
            sums.weights
        };
        Some(sums.run / divisor)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.gain())
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Compat",
    aliases: &["compatibility"],
    summary: "compatibility: rank-biased overlap with the nearest ideal ranking",
    page: crate::page::page!("compat.rs"),
    params: &[P, NORMALIZE],
    references: &[
        "C. L. A. Clarke, M. D. Smucker and A. Vtyurina: Offline evaluation by maximum similarity to an ideal ranking. CIKM 2020. doi:10.1145/3340531.3411915",
        "C. L. A. Clarke, A. Vtyurina and M. D. Smucker: Offline evaluation without gain. ICTIR 2020. doi:10.1145/3409256.3409816",
    ],
    build: |params| {
        Ok(Computation::ranked(Compat {
            p: params.real("p"),
            normalize: params.word("normalize") == "True",
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

const P: ParamInfo = ParamInfo {
    name: "p",
    kind: ParamKind::Real {
        min: 0.01,
        max: 0.99,
    },
    default: "0.95",
    help: "persistence: probability of continuing to the next document",
};

const NORMALIZE: ParamInfo = ParamInfo {
    name: "normalize",
    kind: ParamKind::Word(&["True", "False"]),
    default: "True",
    help: "divide by the value of the ideal ranking",
};

/// Sums over depths of p^(d − 1) times the agreement of the run, of the ideal with itself, and of 1.
#[derive(Debug, Default)]
struct Sums {
    run: f64,
    ideal: f64,
    weights: f64,
}

impl Compat {
    /// `shared_from` lists, in ascending order, the depth from which each document is shared. Stops once the
    /// powers vanish.
    fn sums(&self, shared_from: &[usize], ideal: usize, depth: usize) -> Sums {
        let (mut sums, mut power, mut shared) = (Sums::default(), 1.0, 0);
        for d in 1..=depth {
            while shared_from.get(shared).is_some_and(|&from| from <= d) {
                shared += 1;
            }
            sums.run += power * (shared as f64 / d as f64);
            sums.ideal += power * (ideal.min(d) as f64 / d as f64);
            sums.weights += power;
            power *= self.p;
            if power < f64::MIN_POSITIVE {
                break;
            }
        }
        sums
    }
}

/// For each retrieved document of the ideal, the depth from which both lists contain it, ascending.
fn shared_from(topic: &JudgedRanking<'_>) -> Vec<usize> {
    let mut hits: Vec<(f64, usize)> = topic
        .hits()
        .iter()
        .filter(|hit| hit.label.gain() > 0.0)
        .map(|hit| (hit.label.gain(), hit.rank as usize))
        .collect();
    // Equal grades stay in the order of the run.
    hits.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut depths = Vec::with_capacity(hits.len());
    let (mut rest, mut place) = (hits.as_slice(), 0);
    for level in topic.base().positive() {
        let count = rest.partition_point(|(grade, _)| *grade >= level.grade);
        let (found, after) = rest.split_at(count);
        let places = found.iter().zip(place + 1..);
        depths.extend(places.map(|(&(_, rank), place)| rank.max(place)));
        rest = after;
        place += level.count as usize;
    }
    depths.sort_unstable();
    depths
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::path::PathBuf;

    use crate::measures::tests::{TestTopic, check, measure, undefined};
    use cranfield_core::measure::Computation;

    #[test]
    fn worked_example() {
        check("Compat(p=0.5)", &[0, 2], &[2, 1, 0], 0.25 / 1.5);
        check(
            "Compat(p=0.5, normalize=False)",
            &[0, 2],
            &[2, 1, 0],
            0.25 / 1.5,
        );
        check(
            "Compat(p=0.5)@3",
            &[0, 2],
            &[2, 1, 0],
            (0.25 + 0.25 * (1.0 / 3.0)) / (1.5 + 0.25 * (2.0 / 3.0)),
        );
    }

    #[test]
    fn an_ideal_ranking_scores_one() {
        check("Compat", &[3, 2, 2, 1, 0, -1], &[3, 2, 2, 1, 0], 1.0);
        check("Compat(p=0.8)@2", &[1, 1], &[1, 1, 1], 1.0);
    }

    #[test]
    fn edges() {
        check("Compat", &[], &[1], 0.0);
        check("Compat", &[0, -1, -2, -3], &[1, 0, -3], 0.0);
        check("Compat@18446744073709551615", &[1], &[1], 1.0);
        undefined("Compat", &[0, -1], &[0]);
        undefined("Compat", &[], &[]);
    }

    /// Values of `ir_measures` for its own test data, if available.
    #[test]
    fn golden() {
        let Some(folder) = folder() else { return };
        let read = |name: &str| {
            let text = std::fs::read_to_string(folder.join(name)).expect("the golden is readable");
            let lines = text.lines().map(|line| line.split_whitespace());
            lines
                .map(|fields| fields.map(str::to_owned).collect())
                .collect()
        };
        let (qrels, run, expected): (Lines, Lines, Lines) = (
            read("compat.qrels"),
            read("compat.run"),
            read("expected.tsv"),
        );
        let mut checked = 0;
        for (column, topic) in [(1, "31_1"), (2, "31_2")] {
            let (ranking, judged) = grades(topic, &qrels, &run);
            let topic = TestTopic::new(&ranking, &judged);
            for row in &expected[1..] {
                let Computation::Ranked(compat) = measure(&row[0]).computation else {
                    panic!("{} is not a measure of a ranking", row[0]);
                };
                let value = compat.evaluate(&topic.ranking()).expect("it is defined");
                let golden: f64 = row[column].parse().expect("a number");
                assert!((value - golden).abs() < 1e-12, "{value}, not {golden}");
                checked += 1;
            }
        }
        assert_eq!(checked, 6);
    }

    type Lines = Vec<Vec<String>>;

    /// Grades in rank order, −1 for unjudged, and the grades of all judged documents. The run is in rank order.
    fn grades(topic: &str, qrels: &Lines, run: &Lines) -> (Vec<i32>, Vec<i32>) {
        let judged: HashMap<&str, i32> = qrels
            .iter()
            .filter(|line| line[0] == topic)
            .map(|line| (line[2].as_str(), line[3].parse().expect("a grade")))
            .collect();
        let ranked = run.iter().filter(|line| line[0] == topic);
        let ranking = ranked.map(|line| judged.get(line[2].as_str()).copied().unwrap_or(-1));
        (ranking.collect(), judged.values().copied().collect())
    }

    fn folder() -> Option<PathBuf> {
        cranfield_testkit::golden("compat")
    }
}

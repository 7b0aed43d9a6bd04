//! Measures of diversity: a topic's judgement groups are its subtopics.

use std::borrow::Cow;

use crate::error::Error;
use crate::groups::GroupMeasure;
use crate::params::{ParamInfo, ParamKind, Params};
use crate::topic::{JudgedRanking, Relevant};

pub(super) mod alpha_dcg;
pub(super) mod ap;
pub(super) mod err_ia;
pub(super) mod nrbp;
pub(super) mod precision;
pub(super) mod st_recall;

/// The parameter α of measures of novelty.
const ALPHA: ParamInfo = ParamInfo {
    name: "alpha",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "how much of a subtopic's worth each document takes away from those below it",
};

/// The deepest cutoff for which the divisor is made.
const DEEPEST: usize = 1_000_000;

/// The binary readings of the subtopics that have a relevant document.
fn subtopics<'a>(
    groups: &'a [JudgedRanking<'_>],
    level: f64,
) -> impl Iterator<Item = Cow<'a, Relevant>> {
    let readings = groups.iter().map(move |group| group.relevant(level));
    readings.filter(|relevant| relevant.total > 0)
}

/// Σ of novel gain times the weight of the rank, to a depth, and the number of subtopics that have a relevant document.
fn novelty_sum(
    groups: &[JudgedRanking<'_>],
    level: f64,
    alpha: f64,
    depth: usize,
    weight: impl Fn(u32) -> f64,
) -> (f64, usize) {
    let (mut sum, mut all) = (0.0, 0);
    for relevant in subtopics(groups, level) {
        let mut worth = 1.0;
        for &rank in &relevant.ranks[..relevant.count_at(depth)] {
            sum += worth * weight(rank);
            worth *= 1.0 - alpha;
        }
        all += 1;
    }
    (sum, all)
}

/// Novel gain with a discount by rank, divided by that of a ranking of documents that are relevant to all subtopics.
#[derive(Debug)]
struct Novelty {
    alpha: f64,
    level: f64,
    cutoff: usize,
    discount: fn(u32) -> f64,
    /// The divisor for one subtopic.
    divisor: f64,
}

impl Novelty {
    fn new(params: &Params, discount: fn(u32) -> f64) -> Result<Self, Error> {
        let (alpha, cutoff) = (params.real("alpha"), params.required_cutoff());
        if cutoff > DEEPEST {
            return Err(Error::parameter(format!(
                "the cutoff must be at most {DEEPEST}, not {cutoff}"
            )));
        }
        let (mut divisor, mut worth) = (0.0, 1.0);
        for rank in 1..=cutoff as u32 {
            divisor += worth * discount(rank);
            worth *= 1.0 - alpha;
        }
        Ok(Self {
            alpha,
            level: params.level(),
            cutoff,
            discount,
            divisor,
        })
    }
}

impl GroupMeasure for Novelty {
    fn evaluate(&self, groups: &[JudgedRanking<'_>]) -> Option<f64> {
        let (sum, all) = novelty_sum(groups, self.level, self.alpha, self.cutoff, self.discount);
        (all > 0).then(|| sum / (all as f64 * self.divisor))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::Computation;
    use crate::spec::{Conventions, parse_measure};
    use crate::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

    /// Ranks of the retrieved documents that a subtopic judged, the number that it judged in all, and the grade of all.
    pub(super) type Subtopic<'a> = (&'a [u32], u32, f64);

    /// Subtopics A (a relevant), B (a and b) and C (c); ranking b, a, and an unjudged document.
    pub(super) const EXAMPLE: &[Subtopic<'static>] =
        &[(&[2], 1, 1.0), (&[1, 2], 2, 1.0), (&[], 1, 1.0)];

    pub(super) fn evaluate(name: &str, subtopics: &[Subtopic<'_>]) -> Option<f64> {
        let made: Vec<(Vec<Hit>, [GradeCount; 1])> = subtopics
            .iter()
            .map(|&(ranks, count, grade)| {
                let label = Label::Judged(grade);
                let hits = ranks.iter().map(|&rank| Hit { rank, label });
                (hits.collect(), [GradeCount { grade, count }])
            })
            .collect();
        let rankings: Vec<_> = made
            .iter()
            .map(|(hits, grades)| JudgedRanking::new(20, hits, RecallBase::new(grades)))
            .collect();
        let measure =
            parse_measure(name, &Conventions::default()).expect("the measure is registered");
        match measure.computation {
            Computation::Grouped(measure) => measure.evaluate(&rankings),
            other => panic!("{name} is no measure of judgement groups but {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn check(name: &str, subtopics: &[Subtopic<'_>], expected: f64) {
        let value = evaluate(name, subtopics).expect("the value is defined");
        assert!(
            (value - expected).abs() < 1e-15,
            "{name}: {value}, not {expected}"
        );
    }

    #[track_caller]
    pub(super) fn undefined(name: &str, subtopics: &[Subtopic<'_>]) {
        assert_eq!(evaluate(name, subtopics), None, "{name}");
    }

    #[test]
    fn a_cutoff_has_a_limit() {
        let error = parse_measure("ERR_IA@1000001", &Conventions::default());
        let text = error.map(|_| ()).expect_err("too deep").to_string();
        assert_eq!(text, "the cutoff must be at most 1000000, not 1000001");
    }
}

//! User models of the C/W/L framework, one file each, and their shared code.
//!
//! A model is the probability C(i) that the user continues from rank i to the next, given what was seen so far.
//! It determines V(i), the probability that rank i is seen: V(1) = 1, V(i + 1) = V(i) · C(i), the weights W(i)
//! = V(i) / ΣV, and L(i) = V(i) · (1 − C(i)), the probability that rank i is the last one seen.

use std::cell::RefCell;
use std::fmt;

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind, Params, Value};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

pub(super) mod bpm;
pub(super) mod bpm_dynamic;
pub(super) mod cwl_ap;
pub(super) mod cwl_p;
pub(super) mod cwl_rbp;
pub(super) mod cwl_rr;
pub(super) mod cwl_tbg;
pub(super) mod cwl_trap;
pub(super) mod cwl_u;
pub(super) mod ift;
pub(super) mod insq;
pub(super) mod inst;
mod nearly_err;
pub(super) mod nerr10;
pub(super) mod nerr11;
pub(super) mod nerr8;
pub(super) mod nerr9;
pub(super) mod npv;
pub(super) mod set;
pub(super) mod tbg;
pub(super) mod u_measure;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

/// The parameters of a measure: its own, then those of the family.
macro_rules! params {
    ($($own:expr),*) => {
        &[$($own,)* super::FIGURE, super::RESIDUAL, cranfield_core::params::ParamInfo::LEVEL, super::MIN_REL, super::MAX_REL, super::DEPTH]
    };
}

use params;

/// Fields shared by these measures.
const CWL: MeasureInfo = MeasureInfo {
    params: &[FIGURE, RESIDUAL, ParamInfo::LEVEL, MIN_REL, MAX_REL, DEPTH],
    cutoff: CutoffRule::None,
    ..MeasureInfo::DEFAULT
};

/// References for the framework and its program.
const FRAMEWORK: &str = "A. Moffat, P. Bailey, F. Scholer and P. Thomas: Incorporating user expectations and behavior into the measurement of search effectiveness. ACM TOIS 35(3), 2017. doi:10.1145/3052768";
const PROGRAM: &str = "L. Azzopardi, P. Thomas and A. Moffat: cwl_eval: an evaluation tool for information retrieval. SIGIR 2019. doi:10.1145/3331184.3331398";

const FIGURE: ParamInfo = ParamInfo {
    name: "figure",
    kind: ParamKind::Word(&["EU", "ETU", "EC", "ETC", "ED"]),
    default: "EU",
    help: "expected utility (EU) or cost (EC) per document, totals (ETU, ETC), or expected depth (ED)",
};

const RESIDUAL: ParamInfo = ParamInfo {
    name: "residual",
    kind: ParamKind::Word(&["false", "true"]),
    default: "false",
    help: "report the increase if every unjudged or missing document had gain 1",
};

const MIN_REL: ParamInfo = ParamInfo {
    name: "min_rel",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "0",
    help: "grade with gain 0, if max_rel is given",
};

const MAX_REL: ParamInfo = ParamInfo {
    name: "max_rel",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "0",
    help: "grade with gain 1; gains are binary at rel unless it is above min_rel",
};

const DEPTH: ParamInfo = ParamInfo {
    name: "depth",
    kind: ParamKind::Real { min: 1.0, max: 1e6 },
    default: "1000",
    help: "number of ranks after which every user stops",
};

/// The gain the user wants, in models with a target.
const T: ParamInfo = ParamInfo {
    name: "T",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1",
    help: "total gain the user wants",
};

/// The cost of one document, in models that measure time or length.
const COST: ParamInfo = ParamInfo {
    name: "cost",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1",
    help: "cost of one document, the same for all",
};

/// The requested quantity, one of five.
#[derive(Clone, Copy, Debug)]
enum Figure {
    Utility,
    TotalUtility,
    Cost,
    TotalCost,
    Depth,
}

/// The five quantities of one ranking.
#[derive(Clone, Copy, Debug)]
struct Figures {
    utility: f64,
    total_utility: f64,
    cost: f64,
    total_cost: f64,
    depth: f64,
}

impl Figures {
    fn get(&self, figure: Figure) -> f64 {
        match figure {
            Figure::Utility => self.utility,
            Figure::TotalUtility => self.total_utility,
            Figure::Cost => self.cost,
            Figure::TotalCost => self.total_cost,
            Figure::Depth => self.depth,
        }
    }
}

/// Maps a grade to a gain from 0 to 1.
#[derive(Clone, Copy, Debug)]
enum GainRule {
    /// 1 for a judged document that is relevant at this level.
    Binary(f64),
    /// The grade's relative position between two grades.
    Scaled { min: f64, max: f64 },
}

impl GainRule {
    fn of(params: &Params) -> Self {
        let (min, max) = (params.real("min_rel"), params.real("max_rel"));
        if max > min {
            Self::Scaled { min, max }
        } else {
            Self::Binary(params.level())
        }
    }

    fn of_label(self, label: Label) -> f64 {
        match label {
            Label::Judged(grade) => self.of_grade(grade),
            Label::Pooled | Label::Unjudged => 0.0,
        }
    }

    fn of_grade(self, grade: f64) -> f64 {
        match self {
            Self::Binary(level) => f64::from(u8::from(Label::Judged(grade).is_relevant(level))),
            Self::Scaled { min, max } => (grade.max(min).min(max) - min) / (max - min),
        }
    }
}

/// A ranking as the user reads it: gains by rank down to a depth, even if the ranking is shorter.
#[derive(Clone, Copy, Debug)]
struct Reading<'a> {
    topic: &'a JudgedRanking<'a>,
    rule: GainRule,
    depth: u32,
    /// Cost of each document.
    cost: f64,
    /// Gain of an unjudged document or of one beyond the end of the ranking.
    unknown: f64,
    /// Trace of a walk, if requested.
    trace: Option<&'a RefCell<Vec<Visited>>>,
}

/// A rank visited by a walk.
#[derive(Clone, Copy, Debug)]
struct Visited {
    gain: f64,
    /// V(i) and C(i).
    view: f64,
    onward: f64,
}

impl Reading<'_> {
    /// The gain at each rank down to the depth.
    fn gains(&self) -> impl Iterator<Item = f64> + '_ {
        let mut hits = self.topic.hits().iter().peekable();
        (1..=self.depth).map(move |rank| {
            match hits.next_if(|hit| hit.rank == rank).map(|hit| hit.label) {
                Some(Label::Judged(grade)) => self.rule.of_grade(grade),
                Some(Label::Pooled | Label::Unjudged) | None => self.unknown,
            }
        })
    }

    /// The number of judged documents with a gain, retrieved or not.
    fn relevant(&self) -> usize {
        let levels = self.topic.base().grades().iter();
        let with_gain = levels.filter(|level| self.rule.of_grade(level.grade) > 0.0);
        with_gain.map(|level| level.count as usize).sum()
    }
}

/// State of the user on reaching a rank.
#[derive(Clone, Copy, Debug)]
struct Seen {
    rank: f64,
    gain: f64,
    total_gain: f64,
    total_cost: f64,
}

/// Computes the quantities for a user who continues from each rank with the probability given by `go_on`.
fn walk(reading: &Reading<'_>, mut go_on: impl FnMut(&Seen) -> f64) -> Figures {
    let (mut view, mut views, mut utility) = (1.0, 0.0, 0.0);
    let (mut total_utility, mut total_cost) = (0.0, 0.0);
    let mut seen = Seen {
        rank: 0.0,
        gain: 0.0,
        total_gain: 0.0,
        total_cost: 0.0,
    };
    for gain in reading.gains() {
        seen.rank += 1.0;
        seen.gain = gain;
        seen.total_gain += gain;
        seen.total_cost += reading.cost;
        let onward = go_on(&seen);
        let last = view * (1.0 - onward);
        if let Some(trace) = reading.trace {
            trace.borrow_mut().push(Visited { gain, view, onward });
        }
        views += view;
        utility += view * gain;
        total_utility += last * seen.total_gain;
        total_cost += last * seen.total_cost;
        view *= onward;
        if view == 0.0 {
            break;
        }
    }
    Figures {
        utility: utility / views,
        total_utility,
        cost: reading.cost,
        total_cost,
        depth: views,
    }
}

/// A model of a user.
trait UserModel: fmt::Debug + Send + Sync + 'static {
    /// The quantities for a reading, or `None` where the model has none.
    fn read(&self, reading: &Reading<'_>) -> Option<Figures>;

    /// Whether the weights of ranks are fixed, independent of the documents found.
    fn is_fixed(&self) -> bool {
        false
    }
}

/// A model with the parameters common to all models.
#[derive(Debug)]
struct Cwl<M> {
    model: M,
    figure: Figure,
    residual: bool,
    rule: GainRule,
    depth: u32,
    cost: f64,
}

impl<M: UserModel> Cwl<M> {
    fn computation(params: &Params, model: M) -> Computation {
        Computation::ranked(Self {
            model,
            figure: match params.word("figure") {
                "ETU" => Figure::TotalUtility,
                "EC" => Figure::Cost,
                "ETC" => Figure::TotalCost,
                "ED" => Figure::Depth,
                _ => Figure::Utility,
            },
            residual: params.word("residual") == "true",
            rule: GainRule::of(params),
            depth: params.real("depth") as u32,
            cost: match params.value("cost") {
                Some(Value::Real(cost)) => *cost,
                _ => 1.0,
            },
        })
    }

    fn figure(&self, topic: &JudgedRanking<'_>, unknown: f64) -> Option<f64> {
        let reading = self.reading(topic, unknown, None);
        Some(self.model.read(&reading)?.get(self.figure))
    }

    fn reading<'a>(
        &self,
        topic: &'a JudgedRanking<'a>,
        unknown: f64,
        trace: Option<&'a RefCell<Vec<Visited>>>,
    ) -> Reading<'a> {
        Reading {
            topic,
            rule: self.rule,
            depth: self.depth,
            cost: self.cost,
            unknown,
            trace,
        }
    }
}

impl<M: UserModel> Measure for Cwl<M> {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let worst = self.figure(topic, 0.0)?;
        if self.residual {
            Some(self.figure(topic, 1.0)? - worst)
        } else {
            Some(worst)
        }
    }

    fn merit(&self, label: Label) -> Option<f64> {
        let monotone = self.model.is_fixed() && !self.residual;
        monotone.then(|| self.rule.of_label(label))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let additive = || topic.additive(|order| self.evaluate(order));
        self.model.is_fixed().then(additive)?
    }

    /// Tabulates the expected utility over the ranks of the ranking.
    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let trace = RefCell::default();
        let reading = self.reading(topic, 0.0, Some(&trace));
        let value = self.model.read(&reading)?.utility;
        let visited = trace.into_inner();
        let asked = matches!(self.figure, Figure::Utility) && !self.residual;
        if !asked || visited.is_empty() || !value.is_finite() {
            return None;
        }
        let views: f64 = visited.iter().map(|rank| rank.view).sum();
        let mut sum = 0.0;
        let ranks = visited.iter().zip(1u32..).take(topic.retrieved());
        let rows = ranks.map(|(rank, place)| {
            let weight = rank.view / views;
            let share = weight * rank.gain;
            sum += share;
            let cells = [rank.gain, rank.onward, rank.view, weight, sum];
            BoardRow::new(place, cells, share)
        });
        Some(Board {
            columns: vec!["gain", "C(i)", "V(i)", "W(i)", "sum"],
            rows: rows.collect(),
            steps: vec![
                Step::column("C(i)", "probability of continuing from rank i"),
                Step::column("V(i)", "probability of reaching rank i"),
                Step::rule("W(i)", "V(i) / sum of V", "V(i) / {}", [views]),
                Step::result("sum of W(i) * gain(i)", "{}", [sum], value),
            ],
        })
    }
}

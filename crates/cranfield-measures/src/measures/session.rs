//! Session measures, one file each, and their shared code.

use cranfield_core::error::Error;
use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::gains::Gains;
use cranfield_core::measure::{MeasureInfo, Range};
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::session::{JudgedSession, SessionDiscount};

use crate::measures::common::depth;

pub(super) mod ns_dcg;
pub(super) mod session_dcg;

/// Fields shared by these measures.
const SESSION: MeasureInfo = MeasureInfo {
    params: &[Gains::PARAM, RANKING_BASE, RANK_BASE],
    range: Range::COUNT,
    references: &[
        "K. Järvelin, S. Price, L. Delcambre and M. Nielsen: Discounted cumulated gain based evaluation of multiple-query IR sessions. ECIR 2008",
        "G. H. Yang, Z. Tang and I. Soboroff: TREC 2017 dynamic domain track overview. TREC 2017",
    ],
    ..MeasureInfo::DEFAULT
};

const RANKING_BASE: ParamInfo = ParamInfo {
    name: "bq",
    kind: ParamKind::Real {
        min: 1.000_001,
        max: 1e9,
    },
    default: "4",
    help: "base of the logarithm that discounts later rankings",
};

const RANK_BASE: ParamInfo = ParamInfo {
    name: "b",
    kind: ParamKind::Real {
        min: 1.000_001,
        max: 1e9,
    },
    default: "2",
    help: "base of the logarithm that discounts later ranks",
};

/// Gains of a session, discounted.
#[derive(Clone, Debug)]
struct SessionGain {
    gains: Gains,
    discount: SessionDiscount,
    depth: usize,
}

impl SessionGain {
    fn of(params: &Params) -> Result<Self, Error> {
        let (bq, b) = (params.real("bq"), params.real("b"));
        let discount = SessionDiscount::new(bq, b);
        let discount = discount.ok_or_else(|| {
            Error::parameter(format!("the bases bq={bq} and b={b} must be above 1"))
        })?;
        Ok(Self {
            gains: params.gains("gains").clone(),
            discount,
            depth: depth(params.cutoff()),
        })
    }

    /// Tabulates rankings given as gains, with shares as terms divided by `whole`, and returns the sum of all
    /// terms.
    fn boards(&self, rankings: &[Vec<f64>], whole: f64) -> (Vec<Board>, f64) {
        let (discount, mut sum) = (self.discount, 0.0);
        let boards = rankings.iter().zip(1usize..).map(|(gains, number)| {
            let mut rows = Vec::new();
            for (gain, rank) in gains.iter().zip(1usize..).filter(|(gain, _)| **gain > 0.0) {
                let term = gain * discount.weight(number, rank);
                sum += term;
                let cells = [*gain, discount.of_rank(rank), term, sum];
                rows.push(BoardRow::new(rank as u32, cells, term / whole));
            }
            Board {
                columns: vec!["gain", "disc.", "gain/d", "sum"],
                rows,
                steps: vec![self.ranking_step(number)],
            }
        });
        (boards.collect(), sum)
    }

    /// The discount of the ranking with this number.
    fn ranking_step(&self, number: usize) -> Step {
        let [base, _] = self.discount.bases();
        Step {
            name: "dq".into(),
            formula: "1 + log_bq(q)",
            worked: "1 + log_{}({})",
            numbers: vec![base, number as f64],
            value: Some(self.discount.of_ranking(number)),
        }
    }

    /// Captions of the table columns.
    fn column_steps(&self) -> Vec<Step> {
        let [later, base] = self.discount.bases();
        vec![
            Step::rule(
                "dq",
                "1 + log_bq(q)",
                "1 + log_{}(q), q the ranking",
                [later],
            ),
            Step::rule("disc.", "1 + log_b(rank)", "1 + log_{}(rank)", [base]),
            Step::column("d", "dq times disc."),
            Step::column("sum", "of gain/d over this ranking and those before it"),
        ]
    }

    /// The gains of each ranking to the cutoff, in rank order.
    fn rankings(&self, session: &JudgedSession<'_>) -> Vec<Vec<f64>> {
        let gains = |ranking: &Vec<_>| {
            let shown = ranking.iter().take(self.depth);
            shown.map(|label| self.gains.of_label(*label)).collect()
        };
        session.rankings.iter().map(gains).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::measure;
    use cranfield_core::measure::Computation;
    use cranfield_core::session::JudgedSession;
    use cranfield_core::topic::Label;

    /// First ranking: grades 1, 0; second ranking: grade 2.
    pub(super) const SESSION: &[&[i32]] = &[&[1, 0], &[2]];

    fn evaluate(name: &str, rankings: &[&[i32]], judged: &[i32]) -> Option<f64> {
        let label = |grade: &i32| match grade {
            -1 => Label::Unjudged,
            grade => Label::Judged(f64::from(*grade)),
        };
        let rankings = rankings.iter().map(|r| r.iter().map(label).collect());
        let judged: Vec<_> = judged.iter().map(|grade| f64::from(*grade)).collect();
        match measure(name).computation {
            Computation::Session(measure) => measure.evaluate(&JudgedSession {
                rankings: &rankings.collect::<Vec<_>>(),
                judged: &judged,
            }),
            other => panic!("{name} is {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn check(name: &str, rankings: &[&[i32]], judged: &[i32], expected: f64) {
        let value = evaluate(name, rankings, judged).expect("the value is defined");
        assert!((value - expected).abs() < 1e-12, "{name}: {value}");
    }

    #[track_caller]
    pub(super) fn undefined(name: &str, rankings: &[&[i32]], judged: &[i32]) {
        assert_eq!(evaluate(name, rankings, judged), None, "{name}");
    }
}

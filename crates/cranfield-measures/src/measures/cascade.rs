//! The cascade model: a user reads from the top and stops at the first satisfying document.

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::gains::Gains;
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::quotient;
use super::gain_model::{GainModel, TopicGains};

/// Maps a document's gain to the probability that it satisfies the user.
#[derive(Clone, Debug)]
pub(super) struct Cascade {
    gains: GainModel,
    /// The greatest gain, or `None` for the topic's own.
    most: Option<f64>,
}

impl Cascade {
    /// Gains, 2^grade − 1 by default.
    pub(super) const GAINS: ParamInfo = ParamInfo {
        default: "exp",
        ..Gains::PARAM
    };

    /// The highest grade.
    pub(super) const MAX: ParamInfo = ParamInfo {
        name: "max",
        kind: ParamKind::Real {
            min: 0.0,
            max: f64::INFINITY,
        },
        default: "4",
        help: "highest grade of the scale",
    };

    /// Which highest grade is used.
    pub(super) const SCALE: ParamInfo = ParamInfo {
        name: "scale",
        kind: ParamKind::Word(&["max", "topic"]),
        default: "max",
        help: "highest grade used for the probabilities: that of the scale (max), or of the topic's qrels",
    };

    /// Reads the parameters above.
    pub(super) fn of(params: &Params) -> Self {
        let gains = GainModel::by_gain(params);
        let most = match params.word("scale") {
            "topic" => None,
            _ => Some(gains.of_grade(params.real("max")).max(0.0)),
        };
        Self { gains, most }
    }

    /// A document's gain as its merit, see [`Measure::merit`](cranfield_core::measure::Measure::merit).
    pub(super) fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit(label)
    }

    /// The model of one topic.
    pub(super) fn read<'a>(&'a self, topic: &JudgedRanking<'a>) -> TopicCascade<'a> {
        let gains = self.gains.read(topic);
        let own = || gains.ideal_steps().first().map_or(0.0, |step| step.grade);
        let scale = self.most.unwrap_or_else(own) + 1.0;
        TopicCascade { gains, scale }
    }
}

/// The cascade model of one topic.
#[derive(Debug)]
pub(super) struct TopicCascade<'a> {
    gains: TopicGains<'a>,
    scale: f64,
}

impl TopicCascade<'_> {
    /// Expected reciprocal rank of the first `depth` documents.
    pub(super) fn err(&self, depth: usize) -> f64 {
        let documents = self.gains.relevant();
        self.expectation(documents.take_while(|(rank, _)| *rank as usize <= depth))
    }

    /// Expected reciprocal rank of the first `depth` documents of the ideal ranking.
    pub(super) fn ideal_err(&self, depth: usize) -> f64 {
        self.expectation((1u32..).zip(self.gains.ideal_gains().take(depth)))
    }

    /// The expected value over ties of [`err`](Self::err).
    pub(super) fn expected_err(&self, topic: &TiedRanking<'_>, depth: usize) -> Option<f64> {
        let satisfied = |label: Label| self.satisfied(self.gains.gain(label).max(0.0));
        topic.cascade(satisfied, |rank| 1.0 / f64::from(rank), depth)
    }

    /// The probability that a document of this gain satisfies the user.
    fn satisfied(&self, gain: f64) -> f64 {
        (gain / self.scale).min(1.0)
    }

    /// Tabulates the sum.
    pub(super) fn board(&self, depth: usize) -> Option<Board> {
        let sum = self.err(depth);
        sum.is_finite().then(|| Board {
            columns: vec!["gain", "stop", "reach", "term", "sum"],
            rows: self.rows(depth, 1.0),
            steps: vec![
                self.scale_step(),
                Step::result("sum of reach * stop / rank", "{}", [sum], sum),
            ],
        })
    }

    /// Tabulates the sum next to that of the ideal ranking, by which it is divided.
    pub(super) fn normalised_board(&self, depth: usize) -> Option<Board> {
        let (sum, ideal) = (self.err(depth), self.ideal_err(depth));
        let value = quotient(sum, ideal)?;
        let mut rows = self.rows(depth, ideal).into_iter().peekable();
        let (mut paired, mut ideal_sum, mut reading) = (Vec::new(), 0.0, 1.0);
        for (gain, rank) in self.gains.ideal_gains().take(depth).zip(1u32..) {
            let stop = (gain / self.scale).min(1.0);
            ideal_sum += reading * stop / f64::from(rank);
            reading *= 1.0 - stop;
            let mut row = rows.next_if(|row| row.rank == rank).unwrap_or(BoardRow {
                cells: vec![None; 5],
                ..BoardRow::new(rank, [], 0.0)
            });
            // The terms are omitted so that the table fits a terminal.
            row.cells.remove(3);
            row.needed = true;
            row.cells.extend([Some(gain), Some(ideal_sum)]);
            paired.push(row);
        }
        paired.extend(rows.map(|mut row| {
            row.cells.remove(3);
            row.cells.extend([None, None]);
            row
        }));
        Some(Board {
            columns: vec!["gain", "stop", "reach", "ERR", "ideal", "best"],
            rows: paired,
            steps: vec![
                self.scale_step(),
                Step::column(
                    "ERR, best",
                    "sums of reach * stop / rank for the ranking and the ideal ranking",
                ),
                Step::result("ERR / best ERR", "{} / {}", [sum, ideal], value),
            ],
        })
    }

    fn scale_step(&self) -> Step {
        let formula = "min(1, gain / (highest gain + 1))";
        Step::rule("stop", formula, "min(1, gain / {})", [self.scale])
    }

    /// Gain, probabilities of stopping at and of reaching the rank, term and sum at the ranks with a gain.
    /// Shares are terms divided by `whole`.
    fn rows(&self, depth: usize, whole: f64) -> Vec<BoardRow> {
        let (mut sum, mut reading) = (0.0, 1.0);
        let documents = self.gains.relevant();
        let within = documents.take_while(|(rank, _)| *rank as usize <= depth);
        let rows = within.map(|(rank, gain)| {
            let (stop, reach) = ((gain / self.scale).min(1.0), reading);
            let term = reach * stop / f64::from(rank);
            sum += term;
            reading *= 1.0 - stop;
            BoardRow::new(rank, [gain, stop, reach, term, sum], term / whole)
        });
        rows.collect()
    }

    fn expectation(&self, documents: impl Iterator<Item = (u32, f64)>) -> f64 {
        let (mut sum, mut reading) = (0.0, 1.0);
        for (rank, gain) in documents {
            let satisfied = self.satisfied(gain);
            sum += reading * satisfied / f64::from(rank);
            reading *= 1.0 - satisfied;
        }
        sum
    }
}

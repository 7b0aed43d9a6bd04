//! The summary of a grading.

use std::collections::{BTreeMap, HashMap};

use cranfield_render::{Cell, Column, Content, Records, Render, Table};
use cranfield_stats::agreement::{Ratings, Weights, fleiss, percent_agreement};
use serde_json::{Value, json};

use crate::queue::Pair;

/// Lines of a program that were not used, and questions that it failed to answer in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// Answers to questions that were not asked.
    pub unknown: usize,
    /// Second answers.
    pub twice: usize,
    /// Grades that are not on the scale.
    pub off_scale: usize,
    /// Answers without a grade, a reason to skip or an error.
    pub no_grade: usize,
    /// Lines that are not an answer in JSON.
    pub not_json: usize,
    /// Errors that the program reported.
    pub errors: usize,
    /// Questions without an answer in time.
    pub timed_out: usize,
}

impl Refused {
    /// Counts with their names.
    pub fn counts(&self) -> [(&'static str, usize); 7] {
        [
            ("unknown id", self.unknown),
            ("second answer", self.twice),
            ("grade off the scale", self.off_scale),
            ("no grade", self.no_grade),
            ("not JSON", self.not_json),
            ("error", self.errors),
            ("timed out", self.timed_out),
        ]
    }
}

/// How often a program gives the same grade again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfAgreement {
    /// Share of pairs of votes with equal grades.
    pub percent: f64,
    /// Fleiss's kappa; `None` if it is undefined.
    pub fleiss: Option<f64>,
}

impl SelfAgreement {
    /// The agreement of several samples; `None` for one.
    pub(super) fn of(samples: &[Vec<(Pair, u8)>]) -> Option<Self> {
        if samples.len() < 2 {
            return None;
        }
        let mut places: BTreeMap<&Pair, usize> = BTreeMap::new();
        for (pair, _) in samples.iter().flatten() {
            let next = places.len();
            places.entry(pair).or_insert(next);
        }
        let raters = samples.iter().map(|sample| {
            let grades: HashMap<usize, f64> = sample
                .iter()
                .filter_map(|(pair, grade)| Some((*places.get(pair)?, f64::from(*grade))))
                .collect();
            (0..places.len())
                .map(|at| grades.get(&at).copied())
                .collect()
        });
        let raters: Vec<Vec<Option<f64>>> = raters.collect();
        let ratings = Ratings::new(&raters).ok()?;
        Some(Self {
            percent: percent_agreement(&ratings, Weights::Identity)?,
            fleiss: fleiss(&ratings, Weights::Identity),
        })
    }
}

/// The summary of a program's judgements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graded {
    /// The assessor.
    pub who: String,
    /// The name and version that the program gives.
    pub version: Option<String>,
    /// Questions in all.
    pub questions: usize,
    /// Questions that were asked this time.
    pub asked: usize,
    /// Questions that are answered, now or before.
    pub answered: usize,
    /// Questions that remain.
    pub left: usize,
    /// Number of answers with each grade.
    pub grades: BTreeMap<u8, usize>,
    /// Agreement of several votes.
    pub agreement: Option<SelfAgreement>,
    /// Lines that were not used.
    pub refused: Refused,
    /// Restarts of the program.
    pub restarts: u32,
    /// Why the program was given up, if it was.
    pub stopped: Option<String>,
    /// The last lines that it wrote to standard error, if it was given up.
    pub messages: Vec<String>,
}

impl Graded {
    fn rows(&self) -> Vec<(String, f64)> {
        let mut rows = vec![
            ("questions".to_owned(), self.questions as f64),
            ("asked now".to_owned(), self.asked as f64),
            ("answered".to_owned(), self.answered as f64),
            ("left".to_owned(), self.left as f64),
        ];
        let skipped = self.answered.saturating_sub(self.grades.values().sum());
        let grades = self.grades.iter();
        rows.extend(grades.map(|(grade, count)| (format!("grade {grade}"), *count as f64)));
        let refused = self.refused.counts();
        let mut counts = vec![("skipped", skipped)];
        counts.extend(refused);
        counts.push(("restarts", self.restarts as usize));
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        rows.extend(counts.map(|(name, count)| (name.to_owned(), count as f64)));
        if let Some(agreement) = &self.agreement {
            rows.push(("self-agreement".to_owned(), agreement.percent));
            let kappa = agreement.fleiss;
            rows.extend(kappa.map(|kappa| ("self-agreement, Fleiss' kappa".to_owned(), kappa)));
        }
        rows
    }
}

impl Render for Graded {
    fn content(&self) -> Content {
        let mut table = Table::new([Column::text("assessor"), Column::number(&self.who)]);
        for (name, value) in self.rows() {
            let shown = if value.fract() == 0.0 && !name.starts_with("self") {
                value.to_string()
            } else {
                format!("{value:.4}")
            };
            table.push([Cell::text(name), Cell::text(shown)]);
        }
        table.into()
    }

    fn records(&self) -> Records<'_> {
        let rows = self.rows().into_iter();
        let who = self.who.clone();
        Records::named(
            ["assessor", "name", "value"],
            rows.map(move |(name, value)| {
                vec![Cell::text(&who), Cell::text(name), Cell::real(Some(value))]
            }),
        )
    }

    fn json(&self) -> Value {
        let grades: serde_json::Map<String, Value> = self
            .grades
            .iter()
            .map(|(grade, count)| (grade.to_string(), json!(count)))
            .collect();
        let refused: serde_json::Map<String, Value> = self
            .refused
            .counts()
            .iter()
            .map(|(name, count)| ((*name).to_owned(), json!(count)))
            .collect();
        json!({
            "assessor": self.who,
            "version": self.version,
            "questions": self.questions,
            "asked": self.asked,
            "answered": self.answered,
            "left": self.left,
            "grades": grades,
            "self_agreement": self.agreement.map(|agreement| json!({
                "percent": agreement.percent,
                "fleiss": agreement.fleiss,
            })),
            "refused": refused,
            "restarts": self.restarts,
            "stopped": self.stopped,
            "messages": self.messages,
        })
    }
}

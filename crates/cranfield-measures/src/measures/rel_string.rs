//! # What it measures
//! The grades of the first documents as a string, one character each. Not a number.
//!
//! # User model
//! None: a diagnostic of the judgements or the run.
//!
//! # Formula
//! For each of the first `length` documents: the digit of a grade from 0 to 9, `>` for a higher grade, `<` for
//! a judged grade below zero, `-` for an unjudged document, `.` for one that was pooled but not judged. If
//! unjudged documents count as relevant, the last two are shown as the grade they count as. If a value is an
//! average over tie orders or over treatments of unjudged documents, the string shows tied documents by
//! descending id and documents as judged.
//!
//! # Worked example
//! Grades 1, 2, unjudged, unjudged: RelString = 12--; RelString(length=1) = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it in single quotes (`relstring`), for topics only. There, grades below zero always mean
//! 'pooled, not judged'.
//!
//! # References
//! trec_eval.

use std::iter::repeat_n;
use std::sync::Arc;

use cranfield_core::measure::{Aggregate, Computation, Direction, MeasureInfo, Range, TextMeasure};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::topic::{JudgedRanking, Label};

/// The first grades as text.
#[derive(Clone, Debug)]
pub(super) struct RelString {
    length: usize,
}

impl TextMeasure for RelString {
    fn describe(&self, topic: &JudgedRanking<'_>) -> String {
        let shown = self.length.min(topic.retrieved());
        let mut text = String::with_capacity(shown);
        // All characters are ASCII.
        for hit in topic.hits_at(shown) {
            text.extend(repeat_n(UNJUDGED, hit.rank as usize - 1 - text.len()));
            text.push(character(hit.label));
        }
        text.extend(repeat_n(UNJUDGED, shown - text.len()));
        text
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RelString",
    summary: "the first grades as a string",
    page: crate::page::page!("rel_string.rs"),
    params: &[LENGTH],
    cutoff: CutoffRule::None,
    range: Range::ANY,
    aggregate: Aggregate::None,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::Text(Arc::new(RelString {
            length: params.real("length") as usize,
        })))
    },
    ..MeasureInfo::DEFAULT
};

const LENGTH: ParamInfo = ParamInfo {
    name: "length",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "10",
    help: "number of documents to show",
};

const UNJUDGED: char = '-';

fn character(label: Label) -> char {
    match label {
        Label::Unjudged => UNJUDGED,
        Label::Pooled => '.',
        Label::Judged(grade) if grade < 0.0 => '<',
        Label::Judged(grade) if grade >= 10.0 => '>',
        Label::Judged(grade) => char::from(b'0' + grade as u8),
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{TestTopic, measure};

    use cranfield_core::measure::Computation;

    #[track_caller]
    fn check(name: &str, ranking: &[i32], expected: &str) {
        let topic = TestTopic::new(ranking, &[]);
        match measure(name).computation {
            Computation::Text(measure) => assert_eq!(measure.describe(&topic.ranking()), expected),
            other => panic!("{name} is {other:?}"),
        }
    }

    #[test]
    fn worked_example() {
        check("RelString", &[1, 2, -1, -1], "12--");
        check("RelString(length=1)", &[1, 2, -1, -1], "1");
    }

    #[test]
    fn edges() {
        check("relstring", &[-2, 1, -2, -1], ".1.-");
        check("relstring.3", &[9, 10, 0, 0], "9>0");
        check("relstring.-1", &[1], "");
        check("RelString", &[-3], "<");
        check("RelString", &[], "");
    }
}

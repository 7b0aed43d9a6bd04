//! Measures for a user who knew some documents before the search, one file each, and their shared code.

use cranfield_core::known::KnownItems;
use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind, Params};

pub(super) mod coverage;
pub(super) mod novelty;
pub(super) mod recall_effort;
pub(super) mod relative_recall;

/// Fields shared by these measures.
const KNOWN: MeasureInfo = MeasureInfo {
    params: &[ParamInfo::LEVEL],
    references: &[
        "R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997",
        "R. Baeza-Yates and B. Ribeiro-Neto: Modern Information Retrieval. Addison-Wesley, 1999",
    ],
    ..MeasureInfo::DEFAULT
};

/// Parameter: the number of relevant documents the user expects.
const EXPECTED: ParamInfo = ParamInfo {
    name: "expected",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "0",
    help: "number of relevant documents the user expects; 0 means as many as the user knows",
};

/// The number of relevant documents the user expects: the given number, or the number of known ones.
#[derive(Clone, Copy, Debug)]
struct Expected(usize);

impl Expected {
    fn of(params: &Params) -> Self {
        Self(params.real("expected").round() as usize)
    }

    fn number(self, items: &KnownItems) -> usize {
        match self.0 {
            0 => items.known(),
            given => given,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::measure;
    use cranfield_core::known::KnownTopic;
    use cranfield_core::measure::Computation;
    use cranfield_core::topic::Label;

    /// A document of the ranking: its grade (−1 if unjudged) and whether the user knew it.
    pub(super) type Seen = (i32, bool);

    /// Ranking x, a, b, y, c; relevant are a, b, c and d; the user knew a, d and y.
    pub(super) const RANKING: &[Seen] =
        &[(-1, false), (1, true), (2, false), (0, true), (1, false)];
    /// Grades of the documents the user knew.
    pub(super) const KNOWN: &[i32] = &[1, 1, 0];

    fn label(grade: i32) -> Label {
        match grade {
            -1 => Label::Unjudged,
            grade => Label::Judged(f64::from(grade)),
        }
    }

    fn evaluate(name: &str, ranking: &[Seen], known: &[i32]) -> Option<f64> {
        let ranking: Vec<_> = ranking
            .iter()
            .map(|(g, known)| (label(*g), *known))
            .collect();
        let known: Vec<_> = known.iter().map(|grade| label(*grade)).collect();
        match measure(name).computation {
            Computation::Known(measure) => measure.evaluate(&KnownTopic {
                ranking: &ranking,
                known: &known,
            }),
            other => panic!("{name} is {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn check(name: &str, ranking: &[Seen], known: &[i32], expected: f64) {
        assert_eq!(evaluate(name, ranking, known), Some(expected), "{name}");
    }

    #[track_caller]
    pub(super) fn undefined(name: &str, ranking: &[Seen], known: &[i32]) {
        assert_eq!(evaluate(name, ranking, known), None, "{name}");
    }
}

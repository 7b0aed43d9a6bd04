//! The evaluation of BEIR 2.2.0: `pytrec_eval`, and its own measures with their own policies.

use cranfield_core::policy::{IdenticalIds, NegativeGrades, Policies, TieBreak, TopicPolicy};

use super::{At, Meaning, Program};

/// A measure that BEIR computes itself: the sum over the run's topics, divided by the number of judged ones.
const fn own(name: &'static str, measure: &'static str) -> Meaning {
    Meaning::new(name, measure)
        .at(At::Always)
        .ties(TieBreak::InputOrder)
        .topics(TopicPolicy::Judged)
        .because(&[(
            "ties",
            "documents with equal scores keep the order of the file",
        )])
}

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::DocidDescF32,
        topics: TopicPolicy::Both,
        negative: NegativeGrades::Pooled,
        identical: IdenticalIds::Drop,
        ..Policies::OWN
    },
    reasons: &[
        (
            "ties",
            "scores are rounded to 32 bits by pytrec_eval, which makes ties",
        ),
        ("topics", "topics that the run lacks are not counted"),
        (
            "negative",
            "grades below zero are read as pooled but not judged",
        ),
        (
            "identical",
            "a document with the topic's id is removed first",
        ),
    ],
    defaults: &[],
    names: &[
        Meaning::new("NDCG", "nDCG").at(At::Always),
        Meaning::new("MAP", "AP").at(At::Always),
        Meaning::new("Recall", "R").at(At::Always),
        Meaning::new("P", "P").at(At::Always),
        own("MRR", "RR"),
        own("R_cap", "RelP"),
        own("Hole", "Hole")
            .not_copied("a document judged for any topic is not a hole, which is not reproduced"),
        own("Accuracy", "Success"),
    ],
};

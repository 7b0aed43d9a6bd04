//! The evaluation of BEIR: `pytrec_eval`, and measures of its own with policies of their own.

use super::{At, Meaning, Program};
use crate::policy::{IdenticalIds, NegativeGrades, Policies, TieBreak, TopicPolicy};

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
            "pytrec_eval rounds scores to 32 bits; BEIR's own measures keep equal scores in the order of the file",
        ),
        (
            "topics",
            "pytrec_eval does not count topics that the run lacks; MRR and Accuracy count all judged ones",
        ),
        ("negative", "grades below zero are read as pooled but not judged"),
        ("identical", "a document with the topic's id is taken out first"),
    ],
    defaults: &[],
    names: &[
        Meaning::new("NDCG", "nDCG").at(At::Always),
        Meaning::new("MAP", "AP").at(At::Always),
        Meaning::new("Recall", "R").at(At::Always),
        Meaning::new("P", "P").at(At::Always),
        Meaning::new("MRR", "RR")
            .at(At::Always)
            .ties(TieBreak::InputOrder)
            .topics(TopicPolicy::Judged),
        Meaning::new("R_cap", "RelP")
            .at(At::Always)
            .ties(TieBreak::InputOrder),
        Meaning::new("Hole", "Hole")
            .at(At::Always)
            .ties(TieBreak::InputOrder)
            .topics(TopicPolicy::Run)
            .because("a document that was judged for any topic is no hole there; here it is one where this topic lacks it"),
        Meaning::new("Accuracy", "Success")
            .at(At::Always)
            .ties(TieBreak::InputOrder)
            .topics(TopicPolicy::Judged)
            .because("whether a relevant document is among the first k"),
    ],
};

//! ndeval, the diversity evaluation program of the TREC Web track; judgements are per subtopic.

use cranfield_core::policy::{Policies, TieBreak, TopicPolicy};

use super::{At, Meaning, Program};

/// The options -alpha and -beta.
const ALPHA: &[&str] = &["alpha"];
const BOTH: &[&str] = &["alpha", "beta"];

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::RankColumn,
        topics: TopicPolicy::Both,
        ..Policies::OWN
    },
    reasons: &[
        (
            "ties",
            "documents are ordered by the rank column, not by score",
        ),
        (
            "topics",
            "topics that the run lacks are not counted without -c",
        ),
    ],
    defaults: &[],
    names: &[
        Meaning::new("ERR-IA", "ERR_IA").at(At::Always).takes(ALPHA),
        Meaning::new("nERR-IA", "nERR_IA")
            .at(At::Always)
            .takes(ALPHA),
        Meaning::new("alpha-DCG", "alpha_DCG")
            .at(At::Always)
            .takes(ALPHA),
        Meaning::new("alpha-nDCG", "alpha_nDCG")
            .at(At::Always)
            .takes(ALPHA),
        Meaning::new("NRBP", "NRBP").at(At::Never).takes(BOTH),
        Meaning::new("nNRBP", "nNRBP").at(At::Never).takes(BOTH),
        Meaning::new("MAP-IA", "AP_IA").at(At::Never),
        Meaning::new("P-IA", "P_IA").at(At::Always),
        Meaning::new("strec", "StRecall").at(At::Always),
    ],
};

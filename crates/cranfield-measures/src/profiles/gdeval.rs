//! gdeval, the evaluation script of the TREC Web track.

use cranfield_core::policy::{Policies, TopicPolicy};

use super::{At, Meaning, Program};

const EXPONENTIAL: (&str, &str) = ("gains", "gains are 2^grade - 1");
const FOUR: (&str, &str) = (
    "max",
    "the highest grade is assumed to be 4 for every collection",
);
const TWENTY: (&str, &str) = ("cutoff", "the default cutoff is 20 (option -k)");

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        topics: TopicPolicy::Relevant,
        ..Policies::OWN
    },
    reasons: &[(
        "topics",
        "topics that the run lacks, and those without a positive grade, are not counted",
    )],
    defaults: &[],
    names: &[
        Meaning::new("ndcg", "nDCG(gains='exp')")
            .at(At::Always)
            .because(&[EXPONENTIAL]),
        Meaning::new("ndcg", "nDCG(gains='exp')@20")
            .at(At::Never)
            .because(&[EXPONENTIAL, TWENTY]),
        Meaning::new("err", "ERR(max=4)")
            .at(At::Always)
            .because(&[FOUR]),
        Meaning::new("err", "ERR(max=4)@20")
            .at(At::Never)
            .because(&[FOUR, TWENTY]),
    ],
};

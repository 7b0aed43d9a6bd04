//! gdeval, the script of the TREC web track.

use super::{At, Meaning, Program};
use crate::policy::{Policies, TopicPolicy};

const ONLY_4: &str = "the highest grade is taken for 4, whatever the collection has";

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
            .because("gains are 2^grade - 1"),
        Meaning::new("ndcg", "nDCG(gains='exp')@20")
            .at(At::Never)
            .because("gains are 2^grade - 1, and the cutoff is 20 unless -k says otherwise"),
        Meaning::new("err", "ERR(max=4)")
            .at(At::Always)
            .because(ONLY_4),
        Meaning::new("err", "ERR(max=4)@20")
            .at(At::Never)
            .because("the cutoff is 20 unless -k says otherwise"),
    ],
};

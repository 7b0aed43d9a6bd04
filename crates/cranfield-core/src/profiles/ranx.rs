//! ranx. Its names may end in a relevance level, `map@100-l2`, and RBP has its persistence behind a dot, `rbp.95`.

use super::{At, Meaning, Program};
use crate::policy::{Policies, TieBreak};

const LEVEL: &[(&str, &str)] = &[("l", "rel")];
/// Grades below the level have no gain.
const GAINS: &[(&str, &str)] = &[("l", "gains<")];

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::InputOrder,
        ..Policies::OWN
    },
    reasons: &[(
        "ties",
        "the order of equal scores is not specified; here it is that of the file",
    )],
    defaults: &[],
    names: &[
        Meaning::new("hits", "Hits").renamed(LEVEL),
        Meaning::new("hit_rate", "Success")
            .at(At::Always)
            .renamed(LEVEL),
        // Ranks have 32 bits: this is the whole ranking.
        Meaning::new("hit_rate", "Success@4294967295")
            .at(At::Never)
            .renamed(LEVEL),
        Meaning::new("precision", "P").at(At::Always).renamed(LEVEL),
        Meaning::new("precision", "SetP")
            .at(At::Never)
            .renamed(LEVEL),
        Meaning::new("recall", "R").at(At::Always).renamed(LEVEL),
        Meaning::new("recall", "SetR").at(At::Never).renamed(LEVEL),
        Meaning::new("f1", "F").renamed(LEVEL),
        Meaning::new("r-precision", "Rprec")
            .at(At::Never)
            .renamed(LEVEL),
        Meaning::new("mrr", "RR").renamed(LEVEL),
        Meaning::new("map", "AP").renamed(LEVEL),
        Meaning::new("dcg", "DCG").renamed(GAINS),
        Meaning::new("dcg_burges", "DCG(gains='exp')").because("gains are 2^grade - 1"),
        Meaning::new("ndcg", "nDCG").renamed(GAINS),
        Meaning::new("ndcg_burges", "nDCG(gains='exp')").because("gains are 2^grade - 1"),
        Meaning::new("bpref", "Bpref").at(At::Never).renamed(LEVEL),
        Meaning::new("rbp", "RBP(gains='grade')")
            .at(At::Never)
            .renamed(GAINS)
            .because(
                "the gain is the grade itself, so that values above 1 occur; p stands in the name",
            ),
    ],
};

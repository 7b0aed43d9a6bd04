//! ranx. Names may end in a relevance level, `map@100-l2`; the persistence of RBP follows a dot, `rbp.95`.

use cranfield_core::policy::{Policies, TieBreak};

use super::{At, Meaning, Program};

const EXPONENTIAL: (&str, &str) = ("gains", "gains are 2^grade - 1");

/// A measure with an optional level.
const fn binary(name: &'static str, measure: &'static str) -> Meaning {
    Meaning::new(name, measure)
        .takes(&["l"])
        .renamed(&[("l", "rel")])
}

/// A measure in which grades below the level have no gain.
const fn graded(name: &'static str, measure: &'static str) -> Meaning {
    Meaning::new(name, measure)
        .takes(&["l"])
        .renamed(&[("l", "gains<")])
}

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::InputOrder,
        ..Policies::OWN
    },
    reasons: &[(
        "ties",
        "the order of equal scores is unspecified; here it is that of the file",
    )],
    defaults: &[],
    names: &[
        binary("hits", "Hits"),
        binary("hit_rate", "Success").at(At::Always),
        // Ranks are 32 bits wide, so this covers the whole ranking.
        binary("hit_rate", "Success@4294967295").at(At::Never),
        binary("precision", "P").at(At::Always),
        binary("precision", "SetP").at(At::Never),
        binary("recall", "R").at(At::Always),
        binary("recall", "SetR").at(At::Never),
        binary("f1", "F"),
        binary("r-precision", "Rprec").at(At::Never),
        binary("mrr", "RR"),
        binary("map", "AP"),
        graded("dcg", "DCG"),
        Meaning::new("dcg_burges", "DCG(gains='exp')").because(&[EXPONENTIAL]),
        graded("ndcg", "nDCG"),
        Meaning::new("ndcg_burges", "nDCG(gains='exp')").because(&[EXPONENTIAL]),
        binary("bpref", "Bpref").at(At::Never),
        graded("rbp", "RBP(gains='grade')")
            .at(At::Never)
            .takes(&["p", "l"])
            .needs("p")
            .because(&[(
                "gains",
                "the gain is the grade itself, so values can exceed 1",
            )]),
    ],
};

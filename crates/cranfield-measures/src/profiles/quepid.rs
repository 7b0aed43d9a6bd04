//! The scorers shipped with Quepid. They have no parameters; a different rule is a different scorer.

use cranfield_core::policy::{Policies, TieBreak};

use super::{At, Meaning, Program};

const EXPONENTIAL: (&str, &str) = ("gains", "gains are 2^rating - 1");

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::RankColumn,
        ..Policies::OWN
    },
    reasons: &[(
        "ties",
        "documents are ordered as returned by the engine, by rank and not by score",
    )],
    defaults: &[],
    names: &[
        Meaning::new("AP", "AP").at(At::Always),
        Meaning::new("CG", "CG").at(At::Always),
        Meaning::new("DCG", "DCG(gains='exp')")
            .at(At::Always)
            .because(&[EXPONENTIAL]),
        Meaning::new("NDCG", "nDCG(gains='exp', ideal='uncut')")
            .at(At::Always)
            .because(&[
                EXPONENTIAL,
                (
                    "ideal",
                    "the ideal contains all rated documents, not only the first k",
                ),
            ]),
        Meaning::new("NDCG_CUT", "nDCG(gains='exp')")
            .at(At::Always)
            .because(&[EXPONENTIAL]),
        Meaning::new("ERR", "ERR(max=3)")
            .at(At::Always)
            .because(&[("max", "the highest rating is 3")]),
        Meaning::new("P", "P(denominator='min(k,n)')")
            .at(At::Always)
            .because(&[(
                "denominator",
                "the divisor for a list shorter than k is its length",
            )]),
        Meaning::new("RR", "RR").at(At::Always),
    ],
};

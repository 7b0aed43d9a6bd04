//! NTCIREVAL, with its default gains: 1, 2 and 3 for the levels L1, L2 and L3.

use cranfield_core::policy::{Policies, TieBreak};

use super::{At, Meaning, Program};

/// The option -g.
const GAINS: &[&str] = &["gains"];
/// The options -g and beta.
const BLENDED: &[&str] = &["gains", "beta"];
/// The options -g, beta and gamma.
const UTILITY: &[&str] = &["gains", "beta", "gamma"];
const STOPPING: &[(&str, &str)] = &[
    (
        "gains",
        "stopping probabilities are gain / (highest gain + 1), with gains 1, 2 and 3",
    ),
    ("max", "the highest gain is 3"),
];
const SCALED: &str = "RBP(p=0.95, gains='0,0.3333333333333333,0.6666666666666666,1')";

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::FileOrder,
        ..Policies::OWN
    },
    reasons: &[(
        "ties",
        "documents are in file order, regardless of scores and ranks",
    )],
    defaults: &[],
    names: &[
        Meaning::new("RR", "RR").at(At::Never),
        Meaning::new("O-measure", "OMeasure")
            .at(At::Never)
            .takes(BLENDED),
        Meaning::new("P-measure", "PMeasure")
            .at(At::Never)
            .takes(BLENDED),
        Meaning::new("P-plus", "PPlus").at(At::Never).takes(BLENDED),
        Meaning::new("AP", "AP").at(At::Never),
        Meaning::new("AP", "AP(denominator='min(R,k)')")
            .at(At::Always)
            .because(&[(
                "denominator",
                "the sum is divided by k if there are more than k relevant documents",
            )]),
        Meaning::new("Q-measure", "Q").at(At::Never).takes(BLENDED),
        Meaning::new("Q", "Q").at(At::Always).takes(BLENDED),
        Meaning::new("NCUgu,P", "NCU").at(At::Never).takes(UTILITY),
        Meaning::new("NCUgu,BR", "NCU(utility='BR')")
            .at(At::Never)
            .takes(UTILITY),
        Meaning::new("NCUrb,P", "NCU(stop='rb')")
            .at(At::Never)
            .takes(UTILITY),
        Meaning::new("NCUrb,BR", "NCU(stop='rb', utility='BR')")
            .at(At::Never)
            .takes(UTILITY),
        Meaning::new("RBP", SCALED)
            .at(At::Never)
            .takes(&["p"])
            .because(&[
                ("p", "p is 0.95"),
                (
                    "gains",
                    "gains are grades divided by the highest, which is 3",
                ),
            ]),
        Meaning::new("ERR", "ERR(gains='grade', max=3)")
            .at(At::Never)
            .because(STOPPING),
        Meaning::new("nERR", "nERR(gains='grade', max=3)")
            .at(At::Always)
            .because(STOPPING),
        Meaning::new("nDCG", "nDCG(discount='jk')")
            .at(At::Always)
            .takes(&["gains", "base"])
            .because(&[(
                "discount",
                "the original discount: none at ranks 1 and 2, then log2(rank)",
            )]),
        Meaning::new("MSnDCG", "nDCG").at(At::Always).takes(GAINS),
        Meaning::new("P", "P").at(At::Always),
        Meaning::new("Hit", "Success").at(At::Always),
    ],
};

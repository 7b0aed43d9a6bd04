//! `cwl_eval`: parameters follow hyphens in its names, `INST-T=2`, `BPM-Static-T=1-K=10`. Gains are grades from
//! 0 to 1; a higher grade, at which `cwl_eval` stops, counts as 1 here.

use cranfield_core::policy::{Policies, TieBreak, TopicPolicy};

use super::{At, Meaning, Program};

/// Columns of its output, and the depth option.
const COLUMNS: &[&str] = &["figure", "residual", "depth"];
/// [`COLUMNS`] and the gain the user wants.
const TARGET: &[&str] = &["T", "figure", "residual", "depth"];
/// [`TARGET`] and the parameters of the foraging models.
const FORAGING: &[&str] = &[
    "T", "b1", "R1", "A", "b2", "R2", "figure", "residual", "depth",
];

/// A measure of the framework, with gains from 0 to 1.
const fn cwl(name: &'static str, measure: &'static str) -> Meaning {
    Meaning::new(name, measure).because(&[(
        "max_rel",
        "gains are grades from 0 to 1, and higher grades count as 1",
    )])
}

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::FileOrder,
        topics: TopicPolicy::Run,
        ..Policies::OWN
    },
    reasons: &[
        (
            "ties",
            "documents are in file order, regardless of scores and ranks",
        ),
        (
            "topics",
            "all topics of the run are evaluated, including those without judgements",
        ),
    ],
    defaults: &[],
    names: &[
        Meaning::new("P", "CWL_P(max_rel=1)")
            .at(At::Always)
            .takes(COLUMNS)
            .concept("P"),
        Meaning::new("RR", "CWL_RR(max_rel=1)")
            .at(At::Never)
            .takes(COLUMNS)
            .concept("RR"),
        Meaning::new("AP", "CWL_AP(max_rel=1)")
            .at(At::Never)
            .takes(COLUMNS)
            .concept("AP")
            .because(&[(
                "measure",
                "divided by the number of relevant documents retrieved, not of all relevant ones",
            )]),
        cwl("TrAP", "CWL_TrAP(max_rel=1)")
            .at(At::Never)
            .takes(COLUMNS),
        Meaning::new("RBP", "CWL_RBP(p=0.9, max_rel=1)")
            .at(At::Parameter("p"))
            .takes(COLUMNS)
            .concept("RBP")
            .because(&[
                (
                    "measure",
                    "gains are grades from 0 to 1, and weights are normalised down to rank 1000",
                ),
                ("p", "p is 0.9"),
            ]),
        Meaning::new("NDCG-k", "SDCG(max=1)")
            .at(At::Always)
            .concept("nDCG")
            .because(&[(
                "measure",
                "normalised by k documents of gain 1, whether or not the topic has them",
            )]),
        Meaning::new("SDCG-k", "SDCG(max=1)")
            .at(At::Always)
            .because(&[("max", "the highest gain is 1")]),
        cwl("INSQ", "INSQ(max_rel=1)").at(At::Never).takes(TARGET),
        cwl("INST", "INST(max_rel=1)").at(At::Never).takes(TARGET),
        cwl("BPM-Static", "BPM(max_rel=1)")
            .takes(TARGET)
            .renamed(&[("K", "@")]),
        cwl("BPM-Dynamic", "BPMDynamic(max_rel=1)")
            .takes(&["T", "hb", "hc", "figure", "residual", "depth"])
            .renamed(&[("K", "@")]),
        cwl("U-L", "CWL_U(max_rel=1)")
            .at(At::Parameter("L"))
            .takes(COLUMNS),
        cwl("TBG-H", "CWL_TBG(max_rel=1)")
            .at(At::Parameter("halflife"))
            .takes(COLUMNS),
        cwl("IFT-C1", "IFT(model='goal', max_rel=1)")
            .at(At::Never)
            .takes(FORAGING),
        cwl("IFT-C2", "IFT(model='rate', max_rel=1)")
            .at(At::Never)
            .takes(FORAGING),
        cwl("IFT-C1-C2", "IFT(model='both', max_rel=1)")
            .at(At::Never)
            .takes(FORAGING),
        cwl("NERR-EQ8", "NERR8(max_rel=1)")
            .takes(COLUMNS)
            .renamed(&[("k", "@")]),
        cwl("NERR-EQ9", "NERR9(max_rel=1)")
            .takes(COLUMNS)
            .renamed(&[("k", "@")]),
        cwl("NERR-EQ10", "NERR10(max_rel=1)")
            .at(At::Never)
            .takes(&["phi", "figure", "residual", "depth"])
            .renamed(&[("phi", "p")]),
        cwl("NERR-EQ11", "NERR11(max_rel=1)")
            .at(At::Never)
            .takes(TARGET),
        cwl("NPV-r", "NPV(max_rel=1)")
            .at(At::Parameter("rate"))
            .takes(COLUMNS),
        cwl("SET-k", "SET(max_rel=1)")
            .at(At::Always)
            .takes(&["b", "figure", "residual", "depth"])
            .renamed(&[("b", "beta")]),
    ],
};

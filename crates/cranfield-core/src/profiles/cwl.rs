//! `cwl_eval`: its names have their parameters behind hyphens, `INST-T=2`, `BPM-Static-T=1-K=10`. Gains are grades
//! from 0 to 1; where `cwl_eval` stops at a higher one, it counts as 1 here.

use super::{At, Meaning, Program};
use crate::policy::{Policies, TieBreak, TopicPolicy};

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::FileOrder,
        topics: TopicPolicy::Run,
        ..Policies::OWN
    },
    reasons: &[
        ("ties", "documents are taken in the order of the file, whatever their scores and ranks"),
        ("topics", "all topics of the run are evaluated, also those without judgements"),
    ],
    defaults: &[],
    names: &[
        Meaning::new("P", "CWL_P(max_rel=1)").at(At::Always).concept("P"),
        Meaning::new("RR", "CWL_RR(max_rel=1)").at(At::Never).concept("RR"),
        Meaning::new("AP", "CWL_AP(max_rel=1)")
            .at(At::Never)
            .concept("AP")
            .because("divided by the relevant documents retrieved, not by all of them"),
        Meaning::new("TrAP", "CWL_TrAP(max_rel=1)").at(At::Never),
        Meaning::new("RBP", "CWL_RBP(p=0.9, max_rel=1)")
            .at(At::Parameter("p"))
            .concept("RBP")
            .because("p is 0.9 unless given, and weights are normalised down to rank 1000"),
        Meaning::new("NDCG-k", "SDCG(max=1)")
            .at(At::Always)
            .concept("nDCG")
            .because("divided by what k documents of gain 1 would give, whether the topic has them or not"),
        Meaning::new("SDCG-k", "SDCG(max=1)").at(At::Always),
        Meaning::new("INSQ", "INSQ(max_rel=1)").at(At::Never),
        Meaning::new("INST", "INST(max_rel=1)").at(At::Never),
        Meaning::new("BPM-Static", "BPM(max_rel=1)").renamed(&[("K", "@")]),
        Meaning::new("BPM-Dynamic", "BPMDynamic(max_rel=1)").renamed(&[("K", "@")]),
        Meaning::new("U-L", "CWL_U(max_rel=1)").at(At::Parameter("L")),
        Meaning::new("TBG-H", "CWL_TBG(max_rel=1)").at(At::Parameter("halflife")),
        Meaning::new("IFT-C1", "IFT(model='goal', max_rel=1)").at(At::Never),
        Meaning::new("IFT-C2", "IFT(model='rate', max_rel=1)").at(At::Never),
        Meaning::new("IFT-C1-C2", "IFT(model='both', max_rel=1)").at(At::Never),
        Meaning::new("NERR-EQ8", "NERR8(max_rel=1)").renamed(&[("k", "@")]),
        Meaning::new("NERR-EQ9", "NERR9(max_rel=1)").renamed(&[("k", "@")]),
        Meaning::new("NERR-EQ10", "NERR10(max_rel=1)")
            .at(At::Never)
            .renamed(&[("phi", "p")]),
        Meaning::new("NERR-EQ11", "NERR11(max_rel=1)").at(At::Never),
        Meaning::new("NPV-r", "NPV(max_rel=1)").at(At::Parameter("rate")),
        Meaning::new("SET-k", "SET(max_rel=1)")
            .at(At::Always)
            .renamed(&[("b", "beta")]),
    ],
};

//! `ir_measures`. Each measure has the policies of the program that computes it there.

use super::{At, Meaning, ParameterDefault, Program};
use crate::policy::{NegativeGrades, Policies, TieBreak, Undefined};

const GRADES: &[(&str, &str)] = &[("max_rel", "max")];
const DEFAULTS: &[ParameterDefault] = &[("IPrec", "recall", "floor(x+0.9)")];
const GDEVAL: &str = "gains are 2^grade - 1; computed by gdeval, which prints five digits";
const FOUR: &str = "the highest grade is taken for 4; computed by gdeval, which prints five digits";

/// A measure that `cwl_eval` computes, in the order of the file where scores are equal.
const fn cwl(name: &'static str) -> Meaning {
    Meaning::new(name, name).ties(TieBreak::InputOrder)
}

/// A measure of diversity, which pyndeval computes.
const fn diversity(name: &'static str, measure: &'static str) -> Meaning {
    Meaning::new(name, measure).ties(TieBreak::DocidAsc)
}

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::DocidDescF32,
        negative: NegativeGrades::Pooled,
        ..Policies::OWN
    },
    reasons: &[
        (
            "ties",
            "the order of equal scores is that of the program behind the measure",
        ),
        (
            "negative",
            "grades below zero are read as pooled but not judged",
        ),
        (
            "undefined",
            "topics without a relevant document in the list are left out",
        ),
    ],
    defaults: DEFAULTS,
    names: &[
        Meaning::new("P", "P").at(At::Always),
        Meaning::new("Precision", "P").at(At::Always),
        Meaning::new("R", "R").at(At::Always),
        Meaning::new("Recall", "R").at(At::Always),
        Meaning::new("AP", "AP"),
        Meaning::new("MAP", "AP"),
        Meaning::new("RR", "RR").at(At::Never),
        Meaning::new("MRR", "RR").at(At::Never),
        Meaning::new("RR", "RR")
            .at(At::Always)
            .ties(TieBreak::DocidAsc),
        Meaning::new("MRR", "RR")
            .at(At::Always)
            .ties(TieBreak::DocidAsc),
        Meaning::new("Rprec", "Rprec").at(At::Never),
        Meaning::new("RPrec", "Rprec").at(At::Never),
        Meaning::new("nDCG", "nDCG(gains='exp')")
            .at(At::Always)
            .when("dcg", "exp-log2")
            .ties(TieBreak::DocidDesc)
            .because(GDEVAL),
        Meaning::new("NDCG", "nDCG(gains='exp')")
            .at(At::Always)
            .when("dcg", "exp-log2")
            .ties(TieBreak::DocidDesc)
            .because(GDEVAL),
        Meaning::new("nDCG", "nDCG(gains='exp')")
            .at(At::Never)
            .when("dcg", "exp-log2")
            .ties(TieBreak::InputOrder)
            .because("gains are 2^grade - 1; computed by ranx"),
        Meaning::new("NDCG", "nDCG(gains='exp')")
            .at(At::Never)
            .when("dcg", "exp-log2")
            .ties(TieBreak::InputOrder)
            .because("gains are 2^grade - 1; computed by ranx"),
        Meaning::new("nDCG", "nDCG").when("dcg", "log2"),
        Meaning::new("NDCG", "nDCG").when("dcg", "log2"),
        Meaning::new("nDCG", "nDCG"),
        Meaning::new("NDCG", "nDCG"),
        Meaning::new("Success", "Success").at(At::Always),
        Meaning::new("IPrec", "IPrec")
            .at(At::Always)
            .because("a recall point of x * R documents is rounded as floor(x * R + 0.9)"),
        Meaning::new("Bpref", "Bpref").at(At::Never),
        Meaning::new("BPref", "Bpref").at(At::Never),
        Meaning::new("infAP", "infAP").at(At::Never),
        Meaning::new("SetP", "SetRelP")
            .at(At::Never)
            .when("relative", "True"),
        Meaning::new("SetP", "SetP")
            .at(At::Never)
            .when("relative", "False"),
        Meaning::new("SetP", "SetP").at(At::Never),
        Meaning::new("SetRelP", "SetRelP").at(At::Never),
        Meaning::new("SetR", "SetR").at(At::Never),
        Meaning::new("SetF", "SetF").at(At::Never),
        Meaning::new("SetAP", "SetAP").at(At::Never),
        Meaning::new("NumQ", "NumQ").at(At::Never),
        Meaning::new("NumRel", "NumRel").at(At::Never),
        Meaning::new("NumRet", "NumRelRet")
            .at(At::Never)
            .when("rel", ""),
        Meaning::new("NumRet", "NumRet").at(At::Never),
        Meaning::new("NumRelRet", "NumRelRet").at(At::Never),
        Meaning::new("Judged", "Judged").ties(TieBreak::DocidAsc),
        Meaning::new("ERR", "ERR(max=4)")
            .at(At::Always)
            .ties(TieBreak::DocidDesc)
            .because(FOUR),
        Meaning::new("RBP", "CWL_RBP")
            .at(At::Never)
            .concept("RBP")
            .ties(TieBreak::InputOrder)
            .because("rel must be given; weights are normalised down to rank 1000 by cwl_eval"),
        cwl("BPM").at(At::Always),
        Meaning::new("SDCG", "SDCG")
            .at(At::Always)
            .renamed(GRADES)
            .ties(TieBreak::InputOrder),
        cwl("NERR8").at(At::Always),
        cwl("NERR9").at(At::Always),
        cwl("NERR10").at(At::Never),
        cwl("NERR11").at(At::Never),
        cwl("INST").at(At::Never),
        cwl("INSQ").at(At::Never),
        Meaning::new("Compat", "Compat")
            .at(At::Never)
            .ties(TieBreak::DocidAsc),
        Meaning::new("Accuracy", "Accuracy")
            .ties(TieBreak::InputOrder)
            .undefined(Undefined::Skip),
        diversity("ERR_IA", "ERR_IA").at(At::Always),
        diversity("nERR_IA", "nERR_IA").at(At::Always),
        diversity("alpha_DCG", "alpha_DCG").at(At::Always),
        diversity("α_DCG", "alpha_DCG").at(At::Always),
        diversity("alpha_nDCG", "alpha_nDCG").at(At::Always),
        diversity("α_nDCG", "alpha_nDCG").at(At::Always),
        diversity("NRBP", "NRBP").at(At::Never),
        diversity("nNRBP", "nNRBP").at(At::Never),
        diversity("AP_IA", "AP_IA").at(At::Never),
        diversity("MAP_IA", "AP_IA").at(At::Never),
        diversity("P_IA", "P_IA").at(At::Always),
        diversity("StRecall", "StRecall").at(At::Always),
    ],
};

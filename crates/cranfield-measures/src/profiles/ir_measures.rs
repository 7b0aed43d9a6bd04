//! `ir_measures`. Each measure has the policies of its provider.

use cranfield_core::policy::{NegativeGrades, Policies, TieBreak, Undefined};

use super::{At, Meaning, ParameterDefault, Program};

const GRADES: &[(&str, &str)] = &[("max_rel", "max")];
const DEFAULTS: &[ParameterDefault] = &[("IPrec", "recall", "floor(x+0.9)")];
const GDEVAL: &[(&str, &str)] = &[("gains", "gains are 2^grade - 1")];
const FOUR: &[(&str, &str)] = &[("max", "gdeval assumes a highest grade of 4")];

/// A binary measure computed by `pytrec_eval`.
const fn binary(name: &'static str, measure: &'static str) -> Meaning {
    Meaning::new(name, measure).takes(&["rel", "judged_only"])
}

/// A binary measure computed by `pytrec_eval` that supports only a relevance level.
const fn level_only(name: &'static str) -> Meaning {
    Meaning::new(name, name).at(At::Never).takes(&["rel"])
}

/// nDCG with a choice of gains.
const fn ndcg(name: &'static str) -> Meaning {
    Meaning::new(name, "nDCG").takes(&["gains", "judged_only"])
}

/// nDCG with exponential gains, computed by gdeval.
const fn ndcg_exp(name: &'static str) -> Meaning {
    Meaning::new(name, "nDCG(gains='exp')")
        .at(At::Always)
        .when("dcg", "exp-log2")
        .ties(TieBreak::DocidDesc)
        .because(GDEVAL)
}

/// nDCG with exponential gains and no cutoff, computed by ranx.
const fn ndcg_exp_uncut(name: &'static str) -> Meaning {
    Meaning::new(name, "nDCG(gains='exp')")
        .at(At::Never)
        .when("dcg", "exp-log2")
        .ties(TieBreak::InputOrder)
        .because(GDEVAL)
}

/// A measure computed by `cwl_eval`, with ties in file order; it requires the highest grade.
const fn cwl(name: &'static str, takes: &'static [&'static str]) -> Meaning {
    Meaning::new(name, name)
        .takes(takes)
        .needs("max_rel")
        .ties(TieBreak::InputOrder)
}

/// A diversity measure computed by pyndeval.
const fn diversity(
    name: &'static str,
    measure: &'static str,
    takes: &'static [&'static str],
) -> Meaning {
    Meaning::new(name, measure)
        .takes(takes)
        .ties(TieBreak::DocidAsc)
}

const RANGE: &[&str] = &["min_rel", "max_rel"];
const TARGET: &[&str] = &["T", "min_rel", "max_rel"];
const LEVEL: &[&str] = &["rel", "judged_only"];
const ALPHA: &[&str] = &["alpha", "rel", "judged_only"];
const NOVELTY: &[&str] = &["alpha", "beta", "rel", "judged_only"];

pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        ties: TieBreak::DocidDescF32,
        negative: NegativeGrades::Pooled,
        ..Policies::OWN
    },
    reasons: &[
        (
            "ties",
            "the order of equal scores depends on the provider of the measure",
        ),
        (
            "negative",
            "grades below zero are read as pooled but not judged",
        ),
        (
            "undefined",
            "topics without a relevant document in the ranking are left out",
        ),
    ],
    defaults: DEFAULTS,
    names: &[
        binary("P", "P").at(At::Always),
        binary("Precision", "P").at(At::Always),
        binary("R", "R").at(At::Always),
        binary("Recall", "R").at(At::Always),
        binary("AP", "AP"),
        binary("MAP", "AP"),
        binary("RR", "RR").at(At::Never),
        binary("MRR", "RR").at(At::Never),
        binary("RR", "RR").at(At::Always).ties(TieBreak::DocidAsc),
        binary("MRR", "RR").at(At::Always).ties(TieBreak::DocidAsc),
        binary("Rprec", "Rprec").at(At::Never),
        binary("RPrec", "Rprec").at(At::Never),
        ndcg_exp("nDCG"),
        ndcg_exp("NDCG"),
        ndcg_exp_uncut("nDCG"),
        ndcg_exp_uncut("NDCG"),
        ndcg("nDCG").when("dcg", "log2"),
        ndcg("NDCG").when("dcg", "log2"),
        ndcg("nDCG"),
        ndcg("NDCG"),
        binary("Success", "Success").at(At::Always),
        binary("IPrec", "IPrec").at(At::Always).because(&[(
            "recall",
            "a recall point of x * R documents is rounded as floor(x * R + 0.9)",
        )]),
        level_only("Bpref"),
        Meaning::new("BPref", "Bpref").at(At::Never).takes(&["rel"]),
        level_only("infAP"),
        binary("SetP", "SetRelP")
            .at(At::Never)
            .when("relative", "True"),
        binary("SetP", "SetP")
            .at(At::Never)
            .when("relative", "False"),
        binary("SetP", "SetP").at(At::Never),
        binary("SetRelP", "SetRelP").at(At::Never),
        level_only("SetR"),
        binary("SetF", "SetF")
            .at(At::Never)
            .takes(&["rel", "beta", "judged_only"]),
        binary("SetAP", "SetAP").at(At::Never),
        Meaning::new("NumQ", "NumQ").at(At::Never),
        level_only("NumRel"),
        Meaning::new("NumRet", "NumRelRet")
            .at(At::Never)
            .when("rel", ""),
        Meaning::new("NumRet", "NumRet").at(At::Never),
        level_only("NumRelRet"),
        Meaning::new("Judged", "Judged").ties(TieBreak::DocidAsc),
        Meaning::new("ERR", "ERR(max=4)")
            .at(At::Always)
            .ties(TieBreak::DocidDesc)
            .because(FOUR),
        Meaning::new("RBP", "CWL_RBP")
            .at(At::Never)
            .concept("RBP")
            .takes(&["rel", "p"])
            .needs("rel")
            .ties(TieBreak::InputOrder)
            .because(&[(
                "measure",
                "weights are normalised down to rank 1000 by cwl_eval",
            )]),
        cwl("BPM", TARGET).at(At::Always),
        cwl("SDCG", &["max_rel"])
            .at(At::Always)
            .renamed(GRADES)
            .needs("max"),
        cwl("NERR8", RANGE).at(At::Always),
        cwl("NERR9", RANGE).at(At::Always),
        cwl("NERR10", &["p", "min_rel", "max_rel"]).at(At::Never),
        cwl("NERR11", TARGET).at(At::Never),
        cwl("INST", TARGET).at(At::Never),
        cwl("INSQ", TARGET).at(At::Never),
        Meaning::new("Compat", "Compat")
            .at(At::Never)
            .takes(&["p", "normalize"])
            .ties(TieBreak::DocidAsc),
        Meaning::new("Accuracy", "Accuracy")
            .takes(&["rel"])
            .ties(TieBreak::InputOrder)
            .undefined(Undefined::Skip),
        diversity("ERR_IA", "ERR_IA", LEVEL).at(At::Always),
        diversity("nERR_IA", "nERR_IA", LEVEL).at(At::Always),
        diversity("alpha_DCG", "alpha_DCG", ALPHA).at(At::Always),
        diversity("α_DCG", "alpha_DCG", ALPHA).at(At::Always),
        diversity("alpha_nDCG", "alpha_nDCG", ALPHA).at(At::Always),
        diversity("α_nDCG", "alpha_nDCG", ALPHA).at(At::Always),
        diversity("NRBP", "NRBP", NOVELTY).at(At::Never),
        diversity("nNRBP", "nNRBP", NOVELTY).at(At::Never),
        diversity("AP_IA", "AP_IA", LEVEL).at(At::Never),
        diversity("MAP_IA", "AP_IA", LEVEL).at(At::Never),
        diversity("P_IA", "P_IA", LEVEL).at(At::Always),
        diversity("StRecall", "StRecall", LEVEL).at(At::Always),
    ],
};

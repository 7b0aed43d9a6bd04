//! Properties of every table, and names as written by each program.

use super::*;
use crate::spec::{Conventions, find_exact, parse_measures};

/// Measures that are not implemented yet.
const PENDING: [&str; 3] = ["nERR_IA", "alpha_nDCG", "nNRBP"];

#[track_caller]
fn check(profile: Profile, text: &str, expected: &[&str]) {
    let measures = parse_measures(text, &Conventions::of(profile)).unwrap();
    let names: Vec<_> = measures.iter().map(ToString::to_string).collect();
    assert_eq!(names, expected, "{profile}: {text}");
}

#[test]
fn every_name_has_its_measure() {
    for profile in Profile::ALL {
        for meaning in profile.program().names {
            if PENDING.contains(&meaning.family()) && find_exact(meaning.family()).is_none() {
                continue;
            }
            let at = if meaning.at == At::Always { "@10" } else { "" };
            let name = format!("{}{at}", meaning.measure);
            let read = parse_measures(&name, &Conventions::default());
            let needs_cutoff = name.starts_with("BPM") || name.starts_with("NERR");
            assert!(
                read.is_ok() || needs_cutoff || name.starts_with("IPrec"),
                "{profile}: {name}: {read:?}"
            );
            assert!(
                find_exact(meaning.thought_of()).is_some(),
                "{profile}: {name}"
            );
        }
    }
}

#[test]
fn every_policy_that_differs_has_a_reason() {
    for profile in Profile::ALL {
        let program = profile.program();
        let mut policies = vec![program.policies.clone()];
        policies.extend(
            program
                .names
                .iter()
                .map(|name| name.overrides.over(&program.policies)),
        );
        for policies in policies {
            for (name, _) in policies.differing(&Policies::OWN) {
                assert!(program.reason(name).is_some(), "{profile}: {name}");
            }
        }
    }
}

/// Every difference between a program's measure and Cranfield's of the same name has a sentence in the table.
#[test]
fn every_meaning_that_differs_has_a_reason() {
    let mut explained = 0;
    for profile in Profile::ALL {
        for meaning in profile.program().names {
            let at = if meaning.at == At::Always { "@10" } else { "" };
            let own = parse_measures(
                &format!("{}{at}", meaning.thought_of()),
                &Conventions::default(),
            );
            let Ok(found) = own.map(|own| in_program(*profile, &own[0])) else {
                continue;
            };
            for Difference { what, reason } in found.iter().flat_map(|found| &found.differences) {
                let generic = reason.starts_with(&format!("{what} is "));
                assert!(
                    !generic || *what == "p",
                    "{profile} {}: {reason}",
                    meaning.name
                );
                explained += 1;
            }
        }
    }
    assert!(explained > 15, "{explained}");
}

/// Every reason about a parameter names one that the program's measure has and whose value differs from
/// Cranfield's.
#[test]
fn every_reason_names_a_difference() {
    for profile in Profile::ALL {
        for meaning in profile.program().names {
            let Some(info) = find_exact(meaning.family()) else {
                continue;
            };
            let known = |what: &str| {
                let param = info.params.iter().any(|param| param.name == what);
                let thought_of = find_exact(meaning.thought_of());
                let thought_of = thought_of.iter().flat_map(|info| info.params);
                let policy = Policies::OWN.named().iter().any(|(name, _)| *name == what);
                let other = thought_of.into_iter().any(|param| param.name == what);
                param || policy || other || ["measure", "cutoff"].contains(&what)
            };
            for (what, _) in meaning.reasons {
                assert!(known(what), "{profile} {}: {what}", meaning.name);
            }
            for argument in meaning.takes {
                let own = meaning.own_name(argument).trim_end_matches('<');
                let param = info.params.iter().any(|param| param.name == own);
                assert!(
                    param || own == "judged_only",
                    "{profile} {}: {argument}",
                    meaning.name
                );
            }
        }
    }
}

#[test]
fn names_of_ir_measures() {
    check(
        Profile::IrMeasures,
        "nDCG(dcg='exp-log2')@20 NDCG@5 MAP(rel=2)@100 nDCG(gains={0:0, 1:1,2:5})@10 RR(cutoff=10)",
        &[
            "nDCG(gains='exp')@20",
            "nDCG@5",
            "AP(rel=2)@100",
            "nDCG(gains='0,1,5')@10",
            "RR@10",
        ],
    );
    check(
        Profile::IrMeasures,
        "NumRet NumRet(rel=2) SetP(relative=True) SetF(beta=2.0) IPrec@0.1 SDCG(max_rel=3)@10",
        &[
            "NumRet",
            "NumRelRet(rel=2)",
            "SetRelP",
            "SetF(beta=2)",
            "IPrec(recall='floor(x+0.9)')@0.1",
            "SDCG(max=3)@10",
        ],
    );
    check(
        Profile::IrMeasures,
        "RBP(rel=1, p=0.5) ERR@20",
        &["CWL_RBP(p=0.5)", "ERR@20"],
    );
    let measures = parse_measures(
        "RR RR@10 P(judged_only=True)@5",
        &Conventions::of(Profile::IrMeasures),
    )
    .unwrap();
    let ties: Vec<_> = measures
        .iter()
        .map(|measure| measure.overrides.ties)
        .collect();
    assert_eq!(ties, [None, Some(TieBreak::DocidAsc), None]);
    assert_eq!(
        measures[2].overrides.unjudged,
        Some(cranfield_core::policy::Unjudged::Condensed)
    );
    assert_eq!(
        Profile::IrMeasures.name_of(&measures[2]),
        "P(judged_only=True)@5"
    );
}

#[test]
fn names_of_ranx() {
    check(
        Profile::Ranx,
        "ndcg_burges@10 hit_rate@5 r-precision f1@10 f1 precision recall hits@3 dcg_burges map@100-l2",
        &[
            "nDCG(gains='exp')@10",
            "Success@5",
            "Rprec",
            "F@10",
            "F",
            "SetP",
            "SetR",
            "Hits@3",
            "DCG(gains='exp')",
            "AP(rel=2)@100",
        ],
    );
    check(
        Profile::Ranx,
        "rbp.95 rbp.5-l2 ndcg@10-l3 ndcg-l1 bpref-l2",
        &[
            "RBP(p=0.95, gains='grade')",
            "RBP(p=0.5, gains='1=0')",
            "nDCG(gains='1=0,2=0')@10",
            "nDCG",
            "Bpref(rel=2)",
        ],
    );
}

#[test]
fn names_of_the_others() {
    check(
        Profile::Ntcireval,
        "MSnDCG@0010 Q@0010 nERR@0010 nDCG@0010 AP@0010 AP Hit@0001 NCUrb,BR",
        &[
            "nDCG@10",
            "Q@10",
            "nERR(gains='grade', max=3)@10",
            "nDCG(discount='jk')@10",
            "AP(denominator='min(R,k)')@10",
            "AP",
            "Success@1",
            "NCU(stop='rb', utility='BR')",
        ],
    );
    check(
        Profile::Gdeval,
        "ndcg@20 err@20 err",
        &["nDCG(gains='exp')@20", "ERR@20"],
    );
    check(
        Profile::Ndeval,
        "ERR-IA@20 strec@10 MAP-IA",
        &["ERR_IA@20", "StRecall@10", "AP_IA"],
    );
    check(
        Profile::Cwl,
        "NDCG-k@10 RBP@0.8 INST-T=2 BPM-Static-T=1-K=10 NERR-EQ8@k=10 NERR-EQ10@phi=0.5 SET-k@10-b@0.25 AP",
        &[
            "SDCG(max=1)@10",
            "CWL_RBP(max_rel=1)",
            "INST(T=2, max_rel=1)",
            "BPM(max_rel=1)@10",
            "NERR8(max_rel=1)@10",
            "NERR10(p=0.5, max_rel=1)",
            "SET(beta=0.25, max_rel=1)@10",
            "CWL_AP(max_rel=1)",
        ],
    );
    check(
        Profile::Quepid,
        "NDCG@10 NDCG_CUT@10 P@10 ERR@10 DCG@5 CG@5 ndcg_cut_5",
        &[
            "nDCG(gains='exp', ideal='uncut')@10",
            "nDCG(gains='exp')@10",
            "P(denominator='min(k,n)')@10",
            "ERR(max=3)@10",
            "DCG(gains='exp')@5",
            "CG@5",
            "nDCG@5",
        ],
    );
    check(
        Profile::Beir,
        "NDCG@10 MAP@100 R_cap@5 Accuracy@3 Hole@5",
        &["nDCG@10", "AP@100", "RelP@5", "Success@3", "Hole@5"],
    );
}

#[test]
fn names_of_any_program_are_read_without_its_profile() {
    check(
        Profile::Cranfield,
        "ndcg_burges@10 MSnDCG@0010 INST-T=2 ERR-IA@5 nDCG(dcg='exp-log2')@5",
        &[
            "nDCG(gains='exp')@10",
            "nDCG@10",
            "INST(T=2, max_rel=1)",
            "ERR_IA@5",
            "nDCG(gains='exp')@5",
        ],
    );
    let read = parse_measures("MRR@10", &Conventions::default()).unwrap();
    assert_eq!(read[0].overrides, Overrides::NONE);
}

#[test]
fn mistakes_are_reported() {
    let error = |profile, text| {
        parse_measures(text, &Conventions::of(profile))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(Profile::IrMeasures, "P(judged_only=1)@5"),
        "parameter `judged_only` must be True or False, not `1`"
    );
    assert_eq!(
        error(Profile::Ranx, "ndcg_burges-l2"),
        "ndcg_burges has no parameter `l` in ranx"
    );
    assert_eq!(
        error(Profile::Gdeval, "ndcg@0"),
        "nDCG@ needs a number of documents of at least 1, not `0`"
    );
    assert_eq!(
        error(Profile::Cranfield, "P(judged_only=True)@5"),
        "P has no parameter `judged_only`; known: rel, denominator"
    );
    assert_eq!(error(Profile::Cwl, "P"), "P needs a cutoff, such as P@10");
}

/// Asks a program for one of Cranfield's names.
fn asked(profile: Profile, text: &str) -> Result<InProgram, NotThere> {
    let own = parse_measures(text, &Conventions::default()).unwrap();
    in_program(profile, &own[0])
}

#[track_caller]
fn check_asked(profile: Profile, text: &str, expected: &str) {
    let found = asked(profile, text).map(|found| found.measure.to_string());
    assert_eq!(found.as_deref(), Ok(expected), "{profile} {text}");
}

#[track_caller]
fn check_absent(profile: Profile, text: &str, expected: &str) {
    let why = asked(profile, text).unwrap_err();
    assert_eq!(why.to_string(), expected, "{profile} {text}");
}

#[test]
fn unspecified_parameters_are_the_programs() {
    check_asked(Profile::Ntcireval, "nDCG@10", "nDCG(discount='jk')@10");
    check_asked(Profile::Ntcireval, "AP@10", "AP(denominator='min(R,k)')@10");
    check_asked(Profile::IrMeasures, "nDCG@10", "nDCG@10");
    check_asked(
        Profile::TrecEval,
        "RBP",
        "RBP(p=0.9, gains='grade', scale='topic')",
    );
    check_asked(
        Profile::TrecEval9,
        "IPrec@0.1",
        "IPrec(recall='floor(x+0.9)')@0.1",
    );
    check_asked(Profile::TrecEval, "IAP", "IAP(recall='round')");
    check_asked(Profile::TrecEval, "AP", "AP");
    check_asked(Profile::Cwl, "nDCG@10", "SDCG(max=1)@10");
    check_asked(Profile::Cwl, "RBP", "CWL_RBP(p=0.9, max_rel=1)");
    check_asked(Profile::Gdeval, "nDCG", "nDCG(gains='exp')@20");
    check_asked(Profile::Beir, "RR@10", "RR@10");
    let ties = |profile, text| asked(profile, text).unwrap().measure.overrides.ties;
    assert_eq!(ties(Profile::Beir, "RR@10"), Some(TieBreak::InputOrder));
    assert_eq!(ties(Profile::IrMeasures, "RR"), None);
    assert_eq!(ties(Profile::IrMeasures, "RR@10"), Some(TieBreak::DocidAsc));
}

#[test]
fn explicit_parameters_are_kept_even_if_they_are_defaults() {
    check_asked(Profile::Cwl, "RBP(p=0.8)", "CWL_RBP(max_rel=1)");
    check_asked(
        Profile::TrecEval,
        "RBP(p=0.8)",
        "RBP(gains='grade', scale='topic')",
    );
    check_asked(
        Profile::Ntcireval,
        "RBP(p=0.8)",
        "RBP(gains='0,0.3333333333333333,0.6666666666666666,1')",
    );
    check_absent(Profile::TrecEval, "RBP(gains='binary')", "gains are grades");
    // Writing out a default does not change unspecified parameters.
    check_asked(
        Profile::Ntcireval,
        "nDCG(gains='grade')@10",
        "nDCG(discount='jk')@10",
    );
    check(
        Profile::Ntcireval,
        "nDCG(gains='grade')@10",
        &["nDCG(discount='jk')@10"],
    );
    check(
        Profile::Ntcireval,
        "nDCG(gains='0,1,5')@10",
        &["nDCG(gains='0,1,5')@10"],
    );
    // Its MSnDCG.
    check_asked(Profile::Ntcireval, "nDCG(discount='log2')@10", "nDCG@10");
    check_absent(
        Profile::Gdeval,
        "nDCG(gains='grade')@10",
        "gains are 2^grade - 1",
    );
    check_absent(Profile::Quepid, "ERR(max=4)@10", "the highest rating is 3");
    check_absent(
        Profile::TrecEval9,
        "IPrec(recall='round')@0.1",
        "a recall point of x * R documents is rounded as floor(x * R + 0.9)",
    );
}

#[test]
fn a_program_without_the_parameter_has_no_value() {
    check_absent(Profile::Quepid, "P(rel=2)@10", "`rel` is 1, not 2");
    check_absent(
        Profile::Beir,
        "nDCG(gains='0,1,5')@10",
        "`gains` is 'grade', not '0,1,5'",
    );
    check_absent(
        Profile::Gdeval,
        "nDCG(gains='0,1,5')@10",
        "gains are 2^grade - 1",
    );
    check_absent(
        Profile::Gdeval,
        "ERR(max=3)@20",
        "the highest grade is assumed to be 4 for every collection",
    );
    check_absent(Profile::Cwl, "AP(rel=2)", "`rel` is 1, not 2");
    check_absent(Profile::Cwl, "RBP(p=0.5)@10", "it has no cutoff");
    check_absent(
        Profile::IrMeasures,
        "nDCG(ideal='uncut')@10",
        "`ideal` is 'gain', not 'uncut'",
    );
    check_absent(
        Profile::IrMeasures,
        "nDCG(gains='binary')@10",
        "`gains` is 'grade', not 'binary'",
    );
    check_absent(
        Profile::Ranx,
        "RBP",
        "`p` must be given, since it has no default",
    );
    check_absent(
        Profile::IrMeasures,
        "RBP",
        "`rel` must be given, since it has no default",
    );
    check_absent(
        Profile::IrMeasures,
        "INST",
        "`max_rel` must be given, since it has no default",
    );
    check_absent(Profile::TrecEval, "RR@10", "it has no cutoff");
    check_absent(
        Profile::TrecEval,
        "nDCG(gains='1=3')@10",
        "`gains` is 'grade', not '1=3'",
    );
    check_absent(Profile::TrecEval9, "RBP", "only version 10 supports it");
    check_absent(Profile::Ndeval, "nDCG@10", "it has no such measure");
    check_absent(Profile::Gdeval, "AP", "it has no such measure");
    check_asked(Profile::TrecEval, "AP(rel=2)", "AP(rel=2)");
    check_asked(
        Profile::TrecEval,
        "nDCG(gains='1=3')",
        "nDCG(gains='1=3', ideal='trec_eval')",
    );
    check_asked(Profile::Ranx, "RBP(p=0.95)", "RBP(p=0.95, gains='grade')");
    check_asked(Profile::Ranx, "nDCG(gains='1=0')@5", "nDCG(gains='1=0')@5");
    check_absent(
        Profile::Ranx,
        "nDCG(gains='1=2')@5",
        "`gains` is 'grade', not '1=2'",
    );
    check_asked(Profile::IrMeasures, "RBP(rel=2)", "CWL_RBP(rel=2)");
    check_asked(
        Profile::IrMeasures,
        "nDCG(gains='0,1,5')@10",
        "nDCG(gains='0,1,5')@10",
    );
}

#[test]
fn values_that_are_not_reproduced_are_an_error() {
    let why = asked(Profile::Beir, "Hole@5").unwrap_err().to_string();
    assert!(why.ends_with("which is not reproduced"), "{why}");
}

#[test]
fn the_intended_name_is_chosen_among_several() {
    for profile in [Profile::IrMeasures, Profile::Ranx, Profile::Quepid] {
        check_asked(profile, "nDCG(gains='exp')@10", "nDCG(gains='exp')@10");
    }
    let found = asked(Profile::IrMeasures, "nDCG(gains='exp')@10").unwrap();
    assert_eq!(found.measure.overrides.ties, Some(TieBreak::DocidDesc));
    check_asked(
        Profile::Quepid,
        "nDCG@10",
        "nDCG(gains='exp', ideal='uncut')@10",
    );
    check_asked(
        Profile::Ntcireval,
        "nDCG(base=10)@10",
        "nDCG(discount='jk', base=10)@10",
    );
    check_asked(Profile::Cwl, "CWL_RBP", "CWL_RBP(p=0.9, max_rel=1)");
}

/// A program's name means that program's measure under every profile, or nothing.
#[test]
fn a_programs_name_is_its_whole_definition() {
    check_absent(
        Profile::Quepid,
        "MSnDCG@0005",
        "gains are 2^rating - 1; the ideal contains all rated documents, not only the first k",
    );
    check_asked(Profile::Ntcireval, "ndcg_cut_5", "nDCG@5");
    check_asked(Profile::Ranx, "MSnDCG@0005", "nDCG@5");
    check_absent(
        Profile::Cwl,
        "map",
        "divided by the number of relevant documents retrieved, not of all relevant ones",
    );
    let rbp = "RBP(p=0.9, gains='grade', scale='topic')";
    check_asked(Profile::TrecEval, "rbp", rbp);
    for profile in [Profile::Ranx, Profile::Ntcireval, Profile::Cwl] {
        assert!(asked(profile, "rbp").is_err(), "{profile}");
    }
    // Also under the profile of another program.
    for profile in Profile::ALL {
        check(*profile, "rbp", &[rbp]);
        check(*profile, "MSnDCG@0005", &["nDCG@5"]);
        check(*profile, "ndcg_burges@5", &["nDCG(gains='exp')@5"]);
        check(*profile, "map@5-l2", &["AP(rel=2)@5"]);
    }
    check(
        Profile::Quepid,
        "nDCG(gains='exp')@5",
        &["nDCG(gains='exp')@5"],
    );
}

/// Canonical names are interpreted by the profile's program, for every profile.
#[test]
fn canonical_names_follow_the_profiles_program() {
    let rbp = "RBP(p=0.9, gains='grade', scale='topic')";
    check(Profile::TrecEval, "RBP rbp", &[rbp]);
    check(
        Profile::TrecEval,
        "RBP(p=0.5)",
        &["RBP(p=0.5, gains='grade', scale='topic')"],
    );
    check(Profile::TrecEval9, "RBP", &["RBP"]);
    check(Profile::TrecEval, "RR@10 ERR@5", &["RR@10", "ERR@5"]);
    check(Profile::Cwl, "RBP(p=0.8)", &["CWL_RBP(max_rel=1)"]);
    check(Profile::Quepid, "P(rel=2)@10", &["P(rel=2)@10"]);
    let printed = |profile, text| {
        let measures = parse_measures(text, &Conventions::of(profile)).unwrap();
        profile.name_of(&measures[0])
    };
    assert_eq!(printed(Profile::TrecEval, "RBP"), "rbp");
    assert_eq!(printed(Profile::TrecEval, "nDCG@10"), "ndcg_cut_10");
    assert_eq!(printed(Profile::Cwl, "RBP(p=0.8)"), "RBP(p=0.8)");
    assert_eq!(printed(Profile::Quepid, "MSnDCG@0005"), "MSnDCG@0005");
    assert_eq!(printed(Profile::Cwl, "ndcg_cut_5"), "ndcg_cut_5");
}

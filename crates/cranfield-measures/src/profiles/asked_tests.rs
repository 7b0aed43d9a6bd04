//! Cranfield's names in other programs.

use super::tests::check;
use super::*;
use crate::spec::{Conventions, parse_measures};

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

//! Names of `trec_eval`.

use super::*;
use crate::profiles::Profile;
use crate::spec::parse_measures;

#[track_caller]
fn check(text: &str, profile: Profile, expected: &[&str]) {
    let measures = parse_measures(text, &Conventions::of(profile)).unwrap();
    let names: Vec<_> = measures.iter().map(ToString::to_string).collect();
    assert_eq!(names, expected);
}

#[test]
fn every_row_has_its_family() {
    for row in TREC_MEASURES {
        let named = row.plain(&Conventions::default()).unwrap();
        assert!(!named.is_empty(), "{}", row.name);
    }
}

#[test]
fn group_sizes_match_trec_eval() {
    let count = |group| {
        let measures = parse_measures(group, &Conventions::of(Profile::TrecEval)).unwrap();
        measures.len()
    };
    assert_eq!(count("official"), 30);
    // 99 summary lines, and relstring, which has none.
    assert_eq!(count("all_trec"), 100);
}

#[test]
fn minus_zero_is_zero() {
    check(
        "iprec_at_recall.-0",
        Profile::TrecEval,
        &["IPrec(recall='round')@0"],
    );
    check(
        "G.1=-0",
        Profile::TrecEval,
        &["G(gains='1=0', ideal='trec_eval')"],
    );
}

#[test]
fn trec_eval_notations() {
    check(
        "map ndcg_cut_10 ndcg_cut.5,20 P_5",
        Profile::Cranfield,
        &["AP", "nDCG@10", "nDCG@5", "nDCG@20", "P@5"],
    );
    check(
        "P",
        Profile::TrecEval,
        &[
            "P@5", "P@10", "P@15", "P@20", "P@30", "P@100", "P@200", "P@500", "P@1000",
        ],
    );
    for profile in [Profile::Cranfield, Profile::TrecEval] {
        check(
            "iprec_at_recall_0.25 11pt_avg iprec_at_recall@0.3 11pt_avg(rel=2)",
            profile,
            &[
                "IPrec(recall='round')@0.25",
                "IAP(recall='round')",
                "IPrec(recall='round')@0.3",
                "IAP(recall='round', rel=2)",
            ],
        );
    }
    check(
        "iprec_at_recall_0.25",
        Profile::TrecEval9,
        &["IPrec(recall='floor(x+0.9)')@0.25"],
    );
    check(
        "ndcg.1=3,2=9",
        Profile::Cranfield,
        &["nDCG(gains='1=3,2=9', ideal='trec_eval')"],
    );
}

#[test]
fn printed_names_match_trec_eval() {
    let name = |text| {
        let measures = parse_measures(text, &Conventions::default()).unwrap();
        printed_name(&measures[0])
    };
    assert_eq!(name("nDCG@10").as_deref(), Some("ndcg_cut_10"));
    assert_eq!(name("nDCG").as_deref(), Some("ndcg"));
    assert_eq!(
        name("IPrec(recall='round')@0.5").as_deref(),
        Some("iprec_at_recall_0.50")
    );
    assert_eq!(name("IPrec@0.5"), None);
    assert_eq!(name("AP(rel=2)"), None);
    assert_eq!(name("RBP(p=0.5)"), None);
    assert_eq!(name("rbp.p=0.5").as_deref(), Some("rbp_p=0.5"));
}

#[test]
fn rbp_follows_trec_eval() {
    check(
        "rbp",
        Profile::TrecEval,
        &["RBP(p=0.9, gains='grade', scale='topic')"],
    );
    check("rbp_resid", Profile::TrecEval, &["RBPResidual(p=0.9)"]);
    check(
        "rbp.p=0.5,1=0.2",
        Profile::TrecEval,
        &["RBP(p=0.5, gains='1=0.2', scale='topic')"],
    );
}

#[test]
fn parameters_are_checked() {
    let error = |text| {
        let result = parse_measures(text, &Conventions::of(Profile::TrecEval));
        result.unwrap_err().to_string()
    };
    assert_eq!(
        error("P.5,0"),
        "parameters of P must be cutoffs such as 5,10, not `5,0`"
    );
    assert_eq!(
        error("11pt_avg.x"),
        "parameters of 11pt_avg must be numbers such as 1,-1,0,0, not `x`"
    );
    assert_eq!(
        error("ndcg.1"),
        "parameters of ndcg must be pairs such as 1=3,2=9, not `1`"
    );
    assert_eq!(
        error("iprec_at_recall_.x"),
        "parameters of iprec_at_recall must be numbers such as .25,.5, not `.x`"
    );
    assert_eq!(
        error("utility.1,2"),
        "Utility needs 4 coefficients, such as '1,-1,0,0', not 2"
    );
}

#[test]
fn long_points_are_truncated_as_in_trec_eval() {
    let measures = parse_measures("iprec_at_recall.1234567.25", &Conventions::default()).unwrap();
    assert_eq!(
        measures[0].label.as_deref(),
        Some("iprec_at_recall_1234567.")
    );
}

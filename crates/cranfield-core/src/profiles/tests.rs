//! What holds for every table, and names as each program writes them.

use super::*;
use crate::spec::{Conventions, find_exact, parse_measures};

/// Measures that are not written yet.
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

#[test]
fn every_meaning_that_differs_has_a_reason() {
    for profile in Profile::ALL {
        for meaning in profile.program().names {
            let same = meaning.measure == meaning.thought_of();
            let named = [
                "Success@",
                "NCU(",
                "SetRelP",
                "NumRelRet",
                "CWL_P(",
                "CWL_RR(",
                "CWL_TrAP(",
            ];
            let other_name = named.iter().any(|start| meaning.measure.starts_with(start));
            let cwl_gains =
                meaning.measure.ends_with("max_rel=1)") || meaning.measure == "SDCG(max=1)";
            assert!(
                same || other_name || cwl_gains || !meaning.reason.is_empty(),
                "{profile}: {}",
                meaning.name
            );
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
        Some(crate::policy::Unjudged::Condensed)
    );
    assert_eq!(
        measures[2].name_in(Profile::IrMeasures),
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
            "nDCG(gains='exp', ideal='uncut')@5",
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
fn mistakes_are_told_as_ever() {
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
        "nDCG has no parameter `l`; known: gains, ideal, discount, base"
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

#[test]
fn a_name_is_asked_for_as_it_is() {
    let name = |profile, text: &str| {
        let own = parse_measures(text, &Conventions::default())
            .unwrap()
            .remove(0);
        in_program(profile, &own)
            .map(|found| (found.measure.to_string(), found.measure.overrides.ties))
    };
    let check = |profile, text, expected: &str, ties| {
        assert_eq!(
            name(profile, text),
            Some((expected.to_owned(), ties)),
            "{profile} {text}"
        );
    };
    check(
        Profile::Ntcireval,
        "nDCG@10",
        "nDCG(discount='jk')@10",
        None,
    );
    check(
        Profile::Ntcireval,
        "AP@10",
        "AP(denominator='min(R,k)')@10",
        None,
    );
    check(
        Profile::IrMeasures,
        "nDCG(gains='exp')@10",
        "nDCG(gains='exp')@10",
        Some(TieBreak::DocidDesc),
    );
    check(Profile::IrMeasures, "nDCG@10", "nDCG@10", None);
    check(
        Profile::Ranx,
        "nDCG(gains='exp')@10",
        "nDCG(gains='exp')@10",
        None,
    );
    check(
        Profile::TrecEval,
        "RBP",
        "RBP(p=0.9, gains='grade', scale='topic')",
        None,
    );
    check(
        Profile::TrecEval9,
        "IPrec@0.1",
        "IPrec(recall='floor(x+0.9)')@0.1",
        None,
    );
    check(Profile::TrecEval, "AP", "AP", None);
    check(Profile::Beir, "RR@10", "RR@10", Some(TieBreak::InputOrder));
    check(Profile::Cwl, "nDCG@10", "SDCG(max=1)@10", None);
    for (profile, text) in [
        (Profile::TrecEval9, "RBP"),
        (Profile::TrecEval, "RR@10"),
        (Profile::Ndeval, "nDCG@10"),
        (Profile::Gdeval, "AP"),
        (Profile::IrMeasures, "RBP(gains='grade')"),
    ] {
        assert_eq!(name(profile, text), None, "{profile} {text}");
    }
}

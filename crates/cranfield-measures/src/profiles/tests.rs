//! Properties of every table, and names as written by each program.

use super::*;
use crate::spec::{Conventions, find_exact, parse_measures};

#[track_caller]
pub(super) fn check(profile: Profile, text: &str, expected: &[&str]) {
    let measures = parse_measures(text, &Conventions::of(profile)).unwrap();
    let names: Vec<_> = measures.iter().map(ToString::to_string).collect();
    assert_eq!(names, expected, "{profile}: {text}");
}

#[test]
fn every_name_has_its_measure() {
    for profile in Profile::ALL {
        for meaning in profile.program().names {
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

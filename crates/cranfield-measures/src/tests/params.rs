//! Parameters of measures.

use cranfield_core::params::{Params, Value};

use crate::profiles::Profile;
use crate::spec::{Conventions, find, parse_measure};

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = parse_measure(text, &Conventions::default()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[track_caller]
fn check_name(text: &str, conventions: &Conventions, expected: &str) {
    assert_eq!(
        parse_measure(text, conventions).unwrap().to_string(),
        expected
    );
}

#[test]
fn values_are_checked() {
    check_error(
        "RBP(p=1.5)",
        "parameter `p` must be a number from 0 to 1, not `1.5`",
    );
    check_error(
        "RBP(p=nan)",
        "parameter `p` must be a number from 0 to 1, not `nan`",
    );
    check_error(
        "SetF(beta=-1)",
        "parameter `beta` must be a number of at least 0, not `-1`",
    );
    check_error(
        "RBP(scale='all')",
        "parameter `scale` must be one of none, topic, not `all`",
    );
    check_error(
        "IAP(points='')",
        "parameter `points` must be numbers separated by commas, such as '1,-1,0,0', not ``",
    );
    check_error("AP(rel=1, rel=2)", "parameter `rel` of AP is given twice");
    check_error(
        "NumRet(rel=1)",
        "NumRet has no parameter `rel`; known: it has none",
    );
}

#[test]
fn cutoffs_are_checked() {
    check_error("SetP@5", "SetP has no cutoff, but `@5` was given");
    check_error("IPrec", "IPrec needs a point, such as IPrec@0.5");
    check_error("IPrec@x", "IPrec@ needs a number, not `x`");
    check_error(
        "P@1.5",
        "P@ needs a number of documents of at least 1, not `1.5`",
    );
    check_error("P@", "P@ needs a number of documents of at least 1, not ``");
    check_error(
        "P@99999999999999999999",
        "P@ needs a number of documents of at least 1, not `99999999999999999999`",
    );
}

#[test]
fn only_what_differs_from_the_default_is_printed() {
    let own = Conventions::default();
    check_name("RBP(p=0.8, gains='binary')", &own, "RBP");
    check_name(
        "RBP( gains = grade , p = .50 )@10",
        &own,
        "RBP(p=0.5, gains='grade')@10",
    );
    check_name("IPrec@-0", &own, "IPrec@0");
    check_name("IAP(points='1e0,-0')", &own, "IAP(points='1,0')");
}

#[test]
fn conventions_are_spelled_out() {
    let level = Conventions {
        level: Some(2.0),
        ..Conventions::default()
    };
    check_name("AP", &level, "AP(rel=2)");
    check_name("AP(rel=1)", &level, "AP");
    check_name("nDCG", &level, "nDCG");
    check_name(
        "IAP",
        &Conventions::of(Profile::TrecEval9),
        "IAP(recall='floor(x+0.9)')",
    );
}

#[test]
fn explicit_defaults_are_kept() {
    let measure = parse_measure("RBP(p=0.8, gains='grade')@10", &Conventions::default()).unwrap();
    let said = |params: &Params| -> Vec<_> {
        let said = params.said(measure.info);
        said.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(said(&measure.params), ["p", "gains"]);
    assert_eq!(measure.said(), "RBP(p=0.8, gains='grade')@10");
    let whole = measure.clone().all_said().params;
    assert_eq!(said(&whole).len(), measure.info.params.len());
    assert_eq!(said(&whole.as_canonical()), ["gains"]);
    let open = parse_measure("RBP(gains='grade')@10", &Conventions::default()).unwrap();
    assert_eq!(open.params, measure.params, "the same computation");
}

#[test]
fn a_value_for_an_undeclared_name_is_ignored() {
    let info = find("AP").unwrap();
    let params = Conventions::default().defaults(info);
    assert_eq!(params.clone().with("p", Value::Real(0.5)), params);
    assert_eq!(params.value("p"), None);
    assert_eq!(params.with("rel", Value::Real(3.0)).suffix(info), "(rel=3)");
}

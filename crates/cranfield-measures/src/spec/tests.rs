//! The grammar of names.

use proptest::prelude::*;

use super::*;

fn names(text: &str) -> Vec<String> {
    let measures = parse_measures(text, &Conventions::default()).unwrap();
    measures.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(
        parse_measures(text, &Conventions::default())
            .unwrap_err()
            .to_string(),
        expected
    );
}

#[test]
fn lists_split_outside_of_parentheses() {
    assert_eq!(
        names("AP, P@5,\n nDCG( gains = '0,1,10' )@20"),
        ["AP", "P@5", "nDCG(gains='0,1,10')@20"]
    );
    assert_eq!(names("AP AP map"), ["AP"]);
    assert_eq!(names("AP,RR,P@5"), ["AP", "RR", "P@5"]);
    assert_eq!(
        names("nDCG@10,AP(rel=2, denominator='min(R,k)')@5,P.5,10,11pt_avg,RR"),
        names("nDCG@10 AP(rel=2, denominator='min(R,k)')@5 P.5,10 11pt_avg RR")
    );
    assert_eq!(
        names("nDCG(gains=\"0,1,10\")@20"),
        ["nDCG(gains='0,1,10')@20"]
    );
    assert_eq!(names(""), [""; 0]);
}

#[test]
fn mistakes_are_named() {
    check_error("AP(rel=2", "unclosed parenthesis in `AP(rel=2`");
    check_error("AP(rel)", "`rel` is not of the form name=value");
    check_error(
        "AP(depth=2)",
        "AP has no parameter `depth`; known: rel, denominator",
    );
    check_error("AP(rel=x)", "parameter `rel` must be a number, not `x`");
    check_error("P", "P needs a cutoff, such as P@10");
    check_error(
        "P@0",
        "P@ needs a number of documents of at least 1, not `0`",
    );
    check_error(
        "AP(rel=1)x",
        "expected `@` and a cutoff after `AP`, found `x`",
    );
    check_error("AP,P", "P needs a cutoff, such as P@10");
    check_error(
        "P@5,zzzzzzzz@1",
        "unknown measure `zzzzzzzz`; `cranfield measures` lists all",
    );
    check_error("@10", "`@10` does not start with a measure's name");
}

#[test]
fn errors_suggest_quotes() {
    check_error(
        "nDCG(gains=0,1,3)",
        "`1` is not of the form name=value; put a list in quotes, such as gains='0,1,10'",
    );
    check_error("nDCG(gains='0,1)", "unclosed quote in `nDCG(gains='0,1)`");
    check_error("nDCG(gains=a'b'c)", "unbalanced quotes in `gains=a'b'c`");
}

#[test]
fn unknown_names_get_suggestions() {
    let error = parse_measures("nDGC@10", &Conventions::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("unknown measure `nDGC`; did you mean `nDCG`, "),
        "{error}"
    );
    check_error(
        "zzzzzzzzzzzz",
        "unknown measure `zzzzzzzzzzzz`; `cranfield measures` lists all",
    );
    let long = "x".repeat(MAX_TEXT);
    let error = parse_measures(&long, &Conventions::default())
        .unwrap_err()
        .to_string();
    assert!(error.len() < 200, "{error}");
}

#[test]
fn very_long_lists_are_errors() {
    let long = "x".repeat(MAX_TEXT + 1);
    let error = parse_measures(&long, &Conventions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "list of measures is longer than 65536 bytes"
    );
}

#[test]
fn all_is_the_catalogue_for_grades() {
    let all = names("all");
    for name in ["nDCG", "P@10", "IPrec@0.5", "NumQ", "INSQ"] {
        assert!(all.iter().any(|known| known == name), "{name}");
    }
    for name in ["PrefSimp", "alphaDCG@10", "APavgjg"] {
        assert!(!all.iter().any(|known| known == name), "{name}");
    }
    assert_eq!(names("AP all")[0], "AP");
    assert_eq!(names("AP all").len(), all.len());
}

#[test]
fn names_of_ranx() {
    assert_eq!(
        names("rbp.95 mrr@10"),
        ["RBP(p=0.95, gains='grade')", "RR@10"]
    );
    assert_eq!(
        names("hit_rate@5 r-precision recall@7"),
        ["Success@5", "Rprec", "R@7"]
    );
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse_measures(&text, &Conventions::default());
    }

    #[test]
    fn no_text_of_the_alphabet_panics(text in "[a-zA-Z@(),=' .0-9_+-]{0,60}") {
        let _ = parse_measures(&text, &Conventions::of(Profile::TrecEval));
    }

    #[test]
    fn no_parameters_panic(
        name in prop::sample::select(known_names().collect::<Vec<_>>()),
        parameters in "[@(._][pgains(),='.0-9_-]{0,20}",
    ) {
        for profile in Profile::ALL {
            let conventions = Conventions::of(*profile);
            for measure in parse_measures(&format!("{name}{parameters}"), &conventions).unwrap_or_default() {
                let _ = (measure.to_string(), profile.name_of(&measure));
            }
        }
    }
}

#[test]
fn cutoffs_in_other_places_are_explained() {
    let error = |name: &str| {
        let error = parse_measures(name, &Conventions::default()).unwrap_err();
        error.to_string()
    };
    let meant = [
        ("P10", "P@10"),
        ("ndcg10", "nDCG@10"),
        ("nDCG_10", "nDCG@10"),
    ];
    for (name, meant) in meant {
        let expected = format!("unknown measure `{name}`; did you mean `{meant}`?");
        assert_eq!(error(name), expected);
    }
    assert_eq!(
        error("AP@1000(rel=2)"),
        "AP@ needs a number of documents of at least 1, not `1000(rel=2)`; write AP(rel=2)@1000"
    );
    assert!(error("P@5,10").ends_with("not `5,10`; write P@5 for each cutoff"));
}

//! Power of comparisons.

use super::*;
use crate::test_data::sakai_scores;

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
}

/// statsmodels 0.15.0: `anova_lm` for the variances, `TTestPower` for the t test; scipy 1.17.1, `ncf`, for the analysis of
/// variance, whose power is 0.7938 with 63 topics and 0.8005 with 64.
#[test]
fn a_pilot_as_statsmodels_has_it() {
    let settings = Settings {
        differences: vec![0.1],
        ..Settings::default()
    };
    let power = Power::of_scores("AP", &sakai_scores(), &settings).unwrap();
    let design = &power.designs[0];
    near(design.difference_variance, 0.043_771_929_824);
    near(design.score_variance, 0.032_649_122_807);
    let sizes: Vec<usize> = design.shown.iter().map(|shown| shown.topics).collect();
    assert_eq!(sizes, [20, 25, 50, 100, 200]);
    let sd = 0.209_217_422_373;
    near(design.shown[0].detectable, 0.660_441_654_438 * sd);
    near(design.shown[2].detectable, 0.404_182_999_737 * sd);
    near(design.shown[0].powers[0], 0.527_543_841_387);
    near(design.shown[2].powers[0], 0.911_949_232_173);
    let needed = design.needed[0];
    near(needed.t.exact, 36.323_521_083);
    assert_eq!((needed.t.topics, needed.anova), (37, 64));
}

/// The designs of Sakai's paper: a range of 0.1, a variance of 0.05 of scores and so 0.1 of differences. The t test by the root of
/// the power that scipy 1.17.1 has (`nct`, `brentq`).
#[test]
fn designs_without_a_pilot() {
    let needed = |among: usize| {
        let settings = Settings {
            differences: vec![0.1],
            widths: vec![0.1, 0.2],
            among: Some(among),
            ..Settings::default()
        };
        Power::of_sd(0.1_f64.sqrt(), &settings)
            .unwrap()
            .designs
            .remove(0)
    };
    let anova = [2, 10, 50].map(|among| needed(among).needed[0].anova);
    assert_eq!(anova, [80, 158, 301]);
    let design = needed(2);
    near(design.needed[0].t.exact, 80.430_476_751_2);
    let narrow: Vec<usize> = design.intervals.iter().map(|one| one.topics).collect();
    assert_eq!(narrow, [156, 41]);
}

/// The number of topics needed for the minimum detectable difference is the original number.
#[test]
fn detectable_and_needed_are_inverse() {
    let sizes = vec![5, 30, 400];
    let first = Settings {
        sizes: sizes.clone(),
        ..Settings::default()
    };
    let shown = Power::of_sd(0.25, &first).unwrap().designs.remove(0).shown;
    let second = Settings {
        differences: shown.iter().map(|shown| shown.detectable).collect(),
        ..first
    };
    let design = Power::of_sd(0.25, &second).unwrap().designs.remove(0);
    for (at, (needed, size)) in design.needed.iter().zip(&sizes).enumerate() {
        near(needed.t.exact, *size as f64);
        near(design.shown[at].powers[at], 0.8);
    }
}

#[test]
fn errors_suggest_a_remedy() {
    let with = |settings: Settings| Power::of_sd(0.2, &settings).unwrap_err().to_string();
    let usual = Settings::default;
    let errors = [
        with(Settings {
            alpha: 0.0,
            ..usual()
        }),
        with(Settings {
            power: 1.0,
            ..usual()
        }),
        with(Settings {
            power: f64::NAN,
            ..usual()
        }),
        with(Settings {
            differences: vec![-0.1],
            ..usual()
        }),
        with(Settings {
            widths: vec![f64::INFINITY],
            ..usual()
        }),
        with(Settings {
            sizes: vec![1],
            ..usual()
        }),
        with(Settings {
            among: Some(1),
            ..usual()
        }),
        Power::of_sd(0.0, &usual()).unwrap_err().to_string(),
    ];
    assert!(
        errors.iter().all(|text| text.contains("; give ")),
        "{errors:?}"
    );
    let tiny = with(Settings {
        differences: vec![1e-9],
        ..usual()
    });
    let expected =
        "more than 10000000 topics are needed; choose a lower power or a larger difference";
    assert_eq!(tiny, expected);
    let none = with(Settings {
        differences: vec![1e-300],
        ..usual()
    });
    assert_eq!(
        none,
        "difference is 1e-300; give a number from 1e-50 to 1e50"
    );
    let effects = Settings {
        differences: vec![-1.0],
        ..usual()
    };
    let effect = Power::of_effects(&effects).unwrap_err().to_string();
    assert_eq!(effect, "effect is -1; give a number above 0");
    let flat = Power::of_scores("AP", &[[0.5, 0.4], [0.3, 0.2]], &usual()).unwrap_err();
    assert!(
        flat.to_string().contains("no variance to plan with"),
        "{flat}"
    );
    let one = Power::of_scores("AP", &[[0.5, 0.4]], &usual()).unwrap_err();
    assert!(one.to_string().contains("two or more runs"), "{one}");
}

use cranfield_core::setting::SettingStyle;
use cranfield_stats::random::Stream;

use super::*;

mod self_tests;

fn gated(changes: &[f64], settings: &Settings) -> GatedMeasure {
    let baseline = vec![0.5; changes.len()];
    let run: Vec<f64> = changes.iter().map(|change| 0.5 + change).collect();
    gate_scores("AP", &run, &baseline, settings).unwrap()
}

fn verdict(changes: &[f64], tolerance: &str) -> Verdict {
    let settings = Settings {
        tolerance: tolerance.parse().unwrap(),
        ..Settings::default()
    };
    gated(changes, &settings).verdict
}

#[test]
fn identical_runs_pass_with_and_without_a_tolerance() {
    for tolerance in ["0", "0.01", "2%"] {
        assert_eq!(verdict(&[0.0; 10], tolerance), Verdict::Pass);
    }
}

#[test]
fn a_constant_change_is_known_exactly() {
    assert_eq!(verdict(&[-0.01; 10], "0.01"), Verdict::Pass);
    assert_eq!(verdict(&[-0.02; 10], "0.01"), Verdict::Fail);
    assert_eq!(verdict(&[0.02; 10], "0"), Verdict::Pass);
    // 2 % of 0.5.
    assert_eq!(verdict(&[-0.01; 10], "2%"), Verdict::Pass);
    assert_eq!(verdict(&[-0.01; 10], "1.9%"), Verdict::Fail);
}

/// Changes of this mean, with a standard deviation of 0.1 sqrt(10/9) over ten topics, and so a standard error of 1/30.
fn around(mean: f64) -> Vec<f64> {
    (0..10).map(|at| mean + [0.1, -0.1][at % 2]).collect()
}

#[test]
fn bounds_by_hand() {
    // Student's t with 9 degrees of freedom has its 95 % quantile at 1.8331129: the bound is that much of 1/30 below.
    let reach = 1.833_112_933 / 30.0;
    let settings = Settings::default();
    let found = gated(&around(0.0), &settings);
    assert!((found.low.unwrap() + reach).abs() < 1e-8, "{:?}", found.low);
    assert_eq!(found.verdict, Verdict::Inconclusive);
    // A drop is significant beyond the same distance; passing needs the bound above the tolerated drop.
    for (mean, tolerance, expected) in [
        (-reach - 1e-6, "0.01", Verdict::Fail),
        (-reach + 1e-6, "0.01", Verdict::Inconclusive),
        (-reach - 1e-6, "0.07", Verdict::Inconclusive),
        (reach - 0.01 + 1e-6, "0.01", Verdict::Pass),
        (reach - 0.01 - 1e-6, "0.01", Verdict::Inconclusive),
        (reach + 1e-6, "0", Verdict::Pass),
        (0.0, "0.0612", Verdict::Pass),
        (0.0, "0.0611", Verdict::Inconclusive),
    ] {
        assert_eq!(
            verdict(&around(mean), tolerance),
            expected,
            "{mean} {tolerance}"
        );
    }
}

#[test]
fn randomisation_counts_signs() {
    // Of 32 signs of five equal drops with some noise, one is as low: p = 1/32.
    let settings = Settings {
        test: Test::Randomisation,
        tolerance: Tolerance::Absolute(0.0),
        ..Settings::default()
    };
    let found = gated(&[-0.1, -0.2, -0.1, -0.3, -0.1], &settings);
    assert_eq!(found.p_drop, 1.0 / 32.0);
    assert_eq!(found.verdict, Verdict::Fail);
}

fn by_t(tolerance: f64) -> Settings {
    Settings {
        tolerance: Tolerance::Absolute(tolerance),
        ..Settings::default()
    }
}

fn by_signs(tolerance: f64) -> Settings {
    Settings {
        test: Test::Randomisation,
        ..by_t(tolerance)
    }
}

/// Of 2^n signs of n equal drops one is as low, so that p is 1 / 2^n: five topics are enough at 0.05, four are not.
#[test]
fn equal_drops_have_the_p_of_their_signs() {
    for (topics, least, expected) in [
        (4, 1.0 / 16.0, Verdict::Inconclusive),
        (5, 1.0 / 32.0, Verdict::Fail),
    ] {
        let found = gated(&vec![-0.1; topics], &by_signs(0.01));
        assert_eq!(found.p_drop, least);
        assert_eq!(found.verdict, expected);
        let found = gated(&vec![0.1; topics], &by_signs(0.01));
        assert_eq!(found.p_within, least);
        assert_eq!(found.verdict == Verdict::Pass, topics == 5);
    }
    // The same values on every topic are no estimate.
    assert_eq!(gated(&[0.0; 3], &by_signs(0.0)).verdict, Verdict::Pass);
}

/// The bound of the randomisation test is a mean of a subset of the changes (see `ShiftedTests::lower_bound`), and here the least of them; that of
/// Student's t would be 0.5 - 2.1318 * 0.5 = -0.5659, which is beyond the tolerance although the run passes.
#[test]
fn the_bound_is_that_of_the_test() {
    let changes = [0.0, 0.0, 0.0, 0.0, 2.5];
    let found = gated(&changes, &by_signs(0.01));
    assert_eq!(found.verdict, Verdict::Pass);
    assert!(found.low.unwrap().abs() < 1e-8, "{:?}", found.low);
    let few = gated(&changes[1..], &by_signs(0.01));
    assert_eq!((few.verdict, few.low), (Verdict::Inconclusive, None));
    let gate = gate(&[("AP", changes[1..].to_vec())], &by_signs(0.01)).unwrap();
    let says = gate.says(&gate.measures[0]);
    assert!(
        says.contains("without a bound (4 topics are too few for 95 % confidence)"),
        "{says}"
    );
    assert!(
        says.contains(
            "4 topics are too few for this test to detect any drop: its smallest p-value is 0.0625."
        ),
        "{says}"
    );
}

#[test]
fn the_bound_never_contradicts_the_verdict() {
    let mut stream = Stream::new(9, 0);
    for case in 0..60 {
        let topics = 3 + case % 12;
        let changes: Vec<f64> = (0..topics)
            .map(|_| (10.0 * stream.normal()).round() / 50.0)
            .collect();
        let settings = by_signs([0.0, 0.01, 0.1][case % 3]);
        let found = gated(&changes, &settings);
        let bounded = found.low.is_some_and(|low| low >= -found.tolerance);
        let is_same = found.degenerate == Some(Degenerate::Identical);
        assert_eq!(
            found.verdict == Verdict::Pass,
            bounded || is_same,
            "{changes:?}"
        );
    }
}

/// Three topics have p-values of 1/8 and more: nothing can pass or fail by signs, and five topics are the fewest that can.
#[test]
fn signs_of_few_topics_let_no_run_pass() {
    let gate = gate(&[("AP", vec![-0.05, 0.0, 0.01])], &by_signs(10.0)).unwrap();
    let power = gate.measures[0].power.unwrap();
    assert_eq!(power.unchanged_passes, 0.0);
    assert_eq!(
        (power.topics_to_pass, power.topics_to_see),
        (Some(5), Some(5))
    );
    let says = gate.says(&gate.measures[0]);
    assert!(
        says.contains("An unchanged run passes in 0 % of cases."),
        "{says}"
    );
    assert!(says.contains("Worse by 0.0133, without a bound"), "{says}");
}

/// Student's t has nothing to divide by.
#[test]
fn p_without_variance_has_a_warning() {
    let says = |settings: &Settings| {
        let gate = gate(&[("AP", vec![-0.5, -0.5])], settings).unwrap();
        gate.says(&gate.measures[0])
    };
    let words =
        "All topics changed by the same amount: without variance, p is 0 or 1 by convention";
    let by_t = says(&Settings::default());
    assert!(by_t.contains(words), "{by_t}");
    assert!(!says(&by_signs(0.01)).contains(words));
}

#[test]
fn power_names_its_test() {
    let of = |test| {
        let settings = Settings {
            test,
            ..Settings::default()
        };
        let gate = gate(&[("AP", around(-0.2))], &settings).unwrap();
        gate.says(&gate.measures[0])
    };
    let by_signs = of(Test::Randomisation);
    assert!(
        by_signs.contains("80 % power, computed for the t test"),
        "{by_signs}"
    );
    let by_t = of(Test::T);
    assert!(by_t.ends_with("(80 % power)."), "{by_t}");
}

/// 0.04 of a deviation of 0.1054 takes 45 topics by t one-sided; so does it here, where the tolerance is smaller.
#[test]
fn twice_the_tolerance_takes_topics() {
    let settings = Settings {
        tolerance: Tolerance::Absolute(0.02),
        ..Settings::default()
    };
    let gate = gate(&[("AP", around(0.0))], &settings).unwrap();
    let says = gate.says(&gate.measures[0]);
    assert!(
        says.contains("Detecting a drop of 0.0400 takes 45 topics."),
        "{says}"
    );
}

/// 0.3 - 0.1 and 0.2 differ in the last bit, and have no deviation.
#[test]
fn rounding_is_no_deviation() {
    let run = [0.3, 0.2, 0.7, 0.6];
    let baseline = [0.1, 0.0, 0.5, 0.4];
    let found = gate_scores("AP", &run, &baseline, &Settings::default()).unwrap();
    assert_eq!(
        (found.power, found.degenerate),
        (None, Some(Degenerate::Constant))
    );
}

fn paired(measure: &str, changes: &[f64]) -> Paired {
    let values = changes.iter().enumerate();
    Paired {
        measure: measure.into(),
        sign: 1.0,
        values: values
            .map(|(at, change)| (format!("t{at}"), 0.5, 0.5 + change))
            .collect(),
        left_out: 0,
        zeros: 0,
    }
}

fn gate(measures: &[(&str, Vec<f64>)], settings: &Settings) -> Result<Gate, GateError> {
    let measures = measures.iter().map(|(name, changes)| paired(name, changes));
    let (new, old) = ("new".into(), "old".into());
    Gate::of_paired(new, old, measures.collect(), settings)
}

/// A mean that did not change is neither better nor worse by 0.
#[test]
fn an_unchanged_mean_has_its_own_wording() {
    let gate = |mean| gate(&[("AP", around(mean))], &Settings::default()).unwrap();
    let same = gate(0.0);
    let says = same.says(&same.measures[0]);
    let expected = "AP: neither a drop nor its absence is significant. The same mean, worse by at most 0.0611 (95 % confidence); a";
    assert!(says.starts_with(expected), "{says}");
    let better = gate(0.01);
    let says = better.says(&better.measures[0]);
    assert!(
        says.contains("Better by 0.0100, at least -0.0511 (95 %"),
        "{says}"
    );
}

#[test]
fn failing_is_corrected_and_passing_is_not() {
    // p of one drop is 0.04; with a second measure Holm doubles it.
    let drop = around(-0.0656);
    let alone = gate(&[("AP", drop.clone())], &Settings::default()).unwrap();
    assert_eq!(alone.verdict, Verdict::Fail);
    let measures = [("AP", drop), ("RR", around(0.2))];
    let both = gate(&measures, &Settings::default()).unwrap();
    assert_eq!(both.verdict, Verdict::Inconclusive);
    // t = 1.9 has p = 0.045 for both: corrected it would not be enough.
    let near = around(1.9 / 30.0 - 0.01);
    let both = gate(&[("AP", near.clone()), ("RR", near)], &Settings::default()).unwrap();
    assert_eq!(both.verdict, Verdict::Pass);
}

#[test]
fn the_ratchet_names_the_topics_that_fell() {
    let changes = vec![0.3, -0.2, 0.3, -0.05, 0.4, 0.3, -0.1, 0.3];
    let with = |excused: &[&str]| {
        let settings = Settings {
            ratchet: Some(0.1),
            excused: excused.iter().map(|topic| (*topic).to_owned()).collect(),
            ..Settings::default()
        };
        gate(&[("AP", changes.clone())], &settings)
    };
    let found = with(&[]).unwrap();
    assert_eq!(found.measures[0].verdict, Verdict::Pass);
    assert_eq!(found.verdict, Verdict::Fail);
    let fallen = found.ratchet.unwrap().fallen;
    // t6 fell by just 0.1, which is allowed.
    assert_eq!(fallen.len(), 1);
    assert_eq!(fallen[0].topic.topic, "t1");
    let excused = with(&["t1", "t3"]).unwrap();
    assert_eq!(excused.verdict, Verdict::Pass);
    let ratchet = excused.ratchet.unwrap();
    assert_eq!(
        (ratchet.excused.len(), ratchet.unneeded),
        (1, vec!["t3".into()])
    );
    let slip = with(&["T1"]).unwrap_err().to_string();
    assert!(slip.contains("topic `T1` is exempt"), "{slip}");
    let GateError::Input(slip) = with(&["T1"]).unwrap_err() else {
        panic!("not an error of an input");
    };
    let shown = slip.render(SettingStyle::Neutral);
    assert!(shown.starts_with("error[IR093]"), "{shown}");
    assert!(shown.contains("did you mean `t1`?"), "{shown}");
}

#[test]
fn tolerances_are_read() {
    let read = |text: &str| text.parse::<Tolerance>();
    assert_eq!(read("0.01").unwrap(), Tolerance::Absolute(0.01));
    assert_eq!(read("2%").unwrap(), Tolerance::Relative(0.02));
    assert_eq!(read("7%").unwrap().to_string(), "7%");
    for text in ["-1", "x", "", "%", "nan", "inf%", "1e300", "1e90%"] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains("at least 0 and below 1e50"), "{error}");
    }
}

#[test]
fn invalid_settings_are_errors() {
    let refused = |settings: Settings| {
        let error = gate(&[("AP", around(0.0))], &settings);
        gate_scores("AP", &[0.1, 0.2], &[0.1, 0.3], &settings)
            .map(|_| error)
            .unwrap_err()
            .to_string()
    };
    let of = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        refused(settings)
    };
    assert!(of(|it| it.alpha = 0.0).contains("alpha is 0; give a number from 1e-9 to 0.5"));
    assert!(of(|it| it.resampling.replicates = 0).contains("replicates is 0; give"));
    assert!(of(|it| it.alpha = 0.5).contains("alpha is 0.5"));
    assert!(of(|it| it.tolerance = Tolerance::Absolute(-1.0)).contains("invalid tolerance -1"));
    assert!(of(|it| it.ratchet = Some(f64::NAN)).contains("ratchet is NaN"));
    assert!(of(|it| it.excused.push("1".into())).contains("there is no ratchet"));
    let one = gate_scores("AP", &[0.1], &[0.2], &Settings::default()).unwrap_err();
    assert_eq!(
        one.to_string(),
        "AP has values on 1 topic; a verdict needs at least 2"
    );
}

/// A tolerance of 1e-5 deviations takes some 10^10 topics, and the verdict does not wait for them.
#[test]
fn unreachable_power_does_not_change_the_verdict() {
    let settings = Settings {
        tolerance: Tolerance::Absolute(1e-6),
        ..Settings::default()
    };
    let of = |mean: f64| {
        let gate = gate(&[("AP", around(mean))], &settings).unwrap();
        (gate.verdict, gate.says(&gate.measures[0]))
    };
    assert_eq!(of(0.2).0, Verdict::Pass);
    assert_eq!(of(-0.2).0, Verdict::Fail);
    let (verdict, says) = of(0.0);
    assert_eq!(verdict, Verdict::Inconclusive);
    assert!(
        says.ends_with("Passing it in 80 % of cases takes more than 10 million topics."),
        "{says}"
    );
}

#[test]
fn a_significant_drop_that_may_be_tolerated_is_inconclusive() {
    let says = |mean: f64| {
        let gate = gate(&[("AP", around(mean))], &by_t(0.1)).unwrap();
        assert_eq!(gate.verdict, Verdict::Inconclusive);
        gate.says(&gate.measures[0])
    };
    let significant =
        "AP: the drop is significant, but may be within the tolerance. Worse by 0.0900,";
    assert!(says(-0.09).starts_with(significant), "{}", says(-0.09));
    let open = "AP: neither a drop nor its absence is significant.";
    assert!(says(-0.05).starts_with(open), "{}", says(-0.05));
}

/// Five topics have a least p of 1/32, which is enough for one measure at 0.05 and not for two.
#[test]
fn the_smallest_p_is_corrected() {
    let changes = vec![-0.1, -0.2, -0.1, -0.3, -0.1];
    let one = [("AP", changes.clone())];
    let both = [("AP", changes.clone()), ("RR", changes)];
    let says = |measures: &[(&str, Vec<f64>)]| {
        let gate = gate(measures, &by_signs(0.01)).unwrap();
        gate.says(&gate.measures[0])
    };
    assert!(
        says(&both).contains("5 topics are too few for this test to detect any drop: its smallest p-value is 0.0625 (Holm for 2 measures; uncorrected 0.0312)."),
        "{}",
        says(&both)
    );
    assert!(says(&one).contains("5 topics can detect a drop of"));
}

#[test]
fn the_worst_topic_explains_a_failure() {
    let open = || ("P@5", around(0.0));
    let failed = || ("AP", vec![-0.3, -0.2, -0.4, -0.3, -0.2]);
    let better = || ("RR", vec![0.3, 0.2, -0.1, 0.3, 0.2, 0.3, 0.4]);
    let explained = |measures: &[(&str, Vec<f64>)], ratchet| {
        let settings = Settings {
            ratchet,
            ..Settings::default()
        };
        let gate = gate(measures, &settings).unwrap();
        let found = gate.to_explain();
        found.map(|(measure, topic)| (measure.to_owned(), topic.topic.clone()))
    };
    let found = |measure: &str, topic: &str| Some((measure.to_owned(), topic.to_owned()));
    assert_eq!(
        explained(&[open(), failed()], Some(0.05)),
        found("AP", "t2")
    );
    assert_eq!(explained(&[better()], Some(0.05)), found("RR", "t2"));
    assert_eq!(explained(&[open(), better()], None), None);
}

/// The verdict is that of the same scores in other units; only the advice is missing, and says why.
#[test]
fn scores_too_small_for_power_have_a_verdict() {
    let scores = |factor: f64| [0.1, 0.5, 0.3, 0.4].map(|score| factor * score);
    let settings = Settings {
        tolerance: Tolerance::Relative(0.02),
        ..Settings::default()
    };
    let gate = |factor: f64, falls: [f64; 4]| {
        let baseline = scores(factor);
        let run = [0, 1, 2, 3].map(|at| baseline[at] * falls[at]);
        let values = [0, 1, 2, 3].map(|at| (at.to_string(), baseline[at], run[at]));
        let paired = Paired {
            measure: "AP".into(),
            sign: 1.0,
            values: values.to_vec(),
            left_out: 0,
            zeros: 0,
        };
        let names = ("run".into(), "baseline".into());
        Gate::of_paired(names.0, names.1, vec![paired], &settings).unwrap()
    };
    for (falls, verdict) in [
        ([0.5, 0.4, 0.6, 0.5], Verdict::Fail),
        ([1.5, 1.4, 1.6, 1.5], Verdict::Pass),
        ([0.5, 1.4, 0.6, 1.5], Verdict::Inconclusive),
    ] {
        let (usual, tiny) = (gate(1.0, falls), gate(1e-280, falls));
        assert_eq!([usual.verdict, tiny.verdict], [verdict; 2]);
        let says = usual.says(&usual.measures[0]);
        assert!(says.contains("can detect a drop of"), "{says}");
        let says = tiny.says(&tiny.measures[0]);
        let why = "The power is unknown: the standard deviation is";
        assert!(says.contains(why), "{says}");
        assert!(
            says.ends_with("multiply all scores by the same number."),
            "{says}"
        );
        let refused = tiny.self_test().unwrap_err().to_string();
        assert!(refused.contains("multiply all scores"), "{refused}");
    }
}

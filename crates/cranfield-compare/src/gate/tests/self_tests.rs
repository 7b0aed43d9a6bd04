use cranfield_stats::random::Stream;

use super::{by_signs, gate, paired};
use crate::gate::{Gate, Settings};

#[test]
fn a_working_gate_passes_its_self_test() {
    let mut stream = Stream::new(3, 0);
    let changes: Vec<f64> = (0..60).map(|_| 0.1 * stream.normal()).collect();
    let gate = gate(&[("AP", changes)], &Settings::default()).unwrap();
    let tested = gate.self_test().unwrap();
    assert!(tested.holds(), "{tested:?}");
    assert_eq!(tested.rows.len(), 3);
    assert!(tested.rows[2].found.fail > 0.98);
    let power = gate.measures[0].power.unwrap();
    let says = power.says();
    assert!(
        says.starts_with("60 topics can detect a drop of 0.0"),
        "{says}"
    );
    let topics = power.topics_to_see.unwrap();
    assert_eq!(power.see, 0.02);
    assert!(
        says.contains(&format!(
            "Detecting a drop of 0.0200 takes {topics} topics."
        )),
        "{says}"
    );
}

#[test]
fn a_gate_that_cannot_see_fails_its_own_test() {
    // One topic of five is far out. A third of the samples lacks it (0.8 to the fifth), and looks like a sure drop.
    let changes = vec![0.001, -0.001, 0.0, 0.001, 0.9];
    let gate = gate(&[("AP", changes)], &Settings::default()).unwrap();
    assert!(!gate.self_test().unwrap().holds());
    let same = Gate::of_paired(
        "a".into(),
        "b".into(),
        vec![paired("AP", &[0.0; 5])],
        &Settings::default(),
    );
    let error = same.unwrap().self_test().unwrap_err().to_string();
    assert!(error.contains("use a baseline that differs"), "{error}");
}

#[test]
fn a_gate_without_power_has_no_self_test() {
    let rejected = |changes: Vec<f64>, settings: &Settings| {
        let gate = gate(&[("AP", changes)], settings).unwrap();
        gate.self_test().unwrap_err().to_string()
    };
    assert_eq!(
        rejected(vec![-0.05, 0.0, 0.01], &by_signs(0.01)),
        "AP: 3 topics are too few for this test to detect any drop: its smallest p-value is 0.1250, so there is no detectable drop to plant; use at least 5 topics, or test=t"
    );
    let mut few = by_signs(0.01);
    few.resampling.replicates = 10;
    let changes = (0..60).map(|at| f64::from(at) / 100.0 - 0.3).collect();
    let why = rejected(changes, &few);
    assert!(
        why.ends_with("use at least 20 replicates, or test=t"),
        "{why}"
    );
}

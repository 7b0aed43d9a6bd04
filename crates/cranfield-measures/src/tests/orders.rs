//! Values over all orders of ties.

use cranfield_core::measure::Computation;
use cranfield_core::orders::{Found, Orders, Subject, Wanted};
use cranfield_core::topic::{GradeCount, Label, RecallBase};

use crate::measures::tests::measure;

const GRADES: [GradeCount; 2] = [
    GradeCount {
        grade: 1.0,
        count: 1,
    },
    GradeCount {
        grade: 0.0,
        count: 1,
    },
];

/// The value found for two tied documents, one of them relevant, of which one is kept.
fn found(name: &str, wanted: Wanted, zero: bool) -> Found {
    let Computation::Ranked(measure) = measure(name).computation else {
        panic!("{name} is no measure of rankings");
    };
    let labels = [Label::Judged(1.0), Label::Judged(0.0)];
    let base = RecallBase::new(&GRADES);
    let ties = std::slice::from_ref(&(0..2));
    let orders = Orders::new(&labels, ties, 1, false, base);
    let subject = Subject {
        measure: measure.as_ref(),
        lower_is_better: false,
        reference_values: false,
        zero,
    };
    orders.find(&subject, wanted)
}

#[test]
fn orders_without_a_value_count_as_in_averages() {
    // With the relevant document kept, Accuracy is 1; with the other, it is undefined.
    let value = |wanted, zero| found("Accuracy", wanted, zero).value;
    assert_eq!(value(Wanted::Least, true), 0.0);
    assert_eq!(value(Wanted::Greatest, true), 1.0);
    assert_eq!(value(Wanted::Mean, true), 0.5);
    for wanted in [Wanted::Least, Wanted::Greatest, Wanted::Mean] {
        assert_eq!(value(wanted, false), 1.0);
    }
    assert!(found("Accuracy(rel=2)", Wanted::Least, true).value.is_nan());
}

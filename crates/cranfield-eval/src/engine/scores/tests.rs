//! Tests of aggregates.

use cranfield_measures::spec::{Conventions, parse_measures};
use proptest::prelude::*;

use super::*;
use crate::engine::threads::with_threads;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..1.0, 1 => Just(f64::NAN), 1 => Just(-0.0), 1 => Just(f64::INFINITY)]
}

proptest! {
    #[test]
    fn columns_are_added_up_as_if_one_by_one(
        rows in prop::collection::vec(prop::collection::vec(number(), 12), 0..9),
        first in 0usize..4,
    ) {
        use Aggregate::{GeometricMean, Mean, Sum};
        let kinds = [Mean, Sum, GeometricMean, Aggregate::None];
        let instead = [Some(0.0), None, Some(f64::NAN)];
        let columns: Vec<Column> = (0..12).map(|at| Column {
            at,
            aggregate: kinds[at % 4],
            undefined: instead[at / 4],
        }).collect();
        let totals = add_up(&Values::of_rows(12, rows.concat()), &columns[first..]);
        prop_assert_eq!(totals.len(), 12 - first);
        for (total, column) in totals.iter().zip(&columns[first..]) {
            let numbers = rows.iter().map(|row| row[column.at]);
            let (undefined, defined): (Vec<f64>, Vec<f64>) = numbers.clone().partition(|n| n.is_nan());
            let counted = numbers.filter_map(|n| if n.is_nan() { column.undefined } else { Some(n) });
            let expected = column.aggregate.of(counted.collect::<Vec<_>>());
            prop_assert_eq!(total.undefined, undefined.len());
            prop_assert_eq!(total.value.map(f64::to_bits), expected.map(f64::to_bits), "{:?} {:?}", column, defined);
        }
    }
}

#[test]
fn sums_do_not_depend_on_threads() {
    let names = "AP GMAP RR P@10 R@10 nDCG";
    let plan = Plan {
        measures: parse_measures(names, &Conventions::default()).unwrap(),
        ..Plan::default()
    };
    let width = plan.measures.len();
    let number = |n: usize| match n % 1009 {
        0 if n % width == 2 => f64::NAN,
        rest => 1.0 / (rest + 1) as f64,
    };
    let numbers = (0..width * WORTH_A_THREAD / 4).map(number).collect();
    let mut scores = RunScores {
        values: Values::of_rows(width, numbers),
        ..RunScores::default()
    };
    let [one, two, seven] = [1, 2, 7].map(|threads| {
        with_threads(Some(threads), || scores.add_up(&plan)).unwrap();
        scores.totals.clone()
    });
    assert!(one[2].undefined > 0 && one[0].undefined == 0);
    assert_eq!((&one, &one), (&two, &seven));
}

//! Arithmetic of plots. Whole plots are tested from the command line.

use super::curves::standard_error;
use super::raw::steps;
use super::topics::quantile;
use super::*;

#[test]
fn quartiles_are_between_values_in_proportion() {
    let values = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(quantile(&values, 0.25), Some(1.75));
    assert_eq!(quantile(&values, 0.5), Some(2.5));
    assert_eq!(quantile(&values, 0.75), Some(3.25));
    assert_eq!(quantile(&[7.0], 0.25), Some(7.0));
    assert_eq!(quantile(&[], 0.5), None);
}

/// Relevant documents at ranks 2, 3 and 6, of four.
#[test]
fn interpolated_precision_is_a_step_function() {
    let points = [
        [1.0, 0.0, 0.0],
        [2.0, 0.25, 0.5],
        [3.0, 0.5, 2.0 / 3.0],
        [4.0, 0.5, 0.5],
        [5.0, 0.5, 0.4],
        [6.0, 0.75, 0.5],
    ];
    let high = 2.0 / 3.0;
    assert_eq!(
        steps(&points),
        [[0.0, high], [0.5, high], [0.5, 0.5], [0.75, 0.5]]
    );
    assert_eq!(steps(&points[1..2]), [[0.0, 0.5], [0.25, 0.5]]);
    assert_eq!(steps(&[]), [[0.0; 2]; 0]);
}

#[test]
fn standard_errors_are_those_of_the_mean() {
    let error = standard_error([1.0, 2.0, 3.0, 4.0].into_iter()).unwrap();
    assert!((error - 0.645_497_224_367_902_8).abs() < 1e-15, "{error}");
    assert_eq!(standard_error([0.5].into_iter()), None);
}

#[test]
fn kinds_say_what_they_need() {
    let error = |kind: PlotKind, runs: usize, measures: &str| {
        let drawing = Drawing {
            measures: measures.into(),
            ..Drawing::new(kind)
        };
        let runs = (0..runs).map(|at| format!("{at}.run"));
        let prepared = drawing.prepare(Request::new("qrels", runs, Vec::new()));
        prepared.map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        error(PlotKind::Histogram, 3, ""),
        "histogram needs exactly two runs, whose difference it shows; 3 given"
    );
    assert!(error(PlotKind::Deviation, 1, "").starts_with("deviation needs at least two runs"));
    assert!(error(PlotKind::Scatter, 1, "AP").starts_with("scatter needs two measures"));
    assert_eq!(
        error(PlotKind::Slope, 2, "AP"),
        "slope needs two measures; `AP` is 1"
    );
    assert_eq!(
        error(PlotKind::Box, 1, "RelString"),
        "RelString is not a number and cannot be plotted"
    );
    assert_eq!(
        error(PlotKind::Ndcg, 1, "P@10"),
        "ndcg plots one vector of nDCG, not `P@10`"
    );
    assert!(error(PlotKind::Ndcg, 1, "nDCG").contains("needs a depth"));
    assert!(error(PlotKind::Ndcg, 1, "nDGC@10").contains("nDCG"));
}

#[test]
fn curves_ask_for_the_vectors_they_need() {
    let vectors = |drawing: &Drawing, runs: usize| -> Vec<String> {
        let runs = (0..runs).map(|at| format!("{at}.run"));
        let request = drawing
            .prepare(Request::new("qrels", runs, Vec::new()))
            .unwrap();
        request.vectors.iter().map(ToString::to_string).collect()
    };
    let mut drawing = Drawing::new(PlotKind::Cg);
    drawing.cutoff = 5;
    let all = [
        "CG@5",
        "IDCG(discount='none')@5",
        "IDCG(ideal='ranking', discount='none')@5",
    ];
    assert_eq!(vectors(&drawing, 1), all);
    drawing.ideals = Ideals::None;
    assert_eq!(vectors(&drawing, 1), ["CG@5"]);
    let mut drawing = Drawing::new(PlotKind::Pr);
    assert_eq!(vectors(&drawing, 9), ["IPrec"]);
    drawing.levels = Some(vec![0.0, 0.5, 1.0]);
    assert_eq!(vectors(&drawing, 9), ["IPrec(points='0,0.5,1')"]);
    drawing.topic = Some("301".into());
    assert_eq!(vectors(&drawing, 9), ["IPrec(points='0,0.5,1')"]);
    drawing.levels = None;
    assert_eq!(vectors(&drawing, 9), ["P@1000", "R@1000"]);
    (drawing.topic, drawing.raw, drawing.cutoff) = (None, true, 50);
    assert_eq!(vectors(&drawing, 9), ["P@50", "R@50"]);
}

#[test]
fn choices_parse_back() {
    for kind in PlotKind::ALL {
        assert_eq!(kind_named(kind.name()), Ok(kind));
    }
    for name in ["diff", "difference"] {
        assert_eq!(kind_named(name), Ok(PlotKind::Histogram));
    }
    let error = kind_named("histogramm").unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown kind of plot `histogramm`; did you mean `histogram`?"
    );
    let error = kind_named("pie").unwrap_err().to_string();
    assert!(error.contains("expected one of pr, cg, dcg"), "{error}");
    for choice in Bands::ALL {
        assert_eq!(choice.to_string().parse(), Ok(*choice));
    }
    for choice in Ideals::ALL {
        assert_eq!(choice.to_string().parse(), Ok(*choice));
    }
    for choice in BarOrder::ALL {
        assert_eq!(choice.to_string().parse(), Ok(*choice));
    }
    let error = "wide".parse::<Bands>().unwrap_err().to_string();
    assert_eq!(
        error,
        "unknown kind of band `wide`; one of: auto, none, se, bootstrap"
    );
}

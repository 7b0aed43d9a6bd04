//! Names, colours and numbers in plots of many runs, and of runs with unusual names.

use std::fs;

use crate::limits::{cranfield, examples, of_scores};
use crate::plot::{folder, plot};

/// Of 30 runs, run k finds the only relevant document of the topics up to k.
fn many() -> tempfile::TempDir {
    let rows = (0..30).map(|run| (0..30).map(|topic| usize::from(topic <= run)).collect());
    of_scores(&rows.collect::<Vec<Vec<usize>>>())
}

#[test]
fn of_many_curves_the_highest_and_the_lowest_have_colours() {
    let folder = many();
    for kind in ["precision", "unjudged", "pr"] {
        let command = format!("plot {kind} @qrels.txt @runs -o - -f svg");
        let (svg, notes) = cranfield(folder.path(), &command).unwrap();
        let says = "Of 30 runs, the 10 highest and the 10 lowest on average have colours, the others are grey.";
        assert!(notes.contains(says), "{notes}");
        assert!(svg.contains(">10 others</text>"), "{kind}");
    }
    let command = "plot precision @qrels.txt @runs -o - -f svg --quiet";
    let (svg, _) = cranfield(folder.path(), command).unwrap();
    for (run, has_key) in [
        ("run000", true),
        ("run009", true),
        ("run010", false),
        ("run019", false),
        ("run020", true),
    ] {
        assert_eq!(svg.contains(&format!(">{run}</text>")), has_key, "{run}");
        // The pointer finds every run.
        assert!(svg.contains(&format!("<title>{run}</title>")), "{run}");
    }
    // All of few runs have colours.
    let (_, notes) = cranfield(&examples(), "plot pr @qrels.txt @runs -o - -f svg").unwrap();
    assert!(!notes.contains("grey"), "{notes}");
}

#[test]
fn a_run_that_keeps_its_rank_has_both_means() {
    let command = "plot slope @qrels.txt @runs/bm25.run @runs/dense.run -m AP,P@10 -o - -f svg";
    let command = command.replace("AP,P@10", "AP -m P@10");
    let (svg, notes) = cranfield(&examples(), &command).unwrap();
    let (csv, _) = cranfield(
        &examples(),
        "eval @qrels.txt @runs/bm25.run @runs/dense.run -m AP -m P@10 -f csv",
    )
    .unwrap();
    assert!(
        notes.contains("the others are grey and named once"),
        "{notes}"
    );
    for mean in csv
        .lines()
        .skip(1)
        .flat_map(|line| line.split(',').skip(1))
        .filter_map(|cell| cell.parse::<f64>().ok())
    {
        let text = format!("{mean:.3}");
        assert!(svg.contains(&text), "{text}: {csv}");
    }
}

/// Characters that the font lacks are reported once, for the formats that embed the font.
#[test]
fn boxes_in_place_of_characters_are_reported() {
    let folder = of_scores(&[vec![1, 0, 1], vec![0, 1, 2]]);
    let runs = folder.path().join("runs");
    fs::rename(runs.join("run001.run"), runs.join("検索.run")).unwrap();
    for (format, has_boxes) in [
        ("png", true),
        ("pdf", true),
        ("svg", false),
        ("html", false),
    ] {
        let command = format!("plot box @qrels.txt @runs -m CG@1 -o @figure.{format}");
        let (_, notes) = cranfield(folder.path(), &command).unwrap();
        let note = format!(
            "note: the font of {format} lacks characters of 検索, which are shown as boxes"
        );
        assert_eq!(
            notes.matches(&note).count(),
            usize::from(has_boxes),
            "{notes}"
        );
        let (_, notes) = cranfield(folder.path(), &format!("{command} --quiet")).unwrap();
        assert_eq!(notes, "");
    }
}

/// The name of a measure with huge gains stays short in titles and tables.
#[test]
fn huge_gains_have_exponents() {
    let command = "plot box @qrels.txt @runs -m CG(gains='0,1,1e99')@5 -o - -f svg";
    let (svg, notes) = cranfield(&examples(), command).unwrap();
    assert!(notes.contains("CG(gains='0,1,1e99')@5"), "{notes}");
    assert!(!svg.contains(&"0".repeat(20)), "{svg}");
}

#[test]
fn points_have_names_and_different_measures_no_diagonal() {
    let draw = |runs: &[&str], measures: &str| {
        let arguments = ["-m", measures, "-o", "-", "-f", "svg"];
        let (svg, notes) = plot(folder().path(), "scatter", runs, &arguments).unwrap();
        (String::from_utf8(svg).unwrap(), notes)
    };
    let (svg, notes) = draw(&["good.run", "poor.run"], "AP RR");
    // In the legend and at the point.
    assert_eq!(svg.matches(">good</text>").count(), 2, "{svg}");
    assert!(!notes.contains("dashed line"), "{notes}");
    let (svg, notes) = draw(&["good.run", "poor.run"], "AP");
    assert!(
        svg.contains(">1</text>") && svg.contains(">2</text>"),
        "{svg}"
    );
    assert!(
        notes.contains("The dashed line is where both are equal"),
        "{notes}"
    );
}

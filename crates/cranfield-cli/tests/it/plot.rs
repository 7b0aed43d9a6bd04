//! `cranfield plot` as a user calls it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::Parser;
use cranfield::core::setting::SettingStyle;
use cranfield_cli::args::Args;

/// Gains in rank order: good 3, 0, 3 and 0, 3, 2; poor 1, 0 and 0, 0; holes has an unjudged document first, and lacks topic 2.
const QRELS: &str = "1 0 a 1\n1 0 b 0\n1 0 x 3\n1 0 y 3\n2 0 a 0\n2 0 b 0\n2 0 x 3\n2 0 y 2\n";
const POOR: &str = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n";
const GOOD: &str =
    "1 Q0 x 1 3 t\n1 Q0 b 2 2 t\n1 Q0 y 3 1 t\n2 Q0 a 1 3 t\n2 Q0 x 2 2 t\n2 Q0 y 3 1 t\n";
const HOLES: &str = "1 Q0 z 1 2 t\n1 Q0 a 2 1 t\n";

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("qrels.txt", QRELS),
        ("poor.run", POOR),
        ("good.run", GOOD),
        ("holes.run", HOLES),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Standard output and standard error of `cranfield plot KIND qrels.txt RUN... ARGUMENTS`, or the error.
pub(crate) fn plot(
    folder: &Path,
    kind: &str,
    runs: &[&str],
    arguments: &[&str],
) -> Result<(Vec<u8>, String), String> {
    let path = |name: &str| folder.join(name).into_os_string();
    let mut all: Vec<OsString> = ["cranfield", "plot", kind].map(Into::into).to_vec();
    all.push(path("qrels.txt"));
    all.extend(runs.iter().map(|run| path(run)));
    all.extend(arguments.iter().map(Into::into));
    let args = Args::try_parse_from(all).map_err(|error| error.to_string())?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    match cranfield_cli::run(args, &mut out, &mut err) {
        Ok(_) => Ok((out, String::from_utf8(err).unwrap())),
        Err(error) => Err(cranfield_cli::message(&error, SettingStyle::CommandLine)),
    }
}

/// The data of a plot.
fn csv(kind: &str, runs: &[&str], arguments: &[&str]) -> String {
    let arguments = [arguments, &["-o", "-", "--format", "csv"]].concat();
    let (data, _) = plot(folder().path(), kind, runs, &arguments).unwrap();
    String::from_utf8(data).unwrap()
}

#[track_caller]
pub(crate) fn check(kind: &str, runs: &[&str], arguments: &[&str], expected: &str) {
    assert_eq!(csv(kind, runs, arguments), expected);
}

#[track_caller]
pub(crate) fn fails(kind: &str, runs: &str, arguments: &str, expected: &str) {
    let [runs, arguments] = [runs, arguments].map(|names| names.split(' ').collect::<Vec<_>>());
    let error = plot(folder().path(), kind, &runs, &arguments).unwrap_err();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn kinds_have_aliases_and_hints() {
    let runs = ["good.run", "poor.run"];
    for name in ["diff", "difference"] {
        assert_eq!(csv(name, &runs, &[]), csv("histogram", &runs, &[]));
    }
    let folder = folder();
    let error = plot(folder.path(), "diferrence", &runs, &["-o", "a.svg"]).unwrap_err();
    assert!(error.contains("did you mean `difference`?"), "{error}");
}

/// The axis of bars does not depend on the interval of their mean, which for two topics is 13 times as wide.
#[test]
fn bars_of_two_topics_fill_the_plot() {
    let arguments = ["-m", "CG@1", "-o", "-", "-f", "svg"];
    let runs = ["poor.run", "good.run"];
    let (svg, notes) = plot(folder().path(), "histogram", &runs, &arguments).unwrap();
    assert!(
        notes.contains("Difference of CG@1, good minus poor; 2 topics"),
        "{notes}"
    );
    assert!(notes.contains("which extends beyond the axis"), "{notes}");
    let svg = String::from_utf8(svg).unwrap();
    assert!(
        svg.contains(">2.0</text>") && !svg.contains(">10</text>"),
        "{svg}"
    );
}

#[test]
fn bars_are_differences_of_topics() {
    // The second run minus the first, as in explain.
    check(
        "histogram",
        &["poor.run", "good.run"],
        &["-m", "CG@1"],
        "topic,difference\n1,2\n2,0\n",
    );
    check(
        "histogram",
        &["good.run", "poor.run"],
        &["-m", "CG@1"],
        "topic,difference\n2,0\n1,-2\n",
    );
    check(
        "histogram",
        &["good.run", "poor.run"],
        &["-m", "CG@1", "--order", "topic"],
        "topic,difference\n1,-2\n2,0\n",
    );
    // The median of 3, 1 and 0 is 1; of 0, 0 and 0 it is 0.
    let runs = ["good.run", "poor.run", "holes.run"];
    check(
        "deviation",
        &runs,
        &["-m", "CG@1"],
        "topic,difference\n1,2\n2,0\n",
    );
    check(
        "deviation",
        &runs,
        &["-m", "CG@1", "--of", "holes"],
        "topic,difference\n2,0\n1,-1\n",
    );
}

#[test]
fn heat_maps_are_sorted_both_ways_and_mark_what_is_missing() {
    check(
        "heatmap",
        &["holes.run", "poor.run", "good.run"],
        &["-m", "CG@3"],
        "run,topic,CG@3\ngood,1,6\ngood,2,5\nholes,1,1\nholes,2,\npoor,1,1\npoor,2,0\n",
    );
}

#[test]
fn boxes_scatters_and_slopes_have_their_values() {
    check(
        "box",
        &["poor.run", "good.run"],
        &["-m", "CG@3"],
        "run,topic,CG@3\ngood,1,6\ngood,2,5\npoor,1,1\npoor,2,0\n",
    );
    check(
        "scatter",
        &["good.run"],
        &["-m", "CG@1 CG@3"],
        "topic,CG@1,CG@3\n1,3,6\n2,0,5\n",
    );
    check(
        "scatter",
        &["good.run", "poor.run"],
        &["-m", "CG@1"],
        "topic,good,poor\n1,3,1\n2,0,0\n",
    );
    check(
        "scatter",
        &["good.run", "poor.run"],
        &["-m", "CG@1 CG@3"],
        "run,CG@1,CG@3\ngood,1.5,5.5\npoor,0.5,0.5\n",
    );
    check(
        "slope",
        &["good.run", "poor.run", "holes.run"],
        &["-m", "CG@1 Judged@1"],
        // Judged@1 of good and poor is 1 in both topics and is shared, that of holes is 0.
        "run,measure,rank\nholes,CG@1,3\nholes,Judged@1,3\ngood,CG@1,1\ngood,Judged@1,1.5\npoor,CG@1,2\npoor,Judged@1,1.5\n",
    );
}

/// `LastRel` is undefined where nothing is retrieved, as by holes for topic 2. On topic 1, which all runs have, it is 4 for each of them;
/// over its own topics good would have 3.5, and be first.
#[test]
fn runs_are_ordered_by_the_topics_that_all_have() {
    let runs = ["good.run", "poor.run", "holes.run"];
    check(
        "slope",
        &runs,
        &["-m", "LastRel CG@1"],
        "run,measure,rank\npoor,LastRel,2\npoor,CG@1,2\ngood,LastRel,2\ngood,CG@1,1\nholes,LastRel,2\nholes,CG@1,3\n",
    );
    for kind in ["slope", "tau", "scatter"] {
        let arguments = ["-m", "LastRel CG@1", "-o", "-", "-f", "svg"];
        let (_, caption) = plot(folder().path(), kind, &runs, &arguments).unwrap();
        let note = "LastRel: 1 topic left out, where a run has no value";
        assert!(caption.contains(note), "{kind}: {caption}");
    }
}

/// The rows of the data of a plot, without their headings.
pub(crate) fn rows(
    kind: &str,
    runs: &[&str],
    arguments: &[&str],
    heading: &str,
) -> Vec<Vec<String>> {
    let data = csv(kind, runs, arguments);
    let mut lines = data.lines();
    assert_eq!(lines.next(), Some(heading));
    let cells = |line: &str| line.split(',').map(ToOwned::to_owned).collect();
    lines.map(cells).collect()
}

#[track_caller]
pub(crate) fn near(text: &str, expected: f64, within: f64) {
    let value: f64 = text.parse().unwrap();
    assert!((value - expected).abs() <= within, "{value} {expected}");
}

/// Gains of good are 3 and 0, of poor 1 and 0. Differences 2 and 0: mean 1, standard deviation √2, t = 1 with one degree of
/// freedom, so p = 1/2.
#[test]
fn significance_has_all_numbers_of_a_pair() {
    let heading = "run,against,difference,low,high,d_z,p,p_corrected,favours";
    let runs = ["poor.run", "good.run"];
    let found = rows("significance", &runs, &["-m", "CG@1"], heading);
    let [pair] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(pair[..3], ["good", "poor", "1"]);
    near(&pair[3], 1.0 - 12.706_204_736_432_1, 1e-9);
    near(&pair[5], 0.5_f64.sqrt(), 1e-12);
    near(&pair[6], 0.5, 1e-12);
    near(&pair[7], 0.5, 1e-12);
    assert_eq!(pair[8], "good");
}

/// Good is first on topic 1 and shares the first place on topic 2; a sample of topic 2 alone is a tie.
#[test]
fn ranks_and_diagrams_have_their_places() {
    let runs = ["poor.run", "good.run"];
    let found = rows(
        "ranks",
        &runs,
        &["-m", "CG@1"],
        "run,mean,rank,low,high,best",
    );
    assert_eq!(found[0][..5], ["good", "1.5", "1", "1", "1"]);
    assert_eq!(found[1][..5], ["poor", "0.5", "2", "1", "2"]);
    near(&found[0][5], 0.875, 0.02);
    near(&found[1][5], 0.125, 0.02);
    check(
        "cd",
        &runs,
        &["-m", "CG@1"],
        "run,mean_rank,groups\ngood,1.25,1\npoor,1.75,1\n",
    );
    check(
        "cd",
        &runs,
        &["-m", "CG@1", "--test", "tukey"],
        "run,mean,groups\ngood,1.5,1\npoor,0.5,1\n",
    );
}

/// CG@1 orders good, poor, holes; CG@3 has poor and holes tied. Of three pairs two agree and one is tied once: tau-b is
/// 2 / √(3 · 2); tau-AP-b is the mean of 1 and 1/2.
#[test]
fn measures_agree_by_tau() {
    let runs = ["good.run", "poor.run", "holes.run"];
    let found = rows(
        "tau",
        &runs,
        &["-m", "CG@1 CG@3"],
        "measure,other,tau_b,tau_ap_b",
    );
    assert_eq!(found[0][..2], ["CG@1", "CG@3"]);
    near(&found[0][2], 2.0 / 6_f64.sqrt(), 1e-12);
    near(&found[0][3], 0.75, 1e-12);
}

#[test]
fn captions_name_the_test() {
    let runs = ["good.run", "poor.run", "holes.run"];
    let caption = |kind: &str, arguments: &[&str]| {
        let out = ["-m", "CG@1", "-o", "-", "-f", "svg"];
        let arguments: Vec<&str> = out.iter().chain(arguments).copied().collect();
        plot(folder().path(), kind, &runs, &arguments).unwrap().1
    };
    let holm = caption("significance", &[]);
    assert!(
        holm.contains("p of the paired t test, corrected for 3 tests (Holm), alpha 0.05"),
        "{holm}"
    );
    let none = caption("significance", &["--correction", "none", "--alpha", "0.01"]);
    assert!(
        none.contains("not corrected for 3 tests, alpha 0.01"),
        "{none}"
    );
    let nemenyi = caption("cd", &[]);
    assert!(
        nemenyi.contains("by Nemenyi's test, jointly for all 3 pairs, alpha 0.05"),
        "{nemenyi}"
    );
    assert!(nemenyi.contains("Friedman's test: chi-square"), "{nemenyi}");
    let tukey = caption("cd", &["--test", "tukey"]);
    assert!(tukey.contains("do not differ by Tukey's HSD"), "{tukey}");
    let ranks = caption("ranks", &["--seed", "7"]);
    assert!(
        ranks.contains(
            "95 % interval of the rank over 10000 bootstrap samples of the topics (seed 7)"
        ),
        "{ranks}"
    );
    let scatter = plot(
        folder().path(),
        "scatter",
        &runs,
        &["-m", "CG@1 CG@3", "-o", "-", "-f", "svg"],
    );
    let scatter = scatter.unwrap().1;
    assert!(
        scatter.contains("Order of runs by both: Kendall's tau-b 0.816, tau-AP-b 0.750, RBO"),
        "{scatter}"
    );
}

#[test]
fn every_kind_has_every_format_and_the_same_bytes_with_any_threads() {
    let runs = ["good.run", "poor.run", "holes.run"];
    for kind in [
        "significance",
        "cd",
        "ranks",
        "tau",
        "histogram",
        "box",
        "pr",
    ] {
        let runs = if kind == "histogram" {
            &runs[..2]
        } else {
            &runs
        };
        for format in ["svg", "png", "pdf", "html", "vega", "csv"] {
            let draw = |threads: &str| {
                let arguments = ["-o", "-", "-f", format, "--threads", threads, "--quiet"];
                plot(folder().path(), kind, runs, &arguments).unwrap().0
            };
            let once = draw("1");
            assert!(!once.is_empty() && once == draw("2"), "{kind} {format}");
        }
    }
}

#[test]
fn files_have_the_format_of_their_names_and_the_same_bytes_every_time() {
    let folder = folder();
    for (name, start) in [
        ("a.svg", "<svg ".as_bytes()),
        ("a.png", b"\x89PNG"),
        ("a.pdf", b"%PDF-"),
        ("a.html", b"<!DOCTYPE html>"),
        ("a.json", b"{\n  \"$schema\""),
        ("a.csv", b"run,rank"),
    ] {
        let path = folder.path().join(name);
        let draw = || {
            let file = path.to_string_lossy().into_owned();
            let drawn = plot(
                folder.path(),
                "ndcg",
                &["good.run", "poor.run"],
                &["-o", &file],
            );
            assert_eq!(drawn.unwrap().0, b"");
            fs::read(&path).unwrap()
        };
        let (once, twice) = (draw(), draw());
        assert!(once.starts_with(start), "{name}");
        assert!(once == twice, "{name}");
    }
}

#[test]
fn the_caption_says_what_is_shown() {
    let (_, notes) = plot(
        folder().path(),
        "cg",
        &["holes.run"],
        &["--cutoff", "2", "-o", "-", "-f", "svg"],
    )
    .unwrap();
    let caption = notes
        .lines()
        .find(|line| line.starts_with("caption: "))
        .unwrap();
    assert_eq!(
        caption,
        "caption: CG@k for k up to 2, mean over topics; 2 topics. Of these, the run lacks 1 topic, which \
         counts as an empty ranking. Ideal: all judged documents of a topic in the best order. Best order: the documents that \
         the run retrieved, in the best order. Bands: 95 % interval of the mean at each point, over 2000 bootstrap samples of \
         the topics (seed 42). Bands from resamples of 2 topics are too narrow, as for any fewer than 10. Policies: ties docid-desc, \
         topics judged, unjudged nonrelevant."
    );
    let quiet = plot(
        folder().path(),
        "cg",
        &["holes.run"],
        &["-o", "-", "-f", "svg", "--quiet"],
    )
    .unwrap();
    assert_eq!(quiet.1, "");
}

#[test]
fn errors_say_what_to_do() {
    fails("pie", "good.run", "-o a.svg", "expected one of pr, cg, dcg");
    fails(
        "box",
        "good.run",
        "-o a.svg --cutoff 5",
        "such as -m nDCG@5",
    );
    fails(
        "pr",
        "good.run",
        "-o a.bmp",
        "cannot infer the format from `a.bmp`; use --format",
    );
    fails(
        "pr",
        "good.run",
        "-o -",
        "standard output needs --format: svg, png, pdf",
    );
    fails(
        "histogram",
        "good.run",
        "-o a.svg",
        "needs exactly two runs",
    );
    fails(
        "deviation",
        "good.run poor.run",
        "-o a.svg --of best",
        "no run `best`; the runs are good, poor",
    );
    fails(
        "pr",
        "good.run",
        "-o a.svg --ties bounds",
        "gives intervals, which cannot be plotted",
    );
    fails(
        "box",
        "good.run",
        "-o a.svg --width 10",
        "120 to 5000 points",
    );
    fails(
        "box",
        "good.run",
        "-o a.svg --ties bounds -m AP",
        "gives intervals, which cannot be plotted",
    );
    fails("box", "good.run", "-o a.svg -m NoSuch", "NoSuch");
    let two = "good.run poor.run";
    for kind in ["significance", "cd", "ranks", "tau"] {
        fails(kind, "good.run", "-o a.svg", "1 given");
    }
    fails(
        "significance",
        two,
        "-o a.svg --test dunnett",
        "use a test of all pairs, such as --test tukey",
    );
    fails("cd", two, "-o a.svg --correction holm", "omit --correction");
    fails(
        "ranks",
        two,
        "-o a.svg --alpha 2",
        "give a number from 1e-9 to 0.5",
    );
    fails(
        "tau",
        two,
        "-o a.svg -m AP",
        "tau needs 2 to 40 measures; `AP` is 1",
    );
}

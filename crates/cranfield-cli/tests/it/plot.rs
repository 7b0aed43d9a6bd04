//! `cranfield plot` as a user calls it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::Parser;
use cranfield_cli::args::Args;

/// Gains in rank order: good 3, 0, 3 and 0, 3, 2; poor 1, 0 and 0, 0; holes has an unjudged document first, and lacks topic 2.
const QRELS: &str = "1 0 a 1\n1 0 b 0\n1 0 x 3\n1 0 y 3\n2 0 a 0\n2 0 b 0\n2 0 x 3\n2 0 y 2\n";
const POOR: &str = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n";
const GOOD: &str =
    "1 Q0 x 1 3 t\n1 Q0 b 2 2 t\n1 Q0 y 3 1 t\n2 Q0 a 1 3 t\n2 Q0 x 2 2 t\n2 Q0 y 3 1 t\n";
const HOLES: &str = "1 Q0 z 1 2 t\n1 Q0 a 2 1 t\n";

fn folder() -> tempfile::TempDir {
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
fn plot(
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
        Err(error) => Err(format!("{error:#}")),
    }
}

#[track_caller]
fn check(kind: &str, runs: &[&str], arguments: &[&str], expected: &str) {
    let arguments: Vec<&str> = arguments
        .iter()
        .copied()
        .chain(["-o", "-", "--format", "csv"])
        .collect();
    let (data, _) = plot(folder().path(), kind, runs, &arguments).unwrap();
    assert_eq!(String::from_utf8(data).unwrap(), expected);
}

#[track_caller]
fn refused(kind: &str, runs: &[&str], arguments: &[&str], expected: &str) {
    let error = plot(folder().path(), kind, runs, arguments).unwrap_err();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn curves_of_gain_have_ideals_and_bands() {
    // CG of good is 3, 3 and 0, 3; the standard error at rank 1 is 3 / 2.
    check(
        "cg",
        &["good.run"],
        &["--cutoff", "2"],
        "run,rank,CG,low,high\nideal,1,3,,\nideal,2,5.5,,\n\"good, best order\",1,3,,\n\"good, best order\",2,5.5,,\n\
         good,1,1.5,0,3\ngood,2,3,3,3\n",
    );
    check(
        "cg",
        &["poor.run"],
        &["--cutoff", "2", "--ideal", "retrieved", "--band", "none"],
        "run,rank,CG\n\"poor, best order\",1,0.5\n\"poor, best order\",2,0.5\npoor,1,0.5\npoor,2,0.5\n",
    );
}

#[test]
fn bands_are_of_the_kind_and_the_level_asked_for() {
    // Gains 3 and 0: the standard error is 3 / 2, and a quarter each of the resampled means is 0 and 3.
    let band = |arguments: &[&str], expected: &str| {
        let curve = ["--cutoff", "1", "--ideal", "none"];
        let arguments: Vec<&str> = curve.iter().chain(arguments).copied().collect();
        let expected = format!("run,rank,CG,low,high\ngood,1,1.5,{expected}\n");
        check("cg", &["good.run"], &arguments, &expected);
    };
    band(&["--band", "se"], "0,3");
    band(&["--band", "bootstrap"], "0,3");
}

#[test]
fn normalised_curves_have_normalised_best_orders() {
    // Of good, the best order has 3/3, 6/6 and 3/3, 5/5; good itself 3/3, 3/6 and 0/3, 3/5.
    check(
        "ncg",
        &["good.run"],
        &["--cutoff", "2", "--band", "none"],
        "run,rank,nCG\nideal,1,1\nideal,2,1\n\"good, best order\",1,1\n\"good, best order\",2,1\ngood,1,0.5\ngood,2,0.55\n",
    );
    // Normalised means: 1.5/3 and 3/5.5.
    check(
        "ncg",
        &["good.run"],
        &["-m", "nCG(average='means')@2", "--ideal", "none"],
        &format!("run,rank,nCG\ngood,1,0.5\ngood,2,{}\n", 3.0 / 5.5),
    );
}

#[test]
fn precision_by_recall_is_that_of_vectors() {
    // Relevant at level 3: topic 1 at ranks 1 and 3 of 2, topic 2 at rank 2 of 1.
    let third = f64::midpoint(2.0 / 3.0, 0.5);
    check(
        "pr",
        &["good.run"],
        &["--levels", "0,0.5,1", "--level", "3", "--band", "none"],
        &format!("run,recall,precision\ngood,0,0.75\ngood,0.5,0.75\ngood,1,{third}\n"),
    );
}

#[test]
fn unjudged_documents_are_those_of_rankings_that_there_are() {
    check(
        "unjudged",
        &["holes.run"],
        &["--cutoff", "3", "--band", "none"],
        "run,rank,unjudged\nholes,1,1\nholes,2,0.5\nholes,3,0.5\n",
    );
}

#[test]
fn bars_are_differences_of_topics() {
    check(
        "histogram",
        &["good.run", "poor.run"],
        &["-m", "CG@1"],
        "topic,difference\n1,2\n2,0\n",
    );
    check(
        "histogram",
        &["poor.run", "good.run"],
        &["-m", "CG@1"],
        "topic,difference\n2,0\n1,-2\n",
    );
    check(
        "histogram",
        &["poor.run", "good.run"],
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

/// The rows of the data of a picture, without their headings.
fn rows(kind: &str, runs: &[&str], arguments: &[&str], heading: &str) -> Vec<Vec<String>> {
    let arguments: Vec<&str> = arguments
        .iter()
        .copied()
        .chain(["-o", "-", "--format", "csv"])
        .collect();
    let (data, _) = plot(folder().path(), kind, runs, &arguments).unwrap();
    let data = String::from_utf8(data).unwrap();
    let mut lines = data.lines();
    assert_eq!(lines.next(), Some(heading));
    let cells = |line: &str| line.split(',').map(ToOwned::to_owned).collect();
    lines.map(cells).collect()
}

#[track_caller]
fn near(text: &str, expected: f64, within: f64) {
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
fn pictures_of_tests_say_which() {
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
        "caption: CG@2 at every rank up to its cutoff, mean over topics; 2 topics. Of these, the run lacks 1 topic, which \
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
    refused(
        "pie",
        &["good.run"],
        &["-o", "a.svg"],
        "one of: pr, cg, dcg",
    );
    refused(
        "pr",
        &["good.run"],
        &["-o", "a.bmp"],
        "is none of .svg, .png, .pdf, .html, .json (Vega-Lite), .csv",
    );
    refused(
        "pr",
        &["good.run"],
        &["-o", "-"],
        "say the format with --format: svg, png, pdf",
    );
    refused(
        "histogram",
        &["good.run"],
        &["-o", "a.svg"],
        "needs exactly two runs",
    );
    refused(
        "deviation",
        &["good.run", "poor.run"],
        &["-o", "a.svg", "--of", "best"],
        "there is no run `best`; the runs are good, poor",
    );
    refused(
        "pr",
        &["good.run"],
        &["-o", "a.svg", "--ties", "bounds"],
        "choose another rule",
    );
    refused(
        "box",
        &["good.run"],
        &["-o", "a.svg", "--width", "10"],
        "120 to 5000 points",
    );
    refused(
        "box",
        &["good.run"],
        &["-o", "a.svg", "--ties", "bounds", "-m", "AP"],
        "choose another rule",
    );
    refused(
        "box",
        &["good.run"],
        &["-o", "a.svg", "-m", "NoSuch"],
        "NoSuch",
    );
    let two = ["good.run", "poor.run"];
    for kind in ["significance", "cd", "ranks", "tau"] {
        refused(kind, &two[..1], &["-o", "a.svg"], "1 given");
    }
    refused(
        "significance",
        &two,
        &["-o", "a.svg", "--test", "dunnett"],
        "choose a test of all pairs",
    );
    refused(
        "cd",
        &two,
        &["-o", "a.svg", "--correction", "holm"],
        "omit the correction",
    );
    refused(
        "ranks",
        &two,
        &["-o", "a.svg", "--alpha", "2"],
        "give a number from 1e-9 to 0.5",
    );
    refused(
        "tau",
        &two,
        &["-o", "a.svg", "-m", "AP"],
        "tau shows two to 40 measures, and `AP` is 1",
    );
}

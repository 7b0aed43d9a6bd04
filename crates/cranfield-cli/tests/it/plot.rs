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
         the run retrieved, in the best order. Bands: mean ± standard error over topics. Policies: ties docid-desc, topics \
         judged, unjudged nonrelevant."
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
}

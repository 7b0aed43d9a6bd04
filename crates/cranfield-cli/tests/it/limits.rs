//! Where comparisons, plots and reports end: many groups of runs, many rows, options without a use, values of which smaller
//! ones are better.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use cranfield::core::setting::SettingStyle;
use cranfield_cli::args::Args;
use serde_json::Value;

/// Standard output and standard error of a command in which `@` is a folder.
pub(crate) fn cranfield(folder: &Path, command: &str) -> Result<(String, String), String> {
    let words = command.split_whitespace().map(|word| {
        let path = word.strip_prefix('@').map(|name| folder.join(name));
        path.map_or_else(|| OsString::from(word), PathBuf::into_os_string)
    });
    let args = std::iter::once("cranfield".into()).chain(words);
    let args = Args::try_parse_from(args).map_err(|error| error.to_string())?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    match cranfield_cli::run(args, &mut out, &mut err) {
        Ok(_) => Ok((
            String::from_utf8_lossy(&out).into_owned(),
            String::from_utf8(err).unwrap(),
        )),
        Err(error) => Err(cranfield_cli::message(&error, SettingStyle::CommandLine)),
    }
}

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Judgements and runs of one document on each topic, whose grade is the run's CG@1: `scores[run][topic]`.
pub(crate) fn of_scores(scores: &[Vec<usize>]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    fs::create_dir(&runs).unwrap();
    let mut qrels = String::new();
    for topic in 0..scores[0].len() {
        let mut grades: Vec<usize> = scores.iter().map(|run| run[topic]).collect();
        grades.sort_unstable();
        grades.dedup();
        for grade in grades {
            qrels += &format!("{topic} 0 d{grade} {grade}\n");
        }
    }
    fs::write(folder.path().join("qrels.txt"), qrels).unwrap();
    for (at, run) in scores.iter().enumerate() {
        let lines = run.iter().enumerate();
        let lines = lines.map(|(topic, grade)| format!("{topic} Q0 d{grade} 1 1 t\n"));
        fs::write(
            runs.join(format!("run{at:03}.run")),
            lines.collect::<String>(),
        )
        .unwrap();
    }
    folder
}

/// Ten systems without any significant difference, each in three variants that differ on every topic: 3^10 groups.
fn variants() -> tempfile::TempDir {
    let value = |at: usize, topic: usize| {
        let small = usize::from((topic + at).is_multiple_of(3));
        100 * ((topic * 7 + at / 3 * 13) % 29) + 100 * (at % 3) + small
    };
    let rows = (0..30).map(|at| (0..30).map(|topic| value(at, topic)).collect());
    of_scores(&rows.collect::<Vec<Vec<usize>>>())
}

#[test]
fn variants_of_systems_are_compared_without_letters() {
    let folder = variants();
    let compare = |more: &str| {
        let command = format!("compare @qrels.txt @runs -m CG@1 --replicates 1000 {more}");
        cranfield(folder.path(), &command).unwrap()
    };
    let (table, notes) = compare("");
    let said = "There are more than 26 groups of runs without significant differences";
    assert!(notes.contains(&format!("note: CG@1: {said}")), "{notes}");
    assert!(!table.contains("  group"), "{table}");
    assert!(table.contains("There are more than 26 groups"), "{table}");
    let (csv, _) = compare("-f csv");
    assert_eq!(csv.lines().count(), 1 + 30 * 29 / 2);
    let (json, _) = compare("-f json");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["comparison"][0]["too_many_groups"], true);
    assert_eq!(json["comparison"][0]["groups"], Value::Array(Vec::new()));
    let plot = |kind: &str| {
        let command = format!("plot {kind} @qrels.txt @runs -m CG@1 --test t -o - -f csv --quiet");
        cranfield(folder.path(), &command)
    };
    assert!(plot("significance").is_ok());
    let why = plot("cd").unwrap_err();
    assert!(
        why.contains("cd: more than 100 groups of runs do not differ"),
        "{why}"
    );
}

/// With the report's default test the comparison is there, and a line says why there are no letters.
#[test]
fn reports_compare_variants_too() {
    let folder = variants();
    let command = "report @qrels.txt @runs -m CG@1 --replicates 1000 -o @report.md";
    cranfield(folder.path(), command).unwrap();
    let page = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(page.contains("There are more than 26 groups"), "{page}");
    assert!(!page.contains("are not compared"), "{page}");
}

/// hybrid misses fewer relevant documents than bm25 on 8 of 12 topics, and more on 2.
#[test]
fn fewer_is_a_win_where_smaller_is_better() {
    let files = "@qrels.txt @runs/bm25.run @runs/hybrid.run -m NumRelMissed";
    let (table, _) = cranfield(&examples(), &format!("compare {files}")).unwrap();
    assert!(table.contains(" 8/2/2"), "{table}");
    assert!(
        table.contains("Topics: 2 higher, 8 lower, 2 equal."),
        "{table}"
    );
    let (line, _) = cranfield(&examples(), &format!("compare {files} -f jsonl")).unwrap();
    let pair: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&pair["run"], &pair["verdict"]),
        (&"hybrid".into(), &pair["verdict"])
    );
    assert_eq!([&pair["wins"], &pair["ties"], &pair["losses"]], [8, 2, 2]);
    let sign = format!("compare {files} -f jsonl --test sign");
    let (line, _) = cranfield(&examples(), &sign).unwrap();
    let pair: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(pair["test_compares"]["run"], 8.0);
    let gate =
        "gate @qrels.txt @runs/hybrid.run --baseline @runs/bm25.run -m NumRelMissed -f jsonl";
    let (line, _) = cranfield(&examples(), gate).unwrap();
    let measure: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    assert_eq!([&measure["wins"], &measure["losses"]], [8, 2]);
}

/// Tukey's test of four runs corrects for six pairs, whichever of them are asked for; Dunnett's for the three with the baseline.
#[test]
fn a_test_of_all_pairs_says_how_many_it_corrects_for() {
    let with = |test: &str| {
        let command =
            format!("compare @qrels.txt @runs -m AP --baseline bm25 --test {test} --methods");
        cranfield(&examples(), &command).unwrap()
    };
    for test in ["tukey", "nemenyi"] {
        let (table, notes) = with(test);
        assert!(table.contains("for 6 pairs together"), "{table}");
        assert!(!table.contains("3 pairs"), "{table}");
        let prose = table.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            prose.contains("including those not compared here"),
            "{table}"
        );
        assert!(
            notes.contains("dunnett corrects only for comparisons with one baseline"),
            "{notes}"
        );
    }
    let (table, notes) = with("dunnett");
    assert!(table.contains("for 3 pairs together"), "{table}");
    assert!(!notes.contains("dunnett"), "{notes}");
}

#[test]
fn equality_is_in_csv_where_there_is_a_margin() {
    let compare = |more: &str| {
        let command =
            format!("compare @qrels.txt @runs/bm25.run @runs/dense.run -m AP -f csv {more}");
        cranfield(&examples(), &command).unwrap()
    };
    let (csv, _) = compare("--margin 0.9");
    let heads: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let cells: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    let cell = |name: &str| cells[heads.iter().position(|head| *head == name).unwrap()];
    assert_eq!(cell("verdict"), "equivalent");
    assert!(cell("p_equal").parse::<f64>().unwrap() < 0.05);
    assert_eq!(cell("p_equal"), cell("p_equal_corrected"));
    assert!(!compare("").0.contains("p_equal"));
}

/// The digits that a confidence needs are printed.
#[test]
fn confidences_are_never_whole() {
    let command = "compare @qrels.txt @runs/bm25.run @runs/dense.run -m AP --alpha 1e-9";
    let (table, _) = cranfield(&examples(), command).unwrap();
    assert!(table.contains(" 99.9999999 % interval"), "{table}");
    let (table, _) = cranfield(&examples(), "power --sd 1 --width 0.5 --alpha 1e-9").unwrap();
    assert!(
        table.contains("a 99.9999999 % interval of this width"),
        "{table}"
    );
}

/// The interval has its name in every format that has intervals.
#[test]
fn intervals_are_named_in_every_format() {
    let with = |more: &str| {
        let command = format!(
            "compare @qrels.txt @runs/hybrid.run @runs/bm25.run -m AP --interval bca {more}"
        );
        cranfield(&examples(), &command).unwrap().0
    };
    for (replicates, name, title) in [(3, "t", "t"), (1000, "bca", "BCa")] {
        let with = |more: &str| with(&format!("--replicates {replicates} {more}"));
        let table = with("--methods");
        assert!(
            table.contains(&format!("alpha 0.05, {title} intervals")),
            "{table}"
        );
        assert_eq!(table.contains("BCa"), name == "bca", "{table}");
        let csv = with("-f csv");
        let heads: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        assert_eq!(heads.last(), Some(&"interval"));
        assert!(
            csv.lines().nth(1).unwrap().ends_with(&format!(",{name}")),
            "{csv}"
        );
        let json: Value = serde_json::from_str(&with("-f json")).unwrap();
        assert_eq!(json["settings"]["interval"], name);
        let pair = &json["comparison"][0]["pairs"][0];
        assert_eq!(pair["interval"]["method"], name);
        let latex = with("-f latex --methods");
        assert_eq!(latex.contains("BCa"), name == "bca", "{latex}");
    }
}

#[test]
fn few_resamples_have_a_note() {
    let command = "compare @qrels.txt @runs -m AP --replicates 5";
    let (_, notes) = cranfield(&examples(), command).unwrap();
    assert!(
        notes.contains("are from 5 resamples of the topics"),
        "{notes}"
    );
}

/// A slide is 405 points high, in letters of 12 points: 60 rows need 1.1 * 12 * 60 = 792 points and what is around them.
#[test]
fn rows_that_would_overlap_are_refused() {
    let rows = (0..60).map(|at| (0..6).map(|topic| (topic * 7 + at * 13) % 29).collect());
    let folder = of_scores(&rows.collect::<Vec<Vec<usize>>>());
    for kind in ["box", "heatmap", "ranks", "significance", "slope"] {
        let measures = if kind == "slope" {
            "-m CG@1 -m P@1"
        } else {
            "-m CG@1"
        };
        let draw = |size: &str| {
            let command =
                format!("plot {kind} @qrels.txt @runs {measures} --quiet -o - -f svg {size}");
            cranfield(folder.path(), &command)
        };
        let why = draw("--size slide").unwrap_err();
        let needed = why
            .strip_prefix("the figure needs a height of at least ")
            .and_then(|rest| rest.split(' ').next())
            .unwrap_or_else(|| panic!("{kind}: {why}"));
        assert!(
            (792.0..1000.0).contains(&needed.parse::<f64>().unwrap()),
            "{kind}: {why}"
        );
        // The height that it says is enough, and one point less is not.
        draw(&format!("--size slide --height {needed}")).unwrap();
        let less = needed.parse::<u32>().unwrap() - 1;
        draw(&format!("--size slide --height {less}")).unwrap_err();
    }
}

/// Means of 3456 and 6543 with long names, in a narrow plot: the figures are whole.
#[test]
fn slopes_shorten_names_and_not_figures() {
    let folder = of_scores(&[vec![1234, 5678], vec![4321, 8765]]);
    let runs = folder.path().join("runs");
    for (from, to) in [
        ("run000", "a-name-of-many-letters-a"),
        ("run001", "a-name-of-many-letters-b"),
    ] {
        fs::rename(
            runs.join(format!("{from}.run")),
            runs.join(format!("{to}.run")),
        )
        .unwrap();
    }
    let command =
        "plot slope @qrels.txt @runs -m CG@1 -m DCG@1 --size one-column -o - -f svg --quiet";
    let (svg, _) = cranfield(folder.path(), command).unwrap();
    let strings: Vec<&str> = svg.lines().filter(|line| line.contains('…')).collect();
    assert_eq!(strings.len(), 2, "{strings:?}");
    for figure in ["  3456.000", "  6543.000"] {
        assert!(
            strings.iter().any(|line| line.contains(figure)),
            "{figure}: {strings:?}"
        );
    }
}

/// Two runs and one topic: the reason is the topic.
#[test]
fn reports_say_why_a_plot_is_not_there() {
    let folder = of_scores(&[vec![3], vec![5]]);
    cranfield(folder.path(), "report @qrels.txt @runs -m CG@1 -o @r.html").unwrap();
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(!page.contains("; 1 given"));
    assert!(page.to_lowercase().contains("no significance plot"));
}

/// `NumRelMissed` of the four runs: eval prints sums over 12 topics, plots of runs have means.
#[test]
fn scatter_has_means_of_counts() {
    let command = "plot scatter @qrels.txt @runs -m NumRelMissed -m AP -o - -f csv";
    let (csv, caption) = cranfield(&examples(), command).unwrap();
    let hybrid = csv.lines().find(|line| line.contains("hybrid")).unwrap();
    let value = hybrid.split(',').nth(1).unwrap().parse::<f64>().unwrap();
    assert!((value - 25.0 / 12.0).abs() < 1e-12, "{csv}");
    assert!(
        caption.contains("NumRelMissed: mean over topics"),
        "{caption}"
    );
}

/// One topic has no interval, and holes in a run are not empty rankings where they are left out.
#[test]
fn captions_say_what_is_shown() {
    let folder = of_scores(&[vec![3], vec![5]]);
    let caption = |command: &str| cranfield(folder.path(), command).unwrap().1;
    let curve = caption("plot cg @qrels.txt @runs --cutoff 1 -o - -f csv");
    assert!(!curve.contains("Bands"), "{curve}");
    let bars = caption("plot histogram @qrels.txt @runs -m CG@1 -o - -f csv");
    assert!(
        bars.contains("Above 0 in 1 topic, below in 0, equal in 0"),
        "{bars}"
    );
    let folder = of_scores(&[vec![3, 4], vec![5, 6]]);
    fs::write(folder.path().join("runs/run001.run"), "0 Q0 d5 1 1 t\n").unwrap();
    let command = "plot unjudged @qrels.txt @runs --cutoff 1 -o - -f csv";
    let (_, notes) = cranfield(folder.path(), command).unwrap();
    let shares = notes
        .lines()
        .find(|line| line.starts_with("caption: "))
        .unwrap();
    assert!(!shares.contains("empty ranking"), "{shares}");
    assert!(
        shares.contains("Topics without documents are left out"),
        "{shares}"
    );
}

//! `cranfield gate` with locks, also those that were edited, runs that lack topics, and outputs that fail.

use std::fs;

use cranfield::gate::{Lock, read_lock};
use cranfield::io::Source;

use crate::gate::Made;

/// Twenty topics, a run, and its lock by these measures.
fn locked(measures: &str) -> Made {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    let (code, _, err) = made.gate(&["qrels", "old", "-m", measures, "--write-lock", "lock"]);
    assert_eq!(code, 0, "{err}");
    made
}

/// The lock with a change, and with the checksum of the changed content.
fn forged(made: &Made, change: impl FnOnce(&mut Lock)) {
    let source = Source::open(made.path().join("lock")).unwrap();
    let mut lock = read_lock(&source).unwrap();
    change(&mut lock);
    fs::write(made.path().join("forged"), lock.render()).unwrap();
}

#[track_caller]
fn check_refused(made: &Made, arguments: &[&str], expected: &str) {
    let (code, out, err) = made.gate(arguments);
    assert_eq!(code, 3, "{out}{err}");
    assert!(err.contains(expected), "{err}");
}

#[test]
fn an_edited_lock_is_refused() {
    let made = locked("RR");
    let text = made
        .read("lock")
        .replace("\"t07\" = [0.5]", "\"t07\" = [0.25]");
    fs::write(made.path().join("edited"), text).unwrap();
    check_refused(
        &made,
        &["qrels", "old", "-b", "edited"],
        "the checksum does not match",
    );
    let text = made.read("lock");
    let kept = text.lines().filter(|line| !line.starts_with("checksum"));
    let kept: Vec<&str> = kept.collect();
    fs::write(made.path().join("before"), kept.join("\n")).unwrap();
    let arguments = ["qrels", "old", "-b", "before"];
    check_refused(&made, &arguments, "the lock file has no checksum");
    check_refused(&made, &arguments, "write the lock file again");
}

#[test]
fn a_lock_that_contradicts_itself_is_refused() {
    let made = locked("RR");
    let arguments = ["qrels", "old", "-b", "forged"];
    forged(&made, |lock| lock.means[0] = 0.1);
    check_refused(
        &made,
        &arguments,
        "the lock has a mean RR of 0.1, but its values have a mean of 0.59",
    );
    forged(&made, |lock| {
        lock.policies.insert("mood".into(), "good".into());
    });
    check_refused(&made, &arguments, "unknown policy `mood`");
    forged(&made, |lock| {
        lock.policies.insert("ties".into(), "coin".into());
    });
    check_refused(&made, &arguments, "invalid value `coin` of the policy ties");
    forged(&made, |lock| {
        lock.policies.remove("depth");
    });
    check_refused(&made, &arguments, "the lock lacks the policy depth");
    forged(&made, |lock| lock.cranfield.push_str("-mine"));
    check_refused(&made, &arguments, "is not a version of Cranfield");
    forged(&made, |lock| lock.profile = "mine".into());
    check_refused(&made, &arguments, "unknown profile `mine`");
    // The values of this very run, on paper; topic 7 has its document at rank 2.
    forged(&made, |lock| {
        lock.topics.insert("t07".into(), vec![0.25]);
        lock.means[0] -= 0.25 / 20.0;
    });
    check_refused(
        &made,
        &arguments,
        "made from this run and has RR 0.25 on topic `t07`, but the run has 0.5",
    );
    forged(&made, |_| ());
    let (code, _, err) = made.gate(&arguments);
    assert_eq!(code, 0, "{err}");
}

/// The rank of the last relevant document is undefined where nothing is retrieved, and left out of its mean.
#[test]
fn no_run_passes_for_lacking_topics() {
    let made = locked("LastRel");
    made.run("better", |_| 1);
    let lacking = |from: &str, to: &str| {
        let text = made.read(from);
        let kept = text.lines().filter(|line| !line.starts_with("t0"));
        let kept: Vec<&str> = kept.collect();
        fs::write(made.path().join(to), kept.join("\n") + "\n").unwrap();
    };
    lacking("old", "fewer");
    lacking("better", "best");
    let before = made.read("lock");
    let says = "LastRel is defined on one side only: undefined for the run on t01, t02, t03, t04, t05 and 4 more";
    for run in ["fewer", "best"] {
        check_refused(&made, &["qrels", run, "-b", "lock", "--update"], says);
        check_refused(&made, &["qrels", run, "-b", "old", "-m", "LastRel"], says);
    }
    assert_eq!(made.read("lock"), before);
    check_refused(
        &made,
        &["qrels", "old", "-b", "fewer", "-m", "LastRel"],
        "undefined for the baseline on t01",
    );
    // Both lack the same topics: there is nothing to gain by it.
    let (code, _, err) = made.gate(&["qrels", "best", "-b", "fewer", "-m", "LastRel"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("LastRel: 9 topics excluded"), "{err}");
    // A measure that is 0 for an empty ranking counts the topics.
    let (code, _, err) = made.gate(&["qrels", "fewer", "-b", "old", "-m", "RR"]);
    assert_eq!(code, 1, "{err}");
}

#[test]
fn a_lock_has_means_also_of_counts() {
    let made = locked("NumRelRet");
    // One relevant document in each of twenty topics: the sum is 20, and the mean, which is compared, 1.
    assert!(made.read("lock").contains("means = [1.0]"));
    let (_, _, err) = made.gate(&["qrels", "old", "-m", "NumRelRet", "--write-lock", "again"]);
    assert!(err.contains("old on 20 topics, NumRelRet 1.0000"), "{err}");
    let refused = made.gate(&["qrels", "old", "-m", "NumRet", "--write-lock", "never"]);
    assert_eq!(refused.0, 2, "{}", refused.2);
    assert!(!made.path().join("never").exists());
}

#[test]
fn a_lock_is_kept_where_another_output_fails() {
    let made = locked("RR");
    made.run("better", |_| 1);
    fs::create_dir(made.path().join("folder")).unwrap();
    let before = made.read("lock");
    for output in ["-o", "--junit", "--summary"] {
        for path in ["folder", "no/such/folder"] {
            let arguments = ["qrels", "better", "-b", "lock", "--update", output, path];
            let (code, _, err) = made.gate(&arguments);
            assert_eq!(code, 3, "{output} {path}: {err}");
            assert_eq!(made.read("lock"), before, "{output} {path}");
        }
    }
    let all = ["--junit", "a.xml", "--summary", "a.md", "-o", "a.txt"];
    let (code, out, err) =
        made.gate(&[&["qrels", "better", "-b", "lock", "--update"][..], &all].concat());
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(made.read("lock").contains("name = \"better\""));
    assert!(made.read("a.txt").starts_with("PASS") && made.read("a.md").starts_with("# PASS"));
}

#[test]
fn a_tolerance_with_which_nothing_can_fail_is_refused() {
    let made = locked("RR");
    for (tolerance, says) in [
        ("1e300", "below 1e50"),
        (
            "1",
            "RR is from 0 to 1, so it cannot fail with a tolerance of 1",
        ),
        ("100%", "with a tolerance of 100%"),
    ] {
        let (code, _, err) = made.gate(&["qrels", "old", "-b", "lock", "--tolerance", tolerance]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(says), "{err}");
    }
}

#[test]
fn names_do_not_steer_the_terminal() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    let name = "a\u{1b}[2J\u{7}b.run";
    made.run(name, |topic| 1 + topic % 3);
    for format in ["table", "md"] {
        let (_, out, _) = made.gate(&["qrels", name, "-b", "old", "-m", "RR", "-f", format]);
        // Markdown has a backslash before the bracket and before those of escapes.
        let shown = out.replace('\\', "");
        assert!(shown.contains("PASS: ax1b[2Jx07b against old"), "{out}");
        assert!(!out.contains('\u{1b}'), "{out}");
    }
    let name = "a\u{1b}b\u{202e}c.run";
    made.run(name, |topic| 1 + topic % 3);
    made.gate(&[
        "qrels", name, "-b", "old", "-m", "RR", "--junit", "gate.xml",
    ]);
    let xml = made.read("gate.xml");
    assert!(xml.contains("a\\x1bb\\u{202e}c against old"), "{xml}");
}

#[test]
fn an_exempt_topic_that_does_not_exist_is_an_error_with_a_near_name() {
    let made = locked("RR");
    fs::write(made.path().join("exempt"), "t7\n").unwrap();
    let arguments = [
        "qrels",
        "old",
        "-b",
        "lock",
        "--ratchet",
        "0.1",
        "--except",
        "exempt",
    ];
    check_refused(&made, &arguments, "error[IR093]: topic `t7` is exempt");
    check_refused(&made, &arguments, "did you mean `t");
}

#[test]
fn a_lock_stands_for_its_run() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    made.run("new", |topic| 1 + topic % 2);
    let written = |lock: &str| made.gate(&["qrels", "old", "-m", "RR AP", "--write-lock", lock]);
    assert_eq!(written("a.lock").0, 0);
    assert_eq!(written("b.lock").0, 0);
    assert_eq!(made.read("a.lock"), made.read("b.lock"));
    let against = |baseline: &str, more: &[&str]| {
        let arguments = [
            &["qrels", "new", "-b", baseline, "-f", "csv", "--quiet"],
            more,
        ]
        .concat();
        made.gate(&arguments)
    };
    // Every digit is the same, from the lock and from the run.
    assert_eq!(against("a.lock", &[]).1, against("old", &["-m", "RR AP"]).1);
}

#[test]
fn what_the_lock_was_not_made_from_is_refused() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    made.gate(&["qrels", "old", "-m", "RR", "--write-lock", "lock"]);
    let refused = |arguments: &[&str]| {
        let (code, _, err) = made.gate(arguments);
        assert_eq!(code, 3, "{err}");
        err
    };
    let other = made.read("qrels").replace("t07 0 rel 1", "t07 0 rel 2");
    fs::write(made.path().join("changed"), other).unwrap();
    let err = refused(&["changed", "old", "-b", "lock"]);
    assert!(
        err.contains("changed is not the file that the lock was made with"),
        "{err}"
    );
    let err = refused(&[
        "qrels",
        "old",
        "-b",
        "lock",
        "--ties",
        "docid-asc",
        "--profile",
        "trec_eval",
        "-m",
        "RR AP",
    ]);
    for part in [
        "the lock has ties docid-desc, this evaluation has docid-asc",
        "the lock has profile cranfield",
        "the lock has the measures RR, this evaluation has RR AP",
    ] {
        assert!(err.contains(part), "{err}");
    }
    let err = refused(&["qrels", "old", "-b", "lock", "--level", "2"]);
    for part in [
        "the lock has the measures RR, but with --level 2 they are RR(rel=2)",
        "remove --level, or write a new lock",
    ] {
        assert!(err.contains(part), "{err}");
    }
    let err = refused(&["qrels", "old", "-b", "lock", "-m", "RR(rel=2)"]);
    assert!(err.contains("use the measures of the lock"), "{err}");
    let forged = |name: &str, change: fn(&mut Lock)| {
        let source = cranfield::io::Source::open(made.path().join("lock")).unwrap();
        let mut lock = read_lock(&source).unwrap();
        change(&mut lock);
        fs::write(made.path().join(name), lock.render()).unwrap();
    };
    forged("newer", |lock| lock.cranfield.insert(0, '9'));
    assert!(refused(&["qrels", "old", "-b", "newer"]).contains("which is newer than this"));
    forged("topics", |lock| {
        let values = lock.topics.remove("t07").unwrap();
        lock.topics.insert("t77".into(), values);
    });
    let err = refused(&["qrels", "old", "-b", "topics"]);
    assert!(
        err.contains(
            "run and baseline have different topics: the run lacks t77; the baseline lacks t07"
        ),
        "{err}"
    );
}

#[test]
fn a_lock_is_raised_and_never_lowered() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    made.run("worse", |topic| 3 + topic % 3);
    made.run("better", |_| 1);
    made.gate(&["qrels", "old", "-m", "RR", "--write-lock", "lock"]);
    let first = made.read("lock");
    let update = |run: &str| made.gate(&["qrels", run, "-b", "lock", "--update", "--quiet"]);
    let (code, _, err) = update("worse");
    assert_eq!(code, 1);
    assert!(err.contains("lock is kept: the run fails"), "{err}");
    let (code, _, err) = update("old");
    assert_eq!(code, 0);
    assert!(err.contains("lock is kept: the run passes, but"), "{err}");
    assert_eq!(made.read("lock"), first);
    let (code, _, err) = update("better");
    assert_eq!(code, 0);
    assert!(
        err.contains("lock was old on 20 topics, RR 0.5917"),
        "{err}"
    );
    assert!(
        err.contains("lock is now better on 20 topics, RR 1.0000"),
        "{err}"
    );
    assert!(made.read("lock").contains("\"t07\" = [1.0]"));
    let (code, _, err) = made.gate(&["qrels", "old", "-b", "old", "--update"]);
    assert_eq!(code, 2);
    assert!(err.contains("--update needs a lock file"), "{err}");
}

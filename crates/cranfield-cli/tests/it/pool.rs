//! `cranfield pool` as a process.

use std::fs;

use serde_json::Value;

use crate::process::cranfield;

/// The worked example: three runs of five documents, of which a, b, c and j are relevant.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    for (name, docs) in [("A", "abcde"), ("B", "bfagh"), ("C", "ibjck")] {
        let lines = docs.chars().zip(1..);
        let lines = lines.map(|(doc, rank)| format!("1 Q0 {doc} {rank} {} {name}\n", 9 - rank));
        write(&format!("{name}.run"), &lines.collect::<String>());
    }
    write(
        "qrels",
        "1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 j 1\n1 0 d 0\n1 0 f 0\n",
    );
    write("groups", "A x\nB x\n");
    write("strange", "A x y\n");
    write("unknown", "Z x\n");
    folder
}

/// Standard output of a command that succeeds, and its notes.
#[track_caller]
fn ok(folder: &tempfile::TempDir, arguments: &str) -> (String, String) {
    let output = cranfield(folder.path(), arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{arguments}: {out}{err}");
    (out, err)
}

#[track_caller]
fn fails(arguments: &str, code: i32, why: &str) {
    let output = cranfield(folder().path(), arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{err}");
    assert!(err.contains(why), "{err}");
}

fn documents(run: &str) -> String {
    let lines = run.lines().filter_map(|line| line.split(' ').nth(2));
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn pools_are_in_the_order_of_judging() {
    let folder = folder();
    let order = |arguments: &str| {
        let all = format!("pool make A.run B.run C.run {arguments}");
        documents(&ok(&folder, &all).0)
    };
    assert_eq!(order("--strategy take"), "b a i f c j d g e h k");
    assert_eq!(order("--strategy depth(2)"), "a b f i");
    assert_eq!(order("--strategy depth(2) --budget 2"), "a b");
    assert_eq!(
        order("--strategy mtf --qrels qrels"),
        "a b c d f i e g j k h"
    );
    assert_eq!(
        order("--strategy hedge --depth 5 --qrels qrels --budget 4"),
        "b a f c"
    );
    assert_eq!(order("--strategy thompson --qrels qrels").len(), 21);
    // The same seed gives the same pool, another one another.
    let sample = "--strategy pps(5) --seed";
    assert_eq!(order(&format!("{sample} 1")), order(&format!("{sample} 1")));
    assert_ne!(order(&format!("{sample} 1")), order(&format!("{sample} 2")));
}

#[test]
fn a_pool_is_a_run() {
    let folder = folder();
    let (_, notes) = ok(
        &folder,
        "pool make A.run B.run C.run --strategy mtf --budget 3 --qrels qrels -o pool.run",
    );
    assert!(
        notes.contains("mtf: 3 documents from 3 runs for 1 topic, 3.0 per topic"),
        "{notes}"
    );
    assert!(notes.contains("3 relevant; 0 not judged"), "{notes}");
    assert!(notes.contains("tau of the runs' order by AP"), "{notes}");
    let (scores, _) = ok(&folder, "eval qrels pool.run -m P@3 -f csv --quiet");
    assert!(scores.contains(",P@3,1"), "{scores}");
}

#[test]
fn samples_are_read_by_eval() {
    let folder = folder();
    let make = "pool make A.run B.run C.run --qrels qrels -o pool.run --quiet";
    ok(
        &folder,
        &format!("{make} --strategy strata('1-2:1,3-:0.5') --sample strata"),
    );
    ok(
        &folder,
        "eval strata A.run --qrels-format strata -m xinfAP --quiet",
    );
    let (out, notes) = ok(&folder, "pool missing strata --qrels-format strata -f json");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert!(found["estimates"][0]["total"].as_f64() >= found["estimates"][0]["found"].as_f64());
    assert!(notes.contains("of 11 documents judged"), "{notes}");
    ok(&folder, &format!("{make} --strategy pps(5) --sample prels"));
    ok(
        &folder,
        "eval prels A.run --qrels-format prels -m statAP --quiet",
    );
}

#[test]
fn statistics_bias_and_figures() {
    let folder = folder();
    let (out, _) = ok(
        &folder,
        "pool stats A.run B.run C.run --qrels qrels --groups groups -f json --figure unique.svg",
    );
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["groups"][0]["unique"], 6);
    assert_eq!(found["runs"][2]["unique relevant"], 1);
    let (out, notes) = ok(
        &folder,
        "pool bias qrels A.run B.run C.run -m P@5 --depth 5 -f json --figure bias.png",
    );
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["runs"][2]["relevant"], 1);
    assert!(notes.contains("largest drop -0.2000: C"), "{notes}");
    ok(
        &folder,
        "pool missing qrels A.run B.run C.run --figure growth.svg -q",
    );
    for name in ["unique.svg", "bias.png", "growth.svg"] {
        assert!(folder.path().join(name).exists());
    }
}

#[test]
fn the_depth_is_that_of_the_judgements() {
    let folder = folder();
    // A and B are judged to rank 2, C to none. Below, A has c, and d is judged by chance.
    fs::write(
        folder.path().join("shallow"),
        "1 0 a 1\n1 0 b 1\n1 0 f 0\n1 0 d 0\n",
    )
    .unwrap();
    for command in ["bias", "missing"] {
        let all = format!("pool {command} shallow A.run B.run C.run -f json");
        let (out, notes) = ok(&folder, &all);
        let note =
            "note: pool of depth 2: 3 of 4 documents judged (75.0 %), 2 of 3 runs to 95 % or more";
        assert!(notes.starts_with(note), "{notes}");
        let found: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(found["pool judged"], 3);
        let (out, notes) = ok(&folder, &format!("{all} --depth 5"));
        let warning = "warning: pool of depth 5: only 4 of 11 documents judged (36.4 %), 0 of 3 runs to 95 % or more; unjudged \
                       documents count as not relevant; half of the runs are judged to 95 % or more down to depth 2";
        assert!(notes.starts_with(warning), "{notes}");
        let found: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(found["warnings"].as_array().unwrap().len(), 1);
    }
    let (out, _) = ok(
        &folder,
        "pool missing shallow A.run B.run C.run --depth 5 -f json",
    );
    let found: Value = serde_json::from_str(&out).unwrap();
    let judged = found["growth"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["judged"].as_i64());
    assert_eq!(judged.collect::<Vec<_>>(), [Some(2), Some(3), Some(4)]);
}

#[test]
fn votes_carry_their_caveat_in_every_format() {
    let folder = folder();
    let (_, notes) = ok(&folder, "pool votes A.run B.run C.run --draws 3");
    assert!(
        notes.contains("tend to misplace the best systems"),
        "{notes}"
    );
    let (json, _) = ok(
        &folder,
        "pool votes A.run B.run C.run --draws 3 -f json --quiet",
    );
    assert!(json.contains("tend to misplace the best systems"), "{json}");
}

#[test]
fn a_list_settles_a_comparison() {
    let folder = folder();
    let (out, notes) = ok(
        &folder,
        "pool settle qrels A.run B.run -m P@3 --pool list.run -f csv",
    );
    assert!(notes.contains("P@3: A leads by 0.3333"), "{notes}");
    // A has a, b and c in its first three, B b, f and a: all are judged.
    assert_eq!(out.lines().count(), 1, "{out}");
    fails("pool settle qrels A.run A.run", 2, "no order to settle");
}

#[test]
fn errors_say_what_to_do() {
    let runs = "A.run B.run C.run";
    fails(
        &format!("pool make {runs} --strategy deep(1)"),
        2,
        "unknown strategy `deep`",
    );
    fails(
        &format!("pool make {runs} --strategy depth(200)"),
        2,
        "depth(200) needs --depth 200 or more",
    );
    fails(
        &format!("pool make {runs} --strategy wsum"),
        2,
        "wsum needs weights, which a pool does not have; the methods of fusion for pools are: rrf, min, max",
    );
    for option in ["--budget 0", "--depth 0"] {
        let why = "expected a whole number of at least 1";
        fails(&format!("pool make {runs} {option}"), 2, why);
    }
    fails(
        &format!("pool make {runs} --qrels qrels --sample s"),
        2,
        "--sample needs a strategy that draws a sample",
    );
    fails(
        &format!("pool make {runs} --ties expected"),
        2,
        "--ties expected gives no order",
    );
    fails(
        &format!("pool stats {runs} --groups strange"),
        3,
        "found 3 fields",
    );
    fails(
        &format!("pool stats {runs} --groups unknown"),
        3,
        "unknown run `Z`",
    );
    fails(
        &format!("pool stats {runs} --seconds -1"),
        2,
        "--seconds is -1",
    );
    fails(
        "pool missing qrels",
        2,
        "expected runs after the judgements",
    );
    fails(
        &format!("pool bias qrels {runs} -m AP,RR"),
        2,
        "expected one measure, found 2",
    );
}

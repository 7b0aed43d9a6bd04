//! `cranfield agree` as a process.

use std::fs;

use serde_json::Value;

use crate::process::cranfield;

/// The worked example of the figures in topic 1, one document in topic 2, a topic of each file alone.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (String::new(), String::new());
    let mut number = 0;
    for (row, counts) in [[4, 1, 0], [1, 2, 1], [0, 0, 1]].iter().enumerate() {
        for (column, count) in counts.iter().enumerate() {
            for _ in 0..*count {
                number += 1;
                one.push_str(&format!("1 0 d{number} {column}\n"));
                two.push_str(&format!("1 0 d{number} {row}\n"));
            }
        }
    }
    one.push_str("1 0 alone1 1\n1 0 alone2 2\n2 0 a 0\n8 0 a 1\n");
    two.push_str("1 0 other 0\n2 0 a 0\n9 0 a 1\n");
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("one.qrels", &one);
    write("two.qrels", &two);
    let many = (0..200).map(|n| format!("1 0 d{n} {n}\n"));
    write("many.qrels", &many.collect::<String>());
    write("bad.qrels", "1 0 a x\n");
    folder
}

#[track_caller]
fn check(arguments: &str, code: i32, in_stdout: &str, in_stderr: &str) {
    let output = cranfield(folder().path(), arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    assert!(out.contains(in_stdout), "{out}");
    assert!(err.contains(in_stderr), "{err}");
    let lines = out.lines().filter(|_| arguments.ends_with("qrels"));
    assert!(lines.into_iter().all(|line| line.len() <= 80), "{out}");
}

#[test]
fn prints_the_table_and_the_figures() {
    let all = "agree one.qrels two.qrels";
    let table = "\
rows two.qrels, columns one.qrels; percent of column
grade     0      %  1      %  2      %  total      %  unjudged
0         5   83.3  1   33.3  0    0.0      6   54.5         1
1         1   16.7  2   66.7  1   50.0      4   36.4         0
2         0    0.0  0    0.0  1   50.0      1    9.1         0
total     6  100.0  3  100.0  2  100.0     11  100.0         1
unjudged  0         1         1             2
";
    check(
        all,
        0,
        table,
        "2 topics compared, 11 documents judged in both",
    );
    check(all, 0, "overlap     0.6667  ", "relevant from grade 1");
    check(all, 0, "", "1 topic only in one.qrels, not compared");
    check(
        all,
        0,
        "",
        "2 documents only in one.qrels, not in the figures",
    );
    check(
        all,
        0,
        "",
        "1 document only in two.qrels, not in the figures",
    );
    check(
        all,
        0,
        "kappa       ",
        "left out of the mean: kappa for 1 topic, kappa_lin for 1 topic, kappa_quad for 1 topic, overlap for 1 topic, positive for 1 topic",
    );
}

#[test]
fn prints_one_topic_or_each_topic() {
    let one = "agree one.qrels two.qrels -t 1 --percent none";
    check(
        one,
        0,
        "kappa       0.5082  -0.0206  0.8507\nkappa_lin   0.6053   0.0623  0.8980\n",
        "topic 1, 10 documents",
    );
    check(
        "agree one.qrels two.qrels -q --digits 2",
        0,
        "1           0.70   0.51       0.61        0.72     0.67      0.80      0.80\n",
        "",
    );
    check(
        "agree one.qrels two.qrels -q --digits 2",
        0,
        "2           1.00      –          –           –        –         –      1.00\n",
        "",
    );
    check(
        "agree one.qrels two.qrels -t 8",
        2,
        "",
        "topic `8` is not in both files",
    );
}

#[test]
fn merges_grades_into_classes() {
    let merged = "agree one.qrels two.qrels --merge-first 1 -t 1";
    check(
        merged,
        0,
        "grade     <1",
        "need the same classes in both files",
    );
    check(merged, 0, "kappa            –       –       –\n", "");
    check(merged, 0, "positive    0.8000  0.4000  1.0000\n", "");
    let merged = "agree one.qrels two.qrels --merge 1 -t 1";
    check(merged, 0, "kappa       0.6000  ", "");
    check(
        "agree one.qrels two.qrels --level 2 -t 1",
        0,
        "overlap     0.5000  ",
        "from grade 2",
    );
    check(
        "agree one.qrels two.qrels --merge -1,2 -t 1",
        0,
        "-1 to <2",
        "",
    );
}

#[test]
fn every_number_is_in_the_formats_for_programs() {
    let folder = folder();
    let text = |arguments: &str| {
        let output = cranfield(folder.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let csv = text("agree one.qrels two.qrels -f csv --percent row -q");
    for line in [
        "first,second,topic,measure,first_grade,second_grade,value,low,high",
        "one.qrels,two.qrels,1,count,0,1,1,,",
        "one.qrels,two.qrels,1,percent_of_row,0,1,25,,",
        "one.qrels,two.qrels,all,count,0,0,5,,",
        "one.qrels,two.qrels,all,count,total,unjudged,2,,",
        "one.qrels,two.qrels,all,count,unjudged,0,1,,",
        "one.qrels,two.qrels,1,agreement,,,0.7,,",
        "one.qrels,two.qrels,2,kappa,,,,,",
        "one.qrels,two.qrels,mean,agreement,,,0.85,,",
    ] {
        assert!(csv.lines().any(|other| other == line), "{line}\n{csv}");
    }
    let tsv = text("agree one.qrels two.qrels -f tsv --percent row -q");
    assert_eq!(tsv.lines().count(), csv.lines().count());
    let jsonl = text("agree one.qrels two.qrels -f jsonl --percent row -q");
    assert_eq!(jsonl.lines().count() + 1, csv.lines().count());
    for line in jsonl.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert!(record["topic"].is_string() && record.get("value").is_some());
    }
    let json: Value = serde_json::from_str(&text("agree one.qrels two.qrels -f json -q")).unwrap();
    assert_eq!(json["counted"]["topics"], 2);
    assert_eq!(json["topics"]["1"]["figures"]["agreement"], 0.7);
    assert_eq!(json["mean"]["agreement"], 0.85);
    assert_eq!(json["topics"]["2"]["figures"]["kappa"], Value::Null);
    assert_eq!(json["files"][0]["blake3"].as_str().unwrap().len(), 64);
    let cells = json["table"].as_array().unwrap();
    let both = cells
        .iter()
        .find(|cell| cell["second"] == "total" && cell["first"] == "total");
    assert_eq!(both.unwrap()["count"], 11);
    for format in ["md", "latex", "html"] {
        let page = text(&format!("agree one.qrels two.qrels -f {format}"));
        assert!(page.contains("83.3") && page.contains("overlap"), "{page}");
    }
}

#[test]
fn errors_name_their_cause() {
    check("agree one.qrels", 2, "", "required");
    check("agree - -", 2, "", "can be read only once");
    check("agree one.qrels nowhere", 3, "", "nowhere");
    check("agree one.qrels bad.qrels", 3, "", "bad.qrels:1");
    check("agree one.qrels two.qrels -f trec", 2, "", "invalid value");
    check(
        "agree one.qrels two.qrels --merge 2,1",
        2,
        "",
        "in ascending order",
    );
    check(
        "agree one.qrels two.qrels --merge x",
        2,
        "",
        "`x` is not a number",
    );
    check("agree one.qrels two.qrels --level nan", 2, "", "finite");
    check(
        "agree one.qrels two.qrels --merge 1 --merge-first 1",
        2,
        "",
        "cannot be used with",
    );
    check(
        "agree one.qrels many.qrels",
        3,
        "",
        "merge them into classes",
    );
    check("agree many.qrels one.qrels", 3, "", "IR026");
    check("agree many.qrels one.qrels --merge 1", 0, ">=1", "");
}

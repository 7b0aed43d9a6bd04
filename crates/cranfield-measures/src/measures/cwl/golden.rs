//! Values of `cwl_eval` from the tests of `ir_measures`, if the data are available.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::tests::value;

#[test]
fn cwl_eval_values() {
    let Some(folder) = folder() else { return };
    let topics = topics(&folder);
    let expected = read(&folder, "expected.tsv");
    let mut lines = expected.lines();
    let header: Vec<_> = lines.next().unwrap().split('\t').skip(1).collect();
    let mut checked = 0;
    for line in lines {
        let mut fields = line.split('\t');
        let name = our_name(fields.next().unwrap());
        for (topic, expected) in header.iter().zip(fields) {
            let (ranking, judged) = &topics[*topic];
            let value = value(&name, ranking, judged).unwrap();
            assert_eq!(format!("{value:.4}"), expected, "{name} of {topic}");
            checked += 1;
        }
    }
    assert_eq!(checked, 39);
}

/// Their AP and RBP differ from the measures of these names here, and the parameter of SDCG has another name.
fn our_name(name: &str) -> String {
    match name {
        "AP (C/W/L form)" => "CWL_AP".into(),
        _ if name.starts_with("SDCG") => name.replace("max_rel", "max"),
        _ if name.starts_with("RBP") => format!("CWL_{name}"),
        _ => name.into(),
    }
}

/// Each topic's grades in rank order, and all its grades.
fn topics(folder: &Path) -> BTreeMap<String, (Vec<i32>, Vec<i32>)> {
    let mut grades = BTreeMap::new();
    let mut topics: BTreeMap<String, (Vec<i32>, Vec<i32>)> = BTreeMap::new();
    for line in read(folder, "cwl.qrels").lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        let grade: i32 = fields[3].parse().unwrap();
        grades.insert((fields[0].to_owned(), fields[2].to_owned()), grade);
        topics.entry(fields[0].into()).or_default().1.push(grade);
    }
    for line in read(folder, "cwl.run").lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        let grade = grades.get(&(fields[0].to_owned(), fields[2].to_owned()));
        let topic = topics.entry(fields[0].into()).or_default();
        topic.0.push(grade.copied().unwrap_or(-1));
    }
    topics
}

/// The folder of values, if it is there.
fn folder() -> Option<PathBuf> {
    cranfield_testkit::golden("cwl")
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("the shared data are complete")
}

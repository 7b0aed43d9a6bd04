//! Campaigns from the terminal: archives have the bits of `eval`, damage is named, and backups are whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use cranfield_server::{Config, Site, Stop, demo};
use serde_json::Value;

use crate::process::{check_in, cranfield, text};

/// Makes the sample campaign in `data`, and an archive of it once all entries are scored.
fn sample(folder: &Path) {
    let config = Config {
        data: folder.join("data"),
        public_url: None,
    };
    let site = Site::open(&config).unwrap();
    demo(&site, &folder.join("garden"), &Stop::default()).unwrap();
    for _ in 0..600 {
        let _ = std::fs::remove_file(folder.join("full.zip"));
        // The server still uses the folder.
        let written = cranfield(folder, "admin --data data export garden full.zip");
        assert!(written.status.success(), "{}", text(&written.stderr));
        if !archive(folder).contains("\"state\":\"received\"") {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the entries are not scored");
}

/// Members are stored, so that their lines can be read.
fn archive(folder: &Path) -> String {
    text(&std::fs::read(folder.join("full.zip")).unwrap())
}

fn lines(archive: &str, start: &str) -> Vec<Value> {
    let lines = archive.split('\n').filter_map(|line| {
        let at = line.find(start)?;
        serde_json::from_str(&line[at..]).ok()
    });
    lines.collect()
}

#[test]
fn an_archive_has_the_bits_of_eval_and_damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    let all = "7 of 7 scored entries have the same bits";
    check_in(folder, "verify full.zip --rescore", 0, all, "");
    let archive = archive(folder);
    let files: BTreeMap<(i64, i64), String> = lines(&archive, "{\"team\":")
        .iter()
        .filter_map(|row| {
            let file = row["file"].as_str()?.to_owned();
            Some(((row["team"].as_i64()?, row["entry"].as_i64()?), file))
        })
        .collect();
    let mut compared = 0;
    for line in lines(&archive, "{\"entry\":\"T") {
        let (entry, measure) = (
            line["entry"].as_str().unwrap(),
            line["measure"].as_str().unwrap(),
        );
        let key = (entry[1..4].parse().unwrap(), entry[6..].parse().unwrap());
        let run = &files[&key];
        let command =
            format!("eval garden/qrels.txt garden/out/runs/{run} -m {measure} -q -f jsonl");
        let output = cranfield(folder, &command);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let rows = text(&output.stdout);
        let rows: Vec<Value> = rows
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        let bits = |value: &Value| value.as_f64().map(f64::to_bits);
        let (mean, topics) = rows.split_last().unwrap();
        assert_eq!(mean["topic"], "all");
        assert_eq!(
            bits(&mean["value"]),
            bits(&line["overall"]),
            "{entry} {measure}"
        );
        // `eval` sorts topics by their ids, and the archive has the same values in the order of the campaign.
        let mut values: Vec<_> = topics.iter().map(|row| bits(&row["value"])).collect();
        let mut stored: Vec<_> = line["topics"]
            .as_array()
            .unwrap()
            .iter()
            .map(bits)
            .collect();
        values.sort_unstable();
        stored.sort_unstable();
        assert_eq!(values, stored, "{entry} {measure}");
        compared += 1 + values.len();
    }
    assert_eq!(compared, 7 * 3 * 31);
    let mut bytes = std::fs::read(folder.join("full.zip")).unwrap();
    let member = b"tables/team.jsonl";
    let at = bytes.windows(member.len()).rposition(|part| part == member);
    // The last name is in the directory; the one before it is in front of the member.
    let at = bytes[..at.unwrap()]
        .windows(member.len())
        .rposition(|part| part == member);
    bytes[at.unwrap() + 40] ^= 1;
    std::fs::write(folder.join("bad.zip"), bytes).unwrap();
    check_in(
        folder,
        "verify bad.zip",
        3,
        "",
        "error: tables/team.jsonl: ",
    );
    check_in(folder, "verify garden/qrels.txt", 3, "", "is damaged");
    check_in(folder, "verify none.zip", 3, "", "error: none.zip: ");
}

#[test]
fn backups_and_imports_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    check_in(folder, "admin --data data check", 0, "data is whole", "");
    check_in(
        folder,
        "admin --data data backup copy",
        0,
        "copy has the database and 7 files",
        "",
    );
    check_in(folder, "admin restore copy --data restored", 0, "", "");
    check_in(
        folder,
        "admin --data restored check",
        0,
        "restored is whole",
        "",
    );
    check_in(
        folder,
        "admin --data restored export garden same.zip",
        0,
        "same.zip",
        "",
    );
    let same = std::fs::read(folder.join("same.zip")).unwrap();
    assert!(same == std::fs::read(folder.join("full.zip")).unwrap());
    check_in(
        folder,
        "admin --data restored export garden same.zip",
        3,
        "",
        "same.zip: ",
    );
    check_in(
        folder,
        "admin --data restored export nothing n.zip",
        3,
        "",
        "no campaign",
    );
    check_in(folder, "admin --data new check", 3, "", "error: new");
    // An archive makes the same campaign elsewhere.
    check_in(
        folder,
        "admin --data new import full.zip",
        0,
        "Imported the campaign garden",
        "",
    );
    check_in(
        folder,
        "admin --data new export garden new.zip",
        0,
        "new.zip",
        "",
    );
    let new = std::fs::read(folder.join("new.zip")).unwrap();
    assert!(new == same);
    check_in(
        folder,
        "admin --data new import full.zip",
        3,
        "",
        "address garden already",
    );
    check_in(
        folder,
        "admin --data new user add ann",
        0,
        "one-time password of ann: ",
        "",
    );
    check_in(
        folder,
        "admin --data new user disable ann",
        0,
        "ann is disabled",
        "",
    );
    check_in(
        folder,
        "admin --data new user password nemo",
        3,
        "",
        "no account with the login nemo",
    );
}

/// The folder is removed whenever the signal comes: while runs are made, while entries are scored, and later.
#[cfg(unix)]
#[test]
fn a_demonstration_that_is_stopped_leaves_nothing() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let left = || std::fs::read_dir(folder.path()).unwrap().count();
    for (signal, milliseconds) in [("-TERM", 0), ("-INT", 150), ("-TERM", 500), ("-INT", 1500)] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_cranfield"))
            .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
            .env("TMPDIR", folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while left() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(milliseconds));
        let process = server.id().to_string();
        let sent = Command::new("kill").args([signal, &process]).status();
        assert!(sent.unwrap().success());
        assert!(server.wait().unwrap().success(), "{milliseconds}");
        assert_eq!(left(), 0, "{milliseconds}");
    }
}

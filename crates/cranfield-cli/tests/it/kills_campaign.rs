//! A campaign server survives being killed at any moment, while teams send runs, judgements are corrected and backups are made.
//!
//! The kills that every run of the tests makes are few; `CRANFIELD_KILLS=100` makes 100. The moments follow from a seed, which is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use super::campaign_server::{Client, Server, account};
use super::kills::mixed;
use super::process::{check_in, cranfield, text};

const KILLS: usize = 20;
/// A server is killed at most this long after its start.
const LONGEST: Duration = Duration::from_millis(600);
const TEAMS: [&str; 3] = ["Grüne Daumen", "我們不要BM25了", "Compost Heap"];
/// New entries of a team between two kills.
const NEW: usize = 4;
const TOPICS: usize = 40;
const DEPTH: usize = 60;
const MEASURES: [&str; 3] = ["nDCG@10", "AP", "P@10"];

/// Judgements of every topic; a version differs from the one before it in some grades.
fn qrels(version: i64) -> String {
    let line = |topic, document| {
        let seed = if (topic + document) % 7 == 0 {
            version as usize
        } else {
            0
        };
        let grade = mixed(topic * 100 + document, seed, 5).saturating_sub(2);
        format!("{topic} 0 d{document} {grade}\n")
    };
    (0..TOPICS)
        .flat_map(|topic| (0..80).map(move |document| line(topic, document)))
        .collect()
}

fn run(team: usize, number: usize) -> String {
    let seed = 1 + number * TEAMS.len() + team;
    let line = |topic, rank| {
        let document = (mixed(topic, seed, 80) + rank * 7) % 80;
        format!("{topic} Q0 d{document} {rank} {} t{seed}\n", DEPTH - rank)
    };
    (0..TOPICS)
        .flat_map(|topic| (0..DEPTH).map(move |rank| line(topic, rank)))
        .collect()
}

/// Sessions of the organiser and the teams of a new campaign.
fn set_up(server: &Server) -> (String, Vec<String>) {
    let nobody = Client::new(server, "");
    let (_, organiser) = nobody.done(server.setup.as_ref().unwrap(), &account("prof"));
    let prof = Client::new(server, &organiser);
    let fields = [
        ("slug", "hw1"),
        ("title", "Killed"),
        ("opens", "2020-01-01T00:00"),
        ("closes", "2100-01-01T00:00"),
        ("measures", &MEASURES.join(" ")),
        ("entries_per_day", "1000"),
        ("entries_in_all", "1000"),
    ];
    let made = prof.post("/new", &fields, Some(("qrels", &qrels(1))), "");
    assert_eq!(made.unwrap().0, 201);
    prof.done("/c/hw1/admin/publish", &[]);
    let join = |(place, team): (usize, &&str)| {
        let code = [("role", "participant"), ("uses", "1")];
        let (json, _) = prof.done("/c/hw1/admin/codes", &code);
        let login = format!("member{place}");
        let mut fields = account(&login).to_vec();
        fields.extend([("code", json["code"].as_str().unwrap()), ("team", *team)]);
        nobody.done("/join", &fields).1
    };
    (organiser, TEAMS.iter().enumerate().map(join).collect())
}

/// What the server has promised to keep.
#[derive(Default)]
struct Promised {
    /// The entry of each run that a team has sent, by team and number of the run.
    entries: BTreeMap<(usize, usize), i64>,
    /// What was decided about previews, by their numbers.
    decided: BTreeMap<i64, &'static str>,
    /// Versions of the judgements that were received.
    versions: BTreeSet<i64>,
}

/// Sends the runs of a team from the first that is not acknowledged, and earlier ones again, until the server is gone.
fn send_runs(client: &Client, team: usize, from: usize, sent: &mut BTreeMap<(usize, usize), i64>) {
    let mut next = from;
    for turn in 0.. {
        // Every third is new. An earlier one, with and without its key, is the same entry.
        let is_new = turn % 3 == 0 && next < from + NEW;
        let number = if is_new {
            next
        } else {
            next.saturating_sub(1 + turn % 3)
        };
        let key = if turn % 3 == 2 {
            String::new()
        } else {
            format!("run-{number}")
        };
        let file = run(team, number);
        let Some((status, json, _)) = client.post("/c/hw1/submit", &[], Some(("run", &file)), &key)
        else {
            return;
        };
        match status {
            202 => {
                let entry = json["entry"].as_i64().unwrap();
                keep(sent, (team, number), entry);
                next = next.max(number + 1);
            }
            429 => thread::sleep(Duration::from_millis(50)),
            _ => panic!("{status}: {json}"),
        }
    }
}

/// Keeps which entry a run has become; a run is one entry, however often it is sent.
fn keep(entries: &mut BTreeMap<(usize, usize), i64>, run: (usize, usize), entry: i64) {
    let known = entries.insert(run, entry);
    assert!(
        known.is_none_or(|known| known == entry),
        "{run:?} is {known:?} and {entry}"
    );
}

/// Sends new versions of the judgements, and applies or cancels their previews, until the server is gone.
fn correct(client: &Client, promised: &mut Promised) -> Option<()> {
    loop {
        let (status, bytes) = client.get("/c/hw1/admin/qrels")?;
        assert_eq!(status, 200, "{}", text(&bytes));
        let page: Value = serde_json::from_slice(&bytes).unwrap();
        let Some(open) = page["open"].as_i64() else {
            let known = page["versions"].as_array().unwrap().len();
            let version = 1 + i64::try_from(known).unwrap();
            let fields = [("reason", "a correction")];
            let file = qrels(version);
            let (status, json, _) =
                client.post("/c/hw1/admin/qrels", &fields, Some(("qrels", &file)), "")?;
            assert_eq!(status, 202, "{json}");
            assert_eq!(json["version"], version);
            promised.versions.insert(version);
            continue;
        };
        let decision = if open % 4 == 0 { "cancel" } else { "apply" };
        let path = format!("/c/hw1/admin/scorings/{open}/{decision}");
        let (status, json, _) = client.post(&path, &[], None, "")?;
        match status {
            200 if decision == "apply" => drop(promised.decided.insert(open, "in-force")),
            200 => drop(promised.decided.insert(open, "cancelled")),
            // Entries are still being scored.
            409 => thread::sleep(Duration::from_millis(20)),
            _ => panic!("{status}: {json}"),
        }
    }
}

/// Makes backups until it is told to stop. A backup that is told to be killed ends in the middle.
fn back_up(folder: &Path, stop: &AtomicBool, is_killed: bool) {
    while !stop.load(Ordering::Relaxed) {
        let mut backup = Command::new(env!("CARGO_BIN_EXE_cranfield"))
            .current_dir(folder)
            .args(["admin", "--data", "data", "backup", "copy"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while is_killed && !stop.load(Ordering::Relaxed) && backup.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        if is_killed && stop.load(Ordering::Relaxed) {
            let _ = backup.kill();
            backup.wait().unwrap();
        } else {
            assert!(backup.wait().unwrap().success());
        }
    }
}

impl Promised {
    /// Compares what the server has with what it promised.
    fn check(&self, organiser: &Client) {
        for ((team, number), entry) in &self.entries {
            let path = format!("/c/hw1/team/{}/{entry}/file", team + 1);
            let (status, bytes) = organiser.get(&path).unwrap();
            assert_eq!(status, 200, "{path}");
            assert!(bytes == run(*team, *number).as_bytes(), "{path}");
        }
        for version in &self.versions {
            let (status, bytes) = organiser
                .get(&format!("/c/hw1/admin/qrels/{version}"))
                .unwrap();
            assert_eq!(status, 200, "version {version}");
            assert!(bytes == qrels(*version).as_bytes(), "version {version}");
        }
        let page = organiser.json("/c/hw1/admin/qrels");
        for scoring in page["scorings"].as_array().unwrap() {
            let number = scoring["number"].as_i64().unwrap();
            let Some(decided) = self.decided.get(&number) else {
                continue;
            };
            let state = scoring["state"].as_str().unwrap();
            // A decision that was made and not acknowledged may have followed.
            let is_kept = state == *decided || (*decided == "in-force" && state == "past");
            assert!(is_kept, "scoring {number} is {state}, and was {decided}");
        }
    }
}

/// Entries that were not acknowledged are there or not, and sending them again tells. In the end all are scored by the judgements in force.
/// Returns the version of these.
fn finish(server: &Server, organiser: &Client, teams: &[String], promised: &mut Promised) -> i64 {
    for (team, cookie) in teams.iter().enumerate() {
        let client = Client::new(server, cookie);
        let entries = || {
            client.json("/c/hw1/team")["entries"]
                .as_array()
                .unwrap()
                .clone()
        };
        let there = entries().len();
        let known = promised
            .entries
            .keys()
            .filter(|(of, _)| *of == team)
            .count();
        assert!(
            (known..=known + NEW).contains(&there),
            "{there} entries, {known} acknowledged"
        );
        for number in known..there {
            let (file, key) = (run(team, number), format!("run-{number}"));
            let sent = client.post("/c/hw1/submit", &[], Some(("run", &file)), &key);
            let (status, json, _) = sent.unwrap();
            assert_eq!(status, 202, "{json}");
            promised
                .entries
                .insert((team, number), json["entry"].as_i64().unwrap());
        }
        assert_eq!(entries().len(), there);
        let is_scored = || entries().iter().all(|entry| entry["state"] == "scored");
        wait_until(is_scored, "all entries are scored");
    }
    let page = || organiser.json("/c/hw1/admin/qrels");
    if let Some(open) = page()["open"].as_i64() {
        let path = format!("/c/hw1/admin/scorings/{open}/apply");
        let applied = || organiser.post(&path, &[], None, "").unwrap().0 == 200;
        wait_until(applied, "the last preview is complete");
    }
    let page = page();
    let mut scorings = page["scorings"].as_array().unwrap().iter();
    let in_force = scorings.find(|scoring| scoring["state"] == "in-force");
    in_force.unwrap()["qrels"].as_i64().unwrap()
}

fn wait_until(is_so: impl Fn() -> bool, what: &str) {
    let started = Instant::now();
    while !is_so() {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "not within a minute: {what}"
        );
        thread::sleep(Duration::from_millis(100));
    }
}

/// Compares the values of every entry with those of `eval`, bit by bit, and returns how many were compared.
fn compare_with_eval(folder: &Path, promised: &Promised, version: i64) -> usize {
    fs::write(folder.join("q.txt"), qrels(version)).unwrap();
    let name = |team, entry| format!("T{:03}-E{entry:03}", team + 1);
    for ((team, number), entry) in &promised.entries {
        fs::write(folder.join(name(team, entry)), run(*team, *number)).unwrap();
    }
    // Members are stored as they are. Versions and scorings have the same numbers, because each version was scored once.
    let archive = text(&fs::read(folder.join("full.zip")).unwrap());
    let member = format!("scores/s{version:03}.jsonl");
    let (_, scores) = archive.split_once(&format!("{member}{{")).unwrap();
    let scores = format!("{{{}", scores.split("PK\u{3}\u{4}").next().unwrap());
    let mut stored = BTreeMap::new();
    for line in scores.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let key = [&row["entry"], &row["measure"]].map(|text| text.as_str().unwrap().to_owned());
        stored.insert(key, row["overall"].as_f64().unwrap().to_bits());
    }
    assert_eq!(stored.len(), promised.entries.len() * MEASURES.len());
    let names = promised
        .entries
        .iter()
        .map(|((team, _), entry)| name(team, entry));
    let names: Vec<_> = names.collect();
    let command = format!(
        "eval q.txt {} -m {} -f jsonl",
        names.join(" "),
        MEASURES.join(" -m ")
    );
    let output = cranfield(folder, &command);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut compared = 0;
    for line in text(&output.stdout).lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let key = [&row["run"], &row["measure"]].map(|text| text.as_str().unwrap().to_owned());
        assert_eq!(
            stored[&key],
            row["value"].as_f64().unwrap().to_bits(),
            "{key:?}"
        );
        compared += 1;
    }
    compared
}

fn number_of(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
#[expect(clippy::print_stdout, reason = "how to repeat it, and what was done")]
fn a_killed_server_keeps_what_it_has_acknowledged() {
    let kills = number_of("CRANFIELD_KILLS").unwrap_or(KILLS);
    let clock = SystemTime::UNIX_EPOCH.elapsed().unwrap().subsec_micros() as usize;
    let seed = number_of("CRANFIELD_KILLS_SEED").unwrap_or(clock);
    println!("CRANFIELD_KILLS={kills} CRANFIELD_KILLS_SEED={seed}");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut organiser, mut teams) = (String::new(), Vec::new());
    let mut promised = Promised::default();
    let started = Instant::now();
    let mut cut = 0;
    for kill in 0..=kills {
        let mut server = Server::start(folder);
        if kill == 0 {
            (organiser, teams) = set_up(&server);
        }
        let prof = Client::new(&server, &organiser);
        promised.check(&prof);
        check_in(folder, "admin --data data check", 0, "data is whole", "");
        if kill == kills {
            let version = finish(&server, &prof, &teams, &mut promised);
            promised.check(&prof);
            check_in(folder, "admin --data data export hw1 full.zip", 0, "", "");
            check_in(
                folder,
                "verify full.zip --rescore",
                0,
                "have the same bits",
                "",
            );
            let compared = compare_with_eval(folder, &promised, version);
            assert_eq!(compared, promised.entries.len() * MEASURES.len());
            // The backup that was killed last is made whole by the next one.
            check_in(folder, "admin --data data backup copy", 0, "copy has", "");
            check_in(folder, "admin restore copy --data restored", 0, "", "");
            check_in(folder, "admin --data restored check", 0, "is whole", "");
            break;
        }
        let moment = LONGEST.mul_f64(mixed(kill, seed, 1000) as f64 / 1000.0);
        let stop = AtomicBool::new(false);
        let mut known: Vec<BTreeMap<_, _>> = vec![BTreeMap::new(); TEAMS.len()];
        thread::scope(|scope| {
            for (team, sent) in known.iter_mut().enumerate() {
                let client = Client::new(&server, &teams[team]);
                let mine = promised.entries.keys().filter(|(of, _)| *of == team);
                let from = mine.count();
                scope.spawn(move || send_runs(&client, team, from, sent));
            }
            let promised = &mut promised;
            scope.spawn(move || correct(&prof, promised));
            scope.spawn(|| back_up(folder, &stop, kill % 2 == 0));
            thread::sleep(moment);
            server.child.kill().unwrap();
            server.child.wait().unwrap();
            stop.store(true, Ordering::Relaxed);
        });
        let before = promised.entries.len();
        for (run, entry) in known.into_iter().flatten() {
            keep(&mut promised.entries, run, entry);
        }
        cut += usize::from(promised.entries.len() < before + NEW * TEAMS.len());
    }
    println!(
        "{kills} kills, {cut} of them before all runs were acknowledged, {} entries, {} versions of the judgements, {} decisions in {:.1} s",
        promised.entries.len(),
        promised.versions.len(),
        promised.decided.len(),
        started.elapsed().as_secs_f64()
    );
}

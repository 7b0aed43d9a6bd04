//! Judging in a real terminal: tmux sends the keys and shows the screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::kills::mixed;
use super::process::{cranfield, text};

/// Longest wait for a screen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A terminal of a given size that runs one command.
struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Starts a command in a folder. `None` without tmux, which `cargo xtask test` installs.
    fn start(folder: &Path, size: (u32, u32), arguments: &str) -> Option<Self> {
        Self::start_after(folder, size, "", arguments)
    }

    /// Starts a command after another one of the shell.
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    fn start_after(folder: &Path, size: (u32, u32), first: &str, arguments: &str) -> Option<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let terminal = Self {
            socket: folder.join(format!("tmux-{number}")),
        };
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("there is no tmux; judging in a terminal is not tested");
            return None;
        }
        let program = env!("CARGO_BIN_EXE_cranfield");
        let exec = if arguments.contains(';') { "" } else { "exec " };
        let command = format!(
            "cd '{}' && {first}{exec}'{program}' {arguments}",
            folder.display()
        );
        let (width, height) = (size.0.to_string(), size.1.to_string());
        // The screen of a program that was killed stays, without a message that would scroll it.
        let mut options = vec!["set", "-g", "remain-on-exit", "on", ";"];
        options.extend(["set", "-gq", "remain-on-exit-format", "", ";"]);
        let session = [
            "new-session",
            "-d",
            "-x",
            &width,
            "-y",
            &height,
            "sh",
            "-c",
            &command,
        ];
        let started = ["start-server", ";"].iter().chain(&options).chain(&session);
        let status = terminal.tmux(&started.copied().collect::<Vec<_>>());
        assert!(status.is_some(), "tmux does not start");
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> Option<String> {
        let mut tmux = Command::new("tmux");
        tmux.args(["-u", "-f", "/dev/null", "-S"]).arg(&self.socket);
        tmux.env("TERM", "screen").env_remove("TMUX");
        let output = tmux.args(arguments).stdin(Stdio::null()).output().unwrap();
        output.status.success().then(|| text(&output.stdout))
    }

    /// Presses keys, each a character.
    fn press(&self, keys: &str) {
        self.tmux(&["send-keys", "-l", keys]).unwrap();
    }

    /// Presses a key with a name.
    fn press_named(&self, key: &str) {
        self.tmux(&["send-keys", key]).unwrap();
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"]).unwrap_or_default()
    }

    /// Waits until the screen shows a text, and returns it.
    #[track_caller]
    fn wait_for(&self, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(wanted) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "no `{wanted}` in:\n{screen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn pid(&self) -> String {
        let pid = self
            .tmux(&["display-message", "-p", "#{pane_pid}"])
            .unwrap();
        pid.trim().to_owned()
    }

    /// Ends the program with a signal, and waits for its end.
    fn kill(&self, signal: &str) {
        let mut kill = Command::new("kill");
        let status = kill.args([signal, &self.pid()]).status().unwrap();
        assert!(status.success());
        let start = Instant::now();
        while self
            .tmux(&["display-message", "-p", "#{pane_dead}"])
            .unwrap()
            .trim()
            != "1"
        {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Writes documents, topics and a pool with so many documents for each of five topics.
fn write_pool(folder: &Path, documents: usize) {
    let line = |at: usize| {
        let words: Vec<String> = (0..60)
            .map(|place| format!("word{}", mixed(at, place, 50)))
            .collect();
        format!(
            "{{\"id\": \"d{at}\", \"text\": \"Heat and flow. {}\"}}\n",
            words.join(" ")
        )
    };
    fs::write(
        folder.join("docs.jsonl"),
        (0..documents).map(line).collect::<String>(),
    )
    .unwrap();
    let topics: String = (1..=5)
        .map(|topic| format!("t{topic}\tflows of heat\n"))
        .collect();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    let pool = (1..=5).flat_map(|topic| {
        (0..documents)
            .map(move |at| format!("t{topic} Q0 d{at} {} {} pool\n", at + 1, documents - at))
    });
    fs::write(folder.join("pool.run"), pool.collect::<String>()).unwrap();
}

const JUDGE: &str = "judge pool.run -o judged --as ann --collection docs.jsonl --topics topics.tsv";

fn events(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("judged/ann.jsonl")).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Judgements that events add up to: grades that were not taken back.
fn graded(events: &[Value]) -> Vec<(String, String, u64)> {
    let mut graded: Vec<(String, String, u64)> = Vec::new();
    let field = |event: &Value, name: &str| event[name].as_str().unwrap().to_owned();
    for event in events {
        let (topic, doc) = (field(event, "topic"), field(event, "doc"));
        match event["kind"].as_str().unwrap() {
            "grade" => graded.push((topic, doc, event["grade"].as_u64().unwrap())),
            "undo" => graded.retain(|known| (&known.0, &known.1) != (&topic, &doc)),
            _ => {}
        }
    }
    graded
}

/// The derived judgements, in any order.
fn qrels(folder: &Path, name: &str) -> Vec<(String, String, u64)> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let mut rows: Vec<(String, String, u64)> = text
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            (
                fields[0].into(),
                fields[2].into(),
                fields[3].parse().unwrap(),
            )
        })
        .collect();
    rows.sort();
    rows
}

/// The document that a screen shows.
fn document(screen: &str) -> String {
    let after = screen.split("document ").nth(1).unwrap();
    after.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn two_hundred_judgements_by_keys() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 40);
    let Some(terminal) = Terminal::start(folder, (80, 24), JUDGE) else {
        return;
    };
    let first = terminal.wait_for("all: 0 of 200");
    assert!(first.contains("flows of heat"), "{first}");
    assert!(first.contains("│ Heat and flow."), "{first}");
    assert!(first.contains("[3] highly relevant"), "{first}");
    let mut pressed = Vec::new();
    for at in 0..10_u64 {
        // One at a time: the document on the screen is the one that is graded.
        let screen = terminal.wait_for(&format!("all: {at} of 200"));
        let grade = at % 4;
        terminal.press(&grade.to_string());
        pressed.push(grade);
        terminal.wait_for(&format!("all: {} of 200", at + 1));
        let last = events(folder).pop().unwrap();
        assert_eq!(last["doc"], document(&screen).as_str());
        assert_eq!(last["grade"], grade);
    }
    terminal.press("9");
    terminal.wait_for("9 is not on the scale");
    terminal.press("?");
    terminal.wait_for("set the document aside");
    terminal.press("xf");
    terminal.wait_for("flagged");
    terminal.press("nodd 'text'");
    terminal.press_named("Enter");
    terminal.wait_for("note: odd 'text'");
    terminal.press("/WORD1");
    terminal.press_named("Enter");
    terminal.press(" b");
    // A judgement is taken back, and given again.
    terminal.press("3");
    let screen = terminal.wait_for("all: 11 of 200");
    let next = document(&screen);
    terminal.press("u");
    let screen = terminal.wait_for("taken back");
    assert!(screen.contains("all: 10 of 200"), "{screen}");
    terminal.press("1");
    pressed.push(1);
    let screen = terminal.wait_for("all: 11 of 200");
    assert_eq!(document(&screen), next);
    // A document that is set aside comes last in the order.
    terminal.press("s");
    let deferred = document(&screen);
    terminal.wait_for("set aside for later");
    let batch: String = (0..89)
        .map(|at| char::from(b'0' + (at % 4) as u8))
        .collect();
    terminal.press(&batch);
    pressed.extend((0..89).map(|at| at % 4));
    terminal.wait_for("all: 100 of 200");
    terminal.press("q");
    terminal.wait_for("100 documents left");
    drop(terminal);
    assert_eq!(qrels(folder, "judged/ann.qrels").len(), 100);
    // The other half in a large terminal.
    let terminal = Terminal::start(folder, (200, 60), JUDGE).unwrap();
    let screen = terminal.wait_for("all: 100 of 200 (50 %)");
    assert_eq!(screen.lines().count(), 60);
    assert!(
        screen.lines().any(|line| line.chars().count() > 160),
        "{screen}"
    );
    for round in 0..10 {
        terminal.press(&"2".repeat(10));
        terminal.wait_for(&format!("all: {} of 200", 110 + 10 * round));
    }
    pressed.extend([2; 100]);
    terminal.wait_for("Everything is judged");
    terminal.press("q");
    terminal.wait_for("0 documents left");
    drop(terminal);
    let graded = graded(&events(folder));
    assert_eq!(graded.iter().map(|row| row.2).collect::<Vec<_>>(), pressed);
    assert_eq!(graded.last().unwrap().1, deferred);
    let mut expected = graded;
    expected.sort();
    expected.dedup_by(|a, b| (&a.0, &a.1) == (&b.0, &b.1));
    assert_eq!(expected.len(), 200);
    assert_eq!(qrels(folder, "judged/ann.qrels"), expected);
    let output = cranfield(folder, "judge -o judged --export all.qrels");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(qrels(folder, "all.qrels"), expected);
}

/// The number of judgements that a screen shows.
fn shown(screen: &str) -> usize {
    let count = screen
        .split("all: ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    count.map_or(0, |count| count.parse().unwrap())
}

#[test]
fn a_killed_session_loses_nothing_that_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 400);
    let (mut before, mut advanced) = (String::new(), 0);
    for at in 0..50 {
        let Some(terminal) = Terminal::start(folder, (80, 24), JUDGE) else {
            return;
        };
        let done = graded(&events_of(&before)).len();
        terminal.wait_for(&format!("all: {done} of 2000"));
        let keys: String = (0..40)
            .map(|key| char::from(b'0' + mixed(at, key, 4) as u8))
            .collect();
        terminal.press(&keys);
        // Every second kill comes at any moment, the others after at least one judgement was shown as saved.
        while at % 2 == 1 && shown(&terminal.screen()) <= done {}
        std::thread::sleep(Duration::from_micros(mixed(at, 7, 15_000) as u64));
        let before_kill = shown(&terminal.screen());
        terminal.kill("-9");
        let acknowledged = shown(&terminal.screen()).max(before_kill);
        advanced += usize::from(acknowledged > done);
        drop(terminal);
        let after = fs::read_to_string(folder.join("judged/ann.jsonl")).unwrap();
        // Only complete lines count; nothing that was there before has changed.
        let whole = &after[..after.rfind('\n').map_or(0, |end| end + 1)];
        assert!(whole.starts_with(&before), "kill {at}");
        let saved = graded(&events_of(whole));
        assert!(
            saved.len() >= acknowledged,
            "kill {at}: {} < {acknowledged}",
            saved.len()
        );
        assert!(saved.len() <= done + 40, "kill {at}");
        let new: String = saved[done..].iter().map(|row| row.2.to_string()).collect();
        assert!(keys.starts_with(&new), "kill {at}: {keys} {new}");
        before = whole.to_owned();
    }
    let saved = graded(&events_of(&before));
    assert!(
        advanced >= 25,
        "only {advanced} kills came after a judgement was shown as saved"
    );
    let output = cranfield(folder, "judge -o judged --export all.qrels --quiet");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut expected = saved;
    expected.sort();
    assert_eq!(qrels(folder, "all.qrels"), expected);
}

fn events_of(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn signals_restore_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    for signal in ["-TERM", "-HUP", "-INT"] {
        // A shell is left when the program has ended.
        let command = format!("{JUDGE}; stty -a; sleep 60");
        let Some(terminal) = Terminal::start(folder, (80, 24), &command) else {
            return;
        };
        terminal.wait_for("all: ");
        let state = "#{alternate_on},#{cursor_flag},#{wrap_flag}";
        let state = || terminal.tmux(&["display-message", "-p", state]).unwrap();
        assert_eq!(state().trim(), "1,0,0");
        terminal.press("2");
        let mut children = Command::new("pgrep");
        let children = children.args(["-P", &terminal.pid()]).output().unwrap();
        let mut kill = Command::new("kill");
        let status = kill.args([signal, text(&children.stdout).trim()]).status();
        assert!(status.unwrap().success());
        let screen = terminal.wait_for("icanon");
        assert!(
            screen.contains(" icanon") && screen.contains(" echo "),
            "{screen}"
        );
        assert_eq!(state().trim(), "0,1,1", "{signal}");
    }
    assert!(!graded(&events(folder)).is_empty());
}

/// Also if the program ignores the signal that a closed terminal sends.
#[test]
fn a_closed_terminal_ends_the_program_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    for at in 0..2 {
        let ignored = if at == 1 { "; true" } else { "" };
        let trap = if at == 1 { "trap '' HUP; " } else { "" };
        let Some(terminal) =
            Terminal::start_after(folder, (80, 24), trap, &format!("{JUDGE}{ignored}"))
        else {
            return;
        };
        terminal.wait_for(&format!("all: {} of 50", 2 * at));
        terminal.press("21");
        terminal.wait_for(&format!("all: {} of 50", 2 * at + 2));
        drop(terminal);
        // The lock is free when the program has ended.
        let start = Instant::now();
        let log = fs::File::open(folder.join("judged/ann.jsonl")).unwrap();
        while log.try_lock().is_err() {
            assert!(start.elapsed() < PATIENCE, "the program goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    assert_eq!(graded(&events(folder)).len(), 4);
}

/// Text of documents that try to take over the terminal, or are hard to show.
#[test]
fn documents_do_not_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    let hostile = [
        "safe \u{1b}[2J\u{1b}[31;1mred\u{1b}]0;owned\u{7}\u{9b}5m end".to_owned(),
        "x".repeat(20_000),
        " \n ".to_owned(),
        "heat transfer in solids ".repeat(45_000),
        "日本語の文書 ".repeat(200),
        format!("\u{202e}שלום\u{2066} {}", "e\u{301}\u{301}".repeat(500)),
    ];
    let lines = (0..).zip(&hostile).map(|(at, text)| {
        format!(
            "{}\n",
            serde_json::json!({"id": format!("h{at}"), "text": text})
        )
    });
    fs::write(folder.join("docs.jsonl"), lines.collect::<String>()).unwrap();
    let pool = (0..hostile.len()).map(|at| format!("t1 Q0 h{at} 1 1 pool\n"));
    fs::write(folder.join("pool.run"), pool.collect::<String>()).unwrap();
    let Some(terminal) = Terminal::start(folder, (80, 24), JUDGE) else {
        return;
    };
    let mut seen = Vec::new();
    for at in 0..hostile.len() {
        let screen = terminal.wait_for(&format!("all: {at} of 6"));
        let lines: Vec<&str> = screen.lines().collect();
        // The frame is where it should be, whatever the document holds.
        assert!(lines[0].starts_with("topic t1"), "{screen}");
        assert!(lines[22].starts_with("[0] not relevant"), "{screen}");
        assert!(
            lines[1..22].iter().all(|line| line.contains('│')),
            "{screen}"
        );
        let id = document(&screen);
        match id.as_str() {
            "h0" => assert!(screen.contains("safe ␛[2J␛[31;1mred␛]0;owned␇"), "{screen}"),
            "h2" => assert!(screen.contains("(empty document)"), "{screen}"),
            "h3" => {
                terminal.press("G");
                terminal.wait_for("of 22500");
            }
            _ => {}
        }
        seen.push(id);
        terminal.press("0");
    }
    terminal.wait_for("Everything is judged");
    let title = terminal
        .tmux(&["display-message", "-p", "#{pane_title}"])
        .unwrap();
    assert!(!title.contains("owned"), "{title}");
    seen.sort();
    assert_eq!(seen, ["h0", "h1", "h2", "h3", "h4", "h5"]);
}

/// Two runs: the first document of the second comes as soon as one of the first is not relevant.
#[test]
fn a_strategy_chooses_while_a_person_judges() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    for (run, docs) in [("a", [0, 1, 2]), ("b", [7, 8, 9])] {
        let line = |at: usize| format!("t1 Q0 d{} {} {} {run}\n", docs[at], at + 1, 9 - at);
        let text: String = (0..3).map(line).collect();
        fs::write(folder.join(format!("{run}.run")), text).unwrap();
    }
    let judge = "judge a.run b.run -o judged --as ann --collection docs.jsonl --topics topics.tsv --strategy mtf --budget 5";
    let Some(terminal) = Terminal::start(folder, (80, 24), judge) else {
        return;
    };
    let expect = |terminal: &Terminal, done: usize, doc: &str| {
        let screen = terminal.wait_for(&format!("all: {done} of 5"));
        assert_eq!(document(&screen), doc);
    };
    expect(&terminal, 0, "d0");
    terminal.press("1");
    expect(&terminal, 1, "d1");
    terminal.press("0");
    expect(&terminal, 2, "d7");
    // The judgement of d1 is taken back: with another grade, its run goes on.
    terminal.press("u");
    expect(&terminal, 1, "d1");
    terminal.press("2");
    expect(&terminal, 2, "d2");
    terminal.press("q");
    terminal.wait_for("3 documents left");
    drop(terminal);
    let terminal = Terminal::start(folder, (80, 24), judge).unwrap();
    expect(&terminal, 2, "d2");
    terminal.press("000");
    terminal.wait_for("Everything is judged");
    terminal.press("q");
    terminal.wait_for("0 documents left");
    assert_eq!(qrels(folder, "judged/ann.qrels").len(), 5);
}

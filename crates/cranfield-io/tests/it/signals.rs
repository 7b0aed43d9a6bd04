//! Signal handlers. Each test runs itself in a child process, which works on the file that an environment variable names.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use cranfield_io::{Output, Source, handle_signals};

const FILE: &str = "CRANFIELD_TEST_FILE";

/// Runs a test of this module in a child process with a file to work on.
fn start(test: &str, file: &Path) -> Child {
    let program = std::env::current_exe().expect("the test program has a path");
    Command::new(program)
        .args(["--exact", &format!("signals::{test}"), "--nocapture"])
        .env(FILE, file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the test program can be started")
}

#[test]
fn a_file_truncated_while_it_is_read_is_reported() {
    if let Some(file) = std::env::var_os(FILE) {
        handle_signals(3);
        let source = Source::open(&file).expect("the file exists");
        let file = std::fs::File::options().write(true).open(&file);
        let truncated = file.and_then(|file| file.set_len(0));
        truncated.expect("the file can be truncated");
        let sum: u64 = source.bytes().iter().map(|byte| u64::from(*byte)).sum();
        panic!("read {sum} from a truncated file");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Files of the first size are paged in at once, those of the second are not.
    for (name, size) in [("a\x1b.run", 1 << 20), ("b.run", 9 << 20)] {
        let file = folder.path().join(name);
        std::fs::write(&file, vec![b'x'; size]).expect("a writable folder");
        let child = start("a_file_truncated_while_it_is_read_is_reported", &file);
        let output = child.wait_with_output().expect("the process ends");
        let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(
            message.starts_with("error[IR001]: the file was truncated while it was read\n--> "),
            "{message}"
        );
        let shown = name.replace('\x1b', "\\x1b");
        assert!(message.contains(&format!("{shown}\n = help")), "{message}");
    }
}

#[test]
fn termination_removes_temporary_files() {
    if let Some(file) = std::env::var_os(FILE) {
        handle_signals(3);
        let mut out = Output::create(&file).expect("a writable folder");
        out.write_all(b"half")
            .expect("writing to a temporary folder");
        println!("ready");
        std::thread::sleep(std::time::Duration::from_secs(60));
        out.finish().expect("writing to a temporary folder");
        return;
    }
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut child = start(
            "termination_removes_temporary_files",
            &folder.path().join("a.run"),
        );
        let out = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let mut lines = out.lines().map_while(Result::ok);
        assert!(lines.any(|line| line.ends_with("ready")));
        let files = || {
            std::fs::read_dir(folder.path())
                .expect("the folder exists")
                .count()
        };
        assert_eq!(files(), 1, "the temporary file");
        let killed = Command::new("kill")
            .args(["-s", name, &child.id().to_string()])
            .status();
        assert!(killed.expect("kill can be started").success());
        let status = child.wait().expect("the process ends");
        assert_eq!(status.signal(), Some(number));
        assert_eq!(files(), 0, "{name}");
    }
}

//! Child processes that end with everything they started.

use std::io::Read;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Argv;
use crate::engine::answer::quoted;
use crate::engine::{EngineError, EngineErrorKind};

/// Last bytes of standard error that are kept for messages.
const KEPT: usize = 4096;
/// Lines and bytes of standard error that messages of several lines show.
const SHOWN: (usize, usize) = (10, 1024);
/// Longest time between two looks at a process.
const PATIENCE: Duration = Duration::from_millis(20);

/// A running process, the leader of a process group that is killed on drop.
#[derive(Debug)]
pub struct Process {
    /// The process itself.
    pub child: Child,
    program: String,
    last_words: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    is_over: bool,
}

impl Process {
    /// Starts a command. Its standard error is kept for messages.
    pub fn start(mut command: Command, argv: &Argv) -> Result<Self, EngineError> {
        command.stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            EngineError::start(format!("cannot run `{}`: {error}", argv.program()))
        })?;
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let stderr = child.stderr.take();
        let reader = stderr.map(|stderr| {
            let kept = Arc::clone(&last_words);
            std::thread::spawn(move || keep_last(stderr, &kept))
        });
        Ok(Self {
            child,
            program: argv.program().to_owned(),
            last_words,
            reader,
            is_over: false,
        })
    }

    /// Waits for the end of the process; kills it when the time is over.
    pub fn wait(&mut self, timeout: Duration) -> Result<ExitStatus, EngineError> {
        let deadline = Instant::now() + timeout;
        let mut pause = Duration::from_millis(1);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // What the process wrote last may still be in the pipe, unless a grandchild holds it open.
                    self.kill();
                    self.reader.take().map(JoinHandle::join);
                    return Ok(status);
                }
                Ok(None) if Instant::now() >= deadline => {
                    self.kill();
                    let message = format!("no end after {} s; killed", timeout.as_secs_f64());
                    return Err(self.error(EngineErrorKind::TimedOut, &message));
                }
                Ok(None) => std::thread::sleep(pause),
                Err(error) => return Err(EngineError::other(error.to_string())),
            }
            pause = (pause * 2).min(PATIENCE);
        }
    }

    /// An error with the last line that the process wrote to standard error.
    pub fn error(&self, kind: EngineErrorKind, message: &str) -> EngineError {
        let kept = self.last_words.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let last = last.map(|line| format!("; its last message: {}", quoted(line)));
        let last = last.unwrap_or_default();
        EngineError::new(kind, format!("`{}`: {message}{last}", self.program))
    }

    /// The error of a process that ended, with its exit code.
    pub fn ended(&mut self) -> EngineError {
        let status = self.status();
        self.error(EngineErrorKind::Crashed, &status)
    }

    /// How a process ended, such as `exit status: 2`.
    pub fn status(&mut self) -> String {
        let status = self.wait(Duration::from_secs(1));
        status.map_or_else(|_| "ended".into(), |status| status.to_string())
    }

    /// The last lines that the process wrote to standard error: at most ten, and at most 1 KB. Control characters are escaped.
    pub fn messages(&self) -> Vec<String> {
        let kept = self.last_words.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        last_lines(&String::from_utf8_lossy(&kept))
    }

    /// Kills the process group, once: later its number may belong to another one.
    pub fn kill(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        #[cfg(unix)]
        {
            let group = nix::unistd::Pid::from_raw(self.child.id().cast_signed());
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// CPU time of the process, without processes that it started.
    pub fn cpu_time(&self) -> Option<Duration> {
        crate::bench::machine::cpu_time_of(self.child.id())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn last_lines(text: &str) -> Vec<String> {
    let (most, mut left) = SHOWN;
    let lines = text.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty()).rev().take(most);
    let mut shown = Vec::new();
    for line in lines {
        if line.len() > left {
            // The end of a line that is too long, if it is all there is.
            let start = (line.len() - left..=line.len()).find(|at| line.is_char_boundary(*at));
            let end = &line[start.unwrap_or(line.len())..];
            if shown.is_empty() {
                shown.push(format!("…{}", cranfield_render::visible(end)));
            }
            break;
        }
        left -= line.len();
        shown.push(cranfield_render::visible(line));
    }
    shown.reverse();
    shown
}

/// Reads to the end, and keeps the last bytes.
fn keep_last(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..length]);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_shown_safely() {
        let text =
            "error: no such model\n\n  tip: \x1b[31mred\r\nFor more information, try '--help'.\n";
        assert_eq!(
            last_lines(text),
            [
                "error: no such model",
                "  tip: \\x1b[31mred",
                "For more information, try '--help'."
            ]
        );
        let many: String = (0..30).map(|line| format!("line {line}\n")).collect();
        let shown = last_lines(&many);
        assert_eq!((shown.len(), &*shown[0]), (10, "line 20"));
        let long = format!("first\n{}\nlast\n", "ä".repeat(600));
        assert_eq!(last_lines(&long), ["last"]);
        let shown = last_lines(&"ä".repeat(2000));
        assert_eq!(shown[0].chars().count(), 513);
        assert!(last_lines("\n \n").is_empty());
    }
}

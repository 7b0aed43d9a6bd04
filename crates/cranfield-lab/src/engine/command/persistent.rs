//! Programs that answer one topic after the other on their standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::Argv;
use super::process::Process;
use crate::engine::answer::{checked, quoted};
use crate::engine::{Engine, EngineError, EngineErrorKind, Hit, Place, Query, Session};

/// Longest line of an answer.
const MAX_LINE: u64 = 64 << 20;

/// A program that reads a JSON line for each topic and writes a JSON line for each answer.
///
/// A question is `{"topic": "1", "query": "wing flow", "depth": 10}`, an answer `{"topic": "1", "hits": [{"doc": "d7", "score": 2.5}]}`.
/// The program may answer `{"topic": "1", "error": "..."}` instead. It is started again after it hangs or ends.
#[derive(Clone, Debug)]
pub struct PersistentCommand {
    /// The name in tables and runs.
    pub name: String,
    /// The command. Its arguments may contain `{threads}`, which is 1 for each session.
    pub argv: Argv,
    /// Time for each topic.
    pub timeout: Duration,
}

impl Engine for PersistentCommand {
    fn name(&self) -> &str {
        &self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        Ok(Box::new(Conversation {
            command: self,
            program: Some(self.start()?),
            cpu_before: Duration::ZERO,
        }))
    }

    fn place(&self) -> Place {
        Place::Child
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("command".into(), self.argv.to_string())]
    }
}

impl PersistentCommand {
    fn start(&self) -> Result<Program, EngineError> {
        let mut command = self.argv.command(&[("threads", "1".into())]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(command, &self.argv)?;
        let pipes = (process.child.stdin.take(), process.child.stdout.take());
        let (Some(questions), Some(stdout)) = pipes else {
            return Err(EngineError::start("no pipes to the program"));
        };
        let (sender, answers) = sync_channel(16);
        std::thread::spawn(move || read_lines(stdout, &sender));
        Ok(Program {
            process,
            questions,
            answers,
        })
    }
}

/// A running program.
struct Program {
    process: Process,
    questions: ChildStdin,
    answers: Receiver<Vec<u8>>,
}

/// Hands over lines until the output ends or nobody listens.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<Vec<u8>>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        match read {
            Ok(1..) if is_blank => {}
            Ok(1..) if sender.send(line).is_ok() => {}
            _ => return,
        }
    }
}

/// The answer to a question.
#[derive(Deserialize)]
struct Answer {
    topic: String,
    hits: Option<Vec<AnswerHit>>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct AnswerHit {
    doc: String,
    score: f64,
}

/// A session, whose program is started again when it is gone.
struct Conversation<'a> {
    command: &'a PersistentCommand,
    program: Option<Program>,
    /// CPU time of programs that are gone.
    cpu_before: Duration,
}

impl Session for Conversation<'_> {
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        let program = match &mut self.program {
            Some(program) => program,
            none => none.insert(self.command.start()?),
        };
        let answered = program.ask(query, depth, self.command.timeout);
        match answered {
            Ok(line) => self.read(&line, query, depth),
            Err(error) => {
                self.stop();
                Err(error)
            }
        }
    }

    fn cpu_time(&mut self) -> Option<Duration> {
        let running = match &self.program {
            Some(program) => program.process.cpu_time()?,
            None => Duration::ZERO,
        };
        Some(self.cpu_before + running)
    }
}

impl Conversation<'_> {
    /// Ends the program; the next question starts it again.
    fn stop(&mut self) {
        if let Some(program) = self.program.take() {
            self.cpu_before += program.process.cpu_time().unwrap_or_default();
        }
    }

    fn read(&mut self, line: &[u8], query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        let answer: Answer = serde_json::from_slice(line).map_err(|error| {
            let line = quoted(&String::from_utf8_lossy(line));
            EngineError::malformed(format!("{error}, in the answer `{line}`"))
        })?;
        if answer.topic != query.topic {
            // Answers no longer follow questions, so nothing that comes next can be trusted.
            self.stop();
            let message = format!("the answer is for topic `{}`", quoted(&answer.topic));
            return Err(EngineError::malformed(message));
        }
        if let Some(error) = answer.error {
            return Err(EngineError::new(EngineErrorKind::Refused, quoted(&error)));
        }
        let hits = answer.hits;
        let hits = hits.ok_or_else(|| EngineError::malformed("the answer has no `hits`"))?;
        let hits = hits.into_iter().map(|hit| Hit {
            doc: hit.doc,
            score: hit.score,
        });
        checked(hits.collect(), depth)
    }
}

impl Program {
    /// Sends a question and waits for the next line.
    fn ask(
        &mut self,
        query: &Query,
        depth: usize,
        timeout: Duration,
    ) -> Result<Vec<u8>, EngineError> {
        let question = json!({"topic": query.topic, "query": query.text, "depth": depth});
        let line = format!("{question}\n");
        let sent = self.questions.write_all(line.as_bytes());
        if sent.and_then(|()| self.questions.flush()).is_err() {
            return Err(self.process.ended());
        }
        match self.answers.recv_timeout(timeout) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                let message = format!("no answer after {} s; restarted", timeout.as_secs_f64());
                Err(self.process.error(EngineErrorKind::TimedOut, &message))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.process.ended()),
        }
    }
}

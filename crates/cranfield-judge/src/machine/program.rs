//! Asking a program.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use cranfield_core::small_sort::SmallSort;
use cranfield_eval::{Progress, Step};
use cranfield_lab::engine::command::Argv;
use cranfield_lab::engine::command::process::Process;

use super::grading::{Grading, Outcome};
use super::reply::{PlainReader, Reply};
use super::result::Refused;
use crate::error::JudgeError;

/// Longest line of an answer.
const MAX_LINE: u64 = 1 << 20;
/// Lines that are kept with one write.
const BATCH: usize = 256;

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Questions that are sent before their answers arrive; the program's own number if `None`, and 1 if it gives none.
    pub in_flight: Option<usize>,
    /// Time for each question.
    pub timeout: Duration,
    /// Tries of each question.
    pub tries: u32,
    /// Questions that fail all their tries without an answer in between, after which the program is given up.
    pub failures: u32,
    /// Restarts of the program.
    pub restarts: u32,
}

impl Default for Limits {
    /// 120 s, three tries, ten failures in a row, three restarts.
    fn default() -> Self {
        Self {
            in_flight: None,
            timeout: Duration::from_mins(2),
            tries: 3,
            failures: 10,
            restarts: 3,
        }
    }
}

/// A program that grades documents, and its limits.
#[derive(Clone, Debug)]
pub struct Program {
    /// The command, which is started without a shell.
    pub argv: Argv,
    /// When to give up.
    pub limits: Limits,
    /// Whether answers are text that ends with a line `grade: N`, one question at a time.
    pub plain: bool,
    /// Receives the number of answers.
    pub progress: Progress,
}

/// What asking a program came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Questions that were sent, each counted once.
    pub questions: usize,
    /// Lines that were not used.
    pub refused: Refused,
    /// Restarts of the program.
    pub restarts: u32,
    /// Why the program was given up, if it was.
    pub stopped: Option<String>,
    /// The last lines that it wrote to standard error, if it was given up.
    pub messages: Vec<String>,
}

impl Program {
    /// Asks all questions that are not answered.
    ///
    /// # Errors
    /// If the program does not start, or answers cannot be kept. Anything else is part of the result.
    pub fn ask(&self, grading: &mut Grading) -> Result<Asked, JudgeError> {
        let mut asking = Asking {
            program: self,
            grading,
            running: None,
            waiting: VecDeque::new(),
            delayed: Vec::new(),
            flight: HashMap::new(),
            tries: HashMap::new(),
            given_up: HashSet::new(),
            window: self.limits.in_flight.unwrap_or(1).max(1),
            in_a_row: 0,
            asked: Asked::default(),
        };
        asking.check_version()?;
        asking.waiting = asking.grading.missing().into();
        asking.run()?;
        Ok(asking.asked)
    }
}

/// A running program.
struct Running {
    process: Process,
    questions: Sender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
    plain: PlainReader,
    last_answer: Instant,
}

struct Asking<'a> {
    program: &'a Program,
    grading: &'a mut Grading,
    running: Option<Running>,
    waiting: VecDeque<usize>,
    delayed: Vec<(Instant, usize)>,
    /// Questions that were sent, and when.
    flight: HashMap<usize, Instant>,
    /// Failed tries.
    tries: HashMap<usize, u32>,
    /// Questions whose tries are over.
    given_up: HashSet<usize>,
    window: usize,
    in_a_row: u32,
    asked: Asked,
}

type Answers = Vec<(usize, Outcome, u64)>;

impl Asking<'_> {
    /// If there are answers of a program that gave its version, waits for its version now.
    fn check_version(&mut self) -> Result<(), JudgeError> {
        let Some(known) = self.grading.known_version() else {
            return Ok(());
        };
        let mut running = self.start()?;
        let deadline = Instant::now() + self.program.limits.timeout;
        loop {
            let wait = deadline.saturating_duration_since(Instant::now());
            let line = running.answers.recv_timeout(wait);
            match line.map(|line| Reply::read(&line, self.grading.scale())) {
                Ok(Reply::Hello { version, in_flight }) => {
                    self.hello(version, in_flight);
                    self.running = Some(running);
                    return Ok(());
                }
                Ok(Reply::Garbage) => self.asked.refused.not_json += 1,
                _ => {
                    let mut message = format!(
                        "it introduced itself as `{known}` before, but no longer says hello"
                    );
                    // Its last words may still be on their way.
                    let _ = running.process.status();
                    for line in running.process.messages() {
                        message += &format!("\n  {line}");
                    }
                    return Err(JudgeError::Program(message));
                }
            }
        }
    }

    fn run(&mut self) -> Result<(), JudgeError> {
        loop {
            let mut left = self.waiting.len() + self.delayed.len() + self.flight.len();
            if left == 0 {
                self.waiting.extend(self.grading.choose(&self.given_up)?);
                left = self.waiting.len();
            }
            let total = self.grading.len();
            let is_live = self.grading.is_live();
            let unanswered = if is_live { self.grading.left() } else { left };
            self.program.progress.report(Step {
                measure: "",
                what: "answers",
                done: total - unanswered.min(total),
                total,
            });
            if left == 0 || self.asked.stopped.is_some() {
                return Ok(());
            }
            if self.in_a_row >= self.program.limits.failures {
                self.stop(&format!("{} questions failed in a row", self.in_a_row));
                return Ok(());
            }
            if self.running.is_none() {
                self.running = Some(self.start()?);
            }
            self.send()?;
            self.receive()?;
        }
    }

    fn start(&self) -> Result<Running, JudgeError> {
        let failed = |error: &dyn std::fmt::Display| JudgeError::Program(error.to_string());
        let mut command = self.program.argv.command(&[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(command, &self.program.argv)
            .map_err(|error| failed(&error.message()))?;
        let pipes = (process.child.stdin.take(), process.child.stdout.take());
        let (Some(stdin), Some(stdout)) = pipes else {
            return Err(failed(&"no pipes to the program"));
        };
        // Questions have a thread of their own, so that a program which writes before it reads does not block both sides.
        let (questions, to_write) = channel();
        std::thread::spawn(move || write_lines(stdin, &to_write));
        let (lines, answers) = sync_channel(BATCH);
        std::thread::spawn(move || read_lines(stdout, &lines));
        Ok(Running {
            process,
            questions,
            answers,
            plain: PlainReader::default(),
            last_answer: Instant::now(),
        })
    }

    /// Sends questions until as many as allowed are on their way.
    fn send(&mut self) -> Result<(), JudgeError> {
        let now = Instant::now();
        let (due, rest) = std::mem::take(&mut self.delayed)
            .into_iter()
            .partition(|(at, _)| *at <= now);
        self.delayed = rest;
        self.waiting
            .extend(Vec::from_iter(due).iter().map(|(_, question)| *question));
        let is_single = self.program.plain || self.grading.is_live();
        let window = if is_single { 1 } else { self.window };
        while self.flight.len() < window
            && let Some(question) = self.waiting.pop_front()
        {
            let mut line = serde_json::to_vec(&self.grading.question(question)?)
                .map_err(|error| JudgeError::Program(error.to_string()))?;
            line.push(b'\n');
            self.tries.entry(question).or_insert_with(|| {
                self.asked.questions += 1;
                0
            });
            self.flight.insert(question, Instant::now());
            if let Some(running) = &self.running {
                // If the program is gone, its output ends, which is noticed below.
                let _ = running.questions.send(line);
            }
        }
        Ok(())
    }

    /// Waits for lines, a time-out or the end of the program.
    fn receive(&mut self) -> Result<(), JudgeError> {
        let wait = self.wait();
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let first = match running.answers.recv_timeout(wait) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => {
                self.expire();
                return Ok(());
            }
            Err(RecvTimeoutError::Disconnected) => {
                let program = self.program.argv.program();
                let why = format!("`{program}`: {}", running.process.status());
                self.restart(&why);
                return Ok(());
            }
        };
        let mut lines = vec![first];
        lines.extend(running.answers.try_iter().take(BATCH - 1));
        let mut answers = Answers::new();
        for line in lines {
            if let Some(reply) = self.read(&line) {
                self.take(reply, &mut answers);
            }
        }
        self.grading.record(answers)?;
        self.expire();
        Ok(())
    }

    /// The time until something must be done without a line.
    fn wait(&self) -> Duration {
        let timeout = self.program.limits.timeout;
        let sent = self.flight.values().map(|sent| *sent + timeout);
        let times = sent.chain(self.delayed.iter().map(|(at, _)| *at));
        let next = times.min().unwrap_or_else(|| Instant::now() + timeout);
        next.saturating_duration_since(Instant::now())
            .max(Duration::from_millis(1))
    }

    fn read(&mut self, line: &[u8]) -> Option<Reply> {
        let running = self.running.as_mut()?;
        running.last_answer = Instant::now();
        let scale = self.grading.scale();
        if !self.program.plain {
            return Some(Reply::read(line, scale));
        }
        let question = *self.flight.keys().next()?;
        running.plain.read(line, self.grading.id(question), scale)
    }

    fn take(&mut self, reply: Reply, answers: &mut Answers) {
        match reply {
            Reply::Hello { version, in_flight } => self.hello(version, in_flight),
            Reply::Garbage => self.asked.refused.not_json += 1,
            Reply::Grade { id, answer } => self.answered(&id, answers, || Outcome::Grade {
                grade: answer.grade,
                reason: answer.reason,
                confidence: answer.confidence,
                model: answer.model,
                usage: answer.usage,
            }),
            Reply::Skip { id, reason } => self.answered(&id, answers, || Outcome::Skip(reason)),
            Reply::OffScale { id } => {
                self.asked.refused.off_scale += 1;
                if let Some(question) = self.in_flight(&id) {
                    self.failed(question, Duration::ZERO);
                }
            }
            Reply::NoGrade { id } => match self.in_flight(&id) {
                Some(question) => {
                    self.asked.refused.no_grade += 1;
                    self.failed(question, Duration::ZERO);
                }
                None => self.asked.refused.unknown += 1,
            },
            Reply::Error { id, wait, .. } => match self.in_flight(&id) {
                Some(question) => {
                    self.asked.refused.errors += 1;
                    self.failed(question, wait);
                }
                None => self.asked.refused.unknown += 1,
            },
        }
    }

    fn hello(&mut self, version: Option<String>, in_flight: Option<usize>) {
        if self.program.limits.in_flight.is_none() {
            self.window = in_flight.unwrap_or(1).clamp(1, 10_000);
        }
        if self.grading.version() == version.as_deref() {
            return;
        }
        if self.asked.restarts > 0 {
            self.stop("its version changed while it was running");
            return;
        }
        self.grading.set_version(version);
        let on_their_way = &self.flight;
        let missing = self.grading.missing().into_iter();
        self.waiting = missing
            .filter(|question| !on_their_way.contains_key(question))
            .collect();
    }

    fn in_flight(&self, id: &str) -> Option<usize> {
        let question = self.grading.find(id)?;
        self.flight.contains_key(&question).then_some(question)
    }

    fn answered(&mut self, id: &str, answers: &mut Answers, outcome: impl FnOnce() -> Outcome) {
        let Some(question) = self.grading.find(id) else {
            self.asked.refused.unknown += 1;
            return;
        };
        let sent = self.flight.remove(&question);
        // An answer that comes after its time is still an answer.
        let is_late = sent.is_none()
            && (self.waiting.contains(&question)
                || self.delayed.iter().any(|(_, late)| *late == question));
        if sent.is_none() && !is_late {
            self.asked.refused.twice += 1;
            return;
        }
        self.waiting.retain(|waiting| *waiting != question);
        self.delayed.retain(|(_, delayed)| *delayed != question);
        self.in_a_row = 0;
        let ms = sent.map_or(0, |sent| sent.elapsed().as_millis() as u64);
        answers.push((question, outcome(), ms));
    }

    /// A try failed: the question comes again after a while, unless it was the last try.
    fn failed(&mut self, question: usize, wait: Duration) {
        self.flight.remove(&question);
        let tries = self.tries.entry(question).or_default();
        *tries += 1;
        if *tries < self.program.limits.tries {
            self.delayed.push((Instant::now() + wait, question));
        } else {
            self.in_a_row += 1;
            self.given_up.insert(question);
        }
    }

    /// Fails questions whose time is over. A program that wrote nothing in all that time is started again.
    fn expire(&mut self) {
        let timeout = self.program.limits.timeout;
        let mut expired: Vec<usize> = self
            .flight
            .iter()
            .filter(|(_, sent)| sent.elapsed() >= timeout)
            .map(|(question, _)| *question)
            .collect();
        if expired.is_empty() {
            return;
        }
        expired.sort_unstable();
        self.asked.refused.timed_out += expired.len();
        for question in expired {
            self.failed(question, Duration::ZERO);
        }
        let silent = self.running.as_ref();
        if silent.is_some_and(|running| running.last_answer.elapsed() >= timeout) {
            self.restart(&format!("no answer after {} s", timeout.as_secs_f64()));
        }
    }

    /// Returns questions to the queue, and lets the program be started again if that is allowed.
    fn restart(&mut self, why: &str) {
        let ended = self.running.take();
        let mut back: Vec<usize> = self.flight.drain().map(|(question, _)| question).collect();
        back.small_sort_by(|a, b| b.cmp(a));
        for question in back {
            self.waiting.push_front(question);
        }
        if self.waiting.is_empty() && self.delayed.is_empty() {
            return;
        }
        if self.asked.restarts >= self.program.limits.restarts {
            self.running = ended;
            self.stop(why);
        } else {
            self.asked.restarts += 1;
        }
    }

    fn stop(&mut self, why: &str) {
        self.asked.stopped = Some(why.to_owned());
        let running = self.running.take();
        self.asked.messages = running.map_or_else(Vec::new, |running| running.process.messages());
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Hands over lines until the output ends or is no longer read.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Vec<u8>>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        match read {
            Ok(1..) if is_blank => {}
            Ok(1..) if lines.send(line).is_ok() => {}
            _ => return,
        }
    }
}

//! Programs that read a file of topics and write a run.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use cranfield_core::run::Run;
use cranfield_io::Source;

use super::process::Process;
use super::{Argv, TopicsFormat, topics_text};
use crate::engine::answer::checked;
use crate::engine::{Engine, EngineError, EngineErrorKind, Hit, Place, Query, Session};

/// A program that reads all topics from a file and writes a run.
///
/// The arguments may contain `{topics}`, `{run}`, `{depth}` and `{threads}`.
#[derive(Clone, Debug)]
pub struct BatchCommand {
    /// The name in tables and runs.
    pub name: String,
    /// The command.
    pub argv: Argv,
    /// Format of the topics.
    pub topics: TopicsFormat,
    /// Time for all topics together.
    pub timeout: Duration,
}

impl BatchCommand {
    /// Runs the command for these queries, and reads its run.
    pub fn run(&self, queries: &[Query], depth: usize, threads: usize) -> Result<Run, EngineError> {
        let folder = tempfile::tempdir().map_err(|error| no_folder(&error))?;
        let topics = folder.path().join(format!("topics.{}", self.topics));
        let written = std::fs::write(&topics, topics_text(queries, self.topics));
        written.map_err(|error| no_folder(&error))?;
        let run = folder.path().join("answers.run");
        let mut process = self.start(&topics, &run, depth, threads)?;
        let status = process.wait(self.timeout)?;
        if !status.success() {
            return Err(process.error(EngineErrorKind::Crashed, &status.to_string()));
        }
        if !run.exists() {
            return Err(process.error(EngineErrorKind::Malformed, "wrote no run"));
        }
        self.read(run)
    }

    fn start(
        &self,
        topics: &Path,
        run: &Path,
        depth: usize,
        threads: usize,
    ) -> Result<Process, EngineError> {
        let values = [
            ("topics", topics.display().to_string()),
            ("run", run.display().to_string()),
            ("depth", depth.to_string()),
            ("threads", threads.to_string()),
        ];
        let mut command = self.argv.command(&values);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Process::start(command, &self.argv)
    }

    fn read(&self, path: PathBuf) -> Result<Run, EngineError> {
        let malformed = |error: cranfield_io::Error| EngineError::malformed(error.to_string());
        let empty = path.metadata().is_ok_and(|metadata| metadata.len() == 0);
        if empty {
            return Ok(Run::default().with_tag(self.name.clone()));
        }
        let source = Source::open(path).map_err(malformed)?;
        let run = cranfield_io::read_run(&source, None).map_err(malformed)?;
        Ok(run.with_tag(self.name.clone()))
    }
}

fn no_folder(error: &io::Error) -> EngineError {
    EngineError::start(format!("cannot write the topics: {error}"))
}

impl Engine for BatchCommand {
    fn name(&self) -> &str {
        &self.name
    }

    /// A session that starts the program for every query.
    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        Ok(Box::new(OneByOne(self)))
    }

    fn place(&self) -> Place {
        Place::Child
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("command".into(), self.argv.to_string())]
    }

    fn answer_all(
        &self,
        queries: &[Query],
        depth: usize,
        threads: usize,
    ) -> Option<Result<Run, EngineError>> {
        Some(self.run(queries, depth, threads))
    }
}

struct OneByOne<'a>(&'a BatchCommand);

impl Session for OneByOne<'_> {
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        let run = self.0.run(std::slice::from_ref(query), depth, 1)?;
        let topic = run.get(query.topic.as_bytes());
        let hit = |entry: cranfield_core::run::Entry<'_>| Hit {
            doc: String::from_utf8_lossy(entry.doc).into_owned(),
            score: entry.score,
        };
        let hits = topic.map(|topic| topic.entries().map(hit).collect());
        checked(hits.unwrap_or_default(), depth)
    }
}

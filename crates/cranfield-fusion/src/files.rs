//! Fusion of files.
//!
//! TREC runs whose lines are grouped by topic are read topic by topic while they are fused, so that memory does not grow with their length.
//! All other runs are read into memory first.

use std::path::{Path, PathBuf};

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_eval::Progress;
use cranfield_io::{Output, RunFormat, Source, detect_run, read_run};

use crate::error::Error;
use crate::runs::{Failure, Lists, Runs, Summary};
use crate::segments::Grouped;
use crate::settings::Fusion;

/// Opened runs.
#[derive(Debug)]
pub struct RunFiles {
    files: Vec<RunFile>,
}

#[derive(Debug)]
struct RunFile {
    name: String,
    source: Source,
    format: RunFormat,
    /// The run, unless it is read while it is fused.
    run: Option<Run>,
}

impl RunFiles {
    /// Opens runs of any format; without a format, it is detected from the content of each.
    pub fn open(paths: &[PathBuf], format: Option<RunFormat>) -> Result<Self, Error> {
        let open = |path: &PathBuf| {
            let source = Source::open(path)?;
            let format = format.map_or_else(|| detect_run(&source), Ok)?;
            let run = match format {
                RunFormat::Trec => None,
                format => Some(read_run(&source, Some(format))?),
            };
            Ok(RunFile {
                name: path.to_string_lossy().into_owned(),
                source,
                format,
                run,
            })
        };
        let files = paths.iter().map(open).collect::<Result<_, Error>>()?;
        Ok(Self { files })
    }

    /// Names of the files and hashes of their content.
    pub fn hashes(&self) -> impl Iterator<Item = (&str, String)> {
        let files = self.files.iter();
        files.map(|file| (file.name.as_str(), file.source.blake3()))
    }

    /// Calls `work` with the runs. If one turns out not to be grouped by topic, it is read into memory, and `work` is called again.
    fn with_runs<T>(
        &mut self,
        mut work: impl FnMut(&Runs<'_>) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        loop {
            let at = match self.runs().and_then(|runs| work(&runs)) {
                Ok(done) => return Ok(done),
                Err(Failure::Error(error)) => return Err(self.located(error)),
                Err(Failure::NotGrouped(at)) => at,
            };
            let file = &mut self.files[at];
            file.run = Some(read_run(&file.source, Some(file.format))?);
        }
    }

    fn runs(&self) -> Result<Runs<'_>, Failure> {
        let lists = self.files.iter().enumerate().map(|(at, file)| {
            if let Some(run) = &file.run {
                return Ok(Lists::Memory(run));
            }
            let grouped = Grouped::new(file.source.bytes());
            Ok(Lists::Text(grouped.map_err(|_| Failure::NotGrouped(at))?))
        });
        let lists: Vec<Lists<'_>> = lists.collect::<Result<_, Failure>>()?;
        let names = self.files.iter().map(|file| file.name.clone());
        Ok(Runs::new(names.collect(), lists))
    }

    /// The error with its place in a file, if a reader finds what is wrong there.
    fn located(&self, error: Error) -> Error {
        if !matches!(error, Error::Repeated(_)) {
            return error;
        }
        let files = self.files.iter().filter(|file| file.run.is_none());
        let found = files.map(|file| read_run(&file.source, Some(file.format)));
        found
            .filter_map(Result::err)
            .map(Error::Input)
            .next()
            .unwrap_or(error)
    }

    /// Learns from judgements what the method of a fusion needs.
    pub fn train(&mut self, fusion: &Fusion, qrels: &Qrels) -> Result<crate::Trained, Error> {
        self.with_runs(|runs| runs.train(fusion, qrels))
    }

    /// Fuses the runs into one in memory.
    pub fn fuse(
        &mut self,
        fusion: &Fusion,
        tag: &str,
        progress: &Progress,
    ) -> Result<(Run, Summary), Error> {
        self.with_runs(|runs| runs.to_run(fusion, tag, progress))
    }

    /// Fuses the runs into a file, which appears only when complete. The extension selects format and compression; `-` is standard output.
    pub fn fuse_to(
        &mut self,
        path: &Path,
        fusion: &Fusion,
        tag: &str,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
        let is_text = self.files.iter().all(|file| file.format == RunFormat::Trec);
        if format != RunFormat::Trec || !is_text || path.as_os_str() == "-" {
            let (run, summary) = self.fuse(fusion, tag, progress)?;
            cranfield_io::save_run(&run, format, path)?;
            return Ok(summary);
        }
        cranfield_io::check_tag(tag)?;
        self.with_runs(|runs| {
            let mut out = Output::create(path)?;
            let summary = runs.to_lines(fusion, tag, progress, &mut out)?;
            out.finish()?;
            Ok(summary)
        })
    }
}

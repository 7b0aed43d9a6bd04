//! Runs of an experiment, and the engines that make them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use cranfield_collection::QueryFields;
use cranfield_io::Error;
use cranfield_search::dense::Similarity;
use cranfield_search::{Analyzer, Feedback, Model};
use serde::Deserialize;
use toml::Spanned;

use super::{Reader, problem};
use crate::engine::batch_command;
use crate::engine::command::BatchCommand;

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunTable {
    base: Option<Spanned<String>>,
    index: Option<Spanned<String>>,
    vectors: Option<String>,
    engine: Option<String>,
    command: Option<Spanned<Vec<String>>>,
    timeout: Option<Spanned<String>>,
    model: Option<Spanned<String>>,
    feedback: Option<Spanned<String>>,
    similarity: Option<Spanned<String>>,
    query: Option<Spanned<String>>,
    depth: Option<usize>,
    keep_going: Option<bool>,
}

impl RunTable {
    fn has_engine(&self) -> bool {
        self.index.is_some()
            || self.vectors.is_some()
            || self.engine.is_some()
            || self.command.is_some()
    }

    /// The table with the keys of another one that it does not have itself. An engine of its own replaces the whole engine.
    fn over(self, base: Self) -> Self {
        let has_engine = self.has_engine();
        Self {
            base: base.base,
            index: self.index.or(base.index.filter(|_| !has_engine)),
            vectors: self.vectors.or(base.vectors.filter(|_| !has_engine)),
            engine: self.engine.or(base.engine.filter(|_| !has_engine)),
            command: self.command.or(base.command.filter(|_| !has_engine)),
            timeout: self.timeout.or(base.timeout.filter(|_| !has_engine)),
            model: self.model.or(base.model),
            feedback: self.feedback.or(base.feedback),
            similarity: self.similarity.or(base.similarity),
            query: self.query.or(base.query),
            depth: self.depth.or(base.depth),
            keep_going: self.keep_going.or(base.keep_going),
        }
    }
}

/// A run and the engine that makes it.
#[derive(Clone, Debug)]
pub(in super::super) struct RunPart {
    pub(in super::super) engine: EnginePart,
    pub(in super::super) model: Model,
    pub(in super::super) feedback: Option<Feedback>,
    pub(in super::super) similarity: Similarity,
    pub(in super::super) query: QueryFields,
    pub(in super::super) depth: usize,
    /// Whether the run is made without the topics that the engine fails to answer.
    pub(in super::super) keep_going: bool,
}

/// Where the engine of a run is.
#[derive(Clone, Debug)]
pub(in super::super) enum EnginePart {
    /// An index of the experiment.
    Index(String),
    /// A folder of vectors.
    Vectors(PathBuf),
    /// A file that describes an engine.
    File(PathBuf),
    /// A program.
    Command(BatchCommand),
}

impl RunPart {
    /// The index that is searched, if any.
    pub(in super::super) fn index(&self) -> Option<&str> {
        match &self.engine {
            EnginePart::Index(name) => Some(name),
            _ => None,
        }
    }
}

impl Reader<'_> {
    pub(super) fn run(
        &self,
        name: &str,
        run: &Spanned<RunTable>,
        all: &BTreeMap<String, Spanned<RunTable>>,
        indexes: &BTreeMap<String, Analyzer>,
    ) -> Result<RunPart, Error> {
        self.check_name(name, run.span())?;
        let table = self.with_base(run, all)?;
        let engine = self.engine(name, &table, run.span(), indexes)?;
        if let Some(feedback) = &table.feedback
            && !matches!(engine, EnginePart::Index(_))
        {
            let message = "feedback needs an index; other engines have their own";
            return Err(problem(self.source, feedback.span(), message));
        }
        Ok(RunPart {
            engine,
            model: self.parsed_or_default(table.model.as_ref())?,
            feedback: table
                .feedback
                .map(|text| self.parsed(&text, str::parse))
                .transpose()?,
            similarity: self.parsed_or_default(table.similarity.as_ref())?,
            query: self.parsed_or_default(table.query.as_ref())?,
            depth: table.depth.unwrap_or(1000),
            keep_going: table.keep_going.unwrap_or(false),
        })
    }

    /// The table with what it takes over from its base.
    fn with_base(
        &self,
        run: &Spanned<RunTable>,
        all: &BTreeMap<String, Spanned<RunTable>>,
    ) -> Result<RunTable, Error> {
        let mut table = run.get_ref().clone();
        let mut steps = 0;
        while let Some(name) = table.base.take() {
            let base = all.get(name.get_ref()).filter(|_| steps < all.len());
            let base = base.ok_or_else(|| {
                problem(
                    self.source,
                    name.span(),
                    &format!("`{}` is not another run", name.get_ref()),
                )
            })?;
            table = table.over(base.get_ref().clone());
            steps += 1;
        }
        Ok(table)
    }

    fn engine(
        &self,
        name: &str,
        table: &RunTable,
        span: Range<usize>,
        indexes: &BTreeMap<String, Analyzer>,
    ) -> Result<EnginePart, Error> {
        if let (Some(timeout), None) = (&table.timeout, &table.command) {
            let message = "`timeout` has no effect without `command`";
            return Err(problem(self.source, timeout.span(), message));
        }
        match (&table.index, &table.vectors, &table.engine, &table.command) {
            (Some(index), None, None, None) => self.index(index, indexes),
            (None, Some(folder), None, None) => Ok(EnginePart::Vectors(self.folder.join(folder))),
            (None, None, Some(file), None) => Ok(EnginePart::File(self.folder.join(file))),
            (None, None, None, Some(command)) => {
                let timeout = table.timeout.clone();
                batch_command(name.into(), command.clone(), None, timeout, self.folder)
                    .map(EnginePart::Command)
                    .map_err(|(span, message)| problem(self.source, span, &message))
            }
            (None, None, None, None) => match indexes.keys().next() {
                Some(only) if indexes.len() == 1 => Ok(EnginePart::Index(only.clone())),
                _ => Err(problem(
                    self.source,
                    span,
                    "expected `index`, because there are several",
                )),
            },
            _ => Err(problem(
                self.source,
                span,
                "expected one of `index`, `vectors`, `engine` and `command`",
            )),
        }
    }

    fn index(
        &self,
        name: &Spanned<String>,
        indexes: &BTreeMap<String, Analyzer>,
    ) -> Result<EnginePart, Error> {
        if indexes.contains_key(name.get_ref()) {
            return Ok(EnginePart::Index(name.get_ref().clone()));
        }
        let known: Vec<&str> = indexes.keys().map(String::as_str).collect();
        let message = format!("no index `{}`; known: {}", name.get_ref(), known.join(", "));
        Err(problem(self.source, name.span(), &message))
    }
}

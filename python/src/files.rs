//! `doctor` and `convert`, which work on files alone.

use std::path::PathBuf;

use cranfield::io::doctor::{self, Report};
use cranfield_cli::args::{ConvertArgs, ResultFormat};
use cranfield_cli::results::{
    self, DoctorArgs, ReportFormat, catalogue, examine_files, findings_code, one_report,
};
use pyo3::prelude::*;

use crate::arguments::{path, paths};
use crate::errors::STYLE;
use crate::given::Given;
use crate::output::{PyOutput, Rendered};
use crate::work::watched;

/// Reports of files, or all diagnostic codes.
enum Findings {
    Files(Vec<Report>),
    Codes,
}

impl Rendered for Findings {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        let format = match format {
            ResultFormat::Table => ReportFormat::Text,
            ResultFormat::Json => ReportFormat::Json,
            ResultFormat::Jsonl => ReportFormat::Jsonl,
            ResultFormat::Md => ReportFormat::Md,
            _ => anyhow::bail!("findings are table, json, jsonl or md"),
        };
        let Self::Files(reports) = self else {
            return Ok(catalogue(format));
        };
        if format == ReportFormat::Json {
            return Ok(doctor::to_json(reports));
        }
        let reports = reports.iter().enumerate();
        let strings = reports.map(|(at, report)| one_report(format, report, at == 0, STYLE));
        Ok(strings.collect())
    }
}

/// Examines files, and repairs them if `fix` is set.
#[pyfunction]
pub(crate) fn examine(
    #[pyo3(from_py_with = paths)] files: Vec<PathBuf>,
    given: Given<'_>,
) -> PyResult<PyOutput> {
    let args = DoctorArgs {
        files,
        qrels: given.path("qrels")?,
        kind: given.chosen("kind")?,
        depth: given.whole("depth")?.unwrap_or(doctor::DEPTH),
        grades: given.parsed("grades")?,
        fix: given.flag("fix")?,
        output: given.path("output")?,
        in_place: given.flag("in_place")?,
        tag: given.parsed("tag")?,
        format: ReportFormat::Text,
        strict: given.flag("strict")?,
        quiet: false,
        codes: given.flag("codes")?,
    };
    given.done()?;
    watched(given.py(), None, None, move |_| {
        if args.codes {
            return Ok(PyOutput::new("doctor", Vec::new(), Findings::Codes));
        }
        let reports = examine_files(&args, &mut |_, _| Ok(()), &mut std::io::sink())?;
        let code = findings_code(args.strict, &reports);
        let output = PyOutput::new("doctor", Vec::new(), Findings::Files(reports));
        Ok(output.with_code(code))
    })
}

/// Converts a run or judgements to another format.
#[pyfunction]
pub(crate) fn convert(
    #[pyo3(from_py_with = path)] source: PathBuf,
    #[pyo3(from_py_with = path)] target: PathBuf,
    given: Given<'_>,
) -> PyResult<()> {
    let args = ConvertArgs {
        input: source,
        target: Some(target),
        output: None,
        kind: given.chosen("kind")?,
        from: given.text("source_format")?,
        to: given.text("target_format")?,
        quiet: true,
    };
    given.done()?;
    watched(given.py(), None, None, move |_| {
        results::convert(&args, &mut std::io::sink())?;
        Ok(())
    })
}

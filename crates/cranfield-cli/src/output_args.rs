//! Output options, which several commands share.

#![allow(
    clippy::doc_markdown,
    reason = "doc comments are help, which have no backticks"
)]

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, ValueEnum};

use cranfield::render::Render;

use crate::args::ResultFormat;
use crate::output::terminal_width;

/// Output options.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Output format; csv, tsv, json and jsonl have full precision [default: from the file extension, or table]
    #[arg(short, long, value_enum)]
    pub format: Option<ResultFormat>,
    /// Decimal places in table, md, latex and html
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: u8,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Suppress notes and progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// Removes `trec` from the formats of a command.
pub(crate) fn without_trec(format: Arg) -> Arg {
    let formats = ResultFormat::value_variants().iter();
    let formats = formats.filter(|format| **format != ResultFormat::Trec);
    let named = formats.filter_map(ValueEnum::to_possible_value);
    let by_name = |name: String| ResultFormat::from_str(&name, false);
    format.value_parser(PossibleValuesParser::new(named).try_map(by_name))
}

impl OutputArgs {
    /// The format asked for, else that of the file's extension, else a table.
    pub(crate) fn format(&self) -> ResultFormat {
        let by_name = || ResultFormat::of_extension(self.output.as_deref()?.extension()?.to_str()?);
        self.format.or_else(by_name).unwrap_or(ResultFormat::Table)
    }

    /// Writes a result to the file of `--output` or to `out`.
    pub(crate) fn print(&self, result: &dyn Render, out: &mut dyn Write) -> anyhow::Result<()> {
        let text = result.render(self.format(), terminal_width())?;
        write_text(&text, self.output.as_deref(), out)
    }
}

/// Rejects an output that is one of the inputs.
pub(crate) fn check_output<'p>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), cranfield::io::Error> {
    let outputs: Vec<&Path> = output.into_iter().collect();
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    cranfield::io::check_outputs(&outputs, &inputs)
}

/// Writes to a file, atomically, or to standard output.
pub(crate) fn write_text(
    text: &str,
    file: Option<&Path>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match file {
        None => out.write_all(text.as_bytes())?,
        Some(path) => cranfield::io::save_text(text, path)?,
    }
    Ok(())
}

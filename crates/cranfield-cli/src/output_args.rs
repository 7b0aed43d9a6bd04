//! The options that say how a result is written, which several commands share.

#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, where backticks disturb"
)]

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, ValueEnum};

use crate::args::ResultFormat;

/// How a result is written.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Format of the result; csv, tsv, json and jsonl have full precision
    #[arg(short, long, value_enum, default_value_t = ResultFormat::Table)]
    pub format: ResultFormat,
    /// Decimals in the tables of table, md, latex and html; sentences have their own
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: u8,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// No notes on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// The option `--format` of a command whose result has no place in the output of trec_eval: that format is not listed, and who asks
/// for it is told why there is none.
pub(crate) fn without_trec(format: Arg) -> Arg {
    let formats = ResultFormat::value_variants().iter();
    let named = formats.filter_map(|format| {
        let is_hidden = *format == ResultFormat::Trec;
        Some(format.to_possible_value()?.hide(is_hidden))
    });
    let by_name = |name: String| ResultFormat::from_str(&name, false);
    format.value_parser(PossibleValuesParser::new(named).try_map(by_name))
}

impl OutputArgs {
    /// Writes the result where the user wants it.
    pub(crate) fn write(&self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        write_text(text, self.output.as_deref(), out)
    }
}

/// Refuses an output that is one of the inputs.
pub(crate) fn check_output<'p>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), cranfield::io::Error> {
    let outputs: Vec<&Path> = output.into_iter().collect();
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    cranfield::io::check_outputs(&outputs, &inputs)
}

/// Writes a text to a file, which is then whole or absent, or to standard output.
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

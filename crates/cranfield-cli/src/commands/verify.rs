//! `cranfield verify`.

#![allow(missing_docs, reason = "options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::report::{one_line, visible};
use cranfield_server::verify;

use crate::exit_code;

/// Compares every byte of an archive with its manifest, and checks the log, the references between rows, and the published commitment to the
/// private topics. The exit code is 3 if a member is damaged, which is named, and 1 if scores differ.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield verify hw1-full.zip
  cranfield verify hw1-full.zip --rescore")]
pub struct VerifyArgs {
    /// Archive that a campaign was exported to
    #[arg(value_name = "FILE.zip")]
    pub archive: PathBuf,
    /// Also score every run by every version of the judgements, and compare the bits
    #[arg(long)]
    pub rescore: bool,
}

pub(crate) fn run(
    args: &VerifyArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let path = args.archive.display().to_string();
    let verified = match verify(&args.archive, args.rescore) {
        Ok(verified) => verified,
        Err(error) => {
            writeln!(err, "error: {}: {error}", visible(&path))?;
            return Ok(exit_code::INVALID_INPUT);
        }
    };
    for damaged in &verified.damaged {
        writeln!(err, "error: {}", visible(&one_line(damaged)))?;
    }
    for differing in &verified.differing {
        writeln!(err, "differs: {}", visible(&one_line(differing)))?;
    }
    if !verified.damaged.is_empty() {
        writeln!(err, "{} is damaged", visible(&path))?;
        return Ok(exit_code::INVALID_INPUT);
    }
    writeln!(
        out,
        "{}: campaign {}, profile {}, {} members, {} entries",
        visible(&path),
        one_line(&verified.campaign),
        one_line(&verified.profile),
        verified.members,
        verified.entries
    )?;
    if args.rescore {
        let (same, all) = (
            verified.rescored - verified.differing.len(),
            verified.rescored,
        );
        writeln!(out, "{same} of {all} scored entries have the same bits")?;
    }
    Ok(if verified.differing.is_empty() {
        exit_code::OK
    } else {
        exit_code::FAILED
    })
}

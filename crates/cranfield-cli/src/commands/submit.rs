//! `cranfield submit`.

#![allow(missing_docs, reason = "options have their own help")]

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use cranfield_server::{Submission, submit};
use serde_json::Value;

use crate::exit_code;

/// Sends a run to a campaign of `cranfield serve`, and waits for its result. The token is read from the variable `CRANFIELD_TOKEN`;
/// make one on the page of your account.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield submit http://localhost:8080 hw1 my.run
  cranfield submit http://board.example.org:8080 hw1 my.run.gz \\
    --description 'BM25, b = 0.3'")]
pub struct SubmitArgs {
    /// Address of the server
    #[arg(value_name = "SERVER")]
    pub server: String,
    /// Address of the campaign on it, such as hw1
    #[arg(value_name = "CAMPAIGN")]
    pub campaign: String,
    /// Run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Description for your team
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub description: String,
    /// Seconds to wait for the result
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub wait: u64,
}

pub(crate) fn run(
    args: &SubmitArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let token = std::env::var("CRANFIELD_TOKEN").unwrap_or_default();
    if token.is_empty() {
        bail!("set CRANFIELD_TOKEN to a token; make one on the page of your account");
    }
    let submission = Submission {
        server: args.server.clone(),
        campaign: args.campaign.clone(),
        run: args.run.clone(),
        description: args.description.clone(),
        token,
        wait: Duration::from_secs(args.wait),
    };
    let answer = match submit(&submission) {
        Ok(answer) => answer,
        Err(error) => {
            writeln!(
                err,
                "error: {}",
                cranfield::report::visible(&error.to_string())
            )?;
            return Ok(exit_code::INVALID_INPUT);
        }
    };
    let text = |value: &Value| cranfield::report::one_line(value.as_str().unwrap_or_default());
    let state = text(&answer.entry["state"]);
    writeln!(out, "{state}: {}", answer.address)?;
    for value in answer.entry["values"].as_array().into_iter().flatten() {
        writeln!(out, "{}  {}", text(&value["measure"]), text(&value["text"]))?;
    }
    for finding in answer.entry["findings"].as_array().into_iter().flatten() {
        let place = finding["places"][0]["line"]
            .as_u64()
            .filter(|line| *line > 0);
        let place = place.map_or_else(String::new, |line| format!(" (line {line})"));
        writeln!(
            out,
            "{} {}: {}{place}",
            text(&finding["severity"]),
            text(&finding["code"]),
            text(&finding["message"])
        )?;
    }
    Ok(if state == "invalid" {
        exit_code::INVALID_INPUT
    } else {
        exit_code::OK
    })
}

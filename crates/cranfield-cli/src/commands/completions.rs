//! `cranfield completions`.

use std::io::Write;

use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::{Shell, generate};

use crate::args::Args;
use crate::exit_code;

/// The script completes commands, options and their values. Save it where your shell looks for completions
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  cranfield completions bash \\
    > ~/.local/share/bash-completion/completions/cranfield
  cranfield completions zsh > ~/.zfunc/_cranfield
  cranfield completions fish > ~/.config/fish/completions/cranfield.fish
  cranfield completions powershell >> $PROFILE
  cranfield completions elvish >> ~/.config/elvish/rc.elv")]
pub struct CompletionsArgs {
    /// Shell to print the script for
    pub shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    // Written to memory first: `generate` panics if its output fails.
    let mut script = Vec::new();
    generate(args.shell, &mut Args::command(), "cranfield", &mut script);
    out.write_all(&script)?;
    Ok(exit_code::OK)
}

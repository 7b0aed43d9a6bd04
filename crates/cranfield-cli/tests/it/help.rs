//! The help of commands.

use clap::{Command, CommandFactory};
use cranfield_cli::args::Args;

fn check_examples(command: &Command, count: &mut usize) {
    for page in [command.get_after_help(), command.get_after_long_help()] {
        for line in page.map(ToString::to_string).unwrap_or_default().lines() {
            // A wider line is wrapped, and an example no longer a command.
            let name = command.get_name();
            assert!(line.chars().count() <= 80, "{name}: {line}");
            *count += usize::from(line.starts_with("  cranfield "));
        }
    }
    for below in command.get_subcommands() {
        check_examples(below, count);
    }
}

#[test]
fn examples_fit_into_80_columns() {
    let mut command = Args::command();
    command.build();
    let mut count = 0;
    check_examples(&command, &mut count);
    assert!(count > 50, "{count}");
}

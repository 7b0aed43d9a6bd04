//! Options of a command that are set up only when the command is asked for, so that many commands do not make each start longer.

use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The options `T` of a command. Its summary stands at the command, the rest of its description at `T`.
#[derive(Debug)]
pub struct Lazy<T>(pub T);

impl<T: Args> Args for Lazy<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(described::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Lazy<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// The command with its options; the description of the options follows the summary.
fn described<T: Args>(command: Command) -> Command {
    let summary = command.get_about().cloned().unwrap_or_default();
    let command = T::augment_args(command.about(None));
    let rest = command.get_long_about().or(command.get_about());
    let described = match rest {
        Some(rest) => format!("{summary}\n\n{}.", rest.to_string().trim_end_matches('.')),
        None => summary.to_string(),
    };
    command.about(summary).long_about(described)
}

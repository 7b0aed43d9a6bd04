//! Options that are set up only for the command that runs, so that the number of commands does not slow down the start.

use std::any::TypeId;
use std::str::FromStr;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

/// The options `T` of a command. The summary of the help is that of the command, the rest that of `T`.
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

/// Lets an option with a number take any value that starts with a hyphen, so that negative numbers get a specific error. For clap,
/// `-1e-3` and `-inf` are not numbers.
fn with_any_number(arg: Arg) -> Arg {
    let kind = arg.get_value_parser().type_id();
    if !numbers().into_iter().any(|number| kind == number) {
        return arg;
    }
    let arg = arg.allow_hyphen_values(true);
    if kind == TypeId::of::<f64>() {
        arg.value_parser(number)
    } else {
        arg
    }
}

/// Parses a number.
fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "expected a number, such as 0.01".into())
}

/// Types of options with a number.
fn numbers() -> [TypeId; 6] {
    [
        TypeId::of::<f64>(),
        TypeId::of::<usize>(),
        TypeId::of::<u64>(),
        TypeId::of::<u32>(),
        TypeId::of::<u16>(),
        TypeId::of::<u8>(),
    ]
}

/// Parses a whole number.
pub(crate) fn whole_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "expected a whole number of at least 0".into())
}

/// A whole number that is not 0.
pub(crate) fn positive_number<T: FromStr + Default + PartialEq>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number != T::default());
    number.ok_or_else(|| "expected a whole number of at least 1".into())
}

/// The command with its options. The doc comment of the options follows the summary.
fn described<T: Args>(command: Command) -> Command {
    let summary = command.get_about().cloned().unwrap_or_default();
    let command = T::augment_args(command.about(None)).mut_args(with_any_number);
    let rest = command.get_long_about().or(command.get_about());
    let described = match rest {
        Some(rest) => format!("{summary}\n\n{}.", rest.to_string().trim_end_matches('.')),
        None => summary.to_string(),
    };
    command.about(summary).long_about(described)
}

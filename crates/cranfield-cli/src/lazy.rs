//! Options of a command that are set up only when the command is asked for, so that many commands do not make each start longer.

use std::any::TypeId;
use std::str::FromStr;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

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

/// An option with a number, with which a negative one is a value like others, so that it is refused with what to do. Any text that
/// begins with a hyphen is its value: what is a number to clap has no sign in its exponent, and no `inf`.
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

/// A number, or what to do.
fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "give a number, such as 0.01".into())
}

/// The kinds of numbers that options have.
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

/// A whole number, or what to do.
pub(crate) fn whole_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "give a whole number of at least 0".into())
}

/// The command with its options; the description of the options follows the summary.
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

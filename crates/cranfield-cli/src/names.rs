//! Options whose values are the names of a library's enum, so that help, completions and errors list them.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Parses one of these values by its name.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|value| name(*value)));
    names.try_map(move |given| {
        let mut values = all.iter().copied();
        values
            .find(|value| name(*value) == given)
            .ok_or("unknown name")
    })
}

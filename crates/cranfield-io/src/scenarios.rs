//! Scenarios from a TOML file, one table each; see [`read_scenarios`].

use std::collections::BTreeMap;
use std::ops::Range;

use cranfield_core::small_sort::SmallSort;
use cranfield_measures::scenario::Scenario;
use cranfield_measures::spec::Conventions;
use cranfield_measures::vectors::MAX_COMPONENTS;
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::Problem;
use crate::source::Source;

/// Maximum size of a file of scenarios, far more than anyone writes by hand.
const MAX_BYTES: usize = 1 << 20;

/// A table of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    description: Option<String>,
    rank: Option<u64>,
    #[serde(default)]
    parameters: BTreeMap<String, Spanned<Value>>,
    measures: Option<Vec<String>>,
    vectors: Option<Vec<String>>,
}

/// Reads scenarios in the order of the file, and checks that they can be bound.
///
/// ```
/// use cranfield_io::{Source, read_scenarios};
///
/// let text = b"[hasty]\nrank = 5\nparameters = { gains = [0, 1, 10] }\nmeasures = ['nDCG']\n";
/// let scenarios = read_scenarios(&Source::from_bytes("mine.toml", text.to_vec())?)?;
/// assert_eq!((scenarios[0].name.as_str(), scenarios[0].rank), ("hasty", Some(5)));
/// assert_eq!(scenarios[0].parameters, [("gains".to_string(), "0,1,10".to_string())]);
/// # Ok::<(), cranfield_io::Error>(())
/// ```
///
/// # Errors
/// If the file is not TOML, has keys other than `description`, `rank`, `parameters`, `measures` and `vectors`, or names unknown
/// measures or parameters.
pub fn read_scenarios(source: &Source) -> Result<Vec<Scenario>, Error> {
    let tables = parse(source)?;
    if tables.is_empty() {
        let message = "no scenarios found, expected a table such as [hasty]";
        return Err(Problem::file(Code::BadScenario, source.name(), message).into());
    }
    let mut problems = Problems::default();
    let (mut scenarios, mut components) = (Vec::new(), 0);
    for (name, table) in tables {
        let span = table.span();
        let bound = scenario(name, table.into_inner()).and_then(|scenario| {
            let bound = scenario.bind(&Conventions::default());
            let bound = bound.map_err(|error| (span.clone(), error.to_string()))?;
            let lengths = bound
                .vectors
                .iter()
                .map(|(_, vector)| vector.positions().len());
            Ok((scenario, lengths.sum::<usize>()))
        });
        match bound {
            Ok((scenario, length)) => {
                scenarios.push(scenario);
                components += length;
            }
            Err((span, message)) => problems.push(problem(source, &span, &message)),
        }
        if components > MAX_COMPONENTS {
            let message =
                format!("the scenarios have more than {MAX_COMPONENTS} vector components");
            problems.push(problem(source, &span, &message));
            break;
        }
    }
    problems.into_result()?;
    Ok(scenarios)
}

/// Returns the tables in the order of the file.
fn parse(source: &Source) -> Result<Vec<(String, Spanned<Table>)>, Error> {
    let text = source.text(MAX_BYTES, "a file of scenarios", Code::BadScenario)?;
    let tables: BTreeMap<String, Spanned<Table>> = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        problem(source, &span, error.message())
    })?;
    let mut tables: Vec<_> = tables.into_iter().collect();
    tables.small_sort_by_key(|(_, table)| table.span().start);
    Ok(tables)
}

fn problem(source: &Source, span: &Range<usize>, message: &str) -> Problem {
    let line_end = memchr::memchr(b'\n', source.bytes().get(span.start..).unwrap_or(&[]));
    let end = line_end.map_or(span.end, |length| span.end.min(span.start + length));
    let message = message.replace('\n', "; ");
    Problem::at(
        Code::BadScenario,
        source.name(),
        source.bytes(),
        span.start..end,
        message,
    )
}

/// Converts a table; the error is a message with its place.
fn scenario(name: String, table: Table) -> Result<Scenario, (Range<usize>, String)> {
    let usual = Scenario::new(name);
    let mut parameters = Vec::new();
    for (key, value) in table.parameters {
        let text = text_of(value.get_ref()).ok_or_else(|| {
            let message = format!(
                "parameter `{key}` is {}, expected a number, a string or a list of numbers",
                value.get_ref().type_str()
            );
            (value.span(), message)
        })?;
        parameters.push((key, text));
    }
    let named = table.measures.is_some() || table.vectors.is_some();
    let (measures, vectors) = if named {
        (
            table.measures.unwrap_or_default(),
            table.vectors.unwrap_or_default(),
        )
    } else {
        (usual.measures, usual.vectors)
    };
    Ok(Scenario {
        name: usual.name,
        description: table.description.unwrap_or_default(),
        rank: table.rank,
        parameters,
        measures,
        vectors,
    })
}

/// Formats a parameter's value as in a measure's name.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Array(items) => {
            let numbers = items.iter().map(|item| match item {
                Value::Integer(number) => Some(number.to_string()),
                Value::Float(number) => Some(number.to_string()),
                _ => None,
            });
            Some(numbers.collect::<Option<Vec<_>>>()?.join(","))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Scenario>, Error> {
        read_scenarios(&Source::from_bytes("mine.toml", text.into()).unwrap())
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn scenarios_are_in_the_order_of_the_file() {
        let text = "[z]\nrank = 3\n\n[a]\ndescription = 'first of the alphabet'\nrank = 7\n\
                    measures = ['P', 'nDCG(gains=\"exp\")']\n[a.parameters]\nrel = 2\n";
        let scenarios = read(text).unwrap();
        let names: Vec<_> = scenarios.iter().map(|scenario| &scenario.name).collect();
        assert_eq!(names, ["z", "a"]);
        assert_eq!(scenarios[0].measures, ["nCG", "nDCG"]);
        assert_eq!(scenarios[1].vectors, [""; 0]);
        assert_eq!(scenarios[1].parameters, [("rel".into(), "2".into())]);
    }

    #[test]
    fn errors_have_a_line() {
        check_error("[a]\nrnak = 3\n", "mine.toml:2:1: unknown field `rnak`");
        check_error("[a]\nrank = -3\n", "mine.toml:2:8: ");
        check_error("[a\n", "mine.toml:1:");
        check_error(
            "[a]\nrank = 3\nparameters = { gains = true }\n",
            "mine.toml:3:24: parameter `gains` is boolean",
        );
        check_error(
            "[a]\nrank = 3\n[b]\nmeasures = ['nDGC@5']\n",
            "mine.toml:3:1: scenario `b`: unknown measure `nDGC`",
        );
        check_error("", "mine.toml: ");
        check_error("rank = 3\n", "mine.toml:1:8: ");
    }
}

//! Points of a space: a value for each parameter.

use std::fmt;
use std::str::FromStr;

use cranfield_core::grammar::Spec;

use super::error::TuneError;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// One of several names.
    Choice(String),
}

impl Value {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Choice(_) => None,
        }
    }

    /// Parses a finite number, or else a name.
    pub(super) fn parse(text: &str) -> Self {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map_or_else(|| Self::Choice(text.into()), Self::Number)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Choice(name) => f.write_str(name),
        }
    }
}

/// A value for each parameter, in the order of the space. Its name, such as `k1=0.9, b=0.4`, parses back to the point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point(Vec<(String, Value)>);

impl Point {
    /// A point of these parameters.
    pub fn new(values: Vec<(String, Value)>) -> Self {
        Self(values)
    }

    /// Parameters and their values.
    pub fn values(&self) -> &[(String, Value)] {
        &self.0
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut values = self.0.iter();
        values
            .find(|(other, _)| other == name)
            .map(|(_, value)| value)
    }

    /// The value of a parameter that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.number()
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.iter().map(|(name, value)| format!("{name}={value}"));
        f.write_str(&values.collect::<Vec<_>>().join(", "))
    }
}

impl FromStr for Point {
    type Err = TuneError;

    fn from_str(text: &str) -> Result<Self, TuneError> {
        let mut values: Vec<(String, Value)> = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let wrong = || {
                TuneError::Space(format!(
                    "expected a point such as k1=0.9, b=0.4, found `{text}`"
                ))
            };
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let (name, value) = (name.trim(), value.trim());
            if name.is_empty() || value.is_empty() || values.iter().any(|(other, _)| other == name)
            {
                return Err(wrong());
            }
            values.push((name.into(), Value::parse(value)));
        }
        Ok(Self(values))
    }
}

/// A name with other values of its parameters.
pub(super) fn with_values<'p>(
    text: &str,
    values: impl Iterator<Item = (&'p str, &'p Value)>,
) -> Result<String, TuneError> {
    let mut spec = Spec::parse(text)?;
    for (key, value) in values {
        spec.arguments.retain(|(other, _)| other != key);
        spec.arguments.push((key.into(), value.to_string()));
    }
    if spec.arguments.is_empty() {
        return Ok(spec.name);
    }
    let argument = |(key, value): &(String, String)| {
        let is_number = value.parse::<f64>().is_ok();
        if is_number {
            format!("{key}={value}")
        } else {
            format!("{key}='{value}'")
        }
    };
    let arguments: Vec<String> = spec.arguments.iter().map(argument).collect();
    Ok(format!("{}({})", spec.name, arguments.join(", ")))
}

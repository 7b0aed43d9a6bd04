//! Names with parameters: `BM25(k1=0.9, b=0.4)`.

use std::fmt;

use crate::error::Error;
use crate::grammar::{Spec, nearest_name};

/// The parameters of a name, taken one by one.
#[derive(Debug)]
pub struct Arguments {
    name: &'static str,
    left: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl Arguments {
    /// Splits a name into the known name that it begins with, in any case, and its parameters. `first` is the parameter that may be
    /// given without its name.
    pub fn parse(
        text: &str,
        what: &str,
        names: &[&'static str],
        first: &str,
    ) -> Result<Self, Error> {
        let spec = match text.split_once('(') {
            Some((name, inner)) if !inner.contains('=') && inner.trim_end().len() > 1 => {
                Spec::parse(&format!("{name}({first}={inner}"))
            }
            _ => Spec::parse(text),
        }?;
        let name = names
            .iter()
            .find(|name| name.eq_ignore_ascii_case(&spec.name));
        let name = name.ok_or_else(|| Error::unknown_among(what, &spec.name, names))?;
        if spec.cutoff.is_some() {
            return Err(Error::syntax(format!(
                "`{text}` has a cutoff; the depth of a run is a setting of its own"
            )));
        }
        Ok(Self {
            name,
            left: spec.arguments,
            known: Vec::new(),
        })
    }

    /// The known name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn take(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let at = self.left.iter().position(|(given, _)| given == key)?;
        Some(self.left.remove(at).1)
    }

    /// A number in a range.
    pub fn real(
        &mut self,
        key: &'static str,
        default: f64,
        range: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, Error> {
        let Some(text) = self.take(key) else {
            return Ok(default);
        };
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| {
            let most = range.end();
            let range = if *most == f64::MAX {
                format!("of at least {}", range.start())
            } else {
                format!("from {} to {most}", range.start())
            };
            Error::parameter(format!(
                "{key} of {} must be a number {range}, found `{text}`",
                self.name
            ))
        })
    }

    /// A whole number of at least 1.
    pub fn count(&mut self, key: &'static str, default: usize) -> Result<usize, Error> {
        let Some(text) = self.take(key) else {
            return Ok(default);
        };
        text.parse().ok().filter(|count| *count > 0).ok_or_else(|| {
            Error::parameter(format!(
                "{key} of {} must be a whole number of at least 1, found `{text}`",
                self.name
            ))
        })
    }

    /// One of several names.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, choice)| Some(*choice)).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            Error::parameter(format!(
                "{key} of {} must be one of {}, found `{text}`",
                self.name,
                names.join(", ")
            ))
        })
    }

    /// Any text.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.take(key)
    }

    /// Whether a parameter is given.
    pub fn has(&self, key: &str) -> bool {
        self.left.iter().any(|(given, _)| given == key)
    }

    /// An error if parameters are left.
    pub fn finish(self) -> Result<(), Error> {
        let Some((key, _)) = self.left.first() else {
            return Ok(());
        };
        let nearest = nearest_name(key, &self.known);
        let advice = match (nearest, self.known.is_empty()) {
            (Some(name), _) => format!("did you mean `{name}`?"),
            (None, true) => "it has none".into(),
            (None, false) => format!("it has {}", self.known.join(", ")),
        };
        Err(Error::parameter(format!(
            "{} has no parameter `{key}`; {advice}",
            self.name
        )))
    }
}

/// Writes a name and its parameters.
pub fn write(f: &mut fmt::Formatter<'_>, name: &str, parameters: &[(&str, String)]) -> fmt::Result {
    if parameters.is_empty() {
        return f.write_str(name);
    }
    let parameters: Vec<String> = parameters
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    write!(f, "{name}({})", parameters.join(", "))
}

//! What is asked for: measures by name, a profile, policies.

use cranfield::core::measure::{BoundMeasure, Direction};
use cranfield::core::policy::{Policies, Profile};
use cranfield::core::spec::{Conventions, parse_measures};
use cranfield::{DEFAULT_MEASURES, Request};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::text as text_of;
use crate::custom;
use crate::errors::{Failure, OrRaise};

/// Measures and policies, read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) measures: Vec<BoundMeasure>,
    pub(crate) profile: Profile,
    pub(crate) policies: Policies,
    /// Whether some measures are computed in Python.
    pub(crate) has_custom: bool,
    /// What was asked for: the names, the level, and the policies that were given.
    pub(crate) words: Words,
}

/// What was asked for, in the words of the call.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) measures: Vec<Item>,
    pub(crate) level: Option<f64>,
    pub(crate) policies: Vec<(String, String)>,
}

impl Words {
    /// The names of the measures, in one text.
    pub(crate) fn text(&self) -> String {
        let texts: Vec<&str> = self.measures.iter().map(Item::text).collect();
        texts.join(" ")
    }
}

/// What stands in a list of measures.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Names, separated by blanks.
    Names(String),
    /// A measure that Python computes.
    Custom(String, Direction),
}

impl Item {
    fn text(&self) -> &str {
        match self {
            Self::Names(text) | Self::Custom(text, _) => text,
        }
    }

    fn is_custom(&self) -> bool {
        matches!(self, Self::Custom(..))
    }
}

impl Asked {
    /// Reads names of measures (a text, or several; none are the command line's), and policies by name: those that are not given,
    /// or `None`, are the profile's.
    pub(crate) fn read(
        measures: Option<&Bound<'_, PyAny>>,
        profile: &str,
        level: Option<f64>,
        policies: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let items = match measures {
            None => vec![Item::Names(DEFAULT_MEASURES.into())],
            Some(names) => items_of(names)?,
        };
        let mut given = Vec::new();
        for (name, value) in policies.into_iter().flat_map(PyDictMethods::iter) {
            if !value.is_none() {
                let (name, value) = (text_of(&name)?.to_owned(), value.str()?);
                given.push((name, text_of(value.as_any())?.to_owned()));
            }
        }
        let words = Words {
            measures: items,
            level,
            policies: given,
        };
        Self::of(words, profile).or_raise(py)
    }

    /// What these words ask for under a profile.
    pub(crate) fn of(words: Words, profile: &str) -> Result<Self, Failure> {
        let level = words.level;
        let profile: Profile = profile.parse()?;
        let mut policies = profile.policies();
        let mut measures = Vec::new();
        for item in &words.measures {
            match item {
                Item::Names(names) => {
                    measures.extend(parse_measures(names, &Conventions { profile, level })?);
                }
                Item::Custom(name, direction) => measures.push(custom::measure(name, *direction)?),
            }
        }
        for (name, value) in &words.policies {
            policies.set(name, value)?;
            for measure in &mut measures {
                measure.overrides.forget(name);
            }
        }
        if measures.is_empty() {
            let message = "no measure is asked for; name one, such as nDCG@10";
            return Err(Failure::Usage(message.into()));
        }
        let request = Request {
            profile,
            ..Request::new("", [""; 0], measures)
        };
        request.check_levels(level)?;
        Ok(Self {
            measures: request.measures,
            profile,
            policies,
            has_custom: words.measures.iter().any(Item::is_custom),
            words,
        })
    }

    /// The request for inputs that are in memory.
    pub(crate) fn request(&self) -> Request {
        Request {
            profile: self.profile,
            policies: self.policies.clone(),
            ..Request::of_measures(self.measures.clone())
        }
    }

    /// The names that results have for the measures.
    pub(crate) fn names(measures: &[BoundMeasure], profile: Profile) -> Vec<String> {
        let names = measures.iter().map(|measure| measure.name_in(profile));
        names.collect()
    }
}

/// Names in one text, or in any number of them. Objects count by what they print as, but for those that Python computes.
fn items_of(names: &Bound<'_, PyAny>) -> PyResult<Vec<Item>> {
    if let Ok(text) = names.cast::<PyString>() {
        return Ok(vec![Item::Names(text_of(text.as_any())?.into())]);
    }
    let mut items = Vec::new();
    for name in names.try_iter()? {
        let name = name?;
        let text = text_of(name.str()?.as_any())?.to_owned();
        if name.is_instance_of::<PyString>() || !name.hasattr("_computed_in_python")? {
            match items.last_mut() {
                Some(Item::Names(names)) => *names = format!("{names} {text}"),
                _ => items.push(Item::Names(text)),
            }
            continue;
        }
        let direction = match name
            .getattr("higher_is_better")?
            .extract::<Option<bool>>()?
        {
            Some(true) => Direction::HigherIsBetter,
            Some(false) => Direction::LowerIsBetter,
            None => Direction::Neutral,
        };
        items.push(Item::Custom(text, direction));
    }
    Ok(items)
}

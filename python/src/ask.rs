//! Requests from arguments: measures by name, a profile, policies.

use cranfield::compare::ComparisonPlan;
use cranfield::core::measure::{BoundMeasure, Direction};
use cranfield::core::policy::Policies;
use cranfield::measures::profiles::Profile;
use cranfield::measures::spec::{Conventions, parse_measures};
use cranfield::{DEFAULT_MEASURES, Request};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arguments::text as text_of;
use crate::custom;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;

/// Measures and policies, read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) measures: Vec<BoundMeasure>,
    pub(crate) profile: Profile,
    pub(crate) policies: Policies,
    /// Whether some measures are computed in Python.
    pub(crate) has_custom: bool,
    /// The arguments as given: names, level and policies.
    pub(crate) words: Words,
}

/// The arguments of a call.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) measures: Vec<Item>,
    pub(crate) profile: String,
    pub(crate) level: Option<f64>,
    pub(crate) policies: Vec<(String, String)>,
}

impl Words {
    /// The measures, or those of `default`, and the profile, level and policies among keyword arguments.
    pub(crate) fn read(
        measures: Option<&Bound<'_, PyAny>>,
        default: &str,
        given: &Given<'_>,
    ) -> PyResult<Self> {
        let mut policies = Vec::new();
        for (name, _) in Policies::OWN.named() {
            if let Some(value) = given.text(name)? {
                policies.push((name.to_owned(), value));
            }
        }
        Ok(Self {
            measures: match measures {
                None => vec![Item::Names(default.into())],
                Some(names) => items_of(names)?,
            },
            profile: given
                .text("profile")?
                .unwrap_or_else(|| Profile::default().name().into()),
            level: given.number("level")?,
            policies,
        })
    }

    /// Measures by name in place of these.
    pub(crate) fn with_measures(self, names: &str) -> Self {
        Self {
            measures: vec![Item::Names(names.into())],
            ..self
        }
    }

    /// Adds what a plan fixes, which must not contradict what is given.
    pub(crate) fn plan(&mut self, plan: &ComparisonPlan) -> Result<(), Failure> {
        let planned = &plan.policies;
        if let Some(profile) = planned.profile {
            self.profile = profile.name().into();
        }
        self.level = planned.level.or(self.level);
        for (name, value) in &planned.policies {
            let given = self.policies.iter().find(|(known, _)| known == name);
            if let Some((_, given)) = given.filter(|(_, given)| given != value) {
                return Err(Failure::Usage(format!(
                    "{name}='{given}' contradicts {}, which has {value}; omit {name}, or change the plan",
                    plan.path
                )));
            }
            self.policies.push(((*name).to_owned(), value.clone()));
        }
        Ok(())
    }

    /// The names of the measures, in one text.
    pub(crate) fn text(&self) -> String {
        let strings: Vec<&str> = self.measures.iter().map(Item::text).collect();
        strings.join(" ")
    }
}

/// An item of a list of measures.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Names, separated by spaces.
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
            profile: profile.into(),
            level,
            policies: given,
        };
        Self::of(words).or_raise(py)
    }

    /// Reads measures, or those of `default`, and the profile, level and policies among keyword arguments.
    pub(crate) fn among(
        given: &Given<'_>,
        measures: Option<&Bound<'_, PyAny>>,
        default: &str,
    ) -> PyResult<Self> {
        Self::of(Words::read(measures, default, given)?).or_raise(given.py())
    }

    /// The measures and policies of these arguments.
    pub(crate) fn of(words: Words) -> Result<Self, Failure> {
        let level = words.level;
        let profile: Profile = words.profile.parse()?;
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

    /// The request for inputs that are open.
    pub(crate) fn request(&self) -> Request {
        Request {
            profile: self.profile,
            policies: self.policies.clone(),
            ..Request::of_measures(self.measures.clone())
        }
    }

    /// How names of measures are read.
    pub(crate) fn conventions(&self) -> Conventions {
        Conventions {
            profile: self.profile,
            level: self.words.level,
        }
    }

    /// The names that results have for the measures.
    pub(crate) fn names(measures: &[BoundMeasure], profile: Profile) -> Vec<String> {
        let names = measures.iter().map(|measure| profile.name_of(measure));
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

//! Typed parameters of measures: declared in [`ParamInfo`], checked when a name is read, printed back in one
//! form.

use std::fmt;
use std::num::NonZeroU64;

use crate::error::{Error, shown};
use crate::gains::Gains;
use crate::measure::MeasureInfo;

/// Number of documents from the top that a measure looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cutoff(NonZeroU64);

impl Cutoff {
    /// A cutoff of at least 1; `None` for 0.
    pub fn new(documents: u64) -> Option<Self> {
        NonZeroU64::new(documents).map(Self)
    }

    /// The number of documents.
    pub fn get(self) -> usize {
        self.0.get() as usize
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The rule for the part after `@` in a measure's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutoffRule {
    /// Nothing.
    None,
    /// A number of documents, or nothing for the whole ranking.
    Optional,
    /// A number of documents.
    Required,
    /// A real number, such as a recall point.
    Point,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// The lowest grade that counts as relevant.
    Level,
    /// A real number from `min` to `max`.
    Real {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// A list of real numbers, `'1,-1,0,0'`.
    Reals,
    /// A table from grades to gains, `'0,1,10,100'` or `'1=3,2=9'`.
    Gains,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// A parameter that a measure declares.
#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    /// Name before `=`.
    pub name: &'static str,
    /// Type.
    pub kind: ParamKind,
    /// Text of the default value.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
}

impl ParamInfo {
    /// The relevance level that most binary measures have.
    pub const LEVEL: Self = Self {
        name: "rel",
        kind: ParamKind::Level,
        default: "1",
        help: "least grade that counts as relevant",
    };
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of [`ParamKind::Level`] and [`ParamKind::Real`].
    Real(f64),
    /// Of [`ParamKind::Reals`].
    Reals(Vec<f64>),
    /// Of [`ParamKind::Gains`].
    Gains(Gains),
    /// Of [`ParamKind::Word`].
    Word(&'static str),
}

impl Value {
    /// Reads the value of a parameter.
    pub fn parse(info: &ParamInfo, text: &str) -> Result<Self, Error> {
        let wrong = |expected: &str| {
            let text = shown(text);
            Error::parameter(format!(
                "parameter `{}` must be {expected}, not `{text}`",
                info.name
            ))
        };
        match info.kind {
            ParamKind::Level => Ok(Self::Real(finite(text).ok_or_else(|| wrong("a number"))?)),
            ParamKind::Real { min, max } => finite(text)
                .filter(|value| (min..=max).contains(value))
                .map(Self::Real)
                .ok_or_else(|| match max {
                    f64::INFINITY => wrong(&format!("a number of at least {min}")),
                    _ => wrong(&format!("a number from {min} to {max}")),
                }),
            ParamKind::Reals => text
                .split(',')
                .map(|item| finite(item.trim()))
                .collect::<Option<_>>()
                .map(Self::Reals)
                .ok_or_else(|| wrong("numbers separated by commas, such as '1,-1,0,0'")),
            ParamKind::Gains => text.parse().map(Self::Gains),
            ParamKind::Word(words) => words
                .iter()
                .find(|word| **word == text)
                .map(|word| Self::Word(word))
                .ok_or_else(|| wrong(&format!("one of {}", words.join(", ")))),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => write!(f, "{value}"),
            Self::Reals(values) => {
                let items: Vec<_> = values.iter().map(ToString::to_string).collect();
                write!(f, "'{}'", items.join(","))
            }
            Self::Gains(gains) => write!(f, "'{gains}'"),
            Self::Word(word) => write!(f, "'{word}'"),
        }
    }
}

/// The default that a measure declares.
fn own_default(param: &ParamInfo) -> Value {
    Value::parse(param, param.default).expect("a registry test parses every declared default")
}

/// A finite number, plus zero for minus zero, so that equal values print alike.
fn finite(text: &str) -> Option<f64> {
    text.parse::<f64>()
        .ok()
        .filter(|value| value.is_finite())
        .map(|value| value + 0.0)
}

/// Validated parameters of a measure, complete with defaults. They compare by value; it does not matter which of them were set
/// explicitly.
#[derive(Clone, Debug)]
pub struct Params {
    cutoff: Option<Cutoff>,
    point: Option<f64>,
    values: Vec<(&'static str, Value)>,
    said: Said,
}

/// The parameters that a name fixes. Under a profile, its program sets the others.
#[derive(Clone, Debug)]
enum Said {
    /// These, and those that are not Cranfield's default.
    Some(Vec<&'static str>),
    /// All: the name is another program's and refers to its definition.
    All,
}

impl PartialEq for Params {
    fn eq(&self, other: &Self) -> bool {
        (self.cutoff, self.point) == (other.cutoff, other.point) && self.values == other.values
    }
}

impl Params {
    /// Validates `arguments` (name, value) and the string after `@` against the declaration of the measure. `default_of`
    /// returns the defaults that differ from Cranfield's.
    pub fn check(
        info: &'static MeasureInfo,
        arguments: &[(String, String)],
        cutoff: Option<&str>,
        default_of: impl Fn(&ParamInfo) -> Option<Value>,
    ) -> Result<Self, Error> {
        check_names(info, arguments)?;
        let (cutoff, point) = check_cutoff(info, cutoff)?;
        let mut params = Self::defaults(info, default_of);
        for (param, (_, value)) in info.params.iter().zip(&mut params.values) {
            if let Some((_, text)) = arguments.iter().find(|(name, _)| name == param.name) {
                *value = Value::parse(param, text)?;
            }
        }
        let declared = info.params.iter().map(|param| param.name);
        let given = declared.filter(|name| arguments.iter().any(|(given, _)| given == name));
        Ok(Self {
            cutoff,
            point,
            said: Said::Some(given.collect()),
            ..params
        })
    }

    /// The default parameters, without a cutoff. `default_of` returns those that differ from Cranfield's.
    pub fn defaults(
        info: &'static MeasureInfo,
        default_of: impl Fn(&ParamInfo) -> Option<Value>,
    ) -> Self {
        let values = info.params.iter().map(|param| {
            let value = default_of(param).unwrap_or_else(|| own_default(param));
            (param.name, value)
        });
        Self {
            cutoff: None,
            point: None,
            values: values.collect(),
            said: Said::Some(Vec::new()),
        }
    }

    /// Marks all parameters as fixed by the name.
    #[must_use]
    pub(crate) fn all_said(self) -> Self {
        Self {
            said: Said::All,
            ..self
        }
    }

    /// Whether the name fixes all parameters, as another program's does.
    pub fn are_all_said(&self) -> bool {
        matches!(self.said, Said::All)
    }

    /// Fixes what Cranfield's canonical name does: of another program's name, the parameters that differ from Cranfield's default.
    #[must_use]
    pub fn as_canonical(self) -> Self {
        match self.said {
            Said::All => Self {
                said: Said::Some(Vec::new()),
                ..self
            },
            Said::Some(_) => self,
        }
    }

    /// Name and value of the parameters that the name fixes.
    pub fn said(&self, info: &MeasureInfo) -> Vec<(&'static str, &Value)> {
        let declared = info.params.iter().zip(&self.values);
        let said = declared.filter(|(param, (name, value))| match &self.said {
            Said::All => true,
            Said::Some(names) => names.contains(name) || own_default(param) != *value,
        });
        said.map(|(_, (name, value))| (*name, value)).collect()
    }

    /// Sets the cutoff.
    #[must_use]
    pub fn with_cutoff(self, cutoff: Cutoff) -> Self {
        Self {
            cutoff: Some(cutoff),
            ..self
        }
    }

    /// Sets the point after `@`.
    #[must_use]
    pub fn with_point(self, point: f64) -> Self {
        Self {
            point: Some(point),
            ..self
        }
    }

    /// Removes the cutoff or point.
    #[must_use]
    pub fn without_cutoff(self) -> Self {
        Self {
            cutoff: None,
            point: None,
            ..self
        }
    }

    /// Replaces the value of a declared parameter; has no effect for other names.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        if let Some((_, old)) = self.values.iter_mut().find(|(known, _)| *known == name) {
            *old = value;
        }
        self
    }

    /// The number of documents after `@`, if given.
    pub fn cutoff(&self) -> Option<Cutoff> {
        self.cutoff
    }

    /// The number of documents after `@`, for measures that require it.
    ///
    /// # Panics
    /// If the measure does not declare [`CutoffRule::Required`] and the name had none.
    pub fn required_cutoff(&self) -> usize {
        self.cutoff
            .expect("CutoffRule::Required is checked when the name is read")
            .get()
    }

    /// The real number after `@`, for measures that require it.
    ///
    /// # Panics
    /// If the measure does not declare [`CutoffRule::Point`].
    pub fn point(&self) -> f64 {
        self.point
            .expect("CutoffRule::Point is checked when the name is read")
    }

    /// The relevance level, [`ParamInfo::LEVEL`].
    pub fn level(&self) -> f64 {
        self.real("rel")
    }

    /// A declared number.
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(Value::Real(value)) => *value,
            other => unreachable!("`{name}` is not declared as a number but is {other:?}"),
        }
    }

    /// A declared list of numbers.
    pub fn reals(&self, name: &str) -> &[f64] {
        match self.value(name) {
            Some(Value::Reals(values)) => values,
            other => unreachable!("`{name}` is not declared as a list but is {other:?}"),
        }
    }

    /// A declared table of gains.
    pub fn gains(&self, name: &str) -> &Gains {
        match self.value(name) {
            Some(Value::Gains(gains)) => gains,
            other => unreachable!("`{name}` is not declared as gains but is {other:?}"),
        }
    }

    /// A declared word.
    pub fn word(&self, name: &str) -> &'static str {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            other => unreachable!("`{name}` is not declared as a word but is {other:?}"),
        }
    }

    /// A declared parameter's value.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The number of documents or the point after `@`, if any.
    pub fn at(&self) -> Option<String> {
        let cutoff = self.cutoff.map(|cutoff| cutoff.to_string());
        cutoff.or_else(|| Some(self.point?.to_string()))
    }

    /// Name and value, as a string, of the parameters that differ from their default.
    pub fn explicit(&self, info: &MeasureInfo) -> Vec<(String, String)> {
        let declared = info.params.iter().zip(&self.values);
        let given = declared.filter(|(param, (_, value))| own_default(param) != *value);
        given
            .map(|(_, (name, value))| {
                let text = value.to_string();
                ((*name).to_owned(), text.trim_matches('\'').to_owned())
            })
            .collect()
    }

    /// The suffix of the name: parameters that differ from their default, and the cutoff.
    pub fn suffix(&self, info: &MeasureInfo) -> String {
        let declared = info.params.iter().zip(&self.values);
        let given = declared.filter(|(param, (_, value))| own_default(param) != *value);
        self.suffix_of(given.map(|(_, (name, value))| (*name, value)))
    }

    /// The suffix of the name with all parameters that it fixes, including defaults.
    pub(crate) fn said_suffix(&self, info: &MeasureInfo) -> String {
        self.suffix_of(self.said(info).into_iter())
    }

    fn suffix_of<'v>(&self, given: impl Iterator<Item = (&'static str, &'v Value)>) -> String {
        let given: Vec<_> = given
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let given = if given.is_empty() {
            String::new()
        } else {
            format!("({})", given.join(", "))
        };
        match self.at() {
            Some(at) => format!("{given}@{at}"),
            None => given,
        }
    }
}

fn check_names(info: &MeasureInfo, arguments: &[(String, String)]) -> Result<(), Error> {
    for (at, (name, _)) in arguments.iter().enumerate() {
        if !info.params.iter().any(|param| param.name == name) {
            let known: Vec<_> = info.params.iter().map(|param| param.name).collect();
            let known = if known.is_empty() {
                "it has none".into()
            } else {
                known.join(", ")
            };
            let name = shown(name);
            let message = format!("{} has no parameter `{name}`; known: {known}", info.name);
            return Err(Error::parameter(message));
        }
        if arguments[..at].iter().any(|(earlier, _)| earlier == name) {
            let message = format!("parameter `{name}` of {} is given twice", info.name);
            return Err(Error::parameter(message));
        }
    }
    Ok(())
}

fn check_cutoff(
    info: &MeasureInfo,
    text: Option<&str>,
) -> Result<(Option<Cutoff>, Option<f64>), Error> {
    let name = info.name;
    let shown = shown(text.unwrap_or_default());
    match (info.cutoff, text) {
        (CutoffRule::None | CutoffRule::Optional, None) => Ok((None, None)),
        (CutoffRule::None, Some(_)) => Err(Error::parameter(format!(
            "{name} has no cutoff, but `@{shown}` was given"
        ))),
        (CutoffRule::Required, None) => Err(Error::parameter(format!(
            "{name} needs a cutoff, such as {name}@10"
        ))),
        (CutoffRule::Point, None) => Err(Error::parameter(format!(
            "{name} needs a point, such as {name}@0.5"
        ))),
        (CutoffRule::Point, Some(text)) => match finite(text) {
            Some(point) => Ok((None, Some(point))),
            None => Err(Error::parameter(format!(
                "{name}@ needs a number, not `{shown}`"
            ))),
        },
        (CutoffRule::Optional | CutoffRule::Required, Some(text)) => {
            match text.parse().ok().and_then(Cutoff::new) {
                Some(cutoff) => Ok((Some(cutoff), None)),
                None => Err(not_a_cutoff(name, text)),
            }
        }
    }
}

/// The error for the part after `@`, which says how to write what was meant.
fn not_a_cutoff(name: &str, text: &str) -> Error {
    let hint = match text.split_once(['(', ',']) {
        Some((cutoff, rest)) if rest.ends_with(')') => {
            format!("; write {name}({}@{}", shown(rest), shown(cutoff))
        }
        Some((first, _)) => format!("; write {name}@{} for each cutoff", shown(first)),
        None => String::new(),
    };
    let text = shown(text);
    Error::parameter(format!(
        "{name}@ needs a number of documents of at least 1, not `{text}`{hint}"
    ))
}

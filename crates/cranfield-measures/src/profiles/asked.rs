//! How a program computes a measure given by Cranfield's name: explicit parameters are kept, and unspecified
//! ones take the program's values.

use std::fmt;

use cranfield_core::grammar::Spec;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::params::Value;

use super::{At, Meaning};
use crate::profiles::Profile;
use crate::spec::Conventions;
use crate::trec_names;

/// A measure as defined by a program.
#[derive(Clone, Debug)]
pub struct InProgram {
    /// The measure, with the program's parameters and policies.
    pub measure: BoundMeasure,
    /// Differences from Cranfield's measure of this name.
    pub differences: Vec<Difference>,
    /// The reasons given for this name in the program's table.
    reasons: Reasons,
}

/// Sentences by subject: a parameter, a policy, `cutoff`, or `measure`.
pub(super) type Reasons = &'static [(&'static str, &'static str)];

/// A difference between two definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A parameter, `cutoff`, or `measure` for the rest of the definition.
    pub what: &'static str,
    /// A sentence on the program's definition.
    pub reason: String,
}

/// Why a program has no value for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotThere {
    /// It has no such measure.
    NoMeasure,
    /// It has a measure of this name, but does not support the given parameters.
    NotSo(Vec<String>),
}

impl fmt::Display for NotThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMeasure => f.write_str("it has no such measure"),
            Self::NotSo(reasons) => f.write_str(&reasons.join("; ")),
        }
    }
}

impl InProgram {
    /// Describes how the policy of this name differs from Cranfield's for this measure.
    pub fn policy_reason(&self, profile: Profile, policy: &str) -> Option<&'static str> {
        sentence(self.reasons, policy).or_else(|| profile.program().reason(policy))
    }
}

fn sentence(reasons: Reasons, what: &str) -> Option<&'static str> {
    let found = reasons.iter().find(|(known, _)| *known == what);
    found.map(|(_, sentence)| *sentence)
}

/// Reason to reject a name without a cutoff.
pub(crate) const NEEDS_CUTOFF: &str = "it needs a cutoff";

/// Reason to reject a name with a cutoff.
pub(crate) const NO_CUTOFF: &str = "it has no cutoff";

/// Measures of `trec_eval` 10 that version 9 lacks.
const SINCE_10: [&str; 5] = ["DCG", "IDCG", "RBP", "RBPResidual", "Unjudged"];

/// Translates a measure to a program's definition.
///
/// Explicit parameters are kept, even if they are Cranfield's defaults; the others take the program's values.
/// If the program does not support an explicit value, the result is an error. All parameters of a program's own
/// name count as explicit.
///
/// ```
/// use cranfield_measures::profiles::Profile;
/// use cranfield_measures::profiles::in_program;
/// use cranfield_measures::spec::{Conventions, parse_measure};
///
/// let own = parse_measure("nDCG@10", &Conventions::default())?;
/// let name = |profile| in_program(profile, &own).map(|found| found.measure.to_string());
/// assert_eq!(name(Profile::Gdeval).as_deref(), Ok("nDCG(gains='exp')@10"));
/// assert_eq!(name(Profile::Ntcireval).as_deref(), Ok("nDCG(discount='jk')@10"));
/// assert_eq!(name(Profile::Ndeval).unwrap_err().to_string(), "it has no such measure");
/// let own = parse_measure("nDCG(gains='grade')@10", &Conventions::default())?;
/// let why = in_program(Profile::Gdeval, &own).unwrap_err();
/// assert_eq!(why.to_string(), "gains are 2^grade - 1");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn in_program(profile: Profile, own: &BoundMeasure) -> Result<InProgram, NotThere> {
    if profile == Profile::Cranfield {
        return Ok(InProgram {
            measure: own.clone(),
            differences: Vec::new(),
            reasons: &[],
        });
    }
    let too_new = profile == Profile::TrecEval9 && SINCE_10.contains(&own.info.name);
    if too_new {
        return Err(NotThere::NotSo(vec!["only version 10 supports it".into()]));
    }
    let attempts = attempts(profile, own);
    // A canonical name with parameters is a specific measure, which the program may have under another name.
    let says = !own.params.explicit(own.info).is_empty();
    let found = attempts
        .iter()
        .filter_map(|attempt| Some((attempt.place(own, says)?, attempt.found.as_ref().ok()?)));
    if let Some((_, found)) = found.min_by_key(|(place, _)| *place) {
        return Ok(found.clone());
    }
    let failed = attempts.into_iter().filter_map(|attempt| {
        let (unusual, other_name) = (!attempt.usual, !attempt.of_own_name);
        let reasons = attempt.found.err()?;
        // Another of its names may take the cutoff.
        let of_cutoff = reasons
            .iter()
            .any(|why| [NEEDS_CUTOFF, NO_CUTOFF].contains(&why.as_str()));
        Some(((of_cutoff, unusual, other_name), reasons))
    });
    let why = failed.min_by_key(|(place, _)| *place);
    Err(why.map_or(NotThere::NoMeasure, |(_, reasons)| NotThere::NotSo(reasons)))
}

/// An attempt to express Cranfield's name by one of the program's names.
struct Attempt {
    /// Whether the program's name has this meaning without an argument.
    usual: bool,
    /// Whether it is also Cranfield's name.
    of_own_name: bool,
    found: Result<InProgram, Vec<String>>,
}

impl Attempt {
    /// Precedence, lowest first; `None` if this name is not intended.
    fn place(&self, own: &BoundMeasure, says: bool) -> Option<(u8, usize)> {
        let found = self.found.as_ref().ok()?;
        let is_exact =
            found.measure.info.name == own.info.name && found.measure.params == own.params;
        // A program may have several names for one measure with different parameters.
        let place = match (is_exact, self.usual, self.of_own_name) {
            (true, _, _) if says => 0,
            (_, true, true) => 1,
            (_, true, false) => 2,
            (true, false, _) => 3,
            (false, false, _) => return None,
        };
        Some((place, found.differences.len()))
    }
}

fn attempts(profile: Profile, own: &BoundMeasure) -> Vec<Attempt> {
    let conventions = Conventions::of(profile);
    let names = profile.program().names.iter();
    let names = names.filter(|meaning| {
        meaning.thought_of() == own.info.name || meaning.family() == own.info.name
    });
    let mut attempts: Vec<Attempt> = names
        .map(|meaning| Attempt {
            usual: meaning.when.is_none(),
            of_own_name: meaning.name.eq_ignore_ascii_case(own.info.name),
            found: meaning.ask(own, &conventions),
        })
        .collect();
    if profile.prints_trec_names() && attempts.is_empty() {
        let rows = trec_names::asked(own, &conventions).into_iter();
        attempts.extend(rows.map(|row| Attempt {
            usual: true,
            of_own_name: true,
            found: row.and_then(|measure| compared(own, measure, &[])),
        }));
    }
    attempts
}

/// The program's measure, if it supports all explicit parameters.
fn compared(
    own: &BoundMeasure,
    measure: BoundMeasure,
    reasons: Reasons,
) -> Result<InProgram, Vec<String>> {
    let is_whole = own.params.are_all_said();
    let same_family = measure.info.name == own.info.name;
    let same_cutoff = measure.params.at() == own.params.at();
    let text =
        |what: &str, otherwise: String| sentence(reasons, what).map_or(otherwise, Into::into);
    let mut missing = Vec::new();
    if is_whole && !same_family {
        missing.push(text("measure", format!("it is {}", measure.info.name)));
    }
    if is_whole && !same_cutoff {
        missing.push(text("cutoff", "its cutoff differs".into()));
    }
    for (name, value) in own.params.said(own.info) {
        match measure.params.value(name) {
            Some(there) if there == value => {}
            Some(there) => missing.push(text(name, format!("`{name}` is {there}, not {value}"))),
            None if is_whole => {}
            None => missing.push(format!("it has no parameter `{name}`")),
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let mut differences = Vec::new();
    let mut differ = |what, reason| differences.push(Difference { what, reason });
    if !same_family && let Some(reason) = sentence(reasons, "measure") {
        differ("measure", reason.into());
    }
    if !same_cutoff {
        differ("cutoff", text("cutoff", "its cutoff differs".into()));
    }
    for param in measure.info.params {
        let values = (
            measure.params.value(param.name),
            own.params.value(param.name),
        );
        if let (Some(there), Some(here)) = values
            && there != here
        {
            let otherwise = format!("`{}` is {there}, not {here}", param.name);
            differ(param.name, text(param.name, otherwise));
        }
    }
    Ok(InProgram {
        measure,
        differences,
        reasons,
    })
}

impl Meaning {
    /// Computes Cranfield's measure under this name of the program, or explains why that is not possible.
    fn ask(&self, own: &BoundMeasure, conventions: &Conventions) -> Result<InProgram, Vec<String>> {
        if !self.not_copied.is_empty() {
            return Err(vec![self.not_copied.into()]);
        }
        let cutoff = own.params.at();
        match (self.at, &cutoff) {
            (At::Always, None) => return Err(vec![NEEDS_CUTOFF.into()]),
            (At::Never | At::Parameter(_), Some(_)) => {
                return Err(vec![NO_CUTOFF.into()]);
            }
            _ => {}
        }
        let said = own.params.said(own.info);
        if !self.needs.is_empty() && !said.iter().any(|(name, _)| *name == self.needs) {
            return Err(vec![format!(
                "`{}` must be given, since it has no default",
                self.needs
            )]);
        }
        let arguments = said
            .iter()
            .filter_map(|(name, value)| self.argument(name, value));
        let spec = Spec {
            name: self.name.into(),
            arguments: arguments.collect(),
            cutoff,
        };
        let measure = self.bind(&spec, conventions);
        let measure = measure.map_err(|error| vec![error.to_string()])?;
        compared(own, measure, self.reasons)
    }

    /// The program's argument for one of our parameters, if it can express the value.
    fn argument(&self, name: &str, value: &Value) -> Option<(String, String)> {
        let text = value.to_string().trim_matches('\'').to_owned();
        // Programs take gains per grade; a rule cannot be passed.
        let is_rule = matches!(value, Value::Gains(gains) if gains.pairs().is_empty());
        let mut takes = self.takes.iter();
        if let Some(argument) = takes.find(|argument| self.own_name(argument) == name) {
            return (!is_rule).then(|| ((*argument).to_owned(), text));
        }
        if matches!(self.at, At::Parameter(param) if param == name) {
            return Some((name.to_owned(), text));
        }
        let by_level = self
            .takes
            .iter()
            .find(|argument| self.own_name(argument) == "gains<")?;
        let level = super::names::level_of_gains(&text).filter(|_| name == "gains")?;
        Some(((*by_level).to_owned(), level.to_string()))
    }
}

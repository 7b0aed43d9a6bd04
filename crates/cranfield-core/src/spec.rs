//! The grammar of measure names.
//!
//! ```text
//! list      = item { [","] item }
//! canonical = NAME [ "(" [ KEY "=" VALUE { "," KEY "=" VALUE } ] ")" ] [ "@" NUMBER ]
//! VALUE     = NUMBER | WORD | "'" any text without quotes "'" (or double quotes)
//! ```
//!
//! In addition to the canonical form, the names of other programs are accepted: `trec_eval` (`ndcg_cut_10`,
//! `ndcg_cut.5,10`, `map`, groups such as `official`), and the programs of [`crate::profiles`] (`rbp.95`,
//! `ndcg_burges@10`, `MSnDCG@0010`). A canonical name that was printed parses back to itself.
//!
//! Under a profile, the program of the profile sets the parameters that a canonical name leaves open. If the program has no such
//! measure, Cranfield's defaults apply. A name of another program means that program's definition under every profile.

use std::fmt;

use crate::error::{Error, ErrorKind, shown};
use crate::measure::{BoundMeasure, Computation, MeasureInfo};
use crate::measures::MEASURES;
use crate::params::{CutoffRule, ParamInfo, ParamKind, Params, Value};
use crate::policy::Profile;
use crate::setting::{Message, Setting};
use crate::{profiles, trec_names};

/// Maximum length of a list of names, as a guard against hostile input.
pub(crate) const MAX_TEXT: usize = 1 << 16;

/// The name of all measures together.
const ALL: &str = "all";

/// The defaults of parameters that a name leaves open, from the profile and the user's settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conventions {
    /// The profile.
    pub profile: Profile,
    /// The lowest grade that counts as relevant, if a name does not set it.
    pub level: Option<f64>,
}

impl Conventions {
    /// The conventions of a profile.
    pub fn of(profile: Profile) -> Self {
        Self {
            profile,
            level: None,
        }
    }

    /// The value of a parameter that a name leaves open, where it is not the measure's own default.
    pub(crate) fn default_of(&self, info: &MeasureInfo, param: &ParamInfo) -> Option<Value> {
        if param.kind == ParamKind::Level {
            return self.level.map(Value::Real);
        }
        let text = self.profile.convention(info.name, param.name)?;
        Value::parse(param, text).ok()
    }
}

/// Parses measure names separated by spaces, or by commas outside of a name's own list.
///
/// One name may mean several measures (`P.5,10`, `official`, `all`). A repeated measure is kept once, at its first place.
///
/// ```
/// use cranfield_core::spec::{Conventions, parse_measures};
///
/// let measures = parse_measures("nDCG@10 AP(rel=2)@100 P.5,10", &Conventions::default())?;
/// let names: Vec<_> = measures.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["nDCG@10", "AP(rel=2)@100", "P@5", "P@10"]);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn parse_measures(text: &str, conventions: &Conventions) -> Result<Vec<BoundMeasure>, Error> {
    if text.len() > MAX_TEXT {
        return Err(Error::syntax(format!(
            "list of measures is longer than {MAX_TEXT} bytes"
        )));
    }
    let text = &text.replace('"', "'");
    let mut measures: Vec<BoundMeasure> = Vec::new();
    for item in split_items(text)? {
        for measure in read_names(item, |name| parse_name(name, conventions))? {
            if !measures.iter().any(|known| known.same_as(&measure)) {
                measures.push(measure);
            }
        }
    }
    Ok(measures)
}

/// Parses one canonical name.
pub fn parse_measure(text: &str, conventions: &Conventions) -> Result<BoundMeasure, Error> {
    let mut spec = Spec::parse(text)?;
    let info = find(&spec.name).ok_or_else(|| unknown(&spec.name))?;
    spec.add_recall_rule(conventions);
    info.bind(Params::check(
        info,
        &spec.arguments,
        spec.cutoff.as_deref(),
        conventions,
    )?)
}

/// The measure family of this name or alias: exact first, then without regard to case.
pub fn find(name: &str) -> Option<&'static MeasureInfo> {
    let folded = || {
        MEASURES
            .iter()
            .find(|info| {
                let mut names = std::iter::once(&info.name).chain(info.aliases);
                names.any(|known| known.eq_ignore_ascii_case(name))
            })
            .copied()
    };
    find_exact(name).or_else(folded)
}

/// The measure family of exactly this name.
pub(crate) fn find_exact(name: &str) -> Option<&'static MeasureInfo> {
    MEASURES.iter().find(|info| info.name == name).copied()
}

/// Reads an item of a list as one name, or else as several names with commas between them.
pub(crate) fn read_names<T>(
    item: &str,
    read: impl Fn(&str) -> Result<Vec<T>, Error>,
) -> Result<Vec<T>, Error> {
    read(item).or_else(|error| {
        let names = split_names(item);
        if names.len() < 2 {
            return Err(error);
        }
        let found: Result<Vec<_>, _> = names.iter().map(|name| read(name)).collect();
        Ok(found?.into_iter().flatten().collect())
    })
}

/// Splits `AP,P.5,10,RR` into `AP`, `P.5,10` and `RR`: a number after a comma belongs to the name before it, as in `trec_eval`.
pub(crate) fn split_names(item: &str) -> Vec<String> {
    let is_number =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| b"0123456789.=+-".contains(&byte));
    let mut names: Vec<String> = Vec::new();
    for part in split_outside(item, |byte| byte == b',') {
        match names.last_mut() {
            Some(name) if is_number(part) => *name += &format!(",{part}"),
            _ if part.is_empty() => {}
            _ => names.push(part.into()),
        }
    }
    names
}

fn parse_name(item: &str, conventions: &Conventions) -> Result<Vec<BoundMeasure>, Error> {
    let read = match profiles::parse(item, conventions) {
        Some(Ok(found)) => return Ok(vec![found]),
        Some(Err(error)) => Err(error),
        None => parse_own(item, conventions),
    };
    let found = read.or_else(|error| {
        // The grammars of ir_measures and ranx are so close that their arguments are read with our names too.
        let programs = match error.kind() {
            ErrorKind::UnknownName => Profile::ALL,
            _ => &[Profile::IrMeasures, Profile::Ranx],
        };
        let foreign = profiles::parse_foreign(item, conventions, programs);
        foreign.map(|measure| vec![measure]).ok_or(error)
    })?;
    let restated = found
        .into_iter()
        .map(|measure| profiles::restate(measure, conventions));
    Ok(restated.collect())
}

fn parse_own(item: &str, conventions: &Conventions) -> Result<Vec<BoundMeasure>, Error> {
    if item == ALL {
        return Ok(all(conventions));
    }
    // First ranx: trec_eval would call `rbp.95` malformed.
    if let Some(canonical) = from_ranx(item) {
        return Ok(vec![parse_measure(&canonical, conventions)?.all_said()]);
    }
    if let Some(found) = trec_names::parse(item, conventions) {
        let found = found?.into_iter();
        return Ok(found.map(BoundMeasure::all_said).collect());
    }
    Ok(vec![parse_measure(item, conventions)?])
}

/// Every measure that needs only grades, with its default parameters, at 10 documents or at the point 0.5 if it needs a cutoff
/// or a point.
fn all(conventions: &Conventions) -> Vec<BoundMeasure> {
    let named = MEASURES.iter().filter_map(|info| {
        let end = match info.cutoff {
            CutoffRule::Required => "@10",
            CutoffRule::Point => "@0.5",
            CutoffRule::None | CutoffRule::Optional => "",
        };
        parse_measure(&format!("{}{end}", info.name), conventions).ok()
    });
    let needs_grades_only = |measure: &BoundMeasure| {
        matches!(
            measure.computation,
            Computation::Ranked(_)
                | Computation::Text(_)
                | Computation::TopicCount
                | Computation::RunId
        )
    };
    named.filter(needs_grades_only).collect()
}

/// ranx writes the persistence of RBP as digits behind a dot: `rbp.95`.
fn from_ranx(item: &str) -> Option<String> {
    let digits = item.strip_prefix("rbp.")?;
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all_digits.then(|| format!("RBP(p=0.{digits}, gains='grade')"))
}

/// The syntactic parts of a canonical name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spec {
    pub(crate) name: String,
    pub(crate) arguments: Vec<(String, String)>,
    pub(crate) cutoff: Option<String>,
}

/// The text that has these parts.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = self.arguments.iter();
        let arguments: Vec<_> = arguments
            .map(|(key, value)| format!("{key}='{value}'"))
            .collect();
        write!(f, "{}({})", self.name, arguments.join(", "))?;
        match &self.cutoff {
            Some(cutoff) => write!(f, "@{cutoff}"),
            None => Ok(()),
        }
    }
}

impl Spec {
    /// The parts of a measure's canonical name.
    pub(crate) fn of(measure: &BoundMeasure) -> Self {
        let params = &measure.params;
        Self {
            name: measure.info.name.into(),
            arguments: params.explicit(measure.info),
            cutoff: params.at(),
        }
    }

    /// Adds the recall rule that a name of `trec_eval` implies, unless the arguments choose one.
    pub(crate) fn add_recall_rule(&mut self, conventions: &Conventions) {
        let is_given = self.arguments.iter().any(|(name, _)| name == "recall");
        if let Some(rule) = trec_names::recall_rule(&self.name, conventions).filter(|_| !is_given) {
            self.arguments.push(("recall".into(), rule.into()));
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let name_end = text.find(['(', '@']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(name_end);
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::syntax(format!(
                "`{}` does not start with a measure's name",
                shown(text)
            )));
        }
        let mut arguments = Vec::new();
        if let Some(inner) = rest.strip_prefix('(') {
            let close = closing_parenthesis(inner).ok_or_else(|| {
                Error::syntax(format!("`{}` lacks a closing parenthesis", shown(text)))
            })?;
            arguments = parse_arguments(&inner[..close])?;
            rest = &inner[close + 1..];
        }
        let cutoff = match rest.trim() {
            "" => None,
            tail => Some(tail.strip_prefix('@').map(str::trim).ok_or_else(|| {
                Error::syntax(format!(
                    "expected `@` and a cutoff after `{}`, found `{}`",
                    shown(name),
                    shown(tail)
                ))
            })?),
        };
        Ok(Self {
            name: name.into(),
            arguments,
            cutoff: cutoff.map(Into::into),
        })
    }
}

/// Position of the `)` that is not inside quotes.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.bytes().position(|byte| {
        quoted ^= byte == b'\'';
        byte == b')' && !quoted
    })
}

fn parse_arguments(text: &str) -> Result<Vec<(String, String)>, Error> {
    let mut arguments = Vec::new();
    if text.trim().is_empty() {
        return Ok(arguments);
    }
    for part in split_outside(text, |byte| byte == b',') {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| not_an_argument(part.trim()))?;
        let value = value.trim();
        let value = value
            .strip_prefix('\'')
            .and_then(|v| v.strip_suffix('\''))
            .unwrap_or(value);
        if value.contains('\'') {
            return Err(Error::syntax(format!(
                "unbalanced quotes in `{}`",
                shown(part.trim())
            )));
        }
        arguments.push((key.trim().into(), value.into()));
    }
    Ok(arguments)
}

fn not_an_argument(part: &str) -> Error {
    let hint = match part.parse::<f64>() {
        Ok(_) => "; put a list in quotes, such as gains='0,1,10'",
        Err(_) => "",
    };
    Error::syntax(format!(
        "`{}` is not of the form name=value{hint}",
        shown(part)
    ))
}

/// Splits at bytes for which `is_separator` holds, outside of quotes and parentheses.
fn split_outside(text: &str, is_separator: impl Fn(u8) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut depth) = (0, false, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            byte if !quoted && depth == 0 && is_separator(byte) => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Splits a list at white space outside of quotes and parentheses, and removes commas from the ends of items.
pub(crate) fn split_items(text: &str) -> Result<Vec<&str>, Error> {
    let mut items = split_outside(text, |byte| byte.is_ascii_whitespace());
    // An unclosed quote or parenthesis reaches to the end of the text.
    if let Some(what) = items.last().and_then(|last| unclosed(last)) {
        return Err(Error::syntax(format!(
            "unclosed {what} in `{}`",
            shown(text)
        )));
    }
    items.retain_mut(|item| {
        *item = item.trim_matches(',');
        !item.is_empty()
    });
    Ok(items)
}

/// The kind of bracket that is left open, if any.
fn unclosed(text: &str) -> Option<&'static str> {
    let (mut quoted, mut depth) = (false, 0usize);
    for byte in text.bytes() {
        match byte {
            b'\'' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    match (quoted, depth) {
        (true, _) => Some("quote"),
        (false, 0) => None,
        (false, _) => Some("parenthesis"),
    }
}

/// Maximum length of a name for which similar ones are searched.
const MAX_SIMILAR: usize = 60;

/// The error for an unknown name, with similar known names.
pub(crate) fn unknown(name: &str) -> Error {
    let near: Vec<_> = similar(name)
        .iter()
        .map(|known| format!("`{known}`"))
        .collect();
    let hint = if name.eq_ignore_ascii_case("PR") {
        let vector = Setting::Vector.to("PR@100");
        Message::from("the curve of precision against recall is a vector: use ").then(vector)
    } else if near.is_empty() {
        "`cranfield measures` lists all".into()
    } else {
        format!("did you mean {}?", near.join(", ")).into()
    };
    Error::unknown(Message::from(format!("unknown measure `{}`; ", shown(name))).then(hint))
}

/// At most three names close to this one, the nearest first.
fn similar(name: &str) -> Vec<&'static str> {
    if name.len() > MAX_SIMILAR {
        return Vec::new();
    }
    let wanted = name.to_ascii_lowercase();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for known in known_names() {
        let distance = strsim::damerau_levenshtein(&wanted, &known.to_ascii_lowercase());
        let close = distance <= 1 + known.len().min(wanted.len()) / 3;
        if close
            && !near
                .iter()
                .any(|(_, other)| other.eq_ignore_ascii_case(known))
        {
            near.push((distance, known));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The name that another one was most likely meant to be.
///
/// ```
/// use cranfield_core::spec::nearest_name;
/// assert_eq!(nearest_name("alhpa", &["alpha", "margin"]), Some("alpha"));
/// assert_eq!(nearest_name("x", &["alpha", "margin"]), None);
/// ```
pub fn nearest_name<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    if name.len() > MAX_SIMILAR {
        return None;
    }
    let wanted = name.to_ascii_lowercase();
    let distance = |known: &&str| strsim::damerau_levenshtein(&wanted, &known.to_ascii_lowercase());
    let nearest = known.iter().copied().min_by_key(distance)?;
    let close = distance(&nearest) <= 1 + nearest.len().min(wanted.len()) / 3;
    (close && distance(&nearest) < nearest.len()).then_some(nearest)
}

fn known_names() -> impl Iterator<Item = &'static str> {
    let own = MEASURES
        .iter()
        .flat_map(|info| std::iter::once(info.name).chain(info.aliases.iter().copied()));
    own.chain(trec_names::names())
}

#[cfg(test)]
mod tests;

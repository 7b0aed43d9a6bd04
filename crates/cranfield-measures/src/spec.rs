//! Measures by name, in the form of [`cranfield_core::grammar`].
//!
//! In addition to the canonical form, the names of other programs are accepted: `trec_eval` (`ndcg_cut_10`,
//! `ndcg_cut.5,10`, `map`, groups such as `official`), and the programs of [`crate::profiles`] (`rbp.95`,
//! `ndcg_burges@10`, `MSnDCG@0010`). A canonical name that was printed parses back to itself.
//!
//! Under a profile, the program of the profile sets the parameters that a canonical name leaves open. If the program has no such
//! measure, Cranfield's defaults apply. A name of another program means that program's definition under every profile.

use cranfield_core::error::{Error, ErrorKind, shown};
use cranfield_core::grammar::{MAX_TEXT, Spec, read_names, similar, split_items};
use cranfield_core::measure::{BoundMeasure, Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind, Params, Value};
use cranfield_core::setting::{Message, Setting};

use crate::measures::MEASURES;
use crate::profiles::{self, Profile};
use crate::trec_names;

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

    /// The parameters of a name under these conventions; see [`Params::check`].
    pub(crate) fn check(
        &self,
        info: &'static MeasureInfo,
        arguments: &[(String, String)],
        cutoff: Option<&str>,
    ) -> Result<Params, Error> {
        Params::check(info, arguments, cutoff, |param| {
            self.default_of(info, param)
        })
    }

    /// The default parameters under these conventions.
    pub fn defaults(&self, info: &'static MeasureInfo) -> Params {
        Params::defaults(info, |param| self.default_of(info, param))
    }

    /// The value of a parameter that a name leaves open, where it is not the measure's own default.
    fn default_of(&self, info: &MeasureInfo, param: &ParamInfo) -> Option<Value> {
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
/// use cranfield_measures::spec::{Conventions, parse_measures};
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
    trec_names::add_recall_rule(&mut spec, conventions);
    info.bind(conventions.check(info, &spec.arguments, spec.cutoff.as_deref())?)
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

/// The error for an unknown name, with similar known names.
pub(crate) fn unknown(name: &str) -> Error {
    let near: Vec<_> = match with_cutoff(name) {
        Some(meant) => vec![format!("`{meant}`")],
        None => similar(name, known_names())
            .iter()
            .map(|known| format!("`{known}`"))
            .collect(),
    };
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

/// The measure and cutoff that `ndcg10` or `nDCG_10` is meant to be.
fn with_cutoff(name: &str) -> Option<String> {
    let family = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let cutoff = &name[family.len()..];
    let info = find(family.trim_end_matches(['_', '-']))?;
    let takes_cutoff = matches!(info.cutoff, CutoffRule::Optional | CutoffRule::Required);
    (takes_cutoff && !cutoff.is_empty()).then(|| format!("{}@{cutoff}", info.name))
}

fn known_names() -> impl Iterator<Item = &'static str> {
    let own = MEASURES
        .iter()
        .flat_map(|info| std::iter::once(info.name).chain(info.aliases.iter().copied()));
    own.chain(trec_names::names())
}

#[cfg(test)]
mod tests;

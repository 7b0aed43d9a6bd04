//! From a program's names to measures, and from a measure to what a program calls so.

use super::{At, Meaning, Program};
use crate::error::Error;
use crate::measure::BoundMeasure;
use crate::params::Params;
use crate::policy::{Overrides, Profile, Unjudged};
use crate::spec::{Conventions, Spec, find_exact};
use crate::trec_names;

/// A measure as a program has it.
#[derive(Clone, Debug)]
pub struct InProgram {
    /// The measure, with the program's parameters and policies.
    pub measure: BoundMeasure,
    /// Why the measure is not the one of Cranfield's name; empty if it is.
    pub reason: &'static str,
}

/// Measures of `trec_eval` 10 that version 9 does not have.
const SINCE_10: [&str; 5] = ["DCG", "IDCG", "RBP", "RBPResidual", "Unjudged"];

/// What a program computes when it is asked for a measure by its name; `None` if it has no such measure.
///
/// Parameters that differ from Cranfield's defaults are taken over; the others are the program's.
///
/// ```
/// use cranfield_core::policy::Profile;
/// use cranfield_core::profiles::in_program;
/// use cranfield_core::spec::{Conventions, parse_measure};
///
/// let own = parse_measure("nDCG@10", &Conventions::default())?;
/// let name = |profile| in_program(profile, &own).map(|found| found.measure.to_string());
/// assert_eq!(name(Profile::Gdeval).as_deref(), Some("nDCG(gains='exp')@10"));
/// assert_eq!(name(Profile::Ntcireval).as_deref(), Some("nDCG(discount='jk')@10"));
/// assert_eq!(name(Profile::Ndeval), None);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn in_program(profile: Profile, own: &BoundMeasure) -> Option<InProgram> {
    if profile == Profile::Cranfield {
        return Some(InProgram {
            measure: own.clone(),
            reason: "",
        });
    }
    let conventions = Conventions::of(profile);
    let asked = Spec::of(own);
    let plain = Spec {
        arguments: Vec::new(),
        ..asked.clone()
    };
    let named = || {
        let names = profile.program().names.iter();
        names.filter(|meaning| meaning.thought_of() == own.info.name && meaning.fits_at(&asked))
    };
    let bound = |meaning: &Meaning, spec: &Spec| {
        Some(InProgram {
            measure: meaning.bind(spec, &conventions).ok()?,
            reason: meaning.reason,
        })
    };
    // A program may have several names for one measure with different parameters.
    let very_same = || {
        let mut found = named().filter_map(|meaning| bound(meaning, &plain));
        found.find(|InProgram { measure, .. }| {
            measure.info.name == own.info.name && measure.params == own.params
        })
    };
    let by_name = || {
        let usual = || named().filter(|meaning| meaning.when.is_none());
        let of_own_name =
            usual().filter(|meaning| meaning.name.eq_ignore_ascii_case(own.info.name));
        let mut found = of_own_name.chain(usual());
        found.find_map(|meaning| bound(meaning, &asked))
    };
    let of_trec_eval = || {
        let too_new = profile == Profile::TrecEval9 && SINCE_10.contains(&own.info.name);
        let known =
            profile.prints_trec_names() && !too_new && trec_names::printed_name(own).is_some();
        known.then(|| InProgram {
            measure: own.clone(),
            reason: "",
        })
    };
    let first = if asked.arguments.is_empty() {
        by_name().or_else(very_same)
    } else {
        very_same().or_else(by_name)
    };
    first.or_else(of_trec_eval)
}

/// Reads a name as the program of a profile writes it; `None` if it is none of that program's.
pub(crate) fn parse(item: &str, conventions: &Conventions) -> Option<Result<BoundMeasure, Error>> {
    let profile = conventions.profile;
    let program = profile.program();
    if program.names.is_empty() || profile.prints_trec_names() {
        return None;
    }
    let spec = read(item, profile)?;
    let meaning = find(program, &spec)?;
    Some(
        meaning
            .bind(&spec, conventions)
            .map(|measure| BoundMeasure {
                label: Some(item.trim().into()),
                ..measure
            }),
    )
}

/// Reads a name that is another program's than that of the profile. Its policies stay behind; a name that asks for
/// one itself, as `judged_only=True` does, is left to the program's profile, where it is printed as it was written.
pub(crate) fn parse_foreign(
    item: &str,
    conventions: &Conventions,
    programs: &[Profile],
) -> Option<BoundMeasure> {
    let others = programs
        .iter()
        .filter(|other| **other != conventions.profile);
    let mut read = others.filter_map(|profile| {
        let conventions = Conventions {
            profile: *profile,
            ..conventions.clone()
        };
        let measure = parse(item, &conventions)?.ok()?;
        measure.overrides.unjudged.is_none().then_some(measure)
    });
    read.next().map(|measure| BoundMeasure {
        label: None,
        overrides: Overrides::NONE,
        ..measure
    })
}

/// A measure that was named in another way, as the profile's program has it.
pub(crate) fn restate(measure: BoundMeasure, conventions: &Conventions) -> BoundMeasure {
    let profile = conventions.profile;
    let has_names = profile != Profile::Cranfield && !profile.prints_trec_names();
    if !has_names {
        return measure;
    }
    match in_program(profile, &measure) {
        Some(InProgram { measure: found, .. }) => BoundMeasure {
            label: Some(measure.to_string()),
            ..found
        },
        None => measure,
    }
}

/// The program's name that a text fits: exactly, or without regard to case.
fn find(program: &Program, spec: &Spec) -> Option<&'static Meaning> {
    let names: &'static [Meaning] = program.names;
    let fits = |meaning: &&Meaning| meaning.fits_at(spec) && meaning.fits_arguments(spec);
    let exact = names
        .iter()
        .filter(fits)
        .find(|known| known.name == spec.name);
    exact.or_else(|| {
        let mut fitting = names.iter().filter(fits);
        fitting.find(|known| known.name.eq_ignore_ascii_case(&spec.name))
    })
}

impl Meaning {
    /// Our name of an argument.
    fn own_name<'n>(&self, argument: &'n str) -> &'n str {
        let renamed = self.renamed.iter().find(|(name, _)| *name == argument);
        renamed.map_or(argument, |(_, own)| own)
    }

    fn is_cutoff(&self, argument: &str) -> bool {
        matches!(self.own_name(argument), "@" | "cutoff")
    }

    fn fits_at(&self, spec: &Spec) -> bool {
        let given =
            spec.cutoff.is_some() || spec.arguments.iter().any(|(name, _)| self.is_cutoff(name));
        match self.at {
            At::Maybe | At::Parameter(_) => true,
            At::Always => given,
            At::Never => !given,
        }
    }

    fn fits_arguments(&self, spec: &Spec) -> bool {
        self.when.is_none_or(|(name, wanted)| {
            let mut given = spec.arguments.iter().filter(|(known, _)| known == name);
            given.any(|(_, value)| wanted.is_empty() || value == wanted)
        })
    }

    /// The measure that a text of this name asks for.
    fn bind(&self, spec: &Spec, conventions: &Conventions) -> Result<BoundMeasure, Error> {
        let template = Spec::parse(self.measure)?;
        let info = find_exact(&template.name)
            .ok_or_else(|| Error::unknown(format!("`{}` is not available", self.name)))?;
        let (mut overrides, mut cutoff) = (self.overrides, None);
        let mut arguments = Vec::new();
        for (name, value) in &spec.arguments {
            if self
                .when
                .is_some_and(|(used, wanted)| used == name && !wanted.is_empty())
            {
                continue;
            }
            match self.own_name(name) {
                name if self.is_cutoff(name) => cutoff = Some(value.clone()),
                "judged_only" => {
                    overrides.unjudged = condensed(value)?;
                }
                "gains<" => arguments.extend(gains_from(value)?),
                name => arguments.push((name.to_owned(), value.clone())),
            }
        }
        let mut cutoff = spec.cutoff.clone().or(cutoff).or(template.cutoff);
        if let At::Parameter(name) = self.at {
            arguments.extend(cutoff.take().map(|value| (name.to_owned(), value)));
        }
        for (name, value) in template.arguments {
            if !arguments.iter().any(|(given, _)| *given == name) {
                arguments.push((name, value));
            }
        }
        let params = Params::check(info, &arguments, cutoff.as_deref(), conventions)?;
        let measure = info.bind(params)?;
        Ok(BoundMeasure {
            overrides,
            ..measure
        })
    }
}

fn condensed(value: &str) -> Result<Option<Unjudged>, Error> {
    match value {
        "True" => Ok(Some(Unjudged::Condensed)),
        "False" => Ok(None),
        _ => Err(Error::parameter(format!(
            "parameter `judged_only` must be True or False, not `{}`",
            crate::error::shown(value)
        ))),
    }
}

/// Highest level from which grades can have gains.
const MAX_LEVEL: u32 = 100;

/// Gains that leave grades below a level without: `'1=0,2=0'` for level 3.
fn gains_from(level: &str) -> Result<Option<(String, String)>, Error> {
    let level = level
        .parse::<u32>()
        .ok()
        .filter(|level| *level <= MAX_LEVEL);
    let level = level.ok_or_else(|| {
        Error::parameter(format!(
            "a level of gains must be a whole number up to {MAX_LEVEL}"
        ))
    })?;
    let none: Vec<String> = (1..level).map(|grade| format!("{grade}=0")).collect();
    Ok((!none.is_empty()).then(|| ("gains".to_owned(), none.join(","))))
}

/// The parts of a name as a program writes it.
fn read(item: &str, profile: Profile) -> Option<Spec> {
    match profile {
        Profile::IrMeasures => Spec::parse(&without_braces(item)).ok(),
        Profile::Ranx => read_ranx(item),
        Profile::Cwl => read_cwl(item),
        _ => Spec::parse(item).ok(),
    }
}

/// `{0:0,1:5}` is `'0=0,1=5'` here.
fn without_braces(item: &str) -> String {
    let mut inside = false;
    let read = item.chars().filter_map(|letter| match letter {
        '{' | '}' => {
            inside = letter == '{';
            Some('\'')
        }
        ':' if inside => Some('='),
        ' ' if inside => None,
        other => Some(other),
    });
    read.collect()
}

/// `map@100-l2` and `rbp.95`.
fn read_ranx(item: &str) -> Option<Spec> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (name, level) = match item.rsplit_once("-l") {
        Some((name, level)) if is_number(level) => (name, Some(level)),
        _ => (item, None),
    };
    let mut spec = match name.split_once('.') {
        Some(("rbp", digits)) if is_number(digits) => Spec {
            name: "rbp".into(),
            arguments: vec![("p".into(), format!("0.{digits}"))],
            cutoff: None,
        },
        _ => Spec::parse(name).ok()?,
    };
    let level = level.filter(|level| *level != "1");
    spec.arguments
        .extend(level.map(|level| ("l".into(), level.into())));
    Some(spec)
}

/// `INST-T=2`, `BPM-Static-T=1-K=10`, `NERR-EQ8@k=10`, `SET-k@10-b@0.5`.
fn read_cwl(item: &str) -> Option<Spec> {
    if item.contains('(') {
        return Spec::parse(item).ok();
    }
    let (head, tail) = item
        .trim()
        .split_once('@')
        .map_or((item.trim(), None), |(a, b)| (a, Some(b)));
    let argument = |part: &str, mark: char| {
        let (name, value) = part.split_once(mark)?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    let (mut names, mut arguments, mut cutoff) = (Vec::new(), Vec::new(), None);
    for part in head.split('-') {
        match argument(part, '=') {
            Some(given) => arguments.push(given),
            None => names.push(part),
        }
    }
    for part in tail.into_iter().flat_map(|tail| tail.split('-')) {
        match argument(part, '=').or_else(|| argument(part, '@')) {
            Some(given) => arguments.push(given),
            None => cutoff = Some(part.trim().to_owned()),
        }
    }
    Some(Spec {
        name: names.join("-"),
        arguments,
        cutoff,
    })
}

//! Parses the names of a program into measures.

use cranfield_core::error::{Error, shown};
use cranfield_core::gains::Gains;
use cranfield_core::grammar::Spec;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{Overrides, Unjudged};

use super::{At, Meaning, Program, in_program};
use crate::profiles::Profile;
use crate::spec::{self, Conventions, find_exact};
use crate::trec_names;

/// Programs whose names take arguments; in the others these are command-line options.
const WITH_ARGUMENTS: [Profile; 3] = [Profile::IrMeasures, Profile::Ranx, Profile::Cwl];

/// Parses a name as written by the profile's program; `None` if it is not one of that program's names.
pub(crate) fn parse(item: &str, conventions: &Conventions) -> Option<Result<BoundMeasure, Error>> {
    let profile = conventions.profile;
    let program = profile.program();
    if program.names.is_empty() || profile.prints_trec_names() {
        return None;
    }
    let spec = read(item, profile)?;
    if !spec.arguments.is_empty() && !WITH_ARGUMENTS.contains(&profile) {
        return None;
    }
    let Some(meaning) = find(program, &spec) else {
        return wrong_argument(profile, &spec).map(Err);
    };
    let measure = meaning.bind(&spec, conventions);
    Some(measure.map(|measure| BoundMeasure {
        label: Some(item.trim().into()),
        ..measure.all_said()
    }))
}

/// The error for a program's name with an unknown argument, unless it is also one of Cranfield's names.
fn wrong_argument(profile: Profile, spec: &Spec) -> Option<Error> {
    let mut names = profile.program().names.iter();
    let meaning = names.find(|known| known.name == spec.name && known.fits_at(spec))?;
    if spec::find(&spec.name).is_some() {
        return None;
    }
    let mut arguments = spec.arguments.iter();
    let (argument, _) = arguments.find(|(name, _)| !meaning.has_argument(name))?;
    let (name, argument) = (meaning.name, shown(argument));
    Some(Error::parameter(format!(
        "{name} has no parameter `{argument}` in {profile}"
    )))
}

/// Parses a name of a program other than the profile's. The program's policies do not apply; a name that itself
/// requests a policy, such as `judged_only=True`, is only accepted under the program's profile.
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
        overrides: Overrides::NONE,
        ..measure
    })
}

/// Converts a measure to the definition of the profile's program; unchanged if the program does not have it.
pub(crate) fn restate(measure: BoundMeasure, conventions: &Conventions) -> BoundMeasure {
    let profile = conventions.profile;
    // Names of `trec_eval` are already complete.
    let is_done = profile.prints_trec_names() && measure.params.are_all_said();
    if profile == Profile::Cranfield || is_done {
        return measure;
    }
    let Ok(found) = in_program(profile, &measure) else {
        return measure;
    };
    let label = if profile.prints_trec_names() {
        None
    } else {
        Some(measure.label.clone().unwrap_or_else(|| measure.said()))
    };
    BoundMeasure {
        label,
        ..found.measure
    }
}

/// Finds the program's name that matches exactly or ignoring case. `trec_eval`'s name takes precedence over a
/// match that ignores case.
fn find(program: &Program, spec: &Spec) -> Option<&'static Meaning> {
    let names: &'static [Meaning] = program.names;
    let fits = |meaning: &&Meaning| meaning.fits_at(spec) && meaning.fits_arguments(spec);
    let exact = names
        .iter()
        .filter(fits)
        .find(|known| known.name == spec.name);
    let is_bare = spec.arguments.is_empty() && spec.cutoff.is_none();
    let of_trec_eval = is_bare && trec_names::find(&spec.name).is_some();
    exact.or_else(|| {
        let mut fitting = names.iter().filter(fits).filter(|_| !of_trec_eval);
        fitting.find(|known| known.name.eq_ignore_ascii_case(&spec.name))
    })
}

impl Meaning {
    /// Our name for an argument.
    pub(super) fn own_name<'n>(&self, argument: &'n str) -> &'n str {
        let renamed = self.renamed.iter().find(|(name, _)| *name == argument);
        renamed.map_or(argument, |(_, own)| own)
    }

    fn is_cutoff(&self, argument: &str) -> bool {
        matches!(self.own_name(argument), "@" | "cutoff")
    }

    /// Whether the program's name takes an argument of this name.
    fn has_argument(&self, argument: &str) -> bool {
        self.is_cutoff(argument)
            || self.takes.contains(&argument)
            || matches!(self.at, At::Parameter(name) if name == argument)
            || matches!(self.when, Some((name, _)) if name == argument)
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
        // Gains given as a rule are Cranfield's notation.
        let is_rule =
            |value: &str| matches!(value.parse::<Gains>(), Ok(gains) if gains.pairs().is_empty());
        let has_all = spec.arguments.iter().all(|(name, value)| {
            self.has_argument(name) && !(self.own_name(name) == "gains" && is_rule(value))
        });
        let has_wanted = self.when.is_none_or(|(name, wanted)| {
            let mut given = spec.arguments.iter().filter(|(known, _)| known == name);
            given.any(|(_, value)| wanted.is_empty() || value == wanted)
        });
        has_all && has_wanted
    }

    /// Binds the measure that a name with these arguments denotes.
    pub(super) fn bind(
        &self,
        spec: &Spec,
        conventions: &Conventions,
    ) -> Result<BoundMeasure, Error> {
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
        let params = conventions.check(info, &arguments, cutoff.as_deref())?;
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
            cranfield_core::error::shown(value)
        ))),
    }
}

/// Highest level at which gains can start.
const MAX_LEVEL: u32 = 100;

/// Gains of 0 for grades below a level: `'1=0,2=0'` for level 3.
fn gains_from(level: &str) -> Result<Option<(String, String)>, Error> {
    let level = level
        .parse::<u32>()
        .ok()
        .filter(|level| *level <= MAX_LEVEL);
    let level = level.ok_or_else(|| {
        Error::parameter(format!(
            "the level of gains must be a whole number up to {MAX_LEVEL}"
        ))
    })?;
    let none: Vec<String> = (1..level).map(|grade| format!("{grade}=0")).collect();
    Ok((!none.is_empty()).then(|| ("gains".to_owned(), none.join(","))))
}

/// The level at which gains start, if these gains have that form.
pub(super) fn level_of_gains(gains: &str) -> Option<u32> {
    let mut levels = 2..=MAX_LEVEL;
    levels.find(|level| {
        let of_level = gains_from(&level.to_string()).ok().flatten();
        of_level.is_some_and(|(_, text)| text == gains)
    })
}

/// Splits a name as written by a program.
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
        // Without a persistence it is not a ranx name.
        _ if name == "rbp" => return None,
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

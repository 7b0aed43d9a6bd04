//! Scenarios: named sets of parameters that say for which user a system is measured.
//!
//! A scenario has a rank to which its user reads, parameters such as the gains of grades, and measures that take them.
//! Two are built in, after Järvelin and Kekäläinen: `impatient`, who reads 30 documents and wants the best (gains 0, 1, 10,
//! 100, discount by the logarithm to base 2), and `patient`, who reads 200 and takes what there is (gains 0, 1, 2, 3, base
//! 10).

use cranfield_core::error::{Error, shown};
use cranfield_core::grammar::{Spec, split_items, split_names};
use cranfield_core::measure::{BoundMeasure, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::vectors::BoundVector;

use crate::spec::{Conventions, find, find_exact, parse_measure, parse_measures, unknown};
use crate::trec_names;
use crate::vectors::{check_components, parse_vectors};

/// Maximum number of measures and vectors of a scenario.
const MAX_NAMES: usize = 1000;

/// The measures of a scenario that names none.
const MEASURES: [&str; 2] = ["nCG", "nDCG"];

/// A named set of parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// Name.
    pub name: String,
    /// Short description of the user.
    pub description: String,
    /// The rank to which the user reads: the cutoff of measures that name none.
    pub rank: Option<u64>,
    /// Parameters by name; each goes to the measures that have it and do not set it themselves.
    pub parameters: Vec<(String, String)>,
    /// Measures.
    pub measures: Vec<String>,
    /// Vectors, each summarised by its mean up to the rank.
    pub vectors: Vec<String>,
}

/// A scenario with its parameters in the measures.
#[derive(Clone, Debug)]
pub struct BoundScenario {
    /// Name.
    pub name: String,
    /// Description of the user.
    pub description: String,
    /// Measures, each with the name without the scenario's parameters.
    pub measures: Vec<(String, BoundMeasure)>,
    /// Vectors, likewise.
    pub vectors: Vec<(String, BoundVector)>,
}

impl Scenario {
    /// The scenarios that need no file.
    ///
    /// ```
    /// use cranfield_measures::scenario::Scenario;
    ///
    /// let names: Vec<_> = Scenario::built_in().into_iter().map(|scenario| scenario.name).collect();
    /// assert_eq!(names, ["impatient", "patient"]);
    /// ```
    pub fn built_in() -> Vec<Self> {
        let scenario = |name: &str, description: &str, rank, gains: &str, base: &str| {
            let parameters = [("gains", gains), ("discount", "jk"), ("base", base)];
            let parameters = parameters.map(|(name, value)| (name.into(), value.into()));
            Self {
                description: description.into(),
                rank: Some(rank),
                parameters: parameters.into(),
                ..Self::new(name)
            }
        };
        vec![
            scenario(
                "impatient",
                "reads 30 documents and wants the best ones first",
                30,
                "0,1,10,100",
                "2",
            ),
            scenario(
                "patient",
                "reads 200 documents and takes what there is",
                200,
                "0,1,2,3",
                "10",
            ),
        ]
    }

    /// A scenario without parameters: nCG and nDCG, as values and as vectors.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            measures: MEASURES.map(Into::into).into(),
            vectors: MEASURES.map(Into::into).into(),
            ..Self::default()
        }
    }

    /// The scenario built in under this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let known = Self::built_in();
        let names: Vec<_> = known.iter().map(|known| known.name.clone()).collect();
        known.into_iter().find(|known| known.name == name).ok_or_else(|| {
            Error::unknown(format!(
                "unknown scenario `{}`; built in: {}; a file of scenarios has a name that ends with .toml",
                shown(name),
                names.join(", ")
            ))
        })
    }

    /// Replaces the measures, named with spaces or commas between them, and drops the vectors. Parameters that none of these measures has
    /// are left out. Names of other programs, such as `ndcg_cut_10`, say what is not Cranfield's default; the rest is the
    /// scenario's.
    ///
    /// # Errors
    /// If a quote or a parenthesis is not closed, or if a measure does not exist.
    pub fn with_measures(mut self, names: &str) -> Result<Self, Error> {
        let names = names.replace('"', "'");
        let names = split_items(&names)?.into_iter().flat_map(split_names);
        let names: Vec<String> = names.collect();
        let names = canonical(names.iter().map(String::as_str))?;
        let families = names
            .iter()
            .map(|name| family(name))
            .collect::<Result<Vec<_>, _>>()?;
        let takes = |parameter: &str| {
            let mut declared = families.iter().flat_map(|info| info.params);
            declared.any(|param| param.name == parameter)
        };
        self.parameters.retain(|(parameter, _)| takes(parameter));
        self.measures = names;
        self.vectors = Vec::new();
        Ok(self)
    }

    /// Puts the scenario's parameters into its measures.
    ///
    /// # Errors
    /// If a measure does not exist, lacks a cutoff, or has no such value of a parameter; or if a parameter is of none of
    /// the measures.
    pub fn bind(&self, conventions: &Conventions) -> Result<BoundScenario, Error> {
        self.bound(conventions)
            .map_err(|error| self.name_in(&error))
    }

    fn bound(&self, conventions: &Conventions) -> Result<BoundScenario, Error> {
        let measures = canonical(self.measures.iter().map(String::as_str))?;
        let scenario = Self {
            measures,
            ..self.clone()
        };
        scenario.bound_canonical(conventions)
    }

    fn bound_canonical(&self, conventions: &Conventions) -> Result<BoundScenario, Error> {
        self.check()?;
        let mut bound = BoundScenario {
            name: self.name.clone(),
            description: self.description.clone(),
            measures: Vec::new(),
            vectors: Vec::new(),
        };
        for name in &self.measures {
            let measure = parse_measure(&self.complete(name)?, conventions)?;
            bound.measures.push((name.clone(), measure));
        }
        for name in &self.vectors {
            for vector in parse_vectors(&self.complete(name)?, conventions)? {
                bound.vectors.push((name.clone(), vector));
            }
            check_components(bound.vectors.iter().map(|(_, vector)| vector))?;
        }
        Ok(bound)
    }

    fn name_in(&self, error: &Error) -> Error {
        Error::new(
            error.kind(),
            format!("scenario `{}`: {error}", shown(&self.name)),
        )
    }

    /// Rejects invalid scenarios.
    fn check(&self) -> Result<(), Error> {
        let names = || self.measures.iter().chain(&self.vectors);
        if names().next().is_none() {
            return Err(Error::parameter("it has neither measures nor vectors"));
        }
        if names().count() > MAX_NAMES {
            let message = format!("it has more than {MAX_NAMES} measures and vectors");
            return Err(Error::parameter(message));
        }
        for (parameter, value) in &self.parameters {
            if value.contains('\'') {
                let message = format!("the value of `{}` holds a quote", shown(parameter));
                return Err(Error::parameter(message));
            }
            let mut known = false;
            for name in names() {
                let info = family(name)?;
                known |= info.params.iter().any(|param| param.name == parameter);
            }
            if !known {
                let message = format!(
                    "none of its measures has a parameter `{}`",
                    shown(parameter)
                );
                return Err(Error::parameter(message));
            }
        }
        Ok(())
    }

    /// A measure's name with what it leaves open and the scenario sets.
    fn complete(&self, name: &str) -> Result<String, Error> {
        let info = family(name)?;
        let mut spec = parts(name)?;
        for (parameter, value) in &self.parameters {
            let declared = info.params.iter().any(|param| param.name == parameter);
            let given = spec.arguments.iter().any(|(name, _)| name == parameter);
            if declared && !given {
                spec.arguments.push((parameter.clone(), value.clone()));
            }
        }
        let takes = matches!(info.cutoff, CutoffRule::Optional | CutoffRule::Required);
        if takes && spec.cutoff.is_none() {
            spec.cutoff = self.rank.map(|rank| rank.to_string());
        }
        Ok(spec.to_string())
    }
}

/// Whether a measure, by its canonical name, has a parameter that the name leaves open.
///
/// ```
/// use cranfield_measures::scenario::leaves_open;
///
/// assert!(leaves_open("nDCG@10", "gains")?);
/// assert!(!leaves_open("nDCG(gains='exp')@10", "gains")?);
/// assert!(!leaves_open("AP", "gains")?);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
///
/// # Errors
/// If there is no such measure.
pub fn leaves_open(name: &str, parameter: &str) -> Result<bool, Error> {
    let spec = parts(name)?;
    let declared = family(name)?
        .params
        .iter()
        .any(|param| param.name == parameter);
    Ok(declared && spec.arguments.iter().all(|(given, _)| given != parameter))
}

/// Canonical names for names of any program; one that is canonical stays as it is, since the scenario may have to complete it.
fn canonical<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Vec<String>, Error> {
    let (mut all, own) = (Vec::new(), Conventions::default());
    for name in names {
        if is_canonical(name) {
            all.push(name.to_owned());
        } else {
            all.extend(parse_measures(name, &own)?.iter().map(ToString::to_string));
        }
        if all.len() > MAX_NAMES {
            let message = format!("it has more than {MAX_NAMES} measures and vectors");
            return Err(Error::parameter(message));
        }
    }
    Ok(all)
}

/// Whether a name is of the canonical form, and not `trec_eval`'s.
fn is_canonical(name: &str) -> bool {
    let Ok(spec) = parts(name) else {
        return false;
    };
    let is_number = |text: &String| text.parse::<f64>().is_ok();
    let of_trec_eval = || trec_names::parse(name, &Conventions::default()).is_some();
    find_exact(&spec.name).is_some()
        || find(&spec.name).is_some()
            && spec.cutoff.as_ref().is_none_or(is_number)
            && !of_trec_eval()
}

/// The parts of a canonical name, in which quotes may be double.
fn parts(name: &str) -> Result<Spec, Error> {
    Spec::parse(&name.replace('"', "'"))
}

/// The family of a canonical name.
fn family(name: &str) -> Result<&'static MeasureInfo, Error> {
    let spec = parts(name)?;
    find(&spec.name).ok_or_else(|| unknown(&spec.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(scenario: &Scenario) -> Vec<String> {
        let bound = scenario.bind(&Conventions::default()).unwrap();
        let measures = bound
            .measures
            .iter()
            .map(|(_, measure)| measure.to_string());
        let vectors = bound.vectors.iter().map(|(_, vector)| vector.to_string());
        measures.chain(vectors).collect()
    }

    fn scenario(measures: &[&str], parameters: &[(&str, &str)]) -> Scenario {
        let pairs = parameters
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        Scenario {
            rank: Some(20),
            parameters: pairs.collect(),
            measures: measures.iter().map(|name| (*name).into()).collect(),
            vectors: Vec::new(),
            ..Scenario::new("mine")
        }
    }

    #[track_caller]
    fn check_error(scenario: &Scenario, expected: &str) {
        let error = scenario.bind(&Conventions::default()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn the_two_of_the_paper() {
        let built_in = Scenario::built_in();
        assert_eq!(
            names(&built_in[0]),
            [
                "nCG(gains='0,1,10,100')@30",
                "nDCG(gains='0,1,10,100', discount='jk')@30",
                "nCG(gains='0,1,10,100')@30",
                "nDCG(gains='0,1,10,100', discount='jk')@30",
            ]
        );
        assert_eq!(
            names(&built_in[1])[1],
            "nDCG(gains='0,1,2,3', discount='jk', base=10)@200"
        );
    }

    #[test]
    fn a_name_wins_over_the_scenario() {
        let mine = scenario(
            &["nDCG", "nDCG(gains='exp')@5", "AP", "RBP(p=0.5)", "Rprec"],
            &[("gains", "0,1,10"), ("rel", "2")],
        );
        assert_eq!(
            names(&mine),
            [
                "nDCG(gains='0,1,10')@20",
                "nDCG(gains='exp')@5",
                "AP(rel=2)@20",
                "RBP(p=0.5, gains='0,1,10', rel=2)@20",
                "Rprec(rel=2)",
            ]
        );
    }

    #[test]
    fn other_measures_take_the_parameters_too() {
        let hasty = Scenario::built_in()
            .remove(0)
            .with_measures("nDCG AP(rel=2), DCG(base = 3)@5")
            .unwrap();
        assert_eq!(
            names(&hasty),
            [
                "nDCG(gains='0,1,10,100', discount='jk')@30",
                "AP(rel=2)@30",
                "DCG(gains='0,1,10,100', discount='jk', base=3)@5",
            ]
        );
        let binary = Scenario::built_in().remove(0).with_measures("P").unwrap();
        assert_eq!(names(&binary), ["P@30"]);
    }

    #[test]
    fn names_of_other_programs_are_read() {
        let hasty = Scenario::built_in()
            .remove(0)
            .with_measures("ndcg_cut_10 P_5 P.5,10 rbp.95 map@5-l2 MSnDCG@0007 map rr")
            .unwrap();
        assert_eq!(
            names(&hasty),
            [
                "nDCG(gains='0,1,10,100', discount='jk')@10",
                "P@5",
                "P@5",
                "P@10",
                "RBP(p=0.95, gains='grade')@30",
                "AP(rel=2)@5",
                "nDCG(gains='0,1,10,100', discount='jk')@7",
                "AP@30",
                "RR@30",
            ]
        );
        let of_file = scenario(&["ndcg_cut_5", "P"], &[("gains", "exp")]);
        assert_eq!(names(&of_file), ["nDCG(gains='exp')@5", "P@20"]);
        let many = scenario(&["official"; 40], &[]);
        check_error(
            &many,
            "scenario `mine`: it has more than 1000 measures and vectors",
        );
    }

    #[test]
    fn mistakes_are_named() {
        check_error(
            &scenario(&["AP"], &[("gain", "0,1")]),
            "scenario `mine`: none of its measures has a parameter `gain`",
        );
        check_error(
            &scenario(&["nDGC"], &[]),
            "scenario `mine`: unknown measure `nDGC`; did you mean `nDCG`, `DCG`, `IDCG`?",
        );
        check_error(
            &scenario(&[], &[]),
            "scenario `mine`: it has neither measures nor vectors",
        );
        check_error(
            &Scenario {
                rank: None,
                ..scenario(&["P"], &[])
            },
            "scenario `mine`: P needs a cutoff, such as P@10",
        );
        check_error(
            &scenario(&["nDCG"], &[("gains", "0,'1")]),
            "scenario `mine`: the value of `gains` holds a quote",
        );
        let error = Scenario::named("hasty").unwrap_err().to_string();
        assert!(
            error.starts_with("unknown scenario `hasty`; built in: impatient, patient;"),
            "{error}"
        );
    }
}

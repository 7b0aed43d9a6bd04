//! How runs are compared, from keyword arguments.

use cranfield::compare::{ComparisonPlan, Family, Settings, Test};
use cranfield::measures::scenario::BoundScenario;
use cranfield::measures::spec::Conventions;
use cranfield::stats::corrections::Correction;
use cranfield::stats::random::Resampling;
use pyo3::prelude::*;

use crate::ask::Words;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;

/// A correction by its name.
pub(crate) fn correction(given: &Given<'_>) -> PyResult<Option<Correction>> {
    given.read("correction", |name| {
        let names: Vec<&str> = Correction::ALL.iter().map(|one| one.name()).collect();
        let expected = || format!("expected one of {}", names.join(", "));
        Correction::from_name(name).ok_or_else(expected)
    })
}

/// The settings of tests, with `test` where none is given.
pub(crate) fn tests(given: &Given<'_>, test: Test) -> PyResult<Settings> {
    let default = Settings::default();
    let replicates = given.whole("replicates")?;
    Ok(Settings {
        test: given.parsed("test")?.unwrap_or(test),
        correction: correction(given)?,
        alpha: given.number("alpha")?.unwrap_or(default.alpha),
        resampling: Resampling {
            replicates: replicates.unwrap_or(default.resampling.replicates),
            seed: given.whole("seed")?.unwrap_or(default.resampling.seed),
        },
        raise_replicates: replicates.is_none(),
        ..default
    })
}

/// The settings of a comparison.
pub(crate) fn comparison(given: &Given<'_>) -> PyResult<Settings> {
    Ok(Settings {
        family: given.parsed("family")?.unwrap_or(Family::default()),
        baselines: given.strings("baseline")?,
        margin: given.number("margin")?,
        rope: given.number("rope")?,
        interval: given.parsed("interval")?,
        standardise: given.parsed("standardise")?,
        ..tests(given, Test::default())?
    })
}

/// The plan, if there is one, which fixes how runs are evaluated and compared.
pub(crate) fn plan(given: &Given<'_>, words: &mut Words) -> PyResult<Option<ComparisonPlan>> {
    let Some(path) = given.path("plan")? else {
        return Ok(None);
    };
    let py = given.py();
    for name in ComparisonPlan::FIXED
        .into_iter()
        .chain(["scenario", "gains"])
    {
        if given.has(name)? {
            let message = format!("plan fixes how runs are compared; omit {name}");
            return Err(Failure::Usage(message).raise(py));
        }
    }
    let profile = words.profile.parse().or_raise(py)?;
    let conventions = Conventions {
        profile,
        level: words.level,
    };
    let plan = ComparisonPlan::read(&path, &conventions).or_raise(py)?;
    words.plan(&plan).or_raise(py)?;
    Ok(Some(plan))
}

/// The scenarios with these names, or those of gains, under conventions. `measures` replace theirs.
pub(crate) struct Weighted {
    pub(crate) scenarios: Vec<BoundScenario>,
    /// Measures that do not depend on gains.
    pub(crate) apart: Vec<String>,
}

impl Weighted {
    /// The scenarios of `scenario` and `gains`; no scenarios if neither is given.
    pub(crate) fn read(
        given: &Given<'_>,
        conventions: &Conventions,
        measures: Option<&str>,
        default: &str,
    ) -> PyResult<Self> {
        let (names, gains) = (given.strings("scenario")?, given.strings("gains")?);
        if !names.is_empty() && !gains.is_empty() {
            let message = "scenario and gains cannot be combined; omit one of them";
            return Err(Failure::Usage(message.into()).raise(given.py()));
        }
        Self::of(&names, &gains, conventions, measures, default).or_raise(given.py())
    }

    fn of(
        names: &[String],
        gains: &[String],
        conventions: &Conventions,
        measures: Option<&str>,
        default: &str,
    ) -> Result<Self, Failure> {
        let (scenarios, apart) = if gains.is_empty() {
            let scenarios = cranfield_cli::results::scenarios_of(names, measures)?;
            (scenarios, Vec::new())
        } else {
            let measures = measures.unwrap_or(default);
            let weightings = cranfield::compare::Weightings::of(gains, measures)?;
            (weightings.scenarios, weightings.apart)
        };
        let bound = scenarios.iter().map(|scenario| scenario.bind(conventions));
        let scenarios = bound.collect::<Result<_, _>>()?;
        Ok(Self { scenarios, apart })
    }
}

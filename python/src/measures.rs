//! Names of measures, and what there is to know of them.

use cranfield::core::measure::{BoundMeasure, Direction, MeasureInfo};
use cranfield::core::params::{Cutoff, CutoffRule};
use cranfield::measures::MEASURES;
use cranfield::measures::profiles::Profile;
use cranfield::measures::spec::{Conventions, parse_measures};
use cranfield::measures::trec_names::{GROUPS, TREC_MEASURES};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::{optional_number, text};
use crate::errors::{Failure, OrRaise};

/// Reads names of measures as a profile has them. For each: `name` (as results have it), `canonical`, `family`, `cutoff`,
/// `params` (by name, as text) and the entries of [`catalogue`].
#[pyfunction]
#[pyo3(signature = (names, profile = "cranfield", level = None))]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = text)] names: &str,
    #[pyo3(from_py_with = text)] profile: &str,
    #[pyo3(from_py_with = optional_number)] level: Option<f64>,
) -> PyResult<Bound<'py, PyList>> {
    let parsed = || {
        let profile: Profile = profile.parse()?;
        let measures = parse_measures(names, &Conventions { profile, level })?;
        Ok::<_, Failure>((profile, measures))
    };
    let (profile, measures) = parsed().or_raise(py)?;
    let list = PyList::empty(py);
    for measure in &measures {
        list.append(bound(py, measure, profile)?)?;
    }
    Ok(list)
}

fn bound<'py>(
    py: Python<'py>,
    measure: &BoundMeasure,
    profile: Profile,
) -> PyResult<Bound<'py, PyDict>> {
    let params = PyDict::new(py);
    for param in measure.info.params {
        if let Some(value) = measure.params.value(param.name) {
            params.set_item(param.name, value.to_string())?;
        }
    }
    let dict = info(py, measure.info)?;
    dict.set_item("name", profile.name_of(measure))?;
    dict.set_item("canonical", measure.to_string())?;
    dict.set_item("family", measure.info.name)?;
    dict.set_item("cutoff", measure.params.cutoff().map(Cutoff::get))?;
    dict.set_item("params", params)?;
    Ok(dict)
}

/// All families of measures.
#[pyfunction]
pub(crate) fn catalogue(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for family in MEASURES {
        let dict = info(py, family)?;
        dict.set_item("name", family.name)?;
        list.append(dict)?;
    }
    Ok(list)
}

fn info<'py>(py: Python<'py>, info: &'static MeasureInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("aliases", info.aliases)?;
    dict.set_item("summary", info.summary)?;
    let cutoff = match info.cutoff {
        CutoffRule::None => "none",
        CutoffRule::Optional => "optional",
        CutoffRule::Required => "required",
        CutoffRule::Point => "point",
    };
    dict.set_item("takes_cutoff", cutoff)?;
    let params = PyDict::new(py);
    for param in info.params {
        params.set_item(param.name, (param.default, param.help))?;
    }
    dict.set_item("parameters", params)?;
    dict.set_item("minimum", info.range.min)?;
    dict.set_item("maximum", info.range.max)?;
    let direction = match info.direction {
        Direction::HigherIsBetter => Some(true),
        Direction::LowerIsBetter => Some(false),
        Direction::Neutral => None,
    };
    dict.set_item("higher_is_better", direction)?;
    dict.set_item("references", info.references)?;
    dict.set_item("documentation", info.page)?;
    Ok(dict)
}

/// `trec_eval`'s measures in its order: name and the names of the groups that hold it.
#[pyfunction]
pub(crate) fn trec_names(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for measure in &TREC_MEASURES {
        let groups = GROUPS
            .iter()
            .filter(|(_, letter)| measure.in_group(*letter));
        let groups: Vec<&str> = groups.map(|(name, _)| *name).collect();
        list.append((measure.name, groups))?;
    }
    Ok(list)
}

//! Measures under several tables of gains.

use cranfield_core::gains::Gains;
use cranfield_measures::scenario::{Scenario, leaves_open};

use super::CompareError;

/// Measures under tables of gains, as scenarios named after the tables.
///
/// ```
/// use cranfield_compare::compare::Weightings;
///
/// let weightings = Weightings::of(&["0,1,1", "0,1,10"], "nDCG@10 AP")?;
/// let names: Vec<&str> = weightings.scenarios.iter().map(|scenario| &*scenario.name).collect();
/// // AP has no gains, so it is in a scenario without a name.
/// assert_eq!(names, ["0-1-1", "0-1-10", ""]);
/// assert_eq!(weightings.apart, ["AP"]);
/// # Ok::<(), cranfield_compare::compare::CompareError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weightings {
    /// A scenario for each table with the measures that take gains, then one without a name for all others, if any.
    pub scenarios: Vec<Scenario>,
    /// The measures that no table affects: they have no gains, or name their own.
    pub apart: Vec<String>,
}

impl Weightings {
    /// Combines measures, separated by spaces, with each of these tables.
    ///
    /// # Errors
    /// If a measure or a table is invalid, a table is repeated, or no measure takes gains.
    pub fn of<G: AsRef<str>>(gains: &[G], measures: &str) -> Result<Self, CompareError> {
        let reject =
            |error: cranfield_core::error::Error| CompareError::Settings(error.message().clone());
        check(gains)?;
        let plain = Scenario::new("").with_measures(measures).map_err(reject)?;
        let (mut weighted, mut apart) = (Vec::new(), Vec::new());
        for name in &plain.measures {
            let takes = leaves_open(name, Gains::PARAM.name).map_err(reject)?;
            if takes { &mut weighted } else { &mut apart }.push(name.clone());
        }
        if weighted.is_empty() {
            let names = apart.join(" ");
            return Err(CompareError::Settings(format!(
                "none of the measures {names} takes gains; use nDCG, DCG, nCG or CG without gains in the name"
            ).into()));
        }
        let weighting = |gains: &G| Scenario {
            name: gains.as_ref().replace([',', ' '], "-"),
            parameters: vec![(Gains::PARAM.name.into(), gains.as_ref().into())],
            measures: weighted.clone(),
            ..Scenario::default()
        };
        let mut scenarios: Vec<Scenario> = gains.iter().map(weighting).collect();
        if !apart.is_empty() {
            scenarios.push(Scenario {
                measures: apart.clone(),
                ..Scenario::default()
            });
        }
        Ok(Self { scenarios, apart })
    }
}

/// Largest absolute gain, so that sums of squares are finite.
const MOST_GAIN: f64 = 1e100;

/// Rejects repeated tables and gains that are too large.
fn check<G: AsRef<str>>(gains: &[G]) -> Result<(), CompareError> {
    let mut known: Vec<(Gains, &str)> = Vec::new();
    for text in gains.iter().map(AsRef::as_ref) {
        let table: Gains = text
            .parse()
            .map_err(|error| CompareError::Settings(format!("{error}").into()))?;
        if table.pairs().iter().any(|(_, gain)| gain.abs() > MOST_GAIN) {
            return Err(CompareError::Settings(
                format!("the gains {text} exceed {MOST_GAIN:e}; give smaller ones").into(),
            ));
        }
        if let Some((_, same)) = known.iter().find(|(other, _)| *other == table) {
            return Err(CompareError::Settings(
                format!("the gains {text} are the same as {same}; give each table once").into(),
            ));
        }
        known.push((table, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(gains: &[&str], measures: &str) -> String {
        Weightings::of(gains, measures).unwrap_err().to_string()
    }

    #[test]
    fn explicit_gains_are_kept() {
        let names = "nDCG@10 nDCG(gains='exp')@5 ndcg_cut_20 AP";
        let weightings = Weightings::of(&["0,1,1"], names).unwrap();
        assert_eq!(weightings.scenarios[0].measures, ["nDCG@10", "nDCG@20"]);
        assert_eq!(weightings.apart, ["nDCG(gains='exp')@5", "AP"]);
        assert_eq!(weightings.scenarios[1].measures, weightings.apart);
    }

    #[test]
    fn repeated_and_useless_tables_are_errors() {
        let twice = error(&["0,1,10", "0,1.0,10"], "nDCG@10");
        assert_eq!(
            twice,
            "the gains 0,1.0,10 are the same as 0,1,10; give each table once"
        );
        let none = error(&["0,1"], "AP RR");
        assert!(
            none.starts_with("none of the measures AP RR takes gains"),
            "{none}"
        );
        let huge = error(&["0,1e308"], "nDCG@10");
        assert_eq!(huge, "the gains 0,1e308 exceed 1e100; give smaller ones");
        assert!(error(&["0,x"], "nDCG@10").contains("found `x`"));
        assert!(error(&["0,1"], "nDCGG").contains("nDCGG"));
    }
}

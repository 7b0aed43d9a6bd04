//! Measures under several tables of gains.

use cranfield_core::gains::Gains;
use cranfield_core::scenario::{Scenario, leaves_open};

use super::CompareError;

/// Measures under tables of gains, as scenarios that are named by them.
///
/// ```
/// use cranfield_compare::compare::Weightings;
///
/// let weightings = Weightings::of(&["0,1,1", "0,1,10"], "nDCG@10 AP")?;
/// let names: Vec<&str> = weightings.scenarios.iter().map(|scenario| &*scenario.name).collect();
/// // AP has no gains: it stands for itself, in a scenario without a name.
/// assert_eq!(names, ["0-1-1", "0-1-10", ""]);
/// assert_eq!(weightings.apart, ["AP"]);
/// # Ok::<(), cranfield_compare::compare::CompareError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weightings {
    /// A scenario for each table, with the measures that it changes; then one without a name for all others, if there are any.
    pub scenarios: Vec<Scenario>,
    /// The measures that no table changes: they have no gains, or name their own.
    pub apart: Vec<String>,
}

impl Weightings {
    /// Of measures, separated by blanks, under each of these tables.
    ///
    /// # Errors
    /// If a measure or a table does not exist, a table comes twice, or no measure takes gains.
    pub fn of<G: AsRef<str>>(gains: &[G], measures: &str) -> Result<Self, CompareError> {
        let refuse =
            |error: cranfield_core::error::Error| CompareError::Settings(error.to_string());
        check(gains)?;
        let plain = Scenario::new("").with_measures(measures).map_err(refuse)?;
        let (mut weighted, mut apart) = (Vec::new(), Vec::new());
        for name in &plain.measures {
            let takes = leaves_open(name, Gains::PARAM.name).map_err(refuse)?;
            if takes { &mut weighted } else { &mut apart }.push(name.clone());
        }
        if weighted.is_empty() {
            let names = apart.join(" ");
            return Err(CompareError::Settings(format!(
                "none of the measures {names} takes gains that it does not name itself; nDCG, DCG, nCG and CG do"
            )));
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

/// Largest gain, up or down: sums of gains and their squares stay numbers.
const MOST_GAIN: f64 = 1e100;

/// Each table once, and no number that sums cannot hold.
fn check<G: AsRef<str>>(gains: &[G]) -> Result<(), CompareError> {
    let mut known: Vec<(Gains, &str)> = Vec::new();
    for text in gains.iter().map(AsRef::as_ref) {
        let table: Gains = text
            .parse()
            .map_err(|error| CompareError::Settings(format!("{error}")))?;
        if table.pairs().iter().any(|(_, gain)| gain.abs() > MOST_GAIN) {
            return Err(CompareError::Settings(format!(
                "the gains {text} have a number beyond {MOST_GAIN:e}; give smaller ones"
            )));
        }
        if let Some((_, same)) = known.iter().find(|(other, _)| *other == table) {
            return Err(CompareError::Settings(format!(
                "the gains {text} are those of {same}; give each table once"
            )));
        }
        known.push((table, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(gains: &[&str], measures: &str) -> String {
        Weightings::of(gains, measures).unwrap_err().to_string()
    }

    #[test]
    fn measures_are_weighted_only_where_gains_are_open() {
        let names = "nDCG@10 nDCG(gains='exp')@5 ndcg_cut_20 AP";
        let weightings = Weightings::of(&["0,1,1"], names).unwrap();
        assert_eq!(weightings.scenarios[0].measures, ["nDCG@10", "nDCG@20"]);
        assert_eq!(weightings.apart, ["nDCG(gains='exp')@5", "AP"]);
        assert_eq!(weightings.scenarios[1].measures, weightings.apart);
    }

    #[test]
    fn tables_that_say_nothing_new_are_refused() {
        let twice = refused(&["0,1,10", "0,1.0,10"], "nDCG@10");
        assert_eq!(
            twice,
            "the gains 0,1.0,10 are those of 0,1,10; give each table once"
        );
        let none = refused(&["0,1"], "AP RR");
        assert!(
            none.starts_with("none of the measures AP RR takes gains"),
            "{none}"
        );
        let huge = refused(&["0,1e308"], "nDCG@10");
        assert_eq!(
            huge,
            "the gains 0,1e308 have a number beyond 1e100; give smaller ones"
        );
        assert!(refused(&["0,x"], "nDCG@10").contains("found `x`"));
        assert!(refused(&["0,1"], "nDCGG").contains("nDCGG"));
    }
}

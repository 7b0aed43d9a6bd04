//! The means of the runs of an experiment.

use cranfield_render::{Cell, Column, Table};
use serde_json::{Map, Value, json};

/// The mean of every run under every measure. The runs are in the order of the first measure, best first, or as they were evaluated
/// where they are not compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Means {
    /// Names of the measures.
    pub measures: Vec<String>,
    /// Names of the runs, and their means in the order of the measures.
    pub runs: Vec<(String, Vec<Option<f64>>)>,
}

impl Means {
    /// Reads the means from the results of a comparison.
    pub(super) fn of_results(results: &Value) -> Self {
        let mut means = Self::default();
        if results["comparison"].is_null() {
            // One run, or too few topics.
            means.measures = list(&results["measures"])
                .iter()
                .map(|measure| text(&measure["name"]))
                .collect();
            for run in list(&results["runs"]) {
                let mean = |measure: &String| run["aggregate"][measure.as_str()].as_f64();
                let values = means.measures.iter().map(mean).collect();
                means.runs.push((text(&run["run"]), values));
            }
        }
        for measure in list(&results["comparison"]) {
            means.measures.push(text(&measure["measure"]));
            for run in list(&measure["runs"]) {
                let (name, mean) = (text(&run["run"]), run["mean"].as_f64());
                match means.runs.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, values)) => values.push(mean),
                    None => means.runs.push((name, vec![mean])),
                }
            }
        }
        means
    }

    /// A table with a row for each run and a column for each measure.
    pub fn table(&self) -> Table {
        let measures = self.measures.iter().map(Column::number);
        let mut table = Table::new([Column::text("run")].into_iter().chain(measures));
        for (run, values) in &self.runs {
            let values = values.iter().map(|value| Cell::real(*value));
            table.push([Cell::text(run)].into_iter().chain(values));
        }
        table
    }

    /// Objects by run and measure.
    pub(super) fn json(&self) -> Value {
        let runs = self.runs.iter().map(|(run, values)| {
            let values = self.measures.iter().cloned().zip(values);
            let values: Map<String, Value> =
                values.map(|(name, value)| (name, json!(value))).collect();
            (run.clone(), Value::Object(values))
        });
        Value::Object(runs.collect())
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_in_the_order_of_the_first_measure() {
        let results = json!({ "comparison": [
            { "measure": "AP", "runs": [{ "run": "b", "mean": 0.5 }, { "run": "a", "mean": 0.25 }] },
            { "measure": "P@5", "runs": [{ "run": "a", "mean": 0.75 }, { "run": "b", "mean": null }] },
        ] });
        let means = Means::of_results(&results);
        let expected = json!({ "b": { "AP": 0.5, "P@5": null }, "a": { "AP": 0.25, "P@5": 0.75 } });
        assert_eq!(means.json(), expected);
        assert_eq!(means.runs[0].0, "b");
        assert_eq!(Means::of_results(&json!({})), Means::default());
    }

    #[test]
    fn runs_that_are_not_compared_have_means() {
        let results = json!({
            "measures": [{ "name": "AP" }, { "name": "P@5" }],
            "runs": [{ "run": "a", "aggregate": { "AP": 0.5, "P@5": null } }],
        });
        let means = Means::of_results(&results);
        assert_eq!(means.json(), json!({ "a": { "AP": 0.5, "P@5": null } }));
    }
}

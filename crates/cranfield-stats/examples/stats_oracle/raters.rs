//! Agreement of raters.

use cranfield_stats::agreement::{
    Level, Ratings, Weights, brennan_prediger, conger, fleiss, gwet, krippendorff,
    percent_agreement,
};
use serde_json::{Value, json};

use crate::request::{Answer, text};

/// The answer, if the test is the one of this file.
pub(crate) fn answer(request: &Value) -> Option<Answer> {
    (request["test"].as_str()? == "agreement").then(|| agreement(request))
}

const WEIGHTS: [(&str, Weights); 4] = [
    ("identity", Weights::Identity),
    ("linear", Weights::Linear),
    ("quadratic", Weights::Quadratic),
    ("ordinal", Weights::Ordinal),
];

const LEVELS: [(&str, Level); 4] = [
    ("nominal", Level::Nominal),
    ("ordinal", Level::Ordinal),
    ("interval", Level::Interval),
    ("ratio", Level::Ratio),
];

fn agreement(request: &Value) -> Answer {
    let raters = request["raters"].as_array().ok_or("no list raters")?;
    let rater = |rater: &Value| {
        let grades = rater.as_array().ok_or("a rater is no list")?;
        Ok(grades.iter().map(Value::as_f64).collect())
    };
    let raters: Vec<Vec<Option<f64>>> = raters.iter().map(rater).collect::<Result<_, String>>()?;
    let ratings = Ratings::new(&raters).map_err(text)?;
    let mut answer = json!({});
    for (name, weights) in WEIGHTS {
        answer[name] = json!({
            "percent": percent_agreement(&ratings, weights),
            "fleiss": fleiss(&ratings, weights),
            "brennan_prediger": brennan_prediger(&ratings, weights),
            "gwet": gwet(&ratings, weights),
            "conger": conger(&ratings, weights),
        });
        if let Ok(table) = ratings.confusion(0, 1) {
            let kappa = table.cohen(weights);
            answer[name]["cohen"] = json!([kappa.value, kappa.standard_error]);
        }
    }
    for (name, level) in LEVELS {
        answer["alpha"][name] = json!(krippendorff(&ratings, level));
    }
    Ok(answer)
}

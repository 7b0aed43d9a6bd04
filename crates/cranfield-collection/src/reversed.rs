//! A check for grades whose smallest number is the best.

use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::run::{Run, RunTopic};

/// Topics needed for a verdict.
const MIN_TOPICS: usize = 5;
/// Standard errors between the mean and 0.
const MIN_ERRORS: f64 = 3.0;

/// Whether the grades of judgements seem to be reversed: documents with smaller grades have higher scores in a run of a ranking
/// function such as BM25.
///
/// Kendall's tau between positive grades and scores is computed for each topic over its retrieved documents. Grades look reversed
/// if the mean is negative by more than three standard errors.
///
/// ```
/// use cranfield_collection::grades_look_reversed;
/// use cranfield_core::{qrels::Qrels, run::Run};
///
/// let topics: Vec<String> = (0..9).map(|n| n.to_string()).collect();
/// let run = Run::from_scores("bm25", topics.iter().flat_map(|t| [(t, "best", 2.0), (t, "good", 1.0)]));
/// let first_is_best = topics.iter().flat_map(|t| [(t, "best", 1.0), (t, "good", 2.0)]);
/// assert!(grades_look_reversed(&run, &Qrels::from_judgements(first_is_best)));
/// ```
pub fn grades_look_reversed(run: &Run, qrels: &Qrels) -> bool {
    let judged = run
        .topics()
        .filter_map(|topic| Some((topic, qrels.get(topic.id())?)));
    let taus: Vec<f64> = judged
        .filter_map(|(topic, judged)| tau(&topic, &judged))
        .collect();
    if taus.len() < MIN_TOPICS {
        return false;
    }
    let n = taus.len() as f64;
    let mean = taus.iter().sum::<f64>() / n;
    let variance = taus.iter().map(|tau| (tau - mean).powi(2)).sum::<f64>() / (n - 1.0);
    mean < 0.0 && -mean >= MIN_ERRORS * (variance / n).sqrt()
}

/// The agreement of scores with positive grades, from -1 to 1, over pairs of documents with different ones; `None` without such
/// pairs.
fn tau(topic: &RunTopic<'_>, judged: &QrelsTopic<'_>) -> Option<f64> {
    let graded = topic.entries().filter_map(|entry| {
        let grade = judged.grade(entry.doc).filter(|grade| *grade > 0.0)?;
        Some((entry.score, grade))
    });
    let graded: Vec<(f64, f64)> = graded.collect();
    let (mut agreeing, mut pairs) = (0.0, 0.0);
    for (at, (score, grade)) in graded.iter().enumerate() {
        for (other_score, other_grade) in &graded[..at] {
            if grade != other_grade && score != other_score {
                let agrees = (grade > other_grade) == (score > other_score);
                agreeing += if agrees { 1.0 } else { -1.0 };
                pairs += 1.0;
            }
        }
    }
    (pairs > 0.0).then_some(agreeing / pairs)
}

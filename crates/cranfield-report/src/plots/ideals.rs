//! Reference curves of gain: the ideal ranking, and the best order of the retrieved documents.

use cranfield_core::vectors::BoundVector;
use cranfield_eval::RunScores;
use cranfield_render::plot::{Ink, Layer, Look, PlotKind};

use super::curves::{is_of_means, line, mean, placed};
use super::{Drawing, Ideals};
use cranfield_eval::Evaluation;

/// The places of the vectors that a curve of gain may need, see [`Drawing::prepare`].
const IDEAL: usize = 1;
const RETRIEVED: usize = 2;

/// Reference curves of curves of gain.
pub(super) fn ideals(
    drawing: &Drawing,
    evaluation: &Evaluation,
    vector: &BoundVector,
) -> Vec<Layer> {
    let wanted = match drawing.kind {
        PlotKind::Cg | PlotKind::Dcg | PlotKind::Ncg | PlotKind::Ndcg => {
            drawing.wanted_ideals(evaluation.runs.len())
        }
        _ => Ideals::None,
    };
    let is_normalised = matches!(drawing.kind, PlotKind::Ncg | PlotKind::Ndcg);
    let mut layers = Vec::new();
    if wanted.has_judged() && is_normalised {
        let ones = vec![Some(1.0); vector.positions().len()];
        layers.push(line(
            "ideal",
            Ink::Reference,
            Look::Full,
            placed(vector, &ones),
        ));
    } else if wanted.has_judged() {
        layers.extend(judged_ideals(drawing, evaluation, vector));
    }
    if wanted.has_retrieved() {
        for (at, run) in evaluation.runs.iter().enumerate() {
            let best = if is_normalised {
                normalised_best(drawing, evaluation, vector, &run.scores)
            } else {
                drawing.vector_of(evaluation, &run.scores, RETRIEVED)
            };
            let name = format!("{}, best order", run.scores.name);
            layers.push(line(
                &name,
                Ink::Series(at),
                Look::Thin,
                placed(vector, &best),
            ));
        }
    }
    layers
}

/// The ideal vector of the judgements: one for all runs, unless they are evaluated on different topics.
fn judged_ideals(drawing: &Drawing, evaluation: &Evaluation, vector: &BoundVector) -> Vec<Layer> {
    let means = evaluation.runs.iter();
    let means: Vec<_> = means
        .map(|run| drawing.vector_of(evaluation, &run.scores, IDEAL))
        .collect();
    let same = means.windows(2).all(|pair| pair[0] == pair[1]);
    let shown = if same { 1 } else { means.len() };
    let named = evaluation.runs.iter().zip(&means).take(shown);
    named
        .map(|(run, mean)| {
            let name = if same {
                "ideal".into()
            } else {
                format!("ideal of {}", run.scores.name)
            };
            line(&name, Ink::Reference, Look::Full, placed(vector, mean))
        })
        .collect()
}

/// The best order of the retrieved documents, normalised as the run's own vector is: topic by topic, or mean by mean.
fn normalised_best(
    drawing: &Drawing,
    evaluation: &Evaluation,
    vector: &BoundVector,
    scores: &RunScores,
) -> Vec<Option<f64>> {
    let plan = &evaluation.plan;
    let divided = |best: &[Option<f64>], ideal: &[Option<f64>]| -> Vec<Option<f64>> {
        let pairs = best.iter().zip(ideal);
        let quotient = |(best, ideal): (&Option<f64>, &Option<f64>)| {
            let ideal = (*ideal).filter(|ideal| *ideal > 0.0)?;
            Some((*best)? / ideal)
        };
        pairs.map(quotient).collect()
    };
    if is_of_means(vector) {
        return divided(
            &drawing.vector_of(evaluation, scores, RETRIEVED),
            &drawing.vector_of(evaluation, scores, IDEAL),
        );
    }
    let leaves_out = plan.leaves_out(vector.aggregate(), vector.direction());
    let topics: Vec<_> = drawing
        .places(scores)
        .filter_map(|at| {
            let best = scores.topic_vector(plan, at, RETRIEVED)?;
            Some(divided(&best, &scores.topic_vector(plan, at, IDEAL)?))
        })
        .collect();
    let component = |at: usize| {
        let values = topics
            .iter()
            .map(move |topic| topic.get(at).copied().flatten());
        values.filter_map(move |value| value.or((!leaves_out).then_some(0.0)))
    };
    (0..vector.positions().len())
        .map(|at| mean(component(at)))
        .collect()
}

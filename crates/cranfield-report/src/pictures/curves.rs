//! Curves by rank and by recall.

use cranfield_core::measure::Aggregate;
use cranfield_core::vectors::{BoundVector, Positions};
use cranfield_eval::RunScores;
use cranfield_render::picture::{
    Axis, Band, Ink, Layer, Line, Look, Picture, PictureError, PictureKind,
};
use cranfield_stats::bootstrap::{MOST_KEPT, mean_bands, replicates_for};
use cranfield_stats::random::Resampling;

use super::captions::{caption, caption_without_empty, percent};
use super::{Bands, Curve, Drawing, Ideals};
use cranfield_compare::limits::{capitalised, few_topics, would_do};
use cranfield_eval::{EvaluatedRun, Evaluation};

/// Most bootstrap samples behind a band.
const BAND_REPLICATES: usize = 2000;

/// Most runs whose curves all have a colour of their own; of more, so many of the highest and of the lowest have one.
const MOST_COLOURED: usize = 24;
const AT_EACH_END: usize = 10;

/// The places of the vectors that a curve of gain may need, see [`Drawing::prepare`].
const IDEAL: usize = 1;
const RETRIEVED: usize = 2;

pub(super) fn curves(drawing: &Drawing, evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let vector = evaluation.plan.vectors.first();
    let vector = vector.filter(|_| evaluation.plan.topic_vectors);
    let vector = vector
        .ok_or_else(|| PictureError::new("the evaluation has no vectors of topics to draw"))?;
    let runs = &evaluation.runs;
    let bands = bands(drawing, evaluation, vector);
    let curves = runs
        .iter()
        .map(|run| MeanCurve::of(drawing, bands, evaluation, run));
    let curves = curves.collect::<Result<Vec<_>, _>>()?;
    let mut layers = Vec::new();
    if bands != Bands::None {
        for (at, (run, curve)) in runs.iter().zip(&curves).enumerate() {
            layers.push(band(vector, run, curve, at));
        }
    }
    layers.extend(ideals(drawing, evaluation, vector));
    let inks = inks(&curves);
    let mut lines: Vec<Layer> = (runs.iter().zip(&curves).zip(&inks))
        .map(|((run, curve), ink)| {
            let look = match ink {
                Ink::Muted => Look::Plain,
                _ => Look::Full,
            };
            line(&run.scores.name, *ink, look, placed(vector, &curve.mean))
        })
        .collect();
    // Those with a colour are drawn over the others.
    lines.sort_by_key(|layer| !matches!(layer, Layer::Line(line) if line.ink == Ink::Muted));
    layers.extend(lines);
    let (x, y) = axes(drawing.kind, vector, &layers);
    let mut more = sentences(drawing, vector, bands, &layers);
    more.extend(few_topics_note(drawing, evaluation).map(|note| capitalised(&note)));
    more.extend(muted(&inks));
    let what = subject(drawing.kind, vector);
    Ok(Picture {
        kind: drawing.kind,
        title: title(drawing.kind).into(),
        caption: match drawing.kind {
            PictureKind::Unjudged => caption_without_empty(evaluation, &what, &more),
            _ => caption(evaluation, &what, &more),
        },
        series: "run".into(),
        x,
        y,
        layers,
    })
}

/// The bands that there are: none of one topic, and none of quotients of means.
fn bands(drawing: &Drawing, evaluation: &Evaluation, vector: &BoundVector) -> Bands {
    let runs = evaluation.runs.iter();
    let topics = runs.map(|run| run.scores.topics.len()).max();
    match drawing.wanted_bands(evaluation.runs.len()) {
        _ if is_of_means(vector) || topics < Some(2) => Bands::None,
        bands => bands,
    }
}

/// That bands over resamples of few topics are too short, if they are.
pub(super) fn few_topics_note(drawing: &Drawing, evaluation: &Evaluation) -> Option<String> {
    let vector = evaluation.plan.vectors.first()?;
    let runs = evaluation.runs.iter();
    let topics = runs.map(|run| run.scores.topics.len()).min()?;
    match bands(drawing, evaluation, vector) {
        Bands::Bootstrap => few_topics("bands", topics, ""),
        _ => None,
    }
}

/// Colours of curves. Of more than a reader can tell apart, those that run highest and those that run lowest have one.
fn inks(curves: &[MeanCurve]) -> Vec<Ink> {
    if curves.len() <= MOST_COLOURED {
        return (0..curves.len()).map(Ink::Series).collect();
    }
    let heights: Vec<f64> = curves.iter().map(MeanCurve::height).collect();
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|one, other| heights[*other].total_cmp(&heights[*one]));
    let (highest, lowest) = (&order[..AT_EACH_END], &order[order.len() - AT_EACH_END..]);
    let mut inks = vec![Ink::Muted; curves.len()];
    for (series, run) in highest.iter().chain(lowest).enumerate() {
        inks[*run] = Ink::Series(series);
    }
    inks
}

/// Which runs have no colour, if there are any.
fn muted(inks: &[Ink]) -> Option<String> {
    let count = inks.iter().filter(|ink| **ink == Ink::Muted).count();
    (count > 0).then(|| {
        format!(
            "Of {} runs, the {AT_EACH_END} that run highest on average and the {AT_EACH_END} that run lowest have colours, the others are grey",
            inks.len()
        )
    })
}

/// A run's mean vector and the limits of its band.
struct MeanCurve {
    mean: Vec<Option<f64>>,
    limits: Vec<Option<[f64; 2]>>,
}

impl MeanCurve {
    fn of(
        drawing: &Drawing,
        bands: Bands,
        evaluation: &Evaluation,
        run: &EvaluatedRun,
    ) -> Result<Self, PictureError> {
        let (kind, scores) = (drawing.kind, &run.scores);
        let topics = topic_vectors(kind, evaluation, scores);
        let length = evaluation.plan.vectors[0].positions().len();
        let component = |at: usize| topics.iter().filter_map(move |topic| *topic.get(at)?);
        let mean: Vec<Option<f64>> = if kind == PictureKind::Unjudged {
            (0..length).map(|at| mean(component(at))).collect()
        } else {
            scores.mean_vector(&evaluation.plan, 0)
        };
        let limits = match bands {
            Bands::Bootstrap if !topics.is_empty() => resampled(drawing, &topics)?,
            Bands::None => Vec::new(),
            _ => {
                let error = |(at, mean): (usize, &Option<f64>)| {
                    let error = standard_error(component(at)).unwrap_or(0.0);
                    mean.map(|mean| [mean - error, mean + error])
                };
                mean.iter().enumerate().map(error).collect()
            }
        };
        Ok(Self { mean, limits })
    }

    /// The mean over all positions that have a value.
    fn height(&self) -> f64 {
        mean(self.mean.iter().copied().flatten()).unwrap_or(0.0)
    }
}

/// Intervals of the mean over resampled topics, component by component.
fn resampled(
    drawing: &Drawing,
    topics: &[Vec<Option<f64>>],
) -> Result<Vec<Option<[f64; 2]>>, PictureError> {
    let bands = mean_bands(topics, drawing.tests.level(), band_resampling(drawing));
    let bands = bands.map_err(|error| PictureError::new(error.to_string()))?;
    let limits = bands.iter().map(|band| band.map(|it| [it.low, it.high]));
    Ok(limits.collect())
}

/// Replicates and seed of bands: more than usual where the level needs them and so many are given.
fn band_resampling(drawing: &Drawing) -> Resampling {
    let resampling = drawing.tests.resampling;
    let (given, needed) = (resampling.replicates, replicates_for(drawing.tests.level()));
    let is_enough = needed <= given.min(MOST_KEPT);
    let raised = if is_enough { needed } else { 0 };
    Resampling {
        replicates: given.min(BAND_REPLICATES.max(raised)),
        ..resampling
    }
}

/// The vectors of topics, with undefined components as the mean has them; of unjudged documents, their share.
fn topic_vectors(
    kind: PictureKind,
    evaluation: &Evaluation,
    scores: &RunScores,
) -> Vec<Vec<Option<f64>>> {
    let plan = &evaluation.plan;
    let vector = &plan.vectors[0];
    let leaves_out = plan.leaves_out(vector.aggregate(), vector.direction());
    let places = 0..scores.topics.len();
    if kind == PictureKind::Unjudged {
        // A ranking without documents has no share of unjudged ones.
        let ranked = places.filter(|at| scores.topics[*at].notes.retrieved > 0);
        let vectors = ranked.filter_map(|at| scores.topic_vector(plan, at, 0));
        let unjudged = |judged: Option<f64>| judged.map(|judged| 1.0 - judged);
        return vectors
            .map(|vector| vector.into_iter().map(unjudged).collect())
            .collect();
    }
    let vectors = places.filter_map(|at| scores.topic_vector(plan, at, 0));
    let counted = |value: Option<f64>| value.or((!leaves_out).then_some(0.0));
    vectors
        .map(|vector| vector.into_iter().map(counted).collect())
        .collect()
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| {
        (sum + value, count + 1)
    });
    (count > 0).then(|| sum / count as f64)
}

/// The standard error of the mean: s / √n with s² = Σ (x − mean)² / (n − 1). `None` for fewer than two values.
///
/// Of 1, 2, 3, 4: s² = 5/3, and the standard error is √(5/12) = 0.645497.
pub(super) fn standard_error(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let mean = mean(values.clone())?;
    let (squares, count) = values.fold((0.0, 0usize), |(sum, count), value| {
        (sum + (value - mean) * (value - mean), count + 1)
    });
    (count > 1).then(|| (squares / (count as f64 - 1.0) / count as f64).sqrt())
}

fn placed(vector: &BoundVector, values: &[Option<f64>]) -> Vec<[f64; 2]> {
    let positions = vector.positions();
    let defined = values.iter().enumerate();
    defined
        .filter_map(|(at, value)| Some([positions.at(at), (*value)?]))
        .collect()
}

fn line(name: &str, ink: Ink, look: Look, points: Vec<[f64; 2]>) -> Layer {
    Layer::Line(Line {
        name: name.into(),
        ink,
        look,
        points,
    })
}

fn band(vector: &BoundVector, run: &EvaluatedRun, curve: &MeanCurve, at: usize) -> Layer {
    let positions = vector.positions();
    let limits = curve.limits.iter().enumerate();
    let points = limits.filter_map(|(at, limits)| {
        let [low, high] = (*limits)?;
        Some([positions.at(at), low, high])
    });
    Layer::Band(Band {
        name: run.scores.name.clone(),
        ink: Ink::Series(at),
        points: points.collect(),
    })
}

/// Curves to compare with, for curves of gain.
fn ideals(drawing: &Drawing, evaluation: &Evaluation, vector: &BoundVector) -> Vec<Layer> {
    let wanted = match drawing.kind {
        PictureKind::Cg | PictureKind::Dcg | PictureKind::Ncg | PictureKind::Ndcg => {
            drawing.wanted_ideals(evaluation.runs.len())
        }
        _ => Ideals::None,
    };
    let is_normalised = matches!(drawing.kind, PictureKind::Ncg | PictureKind::Ndcg);
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
        layers.extend(judged_ideals(evaluation, vector));
    }
    if wanted.has_retrieved() {
        for (at, run) in evaluation.runs.iter().enumerate() {
            let best = if is_normalised {
                normalised_best(evaluation, vector, &run.scores)
            } else {
                run.scores.mean_vector(&evaluation.plan, RETRIEVED)
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
fn judged_ideals(evaluation: &Evaluation, vector: &BoundVector) -> Vec<Layer> {
    let means = evaluation.runs.iter();
    let means: Vec<_> = means
        .map(|run| run.scores.mean_vector(&evaluation.plan, IDEAL))
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
            &scores.mean_vector(plan, RETRIEVED),
            &scores.mean_vector(plan, IDEAL),
        );
    }
    let leaves_out = plan.leaves_out(vector.aggregate(), vector.direction());
    let topics: Vec<_> = (0..scores.topics.len())
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

fn is_of_means(vector: &BoundVector) -> bool {
    vector.columns() > vector.positions().len()
}

fn title(kind: PictureKind) -> &'static str {
    match kind {
        PictureKind::Pr => "Precision by recall",
        PictureKind::Cg => "Cumulated gain by rank",
        PictureKind::Dcg => "Discounted cumulated gain by rank",
        PictureKind::Ncg => "Normalised cumulated gain by rank",
        PictureKind::Ndcg => "Normalised discounted cumulated gain by rank",
        PictureKind::Precision => "Precision by rank",
        PictureKind::Recall => "Recall by rank",
        _ => "Unjudged documents by rank",
    }
}

fn subject(kind: PictureKind, vector: &BoundVector) -> String {
    let average = match vector.aggregate() {
        Aggregate::Sum => "sum over topics",
        _ if is_of_means(vector) => "means over topics, normalised",
        _ => "mean over topics",
    };
    match kind {
        PictureKind::Pr => {
            let levels = vector.positions().len();
            format!("Interpolated precision at {levels} recall levels ({vector}), {average}")
        }
        PictureKind::Unjudged => {
            let depth = vector.depth().unwrap_or(0);
            format!(
                "Share of unjudged documents among the first k, 1 − Judged@k for k up to {depth}, {average}"
            )
        }
        _ => format!("{vector} at every rank up to its cutoff, {average}"),
    }
}

fn sentences(
    drawing: &Drawing,
    vector: &BoundVector,
    bands: Bands,
    layers: &[Layer],
) -> Vec<String> {
    let mut more = Vec::new();
    let is_line = |layer: &Layer, thin: bool| match layer {
        Layer::Line(line) => match line.ink {
            Ink::Reference => !thin,
            _ => thin && line.look == Look::Thin,
        },
        _ => false,
    };
    if layers.iter().any(|layer| is_line(layer, false)) {
        more.push("Ideal: all judged documents of a topic in the best order".into());
    }
    if layers.iter().any(|layer| is_line(layer, true)) {
        more.push("Best order: the documents that the run retrieved, in the best order".into());
    }
    match bands {
        Bands::StandardError => more.push("Bands: mean ± standard error over topics".into()),
        Bands::Bootstrap => {
            let Resampling { replicates, seed } = band_resampling(drawing);
            let (level, needed) = (drawing.tests.level(), replicates_for(drawing.tests.level()));
            let rough = if replicates < needed {
                format!(
                    "; they are too few for this level, and {}",
                    would_do(needed, MOST_KEPT)
                )
            } else {
                String::new()
            };
            more.push(format!(
                "Bands: {} interval of the mean at each point, over {replicates} bootstrap samples of the topics \
                 (seed {seed}){rough}",
                percent(level)
            ));
        }
        _ if is_of_means(vector) && !matches!(drawing.bands, Bands::Auto | Bands::None) => {
            more.push("No bands: a quotient of means is no mean over topics".into());
        }
        _ => {}
    }
    if drawing.kind == PictureKind::Unjudged {
        more.push("Topics without documents are left out".into());
    }
    more
}

fn axes(kind: PictureKind, vector: &BoundVector, layers: &[Layer]) -> (Axis, Axis) {
    let x = match vector.positions() {
        Positions::Ranks(depth) => Axis::whole("rank", 1.0, *depth as f64),
        Positions::Recall(_) => Axis::linear("recall", 0.0, 1.0),
    };
    let label = match kind {
        PictureKind::Pr => "interpolated precision".into(),
        PictureKind::Unjudged => "share of unjudged documents".into(),
        _ => vector.to_string(),
    };
    let field = match kind {
        PictureKind::Unjudged => "unjudged".into(),
        PictureKind::Pr => "precision".into(),
        _ => kind.family().to_owned(),
    };
    let values = layers.iter().flat_map(|layer| match layer {
        Layer::Line(line) => line.points.iter().map(|[_, y]| *y).collect::<Vec<_>>(),
        Layer::Band(band) => band.points.iter().map(|[.., high]| *high).collect(),
        _ => Vec::new(),
    });
    let y = if kind == PictureKind::Pr {
        Axis::linear(label, 0.0, 1.0)
    } else {
        Axis::fitted(label, values, true)
    };
    (x, y.with_field(field))
}

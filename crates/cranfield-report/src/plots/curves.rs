//! Curves by rank and by recall.

use cranfield_core::measure::Aggregate;
use cranfield_core::small_sort::SmallSort;
use cranfield_core::vectors::{BoundVector, Positions};
use cranfield_eval::RunScores;
use cranfield_render::plot::{Axis, Band, Ink, Layer, Line, Look, Plot, PlotKind};
use cranfield_stats::bootstrap::{MOST_KEPT, mean_bands, replicates_for};
use cranfield_stats::random::Resampling;

use super::captions::{caption, caption_without_empty, percent, topic_caption};
use super::{Bands, Curve, Drawing, DrawingError, ideals, place_of};
use cranfield_compare::limits::{capitalised, few_topics, would_do};
use cranfield_eval::{EvaluatedRun, Evaluation};

/// Most bootstrap samples behind a band.
const BAND_REPLICATES: usize = 2000;

/// Most runs that all have a colour. Of more, only this many of the highest and of the lowest have one.
const MOST_COLOURED: usize = 24;
const AT_EACH_END: usize = 10;

pub(super) fn curves(drawing: &Drawing, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let vector = evaluation.plan.vectors.first();
    let vector = vector.filter(|_| evaluation.plan.topic_vectors);
    let vector =
        vector.ok_or_else(|| DrawingError::new("the evaluation has no topic vectors to plot"))?;
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
    layers.extend(ideals::ideals(drawing, evaluation, vector));
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
    lines.small_sort_by_key(|layer| !matches!(layer, Layer::Line(line) if line.ink == Ink::Muted));
    layers.extend(lines);
    let (x, y) = axes(drawing.kind, vector, &layers);
    let mut more = sentences(drawing, vector, bands, &layers);
    more.extend(few_topics_note(drawing, evaluation).map(|note| capitalised(&note)));
    more.extend(muted(&inks));
    let what = subject(drawing, vector);
    let title = title(drawing.kind);
    Ok(Plot {
        kind: drawing.kind,
        title: drawing
            .topic
            .as_ref()
            .map_or(title.into(), |topic| format!("{title}, topic {topic}")),
        caption: match (&drawing.topic, drawing.kind) {
            (Some(topic), _) => topic_caption(evaluation, topic, &what, &more),
            (None, PlotKind::Unjudged) => caption_without_empty(evaluation, &what, &more),
            (None, _) => caption(evaluation, &what, &more),
        },
        series: "run".into(),
        x,
        y,
        layers,
    })
}

impl Drawing {
    /// A vector of a run: that of the chosen topic, or the mean over all.
    pub(super) fn vector_of(
        &self,
        evaluation: &Evaluation,
        scores: &RunScores,
        vector: usize,
    ) -> Vec<Option<f64>> {
        let Some(topic) = &self.topic else {
            return scores.mean_vector(&evaluation.plan, vector);
        };
        let found = place_of(topic, scores)
            .and_then(|topic| scores.topic_vector(&evaluation.plan, topic, vector));
        found.unwrap_or_default()
    }

    /// Places of the topics that are plotted.
    pub(super) fn places(&self, scores: &RunScores) -> std::ops::Range<usize> {
        match &self.topic {
            None => 0..scores.topics.len(),
            Some(topic) => place_of(topic, scores).map_or(0..0, |at| at..at + 1),
        }
    }
}

/// The bands to draw: none for one topic, and none for ratios of means.
fn bands(drawing: &Drawing, evaluation: &Evaluation, vector: &BoundVector) -> Bands {
    let runs = evaluation.runs.iter();
    let topics = runs.map(|run| run.scores.topics.len()).max();
    match drawing.wanted_bands(evaluation.runs.len()) {
        _ if is_of_means(vector) || topics < Some(2) || drawing.topic.is_some() => Bands::None,
        bands => bands,
    }
}

/// A warning that bands over resamples of few topics are too narrow, if they are.
pub(super) fn few_topics_note(drawing: &Drawing, evaluation: &Evaluation) -> Option<String> {
    let vector = evaluation.plan.vectors.first()?;
    let runs = evaluation.runs.iter();
    let topics = runs.map(|run| run.scores.topics.len()).min()?;
    match bands(drawing, evaluation, vector) {
        Bands::Bootstrap => few_topics("bands", topics, ""),
        _ => None,
    }
}

/// Colours of curves. Of many curves, only the highest and the lowest have one.
fn inks(curves: &[MeanCurve]) -> Vec<Ink> {
    if curves.len() <= MOST_COLOURED {
        return (0..curves.len()).map(Ink::Series).collect();
    }
    let heights: Vec<f64> = curves.iter().map(MeanCurve::height).collect();
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.small_sort_by(|one, other| heights[*other].total_cmp(&heights[*one]));
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
            "Of {} runs, the {AT_EACH_END} highest and the {AT_EACH_END} lowest on average have colours, the others are grey",
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
    ) -> Result<Self, DrawingError> {
        let (kind, scores) = (drawing.kind, &run.scores);
        let topics = topic_vectors(drawing, evaluation, scores);
        let length = evaluation.plan.vectors[0].positions().len();
        let component = |at: usize| topics.iter().filter_map(move |topic| *topic.get(at)?);
        let mean: Vec<Option<f64>> = if kind == PlotKind::Unjudged {
            (0..length).map(|at| mean(component(at))).collect()
        } else {
            drawing.vector_of(evaluation, scores, 0)
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
) -> Result<Vec<Option<[f64; 2]>>, DrawingError> {
    let bands = mean_bands(topics, drawing.tests.level(), band_resampling(drawing));
    let bands = bands.map_err(|error| DrawingError::new(error.to_string()))?;
    let limits = bands.iter().map(|band| band.map(|it| [it.low, it.high]));
    Ok(limits.collect())
}

/// Replicates and seed of bands: more than usual if the level needs them and they are available.
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

/// The vectors of topics, with undefined components as they enter the mean; for unjudged documents, their share.
fn topic_vectors(
    drawing: &Drawing,
    evaluation: &Evaluation,
    scores: &RunScores,
) -> Vec<Vec<Option<f64>>> {
    let plan = &evaluation.plan;
    let vector = &plan.vectors[0];
    let leaves_out = plan.leaves_out(vector.aggregate(), vector.direction());
    let places = drawing.places(scores);
    if drawing.kind == PlotKind::Unjudged {
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

pub(super) fn placed(vector: &BoundVector, values: &[Option<f64>]) -> Vec<[f64; 2]> {
    let positions = vector.positions();
    let defined = values.iter().enumerate();
    defined
        .filter_map(|(at, value)| Some([positions.at(at), (*value)?]))
        .collect()
}

pub(super) fn line(name: &str, ink: Ink, look: Look, points: Vec<[f64; 2]>) -> Layer {
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

pub(super) fn is_of_means(vector: &BoundVector) -> bool {
    vector.columns() > vector.positions().len()
}

fn title(kind: PlotKind) -> &'static str {
    match kind {
        PlotKind::Pr => "Precision by recall",
        PlotKind::Cg => "Cumulated gain by rank",
        PlotKind::Dcg => "Discounted cumulated gain by rank",
        PlotKind::Ncg => "Normalised cumulated gain by rank",
        PlotKind::Ndcg => "Normalised discounted cumulated gain by rank",
        PlotKind::Precision => "Precision by rank",
        PlotKind::Recall => "Recall by rank",
        _ => "Unjudged documents by rank",
    }
}

fn subject(drawing: &Drawing, vector: &BoundVector) -> String {
    let average = match vector.aggregate() {
        _ if drawing.topic.is_some() => "",
        Aggregate::Sum => ", sum over topics",
        _ if is_of_means(vector) => ", ratio of means over topics",
        _ => ", mean over topics",
    };
    let depth = vector.depth().unwrap_or(0);
    match drawing.kind {
        PlotKind::Pr => {
            let levels = vector.positions().len();
            format!("Interpolated precision at {levels} recall levels ({vector}){average}")
        }
        PlotKind::Unjudged => format!(
            "Share of unjudged documents among the first k, 1 − Judged@k for k up to {depth}{average}"
        ),
        _ => format!("{}@k for k up to {depth}{average}", without_cutoff(vector)),
    }
}

/// The name of a vector by rank without its cutoff.
fn without_cutoff(vector: &BoundVector) -> String {
    let name = vector.to_string();
    match name.rsplit_once('@') {
        Some((name, _)) => name.into(),
        None => name,
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
            more.push("No bands: a ratio of means is not a mean over topics".into());
        }
        _ => {}
    }
    if drawing.kind == PlotKind::Unjudged {
        more.push("Topics without documents are left out".into());
    }
    more
}

fn axes(kind: PlotKind, vector: &BoundVector, layers: &[Layer]) -> (Axis, Axis) {
    let x = match vector.positions() {
        Positions::Ranks(depth) => Axis::whole("rank", 1.0, *depth as f64),
        Positions::Recall(_) => Axis::linear("recall", 0.0, 1.0),
    };
    let label = match kind {
        PlotKind::Pr => "interpolated precision".into(),
        PlotKind::Unjudged => "share of unjudged documents".into(),
        _ => without_cutoff(vector),
    };
    let field = match kind {
        PlotKind::Unjudged => "unjudged".into(),
        PlotKind::Pr => "precision".into(),
        _ => kind.family().to_owned(),
    };
    let values = layers.iter().flat_map(|layer| match layer {
        Layer::Line(line) => line.points.iter().map(|[_, y]| *y).collect::<Vec<_>>(),
        Layer::Band(band) => band.points.iter().map(|[.., high]| *high).collect(),
        _ => Vec::new(),
    });
    let y = if kind == PlotKind::Pr {
        Axis::linear(label, 0.0, 1.0)
    } else {
        Axis::fitted(label, values, true)
    };
    (x, y.with_field(field))
}

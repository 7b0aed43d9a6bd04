//! Vectors by name: the names of measures, with three more parameters.

mod cumulated;
mod positions;
mod step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use cranfield_core::error::{Error, shown};
use cranfield_core::grammar::{MAX_TEXT, Spec, read_names, split_items};
use cranfield_core::measure::{BoundMeasure, Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, CutoffRule, ParamInfo, ParamKind, Params, Value};
use cranfield_core::policy::Overrides;
use cranfield_core::setting::{Message, Setting};
use cranfield_core::vectors::{BoundVector, Ideal, Positions};

use crate::measures::discount::Discount;
use crate::measures::gain_model::GainModel;
use crate::measures::interpolation::RecallRule;
use crate::profiles::Profile;
use crate::spec::{Conventions, find, parse_measure, parse_measures};
use crate::trec_names;

use cumulated::{Cumulated, Part};
use positions::AtPositions;
use step::Step;

/// Maximum number of components of a vector.
pub const MAX_POSITIONS: usize = 10_000;

/// Maximum number of components of all vectors together.
pub const MAX_COMPONENTS: usize = 50_000;

/// Averaging of a normalised vector.
const AVERAGE: ParamInfo = ParamInfo {
    name: "average",
    kind: ParamKind::Word(&["vectors", "means"]),
    default: "vectors",
    help: "mean of normalised vectors, or mean vector divided by the mean ideal vector",
};

/// Recall levels of a vector by recall.
const POINTS: ParamInfo = ParamInfo {
    name: "points",
    kind: ParamKind::Reals,
    default: "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1",
    help: "recall levels",
};

/// Interpolation of precision between relevant documents.
const INTERPOLATION: ParamInfo = ParamInfo {
    name: "interpolation",
    kind: ParamKind::Word(&["max", "step"]),
    default: "max",
    help: "highest precision at any later recall, or precision at the next relevant document",
};

/// Parses names of vectors, separated by spaces or commas. A measure's name with a cutoff k is its vector at the ranks 1 to k, in any
/// form that [`parse_measures`] accepts. In addition:
///
/// - `nCG` and `nDCG` take `average='means'`: normalised means instead of the mean of normalised vectors;
/// - `IPrec` without a point is the vector at eleven recall levels, or at those of `points='0,0.5,1'`; with
///   `interpolation='step'` it is not the highest precision at any later recall but that at the next relevant document;
/// - `Gain@k` is the gain of the document at each of the ranks 1 to k, with the parameters of `CG`;
/// - `PR@k` is the curve of precision against recall in the first k documents, which has points of its own in each topic.
///
/// ```
/// use cranfield_measures::spec::Conventions;
/// use cranfield_measures::vectors::parse_vectors;
///
/// let vectors = parse_vectors("nDCG(average='means', gains='0,1,10')@30 P.5,10 IPrec", &Conventions::default())?;
/// let names: Vec<_> = vectors.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["nDCG(gains='0,1,10', average='means')@30", "P@5", "P@10", "IPrec"]);
/// assert_eq!(vectors[0].positions().len(), 30);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn parse_vectors(text: &str, conventions: &Conventions) -> Result<Vec<BoundVector>, Error> {
    if text.len() > MAX_TEXT {
        return Err(Error::syntax(format!(
            "list of vectors is longer than {MAX_TEXT} bytes"
        )));
    }
    let text = text.replace('"', "'");
    let mut vectors: Vec<BoundVector> = Vec::new();
    for item in split_items(&text)? {
        for vector in read_names(item, |name| parse_name(name, conventions))? {
            let name = vector.to_string();
            if !vectors.iter().any(|known| known.to_string() == name) {
                vectors.push(vector);
                check_components(&vectors)?;
            }
        }
    }
    Ok(vectors)
}

/// Checks the total number of components.
///
/// # Errors
/// If they have more than [`MAX_COMPONENTS`].
pub fn check_components<'a>(
    vectors: impl IntoIterator<Item = &'a BoundVector>,
) -> Result<(), Error> {
    let lengths = vectors.into_iter().map(|vector| vector.positions().len());
    match lengths.sum::<usize>() {
        0..=MAX_COMPONENTS => Ok(()),
        components => Err(Error::parameter(format!(
            "vectors have at most {MAX_COMPONENTS} components together, not {components}"
        ))),
    }
}

fn parse_name(item: &str, conventions: &Conventions) -> Result<Vec<BoundVector>, Error> {
    let spec = Spec::parse(item)?;
    if spec.name.eq_ignore_ascii_case("PR") {
        return Ok(vec![curve(&spec, conventions)?]);
    }
    if spec.name.eq_ignore_ascii_case("Gain") {
        return Ok(vec![gain(spec, conventions)?]);
    }
    match find(&spec.name) {
        Some(info) if info.name == "IPrec" => Ok(vec![by_recall(info, spec, conventions)?]),
        Some(_) if spec.arguments.iter().any(|(name, _)| name == AVERAGE.name) => {
            Ok(vec![averaged(spec, conventions)?])
        }
        _ => {
            let measures = parse_measures(item, conventions)?;
            measures.iter().map(by_rank).collect()
        }
    }
}

/// Takes one of the vectors' own parameters out of a name.
fn take(spec: &mut Spec, param: &ParamInfo) -> Result<Value, Error> {
    let given = spec
        .arguments
        .iter()
        .position(|(name, _)| name == param.name);
    let text = given.map(|at| spec.arguments.remove(at).1);
    Value::parse(param, text.as_deref().unwrap_or(param.default))
}

/// A measure's name with parameters more, each as it is printed.
fn name(info: &MeasureInfo, params: &Params, more: &[(&ParamInfo, &Value)]) -> String {
    let mut suffix = params.suffix(info);
    for (param, value) in more {
        if Value::parse(param, param.default).as_ref() == Ok(*value) {
            continue;
        }
        let given = format!("{}={value}", param.name);
        // The last parenthesis closes the parameters; a value may hold others.
        suffix = match suffix.rfind(')') {
            Some(end) => format!("{}, {given}{}", &suffix[..end], &suffix[end..]),
            None => format!("({given}){suffix}"),
        };
    }
    format!("{}{suffix}", info.name)
}

/// The vector of a measure with a cutoff, at the ranks up to it.
fn by_rank(measure: &BoundMeasure) -> Result<BoundVector, Error> {
    if let Some((part, discounted)) = family(measure.info) {
        return of_gain(measure.to_string(), measure, part, discounted);
    }
    let depth = depth_of(measure)?;
    let values = AtPositions::new(at_ranks(measure, depth)?);
    let positions = Positions::Ranks(depth);
    Ok(BoundVector::new(
        measure.to_string(),
        positions,
        values,
        measure.info,
    ))
}

/// The cutoff of a measure that can be a vector.
fn depth_of(measure: &BoundMeasure) -> Result<usize, Error> {
    if measure.overrides != Overrides::NONE {
        let message = format!(
            "{measure} has its own policies in this profile, which a vector cannot have; use "
        );
        let profile = Setting::Profile.to(Profile::Cranfield);
        return Err(Error::parameter(Message::from(message).then(profile)));
    }
    let name = measure.info.name;
    let cutoff = match (measure.params.cutoff(), measure.info.cutoff) {
        (Some(cutoff), _) => cutoff.get(),
        (None, CutoffRule::Optional | CutoffRule::Required) => {
            let message =
                format!("a vector needs a depth, such as {name}@30 for the ranks 1 to 30");
            return Err(Error::parameter(message));
        }
        (None, CutoffRule::None | CutoffRule::Point) => {
            let message = format!("{name} has no cutoff, and so no vector by rank");
            return Err(Error::parameter(message));
        }
    };
    if cutoff > MAX_POSITIONS {
        let message = format!("vectors have at most {MAX_POSITIONS} ranks, not {cutoff}");
        return Err(Error::parameter(message));
    }
    Ok(cutoff)
}

/// The measure at each rank.
fn at_ranks(measure: &BoundMeasure, depth: usize) -> Result<Vec<Arc<dyn Measure>>, Error> {
    let cutoffs = (1..=depth as u64).filter_map(Cutoff::new);
    let params = cutoffs.map(|cutoff| measure.params.clone().with_cutoff(cutoff));
    params.map(|params| ranked(measure.info, params)).collect()
}

fn ranked(info: &'static MeasureInfo, params: Params) -> Result<Arc<dyn Measure>, Error> {
    match info.bind(params)?.computation {
        Computation::Ranked(measure) => Ok(measure),
        _ => Err(Error::parameter(format!(
            "{} has no vector: it is not a number of one graded ranking",
            info.name
        ))),
    }
}

/// The use that a measure of the family of cumulated gain makes of the sums, and whether gains are discounted; `None` for other
/// measures.
fn family(info: &MeasureInfo) -> Option<(Part, bool)> {
    match info.name {
        "CG" => Some((Part::Gain, false)),
        "DCG" => Some((Part::Gain, true)),
        "IDCG" => Some((Part::Ideal, true)),
        "nCG" => Some((Part::Normalised, false)),
        "nDCG" => Some((Part::Normalised, true)),
        _ => None,
    }
}

/// A vector of the family of cumulated gain, with those of the best orders.
fn of_gain(
    name: String,
    measure: &BoundMeasure,
    part: Part,
    discounted: bool,
) -> Result<BoundVector, Error> {
    let (params, depth) = (&measure.params, depth_of(measure)?);
    let gains = match params.value("ideal") {
        Some(_) => GainModel::of(params),
        None => GainModel::by_gain(params),
    };
    let discount = if discounted {
        Discount::of(params)
    } else {
        Discount::None
    };
    let sums = Cumulated {
        gains,
        discount,
        part,
        depth,
    };
    let vector = BoundVector::new(name, Positions::Ranks(depth), sums, measure.info);
    if matches!(part, Part::Ideal | Part::Each) {
        return Ok(vector);
    }
    let ideal = ideal_of(params, discounted)?;
    let best = [by_rank(&ideal)?, by_rank(&retrieved(&ideal)?)?];
    let ideal = match part {
        Part::Gain => Ideal::Vector(Box::new(best[0].clone())),
        _ => Ideal::One,
    };
    Ok(vector.with_best(ideal, best))
}

/// The measure of the ideal ranking that has these parameters.
fn ideal_of(params: &Params, discounted: bool) -> Result<BoundMeasure, Error> {
    let info = find("IDCG").ok_or_else(|| Error::unknown("unknown measure `IDCG`"))?;
    let mut ideal = Params::defaults(info, |_| None);
    for param in info.params {
        if let Some(value) = params.value(param.name) {
            ideal = ideal.with(param.name, value.clone());
        }
    }
    if !discounted {
        ideal = ideal.with("discount", Value::Word("none"));
    }
    info.bind(match params.cutoff() {
        Some(cutoff) => ideal.with_cutoff(cutoff),
        None => ideal,
    })
}

/// The measure of the best order of the retrieved documents, with these parameters.
fn retrieved(ideal: &BoundMeasure) -> Result<BoundMeasure, Error> {
    let params = ideal.params.clone();
    ideal
        .info
        .bind(params.with("ideal", Value::Word("ranking")))
}

/// A normalised vector whose name says how it is averaged.
fn averaged(mut spec: Spec, conventions: &Conventions) -> Result<BoundVector, Error> {
    let average = take(&mut spec, &AVERAGE)?;
    let measure = parse_measure(&spec.to_string(), conventions)?;
    let Some((Part::Normalised, discounted)) = family(measure.info) else {
        let message = format!(
            "`average` is for nCG and nDCG, which are normalised; {} is not",
            measure.info.name
        );
        return Err(Error::parameter(message));
    };
    let part = match average {
        Value::Word("means") => Part::Means,
        _ => Part::Normalised,
    };
    let name = name(measure.info, &measure.params, &[(&AVERAGE, &average)]);
    of_gain(name, &measure, part, discounted)
}

/// The gain at each rank: cumulated gain before it is cumulated.
fn gain(spec: Spec, conventions: &Conventions) -> Result<BoundVector, Error> {
    let cumulated = Spec {
        name: "CG".into(),
        ..spec
    };
    if cumulated.cutoff.is_none() {
        let message = "Gain needs a depth, such as Gain@30 for the ranks 1 to 30";
        return Err(Error::parameter(message));
    }
    let measure = parse_measure(&cumulated.to_string(), conventions)?;
    let name = format!("Gain{}", measure.params.suffix(measure.info));
    of_gain(name, &measure, Part::Each, false)
}

/// Recall levels, which lie between 0 and 1.
fn checked_levels(levels: &[f64]) -> Result<Vec<f64>, Error> {
    match levels.iter().find(|level| !(0.0..=1.0).contains(*level)) {
        None => Ok(levels.to_vec()),
        Some(level) => Err(Error::parameter(format!(
            "points: {level} is no recall level; expected numbers from 0 to 1"
        ))),
    }
}

/// Interpolated precision at recall levels.
fn by_recall(
    info: &'static MeasureInfo,
    mut spec: Spec,
    conventions: &Conventions,
) -> Result<BoundVector, Error> {
    if let Some(point) = &spec.cutoff {
        let (name, point) = (info.name, shown(point));
        let message = format!(
            "the vector of {name} is over recall levels; write {name}(points='{point}'), or {name} for eleven levels"
        );
        return Err(Error::parameter(message));
    }
    trec_names::add_recall_rule(&mut spec, conventions);
    let points = take(&mut spec, &POINTS)?;
    let interpolation = take(&mut spec, &INTERPOLATION)?;
    let params = conventions.check(info, &spec.arguments, Some("0"))?;
    let params = params.without_cutoff();
    let levels = match &points {
        Value::Reals(levels) if levels.len() <= MAX_POSITIONS => checked_levels(levels)?,
        _ => {
            let message = format!("vectors have at most {MAX_POSITIONS} recall levels");
            return Err(Error::parameter(message));
        }
    };
    let more = [(&POINTS, &points), (&INTERPOLATION, &interpolation)];
    let (name, positions) = (
        name(info, &params, &more),
        Positions::Recall(levels.clone()),
    );
    if interpolation == Value::Word("step") {
        let values = Step::new(params.level(), levels, RecallRule::of(&params));
        return Ok(BoundVector::new(name, positions, values, info));
    }
    let measures = levels
        .iter()
        .map(|level| ranked(info, params.clone().with_point(*level)));
    let values = AtPositions::new(measures.collect::<Result<_, _>>()?);
    Ok(BoundVector::new(name, positions, values, info))
}

/// The curve of precision against recall.
fn curve(spec: &Spec, conventions: &Conventions) -> Result<BoundVector, Error> {
    let part = |name: &str| {
        let spec = Spec {
            name: name.into(),
            arguments: spec.arguments.clone(),
            cutoff: spec.cutoff.clone(),
        };
        parse_measure(&spec.to_string(), conventions)
    };
    if spec.cutoff.is_none() {
        let message =
            "PR needs a depth, such as PR@1000 for the points in the first 1000 documents";
        return Err(Error::parameter(message));
    }
    let (precision, recall) = (part("P")?, part("R")?);
    let depth = depth_of(&precision)?;
    let mut measures = at_ranks(&precision, depth)?;
    measures.extend(at_ranks(&recall, depth)?);
    Ok(BoundVector::new(
        format!("PR{}", precision.params.suffix(precision.info)),
        Positions::Ranks(depth),
        AtPositions::curve(measures),
        precision.info,
    ))
}

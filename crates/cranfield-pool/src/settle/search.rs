//! A short list of documents that makes the mean of the least leads of all topics positive.

use cranfield_eval::fill_in_parallel;

/// Smallest lead that is not a rounding error.
const LEAST: f64 = 1e-12;
/// Documents of a topic that are closed one by one; further ones in growing steps.
const ONE_BY_ONE: usize = 64;

/// Documents of a long list that are tried without, if leads are slow.
const FEW_TRIED: usize = 200;

/// Open documents of a topic, by place.
pub(super) trait Open {
    /// Opens a document, or closes it as not relevant.
    fn set(&mut self, at: usize, is_open: bool);
    /// The least lead over the relevance of the open documents.
    fn lead(&mut self) -> f64;
    /// The order in which documents should be closed.
    fn order(&self) -> Vec<usize>;
    /// Whether leads take so long that only some can be computed.
    fn is_slow(&self) -> bool {
        false
    }
}

/// A document of the list.
pub(super) struct Listed {
    pub(super) topic: usize,
    pub(super) place: usize,
    pub(super) effect: f64,
}

/// A list and what it does.
pub(super) struct Shortest {
    pub(super) before: f64,
    pub(super) after: f64,
    pub(super) listed: Vec<Listed>,
}

/// Documents of one topic to close together: how many, and the lead with them closed.
#[derive(Clone, Copy)]
struct Step {
    closed: usize,
    lead: f64,
}

/// The least leads of a topic as its documents are closed in order, of which only the corners of the concave hull are kept.
#[derive(Default)]
struct Curve {
    order: Vec<usize>,
    start: f64,
    steps: Vec<Step>,
}

impl Curve {
    fn new(topic: &mut impl Open) -> Self {
        let start = topic.lead();
        let order = topic.order();
        let mut points = vec![Step {
            closed: 0,
            lead: start,
        }];
        let mut next = 1;
        for (at, place) in order.iter().enumerate() {
            topic.set(*place, false);
            if at + 1 < next && at + 1 < order.len() {
                continue;
            }
            let lead = topic.lead();
            points.push(Step {
                closed: at + 1,
                lead,
            });
            next = if topic.is_slow() {
                2 * (at + 1)
            } else {
                at + 2 + (at + 1).saturating_sub(ONE_BY_ONE) / 16
            };
        }
        for place in &order {
            topic.set(*place, true);
        }
        Self {
            order,
            start,
            steps: hull(&points),
        }
    }
}

/// Rise per document between two points.
fn slope(from: Step, to: Step) -> f64 {
    (to.lead - from.lead) / (to.closed - from.closed) as f64
}

/// The corners of the upper hull of points, down to where it stops to rise, without the first.
fn hull(points: &[Step]) -> Vec<Step> {
    let mut hull: Vec<Step> = Vec::new();
    for point in points {
        while let [.., before, last] = hull.as_slice() {
            if slope(*before, *last) > slope(*last, *point) {
                break;
            }
            hull.pop();
        }
        hull.push(*point);
    }
    let rising = hull
        .windows(2)
        .take_while(|pair| pair[1].lead > pair[0].lead + LEAST);
    rising.map(|pair| pair[1]).collect()
}

/// Closes documents until the sum of the leads, divided by `whole`, is positive.
pub(super) fn shortest<T: Open + Send>(topics: Vec<T>, whole: f64) -> Shortest {
    let mut with_curves: Vec<(T, Curve)> = topics
        .into_iter()
        .map(|topic| (topic, Curve::default()))
        .collect();
    fill_in_parallel(&mut with_curves, 1, |_, piece| {
        for (topic, curve) in piece {
            *curve = Curve::new(topic);
        }
    });
    let (mut topics, curves): (Vec<T>, Vec<Curve>) = with_curves.into_iter().unzip();
    let mut leads: Vec<f64> = curves.iter().map(|curve| curve.start).collect();
    let before = leads.iter().sum::<f64>() / whole;
    let mut listed = Vec::new();
    let mut taken = vec![0; topics.len()];
    let mut closed = vec![0; topics.len()];
    while leads.iter().sum::<f64>() / whole <= LEAST {
        let next = curves.iter().enumerate().filter_map(|(at, curve)| {
            let step = curve.steps.get(taken[at])?;
            let now = Step {
                closed: closed[at],
                lead: leads[at],
            };
            Some((at, *step, slope(now, *step)))
        });
        let Some((at, step, rise)) = next.max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))
        else {
            break;
        };
        for place in &curves[at].order[closed[at]..step.closed] {
            topics[at].set(*place, false);
            listed.push(Listed {
                topic: at,
                place: *place,
                effect: rise / whole,
            });
        }
        taken[at] += 1;
        closed[at] = step.closed;
        leads[at] = topics[at].lead();
    }
    // The last step may hold more documents than needed, and those of earlier steps may have become superfluous.
    let mut kept = Vec::new();
    let mut tried = 0;
    for document in listed.into_iter().rev() {
        let topic = &mut topics[document.topic];
        tried += 1;
        if topic.is_slow() && tried > FEW_TRIED {
            kept.push(document);
            continue;
        }
        topic.set(document.place, true);
        let lead = topic.lead();
        let others = leads.iter().sum::<f64>() - leads[document.topic];
        if (others + lead) / whole > LEAST {
            leads[document.topic] = lead;
        } else {
            topic.set(document.place, false);
            kept.push(document);
        }
    }
    kept.reverse();
    Shortest {
        before,
        after: leads.iter().sum::<f64>() / whole,
        listed: kept,
    }
}

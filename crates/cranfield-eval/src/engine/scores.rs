//! Scores of a run: values by topic and measure, aggregates, and notes.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::iter::repeat_n;

use cranfield_core::evaluate::{Plan, TopicNotes};
use cranfield_core::measure::{Aggregate, Computation, Total};

use crate::engine::threads::pieces_in_parallel;

/// A topic of a run's scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicScores {
    /// Topic id.
    pub id: Box<[u8]>,
    /// Whether the run has the topic.
    pub in_run: bool,
    /// Whether the qrels have it.
    pub in_qrels: bool,
    /// Ties.
    pub notes: TopicNotes,
    /// A document that the ranking repeats; the topic then has no values.
    pub duplicate: Option<Box<[u8]>>,
}

/// The values of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunScores {
    /// Name of the run, from its file.
    pub name: String,
    /// Tag of the run.
    pub tag: String,
    /// Topics in ascending order of their ids.
    pub topics: Vec<TopicScores>,
    /// Values by topic and measure, followed by vectors if the plan keeps them; NaN is undefined.
    pub values: Values,
    /// Aggregates, by measure, then by column of each vector.
    pub totals: Vec<Aggregated>,
    /// Values of textual measures, by topic, then by measure.
    pub strings: Vec<String>,
    /// Number of unjudged documents above each of the plan's cutoffs, by topic, then by cutoff.
    pub unjudged: Vec<u32>,
    /// Documents above each cutoff in the same order, where a topic has several rankings; else there are as many as were
    /// retrieved.
    pub shown: Vec<u32>,
    /// Number of topics of the run that are not in the qrels and were not evaluated.
    pub extra_topics: usize,
    /// Number of topics that were left out because they have no relevant document.
    pub left_out: usize,
}

/// The aggregate of the topic values of one measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aggregated {
    /// The run's value; `None` if no topic has one.
    pub value: Option<f64>,
    /// Number of topics without a value.
    pub undefined: usize,
}

/// Rows of values, in the blocks in which the threads wrote them.
#[derive(Clone, Debug, Default)]
pub struct Values {
    width: usize,
    blocks: Vec<Vec<f64>>,
    /// Block and row in it, by topic.
    places: Vec<(u32, u32)>,
}

impl Values {
    /// Creates an empty list of rows of the given width, with blocks to take rows from.
    pub(crate) fn new(width: usize, mut blocks: Vec<Vec<f64>>) -> Self {
        blocks.push(Vec::new());
        Self {
            width,
            blocks,
            places: Vec::new(),
        }
    }

    /// Splits numbers into rows of the given width; an incomplete last row is dropped.
    ///
    /// ```
    /// let values = cranfield_eval::Values::of_rows(2, vec![1.0, 2.0, 3.0, 4.0, 5.0]);
    /// assert_eq!(values.rows().collect::<Vec<_>>(), [[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(cranfield_eval::Values::of_rows(0, Vec::new()).rows().count(), 0);
    /// ```
    pub fn of_rows(width: usize, numbers: Vec<f64>) -> Self {
        let rows = numbers.len().checked_div(width).unwrap_or(0);
        Self {
            width,
            places: (0..rows as u32).map(|row| (0, row)).collect(),
            blocks: vec![numbers],
        }
    }

    /// Appends a row of a block.
    pub(crate) fn take(&mut self, block: u32, row: u32) {
        self.places.push((block, row));
    }

    /// Appends a new row.
    pub(crate) fn push(&mut self, values: impl IntoIterator<Item = f64>) {
        let block = self.blocks.len() - 1;
        let row = self.blocks[block].len() / self.width.max(1);
        self.blocks[block].extend(values);
        self.places.push((block as u32, row as u32));
    }

    /// Keeps only the first numbers of each row.
    pub(crate) fn narrow(&mut self, width: usize) {
        let mut narrow = Self::new(width, Vec::new());
        for row in self.rows() {
            narrow.push(row.iter().take(width).copied());
        }
        *self = narrow;
    }

    /// Replaces a column.
    fn replace(&mut self, column: usize, values: &[f64]) {
        for (&(block, row), value) in self.places.iter().zip(values) {
            let at = row as usize * self.width + column;
            if let Some(place) = self.blocks[block as usize].get_mut(at) {
                *place = *value;
            }
        }
    }

    /// Width of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The numbers of the topic at this place: one per measure, then the columns of vectors if they were kept.
    pub fn row(&self, topic: usize) -> &[f64] {
        let (block, row) = self.places[topic];
        let start = row as usize * self.width;
        &self.blocks[block as usize][start..start + self.width]
    }

    /// All rows, in the order of the topics.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.places.len()).map(|topic| self.row(topic))
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.rows().eq(other.rows())
    }
}

impl RunScores {
    /// The values of the topic at this place, one per measure.
    pub fn row(&self, topic: usize) -> &[f64] {
        self.values.row(topic)
    }

    /// The run's value of the measure at this place in the plan, `None` if no topic has one.
    pub fn aggregate(&self, measure: usize) -> Option<f64> {
        self.totals[measure].value
    }

    /// Joins the scores of one plan that was evaluated several times, under the policies of different measures. Each part comes with
    /// the places of the measures to take from it. The result has the topics of all parts; a measure that does not count a topic has
    /// no value there. Vectors come from the first part, notes from the first part with the topic.
    #[must_use]
    pub fn joined(parts: &[(Self, Vec<usize>)], plan: &Plan) -> Self {
        let columns = plan.width();
        let vectors = plan.measures.len()..columns;
        let width = if plan.topic_vectors {
            columns
        } else {
            plan.measures.len()
        };
        let mut rows: BTreeMap<&[u8], (usize, usize, Vec<f64>)> = BTreeMap::new();
        let mut scores = Self {
            values: Values::new(width, Vec::new()),
            totals: vec![Aggregated::default(); columns],
            ..Self::default()
        };
        if let Some((first, _)) = parts.first() {
            scores.name.clone_from(&first.name);
            scores.tag.clone_from(&first.tag);
            scores.extra_topics = first.extra_topics;
            scores.left_out = first.left_out;
        }
        for (at, (part, measures)) in parts.iter().enumerate() {
            let vectors = vectors.clone().filter(|_| at == 0);
            let columns: Vec<usize> = measures.iter().copied().chain(vectors).collect();
            for (place, topic) in part.topics.iter().enumerate() {
                let row = rows
                    .entry(&topic.id)
                    .or_insert_with(|| (at, place, vec![f64::NAN; width]));
                for &column in columns.iter().filter(|column| **column < width) {
                    row.2[column] = part.row(place)[column];
                }
            }
            for &column in &columns {
                scores.totals[column] = part.totals[column];
            }
        }
        for (at, place, values) in rows.into_values() {
            scores.append_topic(&parts[at].0, place);
            scores.values.push(values);
        }
        scores
    }

    /// Adds a topic of another evaluation, without its values.
    fn append_topic(&mut self, other: &Self, place: usize) {
        let count = other.topics.len().max(1);
        let slice = |len: usize| place * (len / count)..(place + 1) * (len / count);
        self.strings
            .extend_from_slice(&other.strings[slice(other.strings.len())]);
        let unjudged = &other.unjudged[slice(other.unjudged.len())];
        self.unjudged.extend_from_slice(unjudged);
        let shown = &other.shown[slice(other.shown.len())];
        self.shown.extend_from_slice(shown);
        self.topics.push(other.topics[place].clone());
    }

    /// The scores of a smaller plan, whose measures and vectors are at these places of the plan that was evaluated.
    pub(crate) fn select(&self, from: &Plan, to: &Plan, places: (&[usize], &[usize])) -> Self {
        let (measures, vectors) = places;
        let of_vectors = vectors.iter().flat_map(|vector| from.columns(*vector));
        let columns: Vec<usize> = measures.iter().copied().chain(of_vectors).collect();
        let kept = columns.iter().filter(|column| **column < self.values.width);
        let kept: Vec<usize> = kept.copied().collect();
        let mut values = Values::new(kept.len(), Vec::new());
        for row in self.values.rows() {
            values.push(kept.iter().map(|column| row[*column]));
        }
        let all = from.cutoffs();
        let cutoffs = to.cutoffs().into_iter();
        let cutoffs = cutoffs.filter_map(|cutoff| all.iter().position(|known| *known == cutoff));
        let cutoffs: Vec<usize> = cutoffs.collect();
        let at_cutoffs = |counts: &[u32]| -> Vec<u32> {
            let rows = counts.chunks(all.len().max(1));
            rows.flat_map(|row| cutoffs.iter().map(|at| row[*at]))
                .collect()
        };
        let topics = self.topics.iter().cloned().map(|topic| TopicScores {
            notes: TopicNotes {
                straddled: topic.notes.straddled.select(&cutoffs),
                inexact: topic.notes.inexact.select(measures),
                ..topic.notes
            },
            ..topic
        });
        Self {
            name: self.name.clone(),
            tag: self.tag.clone(),
            topics: topics.collect(),
            values,
            totals: columns.iter().map(|column| self.totals[*column]).collect(),
            strings: Vec::new(),
            unjudged: at_cutoffs(&self.unjudged),
            shown: at_cutoffs(&self.shown),
            extra_topics: self.extra_topics,
            left_out: self.left_out,
        }
    }

    /// Reserves memory for a number of topics.
    pub(crate) fn reserve(&mut self, topics: usize, cutoffs: usize) {
        self.topics.reserve_exact(topics);
        self.unjudged.reserve_exact(topics * cutoffs);
        self.values.places.reserve_exact(topics);
    }

    /// Aggregates the values of the topics, each column in the order of the topics. Aggregates of vectors that were not kept do not
    /// change.
    pub(crate) fn add_up(&mut self, plan: &Plan) {
        let mut columns: Vec<Column> = columns(plan).collect();
        self.totals.resize(columns.len(), Aggregated::default());
        let values = &self.values;
        columns.truncate(values.width);
        let threads = match values.places.len() * columns.len() {
            0..WORTH_A_THREAD => 1,
            _ => rayon::current_num_threads(),
        };
        let piece = columns.len().div_ceil(threads);
        let totals = pieces_in_parallel(&columns, piece, |columns| add_up(values, columns));
        for (total, added) in self.totals.iter_mut().zip(totals.concat()) {
            *total = added;
        }
    }

    /// Replaces the values of the measure at this place in the plan, one per topic; NaN is undefined. Surplus values are ignored, and
    /// topics without a new value keep theirs.
    pub fn replace(&mut self, measure: usize, values: &[f64], plan: &Plan) {
        self.values.replace(measure, values);
        self.add_up(plan);
    }

    /// Notes on the run as a whole.
    pub fn notes(&self, plan: &Plan) -> RunNotes {
        let cutoffs = plan.cutoffs();
        let mut notes = RunNotes {
            topics: self.topics.len(),
            missing: self.topics.iter().filter(|topic| !topic.in_run).count(),
            judged: self.topics.iter().filter(|topic| topic.in_qrels).count(),
            extra: self.extra_topics,
            left_out: self.left_out,
            ..RunNotes::default()
        };
        let depth = plan.policies.depth.unwrap_or(usize::MAX);
        for (at, topic) in self.topics.iter().enumerate() {
            notes.retrieved += u64::from(topic.notes.retrieved);
            notes.tie_groups += u64::from(topic.notes.tie_groups);
            notes.tied_docs += u64::from(topic.notes.tied_docs);
            notes.mixed_topics += usize::from(topic.notes.mixed_groups > 0);
            let first = at * cutoffs.len();
            for (place, cutoff) in cutoffs.iter().enumerate() {
                let retrieved = (topic.notes.retrieved as usize).min(*cutoff).min(depth);
                let shown = self.shown.get(first + place).copied();
                let entry = notes.at_cutoff(place, *cutoff);
                entry.straddled += usize::from(topic.notes.straddled.contains(place));
                entry.unjudged += u64::from(self.unjudged[first + place]);
                entry.shown += shown.map_or(retrieved as u64, u64::from);
            }
        }
        notes
    }
}

/// Number of values from which several threads aggregate them.
const WORTH_A_THREAD: usize = 1 << 18;

/// How the numbers of a column are aggregated.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// Its place in a row.
    at: usize,
    aggregate: Aggregate,
    /// The value that replaces undefined ones, unless they are left out.
    undefined: Option<f64>,
}

/// Aggregates adjacent columns.
///
/// Most columns are plain sums, which one branch-free loop computes for all columns together. If a sum is NaN, its column has undefined
/// values and is aggregated again with care.
fn add_up(values: &Values, columns: &[Column]) -> Vec<Aggregated> {
    let first = columns.first().map_or(0, |column| column.at);
    let mut sums = vec![0.0; columns.len()];
    let mut careful: Vec<CarefulTotal> = Vec::new();
    let is_sum = |column: &Column| matches!(column.aggregate, Aggregate::Mean | Aggregate::Sum);
    let others = columns.iter().filter(|column| !is_sum(column));
    careful.extend(others.map(CarefulTotal::new));
    for row in values.rows() {
        let row = &row[first..first + columns.len()];
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
        for total in &mut careful {
            total.add(row[total.column.at - first]);
        }
    }
    let open = columns.iter().zip(&sums);
    let open = open.filter(|(column, sum)| is_sum(column) && sum.is_nan());
    let mut again: Vec<CarefulTotal> = open.map(|(column, _)| CarefulTotal::new(column)).collect();
    let rows = if again.is_empty() { 0 } else { usize::MAX };
    for row in values.rows().take(rows) {
        for total in &mut again {
            total.add(row[total.column.at]);
        }
    }
    let rows = values.places.len() as u64;
    let plain = columns.iter().zip(sums).map(|(column, sum)| Aggregated {
        value: Total::new(sum, rows).finish(column.aggregate),
        undefined: 0,
    });
    let mut totals: Vec<Aggregated> = plain.collect();
    for total in careful.iter().chain(&again) {
        totals[total.column.at - first] = total.finish();
    }
    totals
}

/// The aggregate of a column that has undefined values or is not a plain sum.
struct CarefulTotal {
    column: Column,
    total: Total,
    undefined: usize,
}

impl CarefulTotal {
    fn new(column: &Column) -> Self {
        Self {
            column: *column,
            total: Total::default(),
            undefined: 0,
        }
    }

    fn add(&mut self, value: f64) {
        self.undefined += usize::from(value.is_nan());
        let value = Some(value).filter(|value| !value.is_nan());
        if let Some(value) = value.or(self.column.undefined) {
            self.total.add(self.column.aggregate, value);
        }
    }

    fn finish(&self) -> Aggregated {
        Aggregated {
            value: self.total.finish(self.column.aggregate),
            undefined: self.undefined,
        }
    }
}

/// The columns of a plan.
fn columns(plan: &Plan) -> impl Iterator<Item = Column> + '_ {
    let zero = if plan.reference_values { f64::NAN } else { 0.0 };
    let measures = plan.measures.iter().map(|measure| {
        let aggregate = match measure.computation {
            Computation::Text(_) | Computation::RunId => Aggregate::None,
            _ => measure.info.aggregate,
        };
        (aggregate, plan.leaves_out_undefined(measure))
    });
    let vectors = plan.vectors.iter().flat_map(|vector| {
        let aggregate = vector.aggregate();
        let leaves_out = plan.leaves_out(aggregate, vector.direction());
        repeat_n((aggregate, leaves_out), vector.columns())
    });
    let all = measures.chain(vectors).enumerate();
    all.map(move |(at, (aggregate, leaves_out))| Column {
        at,
        aggregate,
        undefined: (!leaves_out).then_some(zero),
    })
}

/// Notes of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunNotes {
    /// Topics counted.
    pub topics: usize,
    /// Of these, topics that are missing from the run.
    pub missing: usize,
    /// Of these, topics that are in the qrels.
    pub judged: usize,
    /// Topics of the run that are not in the qrels and were not counted.
    pub extra: usize,
    /// Topics that were not counted because they have no relevant document.
    pub left_out: usize,
    /// Documents retrieved for the topics counted.
    pub retrieved: u64,
    /// Groups of documents with equal scores.
    pub tie_groups: u64,
    /// Documents in them.
    pub tied_docs: u64,
    /// Topics where documents with equal scores have different grades, so that the order of ties may change a value.
    pub mixed_topics: usize,
    /// By cutoff.
    pub cutoffs: Vec<CutoffNotes>,
}

/// Notes of a run at one cutoff.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CutoffNotes {
    /// The cutoff.
    pub cutoff: usize,
    /// Topics where a tie group straddles it, so that the order of ties decides what is above it.
    pub straddled: usize,
    /// Documents above it that are not judged.
    pub unjudged: u64,
    /// Documents above it.
    pub shown: u64,
}

impl RunNotes {
    fn at_cutoff(&mut self, place: usize, cutoff: usize) -> &mut CutoffNotes {
        if self.cutoffs.len() <= place {
            self.cutoffs.push(CutoffNotes {
                cutoff,
                ..CutoffNotes::default()
            });
        }
        &mut self.cutoffs[place]
    }
}

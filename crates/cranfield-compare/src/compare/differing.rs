//! The topics on which two runs differ most, with their titles.

use cranfield_core::small_sort::SmallSort;
use cranfield_render::{Cell, Column, Table};
use serde_json::{Value, json};

use super::scores::ScoreTable;
use super::{Comparison, MeasureTable, Pair};

/// Most topics of a pair that are kept.
const KEPT: usize = 10;

/// A topic on which two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferingTopic {
    /// The id.
    pub id: Box<[u8]>,
    /// Score of the first run minus score of the second.
    pub difference: f64,
}

impl DifferingTopic {
    fn name(&self) -> String {
        String::from_utf8_lossy(&self.id).into_owned()
    }
}

/// The topics on which two runs differ most, the largest difference first.
pub(super) fn topics_of_pair(
    table: &ScoreTable,
    first: usize,
    second: usize,
) -> Vec<DifferingTopic> {
    let rows = [first, second].map(|run| table.matrix.row(run));
    let scores = rows[0].iter().zip(rows[1]);
    let topics = table.topics.ids.iter().zip(scores);
    let mut topics: Vec<DifferingTopic> = topics
        .map(|(id, (a, b))| DifferingTopic {
            id: id.clone(),
            difference: a - b,
        })
        .filter(|topic| topic.difference != 0.0)
        .collect();
    topics.small_sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
    topics.truncate(KEPT);
    topics
}

impl Comparison {
    /// The topics on which pairs differ most, with their titles; fewer of each if there are several pairs.
    pub(super) fn differing_table(&self, table: &MeasureTable, digits: usize) -> Table {
        let mut topics = Table::new([
            Column::text("run"),
            Column::text("against"),
            Column::text("topic"),
            Column::number("diff"),
            Column::prose("title"),
        ]);
        topics.digits = digits;
        (topics.shrink, topics.keys) = (vec![0, 1, 4], 3);
        let shown = match table.pairs.len() {
            1 => KEPT,
            2 | 3 => 5,
            _ => 3,
        };
        for pair in table.ordered_pairs() {
            for topic in pair.topics.iter().take(shown) {
                topics.push(self.differing_cells(pair, topic));
            }
        }
        topics
    }

    fn differing_cells(&self, pair: &Pair, topic: &DifferingTopic) -> [Cell; 5] {
        let [run, against] = [pair.first, pair.second].map(|run| Cell::text(&*self.runs[run]));
        let title = self.settings.labels.topic(&topic.id);
        [
            run,
            against,
            Cell::text(topic.name()),
            Cell::Real(topic.difference),
            Cell::text(title.unwrap_or_default()),
        ]
    }

    /// The topics on which a pair differs most, as JSON.
    pub(super) fn differing_object(&self, pair: &Pair) -> Value {
        let topics = pair.topics.iter().map(|topic| {
            let title = self.settings.labels.topic(&topic.id);
            json!({"topic": topic.name(), "title": title, "difference": topic.difference})
        });
        topics.collect()
    }
}

//! The difference of two runs, by documents of a topic or by topics.

use cranfield_core::explain::{DocDifference, MeanDifference, TopicDifference};
use cranfield_render::{Cell, Column, Table};

use super::topic::is_graded;
use super::{Writer, aggregate, grade, named, text};

/// Sign of differences and of their shares.
const DIRECTION: &str = "difference = run 2 - run 1";

impl Writer<'_> {
    pub(super) fn topic_difference(&mut self, runs: &[String; 2], difference: &TopicDifference) {
        let first = &difference.runs[0];
        let name = self.name(&first.measure);
        let value = self.signed(difference.difference());
        let topic = self.topic_name(&first.topic);
        self.page.heading(format!(
            "{name} of topic {topic}, {} minus {}: {value}",
            runs[1], runs[0]
        ));
        self.about(&first.measure);
        for (run, explanation) in runs.iter().zip(&difference.runs) {
            let note = self.note(explanation);
            if !note.is_empty() {
                self.page.paragraph(format!("{run}: {note}"));
            }
        }
        let table = self.document_table(difference);
        self.page.table(table);
        let lines = self.difference_lines(&name, runs, difference);
        self.page.lines(lines);
    }

    pub(super) fn document_table(&self, difference: &TopicDifference) -> Table {
        let graded = is_graded(&difference.runs[0].measure);
        let mut columns = vec![Column::text("document")];
        columns.extend(graded.then(|| Column::number("grade")));
        columns.extend([
            Column::number("rank 1"),
            Column::number("rank 2"),
            Column::number("share 1"),
            Column::number("share 2"),
            Column::number("difference"),
        ]);
        let has_titles = self.all.labels.has_documents();
        let titles = columns.len();
        columns.extend(Self::title_column(has_titles));
        let mut table = Table::new(columns);
        table.shrink = vec![0, titles];
        let differs = |document: &&DocDifference| document.share() != 0.0;
        for document in difference.documents.iter().filter(differs) {
            let rank = |place: usize| {
                let found = document.runs[place];
                found.map_or("–".into(), |found| found.rank.to_string())
            };
            let share = |place: usize| {
                let found = document.runs[place];
                found.map_or(String::new(), |found| self.share(found.share))
            };
            let mut cells = vec![text(&document.doc)];
            cells.extend(graded.then(|| grade(document.label)));
            cells.extend([rank(0), rank(1), share(0), share(1)]);
            cells.push(self.signed(Some(document.share())));
            let title = has_titles.then(|| self.document_title(&document.doc));
            table.push(cells.into_iter().chain(title).map(Cell::Text));
        }
        table
    }

    pub(super) fn difference_lines(
        &self,
        name: &str,
        runs: &[String; 2],
        difference: &TopicDifference,
    ) -> Vec<String> {
        let values = difference.runs.each_ref().map(|run| run.value);
        let mut lines = self.run_lines(name, runs, values);
        lines.extend(omitted(&difference.documents));
        lines.extend(self.other_lines(difference.nothing(), difference.rest()));
        lines.extend(self.sum_line(difference.difference(), difference.total()));
        lines
    }

    /// The number, name and value of each run.
    pub(super) fn run_lines(
        &self,
        name: &str,
        runs: &[String; 2],
        values: [Option<f64>; 2],
    ) -> Vec<String> {
        let runs = runs.iter().zip(values).zip(1..);
        let runs = runs.map(|((run, value), nth)| {
            format!("run {nth} is {run}: {name} = {}", self.value(value))
        });
        runs.chain([DIRECTION.to_owned()]).collect()
    }

    /// Parts of a difference that belong to no single document.
    pub(super) fn other_lines(&self, nothing: f64, rest: f64) -> Vec<String> {
        let parts = [("no document", nothing), ("documents further down", rest)];
        let parts = parts.into_iter().filter(|(_, share)| *share != 0.0);
        parts
            .map(|(what, share)| format!("{what}: {}", self.signed(Some(share))))
            .collect()
    }

    pub(super) fn mean_difference(&mut self, runs: &[String; 2], difference: &MeanDifference) {
        let measure = &difference.measure;
        let name = self.name(measure);
        self.page.heading(format!(
            "{name}, {} minus {}, {} over topics: {}",
            runs[1],
            runs[0],
            aggregate(measure),
            self.signed(difference.difference())
        ));
        self.about(measure);
        let table = self.topic_table(difference);
        self.page.table(table);
        let lines = self.mean_difference_lines(&name, runs, difference);
        self.page.lines(lines);
    }

    fn topic_table(&self, difference: &MeanDifference) -> Table {
        let has_titles = self.all.labels.has_topics();
        let columns = [
            Column::text("topic"),
            Column::number("value 1"),
            Column::number("value 2"),
            Column::number("share"),
            Column::number("sum"),
        ];
        let titles = columns.len();
        let mut table = Table::new(columns.into_iter().chain(Self::title_column(has_titles)));
        table.shrink = vec![titles];
        let (top, _) = self.ends(difference.topics.len());
        let mut sum = 0.0;
        for topic in &difference.topics[..top] {
            sum += topic.share;
            let values = topic
                .values
                .map(|value| value.map_or("–".into(), |value| self.real(value)));
            let shares = [topic.share, sum].map(|share| self.signed(Some(share)));
            let cells = [text(&topic.id)].into_iter().chain(values).chain(shares);
            let title = has_titles.then(|| self.topic_title(&topic.id));
            table.push(cells.chain(title).map(Cell::Text));
        }
        let hidden = &difference.topics[top..];
        if !hidden.is_empty() {
            let share = hidden.iter().map(|topic| topic.share).sum();
            table.push([
                Cell::text(format!("… {} smaller omitted", hidden.len())),
                Cell::text(""),
                Cell::text(""),
                Cell::text(self.signed(Some(share))),
                Cell::text(self.signed(Some(sum + share))),
                Cell::text(""),
            ]);
        }
        table
    }

    fn mean_difference_lines(
        &self,
        name: &str,
        runs: &[String; 2],
        difference: &MeanDifference,
    ) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (nth, (run, mean)) in runs.iter().zip(&difference.runs).enumerate() {
            let value = self.value(mean.value);
            lines.push(format!("run {} is {run}: {name} = {value}", nth + 1));
            let missing = mean.topics.iter().filter(|topic| !topic.in_run);
            lines.extend(named(&format!("not in {run}"), missing));
        }
        lines.push(DIRECTION.into());
        let shares = || difference.topics.iter().map(|topic| topic.share);
        let better = shares().filter(|share| *share > 0.0).count();
        let worse = shares().filter(|share| *share < 0.0).count();
        let same = difference.topics.len() - better - worse;
        lines.push(format!(
            "higher in {} for {better} topics, lower for {worse}, equal for {same}",
            runs[1]
        ));
        lines.extend(self.sum_line(difference.difference(), difference.total()));
        lines
    }

    /// The sum of the contributions, and the rounding error if any.
    pub(super) fn sum_line(&self, difference: Option<f64>, total: f64) -> Vec<String> {
        let Some(difference) = difference else {
            return vec!["a value is undefined, so there is no difference".into()];
        };
        let mut lines = vec![format!("sum of shares = {}", self.signed(Some(total)))];
        let left = difference - total;
        if left.abs() > 1e-12 * difference.abs().max(1.0) {
            lines.push(format!("rounding error: {left:e}"));
        }
        lines
    }
}

/// The number of documents that a table of differences omits.
pub(super) fn omitted<'a>(
    documents: impl IntoIterator<Item = &'a DocDifference>,
) -> Option<String> {
    let documents = documents.into_iter();
    let same = documents.filter(|document| document.share() == 0.0).count();
    (same > 0).then(|| format!("{same} documents with the same share in both omitted"))
}

//! Explanations as pages: the table a teacher would write on the board, and what belongs to it.

use std::collections::BTreeMap;

use cranfield_core::explain::{
    Board, BoardRow, DocDifference, Explanation, MeanDifference, MeanExplanation, Step,
    TopicDifference, TopicShare,
};
use cranfield_core::measure::{Aggregate, BoundMeasure, Computation};
use cranfield_core::policy::{TopicPolicy, Unjudged};
use cranfield_core::topic::Label;
use cranfield_report::{Cell, Column, Page, Table};

use super::{Explained, Explanations};

/// Topics that a line names.
const NAMED: usize = 10;

/// How much is shown, and how exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Decimals.
    pub digits: usize,
    /// Rows that are shown even if they have no share: the first of a ranking, both ends of a list of topics.
    pub rows: usize,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            digits: 4,
            rows: 10,
        }
    }
}

impl Explanations {
    /// All explanations on one page.
    pub fn page(&self, shown: &Shown) -> Page {
        let mut page = Page::new("Cranfield: explain");
        for explained in &self.explained {
            let writer = Writer {
                all: self,
                shown: *shown,
                page: &mut page,
            };
            writer.write(explained);
        }
        page.paragraph(self.policies());
        page
    }

    /// The policies in force, in one sentence.
    fn policies(&self) -> String {
        let named = self.plan.policies.named().into_iter();
        let usual = [("depth", "none"), ("identical", "keep")];
        let told = named.filter(|(name, value)| !usual.contains(&(*name, value.as_str())));
        let told: Vec<String> = told
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        format!("Profile {}: {}.", self.profile, told.join(", "))
    }
}

struct Writer<'a> {
    all: &'a Explanations,
    shown: Shown,
    page: &'a mut Page,
}

impl Writer<'_> {
    fn write(mut self, explained: &Explained) {
        match explained {
            Explained::Topic { run, explanation } => self.topic(run, explanation),
            Explained::Mean { run, explanation } => self.mean(run, explanation),
            Explained::TopicDifference { runs, difference } => {
                self.topic_difference(runs, difference);
            }
            Explained::MeanDifference { runs, difference } => {
                self.mean_difference(runs, difference);
            }
        }
    }

    fn name(&self, measure: &BoundMeasure) -> String {
        measure.name_in(self.all.profile)
    }

    /// What the measure is, and the user whom it has in mind.
    fn about(&mut self, measure: &BoundMeasure) {
        self.page
            .paragraph(measure.info.section("What it measures"));
        let user = measure.info.section("User model");
        self.page.paragraph(format!("User model: {user}"));
    }

    /// What a reader must know before the table.
    fn note(&self, explanation: &Explanation) -> String {
        let mut notes = Vec::new();
        if !explanation.in_run {
            notes.push("The run lacks the topic, which counts as an empty ranking.".to_owned());
        }
        match self.all.plan.policies.unjudged {
            Unjudged::Condensed => notes
                .push("Documents that nobody judged are dropped, and those below move up.".into()),
            Unjudged::Relevant => notes.push(
                "Documents that nobody judged count as if they had the topic's highest grade."
                    .into(),
            ),
            Unjudged::NonRelevant | Unjudged::Bounds => {}
        }
        if explanation.open {
            notes.push(
                "The value comes from several orders of tied documents, or readings of unjudged \
                 ones, so that there is no table of one computation."
                    .into(),
            );
        }
        notes.join(" ")
    }

    fn real(&self, value: f64) -> String {
        format!("{value:.*}", self.shown.digits)
    }

    /// A whole number without decimals, any other with them.
    fn number(&self, value: f64) -> String {
        if is_whole(value) {
            format!("{value}")
        } else {
            self.real(value)
        }
    }

    /// Nothing is shown for a share of nothing.
    fn share(&self, share: f64) -> String {
        if share == 0.0 {
            String::new()
        } else {
            self.real(share)
        }
    }

    fn value(&self, value: Option<f64>) -> String {
        value.map_or("undefined".into(), |value| self.real(value))
    }

    fn topic(&mut self, run: &str, explanation: &Explanation) {
        let (measure, topic) = (&explanation.measure, text(&explanation.topic));
        let name = self.name(measure);
        let value = self.value(explanation.value);
        self.page
            .heading(format!("{name} of topic {topic} in {run}: {value}"));
        self.about(measure);
        let note = self.note(explanation);
        self.page.paragraph(note);
        let (table, unjudged) = self.ranking(explanation);
        self.page.table(table);
        let mut lines = self.topic_lines(&name, explanation);
        if unjudged {
            lines.insert(0, "grade –: not judged".into());
        }
        self.page.lines(lines);
    }

    /// The ranking with the measure's own columns, if it has some, and shares; and whether a document shown is not
    /// judged.
    fn ranking(&self, explanation: &Explanation) -> (Table, bool) {
        let no_board = Board::default();
        let board = explanation.board.as_ref().unwrap_or(&no_board);
        let by_rank: BTreeMap<usize, &BoardRow> = board
            .rows
            .iter()
            .map(|row| (row.rank as usize, row))
            .collect();
        let mut rows: Vec<[String; 4]> = Vec::new();
        let mut numbers: Vec<Vec<Option<f64>>> = vec![Vec::new(); board.columns.len()];
        let kept = self.kept(explanation, &by_rank);
        let (mut left_out, mut unjudged) = (0, false);
        for (rank, kept) in (1..).zip(kept) {
            let row = by_rank.get(&rank);
            let document = explanation.documents.get(rank - 1);
            if !kept {
                left_out += usize::from(document.is_some());
                continue;
            }
            let share = document.map_or(0.0, |document| document.share);
            push_gap(&mut rows, &mut numbers, &mut left_out);
            unjudged |= document.is_some_and(|document| document.label == Label::Unjudged);
            rows.push([
                rank.to_string(),
                document.map_or(String::new(), |document| text(&document.doc)),
                document.map_or(String::new(), |document| grade(document.label)),
                self.share(share),
            ]);
            for (at, column) in numbers.iter_mut().enumerate() {
                column.push(row.and_then(|row| row.cells.get(at).copied().flatten()));
            }
        }
        push_gap(&mut rows, &mut numbers, &mut left_out);
        let graded = matches!(explanation.measure.computation, Computation::Ranked(_));
        let mut columns = vec![Column::number("rank"), Column::text("document")];
        columns.extend(graded.then(|| Column::number("grade")));
        columns.extend(board.columns.iter().map(|name| Column::number(*name)));
        columns.push(Column::number("share"));
        let mut table = Table::new(columns);
        table.shrink = Some(1);
        let numbers: Vec<Vec<String>> = numbers.iter().map(|column| self.column(column)).collect();
        for (at, [rank, document, grade, share]) in rows.into_iter().enumerate() {
            let own = numbers.iter().map(|column| column[at].clone());
            let grade = graded.then_some(grade);
            let cells = [rank, document].into_iter().chain(grade).chain(own);
            table.push(cells.chain([share]).map(Cell::Text));
        }
        (table, graded && unjudged)
    }

    /// Which ranks are shown: the first ones, those with a share, those that the table needs.
    fn kept(&self, explanation: &Explanation, by_rank: &BTreeMap<usize, &BoardRow>) -> Vec<bool> {
        let deepest = by_rank.keys().next_back().copied().unwrap_or(0);
        let is_kept = |rank: usize| {
            let share = explanation
                .documents
                .get(rank - 1)
                .map(|document| document.share);
            let needed = by_rank.get(&rank).is_some_and(|row| row.needed);
            rank <= self.shown.rows || share.is_some_and(|share| share != 0.0) || needed
        };
        let last = deepest.max(explanation.documents.len());
        let kept: Vec<bool> = (1..=last).map(is_kept).collect();
        // One row in the place of one row would save nothing.
        let alone = |at: usize| {
            let above = at == 0 || kept[at - 1];
            above && kept.get(at + 1).is_none_or(|below| *below)
        };
        (0..last).map(|at| kept[at] || alone(at)).collect()
    }

    /// The numbers of a column: without decimals if all are whole.
    fn column(&self, numbers: &[Option<f64>]) -> Vec<String> {
        let whole = numbers.iter().flatten().all(|number| is_whole(*number));
        let digits = if whole { 0 } else { self.shown.digits };
        let texts = numbers
            .iter()
            .map(|number| number.map_or(String::new(), |number| format!("{number:.digits$}")));
        texts.collect()
    }

    fn topic_lines(&self, name: &str, explanation: &Explanation) -> Vec<String> {
        let Some(value) = explanation.value else {
            let when = explanation.measure.info.section("Undefined when");
            return vec![format!("{name} is undefined. It is so when: {when}")];
        };
        match &explanation.board {
            Some(board) => board
                .steps
                .iter()
                .map(|step| self.step(name, step))
                .collect(),
            None => self.share_lines(name, explanation, value),
        }
    }

    /// What shares are where the measure has no table of its own.
    fn share_lines(&self, name: &str, explanation: &Explanation, value: f64) -> Vec<String> {
        let mut lines = vec![
            "share: what the document's judgement adds when judgements become known from the top \
             down, and documents below are read as unjudged"
                .into(),
        ];
        if explanation.nothing != 0.0 {
            let nothing = self.real(explanation.nothing);
            lines.push(format!(
                "no document = {nothing}, the value if nothing is known"
            ));
        }
        if explanation.rest != 0.0 {
            let rest = self.real(explanation.rest);
            lines.push(format!("documents further down = {rest}"));
        }
        lines.push(format!("{name} = sum of shares = {}", self.number(value)));
        lines
    }

    /// `AP = sum / R = 2.5 / 4 = 0.6250`, or `R = 4: relevant documents`.
    fn step(&self, measure: &str, step: &Step) -> String {
        let name = if step.name.is_empty() {
            measure
        } else {
            &step.name
        };
        let mut worked = String::new();
        for (at, piece) in step.worked.split("{}").enumerate() {
            if let Some(number) = at.checked_sub(1).and_then(|at| step.numbers.get(at)) {
                worked.push_str(&self.number(*number));
            }
            worked.push_str(piece);
        }
        let result = step.value.map(|value| {
            if step.name.is_empty() {
                self.real(value)
            } else {
                self.number(value)
            }
        });
        match result {
            None if worked.is_empty() => format!("{name}: {}", step.formula),
            None => format!("{name} = {} = {worked}", step.formula),
            Some(result) if step.formula.is_empty() => format!("{name}: {result}"),
            Some(result) if worked.is_empty() => format!("{name} = {result}: {}", step.formula),
            Some(result) if worked == result => format!("{name} = {} = {result}", step.formula),
            Some(result) => format!("{name} = {} = {worked} = {result}", step.formula),
        }
    }

    fn mean(&mut self, run: &str, mean: &MeanExplanation) {
        let name = self.name(&mean.measure);
        let value = self.value(mean.value);
        self.page.heading(format!(
            "{name} of {run}, {} over topics: {value}",
            aggregate(&mean.measure)
        ));
        self.about(&mean.measure);
        let mut topics: Vec<&TopicShare> = mean.topics.iter().collect();
        topics.sort_by(|a, b| b.share.total_cmp(&a.share));
        let mut table = Table::new([
            Column::text("topic"),
            Column::number("value"),
            Column::number("share"),
            Column::number("sum"),
            Column::text(""),
        ]);
        table.digits = self.shown.digits;
        let mut sum = 0.0;
        let (top, bottom) = self.ends(topics.len());
        for (at, topic) in topics.iter().enumerate() {
            sum += topic.share;
            if at == top && top < bottom {
                let hidden = &topics[top..bottom];
                let share = hidden.iter().map(|topic| topic.share).sum();
                table.push([
                    Cell::text(format!("… {} left out", hidden.len())),
                    Cell::text(""),
                    Cell::Real(share),
                    Cell::text(""),
                    Cell::text(""),
                ]);
            }
            if at >= top && at < bottom {
                continue;
            }
            table.push([
                Cell::text(text(&topic.id)),
                Cell::real(topic.value),
                Cell::real(Some(topic.share)),
                Cell::real(Some(sum)),
                Cell::text(self.remark(topic)),
            ]);
        }
        self.page.table(table);
        let lines = self.mean_lines(&name, mean);
        self.page.lines(lines);
    }

    /// Which rows of a long list are left out: from the first number to the second.
    fn ends(&self, rows: usize) -> (usize, usize) {
        let top = self.shown.rows;
        // One row in the place of one row would save nothing.
        if rows <= top.saturating_mul(2).saturating_add(1) {
            (rows, rows)
        } else {
            (top, rows - top)
        }
    }

    fn remark(&self, topic: &TopicShare) -> &'static str {
        let missing = !topic.in_run && self.all.plan.policies.topics == TopicPolicy::Judged;
        match (missing, topic.value, topic.counted) {
            (_, None, false) => "undefined, left out",
            (true, None, true) => "not in the run, undefined, counted as 0",
            (true, Some(_), _) => "not in the run",
            (false, None, true) => "undefined, counted as 0",
            (false, Some(_), _) => "",
        }
    }

    fn mean_lines(&self, name: &str, mean: &MeanExplanation) -> Vec<String> {
        let (n, total) = (mean.counted, mean.total());
        let Some(value) = mean.value else {
            return vec![format!("{name} is undefined: no topic has a value")];
        };
        let value = self.real(value);
        let mut lines = match mean.measure.info.aggregate {
            Aggregate::Sum => vec![format!("{name} = sum over {n} topics = {value}")],
            Aggregate::GeometricMean => vec![
                format!("share = ln(value, at least 0.00001) / n, n = {n} topics"),
                format!(
                    "{name} = e^(sum of shares) = e^({}) = {value}",
                    self.real(total)
                ),
            ],
            Aggregate::Mean | Aggregate::None => {
                let sum = self.number(total * n as f64);
                vec![
                    format!("share = value / n, n = {n} topics"),
                    format!("{name} = sum of values / n = {sum} / {n} = {value}"),
                ]
            }
        };
        let undefined = mean.topics.iter().filter(|topic| topic.value.is_none());
        lines.extend(named("undefined", undefined));
        let missing = mean.topics.iter().filter(|topic| !topic.in_run);
        lines.extend(named("not in the run", missing));
        lines
    }

    fn topic_difference(&mut self, runs: &[String; 2], difference: &TopicDifference) {
        let first = &difference.runs[0];
        let name = self.name(&first.measure);
        let value = self.signed(difference.difference());
        let topic = text(&first.topic);
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

    fn document_table(&self, difference: &TopicDifference) -> Table {
        let graded = matches!(
            difference.runs[0].measure.computation,
            Computation::Ranked(_)
        );
        let mut columns = vec![Column::text("document")];
        columns.extend(graded.then(|| Column::number("grade")));
        columns.extend([
            Column::number("rank 1"),
            Column::number("rank 2"),
            Column::number("share 1"),
            Column::number("share 2"),
            Column::number("difference"),
        ]);
        let mut table = Table::new(columns);
        table.shrink = Some(0);
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
            table.push(cells.into_iter().map(Cell::Text));
        }
        table
    }

    fn difference_lines(
        &self,
        name: &str,
        runs: &[String; 2],
        difference: &TopicDifference,
    ) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (nth, (run, explanation)) in runs.iter().zip(&difference.runs).enumerate() {
            let value = self.value(explanation.value);
            lines.push(format!("run {} is {run}: {name} = {value}", nth + 1));
        }
        let same = difference
            .documents
            .iter()
            .filter(|d| d.share() == 0.0)
            .count();
        if same > 0 {
            lines.push(format!(
                "{same} documents with the same share in both left out"
            ));
        }
        for (what, share) in [
            ("no document", difference.nothing()),
            ("documents further down", difference.rest()),
        ] {
            if share != 0.0 {
                lines.push(format!("{what}: {}", self.signed(Some(share))));
            }
        }
        lines.extend(self.sum_line(difference.difference(), difference.total()));
        lines
    }

    fn mean_difference(&mut self, runs: &[String; 2], difference: &MeanDifference) {
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
        let mut table = Table::new([
            Column::text("topic"),
            Column::number("value 1"),
            Column::number("value 2"),
            Column::number("share"),
            Column::number("sum"),
        ]);
        let (top, _) = self.ends(difference.topics.len());
        let mut sum = 0.0;
        for topic in &difference.topics[..top] {
            sum += topic.share;
            let [first, second] = topic.values;
            let value = |value: Option<f64>| value.map_or("–".into(), |value| self.real(value));
            table.push([
                Cell::text(text(&topic.id)),
                Cell::text(value(first)),
                Cell::text(value(second)),
                Cell::text(self.signed(Some(topic.share))),
                Cell::text(self.signed(Some(sum))),
            ]);
        }
        let hidden = &difference.topics[top..];
        if !hidden.is_empty() {
            let share = hidden.iter().map(|topic| topic.share).sum();
            table.push([
                Cell::text(format!("… {} with less left out", hidden.len())),
                Cell::text(""),
                Cell::text(""),
                Cell::text(self.signed(Some(share))),
                Cell::text(self.signed(Some(sum + share))),
            ]);
        }
        self.page.table(table);
        let mut lines: Vec<String> = Vec::new();
        for (nth, (run, mean)) in runs.iter().zip(&difference.runs).enumerate() {
            let value = self.value(mean.value);
            lines.push(format!("run {} is {run}: {name} = {value}", nth + 1));
            let missing = mean.topics.iter().filter(|topic| !topic.in_run);
            lines.extend(named(&format!("not in {run}"), missing));
        }
        let better = difference
            .topics
            .iter()
            .filter(|topic| topic.share > 0.0)
            .count();
        let worse = difference
            .topics
            .iter()
            .filter(|topic| topic.share < 0.0)
            .count();
        let same = difference.topics.len() - better - worse;
        lines.push(format!(
            "higher in {} for {better} topics, lower for {worse}, equal for {same}",
            runs[1]
        ));
        lines.extend(self.sum_line(difference.difference(), difference.total()));
        self.page.lines(lines);
    }

    /// What shares add up to, and what is left, if anything.
    fn sum_line(&self, difference: Option<f64>, total: f64) -> Vec<String> {
        let Some(difference) = difference else {
            return vec!["a value is undefined, so that there is no difference".into()];
        };
        let mut lines = vec![format!("sum of shares = {}", self.signed(Some(total)))];
        let left = difference - total;
        if left.abs() > 1e-12 * difference.abs().max(1.0) {
            lines.push(format!("left over by rounding: {left:e}"));
        }
        lines
    }

    fn signed(&self, value: Option<f64>) -> String {
        value.map_or("undefined".into(), |value| {
            format!("{value:+.*}", self.shown.digits)
        })
    }
}

/// Puts one row in the place of those left out.
fn push_gap(rows: &mut Vec<[String; 4]>, numbers: &mut [Vec<Option<f64>>], left_out: &mut usize) {
    if *left_out > 0 {
        let gap = format!("{left_out} more");
        rows.push(["…".into(), gap, String::new(), String::new()]);
        for column in numbers {
            column.push(None);
        }
        *left_out = 0;
    }
}

fn grade(label: Label) -> String {
    match label {
        Label::Unjudged => "–".into(),
        Label::Pooled => "pooled".into(),
        Label::Judged(grade) => grade.to_string(),
    }
}

fn aggregate(measure: &BoundMeasure) -> &'static str {
    match measure.info.aggregate {
        Aggregate::Sum => "sum",
        Aggregate::GeometricMean => "geometric mean",
        Aggregate::Mean | Aggregate::None => "mean",
    }
}

/// `undefined: 104, 109`, with the first few ids; nothing for no topic.
fn named<'a>(what: &str, topics: impl Iterator<Item = &'a TopicShare>) -> Option<String> {
    let ids: Vec<String> = topics.map(|topic| text(&topic.id)).collect();
    let more = ids.len().saturating_sub(NAMED);
    let shown = ids.get(..NAMED).unwrap_or(&ids).join(", ");
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    (!ids.is_empty()).then(|| format!("{what}: {shown}{more}"))
}

fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < 1e15
}

fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

//! One topic of one run, by documents.

use std::collections::BTreeMap;

use cranfield_core::explain::{Board, BoardRow, Explanation};
use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::topic::Label;
use cranfield_render::{Cell, Column, Table, rounded};

use super::{Writer, grade, is_whole, text};

impl Writer<'_> {
    pub(super) fn topic(&mut self, run: &str, explanation: &Explanation) {
        let (measure, topic) = (&explanation.measure, self.topic_name(&explanation.topic));
        let name = self.name(measure);
        let value = match &explanation.text {
            Some(text) => text.clone(),
            None => self.value(explanation.value),
        };
        self.page
            .heading(format!("{name} of topic {topic} in {run}: {value}"));
        self.about(measure);
        let mut lines = Vec::new();
        if explanation.text.is_none() {
            let note = self.note(explanation);
            self.page.paragraph(note);
            lines = self.topic_lines(&name, explanation);
        }
        let (table, unjudged) = self.ranking(explanation);
        self.page.table(table);
        if unjudged {
            lines.insert(0, "grade –: not judged".into());
        }
        self.page.lines(lines);
    }

    /// The ranking with the columns of the measure and the contributions, and whether it shows an unjudged document.
    pub(super) fn ranking(&self, explanation: &Explanation) -> (Table, bool) {
        let no_board = Board::default();
        let board = explanation.board.as_ref().unwrap_or(&no_board);
        let by_rank: BTreeMap<usize, &BoardRow> = board
            .rows
            .iter()
            .map(|row| (row.rank as usize, row))
            .collect();
        let has_titles = self.all.labels.has_documents();
        let mut rows: Vec<[String; 5]> = Vec::new();
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
                document.map_or(String::new(), |document| self.document_title(&document.doc)),
            ]);
            for (at, column) in numbers.iter_mut().enumerate() {
                column.push(row.and_then(|row| row.cells.get(at).copied().flatten()));
            }
        }
        push_gap(&mut rows, &mut numbers, &mut left_out);
        let graded = is_graded(&explanation.measure);
        let mut columns = vec![Column::number("rank"), Column::text("document")];
        columns.extend(graded.then(|| Column::number("grade")));
        columns.extend(board.columns.iter().map(|name| Column::number(*name)));
        let has_shares = explanation.text.is_none();
        columns.extend(has_shares.then(|| Column::number("share")));
        let titles = columns.len();
        columns.extend(Self::title_column(has_titles));
        let mut table = Table::new(columns);
        table.shrink = vec![1, titles];
        let numbers: Vec<Vec<String>> = numbers.iter().map(|column| self.column(column)).collect();
        for (at, [rank, document, grade, share, title]) in rows.into_iter().enumerate() {
            let own = numbers.iter().map(|column| column[at].clone());
            let grade = graded.then_some(grade);
            let cells = [rank, document].into_iter().chain(grade).chain(own);
            let share = has_shares.then_some(share);
            let title = has_titles.then_some(title);
            table.push(cells.chain(share).chain(title).map(Cell::Text));
        }
        (table, graded && unjudged)
    }

    /// The ranks to show: the first ones, those with a contribution, and those that the table needs.
    pub(super) fn kept(
        &self,
        explanation: &Explanation,
        by_rank: &BTreeMap<usize, &BoardRow>,
    ) -> Vec<bool> {
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
        // Omitting a single row would save nothing.
        let alone = |at: usize| {
            let above = at == 0 || kept[at - 1];
            above && kept.get(at + 1).is_none_or(|below| *below)
        };
        (0..last).map(|at| kept[at] || alone(at)).collect()
    }

    /// The numbers of a column, without decimals if all are integers.
    pub(super) fn column(&self, numbers: &[Option<f64>]) -> Vec<String> {
        let whole = numbers.iter().flatten().all(|number| is_whole(*number));
        let digits = if whole { 0 } else { self.shown.digits };
        let cells = numbers
            .iter()
            .map(|number| number.map_or(String::new(), |number| rounded(number, digits)));
        cells.collect()
    }

    pub(super) fn topic_lines(&self, name: &str, explanation: &Explanation) -> Vec<String> {
        let Some(value) = explanation.value else {
            let when = explanation.measure.info.section("Undefined when");
            return vec![format!("{name} is undefined. Undefined when: {when}")];
        };
        match &explanation.board {
            Some(board) => board
                .steps
                .iter()
                .map(|step| self.step(name, step))
                .collect(),
            None => self.share_lines(name, (explanation.nothing, explanation.rest), value),
        }
    }

    /// Explains contributions if the measure has no worked table.
    pub(super) fn share_lines(
        &self,
        name: &str,
        (nothing, rest): (f64, f64),
        value: f64,
    ) -> Vec<String> {
        let mut lines = vec![
            "share: the change of the value when the judgement of the document becomes known, from \
             the top down, with all documents below unjudged"
                .into(),
        ];
        if nothing != 0.0 {
            let nothing = self.real(nothing);
            lines.push(format!(
                "no document = {nothing}, the value if all documents are unjudged"
            ));
        }
        if rest != 0.0 {
            let rest = self.real(rest);
            lines.push(format!("documents further down = {rest}"));
        }
        lines.push(format!("{name} = sum of shares = {}", self.number(value)));
        lines
    }
}

/// Whether the documents have grades.
pub(super) fn is_graded(measure: &BoundMeasure) -> bool {
    matches!(
        measure.computation,
        Computation::Ranked(_) | Computation::Text(_) | Computation::Session(_)
    )
}

/// Adds a row for the omitted ranks.
fn push_gap(rows: &mut Vec<[String; 5]>, numbers: &mut [Vec<Option<f64>>], left_out: &mut usize) {
    if *left_out > 0 {
        let gap = format!("{left_out} more");
        let [grade, share, title] = [const { String::new() }; 3];
        rows.push(["…".into(), gap, grade, share, title]);
        for column in numbers {
            column.push(None);
        }
        *left_out = 0;
    }
}

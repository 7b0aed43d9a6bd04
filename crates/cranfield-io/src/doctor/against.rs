//! Checks of a run against the judgements that it will be evaluated with.

use cranfield_core::qrels::Qrels;
use cranfield_core::ranking::Ranking;

use crate::code::Code;
use crate::escape::quoted;
use crate::problem::Problem;

use super::findings::{Findings, grouped, some_ids};
use super::grades::Distribution;
use super::line::Row;
use super::spelling::{self, Sample};

/// Minimum number of pairs of documents for a suspicion about the scale of grades.
const PAIRS: u64 = 100;
/// Maximum percentage of pairs in the right order at which the scale is suspected.
const RIGHT_ORDER: u64 = 40;

/// Statistics of a run and its judgements.
pub(super) struct Against<'a> {
    qrels: &'a Qrels,
    /// By index of the topic in the qrels.
    seen: Vec<bool>,
    /// Topics of the run that are not in the qrels.
    unknown: Vec<&'a [u8]>,
    retrieved: u64,
    judged: u64,
    both: u64,
    samples: Vec<Sample<'a>>,
    /// Number of pairs of retrieved documents with different grades above 0 that have the higher grade first.
    right: u64,
    /// Number of such pairs that have the lower grade first.
    wrong: u64,
}

impl<'a> Against<'a> {
    pub(super) fn new(qrels: &'a Qrels) -> Self {
        Self {
            qrels,
            seen: vec![false; qrels.len()],
            unknown: Vec::new(),
            retrieved: 0,
            judged: 0,
            both: 0,
            samples: Vec::new(),
            right: 0,
            wrong: 0,
        }
    }

    /// Checks the next topic. `ranking` is that of `rows`, made with the hasher of the qrels.
    pub(super) fn topic(
        &mut self,
        id: &'a [u8],
        rows: &[Row<'a>],
        ranking: &Ranking<'a>,
        findings: &mut Findings,
    ) {
        let Some(place) = self.qrels.position(id) else {
            return self.unknown_topic(id, rows, findings);
        };
        let judgements = self.qrels.topic(place);
        self.seen[place] = true;
        self.retrieved += rows.len() as u64;
        self.judged += judgements.judgements().len() as u64;
        let grades: Vec<Option<f64>> = ranking
            .docs()
            .map(|(doc, hash)| judgements.grade_hashed(doc, hash))
            .collect();
        self.both += grades.iter().flatten().count() as u64;
        self.count_pairs(ranking.order().iter().filter_map(|at| grades[*at as usize]));
        if self.samples.len() < spelling::MAX_SAMPLES {
            let judged = judgements.judgements().map(|(doc, _)| doc);
            let run = rows.iter().map(|row| row.doc);
            self.samples.push(Sample::new(run, judged));
        }
    }

    fn unknown_topic(&mut self, id: &'a [u8], rows: &[Row<'a>], findings: &mut Findings) {
        self.unknown.push(id);
        let code = Code::UnknownTopic;
        let message = || format!("topic {} is not in the qrels", quoted(id));
        match rows.first() {
            Some(row) => findings.add_at(code, row, row.topic_text(), message),
            None => findings.add_with(code, |path| Problem::file(code, path, message())),
        }
    }

    /// Counts pairs of grades in rank order.
    fn count_pairs(&mut self, grades: impl Iterator<Item = f64>) {
        let mut above: Vec<(f64, u64)> = Vec::new();
        for grade in grades.filter(|grade| *grade > 0.0) {
            for (other, count) in &above {
                self.right += if *other > grade { *count } else { 0 };
                self.wrong += if *other < grade { *count } else { 0 };
            }
            match above.iter_mut().find(|(known, _)| *known == grade) {
                Some((_, count)) => *count += 1,
                None => above.push((grade, 1)),
            }
        }
    }

    /// Reports what is known only after the last topic.
    pub(super) fn finish(self, findings: &mut Findings) {
        let missing: Vec<&[u8]> = self
            .qrels
            .topics()
            .zip(&self.seen)
            .filter(|(_, seen)| !**seen)
            .map(|(topic, _)| topic.id())
            .collect();
        self.missing_topics(&missing, findings);
        if let Some((count, message)) = spelling::relate_topics(&self.unknown, &missing) {
            findings.add_file(Code::TopicIdsDiffer, count, message);
        }
        self.judged_documents(findings);
        self.scale(findings);
    }

    fn missing_topics(&self, missing: &[&[u8]], findings: &mut Findings) {
        if missing.is_empty() {
            return;
        }
        let (n, all) = (missing.len() as u64, grouped(self.qrels.len() as u64));
        let ids = some_ids(missing.iter().copied());
        let message = format!(
            "{} of {all} judged topics are not in the run: {ids}",
            grouped(n)
        );
        findings.add_file(Code::MissingTopic, n, message);
    }

    /// Reports if hardly any document is judged, and whether ids are only written differently.
    fn judged_documents(&self, findings: &mut Findings) {
        let (both, retrieved, judged) = (self.both, self.retrieved, self.judged);
        let is_tiny = both * 100 < judged && both * 100 < retrieved;
        if retrieved == 0 || judged == 0 || !is_tiny {
            return;
        }
        let message = format!(
            "{} of {} retrieved documents are judged; the qrels have {} judgements for these topics",
            grouped(both),
            grouped(retrieved),
            grouped(judged)
        );
        let detail = spelling::relate_documents(&self.samples);
        findings
            .add_file(Code::FewJudgedDocuments, 1, message)
            .detail = detail;
    }

    /// Suspects a reversed scale if the run ranks low grades above high ones, and no grade is 0.
    fn scale(&self, findings: &mut Findings) {
        let pairs = self.right + self.wrong;
        if pairs < PAIRS || self.right * 100 > pairs * RIGHT_ORDER {
            return;
        }
        let mut grades = Distribution::default();
        for topic in self.qrels.topics() {
            topic.judgements().for_each(|(_, grade)| grades.add(grade));
        }
        if grades.has_zero() {
            return;
        }
        let share = 100.0 * self.right as f64 / pairs as f64;
        let message = format!(
            "only {share:.1} % of {} pairs of relevant documents have the higher grade first",
            grouped(pairs)
        );
        findings
            .add_file(Code::GradeScaleReversed, 1, message)
            .detail = Some(format!(
            "this is a suspicion about the qrels: no grade is 0; grades: {grades}"
        ));
    }
}

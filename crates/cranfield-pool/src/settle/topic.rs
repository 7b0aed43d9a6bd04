//! A topic of two runs, with the documents whose relevance is open.

use cranfield_core::measure::Measure;
use cranfield_core::policy::NegativeGrades;
use cranfield_core::qrels::QrelsTopic;
use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

use crate::rankings::TopicRankings;

/// A topic, its first run being the one that is ahead.
pub(super) struct Topic {
    /// Judged documents by grade.
    base: Vec<GradeCount>,
    /// Labels by document; documents that are open are not judged.
    labels: Vec<Label>,
    /// Documents by run and rank.
    pub(super) runs: [Vec<u32>; 2],
    /// Documents that are not judged.
    pub(super) open: Vec<u32>,
    /// The grade of an open document that is relevant.
    pub(super) grade: f64,
}

impl Topic {
    /// `runs` is `None` if no run has the topic.
    pub(super) fn new(
        judged: &QrelsTopic<'_>,
        rankings: Option<&TopicRankings>,
        ahead: usize,
        negative: NegativeGrades,
    ) -> Self {
        let base = judged.base(negative);
        let docs = rankings.into_iter().flat_map(TopicRankings::docs);
        let labels: Vec<Label> = docs.map(|doc| judged.label(doc, negative)).collect();
        let run = |at: usize| rankings.map_or_else(Vec::new, |topic| topic.runs()[at].clone());
        let open = labels.iter().zip(0..);
        let open = open.filter(|(label, _)| !matches!(label, Label::Judged(_)));
        Self {
            base: base.grades().to_vec(),
            open: open.map(|(_, doc)| doc).collect(),
            labels,
            runs: [run(ahead), run(1 - ahead)],
            grade: base.read_as(),
        }
    }

    /// Judged documents by grade, with more of the grade of relevant documents and of those that are not.
    pub(super) fn base(&self, relevant: usize, not_relevant: usize) -> Vec<GradeCount> {
        let mut grades = self.base.clone();
        for (grade, more) in [(self.grade, relevant), (0.0, not_relevant)] {
            if more == 0 {
                continue;
            }
            let at = grades.partition_point(|known| known.grade > grade);
            match grades.get_mut(at).filter(|known| known.grade == grade) {
                Some(known) => known.count += more as u32,
                None => grades.insert(
                    at,
                    GradeCount {
                        grade,
                        count: more as u32,
                    },
                ),
            }
        }
        grades
    }

    /// The label of a document.
    pub(super) fn label(&self, doc: u32) -> Label {
        self.labels[doc as usize]
    }

    /// Ranks of each document in a run, from 1; 0 if the run lacks it.
    pub(super) fn ranks(&self, run: usize) -> Vec<u32> {
        let mut ranks = vec![0; self.labels.len()];
        for (doc, rank) in self.runs[run].iter().zip(1..) {
            ranks[*doc as usize] = rank;
        }
        ranks
    }

    /// The value of a run with the judgements as they are, or with all open documents as relevant. Undefined values are 0.
    pub(super) fn value(&self, measure: &dyn Measure, run: usize, are_relevant: bool) -> f64 {
        let hits = self.runs[run].iter().zip(1..).filter_map(|(doc, rank)| {
            let label = match self.label(*doc) {
                label @ Label::Judged(_) => label,
                _ if are_relevant => Label::Judged(self.grade),
                Label::Unjudged => return None,
                Label::Pooled => Label::Pooled,
            };
            Some(Hit { rank, label })
        });
        let hits: Vec<Hit> = hits.collect();
        let more = if are_relevant { self.open.len() } else { 0 };
        self.of_hits(measure, run, &hits, &self.base(more, 0))
    }

    /// The value of a run of which only these documents are judged; 0 where it is undefined.
    pub(super) fn of_hits(
        &self,
        measure: &dyn Measure,
        run: usize,
        hits: &[Hit],
        base: &[GradeCount],
    ) -> f64 {
        let retrieved = self.runs[run].len();
        let ranking = JudgedRanking::new(retrieved, hits, RecallBase::new(base));
        measure.evaluate(&ranking).unwrap_or(0.0)
    }
}

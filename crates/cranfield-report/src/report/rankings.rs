//! The rankings that a page shows: the first ranks of each run and topic, and each document's share of the values.

use std::collections::BTreeMap;

use cranfield_core::evaluate::Plan;
use cranfield_core::explain::Explanation;
use cranfield_core::topic::{GradeCount, Label};
use cranfield_measures::profiles::Profile;

use super::records::topic_places;
use super::{Report, ReportError};
use cranfield_eval::explain::{ExplainError, Explanations, Shown, alone, explain_run};
use cranfield_eval::{Judgements, Labels, RunInput};

/// Most values that are taken apart; beyond, the last topics are left out.
const MOST_CELLS: usize = 100_000;

/// The rankings of all topics that fit.
pub(super) struct Rankings {
    /// Whether documents have grades.
    pub(super) graded: bool,
    /// Columns of each measure's table, by measure.
    pub(super) columns: Vec<Vec<&'static str>>,
    /// In ascending order of their ids.
    pub(super) topics: Vec<Topic>,
}

/// One topic.
pub(super) struct Topic {
    /// Its judged documents by grade, highest first.
    pub(super) judged: Vec<GradeCount>,
    /// The documents that a run has among its first ranks.
    pub(super) docs: Vec<(Box<[u8]>, Label)>,
    /// By run; `None` if it lacks the topic.
    pub(super) runs: Vec<Option<Ranked>>,
}

/// One ranking.
pub(super) struct Ranked {
    /// Number of documents.
    pub(super) retrieved: usize,
    /// Places of the first documents in the topic's list, best first.
    pub(super) docs: Vec<usize>,
    /// By measure; `None` if the measure does not count the topic.
    pub(super) parts: Vec<Option<Part>>,
}

/// A value taken apart.
pub(super) struct Part {
    /// By rank.
    pub(super) shares: Vec<f64>,
    /// The share of all documents further down.
    pub(super) below: f64,
    /// The share of no document.
    pub(super) nothing: f64,
    /// The cells of the measure's table, by rank.
    pub(super) cells: Vec<Vec<Option<f64>>>,
    /// From sums to the value.
    pub(super) lines: Vec<String>,
}

/// Takes the values apart. `None` where values are of sessions, which have several rankings.
pub(super) fn read(report: &Report) -> Result<Option<Rankings>, ReportError> {
    let (request, judgements) = (&report.request.request, report.inputs.judgements());
    if matches!(judgements, Judgements::Sessions(..)) {
        return Ok(None);
    }
    let plan = report.evaluation.plan.clone();
    let ids = topic_ids(report);
    let reader = Reader {
        report,
        judgements,
        plans: plans(&plan, request.profile),
        ids: &ids,
        strings: Explanations {
            plan: plan.clone(),
            profile: request.profile,
            explained: Vec::new(),
            labels: Labels::default(),
        },
    };
    let runs: Vec<usize> = (0..report.inputs.runs().len()).collect();
    let read = cranfield_eval::in_parallel(&runs, |run| reader.read(*run));
    let read = read.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(Some(reader.joined(read)))
}

/// A plan for each set of measures with the same policies, and the places of the measures.
fn plans(plan: &Plan, profile: Profile) -> Vec<(Plan, Vec<usize>)> {
    let mut plans: Vec<(Plan, Vec<usize>)> = Vec::new();
    for (at, measure) in plan.measures.iter().enumerate() {
        let own = alone(plan, profile, measure);
        let mut known = plans.iter_mut();
        match known.find(|(known, _)| known.policies == own.policies) {
            Some((known, places)) => {
                known.measures.extend(own.measures);
                places.push(at);
            }
            None => plans.push((own, vec![at])),
        }
    }
    plans
}

/// The topics that are shown.
fn topic_ids(report: &Report) -> Vec<&[u8]> {
    let (runs, measures) = (
        report.evaluation.runs.len(),
        report.evaluation.plan.measures.len(),
    );
    let most = MOST_CELLS / (runs * measures).max(1);
    topic_places(report).into_keys().take(most).collect()
}

struct Reader<'a> {
    report: &'a Report,
    judgements: &'a Judgements,
    plans: Vec<(Plan, Vec<usize>)>,
    ids: &'a [&'a [u8]],
    /// Writes steps as text.
    strings: Explanations,
}

/// A ranking while documents have no places yet.
struct Read {
    retrieved: usize,
    docs: Vec<(Box<[u8]>, Label)>,
    parts: Vec<Option<Part>>,
    columns: Vec<Vec<&'static str>>,
}

impl Reader<'_> {
    /// The rankings of a run, by topic.
    fn read(&self, run: usize) -> Result<Vec<Option<Read>>, ReportError> {
        let run = &self.report.inputs.runs()[run];
        let rankings = run.run()?;
        let read = self.ids.iter().map(|id| match rankings.get(id) {
            Some(_) => self.topic(run, id),
            None => Ok(None),
        });
        read.collect()
    }

    fn topic(&self, run: &RunInput, id: &[u8]) -> Result<Option<Read>, ReportError> {
        let mut read: Option<Read> = None;
        let depth = self.report.request.depth;
        for (plan, places) in &self.plans {
            let explained = match explain_run(depth, plan, self.judgements, id, run) {
                Ok(explained) => explained,
                // A topic that the measures do not count under their own policies.
                Err(ExplainError::Request(_)) => continue,
                Err(error) => return Err(error.into()),
            };
            for (at, explanation) in places.iter().zip(explained) {
                let read = read.get_or_insert_with(|| self.ranking(&explanation));
                read.parts[*at] = Some(self.part(&explanation));
                if let Some(board) = explanation.board {
                    read.columns[*at] = board.columns;
                }
            }
        }
        Ok(read)
    }

    fn ranking(&self, explanation: &Explanation) -> Read {
        let shown = explanation.documents.iter().take(self.report.request.depth);
        Read {
            retrieved: explanation.retrieved,
            docs: shown.map(|doc| (doc.doc.clone(), doc.label)).collect(),
            parts: self.measures().map(|_| None).collect(),
            columns: self.measures().map(|_| Vec::new()).collect(),
        }
    }

    fn part(&self, explanation: &Explanation) -> Part {
        let depth = self.report.request.depth;
        let documents = &explanation.documents;
        let (shown, below) = documents.split_at(documents.len().min(depth));
        let rows = explanation.board.iter().flat_map(|board| &board.rows);
        let mut cells = Vec::new();
        for row in rows.filter(|row| row.rank as usize <= depth) {
            cells.resize(row.rank as usize - 1, Vec::new());
            cells.push(row.cells.clone());
        }
        let shown_as = Shown {
            digits: self.report.request.digits,
            rows: depth,
        };
        Part {
            shares: shown.iter().map(|doc| doc.share).collect(),
            below: below.iter().map(|doc| doc.share).sum::<f64>()
                + explanation.unlisted
                + explanation.rest,
            nothing: explanation.nothing,
            cells,
            lines: self.strings.topic_lines(shown_as, explanation),
        }
    }

    fn measures(&self) -> impl Iterator<Item = usize> {
        0..self.strings.plan.measures.len()
    }

    /// The rankings by topic, with one list of documents for each.
    fn joined(&self, mut runs: Vec<Vec<Option<Read>>>) -> Rankings {
        let mut columns: Vec<_> = self.measures().map(|_| Vec::new()).collect();
        let mut topics = Vec::with_capacity(self.ids.len());
        for (at, id) in self.ids.iter().enumerate() {
            let mut topic = Topic {
                judged: self.judged(id),
                docs: Vec::new(),
                runs: Vec::with_capacity(runs.len()),
            };
            let mut places: BTreeMap<Box<[u8]>, usize> = BTreeMap::new();
            for run in &mut runs {
                let ranked = run[at].take().map(|read| {
                    for (known, new) in columns.iter_mut().zip(&read.columns) {
                        if known.is_empty() {
                            known.clone_from(new);
                        }
                    }
                    topic.placed(read, &mut places)
                });
                topic.runs.push(ranked);
            }
            topics.push(topic);
        }
        Rankings {
            graded: matches!(self.judgements, Judgements::Grades(_)),
            columns,
            topics,
        }
    }

    fn judged(&self, id: &[u8]) -> Vec<GradeCount> {
        let Judgements::Grades(qrels) = self.judgements else {
            return Vec::new();
        };
        let negative = self.report.evaluation.plan.policies.negative;
        let topic = qrels.get(id);
        topic.map_or(Vec::new(), |topic| topic.base(negative).grades().to_vec())
    }
}

impl Topic {
    fn placed(&mut self, read: Read, places: &mut BTreeMap<Box<[u8]>, usize>) -> Ranked {
        let mut docs = Vec::with_capacity(read.docs.len());
        for (doc, label) in read.docs {
            let next = self.docs.len();
            let place = *places.entry(doc.clone()).or_insert(next);
            if place == next {
                self.docs.push((doc, label));
            }
            docs.push(place);
        }
        Ranked {
            retrieved: read.retrieved,
            docs,
            parts: read.parts,
        }
    }
}

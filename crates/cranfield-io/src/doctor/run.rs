//! The second pass over a run, topic by topic.

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::Qrels;
use cranfield_core::ranking::{self, Ranking};

use crate::code::Code;
use crate::escape::quoted;
use crate::number::Shortest;
use crate::problem::Problem;

use super::Options;
use super::against::Against;
use super::findings::{Findings, counted, grouped};
use super::line::{Fields, Row};
use super::ranks;
use super::repeats::Repeats;

/// Minimum number of documents for saturated ties, unless all scores are equal.
const MIN_SATURATED: usize = 10;
/// Minimum number of documents for saturated ties if all scores are equal.
const MIN_CONSTANT: usize = 3;
/// A ranking is short if the median is more than this many times its depth.
const SHORT: u64 = 10;

/// Examines a run topic by topic.
pub(super) struct RunCheck<'a, 'f> {
    findings: &'f mut Findings,
    depth: u64,
    /// Whether lines were skipped because of errors, which leaves gaps in the ranks.
    has_errors: bool,
    hasher: DocHasher,
    ranking: Ranking<'a>,
    repeats: Repeats,
    /// The rows of the topic without repeated documents; empty if none is repeated.
    distinct: Vec<Row<'a>>,
    /// Whether ranks of the topic may be missing because of errors.
    has_gaps: bool,
    /// The id, number of documents and first row of each topic.
    depths: Vec<(&'a [u8], u64, Option<Row<'a>>)>,
    tied: u64,
    single_ties: u64,
    against: Option<Against<'a>>,
}

impl<'a, 'f> RunCheck<'a, 'f> {
    pub(super) fn new(
        options: &Options,
        qrels: Option<&'a Qrels>,
        findings: &'f mut Findings,
    ) -> Self {
        let hasher = qrels.map(|qrels| qrels.hasher().clone());
        let has_errors = findings.has_errors();
        Self {
            findings,
            depth: options.depth,
            has_errors,
            hasher: hasher.unwrap_or_default(),
            ranking: Ranking::default(),
            repeats: Repeats::default(),
            distinct: Vec::new(),
            has_gaps: false,
            depths: Vec::new(),
            tied: 0,
            single_ties: 0,
            against: qrels.map(Against::new),
        }
    }

    /// Examines the next topic; `rows` are in the order of the file.
    pub(super) fn topic(&mut self, id: &'a [u8], rows: &[Row<'a>]) {
        self.depths
            .push((id, rows.len() as u64, rows.first().copied()));
        if rows.is_empty() {
            let code = Code::EmptyTopic;
            let message = format!("topic {} has no documents", quoted(id));
            self.findings
                .add_with(code, |path| Problem::file(code, path, message));
        }
        self.duplicates(id, rows);
        self.too_deep(id, rows);
        let distinct = std::mem::take(&mut self.distinct);
        self.rankings(id, if distinct.is_empty() { rows } else { &distinct });
        self.distinct = distinct;
    }

    /// Examines ranks and scores.
    fn rankings(&mut self, id: &'a [u8], rows: &[Row<'a>]) {
        self.ranking.clear();
        let entries = rows.iter().map(|row| (row.doc, row.value));
        ranking::fill(&mut self.ranking, &self.hasher, entries);
        self.ranking.arrange(TieBreak::DocidDesc, |_| 0.0);
        self.ranks(id, rows);
        self.ties(id, rows);
        self.single_precision(id, rows);
        if let Some(against) = &mut self.against {
            against.topic(id, rows, &self.ranking, self.findings);
        }
    }

    /// Reports repeated documents, and collects the others in `distinct` if there are any.
    fn duplicates(&mut self, id: &[u8], rows: &[Row<'a>]) {
        self.has_gaps = self.has_errors;
        let repeats = self.repeats.find(rows.iter().map(|row| row.doc));
        for &(first, later) in repeats {
            let (first, later) = (&rows[first as usize], &rows[later as usize]);
            self.findings
                .add_at(Code::DuplicateDocument, later, later.doc, || {
                    let (doc, id) = (quoted(later.doc), quoted(id));
                    format!("document {doc} is in topic {id} twice{}", first.place())
                });
            if is_exact_copy(first, later) {
                self.findings.entry(Code::DuplicateDocument).fixable += 1;
            } else {
                self.has_gaps = true;
            }
        }
        self.distinct.clear();
        if repeats.is_empty() {
            return;
        }
        let is_first = |at: u32| repeats.binary_search_by_key(&at, |pair| pair.1).is_err();
        let distinct = rows.iter().zip(0u32..).filter(|(_, at)| is_first(*at));
        self.distinct.extend(distinct.map(|(row, _)| *row));
    }

    fn too_deep(&mut self, id: &[u8], rows: &[Row<'a>]) {
        if rows.len() as u64 <= self.depth {
            return;
        }
        let row = &rows[self.depth as usize];
        let depth = self.depth;
        self.findings.add_at(Code::TooDeep, row, row.doc, || {
            let (id, n) = (quoted(id), grouped(rows.len() as u64));
            format!(
                "topic {id} has {n} documents, the limit is {}",
                grouped(depth)
            )
        });
    }

    fn ranks(&mut self, id: &[u8], rows: &[Row<'a>]) {
        let verdict = ranks::judge(rows);
        if !verdict.is_fault() {
            return self.ties_against_ranks(rows);
        }
        let id = quoted(id);
        if let Some(row) = verdict.from_zero {
            self.at_rank(Code::RanksFromZero, &rows[row], || {
                format!("ranks of topic {id} start at 0")
            });
        }
        if let Some(row) = verdict.gap.filter(|_| !self.has_gaps) {
            self.at_rank(Code::RankGap, &rows[row], || {
                let rank = Shortest(rows[row].rank.unwrap_or_default());
                format!("ranks of topic {id} are not consecutive: unexpected rank {rank}")
            });
        }
        if let Some((first, later)) = verdict.repeated {
            self.at_rank(Code::DuplicateRank, &rows[later], || {
                let rank = Shortest(rows[later].rank.unwrap_or_default());
                format!("rank {rank} is in topic {id} twice{}", rows[first].place())
            });
        }
        if verdict.is_reversed {
            self.at_rank(Code::RanksReversed, &rows[0], || {
                format!("scores of topic {id} increase with the rank")
            });
        }
        if let Some((higher, lower)) = verdict.contradiction {
            self.at_rank(Code::RankContradictsScore, &rows[higher], || {
                contradiction(&id, &rows[higher], &rows[lower])
            });
        }
        if verdict.contradiction.is_none() && verdict.repeated.is_none() && !verdict.is_reversed {
            self.ties_against_ranks(rows);
        }
    }

    fn at_rank(&mut self, code: Code, row: &Row<'a>, message: impl FnOnce() -> String) {
        self.findings.add_at(code, row, row.rank_text, message);
    }

    /// Looks for tied documents that the rank column does not order by descending id.
    fn ties_against_ranks(&mut self, rows: &[Row<'a>]) {
        let order = self.ranking.order();
        let groups = self.ranking.tie_groups().iter();
        let against = groups
            .flat_map(|group| order[group.start as usize..group.end as usize].windows(2))
            .map(|two| (&rows[two[0] as usize], &rows[two[1] as usize]))
            .find(|(first, second)| first.rank > second.rank);
        if let Some((first, second)) = against {
            self.findings
                .add_at(Code::TiesAgainstRanks, second, second.rank_text, || {
                    let (before, after) = (quoted(first.doc), quoted(second.doc));
                    format!("{before} and {after} have equal scores: the id puts {before} first, the rank column {after}")
                });
        }
    }

    fn ties(&mut self, id: &[u8], rows: &[Row<'a>]) {
        let groups = self.ranking.tie_groups();
        let tied: usize = groups.iter().map(ExactSizeIterator::len).sum();
        self.tied += tied as u64;
        let is_constant = rows.len() >= MIN_CONSTANT && groups.len() == 1 && tied == rows.len();
        let is_saturated = rows.len() >= MIN_SATURATED && tied * 2 >= rows.len();
        if !is_constant && !is_saturated {
            return;
        }
        // The first of the largest groups; some rows are tied, so there is one.
        let largest = groups.iter().rev().max_by_key(|group| group.len());
        let at = largest.map_or(0, |group| self.ranking.order()[group.start as usize]);
        let row = &rows[at as usize];
        self.findings
            .add_at(Code::SaturatedTies, row, row.value_text, || {
                let (id, n) = (quoted(id), grouped(rows.len() as u64));
                let tied = grouped(tied as u64);
                if is_constant {
                    format!("all {n} documents of topic {id} have the same score")
                } else {
                    format!("{tied} of {n} documents of topic {id} share their score with another")
                }
            });
    }

    /// Looks for distinct scores that are equal as 32-bit floats.
    fn single_precision(&mut self, id: &[u8], rows: &[Row<'a>]) {
        let score = |at: u32| rows[at as usize].value;
        let collide = |two: &&[u32]| {
            let (a, b) = (score(two[0]), score(two[1]));
            a != b && a as f32 == b as f32
        };
        let mut pairs = self.ranking.order().windows(2).filter(collide);
        let Some(first) = pairs.next() else {
            return;
        };
        self.single_ties += 1 + pairs.count() as u64;
        let (higher, lower) = (&rows[first[0] as usize], &rows[first[1] as usize]);
        self.findings
            .add_at(Code::SinglePrecisionTies, lower, lower.value_text, || {
                let (a, b) = (Shortest(higher.value), Shortest(lower.value));
                format!(
                    "scores {a} and {b} of topic {} are equal as 32-bit floats",
                    quoted(id)
                )
            });
    }

    /// Reports what is known only after the last topic.
    pub(super) fn finish(mut self) {
        self.short_rankings();
        if self.findings.count(Code::RanksReversed) > 0 {
            // It is unknown whether the ranks or the scores are right.
            for code in ranks::CODES {
                self.findings.entry(code).fixable = 0;
            }
        }
        let lines: u64 = self.depths.iter().map(|(_, depth, _)| depth).sum();
        if self.findings.count(Code::SaturatedTies) > 0 {
            let share = 100.0 * self.tied as f64 / lines as f64;
            self.findings.entry(Code::SaturatedTies).detail = Some(format!(
                "{share:.1} % of all documents share their score with another document of their topic"
            ));
        }
        if self.single_ties > 0 {
            let pairs = counted(self.single_ties, "pair");
            self.findings.entry(Code::SinglePrecisionTies).detail =
                Some(format!("{pairs} of adjacent documents in total"));
        }
        if let Some(against) = self.against {
            against.finish(self.findings);
        }
    }

    fn short_rankings(&mut self) {
        let mut sorted: Vec<u64> = self.depths.iter().map(|(_, depth, _)| *depth).collect();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
        for (id, depth, first) in &self.depths {
            let Some(row) = first.filter(|_| depth * SHORT < median) else {
                continue;
            };
            self.findings
                .add_at(Code::ShortRanking, &row, row.topic_text(), || {
                    let (n, id) = (counted(*depth, "document"), quoted(id));
                    format!("topic {id} has {n}, the median is {}", grouped(median))
                });
        }
    }
}

fn contradiction(id: &str, higher: &Row<'_>, lower: &Row<'_>) -> String {
    let rank = |row: &Row<'_>| Shortest(row.rank.unwrap_or_default());
    let (after, before) = (rank(higher), rank(lower));
    let (high, low) = (Shortest(higher.value), Shortest(lower.value));
    format!("rank {after} of topic {id} has score {high}, above the {low} of rank {before}")
}

/// Whether all fields of two lines are the same.
fn is_exact_copy(a: &Row<'_>, b: &Row<'_>) -> bool {
    let (Some(a), Some(b)) = (a.line, b.line) else {
        return false;
    };
    Fields::of(a.text, b' ').field == Fields::of(b.text, b' ').field
}

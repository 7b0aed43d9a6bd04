//! Selects the documents of a topic that could be among the best, from approximate scores.

use super::exact::Scorer;
use super::vectors::Vectors;

/// Scores that are compared with the threshold at once.
const CHUNK: usize = 64;
/// Candidates in excess of the depth that are always kept, so that small depths are not pruned all the time.
const SPARE: usize = 1024;

/// Bounds on the difference between approximate and exact scores.
pub(super) struct Bounds<'a> {
    /// The error of a document of length 1.
    unit: f32,
    /// The lengths of documents if the error is proportional to them.
    norms: Option<&'a [f64]>,
}

impl<'a> Bounds<'a> {
    /// Bounds for vectors of `dims` components.
    ///
    /// A sum of n products in single precision differs from the exact one by at most n·2⁻²⁴ times the product of the lengths, in
    /// any order of the sum; a few more roundings happen before and after. Half of 1e-4 is the least that is used.
    pub(super) fn new(dims: usize, norms: Option<&'a [f64]>) -> Self {
        let unit = (dims as f32 + 8.0) * (f32::EPSILON / 2.0);
        Self {
            unit: unit.max(0.5e-4),
            norms,
        }
    }

    /// The bound for one document.
    fn of(&self, row: usize) -> f32 {
        self.norms
            .map_or(self.unit, |norms| self.of_norm(norms[row]))
    }

    /// The largest bound of a range of documents.
    pub(super) fn of_rows(&self, rows: std::ops::Range<usize>) -> f32 {
        self.norms.map_or(self.unit, |norms| {
            self.of_norm(norms[rows].iter().copied().fold(0.0, f64::max))
        })
    }

    /// The second term covers products that are too small for normal numbers.
    fn of_norm(&self, norm: f64) -> f32 {
        (norm as f32).next_up() * self.unit + f32::MIN_POSITIVE
    }
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    row: u32,
    /// A lower bound of the score.
    lower: f32,
}

/// The documents of one topic that could be among the best.
pub(super) struct Candidates {
    depth: usize,
    /// A lower bound of the score of the last of the best documents so far.
    threshold: f32,
    kept: Vec<Candidate>,
}

impl Candidates {
    pub(super) fn new(depth: usize) -> Self {
        Self {
            depth,
            threshold: f32::NEG_INFINITY,
            kept: Vec::new(),
        }
    }

    /// Offers the approximate scores of consecutive documents; `widest` is their largest bound.
    pub(super) fn offer(
        &mut self,
        scores: &[f32],
        first: usize,
        widest: f32,
        bounds: &Bounds<'_>,
        scorer: &Scorer<'_>,
    ) {
        for (chunk, some) in scores.chunks(CHUNK).enumerate() {
            if !any_reaches(some, self.threshold - widest) {
                continue;
            }
            for (at, &score) in some.iter().enumerate() {
                let row = first + chunk * CHUNK + at;
                let bound = bounds.of(row);
                if score + bound >= self.threshold {
                    let (row, lower) = (row as u32, score - bound);
                    self.kept.push(Candidate { row, lower });
                }
            }
            if self.kept.len() >= 2 * self.depth + SPARE {
                self.prune(bounds, scorer);
            }
        }
    }

    /// Adds the candidates of another part of the documents.
    pub(super) fn merge(&mut self, other: Self) {
        self.threshold = self.threshold.max(other.threshold);
        self.kept.extend(other.kept);
    }

    /// Drops candidates that cannot be among the best. If too many are left, such as copies of one document, their exact scores
    /// decide.
    fn prune(&mut self, bounds: &Bounds<'_>, scorer: &Scorer<'_>) {
        self.cut(bounds);
        if self.kept.len() > self.depth + usize::midpoint(self.depth, SPARE) {
            let best = self.best(scorer);
            self.kept = best.into_iter().map(|(_, candidate)| candidate).collect();
        }
    }

    fn cut(&mut self, bounds: &Bounds<'_>) {
        if self.kept.len() <= self.depth {
            return;
        }
        let descending = |a: &Candidate, b: &Candidate| b.lower.total_cmp(&a.lower);
        let (_, last, _) = self.kept.select_nth_unstable_by(self.depth - 1, descending);
        self.threshold = self.threshold.max(last.lower);
        let threshold = self.threshold;
        self.kept
            .retain(|it| it.lower + 2.0 * bounds.of(it.row as usize) >= threshold);
    }

    /// The best documents with their exact scores, in order: by descending score, then by descending id.
    fn best(&self, scorer: &Scorer<'_>) -> Vec<(f64, Candidate)> {
        let rows: Vec<u32> = self.kept.iter().map(|it| it.row).collect();
        let mut best: Vec<(f64, Candidate)> = scorer
            .scores(&rows)
            .into_iter()
            .zip(self.kept.iter().copied())
            .collect();
        let documents = scorer.documents();
        let order =
            |a: &(f64, Candidate), b: &(f64, Candidate)| rank(documents, a.0, a.1, b.0, b.1);
        if best.len() > self.depth {
            best.select_nth_unstable_by(self.depth - 1, order);
            best.truncate(self.depth);
        }
        best.sort_unstable_by(order);
        best
    }

    /// The best documents: rows with exact scores, in order.
    pub(super) fn finish(mut self, bounds: &Bounds<'_>, scorer: &Scorer<'_>) -> Vec<(u32, f64)> {
        self.cut(bounds);
        let best = self.best(scorer);
        best.into_iter()
            .map(|(score, it)| (it.row, score))
            .collect()
    }
}

fn rank(
    documents: &Vectors,
    score: f64,
    it: Candidate,
    other_score: f64,
    other: Candidate,
) -> std::cmp::Ordering {
    let by_id = || {
        documents
            .id(other.row as usize)
            .cmp(documents.id(it.row as usize))
    };
    other_score
        .partial_cmp(&score)
        .unwrap_or(std::cmp::Ordering::Equal)
        .then_with(by_id)
}

/// Whether any score reaches the threshold. Compares all, without a branch for each, so that it compiles to vector instructions.
#[allow(
    clippy::needless_bitwise_bool,
    reason = "a branch for each score is slower"
)]
fn any_reaches(scores: &[f32], threshold: f32) -> bool {
    scores
        .iter()
        .fold(false, |any, &score| any | (score >= threshold))
}

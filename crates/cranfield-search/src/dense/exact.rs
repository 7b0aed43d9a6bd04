//! Double-precision scores, summed in the order of the components.

use std::array;

use super::index::Similarity;
use super::vectors::Vectors;

/// Rows that are summed side by side: each sum waits for its previous addition, so several at once keep the processor busy.
const LANES: usize = 8;

/// Scores documents for one topic.
pub(super) struct Scorer<'a> {
    documents: &'a Vectors,
    similarity: Similarity,
    topic: Vec<f64>,
    norm: f64,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(
        documents: &'a Vectors,
        similarity: Similarity,
        topic: &[f32],
        norm: f64,
    ) -> Self {
        Self {
            documents,
            similarity,
            topic: topic.iter().copied().map(f64::from).collect(),
            norm,
        }
    }

    pub(super) fn documents(&self) -> &'a Vectors {
        self.documents
    }

    /// The scores of documents, in the order given.
    pub(super) fn scores(&self, rows: &[u32]) -> Vec<f64> {
        let mut scores = Vec::with_capacity(rows.len());
        let mut scratch: [Vec<f32>; LANES] = array::from_fn(|_| Vec::new());
        for some in rows.chunks(LANES) {
            let mut scratch = scratch.iter_mut();
            // The last group repeats its last row in the lanes that are left.
            let lanes: [&[f32]; LANES] = array::from_fn(|lane| {
                let row = some[lane.min(some.len() - 1)] as usize;
                scratch
                    .next()
                    .map_or(&[][..], |scratch| self.documents.row(row, scratch))
            });
            let products = dot_lanes(&self.topic, lanes);
            let pairs = some.iter().zip(products);
            scores.extend(pairs.map(|(&row, product)| self.score(row as usize, product)));
        }
        scores
    }

    fn score(&self, row: usize, product: f64) -> f64 {
        match self.similarity {
            Similarity::Dot => product,
            Similarity::Cosine => {
                let norms = self.norm * self.documents.norm(row);
                if norms > 0.0 { product / norms } else { 0.0 }
            }
        }
    }
}

fn dot_lanes(topic: &[f64], lanes: [&[f32]; LANES]) -> [f64; LANES] {
    let lanes = lanes.map(|lane| &lane[..topic.len().min(lane.len())]);
    let mut sums = [0.0; LANES];
    for (at, &x) in topic.iter().enumerate() {
        for (sum, lane) in sums.iter_mut().zip(&lanes) {
            *sum += x * f64::from(lane[at]);
        }
    }
    sums
}

/// Lengths of consecutive rows of `dims` numbers.
pub(super) fn norms(rows: &[f32], dims: usize) -> impl Iterator<Item = f64> {
    rows.chunks(dims * LANES).flat_map(move |some| {
        let count = some.len() / dims;
        let lanes: [&[f32]; LANES] = array::from_fn(|lane| {
            let row = lane.min(count - 1);
            &some[row * dims..(row + 1) * dims]
        });
        let mut sums = [0.0; LANES];
        for at in 0..dims {
            for (sum, lane) in sums.iter_mut().zip(&lanes) {
                *sum += f64::from(lane[at]) * f64::from(lane[at]);
            }
        }
        sums.into_iter().take(count).map(f64::sqrt)
    })
}

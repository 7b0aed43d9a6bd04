//! Hedge: runs as experts whose weights follow the answers.
//!
//! The loss of a document at rank r of a run is ½ ln(Z / r), 0 if the run lacks it, where Z is the depth. The document with the
//! largest weighted loss is next. Then each weight is multiplied by beta^(loss) if the document is not relevant, by beta^(−loss) if it
//! is, and the weights are divided by their sum.

use super::Asking;
use crate::rankings::TopicRankings;

/// Sums that are equal to this many decimals are ties, so that rounding does not decide.
const DECIMALS: f64 = 1e12;

#[derive(Debug)]
pub(super) struct Hedge {
    beta: f64,
    weights: Vec<f64>,
    /// Runs that hold a document, with its loss, by document.
    losses: Vec<Vec<(usize, f64)>>,
    open: Vec<u32>,
    current: Option<u32>,
}

impl Hedge {
    pub(super) fn new(topic: &TopicRankings, beta: f64) -> Self {
        let depth = topic.asked_depth() as f64;
        let mut losses = vec![Vec::new(); topic.len()];
        for (number, run) in topic.runs().iter().enumerate() {
            for (rank, doc) in run.iter().enumerate() {
                let loss = 0.5 * (depth / (rank + 1) as f64).ln();
                losses[*doc as usize].push((number, loss));
            }
        }
        let runs = topic.runs().len();
        Self {
            beta,
            weights: vec![1.0 / runs.max(1) as f64; runs],
            losses,
            open: (0..topic.len() as u32).collect(),
            current: None,
        }
    }
}

impl Asking for Hedge {
    fn next(&mut self) -> Option<u32> {
        let weighted = |doc: u32| {
            let losses = self.losses[doc as usize].iter();
            let sum: f64 = losses.map(|(run, loss)| self.weights[*run] * loss).sum();
            (sum * DECIMALS).round()
        };
        let mut best: Option<(f64, usize)> = None;
        for (at, doc) in self.open.iter().enumerate() {
            let sum = weighted(*doc);
            if best.is_none_or(|(most, _)| sum > most) {
                best = Some((sum, at));
            }
        }
        let (_, at) = best?;
        // Stays in order of ids.
        self.current = Some(self.open.remove(at));
        self.current
    }

    fn answer(&mut self, relevant: bool) {
        let Some(doc) = self.current else { return };
        for (run, loss) in &self.losses[doc as usize] {
            let exponent = if relevant { -loss } else { *loss };
            self.weights[*run] *= self.beta.powf(exponent);
        }
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::example;

    #[test]
    fn weights_of_the_worked_example() {
        let topic = example();
        let mut hedge = Hedge::new(&topic, 0.1);
        let mut weights_after = |expected: &[u8]| {
            let doc = hedge.next().unwrap();
            assert_eq!(topic.doc(doc), expected);
            hedge.answer(true);
            hedge.weights.clone()
        };
        let near = |found: &[f64], expected: [f64; 3]| {
            let near = |(x, y): (&f64, f64)| (x - y).abs() < 5e-7;
            assert!(found.iter().zip(expected).all(near), "{found:?}");
        };
        near(&weights_after(b"b"), [0.236_903, 0.526_193, 0.236_903]);
        near(&weights_after(b"a"), [0.560_608, 0.351_501, 0.087_890]);
    }
}

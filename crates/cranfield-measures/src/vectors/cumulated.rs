//! The family of cumulated gain, summed along the ranking.

use cranfield_core::topic::JudgedRanking;
use cranfield_core::vectors::Vector;

use crate::measures::common::quotient;
use crate::measures::discount::Discount;
use crate::measures::gain_model::{GainModel, TopicGains};

/// The use of the two sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The ranking's gain.
    Gain,
    /// The ideal ranking's gain.
    Ideal,
    /// The one divided by the other.
    Normalised,
    /// The gain of each rank, not cumulated.
    Each,
    /// Both, so that the one's mean can be divided by the other's.
    Means,
}

/// Cumulated gain by rank.
#[derive(Clone, Debug)]
pub(super) struct Cumulated {
    pub(super) gains: GainModel,
    pub(super) discount: Discount,
    pub(super) part: Part,
    pub(super) depth: usize,
}

impl Cumulated {
    /// Writes the sums of discounted gains up to each rank, from documents by rank. The order of additions is that of the
    /// measures, so that the sums are theirs to the last bit.
    fn add_up(&self, documents: impl Iterator<Item = (u32, f64)>, sums: &mut [f64]) {
        let mut documents = documents.peekable();
        let mut sum = 0.0;
        for (place, rank) in sums.iter_mut().zip(1u32..) {
            if let Some((_, gain)) = documents.next_if(|(at, _)| *at == rank) {
                sum += gain / self.discount.at(rank);
            }
            *place = sum;
        }
    }

    /// Writes the sums of the ideal ranking. If it is not truncated, every rank has its whole gain.
    fn add_up_ideal(&self, gains: &TopicGains<'_>, sums: &mut [f64]) {
        let ideal = (1..).zip(gains.ideal_gains());
        if gains.ideal_depth(0) == 0 {
            self.add_up(ideal, sums);
        } else {
            sums.fill(self.discount.sum(ideal));
        }
    }
}

impl Vector for Cumulated {
    fn columns(&self) -> usize {
        match self.part {
            Part::Means => 2 * self.depth,
            _ => self.depth,
        }
    }

    fn fill(&self, topic: &JudgedRanking<'_>, reference: bool, columns: &mut [f64]) {
        let gains = self.gains.read(topic);
        match self.part {
            Part::Gain => self.add_up(gains.documents(), columns),
            Part::Ideal => self.add_up_ideal(&gains, columns),
            Part::Each => {
                columns.fill(0.0);
                for (rank, gain) in gains.documents() {
                    if let Some(column) = columns.get_mut(rank as usize - 1) {
                        *column = gain;
                    }
                }
            }
            Part::Means => {
                let (gain, best) = columns.split_at_mut(self.depth.min(columns.len()));
                self.add_up(gains.documents(), gain);
                self.add_up_ideal(&gains, best);
            }
            Part::Normalised => {
                let undefined = if reference { 0.0 } else { f64::NAN };
                let mut best = vec![0.0; columns.len()];
                self.add_up(gains.documents(), columns);
                self.add_up_ideal(&gains, &mut best);
                for (gain, best) in columns.iter_mut().zip(best) {
                    *gain = quotient(*gain, best).unwrap_or(undefined);
                }
            }
        }
    }

    fn read(&self, columns: &[f64], length: usize) -> Vec<Option<f64>> {
        let (numbers, ideal) = columns.split_at(length.min(columns.len()));
        match self.part {
            Part::Means => {
                let pairs = numbers.iter().zip(ideal);
                pairs.map(|(gain, ideal)| quotient(*gain, *ideal)).collect()
            }
            _ => numbers
                .iter()
                .map(|value| Some(*value).filter(|value| !value.is_nan()))
                .collect(),
        }
    }
}

//! Totals from stratified samples.

use cranfield_core::sampled::{PoolDocument, SampledQrels};
use cranfield_core::small_sort::SmallSort;

use super::Estimate;

/// Counts of a stratum of one topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StratumCount {
    /// Documents of the stratum.
    pub documents: usize,
    /// Documents that were drawn and judged.
    pub drawn: usize,
    /// Relevant documents among them.
    pub relevant: usize,
}

/// The number of relevant documents, from samples of strata: `R = Σ N r / n`, with the variance
/// `Σ N² (1 − n/N) p (1 − p) / (n − 1)`, where `p = r / n`. A stratum with one judged document has no variance of its own and adds
/// none.
///
/// ```
/// use cranfield_pool::missing::{StratumCount, stratified_total};
///
/// let strata = [(10, 10, 7), (90, 18, 4), (400, 20, 1)];
/// let strata = strata.map(|(documents, drawn, relevant)| StratumCount { documents, drawn, relevant });
/// let estimate = stratified_total(&strata);
/// assert!((estimate.total - 47.0).abs() < 1e-12);
/// assert!((estimate.error.unwrap() - 21.115927).abs() < 1e-6);
/// // The interval does not fall below the 12 documents that were found.
/// assert_eq!(estimate.interval.unwrap().0, 12.0);
/// ```
pub fn stratified_total(strata: &[StratumCount]) -> Estimate {
    let (mut found, mut total, mut variance) = (0.0, 0.0, 0.0);
    for stratum in strata.iter().filter(|stratum| stratum.drawn > 0) {
        let (size, drawn) = (stratum.documents as f64, stratum.drawn as f64);
        let share = stratum.relevant as f64 / drawn;
        found += stratum.relevant as f64;
        total += size * share;
        if stratum.drawn > 1 {
            variance += size * size * (1.0 - drawn / size) * share * (1.0 - share) / (drawn - 1.0);
        }
    }
    Estimate::normal(found, total, variance)
}

/// Counts of every stratum of every topic of a sample.
pub fn strata_of(qrels: &SampledQrels<PoolDocument>, level: f64) -> Vec<StratumCount> {
    let mut counts = Vec::new();
    for topic in qrels.topics() {
        let mut documents: Vec<&PoolDocument> = topic.judgements().iter().collect();
        documents.small_sort_by_key(|document| document.stratum);
        for stratum in documents.chunk_by(|a, b| a.stratum == b.stratum) {
            let grades = stratum.iter().filter_map(|document| document.grade);
            counts.push(StratumCount {
                documents: stratum.len(),
                drawn: grades.clone().count(),
                relevant: grades.filter(|grade| *grade >= level).count(),
            });
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::missing::simulation::check;
    use crate::sampling::choose;

    #[test]
    fn totals_are_unbiased_and_their_intervals_cover() {
        // Documents, relevant documents and sample size of each stratum.
        let scenarios: [&[(usize, usize, usize)]; 3] = [
            &[(50, 30, 50), (400, 80, 100), (1500, 60, 300)],
            &[(300, 150, 60), (300, 90, 60)],
            &[(100, 60, 40), (200, 60, 60), (400, 60, 120), (800, 60, 300)],
        ];
        for strata in scenarios {
            let truth: usize = strata.iter().map(|(_, relevant, _)| relevant).sum();
            check(43, truth as f64, |stream| {
                let counts = strata.iter().map(|(documents, relevant, size)| {
                    let drawn = choose(stream, *documents, *size);
                    StratumCount {
                        documents: *documents,
                        drawn: *size,
                        relevant: drawn.iter().filter(|at| *at < relevant).count(),
                    }
                });
                stratified_total(&counts.collect::<Vec<_>>())
            });
        }
    }

    /// The mean over all samples of three of seven documents, two of which are relevant, and of two of four, one of which is.
    #[test]
    fn totals_are_unbiased_over_all_samples() {
        let samples = |documents: usize, drawn: usize, relevant: usize| {
            let sets = (0u32..1 << documents).filter(move |set| set.count_ones() as usize == drawn);
            sets.map(move |set| StratumCount {
                documents,
                drawn,
                relevant: (set & ((1 << relevant) - 1)).count_ones() as usize,
            })
        };
        let (mut sum, mut count) = (0.0, 0.0);
        for first in samples(7, 3, 2) {
            for second in samples(4, 2, 1) {
                sum += stratified_total(&[first, second]).total;
                count += 1.0;
            }
        }
        assert!((sum / count - 3.0f64).abs() < 1e-12);
    }

    #[test]
    fn strata_without_a_judged_document_add_nothing() {
        let empty = StratumCount {
            documents: 10,
            ..StratumCount::default()
        };
        assert_eq!(stratified_total(&[empty]).total, 0.0);
    }
}

//! Families of tests: the p-values that are corrected together, and the replicates that the correction needs.

use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::randomisation::AUTO_EXACT;

use super::settings::{Family, Settings};
use super::significance_test::Test;
use super::{CompareError, failed};

/// Maximum number of replicates that are raised automatically; if a family needs more, a note reports it.
pub(super) const MOST_RAISED: usize = 1_000_000;

/// The tests of one measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// Number of pairs to test.
    pub(super) asked: usize,
    /// Number of pairs that a test of all pairs corrects for, including those that are not compared.
    pub(super) all: usize,
    /// Number of topics, or for tests of signs the largest number that differ in a pair.
    pub(super) topics: usize,
}

/// The families of the tests of all measures.
///
/// Tests of single pairs are corrected by the method of the settings, within a measure or over all measures. Tests that correct for
/// all pairs of a measure need no further correction within the measure; over all measures, their p-values are multiplied by the
/// number of measures (Bonferroni), which is valid for any dependence between measures.
pub(super) struct Families<'a> {
    settings: &'a Settings,
    counts: &'a [Count],
}

impl<'a> Families<'a> {
    pub(super) fn new(settings: &'a Settings, counts: &'a [Count]) -> Self {
        Self { settings, counts }
    }

    /// Number of measures whose tests are one family.
    pub(super) fn measures(&self) -> usize {
        match self.settings.family {
            Family::Measure => 1,
            Family::All => self
                .counts
                .iter()
                .filter(|one| one.asked > 0)
                .count()
                .max(1),
        }
    }

    /// Number of tests that the p-values of a measure are corrected for.
    pub(super) fn size(&self, measure: usize) -> usize {
        let by_itself = self.settings.test.corrects_itself();
        self.sum(measure, |count| match count.asked {
            1.. if by_itself => count.all,
            asked => asked,
        })
    }

    /// Number of pairs in the family of a measure, which equivalence tests are corrected for.
    pub(super) fn asked(&self, measure: usize) -> usize {
        self.sum(measure, |count| count.asked)
    }

    fn sum(&self, measure: usize, tests: impl Fn(&Count) -> usize) -> usize {
        match self.settings.family {
            Family::Measure => self.counts.get(measure).map_or(0, tests),
            Family::All => self.counts.iter().map(tests).sum(),
        }
    }

    /// Corrected p-values of the tests of each measure.
    pub(super) fn of_tests(&self, p: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, CompareError> {
        if self.settings.test.corrects_itself() {
            let measures = self.measures() as f64;
            let one = |p: &Vec<f64>| p.iter().map(|p| (measures * p).min(1.0)).collect();
            return Ok(p.iter().map(one).collect());
        }
        self.corrected(p, self.settings.correction())
    }

    /// Corrected p-values of the equivalence tests of each measure.
    pub(super) fn of_equivalence(&self, p: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, CompareError> {
        self.corrected(p, self.settings.equivalence_correction())
    }

    fn corrected(
        &self,
        p: &[Vec<f64>],
        correction: Correction,
    ) -> Result<Vec<Vec<f64>>, CompareError> {
        let correct = |p: &[f64]| adjust(p, correction).map_err(|why| failed("correction", why));
        if self.settings.family == Family::Measure {
            return p.iter().map(|p| correct(p)).collect();
        }
        let all = correct(&p.concat())?;
        let mut rest = all.as_slice();
        let parts = p.iter().map(|p| {
            let (part, others) = rest.split_at(p.len());
            rest = others;
            part.to_vec()
        });
        Ok(parts.collect())
    }

    /// The number of replicates: that of the settings, or more if significance needs more and the settings allow it.
    pub(super) fn replicates(&self) -> usize {
        let given = self.settings.resampling.replicates;
        let needed = (0..self.counts.len()).filter_map(|at| self.needed(at));
        match needed.max() {
            Some(needed) if self.settings.raise_replicates && needed <= MOST_RAISED => {
                given.max(needed)
            }
            _ => given,
        }
    }

    /// The number of replicates that significance needs, if there are fewer.
    pub(super) fn lacking(&self, measure: usize) -> Option<usize> {
        let there = self.settings.resampling.replicates;
        self.needed(measure).filter(|needed| there < *needed)
    }

    /// The number of replicates B for which the smallest p-value, 1 / (B + 1), is at most alpha after correction; `None` if the test is
    /// not random.
    fn needed(&self, measure: usize) -> Option<usize> {
        let count = self.counts.get(measure).filter(|count| count.asked > 0)?;
        let draws = match self.settings.test {
            Test::Randomisation => count.topics > AUTO_EXACT,
            test => test.is_random(),
        };
        // Rounding must not make the number too small.
        draws.then(|| ((1.0 - 1e-12) / self.largest_lone_p(measure)).ceil() as usize)
    }

    /// The largest p-value that is significant if no other test of the family is.
    fn largest_lone_p(&self, measure: usize) -> f64 {
        let (alpha, tests) = (self.settings.alpha, self.size(measure).max(1) as f64);
        if self.settings.test.corrects_itself() {
            return alpha / self.measures() as f64;
        }
        match self.settings.correction() {
            Correction::None => alpha,
            Correction::Sidak | Correction::HolmSidak => -((-alpha).ln_1p() / tests).exp_m1(),
            Correction::BenjaminiYekutieli => {
                let harmonic: f64 = (1..=self.size(measure)).map(|i| 1.0 / i as f64).sum();
                alpha / (tests * harmonic)
            }
            Correction::Bonferroni
            | Correction::Holm
            | Correction::Hochberg
            | Correction::Hommel
            | Correction::BenjaminiHochberg => alpha / tests,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(asked: usize, all: usize, topics: usize) -> Count {
        Count { asked, all, topics }
    }

    fn settings(test: Test, correction: Option<Correction>, family: Family) -> Settings {
        Settings {
            test,
            correction,
            family,
            ..Settings::default()
        }
    }

    /// 20,000 tests at 0.05 need p-values of 0.0000025, which is 1 of 400,000.
    #[test]
    fn replicates_follow_the_family() {
        let many = [count(20_000, 20_000, 50)];
        let holm = settings(Test::Randomisation, None, Family::Measure);
        assert_eq!(Families::new(&holm, &many).replicates(), 400_000);
        // Tests of 40 topics are exact.
        let few_topics = [count(20_000, 20_000, 40)];
        assert_eq!(Families::new(&holm, &few_topics).replicates(), 100_000);
        // Beyond the limit they are not raised, and the lack is reported.
        let most = [count(100_000, 100_000, 50)];
        let families = Families::new(&holm, &most);
        assert_eq!(families.replicates(), 100_000);
        assert_eq!(families.lacking(0), Some(2_000_000));
        let given = Settings {
            raise_replicates: false,
            ..holm
        };
        let families = Families::new(&given, &many);
        assert_eq!(families.replicates(), 100_000);
        assert_eq!(families.lacking(0), Some(400_000));
    }

    /// The smallest p-value is significant with the needed replicates, and not with a tenth fewer.
    #[test]
    fn needed_replicates_are_enough_and_not_too_many() {
        for correction in Correction::ALL {
            for tests in [1, 7, 300] {
                let counts = [count(tests, tests, 60)];
                let set = settings(Test::Bootstrap, Some(correction), Family::Measure);
                let families = Families::new(&set, &counts);
                let needed = families.needed(0).unwrap();
                let least = |replicates: usize| {
                    let mut p = vec![1.0; tests];
                    p[0] = 1.0 / (replicates as f64 + 1.0);
                    families.of_tests(&[p]).unwrap()[0][0]
                };
                assert!(least(needed) <= 0.05, "{correction:?} {tests}");
                assert!(least(needed - needed / 10) > 0.05, "{correction:?} {tests}");
            }
        }
    }

    #[test]
    fn tests_that_correct_themselves_are_joined_by_bonferroni() {
        let counts = [count(3, 3, 20), count(2, 6, 20), count(0, 6, 20)];
        let p = [vec![0.01, 0.02, 0.6], vec![0.03, 0.5], vec![]];
        let all = settings(Test::Tukey, None, Family::All);
        let families = Families::new(&all, &counts);
        assert_eq!((families.measures(), families.size(0)), (2, 9));
        let expected = [vec![0.02, 0.04, 1.0], vec![0.06, 1.0], vec![]];
        assert_eq!(families.of_tests(&p).unwrap(), expected);
        let one = settings(Test::Tukey, None, Family::Measure);
        let families = Families::new(&one, &counts);
        assert_eq!(families.of_tests(&p).unwrap(), p);
        assert_eq!((families.measures(), families.size(1)), (1, 6));
        // Replicates of the randomised test follow the number of measures.
        let random = settings(Test::RandomisedTukey, None, Family::All);
        assert_eq!(Families::new(&random, &counts).needed(0), Some(40));
    }

    #[test]
    fn equivalence_tests_are_corrected_like_other_tests() {
        let counts = [count(2, 2, 20), count(1, 1, 20)];
        let p = [vec![0.01, 0.02], vec![0.03]];
        let set = settings(Test::T, Some(Correction::Bonferroni), Family::All);
        let all = Families::new(&set, &counts).of_equivalence(&p).unwrap();
        assert_eq!(all, [vec![0.03, 0.06], vec![0.09]]);
        // Tukey's test has no equivalence test, so Holm's method is used.
        let tukey = settings(Test::Tukey, None, Family::Measure);
        let own = Families::new(&tukey, &counts).of_equivalence(&p).unwrap();
        assert_eq!(own, [vec![0.02, 0.02], vec![0.03]]);
    }
}

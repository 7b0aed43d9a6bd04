//! Settings of a fusion, and their checks.

use cranfield_core::error::Error;
use cranfield_core::named_enum;
use cranfield_core::policy::TieBreak;
use cranfield_core::setting::{Message, Setting};

use crate::method::{Method, Weighting};
use crate::norm::Norm;
use crate::training::Trained;

named_enum! {
    /// The program whose edge cases are followed.
    Profile ("profile of fusion") {
        /// This one's.
        Cranfield = "cranfield",
        /// ranx: divisors of at least 1e-9, and scores that are not rounded.
        Ranx = "ranx",
    }
}

named_enum! {
    /// The score of documents that a run lacks, for methods that combine scores.
    Missing ("rule for missing documents") {
        /// None: the run does not count for this document.
        Ignore = "ignore",
        /// The lowest normalised score of the run for this topic, as if the document had been retrieved with it.
        Min = "min",
    }
}

/// The settings of a fusion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fusion {
    /// The method.
    pub method: Method,
    /// One normalisation for all runs, or one for each; min-max if there are none.
    pub norms: Vec<Norm>,
    /// The weights of the runs, or none.
    pub weights: Vec<f64>,
    /// Documents of each run and topic that are used, from the first; all if `None`.
    pub input_depth: Option<usize>,
    /// Documents of a topic that are kept; all if `None`.
    pub depth: Option<usize>,
    /// The score of documents that a run lacks.
    pub missing: Missing,
    /// The program whose edge cases are followed.
    pub profile: Profile,
    /// The order of equal scores in the runs. Fused scores that are equal are always ordered by descending document id.
    pub ties: TieBreak,
    /// The result of training, for methods that need it.
    pub trained: Option<Trained>,
}

impl Fusion {
    /// A fusion with default settings.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            ..Self::default()
        }
    }

    /// Checks the settings for a number of runs.
    pub fn check(&self, runs: usize) -> Result<(), Error> {
        self.check_weights(runs)?;
        let norms = self.norms.len();
        if norms > 1 && norms != runs {
            return Err(Error::parameter(format!(
                "{norms} normalisations for {runs} runs; give one for all or one for each"
            )));
        }
        if !is_an_order(self.ties) {
            let message = Message::from(Setting::Ties.to(self.ties));
            return Err(Error::parameter(message.then(
                " is not an order of documents; choose docid-desc, docid-asc or input-order",
            )));
        }
        match &self.trained {
            None if self.method.is_trained() => Err(Error::parameter(
                Message::from(format!(
                    "{} learns from judgements; add ",
                    self.method.name()
                ))
                .then(Setting::Train),
            )),
            Some(trained) if self.method.is_trained() && trained.runs() != runs => {
                Err(Error::parameter(format!(
                    "trained on {} runs, but {runs} are fused",
                    trained.runs()
                )))
            }
            _ => Ok(()),
        }
    }

    fn check_weights(&self, runs: usize) -> Result<(), Error> {
        let (name, count) = (self.method.name(), self.weights.len());
        match self.method.weighting() {
            Weighting::Required if count == 0 => Err(Error::parameter(
                Message::from(format!("{name} needs a weight for each run; add "))
                    .then(Setting::Weights),
            )),
            Weighting::None if count > 0 => Err(Error::parameter(
                Message::from(format!("{name} has no "))
                    .then(Setting::Weights)
                    .then("; choose wsum, wmnz, mixed, rrf, rbc, w_bordafuse, w_condorcet or copeland"),
            )),
            _ if count > 0 && count != runs => Err(Error::parameter(format!(
                "{count} weights for {runs} runs; give one for each"
            ))),
            _ if self.weights.iter().any(|weight| !weight.is_finite()) => {
                Err(Error::parameter("a weight is not a finite number"))
            }
            _ => Ok(()),
        }
    }

    /// The normalisations that were given, if the method uses scores.
    pub fn used_norms(&self) -> &[Norm] {
        if self.method.uses_scores() {
            &self.norms
        } else {
            &[]
        }
    }

    /// The normalisation of a run.
    pub(crate) fn norm(&self, run: usize) -> Norm {
        let norm = self.norms.get(run).or(self.norms.first());
        norm.copied().unwrap_or_default()
    }

    /// The weight of a run, 1 without weights.
    pub(crate) fn weight(&self, run: usize) -> f64 {
        self.weights.get(run).copied().unwrap_or(1.0)
    }
}

/// Whether a rule orders documents without judgements.
fn is_an_order(ties: TieBreak) -> bool {
    matches!(
        ties,
        TieBreak::DocidDesc | TieBreak::DocidAsc | TieBreak::InputOrder | TieBreak::FileOrder
    )
}

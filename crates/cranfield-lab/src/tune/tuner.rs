//! The procedure: deal folds, choose on the training side, test, compare.

use std::fmt;
use std::str::FromStr;

use cranfield_compare::compare::{self, compare_scores};
use cranfield_core::run::{Run, RunBuilder};
use cranfield_core::small_sort::SmallSort;

use super::error::TuneError;
use super::folds::{Fold, Folding};
use super::judge::Judge;
use super::objective::{Candidate, Objective};
use super::point::Point;
use super::sealed::{self, Chosen, mean};
use super::search::Search;
use super::space::Space;
use super::tuned::{FoldResult, TopicResult, Tuned};

/// Names of the tuned system and of the default in claims.
const NAMES: [&str; 2] = ["tuned", "default"];

/// How a point is chosen by the training scores. Of equal points, the one nearest to the default is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The point with the best mean.
    #[default]
    Best,
    /// The default point, or else the one nearest to it, within one standard error of the best. The error is that of the mean
    /// difference between two points.
    OneSe,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Best => "best",
            Self::OneSe => "one-se",
        })
    }
}

impl FromStr for Choice {
    type Err = TuneError;

    fn from_str(text: &str) -> Result<Self, TuneError> {
        match text {
            "best" => Ok(Self::Best),
            "one-se" => Ok(Self::OneSe),
            _ => Err(TuneError::Settings(
                format!("unknown choice `{text}`; expected best or one-se").into(),
            )),
        }
    }
}

/// Settings of tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The points that are scored.
    pub search: Search,
    /// How topics are dealt into folds.
    pub folding: Folding,
    /// How a point is chosen.
    pub choice: Choice,
    /// Seed of folds and random search.
    pub seed: u64,
    /// The test of the tuned system against the default.
    pub comparison: compare::Settings,
}

impl Settings {
    /// The defaults with a number of folds.
    pub fn of_folds(folds: usize) -> Self {
        Self {
            search: Search::Grid,
            folding: Folding::Stratified { folds },
            choice: Choice::Best,
            seed: 42,
            comparison: compare::Settings::default(),
        }
    }
}

/// Tunes a system. Scores are kept, so tuning again with other folds is cheap.
pub struct Tuner<'a> {
    objective: Objective<'a>,
    space: Space,
    default: Point,
}

impl<'a> Tuner<'a> {
    /// A system with its parameters, scored by a judge on topics.
    ///
    /// # Errors
    /// If the default lacks a parameter of the space, or there are fewer than two topics.
    pub fn new(
        candidate: &'a dyn Candidate,
        judge: &'a dyn Judge,
        mut topics: Vec<String>,
        space: Space,
        default: Point,
    ) -> Result<Self, TuneError> {
        topics.sort_unstable();
        topics.dedup();
        if topics.len() < 2 {
            let message = format!("found {} judged topics, expected two or more", topics.len());
            return Err(TuneError::Settings(message.into()));
        }
        if let Some(name) = space.names().find(|name| default.get(name).is_none()) {
            return Err(TuneError::Space(format!(
                "the default point `{default}` has no value for `{name}`"
            )));
        }
        let objective = Objective::new(candidate, judge, topics);
        Ok(Self {
            objective,
            space,
            default,
        })
    }

    /// Chooses and tests a point for each fold, and compares the tests with the default.
    ///
    /// # Errors
    /// If the topics cannot be dealt into folds, or the system fails at a point.
    pub fn tune(&mut self, settings: &Settings) -> Result<Tuned, TuneError> {
        let (results, mut topics) = self.test_all(settings)?;
        topics.small_sort_by(|a, b| a.id.cmp(&b.id));
        let overall = self.choose(&[], settings)?.0;
        let scores = [TopicResult::tuned, TopicResult::default]
            .map(|of| topics.iter().map(of).collect::<Vec<f64>>());
        let comparison = compare::Settings {
            baselines: vec![NAMES[1].into()],
            ..settings.comparison.clone()
        };
        let measure = self.objective.measure().to_owned();
        Ok(Tuned {
            comparison: compare_scores(&measure, &NAMES, &scores, &comparison)?,
            measure,
            settings: settings.clone(),
            space: self.space.clone(),
            default: self.default.clone(),
            points: self.objective.points(),
            overall: (overall.point().clone(), overall.train()),
            folds: results,
            topics,
        })
    }

    /// Tests all folds, without a choice by all topics.
    fn test_all(
        &mut self,
        settings: &Settings,
    ) -> Result<(Vec<FoldResult>, Vec<TopicResult>), TuneError> {
        let all: Vec<usize> = (0..self.objective.topics().len()).collect();
        let scores = self.objective.scores(&self.default, &all)?;
        let names = self.objective.topics();
        let folds = settings.folding.deal(names, &scores, settings.seed)?;
        let (mut results, mut topics) = (Vec::new(), Vec::new());
        for fold in folds {
            let (result, tested) = self.test(&fold, settings)?;
            results.push(result);
            topics.extend(tested);
        }
        Ok((results, topics))
    }

    #[cfg(test)]
    pub(super) fn test_folds(&mut self, settings: &Settings) -> Result<Vec<FoldResult>, TuneError> {
        Ok(self.test_all(settings)?.0)
    }

    fn choose(
        &mut self,
        test: &[usize],
        settings: &Settings,
    ) -> Result<(Chosen, sealed::Sealed), TuneError> {
        let (train, test) = sealed::split(&mut self.objective, test);
        let from = (&self.default, settings.seed);
        let (chosen, _) = train.choose(&self.space, settings.search, settings.choice, from)?;
        Ok((chosen, test))
    }

    fn test(
        &mut self,
        fold: &Fold,
        settings: &Settings,
    ) -> Result<(FoldResult, Vec<TopicResult>), TuneError> {
        let (chosen, sealed) = self.choose(&fold.test, settings)?;
        let ids: Vec<String> = fold
            .test
            .iter()
            .map(|at| self.objective.topics()[*at].clone())
            .collect();
        let mut test = sealed.open(&chosen, &mut self.objective);
        let (tuned, default) = (test.scores(chosen.point())?, test.scores(&self.default)?);
        let result = FoldResult {
            name: fold.name.clone(),
            topics: ids.len(),
            point: chosen.point().clone(),
            train: chosen.train(),
            test: mean(&tuned),
            default: mean(&default),
        };
        let scores = tuned.into_iter().zip(default);
        let topic = |(id, (tuned, default))| TopicResult {
            id,
            fold: fold.name.clone(),
            tuned,
            default,
        };
        Ok((result, ids.into_iter().zip(scores).map(topic).collect()))
    }

    /// The run in which every tested topic is answered by the point that was chosen without it. Other topics, such as those without
    /// judgements, are answered by the point that is best on all judged topics.
    ///
    /// # Errors
    /// If the system fails.
    pub fn answers(&self, tuned: &Tuned, topics: &[String], tag: &str) -> Result<Run, TuneError> {
        let mut builder = RunBuilder::default();
        builder.set_tag(tag);
        for fold in &tuned.folds {
            let tested = tuned.topics.iter().filter(|topic| topic.fold == fold.name);
            let tested: Vec<&str> = tested.map(|topic| topic.id.as_str()).collect();
            self.answer(&fold.point, &tested, &mut builder)?;
        }
        let is_tested = |topic: &str| {
            tuned
                .topics
                .binary_search_by(|other| other.id.as_str().cmp(topic))
                .is_ok()
        };
        let others: Vec<&str> = topics
            .iter()
            .map(String::as_str)
            .filter(|topic| !is_tested(topic))
            .collect();
        self.answer(&tuned.overall.0, &others, &mut builder)?;
        Ok(builder.finish())
    }

    fn answer(
        &self,
        point: &Point,
        topics: &[&str],
        builder: &mut RunBuilder,
    ) -> Result<(), TuneError> {
        if topics.is_empty() {
            return Ok(());
        }
        let run = self.objective.candidate().run(point, topics)?;
        for topic in run.topics() {
            builder.add_topic(topic.id());
            for entry in topic.entries() {
                builder.push(topic.id(), entry.doc, entry.score, None);
            }
        }
        Ok(())
    }
}

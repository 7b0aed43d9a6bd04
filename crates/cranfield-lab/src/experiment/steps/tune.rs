//! Tuning the parameters of a run.

use std::sync::Arc;
use std::time::Instant;

use cranfield_compare::compare;
use cranfield_render::{Render, ResultFormat};
use cranfield_search::Index;
use cranfield_stats::random::Resampling;

use super::{Experiment, Made};
use crate::engine::Engine;
use crate::engine::IndexEngine;
use crate::error::Error;
use crate::experiment::file::TunePart;
use crate::inputs;
use crate::run_topics::TopicsRun;
use crate::searching::{Searched, provenance, provenance_path, save};
use crate::tune::{Folding, IndexCandidate, QrelsJudge, Settings, TuneError, Tuned, Tuner};

impl TunePart {
    pub(super) fn what(&self) -> String {
        format!(
            "{} of {} over {}",
            self.measure,
            self.run,
            self.space.names().collect::<Vec<_>>().join(", ")
        )
    }

    fn settings(&self, seed: u64) -> Settings {
        let comparison = compare::Settings::default();
        Settings {
            search: self.search,
            folding: Folding::Stratified { folds: self.folds },
            choice: self.choice,
            seed,
            comparison: compare::Settings {
                resampling: Resampling {
                    seed,
                    ..comparison.resampling
                },
                ..comparison
            },
        }
    }
}

impl Experiment {
    /// Tunes a run by cross-validation, and writes the result and the run in which every topic is answered by the point that was
    /// chosen without it.
    pub(super) fn tune(&self, name: &str) -> Result<Made, Error> {
        let failed = |source: TuneError| Error::Tune {
            step: format!("tune.{name}"),
            source,
        };
        let part = &self.parts.tunes[name];
        let run = &self.parts.runs[&part.run];
        let folder = self
            .in_output("index")
            .join(run.index().unwrap_or_default());
        let index = Arc::new(Index::open(folder)?);
        let engine = IndexEngine::new(Arc::clone(&index), &run.model, run.feedback.clone())?;
        let topics = self.collection.topics()?;
        let (queries, without_query) = inputs::queries(&topics, &run.query);
        let ids: Vec<String> = queries.iter().map(|query| query.topic.clone()).collect();
        let queries = queries.into_iter().map(|query| (query.topic, query.text));
        let candidate = IndexCandidate::new(
            index,
            run.model.clone(),
            run.feedback.clone(),
            queries,
            run.depth,
        );
        let judge = QrelsJudge::new(self.collection.qrels()?, &part.measure).map_err(failed)?;
        let judge = judge.with_identical(self.parts.identical);
        let default = candidate.default_point(part.space.names());
        let (default, judged) = (default.map_err(failed)?, judge.judged(&ids));
        let tuner = Tuner::new(&candidate, &judge, judged, part.space.clone(), default);
        let mut tuner = tuner.map_err(failed)?;
        let start = Instant::now();
        let tuned = tuner
            .tune(&part.settings(self.parts.seed))
            .map_err(failed)?;
        let answers = TopicsRun {
            run: tuner.answers(&tuned, &ids, name).map_err(failed)?,
            elapsed: start.elapsed(),
            ..TopicsRun::default()
        };
        let mut settings = engine.settings();
        settings.extend(described(&tuned));
        let searched = Searched {
            provenance: provenance(
                settings,
                &answers,
                &self.request(&topics, &run.query),
                run.depth,
            ),
            answers,
            without_query,
        };
        let path = self.run_path(name);
        self.create_folder(&self.in_output("runs"))?;
        save(&searched, &path)?;
        let mut files = vec![provenance_path(&path), path];
        self.create_folder(&self.in_output("tune"))?;
        for (extension, format) in [("json", ResultFormat::Json), ("md", ResultFormat::Md)] {
            let path = self.in_output("tune").join(format!("{name}.{extension}"));
            cranfield_io::save_text(&tuned.render(format, 0).unwrap_or_default(), &path)?;
            files.push(path);
        }
        Ok(Made {
            files,
            notes: Vec::new(),
        })
    }
}

/// What the provenance of a tuned run says about its parameters.
fn described(tuned: &Tuned) -> Vec<(String, String)> {
    let folds = tuned.folds.iter().map(|fold| {
        let key = format!("parameters of fold {}", fold.name);
        (key, fold.point.to_string())
    });
    [("tuned for".to_owned(), tuned.measure.clone())]
        .into_iter()
        .chain(folds)
        .collect()
}

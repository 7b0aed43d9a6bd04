//! Searching with a model and, if wanted, feedback.

use std::sync::Arc;

use cranfield_core::run::{Run, nine_digits};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::error::Error;
use crate::feedback::Feedback;
use crate::index::Index;
use crate::model::Model;
use crate::score::{Explanation, Hit, Query, Scorer, Strategy};

/// Searches an index with a model and, if wanted, feedback.
#[derive(Debug)]
pub struct Searcher {
    scorer: Scorer,
    feedback: Option<Feedback>,
}

impl Searcher {
    /// Binds a model to an index.
    pub fn new(
        index: Arc<Index>,
        model: &Model,
        feedback: Option<Feedback>,
    ) -> Result<Self, Error> {
        Ok(Self {
            scorer: Scorer::new(index, model)?,
            feedback,
        })
    }

    /// Chooses the algorithm, which does not change the result.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.scorer = self.scorer.with_strategy(strategy);
        self
    }

    /// The index.
    pub fn index(&self) -> &Index {
        self.scorer.index()
    }

    /// The best documents for a text, best first.
    pub fn search(&self, text: &str, depth: usize) -> Result<Vec<Hit>, Error> {
        self.scorer.search(&self.query(text)?, depth)
    }

    /// The terms of a text, with those that feedback adds.
    fn query(&self, text: &str) -> Result<Query, Error> {
        let query = self.scorer.query(text);
        let Some(feedback) = &self.feedback else {
            return Ok(query);
        };
        let hits = self.scorer.search(&query, feedback.depth())?;
        feedback.expand(self.scorer.index(), &query, &hits)
    }

    /// Breaks the score of one document for a text down by terms.
    ///
    /// # Errors
    /// If the index does not have the document.
    pub fn explain(&self, text: &str, document: &str) -> Result<Explanation, Error> {
        let index = self.scorer.index();
        let mut numbers = 0..index.lengths().len() as u32;
        let number = numbers.find(|number| index.id(*number) == document.as_bytes());
        let number = number.ok_or_else(|| {
            Error::index(
                index.path(),
                format!("no document `{document}` in the index"),
            )
        })?;
        self.scorer.explain(&self.query(text)?, number)
    }

    /// Searches for the query of each topic, on so many threads.
    ///
    /// Scores are rounded to nine significant digits, so that a run is the same after it was written and read again. Topics without
    /// results are in the run, with no documents.
    pub fn run<'q>(
        &self,
        tag: &str,
        queries: impl IntoIterator<Item = (&'q str, &'q str)>,
        depth: usize,
        threads: usize,
    ) -> Result<Run, Error> {
        let queries: Vec<(&str, &str)> = queries.into_iter().collect();
        let search = || {
            queries
                .par_iter()
                .map(|(_, text)| self.search(text, depth))
                .collect()
        };
        // Without threads of its own, the search uses those of the caller.
        let hits: Result<Vec<Vec<Hit>>, Error> =
            match ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(search),
                Err(_) => search(),
            };
        let mut run = cranfield_core::run::RunBuilder::default();
        run.set_tag(tag);
        for ((topic, _), hits) in queries.into_iter().zip(hits?) {
            run.add_topic(topic.as_bytes());
            for hit in hits {
                let doc = self.scorer.index().id(hit.doc);
                run.push(topic.as_bytes(), doc, nine_digits(hit.score), None);
            }
        }
        Ok(run.finish())
    }
}

//! Searching for the topics of a collection.

use std::path::PathBuf;
use std::time::Instant;

use cranfield_collection::{QueryFields, Topics};
use cranfield_core::run::Run;
use cranfield_search::{Error, Feedback, Index, Model, Searcher};

use crate::inputs;

/// What to search for, and how.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The folder of the index.
    pub index: PathBuf,
    /// The topics.
    pub topics: Topics,
    /// The fields of topics that make up the query.
    pub query: QueryFields,
    /// The ranking function.
    pub model: Model,
    /// Feedback.
    pub feedback: Option<Feedback>,
    /// Documents per topic.
    pub depth: usize,
    /// The tag of the run; made from the model if `None`.
    pub tag: Option<String>,
}

/// A run that was made.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The run.
    pub run: Run,
    /// Topics for which no document was found.
    pub empty: Vec<String>,
    /// Topics that have none of the fields of the query.
    pub without_query: Vec<String>,
    /// Seconds that the search took, without opening the index.
    pub seconds: f64,
}

/// Searches for all topics.
pub fn search(index: &Index, request: &SearchRequest) -> Result<Searched, Error> {
    let (queries, without_query) = inputs::queries(&request.topics, &request.query);
    let tag = request
        .tag
        .clone()
        .unwrap_or_else(|| tag(&request.model, request.feedback.as_ref()));
    let searcher = Searcher::new(index, &request.model, request.feedback.clone())?;
    let texts = queries
        .iter()
        .map(|query| (query.topic.as_str(), query.text.as_str()));
    let start = Instant::now();
    let run = searcher.run(&tag, texts, request.depth)?;
    let seconds = start.elapsed().as_secs_f64();
    let empty = run.topics().filter(|topic| topic.entries().len() == 0);
    let empty = empty
        .map(|topic| String::from_utf8_lossy(topic.id()).into_owned())
        .collect();
    Ok(Searched {
        run,
        empty,
        without_query,
        seconds,
    })
}

/// A tag made from a model and its feedback: `bm25-k1-0.9-b-0.4-rm3`.
pub fn tag(model: &Model, feedback: Option<&Feedback>) -> String {
    let mut text = model.to_string();
    if let Some(feedback) = feedback {
        let name = feedback.to_string();
        text += &format!("-{}", name.split('(').next().unwrap_or_default());
    }
    let mut tag = String::new();
    for c in text.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' | '.' | '+' | '_' => tag.push(c),
            _ if tag.ends_with('-') => {}
            _ => tag.push('-'),
        }
    }
    tag.trim_matches('-').replace("weights-", "")
}

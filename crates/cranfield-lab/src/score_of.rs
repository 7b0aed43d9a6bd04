//! The score of one document for one topic, broken down by term.

use std::path::Path;
use std::sync::Arc;

use cranfield_collection::{QueryFields, Topics};
use cranfield_core::run::nine_digits;
use cranfield_io::{Code, Problem};
use cranfield_render::{Cell, Column, Content, Records, Render, Table};
use cranfield_search::{Error, Explanation, Index, Searcher};
use serde_json::{Value, json};

use crate::engine::{EnginePath, EngineSettings};
use crate::inputs;

/// The score of one document for one query.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentScore {
    /// The topic, if the query belongs to one.
    pub topic: Option<String>,
    /// The query.
    pub query: String,
    /// The document.
    pub document: String,
    /// The model, with feedback if there is any.
    pub model: String,
    /// The terms and their scores.
    pub explanation: Explanation,
}

/// Computes the score that a document has in the run of a topic, term by term.
///
/// # Errors
/// If the engine is not an index, or the topic or the document does not exist.
pub fn explain_score(
    engine: &Path,
    settings: &EngineSettings,
    topics: &Topics,
    fields: &QueryFields,
    (topic, document): (&str, &str),
) -> Result<DocumentScore, Error> {
    let wrong = |message: String| {
        let problem = Problem::file(Code::BadEngine, &engine.to_string_lossy(), message);
        Error::Input(problem.into())
    };
    let EnginePath::Index(folder) = EnginePath::new(engine) else {
        return Err(wrong("only the scores of an index can be explained".into()));
    };
    let (queries, _) = inputs::queries(topics, fields);
    let query = queries.iter().find(|query| query.topic == topic);
    let query =
        query.ok_or_else(|| wrong(format!("no topic `{topic}` with the fields {fields}")))?;
    let index = Arc::new(Index::open(folder)?);
    Ok(DocumentScore {
        topic: Some(topic.into()),
        ..DocumentScore::of(index, settings, &query.text, document)?
    })
}

impl DocumentScore {
    /// Computes the score that a document of an index has for a query, term by term.
    ///
    /// # Errors
    /// If the document does not exist, or the model does not suit the index.
    pub fn of(
        index: Arc<Index>,
        settings: &EngineSettings,
        query: &str,
        document: &str,
    ) -> Result<Self, Error> {
        let EngineSettings {
            model, feedback, ..
        } = settings;
        let searcher = Searcher::new(index, model, feedback.clone())?;
        Ok(Self {
            topic: None,
            query: query.into(),
            document: document.into(),
            model: feedback.as_ref().map_or_else(
                || model.to_string(),
                |feedback| format!("{model} + {feedback}"),
            ),
            explanation: searcher.explain(query, document)?,
        })
    }

    /// The score as it is in a run, with nine significant digits.
    pub fn score(&self) -> f64 {
        nine_digits(self.explanation.score)
    }
}

impl Render for DocumentScore {
    fn content(&self) -> Content {
        let mut table = Table::new([
            Column::text("term"),
            Column::number("in query"),
            Column::number("in document"),
            Column::number("documents"),
            Column::number("score"),
        ]);
        let number = |value: f64| Cell::text(nine_digits(value).to_string());
        for term in &self.explanation.terms {
            table.push([
                Cell::text(&term.term),
                number(term.weight),
                Cell::text(term.frequency.to_string()),
                Cell::text(term.documents.to_string()),
                number(term.score),
            ]);
        }
        let mut sums = vec![("sum", self.score())];
        if self.explanation.rest != 0.0 {
            sums.insert(0, ("length and constants", self.explanation.rest));
        }
        for (name, value) in sums {
            let [first, second, third] = [(); 3].map(|()| Cell::text(""));
            table.push([Cell::text(name), first, second, third, number(value)]);
        }
        table.into()
    }

    fn records(&self) -> Records<'_> {
        let terms = self.explanation.terms.iter().map(|term| {
            vec![
                Cell::text(&term.term),
                Cell::real(Some(term.weight)),
                Cell::real(Some(f64::from(term.frequency))),
                Cell::real(Some(term.documents as f64)),
                Cell::real(Some(term.score)),
            ]
        });
        Records::named(
            ["term", "query_weight", "frequency", "documents", "score"],
            terms,
        )
    }

    fn json(&self) -> Value {
        let terms = self.explanation.terms.iter().map(|term| {
            json!({
                "term": term.term,
                "query_weight": term.weight,
                "frequency": term.frequency,
                "documents": term.documents,
                "score": term.score,
            })
        });
        json!({
            "topic": self.topic,
            "query": self.query,
            "document": self.document,
            "model": self.model,
            "length": self.explanation.length,
            "terms": terms.collect::<Vec<_>>(),
            "rest": self.explanation.rest,
            "score": self.score(),
        })
    }
}

//! Scores on a real collection against the formulas, written from their definitions over the words of every document.

use std::collections::HashMap;
use std::sync::Arc;

use cranfield_collection::{Documents, Topics};
use cranfield_testkit::golden;

use super::zipf::Random;
use crate::{Analyzer, Error, Index, IndexOptions, Scorer, build};

/// The words of all documents, counted.
struct Counted {
    /// Occurrences by document and term.
    documents: Vec<HashMap<String, f64>>,
    tokens: f64,
}

impl Counted {
    fn new(texts: &[String], analyzer: &Analyzer) -> Self {
        let mut counted = Self {
            documents: Vec::new(),
            tokens: 0.0,
        };
        for text in texts {
            let mut words: HashMap<String, f64> = HashMap::new();
            for term in analyzer.terms(text) {
                *words.entry(term).or_default() += 1.0;
                counted.tokens += 1.0;
            }
            counted.documents.push(words);
        }
        counted
    }

    fn with_term(&self, term: &str) -> f64 {
        let documents = self.documents.iter();
        documents.filter(|words| words.contains_key(term)).count() as f64
    }

    fn occurrences(&self, term: &str) -> f64 {
        let documents = self.documents.iter();
        documents.filter_map(|words| words.get(term)).sum()
    }

    fn length(&self, doc: usize) -> f64 {
        self.documents[doc].values().sum()
    }

    fn bm25(&self, doc: usize, query: &[String]) -> f64 {
        let (k1, b, total) = (1.2, 0.75, self.documents.len() as f64);
        let relative = self.length(doc) * total / self.tokens;
        let score = |term: &String| {
            let n = self.with_term(term);
            let f = self.documents[doc].get(term)?;
            let idf = (1.0 + (total - n + 0.5) / (n + 0.5)).ln();
            Some(idf * f / (f + k1 * (1.0 - b + b * relative)))
        };
        query.iter().filter_map(score).sum()
    }

    fn dirichlet(&self, doc: usize, query: &[String]) -> f64 {
        let mu = 1000.0;
        let score = |term: &String| {
            let f = self.documents[doc].get(term).unwrap_or(&0.0);
            let background = self.occurrences(term) / self.tokens;
            let smoothed = (f + mu * background) / (self.length(doc) + mu);
            (background > 0.0).then(|| smoothed.ln())
        };
        query.iter().filter_map(score).sum()
    }

    /// Cosine of documents with 1 + ln f, and queries with (1 + ln q)·ln(N/n).
    fn cosine(&self, doc: usize, query: &[String]) -> f64 {
        let norm = |weights: &[f64]| {
            weights
                .iter()
                .map(|weight| weight * weight)
                .sum::<f64>()
                .sqrt()
        };
        let mut terms: Vec<&String> = query.iter().collect();
        terms.sort_unstable();
        terms.dedup();
        terms.retain(|term| self.with_term(term) > 0.0);
        let weight = |term: &&String| {
            let q = query.iter().filter(|other| other == term).count() as f64;
            (1.0 + q.ln()) * (self.documents.len() as f64 / self.with_term(term)).ln()
        };
        let query: Vec<f64> = terms.iter().map(weight).collect();
        let all: Vec<f64> = self.documents[doc].values().map(|f| 1.0 + f.ln()).collect();
        let products = terms.iter().zip(&query).filter_map(|(term, weight)| {
            let f = self.documents[doc].get(*term)?;
            Some(weight * (1.0 + f.ln()))
        });
        products.sum::<f64>() / norm(&all) / norm(&query)
    }
}

/// The model, and its score of a document for a query.
type Formula = (&'static str, fn(&Counted, usize, &[String]) -> f64);

#[test]
fn scores_on_vaswani_are_those_of_the_formulas() {
    let Some(files) = golden("../collections/vaswani") else {
        return;
    };
    let paths = [files.join("doc-text.trec.gz")];
    let documents = Documents::open(&paths, cranfield_collection::DocumentOptions::default());
    let documents: Vec<_> = documents.unwrap().collect::<Result<_, _>>().unwrap();
    let texts: Vec<String> = documents
        .iter()
        .map(cranfield_collection::Document::text)
        .collect();
    let topics = Topics::open(files.join("query-text.trec")).unwrap();
    let analyzer = Analyzer::named("english").unwrap();
    let counted = Counted::new(&texts, &analyzer);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let documents = documents.into_iter().map(Ok::<_, Error>);
    build(&path, documents, &IndexOptions::new(analyzer.clone())).unwrap();
    let index = Arc::new(Index::open(path).unwrap());
    let formulas: [Formula; 3] = [
        ("BM25(k1=1.2, b=0.75)", Counted::bm25),
        ("QL(mu=1000)", Counted::dirichlet),
        ("VSM('lnc.ltc')", Counted::cosine),
    ];
    let mut random = Random(3);
    for (model, formula) in formulas {
        let scorer = Scorer::new(Arc::clone(&index), &model.parse().unwrap()).unwrap();
        for _ in 0..20 {
            let topic = &topics[random.below(topics.len())];
            let hits = scorer
                .search(&scorer.query(topic.title()), usize::MAX)
                .unwrap();
            let hit = hits[random.below(hits.len())];
            let expected = formula(&counted, hit.doc as usize, &analyzer.terms(topic.title()));
            let difference = (hit.score - expected).abs();
            assert!(
                difference < 1e-9,
                "{model}: {} is not {expected}",
                hit.score
            );
        }
    }
}

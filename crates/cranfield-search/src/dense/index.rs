//! The index: vectors of documents, searched with vectors of topics.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use cranfield_core::run::{Run, RunBuilder, nine_digits};
use cranfield_io::{Code, Error, Problem};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

use super::candidates::{Bounds, Candidates};
use super::exact::Scorer;
use super::files::find_vectors;
use super::vectors::Vectors;

/// Documents that are multiplied with the topics at once: few enough that the scores stay in the processor's cache.
const BLOCK: usize = 1024;
/// Topics that are searched together; bounds the memory of scores and candidates.
const TOPICS: usize = 256;

/// The score of a document vector for a topic vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Similarity {
    /// The dot product.
    #[default]
    Dot,
    /// The dot product divided by the lengths of both vectors; 0 if one of them is 0.
    Cosine,
}

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dot => "dot",
            Self::Cosine => "cosine",
        })
    }
}

/// The error for text that is not a similarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSimilarity;

impl fmt::Display for UnknownSimilarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown similarity; expected dot or cosine")
    }
}

impl std::error::Error for UnknownSimilarity {}

impl FromStr for Similarity {
    type Err = UnknownSimilarity;

    fn from_str(text: &str) -> Result<Self, UnknownSimilarity> {
        match text {
            "dot" => Ok(Self::Dot),
            "cosine" => Ok(Self::Cosine),
            _ => Err(UnknownSimilarity),
        }
    }
}

/// A document in the answer to a topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenseHit {
    /// The row of the document; [`DenseIndex::id`] returns its id.
    pub row: usize,
    /// The exact score.
    pub score: f64,
}

/// Vectors of documents that can be searched.
#[derive(Debug)]
pub struct DenseIndex {
    documents: Vectors,
    similarity: Similarity,
}

impl DenseIndex {
    /// Opens the vectors of a file, or of `documents.*` in a folder.
    pub fn open(path: impl AsRef<Path>, similarity: Similarity) -> Result<Self, Error> {
        let path = path.as_ref();
        let documents = if path.is_dir() {
            Vectors::open(find_vectors(path, "documents")?)?
        } else {
            Vectors::open(path)?
        };
        Ok(Self::new(documents, similarity))
    }

    /// Wraps vectors.
    pub fn new(documents: Vectors, similarity: Similarity) -> Self {
        Self {
            documents,
            similarity,
        }
    }

    /// The vectors of the documents.
    pub fn documents(&self) -> &Vectors {
        &self.documents
    }

    /// The similarity that scores documents.
    pub fn similarity(&self) -> Similarity {
        self.similarity
    }

    /// The id of a document.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn id(&self, row: usize) -> &str {
        self.documents.id(row)
    }

    /// The best `depth` documents for each topic, in the order of the topics: by descending score, then by descending id.
    ///
    /// # Errors
    /// If the vectors of topics and documents have different lengths.
    pub fn search(
        &self,
        topics: &Vectors,
        depth: usize,
        threads: usize,
    ) -> Result<Vec<Vec<DenseHit>>, Error> {
        self.check_lengths(topics)?;
        let mut answers = Vec::with_capacity(topics.len());
        if depth == 0 {
            answers.resize(topics.len(), Vec::new());
            return Ok(answers);
        }
        for start in (0..topics.len()).step_by(TOPICS) {
            let batch = Batch::new(
                self,
                topics,
                start..(start + TOPICS).min(topics.len()),
                depth,
            );
            answers.extend(batch.search(threads.max(1)));
        }
        Ok(answers)
    }

    /// Searches for each topic, with scores of nine significant digits, as runs have them.
    ///
    /// # Errors
    /// If the vectors of topics and documents have different lengths.
    pub fn run(
        &self,
        tag: &str,
        topics: &Vectors,
        depth: usize,
        threads: usize,
    ) -> Result<Run, Error> {
        let mut run = RunBuilder::default();
        run.set_tag(tag);
        let answers = self.search(topics, depth, threads)?;
        for (topic, hits) in topics.ids().iter().zip(answers) {
            run.add_topic(topic.as_bytes());
            for hit in hits {
                let doc = self.id(hit.row).as_bytes();
                run.push(topic.as_bytes(), doc, nine_digits(hit.score), None);
            }
        }
        Ok(run.finish())
    }

    fn check_lengths(&self, topics: &Vectors) -> Result<(), Error> {
        let (found, expected) = (topics.dims(), self.documents.dims());
        if found == expected {
            return Ok(());
        }
        let message = format!(
            "vectors have {found} dimensions, those of `{}` have {expected}",
            self.documents.name()
        );
        Err(Problem::file(Code::VectorLength, topics.name(), message).into())
    }
}

/// Some topics that are searched together.
struct Batch<'a> {
    documents: &'a Vectors,
    similarity: Similarity,
    depth: usize,
    scorers: Vec<Scorer<'a>>,
    /// The vectors of the topics, divided by their lengths, one after the other.
    units: Vec<f32>,
    bounds: Bounds<'a>,
}

impl<'a> Batch<'a> {
    fn new(index: &'a DenseIndex, topics: &Vectors, rows: Range<usize>, depth: usize) -> Self {
        let (documents, similarity) = (&index.documents, index.similarity);
        let mut scratch = Vec::new();
        let (mut scorers, mut units) = (Vec::new(), Vec::new());
        for row in rows {
            let (topic, norm) = (topics.row(row, &mut scratch), topics.norm(row));
            scorers.push(Scorer::new(documents, similarity, topic, norm));
            let scale = if norm > 0.0 { norm.recip() } else { 0.0 };
            units.extend(topic.iter().map(|&x| (f64::from(x) * scale) as f32));
        }
        let norms = (similarity == Similarity::Dot).then_some(documents.norms());
        Self {
            documents,
            similarity,
            depth: depth.min(documents.len()),
            scorers,
            units,
            bounds: Bounds::new(documents.dims(), norms),
        }
    }

    /// Searches ranges of documents on several threads, then finishes ranges of topics.
    fn search(&self, threads: usize) -> Vec<Vec<DenseHit>> {
        let blocks = self.documents.len().div_ceil(BLOCK);
        let parts = on_threads(split(blocks, threads), |blocks| self.propose(blocks));
        let mut merged: Vec<Candidates> = self.empty();
        for part in parts {
            let pairs = merged.iter_mut().zip(part);
            pairs.for_each(|(all, some)| all.merge(some));
        }
        let per_thread = merged.len().div_ceil(threads).max(1);
        let mut work: Vec<(usize, Vec<Candidates>)> = Vec::new();
        let mut merged = merged.into_iter().peekable();
        while merged.peek().is_some() {
            let first = work.iter().map(|(_, some)| some.len()).sum();
            work.push((first, merged.by_ref().take(per_thread).collect()));
        }
        let answers = on_threads(work, |(first, some)| self.finish(first, some));
        answers.into_iter().flatten().collect()
    }

    fn empty(&self) -> Vec<Candidates> {
        let candidates = self.scorers.iter().map(|_| Candidates::new(self.depth));
        candidates.collect()
    }

    /// The candidates of each topic among some blocks of documents.
    fn propose(&self, blocks: Range<usize>) -> Vec<Candidates> {
        let mut candidates = self.empty();
        let mut scratch = Vec::new();
        let mut scores = vec![0.0; self.scorers.len() * BLOCK];
        for block in blocks {
            let rows = block * BLOCK..((block + 1) * BLOCK).min(self.documents.len());
            let scores = &mut scores[..self.scorers.len() * rows.len()];
            let vectors = self.documents.block(rows.clone(), &mut scratch);
            multiply(&self.units, vectors, self.documents.dims(), scores);
            let widest = self.bounds.of_rows(rows.clone());
            let scales = self.scales(rows.clone());
            let topics = scores.chunks_mut(rows.len()).zip(&self.scorers);
            for (candidates, (scores, scorer)) in candidates.iter_mut().zip(topics) {
                scale(scores, &scales);
                candidates.offer(scores, rows.start, widest, &self.bounds, scorer);
            }
        }
        candidates
    }

    /// Factors for the products with some documents; none for dot products.
    fn scales(&self, rows: Range<usize>) -> Vec<f32> {
        match self.similarity {
            Similarity::Dot => Vec::new(),
            Similarity::Cosine => {
                let norms = self.documents.norms()[rows].iter();
                norms
                    .map(|&norm| if norm > 0.0 { norm.recip() as f32 } else { 0.0 })
                    .collect()
            }
        }
    }

    fn finish(&self, first: usize, candidates: Vec<Candidates>) -> Vec<Vec<DenseHit>> {
        let topics = candidates.into_iter().zip(&self.scorers[first..]);
        let hit = |(row, score): (u32, f64)| DenseHit {
            row: row as usize,
            score,
        };
        topics
            .map(|(some, scorer)| {
                some.finish(&self.bounds, scorer)
                    .into_iter()
                    .map(hit)
                    .collect()
            })
            .collect()
    }
}

/// Multiplies scores by the factors of their documents, if there are any.
fn scale(scores: &mut [f32], scales: &[f32]) {
    let pairs = scores.iter_mut().zip(scales);
    pairs.for_each(|(score, scale)| *score *= scale);
}

/// The products of all topics with all documents of a block, topic by topic.
fn multiply(topics: &[f32], documents: &[f32], dims: usize, scores: &mut [f32]) {
    let (rows, columns) = (topics.len() / dims, documents.len() / dims);
    let topics = ArrayView2::from_shape((rows, dims), topics);
    let documents = ArrayView2::from_shape((columns, dims), documents);
    let scores = ArrayViewMut2::from_shape((rows, columns), scores);
    if let (Ok(topics), Ok(documents), Ok(mut scores)) = (topics, documents, scores) {
        general_mat_mul(1.0, &topics, &documents.t(), 0.0, &mut scores);
    } else {
        unreachable!("vectors and scores have whole rows");
    }
}

/// Splits `count` items into at most `parts` ranges of about the same length.
fn split(count: usize, parts: usize) -> Vec<Range<usize>> {
    let size = count.div_ceil(parts).max(1);
    let starts = (0..count).step_by(size);
    starts
        .map(|start| start..(start + size).min(count))
        .collect()
}

/// Calls `run` with each item, each on its own thread, and returns the results in the order of the items.
fn on_threads<T: Send, R: Send>(items: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    if items.len() <= 1 {
        return items.into_iter().map(run).collect();
    }
    std::thread::scope(|scope| {
        let run = &run;
        let spawn = |item| scope.spawn(move || run(item));
        let handles: Vec<_> = items.into_iter().map(spawn).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, R>| {
            handle
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect()
    })
}

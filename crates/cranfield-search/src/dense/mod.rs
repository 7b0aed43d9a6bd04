//! Exact search over dense vectors.
//!
//! Single-precision products of blocks of vectors propose candidates. Their final scores are double-precision dot products, summed
//! in the order of the components, and every document whose approximate score could still be among the best is a candidate. So
//! scores and order are those of an exhaustive double-precision search, on any processor and any number of threads.
//!
//! ```
//! use cranfield_search::dense::{DenseIndex, Similarity, Vectors};
//!
//! let documents = Vectors::new("documents", vec!["d1".into(), "d2".into()], vec![3.0, 4.0, 1.0, 0.0])?;
//! let topics = Vectors::new("topics", vec!["q1".into()], vec![1.0, 0.0])?;
//! let index = DenseIndex::new(documents, Similarity::Cosine);
//! let hits = &index.search(&topics, 10, 1)?[0];
//! assert_eq!((index.id(hits[0].row), hits[0].score), ("d2", 1.0));
//! assert_eq!((index.id(hits[1].row), hits[1].score), ("d1", 0.6));
//! # Ok::<(), cranfield_io::Error>(())
//! ```

mod candidates;
mod exact;
mod files;
mod ids;
mod index;
mod jsonl;
mod matrix;
mod npy;
#[cfg(test)]
mod tests;
mod vectors;

pub use files::{VectorFolder, find_vectors};
pub use index::{DenseHit, DenseIndex, Similarity, UnknownSimilarity};
pub use vectors::Vectors;

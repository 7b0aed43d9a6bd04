mod analyzers;
mod damage;
mod determinism;
mod formulas;
mod queries;
mod strategies;
mod worked_example;
mod zipf;

use std::path::Path;
use std::sync::Arc;

use cranfield_collection::Document;

use crate::index::{Sizes, build_with};
use crate::{Analyzer, Error, Hit, Index, IndexOptions};

/// A document with one field.
fn document(id: &str, text: &str) -> Document {
    Document {
        id: id.into(),
        fields: vec![("text".to_owned(), text.to_owned())],
        ..Document::default()
    }
}

/// So many blocks and segments that every border is crossed.
const SMALL: Sizes = Sizes {
    block_bytes: 4 << 10,
    segment_blocks: 3,
};

/// Builds an index of words between white space.
fn index(
    folder: &Path,
    documents: impl IntoIterator<Item = Document>,
    sizes: Sizes,
    threads: usize,
) -> Arc<Index> {
    let analyzer = Analyzer::named("whitespace").unwrap();
    let options = IndexOptions {
        threads,
        ..IndexOptions::new(analyzer)
    };
    let documents = documents.into_iter().map(Ok::<_, Error>);
    build_with(folder, documents, &options, sizes).unwrap();
    Arc::new(Index::open(folder).unwrap())
}

/// Ids and the bits of scores.
fn exactly(index: &Index, hits: &[Hit]) -> Vec<(String, u64)> {
    let id = |doc| String::from_utf8_lossy(index.id(doc)).into_owned();
    hits.iter()
        .map(|hit| (id(hit.doc), hit.score.to_bits()))
        .collect()
}

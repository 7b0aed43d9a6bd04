//! Segments: postings in tantivy's files.

use std::iter::Peekable;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use rayon::prelude::*;
use tantivy::directory::TerminatingWrite;
use tantivy::fastfield::FastFieldsWriter;
use tantivy::fieldnorm::FieldNormsSerializer;
use tantivy::index::{SegmentComponent, SegmentId};
use tantivy::postings::{FieldSerializer, InvertedIndexSerializer};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, Segment, TantivyError};

use super::bounds::{Bounds, BoundsWriter, MIN_DOCUMENTS};
use super::invert::{Block, each_posting};
use crate::analysis::{TermId, Words};

/// Postings that are merged before they are written.
const BATCH: usize = 1 << 15;

/// The one field of the inverted index.
pub(super) fn field() -> Field {
    Field::from_field_id(0)
}

/// The schema: one field with frequencies, without positions and without lengths, which are kept exactly elsewhere.
pub(super) fn schema() -> Schema {
    let indexing = TextFieldIndexing::default()
        .set_index_option(IndexRecordOption::WithFreqs)
        .set_fieldnorms(false);
    let mut schema = Schema::builder();
    schema.add_text_field(
        "text",
        TextOptions::default().set_indexing_options(indexing),
    );
    schema.build()
}

/// The segment with a number. Its files have names that depend on nothing else, so the same documents give the same files.
pub(super) fn segment(
    index: &Index,
    number: usize,
    documents: u32,
) -> Result<Segment, TantivyError> {
    let id = SegmentId::from_uuid_string(&format!("{:032x}", number + 1))
        .map_err(|error| TantivyError::InvalidArgument(error.to_string()))?;
    Ok(index.segment(index.new_segment_meta(id, documents)))
}

/// Blocks of postings, each with the vocabulary that numbers its terms.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) words: Vec<Words>,
    /// The vocabulary of a block, and the block; in the order of documents.
    pub(super) blocks: Vec<(usize, Block)>,
}

/// Counts of a written segment.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) terms: u64,
    pub(super) postings: u64,
    pub(super) tokens: u64,
    pub(super) bounds: Bounds,
}

/// Writes everything but the stored documents.
pub(super) fn write(
    segment: &Segment,
    blocks: &Blocks,
    lengths: &[u32],
    threads: usize,
) -> Result<Counts, TantivyError> {
    let tokens = lengths.iter().map(|length| u64::from(*length)).sum();
    let mut serializer = InvertedIndexSerializer::open(segment)?;
    let field = serializer.new_field(field(), tokens, None)?;
    let mut counts = write_postings(field, blocks, lengths, threads)?;
    serializer.close()?;
    counts.tokens = tokens;
    let norms =
        FieldNormsSerializer::from_write(segment.open_write(SegmentComponent::FieldNorms)?)?;
    norms.close()?;
    let mut columns = segment.open_write(SegmentComponent::FastFields)?;
    let tokenizers = segment.index().fast_field_tokenizer().clone();
    let mut fast_fields =
        FastFieldsWriter::from_schema_and_tokenizer_manager(&segment.schema(), tokenizers)?;
    fast_fields.serialize(&mut columns, None)?;
    columns.terminate()?;
    Ok(counts)
}

/// A term in a block: its place in the order of all terms, and its postings.
struct Part<'a> {
    rank: u32,
    bytes: &'a [u8],
}

/// The terms of a block that are left, with the number of its first document.
type Parts<'a> = (u32, Peekable<std::vec::IntoIter<Part<'a>>>);

/// Postings of consecutive terms.
#[derive(Default)]
struct Batch {
    /// The end of each term's postings.
    ends: Vec<usize>,
    /// Documents and frequencies.
    postings: Vec<(u32, u32)>,
}

fn write_postings(
    mut field: FieldSerializer<'_>,
    blocks: &Blocks,
    lengths: &[u32],
    threads: usize,
) -> std::io::Result<Counts> {
    let (terms, ranks) = rank_terms(&blocks.words);
    let parts: Vec<Parts<'_>> = blocks
        .blocks
        .par_iter()
        .map(|(words, block)| {
            let parts = parts_of(block, &ranks[*words]);
            (block.first, parts.into_iter().peekable())
        })
        .collect();
    let mut counts = Counts {
        terms: terms.len() as u64,
        ..Counts::default()
    };
    let mut terms = terms.iter();
    let mut write = |batch: Batch| -> std::io::Result<()> {
        counts.postings += batch.postings.len() as u64;
        let mut start = 0;
        for (end, term) in batch.ends.into_iter().zip(&mut terms) {
            field.new_term(term.as_bytes(), (end - start) as u32, true)?;
            for (doc, frequency) in &batch.postings[start..end] {
                field.write_doc(*doc, *frequency, &[]);
            }
            field.close_term()?;
            start = end;
        }
        Ok(())
    };
    let count = counts.terms as u32;
    let bounds = if threads <= 1 {
        merge(parts, count, lengths, write)?
    } else {
        // One thread merges what another one writes.
        thread::scope(|scope| {
            let (send, receive) = sync_channel::<Batch>(4);
            let merging = scope.spawn(move || {
                merge(parts, count, lengths, |batch| {
                    // Fails only if writing has failed, which is reported below.
                    send.send(batch).map_err(std::io::Error::other)
                })
            });
            let written = receive.iter().try_for_each(&mut write);
            drop(receive);
            let merged = merging
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            written.and(merged)
        })?
    };
    field.close()?;
    counts.bounds = bounds;
    Ok(counts)
}

/// Merges the postings of all blocks, term by term, and hands them over in batches.
fn merge(
    mut parts: Vec<Parts<'_>>,
    terms: u32,
    lengths: &[u32],
    mut hand_over: impl FnMut(Batch) -> std::io::Result<()>,
) -> std::io::Result<Bounds> {
    let mut bounds = BoundsWriter::new();
    let mut batch = Batch::default();
    for rank in 0..terms {
        let start = batch.postings.len();
        for (first, parts) in &mut parts {
            if let Some(part) = parts.next_if(|part| part.rank == rank) {
                each_posting(part.bytes, *first, |doc, frequency| {
                    batch.postings.push((doc, frequency));
                });
            }
        }
        let postings = &batch.postings[start..];
        if postings.len() >= MIN_DOCUMENTS {
            for (doc, frequency) in postings {
                bounds.add(*frequency, lengths.get(*doc as usize).copied().unwrap_or(0));
            }
            bounds.finish_term(rank);
        }
        batch.ends.push(batch.postings.len());
        if batch.postings.len() >= BATCH {
            let next = Batch {
                postings: Vec::with_capacity(BATCH * 2),
                ..Batch::default()
            };
            hand_over(std::mem::replace(&mut batch, next))?;
        }
    }
    hand_over(batch)?;
    Ok(bounds.finish())
}

/// The distinct terms of all vocabularies in the order of their bytes, and the place of each vocabulary's terms in it.
fn rank_terms(words: &[Words]) -> (Vec<&str>, Vec<Vec<u32>>) {
    let mut all: Vec<(&str, usize, TermId)> = Vec::new();
    for (at, words) in words.iter().enumerate() {
        let terms = words.terms().iter().enumerate();
        all.extend(terms.map(|(id, term)| (&**term, at, id as TermId)));
    }
    all.par_sort_unstable();
    let mut ranks: Vec<Vec<u32>> = words
        .iter()
        .map(|words| vec![0; words.terms().len()])
        .collect();
    let mut terms: Vec<&str> = Vec::new();
    for (term, words, id) in all {
        if terms.last() != Some(&term) {
            terms.push(term);
        }
        ranks[words][id as usize] = terms.len() as u32 - 1;
    }
    (terms, ranks)
}

/// The terms of a block, in the order of all terms.
fn parts_of<'a>(block: &'a Block, ranks: &[u32]) -> Vec<Part<'a>> {
    let mut start = 0;
    let mut parts: Vec<Part<'a>> = Vec::with_capacity(block.ends.len());
    for (term, end) in &block.ends {
        let bytes = &block.bytes[start as usize..*end as usize];
        parts.push(Part {
            rank: ranks[*term as usize],
            bytes,
        });
        start = *end;
    }
    parts.sort_unstable_by_key(|part| part.rank);
    parts
}

/// Creates the folder of the segments' files.
pub(super) fn create(folder: &Path) -> Result<Index, TantivyError> {
    Index::create_in_dir(folder, schema())
}

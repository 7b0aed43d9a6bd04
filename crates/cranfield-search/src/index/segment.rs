//! Segments: postings in tantivy's files.

use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
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
use crate::analysis::TermId;

/// Terms whose postings are merged before they are written.
const BATCH: usize = 256;

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
    /// The terms of each vocabulary, by number.
    pub(super) terms: Vec<Vec<Box<str>>>,
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

/// The terms of a block in the order of all terms.
struct Parts<'a> {
    block: &'a Block,
    parts: Vec<Part>,
}

/// A term in a block: its place in the order of all terms, and the place of its postings among the block's bytes.
struct Part {
    rank: u32,
    start: u32,
    end: u32,
}

/// Postings of consecutive terms.
struct Batch {
    /// The end of each term's postings.
    ends: Vec<usize>,
    /// Documents and frequencies.
    postings: Vec<(u32, u32)>,
    bounds: Bounds,
}

fn write_postings(
    mut field: FieldSerializer<'_>,
    blocks: &Blocks,
    lengths: &[u32],
    threads: usize,
) -> std::io::Result<Counts> {
    let (terms, ranks) = rank_terms(&blocks.terms);
    let parts: Vec<Parts<'_>> = blocks
        .blocks
        .par_iter()
        .map(|(vocabulary, block)| Parts::of(block, &ranks[*vocabulary]))
        .collect();
    let mut counts = Counts {
        terms: terms.len() as u64,
        ..Counts::default()
    };
    let batches: Vec<Range<usize>> = (0..terms.len())
        .step_by(BATCH)
        .map(|start| start..terms.len().min(start + BATCH))
        .collect();
    let mut write = |terms: &[&str], batch: Batch| -> std::io::Result<()> {
        counts.postings += batch.postings.len() as u64;
        counts.bounds.append(batch.bounds);
        let mut start = 0;
        for (end, term) in batch.ends.into_iter().zip(terms) {
            field.new_term(term.as_bytes(), (end - start) as u32, true)?;
            for (doc, frequency) in &batch.postings[start..end] {
                field.write_doc(*doc, *frequency, &[]);
            }
            field.close_term()?;
            start = end;
        }
        Ok(())
    };
    let merge = |ranks: &Range<usize>| merge(&parts, ranks.clone(), lengths);
    if threads <= 1 {
        for ranks in &batches {
            write(&terms[ranks.clone()], merge(ranks))?;
        }
    } else {
        // Threads take turns in merging batches, which one more thread, this one, writes.
        thread::scope(|scope| {
            let merging = |first: usize| -> Receiver<Batch> {
                let (send, receive) = sync_channel(2);
                let (batches, merge) = (&batches, &merge);
                scope.spawn(move || {
                    let own = batches.iter().skip(first).step_by(threads);
                    // Sending fails only if writing has failed, which is reported below.
                    own.map(merge).try_for_each(|batch| send.send(batch))
                });
                receive
            };
            let merged: Vec<Receiver<Batch>> = (0..threads).map(merging).collect();
            batches
                .iter()
                .zip(merged.iter().cycle())
                .try_for_each(|(ranks, merged)| {
                    // Receiving fails only if merging has panicked, as this thread then does, too.
                    let batch = merged.recv().map_err(std::io::Error::other)?;
                    write(&terms[ranks.clone()], batch)
                })
        })?;
    }
    field.close()?;
    Ok(counts)
}

/// Merges the postings that all blocks have of some terms.
fn merge(parts: &[Parts<'_>], ranks: Range<usize>, lengths: &[u32]) -> Batch {
    let mut blocks: Vec<(&Block, &[Part])> = parts
        .iter()
        .map(|parts| (parts.block, parts.among(&ranks)))
        .collect();
    let mut bounds = BoundsWriter::new();
    let mut ends = Vec::with_capacity(ranks.len());
    let mut postings = Vec::new();
    for rank in ranks {
        let rank = rank as u32;
        let start = postings.len();
        for (block, parts) in &mut blocks {
            if let Some((part, rest)) = parts.split_first().filter(|(part, _)| part.rank == rank) {
                *parts = rest;
                let bytes = &block.bytes[part.start as usize..part.end as usize];
                each_posting(bytes, block.first, |doc, frequency| {
                    postings.push((doc, frequency));
                });
            }
        }
        let found = &postings[start..];
        if found.len() >= MIN_DOCUMENTS {
            for (doc, frequency) in found {
                bounds.add(*frequency, lengths.get(*doc as usize).copied().unwrap_or(0));
            }
            bounds.finish_term(rank);
        }
        ends.push(postings.len());
    }
    Batch {
        ends,
        postings,
        bounds: bounds.finish(),
    }
}

/// The distinct terms of all vocabularies in the order of their bytes, and the place of each vocabulary's terms in it.
fn rank_terms(vocabularies: &[Vec<Box<str>>]) -> (Vec<&str>, Vec<Vec<u32>>) {
    let mut all: Vec<(&str, usize, TermId)> = Vec::new();
    for (at, terms) in vocabularies.iter().enumerate() {
        let terms = terms.iter().enumerate();
        all.extend(terms.map(|(id, term)| (&**term, at, id as TermId)));
    }
    all.par_sort_unstable();
    let mut ranks: Vec<Vec<u32>> = vocabularies
        .iter()
        .map(|terms| vec![0; terms.len()])
        .collect();
    let mut terms: Vec<&str> = Vec::new();
    for (term, vocabulary, id) in all {
        if terms.last() != Some(&term) {
            terms.push(term);
        }
        ranks[vocabulary][id as usize] = terms.len() as u32 - 1;
    }
    (terms, ranks)
}

impl<'a> Parts<'a> {
    fn of(block: &'a Block, ranks: &[u32]) -> Self {
        let mut start = 0;
        let mut parts = Vec::with_capacity(block.ends.len());
        for (term, end) in &block.ends {
            parts.push(Part {
                rank: ranks[*term as usize],
                start,
                end: *end,
            });
            start = *end;
        }
        parts.sort_unstable_by_key(|part| part.rank);
        Self { block, parts }
    }

    /// Those with ranks in a range.
    fn among(&self, ranks: &Range<usize>) -> &[Part] {
        let place = |rank: usize| {
            self.parts
                .partition_point(|part| (part.rank as usize) < rank)
        };
        &self.parts[place(ranks.start)..place(ranks.end)]
    }
}

/// Creates the folder of the segments' files.
pub(super) fn create(folder: &Path) -> Result<Index, TantivyError> {
    Index::create_in_dir(folder, schema())
}

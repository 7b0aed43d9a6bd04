//! Segments: postings in tantivy's files.

use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
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
use crate::analysis::{TermId, Terms};

/// Terms whose postings are merged before they are written.
const BATCH: usize = 64;

/// Batches of one thread that wait to be written.
const QUEUE: usize = 32;

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
    pub(super) terms: Vec<Terms>,
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
    sorted: Vec<Part>,
    /// Where the parts of each batch of terms end.
    ends: Vec<usize>,
}

/// A term in a block: its place in the order of all terms, and the place of its postings among the block's bytes.
struct Part {
    rank: u32,
    start: u32,
    end: u32,
}

/// Postings of consecutive terms.
#[derive(Default)]
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
    let mut write = |terms: &[&str], batch: &mut Batch| -> std::io::Result<()> {
        counts.postings += batch.postings.len() as u64;
        counts.bounds.append(std::mem::take(&mut batch.bounds));
        let mut start = 0;
        for (end, term) in batch.ends.iter().zip(terms) {
            field.new_term(term.as_bytes(), (end - start) as u32, true)?;
            for (doc, frequency) in &batch.postings[start..*end] {
                field.write_doc(*doc, *frequency, &[]);
            }
            field.close_term()?;
            start = *end;
        }
        Ok(())
    };
    let count = terms.len();
    let merge = |number: usize, batch: &mut Batch| {
        let ranks = number * BATCH..count.min((number + 1) * BATCH);
        merge(&parts, number, ranks, lengths, batch);
    };
    if threads <= 1 {
        let mut batch = Batch::default();
        for (number, terms) in terms.chunks(BATCH).enumerate() {
            merge(number, &mut batch);
            write(terms, &mut batch)?;
        }
    } else {
        // Threads take turns in merging batches, which one more thread, this one, writes.
        thread::scope(|scope| {
            let merging = |first: usize| {
                let (send, receive) = sync_channel(QUEUE);
                let (send_back, written) = sync_channel(QUEUE);
                let (numbers, merge) = (first..count.div_ceil(BATCH), &merge);
                scope.spawn(move || {
                    numbers.step_by(threads).try_for_each(|number| {
                        let mut batch = written.try_recv().unwrap_or_default();
                        merge(number, &mut batch);
                        // Sending fails only if writing has failed, which is reported below.
                        send.send(batch)
                    })
                });
                (receive, send_back)
            };
            let merged: Vec<(Receiver<Batch>, SyncSender<Batch>)> =
                (0..threads).map(merging).collect();
            let mut batches = terms.chunks(BATCH).zip(merged.iter().cycle());
            batches.try_for_each(|(terms, (merged, written))| -> std::io::Result<()> {
                // Receiving fails only if merging has panicked, as this thread then does, too.
                let mut batch = merged.recv().map_err(std::io::Error::other)?;
                write(terms, &mut batch)?;
                // Its memory is used again, unless the other thread has ended.
                let _ = written.try_send(batch);
                Ok(())
            })
        })?;
    }
    field.close()?;
    Ok(counts)
}

/// Merges the postings that all blocks have of the terms in a batch.
fn merge(
    parts: &[Parts<'_>],
    number: usize,
    ranks: Range<usize>,
    lengths: &[u32],
    batch: &mut Batch,
) {
    let mut blocks: Vec<(&Block, &[Part])> = parts
        .iter()
        .map(|parts| (parts.block, parts.batch(number)))
        .collect();
    fetch(&blocks);
    let mut bounds = BoundsWriter::new();
    let Batch { ends, postings, .. } = batch;
    ends.clear();
    postings.clear();
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
    batch.bounds = bounds.finish();
}

/// Reads the first byte of each part, whose places in memory are in no order. A processor waits for many of these reads at once, and in
/// the merge, which decodes one part after the other, for each of them in turn.
fn fetch(blocks: &[(&Block, &[Part])]) {
    for (block, parts) in blocks {
        let first = |part: &Part| block.bytes[part.start as usize];
        std::hint::black_box(parts.iter().map(first).fold(0, u8::wrapping_add));
    }
}

/// The distinct terms of all vocabularies in the order of their bytes, and the place of each vocabulary's terms in it.
fn rank_terms(vocabularies: &[Terms]) -> (Vec<&str>, Vec<Vec<u32>>) {
    let count = vocabularies.iter().map(Terms::len).sum();
    let mut all: Vec<(u64, u32, TermId)> = Vec::with_capacity(count);
    for (at, terms) in vocabularies.iter().enumerate() {
        all.extend(
            (0..terms.len() as TermId).map(|id| (first_bytes(terms.get(id)), at as u32, id)),
        );
    }
    let term = |(_, at, id): &(u64, u32, TermId)| vocabularies[*at as usize].get(*id);
    // Most terms differ in their first bytes, which are compared without a look at another place in memory.
    all.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| term(a).cmp(term(b))));
    let mut ranks: Vec<Vec<u32>> = vocabularies
        .iter()
        .map(|terms| vec![0; terms.len()])
        .collect();
    let mut terms: Vec<&str> = Vec::with_capacity(count);
    for next in &all {
        if terms.last() != Some(&term(next)) {
            terms.push(term(next));
        }
        ranks[next.1 as usize][next.2 as usize] = terms.len() as u32 - 1;
    }
    (terms, ranks)
}

/// The first eight bytes of a term as a number, which is in the order of terms.
fn first_bytes(term: &str) -> u64 {
    let mut first = [0; 8];
    let len = term.len().min(8);
    first[..len].copy_from_slice(&term.as_bytes()[..len]);
    u64::from_be_bytes(first)
}

impl<'a> Parts<'a> {
    fn of(block: &'a Block, ranks: &[u32]) -> Self {
        let mut start = 0;
        let mut sorted = Vec::with_capacity(block.ends.len());
        for (term, end) in &block.ends {
            sorted.push(Part {
                rank: ranks[*term as usize],
                start,
                end: *end,
            });
            start = *end;
        }
        sorted.sort_unstable_by_key(|part| part.rank);
        let mut ends = Vec::new();
        for (at, part) in sorted.iter().enumerate() {
            ends.resize(part.rank as usize / BATCH, at);
        }
        Self {
            block,
            sorted,
            ends,
        }
    }

    /// Those of a batch of terms.
    fn batch(&self, number: usize) -> &[Part] {
        let all = self.sorted.len();
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.ends.get(before).copied().unwrap_or(all));
        &self.sorted[start..self.ends.get(number).copied().unwrap_or(all)]
    }
}

/// Creates the folder of the segments' files.
pub(super) fn create(folder: &Path) -> Result<Index, TantivyError> {
    Index::create_in_dir(folder, schema())
}

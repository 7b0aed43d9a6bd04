//! Reads a file by topic in parallel.
//!
//! The file is split into pieces at changes of topic. One thread reads each piece and passes the lines of each topic to a [`Sink`].
//! Most files are grouped by topic, so that one pass is enough. A topic that occurs again, anywhere in the file, is read a second time
//! from all its places together. In a piece that turns out to be interleaved, topics are only located in the first pass.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;

use cranfield_io::trec::{FaultyLine, Lines, TopicLine};

use crate::engine::threads::{in_parallel, pieces_in_parallel};

/// Whether limits are so small that a few lines reach them, for fuzzing.
const TINY: bool = cfg!(feature = "tiny-pieces");
/// Minimum size of a piece: below it, a thread costs more than it saves.
const MIN_PIECE: usize = if TINY { 16 } else { 1 << 16 };
/// Target size of a piece: large enough to be worth its memory, small enough that threads finish at about the same time.
const GOOD_PIECE: usize = if TINY { 16 } else { 1 << 20 };
/// Maximum number of pieces per thread.
const PIECES_PER_THREAD: usize = 32;
/// Maximum distance to search for a change of topic.
const MAX_SEARCH: usize = if TINY { 64 } else { 1 << 20 };
/// Number of repeated topics after which a piece counts as interleaved.
const MAX_REPEATS: usize = if TINY { 2 } else { 64 };
/// Faulty lines kept per piece.
const MAX_FAULTS: usize = 21;

pub(crate) type FastMap<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Consumes the lines of one topic after the other.
pub(crate) trait Sink<'a>: Send {
    /// The kind of line.
    type Line: TopicLine<'a>;

    /// Checks a line of any topic.
    fn check(&self, _line: &Self::Line) -> Result<(), FaultyLine> {
        Ok(())
    }

    /// Adds a line to the current topic, or drops it if [`check`](Self::check) fails.
    fn push(&mut self, line: &Self::Line) -> Result<(), FaultyLine>;

    /// Ends the current topic.
    fn end_topic(&mut self, topic: &'a [u8]);

    /// Drops the lines of the current topic.
    fn abandon_topic(&mut self);
}

/// The result of reading a file.
#[derive(Debug)]
pub(crate) struct Walked<S> {
    /// The sinks in the order of the file, then those of topics in several places.
    pub(crate) parts: Vec<Part<S>>,
    /// The first faulty lines, by offset.
    pub(crate) faults: Vec<FaultyLine>,
    /// Number of faulty lines.
    pub(crate) fault_count: u64,
}

/// A sink, and which of its topics are void.
#[derive(Debug)]
pub(crate) struct Part<S> {
    pub(crate) sink: S,
    /// For each topic that the sink ended, in order, whether a later part ended it again.
    pub(crate) void: Vec<bool>,
}

/// A topic's consecutive lines.
#[derive(Clone, Copy, Debug)]
struct Segment {
    topic: u32,
    start: usize,
    end: usize,
}

struct Piece<'a, S> {
    sink: S,
    ids: Vec<&'a [u8]>,
    /// Hashes of the ids, computed while their bytes are in the cache.
    hashes: Vec<u64>,
    segments: Vec<Segment>,
    /// Number of segments that were passed to the sink; the others were only located.
    ended: usize,
    faults: Vec<FaultyLine>,
    fault_count: u64,
}

/// Reads `bytes` by topic. `lines` creates a reader of the whole file, `sink` an empty sink for about the given number of lines.
pub(crate) fn walk<'a, S: Sink<'a>>(
    bytes: &'a [u8],
    lines: impl Fn() -> Lines<'a, S::Line> + Sync,
    sink: impl Fn(usize) -> S + Sync,
) -> Walked<S> {
    let pieces = in_parallel(&split(bytes), |span| {
        let sink = sink(estimated_lines(&bytes[span.clone()]));
        walk_piece(lines(), sink, span.clone())
    });
    join(pieces, lines, sink)
}

fn walk_piece<'a, S: Sink<'a>>(
    mut lines: Lines<'a, S::Line>,
    sink: S,
    span: Range<usize>,
) -> Piece<'a, S> {
    let mut piece = Piece {
        sink,
        ids: Vec::new(),
        hashes: Vec::new(),
        segments: Vec::new(),
        ended: 0,
        faults: Vec::new(),
        fault_count: 0,
    };
    let mut known: FastMap<&'a [u8], u32> = FastMap::default();
    let mut repeats = 0;
    lines.seek(span);
    loop {
        let start = lines.offset();
        match lines.next() {
            None => break,
            Some(Err(fault)) => piece.add_fault(fault),
            Some(Ok(line)) => {
                if !line.same_topic() {
                    piece.end_segment(start, repeats <= MAX_REPEATS);
                    let next = piece.ids.len() as u32;
                    let topic = *known.entry(line.topic()).or_insert(next);
                    if topic == next {
                        piece.ids.push(line.topic());
                        piece.hashes.push(known.hasher().hash_one(line.topic()));
                    } else {
                        repeats += 1;
                    }
                    piece.segments.push(Segment {
                        topic,
                        start,
                        end: start,
                    });
                }
                // Every line is checked exactly once, here: reading it again adds no faults.
                let taken = if repeats <= MAX_REPEATS {
                    piece.sink.push(&line)
                } else {
                    piece.sink.check(&line)
                };
                if let Err(fault) = taken {
                    piece.add_fault(fault);
                }
            }
        }
    }
    let end = lines.offset();
    piece.end_segment(end, repeats <= MAX_REPEATS);
    piece
}

impl<'a, S: Sink<'a>> Piece<'a, S> {
    fn add_fault(&mut self, fault: FaultyLine) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }

    fn end_segment(&mut self, end: usize, reading: bool) {
        let Some(segment) = self.segments.last_mut() else {
            return;
        };
        segment.end = end;
        if reading {
            self.sink.end_topic(self.ids[segment.topic as usize]);
            self.ended = self.segments.len();
        } else {
            self.sink.abandon_topic();
        }
    }
}

/// Voids topics that occur in several places, and reads each again from all of them.
fn join<'a, S: Sink<'a>>(
    pieces: Vec<Piece<'a, S>>,
    lines: impl Fn() -> Lines<'a, S::Line> + Sync,
    sink: impl Fn(usize) -> S + Sync,
) -> Walked<S> {
    let scattered = scattered_topics(&pieces);
    let mut walked = Walked {
        parts: Vec::new(),
        faults: Vec::new(),
        fault_count: 0,
    };
    for piece in pieces {
        walked.fault_count += piece.fault_count;
        walked.faults.extend(piece.faults);
        let ended = piece.segments[..piece.ended]
            .iter()
            .map(|segment| piece.ids[segment.topic as usize]);
        let void = ended.map(|id| scattered.places.contains_key(id)).collect();
        walked.parts.push(Part {
            sink: piece.sink,
            void,
        });
    }
    let share = scattered
        .order
        .len()
        .div_ceil(rayon::current_num_threads().max(1) * PIECES_PER_THREAD)
        .max(1);
    let again = pieces_in_parallel(&scattered.order, share, |topics| {
        read_again(topics, &scattered.places, lines(), sink(0))
    });
    walked.parts.extend(again);
    // Pieces are in the order of the file, and each keeps this many faults.
    walked.faults.truncate(MAX_FAULTS);
    walked
}

/// Topics in more than one place, in order of first appearance, with their places.
struct Scattered<'a> {
    order: Vec<&'a [u8]>,
    places: FastMap<&'a [u8], Vec<Range<usize>>>,
}

impl Scattered<'_> {
    fn none() -> Self {
        Self {
            order: Vec::new(),
            places: FastMap::default(),
        }
    }
}

/// Whether each topic is in one place and was passed to a sink. Compares hashes instead of ids; a collision only makes the answer
/// `false`.
fn is_grouped<S>(pieces: &[Piece<'_, S>]) -> bool {
    let once = |piece: &Piece<'_, S>| {
        piece.ended == piece.ids.len() && piece.segments.len() == piece.ended
    };
    if !pieces.iter().all(once) {
        return false;
    }
    let mut hashes: Vec<u64> = pieces
        .iter()
        .flat_map(|piece| &piece.hashes)
        .copied()
        .collect();
    hashes.sort_unstable();
    hashes.windows(2).all(|pair| pair[0] != pair[1])
}

fn scattered_topics<'a, S>(pieces: &[Piece<'a, S>]) -> Scattered<'a> {
    if is_grouped(pieces) {
        return Scattered::none();
    }
    let mut first: FastMap<&'a [u8], u32> = FastMap::default();
    for piece in pieces {
        let mut seen = vec![0u32; piece.ids.len()];
        for segment in &piece.segments {
            seen[segment.topic as usize] += 1;
        }
        // A topic that was only located counts as scattered, so that it is read.
        for segment in &piece.segments[piece.ended..] {
            seen[segment.topic as usize] += 2;
        }
        for (id, count) in piece.ids.iter().zip(seen) {
            *first.entry(id).or_default() += count;
        }
    }
    let mut scattered = Scattered::none();
    for piece in pieces {
        for segment in &piece.segments {
            let id = piece.ids[segment.topic as usize];
            if first.get(id).is_some_and(|count| *count > 1) {
                let places = scattered.places.entry(id).or_insert_with(|| {
                    scattered.order.push(id);
                    Vec::new()
                });
                places.push(segment.start..segment.end);
            }
        }
    }
    scattered
}

fn read_again<'a, S: Sink<'a>>(
    topics: &[&'a [u8]],
    places: &FastMap<&'a [u8], Vec<Range<usize>>>,
    mut lines: Lines<'a, S::Line>,
    mut sink: S,
) -> Part<S> {
    for &id in topics {
        for place in places.get(id).into_iter().flatten() {
            lines.seek(place.clone());
            for line in lines.by_ref().flatten() {
                // Its faults are known.
                let _ = sink.push(&line);
            }
        }
        sink.end_topic(id);
    }
    let void = vec![false; topics.len()];
    Part { sink, void }
}

/// Estimates the number of lines of a piece from its beginning.
fn estimated_lines(piece: &[u8]) -> usize {
    let sample = &piece[..piece.len().min(4096)];
    let lines = memchr::memchr_iter(b'\n', sample).count();
    piece.len() / (sample.len() / lines.max(1)).max(1)
}

/// Splits a file into pieces for all threads, at changes of topic if there is one nearby.
fn split(bytes: &[u8]) -> Vec<Range<usize>> {
    let threads = rayon::current_num_threads();
    let per_thread = match threads {
        1 => 1,
        _ => (bytes.len() / (threads * GOOD_PIECE)).clamp(1, PIECES_PER_THREAD),
    };
    let size = bytes.len().div_ceil(threads * per_thread).max(MIN_PIECE);
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let end = if bytes.len() - start <= size {
            bytes.len()
        } else {
            topic_change(bytes, start + size)
        };
        pieces.push(start..end);
        start = end;
    }
    pieces
}

/// The first start of a line after `at` whose first field differs from that of the line before.
fn topic_change(bytes: &[u8], at: usize) -> usize {
    let Some(mut line) = next_line(bytes, at) else {
        return bytes.len();
    };
    let mut topic = first_field(&bytes[line..]);
    let limit = line.saturating_add(MAX_SEARCH);
    while let Some(next) = next_line(bytes, line) {
        let next_topic = first_field(&bytes[next..]);
        if next_topic != topic || next > limit {
            return next;
        }
        (line, topic) = (next, next_topic);
    }
    bytes.len()
}

fn next_line(bytes: &[u8], at: usize) -> Option<usize> {
    memchr::memchr(b'\n', &bytes[at..])
        .map(|newline| at + newline + 1)
        .filter(|next| *next < bytes.len())
}

fn first_field(line: &[u8]) -> &[u8] {
    let line = &line[..line.len().min(256)];
    let start = line.iter().position(|byte| *byte > b' ').unwrap_or(0);
    let end = line[start..]
        .iter()
        .position(|byte| *byte <= b' ')
        .map_or(line.len(), |length| start + length);
    &line[start..end]
}

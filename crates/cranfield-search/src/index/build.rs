//! Building an index: documents are analysed and inverted in blocks, and blocks are merged into segments, both on several threads.
//!
//! The borders of blocks and segments depend on the documents alone, so the same documents give the same files on any number of
//! threads. An index appears under its name only when it is complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use cranfield_collection::Document;
use cranfield_core::small_sort::SmallSort;
use rayon::ThreadPoolBuilder;
use tantivy::index::SegmentComponent;
use tantivy::store::{Compressor, StoreWriter};

use super::checksums::{CHECKSUMS, Checksums};
use super::description::{Description, FORMAT};
use super::ids::IdsWriter;
use super::invert::{Block, Inverter};
use super::segment::{self, Blocks};
use super::stored;
use super::{BOUNDS, DESCRIPTION, IDS, LENGTHS, SEGMENTS, STORED_BLOCK};
use crate::analysis::{Analyzer, Terms, Words};
use crate::error::Error;

/// Bytes of ids and texts that are hashed at once.
const HASHED_AT_ONCE: usize = 64 << 10;

/// Where blocks and segments end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Bytes of text in a block.
    pub(crate) block_bytes: usize,
    /// Blocks in a segment.
    pub(crate) segment_blocks: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            block_bytes: 8 << 20,
            segment_blocks: 192,
        }
    }
}

/// How to build an index.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// The analyser.
    pub analyzer: Analyzer,
    /// Whether to store the text, which feedback needs.
    pub text: bool,
    /// Number of threads that analyse.
    pub threads: usize,
}

impl IndexOptions {
    /// Stored text, one thread.
    pub fn new(analyzer: Analyzer) -> Self {
        Self {
            analyzer,
            text: true,
            threads: 1,
        }
    }
}

/// Texts of consecutive documents.
#[derive(Default)]
struct Texts {
    number: usize,
    first: u32,
    bytes: usize,
    list: Vec<String>,
}

/// Builds an index in a folder, which is replaced if it is an index already.
pub fn build<E>(
    folder: &Path,
    documents: impl IntoIterator<Item = Result<Document, E>>,
    options: &IndexOptions,
) -> Result<Description, Error>
where
    Error: From<E>,
{
    build_with(folder, documents, options, Sizes::default())
}

/// The same, with blocks and segments of other sizes.
pub(crate) fn build_with<E>(
    folder: &Path,
    documents: impl IntoIterator<Item = Result<Document, E>>,
    options: &IndexOptions,
    sizes: Sizes,
) -> Result<Description, Error>
where
    Error: From<E>,
{
    let building = Building::start(folder)?;
    let mut builder = Builder::new(&building.path, options, sizes)?;
    let mut documents = documents.into_iter().peekable();
    while builder.description.segments.is_empty() || documents.peek().is_some() {
        builder.add_segment(&mut documents)?;
    }
    let description = builder.finish()?;
    building.finish(folder)?;
    Ok(description)
}

/// A folder next to the final one, removed unless finished.
struct Building {
    path: PathBuf,
    is_done: bool,
    _lock: Lock,
}

/// Keeps other programs from building the same index.
struct Lock {
    path: PathBuf,
    _file: fs::File,
}

impl Lock {
    fn take(building: &Path) -> Result<Self, Error> {
        let path = building.with_extension("lock");
        let failed =
            |error: std::io::Error| Error::index(&path, format!("cannot create the file: {error}"));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let file = fs::File::create(&path).map_err(failed)?;
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => {
                let message = "another program is building this index";
                Err(Error::index(building, message))
            }
            // Some file systems have no locks.
            _ => Ok(Self { path, _file: file }),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Building {
    fn start(folder: &Path) -> Result<Self, Error> {
        if folder.exists() && !folder.join(DESCRIPTION).is_file() {
            let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
            if !is_empty {
                let message = "exists and is not an index; choose another folder, or remove it";
                return Err(Error::index(folder, message));
            }
        }
        let mut name = folder.file_name().unwrap_or_default().to_owned();
        name.push(".building");
        let path = folder.with_file_name(name);
        let failed = |error: std::io::Error| {
            Error::index(&path, format!("cannot create the folder: {error}"))
        };
        let lock = Lock::take(&path)?;
        let mut old = path.as_os_str().to_owned();
        old.push(".old");
        for left in [&path, Path::new(&old)] {
            if left.exists() {
                // Left by a program that was killed.
                fs::remove_dir_all(left).map_err(failed)?;
            }
        }
        fs::create_dir_all(path.join(SEGMENTS)).map_err(failed)?;
        Ok(Self {
            path,
            is_done: false,
            _lock: lock,
        })
    }

    fn finish(mut self, folder: &Path) -> Result<(), Error> {
        let moved = if folder.exists() {
            let mut name = self.path.as_os_str().to_owned();
            name.push(".old");
            let old = PathBuf::from(name);
            let _ = fs::remove_dir_all(&old);
            fs::rename(folder, &old)
                .and_then(|()| fs::rename(&self.path, folder))
                .and_then(|()| fs::remove_dir_all(&old))
        } else {
            fs::rename(&self.path, folder)
        };
        moved.map_err(|error| {
            Error::index(folder, format!("cannot move the index into place: {error}"))
        })?;
        self.is_done = true;
        Ok(())
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

struct Builder<'a> {
    folder: &'a Path,
    options: &'a IndexOptions,
    sizes: Sizes,
    index: tantivy::Index,
    ids: IdsWriter,
    lengths: Vec<u32>,
    hasher: blake3::Hasher,
    /// What is not hashed yet. The hash function takes a fifth of the time for many bytes at once.
    unhashed: Vec<u8>,
    description: Description,
}

impl<'a> Builder<'a> {
    fn new(folder: &'a Path, options: &'a IndexOptions, sizes: Sizes) -> Result<Self, Error> {
        let segments = folder.join(SEGMENTS);
        let index = segment::create(&segments).map_err(|error| Error::library(folder, error))?;
        let description = Description {
            format: FORMAT,
            cranfield: env!("CARGO_PKG_VERSION").into(),
            analyzer: options.analyzer.name().into(),
            fields: Vec::new(),
            text: options.text,
            documents: 0,
            empty: 0,
            tokens: 0,
            terms: 0,
            postings: 0,
            text_bytes: 0,
            content: String::new(),
            segments: Vec::new(),
        };
        Ok(Self {
            folder,
            options,
            sizes,
            index,
            ids: IdsWriter::default(),
            lengths: Vec::new(),
            hasher: blake3::Hasher::new(),
            unhashed: Vec::new(),
            description,
        })
    }

    fn add_segment<E>(
        &mut self,
        documents: &mut impl Iterator<Item = Result<Document, E>>,
    ) -> Result<(), Error>
    where
        Error: From<E>,
    {
        let number = self.description.segments.len();
        let folder = self.folder;
        let library = |error| Error::library(folder, error);
        let first = self.ids.len();
        let store = segment::segment(&self.index, number, 0)
            .and_then(|segment| Ok(segment.open_write(SegmentComponent::Store)?))
            .and_then(|file| {
                Ok(StoreWriter::new(
                    file,
                    Compressor::Lz4,
                    STORED_BLOCK,
                    false,
                )?)
            });
        let mut store = store.map_err(library)?;
        let blocks = self.invert(documents, &mut store)?;
        store.close().map_err(|error| library(error.into()))?;
        let count = (self.ids.len() - first) as u32;
        for (_, block) in &blocks.blocks {
            self.lengths.extend_from_slice(&block.lengths);
        }
        let segment = segment::segment(&self.index, number, count).map_err(library)?;
        let lengths = &self.lengths[first..];
        let threads = self.options.threads.max(1);
        let write = || segment::write(&segment, &blocks, lengths, threads);
        // Without threads of its own, the sorting of terms uses those of the caller.
        let counts = match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(write),
            Err(_) => write(),
        };
        let counts = counts.map_err(library)?;
        self.save(&format!("{BOUNDS}-{number}"), &counts.bounds.to_bytes())?;
        self.description.segments.push(count);
        self.description.terms += counts.terms;
        self.description.postings += counts.postings;
        self.description.tokens += counts.tokens;
        Ok(())
    }

    /// Inverts the documents of one segment.
    fn invert<E>(
        &mut self,
        documents: &mut impl Iterator<Item = Result<Document, E>>,
        store: &mut StoreWriter,
    ) -> Result<Blocks, Error>
    where
        Error: From<E>,
    {
        let others = self.options.threads.max(1) - 1;
        let (send, receive) = sync_channel::<Texts>(others);
        let receive = Arc::new(Mutex::new(receive));
        let mut own = Worker::new(&self.options.analyzer);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..others)
                .map(|_| {
                    let (receive, mut worker) =
                        (Arc::clone(&receive), Worker::new(&self.options.analyzer));
                    scope.spawn(move || {
                        worker.run(&receive);
                        worker.finish()
                    })
                })
                .collect();
            // This thread reads, and inverts what the others have no time for.
            let read = self.read_blocks(documents, store, |texts| {
                if let Err(TrySendError::Full(texts) | TrySendError::Disconnected(texts)) =
                    send.try_send(texts)
                {
                    own.invert(&texts);
                }
            });
            drop(send);
            own.run(&receive);
            let join = |worker: thread::ScopedJoinHandle<'_, Inverted>| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let mut done = vec![own.finish()];
            done.extend(workers.into_iter().map(join));
            read.map(|()| gather(done))
        })
    }

    /// Reads documents until the segment is full, and hands their texts over in blocks.
    fn read_blocks<E>(
        &mut self,
        documents: &mut impl Iterator<Item = Result<Document, E>>,
        store: &mut StoreWriter,
        mut hand_over: impl FnMut(Texts),
    ) -> Result<(), Error>
    where
        Error: From<E>,
    {
        let segment_first = self.ids.len();
        let mut texts = Texts::default();
        for document in documents.by_ref() {
            let document = document?;
            let text = document.text();
            self.take(&document, &text, store)?;
            texts.bytes += text.len();
            texts.list.push(text);
            if texts.bytes >= self.sizes.block_bytes {
                let next = Texts {
                    number: texts.number + 1,
                    first: (self.ids.len() - segment_first) as u32,
                    ..Texts::default()
                };
                hand_over(std::mem::replace(&mut texts, next));
                if texts.number == self.sizes.segment_blocks {
                    return Ok(());
                }
            }
        }
        if !texts.list.is_empty() {
            hand_over(texts);
        }
        Ok(())
    }

    /// Records what does not depend on the analysis.
    fn take(
        &mut self,
        document: &Document,
        text: &str,
        store: &mut StoreWriter,
    ) -> Result<(), Error> {
        self.ids.push(&document.id);
        for part in [document.id.as_str(), text] {
            self.unhashed
                .extend_from_slice(&(part.len() as u64).to_le_bytes());
            self.unhashed.extend_from_slice(part.as_bytes());
        }
        if self.unhashed.len() >= HASHED_AT_ONCE {
            self.hash();
        }
        for (at, (name, _)) in document.fields.iter().enumerate() {
            if document.is_selected(at) && !self.description.fields.contains(name) {
                self.description.fields.push(name.clone());
            }
        }
        self.description.text_bytes += text.len() as u64;
        let bytes = if self.options.text {
            stored::to_bytes(document)
        } else {
            Vec::new()
        };
        store
            .store_bytes(&bytes)
            .map_err(|error| Error::library(self.folder, error))
    }

    fn hash(&mut self) {
        self.hasher.update(&self.unhashed);
        self.unhashed.clear();
    }

    fn finish(mut self) -> Result<Description, Error> {
        self.hash();
        self.description.documents = self.ids.len() as u64;
        self.description.empty = self.lengths.iter().filter(|length| **length == 0).count() as u64;
        self.description.content = self.hasher.finalize().to_hex().to_string();
        self.save(IDS, &self.ids.to_bytes())?;
        self.save(LENGTHS, &stored::lengths_to_bytes(&self.lengths))?;
        let text = toml::to_string(&self.description).unwrap_or_default();
        self.save(DESCRIPTION, text.as_bytes())?;
        // The library's list of files is in no fixed order, and only a writer needs it.
        let _ = fs::remove_file(self.folder.join(SEGMENTS).join(".managed.json"));
        let checksums = Checksums::of(self.folder, SEGMENTS).map_err(|error| {
            Error::index(
                self.folder,
                format!("cannot read what was written: {error}"),
            )
        })?;
        self.save(CHECKSUMS, checksums.to_text().as_bytes())?;
        Ok(self.description)
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(name);
        fs::write(&path, bytes)
            .map_err(|error| Error::index(&path, format!("cannot write: {error}")))
    }
}

/// One thread's vocabulary and blocks.
struct Worker {
    words: Words,
    inverter: Inverter,
    blocks: Vec<(usize, Block)>,
}

impl Worker {
    fn new(analyzer: &Analyzer) -> Self {
        Self {
            words: Words::new(analyzer.clone()),
            inverter: Inverter::default(),
            blocks: Vec::new(),
        }
    }

    fn invert(&mut self, texts: &Texts) {
        for text in &texts.list {
            self.inverter.add(&mut self.words, text);
        }
        let block = self.inverter.finish(&self.words, texts.first);
        self.blocks.push((texts.number, block));
    }

    fn run(&mut self, receive: &Mutex<Receiver<Texts>>) {
        loop {
            let next = receive
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            match next {
                Ok(texts) => self.invert(&texts),
                Err(_) => return,
            }
        }
    }

    /// The result, without the tables that only analysis needs: each thread frees its own.
    fn finish(self) -> Inverted {
        Inverted {
            terms: self.words.into_terms(),
            blocks: self.blocks,
        }
    }
}

/// One thread's terms, and its blocks with their numbers.
struct Inverted {
    terms: Terms,
    blocks: Vec<(usize, Block)>,
}

/// The blocks of all threads in the order of documents.
fn gather(threads: Vec<Inverted>) -> Blocks {
    let mut gathered = Blocks::default();
    let mut numbered = Vec::new();
    for (at, inverted) in threads.into_iter().enumerate() {
        let blocks = inverted.blocks.into_iter();
        numbered.extend(blocks.map(|(number, block)| (number, at, block)));
        gathered.terms.push(inverted.terms);
    }
    numbered.small_sort_by_key(|(number, ..)| *number);
    gathered.blocks = numbered
        .into_iter()
        .map(|(_, at, block)| (at, block))
        .collect();
    gathered
}

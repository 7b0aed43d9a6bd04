//! Opened indexes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use cranfield_collection::Document;
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{InvertedIndexReader, SegmentReader};

use super::bounds::Bounds;
use super::checksums::{CHECKSUMS, Checksums};
use super::description::{Description, FORMAT};
use super::ids::Ids;
use super::{BOUNDS, DESCRIPTION, IDS, LENGTHS, Pair, SEGMENTS, segment, stored};
use crate::analysis::Analyzer;
use crate::error::Error;

/// An inverted index, opened for searching.
pub struct Index {
    path: PathBuf,
    description: Description,
    analyzer: Analyzer,
    parts: Vec<Part>,
    ids: Ids,
    lengths: Arc<[u32]>,
    files: MmapDirectory,
    checksums: Checksums,
    /// The damaged file of stored texts, if one was found when they were first read.
    damaged_texts: OnceLock<Option<String>>,
}

/// A segment.
pub(crate) struct Part {
    /// The number of its first document.
    pub(crate) first: u32,
    pub(crate) documents: u32,
    reader: SegmentReader,
    terms: Arc<InvertedIndexReader>,
    bounds: Bounds,
}

/// The places of a term's postings.
#[derive(Clone, Debug)]
pub(crate) struct TermPostings {
    /// Documents with the term.
    pub documents: u64,
    /// One for each segment.
    parts: Vec<Option<TermInfo>>,
    ordinals: Vec<Option<u64>>,
}

impl TermPostings {
    /// Whether a segment has the term.
    pub(crate) fn is_in(&self, part: usize) -> bool {
        matches!(self.parts.get(part), Some(Some(_)))
    }
}

impl Index {
    /// Opens the index in a folder.
    ///
    /// # Errors
    /// If the folder is not a complete index of this version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let description = read_description(path)?;
        let analyzer = Analyzer::named(&description.analyzer)?;
        let library = |error| Error::library(path, error);
        let damaged = |name: &str| damaged(path, name);
        let files = MmapDirectory::open(path).map_err(|error| Error::library(path, error))?;
        let checksums = Checksums::open(path).ok_or_else(|| damaged(CHECKSUMS))?;
        if !checksums.contains(DESCRIPTION) {
            return Err(damaged(CHECKSUMS));
        }
        if let Some(name) = checksums.damaged(&files, false) {
            return Err(damaged(name));
        }
        let index = tantivy::Index::open_in_dir(path.join(SEGMENTS)).map_err(library)?;
        let read = |name: &str| {
            let bytes = files
                .open_read(Path::new(name))
                .ok()
                .and_then(|file| file.read_bytes().ok());
            bytes.ok_or_else(|| damaged(name))
        };
        let ids = Ids::open(read(IDS)?).ok_or_else(|| damaged(IDS))?;
        let lengths =
            stored::lengths_from_bytes(&read(LENGTHS)?).ok_or_else(|| damaged(LENGTHS))?;
        let mut parts = Vec::new();
        let mut first = 0;
        for (number, documents) in description.segments.iter().enumerate() {
            let name = format!("{BOUNDS}-{number}");
            let bounds = Bounds::from_bytes(&read(&name)?).ok_or_else(|| damaged(&name))?;
            parts.push(Part::open(&index, number, first, *documents, bounds).map_err(library)?);
            first += documents;
        }
        if ids.len() != lengths.len() || lengths.len() != first as usize {
            return Err(damaged(LENGTHS));
        }
        Ok(Self {
            path: path.into(),
            description,
            analyzer,
            parts,
            ids,
            lengths: lengths.into(),
            files,
            checksums,
            damaged_texts: OnceLock::new(),
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The analyser of documents and queries.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// Number of terms in each document.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The same, to be kept.
    pub(crate) fn shared_lengths(&self) -> Arc<[u32]> {
        Arc::clone(&self.lengths)
    }

    /// The id of a document.
    pub fn id(&self, doc: u32) -> &[u8] {
        self.ids.get(doc)
    }

    /// The size of all files in bytes.
    pub fn bytes(&self) -> u64 {
        let sizes = |folder: &Path| -> u64 {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            entries
                .filter_map(|entry| entry.metadata().ok())
                .filter(fs::Metadata::is_file)
                .map(|file| file.len())
                .sum()
        };
        sizes(&self.path) + sizes(&self.path.join(SEGMENTS))
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The postings of a term; `None` if no document has it.
    pub(crate) fn term(&self, term: &str) -> Result<Option<TermPostings>, Error> {
        let mut found = TermPostings {
            documents: 0,
            parts: Vec::new(),
            ordinals: Vec::new(),
        };
        for part in &self.parts {
            let info = part
                .terms
                .terms()
                .get(term)
                .map_err(|error| Error::library(&self.path, error))?;
            found.documents += info.as_ref().map_or(0, |info| u64::from(info.doc_freq));
            found.ordinals.push(match &info {
                Some(info) if info.doc_freq as usize >= super::bounds::MIN_DOCUMENTS => part
                    .terms
                    .terms()
                    .term_ord(term)
                    .map_err(|error| Error::library(&self.path, error))?,
                _ => None,
            });
            found.parts.push(info);
        }
        Ok((found.documents > 0).then_some(found))
    }

    /// Occurrences of a term in all documents.
    pub(crate) fn occurrences(&self, term: &TermPostings) -> Result<u64, Error> {
        let mut sum = 0;
        for at in 0..self.parts.len() {
            if let Some(mut postings) = self.postings(term, at)? {
                each_block(&mut postings, |_, frequencies| {
                    sum += frequencies
                        .iter()
                        .map(|frequency| u64::from(*frequency))
                        .sum::<u64>();
                });
            }
        }
        Ok(sum)
    }

    /// The postings of a term in one segment.
    pub(crate) fn postings(
        &self,
        term: &TermPostings,
        part: usize,
    ) -> Result<Option<BlockSegmentPostings>, Error> {
        let Some(Some(info)) = term.parts.get(part) else {
            return Ok(None);
        };
        let postings = self.parts[part]
            .terms
            .read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs);
        postings
            .map(Some)
            .map_err(|error| Error::library(&self.path, error))
    }

    /// Pairs of frequency and length that bound a term's score in one segment, if they were stored.
    pub(crate) fn bounds(&self, term: &TermPostings, part: usize) -> Option<&[Pair]> {
        self.parts[part]
            .bounds
            .of(term.ordinals.get(part).copied()??)
    }

    /// Calls `each` with every term and the number of its documents.
    pub(crate) fn each_term(&self, mut each: impl FnMut(&[u8], u64)) -> Result<(), Error> {
        let mut shared: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        for part in &self.parts {
            let mut terms = part
                .terms
                .terms()
                .stream()
                .map_err(|error| Error::library(&self.path, error))?;
            while terms.advance() {
                let documents = u64::from(terms.value().doc_freq);
                if self.parts.len() == 1 {
                    each(terms.key(), documents);
                } else {
                    *shared.entry(terms.key().to_vec()).or_default() += documents;
                }
            }
        }
        for (term, documents) in &shared {
            each(term, *documents);
        }
        Ok(())
    }

    /// Calls `each` with every posting: documents with the term, the document, and the frequency.
    pub(crate) fn each_posting(&self, mut each: impl FnMut(u64, u32, u32)) -> Result<(), Error> {
        let mut failure = None;
        self.each_term(|term, documents| {
            let mut visit = || -> Result<(), Error> {
                let Some(term) = self.term(&String::from_utf8_lossy(term))? else {
                    return Ok(());
                };
                for (at, part) in self.parts.iter().enumerate() {
                    let Some(mut postings) = self.postings(&term, at)? else {
                        continue;
                    };
                    each_block(&mut postings, |docs, frequencies| {
                        for (doc, frequency) in docs.iter().zip(frequencies) {
                            each(documents, part.first + doc, *frequency);
                        }
                    });
                }
                Ok(())
            };
            if failure.is_none() {
                failure = visit().err();
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    /// A stored document; without fields if texts are not stored.
    pub fn document(&self, doc: u32) -> Result<Document, Error> {
        let id = String::from_utf8_lossy(self.id(doc)).into_owned();
        if !self.description.text {
            return Ok(Document {
                id,
                ..Document::default()
            });
        }
        let library = |error| Error::library(&self.path, error);
        let find = || self.checksums.damaged(&self.files, true).map(str::to_owned);
        if let Some(name) = self.damaged_texts.get_or_init(find) {
            return Err(damaged(&self.path, name));
        }
        let Some(part) = self
            .parts
            .iter()
            .rfind(|part| part.first <= doc && part.documents > 0)
        else {
            return Ok(Document::default());
        };
        let store = part
            .reader
            .get_store_reader(1)
            .map_err(|error| library(error.into()))?;
        let bytes: OwnedBytes = store
            .get_document_bytes(doc - part.first)
            .map_err(library)?;
        let mut document = stored::from_bytes(&bytes);
        document.id = id;
        Ok(document)
    }
}

impl Part {
    fn open(
        index: &tantivy::Index,
        number: usize,
        first: u32,
        documents: u32,
        bounds: Bounds,
    ) -> Result<Self, tantivy::TantivyError> {
        let segment = segment::segment(index, number, documents)?;
        let reader = SegmentReader::open(&segment)?;
        let terms = reader.inverted_index(segment::field())?;
        Ok(Self {
            first,
            documents,
            reader,
            terms,
            bounds,
        })
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index")
            .field("path", &self.path)
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

/// Calls `each` with the documents and frequencies of every block of postings.
pub(crate) fn each_block(
    postings: &mut BlockSegmentPostings,
    mut each: impl FnMut(&[u32], &[u32]),
) {
    while postings.block_len() > 0 {
        each(postings.docs(), postings.freqs());
        postings.advance();
    }
}

fn damaged(path: &Path, name: &str) -> Error {
    Error::index(
        path,
        format!("the file `{name}` of the index is damaged; build the index again"),
    )
}

fn read_description(path: &Path) -> Result<Description, Error> {
    let file = path.join(DESCRIPTION);
    let Ok(text) = fs::read_to_string(&file) else {
        let message = if path.is_dir() {
            "not an index: it has no index.toml; build one with `cranfield index`"
        } else {
            "no such index"
        };
        return Err(Error::index(path, message));
    };
    let description: Description = toml::from_str(&text).map_err(|error| {
        Error::index(
            &file,
            format!("not the description of an index: {}", error.message()),
        )
    })?;
    if description.format != FORMAT {
        let message = format!(
            "the index has format {}, but this version reads format {FORMAT}; build it again",
            description.format
        );
        return Err(Error::index(path, message));
    }
    Ok(description)
}

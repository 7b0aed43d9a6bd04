//! Documents, read one after the other from files, folders and archives, or from memory.

mod delimited;
pub(crate) mod files;
mod format;
mod html;
pub(crate) mod jsonl;
mod objects;
mod plain;
mod report;
mod sgml;
pub(crate) mod smart;
mod window;

pub(crate) use delimited::split_quoted;
pub use format::DocumentFormat;
pub use report::{ReadReport, Tally};

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_io::{Code, Counter, Error, Members, Problem};
use encoding_rs::Encoding;

use crate::collection::unexpected_count;
use crate::document::{Document, DocumentPlace, TextFields};
use files::Files;
use objects::Objects;
use window::Window;

/// Options of readers of documents.
#[derive(Clone, Debug, Default)]
pub struct DocumentOptions {
    /// The format; detected for each file if `None`.
    pub format: Option<DocumentFormat>,
    /// The fields that are indexed.
    pub text: TextFields,
    /// The field or column with the id, in JSON and tables.
    pub id: Option<String>,
    /// The encoding of text that is not UTF-8; as declared, or windows-1252, if `None`.
    pub encoding: Option<&'static Encoding>,
}

/// Progress of a reader: bytes read so far and in total, before decompression.
pub type OnProgress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// Documents between two reports of progress.
const PROGRESS_STEP: u64 = 1024;

/// A reader of documents, an iterator.
///
/// Documents without an id, and all but the first with the same id, are left out and counted in the [`ReadReport`].
///
/// ```
/// use cranfield_collection::{DocumentOptions, Documents};
///
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("docs.trec");
/// std::fs::write(&file, "<DOC><DOCNO>1</DOCNO><TEXT>AT&amp;T</TEXT></DOC>\n<DOC>\n<DOCNO> 2 </DOCNO>\nno tag\n</DOC>\n").unwrap();
/// let mut documents = Documents::open(&[file], DocumentOptions::default())?;
/// let texts: Vec<String> = documents.by_ref().map(|document| document.map(|one| one.text())).collect::<Result<_, _>>()?;
/// assert_eq!(texts, ["AT&T", "no tag"]);
/// assert_eq!(documents.report().documents, 2);
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub struct Documents {
    options: DocumentOptions,
    files: std::vec::IntoIter<PathBuf>,
    has_folder: bool,
    members: Option<Members>,
    current: Option<Current>,
    objects: Option<Objects>,
    seen: SeenIds,
    report: ReadReport,
    counter: Counter,
    total: u64,
    on_progress: Option<OnProgress>,
    has_failed: bool,
    expected: Option<(u64, String)>,
}

/// The file that is being read.
struct Current {
    window: Window,
    reader: Box<dyn RecordReader>,
}

/// A reader of one format.
trait RecordReader: Send {
    /// The next record, or `None` at the end of the window's stream.
    fn next(&mut self, window: &mut Window) -> Result<Option<Record>, Error>;
}

/// A record of a file.
enum Record {
    /// A document, whose id may be empty, and the number of characters that were replaced.
    Document { document: Document, replaced: u64 },
    /// Something that cannot be parsed.
    Malformed(DocumentPlace),
}

impl Documents {
    /// Opens files, folders and patterns.
    pub fn open<P: AsRef<Path>>(paths: &[P], options: DocumentOptions) -> Result<Self, Error> {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().to_owned()).collect();
        Ok(Self::of_files(Files::find(&paths)?, options))
    }

    fn of_files(files: Files, options: DocumentOptions) -> Self {
        let mut report = ReadReport::default();
        for path in &files.skipped {
            report
                .skipped_files
                .add(&whole(path.to_string_lossy().into()), "");
        }
        let sizes = files.paths.iter().filter_map(|path| path.metadata().ok());
        Self {
            options,
            total: sizes.map(|metadata| metadata.len()).sum(),
            has_folder: files.has_folder,
            files: files.paths.into_iter(),
            members: None,
            current: None,
            objects: None,
            seen: SeenIds::default(),
            report,
            counter: Counter::default(),
            on_progress: None,
            has_failed: false,
            expected: None,
        }
    }

    /// Ends with an error if the number of documents is not `count`.
    #[must_use]
    pub(crate) fn expecting(mut self, count: Option<u64>, label: String) -> Self {
        self.expected = count.map(|count| (count, label));
        self
    }

    /// Calls a function after every few documents, and at the end.
    #[must_use]
    pub fn with_progress(mut self, on_progress: OnProgress) -> Self {
        self.on_progress = Some(on_progress);
        self
    }

    /// The counts so far.
    pub fn report(&self) -> &ReadReport {
        &self.report
    }

    /// Bytes of the files, before decompression; 0 of documents in memory.
    pub fn input_bytes(&self) -> u64 {
        self.total
    }

    /// Bytes read so far and in total, before decompression; numbers of documents if they are in memory.
    pub fn progress(&self) -> (u64, u64) {
        match &self.objects {
            Some(objects) => objects.progress(),
            None => (self.counter.get().min(self.total), self.total),
        }
    }

    fn advance(&mut self) -> Result<Option<Document>, Error> {
        loop {
            match self.next_record()? {
                None => {
                    self.show_progress();
                    return self.check_count().map(|()| None);
                }
                Some(Record::Malformed(place)) => self.report.malformed.add(&place, ""),
                Some(Record::Document { document, replaced }) => {
                    if self.accept(&document, replaced) {
                        return Ok(Some(document));
                    }
                }
            }
        }
    }

    /// The next record of any file; `None` after the last.
    fn next_record(&mut self) -> Result<Option<Record>, Error> {
        if let Some(objects) = &mut self.objects {
            return objects.next(&self.options);
        }
        loop {
            if let Some(current) = &mut self.current {
                if let Some(record) = current.reader.next(&mut current.window)? {
                    return Ok(Some(record));
                }
                self.current = None;
            }
            if !self.open_next()? {
                return Ok(None);
            }
        }
    }

    /// Counts a document; false if it is left out.
    fn accept(&mut self, document: &Document, replaced: u64) -> bool {
        let (id, place) = (document.id.as_str(), &document.place);
        if id.is_empty() {
            self.report.without_id.add(place, "");
            return false;
        }
        if !self.seen.insert(id) {
            self.report.duplicate.add(place, id);
            return false;
        }
        if id.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            self.report.spaced_id.add(place, id);
        }
        if replaced > 0 {
            self.report.replaced.add_many(replaced, place, id);
        }
        let report = &mut self.report;
        report.documents += 1;
        report.text_bytes += document.parts().map(|part| part.len() as u64).sum::<u64>();
        if document.is_empty() {
            report.empty.add(place, id);
        }
        if document.parts().any(is_mojibake) {
            report.mojibake.add(place, id);
        }
        if report.documents.is_multiple_of(PROGRESS_STEP) {
            self.show_progress();
        }
        true
    }

    fn check_count(&self) -> Result<(), Error> {
        match &self.expected {
            Some((count, label)) if *count != self.report.documents => {
                Err(unexpected_count(label, "documents", *count, self.report.documents).into())
            }
            _ => Ok(()),
        }
    }

    fn show_progress(&self) {
        if let Some(on_progress) = &self.on_progress {
            let (done, total) = self.progress();
            on_progress(done, total);
        }
    }

    /// Opens the next file or member; false if there is none.
    fn open_next(&mut self) -> Result<bool, Error> {
        loop {
            if let Some(members) = &mut self.members {
                if let Some(member) = members.next()? {
                    if member.name.as_deref().is_some_and(files::is_skipped_member) {
                        let file = member.stream.name().into();
                        self.report.skipped_files.add(&whole(file), "");
                        continue;
                    }
                    let mut window = Window::new(member.stream)?;
                    window.declared = self.options.encoding.or(window.declared);
                    let is_member = self.has_folder || member.name.is_some();
                    let format = self.format_of(&window, is_member)?;
                    if format == DocumentFormat::Files && is_binary(&window) {
                        let file = window.place().file.clone();
                        self.report.skipped_files.add(&whole(file), "");
                        continue;
                    }
                    let reader = self.reader_of(format);
                    self.report.files += 1;
                    self.current = Some(Current { window, reader });
                    return Ok(true);
                }
                self.members = None;
            }
            let Some(path) = self.files.next() else {
                return Ok(false);
            };
            self.members = Some(Members::open(&path, &self.counter)?);
        }
    }

    /// The format of a file. In folders and archives, files of no other format are documents themselves.
    fn format_of(&self, window: &Window, is_member: bool) -> Result<DocumentFormat, Error> {
        let name = &window.place().file;
        let detected = DocumentFormat::detect(window.bytes(), name);
        match (self.options.format.or(detected), is_member) {
            (Some(format), _) => Ok(format),
            (None, true) => Ok(DocumentFormat::Files),
            (None, false) => Err(unknown_format(name)),
        }
    }

    fn reader_of(&self, format: DocumentFormat) -> Box<dyn RecordReader> {
        let (text, id) = (self.options.text.clone(), self.options.id.clone());
        let table = |separator, has_header, has_quotes| delimited::Table {
            text: text.clone(),
            id: id.clone(),
            separator,
            has_quotes,
            has_header,
            columns: None,
        };
        match format {
            DocumentFormat::Trec => Box::new(sgml::Sgml { text }),
            DocumentFormat::Smart => Box::new(smart::Smart { text }),
            DocumentFormat::Jsonl => Box::new(jsonl::JsonLines { text, id }),
            DocumentFormat::Files => Box::new(plain::Plain {
                text,
                is_done: false,
            }),
            DocumentFormat::MsMarco => Box::new(table(b'\t', false, false)),
            DocumentFormat::Tsv => Box::new(table(b'\t', true, false)),
            DocumentFormat::Csv => Box::new(table(b',', true, true)),
        }
    }
}

/// Whether a file is not text. Text in UTF-16 was decoded before.
fn is_binary(window: &Window) -> bool {
    memchr::memchr(0, window.bytes()).is_some()
}

/// The place of a whole file.
fn whole(file: Arc<str>) -> DocumentPlace {
    DocumentPlace {
        file,
        line: 0,
        offset: 0,
    }
}

fn unknown_format(name: &str) -> Error {
    let message = "unknown format of documents: expected TREC, SMART, JSON lines or a table";
    let help = "set the format, or name the folder if each of its files is a document";
    Problem::file(Code::UnknownFormat, name, message)
        .with_help(help)
        .into()
}

impl Iterator for Documents {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let next = self.advance();
        self.has_failed = next.is_err();
        next.transpose()
    }
}

/// The places of the fields that are indexed; `None` for the usual names.
fn selected(text: &TextFields, fields: &[(String, String)]) -> Option<Vec<usize>> {
    let is_selected = |name: &str| match text {
        TextFields::Named(names) => names.iter().any(|known| known.eq_ignore_ascii_case(name)),
        text => text.contains(name),
    };
    if *text == TextFields::Usual {
        return None;
    }
    let places = fields
        .iter()
        .enumerate()
        .filter(|(_, (name, _))| is_selected(name));
    Some(places.map(|(at, _)| at).collect())
}

/// Whether text looks like UTF-8 that was read as windows-1252: `Ã©` for `é`, `â€™` for an apostrophe.
fn is_mojibake(text: &str) -> bool {
    /// `Ã` and `â€` in UTF-8.
    const A_TILDE: &[u8] = b"\xc3\x83\xc2";
    const QUOTE: &[u8] = b"\xc3\xa2\xe2\x82\xac";
    let bytes = text.as_bytes();
    !bytes.is_ascii()
        && (memchr::memmem::find(bytes, A_TILDE).is_some()
            || memchr::memmem::find(bytes, QUOTE).is_some())
}

/// The ids seen so far, as hashes of 64 bits: the ids themselves would take more memory than anything else. Two of a hundred
/// million ids have the same hash with a probability of 0.0003.
#[derive(Default)]
struct SeenIds(HashSet<u64, BuildHasherDefault<Hashed>>);

impl SeenIds {
    /// Adds an id; false if it was there.
    fn insert(&mut self, id: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        self.0.insert(hasher.finish())
    }
}

/// The hasher of numbers that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Only numbers of 64 bits are hashed.
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

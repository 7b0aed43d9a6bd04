//! Readers and writers of runs and relevance judgements.
//!
//! A [`Source`] is an opened input: a mapped file, standard input or bytes in memory, decompressed by content. [`read_run`] and
//! [`read_qrels`] parse it in the given format, or in the detected one ([`detect_run`], [`detect_qrels`]). [`write_run`] and
//! [`write_qrels`] write to any writer, such as an [`Output`], which is a file that appears only when complete.
//!
//! Readers are lenient where strictness only hurts (tabs, CR LF, byte order marks, comments, a missing last newline), and strict
//! where silence could change a number (a duplicate document, NaN, a wrong number of columns). They report all problems of a file,
//! up to [`LIMIT`], each with a stable [`Code`] and its line, rendered like a compiler diagnostic.
//!
//! ```
//! use cranfield_io::{Source, read_run};
//!
//! let source = Source::from_bytes("bm25.csv", b"qid,docno,score\n1,d1,12.5\n1,d1,11\n".to_vec())?;
//! let error = read_run(&source, None).unwrap_err();
//! assert_eq!(error.to_string(), "bm25.csv:3:3: document `d1` is in topic `1` twice; first on line 2 [IR030]");
//! # Ok::<(), cranfield_io::Error>(())
//! ```

mod atomic;
mod code;
mod columns;
mod compression;
mod delimited;
mod detect;
pub mod doctor;
mod error;
mod escape;
mod format;
mod json;
mod kind;
mod limits;
mod mapped;
mod number;
mod outputs;
mod parquet;
mod paths;
mod problem;
mod repeated;
mod rows;
mod scenarios;
mod signals;
mod smart;
mod source;
mod stream;
pub mod trec;
mod write;

pub use atomic::Output;
pub use bytes::Bytes;
pub use code::{Code, Severity, UnknownCode};
pub use columns::Header;
pub use compression::gzip;
pub use detect::{detect_qrels, detect_run};
pub use error::{Error, ErrorKind, LIMIT, Problems};
pub use escape::quoted;
pub use format::{QrelsFormat, RunFormat, UnknownFormat, stem};
pub use limits::{Limits, MAX_EXPANDED_VARIABLE};
pub use outputs::check_outputs;
pub use parquet::{VectorTable, read_parquet_vectors};
pub use paths::expand_paths;
pub use problem::{Colour, Place, Problem};
pub use scenarios::read_scenarios;
pub use signals::{TerminalGuard, handle_signals, release_termination};
pub use source::Source;
pub use stream::{Counter, Member, Members, Stream, open_stream};
pub use write::{
    cannot_write, check_tag, prepare_text, save_qrels, save_run, save_text, write_qrels, write_run,
};

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;

/// Reads a run; without a format, detects it from the content.
///
/// ```
/// use cranfield_io::{Source, read_run};
///
/// let source = Source::from_bytes("bm25.json", b"{\"q1\": {\"d1\": 2.5, \"d2\": 1}}".to_vec())?;
/// assert_eq!(read_run(&source, None)?.get(b"q1").map(|topic| topic.entries().len()), Some(2));
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_run(source: &Source, format: Option<RunFormat>) -> Result<Run, Error> {
    match format.map_or_else(|| detect_run(source), Ok)? {
        RunFormat::Trec => trec::read_run(source),
        RunFormat::Json => rows::read_run(source, json::scan),
        RunFormat::Jsonl => rows::read_run(source, json::scan_lines),
        RunFormat::Csv => rows::read_run(source, delimited::scan_csv),
        RunFormat::Tsv => rows::read_run(source, delimited::scan_tsv),
        RunFormat::MsMarco => rows::read_run(source, delimited::scan_ranks),
        RunFormat::Parquet => rows::read_run(source, parquet::scan),
    }
}

/// Reads judgements; without a format, detects it from the content.
///
/// Judgements repeated with the same grade are listed in [`Qrels::duplicates`]; conflicting ones are an error.
///
/// ```
/// use cranfield_io::{Source, read_qrels};
///
/// let source = Source::from_bytes("qrels.tsv", b"query-id\tcorpus-id\tscore\nq1\td1\t2\n".to_vec())?;
/// assert_eq!(read_qrels(&source, None)?.get(b"q1").and_then(|topic| topic.grade(b"d1")), Some(2.0));
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_qrels(source: &Source, format: Option<QrelsFormat>) -> Result<Qrels, Error> {
    match format.map_or_else(|| detect_qrels(source), Ok)? {
        QrelsFormat::Trec | QrelsFormat::MsMarco => trec::read_qrels(source),
        QrelsFormat::Smart => rows::read_qrels(source, smart::scan),
        QrelsFormat::Json => rows::read_qrels(source, json::scan),
        QrelsFormat::Jsonl => rows::read_qrels(source, json::scan_lines),
        QrelsFormat::Csv => rows::read_qrels(source, delimited::scan_csv),
        QrelsFormat::Tsv | QrelsFormat::Beir => rows::read_qrels(source, delimited::scan_tsv),
        QrelsFormat::Parquet => rows::read_qrels(source, parquet::scan),
        format @ (QrelsFormat::Groups
        | QrelsFormat::Prefs
        | QrelsFormat::QrelsPrefs
        | QrelsFormat::Strata
        | QrelsFormat::Prels) => Err(format::not_grades(source, format)),
    }
}

//! The formats of runs and judgements.

use std::fmt;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::problem::Problem;
use crate::source::Source;

/// The header of BEIR's qrels.
pub(crate) const BEIR_COLUMNS: [&str; 3] = ["query-id", "corpus-id", "score"];

/// The error for an unknown name of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    message: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnknownFormat {}

fn unknown_format<F: Copy + Into<&'static str>>(name: &str, known: &[F]) -> UnknownFormat {
    let known: Vec<&str> = known.iter().map(|format| (*format).into()).collect();
    let message = format!(
        "unknown format `{name}`, expected one of {}",
        known.join(", ")
    );
    UnknownFormat { message }
}

fn unknown_run_format(name: &str) -> UnknownFormat {
    unknown_format(name, RunFormat::VARIANTS)
}

fn unknown_qrels_format(name: &str) -> UnknownFormat {
    unknown_format(name, QrelsFormat::VARIANTS)
}

/// A format of runs.
///
/// ```
/// use cranfield_io::RunFormat;
///
/// assert_eq!("jsonl".parse(), Ok(RunFormat::Jsonl));
/// assert_eq!(RunFormat::of_name("bm25.csv.gz"), Some(RunFormat::Csv));
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownFormat, parse_err_fn = unknown_run_format)]
#[non_exhaustive]
pub enum RunFormat {
    /// `topic Q0 document rank score tag`, separated by spaces or tabs.
    Trec,
    /// One object: topic to document to score. Also a list of records as in JSON Lines.
    Json,
    /// One object per line with `topic`, `doc`, `score`.
    Jsonl,
    /// A header, then comma-separated fields.
    Csv,
    /// A header, then tab-separated fields.
    Tsv,
    /// `topic document rank`, separated by tabs, without header; the score is the negated rank.
    MsMarco,
    /// A Parquet table.
    Parquet,
}

impl RunFormat {
    /// All formats.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name of the format in options and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the format that the extension of an output's name selects, ignoring an extension of compression.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match plain_extension(name)?.as_str() {
            "run" | "trec" | "txt" | "res" => Self::Trec,
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::Jsonl,
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "msmarco" => Self::MsMarco,
            "parquet" | "pq" => Self::Parquet,
            _ => return None,
        })
    }
}

/// A format of judgements.
///
/// ```
/// use cranfield_io::QrelsFormat;
///
/// assert_eq!("beir".parse(), Ok(QrelsFormat::Beir));
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownFormat, parse_err_fn = unknown_qrels_format)]
#[non_exhaustive]
pub enum QrelsFormat {
    /// `topic iteration document grade`, separated by spaces or tabs.
    Trec,
    /// One object: topic to document to grade. Also a list of records as in JSON Lines.
    Json,
    /// One object per line with `topic`, `doc`, `rel`.
    Jsonl,
    /// A header, then comma-separated fields.
    Csv,
    /// A header, then tab-separated fields.
    Tsv,
    /// The header `query-id corpus-id score`, then tab-separated fields.
    Beir,
    /// `topic 0 document grade`, separated by tabs.
    MsMarco,
    /// Judgements of the SMART system: `topic document 0 0.000000`, where every document listed is relevant.
    Smart,
    /// A Parquet table.
    Parquet,
    /// Judgement groups: `topic group document grade`.
    #[strum(serialize = "qrels_jg")]
    Groups,
    /// Preferences: `topic group level document preference`.
    Prefs,
    /// TREC qrels read as preferences: a higher grade is preferred.
    #[strum(serialize = "qrels_prefs")]
    QrelsPrefs,
    /// A pool sampled by strata: `topic iteration document stratum grade`.
    Strata,
    /// Documents drawn with unequal probabilities: `topic document grade method probability`.
    Prels,
}

impl QrelsFormat {
    /// All formats.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name of the format in options and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether judgements can be written in this format, which needs to represent grades.
    pub fn has_grades(self) -> bool {
        let without = [
            Self::Smart,
            Self::Groups,
            Self::Prefs,
            Self::QrelsPrefs,
            Self::Strata,
            Self::Prels,
        ];
        !without.contains(&self)
    }

    /// Returns the format that the extension of an output's name selects, ignoring an extension of compression.
    pub fn of_name(name: &str) -> Option<Self> {
        match plain_extension(name)?.as_str() {
            "qrels" | "qrel" | "txt" => Some(Self::Trec),
            "ndjson" => Some(Self::Jsonl),
            "pq" => Some(Self::Parquet),
            extension => extension.parse().ok(),
        }
    }
}

/// Returns the extension of a name before that of compression, in lower case.
pub(crate) fn plain_extension(name: &str) -> Option<String> {
    let (_, extension) = without_compression(name).rsplit_once('.')?;
    Some(extension.to_ascii_lowercase())
}

fn without_compression(name: &str) -> &str {
    match (
        crate::compression::Compression::of_name(name),
        name.rsplit_once('.'),
    ) {
        (Some(_), Some((name, _))) => name,
        _ => name,
    }
}

/// Returns the name of a file without its folder and extensions: `bm25` for `runs/bm25.json.gz`.
pub fn stem(name: &str) -> &str {
    let name = name.rsplit(std::path::is_separator).next().unwrap_or(name);
    let name = without_compression(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The error for a format without grades.
pub(crate) fn not_grades(source: &Source, format: QrelsFormat) -> Error {
    let message = format!(
        "expected a format with grades, found {}",
        quoted(format.name().as_bytes())
    );
    Problem::file(Code::UnknownFormat, source.name(), message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for format in RunFormat::ALL {
            assert_eq!(format.name().parse(), Ok(*format));
        }
        for format in QrelsFormat::ALL {
            assert_eq!(format.name().parse(), Ok(*format));
        }
        assert_eq!(
            QrelsFormat::of_name("a.qrels_jg"),
            Some(QrelsFormat::Groups)
        );
        assert_eq!(QrelsFormat::of_name("a.trec.xz"), Some(QrelsFormat::Trec));
        assert_eq!(RunFormat::of_name("a.beir"), None);
        let names = ["runs/bm25.json.gz", "a.b.run", ".run", "-", "x.y/z"];
        assert_eq!(names.map(stem), ["bm25", "a.b", ".run", "-", "z"]);
        let error = "xml".parse::<RunFormat>().unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown format `xml`, expected one of trec, json, jsonl, csv, tsv, msmarco, parquet"
        );
    }
}

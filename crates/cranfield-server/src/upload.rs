//! Files that people send: streamed to the disk, never kept whole in memory, and named by their hash.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::Multipart;
use axum::extract::multipart::Field;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use crate::extract::{Fields, Upload};
use crate::health;
use crate::problem::Problem;
use crate::secret;
use crate::server::Server;

/// The most bytes of a file as it is sent.
pub(crate) const MOST_BYTES: u64 = 64 << 20;
/// The most bytes of a text field.
const MOST_TEXT: usize = 64 << 10;
/// How long a sender may be silent, and a form may take.
pub(crate) const SILENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 30 });
/// How long a file may take, and how many bytes per second it has on average after [`SILENCE`].
const LONGEST: Duration = Duration::from_mins(10);
const SLOWEST: u64 = 8 << 10;

/// A file that is on disk.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) hash: String,
    pub(crate) bytes: i64,
    /// As the sender names it; it is shown, and never a path.
    pub(crate) name: String,
}

/// What a form with a file has.
#[derive(Default)]
pub(crate) struct Sent {
    pub(crate) file: Option<Stored>,
    pub(crate) files: Vec<(String, Stored)>,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) description: String,
}

impl Sent {
    /// The file of a field.
    pub(crate) fn file_of(&self, field: &str) -> Option<&Stored> {
        self.files
            .iter()
            .find(|(name, _)| name == field)
            .map(|(_, file)| file)
    }

    /// The text of a field.
    pub(crate) fn text_of(&self, field: &str) -> Option<&str> {
        let sent = self.fields.iter().find(|(name, _)| name == field);
        sent.map(|(_, text)| text.as_str())
    }

    /// Whether no person had a part in a run: the field `runs`, which is automatic if it is not sent.
    pub(crate) fn is_automatic(&self) -> Result<bool, Problem> {
        match self.text_of("runs").unwrap_or("automatic") {
            "automatic" => Ok(true),
            "manual" => Ok(false),
            _ => Err(Problem::field("runs", "A run is automatic or manual.")),
        }
    }
}

/// A file that is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Loose(pub(crate) PathBuf);

impl Drop for Loose {
    fn drop(&mut self) {
        // What is left over is removed at the next start too.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Receives a form with files.
pub(crate) async fn receive<F: Fields>(
    server: &Server,
    upload: Upload<F>,
) -> Result<Sent, Problem> {
    let (mut sent, loose) = receive_loose(server, upload).await?;
    for ((_, file), loose) in sent.files.iter().zip(&loose) {
        keep(server, &loose.0, &file.hash).await?;
    }
    sent.file = sent.files.first().map(|(_, file)| file.clone());
    Ok(sent)
}

/// Receives a form with files, which are not kept.
pub(crate) async fn receive_loose<F: Fields>(
    server: &Server,
    upload: Upload<F>,
) -> Result<(Sent, Vec<Loose>), Problem> {
    health::check_space(server)?;
    let mut loose = Vec::new();
    let (mut body, texts) = (upload.body, F::texts());
    let mut sent = Sent::default();
    while let Some(field) = next(&mut body).await? {
        let name = field.name().unwrap_or_default().to_owned();
        match field.file_name() {
            Some("") => {}
            Some(_) if !F::FILES.iter().any(|(known, _)| *known == name) => {
                return Err(unknown("file", &name));
            }
            Some(file) => {
                let file = file.chars().filter(|c| !c.is_control()).take(200).collect();
                let (stored, file) = store(server, field, file).await?;
                sent.files.push((name, stored));
                loose.push(file);
            }
            None if texts["properties"].get(&name).is_none() => {
                return Err(unknown("field", &name));
            }
            None => {
                let text = text(field).await?;
                if name == "description" {
                    sent.description = text.chars().filter(|c| !c.is_control()).take(500).collect();
                }
                sent.fields.push((name, text));
            }
        }
        if sent.files.len() + sent.fields.len() > 100 {
            return Err(Problem::too_large("The form has more than 100 fields."));
        }
    }
    Ok((sent, loose))
}

fn unknown(what: &str, name: &str) -> Problem {
    Problem::invalid(format!("The form has no {what} `{name}`."))
}

/// Receives a form of small files, which are kept in memory.
pub(crate) async fn in_memory<F: Fields>(
    upload: Upload<F>,
    most: usize,
) -> Result<Vec<(String, Vec<u8>)>, Problem> {
    let mut body = upload.body;
    let (mut fields, mut left) = (Vec::new(), most);
    while let Some(mut field) = next(&mut body).await? {
        let name = field.name().unwrap_or_default().to_owned();
        if !F::FILES.iter().any(|(known, _)| *known == name) {
            return Err(unknown("file", &name));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = chunk(&mut field).await? {
            let too_large = || Problem::too_large(format!("The form has more than {most} bytes."));
            left = left.checked_sub(chunk.len()).ok_or_else(too_large)?;
            bytes.extend_from_slice(&chunk);
        }
        fields.push((name, bytes));
        if fields.len() > 100 {
            return Err(Problem::too_large("The form has more than 100 fields."));
        }
    }
    Ok(fields)
}

async fn next(body: &mut Multipart) -> Result<Option<Field<'_>>, Problem> {
    let waited = tokio::time::timeout(SILENCE, body.next_field()).await;
    waited
        .map_err(|_| silent())?
        .map_err(|error| Problem::bad_request(error.body_text()))
}

pub(crate) fn silent() -> Problem {
    Problem::too_slow(format!(
        "The request stopped for {} seconds.",
        SILENCE.as_secs()
    ))
}

async fn chunk(field: &mut Field<'_>) -> Result<Option<bytes::Bytes>, Problem> {
    let waited = tokio::time::timeout(SILENCE, field.chunk()).await;
    waited
        .map_err(|_| silent())?
        .map_err(|error| Problem::bad_request(error.body_text()))
}

async fn text(mut field: Field<'_>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = chunk(&mut field).await? {
        if bytes.len() + chunk.len() > MOST_TEXT {
            return Err(Problem::too_large("A field has at most 64 KiB."));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Problem::bad_request("A field is not UTF-8."))
}

/// Writes a file to the disk.
async fn store(
    server: &Server,
    mut field: Field<'_>,
    name: String,
) -> Result<(Stored, Loose), Problem> {
    let loose = Loose(server.data.join("incoming").join(secret::token("")?));
    let (hash, bytes) = write(&mut field, &loose.0).await?;
    server.metrics.uploads.fetch_add(1, Ordering::Relaxed);
    let counted = &server.metrics.upload_bytes;
    counted.fetch_add(bytes, Ordering::Relaxed);
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    Ok((Stored { hash, bytes, name }, loose))
}

async fn write(field: &mut Field<'_>, path: &Path) -> Result<(String, u64), Problem> {
    let mut file = File::create_new(path).await?;
    let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0_u64);
    let started = Instant::now();
    while let Some(chunk) = chunk(field).await? {
        if bytes == 0 {
            check_kind(&chunk)?;
        }
        bytes += chunk.len() as u64;
        if bytes > MOST_BYTES {
            return Err(Problem::too_large(
                "A file has at most 64 MiB. Compress it with gzip or zstd.",
            ));
        }
        let took = started.elapsed();
        if took > LONGEST || (took > SILENCE && bytes < SLOWEST * took.as_secs()) {
            return Err(Problem::too_slow(
                "The file arrives too slowly. Compress it, or send it over a faster connection.",
            ));
        }
        hasher.update(&chunk);
        file.write_all(&chunk).await?;
    }
    file.sync_all().await?;
    Ok((hasher.finalize().to_hex().to_string(), bytes))
}

/// Archives, programs and documents are told apart from runs by their first bytes.
fn check_kind(first: &[u8]) -> Result<(), Problem> {
    const KINDS: [(&[u8], &str); 5] = [
        (b"PK\x03\x04", "a zip archive"),
        (b"\x7fELF", "a program"),
        (b"MZ\x90\0", "a program"),
        (b"%PDF", "a PDF document"),
        (b"\x89PNG", "a picture"),
    ];
    match KINDS.iter().find(|(magic, _)| first.starts_with(magic)) {
        Some((_, kind)) => Err(Problem::unsupported(format!(
            "The file is {kind}. Send a run as text, alone or compressed with gzip, zstd, bzip2, xz or lz4."
        ))),
        None => Ok(()),
    }
}

/// Moves a file that is on disk to where its hash says.
pub(crate) async fn keep(server: &Server, from: &Path, hash: &str) -> Result<(), Problem> {
    let (from, to) = (from.to_owned(), server.blob_path(hash));
    let moved = tokio::task::spawn_blocking(move || place(&from, &to)).await;
    Ok(moved.map_err(|error| Problem::internal(&error))??)
}

/// Keeps bytes that the server itself has.
pub(crate) fn keep_here(data: &Path, bytes: &[u8], name: &str) -> Result<Stored, Problem> {
    let hash = blake3::hash(bytes).to_hex().to_string();
    // An entry may have the same file, which must be whole at any moment.
    let loose = Loose(data.join("incoming").join(secret::token("")?));
    let mut file = std::fs::File::create_new(&loose.0)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    place(&loose.0, &crate::server::blob_path(data, &hash))?;
    Ok(Stored {
        hash,
        bytes: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
        name: name.into(),
    })
}

/// Moves a file so that it is there even if the power fails.
fn place(from: &Path, to: &Path) -> std::io::Result<()> {
    let sync = |folder: &Path| std::fs::File::open(folder)?.sync_all();
    let Some(folder) = to.parent() else {
        return Ok(());
    };
    if !folder.is_dir() {
        std::fs::create_dir_all(folder)?;
        folder.parent().map_or(Ok(()), sync)?;
    }
    std::fs::rename(from, to)?;
    sync(folder)
}

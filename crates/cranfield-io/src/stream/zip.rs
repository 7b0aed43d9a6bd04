//! Members of zip archives, by the list at the end of the archive.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use zip::{CompressionMethod, ZipArchive};

use super::{Bytes, Counter, counted};

/// The first bytes of an archive.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// A stored or deflated member: its name, and where its bytes are.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    start: u64,
    packed: u64,
    is_deflated: bool,
}

/// Lists the files of an archive.
pub(super) fn entries(path: &Path) -> io::Result<Vec<Entry>> {
    let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
    let mut entries = Vec::new();
    for at in 0..archive.len() {
        let file = archive.by_index_raw(at)?;
        if file.is_dir() {
            continue;
        }
        let name = file.name()?.into_owned();
        let is_deflated = match file.compression() {
            CompressionMethod::Stored => false,
            CompressionMethod::DEFLATE => true,
            method => {
                let message = format!("`{name}` is compressed with {method}, expected deflate");
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        if file.encrypted() {
            let message = format!("`{name}` is encrypted");
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        let start = file
            .data_start()
            .ok_or_else(|| io::Error::other("no data"))?;
        entries.push(Entry {
            name,
            start,
            packed: file.compressed_size(),
            is_deflated,
        });
    }
    Ok(entries)
}

/// Opens a member.
pub(super) fn open(path: &Path, entry: &Entry, counter: &Counter) -> io::Result<Bytes> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(entry.start))?;
    let packed = counted(file.take(entry.packed), counter);
    Ok(if entry.is_deflated {
        Box::new(BufReader::new(flate2::bufread::DeflateDecoder::new(packed)))
    } else {
        packed
    })
}

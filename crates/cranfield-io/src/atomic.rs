//! Outputs that appear only when complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::compression::{Compression, Encoder};
use crate::error::Error;
use crate::write::cannot_write;

/// An output file, or standard output for `-`.
///
/// A file is written under a temporary name in the same folder and renamed by [`finish`](Self::finish). Until then, and if
/// anything fails, an existing file of that name stays unchanged. The extension selects the compression (`.gz`, `.zst`, `.bz2`,
/// `.xz`, `.lz4`).
///
/// ```no_run
/// use std::io::Write;
///
/// let mut out = cranfield_io::Output::create("scores.csv.gz")?;
/// writeln!(out, "run,value").expect("the disk is not full");
/// out.finish()?;
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub struct Output {
    name: String,
    out: Option<Encoder<BufWriter<Sink>>>,
    pending: Option<Pending>,
}

enum Sink {
    Stdout(io::Stdout),
    File(File),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// A temporary file, removed on drop unless it was renamed, and by the signals that end a program.
struct Pending {
    temporary: PathBuf,
    target: PathBuf,
    is_renamed: bool,
}

impl Pending {
    /// Creates a hidden file in the folder of `target`.
    fn create(target: PathBuf) -> io::Result<(File, Self)> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary =
            target.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
        #[cfg(unix)]
        crate::signals::add_temporary(&temporary);
        let mut pending = Self {
            temporary,
            target,
            is_renamed: false,
        };
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&pending.temporary);
        // A file that was not created here is not ours to remove.
        pending.is_renamed = created.is_err();
        Ok((created?, pending))
    }

    fn rename(mut self) -> io::Result<()> {
        std::fs::rename(&self.temporary, &self.target)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.is_renamed {
            // Nothing can be done if this fails, and an earlier error matters more.
            let _ = std::fs::remove_file(&self.temporary);
        }
        #[cfg(unix)]
        crate::signals::remove_temporary(&self.temporary);
    }
}

/// Names of standard output.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Output {
    /// Opens an output for writing.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let name = &*path.to_string_lossy();
        let started = if STANDARD_OUTPUT.contains(&name) {
            Ok((Sink::Stdout(io::stdout()), None))
        } else {
            start_file(path)
        };
        let encoder = started.and_then(|(sink, pending)| {
            let encoder = Encoder::new(
                Compression::of_name(name),
                BufWriter::with_capacity(1 << 16, sink),
            )?;
            Ok((encoder, pending))
        });
        let (out, pending) = encoder.map_err(|error| cannot_write(name, &error))?;
        Ok(Self {
            name: name.into(),
            out: Some(out),
            pending,
        })
    }

    /// Writes everything and gives the file its name.
    pub fn finish(mut self) -> Result<(), Error> {
        self.end().map_err(|error| cannot_write(&self.name, &error))
    }

    /// Writes everything, but does not yet give the file its name.
    pub(crate) fn close(&mut self) -> Result<(), Error> {
        let closed = self.flush_all();
        closed.map_err(|error| cannot_write(&self.name, &error))
    }

    fn end(&mut self) -> io::Result<()> {
        self.flush_all()?;
        self.pending.take().map_or(Ok(()), Pending::rename)
    }

    fn flush_all(&mut self) -> io::Result<()> {
        self.out.take().map_or(Ok(()), |out| out.finish()?.flush())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

fn start_file(path: &Path) -> io::Result<(Sink, Option<Pending>)> {
    // Replace the file that a link points to, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.into());
    let metadata = target.metadata();
    let is_special = metadata
        .as_ref()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    // Names in these folders may refer to open descriptors; replacing one would lose what others write to it.
    let is_descriptor = ["/dev", "/proc"]
        .iter()
        .any(|folder| path.starts_with(folder));
    if is_special || is_descriptor {
        let file = OpenOptions::new().append(true).open(target)?;
        return Ok((Sink::File(file), None));
    }
    if target.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
    }
    let (file, pending) = Pending::create(target)?;
    if let Ok(metadata) = metadata {
        file.set_permissions(metadata.permissions())?;
    }
    Ok((Sink::File(file), Some(pending)))
}

//! Outputs that appear only when they are complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::compression::{Compression, Encoder};
use crate::error::Error;
use crate::write::cannot_write;

/// An output: a file, or standard output for `-`.
///
/// A file is written under another name in the same folder and renamed by [`finish`](Self::finish); until then, and if
/// anything fails, what was there before stays. The extension decides on compression (`.gz`, `.zst`, `.bz2`, `.xz`, `.lz4`).
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

/// Where bytes go.
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

/// A file that is not renamed yet, and is removed if it never is.
struct Pending {
    temporary: PathBuf,
    target: PathBuf,
    is_renamed: bool,
}

impl Pending {
    fn rename(mut self) -> io::Result<()> {
        std::fs::rename(&self.temporary, &self.target)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.is_renamed {
            // Nothing can be done about a file that cannot be removed, and the first error is the one to tell.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Names of standard output.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Output {
    /// Starts an output.
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

    /// Ends the output: a file gets its name.
    pub fn finish(mut self) -> Result<(), Error> {
        self.end().map_err(|error| cannot_write(&self.name, &error))
    }

    /// Writes everything that is left; only the name of a file is not there yet.
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
    // A link stays a link: the file it points to is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.into());
    let metadata = target.metadata();
    let is_special = metadata
        .as_ref()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    // What a name in these folders stands for is open already; to replace it would lose what others write to it.
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
    let (file, temporary) = create_beside(&target)?;
    if let Ok(metadata) = metadata {
        file.set_permissions(metadata.permissions())?;
    }
    Ok((
        Sink::File(file),
        Some(Pending {
            temporary,
            target,
            is_renamed: false,
        }),
    ))
}

/// Makes a new hidden file in the folder of another.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = target.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&temporary)?;
    Ok((file, temporary))
}

//! Standard output that its reader may leave.

use std::io::{self, ErrorKind, Write};

/// Writes as long as somebody reads. What comes behind is dropped, so that a command goes on and its exit code still tells its
/// verdict: `cranfield gate ... | head -1` must not pass because `head` had read enough.
#[derive(Debug)]
pub(crate) struct WhileRead<W> {
    out: W,
    left: bool,
}

impl<W: Write> WhileRead<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, left: false }
    }

    fn unless_left<T>(&mut self, result: io::Result<T>, dropped: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.left = true;
                Ok(dropped)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for WhileRead<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.unless_left(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.left {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.unless_left(flushed, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes some bytes, and then fails.
    struct Fails(usize, ErrorKind);

    impl Write for Fails {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(self.1)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.1.into())
        }
    }

    #[test]
    fn a_reader_that_leaves_is_no_error_and_a_full_disk_is() {
        let mut out = WhileRead::new(Fails(3, ErrorKind::BrokenPipe));
        assert!(out.write_all(b"abc").is_ok() && out.write_all(b"d").is_ok());
        assert!(out.write_all(b"e").is_ok() && out.flush().is_ok());
        let mut out = WhileRead::new(Fails(3, ErrorKind::StorageFull));
        assert!(out.write_all(b"abc").is_ok() && out.write_all(b"d").is_err());
        assert!(out.flush().is_err());
    }
}

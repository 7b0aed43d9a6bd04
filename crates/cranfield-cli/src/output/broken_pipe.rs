//! Standard output whose reader may stop early.

use std::io::{self, ErrorKind, Write};

/// Passes output on until the reader closes the pipe, and drops the rest, so that the command still ends with its own exit code:
/// `cranfield gate ... | head -1` must not pass because `head` had read enough.
#[derive(Debug)]
pub(crate) struct UntilClosed<W> {
    out: W,
    is_closed: bool,
}

impl<W: Write> UntilClosed<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            is_closed: false,
        }
    }

    fn unless_closed<T>(&mut self, result: io::Result<T>, dropped: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(dropped)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.unless_closed(flushed, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts some bytes, then fails.
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
    fn a_closed_pipe_is_not_an_error_but_a_full_disk_is() {
        let mut out = UntilClosed::new(Fails(3, ErrorKind::BrokenPipe));
        assert!(out.write_all(b"abc").is_ok() && out.write_all(b"d").is_ok());
        assert!(out.write_all(b"e").is_ok() && out.flush().is_ok());
        let mut out = UntilClosed::new(Fails(3, ErrorKind::StorageFull));
        assert!(out.write_all(b"abc").is_ok() && out.write_all(b"d").is_err());
        assert!(out.flush().is_err());
    }
}

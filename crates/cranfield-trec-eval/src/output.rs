//! Standard output, written in large blocks.

use std::io::{ErrorKind, Write};

use super::exit::{Exit, OUTPUT};

/// Size of a block.
const PIECE: usize = 1 << 16;

/// Buffered output.
pub(super) struct Output<'a> {
    out: &'a mut dyn Write,
    /// Bytes that are not written yet.
    pub(super) buffer: Vec<u8>,
    /// The first failure; nothing is written after it.
    failure: Option<std::io::Error>,
}

impl<'a> Output<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            buffer: Vec::new(),
            failure: None,
        }
    }

    /// Writes the buffer if it is large enough.
    pub(super) fn spill(&mut self) {
        if self.buffer.len() >= PIECE {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.failure.is_none() {
            self.failure = self.out.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }

    /// Writes the rest. A closed pipe is not an error.
    pub(super) fn finish(mut self) -> Result<(), Exit> {
        self.write();
        let flushed = self.out.flush().err();
        match self.failure.or(flushed) {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                let message = format_args!("cannot write results: {error}");
                Err(Exit::says(OUTPUT, message))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Accepts that many bytes, then fails.
    struct Failing(usize, ErrorKind);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or_else(|| io::Error::from(self.1))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn finish(kind: ErrorKind) -> Result<(), Exit> {
        let mut writer = Failing(10, kind);
        let mut output = Output::new(&mut writer);
        for _ in 0..3 {
            output.buffer.resize(PIECE, b'x');
            output.spill();
            assert!(output.buffer.is_empty());
        }
        output.finish()
    }

    #[test]
    fn a_closed_pipe_is_not_an_error() {
        assert_eq!(finish(ErrorKind::BrokenPipe), Ok(()));
        assert_eq!(
            finish(ErrorKind::StorageFull).map_err(|exit| exit.code),
            Err(OUTPUT)
        );
    }
}

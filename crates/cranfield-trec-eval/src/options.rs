//! The parsed command line.

use std::ffi::{OsStr, OsString};

use cranfield_io::trec::atol;

use super::exit::{Exit, USAGE};
use super::getopt::{COMPAT, Getopt, Key};
use super::help;
use super::request::Request;

/// The version of the reference to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compat {
    Nine,
    Ten,
}

/// The options, with their defaults.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug)]
pub(super) struct Options {
    pub(super) compat: Compat,
    pub(super) help: bool,
    /// `-q`
    pub(super) per_topic: bool,
    /// Off with `-n`.
    pub(super) summary: bool,
    /// `-c`
    pub(super) complete: bool,
    /// `-J`
    pub(super) judged_only: bool,
    /// `-l`
    pub(super) level: i64,
    /// `-N`
    pub(super) docs: i64,
    /// `-M`
    pub(super) depth: Option<i64>,
    /// `-D n.topic`
    pub(super) topic: Option<Vec<u8>>,
    /// `-R`
    pub(super) rel_format: Vec<u8>,
    /// `-T`
    pub(super) results_format: Vec<u8>,
    /// `-Z`
    pub(super) zscores: Option<OsString>,
    /// `-m`
    pub(super) request: Request,
    /// Files.
    pub(super) operands: Vec<OsString>,
}

/// The only format of results.
pub(super) const RESULTS_FORMAT: &[u8] = b"trec_results";

impl Options {
    /// Parses the arguments from left to right, and exits at the first invalid one.
    pub(super) fn parse(args: &[Vec<u8>], program: &str) -> Result<Self, Exit> {
        let mut options = Self::new(compat(Getopt::new(program, args))?);
        let mut getopt = Getopt::new(program, args);
        for given in getopt.by_ref() {
            let (key, argument) = given.map_err(|message| {
                Exit {
                    code: USAGE,
                    message,
                }
                .then(&[help::USAGE_TEXT])
            })?;
            options.set(key, argument)?;
        }
        options.operands = getopt
            .operands
            .iter()
            .map(|operand| os_string(operand))
            .collect();
        Ok(options)
    }

    fn new(compat: Compat) -> Self {
        Self {
            compat,
            help: false,
            per_topic: false,
            summary: true,
            complete: false,
            judged_only: false,
            level: 1,
            docs: 0,
            depth: None,
            topic: None,
            rel_format: b"qrels".to_vec(),
            results_format: RESULTS_FORMAT.to_vec(),
            zscores: None,
            request: Request::default(),
            operands: Vec::new(),
        }
    }

    fn set(&mut self, key: Key, argument: Vec<u8>) -> Result<(), Exit> {
        match key.0 {
            b'h' => self.help = true,
            b'v' => return Err(Exit::new(0, &[help::version(self.compat).as_bytes()])),
            b'q' => self.per_topic = true,
            b'm' => self.request.add(&argument, self.compat)?,
            b'c' => self.complete = true,
            b'l' => self.level = atol(&argument),
            b'n' => self.summary = false,
            b'D' => self.topic = after_point(&argument).map(<[u8]>::to_vec),
            b'J' => self.judged_only = true,
            b'N' => self.docs = atol(&argument),
            b'M' => self.depth = Some(atol(&argument)),
            b'R' => self.rel_format = argument,
            b'T' => self.results_format = argument,
            b'Z' => self.zscores = Some(os_string(&argument)),
            // -o has no effect, and --compat was parsed before.
            _ => {}
        }
        Ok(())
    }

    /// The two files, if there are two and the numbers are valid.
    pub(super) fn files(&self) -> Result<(&OsStr, &OsStr), Exit> {
        let [rel_info, results] = self.operands.as_slice() else {
            return Err(Exit::new(USAGE, &[help::USAGE_TEXT]));
        };
        match self.depth {
            Some(depth) if depth < 0 => Err(Exit::says(
                USAGE,
                format_args!("-M needs a number of documents of at least 0, not {depth}"),
            )),
            _ => Ok((rel_info, results)),
        }
    }
}

/// The version to follow. It is parsed first, since it decides which measures exist.
fn compat(getopt: Getopt<'_>) -> Result<Compat, Exit> {
    let given = getopt
        .map_while(Result::ok)
        .filter(|(key, _)| *key == COMPAT);
    match given.map(|(_, argument)| argument).last().as_deref() {
        None | Some(b"10") => Ok(Compat::Ten),
        Some(b"9") => Ok(Compat::Nine),
        Some(other) => {
            let exit = Exit::new(
                USAGE,
                &[b"trec_eval: --compat needs 9 or 10, not '", other, b"'\n"],
            );
            Err(exit.then(&[help::USAGE_TEXT]))
        }
    }
}

fn after_point(text: &[u8]) -> Option<&[u8]> {
    let point = text.iter().position(|byte| *byte == b'.')?;
    Some(&text[point + 1..])
}

#[cfg(unix)]
pub(super) fn os_string(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;

    OsStr::from_bytes(bytes).to_owned()
}

#[cfg(not(unix))]
pub(super) fn os_string(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

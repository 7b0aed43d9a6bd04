//! Append-only audit files.
//!
//! A line is appended with one write and synchronised with the disk before it counts. A crash can leave at most one torn line at the
//! end, which was not acknowledged and is removed when the file is opened again. Every line holds the hash of the line before it, so
//! a change to an earlier line is detected; lines that are cut off at the end are not.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use chrono::{SecondsFormat, Utc};
use cranfield_eval::bytes_hash;
use cranfield_io::{Code, Problem};

use crate::error::{JudgeError, cannot_read, cannot_write};
use crate::event::{Draft, Event, Kind};
use crate::settings::Settings;

/// The audit file of an assessor, locked while it is open.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    who: String,
    /// Bytes that are known to be complete lines.
    length: u64,
    lines: u64,
    prev: String,
    /// Settings that are written before the first event.
    settings: Option<Settings>,
}

/// What opening an audit file finds.
#[derive(Debug)]
pub struct Opened {
    /// The file.
    pub log: Log,
    /// Its events.
    pub events: Vec<Event>,
    /// Whether a torn line was removed from the end.
    pub was_torn: bool,
}

impl Log {
    /// The path of an assessor's file.
    ///
    /// # Errors
    /// If the name cannot be the name of a file on every system.
    pub fn path(folder: &Path, who: &str) -> Result<PathBuf, JudgeError> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.@+".contains(c);
        let is_name = !who.is_empty() && who.len() <= 100 && who.chars().all(is_plain);
        if !is_name || who.starts_with('.') {
            return Err(JudgeError::Setting(format!(
                "the name of an assessor has letters, digits and -_.@+ only, not `{}`",
                who.escape_debug()
            )));
        }
        Ok(folder.join(format!("{who}.jsonl")))
    }

    /// Opens the file of an assessor, and creates it if there is none.
    ///
    /// # Errors
    /// If another process has it open, or if it was changed by another program.
    pub fn open(folder: &Path, who: &str) -> Result<Opened, JudgeError> {
        let path = Self::path(folder, who)?;
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options
            .open(&path)
            .map_err(|error| cannot_write(&path, &error))?;
        lock(&file, &path, who)?;
        if is_new {
            sync_folder(folder);
        }
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| cannot_read(&path, &error))?;
        let Replayed {
            events,
            length,
            prev,
        } = replay(&bytes, &path, who)?;
        let was_torn = length < bytes.len();
        if was_torn {
            let cut = file.set_len(length as u64).and_then(|()| file.sync_all());
            cut.map_err(|error| cannot_write(&path, &error))?;
        }
        let log = Self {
            path,
            file,
            who: who.into(),
            length: length as u64,
            lines: events.len() as u64,
            prev,
            settings: None,
        };
        Ok(Opened {
            log,
            events,
            was_torn,
        })
    }

    /// Writes these settings to the folder before the next judgement, so that an attempt that fails decides nothing.
    pub(crate) fn keep_with_first(&mut self, settings: Settings) {
        self.settings = Some(settings);
    }

    fn keep_settings(&mut self) -> Result<(), JudgeError> {
        if let Some(settings) = &self.settings {
            settings.keep(self.path.parent().unwrap_or(Path::new("")))?;
        }
        self.settings = None;
        Ok(())
    }

    /// Appends events, and returns when they are on disk.
    pub(crate) fn append(&mut self, drafts: Vec<Draft>) -> Result<Vec<Event>, JudgeError> {
        if drafts.is_empty() {
            return Ok(Vec::new());
        }
        if drafts.iter().any(|draft| draft.kind != Kind::Task) {
            self.keep_settings()?;
        }
        let time = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
        let (mut lines, mut prev, mut seq) = (String::new(), self.prev.clone(), self.lines);
        let mut events = Vec::with_capacity(drafts.len());
        for draft in drafts {
            seq += 1;
            let event = Event {
                seq,
                time: time.clone(),
                who: self.who.clone(),
                kind: draft.kind,
                topic: draft.pair.topic,
                doc: draft.pair.doc,
                grade: draft.grade,
                ms: draft.ms,
                note: draft.note,
                machine: draft.machine,
                prev,
            };
            let line = serde_json::to_string(&event)
                .map_err(|error| cannot_write(&self.path, &error.into()))?;
            prev = bytes_hash(line.as_bytes());
            lines += &line;
            lines.push('\n');
            events.push(event);
        }
        if let Err(error) = self.write(lines.as_bytes()) {
            // A part of the lines may be in the file; the next writer must not continue it.
            let _ = self.file.set_len(self.length);
            return Err(cannot_write(&self.path, &error));
        }
        self.length += lines.len() as u64;
        (self.lines, self.prev) = (seq, prev);
        Ok(events)
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(bytes)?;
        self.file.sync_data()
    }

    /// The assessor.
    pub fn who(&self) -> &str {
        &self.who
    }
}

/// Reads the events of an assessor's file, which may be in use. A torn line at the end is left out.
///
/// # Errors
/// If the file cannot be read, or was changed by another program.
pub fn read_log(path: &Path) -> Result<Vec<Event>, JudgeError> {
    let bytes = std::fs::read(path).map_err(|error| cannot_read(path, &error))?;
    let who = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(replay(&bytes, path, &who)?.events)
}

fn lock(file: &File, path: &Path, who: &str) -> Result<(), JudgeError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(JudgeError::Setting(format!(
            "`{who}` is judging in another process, which has `{}` open",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(cannot_write(path, &error)),
    }
}

/// Makes a new name in a folder durable, where the system can do that.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

struct Replayed {
    events: Vec<Event>,
    /// Bytes of complete lines.
    length: usize,
    /// Hash of the last line.
    prev: String,
}

fn replay(bytes: &[u8], path: &Path, who: &str) -> Result<Replayed, JudgeError> {
    let mut found = Replayed {
        events: Vec::new(),
        length: 0,
        prev: String::new(),
    };
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(line) = line.strip_suffix(b"\n") else {
            break;
        };
        let number = found.events.len() as u64 + 1;
        let broken = |message: String| {
            let path = path.to_string_lossy();
            let problem = Problem::in_line(
                Code::BrokenAudit,
                &path,
                number,
                line,
                0..line.len(),
                message,
            );
            let help = "audit files must not be edited; restore this one from a copy";
            JudgeError::Input(problem.with_help(help).into())
        };
        let event: Event = serde_json::from_slice(line)
            .map_err(|error| broken(format!("the line is not an event: {error}")))?;
        if event.prev != found.prev {
            return Err(broken(
                "the hash of the line before does not match: a line was changed, removed or added"
                    .into(),
            ));
        }
        if event.seq != number {
            return Err(broken(format!(
                "found event {}, expected {number}",
                event.seq
            )));
        }
        if event.who != who {
            return Err(broken(format!(
                "the event is by `{}`, but the file belongs to `{who}`",
                event.who.escape_debug()
            )));
        }
        found.prev = bytes_hash(line);
        found.length += line.len() + 1;
        found.events.push(event);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::Pair;

    fn draft(doc: &str, grade: u8) -> Draft {
        let pair = Pair {
            topic: "1".into(),
            doc: doc.into(),
        };
        Draft {
            grade: Some(grade),
            ..Draft::new(Kind::Grade, pair)
        }
    }

    fn written(folder: &Path) -> PathBuf {
        let mut opened = Log::open(folder, "ann").unwrap();
        opened
            .log
            .append(vec![draft("a", 1), draft("b", 0)])
            .unwrap();
        opened.log.append(vec![draft("c", 2)]).unwrap();
        folder.join("ann.jsonl")
    }

    #[test]
    fn events_are_numbered_and_chained() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let events = read_log(&path).unwrap();
        assert_eq!(events[0].prev, "");
        assert_eq!(
            events[2].prev,
            blake3::hash(lines[1].as_bytes()).to_hex().to_string()
        );
        assert_eq!(events[2].seq, 3);
        let opened = Log::open(folder.path(), "ann").unwrap();
        assert_eq!(opened.events, events);
        assert!(!opened.was_torn);
    }

    #[test]
    fn a_torn_line_is_removed_and_the_chain_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let whole = std::fs::read(&path).unwrap();
        for cut in (1..whole.len()).step_by(7) {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let complete = whole[..cut].split(|byte| *byte == b'\n').count() - 1;
            let mut opened = Log::open(folder.path(), "ann").unwrap();
            assert_eq!(opened.events.len(), complete);
            assert_eq!(opened.was_torn, whole[cut - 1] != b'\n');
            opened.log.append(vec![draft("z", 3)]).unwrap();
            drop(opened);
            assert_eq!(read_log(&path).unwrap().len(), complete + 1);
        }
    }

    #[test]
    fn a_changed_line_is_an_error_with_its_successor_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(folder.path());
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("\"grade\":0", "\"grade\":3", 1)).unwrap();
        let error = Log::open(folder.path(), "ann").unwrap_err().to_string();
        assert!(error.contains("ann.jsonl:3"), "{error}");
        std::fs::write(&path, "{}\n").unwrap();
        let error = read_log(&path).unwrap_err().to_string();
        assert!(
            error.contains("ann.jsonl:1") && error.contains("not an event"),
            "{error}"
        );
    }

    #[test]
    fn one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let _held = Log::open(folder.path(), "ann").unwrap();
        let error = Log::open(folder.path(), "ann").unwrap_err().to_string();
        assert!(error.contains("another process"), "{error}");
        assert!(Log::open(folder.path(), "bob").is_ok());
        assert!(Log::open(folder.path(), "../ann").is_err());
    }
}

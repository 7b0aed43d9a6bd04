//! Writing a data set as TREC files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::ids::write_number;
use crate::shape::Shape;
use crate::topic::{Candidate, candidates, ranking};

/// One line of the report.
pub struct Written {
    pub file: String,
    pub lines: u64,
    pub bytes: u64,
    /// FNV-1a of the content, to see at a glance that two machines made the same file.
    pub checksum: u64,
}

/// Writes the qrels and the runs of `shape` into the folder of its name below `out`.
pub fn write_set(
    shape: &Shape,
    seed: u64,
    out: &Path,
    mut report: impl FnMut(&Written),
) -> io::Result<()> {
    let folder = out.join(shape.name);
    fs::create_dir_all(&folder)?;
    report(&write_qrels(shape, seed, &folder)?);
    for run in 1..=shape.runs {
        report(&write_run(shape, seed, run, &folder)?);
    }
    Ok(())
}

fn write_qrels(shape: &Shape, seed: u64, folder: &Path) -> io::Result<Written> {
    let mut output = Output::create(folder, "qrels.txt")?;
    for (topic, id) in (0..).zip(shape.topic_ids(seed)) {
        for candidate in candidates(shape, seed, topic) {
            qrels_line(shape, id, &candidate, &mut output);
        }
        output.flush()?;
    }
    output.finish()
}

fn qrels_line(shape: &Shape, topic: u64, candidate: &Candidate, output: &mut Output) {
    let Some(grade) = candidate.grade else { return };
    let line = start_line(shape, (topic, b" 0 ", candidate.document), output);
    write_number(grade, line);
    line.push(b'\n');
}

/// Writes topic, second column and document.
fn start_line<'a>(
    shape: &Shape,
    (topic, second, document): (u64, &[u8], u64),
    output: &'a mut Output,
) -> &'a mut Vec<u8> {
    let line = &mut output.buffer;
    write_number(topic, line);
    line.extend_from_slice(second);
    shape.ids.write(document, line);
    line.push(b' ');
    output.lines += 1;
    line
}

fn write_run(shape: &Shape, seed: u64, run: u64, folder: &Path) -> io::Result<Written> {
    let mut output = Output::create(folder, &shape.run_file(run))?;
    let tail = format!(" run{run:03}\n");
    for (topic, id) in (0..).zip(shape.topic_ids(seed)) {
        let pool = candidates(shape, seed, topic);
        for (rank, entry) in (1..).zip(ranking(shape, seed, topic, run, &pool)) {
            let line = start_line(shape, (id, b" Q0 ", entry.document), &mut output);
            write_number(rank, line);
            line.push(b' ');
            write_score(entry.score, line);
            line.extend_from_slice(tail.as_bytes());
        }
        output.flush()?;
    }
    output.finish()
}

/// Millionths as a decimal with six places.
fn write_score(millionths: u64, out: &mut Vec<u8>) {
    write_number(millionths / 1_000_000, out);
    out.push(b'.');
    // A leading one keeps the zeros of the fraction; then it is taken out.
    let fraction = out.len();
    write_number(1_000_000 + millionths % 1_000_000, out);
    out.remove(fraction);
}

/// A file that is written topic by topic.
struct Output {
    name: String,
    file: BufWriter<File>,
    buffer: Vec<u8>,
    lines: u64,
    bytes: u64,
    checksum: u64,
}

impl Output {
    fn create(folder: &Path, name: &str) -> io::Result<Self> {
        Ok(Self {
            name: name.to_owned(),
            file: BufWriter::with_capacity(1 << 20, File::create(folder.join(name))?),
            buffer: Vec::new(),
            lines: 0,
            bytes: 0,
            checksum: 0xcbf2_9ce4_8422_2325,
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        for &byte in &self.buffer {
            self.checksum = (self.checksum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self.bytes += self.buffer.len() as u64;
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<Written> {
        self.flush()?;
        self.file.flush()?;
        Ok(Written {
            file: self.name,
            lines: self.lines,
            bytes: self.bytes,
            checksum: self.checksum,
        })
    }
}

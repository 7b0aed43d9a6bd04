//! Lines of TREC text: the quick readers against slow ones, whole and in pieces.

use cranfield_io::trec::{
    Dialect, FaultyLine, LineFault, Lines, QrelsLines, RunLines, TopicLine, offset_in,
};

use super::{Target, strings};
use crate::reference::{self, fields, first_visible, same};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "run_lines",
        property: "in all dialects the quick reader of runs finds what a slow one finds, whole and in pieces",
        run: run_lines,
        seeds: run_seeds,
        dictionary: DICTIONARY,
        max_len: 400,
        smoke: 150_000,
    },
    Target {
        name: "qrels_lines",
        property: "in all dialects the quick reader of qrels finds what a slow one finds, whole and in pieces",
        run: qrels_lines,
        seeds: qrels_seeds,
        dictionary: DICTIONARY,
        max_len: 300,
        smoke: 150_000,
    },
];

pub(super) const DICTIONARY: &[&str] = &[
    "301 Q0 ",
    " 0 ",
    " bm25\n",
    "\n",
    "\r\n",
    "\t",
    "\x0b",
    "\x0c",
    "#",
    "# c\n",
    "\0",
    "1.5",
    "-1",
    "12345678.12345678",
    "1e5",
    "nan",
    "inf",
    "0x1p3",
    "\u{feff}",
    " 9007199254740993 ",
];

const DIALECTS: [Dialect; 3] = [Dialect::Strict, Dialect::TrecEval, Dialect::TrecEval9];

pub(super) fn run_seeds() -> Vec<Vec<u8>> {
    strings(&[
        "301 Q0 FBIS3-1 1 12.5 bm25\n301 Q0 FBIS3-2 2 11.25 bm25\n301 Q0 FBIS3-3 3 11.25 bm25\n302 Q0 LA-1 1 0.5 bm25\n",
        "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n2 Q0 a 1 3 t\n2 Q0 b 2 2 t\n1 Q0 d 4 0.5 t\n",
        "# comment\n\n1\tQ0\td\t1\t1e-05\trun\r\n  1 Q0  e 2 -0.00001 run  \n1 Q0 f 3 nan run extra\n",
        "1 Q0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 1 123456789012345.6 tag\n1 Q0 b 2 .5 tag\n1 Q0 c 3 5. tag\n",
        "q 0 d",
    ])
}

fn qrels_seeds() -> Vec<Vec<u8>> {
    strings(&[
        "301 0 FBIS3-1 1\n301 0 FBIS3-2 0\n301 0 FBIS3-3 2\n302 0 LA-1 0\n302 0 LA-2 -1\n",
        "1 0 a 1\n1 0 b 0\n1 0 c 1.5\n2 0 a 10\n2 1 a 3\n1 0 d 1\n",
        "# comment\n\n1\t0\td\t1\r\n 1 0  e  2 \n1 0 f x\n1 0 g 1 2\n",
    ])
}

/// The content of a line, without hints.
#[derive(Debug)]
struct Said<'a> {
    fields: [&'a [u8]; 4],
    number: f64,
}

impl PartialEq for Said<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields && same(self.number, other.number)
    }
}

type Line<'a> = Result<Said<'a>, LineFault>;

fn run_lines(bytes: &[u8]) {
    for dialect in DIALECTS {
        let expected: Vec<Line<'_>> = slow_run(bytes, dialect);
        let said = |line: &cranfield_io::trec::RunLine<'_>| {
            // The lifetime of the input, not of the line.
            let part = |part: &[u8]| &bytes[offset_in(bytes, part)..][..part.len()];
            Said {
                fields: [
                    part(line.topic),
                    part(line.doc),
                    part(line.rank),
                    part(line.tag),
                ],
                number: line.score,
            }
        };
        check(bytes, || RunLines::new(bytes, dialect), said, &expected);
    }
}

fn qrels_lines(bytes: &[u8]) {
    for dialect in DIALECTS {
        let expected: Vec<Line<'_>> = slow_qrels(bytes, dialect);
        let said = |line: &cranfield_io::trec::QrelsLine<'_>| {
            let part = |part: &[u8]| &bytes[offset_in(bytes, part)..][..part.len()];
            Said {
                fields: [part(line.topic), part(line.group), part(line.doc), b""],
                number: line.grade,
            }
        };
        check(bytes, || QrelsLines::new(bytes, dialect), said, &expected);
    }
}

/// Compares a reader with what is expected, over the whole text and over two pieces of it.
fn check<'a, L: TopicLine<'a>>(
    bytes: &'a [u8],
    lines: impl Fn() -> Lines<'a, L>,
    said: impl Fn(&L) -> Said<'a>,
    expected: &[Line<'a>],
) {
    let whole = read(bytes, &mut lines(), &said);
    assert_eq!(whole, expected, "the whole text");
    let starts: Vec<usize> = (1..bytes.len())
        .filter(|at| bytes[at - 1] == b'\n')
        .collect();
    let Some(&cut) = starts.get(reference::digest(bytes) as usize % starts.len().max(1)) else {
        return;
    };
    let mut reader = lines();
    reader.seek(0..cut);
    let mut pieces = read(bytes, &mut reader, &said);
    reader.seek(cut..bytes.len());
    pieces.extend(read(bytes, &mut reader, &said));
    assert_eq!(pieces, expected, "cut at {cut}");
}

fn read<'a, L: TopicLine<'a>>(
    bytes: &'a [u8],
    lines: &mut Lines<'a, L>,
    said: impl Fn(&L) -> Said<'a>,
) -> Vec<Line<'a>> {
    let mut found = Vec::new();
    let mut last: Option<&[u8]> = None;
    let mut at = lines.offset();
    while let Some(line) = lines.next() {
        assert!(
            at < lines.offset() && lines.offset() <= bytes.len(),
            "no step from {at}"
        );
        match line {
            Ok(line) => {
                if let Some(last) = last.filter(|_| line.same_topic()) {
                    assert_eq!(line.topic(), last, "said to be the same topic");
                }
                last = Some(line.topic());
                found.push(Ok(said(&line)));
            }
            Err(FaultyLine {
                at: start,
                width,
                fault,
            }) => {
                assert!(
                    at <= start && start + width <= lines.offset(),
                    "fault at {start}, {width} bytes"
                );
                found.push(Err(fault));
            }
        }
        at = lines.offset();
    }
    assert!(lines.next().is_none());
    found
}

fn nul(line: &[u8], dialect: Dialect) -> Option<LineFault> {
    (dialect == Dialect::Strict && line.contains(&0)).then_some(LineFault::Nul)
}

fn slow_run(bytes: &[u8], dialect: Dialect) -> Vec<Line<'_>> {
    let is_data = |line: &&[u8]| match first_visible(line) {
        None => false,
        Some(b'#') => dialect == Dialect::TrecEval9,
        Some(_) => true,
    };
    let lines = reference::lines(bytes).into_iter().filter(is_data);
    lines.map(|line| slow_run_line(line, dialect)).collect()
}

fn slow_run_line(line: &[u8], dialect: Dialect) -> Line<'_> {
    if let Some(fault) = nul(line, dialect) {
        return Err(fault);
    }
    let fields = fields(line);
    if fields.len() < 6 || (fields.len() > 6 && dialect == Dialect::Strict) {
        return Err(LineFault::Columns(fields.len()));
    }
    let number = match dialect {
        Dialect::Strict => match reference::number(fields[4]) {
            None => return Err(LineFault::Score),
            Some(score) if !score.is_finite() => return Err(LineFault::ScoreNotFinite),
            Some(score) => score,
        },
        Dialect::TrecEval | Dialect::TrecEval9 => reference::strtod(fields[4]),
    };
    Ok(Said {
        fields: [fields[0], fields[2], fields[3], fields[5]],
        number,
    })
}

fn slow_qrels(bytes: &[u8], dialect: Dialect) -> Vec<Line<'_>> {
    let is_data = |line: &&[u8]| match dialect {
        Dialect::Strict => first_visible(line).is_some_and(|byte| byte != b'#'),
        Dialect::TrecEval => line.first() != Some(&b'#'),
        Dialect::TrecEval9 => true,
    };
    let lines = reference::lines(bytes).into_iter().filter(is_data);
    lines.map(|line| slow_qrels_line(line, dialect)).collect()
}

fn slow_qrels_line(line: &[u8], dialect: Dialect) -> Line<'_> {
    if let Some(fault) = nul(line, dialect) {
        return Err(fault);
    }
    let fields = fields(line);
    let [topic, group, doc, grade] = fields[..] else {
        return Err(LineFault::Columns(fields.len()));
    };
    let number = match dialect {
        Dialect::Strict => match reference::number(grade) {
            None => return Err(LineFault::Grade),
            Some(grade) if !grade.is_finite() => return Err(LineFault::GradeNotFinite),
            Some(grade) => grade,
        },
        Dialect::TrecEval | Dialect::TrecEval9 => reference::strtol(grade) as f64,
    };
    Ok(Said {
        fields: [topic, group, doc, b""],
        number,
    })
}

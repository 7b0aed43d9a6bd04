//! Mutations that know of lines, fields and numbers, without feedback.

use crate::random::Random;

/// Numbers that readers stumble over.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "10",
    "0.5",
    "1e5",
    "1e-5",
    "1e400",
    "1e-400",
    "nan",
    "-nan",
    "inf",
    "-Infinity",
    "0x10",
    "0x1p-1074",
    "9007199254740993",
    "18446744073709551616",
    "-9223372036854775808",
    "0.30000000000000004",
    "123456789012345678901234567890",
    "1.",
    ".5",
    "+3",
    "1,5",
    "1_000",
    "",
];

/// Strings that mean something in more than one format.
const WORDS: &[&str] = &[
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\x0b",
    "\x0c",
    "\0",
    "#",
    "\"",
    "'",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\\",
    "\\u0041",
    "Q0",
    "0",
    "d1",
    "q1",
    "\u{feff}",
    "é",
    "漢",
    "\u{1F600}",
    "\u{200b}",
    "\x1e",
];

/// Changes an input in one to four ways.
pub fn mutate(
    random: &mut Random,
    input: &mut Vec<u8>,
    others: &[Vec<u8>],
    dictionary: &[&str],
    max_len: usize,
) {
    for _ in 0..=random.below(4) {
        mutate_once(random, input, others, dictionary);
    }
    input.truncate(max_len);
}

fn mutate_once(random: &mut Random, input: &mut Vec<u8>, others: &[Vec<u8>], dictionary: &[&str]) {
    match random.below(13) {
        0 => flip_bit(random, input),
        1 => replace_byte(random, input),
        2 => insert(random, input, WORDS),
        3 => insert(random, input, dictionary),
        4 => delete(random, input),
        5 => duplicate(random, input),
        6 => replace_number(random, input),
        7 => swap_lines(random, input),
        8 => splice(random, input, others),
        9 => replace_field(random, input, dictionary),
        10 => repeat_line(random, input),
        11 => delete_line(random, input),
        _ => insert(random, input, NUMBERS),
    }
}

fn flip_bit(random: &mut Random, input: &mut [u8]) {
    let at = random.below(input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

fn replace_byte(random: &mut Random, input: &mut [u8]) {
    let at = random.below(input.len());
    let new = random.number() as u8;
    if let Some(byte) = input.get_mut(at) {
        *byte = new;
    }
}

fn insert(random: &mut Random, input: &mut Vec<u8>, strings: &[&str]) {
    let at = random.below(input.len() + 1);
    if let Some(text) = random.pick(strings) {
        input.splice(at..at, text.bytes());
    }
}

/// A range of at most `longest` bytes.
fn range(random: &mut Random, len: usize, longest: usize) -> std::ops::Range<usize> {
    let start = random.below(len);
    start..(start + 1 + random.below(longest)).min(len)
}

fn delete(random: &mut Random, input: &mut Vec<u8>) {
    let longest = if random.below(4) == 0 { 64 } else { 4 };
    let range = range(random, input.len(), longest);
    input.drain(range);
}

fn duplicate(random: &mut Random, input: &mut Vec<u8>) {
    let copied = input[range(random, input.len(), 32)].to_vec();
    let at = random.below(input.len() + 1);
    input.splice(at..at, copied);
}

/// The fields: ranges of bytes that form words and numbers.
fn fields(input: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".-+_".contains(byte) || *byte >= 0x80;
    let mut start = 0;
    let chunks = input
        .chunk_by(|a, b| is_part(a) == is_part(b))
        .map(|chunk| {
            start += chunk.len();
            start - chunk.len()..start
        });
    chunks
        .filter(|range| is_part(&input[range.start]))
        .collect()
}

fn replace_number(random: &mut Random, input: &mut Vec<u8>) {
    replace_field(random, input, NUMBERS);
}

fn replace_field(random: &mut Random, input: &mut Vec<u8>, strings: &[&str]) {
    let fields = fields(input);
    let (Some(field), Some(text)) = (random.pick(&fields).cloned(), random.pick(strings)) else {
        return;
    };
    input.splice(field, text.bytes());
}

fn change_lines(input: &mut Vec<u8>, change: impl FnOnce(&mut Vec<&[u8]>)) {
    let old = std::mem::take(input);
    let mut lines: Vec<&[u8]> = old.split(|byte| *byte == b'\n').collect();
    change(&mut lines);
    *input = lines.join(&b'\n');
}

fn swap_lines(random: &mut Random, input: &mut Vec<u8>) {
    change_lines(input, |lines| {
        let (a, b) = (random.below(lines.len()), random.below(lines.len()));
        lines.swap(a, b);
    });
}

fn repeat_line(random: &mut Random, input: &mut Vec<u8>) {
    change_lines(input, |lines| {
        let (from, to) = (random.below(lines.len()), random.below(lines.len() + 1));
        lines.insert(to, lines[from]);
    });
}

fn delete_line(random: &mut Random, input: &mut Vec<u8>) {
    change_lines(input, |lines| {
        lines.remove(random.below(lines.len()));
    });
}

fn splice(random: &mut Random, input: &mut Vec<u8>, others: &[Vec<u8>]) {
    let Some(other) = random.pick(others) else {
        return;
    };
    let piece = &other[range(random, other.len(), 64)];
    let at = random.below(input.len() + 1);
    if random.below(2) == 0 {
        input.splice(at..at, piece.iter().copied());
    } else {
        let end = input.len().min(at + piece.len());
        input.splice(at..end, piece.iter().copied());
    }
}

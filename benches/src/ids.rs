//! Document ids of the three styles.

use std::io::Write;

/// How the number of a document is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum IdStyle {
    /// Newswire ids as on the TREC disks: `FT911-1234`, `LA010189-0001`, `FBIS3-10082`, `FR940104-0-00001`.
    Newswire,
    /// The plain number.
    Number,
    /// `msmarco_passage_41_110258437`.
    Passage,
}

impl IdStyle {
    /// How many documents the collection has.
    pub fn space(self) -> u64 {
        match self {
            Self::Newswire => 528_000,
            Self::Number => 8_800_000,
            Self::Passage => 138_000_000,
        }
    }

    /// Appends the id of document `number`.
    pub fn write(self, number: u64, out: &mut Vec<u8>) {
        match self {
            Self::Newswire => write_newswire(number, out),
            Self::Number => write_number(number, out),
            Self::Passage => {
                out.extend_from_slice(b"msmarco_passage_");
                out.extend_from_slice(&[
                    b'0' + (number % 7) as u8,
                    b'0' + (number % 10) as u8,
                    b'_',
                ]);
                write_number(number, out);
            }
        }
    }
}

fn write_newswire(number: u64, out: &mut Vec<u8>) {
    let (part, n) = (number / 132_000, number % 132_000);
    let (day, month) = (n % 28 + 1, n / 28 % 12 + 1);
    let result = match part {
        0 => write!(out, "FT9{}{}-{}", n % 4 + 1, n % 3 + 1, n / 12 + 1),
        1 => write!(
            out,
            "LA{month:02}{day:02}{}-{:04}",
            n / 336 % 2 + 89,
            n / 672 + 1
        ),
        2 => write!(out, "FBIS{}-{}", n % 2 + 3, n / 2 + 1),
        _ => write!(
            out,
            "FR94{month:02}{day:02}-{}-{:05}",
            n / 336 % 3,
            n / 1008 + 1
        ),
    };
    result.expect("writing to memory does not fail");
}

/// Appends a number in decimal; most of the generator's time goes here, so it does not use the formatter.
pub fn write_number(number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let (mut at, mut rest) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_distinct() {
        for style in [IdStyle::Newswire, IdStyle::Number, IdStyle::Passage] {
            let id = |number| {
                let mut out = Vec::new();
                style.write(number, &mut out);
                out
            };
            let count = 528_000;
            let ids: HashSet<Vec<u8>> = (0..count).map(id).collect();
            assert_eq!(ids.len() as u64, count);
        }
    }
}

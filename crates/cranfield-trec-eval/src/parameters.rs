//! Parameters of measures in `-m name.parameters`, with numbers parsed as C does.

use cranfield_core::error::Error;
use cranfield_io::trec::{atof, atol};

use super::options::Compat;

/// An error in parameters.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    NegativeCutoff,
    DuplicateCutoffs,
    MalformedPairs(Vec<u8>),
    /// An error of the measure itself, which the reference does not have.
    Measure(Error),
}

impl Fault {
    /// The line for standard error.
    pub(super) fn message(&self) -> Vec<u8> {
        match self {
            Self::NegativeCutoff => b"trec_eval: Negative cutoff detected\n".to_vec(),
            Self::DuplicateCutoffs => b"trec_eval: duplicate cutoffs detected\n".to_vec(),
            Self::MalformedPairs(text) => [
                b"trec_eval: malformed pair parameters in '".as_slice(),
                text,
                b"'\n",
            ]
            .concat(),
            Self::Measure(error) => format!("trec_eval: {error}\n").into_bytes(),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Measure(error)
    }
}

fn items(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b',')
}

/// Cutoffs in ascending order.
pub(super) fn cutoffs(text: &[u8]) -> Result<Vec<u64>, Fault> {
    let mut cutoffs: Vec<i64> = items(text).map(atol).collect();
    cutoffs.sort_unstable();
    if cutoffs.iter().any(|cutoff| *cutoff <= 0) {
        return Err(Fault::NegativeCutoff);
    }
    check_distinct(&cutoffs)?;
    Ok(cutoffs.into_iter().map(i64::unsigned_abs).collect())
}

/// Real cutoffs in ascending order.
pub(super) fn points(text: &[u8]) -> Result<Vec<f64>, Fault> {
    let mut points = floats(text);
    points.sort_unstable_by(f64::total_cmp);
    check_distinct(&points)?;
    Ok(points)
}

fn check_distinct<T: PartialEq>(sorted: &[T]) -> Result<(), Fault> {
    let repeated = sorted.windows(2).any(|pair| pair[0] == pair[1]);
    if repeated {
        Err(Fault::DuplicateCutoffs)
    } else {
        Ok(())
    }
}

/// Numbers in the order given.
pub(super) fn floats(text: &[u8]) -> Vec<f64> {
    items(text).map(atof).collect()
}

/// Pairs of a name and a number.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Pairs {
    /// Grades and their gains, in the order given.
    pub(super) gains: Vec<(f64, f64)>,
    /// The value of `p`, the last one.
    pub(super) p: Option<f64>,
}

/// Pairs `name=value,name=value`. Names and values may be empty.
pub(super) fn pairs(text: &[u8], compat: Compat) -> Result<Pairs, Fault> {
    let mut pairs = Pairs::default();
    for item in items(text) {
        let mut parts = item.split(|byte| *byte == b'=');
        let (Some(name), Some(value), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Fault::MalformedPairs(text.to_vec()));
        };
        if name == b"p" && compat == Compat::Ten {
            pairs.p = Some(atof(value));
        } else if is_whole(name) || compat == Compat::Nine {
            pairs.gains.push((atol(name) as f64, atof(value)));
        }
    }
    Ok(pairs)
}

/// Whether a name is an integer: digits, with or without a sign.
fn is_whole(name: &[u8]) -> bool {
    let digits = name
        .strip_prefix(b"-")
        .or_else(|| name.strip_prefix(b"+"))
        .unwrap_or(name);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutoffs_are_integers_as_c_reads_them() {
        assert_eq!(cutoffs(b"20,5,23.4, 7 ,9x"), Ok(vec![5, 7, 9, 20, 23]));
        for wrong in ["0", "5,-1", "", "5,", "x", "5,5,0"] {
            assert_eq!(
                cutoffs(wrong.as_bytes()),
                Err(Fault::NegativeCutoff),
                "{wrong}"
            );
        }
        assert_eq!(cutoffs(b"5,10,5.5"), Err(Fault::DuplicateCutoffs));
    }

    #[test]
    fn points_may_be_negative() {
        assert_eq!(points(b".5,-1,.25"), Ok(vec![-1.0, 0.25, 0.5]));
        assert_eq!(points(b".5,0.50"), Err(Fault::DuplicateCutoffs));
        assert_eq!(floats(b"1,-1,,x"), [1.0, -1.0, 0.0, 0.0]);
    }

    #[test]
    fn pairs_alternate() {
        let read = |text: &str, compat| pairs(text.as_bytes(), compat);
        let gains = |gains: &[(f64, f64)], p| {
            Ok(Pairs {
                gains: gains.to_vec(),
                p,
            })
        };
        assert_eq!(
            read("1=3,2=9,4=4.5", Compat::Ten),
            gains(&[(1.0, 3.0), (2.0, 9.0), (4.0, 4.5)], None)
        );
        assert_eq!(
            read("-1=5,+2=1,p=0.5,p=0.8", Compat::Ten),
            gains(&[(-1.0, 5.0), (2.0, 1.0)], Some(0.8))
        );
        assert_eq!(read("=,1=,a=5", Compat::Ten), gains(&[(1.0, 0.0)], None));
        assert_eq!(read("a=5", Compat::Nine), gains(&[(0.0, 5.0)], None));
        for wrong in ["1", "1==2", "1=2,", ",1=2", "1=2,3", ""] {
            let fault = Fault::MalformedPairs(wrong.as_bytes().to_vec());
            assert_eq!(read(wrong, Compat::Ten), Err(fault), "{wrong}");
        }
    }
}

//! Strata of ranks: `1-10:1, 11-50:0.2, 51-:0.05`.

use std::fmt;
use std::str::FromStr;

use cranfield_core::error::Error;

/// Ranks, and the share of their documents that is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratum {
    /// First rank, from 1.
    pub first: usize,
    /// Last rank; `usize::MAX` if there is none.
    pub last: usize,
    /// Share of the documents that is drawn, above 0 and at most 1.
    pub rate: f64,
}

/// Strata of ranks. A document belongs to the stratum of its best rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Strata(Vec<Stratum>);

impl Strata {
    /// The strata, by rank.
    pub fn all(&self) -> &[Stratum] {
        &self.0
    }

    /// The place of the stratum that holds a rank.
    pub(crate) fn of(&self, rank: usize) -> Option<usize> {
        let holds = |stratum: &Stratum| (stratum.first..=stratum.last).contains(&rank);
        self.0.iter().position(holds)
    }
}

impl fmt::Display for Stratum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-", self.first)?;
        if self.last < usize::MAX {
            write!(f, "{}", self.last)?;
        }
        write!(f, ":{}", self.rate)
    }
}

impl fmt::Display for Strata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strata: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&strata.join(", "))
    }
}

impl FromStr for Strata {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut strata: Vec<Stratum> = Vec::new();
        for part in text.split(',') {
            let stratum = stratum(part.trim()).ok_or_else(|| {
                Error::parameter(format!(
                    "`{}` is not a stratum; expected first and last rank and a rate above 0 and at most 1, such as 11-50:0.2",
                    part.trim()
                ))
            })?;
            if strata.last().is_some_and(|last| last.last >= stratum.first) {
                return Err(Error::parameter(format!(
                    "stratum `{stratum}` must begin after the one before it ends"
                )));
            }
            strata.push(stratum);
        }
        Ok(Self(strata))
    }
}

fn stratum(text: &str) -> Option<Stratum> {
    let (ranks, rate) = text.split_once(':')?;
    let (first, last) = ranks.split_once('-')?;
    let first = first.trim().parse().ok().filter(|rank| *rank > 0)?;
    let last = match last.trim() {
        "" => usize::MAX,
        last => last.parse().ok().filter(|last| *last >= first)?,
    };
    let rate = rate.trim().parse().ok();
    let rate = rate.filter(|rate| *rate > 0.0 && *rate <= 1.0)?;
    Some(Stratum { first, last, rate })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_hold_ranks() {
        let strata: Strata = "1-10:1,11-50:0.2, 101-:0.05".parse().unwrap();
        assert_eq!(strata.to_string(), "1-10:1, 11-50:0.2, 101-:0.05");
        let places = [1, 10, 11, 50, 51, 100, 101, 9999].map(|rank| strata.of(rank));
        let (first, second, third) = (Some(0), Some(1), Some(2));
        assert_eq!(
            places,
            [first, first, second, second, None, None, third, third]
        );
    }

    #[test]
    fn wrong_strata_are_errors() {
        for text in ["", "1-10", "1-10:0", "1-10:1.5", "5-2:1", "0-3:1", "1-5:x"] {
            assert!(text.parse::<Strata>().is_err(), "{text}");
        }
        let error = "1-10:1, 5-20:1".parse::<Strata>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "stratum `5-20:1` must begin after the one before it ends"
        );
    }
}

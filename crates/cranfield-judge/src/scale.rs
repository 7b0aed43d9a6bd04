//! Scales of grades.

use std::collections::BTreeMap;
use std::path::Path;

use cranfield_io::{Code, Problem};
use serde::{Deserialize, Serialize};

use crate::error::{JudgeError, cannot_read};

/// Grades from 0 to 9, each with a description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    try_from = "BTreeMap<String, String>",
    into = "BTreeMap<String, String>"
)]
pub struct Scale(BTreeMap<u8, String>);

impl Default for Scale {
    /// Four grades, from "not relevant" to "perfectly relevant".
    fn default() -> Self {
        let grades = [
            "not relevant: about something else",
            "related: on the subject, without an answer",
            "relevant: a partial answer, or one among much else",
            "highly relevant: a full answer, and mainly that",
        ];
        Self((0..).zip(grades.map(str::to_owned)).collect())
    }
}

impl TryFrom<BTreeMap<String, String>> for Scale {
    type Error = String;

    fn try_from(table: BTreeMap<String, String>) -> Result<Self, String> {
        let mut grades = BTreeMap::new();
        for (grade, description) in table {
            let digit = Some(&grade).filter(|grade| grade.len() == 1);
            let digit = digit.and_then(|grade| grade.parse().ok());
            let digit = digit.ok_or_else(|| {
                format!("found the grade `{grade}`, expected a digit from 0 to 9")
            })?;
            grades.insert(digit, description);
        }
        if grades.len() < 2 {
            return Err("a scale needs at least two grades".into());
        }
        Ok(Self(grades))
    }
}

impl From<Scale> for BTreeMap<String, String> {
    fn from(scale: Scale) -> Self {
        let grades = scale.0.into_iter();
        grades
            .map(|(grade, description)| (grade.to_string(), description))
            .collect()
    }
}

impl Scale {
    /// Reads a TOML file with a line per grade, such as `0 = "not relevant"`.
    pub fn open(path: &Path) -> Result<Self, JudgeError> {
        let text = std::fs::read_to_string(path).map_err(|error| cannot_read(path, &error))?;
        toml::from_str(&text).map_err(|error| {
            let (path, bytes) = (path.to_string_lossy(), text.as_bytes());
            let place = error.span().unwrap_or(0..0);
            let problem = Problem::at(Code::BadScale, &path, bytes, place, error.message());
            let help = "a scale is a TOML file with a line per grade, such as 0 = \"not relevant\"";
            JudgeError::Input(problem.with_help(help).into())
        })
    }

    /// Whether a grade is on the scale.
    pub fn contains(&self, grade: u8) -> bool {
        self.0.contains_key(&grade)
    }

    /// A number as a grade of the scale.
    pub fn grade(&self, number: f64) -> Option<u8> {
        let is_digit = number.fract() == 0.0 && (0.0..=9.0).contains(&number);
        Some(number as u8).filter(|grade| is_digit && self.contains(*grade))
    }

    /// Grades in ascending order, with their descriptions.
    pub fn grades(&self) -> impl Iterator<Item = (u8, &str)> {
        self.0.iter().map(|(grade, text)| (*grade, text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_read_and_written() {
        let scale: Scale = toml::from_str("0 = 'no'\n2 = 'yes'\n").unwrap();
        assert_eq!(scale.grades().collect::<Vec<_>>(), [(0, "no"), (2, "yes")]);
        assert_eq!(
            toml::from_str::<Scale>(&toml::to_string(&scale).unwrap()).unwrap(),
            scale
        );
        for wrong in [
            "10 = 'a'\n1 = 'b'",
            "-1 = 'a'\n0 = 'b'",
            "0 = 'a'",
            "x = 'a'\n1 = 'b'",
        ] {
            assert!(toml::from_str::<Scale>(wrong).is_err(), "{wrong}");
        }
    }
}

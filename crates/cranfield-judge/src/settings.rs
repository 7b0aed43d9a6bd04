//! Settings that all assessors of a folder share.

use std::path::{Path, PathBuf};

use cranfield_io::{Code, Problem};
use serde::{Deserialize, Serialize};

use crate::error::{JudgeError, cannot_read, cannot_write};
use crate::scale::Scale;

/// The file of settings in a folder of judgements.
const FILE: &str = "judging.toml";

/// Settings that all assessors of a folder share. The first one decides: a file keeps the settings from the first judgement on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Seed of orders and assignments.
    pub seed: u64,
    /// Share of documents that all assessors judge.
    pub overlap: f64,
    /// Assessors who divide the pool; if empty, everyone judges everything.
    pub assessors: Vec<String>,
    /// The grades.
    pub scale: Scale,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 42,
            overlap: 0.0,
            assessors: Vec::new(),
            scale: Scale::default(),
        }
    }
}

/// Settings as far as they are given.
#[derive(Clone, Debug, Default)]
pub struct GivenSettings {
    /// Seed of orders and assignments.
    pub seed: Option<u64>,
    /// Share of documents that all assessors judge.
    pub overlap: Option<f64>,
    /// Assessors who divide the pool.
    pub assessors: Option<Vec<String>>,
    /// The grades.
    pub scale: Option<Scale>,
}

impl Settings {
    /// The file of a folder's settings.
    pub(crate) fn path(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    /// Writes the settings to a folder that has none.
    ///
    /// # Errors
    /// If the folder has others by now, or they cannot be written.
    pub(crate) fn keep(&self, folder: &Path) -> Result<(), JudgeError> {
        let path = Self::path(folder);
        if let Some(known) = Self::read(&path)? {
            return known.expect(self, folder);
        }
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        let text = toml::to_string(self)
            .map_err(|error| JudgeError::Setting(format!("cannot write the settings: {error}")))?;
        cranfield_io::save_text(&text, &path)?;
        Ok(())
    }

    /// The settings of a folder, or those that it would have.
    ///
    /// # Errors
    /// If a given setting is invalid or contradicts the folder.
    pub fn resolve(folder: &Path, given: &GivenSettings) -> Result<Self, JudgeError> {
        let known = Self::read(&Self::path(folder))?;
        let settings = given.over(known.clone().unwrap_or_default());
        settings.check()?;
        if let Some(known) = known {
            known.expect(&settings, folder)?;
        }
        Ok(settings)
    }

    fn expect(&self, other: &Self, folder: &Path) -> Result<(), JudgeError> {
        if self == other {
            return Ok(());
        }
        Err(JudgeError::Setting(format!(
            "judging in `{}` began with other settings: {}; use these, or another folder",
            folder.display(),
            self.differences(other)
        )))
    }

    fn read(path: &Path) -> Result<Option<Self>, JudgeError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(cannot_read(path, &error)),
        };
        toml::from_str(&text).map(Some).map_err(|error| {
            let place = error.span().unwrap_or(0..0);
            let name = path.to_string_lossy();
            let problem = Problem::at(
                Code::BadScale,
                &name,
                text.as_bytes(),
                place,
                error.message(),
            );
            JudgeError::Input(problem.into())
        })
    }

    fn check(&self) -> Result<(), JudgeError> {
        if !(0.0..=1.0).contains(&self.overlap) {
            return Err(JudgeError::Setting(format!(
                "the share that all assessors judge is {}, expected a number from 0 to 1",
                self.overlap
            )));
        }
        if self.overlap > 0.0 && self.assessors.len() < 2 {
            return Err(JudgeError::Setting(
                "an overlap needs the names of at least two assessors".into(),
            ));
        }
        Ok(())
    }

    fn differences(&self, other: &Self) -> String {
        let mut known = Vec::new();
        if self.seed != other.seed {
            known.push(format!("seed {}", self.seed));
        }
        if self.overlap != other.overlap {
            known.push(format!("overlap {}", self.overlap));
        }
        if self.assessors != other.assessors {
            let names = match self.assessors.as_slice() {
                [] => "none named".into(),
                names => names.join(","),
            };
            known.push(format!("assessors {names}"));
        }
        if self.scale != other.scale {
            known.push("another scale".into());
        }
        known.join(", ")
    }
}

impl GivenSettings {
    fn over(&self, known: Settings) -> Settings {
        Settings {
            seed: self.seed.unwrap_or(known.seed),
            overlap: self.overlap.unwrap_or(known.overlap),
            assessors: self.assessors.clone().unwrap_or(known.assessors),
            scale: self.scale.clone().unwrap_or(known.scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_assessor_decides() {
        let folder = tempfile::tempdir().unwrap();
        let given = GivenSettings {
            seed: Some(7),
            overlap: Some(0.25),
            assessors: Some(vec!["ann".into(), "bob".into()]),
            ..GivenSettings::default()
        };
        let first = Settings::resolve(folder.path(), &given).unwrap();
        let resolve = |given: &GivenSettings| Settings::resolve(folder.path(), given);
        assert_ne!(resolve(&GivenSettings::default()).unwrap(), first);
        first.keep(folder.path()).unwrap();
        first.keep(folder.path()).unwrap();
        assert_eq!(resolve(&GivenSettings::default()).unwrap(), first);
        // Someone who began at the same time with other settings.
        assert!(Settings::default().keep(folder.path()).is_err());
        let other = GivenSettings {
            seed: Some(8),
            ..GivenSettings::default()
        };
        let error = resolve(&other).unwrap_err().to_string();
        assert!(error.contains("seed 7"), "{error}");
    }
}

//! Fusing runs of an experiment.

use super::{Experiment, Made};
use crate::error::Error;
use crate::experiment::file::FusePart;
use crate::experiment::state::State;
use crate::fusing::{FuseRequest, fuse_files};
use crate::searching::provenance_path;

impl FusePart {
    pub(super) fn what(&self) -> String {
        format!("{} of {}", self.fusion.method, self.runs.join(", "))
    }

    /// The parameters.
    pub(super) fn parameters(&self) -> String {
        format!("{:?} {:?}", self.runs, self.fusion)
    }
}

impl Experiment {
    /// Fuses runs into one.
    pub(super) fn fuse(&self, name: &str, state: &State) -> Result<Made, Error> {
        let part = &self.parts.fuses[name];
        if let Some(run) = part.runs.iter().find(|run| state.has_failed(run)) {
            return Err(self.problem(format!("fuse.{name}: {run} failed")));
        }
        let request = FuseRequest {
            runs: part.runs.iter().map(|run| self.run_path(run)).collect(),
            fusion: part.fusion.clone(),
            tag: Some(name.into()),
            ..FuseRequest::default()
        };
        let path = self.run_path(name);
        let fused = fuse_files(&request, &path);
        fused.map_err(|source| Error::Fuse {
            step: format!("fuse.{name}"),
            source,
        })?;
        Ok(Made {
            files: vec![provenance_path(&path), path],
            notes: Vec::new(),
        })
    }
}

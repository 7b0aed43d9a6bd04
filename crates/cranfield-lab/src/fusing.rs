//! Fusion of files, with its provenance.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cranfield_core::qrels::Qrels;
use cranfield_eval::Progress;
use cranfield_fusion::{Error, Fusion, RunFiles, Summary};
use cranfield_io::RunFormat;
use serde_json::{Value, json};

use crate::searching::{ir_metadata, save_provenance};

/// Files to be fused.
#[derive(Debug, Default)]
pub struct FuseRequest {
    /// The runs.
    pub runs: Vec<PathBuf>,
    /// Their format; detected if `None`.
    pub run_format: Option<RunFormat>,
    /// The settings.
    pub fusion: Fusion,
    /// Judgements that the method learns from, if it is a trained one.
    pub train: Option<Qrels>,
    /// Tag of the fused run; the method's name if `None`.
    pub tag: Option<String>,
    /// Receives the number of fused topics.
    pub progress: Progress,
}

impl FuseRequest {
    fn tag(&self) -> &str {
        let name = self.fusion.method.name();
        self.tag.as_deref().unwrap_or(name)
    }
}

/// Fuses runs into a file, and writes what it depends on next to it; to standard output for `-`.
pub fn fuse_files(request: &FuseRequest, output: &Path) -> Result<Summary, Error> {
    let start = Instant::now();
    let mut files = RunFiles::open(&request.runs, request.run_format)?;
    let mut fusion = request.fusion.clone();
    if let Some(qrels) = request
        .train
        .as_ref()
        .filter(|_| fusion.method.is_trained())
    {
        fusion.trained = Some(files.train(&fusion, qrels)?);
    }
    fusion.check(request.runs.len())?;
    let summary = files.fuse_to(output, &fusion, request.tag(), &request.progress)?;
    let runs: Vec<Value> = files
        .hashes()
        .zip(&summary.runs)
        .map(
            |((name, hash), (_, topics))| json!({ "file": beside(name, output), "blake3": hash, "topics": topics }),
        )
        .collect();
    let norms: Vec<String> = fusion
        .used_norms()
        .iter()
        .map(ToString::to_string)
        .collect();
    let retrieval = json!({
        "name": request.tag(),
        "method": fusion.method.to_string(),
        "normalisation": norms,
        "weights": fusion.weights,
    });
    let own = json!({
        "runs": runs,
        "topics": summary.topics,
        "depth of runs": fusion.input_depth,
        "depth": fusion.depth,
        "missing documents": fusion.missing.name(),
        "profile": fusion.profile.name(),
        "ties in runs": fusion.ties.name(),
        "documents with equal scores": summary.tied,
        "training topics": summary.trained_on,
        "seconds": start.elapsed().as_secs_f64(),
    });
    save_provenance(&ir_metadata(request.tag(), &retrieval, &own), output)?;
    Ok(summary)
}

/// The path of a run as seen from the folder of the output, if it is in there, so that a folder can be moved.
fn beside<'n>(name: &'n str, output: &Path) -> std::borrow::Cow<'n, str> {
    let folder = output.parent().unwrap_or(Path::new(""));
    let path = Path::new(name);
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy()
}

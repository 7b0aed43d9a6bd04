//! Runs that an experiment fuses.

use std::collections::BTreeMap;

use cranfield_fusion::{Fusion, Missing, Norm};
use cranfield_io::Error;
use serde::Deserialize;
use toml::Spanned;

use super::{Reader, RunPart, TunePart, problem};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct FuseTable {
    runs: Spanned<Vec<String>>,
    method: Option<Spanned<String>>,
    norm: Option<Norms>,
    weights: Option<Vec<f64>>,
    depth: Option<usize>,
    input_depth: Option<usize>,
    missing: Option<Spanned<String>>,
}

/// One normalisation for all runs, or one for each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Norms {
    One(Spanned<String>),
    Each(Vec<Spanned<String>>),
}

/// A run that is made of others.
#[derive(Clone, Debug)]
pub(in super::super) struct FusePart {
    pub(in super::super) runs: Vec<String>,
    pub(in super::super) fusion: Fusion,
}

impl Reader<'_> {
    pub(super) fn fuse(
        &self,
        name: &str,
        fuse: &Spanned<FuseTable>,
        runs: &BTreeMap<String, RunPart>,
        tunes: &BTreeMap<String, TunePart>,
    ) -> Result<FusePart, Error> {
        let table = fuse.get_ref();
        let wrong = |span, message: String| problem(self.source, span, &message);
        if runs.contains_key(name) || tunes.contains_key(name) {
            let message = format!(
                "there is also a table [run.{name}] or [tune.{name}]; both would write one run"
            );
            return Err(wrong(fuse.span(), message));
        }
        let names = table.runs.get_ref();
        let is_known = |name: &&String| runs.contains_key(*name) || tunes.contains_key(*name);
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            let message = format!("`{unknown}` is not one of the runs");
            return Err(wrong(table.runs.span(), message));
        }
        let fusion = Fusion {
            method: self.parsed_or_default(table.method.as_ref())?,
            norms: self.norms(table.norm.as_ref())?,
            weights: table.weights.clone().unwrap_or_default(),
            depth: Some(table.depth.unwrap_or(1000)),
            input_depth: table.input_depth,
            missing: self.parsed_or_default::<Missing, _>(table.missing.as_ref())?,
            ..Fusion::default()
        };
        if fusion.method.is_trained() {
            let message = format!(
                "{} learns from judgements; an experiment would train it on the topics that it is evaluated on",
                fusion.method.name()
            );
            return Err(wrong(fuse.span(), message));
        }
        let checked = fusion.check(names.len());
        checked.map_err(|error| wrong(fuse.span(), error.to_string()))?;
        Ok(FusePart {
            runs: names.clone(),
            fusion,
        })
    }

    fn norms(&self, norms: Option<&Norms>) -> Result<Vec<Norm>, Error> {
        match norms {
            None => Ok(Vec::new()),
            Some(Norms::One(norm)) => Ok(vec![self.parsed(norm, str::parse)?]),
            Some(Norms::Each(norms)) => norms
                .iter()
                .map(|norm| self.parsed(norm, str::parse))
                .collect(),
        }
    }
}

//! Titles of topics and documents, from a collection.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use cranfield::collection::Collection;
use cranfield::core::setting::{Message, Setting};
use cranfield::lab::inputs;
use cranfield::{Evaluation, Labels};

use crate::output::notes;

/// Options for titles.
#[derive(Clone, Debug, Default, Args)]
pub struct TitleArgs {
    /// Show titles of topics and documents: a collection file or folder, or a file of topics
    #[arg(long, value_name = "PATH")]
    pub collection: Option<PathBuf>,
}

impl TitleArgs {
    /// The file, which no output may replace.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.collection.as_deref()
    }

    /// Opens the collection, before anything that takes long.
    pub(crate) fn open(&self) -> anyhow::Result<Titles> {
        let path = self.collection.as_deref();
        Ok(Titles(path.map(inputs::titled).transpose()?))
    }
}

/// A collection with titles, if one is given.
pub(crate) struct Titles(Option<Collection>);

impl Titles {
    /// Whether there is a collection.
    pub(crate) fn are_given(&self) -> bool {
        self.0.is_some()
    }

    /// The titles of these topics and documents; empty without a collection.
    pub(crate) fn labels(
        &self,
        topics: &BTreeSet<&[u8]>,
        documents: &BTreeSet<&[u8]>,
    ) -> anyhow::Result<Labels> {
        let Some(collection) = &self.0 else {
            return Ok(Labels::default());
        };
        Ok(inputs::labels(collection, topics, documents)?)
    }

    /// Writes a note if a collection has none of the topics.
    pub(crate) fn write_note(&self, labels: &Labels, err: &mut dyn Write) -> std::io::Result<()> {
        match &self.0 {
            Some(collection) if !labels.has_topics() => {
                let message = format!(": no topic of `{}` has an evaluated id", collection.label());
                notes::line(err, Message::from(Setting::Collection).then(message))
            }
            _ => Ok(()),
        }
    }
}

/// The ids of all evaluated topics.
pub(crate) fn topics_of(evaluation: &Evaluation) -> BTreeSet<&[u8]> {
    let topics = evaluation.runs.iter().flat_map(|run| &run.scores.topics);
    topics.map(|topic| &*topic.id).collect()
}

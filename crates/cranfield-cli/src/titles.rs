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
        Ok(Titles::open(self.collection.as_deref())?)
    }
}

/// A collection with titles, if one is given.
#[derive(Debug, Default)]
pub struct Titles(Option<Collection>);

impl Titles {
    /// Opens a collection file or folder, or a file of topics.
    pub fn open(path: Option<&Path>) -> Result<Self, cranfield::io::Error> {
        Ok(Self(path.map(inputs::titled).transpose()?))
    }

    /// Whether there is a collection.
    pub fn are_given(&self) -> bool {
        self.0.is_some()
    }

    /// The titles of these topics and documents; empty without a collection.
    pub fn labels(
        &self,
        topics: &BTreeSet<&[u8]>,
        documents: &BTreeSet<&[u8]>,
    ) -> Result<Labels, cranfield::io::Error> {
        match &self.0 {
            Some(collection) => inputs::labels(collection, topics, documents),
            None => Ok(Labels::default()),
        }
    }

    /// A note if a collection has none of the topics.
    pub fn note(&self, labels: &Labels) -> Option<Message> {
        let collection = self.0.as_ref().filter(|_| !labels.has_topics())?;
        let message = format!(": no topic of `{}` has an evaluated id", collection.label());
        Some(Message::from(Setting::Collection).then(message))
    }

    /// Writes the note, if there is one.
    pub(crate) fn write_note(&self, labels: &Labels, err: &mut dyn Write) -> std::io::Result<()> {
        self.note(labels)
            .map_or(Ok(()), |note| notes::line(err, note))
    }
}

/// The ids of all evaluated topics.
pub fn topics_of(evaluation: &Evaluation) -> BTreeSet<&[u8]> {
    let topics = evaluation.runs.iter().flat_map(|run| &run.scores.topics);
    topics.map(|topic| &*topic.id).collect()
}

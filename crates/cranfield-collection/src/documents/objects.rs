//! Documents in memory.

use std::sync::Arc;

use cranfield_io::Error;
use serde_json::{Map, Value};

use super::{DocumentOptions, Documents, Record, jsonl, selected};
use crate::document::DocumentPlace;

/// Objects with an id and fields.
pub(super) struct Objects {
    name: Arc<str>,
    list: Box<dyn Iterator<Item = Result<Map<String, Value>, Error>> + Send>,
    done: u64,
    total: u64,
}

impl Objects {
    pub(super) fn next(&mut self, options: &DocumentOptions) -> Result<Option<Record>, Error> {
        let Some(object) = self.list.next().transpose()? else {
            return Ok(None);
        };
        self.done += 1;
        let mut document = jsonl::document(object, options.id.as_deref());
        document.selected = selected(&options.text, &document.fields);
        document.place = DocumentPlace {
            file: Arc::clone(&self.name),
            line: self.done,
            offset: 0,
        };
        Ok(Some(Record::Document {
            document,
            replaced: 0,
        }))
    }

    /// The number of objects so far, and of all of them if it is known.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.done, self.total.max(self.done))
    }
}

impl Documents {
    /// Reads objects in memory by the rules of JSON lines. Messages refer to them as `name`, with their number as the line.
    ///
    /// ```
    /// use cranfield_collection::{DocumentOptions, Documents};
    /// use serde_json::json;
    ///
    /// let objects = [json!({"id": "d1", "title": "On wings"}), json!({"id": 2, "text": "On tails"})];
    /// let objects = objects.map(|object| Ok(object.as_object().cloned().unwrap_or_default()));
    /// let documents = Documents::of_objects("<documents>", objects.into_iter(), DocumentOptions::default());
    /// let ids: Vec<String> = documents.map(|document| document.map(|one| one.id)).collect::<Result<_, _>>()?;
    /// assert_eq!(ids, ["d1", "2"]);
    /// # Ok::<(), cranfield_io::Error>(())
    /// ```
    pub fn of_objects(
        name: &str,
        objects: impl Iterator<Item = Result<Map<String, Value>, Error>> + Send + 'static,
        options: DocumentOptions,
    ) -> Self {
        let total = objects.size_hint().0 as u64;
        Self {
            objects: Some(Objects {
                name: name.into(),
                list: Box::new(objects),
                done: 0,
                total,
            }),
            ..Self::of_files(super::Files::default(), options)
        }
    }
}

//! Files that are one document each.

use std::path::Path;

use cranfield_io::Error;

use super::window::Window;
use super::{Record, RecordReader, html, selected};
use crate::document::{Document, TextFields};
use crate::encoding;

/// A reader of a file that is a document.
pub(super) struct Plain {
    pub(super) text: TextFields,
    pub(super) is_done: bool,
}

impl RecordReader for Plain {
    fn next(&mut self, window: &mut Window) -> Result<Option<Record>, Error> {
        if self.is_done {
            return Ok(None);
        }
        self.is_done = true;
        while window.more()? {}
        let decoded = encoding::decode(window.bytes(), window.declared);
        let fields = if html::is_page(&decoded.text) {
            html::parse(&decoded.text).fields
        } else {
            vec![("text".into(), decoded.text.trim().to_owned())]
        };
        let document = Document {
            id: id_of(&window.place().file),
            selected: selected(&self.text, &fields),
            fields,
            place: window.place().clone(),
        };
        let replaced = decoded.replaced;
        Ok(Some(Record::Document { document, replaced }))
    }
}

/// The name of a file without folder and suffix; of a compressed file, without both of its suffixes.
fn id_of(file: &str) -> String {
    const PACKED: [&str; 7] = [".gz", ".zst", ".bz2", ".xz", ".lz4", ".z", ".Z"];
    let file = file.rsplit([':', '/']).next().unwrap_or(file);
    let file = PACKED
        .iter()
        .find_map(|end| file.strip_suffix(end))
        .unwrap_or(file);
    let stem = Path::new(file).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

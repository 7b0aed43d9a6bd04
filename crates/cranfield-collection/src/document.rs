//! Documents.

/// A document: an id, and text in named fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The id that runs and judgements use.
    pub id: String,
    /// Names and texts of the fields, in the order of the file; a name may occur more than once.
    pub fields: Vec<(String, String)>,
}

impl Document {
    /// The text of a field; its parts joined by a line break if it occurs more than once.
    pub fn field(&self, name: &str) -> Option<String> {
        let mut parts = self.fields.iter().filter(|(field, _)| field == name);
        let mut text = parts.next()?.1.clone();
        for (_, part) in parts {
            text.push('\n');
            text.push_str(part);
        }
        Some(text)
    }

    /// The text of some fields, or of all if none are named, one after the other.
    pub fn text_of(&self, names: &[String]) -> String {
        let is_named = |name: &String| names.is_empty() || names.contains(name);
        let mut text = String::new();
        for (_, part) in self.fields.iter().filter(|(name, _)| is_named(name)) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(part);
        }
        text
    }
}

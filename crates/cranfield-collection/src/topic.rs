//! Topics, and the queries made of them.

use std::fmt;
use std::str::FromStr;

/// A topic: an information need in named fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// The id that runs and judgements use.
    pub id: String,
    /// Names and texts of the fields: `title`, `description`, `narrative`, and others by the name of their tag.
    pub fields: Vec<(String, String)>,
}

impl Topic {
    /// The text of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields
            .find(|(field, _)| field == name)
            .map(|(_, text)| text.as_str())
    }

    /// The title, or the first field of a topic without one.
    pub fn title(&self) -> &str {
        let first = self.fields.first().map_or("", |(_, text)| text.as_str());
        self.field("title").unwrap_or(first)
    }
}

/// The fields that make up a query: `title`, `title+desc`, `title+desc+narr`.
///
/// `desc` and `narr` are short for `description` and `narrative`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryFields(Vec<String>);

impl Default for QueryFields {
    fn default() -> Self {
        Self(vec!["title".into()])
    }
}

impl QueryFields {
    /// The query of a topic: the text of its fields, separated by spaces. `None` if it has none of them.
    pub fn query(&self, topic: &Topic) -> Option<String> {
        let texts: Vec<&str> = self.0.iter().filter_map(|name| topic.field(name)).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }
}

impl QueryFields {
    /// The fields that none of the topics has, where the query is made of several.
    pub fn lacking<'f, 't>(&'f self, topics: impl IntoIterator<Item = &'t Topic>) -> Vec<&'f str> {
        let mut lacking: Vec<&str> = self.0.iter().map(String::as_str).collect();
        for topic in topics {
            lacking.retain(|name| topic.field(name).is_none());
        }
        lacking
    }
}

impl FromStr for QueryFields {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names: Vec<String> = text
            .split('+')
            .map(|name| match name.trim() {
                "desc" => "description".to_owned(),
                "narr" => "narrative".to_owned(),
                name => name.to_owned(),
            })
            .collect();
        if names.iter().any(String::is_empty) {
            return Err(format!(
                "expected fields such as title+desc, found `{text}`"
            ));
        }
        Ok(Self(names))
    }
}

impl fmt::Display for QueryFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("+"))
    }
}

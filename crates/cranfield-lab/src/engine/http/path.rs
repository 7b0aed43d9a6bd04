//! Paths into JSON answers.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// A JSON Pointer (RFC 6901) in which `*` stands for every element of an array.
///
/// ```
/// use cranfield_lab::engine::http::JsonPath;
///
/// let path: JsonPath = "/hits/hits/*/_id".parse()?;
/// let answer = serde_json::json!({"hits": {"hits": [{"_id": "d1"}, {"_id": "d2"}]}});
/// assert_eq!(path.values(&answer), Some(vec![&serde_json::json!("d1"), &serde_json::json!("d2")]));
/// # Ok::<(), cranfield_lab::engine::http::BadPath>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Each,
    Key(String),
}

impl JsonPath {
    /// The values at the path; `None` if a part of it does not exist.
    pub fn values<'a>(&self, value: &'a Value) -> Option<Vec<&'a Value>> {
        let mut found = vec![value];
        for step in &self.0 {
            let next = |value: &'a Value| -> Option<Vec<&'a Value>> {
                match (step, value) {
                    (Step::Each, Value::Array(items)) => Some(items.iter().collect()),
                    (Step::Each, _) => None,
                    (Step::Key(key), Value::Array(items)) => {
                        Some(vec![items.get(key.parse::<usize>().ok()?)?])
                    }
                    (Step::Key(key), value) => Some(vec![value.get(key)?]),
                }
            };
            let parts: Option<Vec<Vec<&Value>>> = found.into_iter().map(next).collect();
            found = parts?.into_iter().flatten().collect();
        }
        Some(found)
    }
}

impl FromStr for JsonPath {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<Self, BadPath> {
        let rest = text.strip_prefix('/').ok_or_else(|| BadPath(text.into()))?;
        let step = |part: &str| match part {
            "*" => Step::Each,
            key => Step::Key(key.replace("~1", "/").replace("~0", "~")),
        };
        Ok(Self(rest.split('/').map(step).collect()))
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Step::Each => f.write_str("/*")?,
                Step::Key(key) => write!(f, "/{}", key.replace('~', "~0").replace('/', "~1"))?,
            }
        }
        Ok(())
    }
}

/// A path that does not begin with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPath(String);

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found `{}`, expected a path such as /hits/*/id", self.0)
    }
}

impl std::error::Error for BadPath {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(path: &str, value: &Value) -> Option<Vec<Value>> {
        let path: JsonPath = path.parse().expect("the path is valid");
        assert_eq!(path.to_string().parse(), Ok(path.clone()));
        path.values(value)
            .map(|values| values.into_iter().cloned().collect())
    }

    #[test]
    fn paths_select_keys_elements_and_every_element() {
        let answer = json!({"a/b": [{"x": 1}, {"x": 2, "y": 3}], "m~n": [[1], [2, 3]]});
        assert_eq!(values("/a~1b/*/x", &answer), Some(vec![json!(1), json!(2)]));
        assert_eq!(values("/a~1b/1/y", &answer), Some(vec![json!(3)]));
        let nested = Some(vec![json!(1), json!(2), json!(3)]);
        assert_eq!(values("/m~0n/*/*", &answer), nested);
        // One element without the key is not the same as an element less.
        assert_eq!(values("/a~1b/*/y", &answer), None);
        assert_eq!(values("/absent", &answer), None);
    }

    #[test]
    fn an_empty_array_has_no_values() {
        assert_eq!(values("/hits/*/id", &json!({"hits": []})), Some(vec![]));
        assert!("hits".parse::<JsonPath>().is_err());
    }
}

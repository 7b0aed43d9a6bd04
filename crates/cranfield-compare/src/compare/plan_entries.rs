//! Entries of a comparison plan, read from TOML: checks keys and types, and keeps the place of each value.
//!
//! [`super::plan_file`] checks what the values mean.

use std::collections::BTreeMap;
use std::ops::Range;

use cranfield_core::grammar::nearest_name;
use cranfield_io::{Code, Error, Problem, Problems, Source};
use toml::{Spanned, Value};

/// Maximum size of a plan, far more than anyone writes by hand.
const MAX_BYTES: usize = 1 << 20;

/// All keys.
const KEYS: [&str; 24] = [
    "title",
    "measures",
    "runs",
    "baseline",
    "topics",
    "test",
    "correction",
    "family",
    "alpha",
    "margin",
    "rope",
    "interval",
    "standardise",
    "replicates",
    "seed",
    "profile",
    "level",
    "topic_rule",
    "ties",
    "unjudged",
    "negative",
    "undefined",
    "depth",
    "identical",
];

/// Keys of policies and the names of the policies; the key `topics` is the number or the list of topics.
const POLICIES: [(&str, &str); 6] = [
    ("topic_rule", "topics"),
    ("ties", "ties"),
    ("unjudged", "unjudged"),
    ("negative", "negative"),
    ("undefined", "undefined"),
    ("identical", "identical"),
];

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry<T> {
    /// The value.
    pub(super) value: T,
    /// Range of bytes in the file.
    pub(super) span: Range<usize>,
}

/// The entries of a plan; `None` for absent ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlanEntries {
    /// Title of the plan.
    pub(super) title: Option<Entry<String>>,
    /// Primary measures.
    pub(super) measures: Option<Entry<Vec<String>>>,
    /// Names of the runs.
    pub(super) runs: Option<Entry<Vec<String>>>,
    /// Names of the baseline runs.
    pub(super) baseline: Option<Entry<Vec<String>>>,
    /// Ids of the topics.
    pub(super) topics: Option<Entry<Vec<String>>>,
    /// Number of topics.
    pub(super) topic_count: Option<Entry<u64>>,
    /// Significance test.
    pub(super) test: Option<Entry<String>>,
    /// Multiple-testing correction.
    pub(super) correction: Option<Entry<String>>,
    /// Family of tests that is corrected together.
    pub(super) family: Option<Entry<String>>,
    /// Significance level.
    pub(super) alpha: Option<Entry<f64>>,
    /// Equivalence margin.
    pub(super) margin: Option<Entry<f64>>,
    /// Region of practical equivalence.
    pub(super) rope: Option<Entry<f64>>,
    /// Kind of confidence intervals.
    pub(super) interval: Option<Entry<String>>,
    /// Kind of standardisation.
    pub(super) standardise: Option<Entry<String>>,
    /// Number of replicates of random tests.
    pub(super) replicates: Option<Entry<u64>>,
    /// Seed of random tests.
    pub(super) seed: Option<Entry<u64>>,
    /// Profile of conventions.
    pub(super) profile: Option<Entry<String>>,
    /// Lowest relevant grade.
    pub(super) level: Option<Entry<f64>>,
    /// Names and values of policies.
    pub(super) policies: Vec<(&'static str, Entry<String>)>,
    /// Number of documents of each ranking that are kept.
    pub(super) depth: Option<Entry<u64>>,
}

/// Reads the entries of a plan.
///
/// # Errors
/// If the file is not TOML, has unknown keys, or values of the wrong type.
pub(super) fn read_plan(source: &Source) -> Result<PlanEntries, Error> {
    let text = source.text(MAX_BYTES, "a plan", Code::BadPlan)?;
    let entries: BTreeMap<String, Spanned<Value>> = toml::from_str(text).map_err(|error| {
        let message = error.message().replace('\n', "; ");
        problem(source, error.span().unwrap_or_default(), &message)
    })?;
    let mut reader = Reader {
        source,
        entries,
        problems: Problems::default(),
    };
    reader.check_keys();
    let plan = reader.plan();
    reader.problems.into_result()?;
    Ok(plan)
}

/// Creates a problem of a plan.
fn problem(source: &Source, span: Range<usize>, message: &str) -> Problem {
    Problem::at(Code::BadPlan, source.name(), source.bytes(), span, message)
}

struct Reader<'a> {
    source: &'a Source,
    entries: BTreeMap<String, Spanned<Value>>,
    problems: Problems,
}

impl Reader<'_> {
    fn check_keys(&mut self) {
        for (key, value) in &self.entries {
            if KEYS.contains(&key.as_str()) {
                continue;
            }
            let hint = match nearest_name(key, &KEYS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected one of {}", KEYS.join(", ")),
            };
            let message = format!("unknown key `{key}`; {hint}");
            self.problems
                .push(problem(self.source, value.span(), &message));
        }
    }

    fn plan(&mut self) -> PlanEntries {
        let is_count = self
            .entries
            .get("topics")
            .is_some_and(|value| value.get_ref().is_integer());
        PlanEntries {
            title: self.entry("title", "a string", text),
            measures: self.entry("measures", "a list of strings", list),
            runs: self.entry("runs", "a list of strings", list),
            baseline: self.entry("baseline", "a string or a list of strings", text_or_list),
            topics: if is_count {
                None
            } else {
                self.entry("topics", "an integer or a list of strings", list)
            },
            topic_count: if is_count {
                self.entry("topics", "an integer of at least 0", whole)
            } else {
                None
            },
            test: self.entry("test", "a string", text),
            correction: self.entry("correction", "a string", text),
            family: self.entry("family", "a string", text),
            alpha: self.entry("alpha", "a number", number),
            margin: self.entry("margin", "a number", number),
            rope: self.entry("rope", "a number", number),
            interval: self.entry("interval", "a string", text),
            standardise: self.entry("standardise", "a string", text),
            replicates: self.entry("replicates", "an integer of at least 0", whole),
            seed: self.entry("seed", "an integer of at least 0", whole),
            profile: self.entry("profile", "a string", text),
            level: self.entry("level", "a number", number),
            policies: self.policies(),
            depth: self.entry("depth", "an integer of at least 0", whole),
        }
    }

    fn policies(&mut self) -> Vec<(&'static str, Entry<String>)> {
        let named = POLICIES.iter();
        named
            .filter_map(|(key, policy)| Some((*policy, self.entry(key, "a string", text)?)))
            .collect()
    }

    fn entry<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: fn(&Value) -> Option<T>,
    ) -> Option<Entry<T>> {
        let found = self.entries.get(key)?;
        if let Some(value) = read(found.get_ref()) {
            return Some(Entry {
                value,
                span: found.span(),
            });
        }
        let kind = match found.get_ref() {
            Value::Integer(number) => number.to_string(),
            Value::Array(_) => "another list".into(),
            other => format!("a {}", other.type_str()),
        };
        let message = format!("`{key}` is {kind}, expected {expected}");
        self.problems
            .push(problem(self.source, found.span(), &message));
        None
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn list(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}

fn text_or_list(value: &Value) -> Option<Vec<String>> {
    text(value).map(|one| vec![one]).or_else(|| list(value))
}

fn whole(value: &Value) -> Option<u64> {
    value
        .as_integer()
        .and_then(|number| u64::try_from(number).ok())
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<PlanEntries, Error> {
        read_plan(&Source::from_bytes("plan.toml", text.into()).unwrap())
    }

    #[test]
    fn entries_keep_their_places() {
        let plan =
            read("measures = ['AP', 'nDCG@10']\nbaseline = 'bm25'\ntopics = 50\nalpha = 1\n")
                .unwrap();
        assert_eq!(plan.measures.unwrap().value, ["AP", "nDCG@10"]);
        assert_eq!(plan.baseline.unwrap().value, ["bm25"]);
        assert_eq!((plan.topics, plan.topic_count.unwrap().value), (None, 50));
        assert_eq!(
            plan.alpha,
            Some(Entry {
                value: 1.0,
                span: 67..68
            })
        );
        let policies = read("topic_rule = 'both'\nties = 'expected'\nlevel = 2\n").unwrap();
        let named = policies.policies.iter();
        let named: Vec<_> = named.map(|(name, entry)| (*name, &*entry.value)).collect();
        assert_eq!(named, [("topics", "both"), ("ties", "expected")]);
        assert_eq!(policies.level.unwrap().value, 2.0);
        assert_eq!(
            read("topics = ['1', '2']").unwrap().topics.unwrap().value,
            ["1", "2"]
        );
    }

    #[test]
    fn errors_have_a_line() {
        for (text, expected) in [
            (
                "\nmesures = ['AP']\n",
                "plan.toml:2:11: unknown key `mesures`; did you mean `measures`? [IR095]",
            ),
            (
                "xyz = 1\n",
                "unknown key `xyz`; expected one of title, measures, runs",
            ),
            (
                "alpha = 'x'\n",
                "plan.toml:1:9: `alpha` is a string, expected a number",
            ),
            (
                "seed = -1\n",
                "plan.toml:1:8: `seed` is -1, expected an integer of at least 0",
            ),
            (
                "runs = [1]\n",
                "`runs` is another list, expected a list of strings",
            ),
            ("measures = \n", "plan.toml:1:"),
            ("test = 't'\ntest = 't'\n", "plan.toml:2:"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let two = read("a = 1\nb = 2\n").unwrap_err();
        assert_eq!(two.problems().len(), 2);
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(text in "([a-z]{1,9} ?= ?[\\[\\]'\"0-9a-z.,-]{0,9}\n){0,4}") {
            let _ = read(&text);
        }
    }
}

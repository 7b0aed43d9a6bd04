//! Lock files in TOML: the values of a run by topic, and the inputs and settings they depend on. One line per topic, so that a diff
//! shows what changed.

use std::collections::BTreeMap;
use std::ops::Range;

use cranfield_io::{Code, Error, Problem, Problems, Source};
use cranfield_render::{one_line, plural, rounded};
use serde::Deserialize;
use toml::Spanned;

/// Version of the format.
const LOCK_VERSION: u64 = 1;

/// Maximum size of a lock file, enough for a million topics with a few measures.
const MAX_BYTES: usize = 1 << 27;

/// Maximum number of measures in a lock file.
const MAX_MEASURES: usize = 1000;

/// The values that later runs are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// Version of Cranfield that computed the values.
    pub cranfield: String,
    /// Name of the profile.
    pub profile: String,
    /// Policies, by name.
    pub policies: BTreeMap<String, String>,
    /// Seed of tests that draw random numbers.
    pub seed: u64,
    /// The judgements.
    pub qrels: LockedFile,
    /// Other files that values depend on, by kind: intents, known, sessions.
    pub other_files: BTreeMap<String, LockedFile>,
    /// Name of the run.
    pub run: String,
    /// The run's file.
    pub run_file: LockedFile,
    /// Measures, by their canonical names.
    pub measures: Vec<String>,
    /// Mean of each measure, for information.
    pub means: Vec<f64>,
    /// Topics in ascending order, with a value for each measure; NaN where it is undefined.
    pub topics: BTreeMap<String, Vec<f64>>,
}

/// A file with the hash of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedFile {
    /// Path as the user gave it; it may differ later.
    pub path: String,
    /// Hash of the bytes.
    pub blake3: String,
}

/// The key that all versions have.
#[derive(Debug, Deserialize)]
struct Head {
    lock: Spanned<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "lock")]
    _lock: u64,
    checksum: Option<Spanned<String>>,
    cranfield: String,
    profile: String,
    measures: Vec<String>,
    means: Spanned<Vec<f64>>,
    seed: u64,
    policies: BTreeMap<String, String>,
    qrels: LockedFile,
    run: LockedRun,
    #[serde(default)]
    other_files: BTreeMap<String, LockedFile>,
    topics: BTreeMap<String, Spanned<Vec<f64>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LockedRun {
    name: String,
    path: String,
    blake3: String,
}

/// Whether an input is a lock file: its first line that is not a comment sets `lock`.
pub(super) fn is_lock(source: &Source) -> bool {
    let mut lines = source
        .bytes()
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    let rest = first.and_then(|line| line.strip_prefix(b"lock"));
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"="))
}

/// Reads a lock file.
///
/// # Errors
/// If it is not TOML, has another version, unknown keys or a topic without a value for each measure, or if the checksum does not
/// match because it was edited.
pub fn read_lock(source: &Source) -> Result<Lock, Error> {
    let text = source.text(MAX_BYTES, "a lock file", Code::BadLock)?;
    let wrong = |error: &toml::de::Error| {
        problem(source, error.span().unwrap_or_default(), error.message())
    };
    let head: Head = toml::from_str(text).map_err(|error| wrong(&error))?;
    if *head.lock.get_ref() != LOCK_VERSION {
        let message = format!(
            "lock file has version {}, expected {LOCK_VERSION}",
            head.lock.get_ref()
        );
        let problem = problem(source, head.lock.span(), &message);
        return Err(problem
            .with_help("write the lock file again, or use the version of Cranfield that wrote it")
            .into());
    }
    let mut text: Text = toml::from_str(text).map_err(|error| wrong(&error))?;
    check(source, &text)?;
    let checksum = text.checksum.take();
    let lock = text.into_lock();
    check_sum(source, checksum.as_ref(), &lock)?;
    Ok(lock)
}

impl Text {
    fn into_lock(self) -> Lock {
        let text = self;
        Lock {
            cranfield: text.cranfield,
            profile: text.profile,
            policies: text.policies,
            seed: text.seed,
            qrels: text.qrels,
            other_files: text.other_files,
            run: text.run.name,
            run_file: LockedFile {
                path: text.run.path,
                blake3: text.run.blake3,
            },
            measures: text.measures,
            means: text.means.into_inner(),
            topics: text
                .topics
                .into_iter()
                .map(|(topic, values)| (topic, values.into_inner()))
                .collect(),
        }
    }
}

/// Checks that the content is unchanged: not edited, and not merged from two versions.
fn check_sum(
    source: &Source,
    checksum: Option<&Spanned<String>>,
    lock: &Lock,
) -> Result<(), Error> {
    let Some(found) = checksum else {
        let message = "the lock file has no checksum, so it may have been edited";
        let problem = Problem::file(Code::BadLock, source.name(), message);
        return Err(problem.with_help("write the lock file again").into());
    };
    if *found.get_ref() == lock.checksum() {
        return Ok(());
    }
    let message = "the checksum does not match: the lock file was edited or merged";
    let problem = Problem::at(
        Code::BadLock,
        source.name(),
        source.bytes(),
        found.span(),
        message,
    );
    Err(problem.with_help("write the lock file again").into())
}

fn problem(source: &Source, span: Range<usize>, message: &str) -> Problem {
    let message = message.replace('\n', "; ");
    let problem = Problem::at(Code::BadLock, source.name(), source.bytes(), span, message);
    problem.with_help("do not edit lock files by hand; write the lock file again")
}

fn check(source: &Source, text: &Text) -> Result<(), Error> {
    let mut problems = Problems::default();
    let measures = text.measures.len();
    let lists = std::iter::once(&text.means).chain(text.topics.values());
    for list in lists {
        let found = list.get_ref().len();
        if found != measures {
            let message =
                format!("found {found} values, expected {measures}: one for each measure");
            problems.push_with(|| problem(source, list.span(), &message));
        } else if list.get_ref().iter().any(|value| value.is_infinite()) {
            problems.push_with(|| problem(source, list.span(), "found an infinite value"));
        }
    }
    if text.topics.is_empty() {
        problems.push(Problem::file(
            Code::BadLock,
            source.name(),
            "the lock file has no topics",
        ));
    }
    if measures == 0 || measures > MAX_MEASURES {
        let message =
            format!("the lock file has {measures} measures, expected 1 to {MAX_MEASURES}");
        problems.push(Problem::file(Code::BadLock, source.name(), message));
    }
    problems.into_result()
}

impl Lock {
    /// Renders the file. Numbers parse back to the same bits.
    pub fn render(&self) -> String {
        format!(
            "# Lock file of `cranfield gate`: the values that other runs are compared with.\n\
             # Written by `cranfield gate`; do not edit it.\n\
             lock = {LOCK_VERSION}\nchecksum = {}\n{}",
            quoted(&self.checksum()),
            self.content()
        )
    }

    /// The run, the number of topics and the means, in a line.
    pub fn summary(&self) -> String {
        let means = self.measures.iter().zip(&self.means);
        let means = means.map(|(name, mean)| format!("{name} {}", rounded(*mean, 4)));
        let topics = plural(self.topics.len(), "topic");
        let means = means.collect::<Vec<_>>().join(", ");
        format!("{} on {topics}, {means}", one_line(&self.run))
    }

    /// The BLAKE3 hash of everything in the file except comments and layout. It detects edits and merges; it is not a signature.
    fn checksum(&self) -> String {
        blake3::hash(self.content().as_bytes()).to_hex().to_string()
    }

    /// The content that the checksum covers.
    fn content(&self) -> String {
        let mut text = format!(
            "cranfield = {}\nprofile = {}\n",
            quoted(&self.cranfield),
            quoted(&self.profile)
        );
        let names: String = self
            .measures
            .iter()
            .map(|name| format!("    {},\n", quoted(name)))
            .collect();
        text.push_str(&format!("measures = [\n{names}]\n"));
        text.push_str(&format!(
            "means = {}\nseed = {}\n",
            list(&self.means),
            self.seed
        ));
        text.push_str("\n[policies]\n");
        for (name, value) in &self.policies {
            text.push_str(&format!("{} = {}\n", key(name), quoted(value)));
        }
        text.push_str(&format!("\n[qrels]\n{}", file(&self.qrels)));
        text.push_str(&format!(
            "\n[run]\nname = {}\n{}",
            quoted(&self.run),
            file(&self.run_file)
        ));
        for (kind, other) in &self.other_files {
            text.push_str(&format!("\n[other_files.{}]\n{}", key(kind), file(other)));
        }
        text.push_str("\n# A value for each measure; nan where it is undefined.\n[topics]\n");
        for (topic, values) in &self.topics {
            text.push_str(&format!("{} = {}\n", quoted(topic), list(values)));
        }
        text
    }
}

fn file(file: &LockedFile) -> String {
    format!(
        "path = {}\nblake3 = {}\n",
        quoted(&file.path),
        quoted(&file.blake3)
    )
}

fn list(values: &[f64]) -> String {
    let number = |value: &f64| {
        if value.is_nan() {
            "nan".into()
        } else {
            format!("{value:?}")
        }
    };
    let numbers: Vec<String> = values.iter().map(number).collect();
    format!("[{}]", numbers.join(", "))
}

/// Formats a TOML key, bare where allowed.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        return name.into();
    }
    quoted(name)
}

/// Formats a TOML basic string.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|letter| match letter {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        letter if letter.is_control() => format!("\\u{:04X}", u32::from(letter)),
        letter => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lock(topics: BTreeMap<String, Vec<f64>>) -> Lock {
        let file = |path: &str| LockedFile {
            path: path.into(),
            blake3: "00ff".into(),
        };
        Lock {
            cranfield: "0.1.0".into(),
            profile: "cranfield".into(),
            policies: BTreeMap::from([("ties".into(), "docid-desc".into())]),
            seed: 42,
            qrels: file("C:\\q \"x\".txt"),
            other_files: BTreeMap::from([("known".into(), file("k"))]),
            run: "bm25".into(),
            run_file: file("bm25.run"),
            measures: vec!["nDCG(gains='0,1')@10".into(), "AP".into()],
            means: vec![0.1 + 0.2, 1.0 / 3.0],
            topics,
        }
    }

    fn read(text: &str) -> Result<Lock, Error> {
        read_lock(&Source::from_bytes("base.lock", text.into()).unwrap())
    }

    fn example() -> Lock {
        lock(BTreeMap::from([("301".into(), vec![0.5, f64::NAN])]))
    }

    proptest! {
        #[test]
        fn values_round_trip_exactly(
            rows in prop::collection::btree_map(".{0,8}", prop::array::uniform2(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL), 1..6),
        ) {
            let topics = rows.into_iter().map(|(topic, values)| (topic, values.to_vec())).collect();
            let before = lock(topics);
            let text = before.render();
            prop_assert!(is_lock(&Source::from_bytes("a", text.clone().into()).unwrap()));
            let after = read(&text).unwrap();
            let bits = |lock: &Lock| lock.topics.values().flatten().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&before), bits(&after));
            prop_assert_eq!(before, after);
        }

        #[test]
        fn arbitrary_text_does_not_panic(text in "(lock = [0-9]\n)?[a-z\\[\\]=\"., 0-9\n]{0,80}") {
            let _ = read(&text);
        }
    }

    #[test]
    fn lock_files_are_detected_by_their_first_key() {
        for (bytes, expected) in [
            ("# of nDCG@10\nlock = 1\n", true),
            ("301 Q0 d1 1 2.5 lock\n", false),
        ] {
            let source = Source::from_bytes("a", bytes.into()).unwrap();
            assert_eq!(is_lock(&source), expected, "{bytes}");
        }
    }

    #[test]
    fn undefined_values_round_trip() {
        let after = read(&example().render()).unwrap();
        assert_eq!(after.topics["301"][0], 0.5);
        assert!(after.topics["301"][1].is_nan());
    }

    #[test]
    fn edits_are_detected_and_layout_is_ignored() {
        let text = example().render();
        for (from, to) in [
            ("seed = 42", "seed = 43"),
            ("[0.5, nan]", "[0.25, nan]"),
            ("[0.5, nan]", "[0.5, 0.1]"),
            ("\"301\" =", "\"302\" ="),
            ("docid-desc", "docid-asc"),
            ("cranfield = \"0.1.0\"", "cranfield = \"0.1.1\""),
            ("0.30000000000000004", "0.3"),
            ("bm25.run", "bm26.run"),
        ] {
            check_error((from, to), "base.lock:4:12: the checksum does not match");
        }
        // Git may change line ends, and comments are not data.
        let other = text.replace('\n', "\r\n") + "# reviewed\r\n";
        let (before, after) = (read(&text).unwrap(), read(&other).unwrap());
        assert_eq!(before.render(), after.render());
        let line = text
            .lines()
            .find(|line| line.starts_with("checksum"))
            .unwrap();
        check_error((line, ""), "base.lock: the lock file has no checksum");
    }

    #[track_caller]
    fn check_error(change: (&str, &str), expected: &str) {
        let text = example().render();
        assert!(text.contains(change.0), "{text}");
        let error = read(&text.replace(change.0, change.1))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn errors_have_a_line() {
        check_error(
            ("lock = 1", "lock = 2"),
            "base.lock:3:8: lock file has version 2, expected 1",
        );
        check_error(("seed = 42", "sead = 42"), "unknown field `sead`");
        check_error(
            ("[other_files.known]", "[beside.known]"),
            "unknown field `beside`",
        );
        check_error(
            ("[0.5, nan]", "[0.5]"),
            "found 1 values, expected 2: one for each measure",
        );
        check_error(("[0.5, nan]", "[0.5, inf]"), "found an infinite value");
        check_error(("[0.5, nan]", "[0.5, 'x']"), "base.lock:32:15: ");
        check_error(
            ("\"301\" = [0.5, nan]\n", ""),
            "the lock file has no topics",
        );
    }
}

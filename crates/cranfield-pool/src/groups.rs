//! Groups of runs, such as the teams that submitted them.

use std::collections::BTreeMap;

use cranfield_io::{Code, Error, Problem, Source};

/// The group of each run. A run without a group is a group of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Names of groups, in the order of their first run.
    pub names: Vec<String>,
    /// Place of the group, by run.
    pub of_run: Vec<usize>,
}

impl Groups {
    /// Every run is a group.
    pub fn single(runs: &[String]) -> Self {
        Self {
            names: runs.to_vec(),
            of_run: (0..runs.len()).collect(),
        }
    }

    /// Groups of runs by name.
    pub fn new(runs: &[String], groups: &BTreeMap<String, String>) -> Self {
        let mut names: Vec<String> = Vec::new();
        let of_run = runs.iter().map(|run| {
            let group = groups.get(run).unwrap_or(run);
            let known = names.iter().position(|name| name == group);
            known.unwrap_or_else(|| {
                names.push(group.clone());
                names.len() - 1
            })
        });
        let of_run = of_run.collect();
        Self { names, of_run }
    }

    /// Reads groups: a run and its group per line. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If a line has other than two fields, or names a run that is unknown or was named before.
    pub fn read(source: &Source, runs: &[String]) -> Result<Self, Error> {
        let mut groups = BTreeMap::new();
        for (at, line) in source.bytes().split(|&byte| byte == b'\n').enumerate() {
            let wrong = |message: String| -> Error {
                let (name, number) = (source.name(), at as u64 + 1);
                Problem::in_line(Code::BadFolds, name, number, line, 0..line.len(), message).into()
            };
            let text = String::from_utf8_lossy(line);
            let fields: Vec<&str> = text.split_whitespace().collect();
            match fields.as_slice() {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                [run, group] => {
                    if !runs.iter().any(|known| known == run) {
                        let known = runs.join(", ");
                        return Err(wrong(format!("unknown run `{run}`; the runs are {known}")));
                    }
                    let before = groups.insert((*run).to_owned(), (*group).to_owned());
                    if before.is_some() {
                        return Err(wrong(format!("run `{run}` has a group already")));
                    }
                }
                fields => {
                    let found = fields.len();
                    let message = format!("found {found} fields, expected a run and its group");
                    return Err(wrong(message));
                }
            }
        }
        Ok(Self::new(runs, &groups))
    }

    /// Whether every run is a group of its own.
    pub fn are_single(&self) -> bool {
        self.names.len() == self.of_run.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Groups, Error> {
        let source = Source::from_bytes("groups", text.as_bytes().to_vec()).unwrap();
        Groups::read(&source, &["a", "b", "c"].map(String::from))
    }

    #[test]
    fn runs_without_a_group_are_their_own() {
        let groups = read("# team\nc x\n\na x\n").unwrap();
        assert_eq!(groups.names, ["x", "b"]);
        assert_eq!(groups.of_run, [0, 1, 0]);
        assert!(!groups.are_single());
        assert!(read("").unwrap().are_single());
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text| read(text).unwrap_err().to_string();
        assert!(error("a x\nd y\n").contains("unknown run `d`; the runs are a, b, c"));
        assert!(error("a x\na y\n").contains("groups:2"));
        assert!(error("a x y\n").contains("found 3 fields, expected a run and its group"));
    }
}

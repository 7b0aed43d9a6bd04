//! Programs as engines.
//!
//! A [`BatchCommand`] reads a file of topics and writes a run. A [`PersistentCommand`] stays alive, reads one JSON line per topic and
//! writes one JSON line per answer, so that its start is not part of the time of a query. No shell is involved: a command is a list
//! of arguments.

mod batch;
mod persistent;
pub mod process;
mod topics;

pub use batch::BatchCommand;
pub use persistent::PersistentCommand;
pub use topics::{TopicsFormat, topics_text};

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command line, and the folder in which it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argv {
    arguments: Vec<String>,
    folder: Option<PathBuf>,
}

impl Argv {
    /// A program and its arguments. `None` without a program.
    pub fn new(arguments: Vec<String>) -> Option<Self> {
        let is_named = arguments
            .first()
            .is_some_and(|program| !program.trim().is_empty());
        is_named.then_some(Self {
            arguments,
            folder: None,
        })
    }

    /// Runs in this folder. A relative path to the program is relative to it too.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into()).filter(|folder| !folder.as_os_str().is_empty());
        self
    }

    /// The program as the user wrote it.
    pub fn program(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }

    /// Files that the command names: its program and arguments, as far as they are files.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let folder = self.folder.as_deref().unwrap_or(Path::new(""));
        let paths = self.arguments.iter().map(|argument| folder.join(argument));
        paths.filter(|path| path.is_file())
    }

    /// The command with values for its placeholders, each written as `{name}`.
    pub fn command(&self, values: &[(&str, String)]) -> Command {
        let mut command = Command::new(self.resolved_program());
        for argument in self.arguments.iter().skip(1) {
            command.arg(filled(argument, values));
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }

    /// Programs with a folder in their name are found from the folder of the command; others on the search path.
    fn resolved_program(&self) -> OsString {
        let program = Path::new(self.program());
        let is_plain = program.components().count() == 1 && !program.is_absolute();
        match &self.folder {
            Some(folder) if !is_plain && program.is_relative() => {
                let path = folder.join(program);
                path.canonicalize().unwrap_or(path).into_os_string()
            }
            _ => program.as_os_str().to_owned(),
        }
    }
}

impl std::fmt::Display for Argv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.arguments.join(" "))
    }
}

/// Replaces placeholders in one pass, so that a value is never searched for placeholders.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let found = values.iter().find_map(|(name, value)| {
            let after = rest[1..].strip_prefix(name)?.strip_prefix('}')?;
            Some((value, after))
        });
        if let Some((value, after)) = found {
            text.push_str(value);
            rest = after;
        } else {
            text.push('{');
            rest = &rest[1..];
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_once() {
        let values = [("query", "a {depth}".to_owned()), ("depth", "7".to_owned())];
        assert_eq!(
            filled("{\"q\": \"{query}\", \"n\": {depth}, {x}}", &values),
            "{\"q\": \"a {depth}\", \"n\": 7, {x}}"
        );
        assert_eq!(filled("{{depth}}", &values), "{7}");
        assert_eq!(filled("ä{", &values), "ä{");
    }

    #[test]
    fn a_command_needs_a_program() {
        assert_eq!(Argv::new(vec![]), None);
        assert_eq!(Argv::new(vec![" ".into()]), None);
    }
}

//! Collection files, written for collections that have none.

use std::path::{Path, PathBuf};

use cranfield_io::doctor::Report;

use super::Collection;

/// Unused files that are listed.
const LISTED: usize = 10;

impl Collection {
    /// A collection file that names the files that were recognised, relative to `folder` if they are in it. With a report, it
    /// states the number of documents; `lines` are added to the tables that they name.
    pub(super) fn described(
        &self,
        folder: &Path,
        report: Option<&Report>,
        lines: &[(&str, Option<String>)],
    ) -> String {
        let added = |table: &str| {
            let line = lines.iter().find(|(other, _)| *other == table);
            line.and_then(|(_, line)| line.as_deref()).unwrap_or("")
        };
        let mut text = format!("name = {}\n\n[documents]\n", quoted(&self.name));
        text += &files(folder, &self.document_files.files);
        if let Some(format) = self.document_files.options.format {
            text += &format!("format = \"{format}\"\n");
        }
        if let Some(report) = report.filter(|report| report.lines > 0) {
            text += &format!("expect = {}\n", report.lines);
        }
        text += "\n[topics]\n";
        text += &files(folder, &self.topic_files.files);
        text += added("[topics]");
        if self.topic_files.judged_only {
            text += "judged_only = true\n";
        }
        text += "\n[qrels]\n";
        text += &files(folder, &self.qrels_files.files);
        text += added("[qrels]");
        if !self.unused.is_empty() {
            let unused = self.unused.iter().take(LISTED);
            let names: Vec<String> = unused.map(|path| relative(folder, path)).collect();
            let more = if self.unused.len() > LISTED {
                ", ..."
            } else {
                ""
            };
            text += &format!("# not used: {}{more}\n", names.join(", "));
        }
        text
    }
}

fn files(folder: &Path, paths: &[PathBuf]) -> String {
    let names = paths.iter().map(|path| quoted(&relative(folder, path)));
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [] | [_] => format!("files = [{}]\n", names.concat()),
        names => format!("files = [\n    {},\n]\n", names.join(",\n    ")),
    }
}

/// A path from a folder if it is in it, else the whole path.
fn relative(folder: &Path, path: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
    let (folder, path) = (absolute(folder), absolute(path));
    match path.strip_prefix(&folder) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".into(),
        Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
        Err(_) => path.to_string_lossy().into_owned(),
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

//! Results as titled tables, records and JSON.

use cranfield::report::{Format, Table};
use cranfield::{Evaluation, VERSION};
use serde_json::{Value, json};

use super::{provenance, terminal_width, titled, wrapped};
use crate::args::ResultFormat;

/// A result in the forms that formats need.
pub(crate) struct Found {
    /// Tables with their titles.
    pub(crate) sections: Vec<(String, Table)>,
    /// One row for each number.
    pub(crate) records: Table,
    /// One object for each number.
    pub(crate) objects: Vec<Value>,
    /// Everything.
    pub(crate) document: Value,
}

impl Found {
    pub(crate) fn render(self, format: ResultFormat) -> anyhow::Result<String> {
        Ok(match format {
            ResultFormat::Table => self.page(Format::Text),
            ResultFormat::Md => self.page(Format::Markdown),
            ResultFormat::Latex => self.page(Format::Latex),
            ResultFormat::Html => self.page(Format::Html),
            ResultFormat::Csv => self.records.render(Format::Csv),
            ResultFormat::Tsv => self.records.render(Format::Tsv),
            ResultFormat::Jsonl => self.objects.iter().map(|one| format!("{one}\n")).collect(),
            ResultFormat::Json => serde_json::to_string_pretty(&self.document)? + "\n",
            ResultFormat::Trec => {
                anyhow::bail!(
                    "the format trec has values of runs only; use csv, tsv, json or jsonl"
                )
            }
        })
    }

    fn page(self, format: Format) -> String {
        let sections = self.sections.into_iter().map(|(title, mut table)| {
            table.width = terminal_width();
            let title = match format {
                Format::Text => wrapped(&title, 0).trim_end().to_owned(),
                _ => title,
            };
            titled(&title, &table, format)
        });
        sections.collect::<Vec<_>>().join("\n")
    }
}

/// An object with these members, and the provenance of an evaluation if there is one.
pub(crate) fn document(evaluation: Option<&Evaluation>, members: [(&str, Value); 2]) -> Value {
    let mut document = evaluation.map_or_else(
        || json!({"cranfield": VERSION}),
        |evaluation| {
            let runs = evaluation.runs.iter();
            let runs: Vec<Value> = runs
                .map(|run| provenance::run(evaluation, run).into())
                .collect();
            provenance::document(evaluation, &runs)
        },
    );
    if let Some(document) = document.as_object_mut() {
        document.extend(members.map(|(name, value)| (name.to_owned(), value)));
    }
    document
}

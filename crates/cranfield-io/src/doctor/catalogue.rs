//! The catalogue of codes, for the command line and the reference.

use serde_json::{Value, json};

use crate::code::Code;

use super::markdown::escaped;

/// Renders all codes as text.
pub fn catalogue_text() -> String {
    let entries: Vec<String> = Code::ALL.iter().map(|code| entry(*code)).collect();
    entries.join("\n")
}

fn entry(code: Code) -> String {
    let fix = if code.fixable() { ", fixable" } else { "" };
    format!(
        "{code} {} ({}{fix})\n  cause: {}\n  cure:  {}\n",
        code.title(),
        code.severity(),
        code.cause(),
        code.cure()
    )
}

/// Renders all codes as a JSON list.
pub fn catalogue_json() -> String {
    let codes: Vec<Value> = Code::ALL.iter().map(|code| value(*code)).collect();
    format!("{:#}\n", Value::from(codes))
}

/// Renders all codes as JSON Lines.
pub fn catalogue_jsonl() -> String {
    let lines: Vec<String> = Code::ALL
        .iter()
        .map(|code| value(*code).to_string() + "\n")
        .collect();
    lines.concat()
}

fn value(code: Code) -> Value {
    json!({
        "code": code.id(),
        "severity": code.severity().name(),
        "title": code.title(),
        "cause": code.cause(),
        "cure": code.cure(),
        "fixable": code.fixable(),
    })
}

const INTRODUCTION: &str = "\
# Diagnostics

Every problem with an input or output has a code.
Codes never change their meaning and are never reused.
`cranfield doctor FILE...` checks files for all problems and shows the lines.

- An *error* means that the file is rejected, because reading it could silently change a number.
- A *warning* means that the file is read, but a number may not mean what its author thinks.
- A *note* means that the file is read, and with the default policies no number depends on it.

`doctor` exits with code 3 if a file has an error (or a warning, in strict mode), and with 0 otherwise.
On request, it repairs problems marked as fixable.
Repairs never change the value of a measure; of duplicate documents in a run, only exact copies of a line are dropped.

Three warnings are heuristics:

- A grade scale may be reversed (IR041) if the qrels have at least 20 judgements, none of them 0, the grades above 0 are 1, 2, 3 and so on up to at most 10, and 1 is the rarest. For a run, if no grade of the qrels is 0 and, of at least 100 pairs of retrieved documents with different grades above 0, at most 40 % have the higher grade first.
- Most scores are tied (IR038) if a topic has at least 10 documents and half of them share their score with another, or at least 3 documents and all have the same score.
- Hardly any document is judged (IR067) if the run retrieves less than 1 % of the judged documents of its topics, and less than 1 % of its documents are judged.

| code | severity | fixable | title | cause | cure |
|---|---|---|---|---|---|
";

/// Renders all codes as a page of the reference.
pub fn catalogue_markdown() -> String {
    let rows = Code::ALL.iter().map(|code| {
        let fix = if code.fixable() { "yes" } else { "" };
        let cells = [code.title(), code.cause(), code.cure()].map(escaped);
        let cells = cells.join(" | ");
        format!("| {code} | {} | {fix} | {cells} |\n", code.severity())
    });
    let rows: Vec<String> = rows.collect();
    INTRODUCTION.to_owned() + &rows.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_in_every_catalogue() {
        let (text, page, json, lines) = (
            catalogue_text(),
            catalogue_markdown(),
            catalogue_json(),
            catalogue_jsonl(),
        );
        for code in Code::ALL {
            assert!(text.contains(&format!("{code} {}", code.title())));
            assert!(page.contains(&format!("| {code} |")));
            assert!(json.contains(&format!("\"code\": \"{code}\"")));
            assert!(lines.contains(&format!("\"code\":\"{code}\"")));
        }
        let rows = page.lines().filter(|line| line.starts_with("| IR"));
        assert!(
            rows.into_iter().all(|row| row.matches(" | ").count() == 5),
            "{page}"
        );
    }
}

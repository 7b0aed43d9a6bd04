//! The catalogue of codes: what `doctor --codes` prints, and the page of the reference.

use serde_json::{Value, json};

use crate::code::Code;

use super::markdown::escaped;

/// All codes, a few lines each.
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

/// All codes as one JSON list.
pub fn catalogue_json() -> String {
    let codes: Vec<Value> = Code::ALL.iter().map(|code| value(*code)).collect();
    format!("{:#}\n", Value::from(codes))
}

/// All codes, one JSON object per line.
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

Everything that can be wrong with an input or an output has a code.
A code never changes its meaning and is never used again.
`cranfield doctor FILE...` looks for all of them and shows the lines.

- An *error* means that the file is refused: to go on would change a number silently.
- A *warning* means that the file is read, but a number may not mean what its author thinks.
- A *note* means that the file is read, and no number depends on it with the default policies.

`doctor` exits with 3 if a file has an error, with `--strict` also if it has a warning, and with 0 otherwise.
`doctor --fix` repairs what is marked as fixable, which changes no number of an evaluation; of documents that a run has twice it drops exact copies of a line.

A reversed scale of grades (IR041) is a suspicion, never a proof.
It is raised for qrels with at least 20 judgements of which none is 0, whose grades above 0 are 1, 2, 3 and so on up to at most 10, and of which 1 is the rarest;
and for a run, if no grade of its qrels is 0 and at most 40 % of at least 100 pairs of retrieved documents with different grades above 0 have the higher grade first.
Ties are called saturated (IR038) if at least half of a topic's documents, of which there must be 10, share their score with another, or if all of at least 3 do.
Documents are called hardly judged (IR067) if the run finds less than 1 % of the judged documents of its topics and less than 1 % of its documents are judged.

| code | severity | fix | what | cause | cure |
|---|---|---|---|---|---|
";

/// All codes as a page of the reference.
pub fn catalogue_markdown() -> String {
    let rows = Code::ALL.iter().map(|code| {
        let fix = if code.fixable() { "yes" } else { "" };
        let texts = [code.title(), code.cause(), code.cure()].map(escaped);
        let texts = texts.join(" | ");
        format!("| {code} | {} | {fix} | {texts} |\n", code.severity())
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

//! The command that explains a failed gate.

use std::path::Path;

use cranfield::gate::{Gate, Verdict};

use super::GateArgs;
use crate::inputs::InputArgs;

/// The `cranfield explain` command of the worst topic of a failed gate. `None` if it did not fail, or an input was standard input.
pub(super) fn command(args: &GateArgs, gate: &Gate, is_locked: bool) -> Option<String> {
    if gate.verdict != Verdict::Fail {
        return None;
    }
    let (measure, topic) = gate.to_explain()?;
    let baseline = args.baseline.as_deref().filter(|_| !is_locked);
    let files = [Some(args.qrels.as_path()), baseline, Some(&args.run)];
    let files: Vec<&Path> = files.into_iter().flatten().collect();
    if files.iter().any(|path| path.as_os_str() == "-") {
        return None;
    }
    let mut words = vec!["cranfield".to_owned(), "explain".into()];
    words.extend(files.iter().map(|path| quoted(&path.to_string_lossy())));
    let named = [
        ("m", Some(measure.to_owned())),
        ("t", Some(topic.topic.clone())),
    ];
    for (name, value) in named.into_iter().chain(options(&args.inputs)) {
        let Some(value) = value else { continue };
        let hyphens = if name.len() == 1 { "-" } else { "--" };
        words.push(format!("{hyphens}{name} {}", quoted(&value)));
    }
    Some(words.join(" "))
}

/// Options that change the value of a topic.
fn options(inputs: &InputArgs) -> [(&'static str, Option<String>); 14] {
    let policies = &inputs.policies;
    let path = |path: &Option<std::path::PathBuf>| {
        path.as_ref()
            .map(|path| path.to_string_lossy().into_owned())
    };
    [
        ("profile", text(inputs.profile)),
        ("level", text(inputs.level)),
        (
            "qrels-format",
            inputs.qrels_format.map(|it| it.name().into()),
        ),
        ("run-format", inputs.run_format.map(|it| it.name().into())),
        ("intents", path(&inputs.intents)),
        ("known", path(&inputs.known)),
        ("sessions", path(&inputs.sessions)),
        ("ties", text(policies.ties)),
        ("topics", text(policies.topics)),
        ("unjudged", text(policies.unjudged)),
        ("negative", text(policies.negative)),
        ("undefined", text(policies.undefined)),
        ("depth", text(policies.depth)),
        ("identical", text(policies.identical)),
    ]
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// A word as a POSIX shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./-_".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("runs/a.run"), "runs/a.run");
        assert_eq!(
            quoted("nDCG(dcg='log2')@10"),
            r"'nDCG(dcg='\''log2'\'')@10'"
        );
        assert_eq!(quoted(""), "''");
    }
}

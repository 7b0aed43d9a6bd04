//! `JUnit` report of a gate, which CI systems show next to tests.

use cranfield_render::{rounded, visible};

use super::{Gate, Inconclusive, Ratchet, Verdict};

/// One test case.
struct Case {
    name: String,
    verdict: Verdict,
    lines: Vec<String>,
}

impl Gate {
    /// `JUnit` XML: one test case for each measure, and one for the ratchet.
    ///
    /// `JUnit` has no third outcome. INCONCLUSIVE is an error; or a skipped or failed test, if it counts as passing or failing.
    pub fn junit(&self, inconclusive: Inconclusive) -> String {
        let cases = self.cases();
        let elements: Vec<Option<&str>> = cases
            .iter()
            .map(|case| element(case.verdict, inconclusive))
            .collect();
        let count = |name: &str| {
            elements
                .iter()
                .filter(|found| **found == Some(name))
                .count()
        };
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            cases.len(),
            count("failure"),
            count("error"),
            count("skipped")
        );
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cranfield gate\" {counts}>\n  <testsuite name=\"{}\" {counts}>\n",
            escape(&format!("{} against {}", self.run, self.baseline))
        );
        for (case, element) in cases.iter().zip(elements) {
            xml.push_str(&case.xml(element));
        }
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
    }

    fn cases(&self) -> Vec<Case> {
        let measures = self.measures.iter().map(|measure| Case {
            name: measure.measure.clone(),
            verdict: measure.verdict,
            lines: vec![self.says(measure)],
        });
        measures
            .chain(self.ratchet.as_ref().map(ratchet_case))
            .collect()
    }
}

fn ratchet_case(ratchet: &Ratchet) -> Case {
    let mut lines = vec![match ratchet.fallen.len() {
        0 => format!("no topic got worse by more than {}", ratchet.limit),
        count => format!(
            "topic values that got worse by more than {}: {count}",
            ratchet.limit
        ),
    }];
    lines.extend(ratchet.fallen.iter().map(|fall| {
        let (measure, topic) = (&fall.measure, &fall.topic);
        format!(
            "{}: {measure} {} to {}",
            topic.topic,
            rounded(topic.baseline, 4),
            rounded(topic.run, 4)
        )
    }));
    Case {
        name: "ratchet".into(),
        verdict: ratchet.verdict(),
        lines,
    }
}

/// The element of a verdict; none for a test that passed.
fn element(verdict: Verdict, inconclusive: Inconclusive) -> Option<&'static str> {
    match (verdict, inconclusive) {
        (Verdict::Pass, _) => None,
        (Verdict::Fail, _) | (_, Inconclusive::Fail) => Some("failure"),
        (_, Inconclusive::Own) => Some("error"),
        (_, Inconclusive::Pass) => Some("skipped"),
    }
}

impl Case {
    fn xml(&self, element: Option<&str>) -> String {
        let start = format!(
            "    <testcase classname=\"cranfield.gate\" name=\"{}\">\n",
            escape(&self.name)
        );
        let lines: Vec<String> = self.lines.iter().map(|line| escape(line)).collect();
        let message = lines.first().map_or("", String::as_str);
        let text = lines.join("&#10;");
        let kind = self.verdict.name();
        let inner = match element {
            None => format!("      <system-out>{text}</system-out>\n"),
            Some("skipped") => format!("      <skipped message=\"{message}\"/>\n"),
            Some(element) => format!(
                "      <{element} type=\"{kind}\" message=\"{message}\">{text}</{element}>\n"
            ),
        };
        format!("{start}{inner}    </testcase>\n")
    }
}

/// A line as the content of an element or attribute. Control characters are shown as escapes.
fn escape(line: &str) -> String {
    let shown = visible(line);
    let escaped = shown.chars().map(|letter| match letter {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '"' => "&quot;".into(),
        letter => letter.to_string(),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(
            escape("a<b> & \"c\"\n\u{1}\u{202e}\u{ffff}"),
            "a&lt;b&gt; &amp; &quot;c&quot;\\n\\x01\\u{202e}\\u{ffff}"
        );
    }
}

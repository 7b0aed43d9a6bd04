//! One session of one run, or the difference of two runs in it, ranking by ranking.

use cranfield_core::explain::{SessionDifference, SessionExplanation};

use super::difference::omitted;
use super::{Writer, text};

impl Writer<'_> {
    pub(super) fn session(&mut self, run: &str, explanation: &SessionExplanation) {
        let (measure, session) = (&explanation.measure, text(&explanation.session));
        let name = self.name(measure);
        let value = self.value(explanation.value);
        self.page
            .heading(format!("{name} of session {session} in {run}: {value}"));
        self.about(measure);
        self.page.paragraph(self.unjudged_note().unwrap_or(""));
        let (count, mut unjudged) = (explanation.rankings.len(), false);
        for (ranking, number) in explanation.rankings.iter().zip(1..) {
            let (table, has_unjudged) = self.ranking(ranking);
            let topic = self.topic_name(&ranking.topic);
            let mut facts: Vec<String> = Vec::new();
            facts.extend((!ranking.in_run).then(|| "not in the run".into()));
            let steps = ranking.board.iter().flat_map(|board| &board.steps);
            let steps = steps.filter_map(|step| Some((&step.name, step.value?)));
            facts.extend(steps.map(|(name, value)| format!("{name} = {}", self.number(value))));
            facts.push(format!("share {}", self.value(ranking.value)));
            let facts = facts.join(", ");
            self.page.paragraph(format!(
                "Ranking {number} of {count}, topic {topic}: {facts}"
            ));
            self.page.table(table);
            unjudged |= has_unjudged;
        }
        let unjudged = unjudged.then(|| "grade –: not judged".to_owned());
        let lines = self.session_lines(&name, explanation);
        self.page.lines(unjudged.into_iter().chain(lines));
    }

    fn session_lines(&self, name: &str, explanation: &SessionExplanation) -> Vec<String> {
        let Some(value) = explanation.value else {
            let when = explanation.measure.info.section("Undefined when");
            return vec![format!("{name} is undefined. Undefined when: {when}")];
        };
        match &explanation.steps {
            Some(steps) => steps.iter().map(|step| self.step(name, step)).collect(),
            None => self.share_lines(name, (explanation.nothing, explanation.rest), value),
        }
    }

    pub(super) fn session_difference(
        &mut self,
        runs: &[String; 2],
        difference: &SessionDifference,
    ) {
        let first = &difference.runs[0];
        let (name, session) = (self.name(&first.measure), text(&first.session));
        let value = self.signed(difference.difference());
        self.page.heading(format!(
            "{name} of session {session}, {} minus {}: {value}",
            runs[1], runs[0]
        ));
        self.about(&first.measure);
        self.page.paragraph(self.unjudged_note().unwrap_or(""));
        let count = difference.rankings.len();
        for (ranking, number) in difference.rankings.iter().zip(1..) {
            let topic = self.topic_name(&ranking.runs[0].topic);
            let part = self.signed(Some(ranking.total()));
            self.page.paragraph(format!(
                "Ranking {number} of {count}, topic {topic}: {part}"
            ));
            let table = self.document_table(ranking);
            self.page.table(table);
        }
        let values = difference.runs.each_ref().map(|run| run.value);
        let mut lines = self.run_lines(&name, runs, values);
        let rankings = difference.rankings.iter();
        lines.extend(omitted(rankings.flat_map(|ranking| &ranking.documents)));
        lines.extend(self.other_lines(difference.nothing(), difference.rest()));
        lines.extend(self.sum_line(difference.difference(), difference.total()));
        self.page.lines(lines);
    }
}

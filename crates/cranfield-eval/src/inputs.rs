//! Judgements and one run, read once and evaluated as often as a question needs.

use std::path::Path;
use std::sync::Arc;

use crate::engine::{RunScores, evaluate_groups, evaluate_run};
use cranfield_core::evaluate::Plan;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{Policies, Profile};
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::trec::Dialect;
use cranfield_io::{Code, Error, Problem, QrelsFormat, RunFormat, Source};

use crate::evaluation::{Judgements, by_policies, has_reference_values};

/// Judgements and a run in memory.
#[derive(Debug)]
pub struct Inputs {
    judgements: Judgements,
    run: Run,
    /// The run as TREC text, where the judgements are groups.
    text: Vec<u8>,
    /// Name of the judgements' file.
    qrels_name: String,
}

impl Inputs {
    /// Reads judgements (grades, or groups) and a run.
    pub fn read(
        qrels: &Path,
        qrels_format: Option<QrelsFormat>,
        run: &Path,
        run_format: Option<RunFormat>,
    ) -> Result<Self, Error> {
        let source = Source::open(qrels)?;
        let judgements = Judgements::read(&source, qrels_format)?;
        if !matches!(judgements, Judgements::Grades(_) | Judgements::Groups(_)) {
            let message =
                "preferences and samples have no conventions that differ between programs";
            let problem = Problem::file(Code::UnknownFormat, source.name(), message);
            return Err(problem
                .with_help("give judgements that are grades, or groups")
                .into());
        }
        let run = cranfield_io::read_run(&Source::open(run)?, run_format)?;
        let mut text = Vec::new();
        if matches!(judgements, Judgements::Groups(_)) {
            cranfield_io::write_run(&run, RunFormat::Trec, &mut text)?;
        }
        Ok(Self {
            judgements,
            run,
            text,
            qrels_name: source.name().into(),
        })
    }

    /// Judgements and a run that are in memory already.
    pub fn new(qrels: Qrels, run: Run) -> Self {
        Self {
            judgements: Judgements::Grades(Arc::new(qrels)),
            run,
            text: Vec::new(),
            qrels_name: "<qrels>".into(),
        }
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The judgements, if they are grades.
    pub fn qrels(&self) -> Option<&Qrels> {
        match &self.judgements {
            Judgements::Grades(qrels) => Some(qrels),
            _ => None,
        }
    }

    /// The grades that the judgements have, ascending.
    pub fn grades(&self) -> Vec<f64> {
        let mut grades = Vec::new();
        for topic in self.qrels().into_iter().flat_map(Qrels::topics) {
            let counted = topic.base(Policies::OWN.negative).grades();
            grades.extend(counted.iter().map(|level| level.grade));
            grades.sort_by(f64::total_cmp);
            grades.dedup();
        }
        grades
    }

    /// Evaluates measures as a program has them, under policies.
    pub fn evaluate(
        &self,
        measures: &[BoundMeasure],
        profile: Profile,
        policies: &Policies,
    ) -> Result<RunScores, Error> {
        self.judgements.check(measures, &self.qrels_name, false)?;
        let plan = Plan {
            measures: measures.to_vec(),
            policies: policies.clone(),
            reference_values: has_reference_values(profile, policies),
            ..Plan::default()
        };
        by_policies(profile, &plan, |plan| match &self.judgements {
            Judgements::Grades(qrels) => Ok(evaluate_run(&self.run, qrels, plan)),
            Judgements::Groups(groups) => {
                Ok(evaluate_groups(&self.text, Dialect::Strict, groups, plan).scores)
            }
            _ => Ok(RunScores::default()),
        })
    }
}

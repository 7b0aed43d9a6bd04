//! Requests for reports, and the formats of reports.

use std::collections::BTreeSet;

use cranfield_core::measure::Computation;
use cranfield_core::setting::{Message, SettingStyle};
use cranfield_measures::spec::Conventions;

use super::cost::Cost;
use super::{document, markup, rankings, records};
use cranfield_compare::compare::{
    CompareError, Comparison, ComparisonPlan, Planned, Progress, Settings, Standardisation,
    check_values, compare, compare_planned,
};
use cranfield_eval::agreement::Assessor;
use cranfield_eval::explain::ExplainError;
use cranfield_eval::{Evaluation, Inputs, Labels, Request};

/// Ranks of a ranking that a page has where nothing else is asked for.
const DEPTH: usize = 20;

/// Parts of a report without standardised scores.
const PLAIN_SCORES: &str = "leaderboard and claims are of standardised scores; values of topics, plots and explanations are of the scores before";

/// A request for a report.
#[derive(Clone, Debug)]
pub struct ReportRequest {
    /// Files, measures and policies.
    pub request: Request,
    /// How the runs are compared.
    pub settings: Settings,
    /// A plan that says it in place of the settings; it must name all runs and measures.
    pub plan: Option<ComparisonPlan>,
    /// How the names of the measures were read; plots read them again.
    pub conventions: Conventions,
    /// Ranks of each ranking that a page shows; fewer if it would be larger than three megabytes.
    pub depth: usize,
    /// Decimals for people.
    pub digits: usize,
    /// The title; without it, one that counts the runs.
    pub title: Option<String>,
    /// Other assessors, with whom the judgements are compared.
    pub assessors: Vec<Assessor>,
    /// The command that made the report, for its provenance.
    pub command: Option<String>,
    /// The day on which it was made.
    pub date: Option<String>,
}

impl ReportRequest {
    /// A report with everything as it usually is.
    pub fn new(request: Request) -> Self {
        Self {
            conventions: Conventions {
                profile: request.profile,
                level: None,
            },
            request,
            settings: Settings::default(),
            plan: None,
            depth: DEPTH,
            digits: 4,
            title: None,
            assessors: Vec::new(),
            command: None,
            date: None,
        }
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file is not as it should be.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// The runs cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// The request is invalid.
    #[error("{0}")]
    Request(Message),
}

impl ReportError {
    /// The message in one line, with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        match self {
            Self::Input(error) => error.line(style),
            Self::Compare(error) => error.render(style),
            Self::Request(message) => message.render(style),
        }
    }
}

impl From<ExplainError> for ReportError {
    fn from(error: ExplainError) -> Self {
        match error {
            ExplainError::Input(error) => Self::Input(error),
            ExplainError::Request(message) => Self::Request(message),
        }
    }
}

/// An evaluation and its comparison, ready to be written down.
#[derive(Debug)]
pub struct Report {
    /// The request.
    pub request: ReportRequest,
    /// Judgements and runs.
    pub inputs: Inputs,
    /// The scores.
    pub evaluation: Evaluation,
    /// The comparison of the runs; `None` for one run, or where there are too few topics.
    pub comparison: Option<Comparison>,
    /// Whether a plan fixed it: then the comparison is its confirmatory part, and there is no other.
    pub planned: Option<Planned>,
    /// Why several runs are not compared.
    pub not_compared: Option<Message>,
    /// Titles of topics and documents, which the page shows beside ids.
    pub labels: Labels,
    /// What readers should know before they use any number; stated at the start.
    pub warnings: Vec<String>,
    /// What the engines of the runs cost, which the page shows.
    pub cost: Option<Cost>,
}

impl Report {
    /// Reads, evaluates and compares.
    ///
    /// # Errors
    /// If a file is invalid, or the measures or policies allow no comparison.
    pub fn of_files(request: ReportRequest) -> Result<Self, ReportError> {
        check(&request)?;
        let files = Request {
            hashes: true,
            ..request.request.clone()
        };
        let inputs = in_threads(files.threads, || Ok(Inputs::open(&files)?.load()?))?;
        Self::of(inputs, request)
    }

    /// Evaluates and compares inputs, which should be [loaded](Inputs::load). The request's files play no part.
    ///
    /// # Errors
    /// If a run is invalid, or the measures or policies allow no comparison.
    pub fn of(inputs: Inputs, mut request: ReportRequest) -> Result<Self, ReportError> {
        check(&request)?;
        let threads = request.request.threads;
        let evaluation = in_threads(threads, || Ok(inputs.evaluate(&request.request)?))?;
        // The figures evaluate again, without reports.
        let progress = std::mem::take(&mut request.request.progress);
        let compared = || Ok(compared(&evaluation, &request, &progress));
        let (compared, not_compared) = match in_threads(threads, compared)? {
            Ok(compared) => (Some(compared), None),
            Err(CompareError::OneRun) => (None, None),
            // Too few topics for a test are enough for everything else.
            Err(error @ (CompareError::Scores { .. } | CompareError::OneTopic { .. })) => {
                (None, Some(error.message()))
            }
            Err(error) => return Err(error.into()),
        };
        let (comparison, planned) = compared.unzip();
        Ok(Self {
            request,
            inputs,
            evaluation,
            comparison,
            planned: planned.flatten(),
            not_compared,
            labels: Labels::default(),
            warnings: Vec::new(),
            cost: None,
        })
    }

    /// One page for a browser, which needs no network: leaderboard, plots, topics, rankings side by side, claims, notes.
    /// It has less than three megabytes for 100 runs of 50 topics; what is left out for that, it says.
    ///
    /// # Errors
    /// If a value cannot be explained.
    pub fn to_html(&self) -> Result<String, ReportError> {
        let page = in_threads(self.request.request.threads, || document::page(self))?;
        Ok(match &self.cost {
            Some(cost) => cost.added_to(&page),
            None => page,
        })
    }

    /// The ids of the documents that the page shows.
    ///
    /// # Errors
    /// If a value cannot be explained.
    pub fn documents(&self) -> Result<BTreeSet<Box<[u8]>>, ReportError> {
        let rankings = in_threads(self.request.request.threads, || rankings::read(self))?;
        let topics = rankings.into_iter().flat_map(|all| all.topics);
        let documents = topics.flat_map(|topic| topic.docs);
        Ok(documents.map(|(id, _)| id).collect())
    }

    /// A Markdown page: leaderboard, claims, methods, notes, provenance.
    pub fn to_markdown(&self) -> String {
        markup::markdown(self)
    }

    /// A LaTeX document that compiles as it is.
    pub fn to_latex(&self) -> String {
        markup::latex(self)
    }

    /// The leaderboard, one row per measure and run, in full precision.
    pub fn to_csv(&self) -> String {
        records::leaderboard(self).render(cranfield_render::Format::Csv)
    }

    /// Everything in full precision, with the values of all topics and where they come from.
    pub fn to_json(&self) -> String {
        format!("{:#}\n", records::document(self))
    }

    /// How the runs were compared, in the words of a paper's section on methods; empty where they were not.
    pub(super) fn methods(&self) -> String {
        let freely = || self.comparison.as_ref().map(Comparison::methods);
        let planned = self.planned.as_ref().map(Planned::methods);
        planned.or_else(freely).unwrap_or_default()
    }

    /// That several runs are not compared, and why.
    pub fn why_not_compared(&self) -> Option<Message> {
        let why = self.not_compared.clone()?;
        Some(Message::from("the runs are not compared: ").then(why))
    }

    /// Notes on the numbers. A page is read by users of every interface, so settings are spelled neutrally.
    pub(super) fn notes(&self) -> Vec<String> {
        let why = self.why_not_compared().into_iter();
        let compared = self.comparison.iter();
        let compared = compared.flat_map(Comparison::method_notes);
        let own = self.evaluation.notes().into_iter();
        let plain = self.standardised().map(|_| PLAIN_SCORES.into());
        let all = own.chain(why).chain(compared).chain(plain);
        let all = all.map(|note| note.to_string());
        self.warnings.iter().cloned().chain(all).collect()
    }

    /// How the scores of the leaderboard and the claims are standardised, if they are.
    pub(super) fn standardised(&self) -> Option<Standardisation> {
        self.comparison.as_ref()?.settings.standardise
    }

    /// The heading.
    pub(super) fn title(&self) -> String {
        let runs = cranfield_render::plural(self.evaluation.runs.len(), "run");
        let own = || format!("Evaluation of {runs}");
        self.request.title.clone().unwrap_or_else(own)
    }

    /// The measures as they are called.
    pub(super) fn measure_names(&self) -> Vec<String> {
        let measures = self.evaluation.plan.measures.iter();
        measures
            .map(|measure| self.evaluation.profile.name_of(measure))
            .collect()
    }

    /// The measures as they are called where their compared values are: standardised scores have the name of their kind behind it.
    pub(super) fn compared_names(&self) -> Vec<String> {
        let Some(comparison) = &self.comparison else {
            return self.measure_names();
        };
        let tables = comparison.measures.iter();
        tables.map(|table| table.measure.clone()).collect()
    }

    /// Describes the numbers of a table, and names the measures of which smaller values are better.
    pub(super) fn means_in_words(&self) -> (String, String) {
        let standardised = self.standardised();
        let means = standardised.map_or("Means".into(), |how| {
            format!("Means of standardised scores ({})", how.title())
        });
        let compared = self.comparison.as_ref();
        let smaller = compared.map(Comparison::smaller_sentence);
        (means, smaller.unwrap_or_default())
    }

    /// A run's mean: over the topics that all runs are compared on, or else over its own.
    pub(super) fn mean(&self, measure: usize, run: usize) -> Option<f64> {
        let compared = self.comparison.as_ref();
        let mean = compared.and_then(|all| Some(all.measures.get(measure)?.systems.get(run)?.mean));
        mean.or_else(|| self.evaluation.runs[run].scores.aggregate(measure))
    }

    /// Places of the runs, best first by a measure.
    pub(super) fn order(&self, measure: usize) -> Vec<usize> {
        let tables = self.comparison.as_ref().map(|all| &all.measures);
        let table = tables.and_then(|tables| tables.get(measure));
        table.map_or_else(
            || (0..self.evaluation.runs.len()).collect(),
            |table| table.order.clone(),
        )
    }
}

/// The runs, compared freely or by the plan.
fn compared(
    evaluation: &Evaluation,
    request: &ReportRequest,
    progress: &Progress,
) -> Result<(Comparison, Option<Planned>), CompareError> {
    let with_progress = |settings: &Settings| Settings {
        progress: progress.clone(),
        ..settings.clone()
    };
    let Some(plan) = &request.plan else {
        let compared = compare(evaluation, &with_progress(&request.settings))?;
        return Ok((compared, None));
    };
    let plan = ComparisonPlan {
        settings: with_progress(&plan.settings),
        ..plan.clone()
    };
    let planned = compare_planned(evaluation, &plan)?;
    if planned.exploratory.is_some() {
        let message = format!(
            "{}: a report shows only what the plan names; omit the other runs and measures, or compare them separately",
            plan.path
        );
        return Err(CompareError::Settings(message.into()));
    }
    Ok((planned.confirmatory.clone(), Some(planned)))
}

fn in_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, ReportError> + Send,
) -> Result<T, ReportError> {
    let done = cranfield_eval::with_threads(threads, work);
    done.map_err(|why| ReportError::Request(format!("cannot start threads: {why}").into()))?
}

/// Rejects requests that a report cannot show.
fn check(request: &ReportRequest) -> Result<(), ReportError> {
    let reject = |why: Message| Err(ReportError::Request(why));
    let asked = &request.request;
    check_values(&asked.policies)?;
    let is_text = |computation: &Computation| {
        matches!(computation, Computation::Text(_) | Computation::RunId)
    };
    let mut measures = asked.measures.iter();
    if let Some(text) = measures.find(|measure| is_text(&measure.computation)) {
        return reject(format!("{text} is a string and has no mean; omit it").into());
    }
    if asked.measures.is_empty() {
        return reject("no measures; request one, such as nDCG@10".into());
    }
    Ok(())
}

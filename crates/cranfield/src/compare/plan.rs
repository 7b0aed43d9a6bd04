//! Plans: what is compared, written down before the data are seen, and kept apart from what is looked at beside it.

use std::fmt;
use std::path::Path;

use cranfield_core::spec::{Conventions, nearest_name, parse_measures};
use cranfield_io::{Code, Entry, Error, PlanEntries, Problem, Problems, Source, read_plan};
use cranfield_stats::corrections::Correction;

use super::scores::Selection;
use super::settings::{Family, Settings, Test};
use super::{Asked, CompareError, Comparison, Role, compare_tables};
use crate::{Evaluation, file_hash};

/// A plan: the comparisons that are to confirm something, and how.
///
/// A file in TOML with the keys `measures` and `runs` or `baseline`, and where they should not be the usual ones `test`,
/// `correction`, `family`, `alpha`, `margin`, `replicates`, `seed`, `topics` and `title`. p-values are corrected for all tests
/// of the plan (`family = "all"`) unless it says `family = "measure"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Where it comes from.
    pub path: String,
    /// Hash of the file.
    pub blake3: Option<String>,
    /// The file's content.
    pub text: String,
    /// What it is for.
    pub title: Option<String>,
    /// Primary measures, by their canonical names.
    pub measures: Vec<String>,
    /// Names of the runs; all that are given if empty.
    pub runs: Vec<String>,
    /// The topics.
    pub topics: PlannedTopics,
    /// Test, correction, level, margin, seed and baselines.
    pub settings: Settings,
}

/// The topics of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedTopics {
    /// Whichever count.
    Any,
    /// So many.
    Count(u64),
    /// These.
    Ids(Vec<String>),
}

impl Plan {
    /// Reads a plan; names of measures are read under these conventions.
    ///
    /// # Errors
    /// If the file is not a plan, or names something that does not exist; every mistake is told with its line.
    pub fn read(path: &Path, conventions: &Conventions) -> Result<Self, Error> {
        let source = Source::open(path)?;
        let mut plan = Self::of(&source, conventions)?;
        plan.blake3 = file_hash(&plan.path);
        Ok(plan)
    }

    /// The plan of a source.
    pub fn of(source: &Source, conventions: &Conventions) -> Result<Self, Error> {
        let entries = read_plan(source)?;
        let mut reader = Reader {
            source,
            problems: Problems::default(),
        };
        let measures = reader.measures(entries.measures.as_ref(), conventions);
        if entries.runs.is_none() && entries.baseline.is_none() {
            let message =
                "neither `runs` nor `baseline`, so the plan does not say what is compared";
            reader
                .problems
                .push(Problem::file(Code::BadPlan, source.name(), message));
        }
        let settings = reader.settings(&entries);
        reader.runs(&entries);
        reader.problems.into_result()?;
        let values =
            |entry: Option<Entry<Vec<String>>>| entry.map_or(Vec::new(), |entry| entry.value);
        Ok(Self {
            path: source.name().into(),
            blake3: None,
            text: String::from_utf8_lossy(source.bytes()).into_owned(),
            title: entries.title.map(|entry| entry.value),
            measures,
            runs: values(entries.runs),
            topics: match (entries.topic_count, entries.topics) {
                (Some(count), _) => PlannedTopics::Count(count.value),
                (None, Some(ids)) => PlannedTopics::Ids(ids.value),
                (None, None) => PlannedTopics::Any,
            },
            settings,
        })
    }

    fn has_run(&self, name: &str) -> bool {
        self.runs.is_empty() || self.runs.iter().any(|run| run == name)
    }

    /// Refuses an evaluation that lacks what the plan names.
    fn check(&self, evaluation: &Evaluation) -> Result<(), CompareError> {
        let refuse = |why: String| Err(CompareError::Settings(format!("{}: {why}", self.path)));
        let names: Vec<&str> = evaluation
            .runs
            .iter()
            .map(|run| run.scores.name.as_str())
            .collect();
        let wanted = self.runs.iter().chain(&self.settings.baselines);
        for run in wanted {
            if !names.contains(&run.as_str()) {
                let near = nearest_name(run, &names)
                    .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return refuse(format!(
                    "the plan names the run `{run}`, and the runs are {}{near}",
                    names.join(", ")
                ));
            }
        }
        for measure in &self.measures {
            let mut measures = evaluation.plan.measures.iter();
            if !measures.any(|found| found.to_string() == *measure) {
                return refuse(format!("the plan names {measure}, which was not evaluated"));
            }
        }
        let selection = Selection::of(evaluation, |run| self.has_run(run));
        let topics = selection.topic_ids();
        match &self.topics {
            PlannedTopics::Count(count) if *count != topics.len() as u64 => refuse(format!(
                "the plan has {count} topics, and {} count; give the judgements that were planned for, or change the plan",
                topics.len()
            )),
            PlannedTopics::Ids(ids) => {
                let mut planned: Vec<&[u8]> = ids.iter().map(String::as_bytes).collect();
                planned.sort_unstable();
                planned.dedup();
                let other = |of: &[&[u8]], from: &[&[u8]]| {
                    let missing = of.iter().find(|id| from.binary_search(id).is_err());
                    missing.map(|id| cranfield_io::quoted(id))
                };
                match (other(&planned, &topics), other(&topics, &planned)) {
                    (Some(id), _) => refuse(format!(
                        "topic {id} of the plan does not count; give the judgements that were planned for"
                    )),
                    (_, Some(id)) => refuse(format!(
                        "topic {id} counts, and is not in the plan; give the judgements that were planned for"
                    )),
                    (None, None) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

struct Reader<'a> {
    source: &'a Source,
    problems: Problems,
}

impl Reader<'_> {
    fn wrong<T>(&mut self, entry: &Entry<T>, message: impl fmt::Display) {
        let (name, bytes) = (self.source.name(), self.source.bytes());
        let problem = Problem::at(
            Code::BadPlan,
            name,
            bytes,
            entry.span.clone(),
            message.to_string(),
        );
        self.problems.push(problem);
    }

    fn measures(
        &mut self,
        entry: Option<&Entry<Vec<String>>>,
        conventions: &Conventions,
    ) -> Vec<String> {
        let Some(entry) = entry.filter(|entry| !entry.value.is_empty()) else {
            let message = "no `measures`, so the plan does not say by what runs are compared";
            self.problems
                .push(Problem::file(Code::BadPlan, self.source.name(), message));
            return Vec::new();
        };
        match parse_measures(&entry.value.join(" "), conventions) {
            Ok(measures) => measures.iter().map(ToString::to_string).collect(),
            Err(error) => {
                self.wrong(entry, error);
                Vec::new()
            }
        }
    }

    /// A name that must be one of some.
    fn choice<T: Copy>(
        &mut self,
        entry: Option<&Entry<String>>,
        what: &str,
        known: &[(&str, T)],
    ) -> Option<T> {
        let entry = entry?;
        let found = known.iter().find(|(name, _)| *name == entry.value);
        if found.is_none() {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let hint = match nearest_name(&entry.value, &names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            self.wrong(entry, format!("unknown {what} `{}`; {hint}", entry.value));
        }
        found.map(|(_, value)| *value)
    }

    fn settings(&mut self, entries: &PlanEntries) -> Settings {
        let usual = Settings::default();
        let tests = Test::ALL.map(|test| (test.name(), test));
        let corrections = Correction::ALL.map(|one| (one.name(), one));
        let families = [("all", Family::All), ("measure", Family::Measure)];
        let test = self.choice(entries.test.as_ref(), "test", &tests);
        let correction = self.choice(entries.correction.as_ref(), "correction", &corrections);
        let family = self.choice(entries.family.as_ref(), "family", &families);
        let test = test.unwrap_or_default();
        // A test that corrects itself does so within a measure.
        let family = family.unwrap_or(if test.corrects_itself() {
            Family::Measure
        } else {
            Family::All
        });
        let mut settings = Settings {
            test,
            correction,
            family,
            margin: entries.margin.as_ref().map(|entry| entry.value),
            ..usual
        };
        if let Some(alpha) = &entries.alpha {
            settings.alpha = alpha.value;
        }
        if let Some(replicates) = &entries.replicates {
            settings.resampling.replicates =
                usize::try_from(replicates.value).unwrap_or(usize::MAX);
        }
        if let Some(seed) = &entries.seed {
            settings.resampling.seed = seed.value;
        }
        if let Some(baseline) = &entries.baseline {
            settings.baselines.clone_from(&baseline.value);
        }
        if let Err(error) = settings.check(settings.baselines.len()) {
            let message = error.to_string();
            let place = [&entries.alpha, &entries.margin];
            let about = place
                .into_iter()
                .flatten()
                .find(|entry| message.contains(&format!("is {};", entry.value)));
            match (about, &entries.test) {
                (Some(entry), _) => self.wrong(entry, message),
                (None, Some(entry)) => self.wrong(entry, message),
                (None, None) => {
                    self.problems
                        .push(Problem::file(Code::BadPlan, self.source.name(), message));
                }
            }
        }
        settings
    }

    /// Two runs at least, and the baselines among them.
    fn runs(&mut self, entries: &PlanEntries) {
        let Some(runs) = &entries.runs else {
            return;
        };
        if runs.value.len() < 2 {
            self.wrong(runs, "a comparison needs two runs or more");
        }
        if let Some(baseline) = &entries.baseline {
            for name in baseline
                .value
                .iter()
                .filter(|name| !runs.value.contains(name))
            {
                self.wrong(
                    baseline,
                    format!("the baseline `{name}` is not one of the runs"),
                );
            }
        }
    }
}

/// A comparison by plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// What the plan names. It is the same whatever else is asked for.
    pub confirmatory: Comparison,
    /// Everything else that was asked for, corrected on its own; `None` if there is nothing.
    pub exploratory: Option<Comparison>,
}

/// Compares the runs of an evaluation by a plan: what it names, and apart from it all other runs and measures.
///
/// The confirmatory part looks at the runs of the plan only, so that runs beside it change neither topics nor corrections.
///
/// # Errors
/// If the evaluation lacks runs, measures or topics of the plan, or allows no test.
pub fn compare_planned(evaluation: &Evaluation, plan: &Plan) -> Result<Planned, CompareError> {
    plan.check(evaluation)?;
    let is_planned = |at: usize| {
        plan.measures
            .contains(&evaluation.plan.measures[at].to_string())
    };
    let selection = Selection::of(evaluation, |run| plan.has_run(run));
    let measures = 0..evaluation.plan.measures.len();
    let (planned, others): (Vec<usize>, Vec<usize>) = measures.partition(|at| is_planned(*at));
    let tables = planned.iter().map(|at| selection.measure(*at));
    let confirmatory = compare_tables(
        selection.names(),
        tables.collect::<Result<Vec<_>, _>>()?,
        &plan.settings,
        &Asked {
            role: Some(Role::Confirmatory),
            pairs: None,
            watcher: None,
        },
    )?;
    let exploratory = explore(evaluation, plan, &planned, &others)?;
    Ok(Planned {
        plan: plan.clone(),
        confirmatory,
        exploratory,
    })
}

/// All pairs that the plan does not name: of all runs by other measures, and of other runs by its own.
fn explore(
    evaluation: &Evaluation,
    plan: &Plan,
    planned: &[usize],
    others: &[usize],
) -> Result<Option<Comparison>, CompareError> {
    let selection = Selection::all(evaluation);
    let names = selection.names();
    let has_others = names.iter().any(|name| !plan.has_run(name));
    let mut measures = if has_others {
        planned.to_vec()
    } else {
        Vec::new()
    };
    let by_plan = measures.len();
    measures.extend(others);
    if measures.is_empty() {
        return Ok(None);
    }
    let tables = measures.iter().map(|at| selection.measure(*at));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let in_plan: Vec<bool> = names.iter().map(|name| plan.has_run(name)).collect();
    let asked = Asked {
        role: Some(Role::Exploratory),
        pairs: Some(Box::new(move |measure, a, b| {
            measure >= by_plan || !(in_plan[a] && in_plan[b])
        })),
        watcher: None,
    };
    compare_tables(names, tables, &plan.settings, &asked).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Plan, Error> {
        let source = Source::from_bytes("plan.toml", text.into())?;
        Plan::of(&source, &Conventions::default())
    }

    #[test]
    fn what_a_plan_does_not_say_is_the_usual() {
        let plan = of("measures = ['ndcg_cut_10']\nbaseline = 'bm25'\nmargin = 0.02\n").unwrap();
        assert_eq!(plan.measures, ["nDCG@10"]);
        assert_eq!(plan.settings.baselines, ["bm25"]);
        assert_eq!((plan.settings.test, plan.settings.alpha), (Test::T, 0.05));
        assert_eq!(
            (plan.settings.margin, plan.settings.family),
            (Some(0.02), Family::All)
        );
        assert_eq!(plan.topics, PlannedTopics::Any);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let good = "measures = ['AP']\nbaseline = 'a'\n";
        for (text, expected) in [
            ("baseline = 'a'\n", "plan.toml: no `measures`"),
            (
                "measures = ['AP']\n",
                "plan.toml: neither `runs` nor `baseline`",
            ),
            (
                "measures = ['APP']\nbaseline = 'a'\n",
                "plan.toml:1:12: unknown measure `APP`",
            ),
            (
                &format!("{good}test = 'wilcoxen'\n"),
                "plan.toml:3:8: unknown test `wilcoxen`; did you mean `wilcoxon`?",
            ),
            (
                &format!("{good}correction = 'x'\n"),
                "plan.toml:3:14: unknown correction `x`; there are none, bonferroni",
            ),
            (
                &format!("{good}alpha = 0.7\n"),
                "plan.toml:3:9: alpha is 0.7",
            ),
            (
                &format!("{good}margin = -1\n"),
                "plan.toml:3:10: the margin is -1",
            ),
            (
                &format!("{good}runs = ['b', 'c']\n"),
                "plan.toml:2:12: the baseline `a` is not one of the runs",
            ),
            (
                &format!("{good}runs = ['a']\n"),
                "plan.toml:3:8: a comparison needs two runs or more",
            ),
            (
                &format!("{good}test = 'tukey'\ncorrection = 'holm'\n"),
                "plan.toml:3:8: Tukey's HSD corrects for all comparisons itself",
            ),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}

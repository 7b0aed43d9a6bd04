//! Reader of comparison plans.

use std::fmt;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::Policies;
use cranfield_io::{Code, Error, Problem, Problems, Source};
use cranfield_measures::profiles::Profile;
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_stats::corrections::Correction;
use cranfield_stats::short;

use super::plan::{ComparisonPlan, PlannedPolicies, PlannedTopics};
use super::plan_entries::{Entry, PlanEntries, read_plan};
use super::settings::{Family, IntervalMethod, Settings, Standardisation};
use super::significance_test::Test;
use crate::limits::by_name;

impl ComparisonPlan {
    /// Parses a plan.
    pub fn of(source: &Source, conventions: &Conventions) -> Result<Self, Error> {
        let entries = read_plan(source)?;
        let mut reader = Reader {
            source,
            problems: Problems::default(),
        };
        let policies = reader.policies(&entries);
        let conventions = Conventions {
            profile: policies.profile.unwrap_or(conventions.profile),
            level: policies.level.or(conventions.level),
        };
        let measures = reader.measures(entries.measures.as_ref(), &conventions);
        if entries.runs.is_none() && entries.baseline.is_none() {
            let message = "missing `runs` or `baseline`: the plan must name the runs to compare";
            reader
                .problems
                .push(Problem::file(Code::BadPlan, source.name(), message));
        }
        let settings = reader.settings(&entries);
        reader.ranges(&entries, &settings, &measures);
        reader.runs(&entries);
        reader.problems.into_result()?;
        let values =
            |entry: Option<Entry<Vec<String>>>| entry.map_or(Vec::new(), |entry| entry.value);
        Ok(Self {
            path: source.name().into(),
            blake3: None,
            text: String::from_utf8_lossy(source.bytes()).into_owned(),
            title: entries.title.map(|entry| entry.value),
            measures: measures.iter().map(ToString::to_string).collect(),
            runs: values(entries.runs),
            topics: match (entries.topic_count, entries.topics) {
                (Some(count), _) => PlannedTopics::Count(count.value),
                (None, Some(ids)) => PlannedTopics::Ids(ids.value),
                (None, None) => PlannedTopics::Any,
            },
            settings,
            policies,
        })
    }
}

struct Reader<'a> {
    source: &'a Source,
    problems: Problems,
}

/// The numbers of the plan as error messages show them.
fn numbers(entries: &PlanEntries) -> Vec<Entry<String>> {
    let reals = [&entries.alpha, &entries.margin, &entries.rope];
    let reals = reals.into_iter().flatten().map(|entry| Entry {
        value: short(entry.value),
        span: entry.span.clone(),
    });
    let counts = entries.replicates.iter().map(|entry| Entry {
        value: entry.value.to_string(),
        span: entry.span.clone(),
    });
    reals.chain(counts).collect()
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
    ) -> Vec<BoundMeasure> {
        let Some(entry) = entry.filter(|entry| !entry.value.is_empty()) else {
            let message = "missing `measures`: the plan must name the measures to compare by";
            self.problems
                .push(Problem::file(Code::BadPlan, self.source.name(), message));
            return Vec::new();
        };
        match parse_measures(&entry.value.join(" "), conventions) {
            Ok(measures) => measures,
            Err(error) => {
                self.wrong(entry, error);
                Vec::new()
            }
        }
    }

    /// Looks up a name.
    fn choice<T: Copy>(
        &mut self,
        entry: Option<&Entry<String>>,
        what: &str,
        known: &[(&str, T)],
    ) -> Option<T> {
        let entry = entry?;
        match by_name(what, &entry.value, known) {
            Ok(value) => Some(value),
            Err(message) => {
                self.wrong(entry, message);
                None
            }
        }
    }

    fn settings(&mut self, entries: &PlanEntries) -> Settings {
        let usual = Settings::default();
        let tests = Test::ALL.map(|test| (test.name(), test));
        let corrections = Correction::ALL.map(|one| (one.name(), one));
        let intervals = IntervalMethod::ALL.map(|one| (one.name(), one));
        let standards = Standardisation::ALL.map(|one| (one.name(), one));
        let families = [("all", Family::All), ("measure", Family::Measure)];
        let test = self.choice(entries.test.as_ref(), "test", &tests);
        let correction = self.choice(entries.correction.as_ref(), "correction", &corrections);
        let family = self.choice(entries.family.as_ref(), "family", &families);
        let test = test.unwrap_or_default();
        let mut settings = Settings {
            test,
            correction,
            family: family.unwrap_or(Family::All),
            raise_replicates: entries.replicates.is_none(),
            margin: entries.margin.as_ref().map(|entry| entry.value),
            rope: entries.rope.as_ref().map(|entry| entry.value),
            interval: self.choice(entries.interval.as_ref(), "interval", &intervals),
            standardise: self.choice(entries.standardise.as_ref(), "standardisation", &standards),
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
            let about = numbers(entries)
                .into_iter()
                .find(|entry| message.contains(&format!("is {};", entry.value)));
            match (about, &entries.test) {
                (Some(entry), _) => self.wrong(&entry, message),
                (None, Some(entry)) => self.wrong(entry, message),
                (None, None) => {
                    self.problems
                        .push(Problem::file(Code::BadPlan, self.source.name(), message));
                }
            }
        }
        settings
    }

    /// Checks that margin and region are smaller than the range of each measure, unless scores are standardised.
    fn ranges(&mut self, entries: &PlanEntries, settings: &Settings, measures: &[BoundMeasure]) {
        if settings.standardise.is_some() {
            return;
        }
        let (mut margin, mut rope) = (settings.clone(), settings.clone());
        (margin.rope, rope.margin) = (None, None);
        for (entry, lone) in [(&entries.margin, margin), (&entries.rope, rope)] {
            let check = |measure: &BoundMeasure| {
                lone.check_range(&measure.to_string(), Some(measure.info.range))
            };
            let checked = measures.iter().try_for_each(check);
            if let (Some(entry), Err(message)) = (entry, checked) {
                self.wrong(entry, message);
            }
        }
    }

    /// Checks that there are two or more runs and that they include the baselines.
    fn runs(&mut self, entries: &PlanEntries) {
        let Some(runs) = &entries.runs else {
            return;
        };
        match runs.value.as_slice() {
            [] | [_] => self.wrong(runs, "a comparison needs two or more runs"),
            [first, others @ ..] if others.iter().all(|name| name == first) => self.wrong(
                runs,
                format!("a comparison needs two or more runs, but all of these are `{first}`"),
            ),
            _ => {}
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

    /// The policies that the plan fixes.
    fn policies(&mut self, entries: &PlanEntries) -> PlannedPolicies {
        let mut planned = PlannedPolicies::default();
        let profiles: Vec<(&str, Profile)> = Profile::ALL
            .iter()
            .map(|profile| (profile.name(), *profile))
            .collect();
        planned.profile = self.choice(entries.profile.as_ref(), "profile", &profiles);
        if let Some(entry) = &entries.level {
            planned.level = Some(entry.value);
            if !entry.value.is_finite() {
                self.wrong(
                    entry,
                    format!(
                        "a relevance level must be a finite number, not {}",
                        entry.value
                    ),
                );
            }
        }
        for (policy, entry) in &entries.policies {
            let mut policies = Policies::OWN;
            match policies.set(policy, &entry.value) {
                Ok(()) => match policies.bounds() {
                    Some(bounds) => self.wrong(entry, bounds.as_interval("cannot be compared")),
                    None => planned.policies.push((*policy, entry.value.clone())),
                },
                Err(error) => self.wrong(entry, error),
            }
        }
        if let Some(entry) = &entries.depth {
            if entry.value == 0 {
                self.wrong(entry, "the depth must be 1 or more");
            }
            planned.policies.push(("depth", entry.value.to_string()));
        }
        planned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<ComparisonPlan, Error> {
        let source = Source::from_bytes("plan.toml", text.into())?;
        ComparisonPlan::of(&source, &Conventions::default())
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
    fn regions_intervals_and_standards() {
        let start = "measures = ['AP']\nbaseline = 'bm25'\n";
        let keys = "rope = 0.02\ninterval = 'basic'\nstandardise = 'std-ab'\n";
        let settings = of(&format!("{start}{keys}")).unwrap().settings;
        assert_eq!(settings.rope, Some(0.02));
        assert_eq!(settings.interval, Some(IntervalMethod::Basic));
        assert_eq!(settings.standardise, Some(Standardisation::StdAb));
        let error = |line: &str| of(&format!("{start}{line}\n")).unwrap_err().to_string();
        assert!(error("interval = 'basik'").contains("did you mean `basic`?"));
        assert!(error("standardise = 'zz'").contains("unknown standardisation `zz`"));
        let rope = error("rope = 0");
        assert!(rope.starts_with("plan.toml:3:8: rope is 0;"), "{rope}");
    }

    #[test]
    fn policies_are_part_of_a_plan_that_names_them() {
        let plan = of(
            "measures = ['AP']\nbaseline = 'a'\nlevel = 2\nties = 'expected'\ntopic_rule = 'both'\ndepth = 100\n",
        );
        let plan = plan.unwrap();
        assert_eq!(plan.measures, ["AP(rel=2)"]);
        assert_eq!(
            plan.policies.named(),
            ["level 2", "topics both", "ties expected", "depth 100"]
        );
        assert!(
            plan.says()
                .contains(" by AP(rel=2) under level 2, topics both, ties expected, depth 100;"),
            "{}",
            plan.says()
        );
    }

    /// A plan corrects for all of its tests, also where these correct themselves within a measure.
    #[test]
    fn a_family_is_the_whole_plan() {
        let plan = of("measures = ['AP', 'RR']\nbaseline = 'a'\ntest = 'dunnett'\n").unwrap();
        assert_eq!(plan.settings.family, Family::All);
        assert!(plan.settings.raise_replicates);
        let given = of("measures = ['AP']\nbaseline = 'a'\nreplicates = 10\n").unwrap();
        assert!(!given.settings.raise_replicates);
    }

    #[test]
    fn errors_have_their_line() {
        let good = "measures = ['AP']\nbaseline = 'a'\n";
        for (text, expected) in [
            ("baseline = 'a'\n", "plan.toml: missing `measures`"),
            (
                "measures = ['AP']\n",
                "plan.toml: missing `runs` or `baseline`",
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
                "plan.toml:3:14: unknown correction `x`; expected one of none, bonferroni",
            ),
            (
                &format!("{good}ties = 'random'\n"),
                "plan.toml:3:8: unknown tie rule `random`; one of: docid-desc",
            ),
            (
                &format!("{good}unjudged = 'bounds'\n"),
                "plan.toml:3:12: unjudged=bounds gives intervals, which cannot be compared; use unjudged=nonrelevant",
            ),
            (
                &format!("{good}profile = 'trec_evil'\n"),
                "plan.toml:3:11: unknown profile `trec_evil`; did you mean `trec_eval`?",
            ),
            (
                &format!("{good}depth = 0\n"),
                "plan.toml:3:9: the depth must be 1 or more",
            ),
            (
                &format!("{good}alpha = 0.7\n"),
                "plan.toml:3:9: alpha is 0.7",
            ),
            (
                &format!("{good}margin = -1\n"),
                "plan.toml:3:10: margin is -1",
            ),
            (
                &format!("{good}margin = 5\n"),
                "plan.toml:3:10: AP is from 0 to 1, so no difference is larger than a margin of 5;",
            ),
            (
                &format!("{good}rope = 1e308\n"),
                "plan.toml:3:8: rope is 1e308; give a number from",
            ),
            (
                &format!("{good}replicates = 0\n"),
                "plan.toml:3:14: replicates is 0; give a whole number from 1",
            ),
            (
                &format!("{good}runs = ['b', 'c']\n"),
                "plan.toml:2:12: the baseline `a` is not one of the runs",
            ),
            (
                &format!("{good}runs = ['a']\n"),
                "plan.toml:3:8: a comparison needs two or more runs",
            ),
            (
                &format!("{good}runs = ['a', 'a']\n"),
                "plan.toml:3:8: a comparison needs two or more runs, but all of these are `a`",
            ),
            (
                &format!("{good}test = 'tukey'\ncorrection = 'holm'\n"),
                "plan.toml:3:8: Tukey's HSD already corrects for all comparisons",
            ),
        ] {
            let error = of(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}

//! Comparisons as JSON.

use cranfield_stats::Interval;
use serde_json::{Value, json};

use super::{
    Comparison, ComparisonPlan, Family, IntervalMethod, MeasureTable, Pair, PlannedTopics,
    Standardisation, System,
};

impl Comparison {
    /// The settings of the comparison.
    pub fn settings_object(&self) -> Value {
        settings(self)
    }

    /// The runs, groups, tests of all runs and pairs by one measure.
    pub fn measure_object(&self, table: &MeasureTable) -> Value {
        measure(self, table)
    }

    /// Two runs by one measure.
    pub fn pair_object(&self, table: &MeasureTable, found: &Pair) -> Value {
        pair(self, table, found)
    }
}

impl ComparisonPlan {
    /// The plan, with its text and hash.
    pub fn object(&self) -> Value {
        json!({
            "path": self.path,
            "blake3": self.blake3,
            "text": self.text,
            "title": self.title,
            "measures": self.measures,
            "runs": self.runs,
            "topics": match &self.topics {
                PlannedTopics::Any => Value::Null,
                PlannedTopics::Count(count) => json!(count),
                PlannedTopics::Ids(ids) => json!(ids),
            },
            "evaluation": self.policies.named(),
        })
    }
}

impl Comparison {
    /// All settings with their names in JSON; `none` for those that are not set.
    pub fn named_settings(&self) -> Vec<(String, String)> {
        let settings = settings(self);
        let settings = settings.as_object().into_iter().flatten();
        settings
            .map(|(name, value)| (name.replace('_', " "), in_words(value)))
            .collect()
    }
}

/// Formats a setting as text.
fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".into(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn settings(comparison: &Comparison) -> Value {
    let settings = &comparison.settings;
    let name = |run: &usize| comparison.runs[*run].as_str();
    json!({
        "test": settings.test.name(),
        "correction": settings.correction().name(),
        "correction_of_measures": (settings.test.corrects_itself() && settings.family == Family::All)
            .then_some("bonferroni"),
        "family": match settings.family { Family::Measure => "measure", Family::All => "all" },
        "alpha": settings.alpha,
        "margin": settings.margin,
        "rope": settings.rope,
        "interval": comparison.interval_name(),
        "resamples": settings.rank_resampling().replicates,
        "standardise": settings.standardise.map(Standardisation::name),
        "replicates": settings.resampling.replicates,
        "seed": settings.resampling.seed,
        "baselines": comparison.baselines.iter().map(name).collect::<Vec<_>>(),
    })
}

fn measure(comparison: &Comparison, table: &MeasureTable) -> Value {
    let name = |run: &usize| comparison.runs[*run].as_str();
    let systems = table
        .order
        .iter()
        .map(|run| system(comparison, *run, &table.systems[*run]));
    let groups = table
        .groups
        .iter()
        .map(|group| group.iter().map(name).collect::<Vec<_>>());
    let mut object = json!({
        "measure": table.measure,
        "topics": table.topics.count,
        "topics_left_out": table.topics.left_out,
        "undefined_as_zero": table.topics.zeros,
        "tests_in_family": table.family,
        "measures_in_family": table.measures_in_family,
        "replicates_needed": table.lacking_replicates,
        "too_few_topics_for_intervals": comparison.has_short_intervals(table),
        "runs": systems.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
        "omnibus": table.omnibus_object(),
        "too_many_groups": table.too_many_groups,
        "pairs": table.pairs.iter().map(|found| pair(comparison, table, found)).collect::<Vec<_>>(),
    });
    if let Some(role) = comparison.role {
        object["role"] = json!(role.name());
    }
    object
}

fn system(comparison: &Comparison, run: usize, system: &System) -> Value {
    json!({
        "run": comparison.runs[run],
        "mean": system.mean,
        "interval": system.interval.as_ref().map(interval),
        "rank": system.rank.rank,
        "rank_interval": [system.rank.lowest, system.rank.highest],
        "probability_best": system.rank.best,
        "groups": system.letters,
    })
}

fn pair(comparison: &Comparison, table: &MeasureTable, pair: &Pair) -> Value {
    let mut object = json!({
        "run": comparison.runs[pair.first],
        "against": comparison.runs[pair.second],
        "difference": pair.difference,
        "relative": pair.relative,
        "interval": named_interval(pair),
        "p": pair.p,
        "p_corrected": pair.adjusted,
        "significant": pair.significant,
        "no_variance": pair.degenerate.map(cranfield_stats::Degenerate::reason),
        "test_compares": pair.compared(comparison.settings.test).map(|leaning| json!({
            "what": comparison.settings.test.compares(),
            "run": leaning.first,
            "against": leaning.second,
        })),
        "d_z": pair.effect.value,
        "d_z_interval": pair.effect.interval.as_ref().map(interval),
        "wins": pair.wins.wins,
        "ties": pair.wins.ties,
        "losses": pair.wins.losses,
        "importance": pair.importance.map(super::Importance::name),
        "signed_rank": pair.chances(table).map(|[better, equal, worse]| json!({
            "better": better,
            "equivalent": equal,
            "worse": worse,
        })),
        "detectable": pair.detectable,
        "equivalence_p": pair.equivalence.as_ref().map(|tost| tost.p),
        "equivalence_p_corrected": pair.equivalence_adjusted,
        "verdict": pair.claim.verdict.name(),
        "claim": pair.claim.says,
        "not_claimed": pair.claim.does_not_say,
    });
    if !pair.topics.is_empty() {
        object["differing_topics"] = comparison.differing_object(pair);
    }
    object
}

/// The interval of a difference and its method.
fn named_interval(pair: &Pair) -> Value {
    let mut object = interval(&pair.interval);
    object["method"] = json!(
        pair.interval_method
            .map_or("simultaneous", IntervalMethod::name)
    );
    object
}

fn interval(interval: &Interval) -> Value {
    json!({"low": interval.low, "high": interval.high, "level": interval.level})
}

//! Settings of a campaign. The form, the API and the TOML file have the same names.

use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_measures::spec::{Conventions, parse_measures};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// Who may see something before the release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Audience {
    /// Everyone with the address.
    #[default]
    Everyone,
    /// Members of the campaign.
    Members,
    /// Organisers and assistants.
    Organisers,
}

/// What stands for the name of a team before the release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Names {
    /// Its name.
    #[default]
    Real,
    /// Its number.
    Numbers,
}

/// When a better public score is shown; see [`ladder`](crate::ladder).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ladder {
    /// Every entry shows its score.
    #[default]
    Off,
    /// An improvement of more than one standard error.
    BlumHardt,
    /// A significant improvement by a one-sided paired t test.
    T,
    /// An improvement by more than a fixed step, to which the score is rounded.
    Step,
}

/// The topics of the final board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FinalTopics {
    /// The private half.
    #[default]
    Private,
    /// All topics.
    All,
}

/// Settings of a campaign. Each change makes a new version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    pub(crate) title: String,
    /// One sentence for the list of campaigns.
    pub(crate) summary: String,
    /// Markdown.
    pub(crate) rules: String,
    /// Time zone of all dates, such as `Asia/Taipei`.
    pub(crate) zone: String,
    /// First and last moment of entries, and the freeze of the board, if any: dates with a time, without a zone.
    pub(crate) opens: String,
    pub(crate) freezes: String,
    pub(crate) closes: String,
    /// Entries that arrive this long after the end are marked as late.
    pub(crate) grace_minutes: u32,
    pub(crate) accept_late: bool,
    pub(crate) count_late: bool,
    /// The first is the primary one. A form sends them in one field.
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) measures: Vec<String>,
    pub(crate) entries_per_day: u32,
    pub(crate) entries_in_all: u32,
    pub(crate) team_size: u32,
    /// Until when teams may merge; empty for as long as entries are accepted and the board is live.
    pub(crate) merges_until: String,
    pub(crate) final_picks: u32,
    /// Maximum number of documents for a topic.
    pub(crate) depth: u32,
    pub(crate) public_share: f64,
    pub(crate) seed: u32,
    pub(crate) final_on: FinalTopics,
    pub(crate) ladder: Ladder,
    /// The step of [`Ladder::Step`].
    pub(crate) ladder_step: f64,
    pub(crate) board: Audience,
    pub(crate) names: Names,
    /// Whether a team sees the public scores of its entries.
    pub(crate) own_score: bool,
    /// Who sees the judgements, and what shows them, after the release.
    pub(crate) release_qrels: Audience,
    /// Who sees the final runs of all teams after the release.
    pub(crate) release_runs: Audience,
    /// Sites whose pages may show the board in a frame, separated by spaces, such as `https://example.org`.
    pub(crate) embed_origins: String,
}

/// A setting that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// A string, or a list of them.
fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Given::deserialize(deserializer)? {
        Given::One(names) => vec![names],
        Given::Many(names) => names,
    })
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            title: String::new(),
            summary: String::new(),
            rules: String::new(),
            zone: "UTC".into(),
            opens: String::new(),
            freezes: String::new(),
            closes: String::new(),
            grace_minutes: 10,
            accept_late: true,
            count_late: false,
            measures: ["nDCG@10", "AP", "P@10"].map(String::from).to_vec(),
            entries_per_day: 5,
            entries_in_all: 100,
            team_size: 5,
            merges_until: String::new(),
            final_picks: 2,
            depth: 1000,
            public_share: 0.5,
            seed: 1,
            final_on: FinalTopics::Private,
            ladder: Ladder::Off,
            ladder_step: 0.01,
            board: Audience::Everyone,
            names: Names::Real,
            own_score: true,
            release_qrels: Audience::Everyone,
            release_runs: Audience::Organisers,
            embed_origins: String::new(),
        }
    }
}

/// Dates of a campaign, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dates {
    pub(crate) opens: i64,
    pub(crate) freezes: Option<i64>,
    pub(crate) closes: i64,
    /// When teams may no longer merge.
    pub(crate) merges: Option<i64>,
}

impl Settings {
    /// Checks every field, and returns the problems by field.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.title.trim().is_empty() || self.title.chars().count() > 120 {
            return Err(Problem::field("title", "A title has 1 to 120 characters."));
        }
        if self.summary.chars().count() > 300 {
            return Err(Problem::field(
                "summary",
                "A summary has at most 300 characters.",
            ));
        }
        if self.rules.len() > 64 << 10 {
            return Err(Problem::field("rules", "The rules are longer than 64 KiB."));
        }
        let dates = self.dates()?;
        if dates.closes <= dates.opens {
            return Err(Problem::field("closes", "The end must be after the start."));
        }
        if let Some(freezes) = dates.freezes
            && !(dates.opens < freezes && freezes < dates.closes)
        {
            return Err(Problem::field(
                "freezes",
                "The freeze must be between the start and the end.",
            ));
        }
        if dates.merges.is_some_and(|merges| merges > dates.closes) {
            return Err(Problem::field(
                "merges_until",
                "Teams merge before the end, not after it.",
            ));
        }
        self.bound_measures()?;
        if !(self.public_share > 0.0 && self.public_share < 1.0) {
            return Err(Problem::field(
                "public_share",
                "The public share is between 0 and 1, both excluded.",
            ));
        }
        if !(self.ladder_step > 0.0 && self.ladder_step.is_finite()) {
            return Err(Problem::field(
                "ladder_step",
                "The step of a public score is greater than 0.",
            ));
        }
        self.origins()?;
        let counts = [
            ("entries_per_day", self.entries_per_day, 1, 1000),
            ("entries_in_all", self.entries_in_all, 1, 10_000),
            ("team_size", self.team_size, 1, 100),
            ("final_picks", self.final_picks, 1, 10),
            ("depth", self.depth, 1, 100_000),
            ("grace_minutes", self.grace_minutes, 0, 1440),
        ];
        for (field, value, least, most) in counts {
            if !(least..=most).contains(&value) {
                return Err(Problem::field(
                    field,
                    format!("Expected a number from {least} to {most}, not {value}."),
                ));
            }
        }
        Ok(())
    }

    /// What other settings would change.
    pub(crate) fn changes_to(&self, new: &Self) -> Vec<Change> {
        let fields = |settings: &Self| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let text = |value: Option<&serde_json::Value>| match value {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        let old = fields(self);
        fields(new)
            .iter()
            .filter(|(name, value)| old.get(*name) != Some(value))
            .map(|(name, value)| Change {
                name: name.clone(),
                old: text(old.get(name)),
                new: text(Some(value)),
            })
            .collect()
    }

    /// Refuses a change of what scores depend on.
    pub(crate) fn check_fixed(&self, new: &Self) -> Result<(), Problem> {
        let kept = [
            ("measures", self.measures == new.measures),
            ("seed", self.seed == new.seed),
            (
                "public_share",
                self.public_share.to_bits() == new.public_share.to_bits(),
            ),
        ];
        match kept.into_iter().find(|(_, same)| !same) {
            None => Ok(()),
            Some((field, _)) => Err(Problem::field(
                field,
                "This is fixed, because scores depend on it. Make a new campaign.",
            )),
        }
    }

    /// The measures, the primary one first.
    pub(crate) fn bound_measures(&self) -> Result<Vec<BoundMeasure>, Problem> {
        let names = self.measures.join(" ");
        let measures = parse_measures(&names, &Conventions::default())
            .map_err(|error| Problem::field("measures", error.to_string()))?;
        let is_text = |measure: &&BoundMeasure| {
            matches!(
                measure.computation,
                Computation::Text(_) | Computation::RunId
            )
        };
        if let Some(text) = measures.iter().find(is_text) {
            return Err(Problem::field(
                "measures",
                format!("{text} is a string and has no mean."),
            ));
        }
        if measures.is_empty() || measures.len() > 12 {
            return Err(Problem::field(
                "measures",
                "A campaign has 1 to 12 measures.",
            ));
        }
        Ok(measures)
    }

    /// The sites that may show the board in a frame.
    pub(crate) fn origins(&self) -> Result<Vec<&str>, Problem> {
        let origins: Vec<&str> = self.embed_origins.split_whitespace().collect();
        let is_origin = |origin: &str| {
            let host = origin
                .strip_prefix("https://")
                .or_else(|| origin.strip_prefix("http://"));
            host.is_some_and(|host| {
                !host.is_empty()
                    && host
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || ".-:".contains(c))
            })
        };
        match origins.iter().find(|origin| !is_origin(origin)) {
            Some(wrong) => Err(Problem::field(
                "embed_origins",
                format!(
                    "Expected the start of an address, such as https://example.org, not `{wrong}`."
                ),
            )),
            None => Ok(origins),
        }
    }

    /// The time zone.
    pub(crate) fn time_zone(&self) -> Result<TimeZone, Problem> {
        TimeZone::get(&self.zone).map_err(|_| {
            Problem::field(
                "zone",
                format!(
                    "No time zone is named `{}`; examples are Europe/Vienna and UTC.",
                    self.zone
                ),
            )
        })
    }

    /// The dates as points in time.
    pub(crate) fn dates(&self) -> Result<Dates, Problem> {
        let zone = self.time_zone()?;
        Ok(Dates {
            opens: moment("opens", &self.opens, &zone)?,
            freezes: match self.freezes.trim() {
                "" => None,
                text => Some(moment("freezes", text, &zone)?),
            },
            closes: moment("closes", &self.closes, &zone)?,
            merges: match self.merges_until.trim() {
                "" => None,
                text => Some(moment("merges_until", text, &zone)?),
            },
        })
    }
}

fn moment(field: &'static str, text: &str, zone: &TimeZone) -> Result<i64, Problem> {
    let wrong = || {
        Problem::field(
            field,
            format!("Expected a date with a time, such as 2026-10-02T23:59, not `{text}`."),
        )
    };
    let date: DateTime = text.trim().parse().map_err(|_| wrong())?;
    let zoned = date.to_zoned(zone.clone()).map_err(|_| wrong())?;
    Ok(zoned.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            title: "HW1".into(),
            zone: "Asia/Taipei".into(),
            opens: "2026-10-01T09:00".into(),
            closes: "2026-10-02T23:59".into(),
            ..Settings::default()
        }
    }

    #[test]
    fn dates_are_in_the_zone_of_the_campaign() {
        let dates = settings().dates().expect("dates");
        // 2026-10-01 01:00 UTC.
        assert_eq!(dates.opens, 1_790_816_400_000);
        assert_eq!(dates.freezes, None);
    }

    #[test]
    fn wrong_fields_are_named() {
        type Change = fn(&mut Settings);
        let wrong: [(&str, Change); 12] = [
            ("title", |s| s.title.clear()),
            ("closes", |s| s.closes = "2026-09-01T00:00".into()),
            ("closes", |s| s.closes = "tomorrow".into()),
            ("freezes", |s| s.freezes = "2026-10-03T00:00".into()),
            ("zone", |s| s.zone = "Taipei".into()),
            ("measures", |s| s.measures = vec!["nDGC".into()]),
            ("measures", |s| {
                s.measures = vec!["AP".into(), "RunId".into()];
            }),
            ("public_share", |s| s.public_share = 1.0),
            ("ladder_step", |s| s.ladder_step = 0.0),
            ("embed_origins", |s| s.embed_origins = "example.org".into()),
            ("embed_origins", |s| s.embed_origins = "https://".into()),
            ("embed_origins", |s| {
                s.embed_origins = "https://a.org https://b.org/;x".into();
            }),
        ];
        assert!(settings().check().is_ok());
        for (field, change) in wrong {
            let mut settings = settings();
            change(&mut settings);
            let problem = settings.check().expect_err(field);
            assert!(problem.fields.contains_key(field), "{field}: {problem:?}");
        }
    }

    #[test]
    fn settings_read_what_they_write() {
        let toml = toml::to_string(&settings()).expect("TOML");
        assert_eq!(
            toml::from_str::<Settings>(&toml).expect("settings"),
            settings()
        );
        assert!(toml::from_str::<Settings>("colour = 'red'").is_err());
    }
}

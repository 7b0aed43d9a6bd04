//! Whether an archive is whole and consistent, and whether its runs still have the scores that it has.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use cranfield_io::{Limits, Source};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::export::{entry_of, number};
use super::scores::Line;
use super::tables::{CAMPAIGN, Kind, Names, Row, TABLES, unhex};
use super::zip::{self, Damage, Members};
use super::{FORMAT, qrels_member, run_member, scores_member, split_member, table_member};
use crate::audit;
use crate::check::EXPANDED;
use crate::scoring::Scorer;
use crate::settings::Settings;
use crate::split;

/// What was found in an archive.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Address of the campaign.
    pub campaign: String,
    /// What the archive has: `full`, `public` or `team`.
    pub profile: String,
    /// Number of members.
    pub members: usize,
    /// Number of entries.
    pub entries: usize,
    /// Number of entries that were scored again, counted once for each scoring.
    pub rescored: usize,
    /// Damaged members, each with what is wrong.
    pub damaged: Vec<String>,
    /// Scores that differ.
    pub differing: Vec<String>,
}

/// Checks an archive of a campaign: every byte against the manifest, the chain of the log, and the references between rows. `rescore` also scores
/// every run by every version of the judgements, and compares the bits.
///
/// # Errors
/// If the file cannot be read.
pub fn verify(path: &Path, rescore: bool) -> io::Result<Verified> {
    let opened = zip::open(path)?;
    let mut verified = Verified {
        members: opened.members.len(),
        ..Verified::default()
    };
    let mut problems = opened.problems;
    if problems.is_empty() {
        match Contents::read(opened.members) {
            Err(damage) => problems.push(damage),
            Ok(contents) => {
                verified.campaign.clone_from(&contents.slug);
                verified.profile.clone_from(&contents.profile);
                verified.entries = contents.rows("submission").len();
                contents.check(&mut problems)?;
                if rescore && problems.is_empty() {
                    contents.rescore(&mut verified, &mut problems)?;
                }
            }
        }
    }
    let text = |damage: Damage| format!("{}: {}", damage.member, damage.what);
    verified.damaged = problems.into_iter().map(text).collect();
    Ok(verified)
}

/// The parsed members of an archive.
pub(crate) struct Contents {
    pub(crate) members: Members,
    pub(crate) slug: String,
    pub(crate) profile: String,
    pub(crate) campaign: Row,
    settings: toml::Table,
    pub(crate) people: Vec<Row>,
    tables: BTreeMap<&'static str, Vec<Row>>,
    pub(crate) scores: BTreeMap<i64, Vec<Line>>,
    pub(crate) log: Vec<audit::Row>,
}

/// `campaign.toml`.
#[derive(Deserialize)]
struct Description {
    format: String,
    profile: String,
    campaign: Row,
    settings: toml::Table,
}

fn lines<T: DeserializeOwned>(members: &Members, member: &str) -> Result<Vec<T>, Damage> {
    let Some(content) = members.get(member) else {
        return Ok(Vec::new());
    };
    let bytes = content
        .read()
        .map_err(|error| Damage::of(member, error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| Damage::of(member, "it is not UTF-8"))?;
    let parsed = (1..).zip(text.lines()).map(|(line, text)| {
        serde_json::from_str(text)
            .map_err(|error| Damage::of(member, format!("line {line}: {error}")))
    });
    parsed.collect()
}

impl Contents {
    /// Parses the members.
    pub(crate) fn read(members: Members) -> Result<Self, Damage> {
        const MEMBER: &str = "campaign.toml";
        let damage = |what: String| Damage::of(MEMBER, what);
        let content = members.get(MEMBER).ok_or_else(|| {
            damage("the member is missing; is this an archive of a campaign?".into())
        })?;
        let bytes = content.read().map_err(|error| damage(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| damage("it is not UTF-8".into()))?;
        let description: Description =
            toml::from_str(&text).map_err(|error| damage(error.to_string()))?;
        if description.format != FORMAT {
            let what = format!(
                "the format is {}, and this version reads {FORMAT}",
                description.format
            );
            return Err(damage(what));
        }
        let mut tables = BTreeMap::new();
        for table in TABLES {
            tables.insert(table.name, lines(&members, &table_member(table.name))?);
        }
        let scorings = tables.get("scoring").into_iter().flatten();
        let mut scores = BTreeMap::new();
        for (scoring, _) in (1_i64..).zip(scorings) {
            scores.insert(scoring, lines(&members, &scores_member(scoring))?);
        }
        let slug = description.campaign.get("slug").and_then(Value::as_str);
        Ok(Self {
            slug: slug.unwrap_or_default().to_owned(),
            profile: description.profile,
            campaign: description.campaign,
            settings: description.settings,
            people: lines(&members, "people.jsonl")?,
            scores,
            tables,
            log: lines(&members, "audit.jsonl")?,
            members,
        })
    }

    /// The rows of a table.
    pub(crate) fn rows(&self, table: &str) -> &[Row] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }

    fn is_full(&self) -> bool {
        self.profile == "full"
    }

    /// Ids of the topics in their order.
    pub(crate) fn topics(&self) -> Vec<String> {
        let ids = self.rows("topic").iter().map(|row| row.get("id"));
        ids.filter_map(|id| Some(id?.as_str()?.to_owned()))
            .collect()
    }

    /// Whether each topic is public in a version of the split.
    pub(crate) fn public(&self, version: i64) -> Option<Vec<bool>> {
        let content = self.members.get(&split_member(version))?;
        let text = String::from_utf8(content.read().ok()?).ok()?;
        let topics = self.topics();
        let public: Vec<bool> = text
            .lines()
            .map(|line| line.ends_with("\tpublic"))
            .collect();
        let pairs = topics.iter().zip(&public);
        let same: String = pairs.map(|(id, public)| split::line(id, *public)).collect();
        (same == text && topics.len() == public.len()).then_some(public)
    }

    /// The settings of a version.
    fn settings_of(&self, version: i64) -> Option<Settings> {
        if !self.is_full() {
            // What scores depend on is the same in all versions.
            return self.settings.clone().try_into().ok();
        }
        let row = self
            .rows("settings")
            .iter()
            .find(|row| number(row, "version") == version)?;
        serde_json::from_str(row.get("json")?.as_str()?).ok()
    }

    /// What rows may refer to, with numbers that mean nothing.
    fn names(&self) -> Names {
        let mut names = Names::default();
        for row in &self.people {
            let name = row.get("person").cloned().unwrap_or_default();
            names.add(Kind::Person, name, 0);
        }
        for row in self.rows("team") {
            names.add(Kind::Team, Value::from(number(row, "number")), 0);
        }
        for row in self.rows("submission") {
            names.add(Kind::Entry, Value::from(entry_of(row)), 0);
        }
        for scoring in 1..=self.rows("scoring").len() {
            names.add(Kind::Scoring, Value::from(scoring), 0);
        }
        names
    }

    /// Checks what the rows say of each other.
    fn check(&self, problems: &mut Vec<Damage>) -> io::Result<()> {
        let names = self.names();
        let campaign = (&CAMPAIGN, std::slice::from_ref(&self.campaign));
        let tables = TABLES.iter().map(|table| (table, self.rows(table.name)));
        // Other profiles have the scores of the scoring in force only.
        for (table, rows) in tables.chain([campaign].into_iter().filter(|_| self.is_full())) {
            let member = match table.name {
                "campaign" => "campaign.toml".to_owned(),
                name => table_member(name),
            };
            for (line, row) in (1..).zip(rows) {
                for (kind, value) in table.references(row) {
                    let is_known = matches!(kind, Kind::Own | Kind::Elsewhere)
                        || names.number(kind, value).is_some();
                    if !is_known {
                        let what = format!("line {line}: {value} is not in the archive");
                        problems.push(Damage::of(&member, what));
                    }
                }
            }
        }
        let mut prev = "";
        for (line, row) in (1..).zip(&self.log) {
            if !row.follows(prev) {
                let what = format!("line {line} was changed, or the one before it is missing");
                problems.push(Damage::of("audit.jsonl", what));
                break;
            }
            prev = &row.hash;
        }
        self.check_splits(problems);
        if self.is_full() {
            self.check_files(problems)?;
            self.check_settings(problems);
            self.check_scores(problems);
        }
        Ok(())
    }

    /// The commitments that were published before the first entry.
    fn check_splits(&self, problems: &mut Vec<Damage>) {
        let topics = self.topics();
        let text =
            |row: &Row, column: &str| row.get(column).and_then(Value::as_str).map(str::to_owned);
        for row in self.rows("split") {
            let version = number(row, "version");
            let Some(public) = self.public(version) else {
                let what = "it does not have a line for each topic";
                problems.push(Damage::of(&split_member(version), what));
                continue;
            };
            let nonce = row
                .get("nonce")
                .and_then(|nonce| unhex(nonce.get("hex")?.as_str()?));
            let nonce = nonce.unwrap_or_default();
            let is_kept = self.rows("qrels").iter().any(|qrels| {
                let blob = text(qrels, "blob").unwrap_or_default();
                Some(split::commitment(&nonce, &topics, &public, &blob)) == text(row, "commitment")
            });
            if !is_kept {
                let what = "it does not match the commitment that was published";
                problems.push(Damage::of(&split_member(version), what));
            }
        }
    }

    /// Files have the hashes that the rows say.
    fn check_files(&self, problems: &mut Vec<Damage>) -> io::Result<()> {
        let qrels = self.rows("qrels").iter();
        let qrels = qrels.map(|row| (qrels_member(number(row, "version")), row));
        let entries = self.rows("submission").iter();
        let entries = entries.map(|row| (run_member(&entry_of(row)), row));
        for (member, row) in qrels.chain(entries) {
            let Some(content) = self.members.get(&member) else {
                problems.push(Damage::of(&member, "the member is missing"));
                continue;
            };
            if row.get("blob").and_then(Value::as_str) != Some(&*content.sums()?.hash) {
                problems.push(Damage::of(&member, "it is not the file that was received"));
            }
        }
        Ok(())
    }

    fn check_settings(&self, problems: &mut Vec<Damage>) {
        let version = number(&self.campaign, "settings");
        let settings = self.settings_of(version);
        let table = settings.and_then(|settings| toml::Table::try_from(settings).ok());
        if table.as_ref() != Some(&self.settings) {
            let what = format!("its settings are not those of version {version}");
            problems.push(Damage::of("campaign.toml", what));
        }
    }

    /// Every scored entry has values under the scoring in force, and values belong to entries.
    fn check_scores(&self, problems: &mut Vec<Damage>) {
        let entries: BTreeSet<String> = self.rows("submission").iter().map(entry_of).collect();
        for (scoring, lines) in &self.scores {
            let unknown = lines.iter().find(|line| !entries.contains(&line.entry));
            if let Some(line) = unknown {
                let what = format!("{} is not in the archive", line.entry);
                problems.push(Damage::of(&scores_member(*scoring), what));
            }
        }
        let Some(current) = self.campaign.get("scoring").and_then(Value::as_i64) else {
            return;
        };
        let lines = self.scores.get(&current);
        let known: BTreeSet<&str> = lines
            .into_iter()
            .flatten()
            .map(|line| line.entry.as_str())
            .collect();
        for row in self.rows("submission") {
            let entry = entry_of(row);
            let is_scored = row.get("state").and_then(Value::as_str) == Some("scored");
            if is_scored && !known.contains(entry.as_str()) {
                let what = format!("the values of {entry} are missing");
                problems.push(Damage::of(&scores_member(current), what));
            }
        }
    }

    /// Scores every entry again under every scoring that has values for it.
    fn rescore(&self, verified: &mut Verified, problems: &mut Vec<Damage>) -> io::Result<()> {
        let limits = Limits {
            max_expanded: EXPANDED,
        };
        for (scoring, row) in (1_i64..).zip(self.rows("scoring")) {
            let member = qrels_member(number(row, "qrels"));
            let (Some(content), Some(settings), Some(public)) = (
                self.members.get(&member),
                self.settings_of(number(row, "settings")),
                self.public(number(row, "split")),
            ) else {
                continue;
            };
            let damage = |what: &dyn std::fmt::Display| Damage::of(&member, what.to_string());
            let source = Source::from_bytes(&member, content.read()?);
            let qrels = source.and_then(|source| cranfield_io::read_qrels(&source, None));
            let qrels = match qrels {
                Ok(qrels) => qrels,
                Err(error) => {
                    problems.push(damage(&error));
                    continue;
                }
            };
            let measures = match settings.bound_measures() {
                Ok(measures) => measures,
                Err(problem) => {
                    problems.push(Damage::of("campaign.toml", problem.detail));
                    continue;
                }
            };
            let names: Vec<String> = measures.iter().map(ToString::to_string).collect();
            let scorer = Scorer::new(self.topics(), measures, &qrels, &public);
            let mut by_entry: BTreeMap<&str, Vec<&Line>> = BTreeMap::new();
            for line in self.scores.get(&scoring).into_iter().flatten() {
                by_entry.entry(&line.entry).or_default().push(line);
            }
            for (entry, lines) in by_entry {
                let member = run_member(entry);
                let Some(run) = self.members.get(&member) else {
                    continue;
                };
                let source = Source::from_bytes_with(&member, run.read()?, limits);
                let values = source
                    .map_err(|error| error.to_string())
                    .and_then(|source| {
                        scorer
                            .score(&Arc::new(source))
                            .map_err(|problem| problem.detail)
                    });
                verified.rescored += 1;
                let values = match values {
                    Ok(values) => values,
                    Err(what) => {
                        problems.push(Damage::of(&member, what));
                        continue;
                    }
                };
                let is_whole = lines.len() == values.len()
                    && names
                        .iter()
                        .zip(&lines)
                        .all(|(name, line)| *name == line.measure);
                let differs = lines
                    .iter()
                    .zip(&values)
                    .find(|(line, values)| !line.is_same(values));
                let differs = differs.map(|(line, _)| line.measure.as_str());
                if let Some(measure) = differs.or((!is_whole).then_some("the list of measures")) {
                    verified
                        .differing
                        .push(format!("{}: {entry}, {measure}", scores_member(scoring)));
                }
            }
        }
        Ok(())
    }
}

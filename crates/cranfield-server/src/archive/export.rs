//! From the database to an archive.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde_json::{Value, json};

use super::tables::{CAMPAIGN, Kind, Names, Row, TABLES, entry_name};
use super::zip::{Content, Members};
use super::{
    FORMAT, Profile, qrels_member, run_member, scores, scores_member, split_member, table_member,
};
use crate::audit;
use crate::board::{Board, Part};
use crate::campaign::Campaign;
use crate::policy::Access;
use crate::problem::Problem;
use crate::server::blob_path;
use crate::split;

/// Columns that everyone may see after the release, by table.
const PUBLIC: &[(&str, &[&str])] = &[
    ("topic", &["place", "id", "title"]),
    ("qrels", &["version", "blob", "at"]),
    ("split", &["version", "seed", "nonce", "commitment"]),
    (
        "scoring",
        &[
            "qrels",
            "split",
            "settings",
            "engine",
            "created",
            "applied",
            "cancelled",
            "previous",
        ],
    ),
    ("team", &["number", "name", "kind"]),
    (
        "submission",
        &["team", "entry", "received", "blob", "late", "state"],
    ),
    ("notice", &["at", "text"]),
];

/// Columns that a team may see of its own rows, by table.
const TEAM: &[(&str, &[&str])] = &[
    ("topic", &["place", "id", "title"]),
    ("team", &["number", "name", "kind"]),
    (
        "submission",
        &[
            "team",
            "entry",
            "received",
            "blob",
            "file",
            "description",
            "late",
            "withdrawn",
            "rejected",
        ],
    ),
    ("pick", &["team", "submission", "at"]),
    ("notice", &["at", "text"]),
];

/// Settings that a team may see before the release.
const TEAM_SETTINGS: &[&str] = &[
    "title", "summary", "rules", "zone", "opens", "freezes", "closes", "measures",
];

/// What is exported.
pub(crate) struct Export<'a> {
    pub(crate) db: &'a Connection,
    pub(crate) data: &'a std::path::Path,
    pub(crate) campaign: &'a Campaign,
    names: Names,
    members: Members,
}

/// Everything about a campaign. Without people, there are neither logins nor names of persons.
pub(crate) fn full(
    db: &Connection,
    data: &std::path::Path,
    campaign: &Campaign,
    with_people: bool,
) -> Result<Members, Problem> {
    let names = Names::of(db, campaign.id, with_people)?;
    let mut export = Export::new(db, data, campaign, names);
    export.describe(Profile::Full, &campaign.settings)?;
    let mut people = Vec::new();
    for (name, id) in export.names.people() {
        let (login, shown): (String, String) = db.query_row(
            "SELECT login, name FROM person WHERE id = ?1",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        people.push(if with_people {
            json!({ "person": name, "login": login, "name": shown })
        } else {
            json!({ "person": name })
        });
    }
    export.lines("people.jsonl".into(), &people)?;
    for table in TABLES {
        let rows = table.read(db, campaign.id, &export.names)?;
        for row in &rows {
            match table.name {
                "qrels" => export.blob(qrels_member(number(row, "version")), row)?,
                "split" => export.split(number(row, "version"))?,
                "submission" => export.blob(run_member(&entry_of(row)), row)?,
                _ => {}
            }
        }
        export.lines(table_member(table.name), &rows)?;
    }
    let mut query =
        db.prepare("SELECT id, settings FROM scoring WHERE campaign = ?1 ORDER BY id")?;
    let scorings = query.query_map([campaign.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (number, scoring) in (1..).zip(scorings) {
        let (id, settings): (i64, i64) = scoring?;
        let measures = measures_of(db, campaign.id, settings)?;
        let lines = scores::lines(db, id, &measures, &export.names)?;
        export.lines(scores_member(number), &lines)?;
    }
    let log = audit::rows(db, campaign.id)?;
    export.lines("audit.jsonl".into(), &log)?;
    Ok(export.members)
}

/// What a viewer may see after the release: the topics and their split with its nonce, the entries of the final and the public board with their
/// values, and as the settings say, the judgements with values by topic, and runs.
pub(crate) fn public(
    db: &Connection,
    data: &std::path::Path,
    access: &Access,
) -> Result<Members, Problem> {
    let campaign = &access.campaign;
    let names = Names::of(db, campaign.id, false)?;
    let mut export = Export::new(db, data, campaign, names);
    export.describe(Profile::Public, &campaign.settings)?;
    let mut shown = BTreeMap::new();
    for part in [Part::Public, Part::Final] {
        let board = Board::ranked(db, campaign, part, 0, access.now)?;
        for row in board.rows {
            let name = export.names.name(Kind::Entry, row.submission)?;
            shown.insert(name.as_str().unwrap_or_default().to_owned(), row.submission);
        }
    }
    export.tables(PUBLIC, |table, row| {
        table != "submission" || shown.contains_key(&entry_of(row))
    })?;
    let keep = |line: &scores::Line| shown.contains_key(&line.entry);
    export.visible_scores(keep, true, access.sees_qrels())?;
    if access.sees_qrels()
        && let Some(scoring) = campaign.scoring
    {
        let (version, blob): (i64, String) = db.query_row(
            "SELECT q.version, q.blob FROM qrels q JOIN scoring s ON s.campaign = q.campaign AND s.qrels = q.version WHERE s.id = ?1",
            [scoring],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let file = Content::of_file(blob_path(data, &blob))?;
        export.members.insert(qrels_member(version), file);
    }
    if access.sees_runs() {
        for (entry, id) in &shown {
            let query = "SELECT blob FROM submission WHERE id = ?1";
            let blob: String = db.query_row(query, [id], |row| row.get(0))?;
            let file = Content::of_file(blob_path(data, &blob))?;
            export.members.insert(run_member(entry), file);
        }
    }
    Ok(export.members)
}

/// The entries of the own team, and the values that it may see.
pub(crate) fn team(
    db: &Connection,
    data: &std::path::Path,
    access: &Access,
) -> Result<Members, Problem> {
    let (_, team) = access.participant()?;
    let campaign = &access.campaign;
    let names = Names::of(db, campaign.id, false)?;
    let own = names.name(Kind::Team, team)?;
    let own = own.as_i64().unwrap_or_default();
    let mut export = Export::new(db, data, campaign, names);
    let mut settings = serde_json::to_value(&campaign.settings)?;
    if let Some(settings) = settings.as_object_mut() {
        settings.retain(|name, _| TEAM_SETTINGS.contains(&name.as_str()));
    }
    export.describe(Profile::Team, &settings)?;
    export.tables(TEAM, |table, row| match table {
        "team" => number(row, "number") == own,
        "submission" | "pick" => number(row, "team") == own,
        _ => true,
    })?;
    let mut query =
        db.prepare("SELECT entry, blob, state, shown FROM submission WHERE team = ?1 ORDER BY id")?;
    let rows = query.query_map([team], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let mut shown = Vec::new();
    for row in rows {
        let (entry, blob, state, at): (i64, String, String, Option<i64>) = row?;
        let name = entry_name(own, entry);
        let file = Content::of_file(blob_path(data, &blob))?;
        export.members.insert(run_member(&name), file);
        let is_shown = state == "scored" && at.is_some_and(|at| at <= access.now);
        if is_shown && access.sees_score_of_entry(at) {
            shown.push(name);
        }
    }
    let released = access.phase == crate::phase::Phase::Released;
    export.visible_scores(|line| shown.contains(&line.entry), released, false)?;
    Ok(export.members)
}

impl<'a> Export<'a> {
    fn new(
        db: &'a Connection,
        data: &'a std::path::Path,
        campaign: &'a Campaign,
        names: Names,
    ) -> Self {
        Self {
            db,
            data,
            campaign,
            names,
            members: Members::new(),
        }
    }

    /// `campaign.toml`.
    fn describe(&mut self, profile: Profile, settings: &impl Serialize) -> Result<(), Problem> {
        #[derive(Serialize)]
        struct Description<'s, S> {
            format: &'static str,
            profile: &'static str,
            campaign: Row,
            settings: &'s S,
        }
        let rows = CAMPAIGN.read(self.db, self.campaign.id, &self.names)?;
        let mut campaign = rows.into_iter().next().unwrap_or_default();
        // TOML has no null.
        campaign.retain(|_, value| !value.is_null());
        let description = Description {
            format: FORMAT,
            profile: profile.name(),
            campaign,
            settings,
        };
        let text = toml::to_string(&description).map_err(|error| Problem::internal(&error))?;
        let content = Content::Bytes(text.into_bytes());
        self.members.insert("campaign.toml".into(), content);
        Ok(())
    }

    fn lines(&mut self, member: String, lines: &[impl Serialize]) -> Result<(), Problem> {
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        self.members.insert(member, Content::Bytes(text));
        Ok(())
    }

    fn blob(&mut self, member: String, row: &Row) -> Result<(), Problem> {
        let hash = row.get("blob").and_then(Value::as_str).unwrap_or_default();
        let file = Content::of_file(blob_path(self.data, hash))?;
        self.members.insert(member, file);
        Ok(())
    }

    fn split(&mut self, version: i64) -> Result<(), Problem> {
        let public: Vec<u8> = self.db.query_row(
            "SELECT public FROM split WHERE campaign = ?1 AND version = ?2",
            (self.campaign.id, version),
            |row| row.get(0),
        )?;
        let topics = self.campaign.topics(self.db)?;
        let lines = topics.iter().zip(public);
        let text: String = lines.map(|(id, byte)| split::line(id, byte == 1)).collect();
        let content = Content::Bytes(text.into_bytes());
        self.members.insert(split_member(version), content);
        Ok(())
    }

    /// Some columns of some rows.
    fn tables(
        &mut self,
        columns: &[(&str, &[&str])],
        keep: impl Fn(&str, &Row) -> bool,
    ) -> Result<(), Problem> {
        for table in TABLES {
            let listed = columns.iter().find(|(name, _)| *name == table.name);
            let Some((_, listed)) = listed else { continue };
            let mut rows = table.read(self.db, self.campaign.id, &self.names)?;
            rows.retain(|row| keep(table.name, row));
            for row in &mut rows {
                if table.name == "split" {
                    self.split(number(row, "version"))?;
                }
                row.retain(|column, _| listed.contains(&column.as_str()));
            }
            self.lines(table_member(table.name), &rows)?;
        }
        Ok(())
    }

    /// The values of some entries under the scoring in force: the public means, or all, perhaps with those by topic.
    fn visible_scores(
        &mut self,
        keep: impl Fn(&scores::Line) -> bool,
        released: bool,
        by_topic: bool,
    ) -> Result<(), Problem> {
        let Some(id) = self.campaign.scoring else {
            return Ok(());
        };
        let measures = &self.campaign.settings.measures;
        let mut lines = scores::lines(self.db, id, measures, &self.names)?;
        lines.retain(keep);
        for line in &mut lines {
            if !by_topic {
                line.topics.clear();
            }
            if !released {
                line.private = None;
                line.overall = None;
            }
        }
        let scoring = self.names.name(Kind::Scoring, id)?;
        let member = scores_member(scoring.as_i64().unwrap_or_default());
        self.lines(member, &lines)
    }
}

/// A whole number of a row.
pub(super) fn number(row: &Row, column: &str) -> i64 {
    row.get(column).and_then(Value::as_i64).unwrap_or_default()
}

/// The name of the entry of a row of `submission`.
pub(super) fn entry_of(row: &Row) -> String {
    entry_name(number(row, "team"), number(row, "entry"))
}

fn measures_of(db: &Connection, campaign: i64, version: i64) -> Result<Vec<String>, Problem> {
    let json: Option<String> = db
        .query_row(
            "SELECT json FROM settings WHERE campaign = ?1 AND version = ?2",
            (campaign, version),
            |row| row.get(0),
        )
        .optional()?;
    let settings: crate::settings::Settings = serde_json::from_str(&json.unwrap_or_default())?;
    Ok(settings.measures)
}

//! From an archive to the database: a campaign as it was, on another server.

use std::path::Path;

use rusqlite::types::Value as Sql;
use rusqlite::{OptionalExtension, Transaction};
use serde_json::{Value, json};

use super::export::{entry_of, number};
use super::tables::{CAMPAIGN, Kind, Names, Row, TABLES};
use super::verify::Contents;
use super::zip;
use super::{qrels_member, run_member};
use crate::audit::{self, Event};
use crate::campaign::Campaign;
use crate::policy::Role;
use crate::problem::Problem;
use crate::scoring::{Values, to_bytes};
use crate::server::State;
use crate::settings::Settings;
use crate::{members, names, upload};

/// Makes a campaign from an archive with everything, and an account its organiser. Returns its address.
pub(crate) fn import(
    server: &State,
    path: &Path,
    organiser: Option<&str>,
) -> Result<String, Problem> {
    let verified = super::verify::verify(path, false)?;
    if let Some(damaged) = verified.damaged.first() {
        return Err(Problem::invalid(format!(
            "{} is damaged: {damaged}",
            path.display()
        )));
    }
    if verified.profile != "full" {
        return Err(Problem::invalid(format!(
            "{} has the profile {}, and only a full archive can be imported",
            path.display(),
            verified.profile
        )));
    }
    let opened = zip::open(path)?;
    let contents = Contents::read(opened.members)
        .map_err(|damage| Problem::invalid(format!("{}: {}", damage.member, damage.what)))?;
    let slug = names::slug(&contents.slug)?;
    let mut blobs = Vec::new();
    let qrels = contents.rows("qrels").iter();
    let qrels = qrels.map(|row| qrels_member(number(row, "version")));
    let runs = contents.rows("submission").iter();
    let runs = runs.map(|row| run_member(&entry_of(row)));
    for member in qrels.chain(runs) {
        let content = contents.members.get(&member);
        let content = content.ok_or_else(|| Problem::invalid(format!("{member} is missing")))?;
        blobs.push(upload::keep_here(&server.data, &content.read()?, &member)?);
    }
    let now = server.now();
    let organiser = organiser.map(str::to_owned);
    server.store.write_here(move |tx| {
        for blob in &blobs {
            tx.execute(
                "INSERT INTO blob (hash, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                (&blob.hash, blob.bytes),
            )?;
        }
        insert(tx, &contents, now)?;
        match &organiser {
            Some(login) => add_organiser(tx, &contents.slug, login, now),
            None => Ok(()),
        }
    })?;
    server.queue.wake();
    Ok(slug)
}

fn insert(tx: &Transaction<'_>, contents: &Contents, now: i64) -> Result<(), Problem> {
    let taken = tx
        .query_row(
            "SELECT 1 FROM campaign WHERE slug = ?1",
            [&contents.slug],
            |_| Ok(()),
        )
        .optional()?;
    if taken.is_some() {
        return Err(Problem::conflict(
            "slug",
            format!(
                "There is a campaign with the address {} already.",
                contents.slug
            ),
        ));
    }
    let mut names = Names::default();
    for row in &contents.people {
        let name = row.get("person").cloned().unwrap_or_default();
        let id = person(tx, &contents.slug, row, now)?;
        names.add(Kind::Person, name, id);
    }
    // The scoring in force is known later.
    let mut row = contents.campaign.clone();
    let scoring = row.remove("scoring");
    let campaign = CAMPAIGN.insert(tx, &row, &names, &[])?;
    for table in TABLES {
        for (place, row) in (1_i64..).zip(contents.rows(table.name)) {
            let mut own = Vec::new();
            if table.has_campaign() {
                own.push(("campaign", Sql::Integer(campaign)));
            }
            if table.name == "split" {
                let public = contents.public(number(row, "version")).unwrap_or_default();
                let bytes = public.into_iter().map(u8::from).collect();
                own.push(("public", Sql::Blob(bytes)));
            }
            let id = table.insert(tx, row, &names, &own)?;
            match table.name {
                "scoring" => names.add(Kind::Scoring, json!(place), id),
                "team" => names.add(Kind::Team, json!(number(row, "number")), id),
                "submission" => names.add(Kind::Entry, json!(entry_of(row)), id),
                _ => {}
            }
        }
    }
    for row in contents.rows("team") {
        let merged = row.get("merged_into").filter(|team| !team.is_null());
        if let Some(into) = merged.and_then(|team| names.number(Kind::Team, team)) {
            let team = names.number(Kind::Team, &json!(number(row, "number")));
            tx.execute(
                "UPDATE team SET merged_into = ?2 WHERE id = ?1",
                (team, into),
            )?;
        }
    }
    if let Some(scoring) = scoring {
        let id = names.number(Kind::Scoring, &scoring);
        tx.execute(
            "UPDATE campaign SET scoring = ?2 WHERE id = ?1",
            (campaign, id),
        )?;
    }
    scores(tx, contents, &names)?;
    for row in &contents.log {
        let row = audit::Row {
            campaign: Some(campaign),
            imported: true,
            ..row.clone()
        };
        row.insert(tx)?;
    }
    // Entries that waited, and previews that were not complete.
    tx.execute(
        "INSERT INTO job (submission, state, created) SELECT id, 'queued', ?2 FROM submission WHERE campaign = ?1 AND state = 'received'",
        (campaign, now),
    )?;
    tx.execute(
        "INSERT INTO job (submission, scoring, state, created)
         SELECT e.id, s.id, 'queued', ?2 FROM submission e JOIN scoring s ON s.campaign = e.campaign
         WHERE e.campaign = ?1 AND e.state IN ('valid', 'scored') AND s.applied IS NULL AND s.cancelled IS NULL
           AND NOT EXISTS (SELECT 1 FROM score WHERE scoring = s.id AND submission = e.id)",
        (campaign, now),
    )?;
    let event = Event {
        at: now,
        actor: None,
        campaign: None,
        action: "campaign.import",
        object: contents.slug.clone(),
        details: json!({ "rows": contents.log.len() }),
    };
    audit::record(tx, event)
}

fn add_organiser(tx: &Transaction<'_>, slug: &str, login: &str, now: i64) -> Result<(), Problem> {
    let query = "SELECT id FROM person WHERE login_key = ?1";
    let key = names::key(login);
    let found = tx.query_row(query, [key], |row| row.get(0)).optional()?;
    let person = found
        .ok_or_else(|| Problem::invalid(format!("There is no account with the login {login}.")))?;
    let campaign = Campaign::by_slug(tx, slug)?;
    if members::role_of(tx, campaign.id, person)? == Some(Role::Organiser) {
        return Ok(());
    }
    members::add(tx, &campaign, person, Role::Organiser, person, now)
}

/// The account of a person: the one with the same login, or a new one that nobody can sign in to until it gets a password.
fn person(tx: &Transaction<'_>, slug: &str, row: &Row, now: i64) -> Result<i64, Problem> {
    let text = |column: &str| row.get(column).and_then(Value::as_str);
    let pseudonym = text("person").unwrap_or_default();
    let login = match text("login") {
        Some(login) => names::login(login)?,
        None => format!("{slug}-{}", pseudonym.to_lowercase()),
    };
    let key = names::key(&login);
    let known = tx
        .query_row(
            "SELECT id FROM person WHERE login_key = ?1",
            [&key],
            |row| row.get(0),
        )
        .optional()?;
    match known {
        Some(id) if text("login").is_some() => Ok(id),
        Some(_) => Err(Problem::conflict(
            "login",
            format!("There is an account with the login {login} already."),
        )),
        None => Ok(tx.query_row(
            "INSERT INTO person (login, login_key, name, password, must_change, created) VALUES (?1, ?2, ?3, '', 1, ?4) RETURNING id",
            (&login, &key, text("name").unwrap_or(pseudonym), now),
            |row| row.get(0),
        )?),
    }
}

fn scores(tx: &Transaction<'_>, contents: &Contents, names: &Names) -> Result<(), Problem> {
    for (place, row) in (1_i64..).zip(contents.rows("scoring")) {
        let version = number(row, "settings");
        let settings = contents.rows("settings").iter();
        let mut settings = settings.filter(|row| number(row, "version") == version);
        let settings = settings.find_map(|row| row.get("json")?.as_str());
        let settings: Settings = serde_json::from_str(settings.unwrap_or_default())?;
        let scoring = names.number(Kind::Scoring, &json!(place));
        let wrong = |what: &str| Problem::invalid(format!("Scoring {place}: {what}"));
        let scoring = scoring.ok_or_else(|| wrong("it is missing"))?;
        for line in contents.scores.get(&place).into_iter().flatten() {
            let entry = names.number(Kind::Entry, &json!(line.entry));
            let entry = entry.ok_or_else(|| wrong("an entry is missing"))?;
            let mut measures = settings.measures.iter();
            let measure = measures.position(|name| *name == line.measure);
            let measure = measure.ok_or_else(|| wrong("a measure is not in the settings"))?;
            let values = Values {
                public: line.public,
                private: line.private,
                overall: line.overall,
                topics: line
                    .topics
                    .iter()
                    .map(|value| value.unwrap_or(f64::NAN))
                    .collect(),
            };
            tx.prepare_cached(
                "INSERT INTO score (scoring, submission, measure, public, private, overall, topics) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute((
                scoring,
                entry,
                u32::try_from(measure).map_err(|_| wrong("it has too many measures"))?,
                values.public,
                values.private,
                values.overall,
                to_bytes(&values.topics),
            ))?;
        }
    }
    Ok(())
}

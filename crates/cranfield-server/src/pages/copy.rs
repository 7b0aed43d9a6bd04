//! The next campaign like one that is there: with its settings, people and teams, and judgements of its own.

use askama::Template;
use axum::extract::State;
use cranfield_io::Source;
use rusqlite::{Connection, Transaction};
use serde::Serialize;
use serde_json::json;

use super::new::{Draft, read_qrels};
use crate::campaign::Campaign;
use crate::extract::Fields;
use crate::members;
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::Settings;
use crate::upload;
use crate::web::{Path, Shown, Upload, view};

/// What a new campaign takes from another one.
#[derive(Serialize, Template)]
#[template(path = "copy.html")]
pub(crate) struct CopyPage {
    slug: String,
    title: String,
    /// The time zone of its dates.
    zone: String,
    /// Members by role, such as `12 participants`.
    people: Vec<String>,
    teams: Vec<TeamLine>,
    /// What was sent, if anything was.
    sent: Option<NewCampaign>,
    /// Whether it was made; if not, it could be.
    made: bool,
}

/// A team that is taken over.
#[derive(Serialize)]
struct TeamLine {
    name: String,
    members: usize,
}

/// The new campaign.
#[derive(Serialize)]
struct NewCampaign {
    slug: String,
    title: String,
    opens: String,
    closes: String,
    topics: usize,
    public_topics: usize,
}

view! {
    CopyPage: |page| format!("New campaign like {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

/// The form of a copy.
pub(crate) enum CopyFields {}

impl Fields for CopyFields {
    const FILES: &'static [(&'static str, bool)] = &[("qrels", true)];

    fn texts() -> serde_json::Value {
        json!({
            "type": "object",
            "properties": {
                "slug": { "type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$", "maxLength": 40 },
                "title": { "type": "string", "maxLength": 120 },
                "opens": { "type": "string" },
                "closes": { "type": "string" },
                "apply": { "type": "boolean", "default": false },
            },
            "required": ["slug", "title", "opens", "closes"],
        })
    }
}

pub(crate) async fn form(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let (_, _, page) = taken(&server, viewer, slug).await?;
    Ok(page.into())
}

/// Shows what would be made, or makes it.
pub(crate) async fn send(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    body: Upload<CopyFields>,
) -> Result<Shown, Problem> {
    // Only organisers may make the server read.
    let (access, person, mut page) = taken(&server, viewer, slug).await?;
    let (sent, loose) = upload::receive_loose(&server, body).await?;
    let text = |name: &str| sent.text_of(name).unwrap_or_default().to_owned();
    let made = match text("apply").as_str() {
        "true" => true,
        "" | "false" => false,
        _ => return Err(Problem::field("apply", "Expected true or false.")),
    };
    let (Some(file), Some(loose)) = (sent.file_of("qrels"), loose.first()) else {
        return Err(Problem::field("qrels", "Choose the file of judgements."));
    };
    let source = Source::open(&loose.0).map_err(|error| Problem::internal(&error))?;
    let qrels = read_qrels(&source)?;
    let draft = Draft {
        slug: text("slug"),
        settings: Settings {
            title: text("title"),
            opens: text("opens"),
            closes: text("closes"),
            freezes: String::new(),
            merges_until: String::new(),
            ..access.campaign.settings
        },
        qrels: file.clone(),
        titles: Vec::new(),
        like: Some(access.campaign.id),
    };
    let draft = draft.check(&server, &qrels).await?;
    page.sent = Some(NewCampaign {
        slug: draft.slug().to_owned(),
        title: text("title"),
        opens: text("opens"),
        closes: text("closes"),
        topics: draft.public.len(),
        public_topics: draft.public.iter().filter(|public| **public).count(),
    });
    page.made = made;
    if made {
        upload::keep(&server, &loose.0, &file.hash).await?;
        draft.create(&server, person).await?;
    }
    Ok(page.into())
}

/// What would be taken from a campaign, for its organisers.
async fn taken(
    server: &Server,
    viewer: Viewer,
    slug: String,
) -> Result<(Access, i64, CopyPage), Problem> {
    let now = server.now();
    server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            let campaign = &access.campaign;
            let mut query = db.prepare_cached(
                "SELECT role, count(*) FROM member WHERE campaign = ?1 GROUP BY role ORDER BY role",
            )?;
            let people = query.query_map([campaign.id], |row| {
                let (role, count): (String, i64) = (row.get(0)?, row.get(1)?);
                let s = if count == 1 { "" } else { "s" };
                Ok(format!("{count} {role}{s}"))
            })?;
            let page = CopyPage {
                slug: campaign.slug.clone(),
                title: campaign.settings.title.clone(),
                zone: campaign.settings.zone.clone(),
                people: people.collect::<Result<_, _>>()?,
                teams: teams(db, campaign.id)?
                    .into_iter()
                    .map(|(name, members)| TeamLine {
                        name,
                        members: members.len(),
                    })
                    .collect(),
                sent: None,
                made: false,
            };
            Ok((access, person, page))
        })
        .await
}

/// The teams of a campaign that have members, with them.
fn teams(db: &Connection, campaign: i64) -> Result<Vec<(String, Vec<i64>)>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT t.name, m.person FROM team t JOIN team_member m ON m.team = t.id
         WHERE t.campaign = ?1 AND t.kind = 'team' AND t.merged_into IS NULL ORDER BY t.number, m.person",
    )?;
    let rows = query.query_map([campaign], |row| {
        Ok((row.get::<_, String>(0)?, row.get(1)?))
    })?;
    let mut teams: Vec<(String, Vec<i64>)> = Vec::new();
    for row in rows {
        let (name, person) = row?;
        match teams.last_mut() {
            Some((known, members)) if *known == name => members.push(person),
            _ => teams.push((name, vec![person])),
        }
    }
    Ok(teams)
}

/// Takes the people and teams of another campaign over.
pub(super) fn take_people(
    tx: &Transaction<'_>,
    from: i64,
    to: &Campaign,
    by: i64,
    now: i64,
) -> Result<(), Problem> {
    let mut query = tx.prepare(
        "SELECT person, role FROM member WHERE campaign = ?1 AND person <> ?2 ORDER BY person",
    )?;
    let people = query.query_map((from, by), |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?))
    })?;
    for row in people {
        let (person, role) = row?;
        let role = Role::of(&role).unwrap_or(Role::Observer);
        members::add(tx, to, person, role, by, now)?;
    }
    for (name, people) in teams(tx, from)? {
        let team = members::add_team(tx, to, &name, "team", now)?;
        for person in people {
            members::enter_team(tx, to, person, team, by, now)?;
        }
    }
    Ok(())
}

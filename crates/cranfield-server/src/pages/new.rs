//! A new campaign, from settings and judgements.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use cranfield_core::qrels::Qrels;
use cranfield_io::Source;
use rusqlite::{Connection, Transaction};
use serde::Serialize;
use serde_json::json;

use super::copy::take_people;
use crate::audit::{self, Event};
use crate::campaign::Campaign;
use crate::extract::Fields;
use crate::policy::Viewer;
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::Settings;
use crate::upload::{self, Sent};
use crate::web::{Done, Shown, Upload, view};
use crate::{names, secret, split};

/// The form of a new campaign.
#[derive(Serialize, Template)]
#[template(path = "new.html")]
pub(crate) struct New {
    settings: Settings,
}

view! {
    New: |_page| "New campaign".into(), None;
}

/// The form to make a campaign: its address, its judgements and its settings.
pub(crate) enum NewFields {}

impl Fields for NewFields {
    const FILES: &'static [(&'static str, bool)] = &[("qrels", true)];

    fn texts() -> serde_json::Value {
        let mut schema = crate::api::schema_of::<Settings>();
        schema["properties"]["slug"] =
            json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9-]*$", "maxLength": 40 });
        schema["required"] = json!(["slug", "title", "opens", "closes"]);
        schema
    }
}

pub(crate) async fn new_form(
    State(server): State<Server>,
    viewer: Viewer,
) -> Result<Shown, Problem> {
    viewer
        .person
        .filter(|person| person.admin)
        .ok_or_else(Problem::not_found)?;
    let today = jiff::Timestamp::from_millisecond(server.now())
        .map_err(|error| Problem::internal(&error))?;
    let date = |days: i64| {
        let day = today.to_zoned(jiff::tz::TimeZone::UTC).date();
        let later = day.checked_add(jiff::Span::new().days(days)).unwrap_or(day);
        later.to_string()
    };
    let settings = Settings {
        opens: format!("{}T00:00", date(0)),
        closes: format!("{}T23:59", date(14)),
        ..Settings::default()
    };
    Ok(New { settings }.into())
}

pub(crate) async fn create(
    State(server): State<Server>,
    viewer: Viewer,
    body: Upload<NewFields>,
) -> Result<Done, Problem> {
    let person = viewer
        .person
        .filter(|person| person.admin)
        .ok_or_else(Problem::not_found)?
        .id;
    let sent = upload::receive(&server, body).await?;
    let slug = create_from(&server, person, &sent).await?;
    Ok(Done {
        status: StatusCode::CREATED,
        ..Done::at(format!("/c/{slug}/admin")).with(json!({ "slug": slug }))
    })
}

async fn create_from(server: &Server, person: i64, sent: &Sent) -> Result<String, Problem> {
    let text = |name: &str| {
        sent.fields
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let slug = text("slug").unwrap_or_default().to_owned();
    let pairs = sent.fields.iter().filter(|(name, _)| name != "slug");
    let encoded = serde_urlencoded::to_string(pairs.collect::<Vec<_>>())
        .map_err(|error| Problem::internal(&error))?;
    let settings: Settings = serde_urlencoded::from_str(&encoded)
        .map_err(|error| Problem::invalid(error.to_string()))?;
    let qrels = sent
        .file_of("qrels")
        .ok_or_else(|| Problem::field("qrels", "Choose the file of judgements."))?;
    let source =
        Source::open(server.blob_path(&qrels.hash)).map_err(|error| Problem::internal(&error))?;
    let draft = Draft {
        slug,
        settings,
        qrels: qrels.clone(),
        titles: Vec::new(),
        like: None,
    };
    let draft = draft.check(server, &read_qrels(&source)?).await?;
    draft.create(server, person).await
}

/// The judgements of a new campaign.
pub(super) fn read_qrels(source: &Source) -> Result<Qrels, Problem> {
    cranfield_io::read_qrels(source, None).map_err(|error| {
        Problem::field(
            "qrels",
            format!("The judgements cannot be read: {}", first_problem(&error)),
        )
    })
}

pub(super) fn first_problem(error: &cranfield_io::Error) -> String {
    let text = error.to_string();
    text.lines()
        .next()
        .unwrap_or_default()
        .replace(|c: char| c.is_control(), " ")
}

/// A campaign that is about to be made.
pub(crate) struct Draft {
    pub(crate) slug: String,
    pub(crate) settings: Settings,
    pub(crate) qrels: upload::Stored,
    /// Ids and titles of topics, if they are known.
    pub(crate) titles: Vec<(String, String)>,
    /// The campaign whose people and teams it takes over.
    pub(crate) like: Option<i64>,
}

/// A campaign that can be made.
pub(crate) struct Checked {
    draft: Draft,
    topics: Vec<String>,
    /// Whether each topic is public.
    pub(crate) public: Vec<bool>,
}

impl Draft {
    /// Checks everything, and divides the topics.
    pub(crate) async fn check(
        mut self,
        server: &Server,
        qrels: &Qrels,
    ) -> Result<Checked, Problem> {
        self.slug = names::slug(&self.slug)?;
        self.settings.check()?;
        let bound = self.settings.bound_measures()?;
        self.settings.measures = bound.iter().map(ToString::to_string).collect();
        let topics: Vec<String> = qrels
            .topics()
            .map(|topic| String::from_utf8(topic.id().to_vec()))
            .collect::<Result<_, _>>()
            .map_err(|_| Problem::field("qrels", "The id of a topic is not UTF-8."))?;
        if topics.len() < 2 {
            return Err(Problem::field(
                "qrels",
                "A campaign needs judgements of at least two topics.",
            ));
        }
        // Topics with more relevant documents tend to be easier.
        let difficulty: Vec<f64> = qrels
            .topics()
            .map(|topic| -(topic.judgements().filter(|(_, grade)| *grade > 0.0).count() as f64))
            .collect();
        let public = split::draw(
            &topics,
            &difficulty,
            self.settings.public_share,
            self.settings.seed,
        );
        let slug = self.slug.clone();
        server.store.read(move |db| check_free(db, &slug)).await?;
        Ok(Checked {
            draft: self,
            topics,
            public,
        })
    }
}

fn check_free(db: &Connection, slug: &str) -> Result<(), Problem> {
    let mut query = db.prepare_cached("SELECT 1 FROM campaign WHERE slug = ?1")?;
    if query.exists([slug])? {
        return Err(Problem::field("slug", "Another campaign has this address."));
    }
    Ok(())
}

impl Checked {
    pub(crate) fn slug(&self) -> &str {
        &self.draft.slug
    }

    /// Makes the campaign, with this person as its organiser.
    pub(crate) async fn create(self, server: &Server, person: i64) -> Result<String, Problem> {
        let Self {
            draft,
            topics,
            public,
        } = self;
        let nonce: [u8; 32] = secret::random()?;
        let commitment = split::commitment(&nonce, &topics, &public, &draft.qrels.hash);
        let now = server.now();
        let slug = draft.slug.clone();
        let insert = move |tx: &Transaction<'_>| {
            check_free(tx, &draft.slug)?;
            let id: i64 = tx.query_row(
                "INSERT INTO campaign (slug, settings, created) VALUES (?1, 1, ?2) RETURNING id",
                (&draft.slug, now),
                |row| row.get(0),
            )?;
            tx.execute(
                "INSERT INTO settings (campaign, version, json, by, at) VALUES (?1, 1, ?2, ?3, ?4)",
                (id, serde_json::to_string(&draft.settings)?, person, now),
            )?;
            tx.execute(
                "INSERT INTO member (campaign, person, role) VALUES (?1, ?2, 'organiser')",
                (id, person),
            )?;
            for (place, topic) in (0_i64..).zip(&topics) {
                let title = draft
                    .titles
                    .iter()
                    .find(|(id, _)| id == topic)
                    .map_or("", |(_, title)| title.as_str());
                tx.execute(
                    "INSERT INTO topic (campaign, place, id, title) VALUES (?1, ?2, ?3, ?4)",
                    (id, place, topic, title),
                )?;
            }
            tx.execute(
                "INSERT INTO blob (hash, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                (&draft.qrels.hash, draft.qrels.bytes),
            )?;
            tx.execute(
                "INSERT INTO qrels (campaign, version, blob, reason, by, at) VALUES (?1, 1, ?2, 'first version', ?3, ?4)",
                (id, &draft.qrels.hash, person, now),
            )?;
            let bytes: Vec<u8> = public.iter().map(|public| u8::from(*public)).collect();
            tx.execute(
                "INSERT INTO split (campaign, version, seed, nonce, commitment, public) VALUES (?1, 1, ?2, ?3, ?4, ?5)",
                (id, draft.settings.seed, nonce, &commitment, bytes),
            )?;
            let scoring: i64 = tx.query_row(
                "INSERT INTO scoring (campaign, qrels, split, settings, engine, created, applied)
                 VALUES (?1, 1, 1, 1, ?2, ?3, ?3) RETURNING id",
                (id, cranfield_eval::VERSION, now),
                |row| row.get(0),
            )?;
            tx.execute(
                "UPDATE campaign SET scoring = ?2 WHERE id = ?1",
                (id, scoring),
            )?;
            let event = Event {
                at: now,
                actor: Some(person),
                campaign: Some(id),
                action: "campaign.add",
                object: draft.slug.clone(),
                details: json!({ "qrels": draft.qrels.hash, "commitment": commitment }),
            };
            audit::record(tx, event)?;
            match draft.like {
                None => Ok(()),
                Some(like) => take_people(tx, like, &Campaign::by_id(tx, id)?, person, now),
            }
        };
        server.store.write(insert).await?;
        Ok(slug)
    }
}

//! What organisers do: make a campaign, change its settings, open it, hand out codes, freeze and release it, and take grades and the log with them.

use askama::Template;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cranfield_core::qrels::Qrels;
use cranfield_io::Source;
use qrcodegen::{QrCode, QrCodeEcc};
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::account::add_team;
use super::entries;
use crate::audit::{self, Event};
use crate::board::{Board, Part};
use crate::campaign::Campaign;
use crate::phase::Phase;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::Settings;
use crate::upload::{self, Sent};
use crate::web::{Done, Form, Shown, view};
use crate::{names, secret, split};

/// The form of a new campaign.
#[derive(Serialize, Template)]
#[template(path = "new.html")]
pub(crate) struct New {
    settings: Settings,
}

/// The settings of a campaign.
#[derive(Serialize, Template)]
#[template(path = "settings.html")]
pub(crate) struct SettingsPage {
    slug: String,
    title: String,
    version: i64,
    settings: Settings,
}

/// What needs attention, and what can be done.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Serialize, Template)]
#[template(path = "admin.html")]
pub(crate) struct Cockpit {
    slug: String,
    title: String,
    phase: &'static str,
    is_draft: bool,
    is_open: bool,
    may_freeze: bool,
    may_release: bool,
    topics: usize,
    public_topics: usize,
    measures: Vec<String>,
    opens: String,
    closes: String,
    teams: Vec<TeamLine>,
    entries: i64,
    waiting: i64,
    failed: i64,
    is_organiser: bool,
}

/// A team in the cockpit.
#[derive(Serialize)]
struct TeamLine {
    number: i64,
    name: String,
    kind: String,
    entries: i64,
    invalid: i64,
}

/// A code, which is shown once.
#[derive(Serialize, Template)]
#[template(path = "code.html")]
pub(crate) struct NewCode {
    slug: String,
    title: String,
    code: String,
    link: String,
    uses: u32,
    /// The path of an SVG of `size` by `size` units.
    path: String,
    size: i32,
}

/// The log of a campaign.
#[derive(Serialize, Template)]
#[template(path = "audit.html")]
pub(crate) struct AuditPage {
    slug: String,
    title: String,
    rows: Vec<AuditRow>,
}

/// A row of the log.
#[derive(Serialize)]
struct AuditRow {
    id: i64,
    at: String,
    actor: Option<i64>,
    action: String,
    object: String,
    details: String,
    hash: String,
}

view! {
    New: |_page| "New campaign".into(), None;
    SettingsPage: |page| format!("Settings of {}", page.title), Some((page.slug.clone(), page.title.clone()));
    Cockpit: |page| format!("Organise {}", page.title), Some((page.slug.clone(), page.title.clone()));
    NewCode: |page| format!("Join {}", page.title), Some((page.slug.clone(), page.title.clone()));
    AuditPage: |page| format!("Log of {}", page.title), Some((page.slug.clone(), page.title.clone()));
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
    body: Multipart,
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
    let slug = names::slug(text("slug").unwrap_or_default())?;
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
    let read = cranfield_io::read_qrels(&source, None).map_err(|error| {
        Problem::field(
            "qrels",
            format!("The judgements cannot be read: {}", first_problem(&error)),
        )
    })?;
    let draft = Draft {
        slug,
        settings,
        qrels: qrels.clone(),
        titles: Vec::new(),
    };
    draft.create(server, person, read).await
}

fn first_problem(error: &cranfield_io::Error) -> String {
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
}

impl Draft {
    /// Makes the campaign, with this person as its organiser.
    pub(crate) async fn create(
        mut self,
        server: &Server,
        person: i64,
        qrels: Qrels,
    ) -> Result<String, Problem> {
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
        let nonce: [u8; 32] = secret::random()?;
        let commitment = split::commitment(&nonce, &topics, &public, &self.qrels.hash);
        let now = server.now();
        let slug = self.slug.clone();
        let insert = move |tx: &Transaction<'_>| {
            let taken = tx
                .query_row(
                    "SELECT 1 FROM campaign WHERE slug = ?1",
                    [&self.slug],
                    |_| Ok(()),
                )
                .optional()?;
            if taken.is_some() {
                return Err(Problem::field("slug", "Another campaign has this address."));
            }
            let id: i64 = tx.query_row(
                "INSERT INTO campaign (slug, settings, created) VALUES (?1, 1, ?2) RETURNING id",
                (&self.slug, now),
                |row| row.get(0),
            )?;
            tx.execute(
                "INSERT INTO settings (campaign, version, json, by, at) VALUES (?1, 1, ?2, ?3, ?4)",
                (id, serde_json::to_string(&self.settings)?, person, now),
            )?;
            tx.execute(
                "INSERT INTO member (campaign, person, role) VALUES (?1, ?2, 'organiser')",
                (id, person),
            )?;
            for (place, topic) in (0_i64..).zip(&topics) {
                let title = self
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
                (&self.qrels.hash, self.qrels.bytes),
            )?;
            tx.execute(
                "INSERT INTO qrels (campaign, version, blob, reason, by, at) VALUES (?1, 1, ?2, 'first version', ?3, ?4)",
                (id, &self.qrels.hash, person, now),
            )?;
            let bytes: Vec<u8> = public.iter().map(|public| u8::from(*public)).collect();
            tx.execute(
                "INSERT INTO split (campaign, version, seed, nonce, commitment, public) VALUES (?1, 1, ?2, ?3, ?4, ?5)",
                (id, self.settings.seed, nonce, &commitment, bytes),
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
                object: self.slug.clone(),
                details: json!({ "qrels": self.qrels.hash, "commitment": commitment }),
            };
            audit::record(tx, event)
        };
        server.store.write(insert).await?;
        Ok(slug)
    }
}

pub(crate) async fn cockpit(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            cockpit_page(db, &access)
        })
        .await?;
    Ok(page.into())
}

fn cockpit_page(db: &Connection, access: &Access) -> Result<Cockpit, Problem> {
    let campaign = &access.campaign;
    let mut query = db.prepare_cached(
        "SELECT t.number, t.name, t.kind, count(e.id), coalesce(sum(e.state = 'invalid'), 0)
         FROM team t LEFT JOIN submission e ON e.team = t.id WHERE t.campaign = ?1 GROUP BY t.id ORDER BY t.number",
    )?;
    let teams = query.query_map([campaign.id], |row| {
        Ok(TeamLine {
            number: row.get(0)?,
            name: row.get(1)?,
            kind: row.get(2)?,
            entries: row.get(3)?,
            invalid: row.get(4)?,
        })
    })?;
    let teams: Vec<TeamLine> = teams.collect::<Result<_, _>>()?;
    let (entries, waiting, failed) = db.query_row(
        "SELECT count(*), coalesce(sum(state = 'received'), 0), coalesce(sum(state = 'failed'), 0)
         FROM submission WHERE campaign = ?1",
        [campaign.id],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    let public = campaign.public_topics(db)?;
    Ok(Cockpit {
        slug: campaign.slug.clone(),
        title: campaign.settings.title.clone(),
        phase: access.phase.title(),
        is_draft: access.phase == Phase::Draft,
        is_open: access.phase.takes_entries(),
        may_freeze: access.phase == Phase::Open,
        may_release: access.phase == Phase::Closed,
        topics: public.len(),
        public_topics: public.iter().filter(|public| **public).count(),
        measures: campaign.settings.measures.clone(),
        opens: campaign.date(campaign.dates.opens),
        closes: campaign.date(campaign.dates.closes),
        teams,
        entries,
        waiting,
        failed,
        is_organiser: access.is_organiser(),
    })
}

pub(crate) async fn settings_form(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            Ok(SettingsPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                version: access.campaign.version,
                settings: access.campaign.settings.clone(),
            })
        })
        .await?;
    Ok(page.into())
}

/// New settings. Once a campaign is open, what scores depend on stays as it is.
pub(crate) async fn change_settings(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(mut settings): Form<Settings>,
) -> Result<Done, Problem> {
    settings.check()?;
    let bound = settings.bound_measures()?;
    settings.measures = bound.iter().map(ToString::to_string).collect();
    let (now, place) = (server.now(), format!("/c/{slug}/admin"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            let (campaign, old) = (&access.campaign, &access.campaign.settings);
            let fixed = |field, same: bool| if same { Ok(()) } else { Err(Problem::field(field, "This was fixed when the campaign was made, because scores depend on it. Make a new campaign.")) };
            fixed("measures", settings.measures == old.measures)?;
            fixed("seed", settings.seed == old.seed)?;
            fixed("public_share", settings.public_share.to_bits() == old.public_share.to_bits())?;
            let version = campaign.version + 1;
            tx.execute(
                "INSERT INTO settings (campaign, version, json, by, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                (campaign.id, version, serde_json::to_string(&settings)?, person, now),
            )?;
            tx.execute("UPDATE campaign SET settings = ?2 WHERE id = ?1", (campaign.id, version))?;
            record(tx, &access, person, "settings.change", json!({ "version": version }))
        })
        .await?;
    Ok(Done::at(place))
}

fn record(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    action: &str,
    details: serde_json::Value,
) -> Result<(), Problem> {
    let event = Event {
        at: access.now,
        actor: Some(person),
        campaign: Some(access.campaign.id),
        action,
        object: access.campaign.slug.clone(),
        details,
    };
    audit::record(tx, event)
}

/// Sets one of the moments of a campaign to now, if its phase allows it.
async fn mark(
    server: Server,
    viewer: Viewer,
    slug: String,
    action: &'static str,
    column: &'static str,
    allowed: fn(Phase) -> bool,
    why: &'static str,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            if !allowed(access.phase) {
                return Err(Problem::conflict("phase", why));
            }
            tx.execute(
                &format!("UPDATE campaign SET {column} = ?2 WHERE id = ?1"),
                (access.campaign.id, now),
            )?;
            record(tx, &access, person, action, json!({}))
        })
        .await?;
    Ok(Done::at(place))
}

pub(crate) async fn publish(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_draft = |phase| phase == Phase::Draft;
    mark(
        server,
        viewer,
        slug,
        "campaign.publish",
        "published",
        is_draft,
        "The campaign is public already.",
    )
    .await
}

pub(crate) async fn freeze(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_open = |phase| phase == Phase::Open;
    mark(
        server,
        viewer,
        slug,
        "campaign.freeze",
        "frozen",
        is_open,
        "Only the board of an open campaign can be frozen.",
    )
    .await
}

pub(crate) async fn release(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_closed = |phase| phase == Phase::Closed;
    let why = "A campaign is released after its end. Change the end first if it should be earlier.";
    mark(
        server,
        viewer,
        slug,
        "campaign.release",
        "released",
        is_closed,
        why,
    )
    .await
}

/// The fields of a new code.
#[derive(Deserialize)]
pub(crate) struct CodeFields {
    #[serde(default = "participant")]
    role: String,
    #[serde(default = "uses")]
    uses: u32,
}

fn participant() -> String {
    "participant".into()
}

fn uses() -> u32 {
    100
}

pub(crate) async fn new_code(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    headers: HeaderMap,
    Form(form): Form<CodeFields>,
) -> Result<Shown, Problem> {
    if !["participant", "observer"].contains(&form.role.as_str())
        || !(1..=10_000).contains(&form.uses)
    {
        return Err(Problem::invalid(
            "A code is for a participant or an observer, and 1 to 10,000 uses.",
        ));
    }
    let code = secret::code()?;
    let hash = secret::hash(&secret::normal_code(&code));
    let now = server.now();
    let (uses, role) = (form.uses, form.role);
    let campaign = server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.staff()?.id;
            let expires = access.campaign.dates.closes.max(now + 24 * 3_600_000);
            tx.execute(
                "INSERT INTO join_code (hash, campaign, role, most_uses, expires) VALUES (?1, ?2, ?3, ?4, ?5)",
                (&hash, access.campaign.id, &role, uses, expires),
            )?;
            record(tx, &access, person, "code.add", json!({ "role": role, "uses": uses }))?;
            Ok(access.campaign)
        })
        .await?;
    let host = crate::web::text_of(&headers, &header::HOST).unwrap_or("localhost");
    let base = server
        .public_url
        .clone()
        .unwrap_or_else(|| format!("http://{host}"));
    let link = format!("{}/join/{code}", base.trim_end_matches('/'));
    let (path, size) = qr(&link)?;
    let page = NewCode {
        slug: campaign.slug,
        title: campaign.settings.title,
        code,
        link,
        uses,
        path,
        size,
    };
    Ok(page.into())
}

/// The dark squares of a QR code, with a quiet zone of four.
fn qr(text: &str) -> Result<(String, i32), Problem> {
    let code =
        QrCode::encode_text(text, QrCodeEcc::Medium).map_err(|error| Problem::internal(&error))?;
    let size = code.size();
    let squares = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let dark = squares.filter(|(x, y)| code.get_module(*x, *y));
    let path = dark
        .map(|(x, y)| format!("M{} {}h1v1h-1z", x + 4, y + 4))
        .collect();
    Ok((path, size + 8))
}

/// Asks for the name of a baseline.
#[derive(Deserialize)]
pub(crate) struct Named {
    name: String,
}

/// Sends a run for a baseline, which is made if there is none with this name.
pub(crate) async fn baseline(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(named): Query<Named>,
    body: Multipart,
) -> Result<Done, Problem> {
    let name = names::checked("name", &named.name)?;
    let (asking, address, now) = (viewer.clone(), slug.clone(), server.now());
    let team = server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &asking, &address, now)?;
            let person = access.organiser()?.id;
            baseline_of(tx, &access, person, &name)
        })
        .await?;
    entries::receive(&server, viewer, slug, Some(team), None, body).await
}

/// The baseline with a name.
pub(crate) fn baseline_of(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    name: &str,
) -> Result<i64, Problem> {
    let known = tx
        .query_row(
            "SELECT id, kind FROM team WHERE campaign = ?1 AND name_key = ?2",
            (access.campaign.id, names::key(name)),
            |row| Ok((row.get(0)?, row.get::<_, String>(1)?)),
        )
        .optional()?;
    match known {
        Some((id, kind)) if kind == "baseline" => Ok(id),
        Some(_) => Err(Problem::field("name", "A team has this name.")),
        None => {
            record(tx, access, person, "baseline.add", json!({}))?;
            add_team(tx, &access.campaign, name, "baseline", access.now)
        }
    }
}

pub(crate) async fn log(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            let rows = audit::rows(db, Some(access.campaign.id))?
                .into_iter()
                .rev()
                .map(|row| AuditRow {
                    id: row.id,
                    at: access.campaign.date(row.at),
                    actor: row.actor,
                    action: row.action,
                    object: row.object,
                    details: row.details,
                    hash: row.hash[..12].to_owned(),
                });
            Ok(AuditPage {
                slug: access.campaign.slug.clone(),
                title: access.campaign.settings.title.clone(),
                rows: rows.collect(),
            })
        })
        .await?;
    Ok(page.into())
}

/// The grades of a class: one line for each member of a team, with the final rank and value.
pub(crate) async fn grades(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, Problem> {
    let now = server.now();
    let text = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.organiser()?;
            let campaign = &access.campaign;
            grades_of(db, campaign, now)
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"grades.csv\"",
        ),
    ];
    Ok((headers, text).into_response())
}

fn grades_of(db: &Connection, campaign: &Campaign, now: i64) -> Result<String, Problem> {
    use cranfield_render::{Cell, Column, Format, Table};
    let last = Board::compute(db, campaign, Part::Final, 0, now)?;
    let public = Board::compute(db, campaign, Part::Public, 0, now)?;
    let columns = ["login", "name", "team"].map(Column::text);
    let numbers = ["final rank", "final value", "public value", "entries"].map(Column::number);
    let mut table = Table::new(
        columns
            .into_iter()
            .chain(numbers)
            .chain([Column::text("late")]),
    );
    let mut query = db.prepare_cached(
        "SELECT p.login, p.name, t.name, t.number FROM team_member m JOIN person p ON p.id = m.person JOIN team t ON t.id = m.team
         WHERE m.campaign = ?1 ORDER BY t.number, p.login",
    )?;
    let rows = query.query_map([campaign.id], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, i64>(3)?,
        ))
    })?;
    let safe = |text: String| {
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            format!("'{text}")
        } else {
            text
        }
    };
    for row in rows {
        let (login, name, team, number) = row?;
        let final_row = last.rows.iter().find(|row| row.number == number);
        let public_row = public.rows.iter().find(|row| row.number == number);
        table.push([
            Cell::text(safe(login)),
            Cell::text(safe(name)),
            Cell::text(safe(team)),
            final_row
                .and_then(|row| row.rank)
                .map_or(Cell::Missing, Cell::count),
            Cell::real(final_row.map(|row| row.value)),
            Cell::real(public_row.map(|row| row.value)),
            Cell::count(final_row.map_or(0, |row| row.entries)),
            Cell::text(if final_row.is_some_and(|row| row.late) {
                "late"
            } else {
                ""
            }),
        ]);
    }
    Ok(table.render(Format::Csv))
}

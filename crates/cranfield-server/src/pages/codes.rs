//! Codes with which people join a campaign, also as a picture for a projector.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use qrcodegen::{QrCode, QrCodeEcc};
use rusqlite::{Connection, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::admin::record;
use crate::campaign::Campaign;
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::secret;
use crate::server::Server;
use crate::web::{Done, Form, Path, Shown, view};

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
    #[serde(skip)]
    back: String,
}

view! {
    NewCode: |page| format!("Join {}", page.title), Some((page.slug.clone(), page.title.clone()));
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
    let role = Role::of(&form.role).filter(|role| *role != Role::Organiser);
    let role = role.ok_or_else(|| {
        let message = "A code is for a participant, an observer or an assistant.";
        Problem::field("role", message)
    })?;
    let uses = form.uses;
    if !(1..=10_000).contains(&uses) {
        return Err(Problem::field("uses", "A code has 1 to 10,000 uses."));
    }
    let code = secret::code()?;
    let (hash, now) = (hash_of(&code), server.now());
    let campaign = server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.staff()?.id;
            if !access.handles(role) {
                return Err(Problem::forbidden("Only organisers invite assistants."));
            }
            let made = Made {
                hash,
                role,
                team: None,
                uses,
            };
            insert(tx, &access, person, &made)?;
            Ok(access.campaign)
        })
        .await?;
    let back = format!("/c/{}/admin/people", campaign.slug);
    Ok(NewCode::new(&server, &headers, &campaign, code, uses, back)?.into())
}

/// A code as the database keeps it.
pub(super) struct Made {
    pub(super) hash: Vec<u8>,
    pub(super) role: Role,
    /// The team that it is for, if it is an invitation.
    pub(super) team: Option<i64>,
    pub(super) uses: u32,
}

/// What the database keeps of a code.
pub(super) fn hash_of(code: &str) -> Vec<u8> {
    secret::hash(&secret::normal_code(code))
}

/// Adds a code, which is valid until the end of the campaign, and for a day at least.
pub(super) fn insert(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    made: &Made,
) -> Result<(), Problem> {
    let expires = access
        .campaign
        .dates
        .closes
        .max(access.now + 24 * 3_600_000);
    let role = made.role.name();
    tx.execute(
        "INSERT INTO join_code (hash, campaign, role, team, most_uses, expires) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (&made.hash, access.campaign.id, role, made.team, made.uses, expires),
    )?;
    let details = json!({ "role": role, "uses": made.uses, "invitation": made.team.is_some() });
    record(tx, access, person, "code.add", details)
}

/// Makes a code useless.
pub(crate) async fn revoke(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, code)): Path<(String, i64)>,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin/people"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.staff()?.id;
            let changed = tx.execute(
                "UPDATE join_code SET revoked = ?3 WHERE id = ?1 AND campaign = ?2 AND revoked IS NULL",
                (code, access.campaign.id, now),
            )?;
            if changed == 0 {
                return Err(Problem::not_found());
            }
            record(tx, &access, person, "code.revoke", json!({ "code": code }))
        })
        .await?;
    Ok(Done::at(place))
}

/// A code in the list of a campaign.
#[derive(Serialize)]
pub(super) struct CodeLine {
    pub(super) id: i64,
    pub(super) role: String,
    pub(super) team: Option<String>,
    pub(super) uses: u32,
    pub(super) most_uses: u32,
    pub(super) expires: String,
    pub(super) state: &'static str,
}

/// The codes of a campaign, the newest first.
pub(super) fn list(db: &Connection, access: &Access) -> Result<Vec<CodeLine>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT c.id, c.role, t.name, c.uses, c.most_uses, c.expires, c.revoked IS NOT NULL
         FROM join_code c LEFT JOIN team t ON t.id = c.team WHERE c.campaign = ?1 ORDER BY c.id DESC",
    )?;
    let rows = query.query_map([access.campaign.id], |row| {
        let (uses, most_uses): (u32, u32) = (row.get(3)?, row.get(4)?);
        let expires: i64 = row.get(5)?;
        Ok(CodeLine {
            id: row.get(0)?,
            role: row.get(1)?,
            team: row.get(2)?,
            uses,
            most_uses,
            expires: access.campaign.date(expires),
            state: match row.get(6)? {
                true => "revoked",
                false if expires <= access.now => "expired",
                false if uses >= most_uses => "used up",
                false => "valid",
            },
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

impl NewCode {
    /// The page of a code, with its link as browsers reach this server.
    pub(super) fn new(
        server: &Server,
        headers: &HeaderMap,
        campaign: &Campaign,
        code: String,
        uses: u32,
        back: String,
    ) -> Result<Self, Problem> {
        let host = crate::web::text_of(headers, &header::HOST).unwrap_or("localhost");
        let base = server
            .public_url
            .clone()
            .unwrap_or_else(|| format!("http://{host}"));
        let link = format!("{}/join/{code}", base.trim_end_matches('/'));
        let (path, size) = qr(&link)?;
        Ok(Self {
            slug: campaign.slug.clone(),
            title: campaign.settings.title.clone(),
            code,
            link,
            uses,
            path,
            size,
            back,
        })
    }
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

//! Codes with which people join a campaign, also as a picture for a projector.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::admin::record;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::secret;
use crate::server::Server;
use crate::web::{Form, Shown, view};

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

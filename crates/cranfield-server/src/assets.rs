//! Files that pages refer to. Their addresses have the hash of their content, so that browsers keep them.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;

struct Asset {
    name: &'static str,
    kind: &'static str,
    content: String,
    address: String,
}

static ASSETS: LazyLock<[Asset; 2]> = LazyLock::new(|| {
    let style = format!(
        "{}\n{}",
        cranfield_report::STYLE,
        include_str!("../assets/server.css")
    );
    [
        asset("style.css", "text/css; charset=utf-8", style),
        asset(
            "page.js",
            "text/javascript; charset=utf-8",
            include_str!("../assets/page.js").into(),
        ),
    ]
});

fn asset(name: &'static str, kind: &'static str, content: String) -> Asset {
    let hash = blake3::hash(content.as_bytes()).to_hex();
    Asset {
        name,
        kind,
        address: format!("/assets/{}/{name}", &hash[..16]),
        content,
    }
}

/// The address of an asset.
pub(crate) fn address(name: &str) -> &'static str {
    ASSETS
        .iter()
        .find(|asset| asset.name == name)
        .map_or("", |asset| asset.address.as_str())
}

/// Sends an asset. An address with the hash of another version does not exist.
pub(crate) async fn get(Path((hash, name)): Path<(String, String)>) -> Result<Response, Problem> {
    let wanted = format!("/assets/{hash}/{name}");
    let asset = ASSETS
        .iter()
        .find(|asset| asset.address == wanted)
        .ok_or_else(Problem::not_found)?;
    let headers = [
        (header::CONTENT_TYPE, asset.kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.content.as_str()).into_response())
}

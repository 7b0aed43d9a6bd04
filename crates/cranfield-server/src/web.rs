//! From requests to answers: who asks, what they sent, and how the answer is shown, as a page or as JSON.
//!
//! A handler returns a [`Shown`] view, a [`Done`] action or a [`Problem`]. Below `/api/v1` they become JSON; elsewhere pages and redirections.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) use crate::extract::{Form, IdempotencyKey, IfMatch, Path, Query, Upload};
use crate::extract::{Input, Received, is_safe};
use crate::policy::{Access, Person, Preview, Role, Viewer};
use crate::problem::Problem;
use crate::rendered::Rendered;
use crate::server::Server;
use crate::{assets, people};

/// A page: what it shows, as a template and as JSON.
pub(crate) trait View: Send + Sync {
    fn title(&self) -> String;
    /// The campaign that the page belongs to: its address and title.
    fn campaign(&self) -> Option<(String, String)> {
        None
    }
    fn content(&self) -> askama::Result<String>;
    fn json(&self) -> serde_json::Result<Value>;
}

/// Implements the parts of [`View`] that are the same for all templates.
macro_rules! view {
    ($($type:ty: |$view:ident| $title:expr, $campaign:expr;)*) => {
        $(impl $crate::web::View for $type {
            fn title(&self) -> String {
                let $view = self;
                let _ = $view;
                $title
            }
            fn campaign(&self) -> Option<(String, String)> {
                let $view = self;
                let _ = $view;
                $campaign
            }
            fn content(&self) -> askama::Result<String> {
                askama::Template::render(self)
            }
            fn json(&self) -> serde_json::Result<serde_json::Value> {
                serde_json::to_value(self)
            }
        })*
    };
}
pub(crate) use view;

/// An answer that shows something.
#[derive(Clone)]
pub(crate) struct Shown(Arc<dyn View>);

impl<V: View + 'static> From<V> for Shown {
    fn from(view: V) -> Self {
        Self(Arc::new(view))
    }
}

impl IntoResponse for Shown {
    fn into_response(self) -> Response {
        with_extension(StatusCode::OK, self)
    }
}

/// An answer to an action: pages go on at `location`, programs get the JSON.
#[derive(Clone)]
pub(crate) struct Done {
    pub(crate) status: StatusCode,
    pub(crate) location: String,
    pub(crate) json: Value,
    pub(crate) cookie: Option<HeaderValue>,
}

impl Done {
    pub(crate) fn at(location: impl Into<String>) -> Self {
        Self {
            status: StatusCode::OK,
            location: location.into(),
            json: json!({}),
            cookie: None,
        }
    }

    pub(crate) fn with(self, json: Value) -> Self {
        Self { json, ..self }
    }
}

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        with_extension(StatusCode::OK, self)
    }
}

/// A problem on its way to the middleware.
#[derive(Clone)]
struct Failed(Arc<Problem>);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        with_extension(self.status, Failed(Arc::new(self)))
    }
}

fn with_extension<T: Clone + Send + Sync + 'static>(status: StatusCode, value: T) -> Response {
    let mut response = status.into_response();
    response.extensions_mut().insert(value);
    response
}

/// A page that is kept, on its way to the middleware.
pub(crate) struct Kept(pub(crate) Arc<Rendered>);

impl IntoResponse for Kept {
    fn into_response(self) -> Response {
        with_extension(StatusCode::OK, self.0)
    }
}

impl Input for Viewer {
    fn take(received: &mut Received) -> Result<Self, Problem> {
        let found = received.parts.extensions.get::<Self>();
        Ok(found.cloned().unwrap_or_default())
    }
}

/// The number of the account that a request came from, for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender(pub(crate) Option<i64>);

/// The address that a request came from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peer(pub(crate) String);

impl Input for Peer {
    fn take(received: &mut Received) -> Result<Self, Problem> {
        let found = received.parts.extensions.get::<Self>();
        Ok(found.cloned().unwrap_or_default())
    }
}

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// Finds out who asks, rejects requests that other sites caused, and shows the answer.
pub(crate) async fn answer(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_owned();
    let method = request.method().clone();
    let mut visit = Visit {
        wants_json: path.starts_with("/api/"),
        person: None,
        preview: None,
        place: None,
        path,
    };
    let viewer = match admit(&server, &method, request.headers()).await {
        Ok(viewer) => viewer,
        Err(problem) => return with_headers(show(problem.into_response(), &visit), None),
    };
    let sender = Sender(viewer.person.as_ref().map(|person| person.id));
    let must_change = viewer
        .person
        .as_ref()
        .is_some_and(|person| person.must_change);
    let is_account =
        ["/me", "/api/v1/me", "/logout", "/api/v1/logout"].contains(&visit.path.as_str());
    if must_change && !is_account && !visit.path.starts_with("/assets/") {
        let problem =
            Problem::forbidden("Change your one-time password on the page of your account first.");
        return with_headers(show(problem.into_response(), &visit), None);
    }
    visit.preview.clone_from(&viewer.preview);
    let viewer = viewer.at(&visit.path);
    visit.person.clone_from(&viewer.person);
    if viewer.preview.is_some() && !is_safe(&method) {
        let problem = Problem::forbidden("A preview changes nothing. Leave it first.");
        return with_headers(show(problem.into_response(), &visit), None);
    }
    request.extensions_mut().insert(viewer.clone());
    let if_none_match = request.headers().get(header::IF_NONE_MATCH).cloned();
    let gzip = text_of(request.headers(), &header::ACCEPT_ENCODING)
        .is_some_and(|names| names.split(',').any(|name| name.trim().starts_with("gzip")));
    let mut response = next.run(request).await;
    let kept = response.extensions_mut().remove::<Arc<Rendered>>();
    let is_page = kept.is_some() || response.extensions().get::<Shown>().is_some();
    if is_page && !visit.wants_json {
        visit.place = match (&kept, &visit.person) {
            // Everyone without an account gets the same bytes of a kept page, which is a board.
            (Some(_), None) => Some(Place::READER),
            _ => place_at(&server, viewer, &visit.path).await,
        };
    }
    let response = match kept {
        Some(page) => send(&page, &visit, gzip),
        None => show(response, &visit),
    };
    let mut response = with_headers(
        response,
        if_none_match.as_ref().filter(|_| method == Method::GET),
    );
    response.extensions_mut().insert(sender);
    response
}

/// Who is shown an answer, and where.
struct Visit {
    path: String,
    wants_json: bool,
    person: Option<Person>,
    preview: Option<Preview>,
    place: Option<Place>,
}

/// What the navigation of a campaign depends on.
#[derive(Clone, Copy)]
struct Place {
    role: Option<Role>,
    sees_board: bool,
}

impl Place {
    /// A reader who looks at a board.
    const READER: Self = Self {
        role: None,
        sees_board: true,
    };
}

impl Visit {
    /// Whether the page belongs to a part of its campaign, or is the first page of the campaign if `part` is empty.
    fn is_at(&self, part: &str) -> bool {
        self.path.split('/').nth(3).unwrap_or_default() == part
    }

    fn role(&self) -> Option<Role> {
        self.place?.role
    }

    fn is_participant(&self) -> bool {
        self.role() == Some(Role::Participant)
    }

    fn is_staff(&self) -> bool {
        self.role().is_some_and(Role::is_staff)
    }

    fn sees_board(&self) -> bool {
        self.place.is_some_and(|place| place.sees_board)
    }
}

/// The place of a viewer in the campaign of a page.
async fn place_at(server: &Server, viewer: Viewer, path: &str) -> Option<Place> {
    let slug = path.strip_prefix("/c/")?.split('/').next()?.to_owned();
    let now = server.now();
    let place = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            Ok(Place {
                role: access.role,
                sees_board: access.sees_board(),
            })
        })
        .await;
    place.ok()
}

async fn admit(server: &Server, method: &Method, headers: &HeaderMap) -> Result<Viewer, Problem> {
    server.check_host(headers)?;
    let bearer =
        text_of(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookie = server.session_of(headers);
    if bearer.is_some() && cookie.is_some() {
        return Err(Problem::bad_request(
            "A token and a session cannot be used together.",
        ));
    }
    if !is_safe(method) && bearer.is_none() && !is_same_origin(headers) {
        return Err(Problem::forbidden("The request came from another site."));
    }
    match (bearer, cookie) {
        (Some(token), _) => people::of_token(server, token.trim().to_owned()).await,
        (_, Some(cookie)) => people::of_session(server, cookie).await,
        _ => Ok(Viewer::default()),
    }
}

/// Whether a page of this server caused the request. Browsers send one of the two headers with every form and script.
fn is_same_origin(headers: &HeaderMap) -> bool {
    if let Some(site) = text_of(headers, &HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin";
    }
    let (origin, host) = (
        text_of(headers, &header::ORIGIN),
        text_of(headers, &header::HOST),
    );
    let host_of = |origin: &str| origin.split_once("://").map(|(_, host)| host.to_owned());
    origin
        .and_then(host_of)
        .is_some_and(|origin| Some(origin.as_str()) == host)
}

/// A header as text.
pub(crate) fn text_of<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[derive(Template)]
#[template(path = "base.html")]
struct Base<'a> {
    title: &'a str,
    visit: &'a Visit,
    campaign: Option<&'a (String, String)>,
    style: &'a str,
    script: &'a str,
    content: &'a str,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    problem: &'a Problem,
}

fn show(mut response: Response, visit: &Visit) -> Response {
    let wants_json = visit.wants_json;
    if let Some(done) = response.extensions_mut().remove::<Done>() {
        return if wants_json {
            done_json(&done)
        } else {
            see_other(&done)
        };
    }
    if let Some(Failed(problem)) = response.extensions_mut().remove::<Failed>() {
        let mut shown = if wants_json {
            json_response(
                problem.status,
                "application/problem+json",
                &to_json(&*problem),
            )
        } else {
            let content = ProblemPage { problem: &problem }.render();
            page(problem.status, problem.title, None, visit, content)
        };
        if let Some(seconds) = problem.retry_after {
            shown
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        return shown;
    }
    if let Some(Shown(view)) = response.extensions_mut().remove::<Shown>() {
        let mut shown = if wants_json {
            match view.json() {
                Ok(json) => json_response(StatusCode::OK, "application/json", &json),
                Err(error) => show(Problem::internal(&error).into_response(), visit),
            }
        } else {
            let campaign = view.campaign();
            page(
                StatusCode::OK,
                &view.title(),
                campaign.as_ref(),
                visit,
                view.content(),
            )
        };
        if let Some(etag) = response.headers_mut().remove(header::ETAG) {
            shown.headers_mut().insert(header::ETAG, etag);
        }
        return shown;
    }
    if response.status() == StatusCode::NOT_FOUND
        && response.headers().get(header::CONTENT_TYPE).is_none()
    {
        return show(Problem::not_found().into_response(), visit);
    }
    response
}

/// Sends a page that is kept. The navigation of people who are signed in has their name, and a preview is marked, so their pages are put
/// together for each request.
fn send(kept: &Rendered, visit: &Visit, gzip: bool) -> Response {
    let person = visit.person.as_ref();
    let whole = || whole(&kept.title, kept.campaign.as_ref(), visit, &kept.content);
    let is_own = person.is_some() || visit.preview.is_some();
    let (mut response, version) = if visit.wants_json {
        (kept.send_json(gzip), kept.version.clone())
    } else if is_own {
        let role = visit.role().map_or("", Role::name);
        let person = person.map(|person| (person.id, &person.name));
        let of_person = format!("{}{person:?}{role}{:?}", kept.version, visit.preview);
        let version = blake3::hash(of_person.as_bytes()).to_hex()[..16].to_owned();
        (html(StatusCode::OK, whole()), version)
    } else {
        match kept.send_whole(gzip, whole) {
            Ok(response) => (response, kept.version.clone()),
            Err(error) => return failed(&error),
        }
    };
    let headers = response.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&format!("\"{version}\"")) {
        headers.insert(header::ETAG, etag);
    }
    let cache = if is_own {
        "private, no-cache"
    } else {
        "no-cache"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(
        header::VARY,
        HeaderValue::from_static("accept-encoding, cookie, authorization"),
    );
    response
}

fn whole(
    title: &str,
    campaign: Option<&(String, String)>,
    visit: &Visit,
    content: &str,
) -> askama::Result<String> {
    Base {
        title,
        visit,
        campaign,
        style: assets::address("style.css"),
        script: assets::address("page.js"),
        content,
    }
    .render()
}

fn html(status: StatusCode, rendered: askama::Result<String>) -> Response {
    match rendered {
        Ok(html) => (
            status,
            [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
            html,
        )
            .into_response(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &askama::Error) -> Response {
    crate::log::error("template", error);
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

fn page(
    status: StatusCode,
    title: &str,
    campaign: Option<&(String, String)>,
    visit: &Visit,
    content: askama::Result<String>,
) -> Response {
    let rendered = content.and_then(|content| whole(title, campaign, visit, &content));
    html(status, rendered)
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn json_response(status: StatusCode, kind: &'static str, json: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, kind)], format!("{json}\n")).into_response()
}

fn done_json(done: &Done) -> Response {
    let mut response = json_response(done.status, "application/json", &done.json);
    if let Some(cookie) = &done.cookie {
        response
            .headers_mut()
            .insert(header::SET_COOKIE, cookie.clone());
    }
    response
}

fn see_other(done: &Done) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let location = HeaderValue::from_str(&done.location).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, location);
    if let Some(cookie) = &done.cookie {
        response
            .headers_mut()
            .insert(header::SET_COOKIE, cookie.clone());
    }
    response
}

fn with_headers(mut response: Response, if_none_match: Option<&HeaderValue>) -> Response {
    let headers = response.headers_mut();
    // A policy with sites that may frame the page would be contradicted by the older header.
    let policy = text_of(headers, &header::CONTENT_SECURITY_POLICY);
    let may_be_framed = policy.is_some_and(|policy| policy.contains("frame-ancestors http"));
    for (name, value) in HEADERS {
        if may_be_framed && name == header::X_FRAME_OPTIONS {
            continue;
        }
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("private, no-store"));
    let is_unchanged = if_none_match.is_some() && headers.get(header::ETAG) == if_none_match;
    if is_unchanged {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    response
}

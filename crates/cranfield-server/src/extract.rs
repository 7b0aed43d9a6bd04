//! What a request carries. Only types with [`Input`] may be arguments of a handler, because each of them is described in the API.

use std::marker::PhantomData;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use axum::extract::{self, FromRequest, FromRequestParts, Multipart, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::{Body, Shape, schema_of};
use crate::problem::Problem;
use crate::server::Server;
use crate::upload;
use crate::web::text_of;

/// The most bytes of a form.
const FORM_LIMIT: usize = 1 << 20;

/// A request, with its form in memory, from which the arguments of a handler are taken.
pub(crate) struct Received {
    pub(crate) parts: Parts,
    server: Server,
    content: Result<Content, Problem>,
}

/// What an operation reads behind the headers.
#[derive(Clone, Copy)]
pub(crate) enum BodyKind {
    None,
    Form,
    Files,
}

/// What follows the headers.
enum Content {
    /// What no handler reads.
    Other,
    Json(Bytes),
    Form(Bytes),
    Files(Multipart),
}

impl Received {
    /// Receives what an operation reads.
    pub(crate) async fn receive(request: Request, server: Server, body: BodyKind) -> Self {
        let (parts, rest) = request.into_parts();
        let content = match body {
            BodyKind::None => Ok(Content::Other),
            BodyKind::Form => Content::receive(&parts.headers, rest).await,
            BodyKind::Files => {
                let request = Request::from_parts(parts.clone(), rest);
                let files = Multipart::from_request(request, &()).await;
                files.map(Content::Files).map_err(|_| {
                    Problem::unsupported(
                        "Expected a form with files: multipart/form-data with a boundary.",
                    )
                })
            }
        };
        Self {
            parts,
            server,
            content,
        }
    }

    fn content(&mut self) -> Result<Content, Problem> {
        std::mem::replace(&mut self.content, Ok(Content::Other))
    }
}

impl Content {
    async fn receive(headers: &HeaderMap, body: axum::body::Body) -> Result<Self, Problem> {
        let kind = text_of(headers, &header::CONTENT_TYPE);
        let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
        let is_form = kind.is_none_or(|kind| kind.starts_with("application/x-www-form-urlencoded"));
        let body = axum::body::to_bytes(body, FORM_LIMIT);
        let body = tokio::time::timeout(upload::SILENCE, body).await;
        let body = body
            .map_err(|_| upload::silent())?
            .map_err(|_| Problem::too_large("A form has at most 1 MiB."))?;
        match (is_json, is_form) {
            (true, _) => Ok(Self::Json(body)),
            (_, true) => Ok(Self::Form(body)),
            _ => Err(Problem::unsupported("Expected a form or JSON.")),
        }
    }
}

/// An argument of a handler.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not described in the API",
    note = "handlers take `Path`, `Query`, `Form` or `Upload` of `crate::web`, not those of axum"
)]
pub(crate) trait Input: Sized {
    /// Adds it to the description of an operation.
    fn describe(_: &mut Shape) {}
    /// Takes it from a request.
    fn take(received: &mut Received) -> Result<Self, Problem>;
}

impl Input for State<Server> {
    fn take(received: &mut Received) -> Result<Self, Problem> {
        Ok(Self(received.server.clone()))
    }
}

/// For the host in links. Whatever else a handler reads has a type of its own.
impl Input for HeaderMap {
    fn take(received: &mut Received) -> Result<Self, Problem> {
        Ok(received.parts.headers.clone())
    }
}

/// The parts of an address that are between braces in its pattern. Whatever does not fit them does not exist.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> Input for Path<T> {
    fn describe(shape: &mut Shape) {
        shape.path = Some(schema_of::<T>());
    }

    fn take(received: &mut Received) -> Result<Self, Problem> {
        // axum's type, whose future never waits, is the only way to the parts of an address.
        let path = pin!(extract::Path::from_request_parts(&mut received.parts, &()));
        match path.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(extract::Path(path))) => Ok(Self(path)),
            _ => Err(Problem::not_found()),
        }
    }
}

/// The fields after the question mark of an address.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> Input for Query<T> {
    fn describe(shape: &mut Shape) {
        shape.query = Some(schema_of::<T>());
    }

    fn take(received: &mut Received) -> Result<Self, Problem> {
        let query = received.parts.uri.query().unwrap_or_default();
        serde_urlencoded::from_str(query)
            .map(Self)
            .map_err(|error| Problem::bad_request(format!("After the question mark: {error}.")))
    }
}

/// The fields of a form, or a JSON object with the same names.
pub(crate) struct Form<T>(pub(crate) T);

impl<T: DeserializeOwned> Input for Form<T> {
    fn describe(shape: &mut Shape) {
        shape.body = Some(Body::Form(schema_of::<T>()));
    }

    fn take(received: &mut Received) -> Result<Self, Problem> {
        let read = match received.content()? {
            Content::Json(body) => serde_json::from_slice(&body).map_err(|error| error.to_string()),
            Content::Form(body) => {
                serde_urlencoded::from_bytes(&body).map_err(|error| error.to_string())
            }
            Content::Files(_) | Content::Other => Err("Expected a form or JSON.".to_owned()),
        };
        read.map(Self).map_err(Problem::invalid)
    }
}

/// The fields of a form with files. Others are refused by name.
pub(crate) trait Fields: Send + 'static {
    /// The files, and whether each must be sent.
    const FILES: &'static [(&'static str, bool)];
    /// The JSON schema of the other fields, as [`api::schema_of`](crate::api::schema_of) makes it.
    fn texts() -> Value;
}

/// A form with files, to be received by [`upload::receive`].
pub(crate) struct Upload<F> {
    pub(crate) body: Multipart,
    pub(crate) fields: PhantomData<F>,
}

impl<F: Fields> Input for Upload<F> {
    fn describe(shape: &mut Shape) {
        shape.body = Some(Body::Files(F::FILES, F::texts()));
    }

    fn take(received: &mut Received) -> Result<Self, Problem> {
        match received.content()? {
            Content::Files(body) => Ok(Self {
                body,
                fields: PhantomData,
            }),
            _ => Err(Problem::unsupported("Expected a form with files.")),
        }
    }
}

/// A key that a client chooses, so that it can send a request again without doing it twice.
pub(crate) struct IdempotencyKey(pub(crate) Option<String>);

impl Input for IdempotencyKey {
    fn describe(shape: &mut Shape) {
        shape.key = true;
    }

    fn take(received: &mut Received) -> Result<Self, Problem> {
        let Some(value) = received
            .parts
            .headers
            .get(HeaderName::from_static("idempotency-key"))
        else {
            return Ok(Self(None));
        };
        let key = value
            .to_str()
            .ok()
            .filter(|key| (1..=64).contains(&key.len()));
        let key = key
            .ok_or_else(|| Problem::invalid("An Idempotency-Key has 1 to 64 ASCII characters."))?;
        Ok(Self(Some(key.to_owned())))
    }
}

/// The version that a change begins with, as `If-Match: "3"`.
pub(crate) struct IfMatch(pub(crate) Option<i64>);

impl Input for IfMatch {
    fn describe(shape: &mut Shape) {
        shape.if_match = true;
    }

    fn take(received: &mut Received) -> Result<Self, Problem> {
        let Some(value) = received.parts.headers.get(header::IF_MATCH) else {
            return Ok(Self(None));
        };
        let text = value.to_str().unwrap_or_default().trim();
        let number = text.trim_start_matches("W/").trim_matches('"').parse();
        let wrong =
            |_| Problem::bad_request("If-Match is the version of the settings, such as \"3\".");
        number.map(|number| Self(Some(number))).map_err(wrong)
    }
}

/// Whether a method changes nothing.
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

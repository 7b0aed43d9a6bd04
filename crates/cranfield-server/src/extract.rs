//! What a request carries. Only types of this file may be arguments of a handler, because each of them is described in the API;
//! those of axum would also answer in plain text where a client expects a problem.

use std::marker::PhantomData;

use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::http::{HeaderName, Method};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::Problem;
use crate::upload;
use crate::web::text_of;

/// The most bytes of a form.
const FORM_LIMIT: usize = 1 << 20;

/// The parts of an address that are between braces in its pattern. Whatever does not fit them does not exist.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|extract::Path(path)| Self(path))
            .map_err(|_| Problem::not_found())
    }
}

/// The fields after the question mark of an address.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = parts.uri.query().unwrap_or_default();
        serde_urlencoded::from_str(query)
            .map(Self)
            .map_err(|error| Problem::bad_request(format!("After the question mark: {error}.")))
    }
}

/// The fields of a form, or a JSON object with the same names.
pub(crate) struct Form<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let read = match Sent::receive(request).await? {
            Sent::Json(body) => serde_json::from_slice(&body).map_err(|error| error.to_string()),
            Sent::Form(body) => {
                serde_urlencoded::from_bytes(&body).map_err(|error| error.to_string())
            }
        };
        read.map(Self).map_err(Problem::invalid)
    }
}

/// The bytes of a form.
enum Sent {
    Json(Bytes),
    Form(Bytes),
}

impl Sent {
    async fn receive(request: Request) -> Result<Self, Problem> {
        let kind = text_of(request.headers(), &header::CONTENT_TYPE);
        let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
        let is_form = kind.is_none_or(|kind| kind.starts_with("application/x-www-form-urlencoded"));
        let body = axum::body::to_bytes(request.into_body(), FORM_LIMIT);
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

/// The fields of a form with files. Others are refused by name.
pub(crate) trait Fields: Send + 'static {
    /// The files, and whether each must be sent.
    const FILES: &'static [(&'static str, bool)];
    /// The JSON schema of the other fields, as [`api::schema_of`](crate::api::schema_of) makes it.
    fn texts() -> Value;
}

/// A form with files, to be received by [`upload::receive`].
pub(crate) struct Upload<F> {
    pub(crate) body: extract::Multipart,
    pub(crate) fields: PhantomData<F>,
}

impl<F: Fields, S: Send + Sync> FromRequest<S> for Upload<F> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = extract::Multipart::from_request(request, state).await;
        let body = body.map_err(|_| {
            Problem::unsupported("Expected a form with files: multipart/form-data with a boundary.")
        })?;
        Ok(Self {
            body,
            fields: PhantomData,
        })
    }
}

/// A key that a client chooses, so that it can send a request again without doing it twice.
pub(crate) struct IdempotencyKey(pub(crate) Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts
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

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(header::IF_MATCH) else {
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

//! What a request gets instead of an answer, as a page or as `application/problem+json` (RFC 9457).

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::http::StatusCode;
use serde::Serialize;

/// Why a request was not carried out. `code` is stable.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) title: &'static str,
    pub(crate) detail: String,
    /// Messages by field of a form.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) fields: BTreeMap<&'static str, String>,
    /// Seconds until another try makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after: Option<u64>,
}

impl Problem {
    fn new(
        status: StatusCode,
        code: &'static str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            status,
            code,
            title,
            detail: detail.into(),
            fields: BTreeMap::new(),
            retry_after: None,
        }
    }

    /// For what does not exist, and for what this person may not see, which must look the same.
    pub(crate) fn not_found() -> Self {
        let detail =
            "There is nothing at this address, or you may not see it. Signing in may help.";
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
    }

    pub(crate) fn sign_in() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "sign-in",
            "Sign in first",
            "This needs an account. Sign in and try again.",
        )
    }

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", detail)
    }

    /// A change did not say which version it begins with.
    pub(crate) fn version_required() -> Self {
        Self::new(
            StatusCode::PRECONDITION_REQUIRED,
            "version-required",
            "The version is missing",
            "Send the version of the settings that the change begins with, as If-Match or as the field version of the address.",
        )
    }

    /// A change begins with a version that is not in force any more.
    pub(crate) fn stale(base: i64, current: i64) -> Self {
        Self::new(
            StatusCode::PRECONDITION_FAILED,
            "stale",
            "Someone else changed the settings",
            format!(
                "The change begins with version {base}, and version {current} is in force. Load the settings again; the page of versions shows what changed."
            ),
        )
    }

    /// The request contradicts the state of the campaign.
    pub(crate) fn conflict(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, "Not possible now", detail)
    }

    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            "Something is missing or wrong",
            detail,
        )
    }

    /// One field of a form is wrong.
    pub(crate) fn field(field: &'static str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let mut problem = Self::invalid(detail.clone());
        problem.fields.insert(field, detail);
        problem
    }

    pub(crate) fn gone(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::GONE, "code", "This code cannot be used", detail)
    }

    pub(crate) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "Too large",
            detail,
        )
    }

    pub(crate) fn unsupported(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported",
            "Not accepted",
            detail,
        )
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "bad-request",
            "The request cannot be read",
            detail,
        )
    }

    pub(crate) fn too_many(detail: impl Into<String>, seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too-many",
                "Too many requests",
                detail,
            )
        }
    }

    pub(crate) fn too_slow(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "Too slow", detail)
    }

    /// The server has no place for this now.
    pub(crate) fn busy(detail: impl Into<String>) -> Self {
        Self {
            retry_after: Some(30),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "busy",
                "The server is busy",
                detail,
            )
        }
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "Another method",
            "This address does not answer to this method. The header `Allow` has those that it answers to.",
        )
    }

    pub(crate) fn misdirected() -> Self {
        let detail = "The server does not answer for this host name.";
        Self::new(
            StatusCode::MISDIRECTED_REQUEST,
            "host",
            "Another host",
            detail,
        )
    }

    /// An error of the server, whose cause goes to the log and not to the client.
    pub(crate) fn internal(cause: &dyn Display) -> Self {
        crate::log::error("internal", cause);
        let detail = "The server failed to carry out the request. Its log has the cause.";
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "The server failed",
            detail,
        )
    }
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(&error)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Self::internal(&error)
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(&error)
    }
}

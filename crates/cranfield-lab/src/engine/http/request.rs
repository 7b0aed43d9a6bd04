//! Requests from templates.

use crate::engine::command::filled;
use crate::engine::{EngineError, Query};

/// Template of a request. `{query}`, `{topic}` and `{depth}` are replaced in the URL, where they are percent-encoded, and in the body,
/// where `{query}` and `{topic}` are the inside of a JSON string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestTemplate {
    /// GET, POST, or another method.
    pub method: String,
    /// The URL.
    pub url: String,
    /// Names and values of headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<String>,
}

impl RequestTemplate {
    /// The request of a query.
    pub(super) fn of(
        &self,
        query: &Query,
        depth: usize,
    ) -> Result<ureq::http::Request<Vec<u8>>, EngineError> {
        let depth = depth.to_string();
        let url = [
            ("query", url_text(&query.text)),
            ("topic", url_text(&query.topic)),
            ("depth", depth.clone()),
        ];
        let body = [
            ("query", json_text(&query.text)),
            ("topic", json_text(&query.topic)),
            ("depth", depth),
        ];
        let mut request = ureq::http::Request::builder()
            .method(self.method.as_str())
            .uri(filled(&self.url, &url));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let body = self.body.as_ref().map(|text| filled(text, &body));
        let request = request.body(body.unwrap_or_default().into_bytes());
        request.map_err(|error| EngineError::start(format!("invalid request: {error}")))
    }

    /// The URL without a user name and password.
    pub(super) fn shown_url(&self) -> String {
        let Some((scheme, rest)) = self.url.split_once("://") else {
            return self.url.clone();
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        format!("{scheme}://{host}{path}")
    }
}

/// Text as the inside of a JSON string.
fn json_text(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Text percent-encoded for the query of a URL: all but unreserved characters (RFC 3986).
fn url_text(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(byte.into());
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(url: &str, body: &str) -> RequestTemplate {
        RequestTemplate {
            method: "POST".into(),
            url: url.into(),
            headers: vec![("X-Key".into(), "k".into())],
            body: Some(body.into()),
        }
    }

    #[test]
    fn queries_are_escaped_for_their_place() {
        let query = Query {
            topic: "q 1".into(),
            text: "a \"b\" & ü\n{depth}".into(),
        };
        let template = template(
            "http://localhost/s?q={query}&t={topic}&n={depth}",
            "{\"q\": \"{query}\", \"size\": {depth}}",
        );
        let request = template.of(&query, 7).expect("the request is valid");
        assert_eq!(
            request.uri(),
            "http://localhost/s?q=a%20%22b%22%20%26%20%C3%BC%0A%7Bdepth%7D&t=q%201&n=7"
        );
        let body: serde_json::Value =
            serde_json::from_slice(request.body()).expect("the body is JSON");
        let expected = serde_json::json!({"q": "a \"b\" & ü\n{depth}", "size": 7});
        assert_eq!(body, expected);
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = template("http://me:secret@host:9200/x?a=b@c", "").shown_url();
        assert_eq!(shown, "http://host:9200/x?a=b@c");
    }
}

//! The description of the API: `OpenAPI` 3.1, made from the table of operations.

use std::sync::LazyLock;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::{Body, Content, Operation, Who};
use crate::routes;

/// What all addresses of the API begin with.
pub(crate) const API: &str = "/api/v1";

/// The description, as `OpenAPI`.
pub(crate) fn description() -> &'static Value {
    static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| describe(&routes::operations()));
    &DESCRIPTION
}

fn describe(operations: &[Operation]) -> Value {
    let mut paths = Map::new();
    for operation in operations {
        let methods = paths.entry(operation.path).or_insert_with(|| json!({}));
        methods[operation.call.method()] = operation.describe();
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Cranfield campaigns",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "What every page shows and every form does, for programs. An operation has the address of its page, below /api/v1.",
        },
        "servers": [{ "url": API }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token of the page of the account." },
                "session": { "type": "apiKey", "in": "cookie", "name": "cranfield", "description": "The cookie that signing in sets; __Host-cranfield over TLS." },
            },
            "schemas": { "Problem": problem() },
        },
    })
}

/// Problems of RFC 9457.
fn problem() -> Value {
    json!({
        "type": "object",
        "required": ["code", "title", "detail"],
        "properties": {
            "code": { "type": "string", "description": "Stable, for programs." },
            "title": { "type": "string" },
            "detail": { "type": "string", "description": "What is wrong, and what to do." },
            "fields": { "type": "object", "additionalProperties": { "type": "string" }, "description": "Messages by field." },
            "retry_after": { "type": "integer", "minimum": 0, "description": "Seconds until another try makes sense." },
        },
    })
}

impl Operation {
    fn describe(&self) -> Value {
        let mut described = json!({
            "operationId": self.id(),
            "tags": [self.area()],
            "summary": self.says,
            "description": self.who.sentence(),
            "x-who": self.who.name(),
            "security": self.security(),
            "responses": self.responses(),
        });
        let parameters = self.parameters();
        if !parameters.is_empty() {
            described["parameters"] = json!(parameters);
        }
        if let Some(body) = &self.shape.body {
            described["requestBody"] = body.describe();
        }
        described
    }

    /// A name that no other operation has, such as `get-c-slug-board`.
    pub(super) fn id(&self) -> String {
        let words = self
            .path
            .split(['/', '{', '}', '.'])
            .filter(|word| !word.is_empty());
        words.fold(self.call.method().to_owned(), |id, word| {
            format!("{id}-{word}")
        })
    }

    /// The heading in the reference.
    pub(super) fn area(&self) -> &'static str {
        let mut parts = self.path.split('/').skip(1);
        match (parts.next(), parts.nth(1)) {
            (Some("c"), Some("admin")) => "organise",
            (Some("c"), _) => "campaign",
            _ => "account",
        }
    }

    fn security(&self) -> Value {
        let account = [json!({ "token": [] }), json!({ "session": [] })];
        let nobody = matches!(
            self.who,
            Who::Anyone | Who::Board | Who::Reader | Who::Released | Who::Final
        )
        .then(|| json!({}));
        json!(nobody.into_iter().chain(account).collect::<Vec<_>>())
    }

    /// Names between braces.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.path
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
    }

    pub(super) fn parameters(&self) -> Vec<Value> {
        let path = self.shape.path.as_ref();
        let places = path.and_then(|schema| schema["prefixItems"].as_array());
        let of_path = self.names().enumerate().map(|(at, name)| {
            let schema = places.and_then(|places| places.get(at)).or(path).cloned();
            json!({ "name": name, "in": "path", "required": true, "schema": schema.unwrap_or_else(|| json!({ "type": "string" })) })
        });
        let query = self.shape.query.as_ref();
        let is_required = |name: &str| {
            query
                .and_then(|query| query["required"].as_array())
                .is_some_and(|list| list.iter().any(|known| known == name))
        };
        let of_query = query.and_then(|query| query["properties"].as_object()).into_iter().flatten().map(|(name, schema)| {
            let mut schema = schema.clone();
            // An address has no null: what may be absent is left out.
            if let Some(kind) = schema["type"].get(0).cloned() {
                schema["type"] = kind;
            }
            json!({ "name": name, "in": "query", "required": is_required(name), "schema": schema })
        });
        let key = self.shape.key.then(|| {
            json!({
                "name": "Idempotency-Key", "in": "header", "required": false,
                "description": "The same key and file again get the answer of the first time.",
                "schema": { "type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$" },
            })
        });
        let if_match = self.shape.if_match.then(|| {
            json!({
                "name": "If-Match", "in": "header", "required": false,
                "description": "The version that the change begins with.",
                "schema": { "type": "string", "pattern": "^\"[0-9]+\"$" },
            })
        });
        of_path.chain(of_query).chain(key).chain(if_match).collect()
    }

    /// Statuses that are not of success, in ascending order.
    pub(super) fn refusals(&self) -> Vec<u16> {
        let has_names = self.names().next().is_some();
        let hides = matches!(
            self.who,
            Who::Board
                | Who::Reader
                | Who::Released
                | Who::Team
                | Who::OwnTeam
                | Who::Staff
                | Who::Organiser
                | Who::Admin
        );
        // Every request may carry a token and a session, a wrong token, a one-time password that must be changed, or another host.
        let mut all = vec![400, 401, 403, 421];
        if has_names || hides {
            all.push(404);
        }
        if self.shape.body.is_some() {
            all.extend([408, 413, 415, 422]);
        }
        if matches!(self.shape.body, Some(Body::Files(..))) {
            // The disk is full.
            all.push(503);
        }
        if self.shape.key {
            all.push(422);
        }
        all.extend(self.statuses.iter().filter(|status| **status >= 300));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The status of success.
    pub(super) fn success(&self) -> u16 {
        self.statuses
            .iter()
            .copied()
            .find(|status| *status < 300)
            .unwrap_or(200)
    }

    fn responses(&self) -> Value {
        let mut responses = Map::new();
        let content = match self.shape.content {
            Content::View | Content::Action => {
                json!({ "application/json": { "schema": { "type": "object" } } })
            }
            Content::File => json!({ "*/*": {} }),
        };
        let said = match self.shape.content {
            Content::View => "What the page shows.",
            Content::Action => "Done.",
            Content::File => "The content.",
        };
        responses.insert(
            self.success().to_string(),
            json!({ "description": said, "content": content }),
        );
        for status in self.refusals() {
            let reason = StatusCode::from_u16(status)
                .ok()
                .and_then(|status| status.canonical_reason());
            let mut response = json!({ "description": reason.unwrap_or("Refused") });
            if status >= 400 {
                response["content"] = json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
            }
            responses.insert(status.to_string(), response);
        }
        Value::Object(responses)
    }
}

impl Body {
    /// The JSON schema of the fields.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Form(schema) => schema.clone(),
            Self::Files(files, texts) => {
                let mut schema = texts.clone();
                schema["type"] = json!("object");
                schema["additionalProperties"] = json!(false);
                let mut required = schema["required"].as_array().cloned().unwrap_or_default();
                for (file, needed) in *files {
                    schema["properties"][*file] = json!({ "type": "string", "format": "binary" });
                    if *needed {
                        required.push(json!(file));
                    }
                }
                schema["required"] = json!(required);
                schema
            }
        }
    }

    fn describe(&self) -> Value {
        let schema = self.schema();
        let required = schema["required"]
            .as_array()
            .is_some_and(|list| !list.is_empty());
        let content = match self {
            Self::Form(_) => {
                json!({ "application/json": { "schema": schema }, "application/x-www-form-urlencoded": { "schema": schema } })
            }
            Self::Files(..) => json!({ "multipart/form-data": { "schema": schema } }),
        };
        json!({ "required": required, "content": content })
    }
}

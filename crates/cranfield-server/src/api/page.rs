//! The reference of the API as a page, and its description as a file.

use askama::Template;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use super::{API, Operation, description};
use crate::routes;
use crate::web::{Shown, view};

/// Every operation of the API.
#[derive(Serialize, Template)]
#[template(path = "api.html")]
pub(crate) struct Reference {
    areas: Vec<Area>,
}

/// Operations that belong together.
#[derive(Serialize)]
struct Area {
    name: &'static str,
    operations: Vec<Listed>,
}

/// An operation of the reference.
#[derive(Serialize)]
struct Listed {
    id: String,
    method: String,
    path: String,
    says: &'static str,
    who: &'static str,
    fields: Vec<Field>,
    statuses: String,
}

/// What an operation reads.
#[derive(Serialize)]
struct Field {
    name: String,
    place: &'static str,
    kind: String,
    required: bool,
}

view! {
    Reference: |_page| "API".into(), None;
}

/// The page of the reference.
pub(crate) async fn reference() -> Shown {
    let operations = routes::operations();
    let area = |name: &'static str| Area {
        name,
        operations: operations
            .iter()
            .filter(|operation| operation.area() == name)
            .map(Listed::of)
            .collect(),
    };
    let reference = Reference {
        areas: ["account", "campaign", "organise"].map(area).into(),
    };
    reference.into()
}

/// The description of the API.
pub(crate) async fn openapi() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, format!("{}\n", description())).into_response()
}

impl Listed {
    fn of(operation: &Operation) -> Self {
        let parameters = operation.parameters();
        let of_parameters = parameters.iter().map(|parameter| Field {
            name: text(&parameter["name"]),
            place: match parameter["in"].as_str() {
                Some("path") => "address",
                Some("query") => "query",
                _ => "header",
            },
            kind: kind(&parameter["schema"]),
            required: parameter["required"] == true,
        });
        let schema = operation
            .shape
            .body
            .as_ref()
            .map(super::Body::schema)
            .unwrap_or_default();
        let required = |name: &str| {
            schema["required"]
                .as_array()
                .is_some_and(|list| list.iter().any(|known| known == name))
        };
        let of_body =
            schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, schema)| Field {
                    name: name.clone(),
                    place: "body",
                    kind: kind(schema),
                    required: required(name),
                });
        let statuses = std::iter::once(operation.success()).chain(operation.refusals());
        let statuses: Vec<String> = statuses.map(|status| status.to_string()).collect();
        Self {
            id: operation.id(),
            method: operation.call.method().to_uppercase(),
            path: format!("{API}{}", operation.path),
            says: operation.says,
            who: operation.who.sentence(),
            fields: of_parameters.chain(of_body).collect(),
            statuses: statuses.join(" "),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What a value is, in words.
fn kind(schema: &Value) -> String {
    if schema["format"] == "binary" {
        return "file".into();
    }
    if let Some(variants) = schema["enum"].as_array() {
        return variants.iter().map(text).collect::<Vec<_>>().join(", ");
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    match kind {
        Some("array") => format!("list of {}", kind_of_items(schema)),
        Some(kind) => kind.to_owned(),
        None => "string or list".into(),
    }
}

fn kind_of_items(schema: &Value) -> String {
    match &schema["items"] {
        Value::Null => "values".into(),
        items => format!("{}s", kind(items)),
    }
}

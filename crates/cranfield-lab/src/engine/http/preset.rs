//! Requests and answers of known servers.

use serde::Deserialize;
use serde_json::json;

use super::{AnswerShape, JsonPath};

/// A known kind of server.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Elasticsearch's `_search`.
    Elasticsearch,
    /// OpenSearch's `_search`.
    OpenSearch,
    /// Solr's `select`.
    Solr,
}

impl Preset {
    /// The method of a search.
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Elasticsearch | Self::OpenSearch => "POST",
            Self::Solr => "GET",
        }
    }

    /// The URL of a search, made of the URL that the user wrote.
    ///
    /// Solr's parser `simple` without operators takes the query as plain text, in which no punctuation is an error.
    pub(crate) fn url(self, url: &str, fields: &[String]) -> String {
        if self != Self::Solr {
            return url.to_owned();
        }
        let separator = if url.contains('?') { '&' } else { '?' };
        let fields = fields.join("%20");
        format!(
            "{url}{separator}q={{query}}&defType=simple&q.operators=&q.op=OR&qf={fields}&fl=id,score&rows={{depth}}&wt=json"
        )
    }

    /// The body of a search in these fields, where the server takes one.
    pub(crate) fn body(self, fields: &[String]) -> Option<String> {
        if self == Self::Solr {
            return None;
        }
        let query = match fields {
            [field] => json!({"match": {field: {"query": "{query}"}}}),
            fields => json!({"multi_match": {"query": "{query}", "fields": fields}}),
        };
        // The depth is a number, but JSON has no placeholder for one.
        let body =
            json!({"size": "{depth}", "_source": false, "track_total_hits": false, "query": query});
        Some(body.to_string().replace("\"{depth}\"", "{depth}"))
    }

    /// The places of documents in an answer.
    pub(crate) fn answer(self) -> AnswerShape {
        let path = |steps: &str| -> JsonPath {
            steps
                .parse()
                .unwrap_or_else(|_| unreachable!("paths below begin with a slash"))
        };
        match self {
            Self::Elasticsearch | Self::OpenSearch => AnswerShape {
                ids: path("/hits/hits/*/_id"),
                scores: Some(path("/hits/hits/*/_score")),
                partial: vec![path("/timed_out"), path("/_shards/failed")],
            },
            Self::Solr => AnswerShape {
                ids: path("/response/docs/*/id"),
                scores: Some(path("/response/docs/*/score")),
                partial: vec![path("/responseHeader/partialResults")],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elasticsearch_searches_one_field_or_several() {
        let body = Preset::Elasticsearch.body(&["text".into()]);
        assert_eq!(
            body.as_deref(),
            Some(
                r#"{"size":{depth},"_source":false,"track_total_hits":false,"query":{"match":{"text":{"query":"{query}"}}}}"#
            )
        );
        let body = Preset::OpenSearch.body(&["title".into(), "text".into()]);
        let body = body.expect("a body");
        assert!(body.contains(r#""multi_match":{"query":"{query}","fields":["title","text"]}"#));
    }

    #[test]
    fn solr_is_asked_in_its_url() {
        let url = Preset::Solr.url("http://localhost:8983/solr/c/select", &["text".into()]);
        assert!(url.starts_with("http://localhost:8983/solr/c/select?q={query}&defType=simple"));
        assert!(url.contains("&rows={depth}&") && Preset::Solr.body(&[]).is_none());
    }
}

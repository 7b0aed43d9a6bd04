//! JSON schemas of what types read: a deserializer that asks a type for its fields and remembers what it wanted to have.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value, json};

/// The JSON schema of what a type reads.
pub(crate) fn schema_of<T: DeserializeOwned>() -> Value {
    let mut schema = json!({});
    let mut skip = 0;
    // A field that rejects the sample value ends the walk, which then goes on behind it.
    loop {
        let mut seen = json!({});
        let done = T::deserialize(Probe {
            schema: &mut seen,
            skip,
            only: None,
        });
        let fields = count(&seen);
        merge(&mut schema, seen);
        skip += fields;
        if done.is_ok() || fields == 0 {
            break;
        }
    }
    if schema["type"] != "object" {
        return schema;
    }
    let mut required: Vec<&'static str> = Vec::new();
    let with = |names: &[&'static str]| {
        let mut ignored = json!({});
        T::deserialize(Probe {
            schema: &mut ignored,
            skip: 0,
            only: Some(names),
        })
    };
    while let Err(Refusal::Missing(field)) = with(&required) {
        if required.contains(&field) {
            break;
        }
        required.push(field);
    }
    let unknown = [required.as_slice(), &[UNKNOWN]].concat();
    if matches!(with(&unknown), Err(Refusal::Unknown)) {
        schema["additionalProperties"] = json!(false);
    }
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// A name that no field has.
const UNKNOWN: &str = "\u{0}";

fn count(schema: &Value) -> usize {
    schema["properties"].as_object().map_or(0, Map::len)
}

fn merge(schema: &mut Value, seen: Value) {
    if count(schema) == 0 {
        *schema = seen;
    } else if let (Some(known), Value::Object(mut seen)) =
        (schema["properties"].as_object_mut(), seen)
        && let Some(Value::Object(more)) = seen.remove("properties")
    {
        known.extend(more);
    }
}

/// Why a type did not take the sample.
#[derive(Debug)]
enum Refusal {
    Missing(&'static str),
    Unknown,
    Other,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the sample does not fit")
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self::Other
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self::Unknown
    }
}

/// Gives a type sample values, and writes down which kinds it asks for.
struct Probe<'a> {
    schema: &'a mut Value,
    /// Fields of a struct that are known already.
    skip: usize,
    /// The fields that the sample has; all of them if there is no list.
    only: Option<&'a [&'static str]>,
}

impl Probe<'_> {
    fn is(self, schema: Value) {
        *self.schema = schema;
    }
}

/// Methods that take a plain value.
macro_rules! plain {
    ($($method:ident: $visit:ident($($value:expr)?), $schema:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
            self.is($schema);
            visitor.$visit($($value)?)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Probe<'_> {
    type Error = Refusal;

    plain! {
        deserialize_any: visit_str(""), json!({});
        deserialize_ignored_any: visit_unit(), json!({});
        deserialize_unit: visit_unit(), json!({ "type": "null" });
        deserialize_bool: visit_bool(false), json!({ "type": "boolean" });
        deserialize_i8: visit_i8(0), json!({ "type": "integer", "minimum": i8::MIN, "maximum": i8::MAX });
        deserialize_i16: visit_i16(0), json!({ "type": "integer", "minimum": i16::MIN, "maximum": i16::MAX });
        deserialize_i32: visit_i32(0), json!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX });
        deserialize_i64: visit_i64(0), json!({ "type": "integer" });
        deserialize_u8: visit_u8(0), json!({ "type": "integer", "minimum": 0, "maximum": u8::MAX });
        deserialize_u16: visit_u16(0), json!({ "type": "integer", "minimum": 0, "maximum": u16::MAX });
        deserialize_u32: visit_u32(0), json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
        deserialize_u64: visit_u64(0), json!({ "type": "integer", "minimum": 0 });
        deserialize_f32: visit_f32(0.0), json!({ "type": "number" });
        deserialize_f64: visit_f64(0.0), json!({ "type": "number" });
        deserialize_char: visit_char('a'), json!({ "type": "string", "minLength": 1, "maxLength": 1 });
        deserialize_str: visit_str(""), json!({ "type": "string" });
        deserialize_string: visit_str(""), json!({ "type": "string" });
        deserialize_identifier: visit_str(""), json!({ "type": "string" });
        deserialize_bytes: visit_bytes(b""), json!({ "type": "string" });
        deserialize_byte_buf: visit_bytes(b""), json!({ "type": "string" });
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let mut inner = json!({});
        let value = visitor.visit_some(Probe {
            schema: &mut inner,
            skip: 0,
            only: None,
        });
        if let Some(kind) = inner.get("type").filter(|kind| kind.is_string()).cloned() {
            inner["type"] = json!([kind, "null"]);
        }
        self.is(inner);
        value
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let mut items = Vec::new();
        let value = visitor.visit_seq(Items {
            left: 1,
            schemas: &mut items,
        });
        self.is(json!({ "type": "array", "items": items.pop() }));
        value
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let mut items = Vec::new();
        let value = visitor.visit_seq(Items {
            left: len,
            schemas: &mut items,
        });
        self.is(json!({ "type": "array", "prefixItems": items }));
        value
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.is(json!({ "type": "object" }));
        visitor.visit_map(Entries {
            names: Vec::new().into_iter(),
            next: "",
            properties: &mut Map::new(),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        let names: Vec<&'static str> = match self.only {
            Some(only) => only.to_vec(),
            None => fields.iter().skip(self.skip).copied().collect(),
        };
        let mut properties = Map::new();
        let value = visitor.visit_map(Entries {
            names: names.into_iter(),
            next: "",
            properties: &mut properties,
        });
        self.is(json!({ "type": "object", "properties": properties }));
        value
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.is(json!({ "type": "string", "enum": variants }));
        let first: StrDeserializer<'_, Refusal> = variants
            .first()
            .copied()
            .unwrap_or_default()
            .into_deserializer();
        visitor.visit_enum(first)
    }
}

/// The elements of a sample list.
struct Items<'a> {
    left: usize,
    schemas: &'a mut Vec<Value>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Refusal> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut schema = json!({});
        let value = seed.deserialize(Probe {
            schema: &mut schema,
            skip: 0,
            only: None,
        });
        self.schemas.push(schema);
        value.map(Some)
    }
}

/// The fields of a sample object.
struct Entries<'a> {
    names: std::vec::IntoIter<&'static str>,
    next: &'static str,
    properties: &'a mut Map<String, Value>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refusal> {
        let Some(name) = self.names.next() else {
            return Ok(None);
        };
        self.next = name;
        let key: StrDeserializer<'_, Refusal> = name.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Refusal> {
        let mut schema = json!({});
        let value = seed.deserialize(Probe {
            schema: &mut schema,
            skip: 0,
            only: None,
        });
        self.properties.insert(self.next.to_owned(), schema);
        value
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Takes one spelling only.
    fn picky<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        TopDown,
        BottomUp,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its fields matter")]
    struct Sample {
        name: String,
        #[serde(deserialize_with = "picky")]
        picky: u8,
        #[serde(default)]
        size: u32,
        note: Option<String>,
        kind: Kind,
        list: Vec<(f64, bool)>,
    }

    #[test]
    fn a_schema_has_every_field_of_a_struct() {
        let schema = schema_of::<Sample>();
        let wanted = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "picky": { "type": "string" },
                "size": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                "note": { "type": ["string", "null"] },
                "kind": { "type": "string", "enum": ["top-down", "bottom-up"] },
                "list": { "type": "array", "items": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "boolean" }] } },
            },
        });
        assert_eq!(schema["properties"], wanted["properties"]);
        assert_eq!(
            schema_of::<(String, i64)>()["prefixItems"],
            json!([{ "type": "string" }, { "type": "integer" }])
        );
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its fields matter")]
    struct Strict {
        name: String,
        kind: Kind,
        #[serde(default)]
        note: String,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its fields matter")]
    struct Open {
        name: Option<String>,
    }

    #[test]
    fn a_schema_tells_required_and_unknown_fields() {
        let schema = schema_of::<Strict>();
        assert_eq!(schema["required"], json!(["name", "kind"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        let schema = schema_of::<Open>();
        assert!(schema.get("required").is_none() && schema.get("additionalProperties").is_none());
    }
}

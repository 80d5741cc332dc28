//! Trees of values (serde_json's), built from JSON text.

use super::cursor::{Cursor, value};
use super::error::JsonError;
use super::number::tree_number;
use super::span::TokenKind;
use super::white_space::skip_space;
use serde_json::{Map, Value};

/// Objects and arrays of a record nest at most this deep, whatever limit is set: trees are built and
/// written by functions that recurse.
pub const MAX_DEPTH: usize = 1024;

/// The tree of a JSON text that this crate wrote.
///
/// # Errors
/// It is not JSON, or nests deeper than `depth`.
pub fn tree(json: &str, depth: usize) -> Result<Value, JsonError> {
    value(json.as_bytes(), 0, depth)?;
    Ok(build(json, &mut 0))
}

/// The tree of the value at `at`, which is moved to its end; the text is known to be JSON and not too
/// deep.
pub(crate) fn build(json: &str, at: &mut usize) -> Value {
    let bytes = json.as_bytes();
    *at = skip_space(bytes, *at);
    let mut cursor = Cursor::new(bytes, *at);
    let tree = match bytes.get(*at) {
        Some(b'{') => {
            let mut map = Map::new();
            while let Ok(Some(key)) = cursor.field() {
                map.insert(key.text(json).into_owned(), build(json, &mut cursor.at));
            }
            Value::Object(map)
        }
        Some(b'[') => {
            let mut list = Vec::new();
            while let Ok(true) = cursor.element() {
                list.push(build(json, &mut cursor.at));
            }
            Value::Array(list)
        }
        _ => return scalar(json, at),
    };
    *at = cursor.at;
    tree
}

fn scalar(json: &str, at: &mut usize) -> Value {
    let Ok(span) = value(json.as_bytes(), *at, MAX_DEPTH) else {
        *at = json.len();
        return Value::Null;
    };
    *at = span.end;
    match span.kind {
        TokenKind::String(_) => Value::String(span.string(json).unwrap_or_default().into_owned()),
        _ => literal(span.text(json)),
    }
}

/// The tree of a number, `true`, `false` or `null`.
pub fn literal(raw: &str) -> Value {
    match raw {
        "null" => Value::Null,
        "true" | "false" => Value::Bool(raw == "true"),
        _ => tree_number(raw),
    }
}

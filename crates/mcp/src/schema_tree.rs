//! A JSON value that keeps the order of its keys and the spelling of its numbers and strings: a schema is given
//! to the model as the server wrote it.

use apex_parts_json::JsonError;
use apex_parts_json::cursor::{Cursor, value};
use apex_parts_json::span::TokenKind;
use apex_parts_json::string::unescaped;
use apex_parts_json::white_space::skip_space;
use std::borrow::Cow;

/// A value, over the JSON text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SchemaTree<'j> {
    Object(Vec<(Cow<'j, str>, SchemaTree<'j>)>),
    Array(Vec<SchemaTree<'j>>),
    /// A string, as it is written between its quotes.
    Text(Cow<'j, str>),
    /// A number, `true`, `false` or `null`, as it is written.
    Word(&'j str),
}

impl<'j> SchemaTree<'j> {
    /// Reads a JSON text that nests at most `depth` deep.
    ///
    /// # Errors
    /// It is not JSON or nested deeper.
    pub(crate) fn read(json: &'j str, depth: usize) -> Result<SchemaTree<'j>, JsonError> {
        let start = skip_space(json.as_bytes(), 0);
        value(json.as_bytes(), start, depth)?;
        build(json, &mut { start })
    }

    /// A string that needs no escapes.
    pub(crate) fn text(text: &'static str) -> SchemaTree<'static> {
        SchemaTree::Text(Cow::Borrowed(text))
    }

    pub(crate) fn fields(&self) -> &[(Cow<'j, str>, SchemaTree<'j>)] {
        if let SchemaTree::Object(fields) = self { fields } else { &[] }
    }

    pub(crate) fn items(&self) -> &[SchemaTree<'j>] {
        if let SchemaTree::Array(items) = self { items } else { &[] }
    }

    /// A field of an object; the name needs no escapes.
    pub(crate) fn get(&self, name: &str) -> Option<&SchemaTree<'j>> {
        self.fields().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(crate) const fn is_object(&self) -> bool {
        matches!(self, SchemaTree::Object(_))
    }

    /// The text of a string, its escapes resolved.
    pub(crate) fn string(&self) -> Option<Cow<'_, str>> {
        if let SchemaTree::Text(raw) = self { Some(resolved(raw)) } else { None }
    }

    /// Sets a field of an object, in its place if there is one.
    pub(crate) fn set(&mut self, name: &'static str, value: SchemaTree<'j>) {
        let SchemaTree::Object(fields) = self else { return };
        match fields.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => fields.push((Cow::Borrowed(name), value)),
        }
    }

    /// Removes fields of an object.
    pub(crate) fn remove(&mut self, names: &[&str]) {
        if let SchemaTree::Object(fields) = self {
            fields.retain(|(key, _)| !names.contains(&key.as_ref()));
        }
    }

    /// Appends the JSON text. `is_canonical`: keys in the order of RFC 8785, by their UTF-16 units.
    pub(crate) fn write(&self, out: &mut String, is_canonical: bool) {
        match self {
            SchemaTree::Object(fields) => {
                let mut order: Vec<_> = fields.iter().collect();
                if is_canonical {
                    order.sort_by_cached_key(|(key, _)| -> Vec<u16> {
                        resolved(key).encode_utf16().collect()
                    });
                }
                out.push('{');
                for (i, (key, value)) in order.into_iter().enumerate() {
                    out.push_str(if i > 0 { ",\"" } else { "\"" });
                    out.push_str(key);
                    out.push_str("\":");
                    value.write(out, is_canonical);
                }
                out.push('}');
            }
            SchemaTree::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write(out, is_canonical);
                }
                out.push(']');
            }
            SchemaTree::Text(raw) => {
                out.push('"');
                out.push_str(raw);
                out.push('"');
            }
            SchemaTree::Word(raw) => out.push_str(raw),
        }
    }
}

/// A string as it is written between its quotes, its escapes resolved.
pub(crate) fn resolved(raw: &str) -> Cow<'_, str> {
    if raw.contains('\\') { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) }
}

/// The value at `at`, which is moved to its end. The text was read already, so it is not too deep to recurse.
fn build<'j>(json: &'j str, at: &mut usize) -> Result<SchemaTree<'j>, JsonError> {
    let bytes = json.as_bytes();
    let mut cursor = Cursor::new(bytes, *at);
    let tree = match bytes.get(*at) {
        Some(b'{') => {
            let mut fields = Vec::new();
            while let Some(key) = cursor.field()? {
                let name = json.get(key.start..key.end).unwrap_or_default();
                fields.push((Cow::Borrowed(name), build(json, &mut cursor.at)?));
            }
            SchemaTree::Object(fields)
        }
        Some(b'[') => {
            let mut items = Vec::new();
            while cursor.element()? {
                items.push(build(json, &mut cursor.at)?);
            }
            SchemaTree::Array(items)
        }
        _ => {
            let span = value(bytes, *at, 1)?;
            *at = span.end;
            let raw = span.text(json);
            return Ok(match span.kind {
                TokenKind::String(_) => {
                    let inner = raw.get(1..raw.len().saturating_sub(1));
                    SchemaTree::Text(Cow::Borrowed(inner.unwrap_or_default()))
                }
                _ => SchemaTree::Word(raw),
            });
        }
    };
    *at = cursor.at;
    Ok(tree)
}

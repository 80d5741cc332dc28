//! Writes JSON text. Arguments of tool calls are JSON text already and are copied unchanged: they
//! may contain what a tree of values cannot hold (halves of surrogate pairs, numbers of any
//! length), and `JSON.parse` of the whole is the fastest way to JavaScript.

use super::string::plain;
use super::text::Text;
use apex_parts_model::view::number_text;
use serde_json::Value;

/// The JSON text of a value, as `serde_json` writes it, whose writer would bring all of its error messages
/// into the module.
pub fn value_text(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// Recursive, as dropping the value is: values are read with a limit of their depth.
fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) => out.push_str(&integer.to_string()),
            (_, Some(integer)) => out.push_str(&integer.to_string()),
            _ => out.push_str(&number.to_string()),
        },
        Value::String(text) => string(out, text),
        Value::Array(items) => list(out, items, write_value),
        Value::Object(fields) => object(out, |object| {
            for (name, value) in fields {
                write_value(object.foreign_key(name), value);
            }
        }),
    }
}

/// An object being written.
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    first: bool,
}

impl<'o> ObjectWriter<'o> {
    pub(crate) fn new(out: &'o mut String) -> ObjectWriter<'o> {
        out.push('{');
        ObjectWriter { out, first: true }
    }

    /// Writes a key; the caller writes its value next. Names in this crate's code need no escapes.
    pub fn key(&mut self, name: &'static str) -> &mut String {
        self.out.push_str(if self.first { "\"" } else { ",\"" });
        self.first = false;
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    /// The same for a name that comes from outside.
    pub fn foreign_key(&mut self, name: &str) -> &mut String {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
        string(self.out, name);
        self.out.push(':');
        self.out
    }

    /// Writes fields that are JSON already, as they stand between the braces of an object.
    pub fn raw(&mut self, fields: &str) {
        if !self.first && !fields.is_empty() {
            self.out.push(',');
        }
        self.first &= fields.is_empty();
        self.out.push_str(fields);
    }

    /// Writes a field that is a string.
    pub fn string(&mut self, name: &'static str, value: &str) -> &mut Self {
        string(self.key(name), value);
        self
    }

    /// Writes a field that is a string, which may have half surrogates.
    pub fn text(&mut self, name: &'static str, value: &Text) -> &mut Self {
        text(self.key(name), value);
        self
    }

    /// Writes a field that is a number; `null` if it is not finite.
    pub fn number(&mut self, name: &'static str, value: f64) -> &mut Self {
        self.key(name).push_str(&number_text(value));
        self
    }

    /// Writes a field that is a whole number.
    pub fn integer(&mut self, name: &'static str, value: i64) -> &mut Self {
        self.key(name).push_str(&value.to_string());
        self
    }

    /// Writes a field that is true or false.
    pub fn bool(&mut self, name: &'static str, value: bool) -> &mut Self {
        self.key(name).push_str(if value { "true" } else { "false" });
        self
    }

    /// Writes a field of any value.
    pub fn value(&mut self, name: &'static str, value: &Value) -> &mut Self {
        self.key(name).push_str(&value_text(value));
        self
    }

    /// Writes a field that is an object, whose fields `fill` writes.
    pub fn object(
        &mut self,
        name: &'static str,
        fill: impl FnOnce(&mut ObjectWriter<'_>),
    ) -> &mut Self {
        object(self.key(name), fill);
        self
    }

    /// Writes a field that is an array, each element by `write`.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        items: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut String, T),
    ) -> &mut Self {
        list(self.key(name), items, write);
        self
    }

    pub(crate) fn end(self) {
        self.out.push('}');
    }
}

/// Writes an object.
pub fn object(out: &mut String, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
    let mut object = ObjectWriter::new(out);
    fill(&mut object);
    object.end();
}

/// Writes an array.
pub fn list<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push('[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

/// Writes a string.
pub fn string(out: &mut String, value: &str) {
    out.push('"');
    escape(out, value);
    out.push('"');
}

/// Writes a text as a string.
pub fn text(out: &mut String, value: &Text) {
    out.push('"');
    value.blocks().for_each(|block| escape(out, block));
    out.push('"');
}

/// Writes a text as a string, with the half of a surrogate pair that waits after it: another reader
/// continues from there.
pub fn waiting_text(out: &mut String, value: &Text) {
    out.push('"');
    value.blocks().for_each(|block| escape(out, block));
    if let Some(high) = value.high() {
        out.push_str(&format!("\\u{high:04x}"));
    }
    out.push('"');
}

/// Appends a text with the escapes that it needs between the quotes of a string.
pub fn escape(out: &mut String, value: &str) {
    let bytes = value.as_bytes();
    let mut at = 0;
    loop {
        let end = plain(bytes, at);
        out.push_str(value.get(at..end).unwrap_or_default());
        let Some(byte) = bytes.get(end) else { return };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            other => out.push_str(&format!("\\u{other:04x}")),
        }
        at = end + 1;
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn values_are_written_as_serde_json_writes_them() {
        let value = json!({
            "b": [null, true, false, {}, [], {"\"\u{1}\u{7f}": "\u{8}\u{c}\n\r\t\\/"}],
            "a": [0, -1, u64::MAX, i64::MIN, 1.0, -0.0, 0.1, 1e300, 5e-324, 1e21],
        });
        assert_eq!(value_text(&value), serde_json::to_string(&value).unwrap());
    }

    proptest! {
        #[test]
        fn strings_are_read_back(value in any::<String>()) {
            let mut out = String::new();
            string(&mut out, &value);
            prop_assert_eq!(serde_json::from_str::<String>(&out).unwrap(), value.as_str());
            prop_assert_eq!(out, serde_json::to_string(&value).unwrap());
        }
    }
}

//! [`KeptFields`]: what the fields of a message or part do not say of a record.

use crate::lists::push_all;
use apex_parts_agents::fields::raw;
use apex_parts_json::tape::Node;
use apex_parts_json::writer;

/// The name of the field that holds it.
pub const KEPT: &str = "opencode2";
/// Where the fields of the record stand in it that are written back as they are.
pub const FIELDS: &str = "fields";
/// Where the names stand of fields that the record does not have.
pub const WITHOUT: &str = "without";

/// The field `opencode2` of a message or part, from which the record is written again.
#[derive(Debug, Default)]
pub(crate) struct KeptFields {
    notes: String,
    fields: String,
    without: String,
}

/// Adds a comma, if something stands before.
fn next(list: &mut String) -> &mut String {
    if !list.is_empty() {
        list.push(',');
    }
    list
}

impl KeptFields {
    /// A note of the mapping; `json` is its value.
    pub(crate) fn remark(&mut self, name: &'static str, json: &str) {
        let notes = next(&mut self.notes);
        push_all(notes, &["\"", name, "\":", json]);
    }

    /// A field that is written back as it is.
    pub(crate) fn field(&mut self, name: &str, json: &str) {
        let fields = next(&mut self.fields);
        writer::string(fields, name);
        fields.push(':');
        fields.push_str(json);
    }

    /// The field of an object with this name, if it is there; otherwise that it is not.
    pub(crate) fn field_or_none(&mut self, name: &str, value: Option<Node<'_>>, json: &str) {
        match value {
            Some(value) => self.field(name, raw(value, json)),
            None => writer::string(next(&mut self.without), name),
        }
    }

    /// The fields of an object, but for those that are read.
    pub(crate) fn rest(&mut self, object: Node<'_>, read: &[&str], json: &str) {
        for (key, value) in object.fields() {
            if key.str().is_some_and(|name| !read.contains(&&*name)) {
                let fields = next(&mut self.fields);
                push_all(fields, &[raw(key, json), ":", raw(value, json)]);
            }
        }
    }

    /// Adds all of another.
    pub(crate) fn append(&mut self, other: KeptFields) {
        for (own, other) in [
            (&mut self.notes, other.notes),
            (&mut self.fields, other.fields),
            (&mut self.without, other.without),
        ] {
            if !other.is_empty() {
                next(own).push_str(&other);
            }
        }
    }

    /// Is there nothing?
    pub(crate) fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.fields.is_empty() && self.without.is_empty()
    }

    /// It as a JSON object.
    pub(crate) fn json(&self) -> String {
        let mut out = String::from("{");
        out.push_str(&self.notes);
        for (name, open, list, close) in
            [(FIELDS, ":{", &self.fields, '}'), (WITHOUT, ":[", &self.without, ']')]
        {
            if !list.is_empty() {
                if out.len() > 1 {
                    out.push(',');
                }
                push_all(&mut out, &["\"", name, "\"", open, list]);
                out.push(close);
            }
        }
        out.push('}');
        out
    }

    /// Writes the field into an object that has fields already, if there is anything.
    pub(crate) fn write(&self, out: &mut String) {
        if !self.is_empty() {
            push_all(out, &[",\"", KEPT, "\":", &self.json()]);
        }
    }
}

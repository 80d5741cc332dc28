//! Makes JSON fit a shape: writes what fits, mends what nearly does, and notes what is left out. What is written
//! always fits: a test compares it with the check.

use super::lost::LostFields;
use super::picked::{PickedFields, can_fit, elements, json, kind_of, number};
use super::shape::{JsonShape, MOST_EXACT, ShapeField};
use apex_parts_json::tape::Node;
use apex_parts_json::writer::{self, ObjectWriter};
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, Path, View};
use apex_parts_opencode2::KEPT;

/// A field whose JSON is known beforehand; without JSON it is left out.
pub(super) type GivenField = (&'static str, String);

/// Makes the values of one message fit.
pub(super) struct Fitter<'a> {
    /// The time of what has none.
    pub(super) created: f64,
    pub(super) lost: &'a mut LostFields,
}

/// The nearest integer that is not negative and exact.
pub(super) fn integer(number: f64) -> f64 {
    number.round().clamp(0.0, MOST_EXACT)
}

impl Fitter<'_> {
    /// Writes an object with these fields. A field that is `given` is written as it is.
    pub(super) fn object(
        &mut self,
        value: Node<'_>,
        fields: &'static [ShapeField],
        given: &[GivenField],
        path: &Path<'_>,
        out: &mut ObjectWriter<'_>,
    ) {
        let is_given = |name: &str| given.iter().find(|(given, _)| *given == name);
        let picked = PickedFields::new(value, fields, |name, value| {
            // What is kept for the way back to records says nothing that a message does not.
            if value.kind() != Kind::Null && is_given(name).is_none() && name != KEPT {
                self.lost.note(&path.name(name));
            }
        });
        let created = self.created;
        let start = picked.each().find(|(field, _)| field.name == "start");
        if let Some(start) = start.and_then(|(_, value)| number(value)) {
            // An end that is missing is not before the start.
            self.created = created.max(start);
        }
        for (field, value) in picked.each() {
            if let Some((_, json)) = is_given(field.name) {
                if !json.is_empty() {
                    out.key(field.name).push_str(json);
                }
                continue;
            }
            let value = value.filter(|value| value.kind() != Kind::Null);
            match value {
                Some(value) if can_fit(value, field.shape) => {
                    self.value(value, field.shape, &path.name(field.name), out.key(field.name));
                    continue;
                }
                Some(_) => self.lost.note(&path.name(field.name)),
                None => {}
            }
            if field.is_required {
                self.missing(field.shape, out.key(field.name));
            }
        }
        self.created = created;
    }

    /// Writes a value that can be made to fit.
    fn value(
        &mut self,
        value: Node<'_>,
        shape: &'static JsonShape,
        path: &Path<'_>,
        out: &mut String,
    ) {
        match shape {
            JsonShape::Text if value.raw().is_none() => writer::string(out, &json(value)),
            JsonShape::Integer | JsonShape::Moment => {
                out.push_str(&number_text(integer(number(Some(value)).unwrap_or(0.0))));
            }
            JsonShape::Positive if value.number() < 0.0 => out.push('0'),
            JsonShape::Record(JsonShape::Anything) if value.kind() != Kind::Object => {
                writer::object(out, |out| out.key("value").push_str(&json(value)));
            }
            JsonShape::Record(of) if !matches!(of, JsonShape::Anything) => {
                writer::object(out, |out| {
                    for (key, value) in value.fields() {
                        let name = key.str().unwrap_or_default();
                        let path = path.name(&name);
                        if can_fit(value, of) {
                            self.value(value, of, &path, out.foreign_key(&name));
                        } else {
                            self.lost.note(&path);
                        }
                    }
                });
            }
            JsonShape::List(of) | JsonShape::Filled(of) => {
                let mut fitting: Vec<Node<'_>> = Vec::new();
                for element in elements(Some(value)) {
                    if can_fit(element, of) {
                        fitting.push(element);
                    } else {
                        self.lost.note(path);
                    }
                }
                writer::list(out, fitting, |out, element| self.value(element, of, path, out));
            }
            JsonShape::Fields(fields) => {
                writer::object(out, |out| self.object(value, fields, &[], path, out));
            }
            JsonShape::Kinds(tag, kinds) => {
                let Some(kind) = kind_of(value, tag, kinds) else { return out.push_str("null") };
                writer::object(out, |out| {
                    out.string(tag, kind.word);
                    self.object(value, kind.fields, &[(tag, String::new())], path, out);
                });
            }
            _ => out.push_str(&json(value)),
        }
    }

    /// Writes what stands for a value that is missing.
    pub(super) fn missing(&self, shape: &'static JsonShape, out: &mut String) {
        match shape {
            JsonShape::Text => out.push_str("\"\""),
            JsonShape::Id(prefix) => writer::string(out, &format!("{prefix}_unknown")),
            JsonShape::Integer | JsonShape::Number => out.push('0'),
            JsonShape::Moment | JsonShape::Positive => {
                out.push_str(&number_text(integer(self.created)))
            }
            JsonShape::Flag => out.push_str("false"),
            JsonShape::Word(words) => {
                writer::string(out, words.first().copied().unwrap_or_default())
            }
            JsonShape::Anything | JsonShape::Told(..) => out.push_str("null"),
            JsonShape::Record(_) => out.push_str("{}"),
            JsonShape::List(_) | JsonShape::Filled(_) => out.push_str("[]"),
            JsonShape::Fields(fields) => writer::object(out, |out| self.without(fields, out)),
            JsonShape::Kinds(tag, kinds) => writer::object(out, |out| {
                if let Some(kind) = kinds.first() {
                    out.string(tag, kind.word);
                    self.without(kind.fields, out);
                }
            }),
        }
    }

    /// Writes the required fields of an object that is missing.
    fn without(&self, fields: &'static [ShapeField], out: &mut ObjectWriter<'_>) {
        for field in fields.iter().filter(|field| field.is_required) {
            self.missing(field.shape, out.key(field.name));
        }
    }
}

//! Checks JSON against a shape.

use super::picked::{PickedFields, elements, kind_of, number};
use super::shape::{MOST_EXACT, Shape, ShapeField};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, Severity, View, shorten};

/// Receives what is wrong: how bad it is, where, and what.
pub(super) type Tell<'a> = &'a mut dyn FnMut(Severity, &Path<'_>, String);

/// The value in words, for "got …".
fn in_words(value: Node<'_>) -> String {
    match value.kind() {
        Kind::String | Kind::EmptyString | Kind::Number => {
            shorten(&String::from_utf8_lossy(value.json()))
        }
        Kind::False => "false".to_owned(),
        Kind::True => "true".to_owned(),
        kind => kind.describe().to_owned(),
    }
}

fn fits(value: Node<'_>, shape: &Shape) -> bool {
    let number = number(Some(value));
    match shape {
        Shape::Anything => true,
        Shape::Text => value.kind().is_string(),
        Shape::Id(prefix) => value.str().is_some_and(|id| id.starts_with(prefix)),
        Shape::Integer | Shape::Moment => {
            number.is_some_and(|n| n.fract() == 0.0 && (0.0..=MOST_EXACT).contains(&n))
        }
        Shape::Number => number.is_some(),
        Shape::Positive => number.is_some_and(|number| number >= 0.0),
        Shape::Flag => value.kind().is_bool(),
        Shape::Word(words) => value.str().is_some_and(|word| words.contains(&word.as_ref())),
        Shape::Record(_) | Shape::Fields(_) => value.kind() == Kind::Object,
        Shape::List(_) => value.kind() == Kind::Array,
        Shape::Kinds(tag, kinds) => kind_of(value, tag, kinds).is_some(),
    }
}

/// Checks a value and everything in it.
pub(super) fn check(value: Node<'_>, shape: &'static Shape, path: &Path<'_>, tell: Tell<'_>) {
    if !fits(value, shape) {
        let message = format!("expected {}, got {}", shape.describe(), in_words(value));
        return tell(Severity::Error, path, message);
    }
    match shape {
        Shape::Record(of) if !matches!(of, Shape::Anything) => {
            for (key, value) in value.fields() {
                let name = key.str().unwrap_or_default();
                check(value, of, &path.name(&name), tell);
            }
        }
        Shape::List(of) => {
            for (index, element) in elements(Some(value)).enumerate() {
                check(element, of, &path.index(index), tell);
            }
        }
        Shape::Fields(fields) => check_fields(value, fields, "", path, tell),
        Shape::Kinds(tag, kinds) => {
            if let Some(kind) = kind_of(value, tag, kinds) {
                check_fields(value, kind.fields, tag, path, tell);
            }
        }
        _ => {}
    }
}

/// Checks the fields of an object. `tag` is the name of a field that is known already.
pub(super) fn check_fields(
    value: Node<'_>,
    fields: &'static [ShapeField],
    tag: &str,
    path: &Path<'_>,
    tell: Tell<'_>,
) {
    let mut others = Vec::new();
    let picked = PickedFields::new(value, fields, |name, _| {
        if name != tag {
            others.push(name.to_owned());
        }
    });
    for (field, value) in picked.each() {
        let path = path.name(field.name);
        match value {
            Some(value) => check(value, field.shape, &path, tell),
            None if field.is_required => {
                let message = format!("it is missing: {} is required", field.shape.describe());
                tell(Severity::Error, &path, message);
            }
            None => {}
        }
    }
    for name in others {
        let message = "OpenCode has no field of this name, and drops it silently".to_owned();
        tell(Severity::Warning, &path.name(&name), message);
    }
}

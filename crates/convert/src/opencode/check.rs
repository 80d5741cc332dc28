//! Checks JSON against a shape.

use super::picked::{PickedFields, elements, kind_of, number};
use super::shape::{JsonShape, MOST_EXACT, ShapeField};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, Severity, View, shorten};

/// Receives what is wrong: how bad it is, where, and what.
pub(crate) type TellProblem<'a> = &'a mut dyn FnMut(Severity, &Path<'_>, String);

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

fn fits(value: Node<'_>, shape: &JsonShape) -> bool {
    let number = number(Some(value));
    match shape {
        JsonShape::Anything => true,
        JsonShape::Text => value.kind().is_string(),
        JsonShape::Id(prefix) => value.str().is_some_and(|id| id.starts_with(prefix)),
        JsonShape::Integer | JsonShape::Moment => {
            number.is_some_and(|n| n.fract() == 0.0 && (0.0..=MOST_EXACT).contains(&n))
        }
        JsonShape::Number => number.is_some(),
        JsonShape::Positive => number.is_some_and(|number| number >= 0.0),
        JsonShape::Flag => value.kind().is_bool(),
        JsonShape::Word(words) => value.str().is_some_and(|word| words.contains(&word.as_ref())),
        JsonShape::Record(_) | JsonShape::Fields(_) => value.kind() == Kind::Object,
        JsonShape::List(_) => value.kind() == Kind::Array,
        JsonShape::Filled(_) => elements(Some(value)).next().is_some(),
        JsonShape::Told(_, fits) => fits(value),
        JsonShape::Kinds(tag, kinds) => kind_of(value, tag, kinds).is_some(),
    }
}

/// Checks a value and everything in it.
pub(crate) fn check(
    value: Node<'_>,
    shape: &'static JsonShape,
    path: &Path<'_>,
    tell: TellProblem<'_>,
) {
    if !fits(value, shape) {
        let message = format!("expected {}, got {}", shape.describe(), in_words(value));
        return tell(Severity::Error, path, message);
    }
    match shape {
        JsonShape::Record(of) if !matches!(of, JsonShape::Anything) => {
            for (key, value) in value.fields() {
                let name = key.str().unwrap_or_default();
                check(value, of, &path.name(&name), tell);
            }
        }
        JsonShape::List(of) | JsonShape::Filled(of) => {
            for (index, element) in elements(Some(value)).enumerate() {
                check(element, of, &path.index(index), tell);
            }
        }
        JsonShape::Fields(fields) => check_fields(value, fields, "", path, tell),
        JsonShape::Kinds(tag, kinds) => {
            if let Some(kind) = kind_of(value, tag, kinds) {
                check_fields(value, kind.fields, tag, path, tell);
            }
        }
        _ => {}
    }
}

/// Checks the fields of an object. `tag` is the name of a field that is known already.
pub(crate) fn check_fields(
    value: Node<'_>,
    fields: &'static [ShapeField],
    tag: &str,
    path: &Path<'_>,
    tell: TellProblem<'_>,
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

//! Compares an object with its row in [`spec`](apex_parts_model::spec): which fields it has, and of
//! which JSON types.

use FieldKind::{Flag, List, ListOf, MapOf, Named, Number, Object, OneOf, Record, Text};
use apex_parts_model::bounds::each;
use apex_parts_model::spec::{CheckedBy, FieldKind, FieldSpec};
use apex_parts_model::{Key, Kind, Path, Report, View};

/// Checks that the object has these fields, of these kinds. Fields that a rule checks are skipped.
pub(crate) fn fields<V: View, R: Report>(
    object: &V,
    fields: &[FieldSpec],
    path: &Path<'_>,
    report: &mut R,
) {
    for field in fields {
        if field.checked_by == CheckedBy::Rule {
            continue;
        }
        let value = object.get(field.key);
        let path = path.key(field.key);
        if value.kind() == Kind::Missing {
            if field.is_required() {
                report.error("schema", &path, missing(field.key, field.kind));
            }
        } else {
            value_of_kind(&value, field.kind, &path, report);
        }
    }
}

/// "`text` is missing; it is a string"
fn missing(key: Key, kind: FieldKind) -> String {
    format!("`{}` is missing; it must be {}", key.as_str(), describe(kind))
}

const fn describe(kind: FieldKind) -> &'static str {
    match kind {
        Text => "a string",
        Number => "a number",
        Flag => "true or false",
        Record | MapOf(_) | Object(_) | Named(_) | OneOf(_) => "an object",
        List(_) | ListOf(_) => "an array",
    }
}

/// Checks that the value is of this kind.
fn value_of_kind<V: View, R: Report>(
    value: &V,
    expected: FieldKind,
    path: &Path<'_>,
    report: &mut R,
) {
    let kind = value.kind();
    let fits = match expected {
        Text => kind.is_string(),
        Number => kind == Kind::Number,
        Flag => kind.is_bool(),
        Record | MapOf(_) | Object(_) | Named(_) | OneOf(_) => kind == Kind::Object,
        List(_) | ListOf(_) => kind == Kind::Array,
    };
    if !fits {
        report.error(
            "schema",
            path,
            format!("expected {}, got {}", describe(expected), kind.describe()),
        );
        return;
    }
    match expected {
        Object(of) => fields(value, of, path, report),
        Named(of) => fields(value, of.fields, path, report),
        ListOf(of) => each(value, path, report, |element, path, report| {
            value_of_kind(element, *of, path, report);
        }),
        MapOf(of) => {
            let is_read = value.each_field(&mut |name, value| {
                value_of_kind(value, *of, &path.name(name), report);
            });
            if !is_read {
                report.error("schema", path, "the names of its fields cannot be read");
            }
        }
        // The rule that checks the field picks the row of a `OneOf`.
        Text | Number | Flag | Record | List(_) | OneOf(_) => {}
    }
}

//! Checks of the types that fields of a record must have.

use super::output::wrong;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_model::Violation;
use apex_parts_model::delta::Piece;
use std::borrow::Cow;

/// Fails with the violation `schema` unless `ok`; `expected` and `found` are for its message.
pub(crate) fn must(ok: bool, path: &str, expected: &str, found: Val<'_>) -> Result<(), Violation> {
    if ok {
        return Ok(());
    }
    Err(Violation::new(
        "schema",
        format!("`{path}` must be {expected}, but it is {}", found.describe()),
    ))
}

/// Reports what a check of an element has found; false if it has. What stands beside the element is read.
pub(crate) fn holds(check: Result<(), Violation>, out: &mut Sink<'_>) -> bool {
    match check {
        Ok(()) => true,
        Err(Violation { message, .. }) => {
            wrong(out, message);
            false
        }
    }
}

/// The text of a field that has to be a string, unless it is empty; another value is reported.
pub(crate) fn text_piece<'a>(found: Val<'a>, path: &str, out: &mut Sink<'_>) -> Option<Piece<'a>> {
    holds(may_string(found, path), out).then(|| found.piece())?
}

/// The field must be a string.
pub(crate) fn must_string(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_string(), path, "a string", found)
}

/// The type of a record: its field `type`, or else the event's name. An object without a type but
/// with an `error` is an error: that is how providers refuse a request.
///
/// # Errors
/// The record has no type, or one that is not a string.
pub(crate) fn type_of<'a>(event: &'a str, root: Val<'a>) -> Result<Cow<'a, str>, Violation> {
    let [kind, error] = root.fields(&["type", "error"]);
    if !kind.exists() && !event.is_empty() {
        return Ok(event.into());
    }
    if !kind.exists() && error.exists() {
        return Ok("error".into());
    }
    must_string(kind, "type")?;
    Ok(kind.text())
}

/// The field must be a string, null or missing.
pub(crate) fn may_string(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_string() || !found.exists(), path, "a string or null", found)
}

/// The field must be an array, null or missing.
pub(crate) fn may_array(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_array() || !found.exists(), path, "an array", found)
}

/// The field must be an object.
pub(crate) fn must_object(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_object(), path, "an object", found)
}

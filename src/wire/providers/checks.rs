//! What the fields of a record have to be.

use crate::json::record::Val;
use crate::model::Violation;
use std::borrow::Cow;

/// A field has to be of a kind, if it is there.
pub(crate) fn must(ok: bool, path: &str, want: &str, found: Val<'_>) -> Result<(), Violation> {
    if ok {
        return Ok(());
    }
    Err(Violation::new("schema", format!("`{path}` must be {want}, it is {}", found.describe())))
}

/// A string.
pub(crate) fn must_string(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_string(), path, "a string", found)
}

/// The type of a record, in itself or as the event's name. Providers refuse with an object that has
/// no type but an `error`.
///
/// # Errors
/// It has none.
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

/// A string, null or nothing.
pub(crate) fn may_string(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_string() || !found.exists(), path, "a string or null", found)
}

/// An object.
pub(crate) fn must_object(found: Val<'_>, path: &str) -> Result<(), Violation> {
    must(found.is_object(), path, "an object", found)
}

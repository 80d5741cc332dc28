//! The registry of forms that are recognised but not read: what each is called, and what shows it.

mod files;
mod streams;

use crate::seen_fields::SeenFields;
use apex_parts_json::record;
use apex_parts_json::record::Val;

/// A form whose records are recognised but not read.
#[derive(Debug)]
pub struct UnreadFormat {
    /// What it is called, with an article where one says so.
    pub name: &'static str,
    /// Its records begin like those of a session of this agent, which is read: more of a record has to be known.
    pub is_like: Option<&'static str>,
    /// Have such fields, of a record that may not have ended, shown it?
    shows: fn(&SeenFields) -> bool,
}

impl UnreadFormat {
    const fn new(name: &'static str, shows: fn(&SeenFields) -> bool) -> UnreadFormat {
        UnreadFormat { name, is_like: None, shows }
    }

    /// The form of a record that has begun with these fields.
    #[must_use]
    pub fn of_fields(seen: &SeenFields) -> Option<&'static UnreadFormat> {
        files::UNREAD.iter().find(|format| (format.shows)(seen))
    }

    /// Do records of a form that is not read begin like those of this format?
    #[must_use]
    pub fn resembles(format: &str) -> bool {
        files::UNREAD.iter().any(|unread| unread.is_like == Some(format))
    }

    /// Can fields inside the field with this name show a form?
    #[must_use]
    pub fn looks_inside(name: &str) -> bool {
        files::INSIDE.iter().any(|(outer, ..)| *outer == name)
    }

    /// The name under which [`SeenFields`] has a field inside another.
    #[must_use]
    pub fn inside(name: &str, inner: &str) -> Option<&'static str> {
        let (.., mark) = files::INSIDE.iter().find(|place| (place.0, place.1) == (name, inner))?;
        Some(mark)
    }
}

/// The name of the form of a record of a stream, if it is one that is not read: its SSE event and its text.
#[must_use]
pub fn unread_name(event: &str, text: &str) -> Option<&'static str> {
    unread_format(event, text, record::read(text, record::MAX_DEPTH).ok())
}

/// The name of the form of a line that is no JSON: one of text before a value.
#[must_use]
pub fn unread_line(line: &str) -> Option<&'static str> {
    let (_, value) = line.trim().split_once(':')?;
    let is_json = record::read(value, record::MAX_DEPTH).is_ok();
    streams::name_of("", line, None).filter(|_| is_json)
}

/// The same as [`unread_name`]; `root` is the record as JSON, missing if it is none.
pub(crate) fn unread_format(
    event: &str,
    text: &str,
    root: Option<Val<'_>>,
) -> Option<&'static str> {
    streams::name_of(event, text, root).or_else(|| {
        // Who reads no provider's stream reads no file either.
        if !crate::READS_PROVIDERS {
            return None;
        }
        let seen = fields_of(root.filter(|root| root.is_object())?);
        UnreadFormat::of_fields(&seen).map(|format| format.name)
    })
}

/// The fields of a record.
fn fields_of(root: Val<'_>) -> SeenFields {
    let mut seen = SeenFields::default();
    for (name, value) in root.entries() {
        let first = |value: Val<'_>| value.raw().bytes().next().unwrap_or_default();
        seen.add(&name, first(value));
        if SeenFields::keeps(&name) {
            seen.keep(&name, value.str().as_deref());
        }
        if UnreadFormat::looks_inside(&name) {
            for (inner, value) in value.entries() {
                if let Some(mark) = UnreadFormat::inside(&name, &inner) {
                    seen.add(mark, first(value));
                }
            }
        }
    }
    seen
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

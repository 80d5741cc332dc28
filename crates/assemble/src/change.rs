//! What a screen redraws. Law: all changes, applied in order to an empty message, give the preview,
//! except for `arguments` of calls that are still open.

use super::message::MessagePart;
use super::part::StreamedPart;
use super::settings::MessageStatus;
use super::state::Assembler;
use apex_parts_json::writer::object;
use std::borrow::Cow;

/// A change of a message.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// A new part: `{op: "add", part, value}`. Parts are added in their order.
    Add {
        /// The part's index.
        part: usize,
        /// The part.
        value: MessagePart<'a>,
    },
    /// Text is appended to a part: `{op: "append", part, field, text}`.
    Append {
        /// The part's index.
        part: usize,
        /// The field of the payload that grows.
        field: TextField,
        /// The text to append.
        text: Cow<'a, str>,
    },
    /// A part is replaced, because its call has ended or it has more state: `{op: "set", part, value}`.
    Set {
        /// The part's index.
        part: usize,
        /// The part.
        value: MessagePart<'a>,
    },
    /// A part is taken back: `{op: "remove", part}`. It is the last one at that time.
    Remove {
        /// The part's index.
        part: usize,
    },
    /// A new status of the message: `{op: "status", status}`.
    Status(MessageStatus),
}

/// A field of a part's payload that grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextField {
    /// `payload.text`
    Text,
    /// `payload.rawArgsText`
    Args,
}

impl TextField {
    /// The field's name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TextField::Text => "text",
            TextField::Args => "args",
        }
    }
}

impl Change<'_> {
    /// The number of bytes of text in it.
    fn size(&self) -> usize {
        match self {
            Change::Add { value, .. } | Change::Set { value, .. } => value.size(),
            Change::Append { text, .. } => text.len(),
            Change::Remove { .. } | Change::Status(_) => 0,
        }
    }

    /// Appends the change as JSON text.
    pub fn write_json(&self, out: &mut String) {
        object(out, |change| match self {
            Change::Add { part, value } | Change::Set { part, value } => {
                let op = if matches!(self, Change::Add { .. }) { "add" } else { "set" };
                change.string("op", op).integer("part", index(*part));
                value.write_json(change.key("value"));
            }
            Change::Append { part, field, text } => {
                change.string("op", "append").integer("part", index(*part));
                change.string("field", field.as_str()).string("text", text);
            }
            Change::Remove { part } => {
                change.string("op", "remove").integer("part", index(*part));
            }
            Change::Status(status) => {
                change.string("op", "status").string("status", status.as_str());
            }
        });
    }
}

fn index(part: usize) -> i64 {
    i64::try_from(part).unwrap_or(i64::MAX)
}

/// The changes as JSON text: an array.
#[must_use]
pub fn to_json(changes: &[Change<'_>]) -> String {
    // 160 bytes for the keys of a change, a sixteenth of the text for escapes.
    let size: usize = changes.iter().map(|change| change.size() + 160).sum();
    let mut out = String::with_capacity(size + size / 16);
    apex_parts_json::writer::list(&mut out, changes, |out, change| change.write_json(out));
    out
}

/// The change that a part needs.
enum Due {
    Add,
    /// From this byte of its text.
    Append(usize),
    Set,
}

/// The changes since the last call; `reported` of each part says what they were.
pub(crate) fn take(assembler: &mut Assembler) -> Vec<Change<'_>> {
    let changed = std::mem::take(&mut assembler.changed);
    let removed = std::mem::take(&mut assembler.removed);
    let mut due = Vec::with_capacity(changed.len());
    for index in changed {
        let Some(part) = assembler.parts.get_mut(index) else { continue };
        let length = part.text().len();
        let what = match part.reported {
            reported if !reported.added => Due::Add,
            reported if reported.set => Due::Set,
            // An empty delta, or half of a surrogate pair: there is no new text yet.
            reported if reported.bytes == length => {
                part.reported.changed = false;
                continue;
            }
            reported => Due::Append(reported.bytes),
        };
        part.reported.added = true;
        part.reported.changed = false;
        part.reported.set = false;
        part.reported.bytes = length;
        due.push((index, what));
    }
    let status = assembler.status();
    let last_status = std::mem::replace(&mut assembler.last_status, status);
    let assembler: &Assembler = assembler;
    let mut changes: Vec<Change<'_>> =
        removed.into_iter().map(|part| Change::Remove { part }).collect();
    changes.extend(
        due.into_iter()
            .filter_map(|(index, what)| Some(change(index, assembler.parts.get(index)?, &what))),
    );
    if last_status != status {
        changes.push(Change::Status(status));
    }
    changes
}

fn change<'a>(index: usize, part: &'a StreamedPart, what: &Due) -> Change<'a> {
    match what {
        Due::Add => Change::Add { part: index, value: MessagePart::new(part) },
        Due::Set => Change::Set { part: index, value: MessagePart::new(part) },
        Due::Append(from) => Change::Append {
            part: index,
            field: if part.call().is_some() { TextField::Args } else { TextField::Text },
            text: part.text().since(*from),
        },
    }
}

//! What a screen redraws. Law: changes applied one after another to an empty message give the
//! preview, but for `arguments` of calls that are still open.

use super::message::MessagePart;
use super::part::StreamedPart;
use super::settings::MessageStatus;
use super::state::Assembler;
use crate::json::writer::object;
use std::borrow::Cow;

/// A change of a message.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// A part that was not there; parts come in their order.
    Add {
        /// Its index.
        part: usize,
        /// The part.
        value: MessagePart<'a>,
    },
    /// A part grew.
    Append {
        /// Its index.
        part: usize,
        /// Which of its texts did.
        field: TextField,
        /// By this.
        text: Cow<'a, str>,
    },
    /// A part is another now: its call has ended.
    Set {
        /// Its index.
        part: usize,
        /// The part.
        value: MessagePart<'a>,
    },
    /// The status is another now.
    Status(MessageStatus),
}

/// A text that grows.
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
    /// The bytes of text in it.
    fn size(&self) -> usize {
        match self {
            Change::Add { value, .. } | Change::Set { value, .. } => value.size(),
            Change::Append { text, .. } => text.len(),
            Change::Status(_) => 0,
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
            Change::Status(status) => {
                change.string("op", "status").string("status", status.as_str());
            }
        });
    }
}

fn index(part: usize) -> i64 {
    i64::try_from(part).unwrap_or(i64::MAX)
}

/// Changes as JSON text: an array.
#[must_use]
pub fn to_json(changes: &[Change<'_>]) -> String {
    // Escapes and keys need a little more than the text.
    let size: usize = changes.iter().map(|change| change.size() + 160).sum();
    let mut out = String::with_capacity(size + size / 16);
    crate::json::writer::list(&mut out, changes, |out, change| change.write_json(out));
    out
}

enum Due {
    Add,
    Append(usize),
    Set,
}

pub(crate) fn take(assembler: &mut Assembler) -> Vec<Change<'_>> {
    let dirty = std::mem::take(&mut assembler.changed);
    let mut due = Vec::with_capacity(dirty.len());
    for index in dirty {
        let Some(part) = assembler.parts.get_mut(index) else { continue };
        let length = part.text().len();
        let what = match part.reported {
            shown if !shown.added => Due::Add,
            shown if shown.set => Due::Set,
            // Half a character came, or an empty delta: there is nothing to show.
            shown if shown.bytes == length => {
                part.reported.changed = false;
                continue;
            }
            shown => Due::Append(shown.bytes),
        };
        part.reported.added = true;
        part.reported.changed = false;
        part.reported.set = false;
        part.reported.bytes = length;
        due.push((index, what));
    }
    let status = assembler.status();
    let told = std::mem::replace(&mut assembler.last_status, status);
    let assembler: &Assembler = assembler;
    let mut changes: Vec<Change<'_>> = due
        .into_iter()
        .filter_map(|(index, what)| Some(change(index, assembler.parts.get(index)?, &what)))
        .collect();
    if told != status {
        changes.push(Change::Status(status));
    }
    changes
}

fn change<'a>(index: usize, part: &'a StreamedPart, what: &Due) -> Change<'a> {
    match what {
        Due::Add => Change::Add { part: index, value: MessagePart::of(part) },
        Due::Set => Change::Set { part: index, value: MessagePart::of(part) },
        Due::Append(from) => Change::Append {
            part: index,
            field: if part.call().is_some() { TextField::Args } else { TextField::Text },
            text: part.text().since(*from),
        },
    }
}

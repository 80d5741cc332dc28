//! The length of a message as the AI SDK's model messages in JSON: what OpenCode measures a tail with.

use super::head::Head;
use super::history::MessageReader;
use super::sent::{is_cleared, is_sent_file};
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Key, Kind, Status, View, Word};

/// The model messages that a message becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ModelSize {
    /// Their lengths in UTF-16 units, added up.
    pub(super) units: usize,
    /// How many there are.
    pub(super) messages: usize,
}

impl ModelSize {
    /// The length of an array of these and of those.
    pub(super) fn tokens(self) -> f64 {
        let commas = self.messages.saturating_sub(1);
        super::tokens::chars::of_units(self.units + commas + "[]".len())
    }

    pub(super) fn plus(self, other: ModelSize) -> ModelSize {
        ModelSize { units: self.units + other.units, messages: self.messages + other.messages }
    }

    /// Adds a message with the content of these lengths.
    fn add(&mut self, role: &str, content: &[usize]) {
        let frame = r#"{"role":"","content":[]}"#.len() + role.len();
        self.units += frame + content.iter().sum::<usize>() + content.len().saturating_sub(1);
        self.messages += 1;
    }
}

impl MessageReader for ModelSize {
    fn read<V: View>(&mut self, message: &V) {
        let head = Head::read(message);
        match head.speaker {
            super::head::Speaker::User => {
                let mut content = Vec::new();
                message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
                    content.extend(of_user(part));
                });
                if !content.is_empty() {
                    self.add("user", &content);
                }
            }
            super::head::Speaker::Assistant => self.read_answer(message, head.has_failed()),
            super::head::Speaker::Nobody => {}
        }
    }
}

/// The length of an object's fields with the frame of the object.
fn object(fields: &[usize]) -> usize {
    "{}".len() + fields.iter().sum::<usize>() + fields.len().saturating_sub(1)
}

/// The length of a field; `value` is the length of its value.
fn field(name: &str, value: usize) -> usize {
    "\"\":".len() + name.len() + value
}

/// The length of a field that is a fixed text without escapes.
fn word(name: &str, text: &str) -> usize {
    field(name, "\"\"".len() + text.len())
}

/// The field, if the value is there.
fn given<V: View>(name: &str, value: &V) -> Option<usize> {
    (value.kind() != Kind::Missing).then(|| field(name, value.json_units()))
}

fn text_part(text: &str) -> usize {
    object(&[word("type", "text"), word("text", text)])
}

fn file_part<V: View>(file: &V) -> usize {
    let mut fields = vec![word("type", "file")];
    fields.extend(given("mediaType", &file.get(Key::Mime)));
    fields.extend(given("filename", &file.get(Key::Filename)));
    fields.extend(given("data", &file.get(Key::Url)));
    object(&fields)
}

/// The length of the content for a part of the user; `None` if it is not sent.
fn of_user<V: View>(part: &V) -> Option<usize> {
    match part.get_word(Key::Type) {
        Some(Word::Text) if part.get(Key::Ignored).kind() != Kind::True => {
            let mut fields = vec![word("type", "text")];
            fields.extend(given("text", &part.get(Key::Text)));
            Some(object(&fields))
        }
        Some(Word::File) => is_sent_file(part).then(|| file_part(part)),
        Some(Word::Compaction) => Some(text_part(Word::WhatDidWeDo.as_str())),
        Some(Word::Subtask) => Some(text_part(Word::ExecutedByUser.as_str())),
        _ => None,
    }
}

impl ModelSize {
    fn read_answer<V: View>(&mut self, message: &V, has_failed: bool) {
        let (mut content, mut results, mut answers) = (Vec::new(), Vec::new(), false);
        let mut attached = ModelSize::default();
        message.get(Key::Parts).each(MAX_ELEMENTS, &mut |_, part| {
            let kind = part.get_word(Key::Type);
            answers |= !matches!(kind, Some(Word::StepStart | Word::Reasoning));
            match kind {
                Some(kind @ (Word::Text | Word::Reasoning)) => {
                    let mut fields = vec![word("type", kind.as_str())];
                    fields.extend(given("text", &part.get(Key::Text)));
                    fields.extend(options_of(part));
                    content.push(object(&fields));
                }
                Some(Word::Tool) => call(part, &mut content, &mut results, &mut attached),
                _ => {}
            }
        });
        if content.is_empty() || (has_failed && !answers) {
            return;
        }
        *self = self.plus(attached);
        self.add("assistant", &content);
        if !results.is_empty() {
            self.add("tool", &results);
        }
    }
}

/// What a provider wants to have back.
fn options_of<V: View>(part: &V) -> Option<usize> {
    let metadata = part.get(Key::Metadata);
    (!metadata.kind().is_nullish()).then(|| field("providerOptions", metadata.json_units()))
}

/// A call and its result.
fn call<V: View>(
    part: &V,
    content: &mut Vec<usize>,
    results: &mut Vec<usize>,
    attached: &mut ModelSize,
) {
    let state = part.get(Key::State);
    let Some(status) = Status::read(&state) else { return };
    let names =
        [given("toolCallId", &part.get(Key::CallID)), given("toolName", &part.get(Key::Tool))];
    let names = || names.into_iter().flatten();
    let mut fields = vec![word("type", "tool-call")];
    fields.extend(names());
    fields.extend(given("input", &state.get(Key::Input)));
    fields.extend(options_of(part));
    content.push(object(&fields));
    let (kind, value) = match status {
        Status::Completed if is_cleared(&state) => {
            ("text", word("value", Word::ClearedOutput.as_str()))
        }
        Status::Completed => {
            attachments(part, &state, attached);
            ("text", given("value", &state.get(Key::Output)).unwrap_or_default())
        }
        Status::Error => ("error-text", given("value", &state.get(Key::Error)).unwrap_or_default()),
        Status::Pending | Status::Running => {
            ("error-text", word("value", Word::Interrupted.as_str()))
        }
    };
    let mut fields = vec![word("type", "tool-result")];
    fields.extend(names());
    fields.push(field("output", object(&[word("type", kind), value])));
    fields.extend(options_of(part));
    results.push(object(&fields));
}

/// The files that a tool returned, as a message of the user.
fn attachments<V: View>(part: &V, state: &V, attached: &mut ModelSize) {
    let files = state.get(Key::Attachments);
    if files.is_empty() {
        return;
    }
    let around = Word::ToolSays.as_str().len() + Word::ReturnedAttachment.as_str().len();
    let text = field("text", part.get(Key::Tool).json_units() + around);
    let mut content = vec![object(&[word("type", "text"), text])];
    files.each(MAX_ELEMENTS, &mut |_, file| {
        if file.kind() == Kind::Object {
            content.push(file_part(file));
        }
    });
    attached.add("user", &content);
}

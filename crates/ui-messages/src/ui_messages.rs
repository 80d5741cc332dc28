//! Conversion to the AI SDK's UI messages.

use apex_parts_compaction::{is_cleared, is_sent_file};
use apex_parts_model::error::expect_kind;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Build, Error, Key, Kind, Path, Status, Word};

/// Converts an array of messages with parts, or one message, to the AI SDK's UI messages, `{id, role, parts}`. `new_id`
/// returns ids for messages that are added for attachments. Strings and objects are not copied but the
/// caller's own.
///
/// # Errors
/// `PartValidationError` if the input is neither an array of messages with parts nor one of them.
///
/// ```
/// use apex_parts_ui_messages::ui_messages;
/// use apex_parts_model::Owned;
/// let input = Owned::from(serde_json::json!([{
///     "info": {"id": "m", "role": "user"},
///     "parts": [{"type": "text", "text": "hi"}, {"type": "text", "text": "no", "ignored": true}]
/// }]));
/// let made = ui_messages(&input, &mut || "id".into())?;
/// assert_eq!(made.into_json(), serde_json::json!(
///     [{"id": "m", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn ui_messages<V: Build>(input: &V, new_id: &mut dyn FnMut() -> String) -> Result<V, Error> {
    let root = Path::ROOT;
    let mut messages = V::list();
    if input.kind() == Kind::Object {
        one(input, &root, &mut messages, new_id)?;
        return Ok(messages);
    }
    expect_kind(input, Kind::Array, &root)?;
    for index in 0..input.len() {
        let mark = V::mark();
        one(&input.at(index), &root.index(index), &mut messages, new_id)?;
        V::release(mark);
    }
    Ok(messages)
}

fn one<V: Build>(
    message: &V,
    path: &Path<'_>,
    made: &mut V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<(), Error> {
    expect_kind(message, Kind::Object, path)?;
    let info = message.get(Key::Info);
    expect_kind(&info, Kind::Object, &path.key(Key::Info))?;
    let parts = message.get(Key::Parts);
    let path = path.key(Key::Parts);
    expect_kind(&parts, Kind::Array, &path)?;
    let role = match info.get_word(Key::Role) {
        Some(role @ (Word::User | Word::Assistant)) => role,
        _ => return Ok(()),
    };
    let mut content = V::list();
    let mut answered = false;
    for index in 0..parts.len() {
        let mark = V::mark();
        let part = parts.at(index);
        expect_kind(&part, Kind::Object, &path.index(index))?;
        let kind = part.get_word(Key::Type);
        answered |= !matches!(kind, Some(Word::StepStart | Word::Reasoning));
        if role == Word::User {
            user(&part, kind, &mut content);
        } else {
            assistant(&part, kind, &path.index(index), &mut content, made, new_id)?;
        }
        V::release(mark);
    }
    let failed = role == Word::Assistant && !info.get(Key::Error).kind().is_nullish();
    // Empty messages are left out, and failed ones without an answer.
    if content.is_empty() || (failed && !answered) {
        return Ok(());
    }
    let mut ui = V::object();
    ui.copy(Key::Id, &info, Key::Id);
    ui.put_word(Key::Role, role);
    ui.put(Key::Parts, &content);
    made.push(&ui);
    Ok(())
}

/// A part with this type and no other field.
fn begin<V: Build>(kind: Word) -> V {
    V::object_with(Key::Type, kind)
}

fn fixed_text<V: Build>(text: Word) -> V {
    let mut ui = begin::<V>(Word::Text);
    ui.put_word(Key::Text, text);
    ui
}

fn file<V: Build>(part: &V) -> V {
    let mut ui = begin::<V>(Word::File);
    ui.copy(Key::Url, part, Key::Url);
    ui.copy(Key::MediaType, part, Key::Mime);
    ui.copy(Key::Filename, part, Key::Filename);
    ui
}

fn user<V: Build>(part: &V, kind: Option<Word>, content: &mut V) {
    match kind {
        Some(Word::Text) if part.get(Key::Ignored).kind() != Kind::True => {
            let mut ui = begin::<V>(Word::Text);
            ui.copy(Key::Text, part, Key::Text);
            content.push(&ui);
        }
        Some(Word::File) if is_sent_file(part) => content.push(&file(part)),
        Some(Word::Compaction) => content.push(&fixed_text(Word::WhatDidWeDo)),
        Some(Word::Subtask) => {
            content.push(&fixed_text(Word::ExecutedByUser));
        }
        _ => {}
    }
}

fn assistant<V: Build>(
    part: &V,
    kind: Option<Word>,
    path: &Path<'_>,
    content: &mut V,
    made: &mut V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<(), Error> {
    match kind {
        Some(kind @ (Word::Text | Word::Reasoning)) => {
            let mut ui = begin::<V>(kind);
            ui.copy(Key::Text, part, Key::Text);
            ui.copy(Key::ProviderMetadata, part, Key::Metadata);
            content.push(&ui);
        }
        Some(Word::Tool) => tool(part, path, content, made, new_id)?,
        _ => {}
    }
    Ok(())
}

fn tool<V: Build>(
    part: &V,
    path: &Path<'_>,
    content: &mut V,
    made: &mut V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<(), Error> {
    let state = part.get(Key::State);
    let Some(status) = Status::read(&state) else { return Ok(()) };
    let compacted = is_cleared(&state);
    let completed = status == Status::Completed;
    let outcome = if completed { Word::OutputAvailable } else { Word::OutputError };
    let mut ui = V::object_with(Key::State, outcome);
    ui.put_joined(Key::Type, Word::ToolPrefix, &part.get(Key::Tool), Word::Nothing);
    ui.copy(Key::ToolCallId, part, Key::CallID);
    ui.copy(Key::Input, &state, Key::Input);
    match status {
        Status::Completed if compacted => ui.put_word(Key::Output, Word::ClearedOutput),
        Status::Completed => {
            attachments(part, &state, &path.key(Key::State), made, new_id)?;
            ui.copy(Key::Output, &state, Key::Output);
        }
        Status::Error => ui.copy(Key::ErrorText, &state, Key::Error),
        // Providers refuse a history with a call that has no result.
        Status::Pending | Status::Running => ui.put_word(Key::ErrorText, Word::Interrupted),
    }
    ui.copy(Key::CallProviderMetadata, part, Key::Metadata);
    content.push(&ui);
    Ok(())
}

/// Adds the files of a tool's result, as a message of the user before that of the assistant.
fn attachments<V: Build>(
    part: &V,
    state: &V,
    path: &Path<'_>,
    made: &mut V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<(), Error> {
    let files = state.get(Key::Attachments);
    if files.is_empty() {
        return Ok(());
    }
    expect_kind(&files, Kind::Array, &path.key(Key::Attachments))?;
    let mut content = V::list();
    let mut text = begin::<V>(Word::Text);
    let tool = part.get(Key::Tool);
    text.put_joined(Key::Text, Word::ToolSays, &tool, Word::ReturnedAttachment);
    content.push(&text);
    files.each(MAX_ELEMENTS, &mut |_, attachment| {
        if attachment.kind() == Kind::Object {
            content.push(&file(attachment));
        }
    });
    let mut ui = V::object();
    ui.put(Key::Id, &V::string(&new_id()));
    ui.put_word(Key::Role, Word::User);
    ui.put(Key::Parts, &content);
    made.push(&ui);
    Ok(())
}

#[cfg(test)]
mod tests;

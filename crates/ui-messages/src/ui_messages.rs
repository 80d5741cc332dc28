//! Conversion to the AI SDK's UI messages.

use apex_parts_compaction::{is_cleared, is_sent_file};
use apex_parts_model::error::expect_kind;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Build, Error, Key, Kind, Path, Status, Word};

/// A version of the AI SDK: which parts its messages can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SdkVersion {
    /// Version 6, and every one before it with parts.
    #[default]
    V6,
    /// Version 7: custom parts, files of reasoning, messages in between, references to files.
    V7,
}

/// Fields of a part's metadata that are not state of a provider.
const OWN: &[Key] = &[Key::AiSdk, Key::Approval, Key::Citations, Key::ProviderExecuted];

/// Custom parts that are parts of a UI message in version 7.
const KEPT: &[&str] =
    &["ai-sdk-custom", "ai-sdk-file", "ai-sdk-reasoning-file", "ai-sdk-steering-message"];

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
    ui_messages_for(SdkVersion::V6, input, new_id)
}

/// The same for a version of the AI SDK.
///
/// # Errors
/// As [`ui_messages`].
///
/// ```
/// use apex_parts_ui_messages::{SdkVersion, ui_messages_for};
/// use apex_parts_model::Owned;
/// let custom = serde_json::json!({"type": "custom", "kind": "openai.compaction"});
/// let input = Owned::from(serde_json::json!([{
///     "info": {"id": "m", "role": "assistant"},
///     "parts": [{"type": "ai-sdk-custom", "metadata": {"ai-sdk": {"part": custom}}}]
/// }]));
/// let made = ui_messages_for(SdkVersion::V7, &input, &mut || "id".into())?;
/// assert_eq!(made.into_json(), serde_json::json!(
///     [{"id": "m", "role": "assistant", "parts": [custom]}]));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn ui_messages_for<V: Build>(
    sdk: SdkVersion,
    input: &V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<V, Error> {
    let root = Path::ROOT;
    let mut messages = V::list();
    if input.kind() == Kind::Object {
        one(sdk, input, &root, &mut Following::nothing(), &mut messages, new_id)?;
        return Ok(messages);
    }
    expect_kind(input, Kind::Array, &root)?;
    for index in 0..input.len() {
        let mark = V::mark();
        let mut following =
            Following { sdk, messages: Some(input), next: index + 1, is_sent: None };
        let path = root.index(index);
        one(sdk, &input.at(index), &path, &mut following, &mut messages, new_id)?;
        V::release(mark);
    }
    Ok(messages)
}

/// The messages that follow one.
struct Following<'a, V> {
    sdk: SdkVersion,
    /// The whole history; none if the message stands alone.
    messages: Option<&'a V>,
    next: usize,
    /// Whether one of them is sent, once it is known.
    is_sent: Option<bool>,
}

impl<V: Build> Following<'_, V> {
    fn nothing() -> Self {
        Following { sdk: SdkVersion::default(), messages: None, next: 0, is_sent: Some(false) }
    }

    /// Whether a message that is sent follows. Those that are left out do not count.
    fn is_sent(&mut self) -> bool {
        let (sdk, next, messages) = (self.sdk, self.next, self.messages);
        *self.is_sent.get_or_insert_with(|| {
            messages.is_some_and(|messages| {
                (next..messages.len()).any(|index| is_message_sent(sdk, &messages.at(index)))
            })
        })
    }
}

/// Whether the message becomes one of the AI SDK's. One that is an error when its turn comes counts.
fn is_message_sent<V: Build>(sdk: SdkVersion, message: &V) -> bool {
    let mut made = V::list();
    let mut none = Following::nothing();
    let result = one(sdk, message, &Path::ROOT, &mut none, &mut made, &mut String::new);
    result.is_err() || !made.is_empty()
}

fn one<V: Build>(
    sdk: SdkVersion,
    message: &V,
    path: &Path<'_>,
    following: &mut Following<'_, V>,
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
        match kept(sdk, &part, kind) {
            Some(own) => content.push(&own),
            None if role == Word::User => user(&part, kind, &mut content),
            None if kind == Some(Word::Tool) => {
                tool(&part, &path.index(index), following, &mut content, made, new_id)?;
            }
            None => assistant(sdk, &part, kind, &mut content),
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
    put_provider_state(&mut ui, part);
    ui
}

/// The part of a UI message that a custom part holds, if the version has such parts.
fn kept<V: Build>(sdk: SdkVersion, part: &V, kind: Option<Word>) -> Option<V> {
    if sdk != SdkVersion::V7 || kind.is_some() {
        return None;
    }
    let name = part.get(Key::Type);
    let own = part.get(Key::Metadata).get(Key::AiSdk).get(Key::Part);
    let is_kept = name.text().is_some_and(|name| KEPT.contains(&&*name));
    (is_kept && own.kind() == Kind::Object).then_some(own)
}

/// The fields of a part's metadata that are not [`OWN`]: how many there are, and whether all are objects.
fn others<V: Build>(metadata: &V) -> (usize, bool) {
    let (mut count, mut all) = (0, true);
    metadata.each_field(&mut |name, value| {
        let is_own = Key::parse(name).is_some_and(|key| OWN.contains(&key));
        if !is_own && value.kind() != Kind::Missing {
            count += 1;
            all &= value.kind() == Kind::Object;
        }
    });
    (count, all)
}

/// The state of providers in a part's metadata: the caller's own object, unless it has fields of [`OWN`].
fn provider_state<V: Build>(metadata: V) -> Option<V> {
    let is_own = |key: &Key| metadata.get(*key).kind() != Kind::Missing;
    if metadata.kind() != Kind::Object || !OWN.iter().any(is_own) {
        return Some(metadata);
    }
    if others(&metadata).0 == 0 {
        return None;
    }
    let mut state = V::object();
    state.carry(&metadata, OWN);
    Some(state)
}

/// Sets the provider state of a text or a file. Programs put metadata of their own there, so that it counts as state
/// only if each of its fields is an object.
fn put_provider_state<V: Build>(ui: &mut V, part: &V) {
    let metadata = part.get(Key::Metadata);
    if metadata.kind() != Kind::Object || !matches!(others(&metadata), (1.., true)) {
        return;
    }
    if let Some(state) = provider_state(metadata) {
        ui.put(Key::ProviderMetadata, &state);
    }
}

/// Is a file of the user sent as a file: is it one by its type, or is it one of the AI SDK's?
fn is_sent<V: Build>(part: &V) -> bool {
    is_sent_file(part) || part.get(Key::Metadata).get(Key::AiSdk).kind() == Kind::Object
}

fn user<V: Build>(part: &V, kind: Option<Word>, content: &mut V) {
    match kind {
        Some(Word::Text) if part.get(Key::Ignored).kind() != Kind::True => {
            let mut ui = begin::<V>(Word::Text);
            ui.copy(Key::Text, part, Key::Text);
            put_provider_state(&mut ui, part);
            content.push(&ui);
        }
        Some(Word::File) if is_sent(part) => content.push(&file(part)),
        Some(Word::Compaction) => content.push(&fixed_text(Word::WhatDidWeDo)),
        Some(Word::Subtask) => {
            content.push(&fixed_text(Word::ExecutedByUser));
        }
        _ => {}
    }
}

fn assistant<V: Build>(sdk: SdkVersion, part: &V, kind: Option<Word>, content: &mut V) {
    match kind {
        Some(kind @ (Word::Text | Word::Reasoning)) => {
            let mut ui = begin::<V>(kind);
            ui.copy(Key::Text, part, Key::Text);
            let metadata = part.get(Key::Metadata);
            let citations = metadata.get(Key::Citations);
            if let Some(state) = provider_state(metadata) {
                ui.put(Key::ProviderMetadata, &state);
            }
            if sdk == SdkVersion::V7 && citations.kind() == Kind::Array {
                ui.put(Key::Citations, &citations);
            }
            content.push(&ui);
        }
        Some(Word::File) => content.push(&file(part)),
        _ => {}
    }
}

/// A person's answer to the question whether a call may run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Given,
    Refused,
    Pending,
}

/// The approval of a call.
struct Approval<V> {
    fields: V,
    answer: Answer,
    /// Whether it has the id by which the AI SDK knows it.
    has_id: bool,
}

impl<V: Build> Approval<V> {
    fn read(metadata: &V) -> Option<Self> {
        let fields = metadata.get(Key::Approval);
        if fields.kind() != Kind::Object {
            return None;
        }
        let answer = match fields.get(Key::Approved).kind() {
            Kind::True => Answer::Given,
            Kind::False => Answer::Refused,
            _ => Answer::Pending,
        };
        let has_id = fields.get(Key::Id).kind().is_string();
        Some(Approval { fields, answer, has_id })
    }

    /// The state of its call in a UI message; none if the approval does not decide it.
    fn state(&self, status: Status, following: &mut Following<'_, V>) -> Option<Word> {
        let is_open = matches!(status, Status::Pending | Status::Running);
        match self.answer {
            _ if !self.has_id || status == Status::Completed => None,
            Answer::Refused => Some(Word::OutputDenied),
            // Providers refuse a call without a result if a message follows it.
            _ if !is_open || following.is_sent() => None,
            Answer::Given => Some(Word::ApprovalResponded),
            Answer::Pending => Some(Word::ApprovalRequested),
        }
    }
}

fn tool<V: Build>(
    part: &V,
    path: &Path<'_>,
    following: &mut Following<'_, V>,
    content: &mut V,
    made: &mut V,
    new_id: &mut dyn FnMut() -> String,
) -> Result<(), Error> {
    let state = part.get(Key::State);
    let Some(status) = Status::read(&state) else { return Ok(()) };
    let compacted = is_cleared(&state);
    let metadata = part.get(Key::Metadata);
    let approval = Approval::read(&metadata);
    let asked = approval.as_ref().and_then(|approval| approval.state(status, following));
    let ended = match status {
        Status::Completed => Word::OutputAvailable,
        _ => Word::OutputError,
    };
    let mut ui = V::object_with(Key::State, asked.unwrap_or(ended));
    ui.put_joined(Key::Type, Word::ToolPrefix, &part.get(Key::Tool), Word::Nothing);
    ui.copy(Key::ToolCallId, part, Key::CallID);
    ui.copy(Key::Input, &state, Key::Input);
    match status {
        _ if asked.is_some() => {}
        Status::Completed if compacted => ui.put_word(Key::Output, Word::ClearedOutput),
        Status::Completed => {
            attachments(part, &state, &path.key(Key::State), made, new_id)?;
            ui.put(Key::Output, &output(&state));
        }
        Status::Error => ui.copy(Key::ErrorText, &state, Key::Error),
        Status::Pending | Status::Running => match &approval {
            Some(Approval { answer: Answer::Refused, fields, .. }) => put_reason(&mut ui, fields),
            // Providers refuse a history with a call that has no result.
            _ => ui.put_word(Key::ErrorText, Word::Interrupted),
        },
    }
    if let Some(state) = provider_state(metadata.clone()) {
        ui.put(Key::CallProviderMetadata, &state);
    }
    let own = metadata.get(Key::AiSdk);
    // Only the SDK's own: of another the result is not in the form that its providers take, so that the call goes out
    // like one of the program, which every provider accepts.
    if own.get(Key::ProviderExecuted).kind() == Kind::True {
        ui.put_bool(Key::ProviderExecuted, true);
    }
    // The SDK refuses another approval of a call with a result.
    let is_valid = |one: &Approval<V>| asked.is_some() || one.has_id && one.answer == Answer::Given;
    if let Some(approval) = approval.filter(is_valid) {
        ui.put(Key::Approval, &approval.fields);
    }
    let of_result = own.get(Key::ResultProviderMetadata);
    if of_result.kind() == Kind::Object {
        ui.put(Key::ResultProviderMetadata, &of_result);
    }
    content.push(&ui);
    Ok(())
}

/// Sets the error of a call that was refused: the reason, if there is one.
fn put_reason<V: Build>(ui: &mut V, approval: &V) {
    let reason = approval.get(Key::Reason);
    if reason.kind().is_string() && !reason.is_blank() {
        ui.put(Key::ErrorText, &reason);
    } else {
        ui.put_word(Key::ErrorText, Word::Denied);
    }
}

/// What a call returned: its output, or the value of which the output is the JSON, if the state has it.
fn output<V: Build>(state: &V) -> V {
    let text = state.get(Key::Output);
    let value = state.get(Key::Metadata).get(Key::Output);
    let is_value = matches!(
        value.kind(),
        Kind::Object | Kind::Array | Kind::Number | Kind::True | Kind::False | Kind::Null
    );
    let is_its_json = is_value && text.kind().is_string() && value.json_text() == text.text();
    if is_its_json { value } else { text }
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

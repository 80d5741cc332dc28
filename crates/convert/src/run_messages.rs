//! Conversion to the messages of a run, for programs that keep their history in them.

use crate::text::{iso, text_of};
use apex_parts_compaction::is_cleared;
use apex_parts_model::error::expect_kind;
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Build, Error, Key, Kind, Path, Status, Word};

/// Converts an array of messages with parts to the messages of a run, `{runId, role, parts, timestamp,
/// meta?}`. `runId` is the id of the session. An assistant's message becomes one message per step; the
/// result of each call follows as a message of role `tool`, before the next step. A call that never ended
/// gets an error as its result (DC-9). Strings and objects are not copied but the caller's own.
///
/// # Errors
/// `PartValidationError` if the input is not an array of messages with parts.
///
/// ```
/// use apex_parts_convert::run_messages;
/// use apex_parts_model::Owned;
/// let input = Owned::from(serde_json::json!([{
///     "info": {"id": "m", "sessionID": "s", "role": "user", "time": {"created": 0}},
///     "parts": [{"type": "text", "text": "hi"}]
/// }]));
/// assert_eq!(run_messages(&input)?.into_json(), serde_json::json!([{
///     "runId": "s", "role": "user", "timestamp": "1970-01-01T00:00:00.000Z",
///     "parts": [{"kind": "text", "payload": {"text": "hi"}}]
/// }]));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
pub fn run_messages<V: Build>(input: &V) -> Result<V, Error> {
    let root = Path::ROOT;
    expect_kind(input, Kind::Array, &root)?;
    let mut messages = V::list();
    for index in 0..input.len() {
        let mark = V::mark();
        one(&input.at(index), &root.index(index), &mut messages)?;
        V::release(mark);
    }
    Ok(messages)
}

fn one<V: Build>(message: &V, path: &Path<'_>, made: &mut V) -> Result<(), Error> {
    expect_kind(message, Kind::Object, path)?;
    let info = message.get(Key::Info);
    expect_kind(&info, Kind::Object, &path.key(Key::Info))?;
    let parts = message.get(Key::Parts);
    let path = path.key(Key::Parts);
    expect_kind(&parts, Kind::Array, &path)?;
    let role = info.get_word(Key::Role);
    let mut run = RunMessagesBuilder::new(&info, made);
    if role == Some(Word::User) && info.get(Key::System).kind() == Kind::String {
        let system = [payload(Word::Text, Key::Text, &info.get(Key::System))];
        run.message(Word::System, &system, run.created, None);
    }
    for index in 0..parts.len() {
        // No handle is released here: what is created for one part is used after the next one.
        let part = parts.at(index);
        expect_kind(&part, Kind::Object, &path.index(index))?;
        let kind = part.get_word(Key::Type);
        match role {
            Some(Word::User) => run.user(&part, kind),
            Some(Word::Assistant) => run.assistant(&part, kind),
            _ => {}
        }
    }
    match role {
        Some(Word::User) => run.end(Word::User),
        Some(Word::Assistant) => run.end(Word::Assistant),
        _ => {}
    }
    Ok(())
}

/// The conversion of one message into messages of a run.
struct RunMessagesBuilder<'a, V> {
    info: &'a V,
    made: &'a mut V,
    /// When the message was created.
    created: f64,
    /// The parts of the next message.
    content: Vec<V>,
    /// The tool parts whose calls are in `content`.
    calls: Vec<V>,
    /// The step-finish of the current step.
    step: Option<V>,
    /// Has there been a step-finish in this message?
    stepped: bool,
}

/// `{kind, payload: {key: value}}`
fn payload<V: Build>(kind: Word, key: Key, value: &V) -> V {
    part(kind, &V::object().with(key, value))
}

fn part<V: Build>(kind: Word, payload: &V) -> V {
    V::object_with(Key::Kind, kind).with(Key::Payload, payload)
}

fn fixed<V: Build>(text: Word) -> V {
    part(Word::Text, &V::object_with(Key::Text, text))
}

fn file<V: Build>(file: &V) -> V {
    let is_image = text_of(file, Key::Mime).starts_with("image/");
    let mut payload = V::object();
    payload.copy(Key::MimeType, file, Key::Mime);
    if is_image {
        payload.copy(Key::Url, file, Key::Url);
        return part(Word::Image, &payload);
    }
    let source = file.get(Key::Source);
    let places =
        [(&source, Key::Path), (&source, Key::Uri), (file, Key::Filename), (file, Key::Url)];
    let place = places.iter().find(|(of, key)| of.get(*key).kind() == Kind::String);
    if let Some((of, key)) = place {
        payload.copy(Key::Path, of, *key);
    }
    part(Word::FileRef, &payload)
}

impl<'a, V: Build> RunMessagesBuilder<'a, V> {
    fn new(info: &'a V, made: &'a mut V) -> Self {
        let created = info.get(Key::Time).get(Key::Created).number();
        let (content, calls) = (Vec::new(), Vec::new());
        RunMessagesBuilder { info, made, created, content, calls, step: None, stepped: false }
    }

    fn user(&mut self, part: &V, kind: Option<Word>) {
        match kind {
            Some(Word::Text) if part.get(Key::Ignored).kind() != Kind::True => {
                self.content.push(payload(Word::Text, Key::Text, &part.get(Key::Text)));
            }
            Some(Word::File) => self.content.push(file(part)),
            Some(Word::Compaction) => self.content.push(fixed(Word::WhatDidWeDo)),
            Some(Word::Subtask) => self.content.push(fixed(Word::ExecutedByUser)),
            _ => {}
        }
    }

    fn assistant(&mut self, own: &V, kind: Option<Word>) {
        match kind {
            Some(Word::StepStart) => self.end(Word::Assistant),
            Some(Word::StepFinish) => {
                self.step = Some(own.clone());
                self.stepped = true;
            }
            Some(Word::Text) => {
                self.content.push(payload(Word::Text, Key::Text, &own.get(Key::Text)));
            }
            Some(Word::Reasoning) => {
                self.content.push(payload(Word::Thinking, Key::Text, &own.get(Key::Text)));
            }
            Some(Word::Tool) => self.call(own),
            _ => {}
        }
    }

    fn call(&mut self, tool: &V) {
        let state = tool.get(Key::State);
        let Some(status) = Status::read(&state) else { return };
        let mut call = V::object();
        call.copy(Key::ToolCallId, tool, Key::CallID);
        call.copy(Key::ToolName, tool, Key::Tool);
        call.copy(Key::Arguments, &state, Key::Input);
        if status == Status::Pending && !state.get(Key::Raw).is_blank() {
            call.copy(Key::RawArgsText, &state, Key::Raw);
        }
        self.content.push(part(Word::ToolCall, &call));
        self.calls.push(tool.clone());
    }

    /// Adds a message with the collected parts, then the results of its calls.
    fn end(&mut self, role: Word) {
        let (content, calls) = (std::mem::take(&mut self.content), std::mem::take(&mut self.calls));
        let step = self.step.take();
        if !content.is_empty() {
            let meta = (role == Word::Assistant).then(|| self.meta(step.as_ref()));
            self.message(role, &content, self.created, meta.as_ref());
        }
        for tool in calls {
            self.result(&tool);
        }
    }

    fn result(&mut self, tool: &V) {
        let state = tool.get(Key::State);
        let time = state.get(Key::Time);
        let compacted = is_cleared(&state);
        let mut result = V::object();
        result.copy(Key::ToolCallId, tool, Key::CallID);
        let status = Status::read(&state);
        result.put_bool(Key::IsError, status != Some(Status::Completed));
        match status {
            Some(Status::Completed) if compacted => {
                result.put_word(Key::Content, Word::ClearedOutput);
            }
            Some(Status::Completed) => {
                let files = state.get(Key::Attachments);
                if files.is_empty() {
                    result.copy(Key::Content, &state, Key::Output);
                } else {
                    let mut all = V::list();
                    all.push(&payload(Word::Text, Key::Text, &state.get(Key::Output)));
                    for index in 0..files.len().min(MAX_ELEMENTS) {
                        let one = files.at(index);
                        if one.kind() == Kind::Object {
                            all.push(&file(&one));
                        }
                    }
                    result.put(Key::Content, &all);
                }
            }
            Some(Status::Error) => result.copy(Key::Content, &state, Key::Error),
            // Each call has exactly one result (DC-9); providers refuse a history without it.
            _ => result.put_word(Key::Content, Word::Interrupted),
        }
        let end = time.get(Key::End).number();
        let at = if end.is_finite() { end } else { self.created };
        self.message(Word::Tool, &[part(Word::ToolResult, &result)], at, None);
    }

    fn message(&mut self, role: Word, content: &[V], at: f64, meta: Option<&V>) {
        let mut message = V::object();
        message.copy(Key::RunId, self.info, Key::SessionID);
        message.put_word(Key::Role, role);
        let mut parts = V::list();
        for part in content {
            parts.push(part);
        }
        message.put(Key::Parts, &parts);
        message.put(Key::Timestamp, &V::string(&iso(at).unwrap_or_default()));
        if let Some(meta) = meta {
            message.put(Key::Meta, meta);
        }
        self.made.push(&message);
    }

    /// `meta`: the model, the finish reason and the usage of a step (DC-11: all input and all output tokens).
    fn meta(&self, step: Option<&V>) -> V {
        let mut meta = V::object();
        meta.copy(Key::ModelId, self.info, Key::ModelID);
        match step {
            Some(step) => meta.copy(Key::FinishReason, step, Key::Reason),
            None => meta.copy(Key::FinishReason, self.info, Key::Finish),
        }
        let of = match step {
            Some(step) => Some(step),
            None if !self.stepped => Some(self.info),
            None => None,
        };
        if let Some(of) = of
            && of.get(Key::Tokens).kind() == Kind::Object
        {
            meta.put(Key::Usage, &usage(of));
        }
        let error = self.info.get(Key::Error);
        if error.kind() == Kind::Object {
            meta.put(Key::Error, &failure(&error));
        }
        meta
    }
}

fn usage<V: Build>(of: &V) -> V {
    let tokens = of.get(Key::Tokens);
    let cache = tokens.get(Key::Cache);
    let input =
        tokens.get_count(Key::Input) + cache.get_count(Key::Read) + cache.get_count(Key::Write);
    let output = tokens.get_count(Key::Output) + tokens.get_count(Key::Reasoning);
    let mut usage = V::object();
    usage.put_number(Key::InputTokens, input);
    usage.put_number(Key::OutputTokens, output);
    usage.put_number(Key::TotalTokens, input + output);
    usage.copy(Key::Cost, of, Key::Cost);
    usage
}

/// `{errorCode, message}` of either form of error.
fn failure<V: Build>(error: &V) -> V {
    let mut failure = V::object();
    let code = error.get(Key::Name);
    let code = if code.kind() == Kind::String { code } else { V::string("error") };
    failure.put(Key::ErrorCode, &code);
    let message = error.get(Key::Message);
    let inner = error.get(Key::Data).get(Key::Message);
    let message = if message.kind().is_string() { message } else { inner };
    if message.kind().is_string() {
        failure.put(Key::Message, &message);
    }
    failure
}

#[cfg(test)]
mod tests;

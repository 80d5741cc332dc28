//! The AI SDK's UI messages (npm `ai`, versions 6 and 7). State of providers is `metadata`, under their names; what only the
//! AI SDK knows is `metadata["ai-sdk"]`.

use super::file::{AI_SDK, custom_of, file_at};
use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallInput, CallOutcome, NewCall, NewPart, PartContent};
use crate::shared::{
    add_system, message_object, output_text, read_input, read_texts, refuse_role, typed,
};
use crate::values::{
    NewFields, NewText, Value, any_string, field, given, is, json_text, kind_of, mime_of, object,
    others, pick, quoted_start, string,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, View};

const MESSAGE: [&str; 6] = ["id", "role", "parts", "content", "createdAt", "metadata"];
/// The fields of a call that have their own place.
const CALL: [&str; 13] = [
    "type",
    "toolCallId",
    "toolName",
    "state",
    "input",
    "output",
    "errorText",
    "rawInput",
    "providerExecuted",
    "callProviderMetadata",
    "approval",
    "title",
    "preliminary",
];

pub(crate) const READER: MessagesReader =
    MessagesReader { head: |_, _| (), message: read_message, alone: &[] };

fn is_true(value: Option<Node<'_>>) -> bool {
    value.is_some_and(|value| value.kind() == Kind::True)
}

/// The call of a part `tool-NAME` or `dynamic-tool`; its type is spelled so.
fn call_of<'a>(
    kind: &str,
    part: Node<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewPart<'a> {
    let picked = pick(part, &CALL);
    let [_, id, name, state, input, _, _, raw, executed, metadata, approval, title, _] =
        picked.values;
    let is_dynamic = kind == "dynamic-tool";
    let mut rest = match picked.has_others {
        true => others(part, &CALL),
        false => NewFields::default(),
    };
    let mut metadata = NewFields::all(metadata);
    if is_dynamic {
        rest.set("dynamic", Value::True);
    }
    if is_true(executed) {
        metadata.set("providerExecuted", Value::True);
        rest.set("providerExecuted", Value::True);
    }
    if let Some(approval) = object(approval) {
        metadata.set("approval", Value::Node(approval));
    }
    if !rest.is_empty() {
        metadata.set(AI_SDK, Value::Object(rest));
    }
    let is_streaming = is(state, "input-streaming");
    let known = given(input).or(raw.filter(|_| !is_streaming));
    let tool = match string(name).filter(|_| is_dynamic) {
        Some(name) => NewText::Node(name),
        None => {
            let name = kind.strip_prefix("tool-").filter(|name| !name.is_empty());
            NewText::Spelled(name.unwrap_or("unknown").to_owned().into())
        }
    };
    let call = NewCall {
        id: string(id).map_or(NewText::EMPTY, NewText::Node),
        tool,
        input: match is_streaming && object(known).is_none() {
            true => CallInput::Empty,
            false => read_input(known, &path.name("input"), builder),
        },
        place: ("parts", Some(index), "toolCallId"),
        outcome: outcome_of(state, part, path, builder),
        title: string(title).map(NewText::Node),
        raw: is_streaming
            .then(|| string(raw).map_or_else(|| json_text(given(input)), NewText::Node)),
        ..NewCall::default()
    };
    NewPart { content: PartContent::Call(Box::new(call)), metadata }
}

/// What a call came to; `None` if it runs.
fn outcome_of<'a>(
    state: Option<Node<'a>>,
    part: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<CallOutcome<'a>> {
    let names = ["output", "errorText", "approval", "preliminary"];
    let [output, error, approval, preliminary] = pick(part, &names).values;
    let name = any_string(state).map(Node::spelled).unwrap_or_default();
    match &*name {
        "output-available" if is_true(preliminary) => None,
        "output-available" => {
            let is_text = any_string(output).is_some();
            let mut outcome = CallOutcome::new(output_text(output, builder), false);
            outcome.details = output
                .filter(|_| !is_text)
                .map(|output| NewFields::one("output", Value::Node(output)));
            Some(outcome)
        }
        "output-error" => {
            let text = string(error).map_or(NewText::Spelled("error".into()), NewText::Node);
            Some(CallOutcome::new(text, true))
        }
        "output-denied" | "approval-responded" => {
            let fields = object(approval).map(|approval| pick(approval, &["approved", "reason"]));
            let [approved, reason] = fields.map_or([None; 2], |fields| fields.values);
            let is_refused = approved.is_some_and(|approved| approved.kind() == Kind::False);
            (is_refused || name == "output-denied").then(|| CallOutcome::refused(reason))
        }
        "input-streaming" | "input-available" | "approval-requested" => None,
        _ => {
            builder.warn("schema", &path.name("state"), || {
                let got = match any_string(state) {
                    Some(_) => quoted_start(&name, 60),
                    None => kind_of(state).to_owned(),
                };
                format!("{got} is not a state of a call: it is running")
            });
            None
        }
    }
}

/// A part; `None`, and a problem, if it has no type.
fn part_of<'a>(
    value: Node<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<NewPart<'a>> {
    let kind = typed(value, path, "part", builder)?.spelled();
    let names = ["text", "url", "citations", "providerMetadata", "mediaType", "filename"];
    let [text, url, citations, state, media, filename] = pick(value, &names).values;
    match (&*kind, any_string(text), any_string(url)) {
        ("text", Some(text), _) => {
            let mut metadata = NewFields::all(state);
            if let Some(citations) = given(citations) {
                metadata.set("citations", Value::Node(citations));
            }
            Some(NewPart { content: PartContent::Text(NewText::Node(text)), metadata })
        }
        ("reasoning", Some(text), _) => {
            let content = PartContent::Reasoning(NewText::Node(text));
            Some(NewPart { content, metadata: NewFields::all(state) })
        }
        ("file", _, Some(url)) if object(field(value, "providerReference")).is_none() => {
            let mime = string(media).map_or_else(|| mime_of(url, "image/*"), NewText::Node);
            Some(file_at(NewText::Node(url), mime, filename, state))
        }
        (kind, ..) if kind == "dynamic-tool" || kind.starts_with("tool-") => {
            Some(call_of(kind, value, index, path, builder))
        }
        (kind, ..) => Some(custom_of(kind, Value::Node(value))),
    }
}

/// The parts of a message.
#[derive(Clone, Copy)]
struct MessageParts<'a> {
    parts: Option<Node<'a>>,
    /// The text beside them, which messages of version 4 have instead.
    text: Option<Node<'a>>,
}

impl<'a> MessageParts<'a> {
    /// Shows each of them; without parts the text beside them is returned.
    fn each(
        self,
        path: &Path<'_>,
        builder: &mut MessageBuilder,
        read: &mut dyn FnMut(&mut MessageBuilder, Node<'a>, &Path<'_>, usize),
    ) -> Vec<NewPart<'a>> {
        if self.parts.is_some() {
            builder.each(self.parts, &path.name("parts"), read);
            return Vec::new();
        }
        self.text.map(|text| NewPart::text(NewText::Node(text))).into_iter().collect()
    }
}

fn read_answer(
    id: Option<Node<'_>>,
    own: MessageParts<'_>,
    metadata: Option<Node<'_>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let mut id = string(id);
    let mut parts = Vec::new();
    let mut has_step = false;
    let text = own.each(path, builder, &mut |builder, value, at, index| {
        if object(Some(value)).is_some_and(|value| is(field(value, "type"), "step-start")) {
            if has_step || !parts.is_empty() {
                builder.name_next(id.take());
                builder.answer(std::mem::take(&mut parts), path);
            }
            has_step = true;
            return;
        }
        parts.extend(part_of(value, index, at, builder));
    });
    parts.extend(text);
    let mut state = NewFields::default();
    if let Some(metadata) = given(metadata) {
        let message = NewFields::one("message", Value::Node(metadata));
        state.set(AI_SDK, Value::Object(message));
    }
    builder.name_next(id);
    builder.answer_with(parts, &state, path);
}

fn read_user(
    id: Option<Node<'_>>,
    own: MessageParts<'_>,
    metadata: Option<Node<'_>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let mut parts = Vec::new();
    let text = own.each(path, builder, &mut |builder, value, at, index| match part_of(
        value, index, at, builder,
    ) {
        Some(NewPart { content: PartContent::Call(_), .. }) => {
            builder.error(at, || "a call of the user has no place; it is left out".to_owned());
        }
        part => parts.extend(part),
    });
    parts.extend(text);
    if let Some(metadata) = given(metadata) {
        keep_metadata(metadata, &mut parts, path, builder);
    }
    builder.name_next(string(id));
    builder.user(parts, path);
}

/// Keeps the metadata of a message of the user on its first part.
fn keep_metadata<'a>(
    metadata: Node<'a>,
    parts: &mut [NewPart<'a>],
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let Some(first) = parts.first_mut() else {
        return builder.leave_out(&NewFields::one("metadata", Value::Node(metadata)), path);
    };
    let mut own = match first.metadata.get(AI_SDK) {
        Some(Value::Object(own)) => own.clone(),
        Some(Value::Node(own)) => NewFields::spread(Some(*own)),
        _ => NewFields::default(),
    };
    own.set("message", Value::Node(metadata));
    first.metadata.set(AI_SDK, Value::Object(own));
}

fn read_message(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let Some(message) = message_object(value, path, builder) else { return };
    let picked = pick(message, &MESSAGE);
    let [id, role, parts, content, _, metadata] = picked.values;
    let parts = given(parts);
    let own = MessageParts { parts, text: any_string(content) };
    if is(role, "system") {
        let texts = read_texts(parts.or(own.text), &path.name("parts"), builder);
        add_system(&texts, "\\n", builder);
        if let Some(metadata) = given(metadata) {
            builder.leave_out(&NewFields::one("metadata", Value::Node(metadata)), path);
        }
    } else if is(role, "assistant") {
        read_answer(id, own, metadata, path, builder);
    } else if is(role, "user") {
        read_user(id, own, metadata, path, builder);
    } else {
        return refuse_role(role, path, "system, user or assistant", builder);
    }
    if picked.has_others {
        builder.leave_out(&others(message, &MESSAGE), path);
    }
}

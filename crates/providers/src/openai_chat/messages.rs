//! Messages of OpenAI's Chat Completions API and of the many servers that have it. The state of a part is
//! `metadata.openaiCompatible`, the name that the AI SDK gives to fields of this API; that of OpenRouter is its own.

use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallInput, CallOutcome, NewCall, NewFile, NewPart, PartContent};
use crate::shared::{
    ToolFields, add_system, joined, message_object, read_arguments, read_texts, read_tool,
    refuse_role, typed,
};
use crate::values::{
    NewFields, NewText, Value, any_string, array, data_url, field, given, is, json_text, kind_of,
    mime_of, object, others, pick, string,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, View};

const FORMAT: &str = "openai-chat";
const KEY: &str = "openaiCompatible";
const ROUTER: &str = "openrouter";
/// The fields in which servers send reasoning.
const REASONING: [&str; 4] = ["reasoning_content", "reasoning", "reasoning_text", "thinking"];
const DETAILS: &str = "reasoning_details";
const MESSAGE: [&str; 2] = ["role", "content"];
const RESULT: [&str; 4] = ["role", "content", "tool_call_id", "name"];
/// Fields of an answer that do not go back to the provider.
const OUTPUT_ONLY: [&str; 5] = ["annotations", "audio", "images", "logprobs", "parsed"];
const ANSWER: [&str; 15] = [
    "role",
    "content",
    "reasoning_content",
    "reasoning",
    "reasoning_text",
    "thinking",
    "reasoning_details",
    "refusal",
    "tool_calls",
    "function_call",
    "annotations",
    "audio",
    "images",
    "logprobs",
    "parsed",
];

pub(crate) const READER: MessagesReader =
    MessagesReader { head: read_head, message: read_message, alone: &[] };

/// A part of a content.
fn part_of<'a>(
    value: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<NewPart<'a>> {
    if value.kind().is_string() {
        return Some(NewPart::text(NewText::Node(value)));
    }
    let kind = typed(value, path, "part", builder)?;
    if let Some(part) = known_part(kind, value, path, builder) {
        return Some(part);
    }
    let name = NewText::Spelled(format!("{FORMAT}-{}", kind.spelled()).into());
    let fields = NewFields::one("part", Value::Node(value));
    Some(NewPart::kept(PartContent::Custom(name), KEY, fields))
}

fn known_part<'a>(
    kind: Node<'a>,
    block: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<NewPart<'a>> {
    let kind = kind.str()?;
    if !matches!(&*kind, "text" | "refusal" | "thinking" | "image_url" | "input_audio" | "file") {
        return None;
    }
    let picked = pick(block, &["type", &*kind]);
    let own = picked.values[1];
    let mut more = match picked.has_others {
        true => others(block, &["type", &*kind]),
        false => NewFields::default(),
    };
    match &*kind {
        "text" | "refusal" => {
            let own = any_string(own)?;
            if kind == "refusal" {
                more.set("refusal", Value::True);
            }
            Some(NewPart::kept(PartContent::Text(NewText::Node(own)), KEY, more))
        }
        "thinking" => {
            // Mistral's: a list of texts.
            let texts = read_texts(Some(array(own)?), &path.name("thinking"), builder);
            more.set("thinking", Value::True);
            let text = NewText::Spelled(joined(&texts, "").into());
            Some(NewPart::kept(PartContent::Reasoning(text), KEY, more))
        }
        "image_url" => {
            let own = own?;
            let url = if own.kind().is_string() {
                own
            } else {
                let url = any_string(object(Some(own)).and_then(|own| field(own, "url")))?;
                more.extend(others(own, &["url"]));
                url
            };
            let file =
                NewFile { mime: mime_of(url, "image/*"), url: NewText::Node(url), filename: None };
            Some(NewPart::kept(PartContent::File(file), KEY, more))
        }
        "input_audio" => {
            let own = object(own)?;
            let [data, format] = pick(own, &["data", "format"]).values.map(any_string);
            let (data, format) = (data?, format?);
            let mime = format!("audio/{}", format.spelled());
            more.extend(others(own, &["data", "format"]));
            let url = data_url(&mime, data);
            let file = NewFile { mime: NewText::Spelled(mime.into()), url, filename: None };
            Some(NewPart::kept(PartContent::File(file), KEY, more))
        }
        _ => {
            let own = object(own)?;
            let [name, url] = pick(own, &["filename", "file_data"]).values.map(any_string);
            let url = url?;
            more.extend(others(own, &["filename", "file_data"]));
            let mime = mime_of(url, "application/octet-stream");
            let file = NewFile { mime, url: NewText::Node(url), filename: name.map(NewText::Node) };
            Some(NewPart::kept(PartContent::File(file), KEY, more))
        }
    }
}

/// Takes each part of a content, with where it stands.
fn read_content<'a>(
    content: Option<Node<'a>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
    take: &mut dyn FnMut(&mut MessageBuilder, NewPart<'a>, &Path<'_>),
) {
    let Some(content) = given(content).filter(|content| content.kind() != Kind::EmptyString) else {
        return;
    };
    if content.kind().is_string() {
        take(builder, NewPart::text(NewText::Node(content)), path);
    } else if content.kind() != Kind::Array {
        builder.error(path, || {
            let got = kind_of(Some(content));
            format!("expected a string or an array of parts, got {got}; it is left out")
        });
    } else {
        builder.each(Some(content), path, &mut |builder, value, at, _| {
            if let Some(part) = part_of(value, at, builder) {
                take(builder, part, at);
            }
        });
    }
}

/// Keeps fields of a message on its first part that can hold them.
fn keep_fields<'a>(
    fields: NewFields<'a>,
    parts: &mut [NewPart<'a>],
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    if fields.is_empty() {
        return;
    }
    let can_hold = |part: &&mut NewPart<'_>| {
        !matches!(part.content, PartContent::File(_) | PartContent::Custom(_))
    };
    let Some(first) = parts.iter_mut().find(can_hold) else {
        return builder.leave_out(&fields, path);
    };
    first.metadata.merge(KEY, NewFields::one("message", Value::Object(fields)));
}

/// The field of a message in which a call stands.
const CALLS: &str = "tool_calls";
const FUNCTION_CALL: &str = "function_call";

/// A call; `None`, and a problem, if it is none.
fn call_of<'a>(
    value: Node<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<NewPart<'a>> {
    let call = object(Some(value));
    let [id, kind] = call.map_or([None; 2], |call| pick(call, &["id", "type"]).values);
    let is_text = is(kind, "custom");
    let is_known = is_text || given(kind).is_none() || is(kind, "function");
    let name = if is_text { "custom" } else { "function" };
    let own = call.filter(|_| is_known).and_then(|call| object(field(call, name)));
    let Some((call, own)) = call.zip(own) else {
        no_call(Some(value), path, builder);
        return None;
    };
    let picked = pick(call, &["id", "type", "index", name]);
    let state = match picked.has_others {
        true => others(call, &["id", "type", "index", name]),
        false => NewFields::default(),
    };
    let id = string(id).map_or(NewText::EMPTY, NewText::Node);
    function_call(own, (name, state), id, (CALLS, Some(index), "id"), path, builder)
}

fn no_call(value: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    builder.error(path, || {
        let got = match object(value) {
            Some(_) => "another object",
            None => kind_of(value),
        };
        format!("expected a call, {{id, type, function: {{name, arguments}}}}, got {got}; left out")
    });
}

/// The call of a function with its name and arguments, or of a tool that takes a text.
fn function_call<'a>(
    own: Node<'a>,
    (kind, mut state): (&'static str, NewFields<'a>),
    id: NewText<'a>,
    place: (&'static str, Option<usize>, &'static str),
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<NewPart<'a>> {
    let is_text = kind == "custom";
    let names = if is_text {
        ["name", "input", "parsed_arguments"]
    } else {
        ["name", "arguments", "parsed_arguments"]
    };
    let picked = pick(own, &names);
    let [name, given, _] = picked.values;
    let Some(tool) = string(name) else {
        let field = path.name(kind);
        builder.error(&field.name("name"), || {
            let got = kind_of(name);
            format!("expected the name of a tool, got {got}; the call is left out")
        });
        return None;
    };
    if picked.has_others {
        let rest = others(own, &names);
        if !rest.is_empty() {
            state.set(kind, Value::Object(rest));
        }
    }
    let input = if is_text {
        state.set("type", Value::Text(NewText::Spelled(kind.into())));
        CallInput::Field("input", given)
    } else {
        let field = path.name("function");
        read_arguments(given, &field.name("arguments"), &mut state, builder)
    };
    let tool = NewText::Node(tool);
    let call = NewCall { id, tool, input, place, ..NewCall::default() };
    Some(NewPart::kept(PartContent::Call(Box::new(call)), KEY, state))
}

/// The reasoning of an answer in fields of its message; fields of another kind go to `wrong`.
fn reasoning_of<'a>(
    fields: [Option<Node<'a>>; 4],
    details: Option<Node<'a>>,
    wrong: &mut NewFields<'a>,
) -> Vec<NewPart<'a>> {
    let mut parts: Vec<NewPart<'a>> = Vec::new();
    let mut texts: Vec<Node<'a>> = Vec::new();
    for (field, text) in REASONING.into_iter().zip(fields) {
        let Some(text) = given(text) else { continue };
        if !text.kind().is_string() {
            wrong.set(field, Value::Node(text));
            continue;
        }
        // The same text under two names is one.
        let is_new = texts.iter().all(|before| before.spelled() != text.spelled());
        if is_new && text.kind() == Kind::String {
            let name = Value::Text(NewText::Spelled(field.into()));
            let content = PartContent::Reasoning(NewText::Node(text));
            parts.push(NewPart::kept(content, KEY, NewFields::one("field", name)));
        }
        texts.push(text);
    }
    let Some(details) = given(details) else { return parts };
    if details.kind() != Kind::Array {
        wrong.set(DETAILS, Value::Node(details));
    } else if details.children().next().is_some() {
        let state = Value::Object(NewFields::one(DETAILS, Value::Node(details)));
        if let Some(first) = parts.first_mut() {
            first.metadata.set(ROUTER, state);
        } else {
            let metadata = NewFields::one(ROUTER, state);
            parts.push(NewPart { content: PartContent::Reasoning(NewText::EMPTY), metadata });
        }
    }
    parts
}

fn read_answer(message: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let picked = pick(message, &ANSWER);
    let [_, content, a, b, c, d, details, refusal, calls, call, output_only @ ..] = picked.values;
    let mut wrong = NewFields::default();
    let mut parts = reasoning_of([a, b, c, d], details, &mut wrong);
    read_content(content, &path.name("content"), builder, &mut |_, part, _| parts.push(part));
    if let Some(refusal) = given(refusal) {
        match refusal.kind() {
            Kind::EmptyString => {}
            Kind::String => {
                let content = PartContent::Text(NewText::Node(refusal));
                parts.push(NewPart::kept(content, KEY, NewFields::one("refusal", Value::True)));
            }
            _ => wrong.set("refusal", Value::Node(refusal)),
        }
    }
    if let Some(calls) = given(calls) {
        let at = path.name(CALLS);
        if calls.kind() == Kind::Array {
            builder.each(Some(calls), &at, &mut |builder, value, at, index| {
                parts.extend(call_of(value, index, at, builder));
            });
        } else {
            builder.error(&at, || {
                format!("expected an array of calls, got {}; left out", kind_of(Some(calls)))
            });
        }
    }
    if let Some(call) = given(call) {
        let at = path.name(FUNCTION_CALL);
        match object(Some(call)) {
            None => {
                builder.error(&at, || {
                    "expected a call, {id, type, function: {name, arguments}}, got another object; left out"
                        .to_owned()
                });
            }
            Some(own) => {
                let place = (FUNCTION_CALL, None, "id");
                let state = ("function", NewFields::default());
                let part = function_call(own, state, NewText::EMPTY, place, &at, builder);
                // Results of these calls name the function.
                parts.extend(part.map(|mut part| {
                    if let PartContent::Call(call) = &mut part.content {
                        call.is_named = true;
                    }
                    part
                }));
            }
        }
    }
    for (name, value) in OUTPUT_ONLY.into_iter().zip(output_only) {
        let is_nothing =
            |value: &Node<'_>| value.kind() == Kind::Array && value.children().next().is_none();
        if let Some(value) = given(value).filter(|value| !is_nothing(value)) {
            builder.leave_out(&NewFields::one(name, Value::Node(value)), path);
        }
    }
    let mut fields = match picked.has_others {
        true => others(message, &ANSWER),
        false => NewFields::default(),
    };
    if !wrong.is_empty() {
        fields.extend(wrong);
    }
    keep_fields(fields, &mut parts, path, builder);
    builder.answer(parts, path);
}

fn read_result(message: Node<'_>, is_named: bool, path: &Path<'_>, builder: &mut MessageBuilder) {
    let picked = pick(message, &RESULT);
    let [_, content, call_id, name] = picked.values;
    let mut outcome = CallOutcome::default();
    let within = path.name("content");
    let is_value = |content: &Node<'_>| {
        let kind = content.kind();
        matches!(kind, Kind::Object | Kind::Number) || kind.is_bool()
    };
    if let Some(content) = content.filter(is_value) {
        builder.warn("schema", &within, || {
            let got = kind_of(Some(content));
            format!("expected a string or an array, got {got}: its JSON is the output")
        });
        if builder.is_writing() {
            outcome.text.push(json_text(Some(content)));
        }
    } else {
        read_content(content, &within, builder, &mut |builder, part, at| match part.content {
            PartContent::Text(text) => outcome.text.push(text),
            PartContent::File(_) => outcome.files.push(part),
            _ => builder
                .warn("schema", at, || "an output has no place for it: it is left out".to_owned()),
        });
    }
    if picked.has_others {
        builder.leave_out(&others(message, &RESULT), path);
    }
    let (id, field) = if is_named { (name, "name") } else { (call_id, "tool_call_id") };
    let id = string(id).map_or(NewText::EMPTY, NewText::Node);
    builder.result(&id, outcome, &path.name(field), is_named);
}

fn read_head(body: Node<'_>, builder: &mut MessageBuilder) {
    let root = Path::ROOT;
    let [tools, functions] = pick(body, &["tools", "functions"]).values.map(given);
    if let Some(tools) = tools {
        builder.each(Some(tools), &root.name("tools"), &mut |builder, value, at, _| {
            let tool = object(Some(value));
            let own = tool.and_then(|tool| field(tool, "function"));
            let rest = tool.map(|tool| others(tool, &["type", "function"]));
            read_function(own, rest.unwrap_or_default(), at, builder);
        });
    }
    if let Some(functions) = functions {
        builder.each(Some(functions), &root.name("functions"), &mut |builder, value, at, _| {
            read_function(Some(value), NewFields::default(), at, builder);
        });
    }
}

/// A function that a body names; `rest` are fields around it.
fn read_function<'a>(
    own: Option<Node<'a>>,
    mut rest: NewFields<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let names = ["name", "description", "parameters", "strict"];
    let mut tool = ToolFields::default();
    if let Some(own) = object(own) {
        let [name, description, schema, strict] = pick(own, &names).values;
        tool = ToolFields { name, description, schema, strict };
        rest.extend(others(own, &names));
    }
    read_tool(tool, &rest, path, builder);
}

fn read_message(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let Some(message) = message_object(value, path, builder) else { return };
    let picked = pick(message, &MESSAGE);
    let [role, content] = picked.values;
    let within = path.name("content");
    if is(role, "user") {
        let mut parts = Vec::new();
        read_content(content, &within, builder, &mut |_, part, _| parts.push(part));
        if picked.has_others {
            keep_fields(others(message, &MESSAGE), &mut parts, path, builder);
        }
        builder.user(parts, path);
    } else if is(role, "assistant") {
        read_answer(message, path, builder);
    } else if is(role, "tool") || is(role, "function") {
        read_result(message, is(role, "function"), path, builder);
    } else if is(role, "system") || is(role, "developer") {
        let texts = read_texts(content, &within, builder);
        if picked.has_others {
            builder.leave_out(&others(message, &MESSAGE), path);
        }
        add_system(&texts, "\\n", builder);
    } else {
        refuse_role(role, path, "system, developer, user, assistant or tool", builder);
    }
}

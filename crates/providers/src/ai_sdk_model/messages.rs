//! The AI SDK's model messages (npm `ai`, versions 6 and 7): what `convertToModelMessages` gives. Options of providers are
//! `metadata`, under their names.

use crate::ai_sdk::file::{
    AI_SDK, BYTES, FileAddress, Unreadable, address_of, custom_of, file_at, reference_of,
};
use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallOutcome, NewCall, NewPart, PartContent};
use crate::shared::{
    add_system, message_object, output_text, read_input, read_texts, refuse_role, text_in_output,
    typed,
};
use crate::values::{
    NewFields, NewText, Value, any_string, field, given, given_but, is, json_of, mime_of, object,
    others, pick, string,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, View};

const IMAGE: &str = "image/*";
const MESSAGE: [&str; 3] = ["role", "content", "id"];

pub(crate) const READER: MessagesReader =
    MessagesReader { head: read_head, message: read_message, alone: &[] };

/// What a content has: parts, and results, which count once the parts are in a message.
#[derive(Default)]
struct ReadContent<'a> {
    parts: Vec<NewPart<'a>>,
    /// The id of the call, what it came to, and the place of the result.
    results: Vec<(Option<Node<'a>>, CallOutcome<'a>, usize)>,
}

/// The MIME type that a part states.
fn stated_mime(part: Node<'_>) -> Option<Node<'_>> {
    let [media, mime] = pick(part, &["mediaType", "mimeType"]).values;
    string(media).or(string(mime))
}

/// A file or an image; a reference to a file that a provider holds is a custom part.
fn file_of<'a>(
    part: Node<'a>,
    data: Option<Node<'a>>,
    otherwise: &'static str,
) -> Result<Option<NewPart<'a>>, Unreadable> {
    let [filename, options] = pick(part, &["filename", "providerOptions"]).values;
    let mime = stated_mime(part).map(NewText::Node);
    let default = NewText::Spelled(otherwise.into());
    let known = mime.as_ref().unwrap_or(&default).clone();
    if let Some(address) = address_of(data, &known.spelled())? {
        let mime = mime.unwrap_or_else(|| address.mime(otherwise, otherwise));
        return Ok(Some(file_at(address.text(), mime, filename, options)));
    }
    let Some(reference) = reference_of(data) else { return Ok(None) };
    let own = [
        ("mediaType", Some(Value::Text(known))),
        ("filename", given(filename).map(Value::Node)),
        ("url", Some(Value::Text(NewText::EMPTY))),
        ("providerReference", Some(Value::Node(reference))),
    ];
    Ok(Some(custom_part("file", own, options)))
}

/// A custom part with these fields, and the options of providers.
fn custom_part<'a, const N: usize>(
    kind: &'static str,
    own: [(&'static str, Option<Value<'a>>); N],
    options: Option<Node<'a>>,
) -> NewPart<'a> {
    let mut part = NewFields::one("type", Value::Text(NewText::Spelled(kind.into())));
    let options = given(options).map(Value::Node);
    for (name, value) in own.into_iter().chain([("providerMetadata", options)]) {
        if let Some(value) = value {
            part.set(name, value);
        }
    }
    custom_of(kind, Value::Object(part))
}

/// A file in the content of an output; `None` if it has no address.
fn output_file<'a>(kind: &str, item: Node<'a>) -> Result<Option<NewPart<'a>>, Unreadable> {
    let names = ["data", "url", "filename", "providerOptions"];
    let [data, url, filename, options] = pick(item, &names).values;
    let stated = stated_mime(item).map(NewText::Node);
    let (address, mime) = match kind {
        "file-url" | "image-url" => {
            let Some(url) = string(url) else { return Ok(None) };
            let otherwise = if kind == "image-url" { IMAGE } else { BYTES };
            (FileAddress::Given(url), stated.unwrap_or_else(|| mime_of(url, otherwise)))
        }
        "media" | "file" | "file-data" | "image-data" => {
            let image = (kind == "image-data").then(|| NewText::Spelled(IMAGE.into()));
            let mime = stated.or(image);
            let known = mime.as_ref().map_or(BYTES.into(), NewText::spelled);
            let Some(address) = address_of(data, &known)? else { return Ok(None) };
            drop(known);
            let mime = mime.unwrap_or_else(|| address.mime(IMAGE, BYTES));
            (address, mime)
        }
        _ => return Ok(None),
    };
    Ok(Some(file_at(address.text(), mime, filename, options)))
}

/// The output of a call that is a list.
fn content_outcome<'a>(
    list: Option<Node<'a>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> CallOutcome<'a> {
    let mut outcome = CallOutcome::default();
    builder.each(list, path, &mut |builder, value, at, _| {
        let [kind, text] = pick(value, &["type", "text"]).values;
        if let Some(text) = any_string(text).filter(|_| is(kind, "text")) {
            return outcome.text.push(NewText::Node(text));
        }
        let kind = any_string(kind).map(Node::spelled).unwrap_or_default();
        match output_file(&kind, value) {
            Ok(Some(file)) => outcome.files.push(file),
            Ok(None) => outcome.text.push(text_in_output(value, at, builder)),
            Err(Unreadable) => builder.unreadable(at),
        }
    });
    outcome
}

/// What a tool's output says.
fn outcome_of<'a>(
    part: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> CallOutcome<'a> {
    let [output, result, is_error] = pick(part, &["output", "result", "isError"]).values;
    let is_error = is_error.is_some_and(|value| value.kind() == Kind::True);
    let detail = |value| Some(NewFields::one("output", Value::Node(value)));
    let of_json = |value: Option<Node<'a>>, is_text: bool| {
        let text = match value {
            Some(value) if !is_text && builder.is_writing() => NewText::plain(&json_of(value)),
            value => output_text(value, builder),
        };
        let mut outcome = CallOutcome::new(text, is_error);
        outcome.details = value.filter(|value| !value.kind().is_string()).and_then(detail);
        outcome
    };
    // Before version 5 the output was `result`.
    let Some(fields) = object(output) else { return of_json(result, output.is_none()) };
    let [kind, value, reason] = pick(fields, &["type", "value", "reason"]).values;
    let kind = any_string(kind).map(Node::spelled).unwrap_or_default();
    match &*kind {
        "text" => CallOutcome::new(output_text(value, builder), is_error),
        "error-text" => CallOutcome::new(output_text(value, builder), true),
        "error-json" => {
            let mut outcome = CallOutcome::new(output_text(value, builder), true);
            outcome.details = value.map_or_else(|| Some(NewFields::default()), detail);
            outcome
        }
        "execution-denied" => CallOutcome::refused(reason),
        "content" => content_outcome(value, &path.name("output").name("value"), builder),
        "json" => of_json(value, false),
        _ => {
            builder.warn("schema", &path.name("output"), || {
                "the output has not a type that is known: its JSON is the output".to_owned()
            });
            let mut outcome = CallOutcome::new(output_text(output, builder), is_error);
            outcome.details = detail(fields);
            outcome
        }
    }
}

fn read_result<'a>(
    part: Node<'a>,
    index: usize,
    path: &Path<'_>,
    read: &mut ReadContent<'a>,
    builder: &mut MessageBuilder,
) {
    let known =
        ["type", "toolCallId", "toolName", "output", "result", "isError", "providerOptions"];
    let mut outcome = outcome_of(part, path, builder);
    let picked = pick(part, &known);
    let [_, id, .., options] = picked.values;
    if picked.has_others {
        builder.leave_out(&others(part, &known), path);
    }
    // The SDK gives a result the options of its call: only others are kept.
    let options = object(options).map(Value::Node);
    outcome.state = options.map(|own| (AI_SDK, NewFields::one("resultProviderMetadata", own)));
    read.results.push((string(id), outcome, index));
}

/// A request for an approval: it is state of the call.
fn read_request(part: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let [id, call, reason, own] = pick(part, &["approvalId", "toolCallId", "reason", "id"]).values;
    let reason = given(reason);
    let mut approval = NewFields::default();
    if let Some(id) = given(own.or(id)) {
        approval.set("id", Value::Node(id));
    }
    // Without a reason it has none, whatever it says.
    let known = ["approvalId", "toolCallId", "reason", "type", "id", "requestReason"];
    let known = known.get(..if reason.is_some() { 5 } else { 6 }).unwrap_or_default();
    approval.extend(given_but(part, known));
    if let Some(reason) = reason {
        approval.set("requestReason", Value::Node(reason));
    }
    let call = string(call).map(Node::spelled).unwrap_or_default();
    let id = any_string(id).map(Node::spelled);
    if !builder.ask(&call, id.as_deref(), &approval) {
        builder.warn("RP-2", &path.name("toolCallId"), || {
            "an approval of a call that does not come before it: it is left out".to_owned()
        });
    }
}

/// The answer to such a request.
fn read_response(part: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let [id, approved, reason] = pick(part, &["approvalId", "approved", "reason"]).values;
    let mut answer = NewFields::default();
    for (name, value) in [("approved", approved), ("reason", reason)] {
        if let Some(value) = given(value) {
            answer.set(name, Value::Node(value));
        }
    }
    let id = string(id).map(Node::spelled).unwrap_or_default();
    if !builder.approve(&id, answer) {
        builder.warn("RP-2", &path.name("approvalId"), || {
            "an answer to a request that does not come before it: it is left out".to_owned()
        });
    }
}

fn call_of<'a>(
    part: Node<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewPart<'a> {
    let names = ["toolCallId", "toolName", "input", "args", "providerExecuted", "providerOptions"];
    let [id, name, input, args, executed, options] = pick(part, &names).values;
    let id = string(id).map_or(NewText::EMPTY, NewText::Node);
    let mut metadata = NewFields::all(options);
    if executed.is_some_and(|executed| executed.kind() == Kind::True) {
        metadata.set("providerExecuted", Value::True);
        let own = NewFields::one("providerExecuted", Value::True);
        metadata.set(AI_SDK, Value::Object(own));
    }
    let call = NewCall {
        tool: string(name).map_or(NewText::Spelled("unknown".into()), NewText::Node),
        input: read_input(given(input).or(args), &path.name("input"), builder),
        place: ("content", Some(index), "toolCallId"),
        approvable: Some(builder.approvals.call(&id.spelled())),
        id,
        ..NewCall::default()
    };
    NewPart { content: PartContent::Call(Box::new(call)), metadata }
}

/// Reads one part of a content.
fn read_part<'a>(
    part: Node<'a>,
    index: usize,
    path: &Path<'_>,
    read: &mut ReadContent<'a>,
    builder: &mut MessageBuilder,
) {
    if part.kind().is_string() {
        return read.parts.push(NewPart::text(NewText::Node(part)));
    }
    let Some(kind) = typed(part, path, "part", builder) else { return };
    let kind = kind.spelled();
    let names = ["text", "image", "data", "kind", "providerOptions"];
    let [text, image, data, own, options] = pick(part, &names).values;
    let made = match &*kind {
        "text" | "reasoning" => Ok(any_string(text).map(|text| {
            let text = NewText::Node(text);
            let content = match kind == "text" {
                true => PartContent::Text(text),
                false => PartContent::Reasoning(text),
            };
            NewPart { content, metadata: NewFields::all(options) }
        })),
        "image" => file_of(part, image, IMAGE),
        "file" => file_of(part, data, BYTES),
        "reasoning-file" => {
            let mime = stated_mime(part).map_or(NewText::Spelled(BYTES.into()), NewText::Node);
            address_of(data, &mime.spelled()).map(|address| {
                let url = Value::Text(address?.text());
                let own = [("mediaType", Some(Value::Text(mime.clone()))), ("url", Some(url))];
                Some(custom_part("reasoning-file", own, options))
            })
        }
        "custom" => {
            let own = [("kind", given(own).map(Value::Node))];
            Ok(Some(custom_part("custom", own, options)))
        }
        "tool-call" => Ok(Some(call_of(part, index, path, builder))),
        "tool-result" => return read_result(part, index, path, read, builder),
        "tool-approval-request" => return read_request(part, path, builder),
        "tool-approval-response" => return read_response(part, path, builder),
        _ => Ok(None),
    };
    match made {
        Ok(made) => {
            read.parts.push(made.unwrap_or_else(|| custom_of(&kind, Value::Node(part))));
        }
        Err(Unreadable) => builder.unreadable(path),
    }
}

fn read_head(body: Node<'_>, builder: &mut MessageBuilder) {
    let texts = read_texts(field(body, "system"), &Path::ROOT.name("system"), builder);
    add_system(&texts, "\\n\\n", builder);
}

fn read_message(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    builder.approvals.is_used = true;
    let Some(message) = message_object(value, path, builder) else { return };
    let picked = pick(message, &MESSAGE);
    let [role, content, _] = picked.values;
    let place = path.name("content");
    let roles = ["assistant", "user", "tool"];
    if is(role, "system") {
        let texts = read_texts(content, &place, builder);
        add_system(&texts, "\\n", builder);
    } else if let Some(role) = roles.into_iter().find(|name| is(role, name)) {
        let mut read = ReadContent::default();
        if let Some(text) = any_string(content) {
            read.parts.extend(string(Some(text)).map(|text| NewPart::text(NewText::Node(text))));
        } else if given(content).is_some() {
            builder.each(content, &place, &mut |builder, part, at, index| {
                read_part(part, index, at, &mut read, builder);
            });
        }
        add_message(role, read.parts, path, builder);
        for (id, outcome, index) in read.results {
            let id = id.map_or(NewText::EMPTY, NewText::Node);
            builder.result(&id, outcome, &place.index(index).name("toolCallId"), false);
        }
    } else {
        return refuse_role(role, path, "system, user, assistant or tool", builder);
    }
    if picked.has_others {
        builder.leave_out(&others(message, &MESSAGE), path);
    }
}

/// Adds a message with the parts that its role can have.
fn add_message(
    role: &str,
    mut parts: Vec<NewPart<'_>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let place = path.name("content");
    match role {
        "assistant" => builder.answer(parts, path),
        "user" => {
            let all = parts.len();
            parts.retain(|part| !matches!(part.content, PartContent::Call(_)));
            if parts.len() < all {
                builder
                    .error(&place, || "a call of the user has no place; it is left out".to_owned());
            }
            builder.user(parts, path);
        }
        _ if parts.is_empty() => {}
        _ => builder.error(&place, || {
            "a message of a tool has only results: other parts are left out".to_owned()
        }),
    }
}

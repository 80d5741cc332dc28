//! Messages of Anthropic's Messages API. The state of a part is `metadata.anthropic`.

use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallOutcome, NewCall, NewFile, NewPart, PartContent};
use crate::shared::{
    ToolFields, add_system, message_object, output_text, read_input, read_texts, read_tool,
    refuse_role, text_in_output, typed,
};
use crate::values::{
    NewFields, NewText, Value, all_but, any_string, array, data_url, field, given, is, json_text,
    mime_of, object, others, pick, string,
};
use apex_parts_json::tape::Node;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Kind, Path, View};
use std::borrow::Cow;

const KEY: &str = "anthropic";
const MESSAGE: [&str; 8] =
    ["role", "content", "id", "type", "model", "stop_reason", "stop_sequence", "usage"];

pub(crate) const READER: MessagesReader =
    MessagesReader { head: read_head, message: read_message, alone: &[] };

/// The state of a block: these fields, and those that a part has no field for in `block`.
fn state_of<'a>(mut fields: NewFields<'a>, block: NewFields<'a>) -> NewFields<'a> {
    if !block.is_empty() {
        fields.set("block", Value::Object(block));
    }
    fields
}

/// The fields of a block that a part has no field for, if there can be any.
fn rest_of<'a>(block: Node<'a>, has_others: bool, known: &[&str]) -> NewFields<'a> {
    if has_others { others(block, known) } else { NewFields::default() }
}

/// A block that no part has a type for.
fn custom_of<'a>(kind: Node<'a>, block: Node<'a>) -> NewPart<'a> {
    let name = NewText::Spelled(format!("{KEY}-{}", kind.spelled()).into());
    let fields = NewFields::one("block", Value::Node(block));
    NewPart::kept(PartContent::Custom(name), KEY, fields)
}

/// The file of an image or a document; `None` if a URL cannot stand for it.
fn file_of<'a>(block: Node<'a>, is_document: bool) -> Option<NewPart<'a>> {
    let source = object(field(block, "source"))?;
    let [kind, media, data, url] =
        pick(source, &["type", "media_type", "data", "url"]).values.map(any_string);
    let file = match (media, data, url) {
        (Some(media), Some(data), _) if is(kind, "base64") => NewFile {
            mime: NewText::Node(media),
            url: data_url(&media.spelled(), data),
            filename: None,
        },
        (_, _, Some(url)) if is(kind, "url") => {
            let otherwise = if is_document { "application/pdf" } else { "image/*" };
            NewFile { mime: mime_of(url, otherwise), url: NewText::Node(url), filename: None }
        }
        _ => return None,
    };
    let title = string(field(block, "title")).filter(|_| is_document);
    let known: &[&str] =
        if title.is_some() { &["type", "source", "title"] } else { &["type", "source"] };
    let state = state_of(NewFields::default(), others(block, known));
    let content = PartContent::File(NewFile { filename: title.map(NewText::Node), ..file });
    Some(NewPart::kept(content, KEY, state))
}

/// What a result block of the client says.
fn outcome_of<'a>(
    block: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> CallOutcome<'a> {
    let [content, is_error] = pick(block, &["content", "is_error"]).values;
    let is_error = is_error.is_some_and(|value| value.kind() == Kind::True);
    let mut outcome = CallOutcome { is_error, ..CallOutcome::default() };
    let Some(list) = array(content) else {
        outcome.text.push(output_text(given(content), builder));
        return outcome;
    };
    builder.each(Some(list), &path.name("content"), &mut |builder, value, at, _| {
        let [kind, text] = match object(Some(value)) {
            Some(inner) => pick(inner, &["type", "text"]).values,
            None => [None; 2],
        };
        if let Some(text) = any_string(text).filter(|_| is(kind, "text")) {
            return outcome.text.push(NewText::Node(text));
        }
        let is_document = is(kind, "document");
        let is_file = is_document || is(kind, "image");
        match is_file.then(|| file_of(value, is_document)).flatten() {
            Some(file) => outcome.files.push(file),
            None => outcome.text.push(text_in_output(value, at, builder)),
        }
    });
    outcome
}

/// The text of a block that has one.
fn text_of(block: Node<'_>) -> Option<Node<'_>> {
    any_string(field(object(Some(block))?, "text"))
}

/// What a result block of the provider says: its texts, or its content as JSON.
fn provider_outcome(block: Node<'_>, index: usize) -> CallOutcome<'_> {
    let [content, is_error] = pick(block, &["content", "is_error"]).values;
    let [kind, code] = match object(content) {
        Some(inner) => pick(inner, &["type", "error_code"]).values,
        None => [None; 2],
    };
    let is_failed =
        any_string(kind).and_then(Node::str).is_some_and(|kind| kind.ends_with("_error"));
    let is_error = is_failed || is_error.is_some_and(|value| value.kind() == Kind::True);
    let blocks = || array(content).into_iter().flat_map(Node::children);
    let is_text = blocks().next().is_some() && blocks().all(|one| text_of(one).is_some());
    let text = match string(code).filter(|_| is_failed) {
        Some(code) => vec![NewText::Node(code)],
        None if is_text => blocks().filter_map(text_of).map(NewText::Node).collect(),
        None => vec![json_text(content)],
    };
    let mut state = NewFields::one("result", Value::Object(all_but(block, "tool_use_id")));
    state.set("resultIndex", Value::Count(index));
    CallOutcome { text, is_error, state: Some((KEY, state)), ..CallOutcome::default() }
}

/// A block of the user or the model that is neither a call nor a result.
fn part_of<'a>(
    kind: Node<'a>,
    block: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewPart<'a> {
    if let Some(part) = known_part(kind, block) {
        return part;
    }
    let is_known = ["text", "image", "document", "thinking", "redacted_thinking"];
    let is_known = is_known.iter().any(|known| is(Some(kind), known));
    // A block of a known type with something else in it is kept whole, which its owner understands.
    if is_known && object(field(block, "source")).is_none() {
        builder.warn("schema", path, || {
            "the block has not the fields of its type: it is kept whole".to_owned()
        });
    }
    custom_of(kind, block)
}

fn known_part<'a>(kind: Node<'a>, block: Node<'a>) -> Option<NewPart<'a>> {
    match &*kind.str()? {
        "text" => {
            let picked = pick(block, &["type", "text", "citations"]);
            let [_, text, citations] = picked.values;
            let text = any_string(text)?;
            let rest = rest_of(block, picked.has_others, &["type", "text", "citations"]);
            let citations = array(citations).filter(|list| list.children().next().is_some());
            let state = citations.map(|list| NewFields::one("citations", Value::Node(list)));
            let state = state_of(state.unwrap_or_default(), rest);
            Some(NewPart::kept(PartContent::Text(NewText::Node(text)), KEY, state))
        }
        "image" => file_of(block, false),
        "document" => file_of(block, true),
        "thinking" => {
            let picked = pick(block, &["type", "thinking", "signature"]);
            let [_, thinking, signature] = picked.values;
            let thinking = any_string(thinking)?;
            let rest = rest_of(block, picked.has_others, &["type", "thinking", "signature"]);
            let state = match string(signature) {
                Some(signature) => NewFields::one("signature", Value::Node(signature)),
                None => NewFields::one("unsigned", Value::True),
            };
            let content = PartContent::Reasoning(NewText::Node(thinking));
            Some(NewPart::kept(content, KEY, state_of(state, rest)))
        }
        "redacted_thinking" => {
            let picked = pick(block, &["type", "data"]);
            let data = any_string(picked.values[1])?;
            let rest = rest_of(block, picked.has_others, &["type", "data"]);
            let state = state_of(NewFields::one("redactedData", Value::Node(data)), rest);
            Some(NewPart::kept(PartContent::Reasoning(NewText::EMPTY), KEY, state))
        }
        _ => None,
    }
}

/// A call; the provider's own has its place among the blocks.
fn call_of<'a>(
    (kind, is_own): (Node<'a>, bool),
    block: Node<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewPart<'a> {
    let picked = pick(block, &["type", "id", "name", "input"]);
    let [_, id, name, input] = picked.values;
    let rest = rest_of(block, picked.has_others, &["type", "id", "name", "input"]);
    let mut state = NewFields::default();
    if is_own {
        state.set("type", Value::Node(kind));
        state.set("index", Value::Count(index));
    }
    let state = state_of(state, rest);
    let tool = match string(name) {
        Some(name) => NewText::Node(name),
        None if is_own => {
            let kind = kind.spelled();
            let tool = kind.strip_suffix("_tool_use").unwrap_or(&kind);
            NewText::Spelled(Cow::Owned(tool.to_owned()))
        }
        None => NewText::Spelled(Cow::Borrowed("unknown")),
    };
    let call = NewCall {
        id: string(id).map_or(NewText::EMPTY, NewText::Node),
        tool,
        input: read_input(input, &path.name("input"), builder),
        place: ("content", Some(index), "id"),
        ..NewCall::default()
    };
    let mut part = NewPart::kept(PartContent::Call(Box::new(call)), KEY, state);
    if is_own {
        part.metadata.set("providerExecuted", Value::True);
    }
    part
}

/// Shows each block of a content with its type. A string in it is a block with a text, which `take_text` gets.
fn each_block<'a>(
    content: Option<Node<'a>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
    take: &mut dyn FnMut(&mut MessageBuilder, ContentBlock<'a>, &Path<'_>, usize),
) {
    let Some(content) = given(content).filter(|content| content.kind() != Kind::EmptyString) else {
        return;
    };
    if content.kind().is_string() {
        return take(builder, ContentBlock::Text(content), path, 0);
    }
    builder.each(Some(content), path, &mut |builder, value, at, index| {
        if value.kind().is_string() {
            take(builder, ContentBlock::Text(value), at, index);
        } else if let Some(kind) = typed(value, at, "block", builder) {
            take(builder, ContentBlock::Block(kind, value), at, index);
        }
    });
}

/// What a content has.
#[derive(Clone, Copy)]
enum ContentBlock<'a> {
    Text(Node<'a>),
    /// Its type, and the block.
    Block(Node<'a>, Node<'a>),
}

fn read_user(content: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let mut parts = Vec::new();
    let mut has_results = false;
    each_block(content, &path.name("content"), builder, &mut |builder, block, at, _| {
        let (kind, block) = match block {
            ContentBlock::Text(text) => return parts.push(NewPart::text(NewText::Node(text))),
            ContentBlock::Block(kind, block) => (kind, block),
        };
        if !is(Some(kind), "tool_result") {
            return parts.push(part_of(kind, block, at, builder));
        }
        has_results = true;
        let known = ["type", "tool_use_id", "content", "is_error"];
        let picked = pick(block, &known);
        if picked.has_others {
            builder.leave_out(&others(block, &known), at);
        }
        let id = string(picked.values[1]).map_or(NewText::EMPTY, NewText::Node);
        let outcome = outcome_of(block, at, builder);
        builder.result(&id, outcome, &at.name("tool_use_id"), false);
    });
    // A message with nothing but results is no message of the user.
    if !parts.is_empty() || !has_results {
        builder.user(parts, path);
    }
}

fn read_answer(content: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let mut parts: Vec<NewPart<'_>> = Vec::new();
    // The provider's calls of this message, as places among the parts.
    let mut own = TextMap::default();
    each_block(content, &path.name("content"), builder, &mut |builder, block, at, index| {
        let (kind, block) = match block {
            ContentBlock::Text(text) => return parts.push(NewPart::text(NewText::Node(text))),
            ContentBlock::Block(kind, block) => (kind, block),
        };
        let name = kind.spelled();
        let is_client = name == "tool_use";
        if is_client || name.ends_with("_tool_use") {
            if !is_client {
                let id = string(field(block, "id")).map(Node::spelled).unwrap_or_default();
                if !own.contains(&id) {
                    own.insert(&id, parts.len());
                }
            }
            return parts.push(call_of((kind, !is_client), block, index, at, builder));
        }
        if name.ends_with("_tool_result") {
            let id = string(field(block, "tool_use_id")).map(Node::spelled).unwrap_or_default();
            let part = own.get(&id).and_then(|place| parts.get_mut(place));
            if let Some(PartContent::Call(call)) = part.map(|part| &mut part.content)
                && call.outcome.is_none()
            {
                call.outcome = Some(provider_outcome(block, index));
                return;
            }
        }
        // A result whose call is in another message is kept in its place.
        parts.push(part_of(kind, block, at, builder));
    });
    builder.answer(parts, path);
}

fn read_head(body: Node<'_>, builder: &mut MessageBuilder) {
    let root = Path::ROOT;
    let [system, tools] = pick(body, &["system", "tools"]).values;
    let texts = read_texts(system, &root.name("system"), builder);
    add_system(&texts, "\\n\\n", builder);
    if let Some(tools) = given(tools) {
        builder.each(Some(tools), &root.name("tools"), &mut |builder, value, at, _| {
            let Some(tool) = object(Some(value)) else {
                return read_tool(ToolFields::default(), &NewFields::default(), at, builder);
            };
            let known = ["name", "description", "input_schema", "strict", "type"];
            let [name, description, schema, strict, kind] = pick(tool, &known).values;
            let is_own = given(kind).is_none() || is(kind, "custom");
            let name = name.filter(|_| is_own);
            let fields = ToolFields { name, description, schema, strict };
            read_tool(fields, &others(tool, &known), at, builder);
        });
    }
}

fn read_message(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let Some(message) = message_object(value, path, builder) else { return };
    let picked = pick(message, &MESSAGE);
    let [role, content, ..] = picked.values;
    if is(role, "user") {
        read_user(content, path, builder);
    } else if is(role, "assistant") {
        read_answer(content, path, builder);
    } else if is(role, "system") || is(role, "developer") {
        let texts = read_texts(content, &path.name("content"), builder);
        add_system(&texts, "\\n", builder);
    } else {
        return refuse_role(role, path, "user, assistant or system", builder);
    }
    if picked.has_others {
        builder.leave_out(&others(message, &MESSAGE), path);
    }
}

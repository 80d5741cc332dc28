//! Items of OpenAI's Responses API. The state of a part is `metadata.openai`. An answer is what stands between two inputs:
//! messages of the user, and outputs of calls.

use super::outcomes::{KEY, file_of, outcome_of, provider_outcome};
use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallInput, NewCall, NewPart, PartContent};
use crate::shared::{
    ToolFields, add_system, read_arguments, read_input, read_texts, read_tool, refuse_role, typed,
};
use crate::values::{
    NewFields, NewText, Value, any_string, array, field, given, is, kind_of, object, others, pick,
    string,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, View};

/// Fields of a message of the user that say nothing to the model.
const USER: [&str; 6] = ["type", "role", "content", "id", "status", "created_by"];
/// Of a message of the model, with what the official library adds to items that it has read.
const SAID: [&str; 9] = [
    "type",
    "role",
    "content",
    "id",
    "phase",
    "status",
    "created_by",
    "parsed",
    "parsed_arguments",
];
const TEXT: [&str; 6] = ["type", "text", "annotations", "logprobs", "parsed", "parsed_arguments"];
const REASONING: [&str; 7] =
    ["type", "id", "encrypted_content", "summary", "content", "status", "created_by"];
const FUNCTION_CALL: [&str; 9] = [
    "type",
    "id",
    "call_id",
    "name",
    "arguments",
    "status",
    "created_by",
    "parsed",
    "parsed_arguments",
];
const CUSTOM_CALL: [&str; 7] = ["type", "id", "call_id", "name", "input", "status", "created_by"];
/// Fields with the identity of a built-in call and its result; the others are its input.
const NOT_INPUT: [&str; 17] = [
    "id",
    "type",
    "status",
    "call_id",
    "name",
    "server_label",
    "approval_request_id",
    "execution",
    "environment",
    "caller",
    "created_by",
    "agent",
    "output",
    "outputs",
    "result",
    "results",
    "error",
];
const CHECKS: &str = "acknowledged_safety_checks";
const TEXTS: [&str; 5] = ["input_text", "output_text", "text", "summary_text", "reasoning_text"];
const TOOL: [&str; 5] = ["type", "name", "description", "parameters", "strict"];
const APPROVAL_REQUEST: &str = "mcp_approval_request";
/// Calls that the program runs, and items of the model that are no calls.
const ASKED: [&str; 6] = [
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "apply_patch_call",
    "computer_call",
    APPROVAL_REQUEST,
];

pub(crate) const READER: MessagesReader = MessagesReader {
    head: read_head,
    message: read_item,
    alone: &[Kind::String, Kind::EmptyString],
};

/// A part that no type of the model has a place for.
fn custom_of<'a>(kind: Node<'a>, item: Node<'a>) -> NewPart<'a> {
    let name = NewText::Spelled([KEY, "-", &kind.spelled()].concat().into());
    NewPart::kept(PartContent::Custom(name), KEY, NewFields::one("item", Value::Node(item)))
}

/// These of the strings that are not empty, by their names.
fn strings<'a>(fields: [(&'static str, Option<Node<'a>>); 2]) -> NewFields<'a> {
    let mut state = NewFields::default();
    for (name, value) in fields {
        if let Some(value) = string(value) {
            state.set(name, Value::Node(value));
        }
    }
    state
}

/// Does the provider run the call of an item?
fn is_providers(kind: Node<'_>, item: Node<'_>) -> bool {
    if ASKED.iter().any(|asked| is(Some(kind), asked)) {
        return false;
    }
    let [environment, execution] = pick(item, &["environment", "execution"]).values;
    if is(Some(kind), "shell_call") {
        let place = string(object(environment).and_then(|own| field(own, "type")));
        return place.is_some_and(|place| place.spelled().starts_with("container"));
    }
    !is(execution, "client")
}

/// Keeps fields of a message or of reasoning that no part has on its first part.
fn keep_item<'a>(item: NewFields<'a>, parts: &mut [NewPart<'a>]) {
    let Some(first) = parts.first_mut().filter(|_| !item.is_empty()) else { return };
    let mut state = NewFields::one("item", Value::Object(item));
    if let Some(Value::Object(own)) = first.metadata.get(KEY) {
        state.extend(own.clone());
    }
    first.metadata.set(KEY, Value::Object(state));
}

/// Reads an item.
fn read_item(item: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    if item.kind().is_string() {
        builder.end_answer();
        return builder.user(vec![NewPart::text(NewText::Node(item))], path);
    }
    if item.kind() != Kind::Object {
        return builder.error(path, || {
            let got = kind_of(Some(item));
            format!("expected an item, which is an object, got {got}; it is left out")
        });
    }
    let [kind, role] = pick(item, &["type", "role"]).values;
    let Some(kind) = string(kind) else {
        if role.is_some() {
            return read_message(item, path, builder);
        }
        return builder.error(path, || {
            "expected an item with a `type` or a `role`; it is left out".to_owned()
        });
    };
    let name = kind.spelled();
    if name == "message" {
        read_message(item, path, builder);
    } else if name == "reasoning" {
        read_reasoning(item, path, builder);
    } else if name.ends_with("_call") || name == APPROVAL_REQUEST {
        read_call(item, kind, path, builder);
    } else if name.ends_with("_output") || name == "mcp_approval_response" {
        read_output(item, name == "mcp_approval_response", path, builder);
    } else {
        builder.go_on(vec![custom_of(kind, item)], path);
    }
}

fn read_message(item: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let [role, content, id, phase] = pick(item, &["role", "content", "id", "phase"]).values;
    let within = path.name("content");
    if is(role, "assistant") {
        let state = strings([("itemId", id), ("phase", phase)]);
        let mut parts = content_of(content, &state, &within, builder);
        keep_item(others(item, &SAID), &mut parts);
        builder.go_on(parts, path);
    } else if is(role, "user") {
        builder.end_answer();
        let parts = content_of(content, &NewFields::default(), &within, builder);
        builder.leave_out(&others(item, &USER), path);
        builder.user(parts, path);
    } else if is(role, "system") || is(role, "developer") {
        builder.end_answer();
        let texts = read_texts(content, &within, builder);
        add_system(&texts, "\\n", builder);
    } else {
        refuse_role(role, path, "system, developer, user or assistant", builder);
    }
}

/// The parts of a message, one for each of its contents; their texts have this state.
fn content_of<'a>(
    content: Option<Node<'a>>,
    state: &NewFields<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Vec<NewPart<'a>> {
    let text = |text: Node<'a>, state: NewFields<'a>| {
        NewPart::kept(PartContent::Text(NewText::Node(text)), KEY, state)
    };
    let mut parts = Vec::new();
    let Some(content) = given(content) else { return parts };
    if content.kind().is_string() {
        parts.push(text(content, state.clone()));
        return parts;
    }
    builder.each(Some(content), path, &mut |builder, block, at, _| {
        if block.kind().is_string() {
            return parts.push(text(block, state.clone()));
        }
        let Some(kind) = typed(block, at, "part", builder) else { return };
        let picked = pick(block, &TEXT);
        let [_, own, annotations, ..] = picked.values;
        let is_text = TEXTS.iter().any(|name| is(Some(kind), name));
        if let Some(own) = any_string(own).filter(|_| is_text) {
            let mut state = state.clone();
            let list = array(annotations).filter(|list| list.children().next().is_some());
            if let Some(list) = list {
                state.set("annotations", Value::Node(list));
            }
            if picked.has_others {
                let rest = others(block, &TEXT);
                if !rest.is_empty() {
                    state.set("part", Value::Object(rest));
                }
            }
            return parts.push(text(own, state));
        }
        let refusal = any_string(field(block, "refusal"));
        if let Some(refusal) = refusal.filter(|_| is(Some(kind), "refusal")) {
            let mut state = state.clone();
            state.set("refusal", Value::True);
            return parts.push(text(refusal, state));
        }
        parts.push(file_of(block).unwrap_or_else(|| custom_of(kind, block)));
    });
    parts
}

/// Reasoning: a part for each summary and each text; one without text if it has none.
fn read_reasoning(item: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let picked = pick(item, &REASONING);
    let [_, id, encrypted, summary, content, ..] = picked.values;
    let state = strings([("itemId", id), ("reasoningEncryptedContent", encrypted)]);
    let mut rest = others(item, &REASONING);
    // An empty list is not the same as none.
    let empty = array(content).filter(|list| list.children().next().is_none());
    if let Some(empty) = empty {
        rest.set("content", Value::Node(empty));
    }
    let mut parts = Vec::new();
    for (list, name) in [(summary, "summary"), (content, "content")] {
        let Some(list) = given(list) else { continue };
        let mut state = state.clone();
        if name == "content" {
            state.set("content", Value::True);
        }
        builder.each(Some(list), &path.name(name), &mut |builder, value, at, _| {
            let own = object(Some(value)).map_or(Some(value), |value| field(value, "text"));
            let Some(text) = any_string(own) else {
                return builder
                    .error(at, || "expected reasoning with a `text`; it is left out".to_owned());
            };
            let content = PartContent::Reasoning(NewText::Node(text));
            parts.push(NewPart::kept(content, KEY, state.clone()));
        });
    }
    if parts.is_empty() {
        parts.push(NewPart::kept(PartContent::Reasoning(NewText::EMPTY), KEY, state));
    }
    keep_item(rest, &mut parts);
    builder.go_on(parts, path);
}

fn read_call<'a>(item: Node<'a>, kind: Node<'a>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let names = ["name", "id", "call_id", "arguments", "input"];
    let [name, id, call_id, arguments, text] = pick(item, &names).values;
    let mut state = strings([("itemId", id), ("", None)]);
    let within = path.name("arguments");
    let type_name = kind.spelled();
    let known: &[&str] = match &*type_name {
        "function_call" => &FUNCTION_CALL,
        "custom_tool_call" => &CUSTOM_CALL,
        _ => &[],
    };
    let input = match &*type_name {
        "function_call" => read_arguments(arguments, &within, &mut state, builder),
        "custom_tool_call" => {
            let text = string(text).map_or(NewText::EMPTY, NewText::Node);
            state.set("custom", Value::Text(text.clone()));
            input_of(NewFields::one("input", Value::Text(text)), builder)
        }
        // The whole item is kept: of its arguments nothing else is.
        "mcp_call" | APPROVAL_REQUEST => {
            read_arguments(arguments, &within, &mut NewFields::default(), builder)
        }
        "web_search_call" => read_input(field(item, "action"), &path.name("action"), builder),
        _ => {
            let mut known = NOT_INPUT.to_vec();
            known.push(CHECKS);
            input_of(others(item, &known), builder)
        }
    };
    // The type of a call is in each of its items.
    if !others(item, known).is_empty() {
        state.set("item", Value::Node(item));
    }
    let own_id = string(call_id).or(string(id)).map_or(NewText::EMPTY, NewText::Node);
    let is_own = is_providers(kind, item);
    let tool = match string(name) {
        Some(name) => NewText::Node(name),
        None => {
            let stem = type_name.strip_suffix("_call").unwrap_or(&type_name);
            NewText::Spelled(stem.to_owned().into())
        }
    };
    let outcome = if is_own { provider_outcome(item, builder) } else { None };
    let key = is_own.then(|| own_id.spelled().into_owned());
    let place = ("call_id", None, "");
    let call = NewCall { id: own_id, tool, input, place, outcome, ..NewCall::default() };
    let mut part = NewPart::kept(PartContent::Call(Box::new(call)), KEY, state);
    if is_own {
        part.metadata.set("providerExecuted", Value::True);
    }
    builder.go_on(vec![part], path);
    if let Some((open, key)) = builder.open.as_mut().zip(key) {
        open.own.insert(&key, 0);
    }
}

/// The input that these fields are.
fn input_of<'a>(fields: NewFields<'a>, builder: &MessageBuilder) -> CallInput<'a> {
    if !builder.is_writing() {
        return CallInput::Empty;
    }
    let mut json = Vec::new();
    fields.write(&mut json);
    CallInput::Json(String::from_utf8(json).unwrap_or_default())
}

/// The output of a call: the program's ends the answer, the provider's is a part of it.
fn read_output(item: Node<'_>, is_approval: bool, path: &Path<'_>, builder: &mut MessageBuilder) {
    let name = if is_approval { "approval_request_id" } else { "call_id" };
    let [id, execution] = pick(item, &[name, "execution"]).values;
    let of = string(id).map_or(NewText::EMPTY, NewText::Node);
    let is_server = is(execution, "server");
    let open = builder.open.as_mut();
    let open = open.filter(|open| is_server || open.own.contains(&of.spelled()));
    let index = open.map(|open| {
        open.items += 1;
        open.items - 1
    });
    let outcome = match index {
        Some(index) => {
            let mut outcome = provider_outcome(item, builder).unwrap_or_default();
            let mut state = NewFields::one("result", Value::Node(item));
            state.set("resultIndex", Value::Count(index));
            outcome.state = Some((KEY, state));
            outcome
        }
        None => {
            builder.end_answer();
            outcome_of(item, path, builder)
        }
    };
    builder.result(&of, outcome, &path.name(name), false);
}

fn read_head(body: Node<'_>, builder: &mut MessageBuilder) {
    let root = Path::ROOT;
    let [instructions, tools] = pick(body, &["instructions", "tools"]).values;
    let texts = read_texts(instructions, &root.name("instructions"), builder);
    add_system(&texts, "\\n\\n", builder);
    let Some(tools) = given(tools) else { return };
    builder.each(Some(tools), &root.name("tools"), &mut |builder, value, at, _| {
        let [kind, name, description, schema, strict] = pick(value, &TOOL).values;
        let name = name.filter(|_| is(kind, "function"));
        let tool = ToolFields { name, description, schema, strict };
        read_tool(tool, &others(value, &TOOL), at, builder);
    });
}

//! Contents of Google's Gemini API. The state of a part is `metadata.google`.

use super::fields::{
    CALL, CODE, CODE_RESULT, DATA, FILE, GeminiPart, INLINE, RESPONSE, TEXT, TOOL, TOOL_RESPONSE,
    either,
};
use super::provider_calls::ProviderCalls;
use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallOutcome, NewCall, NewFile, NewPart, PartContent};
use crate::shared::{
    ToolFields, add_system, message_object, output_text, read_input, read_texts, read_tool,
    refuse_role, text_of,
};
use crate::values::{
    NewFields, NewText, Value, any_string, data_url, field, given, is, kind_of, object, others,
    pick, string,
};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, Path, View};

const KEY: &str = "google";
const DECLARATIONS: [&str; 2] = ["functionDeclarations", "function_declarations"];
const SCHEMA: [&str; 2] = ["parametersJsonSchema", "parameters_json_schema"];
const INSTRUCTION: [&str; 2] = ["systemInstruction", "system_instruction"];
const MIME: [&str; 2] = ["mimeType", "mime_type"];
const URI: [&str; 2] = ["fileUri", "file_uri"];
const NAME: [&str; 2] = ["displayName", "display_name"];
const MESSAGE: [&str; 2] = ["role", "parts"];

pub(crate) const READER: MessagesReader = MessagesReader {
    head: read_head,
    message: read_message,
    alone: &[Kind::String, Kind::EmptyString, Kind::Object],
};

/// The state of a part, added to these fields: its signature, whether it is a thought, and fields that it has no place for.
fn state_of<'a>(part: &GeminiPart<'a>, own: usize, mut state: NewFields<'a>) -> NewFields<'a> {
    if let Some(signature) = string(part.signature) {
        state.set("thoughtSignature", Value::Node(signature));
    }
    if part.is_thought {
        state.set("thought", Value::True);
    }
    let rest = part.others(Some(own));
    if !rest.is_empty() {
        state.set("part", Value::Object(rest));
    }
    state
}

/// The file of inline data or a URI.
fn file_of<'a>(part: &GeminiPart<'a>) -> Option<NewPart<'a>> {
    let inline = object(part.get(INLINE));
    let own = inline.or(object(part.get(FILE)))?;
    let value = match inline {
        Some(inline) => field(inline, "data"),
        None => either(own, &URI),
    };
    let value = any_string(value)?;
    let mime = match string(either(own, &MIME)) {
        Some(mime) => NewText::Node(mime),
        None => NewText::Spelled("application/octet-stream".into()),
    };
    let url = match inline {
        Some(_) => data_url(&mime.spelled(), value),
        None => NewText::Node(value),
    };
    let filename = string(either(own, &NAME)).map(NewText::Node);
    let known = [MIME[0], MIME[1], "data", URI[0], URI[1], NAME[0], NAME[1]];
    let data = if inline.is_some() { INLINE } else { FILE };
    let state = state_of(part, data, others(own, &known));
    Some(NewPart::kept(PartContent::File(NewFile { mime, url, filename }), KEY, state))
}

/// What a response says: `output`, as Google's docs have it, or what other programs put there. True if it has the form in
/// which it is written.
fn outcome_of<'a>(response: Option<Node<'a>>, builder: &MessageBuilder) -> (CallOutcome<'a>, bool) {
    let Some(fields) = object(response) else {
        let text = vec![output_text(given(response), builder)];
        return (CallOutcome { text, ..CallOutcome::default() }, false);
    };
    let mut only = None;
    let mut count = 0;
    let fields = fields.js_fields();
    for (name, value) in &fields {
        if name != "name" {
            only = Some((&**name, *value));
            count += 1;
        }
    }
    let known = only.filter(|(name, _)| {
        count == 1 && matches!(*name, "output" | "error" | "result" | "content")
    });
    let is_error = known.is_some_and(|(name, _)| name == "error");
    let mut outcome = CallOutcome { is_error, ..CallOutcome::default() };
    let value = known.map(|(_, value)| value).or(response);
    outcome.text = vec![output_text(value, builder)];
    let is_text = any_string(value).is_some();
    if let Some(value) = value.filter(|_| !is_text) {
        outcome.details = Some(NewFields::one("output", Value::Node(value)));
    }
    let is_plain = is_text && known.is_some_and(|(name, _)| matches!(name, "output" | "error"));
    (outcome, is_plain && fields.len() == 1)
}

fn read_response<'a>(
    part: &GeminiPart<'a>,
    whole: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let within = path.name(DATA[RESPONSE][0]);
    let own = object(part.get(RESPONSE));
    let [id, name, response, parts] =
        own.map_or([None; 4], |own| pick(own, &["id", "name", "response", "parts"]).values);
    let (mut outcome, is_plain) = outcome_of(response, builder);
    if let Some(parts) = given(parts) {
        builder.each(
            Some(parts),
            &within.name("parts"),
            &mut |builder, value, at, _| match file_of(&GeminiPart::new(value)) {
                Some(file) => outcome.files.push(file),
                None => builder.warn("schema", at, || {
                    "an output has no place for it: it is left out".to_owned()
                }),
            },
        );
    }
    // A response in another form than the one that is written is kept whole.
    if !is_plain {
        outcome.state = Some((KEY, NewFields::one("result", Value::Node(whole))));
    }
    let is_named = string(id).is_none();
    let of = string(if is_named { name } else { id }).map_or(NewText::EMPTY, NewText::Node);
    builder.result(&of, outcome, &within, is_named);
}

fn call_of<'a>(
    part: &GeminiPart<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewPart<'a> {
    let own = object(part.get(CALL));
    let picked = own.map(|own| pick(own, &["id", "name", "args"]));
    let [id, name, args] = picked.as_ref().map_or([None; 3], |picked| picked.values);
    let id = string(id);
    let state = id.map(|id| NewFields::one("id", Value::Node(id))).unwrap_or_default();
    let mut state = state_of(part, CALL, state);
    if let Some(own) = own.filter(|_| picked.is_some_and(|picked| picked.has_others)) {
        let unknown = others(own, &["id", "name", "args"]);
        if !unknown.is_empty() {
            state.merge("part", NewFields::one(DATA[CALL][0], Value::Object(unknown)));
        }
    }
    let within = path.name(DATA[CALL][0]);
    let call = NewCall {
        id: id.map_or(NewText::EMPTY, NewText::Node),
        is_named: true,
        tool: string(name).map_or(NewText::Spelled("unknown".into()), NewText::Node),
        input: read_input(args, &within.name("args"), builder),
        place: ("parts", Some(index), DATA[CALL][0]),
        ..NewCall::default()
    };
    NewPart::kept(PartContent::Call(Box::new(call)), KEY, state)
}

/// A part that is neither a call nor a result.
fn part_of<'a>(part: &GeminiPart<'a>, whole: Node<'a>) -> NewPart<'a> {
    if let Some(text) = any_string(part.get(TEXT)) {
        let state = state_of(part, TEXT, NewFields::default());
        let text = NewText::Node(text);
        let content = match part.is_thought {
            true => PartContent::Reasoning(text),
            false => PartContent::Text(text),
        };
        return NewPart::kept(content, KEY, state);
    }
    if let Some(file) = file_of(part) {
        return file;
    }
    let rest = part.others(None);
    let name = [KEY, "-", rest.names().next().unwrap_or("part")].concat();
    let content = PartContent::Custom(NewText::Spelled(name.into()));
    NewPart::kept(content, KEY, NewFields::one("part", Value::Node(whole)))
}

/// Shows each part of a content.
fn each_part<'a>(
    parts: Option<Node<'a>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
    take: &mut dyn FnMut(&mut MessageBuilder, GeminiPart<'a>, Node<'a>, &Path<'_>, usize),
) {
    let Some(parts) = given(parts) else { return };
    builder.each(Some(parts), &path.name("parts"), &mut |builder, whole, at, index| {
        let kind = whole.kind();
        if kind != Kind::Object && !kind.is_string() {
            return builder.error(at, || {
                let got = kind_of(Some(whole));
                format!("expected a part, which is an object, got {got}; it is left out")
            });
        }
        let mut part = GeminiPart::new(whole);
        let left_out = part.keep_first();
        if !left_out.is_empty() {
            builder.leave_out(&left_out, at);
        }
        take(builder, part, whole, at, index);
    });
}

fn read_user(parts: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let mut found = Vec::new();
    let mut has_results = false;
    each_part(parts, path, builder, &mut |builder, part, whole, at, _| {
        if part.get(RESPONSE).is_none() {
            return found.push(part_of(&part, whole));
        }
        has_results = true;
        read_response(&part, whole, at, builder);
    });
    if !found.is_empty() || !has_results {
        builder.user(found, path);
    }
}

fn read_answer(parts: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let mut found: Vec<NewPart<'_>> = Vec::new();
    let mut open = ProviderCalls::default();
    each_part(parts, path, builder, &mut |builder, part, whole, at, index| {
        if part.get(CALL).is_some() {
            return found.push(call_of(&part, index, at, builder));
        }
        if part.get(RESPONSE).is_some() {
            return read_response(&part, whole, at, builder);
        }
        let kinds = [(CODE, CODE_RESULT), (TOOL, TOOL_RESPONSE)];
        for (kind, (data, result)) in kinds.into_iter().enumerate() {
            if let Some(own) = part.get(data) {
                open.add(kind, id_of(own), found.len());
                return found.push(provider_call(own, data, whole, index, at, builder));
            }
            let Some(own) = part.get(result) else { continue };
            if let Some(call) = open.take(kind, id_of(own), &mut found) {
                call.outcome = Some(provider_outcome(own, whole, builder));
                return;
            }
        }
        found.push(part_of(&part, whole));
    });
    builder.answer(found, path);
}

fn id_of(own: Node<'_>) -> Option<Node<'_>> {
    string(field(own, "id"))
}

fn provider_call<'a>(
    own: Node<'a>,
    data: usize,
    whole: Node<'a>,
    index: usize,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewPart<'a> {
    let [args, kind, name] = pick(own, &["args", "toolType", "name"]).values;
    let is_code = data == CODE;
    let field = if is_code { DATA[CODE][0] } else { DATA[TOOL][0] };
    let tool = string(kind).or(string(name)).filter(|_| !is_code);
    let call = NewCall {
        id: id_of(own).map_or(NewText::EMPTY, NewText::Node),
        is_named: true,
        tool: tool.map_or(NewText::Spelled(field.into()), NewText::Node),
        input: read_input(if is_code { Some(own) } else { args }, &path.name(field), builder),
        place: ("parts", Some(index), field),
        ..NewCall::default()
    };
    let state = NewFields::one("part", Value::Node(whole));
    let mut part = NewPart::kept(PartContent::Call(Box::new(call)), KEY, state);
    part.metadata.set("providerExecuted", Value::True);
    part
}

fn provider_outcome<'a>(
    own: Node<'a>,
    whole: Node<'a>,
    builder: &MessageBuilder,
) -> CallOutcome<'a> {
    let [outcome, output, response] = pick(own, &["outcome", "output", "response"]).values;
    CallOutcome {
        text: vec![output_text(given(output).or(given(response)), builder)],
        is_error: any_string(outcome).is_some() && !is(outcome, "OUTCOME_OK"),
        state: Some((KEY, NewFields::one("result", Value::Node(whole)))),
        ..CallOutcome::default()
    }
}

fn read_tool_list(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    builder.leave_out(&others(value, &DECLARATIONS), path);
    let Some(list) = given(either(value, &DECLARATIONS)) else { return };
    builder.each(Some(list), &path.name(DECLARATIONS[0]), &mut |builder, value, at, _| {
        let names = ["name", "description", "parameters"];
        let [name, description, parameters] = pick(value, &names).values;
        let schema = given(either(value, &SCHEMA)).or(parameters);
        let tool = ToolFields { name, description, schema, strict: None };
        let [a, b, c] = names;
        read_tool(tool, &others(value, &[a, b, c, SCHEMA[0], SCHEMA[1]]), at, builder);
    });
}

/// The texts of instructions: a string, a content, or parts.
fn read_instructions(value: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let texts = match object(value) {
        None => read_texts(value, path, builder),
        Some(content) => match field(content, "parts") {
            Some(parts) => read_texts(Some(parts), &path.name("parts"), builder),
            None => text_of(content, &path.index(0), builder).into_iter().collect(),
        },
    };
    add_system(&texts, "\\n\\n", builder);
}

/// The instructions and tools of a body or its configuration.
fn read_fields(body: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let within = path.name(INSTRUCTION[0]);
    read_instructions(either(body, &INSTRUCTION), &within, builder);
    let Some(tools) = given(field(body, "tools")) else { return };
    let within = path.name("tools");
    if tools.kind() != Kind::Array {
        return read_tool_list(tools, &within.index(0), builder);
    }
    builder.each(Some(tools), &within, &mut |builder, value, at, _| {
        read_tool_list(value, at, builder);
    });
}

fn read_head(body: Node<'_>, builder: &mut MessageBuilder) {
    let root = Path::ROOT;
    read_fields(body, &root, builder);
    if let Some(config) = object(field(body, "config")) {
        read_fields(config, &root.name("config"), builder);
    }
}

fn read_message(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    if value.kind().is_string() {
        return builder.user(vec![NewPart::text(NewText::Node(value))], path);
    }
    let Some(content) = message_object(value, path, builder) else { return };
    let picked = pick(content, &MESSAGE);
    let [role, parts] = picked.values;
    if is(role, "model") || is(role, "assistant") {
        read_answer(parts, path, builder);
    } else if role.is_none() || is(role, "user") || is(role, "function") || is(role, "tool") {
        read_user(parts, path, builder);
    } else if is(role, "system") {
        read_instructions(Some(content), path, builder);
    } else {
        return refuse_role(role, path, "user, model or function", builder);
    }
    if picked.has_others {
        builder.leave_out(&others(content, &MESSAGE), path);
    }
}

//! Conversations of ShareGPT: `{from, value}`. There is no state.

use crate::builder::MessageBuilder;
use crate::messages_reader::MessagesReader;
use crate::parts::{CallOutcome, NewCall, NewPart, PartContent};
use crate::shared::{
    ToolFields, add_system, json_in, message_object, output_text, read_arguments, read_texts,
    read_tool,
};
use crate::values::{
    NewFields, NewText, any_string, field, given, is, json_text, kind_of, object, others, pick,
    quoted_start, string,
};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Kind, Path, View};

/// Who speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ShareGptSpeaker {
    User,
    Assistant,
    System,
    Call,
    Result,
}

/// By the names that data sets have for them.
const SPEAKERS: [(&str, ShareGptSpeaker); 17] = [
    ("human", ShareGptSpeaker::User),
    ("user", ShareGptSpeaker::User),
    ("prompter", ShareGptSpeaker::User),
    ("gpt", ShareGptSpeaker::Assistant),
    ("assistant", ShareGptSpeaker::Assistant),
    ("model", ShareGptSpeaker::Assistant),
    ("chatgpt", ShareGptSpeaker::Assistant),
    ("bing", ShareGptSpeaker::Assistant),
    ("bard", ShareGptSpeaker::Assistant),
    ("system", ShareGptSpeaker::System),
    ("developer", ShareGptSpeaker::System),
    ("function_call", ShareGptSpeaker::Call),
    ("tool_call", ShareGptSpeaker::Call),
    ("observation", ShareGptSpeaker::Result),
    ("tool", ShareGptSpeaker::Result),
    ("tool_response", ShareGptSpeaker::Result),
    ("function_response", ShareGptSpeaker::Result),
];
const MESSAGE: [&str; 2] = ["from", "value"];
const TOOL: [&str; 3] = ["name", "description", "parameters"];

pub(crate) const READER: MessagesReader =
    MessagesReader { head: read_head, message: read_message, alone: &[] };

/// Reads a call, `{name, arguments}`. False if the value is something else.
fn read_call(value: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) -> bool {
    let Some(call) = object(Some(value)) else { return false };
    let [name, arguments, parameters, id] =
        pick(call, &["name", "arguments", "parameters", "id"]).values;
    let Some(tool) = string(name) else { return false };
    let within = path.name("value");
    let arguments = given(arguments).or(parameters);
    // Where the arguments would be kept that are no JSON.
    let mut state = NewFields::default();
    let call = NewCall {
        id: string(id).map_or(NewText::EMPTY, NewText::Node),
        is_named: true,
        tool: NewText::Node(tool),
        input: read_arguments(arguments, &within, &mut state, builder),
        place: ("value", None, ""),
        ..NewCall::default()
    };
    let content = PartContent::Call(Box::new(call));
    builder.answer(vec![NewPart { content, metadata: NewFields::default() }], path);
    builder.unnamed.0.push(tool.spelled().into_owned());
    true
}

fn read_tools(tools: Node<'_>, builder: &mut MessageBuilder) {
    builder.each(Some(tools), &Path::ROOT.name("tools"), &mut |builder, value, at, _| {
        let own = object(object(Some(value)).and_then(|value| field(value, "function")));
        let own = own.unwrap_or(value);
        let [name, description, schema] = pick(own, &TOOL).values;
        let tool = ToolFields { name, description, schema, strict: None };
        read_tool(tool, &others(own, &TOOL), at, builder);
    });
}

fn read_head(body: Node<'_>, builder: &mut MessageBuilder) {
    let root = Path::ROOT;
    let [system, tools] = pick(body, &["system", "tools"]).values;
    let texts = read_texts(system, &root.name("system"), builder);
    add_system(&texts, "\\n", builder);
    let Some(tools) = given(tools).filter(|tools| tools.kind() != Kind::EmptyString) else {
        return;
    };
    if !tools.kind().is_string() {
        return read_tools(tools, builder);
    }
    let mut tape = Tape::default();
    match json_in(tools, &mut tape).0 {
        Some(text) => read_tools(tape.root_of(&text), builder),
        None => builder.error(&root.name("tools"), || {
            "these tools are not JSON; they are left out".to_owned()
        }),
    }
}

fn refuse_speaker(from: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    builder.error(&path.name("from"), || {
        let names = SPEAKERS.map(|(name, _)| name).join(", ");
        let got = match any_string(from) {
            Some(from) => quoted_start(&from.spelled(), 60),
            None => kind_of(from).to_owned(),
        };
        format!("`from` must be one of {names}, not {got}; the message is left out")
    });
}

/// A result names nothing: it is that of the oldest call without one.
fn read_result(value: Option<Node<'_>>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let (tools, count) = &mut builder.unnamed;
    let tool = tools.get(*count).cloned();
    *count += 1;
    let Some(tool) = tool else {
        return builder
            .warn("RP-2", path, || "a result without a call before it: it is left out".to_owned());
    };
    let text = vec![output_text(given(value), builder)];
    let outcome = CallOutcome { text, ..CallOutcome::default() };
    builder.result(&NewText::Spelled(tool.into()), outcome, path, true);
}

fn read_message(message: Node<'_>, path: &Path<'_>, builder: &mut MessageBuilder) {
    let Some(message) = message_object(message, path, builder) else { return };
    let picked = pick(message, &MESSAGE);
    let [from, value] = picked.values;
    let Some((_, speaker)) = SPEAKERS.into_iter().find(|(name, _)| is(from, name)) else {
        return refuse_speaker(from, path, builder);
    };
    if picked.has_others {
        builder.leave_out(&others(message, &MESSAGE), path);
    }
    let within = path.name("value");
    if speaker == ShareGptSpeaker::Result {
        return read_result(value, &within, builder);
    }
    let text = any_string(value);
    if speaker == ShareGptSpeaker::Call {
        let mut tape = Tape::default();
        let json = text.and_then(|text| json_in(text, &mut tape).0);
        let call = match &json {
            Some(json) => Some(tape.root_of(json)),
            None => object(value),
        };
        if call.is_some_and(|call| read_call(call, path, builder)) {
            return;
        }
    }
    if text.is_none() {
        builder.warn("schema", &within, || {
            let got = kind_of(value);
            format!("expected a string, got {got}: its JSON is the text")
        });
    } else if speaker == ShareGptSpeaker::Call {
        builder.warn("schema", &within, || {
            "expected the JSON of a call, {name, arguments}: it is a text".to_owned()
        });
    }
    let text = json_text(given(value));
    match speaker {
        ShareGptSpeaker::System => add_system(&[text], "", builder),
        ShareGptSpeaker::User => builder.user(vec![NewPart::text(text)], path),
        _ => builder.answer(vec![NewPart::text(text)], path),
    }
}

//! What the readers of several formats share.

use super::builder::MessageBuilder;
use super::parts::CallInput;
use super::values::{
    NewFields, NewText, Value, any_string, field, given, json_of, json_text, kind_of, object,
    quoted_start, string,
};
use apex_parts_json::scan::skip_space;
use apex_parts_json::stringified::is_stringified;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Kind, Path, View};
use std::borrow::Cow;

/// The fields that a tool of a body has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ToolFields<'a> {
    pub(crate) name: Option<Node<'a>>,
    pub(crate) description: Option<Node<'a>>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) strict: Option<Node<'a>>,
}

/// The texts of a content: a string, or blocks with a text. Other blocks are left out, as problems.
pub(crate) fn read_texts<'a>(
    content: Option<Node<'a>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Vec<NewText<'a>> {
    let Some(content) = given(content).filter(|content| content.kind() != Kind::EmptyString) else {
        return Vec::new();
    };
    if content.kind().is_string() {
        return vec![NewText::Node(content)];
    }
    let mut texts = Vec::new();
    builder.each(Some(content), path, &mut |builder, block, at, _| {
        texts.extend(text_of(block, at, builder));
    });
    texts
}

/// The text of a block, or of a string that stands for one; otherwise a problem.
pub(crate) fn text_of<'a>(
    block: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<NewText<'a>> {
    let own = object(Some(block)).map_or(Some(block), |block| field(block, "text"));
    let text = any_string(own);
    if text.is_none() {
        builder.warn("schema", path, || "only text can stand here: it is left out".to_owned());
    }
    text.map(NewText::Node)
}

/// Several texts as one.
pub(crate) fn joined(texts: &[NewText<'_>], between: &str) -> String {
    let mut all = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            all.push_str(between);
        }
        all.push_str(&text.spelled());
    }
    all
}

/// Adds instructions to the system's; blocks of one message are lines.
pub(crate) fn add_system(texts: &[NewText<'_>], between: &str, builder: &mut MessageBuilder) {
    if builder.is_writing() {
        return;
    }
    let text = joined(texts, between);
    if !text.is_empty() {
        builder.system.push(text);
    }
}

/// Says that a message is left out for its role.
pub(crate) fn refuse_role(
    role: Option<Node<'_>>,
    path: &Path<'_>,
    roles: &str,
    builder: &mut MessageBuilder,
) {
    builder.error(&path.name("role"), || {
        let got = match any_string(role) {
            Some(role) => quoted_start(&role.spelled(), 60),
            None => kind_of(role).to_owned(),
        };
        format!("a role must be {roles}, not {got}; the message is left out")
    });
}

/// The message if it is an object; otherwise a problem.
pub(crate) fn message_object<'a>(
    value: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> Option<Node<'a>> {
    let message = object(Some(value));
    if message.is_none() {
        builder.error(path, || {
            let got = kind_of(Some(value));
            format!("expected a message, which is an object, got {got}; it is left out")
        });
    }
    message
}

/// A tool of a body; a problem if it has no name, or no place.
pub(crate) fn read_tool(
    tool: ToolFields<'_>,
    rest: &NewFields<'_>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) {
    let Some(name) = string(tool.name) else {
        return builder.warn("schema", path, || {
            "only tools with a name and a schema have a place: it is left out".to_owned()
        });
    };
    builder.leave_out(rest, path);
    if builder.is_writing() {
        return;
    }
    let mut fields = NewFields::one("name", Value::Node(name));
    let strict = tool.strict.filter(|strict| strict.kind().is_bool());
    let others = [
        ("description", any_string(tool.description)),
        ("inputSchema", object(tool.schema)),
        ("strict", strict),
    ];
    for (name, value) in others {
        if let Some(value) = value {
            fields.set(name, Value::Node(value));
        }
    }
    let mut json = Vec::new();
    fields.write(&mut json);
    builder.tools.push(json);
}

/// The input of a call: an object as it is; anything else becomes `{value: …}`, with a problem.
pub(crate) fn read_input<'a>(
    input: Option<Node<'a>>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> CallInput<'a> {
    match input.map_or(Kind::Missing, |input| input.kind()) {
        Kind::Missing | Kind::Null | Kind::EmptyString => CallInput::Empty,
        Kind::Object => input.map_or(CallInput::Empty, CallInput::Node),
        _ => {
            no_object(kind_of(input), path, builder);
            CallInput::Field("value", input)
        }
    }
}

fn no_object(kind: &str, path: &Path<'_>, builder: &mut MessageBuilder) {
    builder.warn("RP-8", path, || {
        format!("arguments must be an object, not {kind}: they become {{\"value\": …}}")
    });
}

/// The input of a call whose arguments are a string; the string is kept in `state` unless `JSON.stringify` writes it so.
pub(crate) fn read_arguments<'a>(
    arguments: Option<Node<'a>>,
    path: &Path<'_>,
    state: &mut NewFields<'a>,
    builder: &mut MessageBuilder,
) -> CallInput<'a> {
    let Some(given) = given(arguments) else { return CallInput::Empty };
    match given.kind() {
        Kind::EmptyString => return CallInput::Empty,
        Kind::Object => return CallInput::Node(given),
        kind if kind.is_string() => {}
        _ => {
            builder.warn("RP-8", path, || {
                let kind = kind_of(arguments);
                format!("arguments must be a string, not {kind}: they become {{\"value\": …}}")
            });
            return CallInput::Field("value", arguments);
        }
    }
    let mut tape = std::mem::take(&mut builder.tape);
    let (json, has_halves) = json_in(given, &mut tape);
    let input = if let Some(text) = json {
        let is_own = builder.is_writing() && is_stringified(&text);
        if has_halves || !is_own {
            state.set("arguments", Value::Node(given));
        }
        input_of(tape.root_of(&text), &text, is_own, path, builder)
    } else {
        builder.warn("RP-1", path, || {
            "these arguments are not JSON: the input is {}, the text is in the metadata".to_owned()
        });
        state.set("arguments", Value::Node(given));
        CallInput::Empty
    };
    builder.tape = tape;
    input
}

/// The JSON that a string has, which is on the tape then, and whether it has halves of surrogate pairs. `None` if it is not
/// JSON.
pub(crate) fn json_in<'a>(text: Node<'a>, tape: &mut Tape) -> (Option<Cow<'a, str>>, bool) {
    let (text, has_halves) = decoded(text);
    let end = tape.read_foreign(&text);
    let is_json = end.is_ok_and(|end| skip_space(text.as_bytes(), end) == text.len());
    (is_json.then_some(text), has_halves)
}

/// The input that arguments are; `is_own` says that `JSON.stringify` writes them as they are.
fn input_of<'a>(
    root: Node<'_>,
    text: &str,
    is_own: bool,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> CallInput<'a> {
    match root.kind() {
        Kind::Object if !builder.is_writing() => CallInput::Empty,
        Kind::Object if is_own => CallInput::Json(text.into()),
        Kind::Object => CallInput::Json(json_of(root)),
        Kind::EmptyString => CallInput::Empty,
        kind => {
            // `null` counts as an array that has it: it is a value, and none is no input.
            let is_null = kind == Kind::Null;
            no_object(if is_null { "an array" } else { kind_of(Some(root)) }, path, builder);
            let value = if is_null { "[null]".to_owned() } else { json_of(root) };
            CallInput::Json(format!("{{\"value\":{value}}}"))
        }
    }
}

/// The string, and whether it has halves of surrogate pairs. These stand in it as escapes.
fn decoded(text: Node<'_>) -> (Cow<'_, str>, bool) {
    let plain = text.str().unwrap_or_default();
    if !text.is_escaped() || !plain.contains(char::REPLACEMENT_CHARACTER) {
        return (plain, false);
    }
    let spelled = text.spelled();
    let mut out = String::with_capacity(spelled.len());
    let mut has_halves = false;
    let mut rest = &*spelled;
    while let Some(slash) = rest.find('\\') {
        let (before, escape) = rest.split_at_checked(slash).unwrap_or((rest, ""));
        out.push_str(before);
        let length = if escape.starts_with("\\u") { 6 } else { 2 };
        let (one, next) = escape.split_at_checked(length).unwrap_or((escape, ""));
        if one.starts_with("\\ud") {
            has_halves = true;
            out.push_str(one);
        } else {
            out.push_str(&apex_parts_json::tape::unescape(one.as_bytes()));
        }
        rest = next;
    }
    out.push_str(rest);
    (out.into(), has_halves)
}

/// A problem, and the JSON of a value for which an output has no place.
pub(crate) fn text_in_output<'a>(
    value: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> NewText<'a> {
    builder.warn("schema", path, || {
        "an output has no place for it: its JSON is in the output".to_owned()
    });
    output_text(Some(value), builder)
}

/// The output that a value is: a string as it is, of everything else its JSON, which only written messages have.
pub(crate) fn output_text<'a>(value: Option<Node<'a>>, builder: &MessageBuilder) -> NewText<'a> {
    match any_string(value).is_some() || builder.is_writing() {
        true => json_text(value),
        false => NewText::EMPTY,
    }
}

/// The object with its type, which is a string; otherwise a problem.
pub(crate) fn typed<'a>(
    value: Node<'a>,
    path: &Path<'_>,
    what: &str,
    builder: &mut MessageBuilder,
) -> Option<Node<'a>> {
    let kind = object(Some(value)).and_then(|value| string(field(value, "type")));
    if kind.is_none() {
        builder.error(path, || {
            let got = kind_of(Some(value));
            format!("expected a {what} with a `type`, got {got}; it is left out")
        });
    }
    kind
}

//! Files of items, and what came of their calls.

use crate::builder::MessageBuilder;
use crate::parts::{CallOutcome, NewFile, NewPart, PartContent};
use crate::shared::{output_text, text_in_output};
use crate::values::{
    NewFields, NewText, Value, any_string, array, data_url, field, given, is, mime_of, object,
    others, pick, stated_mime, string,
};
use apex_parts_json::float;
use apex_parts_json::tape::Node;
use apex_parts_model::view::is_blank;
use apex_parts_model::{Kind, Path, View};

pub(crate) const KEY: &str = "openai";

/// A file of the user or of an output; `None` if it is known to OpenAI alone.
pub(crate) fn file_of<'a>(block: Node<'a>) -> Option<NewPart<'a>> {
    let names = ["type", "image_url", "file_data", "file_url", "filename", "detail", "input_audio"];
    let [kind, image, data, address, name, detail, audio] = pick(block, &names).values;
    let is_image = is(kind, "input_image") || is(kind, "computer_screenshot");
    let image = string(object(image).and_then(|image| field(image, "url"))).or(string(image));
    if let Some(image) = image.filter(|_| is_image) {
        let mut rest = others(block, &["type", "image_url", "detail"]);
        if let Some(detail) = given(detail).filter(|_| !is(detail, "auto")) {
            rest.set("detail", Value::Node(detail));
        }
        let mime = mime_of(image, "image/*");
        let file = NewFile { mime, url: NewText::Node(image), filename: None };
        return Some(NewPart::kept(PartContent::File(file), KEY, rest));
    }
    let url = string(data).or(string(address));
    if let Some(url) = url.filter(|_| is(kind, "input_file")) {
        let name = string(name);
        let is_address =
            any_string(address).is_some_and(|address| address.spelled() == url.spelled());
        let from = if is_address { "file_url" } else { "file_data" };
        let known: &[&str] =
            if name.is_some() { &["type", from, "filename"] } else { &["type", from] };
        let mime = stated_mime(url).unwrap_or_else(|| match name {
            Some(name) => mime_of(name, "application/pdf"),
            None => NewText::Spelled("application/pdf".into()),
        });
        let filename = name.map(NewText::Node);
        let file = NewFile { mime, url: NewText::Node(url), filename };
        return Some(NewPart::kept(PartContent::File(file), KEY, others(block, known)));
    }
    let audio = object(audio).filter(|_| is(kind, "input_audio"))?;
    let [data, format] = pick(audio, &["data", "format"]).values.map(any_string);
    let mime = ["audio/", &format?.spelled()].concat();
    let url = data_url(&mime, data?);
    let file = NewFile { mime: NewText::Spelled(mime.into()), url, filename: None };
    Some(NewPart::kept(PartContent::File(file), KEY, NewFields::default()))
}

fn plain(text: &'static str) -> Vec<NewText<'static>> {
    vec![NewText::Spelled(text.into())]
}

/// What an output item of the program says.
pub(crate) fn outcome_of<'a>(
    item: Node<'a>,
    path: &Path<'_>,
    builder: &mut MessageBuilder,
) -> CallOutcome<'a> {
    let names = ["type", "status", "output", "tools"];
    let [kind, status, output, tools] = pick(item, &names).values;
    if is(kind, "mcp_approval_response") {
        return approval_of(item);
    }
    let is_error = is(status, "failed");
    let mut outcome = CallOutcome { is_error, ..CallOutcome::default() };
    if let Some(screenshot) = object(output)
        && is(field(screenshot, "type"), "computer_screenshot")
        && let Some(file) = file_of(screenshot)
    {
        outcome.files.push(file);
        return outcome;
    }
    let is_search = is(kind, "tool_search_output");
    let Some(list) = array(output).filter(|_| !is_search) else {
        let value = given(if is_search { tools } else { output });
        outcome.text.push(output_text(value, builder));
        return outcome;
    };
    let within = path.name("output");
    if is(kind, "shell_call_output") {
        shell_outcome(list, &within, &mut outcome, builder);
        return outcome;
    }
    builder.each(Some(list), &within, &mut |builder, value, at, _| {
        let text = object(Some(value)).and_then(|block| any_string(field(block, "text")));
        if let Some(text) = text {
            return outcome.text.push(NewText::Node(text));
        }
        match file_of(value) {
            Some(file) => outcome.files.push(file),
            None => outcome.text.push(text_in_output(value, at, builder)),
        }
    });
    outcome
}

/// A person's answer to a request for an approval.
fn approval_of(item: Node<'_>) -> CallOutcome<'_> {
    let [approve, id, reason] = pick(item, &["approve", "approval_request_id", "reason"]).values;
    let is_approved = approve.is_some_and(|approve| approve.kind() == Kind::True);
    let reason = string(reason);
    let mut approval = NewFields::default();
    if let Some(id) = given(id) {
        approval.set("id", Value::Node(id));
    }
    approval.set("approved", if is_approved { Value::True } else { Value::False });
    if let Some(reason) = reason {
        approval.set("reason", Value::Node(reason));
    }
    let said = reason.filter(|reason| !is_blank(&reason.str().unwrap_or_default()));
    let text = match said {
        Some(reason) => vec![NewText::Node(reason)],
        None => plain(if is_approved { "approved" } else { "denied" }),
    };
    let state = Some(("approval", approval));
    CallOutcome { text, is_error: !is_approved, state, ..CallOutcome::default() }
}

/// What commands wrote; the exit code is that of the last one which failed.
fn shell_outcome<'a>(
    list: Node<'a>,
    path: &Path<'_>,
    outcome: &mut CallOutcome<'a>,
    builder: &mut MessageBuilder,
) {
    let mut exit = None;
    builder.each(Some(list), path, &mut |_, value, _, _| {
        let [stdout, stderr, own] = pick(value, &["stdout", "stderr", "outcome"]).values;
        for text in [string(stdout), string(stderr)].into_iter().flatten() {
            outcome.text.push(NewText::Node(text));
        }
        let code = object(own).and_then(|own| field(own, "exit_code"));
        let Some(code) = code.filter(|code| code.kind() == Kind::Number) else { return };
        let json = std::str::from_utf8(code.json()).unwrap_or_default();
        if exit.is_none() || float::parse(json) != Some(0.0) {
            exit = Some(code);
        }
    });
    if let Some(exit) = exit {
        outcome.details = Some(NewFields::one("exit", Value::Node(exit)));
    }
}

/// What the provider's own call came to, if its item says so.
pub(crate) fn provider_outcome<'a>(
    item: Node<'a>,
    builder: &MessageBuilder,
) -> Option<CallOutcome<'a>> {
    let names = [
        "output", "outputs", "result", "results", "content", "tools", "status", "error", "call_id",
    ];
    let [values @ .., status, error, call_id] = pick(item, &names).values;
    let value = values.into_iter().find_map(given);
    let error = given(error);
    let is_failed = is(status, "failed") || is(status, "incomplete");
    let said = error.or(value).or(status.filter(|_| is_failed));
    let text = match said {
        Some(said) => vec![output_text(Some(said), builder)],
        // The output of a call with a `call_id` is an item of its own.
        None if is(status, "in_progress") || string(call_id).is_some() => return None,
        None => plain("completed"),
    };
    let is_error = error.is_some() || is_failed;
    Some(CallOutcome { text, is_error, ..CallOutcome::default() })
}

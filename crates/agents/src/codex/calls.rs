//! Codex's calls: their tools, arguments and ids; those that are whole at once with their results.

use super::output::fail_by;
use crate::arguments::arguments;
use crate::fields::{of_kind, pick, raw, string, token};
use crate::log::SharedText;
use crate::log::log_call::{LogCall, LogResult};
use crate::log::log_part::LogPart;
use apex_parts_json::tape::Node;
use apex_parts_json::writer::object;
use apex_parts_model::{Kind, View};

/// The call that an item of this type is; `None` if it is none.
pub(crate) fn call_of(kind: &str, item: Node<'_>, json: &str, at: f64) -> Option<LogCall> {
    let names = ["call_id", "id", "name", "arguments", "input", "namespace", "action"];
    let [call_id, id, name, given, input, namespace, action] = pick(item, names);
    let mut call = LogCall { start: at, ..LogCall::default() };
    // The tools of the provider have no name of their own.
    let mut own_id = None;
    match kind {
        "function_call" => {
            call.tool = string(name).unwrap_or_default().into_owned();
            call.input = arguments(given, json);
            if let Some(namespace) = namespace.filter(|space| !space.kind().is_nullish()) {
                call.metadata.push(("namespace".into(), raw(namespace, json).into()));
            }
        }
        "custom_tool_call" => {
            call.tool = string(name).unwrap_or_default().into_owned();
            call.input = arguments(input, json);
        }
        "local_shell_call" => {
            "local_shell".clone_into(&mut call.tool);
            call.input = without_type(action, json);
            own_id = string(id);
        }
        "tool_search_call" => {
            "tool_search".clone_into(&mut call.tool);
            call.input = arguments(given, json);
            own_id = string(id);
        }
        "web_search_call" => {
            "web_search".clone_into(&mut call.tool);
            call.input = arguments(action, json);
            call.result = Some(whole(item, json, at));
            own_id = string(id);
        }
        "image_generation_call" => {
            "image_generation".clone_into(&mut call.tool);
            call.input = prompt(item, json);
            call.result = Some(whole(item, json, at));
            own_id = string(id);
        }
        _ => return None,
    }
    call.call_id = string(call_id).or(own_id).unwrap_or_default().into_owned();
    Some(call)
}

/// The action of a shell call but for its type, which is always the same.
fn without_type(action: Option<Node<'_>>, json: &str) -> SharedText {
    let Some(fields) = of_kind(action, Kind::Object) else { return arguments(action, json) };
    let mut input = String::new();
    object(&mut input, |input| {
        for (key, value) in fields.fields() {
            let name = apex_parts_json::tape::unescape(key.raw().unwrap_or_default());
            if name != "type" {
                input.foreign_key(&name).push_str(raw(value, json));
            }
        }
    });
    input.into()
}

fn prompt(item: Node<'_>, json: &str) -> SharedText {
    let [prompt, revised] = pick(item, ["prompt", "revised_prompt"]);
    let prompt = of_kind(prompt, Kind::String).or_else(|| of_kind(revised, Kind::String));
    let mut input = String::new();
    object(&mut input, |input| {
        if let Some(prompt) = prompt {
            input.key("prompt").push_str(raw(prompt, json));
        }
    });
    input.into()
}

/// The result of a call that the provider made itself; an image is an attachment.
fn whole(item: Node<'_>, json: &str, at: f64) -> LogResult {
    let [status, image] = pick(item, ["status", "result"]);
    let mut result = LogResult { end: at, ..LogResult::default() };
    fail_by(status, &mut result);
    if let Some(image) = of_kind(image, Kind::String) {
        result.attachments.push(LogPart::file_of(token(image, json), "image/png", None));
    }
    result
}

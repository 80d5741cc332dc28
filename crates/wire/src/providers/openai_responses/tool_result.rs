//! The results of calls, which come in the item of the call or in an item of their own.

use super::texts::KEY;
use crate::providers::output::set_meta;
use crate::providers::part_state::StateFields;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_model::delta::ReaderOutput;

/// The types of calls that run on the server and whose result has no item of its own. It may be left out: then the
/// status stands in its place.
const SERVED: &[&str] = &[
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_call",
];

/// Emits the result of a call, if the call's own item has it; `provider` is state of the call.
pub(crate) fn result_of_call(
    call: &str,
    kind: &str,
    item: Val<'_>,
    provider: Option<String>,
    out: &mut Sink<'_>,
) {
    let [error, status] = item.fields(&["error", "status"]);
    let outcome = item.fields(&["output", "outputs", "result", "results", "content"]);
    let value = outcome.into_iter().find(|v| v.exists());
    let is_error = error.exists() || status.text() == "failed";
    let is_call = matches!(kind, "function_call" | "custom_tool_call");
    let content = match value {
        _ if error.exists() => error,
        Some(value) => value,
        None if is_error && !is_call => status,
        None if status.text() == "completed" && SERVED.contains(&kind) => status,
        None => return,
    };
    let (content, provider) = (content.json().into(), provider.map(Into::into));
    out(ReaderOutput::ToolResult { id: call.into(), is_error, content, provider });
}

/// Emits the result in an item of its own; `last` is the id of the call if the item names none.
/// `number` is that of the item.
pub(crate) fn result_of(item: Val<'_>, last: &str, number: u64, out: &mut Sink<'_>) {
    let [call, status] = item.fields(&["call_id", "status"]);
    let call = call.text();
    let id = if call.is_empty() { last } else { &call };
    if id.is_empty() {
        return set_meta(out, "output", item.value());
    }
    let contents = item.fields(&["output", "outputs", "result", "results", "content", "tools"]);
    let content = contents.into_iter().find(|content| content.exists()).unwrap_or_default();
    let is_error = matches!(&*status.text(), "failed" | "incomplete");
    let mut state = StateFields::new(KEY);
    state.value("result", item).number("resultIndex", number);
    let (content, provider) = (content.json().into(), state.take().map(Into::into));
    out(ReaderOutput::ToolResult { id: id.into(), is_error, content, provider });
}

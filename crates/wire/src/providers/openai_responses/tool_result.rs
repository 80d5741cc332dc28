//! The results of calls, which come in the item of the call or in an item of their own.

use crate::providers::output::set_meta;
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_model::delta::ReaderOutput;

/// Emits the result of a call, if the call's own item has it.
pub(crate) fn result_of_call(call: &str, kind: &str, item: Val<'_>, out: &mut Sink<'_>) {
    let [error, status] = item.fields(&["error", "status"]);
    let outcome = item.fields(&["output", "outputs", "result", "results", "content"]);
    let value = outcome.into_iter().find(|v| v.exists());
    let is_error = error.exists() || status.text() == "failed";
    let is_call = matches!(kind, "function_call" | "custom_tool_call");
    let content = match value {
        _ if error.exists() => error,
        Some(value) => value,
        None if is_error && !is_call => status,
        None => return,
    };
    let content = content.json().into();
    out(ReaderOutput::ToolResult { id: call.into(), is_error, content, provider: None });
}

/// Emits the result in an item of its own; `last` is the id of the call if the item names none.
pub(crate) fn result_of(item: Val<'_>, last: &str, out: &mut Sink<'_>) {
    let [call, status] = item.fields(&["call_id", "status"]);
    let call = call.text();
    let id = if call.is_empty() { last } else { &call };
    if id.is_empty() {
        return set_meta(out, "output", item.value());
    }
    let contents = item.fields(&["output", "outputs", "result", "results", "content", "tools"]);
    let content = contents.into_iter().find(|content| content.exists()).unwrap_or_default();
    let is_error = matches!(&*status.text(), "failed" | "incomplete");
    out(ReaderOutput::ToolResult {
        id: id.into(),
        is_error,
        content: content.json().into(),
        provider: None,
    });
}

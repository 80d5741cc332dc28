//! What a chunk's `delta` must have, and its content and reasoning where they are lists.

use crate::providers::checks::{may_string, must, must_object};
use crate::providers::output::{append_meta, emit};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_model::Violation;
use apex_parts_model::delta::Payload;

/// Checks the fields of a chunk's `delta`.
pub(crate) fn check_delta(delta: Val<'_>) -> Result<(), Violation> {
    let [content, reasoning, calls, call] =
        delta.fields(&["content", "reasoning_content", "tool_calls", "function_call"]);
    if !content.is_array() {
        may_string(content, "delta.content")?;
    }
    may_string(reasoning, "delta.reasoning_content")?;
    must(call.is_object() || !call.exists(), "delta.function_call", "an object", call)?;
    must(calls.is_array() || !calls.exists(), "delta.tool_calls", "an array", calls)?;
    calls.items().chain(call.exists().then_some(call)).try_for_each(|call| {
        must_object(call, "delta.tool_calls[]")?;
        let [id, at, function] = call.fields(&["id", "index", "function"]);
        may_string(id, "delta.tool_calls[].id")?;
        must(at.index().is_some() || !at.exists(), "delta.tool_calls[].index", "a number", at)?;
        let fits = function.is_object() || !function.exists();
        must(fits, "delta.tool_calls[].function", "an object", function)?;
        let [name, args] =
            if function.exists() { function } else { call }.fields(&["name", "arguments"]);
        may_string(name, "function.name")?;
        let fits = args.is_string() || args.is_object() || !args.exists();
        must(fits, "function.arguments", "a string", args)
    })
}

/// Emits an element of `content`, if that is a list.
pub(crate) fn content_item(item: Val<'_>, out: &mut Sink<'_>) {
    let [kind, text, thinking] = item.fields(&["type", "text", "thinking"]);
    match &*kind.text() {
        "text" => {
            if let Some(piece) = text.piece() {
                emit(out, Payload::Text(piece));
            }
        }
        "thinking" => {
            let inner = thinking.items().map(|part| part.get("text"));
            for piece in inner.chain([thinking]).filter_map(Val::piece) {
                emit(out, Payload::Thinking(piece));
            }
        }
        "reference" => append_meta(out, "references", item.value()),
        _ => append_meta(out, "content", item.value()),
    }
}

/// Emits an element of OpenRouter's `reasoning_details`. Its text is left out if `has_reasoning`:
/// then the chunk has the same text in `reasoning`.
pub(crate) fn reasoning_detail(detail: Val<'_>, has_reasoning: bool, out: &mut Sink<'_>) {
    let [text, summary, data, signature] = detail.fields(&["text", "summary", "data", "signature"]);
    if !has_reasoning {
        for piece in [text, summary].into_iter().filter_map(Val::piece) {
            emit(out, Payload::Thinking(piece));
        }
    }
    if data.exists() || signature.exists() {
        append_meta(out, "reasoningDetails", detail.value());
    }
}

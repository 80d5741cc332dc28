//! The fields of the AI SDK's records, in the spellings of its dialects.

use crate::providers::part_state::other_fields;
use apex_parts_json::record::Val;

/// The fields of a record that are read, beside those of its kind.
pub(crate) const OWN: &[&str] = &[
    "type",
    "finishReason",
    "rawFinishReason",
    "messageMetadata",
    "usage",
    "totalUsage",
    "providerMetadata",
];
/// The fields of a record of a call that have a place of their own.
pub(crate) const OWN_OF_CALL: &[&str] = &[
    "type",
    "id",
    "toolCallId",
    "toolName",
    "input",
    "rawInput",
    "inputEncoding",
    "errorText",
    "providerMetadata",
];

/// The ids of the response and of the model that begins with this record.
pub(crate) fn ids_of(root: Val<'_>) -> (Val<'_>, Val<'_>) {
    if root.get("type").text() == "response-metadata" {
        let [id, model] = root.fields(&["id", "modelId"]);
        return (id, model);
    }
    let [id, meta] = root.fields(&["messageId", "messageMetadata"]);
    let [model_id, model] = meta.fields(&["modelId", "model"]);
    (id, if model_id.is_string() { model_id } else { model })
}

/// The id of a call, which the parts of a model spell in two ways.
pub(crate) fn id_of_call(root: Val<'_>) -> Val<'_> {
    let [call, id] = root.fields(&["toolCallId", "id"]);
    if call.is_string() { call } else { id }
}

/// The objects of an object, as JSON text with commas between its fields: state of a provider is an object.
pub(crate) fn objects_of(of: Val<'_>) -> String {
    let others: Vec<_> = of.entries().filter(|(_, value)| !value.is_object()).collect();
    let others: Vec<&str> = others.iter().map(|(name, _)| &**name).collect();
    other_fields(of, &others)
}

/// The state of a call.
pub(crate) fn state_of_call(root: Val<'_>) -> Option<String> {
    let [meta, executed] = root.fields(&["providerMetadata", "providerExecuted"]);
    let mut fields = if meta.is_object() { objects_of(meta) } else { String::new() };
    if executed.is_true() {
        let comma = if fields.is_empty() { "" } else { "," };
        fields = format!("{fields}{comma}\"providerExecuted\":true");
    }
    (!fields.is_empty()).then(|| format!("{{{fields}}}"))
}

/// A piece of a call's input.
pub(crate) fn piece_of_input(root: Val<'_>) -> Val<'_> {
    let [input, delta] = root.fields(&["inputTextDelta", "delta"]);
    if input.is_string() { input } else { delta }
}

/// A piece of text or reasoning: `delta`, `text` of `fullStream`, `textDelta` of the first version.
pub(crate) fn piece_of_text(root: Val<'_>) -> Val<'_> {
    let [delta, text, old] = root.fields(&["delta", "text", "textDelta"]);
    [delta, text, old].into_iter().find(|piece| piece.is_string()).unwrap_or(delta)
}

/// Is the record one of a call?
pub(crate) fn is_of_call(kind: &str) -> bool {
    kind.starts_with("tool-input-")
        || kind.starts_with("tool-output-")
        || matches!(kind, "tool-call" | "tool-result" | "tool-error")
}

/// The types of records, and the fields of which one is a string beside them: others have such words too.
pub(crate) const SIGNS: &[(&[&str], &[&str])] = &[
    (&["start"], &["messageId"]),
    (&["text-start", "text-delta", "text-end", "reasoning-start", "reasoning-delta"], &["id"]),
    (&["reasoning-end", "tool-input-end"], &["id"]),
    (&["response-metadata"], &["id", "modelId"]),
    (
        &["tool-input-start", "tool-input-delta", "tool-input-available", "tool-input-error"],
        &["toolCallId", "id"],
    ),
    (&["tool-output-available", "tool-output-error", "tool-output-denied"], &["toolCallId"]),
    (&["tool-call", "tool-result", "tool-error"], &["toolCallId"]),
    (&["tool-approval-request"], &["approvalId", "toolCallId"]),
    (&["start-step", "finish-step", "message-metadata", "source-url", "source-document"], &[]),
];

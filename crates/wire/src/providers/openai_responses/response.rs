//! The object that a response is in its own events.

use apex_parts_json::record::Val;

/// The fields of a response that are not put in `meta.provider`: those read elsewhere, and long
/// ones that repeat the request.
pub(crate) const OWN: &[&str] = &[
    "id",
    "object",
    "model",
    "output",
    "status",
    "usage",
    "error",
    "tools",
    "instructions",
    "input",
    "prompt",
];

/// Is the record a whole answer that was not streamed?
pub(crate) fn is_whole(root: Val<'_>) -> bool {
    let [object, output, kind] = root.fields(&["object", "output", "type"]);
    object.text() == "response" && output.is_array() && !kind.exists()
}

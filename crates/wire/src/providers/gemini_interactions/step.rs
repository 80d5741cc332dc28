//! What is known of a step until it stops.

use apex_parts_json::saved::state;
use serde_json::Value;

/// An open step.
#[derive(Clone, Debug, Default)]
pub(crate) struct InteractionStep {
    /// The type of the call that it is; empty if it is none.
    pub(crate) kind: String,
    /// The name of the tool.
    pub(crate) name: String,
    /// The id of the call; empty until it has started.
    pub(crate) call: String,
    /// The arguments as they came last, as JSON text; they count if no pieces came.
    pub(crate) input: String,
    /// A piece of arguments has come.
    pub(crate) has_pieces: bool,
    /// Fields of the call that are kept, until it has an id.
    pub(crate) more: Value,
    /// The result that it is, as `[id, is an error, content]`.
    pub(crate) result: Value,
    /// Its element in `meta.provider.signatures`, counted from 1.
    pub(crate) signature: u64,
}

state!(InteractionStep { kind, name, call, input, has_pieces, more, result, signature });

//! The content blocks of a message, and what is known of one until it stops.

use apex_parts_json::saved::state;
use serde_json::Value;

/// An open block. Text needs no state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ConverseBlock {
    /// The id of the call that it is; empty if it is none.
    pub(crate) call: String,
    /// The id of the call whose result it is; empty if it is none.
    pub(crate) result: String,
    /// The result is an error.
    pub(crate) is_error: bool,
    /// The pieces of the result.
    pub(crate) pieces: Vec<Value>,
    /// Its element in `meta.provider.signatures`, counted from 1.
    pub(crate) signature: u64,
    /// Its element in `meta.provider.redactedThinking`, counted from 1.
    pub(crate) redacted: u64,
}

state!(ConverseBlock { call, result, is_error, pieces, signature, redacted });

/// How many elements the lists in `meta.provider` have to which blocks add later.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConverseLists {
    pub(crate) signatures: u64,
    pub(crate) redacted: u64,
}

state!(ConverseLists { signatures, redacted });

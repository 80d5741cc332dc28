//! What every agent program needs, written once: the message **part** model, the tool **state** machine,
//! the validator, stream assembly, loop detection and transcripts; for Rust, and through `src/wasm/` for
//! JavaScript.
//!
//! Each module is a crate of its own, `apex-parts-NAME`, that can be used alone. Data flows from left to right, and a
//! crate uses only those to its left, [`json`] and [`model`]:
//!
//! ```text
//! provider bytes ─ wire ─▶ MessageDelta ─ assemble ─▶ Message ─▶ WithParts ─ validate ─▶ Problem
//!                                           └─▶ Change (what a screen redraws)
//! file bytes ─ transcript (scan → index → materialise) ─▶ WithParts ─ validate ─▶ Problem
//!                                                             └─ convert ─▶ UI messages, HTML
//! tool calls, results, text ─ loops ─▶ Verdict
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`model`] | parts, messages, tool states, ids, problems, errors: plain data and its own rules |
//! | [`json`] | all reading and writing of JSON: scanning, a tape of values, completion of cut-off JSON, the writer |
//! | [`wire`] | SSE and NDJSON framing; the reader of deltas, and one of each provider's format |
//! | [`assemble`] | deltas into messages: the stream contract, changes, snapshots |
//! | [`validate`] | the validator: one function per rule, named by its rule |
//! | [`compaction`] | a history within a model's context: estimate, prune, plan, summary, view, undo |
//! | [`loops`] | detection of agents that run in loops, while they run, with evidence |
//! | [`recorder`] | the events of an engine, as parts and events |
//! | [`tools`] | the rules of tools: permissions, shell commands, edits, diffs, globs, schemas, HTML |
//! | [`skills`] | `SKILL.md` files: their YAML, their rules, the list of them |
//! | [`mcp`] | servers of the Model Context Protocol: names, URIs, definitions of tools, results |
//! | [`redact`] | what should not be shared: found in texts and values, and masked |
//! | [`transcript`] | files: scanned once into an index, read into values on demand |
//! | [`sqlite`] | databases of SQLite: the rows of their tables, whole or damaged |
//! | [`convert`] | to AI SDK UI messages, messages of a run, Markdown and safe HTML |
//! | `wasm` | the only code that knows JavaScript: conversions only |
//!
//! Features choose crates. On by default: `compaction`, `convert`, `providers` (the stream formats of providers),
//! `redact`, `tools` (with the shell), `skills`, `mcp` and `transcript`, and in WebAssembly `parts`, the calls from
//! JavaScript. Off by default: `builtins`, the calls of the built-in tools, for a WebAssembly module of their own.

pub use apex_parts_assemble as assemble;
pub use apex_parts_compaction as compaction;
pub use apex_parts_json as json;
pub use apex_parts_loops as loops;
#[cfg(feature = "mcp")]
pub use apex_parts_mcp as mcp;
pub use apex_parts_model as model;
pub use apex_parts_recorder as recorder;
#[cfg(feature = "redact")]
pub use apex_parts_redact as redact;
#[cfg(feature = "skills")]
pub use apex_parts_skills as skills;
#[cfg(feature = "transcript")]
pub use apex_parts_sqlite as sqlite;
#[cfg(feature = "transcript")]
pub use apex_parts_transcript as transcript;
pub use apex_parts_validate as validate;
pub use apex_parts_wire as wire;

/// Conversions of messages: to UI messages of the AI SDK, and with the feature `convert` to messages of a run, Markdown,
/// safe HTML and sessions of OpenCode.
pub mod convert {
    #[cfg(feature = "convert")]
    pub use apex_parts_convert::*;
    pub use apex_parts_ui_messages::{SdkVersion, ui_messages, ui_messages_for};
}

/// The rules of tools, without their hosts: edits, diffs, lines, globs, schemas, HTML; commands of bash and permissions.
#[cfg(any(feature = "tools", feature = "builtins"))]
pub mod tools {
    pub use apex_parts_shell::{permission, shell, wildcard};
    pub use apex_parts_tools::*;
}

// Without the calls for parts, most of what they share is not used.
#[cfg(target_arch = "wasm32")]
#[cfg_attr(not(feature = "parts"), allow(dead_code))]
pub mod wasm;

//! What every agent program needs, written once: the message **part** model, the tool **state** machine,
//! the validator, stream assembly, loop detection and transcripts; for Rust, and through `src/wasm/` for
//! JavaScript.
//!
//! Data flows from left to right, and a module uses only those to its left, [`json`] and [`model`]:
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
//! | [`convert`] | to AI SDK UI messages, messages of a run, Markdown and safe HTML |
//! | `wasm` | the only code that knows JavaScript: conversions only |
//!
//! Features, on by default: `compaction` (its calls from JavaScript), `convert` (messages of a run, Markdown, HTML), `providers` (the stream formats of
//! six providers), `redact`, `tools`, `skills`, `mcp` and `transcript` (the modules of those names; the latter with `providers`), and in
//! WebAssembly `parts`, the calls from JavaScript. Off by default: `builtins`, the calls of the built-in tools,
//! for a WebAssembly module of their own.

pub mod assemble;
pub mod compaction;
pub mod convert;
pub mod json;
pub mod loops;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod model;
#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "../tests/contract/recorded.rs"]
mod recorded;
pub mod recorder;
#[cfg(feature = "redact")]
pub mod redact;
#[cfg(feature = "skills")]
pub mod skills;
#[cfg(any(feature = "tools", feature = "builtins", feature = "transcript"))]
pub mod tools;
#[cfg(feature = "transcript")]
pub mod transcript;
pub mod validate;
// Without the calls for parts, most of what they share is not used.
#[cfg(target_arch = "wasm32")]
#[cfg_attr(not(feature = "parts"), allow(dead_code))]
pub mod wasm;
pub mod wire;

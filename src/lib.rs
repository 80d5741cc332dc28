//! What every agent program writes again, written once: the message **part** model, the tool
//! **state** machine and the validator; for Rust, and through `src/wasm/` for JavaScript.
//!
//! The way of the data is from left to right, and a module uses only those to its left and
//! [`model`]:
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
//! | [`json`] | all reading and writing of JSON: values where they stand, a tape, the completion of what is cut, the writer |
//! | [`wire`] | SSE and NDJSON framing; one reader a format of a provider |
//! | [`assemble`] | deltas into messages: the stream contract, partial JSON, changes, snapshots |
//! | [`validate`] | the validator: one function a rule, named by its rule |
//! | [`loops`] | agents that run in circles: told as it happens, with evidence |
//! | [`recorder`] | what an engine does, as parts and events |
//! | [`transcript`] | files: scanned once into an index, made into values when asked for |
//! | [`convert`] | to AI SDK UI messages, and text to safe HTML |
//! | `wasm` | the only code that knows JavaScript; conversion only |
//!
//! Features, all on by default: `convert` (messages of a run, Markdown, HTML), `providers` (streams as six
//! providers send them), `transcript` (the module of that name, with `providers`).

pub mod assemble;
pub mod convert;
pub mod json;
pub mod loops;
pub mod model;
pub mod recorder;
#[cfg(feature = "transcript")]
pub mod transcript;
pub mod validate;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
pub mod wire;

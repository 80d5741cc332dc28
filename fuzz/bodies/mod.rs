//! The bodies of the fuzz targets. The test in `tests/contract/fuzz` runs them with fixed seeds, so
//! they also run on a machine without a fuzzer.

mod deltas;
mod dice;
mod edit;
mod files;
mod framing;
mod html;
mod partial;
mod readers;
mod shell;
mod streams;

pub use deltas::delta;
pub use edit::edit;
pub use files::{json, markdown, transcript};
pub use framing::framing;
pub use html::html;
pub use partial::partial_json;
pub use shell::shell;
pub use streams::{ai_sdk, anthropic, apex_bridge, gemini, openai_chat, openai_responses};

//! What the fuzz targets do with bytes. The test `fuzz_seeds` runs the same with fixed seeds, so that
//! a machine without a fuzzer runs them too.

mod deltas;
mod dice;
mod files;
mod framing;
mod partial;
mod readers;
mod streams;

pub use deltas::delta;
pub use files::{json, markdown, transcript};
pub use framing::framing;
pub use partial::partial_json;
pub use streams::{ai_sdk, anthropic, apex_bridge, gemini, openai_chat, openai_responses};

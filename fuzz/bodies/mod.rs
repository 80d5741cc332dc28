//! The bodies of the fuzz targets. The test in `tests/contract/fuzz` runs them with fixed seeds, so
//! they also run on a machine without a fuzzer.

mod agents;
mod compaction;
mod compaction_tokens;
mod deltas;
mod dice;
mod edit;
mod event_stream;
mod files;
mod framing;
mod glob;
mod html;
mod lines;
mod mcp;
mod mcp_content;
mod opencode;
mod partial;
mod readers;
mod redact;
mod schema;
mod shell;
mod skill;
mod streams;
mod wildcard;

pub use agents::agents;
pub use compaction::compaction;
pub use compaction_tokens::compaction_tokens;
pub use deltas::delta;
pub use edit::edit;
pub use event_stream::event_stream;
pub use files::{archive, json, markdown, transcript};
pub use framing::framing;
pub use glob::glob;
pub use html::html;
pub use lines::lines;
pub use mcp::{mcp_definition, mcp_uri};
pub use mcp_content::mcp_content;
pub use opencode::opencode;
pub use partial::partial_json;
pub use redact::redact;
pub use schema::schema;
pub use shell::shell;
pub use skill::skill;
pub use streams::provider;
pub use wildcard::wildcard;

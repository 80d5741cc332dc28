//! codex: rollouts of Codex CLI. The format is described in [`reader`].

mod call_end;
mod calls;
mod contents;
mod events;
mod fork;
mod output;
mod reader;
mod request;
mod run_file;
mod usage;

pub use reader::Codex;
pub use request::{begins_with_context, request_in};

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

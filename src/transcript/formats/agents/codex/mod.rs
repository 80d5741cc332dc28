//! codex: rollouts of Codex CLI. The format is described in [`reader`].

mod calls;
mod contents;
mod output;
mod reader;
mod usage;

pub(crate) use reader::Codex;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

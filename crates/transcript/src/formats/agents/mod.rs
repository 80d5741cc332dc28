//! Sessions of other agents: one module a format over the [log](super::log), which has the rules that all of them
//! share (`docs/transcripts.md`).

pub(crate) mod arguments;
pub(crate) mod codex;
pub(crate) mod copilot_cli;
pub(crate) mod gemini_cli;
pub(crate) mod inspect;
pub(crate) mod pi;
pub(crate) mod swe_agent;
pub(crate) mod whole_json;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod tests;

//! Sessions of other agents: one module a format over [`agent_log`], which has the rules that all of them
//! share (`docs/transcripts.md`).

pub(crate) mod agent_log;
pub(crate) mod agent_session;
pub(crate) mod arguments;
pub(crate) mod codex;
pub(crate) mod copilot_cli;
pub(crate) mod gemini_cli;
pub(crate) mod inspect;
mod log_stretches;
pub(crate) mod logged_call;
pub(crate) mod logged_message;
pub(crate) mod logged_part;
pub(crate) mod pi;
pub(crate) mod swe_agent;
pub(crate) mod whole_json;
mod write_log;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod tests;

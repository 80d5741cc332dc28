//! The contract of transcripts.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod agent_files;
mod agent_rules;
mod agents;
mod bad_input;
mod recorded_codex_and_inspect;
mod recorded_gemini_and_copilot;
mod recorded_pi_and_swe_agent;
mod refresh;
mod shown;

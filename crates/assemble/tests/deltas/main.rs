//! The contract of deltas: from the bytes of a stream to a message and its parts.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod assemble;
mod bad_input;
mod binary;
mod contract;
mod damage;
mod edges;
mod last_word;
mod laws;
mod log;
mod provider_fixtures;
mod provider_state;
mod recorded_cases;
mod recorded_providers;
mod recorded_streams;
mod refused;
mod responses;
mod snapshots;
mod streams;
mod to_parts;
mod variants;
mod wholes;

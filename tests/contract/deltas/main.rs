//! What the contract says of deltas: from the bytes of a stream to a message and its parts.
#![cfg(not(target_arch = "wasm32"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod assemble;
mod bad_input;
mod contract;
mod edges;
mod laws;
mod log;
mod provider_fixtures;
mod provider_recordings;
mod recordings;
mod refused;
mod responses;
mod streams;
mod to_parts;

//! The contract of deltas: from the bytes of a stream to a message and its parts.
#![cfg(not(target_arch = "wasm32"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod assemble;
#[cfg(feature = "full")]
mod bad_input;
mod contract;
#[cfg(feature = "full")]
mod edges;
mod laws;
mod log;
#[cfg(feature = "full")]
mod provider_fixtures;
#[cfg(feature = "full")]
#[path = "../recorded.rs"]
mod recorded;
#[cfg(feature = "full")]
mod recorded_providers;
#[cfg(feature = "full")]
mod recorded_streams;
#[cfg(feature = "full")]
mod refused;
#[cfg(feature = "full")]
mod responses;
#[cfg(feature = "full")]
mod streams;
#[cfg(feature = "full")]
mod to_parts;
#[cfg(feature = "full")]
mod variants;

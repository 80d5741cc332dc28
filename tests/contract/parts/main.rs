//! The contract of parts and messages.
#![cfg(all(not(target_arch = "wasm32"), feature = "full"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod laws;
mod recorded_sessions;

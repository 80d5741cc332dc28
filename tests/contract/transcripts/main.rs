//! What the contract says of transcripts.
#![cfg(not(target_arch = "wasm32"))]
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod bad_input;
mod refresh;

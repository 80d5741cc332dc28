//! The wasm suite in Node: `wasm-pack test --node`.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod suite;

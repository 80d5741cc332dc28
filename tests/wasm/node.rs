//! The wasm suite in Node: `wasm-pack test --node`.
#![cfg(all(target_arch = "wasm32", feature = "full"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod suite;

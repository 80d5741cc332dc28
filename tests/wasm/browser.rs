//! The wasm suite in a browser: `wasm-pack test --headless --chrome`.
#![cfg(all(target_arch = "wasm32", feature = "full"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

mod suite;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

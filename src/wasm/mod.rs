//! The only code that knows JavaScript: it turns values into handles, calls the core, and turns
//! its answers into values and errors. One file a section of the API.

pub mod check;
pub mod convert;
#[cfg(feature = "streams")]
pub mod deltas;
mod env;
pub mod errors;
mod handle;
pub mod parts;
pub mod states;
pub mod transcript;
mod types;

use wasm_bindgen::prelude::*;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    handle::start();
}

/// The version of the package, as in package.json.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

//! TypeScript declarations without a Rust type: options, errors, the types of other libraries.

mod deltas;
mod loops;
#[cfg(feature = "transcript")]
mod transcripts;

use crate::wasm::declarations::declared;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = declared(include_str!("validate.d.ts"));

#[wasm_bindgen(typescript_custom_section)]
const MODEL: &str = declared(include_str!("model.d.ts"));

/// The option objects and type aliases of apex-bridge (its `src/types/tool-state.ts`).
#[wasm_bindgen(typescript_custom_section)]
const STATE_OPTIONS: &str = declared(include_str!("states.d.ts"));

#[wasm_bindgen(typescript_custom_section)]
const UI_MESSAGES: &str = declared(include_str!("ui-messages.d.ts"));

// As methods, because method parameters are bivariant: a function with apex-bridge's own types stays
// assignable to these. scripts/build.mjs gives the functions these types.
#[wasm_bindgen(typescript_custom_section)]
const CREATING: &str = declared(include_str!("create.d.ts"));

#[wasm_bindgen(typescript_custom_section)]
const ERRORS: &str = declared(include_str!("errors.d.ts"));

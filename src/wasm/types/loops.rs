//! Declarations for the doom-loop detector.

use crate::wasm::declarations::declared;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const LOOPS: &str = declared(include_str!("loops.d.ts"));

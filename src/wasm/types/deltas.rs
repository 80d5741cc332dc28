//! Declarations for streams, deltas and the messages assembled from them.

use crate::wasm::declarations::{Declarations, declared};
use apex_parts_wire::WireFormat;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const STREAM_FORMATS: &str = declared(include_str!("stream-formats.d.ts"));

#[wasm_bindgen(typescript_custom_section)]
const WIRE_FORMAT: &str = {
    const TEXT: &Declarations = &Declarations::union(
        "/** The formats of streams. */\nexport type WireFormat = ",
        &WireFormat::NAMES,
    );
    TEXT.as_str()
};

#[wasm_bindgen(typescript_custom_section)]
const DELTAS: &str = declared(include_str!("deltas.d.ts"));

//! What `ts/requests/` asks of the module. Not part of the API: names that begin with `tools` are left out of the
//! package's entries.

use apex_parts_mcp::fingerprint::sha256;
use wasm_bindgen::prelude::*;

/// SHA-256 of a string's UTF-8, in hexadecimal: of ids and names that a provider refuses.
#[wasm_bindgen(js_name = toolsSha256, skip_typescript)]
#[must_use]
pub fn tools_sha256(text: &str) -> String {
    sha256(text)
}

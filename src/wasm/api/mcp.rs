//! What `js/mcp/` asks of what servers of the Model Context Protocol send. Not part of the API: names that begin
//! with `tools` are left out of the package's entries.

use wasm_bindgen::prelude::*;

/// The name of a tool for a model.
#[wasm_bindgen(js_name = toolsMcpName, skip_typescript)]
#[must_use]
pub fn tools_mcp_name(client: &str, tool: &str, max_length: usize) -> String {
    format!("{client}_{tool}").chars().take(max_length).collect()
}

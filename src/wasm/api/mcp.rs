//! What `ts/mcp/` asks of what servers of the Model Context Protocol send. Not part of the API: names that begin
//! with `tools` are left out of the package's entries.

use crate::wasm::handle::Scope;
use crate::wasm::host::{Problems, set};
use apex_parts_mcp::definition::{SchemaDialect, read_definition};
use apex_parts_mcp::name::{hashed_name, tool_name};
use apex_parts_mcp::uri::{UriFault, format_uri, parse_uri};
use apex_parts_model::Report;
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// The name of a tool for a model; with the hash, where another tool has the name.
#[wasm_bindgen(js_name = toolsMcpName, skip_typescript)]
#[must_use]
pub fn tools_mcp_name(client: &str, tool: &str, max: usize, hashed: bool) -> String {
    if hashed { hashed_name(client, tool, max) } else { tool_name(client, tool, max) }
}

/// The URI of a resource; a list of the rule that it breaks and what it means.
#[wasm_bindgen(js_name = toolsMcpFormatUri, skip_typescript)]
#[must_use]
pub fn tools_mcp_format_uri(server: &str, path: &str) -> JsValue {
    format_uri(server, path).map_or_else(fault, JsValue::from)
}

/// The server and the path of a URI, a list; the rule that it breaks and what it means, a list of three.
#[wasm_bindgen(js_name = toolsMcpParseUri, skip_typescript)]
#[must_use]
pub fn tools_mcp_parse_uri(uri: &str) -> JsValue {
    match parse_uri(uri) {
        Ok(uri) => js_sys::Array::of2(&(&*uri.server).into(), &(&*uri.path).into()).into(),
        Err(why) => fault(why),
    }
}

fn fault(why: UriFault) -> JsValue {
    js_sys::Array::of3(&why.rule().into(), &why.message().into(), &JsValue::TRUE).into()
}

/// What a definition is, given as JSON: `{description, parameters, fingerprint, isLeftOut, needsTask, problems}`, where the
/// parameters are JSON. `undefined` if the dialect is not known.
#[wasm_bindgen(js_name = toolsMcpDefinition, skip_typescript)]
#[must_use]
pub fn tools_mcp_definition(json: &str, dialect: &str) -> JsValue {
    let Some(dialect) = SchemaDialect::parse(dialect) else { return JsValue::UNDEFINED };
    let read = read_definition(json, dialect);
    let _scope = Scope::new();
    let mut problems = Problems::new();
    for problem in read.problems {
        problems.report(problem);
    }
    let object = Object::new();
    set(&object, "description", &read.description.into());
    set(&object, "parameters", &read.parameters.into());
    set(&object, "fingerprint", &read.fingerprint.into());
    set(&object, "isLeftOut", &read.is_left_out.into());
    set(&object, "needsTask", &read.needs_task.into());
    set(&object, "problems", &problems.list().take());
    object.into()
}

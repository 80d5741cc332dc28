//! § 4 of the API: the loops in finished messages and in transcripts.

use super::loops::{config, json_of_any, parsed};
use crate::wasm::handle::{Js, Scope};
use apex_parts_json::writer::value_text;
use wasm_bindgen::prelude::*;

/// Finds the loops in finished messages, also those that span several messages. Each loop is listed when
/// it is detected, and again if its warning becomes an interruption; it goes on as long as its calls do, and
/// `partIDs` names the parts of all of them, `places` their messages and their indices in these. Throws `PartValidationError` if a
/// setting is invalid, or (`limit`) an input or output is too large for the module's memory.
///
/// ```js
/// findLoops([], { threshold: 3 }); // []
/// ```
///
/// @param messages - The messages with their parts, in order.
/// @param config - The settings; the defaults if left out.
/// @returns The loops in the order of their detection; an empty array if there are none.
#[wasm_bindgen(js_name = findLoops, unchecked_return_type = "(DoomLoopDetectionResult & { partIDs: string[]; places: [message: number, part: number][] })[]")]
pub fn find_loops(
    #[wasm_bindgen(unchecked_param_type = "WithParts[]")] messages: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig", js_name = config)]
    given: &JsValue,
) -> Result<JsValue, JsValue> {
    let config = config(given)?;
    let _scope = Scope::new();
    let json = |value: &Js| {
        json_of_any(&value.take()).unwrap_or_else(|too_large| {
            too_large.refuse();
            String::new()
        })
    };
    let found = apex_parts_loops::find_loops(&Js::hold(messages), &config, &json);
    Ok(found_value(&found))
}

pub(crate) fn found_value(found: &[apex_parts_loops::Loop]) -> JsValue {
    let found: Vec<serde_json::Value> =
        found.iter().map(apex_parts_loops::Loop::to_value).collect();
    parsed(&value_text(&serde_json::Value::from(found)))
}

//! What a person or the model wrote in a part of a message.

use super::calls::length_of;
use crate::wasm::handle::{Js, Scope};
use apex_parts_transcript::said_text;
use wasm_bindgen::prelude::*;

/// What a person or the model wrote in a text part: none of a text that a program put there (`synthetic`, `ignored`),
/// and of a request to Codex in an editor what was asked, without what was open there. `undefined` for other parts,
/// and for a text that is blank.
///
/// ```js
/// const part = PartFactory.createTextPart("s", "m", "Fix the tests");
/// saidText(part); // "Fix the tests"
/// saidText(part, 3); // "Fix"
/// saidText({ ...part, synthetic: true }); // undefined
/// ```
///
/// @param part - The part; any value is accepted.
/// @param longest - How many bytes of it are given at most. Default: all.
/// @returns What was written, or `undefined`.
#[wasm_bindgen(js_name = saidText, unchecked_return_type = "string | undefined")]
pub fn said_text_of(
    #[wasm_bindgen(unchecked_param_type = "Part")] part: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] longest: &JsValue,
) -> JsValue {
    let _scope = Scope::new();
    let longest = length_of(longest).unwrap_or(usize::MAX);
    said_text(&Js::hold(part), longest).map_or(JsValue::UNDEFINED, |said| JsValue::from_str(&said))
}

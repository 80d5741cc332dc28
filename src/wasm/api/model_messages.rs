//! § 7 of the API: to the model.

use crate::convert::ui_messages;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, new_id};
use wasm_bindgen::prelude::*;

/// AI SDK UI messages (FR-22), which `convertToModelMessages` takes. Strings and objects are passed
/// by reference. Throws `PartValidationError` where the input is no array of messages with parts.
#[wasm_bindgen(js_name = toModelMessage, unchecked_return_type = "UIMessage[]")]
pub fn to_model_message(
    #[wasm_bindgen(unchecked_param_type = "WithParts[]")] input: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    match ui_messages(&Js::hold(input), &mut new_id) {
        Ok(made) => Ok(made.take()),
        Err(error) => Err(logged(&error)),
    }
}

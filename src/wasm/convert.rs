//! § 7 of the API: to the model, and to the screen.

use super::env::{logged, new_id};
use super::handle::{Js, Scope};
use crate::convert::{markdown_to_html, ui_messages};
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

/// HTML of Markdown that somebody else wrote: raw HTML comes out as text, links lead to http,
/// https, mailto and # only. What is no string gives "".
#[wasm_bindgen(js_name = renderMarkdown)]
#[must_use]
pub fn render_markdown(#[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue) -> String {
    text.as_string().map_or_else(String::new, |text| markdown_to_html(&text))
}

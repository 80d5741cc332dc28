//! § 7 of the API: conversion to messages for a model.

use crate::convert::ui_messages;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, new_id};
use wasm_bindgen::prelude::*;

/// Converts messages with parts to UI messages of the AI SDK (FR-22), the input of its
/// `convertToModelMessages`. Strings and objects are passed by reference. Throws `PartValidationError` if
/// the input is not an array of messages with parts.
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

//! § 7 of the API: conversion to messages for a model.

use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, new_id};
use apex_parts_ui_messages::ui_messages;
use wasm_bindgen::prelude::*;

/// Converts the given messages with parts, of whatever sessions they are, or one message, to UI messages of the AI SDK, the input of
/// its `convertToModelMessages`. Strings and objects are passed by reference. Throws `PartValidationError` if
/// the input is neither an array of messages with parts nor one of them.
///
/// ```js
/// const [sessionID, messageID] = [generateMessageId(), generateMessageId()];
/// const info = createUserMessage({ id: messageID, sessionID, agent: "build", providerID: "p", modelID: "m" });
/// const parts = [createTextPart({ sessionID, messageID, text: "Hi" })];
/// toModelMessage([{ info, parts }]).map((message) => message.parts); // [[{ type: "text", text: "Hi" }]]
/// ```
///
/// @param input - The messages with their parts, in order; or one message.
/// @returns The UI messages.
#[wasm_bindgen(js_name = toModelMessage, unchecked_return_type = "UIMessage[]")]
pub fn to_model_message(
    #[wasm_bindgen(unchecked_param_type = "WithParts | WithParts[]")] input: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    match ui_messages(&Js::hold(input), &mut new_id) {
        Ok(made) => Ok(made.take()),
        Err(error) => Err(logged(&error)),
    }
}

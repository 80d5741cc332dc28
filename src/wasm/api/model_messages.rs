//! § 7 of the API: conversion to messages for a model.

use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, new_id};
use apex_parts_model::{Error, Key, Kind, Path, View};
use apex_parts_ui_messages::{SdkVersion, ui_messages_for};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = declared(include_str!("../types/model-messages.d.ts"));

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
/// State of providers in `metadata` goes out as `providerMetadata`, for the provider that gave it. `metadata.approval` of
/// a call is a person's answer: a refused call goes out as `output-denied`, and one without a result in the last
/// message as `approval-responded` or `approval-requested`, so that the SDK runs it once it is approved. Throws
/// `PartValidationError` for a version that is neither 6 nor 7, too.
///
/// @param input - The messages with their parts, in order; or one message.
/// @param options - `sdk`: the version of the AI SDK. Custom parts that only version 7 has are sent to it alone.
/// @returns The UI messages.
#[wasm_bindgen(js_name = toModelMessage, unchecked_return_type = "UIMessage[]")]
pub fn to_model_message(
    #[wasm_bindgen(unchecked_param_type = "WithParts | WithParts[]")] input: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ModelMessageOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let made = sdk_of(&Js::hold(options))
        .and_then(|sdk| ui_messages_for(sdk, &Js::hold(input), &mut new_id));
    match made {
        Ok(made) => Ok(made.take()),
        Err(error) => Err(logged(&error)),
    }
}

/// The version that the options name. Options that are not an object are the index of `map`, which gives it to any
/// function.
fn sdk_of(options: &Js) -> Result<SdkVersion, Error> {
    let sdk = options.get(Key::Sdk);
    let number = sdk.number();
    if options.kind() != Kind::Object || sdk.kind() == Kind::Missing || number.to_bits() == SIX {
        return Ok(SdkVersion::V6);
    }
    if number.to_bits() == SEVEN {
        return Ok(SdkVersion::V7);
    }
    let path = Path::ROOT;
    Err(Error::rule("schema", &path.key(Key::Sdk), "the version of the AI SDK must be 6 or 7"))
}

const SIX: u64 = 6.0_f64.to_bits();
const SEVEN: u64 = 7.0_f64.to_bits();

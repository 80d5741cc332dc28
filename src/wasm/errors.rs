//! § Errors of the API.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/bridge.js")]
extern "C" {
    #[wasm_bindgen(js_name = errorName)]
    fn error_name(error: &JsValue) -> String;
    #[wasm_bindgen(js_name = setLogger)]
    fn set_logger_(logger: &JsValue);
}

/// Is this an error that apex-parts threw?
#[wasm_bindgen(js_name = isApexPartsError, unchecked_return_type = "error is ApexPartsError")]
#[must_use]
pub fn is_apex_parts_error(
    #[wasm_bindgen(unchecked_param_type = "unknown")] error: &JsValue,
) -> bool {
    matches!(
        error_name(error).as_str(),
        "PartValidationError"
            | "InvalidStateTransition"
            | "MissingRequiredField"
            | "ReasoningStateError"
            | "StepStateError"
            | "DoomLoopDetected"
            | "DeltaContractError"
            | "TranscriptError"
    )
}

/// Where the rules say "log", this function is called. Default: the console. `undefined` silences.
/// A logger that throws breaks nothing.
#[wasm_bindgen(js_name = setLogger)]
pub fn set_logger(
    #[wasm_bindgen(
        unchecked_param_type = "((level: \"debug\" | \"warn\" | \"error\", message: string, details?: unknown) => void) | undefined"
    )]
    logger: &JsValue,
) {
    set_logger_(logger);
}

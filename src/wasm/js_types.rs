//! Values of JavaScript by the types that callers see. Any value may come: each call checks what it is given.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Uint8Array")]
    pub type JsBytes;
    #[wasm_bindgen(typescript_type = "CompactionPlan")]
    pub type JsCompactionPlan;
    #[wasm_bindgen(typescript_type = "WithParts")]
    pub type JsMessage;
    #[wasm_bindgen(typescript_type = "MessageDelta")]
    pub type JsMessageDelta;
    #[wasm_bindgen(typescript_type = "WithParts[]")]
    pub type JsMessages;
    #[wasm_bindgen(typescript_type = "number")]
    pub type JsNumber;
    #[wasm_bindgen(typescript_type = "PageOptions")]
    pub type JsPageOptions;
    #[wasm_bindgen(typescript_type = "Part")]
    pub type JsPart;
    #[wasm_bindgen(typescript_type = "ReActRecorderOptions")]
    pub type JsReActRecorderOptions;
    #[wasm_bindgen(typescript_type = "Record<string, unknown>")]
    pub type JsRecord;
    #[wasm_bindgen(typescript_type = "string")]
    pub type JsString;
    #[wasm_bindgen(typescript_type = "ToolCallOutcome")]
    pub type JsToolCallOutcome;
    #[wasm_bindgen(typescript_type = "ToolCallSeen")]
    pub type JsToolCallSeen;
    #[wasm_bindgen(typescript_type = "ToolState")]
    pub type JsToolState;
    #[wasm_bindgen(typescript_type = "ToolStateCompleted")]
    pub type JsToolStateCompleted;
    #[wasm_bindgen(typescript_type = "ToolStatePending")]
    pub type JsToolStatePending;
    #[wasm_bindgen(typescript_type = "ToolStateRunning")]
    pub type JsToolStateRunning;
    #[wasm_bindgen(typescript_type = "unknown")]
    pub type JsUnknown;
    #[wasm_bindgen(typescript_type = "WireFormat")]
    pub type JsWireFormat;
    #[wasm_bindgen(typescript_type = "WithPartsContext")]
    pub type JsWithPartsContext;
}

//! The JavaScript error for a violation of the stream contract: `DeltaContractError`.

use crate::wasm::host::{new_error, set};
use apex_parts_assemble::Violation;
use wasm_bindgen::prelude::*;

/// A `DeltaContractError` with rule, seq, runId, path and offset.
pub(crate) fn thrown(violation: &Violation) -> JsValue {
    let details = js_sys::Object::new();
    set(&details, "rule", &violation.rule.into());
    #[allow(clippy::cast_precision_loss)] // exact up to 2^53
    let number = |n: Option<f64>| n.map_or(JsValue::UNDEFINED, JsValue::from_f64);
    #[allow(clippy::cast_precision_loss)]
    set(&details, "seq", &number(violation.seq.map(|seq| seq as f64)));
    let run = violation.run_id.as_deref().map_or(JsValue::UNDEFINED, JsValue::from_str);
    set(&details, "runId", &run);
    if !violation.path.is_empty() {
        set(&details, "path", &violation.path.as_str().into());
    }
    #[allow(clippy::cast_precision_loss)]
    if let Some(offset) = violation.offset {
        set(&details, "offset", &JsValue::from_f64(offset as f64));
    }
    new_error("DeltaContractError", &violation.to_string(), &details)
}

/// A `DeltaContractError` for input that is not part of a stream, such as an option.
pub(crate) fn refused(rule: &'static str, message: impl Into<String>) -> JsValue {
    let details = js_sys::Object::new();
    set(&details, "rule", &rule.into());
    new_error("DeltaContractError", &format!("{} ({rule})", message.into()), &details)
}

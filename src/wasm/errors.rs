//! § Errors of the API.

use super::handle::{Js, Scope};
use crate::wasm::host::logged;
use apex_parts_model::{Error, Path, View};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/shared.js")]
extern "C" {
    #[wasm_bindgen(js_name = setLogger)]
    fn set_logger_(logger: &JsValue) -> bool;
}

#[wasm_bindgen(module = "/src/wasm/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = isOurError)]
    fn is_our_error(error: &JsValue) -> bool;
}

/// Whether this is an error of one of the classes of this package, of any entry.
///
/// ```js
/// try {
///   PartValidator.assertPart({ type: "text" });
/// } catch (error) {
///   if (!isApexPartsError(error) || error.name !== "PartValidationError") throw error;
///   error.details.problems.length > 0; // true
/// }
/// ```
///
/// @param error - Any value.
/// @returns `true` if it is one; `name` then says which.
#[wasm_bindgen(js_name = isApexPartsError, unchecked_return_type = "error is ApexPartsError")]
#[must_use]
pub fn is_apex_parts_error(
    #[wasm_bindgen(unchecked_param_type = "unknown")] error: &JsValue,
) -> bool {
    is_our_error(error)
}

/// Sets the logger: a function `(level, message, details)`, or an object with methods named `debug`,
/// `warn`, `error` (a `console`, a pino logger); levels without a method are dropped. The default is the
/// console; `undefined` turns logging off. Exceptions of the logger are ignored. Throws
/// `PartValidationError` if the logger is anything else.
///
/// ```js
/// setLogger((level, message) => {
///   if (level === "error") console.log(message);
/// });
/// setLogger(console); // as it was
/// ```
///
/// @param logger - The logger, or `undefined` for none.
#[wasm_bindgen(js_name = setLogger)]
pub fn set_logger(
    #[wasm_bindgen(
        unchecked_param_type = "((level: \"debug\" | \"warn\" | \"error\", message: string, details?: unknown) => void) | { debug?: (message: string, details?: unknown) => void; warn?: (message: string, details?: unknown) => void; error?: (message: string, details?: unknown) => void } | undefined"
    )]
    logger: &JsValue,
) -> Result<(), JsValue> {
    if set_logger_(logger) {
        return Ok(());
    }
    let _scope = Scope::new();
    let message = format!(
        "a logger must be a function (level, message, details), an object with the functions debug, \
         warn, error, or undefined, which silences; not {}",
        Js::hold(logger).kind().describe()
    );
    Err(logged(&Error::rule("schema", &Path::ROOT, message)))
}

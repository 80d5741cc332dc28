//! The only code that knows JavaScript: it turns values into handles, calls the core, and turns results
//! into values and errors. `api/` has one file for each section of the API.

pub mod api;
mod buffer;
#[cfg(feature = "transcript")]
mod columns;
mod declarations;
pub mod errors;
mod handle;
mod host;
mod limits;
mod model_types;
mod numbers;
mod option_types;
mod options;
mod types;
mod violation;

use wasm_bindgen::prelude::*;

/// Functions that create something from an object of options.
#[cfg(feature = "parts")]
macro_rules! from_options {
    ($($(#[$meta:meta])* $name:ident $js:literal $options:literal $returns:literal |$o:ident| $make:expr;)+) => {
        $($(#[$meta])*
        ///
        /// If a required option is missing, that is logged (`MissingRequiredField`) and the result is
        /// `undefined`.
        ///
        /// @param options - The values of its fields; those that it does not know are logged.
        /// @returns A new object.
        #[wasm_bindgen(js_name = $js, unchecked_return_type = $returns)]
        pub fn $name(
            #[wasm_bindgen(unchecked_param_type = $options)] options: &JsValue,
        ) -> Result<JsValue, JsValue> {
            let _scope = Scope::new();
            let $o = Js::hold(options);
            made($make)
        })+
    };
}
#[cfg(feature = "parts")]
use from_options;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    handle::start();
}

/// The version of the package, as in package.json.
///
/// ```js
/// version().split(".").length; // 3
/// ```
///
/// @returns The version, as `0.1.0`.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

//! Counts passed to JavaScript and indices taken from it.

pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// An index given by JavaScript, rounded down; `None` if it is not a number of that range.
#[cfg(any(feature = "convert", feature = "transcript"))]
pub(crate) fn whole(index: &wasm_bindgen::JsValue) -> Option<usize> {
    use super::handle::{Js, Scope};
    use apex_parts_model::View;
    let _scope = Scope::new();
    let index = Js::hold(index).number();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // in range
    (index >= 0.0 && index < f64::from(u32::MAX)).then_some(index as usize)
}

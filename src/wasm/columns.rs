//! Columns for JavaScript: a typed array of numbers or a list of strings, copied in one call.

use wasm_bindgen::JsValue;

#[allow(clippy::needless_pass_by_value)] // collected for this call
pub(crate) fn uint8(list: Vec<u8>) -> JsValue {
    js_sys::Uint8Array::from(&list[..]).into()
}

#[allow(clippy::needless_pass_by_value)] // as above
pub(crate) fn uint16(list: Vec<u16>) -> JsValue {
    js_sys::Uint16Array::from(&list[..]).into()
}

#[allow(clippy::needless_pass_by_value)] // as above
pub(crate) fn uint32(list: Vec<u32>) -> JsValue {
    js_sys::Uint32Array::from(&list[..]).into()
}

#[allow(clippy::needless_pass_by_value)] // as above
pub(crate) fn float64(list: Vec<f64>) -> JsValue {
    js_sys::Float64Array::from(&list[..]).into()
}

#[allow(clippy::needless_pass_by_value)] // as above
pub(crate) fn float32(list: Vec<f32>) -> JsValue {
    js_sys::Float32Array::from(&list[..]).into()
}

pub(crate) fn names<N: AsRef<str>>(list: &[N]) -> JsValue {
    list.iter().map(|name| JsValue::from_str(name.as_ref())).collect::<js_sys::Array>().into()
}

//! Columns for JavaScript: a typed array of numbers or a list of strings, copied in one call.

use wasm_bindgen::JsValue;

macro_rules! typed_arrays {
    ($($name:ident($number:ty) -> $array:ident),+ $(,)?) => {$(
        #[allow(clippy::needless_pass_by_value)] // collected for this call
        pub(crate) fn $name(list: Vec<$number>) -> JsValue {
            js_sys::$array::from(&list[..]).into()
        }
    )+};
}

typed_arrays! {
    int32(i32) -> Int32Array,
    uint8(u8) -> Uint8Array,
    uint16(u16) -> Uint16Array,
    uint32(u32) -> Uint32Array,
    float64(f64) -> Float64Array,
    float32(f32) -> Float32Array,
}

pub(crate) fn names<N: AsRef<str>>(list: &[N]) -> JsValue {
    list.iter().map(|name| JsValue::from_str(name.as_ref())).collect::<js_sys::Array>().into()
}

//! What is too large for the module's memory is refused before any of it is copied: where memory ends
//! within a call, WebAssembly stops at once, and the object at work is lost.

use std::hint::black_box;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/bridge.js")]
extern "C" {
    #[wasm_bindgen(js_name = byteLength)]
    fn byte_length(view: &js_sys::Uint8Array) -> f64;
    /// A view of the bytes of a `Uint8Array`, a `Buffer` or an `ArrayBuffer`, whichever realm made
    /// it.
    pub(crate) fn bytes(value: &JsValue) -> Option<js_sys::Uint8Array>;
    fn refuse(why: &str);
    #[wasm_bindgen(js_name = takeRefused)]
    fn take_refused() -> String;
}

/// Of anything shorter a few copies always fit.
const SMALL: u64 = 1 << 20;
/// The longest text that crosses, in UTF-16 units: each may become three bytes.
const LONGEST_TEXT: u64 = 1 << 28;
/// The most bytes that cross at once.
const MOST_BYTES: u64 = 1 << 30;

/// Could so many bytes be had now? Memory stays with the module once it has grown, so the answer
/// holds for what is asked for next.
fn has_room(bytes: u64) -> bool {
    /// One allocation cannot have more than 2 GiB.
    const PIECE: u64 = 1 << 30;
    let mut rooms: Vec<Vec<u8>> = Vec::new();
    let mut left = bytes;
    while left > 0 {
        let piece = left.min(PIECE);
        let mut room = Vec::new();
        if room.try_reserve_exact(usize::try_from(piece).unwrap_or(usize::MAX)).is_err() {
            return false;
        }
        left -= piece;
        rooms.push(room);
    }
    // Else the compiler would do without memory that nobody looks at.
    black_box(&rooms);
    true
}

/// Something is too large: how large, in words.
#[derive(Debug)]
pub(crate) struct TooLarge(String);

impl TooLarge {
    pub(crate) fn message(&self) -> &str {
        &self.0
    }

    /// Notes that something was read as if it were empty: the call under way does not end well.
    pub(crate) fn refuse(&self) {
        refuse(&self.0);
    }
}

/// May a text of so many UTF-16 units cross? It and what is made of it (an escaped copy, a message
/// that quotes it) must fit.
pub(crate) fn takes_text(units: u32) -> bool {
    let units = u64::from(units);
    units <= SMALL || (units <= LONGEST_TEXT && has_room(units * 9))
}

/// A string of JavaScript's; `None` for what is no string.
pub(crate) fn text_of(value: &JsValue) -> Result<Option<String>, TooLarge> {
    let Some(text) = value.dyn_ref::<js_sys::JsString>() else { return Ok(None) };
    check_text(text.length()).map(|()| value.as_string())
}

/// Refuses a text of so many UTF-16 units where it cannot cross.
pub(crate) fn check_text(units: u32) -> Result<(), TooLarge> {
    if takes_text(units) { Ok(()) } else { Err(TooLarge(long_text(f64::from(units)))) }
}

/// A length as a whole number. (What writes any f64 has 17 KB, and nothing else here needs it.)
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a length is whole
fn whole(length: f64) -> u64 {
    length as u64
}

/// What is wrong with a text of so many UTF-16 units.
pub(crate) fn long_text(units: f64) -> String {
    let units = whole(units);
    format!(
        "a text of {units} characters cannot be taken in at once: at most {LONGEST_TEXT} can, and fewer \
         where the module's memory of 4 GB is nearly full"
    )
}

/// Notes that a value with a text of so many UTF-16 units was read as if it were empty: the call
/// that read it does not end well.
pub(crate) fn refuse_text(units: u32) {
    TooLarge(long_text(f64::from(units))).refuse();
}

/// What was refused in this call so far is told otherwise: why it was.
pub(crate) fn told_otherwise() -> Option<String> {
    Some(take_refused()).filter(|why| !why.is_empty())
}

/// So many bytes, copied; where they do not fit, nothing is.
pub(crate) fn bytes_of(view: &js_sys::Uint8Array) -> Result<Vec<u8>, TooLarge> {
    check_bytes(view).map(|()| view.to_vec())
}

/// Refuses bytes that do not fit, with what has to be kept of them.
fn check_bytes(view: &js_sys::Uint8Array) -> Result<(), TooLarge> {
    let length = byte_length(view);
    let bytes = whole(length);
    if bytes <= SMALL || (bytes <= MOST_BYTES && has_room(bytes * 2)) {
        return Ok(());
    }
    Err(TooLarge(format!(
        "{bytes} bytes cannot be taken in at once: at most {MOST_BYTES} can, and fewer where the \
         module's memory of 4 GB is nearly full"
    )))
}

/// How many bytes there are; refused where it is more than the module can count.
#[cfg(feature = "transcript")]
pub(crate) fn length_of(view: &js_sys::Uint8Array) -> Result<usize, TooLarge> {
    let length = byte_length(view);
    if length > f64::from(u32::MAX) {
        let length = whole(length);
        return Err(TooLarge(format!(
            "{length} bytes cannot be taken in at once: give them in pieces of less than 4 GB"
        )));
    }
    Ok(view.length() as usize)
}

//! Refuses input that is too large for the module's memory before any of it is copied: if memory runs
//! out during a call, WebAssembly traps and the object that was called is lost.

use std::hint::black_box;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/bridge.js")]
extern "C" {
    #[wasm_bindgen(js_name = byteLength)]
    fn byte_length(view: &js_sys::Uint8Array) -> f64;
    /// A view of the bytes of a `Uint8Array`, a `Buffer` or an `ArrayBuffer` of any realm.
    pub(crate) fn bytes(value: &JsValue) -> Option<js_sys::Uint8Array>;
    fn refuse(why: &str);
    #[wasm_bindgen(js_name = takeRefused)]
    fn take_refused() -> String;
}

/// Input up to this size always fits, even several copies of it.
const SMALL: u64 = 1 << 20;
/// The longest text that is taken, in UTF-16 units: each may become three bytes.
const LONGEST_TEXT: u64 = 1 << 28;
/// The most bytes that are taken at once.
const MOST_BYTES: u64 = 1 << 30;

/// Whether this number of bytes can be allocated now. Memory that has grown does not shrink, so the
/// answer also holds for the allocation that follows.
fn has_room(bytes: u64) -> bool {
    /// A single allocation is limited to 2 GiB.
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
    // Otherwise the compiler would remove allocations that are never read.
    black_box(&rooms);
    true
}

/// Input that is too large, with the message that says so.
#[derive(Debug)]
pub(crate) struct TooLarge(String);

impl TooLarge {
    pub(crate) fn message(&self) -> &str {
        &self.0
    }

    /// Records that the input was replaced by an empty value: the current call fails when it ends.
    pub(crate) fn refuse(&self) {
        refuse(&self.0);
    }
}

/// Whether a text of this many UTF-16 units can be taken: it, and copies such as an escaped one or a
/// message that quotes it, must fit.
pub(crate) fn takes_text(units: u32) -> bool {
    let units = u64::from(units);
    units <= SMALL || (units <= LONGEST_TEXT && has_room(units * 9))
}

/// The text of a JavaScript string; `None` if the value is not a string.
pub(crate) fn text_of(value: &JsValue) -> Result<Option<String>, TooLarge> {
    let Some(text) = value.dyn_ref::<js_sys::JsString>() else { return Ok(None) };
    check_text(text.length()).map(|()| value.as_string())
}

/// Refuses a text of this many UTF-16 units if it does not fit.
pub(crate) fn check_text(units: u32) -> Result<(), TooLarge> {
    if takes_text(units) { Ok(()) } else { Err(TooLarge(long_text(f64::from(units)))) }
}

/// A length as an integer. (Formatting an f64 takes 17 KB of code, which nothing else here needs.)
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a length is whole
fn whole(length: f64) -> u64 {
    length as u64
}

/// The message for a text of this many UTF-16 units that does not fit.
pub(crate) fn long_text(units: f64) -> String {
    let units = whole(units);
    format!(
        "a string of {units} characters cannot be passed at once: at most {LONGEST_TEXT} can, and fewer \
         where the module's memory of 4 GB is nearly full"
    )
}

/// Records that a text of this many UTF-16 units was read as if it were empty: the current call fails
/// when it ends.
pub(crate) fn refuse_text(units: u32) {
    TooLarge(long_text(f64::from(units))).refuse();
}

/// Takes the reason for which input of this call was refused, so that the caller reports it and the
/// call does not fail.
pub(crate) fn take_refusal() -> Option<String> {
    Some(take_refused()).filter(|why| !why.is_empty())
}

/// A copy of the bytes; refused before copying if they do not fit.
pub(crate) fn bytes_of(view: &js_sys::Uint8Array) -> Result<Vec<u8>, TooLarge> {
    check_bytes(view).map(|()| view.to_vec())
}

/// Refuses bytes that do not fit, together with the state that they produce.
fn check_bytes(view: &js_sys::Uint8Array) -> Result<(), TooLarge> {
    let length = byte_length(view);
    let bytes = whole(length);
    if bytes <= SMALL || (bytes <= MOST_BYTES && has_room(bytes * 2)) {
        return Ok(());
    }
    Err(TooLarge(format!(
        "{bytes} bytes cannot be passed at once: at most {MOST_BYTES} can, and fewer where the \
         module's memory of 4 GB is nearly full"
    )))
}

/// The number of bytes; refused if it exceeds what 32 bits can count.
#[cfg(feature = "transcript")]
pub(crate) fn length_of(view: &js_sys::Uint8Array) -> Result<usize, TooLarge> {
    let length = byte_length(view);
    if length > f64::from(u32::MAX) {
        let length = whole(length);
        return Err(TooLarge(format!(
            "{length} bytes cannot be passed at once: pass them in pieces of less than 4 GB"
        )));
    }
    Ok(view.length() as usize)
}

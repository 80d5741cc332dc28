//! The fast path of a `DeltaAssembler`: ts/module/fast-path.ts writes the arguments of a call into the shared
//! buffer and passes only numbers. It must equal the methods of [`super::assembler`], proven by
//! tests/package/deltas.test.mjs, which gives every recorded delta to both.

use super::assembler::DeltaAssembler;
use crate::wasm::buffer;
use crate::wasm::numbers::count;
use crate::wasm::violation::thrown;
use apex_parts_assemble::Violation;
use apex_parts_model::delta::{Payload, Piece};
use apex_parts_wire::WireFormat;
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// The kinds of delta, numbered as in ts/module/fast-path.ts; any other number is for tool arguments.
const TEXT: u32 = 1;
const THINKING: u32 = 2;

/// The address of the buffer, its length, and the number of bytes reserved for the timestamp. For
/// ts/module/fast-path.ts, not part of the API.
#[wasm_bindgen(js_name = fastPathBuffer, skip_typescript)]
#[must_use]
pub fn fast_path_buffer() -> Vec<u32> {
    buffer::layout().map(count).to_vec()
}

/// For ts/module/fast-path.ts, not part of the API.
#[wasm_bindgen]
impl DeltaAssembler {
    /// Adds a delta of the current run: text, reasoning, or arguments of the current call. `time` and `text`
    /// are the lengths of its timestamp and its text in the buffer. Returns true if there is an error to
    /// throw. Must equal `push`.
    #[wasm_bindgen(js_name = fastPush, skip_typescript)]
    pub fn fast_push(&mut self, shape: u32, seq: f64, time: u32, text: u32) -> bool {
        let result = buffer::timestamp_and_text(time, text, |timestamp, text| {
            let piece = Piece::from(text);
            let payload = match shape {
                TEXT => Payload::Text(piece),
                THINKING => Payload::Thinking(piece),
                _ => Payload::ToolCallArgs { id: Cow::Borrowed(&self.call), text: piece },
            };
            #[allow(clippy::cast_possible_truncation)] // a safe integer
            self.stream.push_delta(seq as i64, timestamp, payload)
        });
        self.answer(result)
    }

    /// Adds a chunk of this length in the buffer; `now` is the time. Returns true if there is an error to
    /// throw. Must equal `pushBytes`.
    #[wasm_bindgen(js_name = fastPushBytes, skip_typescript)]
    pub fn fast_push_bytes(&mut self, length: u32, now: f64) -> bool {
        let result = buffer::bytes(length, |chunk| self.stream.push_bytes(chunk, now));
        self.answer(result)
    }

    /// Whether `fast_push_bytes` needs the time: deltas have timestamps, providers' streams do not.
    #[wasm_bindgen(js_name = fastNeedsClock, skip_typescript)]
    #[must_use]
    pub fn fast_needs_clock(&self) -> bool {
        self.stream.format() != WireFormat::Delta
    }

    /// Takes the error of the last call on the fast path.
    #[wasm_bindgen(js_name = fastFailure, skip_typescript)]
    pub fn fast_failure(&mut self) -> JsValue {
        self.failure.take().unwrap_or_default()
    }

    /// After a delta on the slow path: sets the current call, and returns whether further deltas of this
    /// run may take the fast path.
    #[wasm_bindgen(js_name = fastAfter, skip_typescript)]
    pub fn fast_after(&mut self, run: &JsValue, call: &JsValue) -> bool {
        self.call = call.as_string().unwrap_or_default();
        run.as_string().as_deref() == Some(self.stream.preview().run_id())
    }
}

impl DeltaAssembler {
    /// Keeps the error and returns whether there is one: a number crosses faster than a result.
    fn answer(&mut self, result: Result<(), Violation>) -> bool {
        self.failure = result.err().map(|violation| thrown(&violation));
        self.failure.is_some()
    }
}

//! § 4 of the API: the doom-loop detector.

use crate::wasm::buffer;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{logged, now, warn};
use crate::wasm::limits;
use crate::wasm::limits::TooLarge;
use crate::wasm::options::{LOOPS, log_unknown};
use apex_parts_json::utf8::whole_text;
use apex_parts_json::writer::value_text;
use apex_parts_loops::{Call, CallResult, Channel, Config, Detector, ReadRange, RunEvent, Verdict};
use apex_parts_model::delta::Piece;
use apex_parts_model::{Error, Path, Problem, Severity};
use std::ops::RangeInclusive;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/api/loops.js")]
extern "C" {
    #[wasm_bindgen(js_name = readCall)]
    fn read_call(call: &JsValue) -> u32;
    #[wasm_bindgen(js_name = readOutcome)]
    fn read_outcome(outcome: &JsValue) -> u32;
    #[wasm_bindgen(js_name = foundTool)]
    fn found_tool() -> String;
    #[wasm_bindgen(js_name = foundId)]
    fn found_id() -> String;
    #[wasm_bindgen(js_name = foundJson)]
    fn found_json() -> String;
    #[wasm_bindgen(js_name = foundBytes)]
    fn found_bytes() -> Option<js_sys::Uint8Array>;
    #[wasm_bindgen(js_name = foundRound)]
    fn found_round() -> f64;
    #[wasm_bindgen(js_name = foundTime)]
    fn found_time() -> f64;
    #[wasm_bindgen(js_name = foundResource)]
    fn found_resource() -> String;
    #[wasm_bindgen(js_name = foundStart)]
    fn found_start() -> f64;
    #[wasm_bindgen(js_name = foundEnd)]
    fn found_end() -> f64;
    #[wasm_bindgen(js_name = foundLength)]
    fn found_length() -> f64;
    #[wasm_bindgen(js_name = configOf)]
    fn config_of(config: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = noLoop)]
    fn no_loop(steps: f64) -> JsValue;
}

#[wasm_bindgen(module = "/src/wasm/api/loops.js")]
extern "C" {
    #[wasm_bindgen(js_name = jsonOfAny)]
    fn written(value: &JsValue) -> JsValue;
}

/// A value as JSON text; parts that cannot be read are replaced by placeholders.
pub(crate) fn json_of_any(value: &JsValue) -> Result<String, TooLarge> {
    Ok(limits::text_of(&written(value))?.unwrap_or_default())
}

/// Refuses the call or outcome that was read if its texts do not fit.
fn check_found() -> Result<(), JsValue> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
    limits::check_text(found_length() as u32).map_err(|too_large| too_large.invalid())
}

/// The flag of a call or outcome whose texts may not fit.
const LONG: u32 = 64;

/// The JSON that was read last, a long one as bytes.
enum FoundJson {
    Long(Vec<u8>),
    Short(String),
}

impl FoundJson {
    fn read() -> FoundJson {
        match found_bytes() {
            Some(bytes) => FoundJson::Long(bytes.to_vec()),
            None => FoundJson::Short(found_json()),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            // Encoded from a string, so they are valid UTF-8.
            FoundJson::Long(bytes) => whole_text(bytes).unwrap_or_default(),
            FoundJson::Short(text) => text,
        }
    }
}

pub(super) fn parsed(json: &str) -> JsValue {
    // The core wrote it, so it is valid JSON.
    js_sys::JSON::parse(json).unwrap_or_default()
}

pub(crate) fn verdict_value(verdict: &Verdict) -> JsValue {
    if !verdict.is_detected() {
        #[allow(clippy::cast_precision_loss)] // calls are counted
        return no_loop(verdict.step_count as f64);
    }
    parsed(&value_text(&verdict.to_value()))
}

pub(crate) fn response_value(detector: &Detector) -> JsValue {
    let response = detector.error_response();
    response.map_or(JsValue::UNDEFINED, |response| parsed(&value_text(&response.to_value())))
}

/// A chunk of text. If it was cut within a surrogate pair, its first or last unit is half of the pair,
/// which was converted to U+FFFD; that half is kept apart.
pub(crate) fn piece_of(chunk: &JsValue) -> Result<Piece<'static>, TooLarge> {
    let Some(mut text) = limits::text_of(chunk)? else { return Ok(Piece::default()) };
    let units: &js_sys::JsString = chunk.unchecked_ref();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a unit of UTF-16
    let half = |at: u32, halves: &RangeInclusive<u16>| {
        let unit = units.char_code_at(at) as u16;
        halves.contains(&unit).then_some(unit)
    };
    let first = text.starts_with(char::REPLACEMENT_CHARACTER);
    let low = first.then(|| half(0, &(0xdc00..=0xdfff))).flatten();
    if low.is_some() {
        text.remove(0);
    }
    let last = text.ends_with(char::REPLACEMENT_CHARACTER);
    let high = last.then(|| half(units.length() - 1, &(0xd800..=0xdbff))).flatten();
    if high.is_some() {
        text.pop();
    }
    Ok(Piece { low, text: text.into(), high })
}

fn wrong(message: &str) -> JsValue {
    let _scope = Scope::new();
    let problem = Problem::new(Severity::Error, "schema", &Path::ROOT, message);
    logged(&Error::validation(vec![problem]))
}

pub(crate) fn config(given: &JsValue) -> Result<Config, JsValue> {
    let _scope = Scope::new();
    log_unknown(&Js::hold(given), "DoomLoopDetector", LOOPS);
    config_of_transcript(given)
}

/// The same where other options may stand beside it.
pub(crate) fn config_of_transcript(given: &JsValue) -> Result<Config, JsValue> {
    let _scope = Scope::new();
    let text = limits::text_of(&config_of(given)).map_err(|too_large| too_large.invalid())?;
    Config::parse(&text.unwrap_or_default())
        .map_err(|problems| logged(&Error::validation(problems)))
}

/// Detects agents that repeat themselves: call `check` before each tool call, `record` after it.
///
/// ```js
/// const detector = new DoomLoopDetector({ threshold: 3 });
/// for (const callID of ["c1", "c2", "c3"]) {
///   detector.check({ callID, toolName: "read", parameters: { filePath: "a.txt" } });
///   detector.record({ callID, result: "the same" });
/// }
/// detector.detect().kind; // "exact_repeat"
/// detector.free();
/// ```
#[wasm_bindgen]
#[derive(Debug)]
pub struct DoomLoopDetector {
    detector: Detector,
    /// Whether the warning about arguments or results that cannot be read was logged.
    has_warned: bool,
}

impl DoomLoopDetector {
    /// Logs, once, that some arguments or a result could not be read.
    fn warn_unreadable(&mut self) {
        if !self.has_warned {
            self.has_warned = true;
            let message = "the arguments or the result of a call cannot be written as JSON (cyclic, \
                           a BigInt, or a getter that throws): what can be read of them is compared";
            warn(message);
        }
    }
}

#[wasm_bindgen]
impl DoomLoopDetector {
    /// Creates a detector. Throws `PartValidationError` if the config is not an object or a setting is
    /// invalid.
    ///
    /// @param config - The settings; the defaults if left out.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig", js_name = config)]
        given: &JsValue,
    ) -> Result<DoomLoopDetector, JsValue> {
        Ok(DoomLoopDetector { detector: Detector::new(config(given)?), has_warned: false })
    }

    /// Checks a tool call before it runs and returns the verdict. Throws `PartValidationError` (`limit`) if
    /// the call is too large for the module's memory.
    ///
    /// @param call - The call: its tool, its arguments and, if known, its id.
    /// @returns The verdict: `suggestedAction` says whether to run the call.
    #[wasm_bindgen(unchecked_return_type = "DoomLoopDetectionResult")]
    pub fn check(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ToolCallSeen")] call: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let flags = read_call(call);
        if flags & LONG != 0 {
            check_found()?;
        }
        let (tool, json, id) = (found_tool(), FoundJson::read(), found_id());
        let (round, time) = (found_round(), found_time());
        let (start, end) = (found_start(), found_end());
        let range = (start.is_finite() && end.is_finite()).then(|| ReadRange {
            resource: found_resource(),
            start,
            end,
        });
        // Only now: a logger may call another detector, which overwrites what was read.
        if flags & 2 != 0 {
            self.warn_unreadable();
        }
        let verdict = self.detector.check(&Call {
            tool: &tool,
            parameters: json.as_str(),
            id: (flags & 1 != 0).then_some(id.as_str()),
            round: (!round.is_nan()).then_some(round),
            time_ms: if time.is_nan() { now() } else { time },
            range,
        });
        Ok(verdict_value(&verdict))
    }

    /// Records the outcome of a call after it ran and returns the verdict: the result can only withdraw the
    /// verdict of `check` or make it more severe. A refusal is not a result: a `blocked` call, or one that
    /// failed although its `check` said to interrupt, counts as equal to the last identical call, and the
    /// verdict stays. The outcome of an unknown call is logged and ignored.
    /// Throws `PartValidationError` (`limit`) if the result is too large for the module's memory.
    ///
    /// @param outcome - The result of the call, named by `callID` or `call`; without either, of the last one.
    /// @returns The current verdict.
    #[wasm_bindgen(unchecked_return_type = "DoomLoopDetectionResult")]
    pub fn record(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ToolCallOutcome")] outcome: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let flags = read_outcome(outcome);
        if flags & LONG != 0 {
            check_found()?;
        }
        let (id, json, key, call) = (found_id(), FoundJson::read(), found_tool(), found_round());
        if flags & 16 != 0 {
            self.warn_unreadable();
        }
        // A negative number stands for an invalid index: no call has the highest number.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        let call = (!call.is_nan()).then_some(if call < 0.0 { u64::MAX } else { call as u64 });
        let ran = CallResult {
            id: (flags & 1 != 0).then_some(id.as_str()),
            call,
            result: (flags & 2 != 0).then(|| json.as_str()),
            key: (flags & 4 != 0).then_some(key.as_str()),
            is_error: flags & 8 != 0,
            blocked: flags & 32 != 0,
        };
        let verdict = self.detector.record(&ran).unwrap_or_else(|| {
            let message =
                "the outcome of a call that was not checked, or was checked long ago, is ignored";
            warn(message);
            self.detector.detect()
        });
        Ok(verdict_value(&verdict))
    }

    /// Adds a chunk of streamed text or reasoning, cut anywhere, and returns only what is found in that
    /// text, including repetition that has ended within the chunk; otherwise `continue`, even while the
    /// current verdict (see `detect`) is to interrupt. Throws `PartValidationError` (`limit`) if the chunk is
    /// too large for the module's memory; a text of any length can be added in chunks.
    ///
    /// @param chunk - The text.
    /// @param channel - What it is: `text` (default) or `reasoning`.
    /// @returns What is found in this text.
    #[wasm_bindgen(unchecked_return_type = "DoomLoopDetectionResult")]
    pub fn text(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] chunk: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "\"text\" | \"reasoning\"")]
        channel: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let is_reasoning = channel.as_string().as_deref() == Some("reasoning");
        let channel = if is_reasoning { Channel::Reasoning } else { Channel::Text };
        let piece = piece_of(chunk).map_err(|too_large| too_large.invalid())?;
        let verdict = self.detector.push_text(&piece, channel);
        #[allow(clippy::cast_precision_loss)] // calls are counted
        let count = self.detector.step_count() as f64;
        Ok(verdict.map_or_else(|| no_loop(count), |v| verdict_value(&v)))
    }

    /// For ts/module/fast-path.ts, not part of the API: adds the text or reasoning of this length in the buffer.
    /// Returns the number of calls, or -1 if there is a loop, which `detect` returns. Must equal `text`,
    /// proven by tests/package/loops.test.mjs.
    #[wasm_bindgen(js_name = fastText, skip_typescript)]
    pub fn fast_text(&mut self, length: u32, is_reasoning: bool) -> f64 {
        let channel = if is_reasoning { Channel::Reasoning } else { Channel::Text };
        let verdict = buffer::bytes(length, |chunk| {
            self.detector.push_text(&std::str::from_utf8(chunk).unwrap_or_default().into(), channel)
        });
        #[allow(clippy::cast_precision_loss)] // calls are counted
        let count = self.detector.step_count() as f64;
        if verdict.is_some() { -1.0 } else { count }
    }

    /// Adds an event of the run other than a call, and returns only what is found in it, as `text` does.
    /// Throws `PartValidationError` if `kind` is not one of the events.
    ///
    /// @param kind - What has happened.
    /// @returns What is found in the event.
    #[wasm_bindgen(unchecked_return_type = "DoomLoopDetectionResult")]
    pub fn event(
        &mut self,
        #[wasm_bindgen(
            unchecked_param_type = "\"user\" | \"trigger\" | \"nudge\" | \"retry\" | \"compaction\" | \"assistant\""
        )]
        kind: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let name = limits::text_of(kind).map_err(|too_large| too_large.invalid())?;
        let event = name.as_deref().and_then(RunEvent::parse).ok_or_else(|| {
            let message = "an event must be user, trigger, nudge, retry, compaction or assistant";
            wrong(message)
        })?;
        Ok(verdict_value(&self.detector.event(event)))
    }

    /// The current verdict; nothing is recorded. It remains until a call of a tool that is not ignored is
    /// checked, a result withdraws it, another loop is found, or a `user`, `trigger` or `retry` event or
    /// `reset` clears it. Text, other events and ignored tools in which nothing is found do not change it.
    ///
    /// @returns The current verdict.
    #[wasm_bindgen(unchecked_return_type = "DoomLoopDetectionResult")]
    #[must_use]
    pub fn detect(&self) -> JsValue {
        verdict_value(&self.detector.detect())
    }

    /// The error that an engine can return to the model if the current verdict is to interrupt; otherwise
    /// `undefined`.
    ///
    /// @returns The error, or `undefined`.
    #[wasm_bindgen(js_name = toErrorResponse, unchecked_return_type = "DoomLoopErrorResponse | undefined")]
    #[must_use]
    pub fn to_error_response(&self) -> JsValue {
        response_value(&self.detector)
    }

    /// Forgets all calls, results and texts; the config remains.
    pub fn reset(&mut self) {
        self.detector.reset();
    }

    /// The state as text, for `restore`.
    ///
    /// @returns JSON text.
    #[must_use]
    pub fn snapshot(&self) -> String {
        self.detector.snapshot()
    }

    /// A detector that continues from a snapshot, with the same verdicts as the original. Throws
    /// `PartValidationError` if the text is not a snapshot.
    ///
    /// @param snapshot - What `snapshot` returned.
    /// @returns The detector.
    pub fn restore(
        #[wasm_bindgen(unchecked_param_type = "string")] snapshot: &JsValue,
    ) -> Result<DoomLoopDetector, JsValue> {
        let text = limits::text_of(snapshot).map_err(|too_large| too_large.invalid())?;
        let detector = text.and_then(|text| Detector::restore(&text));
        let detector = detector.ok_or_else(|| {
            let message = "this is not a snapshot of a DoomLoopDetector";
            wrong(message)
        })?;
        Ok(DoomLoopDetector { detector, has_warned: false })
    }
}

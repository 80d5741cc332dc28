//! § 3 of the API: deltas and their assembly.

use crate::wasm::api::assembler_options::{MOST, options, string, wire_format};
use crate::wasm::api::validator::too_long;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{Problems, new_id, now};
use crate::wasm::limits::{self, bytes};
use crate::wasm::violation::{refused, thrown};
use apex_parts_assemble::change;
use apex_parts_assemble::{MessageContext, Stream};
use apex_parts_model::{Key, Kind, Report, View};
use apex_parts_wire::WireFormat;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/api/assembler.js")]
extern "C" {
    #[wasm_bindgen(js_name = jsonOf)]
    fn json_of(value: &JsValue, most: f64) -> JsValue;
}

/// The longest string of V8: longer JSON cannot be parsed into objects.
const LONGEST_JSON: u64 = (1 << 29) - 24;

/// A copy of the bytes of an argument; an error if they are not bytes or do not fit. `what` is its message.
pub(crate) fn copied(value: &JsValue, what: &str) -> Result<Vec<u8>, JsValue> {
    let view = bytes(value).ok_or_else(|| refused("schema", what))?;
    limits::bytes_of(&view).map_err(|too_large| refused("limit", too_large.message()))
}

/// The value of JSON text that the core wrote.
fn parsed(json: &str) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(json)
        .map_err(|_| refused("limit", "too long, or nested too deeply, to be converted to objects"))
}

/// Assembles a stream of deltas, or of a provider's own bytes, into one message.
///
/// ```js
/// const assembler = new DeltaAssembler();
/// const timestamp = new Date().toISOString();
/// assembler.push({ runId: "r1", seq: 1, timestamp, kind: "start", payload: { modelId: "m", requestId: "q" } });
/// assembler.push({ runId: "r1", seq: 2, timestamp, kind: "text", payload: { textDelta: "Hello" } });
/// assembler.takeChanges()[0]; // { op: "add", part: 0, value: { kind: "text", payload: { text: "Hello" } } }
/// assembler.push({ runId: "r1", seq: 3, timestamp, kind: "done", payload: { finishReason: "stop" } });
/// assembler.status; // "done"
/// assembler.free();
/// ```
#[wasm_bindgen]
#[derive(Debug)]
pub struct DeltaAssembler {
    pub(crate) stream: Stream,
    /// The call of the last delta on the slow path: arguments on the fast path belong to it.
    pub(crate) call: String,
    /// The error of the last call on the fast path.
    pub(crate) failure: Option<JsValue>,
}

impl DeltaAssembler {
    fn around(stream: Stream) -> DeltaAssembler {
        DeltaAssembler { stream, call: String::new(), failure: None }
    }

    /// Refuses a delta that cannot be read.
    fn refuse(&mut self, rule: &'static str, path: String, why: String) -> Result<(), JsValue> {
        self.stream.refuse(rule, path, why).map_err(|violation| thrown(&violation))
    }

    /// Refuses to write the message if its JSON exceeds `most` bytes: if memory ran out during a call,
    /// the assembler would be lost.
    fn check_size(&self, most: u64) -> Result<(), JsValue> {
        // No escapes make the JSON more than eight times as long as its content.
        if self.stream.assembler().held() as u64 * 8 <= most || self.stream.json_size() <= most {
            return Ok(());
        }
        let message = format!("as JSON the message is longer than {most} bytes");
        Err(refused("limit", message))
    }
}

#[wasm_bindgen]
impl DeltaAssembler {
    /// Creates an assembler. Throws `DeltaContractError` if the options are not an object or an option is
    /// invalid.
    ///
    /// @param options - The format of the bytes, limits, and what a violation does; the defaults if left out.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "AssemblerOptions", js_name = options)]
        given: &JsValue,
    ) -> Result<DeltaAssembler, JsValue> {
        let mut options = options(given)?;
        let provider = !matches!(options.format, None | Some(WireFormat::Delta));
        if provider && options.run_id.is_none() {
            options.run_id = Some(new_id());
        }
        Ok(DeltaAssembler::around(Stream::new(options)))
    }

    /// Adds one delta. Throws `DeltaContractError` if the delta violates the contract, unless problems are
    /// collected; the assembler is then unchanged.
    ///
    /// @param delta - The delta; its `seq` is above that of the last one.
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "MessageDelta")] delta: &JsValue,
    ) -> Result<(), JsValue> {
        #[allow(clippy::cast_precision_loss)] // only compared with a length
        let json = json_of(delta, self.stream.max_bytes() as f64);
        if let Some(flaw) = json.dyn_ref::<js_sys::Array>() {
            let item = |index| flaw.get(index).as_string().unwrap_or_default();
            let rule = if item(0) == "limit" { "limit" } else { "schema" };
            return self.refuse(rule, item(1), item(2));
        }
        let json = match limits::text_of(&json) {
            Ok(json) => json,
            Err(too_large) => {
                let message = format!("the delta as JSON: {}", too_large.message());
                return self.refuse("limit", String::new(), message);
            }
        };
        let Some(json) = json else {
            let _scope = Scope::new();
            let message = match Js::hold(delta).kind() {
                Kind::Object | Kind::Exotic | Kind::Array | Kind::Unreadable => {
                    "the delta cannot be read: it contains a BigInt or itself, is nested too deeply, or \
                     throws when it is read"
                        .to_owned()
                }
                kind => format!("a delta must be an object, not {}", kind.describe()),
            };
            return self.refuse("schema", String::new(), message);
        };
        self.stream.push(json.as_bytes()).map_err(|violation| thrown(&violation))
    }

    /// Adds bytes of the stream, cut anywhere: inside a line, a code point, an escape. Throws as `push`
    /// does; the rest of the chunk is then read by the next call.
    ///
    /// @param chunk - The next bytes, in the format of the options.
    #[wasm_bindgen(js_name = pushBytes)]
    pub fn push_bytes(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] chunk: &JsValue,
    ) -> Result<(), JsValue> {
        let chunk = copied(chunk, "pushBytes takes a Uint8Array or an ArrayBuffer")?;
        self.stream.push_bytes(&chunk, now()).map_err(|violation| thrown(&violation))
    }

    /// Ends the stream, when the transport has ended. A stream without `done` or `error` is then a problem
    /// (DC-2). Never throws.
    pub fn end(&mut self) {
        self.stream.end(now());
    }

    /// The status of the message: empty, streaming, or how it ended.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "\"empty\" | \"streaming\" | \"done\" | \"error\""
    )]
    #[must_use]
    pub fn status(&self) -> String {
        self.stream.status().as_str().to_owned()
    }

    /// The final message; `undefined` until the stream is done, and after an error delta. Throws
    /// `DeltaContractError` (`limit`) if its JSON is longer than a string can be.
    ///
    /// @returns The message, or `undefined`.
    #[wasm_bindgen(unchecked_return_type = "Message | undefined")]
    pub fn message(&self) -> Result<JsValue, JsValue> {
        self.check_size(LONGEST_JSON)?;
        self.stream.message().map_or(Ok(JsValue::UNDEFINED), |message| parsed(&message.to_json()))
    }

    /// The message so far, with tool arguments parsed as far as they have arrived. Throws as `message` does.
    ///
    /// @returns The message so far; a new object in each call.
    #[wasm_bindgen(unchecked_return_type = "Message")]
    pub fn preview(&self) -> Result<JsValue, JsValue> {
        self.check_size(LONGEST_JSON)?;
        parsed(&self.stream.preview().to_json())
    }

    /// The changes since the last call, for a screen. Throws as `message` does.
    ///
    /// @returns The changes in order; an empty array if there are none.
    #[wasm_bindgen(js_name = takeChanges, unchecked_return_type = "Change[]")]
    pub fn take_changes(&mut self) -> Result<JsValue, JsValue> {
        if self.stream.pending() * 8 > LONGEST_JSON {
            self.check_size(LONGEST_JSON)?;
        }
        parsed(&change::to_json(&self.stream.take_changes()))
    }

    /// The deltas since the last call (after `restore`: since the snapshot) as NDJSON, for a log of the run;
    /// adjacent deltas of one part are merged. Throws `DeltaContractError` (`limit`) if the message is larger
    /// than 1 GiB.
    ///
    /// @returns NDJSON in UTF-8, one delta a line; empty if there are none.
    #[wasm_bindgen(js_name = takeDeltas)]
    pub fn take_deltas(&mut self) -> Result<js_sys::Uint8Array, JsValue> {
        self.check_size(u64::from(MOST))?;
        Ok(js_sys::Uint8Array::from(self.stream.take_deltas().as_bytes()))
    }

    /// For the store: forgets what was taken up to a `seq`; what is taken from now on can be had again.
    #[wasm_bindgen(js_name = storeForget, skip_typescript)]
    pub fn store_forget(&mut self, seq: &JsValue) {
        self.stream.forget_deltas(seq_of(seq));
    }

    /// For the store: what was taken with a `seq` above `from` and at most `to`, byte for byte.
    #[wasm_bindgen(js_name = storeAgain, skip_typescript)]
    #[must_use]
    pub fn store_again(&self, from: &JsValue, to: &JsValue) -> js_sys::Uint8Array {
        js_sys::Uint8Array::from(self.stream.deltas_again(seq_of(from), seq_of(to)).as_bytes())
    }

    /// The message so far or the final one, as a message with parts. Throws `DeltaContractError` if the
    /// context has no `sessionID` or a field of it is not a string, and as `message` does.
    ///
    /// @param context - The ids and names that a stream does not contain; only `sessionID` must be there.
    /// @returns A message with parts; ids that the context lacks are created once, and kept in snapshots.
    #[wasm_bindgen(js_name = toWithParts, unchecked_return_type = "WithParts")]
    pub fn to_with_parts(
        &mut self,
        #[wasm_bindgen(js_name = context, unchecked_param_type = "WithPartsContext")]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.check_size(LONGEST_JSON)?;
        let _scope = Scope::new();
        let given = Js::hold(given);
        let Some(session) = string(&given.get(Key::SessionID), "sessionID")? else {
            let message = "toWithParts needs the session of the message: `sessionID`";
            return Err(refused("schema", message));
        };
        let text = |key: Key| string(&given.get(key), key.as_str());
        let (message, parent) = (text(Key::MessageID)?, text(Key::ParentID)?.unwrap_or_default());
        let agent = text(Key::Agent)?.unwrap_or_default();
        let provider = text(Key::ProviderID)?.unwrap_or_default();
        let model = text(Key::ModelID)?;
        let path = given.get(Key::Path);
        let cwd = string(&path.get(Key::Cwd), "path.cwd")?.unwrap_or_default();
        let root = string(&path.get(Key::Root), "path.root")?.unwrap_or_default();
        let context = MessageContext {
            session_id: &session,
            message_id: message.as_deref(),
            parent_id: &parent,
            agent: &agent,
            provider_id: &provider,
            model_id: model.as_deref(),
            cwd: &cwd,
            root: &root,
            now_ms: now(),
            keeps_empty_output: false,
        };
        parsed(&self.stream.to_with_parts(&context, &mut new_id))
    }

    /// Warnings, and the violations that were collected, in the order of the stream.
    ///
    /// @returns The problems so far; offsets are in bytes.
    #[wasm_bindgen(unchecked_return_type = "Problem[]")]
    #[must_use]
    pub fn problems(&self) -> JsValue {
        let _scope = Scope::new();
        let mut list = Problems::new();
        for problem in self.stream.problems() {
            list.report(problem.clone());
        }
        list.list().take()
    }

    /// The shortest delta stream that rebuilds this state, as NDJSON, for `restore` in another process.
    /// Throws as `takeDeltas` does.
    ///
    /// @returns NDJSON in UTF-8.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array")]
    pub fn snapshot(&self) -> Result<js_sys::Uint8Array, JsValue> {
        self.check_size(u64::from(MOST))?;
        Ok(js_sys::Uint8Array::from(&self.stream.snapshot()[..]))
    }

    /// An assembler that continues from a snapshot. Throws `DeltaContractError` if the bytes are not a
    /// snapshot or an option is invalid.
    ///
    /// @param snapshot - What `snapshot` returned.
    /// @param options - The options of the new assembler; give the same `format`.
    /// @returns The assembler.
    pub fn restore(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "AssemblerOptions", js_name = options)]
        given: &JsValue,
    ) -> Result<DeltaAssembler, JsValue> {
        let snapshot = copied(snapshot, "a snapshot must be a Uint8Array")?;
        Stream::restore(&snapshot, options(given)?)
            .map(DeltaAssembler::around)
            .map_err(|violation| thrown(&violation))
    }
}

/// Reads all deltas of a recorded stream, which may hold several responses. Throws `DeltaContractError`
/// at the first record that cannot be read (unless problems are collected), and if an argument is invalid.
///
/// ```js
/// const line = '{"runId":"r1","seq":1,"timestamp":"2026-01-01T00:00:00Z","kind":"text","payload":{"textDelta":"Hi"}}';
/// readDeltas("delta", new TextEncoder().encode(line + "\n")).map((delta) => delta.kind); // ["text"]
/// ```
///
/// @param format - The format of the bytes.
/// @param bytes - The whole recording.
/// @param options - As of a `DeltaAssembler`; `format` is not read.
/// @returns All deltas in order; each response has a `runId` of its own.
#[wasm_bindgen(js_name = readDeltas, unchecked_return_type = "MessageDelta[]")]
pub fn read_deltas(
    #[wasm_bindgen(unchecked_param_type = "WireFormat")] format: &JsValue,
    #[wasm_bindgen(js_name = bytes, unchecked_param_type = "Uint8Array")] stream: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "AssemblerOptions", js_name = options)]
    given: &JsValue,
) -> Result<JsValue, JsValue> {
    let _scope = Scope::new();
    let mut options = options(given)?;
    options.format = Some(wire_format(&Js::hold(format))?);
    let stream = copied(stream, "readDeltas takes a Uint8Array or an ArrayBuffer")?;
    let deltas = apex_parts_assemble::read_deltas(&stream, &options, now(), &mut new_id)
        .map_err(|violation| thrown(&violation))?;
    parsed(&deltas)
}

/// Detects the format of a recorded stream from its first records; `undefined` if it is not known. `apex-parts/core`
/// knows `delta` only. Throws `DeltaContractError` (`limit`) if there are more bytes than the module can take.
///
/// ```js
/// const events = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","role":"assistant"}}\n\n';
/// streamFormat(new TextEncoder().encode(events)); // "anthropic"
/// ```
///
/// @param bytes - The recording, or its beginning.
/// @returns The format, or `undefined`.
#[wasm_bindgen(js_name = streamFormat, unchecked_return_type = "WireFormat | undefined")]
pub fn stream_format(
    #[wasm_bindgen(js_name = bytes, unchecked_param_type = "Uint8Array")] stream: &JsValue,
) -> Result<Option<String>, JsValue> {
    if bytes(stream).is_none() {
        return Ok(None);
    }
    let stream = copied(stream, "streamFormat takes a Uint8Array or an ArrayBuffer")?;
    Ok(apex_parts_wire::detect(&stream).map(|format| format.as_str().to_owned()))
}

/// Checks the messages of a run against each other: DC-8 (call ids are unique), DC-9 (one result per
/// call), DC-10 (no result without a call), DC-14 (roles). Never throws.
///
/// ```js
/// const parts = [{ kind: "tool_result" as const, payload: { toolCallId: "c1", isError: false, content: "ok" } }];
/// const problems = checkRun([{ runId: "r1", role: "tool", parts, timestamp: "2026-01-01T00:00:00Z" }]);
/// problems.map((problem) => problem.rule); // ["DC-10"]
/// ```
///
/// @param messages - The messages of one run, in order.
/// @returns The problems; an empty array if there are none.
#[wasm_bindgen(js_name = checkRun, unchecked_return_type = "Problem[]")]
#[must_use]
pub fn check_run(
    #[wasm_bindgen(unchecked_param_type = "Message[]")] messages: &JsValue,
) -> JsValue {
    let _scope = Scope::new();
    let mut list = Problems::new();
    apex_parts_assemble::check_run(&Js::hold(messages), &mut list);
    too_long(&mut list);
    list.list().take()
}

/// A number as a `seq`; what is no number is 0.
#[allow(clippy::cast_possible_truncation)] // it saturates
fn seq_of(value: &JsValue) -> i64 {
    value.as_f64().unwrap_or_default() as i64
}

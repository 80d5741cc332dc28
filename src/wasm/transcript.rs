//! § 6 of the API: transcripts, as far as they are read now.

use super::check::ids_of;
use super::env::{Problems, logged, new_id, now};
use super::handle::{Js, Scope};
use crate::check::Ids;
use crate::model::{Build, Error, Key, Report, View};
use crate::transcript::{Format, Options, Transcript as Core, stream_format};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/bridge.js")]
extern "C" {
    /// A view of the bytes of a `Uint8Array`, a `Buffer` or an `ArrayBuffer`, whichever realm made
    /// it.
    pub(super) fn bytes(value: &JsValue) -> Option<js_sys::Uint8Array>;
}

/// A transcript held as bytes and an index: nothing is turned into objects until it is asked for.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Transcript {
    format: Option<Format>,
    ids: Option<Ids>,
    pushed: Vec<u8>,
    open: Option<Core>,
}

fn error(message: &str) -> JsValue {
    logged(&Error::transcript(message, 0))
}

/// Opens a file, or assembles a recorded stream.
fn open(bytes: Vec<u8>, format: Option<Format>, ids: Option<Ids>) -> Result<Core, Error> {
    let stream = match format {
        Some(Format::Stream(format)) => Some(format),
        Some(_) => None,
        None => stream_format(&bytes),
    };
    match stream {
        Some(format) => Core::open_stream(&bytes, format, ids, now(), &mut new_id),
        None => Core::open(bytes, Options { format, ids }),
    }
}

pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A value out of JSON that stands in the file.
fn parse(json: &[u8]) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&String::from_utf8_lossy(json))
        .map_err(|_| error("the message cannot be made into objects: it is nested too deep"))
}

#[wasm_bindgen]
impl Transcript {
    /// Piece by piece: `push` each chunk of the file, then `end`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "TranscriptOptions")] options: &JsValue,
    ) -> Result<Transcript, JsValue> {
        let _scope = Scope::new();
        let format = Js::hold(options).get(Key::Format);
        let format = match format.text() {
            None => None,
            Some(name) => Some(Format::parse(&name).ok_or_else(|| {
                error(&format!(
                    "unknown format {name:?}; give one of {}, or none",
                    Format::NAMES.join(", ")
                ))
            })?),
        };
        Ok(Transcript { format, ids: ids_of(options), pushed: Vec::new(), open: None })
    }

    /// A whole file at once. The format is told from the content unless it is given; damaged input
    /// opens as far as it goes: see `problems()`. Throws `TranscriptError` where the bytes hold no
    /// transcript at all.
    pub fn open(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "TranscriptOptions")] options: &JsValue,
    ) -> Result<Transcript, JsValue> {
        let mut transcript = Transcript::new(options)?;
        transcript.push(bytes)?;
        transcript.end()?;
        Ok(transcript)
    }

    /// Takes the next bytes of the file.
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] chunk: &JsValue,
    ) -> Result<(), JsValue> {
        if self.open.is_some() {
            return Err(error("push after end: the transcript is open already"));
        }
        let Some(chunk) = bytes(chunk) else {
            return Err(error("a transcript is given as bytes: a Uint8Array or an ArrayBuffer"));
        };
        let from = self.pushed.len();
        self.pushed.resize(from + chunk.length() as usize, 0);
        if let Some(room) = self.pushed.get_mut(from..) {
            chunk.copy_to(room);
        }
        Ok(())
    }

    /// The file is over: reads it. Throws `TranscriptError` where the bytes hold no transcript.
    pub fn end(&mut self) -> Result<(), JsValue> {
        if self.open.is_none() {
            let bytes = std::mem::take(&mut self.pushed);
            self.open = Some(open(bytes, self.format, self.ids).map_err(|e| logged(&e))?);
        }
        Ok(())
    }

    /// The kind of file; `undefined` until it is open.
    #[wasm_bindgen(getter, unchecked_return_type = "TranscriptFormat | undefined")]
    #[must_use]
    pub fn format(&self) -> Option<String> {
        self.open.as_ref().map(|t| t.format().as_str().to_owned())
    }

    /// The session, where the file has it.
    #[wasm_bindgen(getter, unchecked_return_type = "Record<string, unknown> | undefined")]
    pub fn session(&self) -> Result<JsValue, JsValue> {
        match self.open.as_ref().and_then(Core::session) {
            Some(json) => parse(json),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// How many messages there are.
    #[wasm_bindgen(getter, js_name = messageCount)]
    #[must_use]
    pub fn message_count(&self) -> u32 {
        self.open.as_ref().map_or(0, |t| count(t.message_count()))
    }

    /// How many parts there are.
    #[wasm_bindgen(getter, js_name = partCount)]
    #[must_use]
    pub fn part_count(&self) -> u32 {
        self.open.as_ref().map_or(0, |t| count(t.part_count()))
    }

    /// A message with its parts; `undefined` where there is none.
    #[wasm_bindgen(unchecked_return_type = "WithParts | undefined")]
    pub fn message(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] index: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let Some(index) = whole(index) else { return Ok(JsValue::UNDEFINED) };
        match self.open.as_ref().and_then(|t| t.message(index)) {
            Some(json) => parse(json),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The messages from `start` to before `end`; all of them by default.
    #[wasm_bindgen(unchecked_return_type = "WithParts[]")]
    pub fn messages(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] start: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] end: &JsValue,
    ) -> Result<js_sys::Array, JsValue> {
        let list = js_sys::Array::new();
        let Some(open) = &self.open else { return Ok(list) };
        let limit = open.message_count();
        let end = if end.is_undefined() { limit } else { whole(end).unwrap_or(0).min(limit) };
        for index in whole(start).unwrap_or(0)..end {
            if let Some(json) = open.message(index) {
                list.push(&parse(json)?);
            }
        }
        Ok(list)
    }

    /// Rules broken, in the order of the file, and what was lost to damage, with byte offsets.
    #[wasm_bindgen(unchecked_return_type = "Problem[]")]
    #[must_use]
    pub fn problems(&self) -> JsValue {
        let _scope = Scope::new();
        let mut list = Problems::new();
        for problem in self.open.iter().flat_map(Core::problems) {
            list.report(problem);
        }
        list.list().take()
    }

    /// The loops in it, session by session, across messages. Throws `PartValidationError` where a
    /// setting is none.
    #[wasm_bindgen(unchecked_return_type = "(DoomLoopDetectionResult & { partIDs: string[] })[]")]
    pub fn loops(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig", js_name = config)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let config = super::loops::config(given)?;
        let found = self.open.as_ref().map(|t| t.loops(&config)).unwrap_or_default();
        Ok(super::loops::found_value(&found))
    }

    /// Sums over all messages.
    #[wasm_bindgen(unchecked_return_type = "TranscriptStats")]
    pub fn stats(&self) -> Result<JsValue, JsValue> {
        let stats = self.open.as_ref().map(|t| t.stats().clone()).unwrap_or_default();
        parse(&serde_json::to_vec(&stats).unwrap_or_default())
    }

    /// What a list of rows needs to know of every message and part, without making objects.
    #[wasm_bindgen(unchecked_return_type = "TranscriptLayout")]
    #[must_use]
    pub fn layout(&self) -> JsValue {
        let _scope = Scope::new();
        let (messages, parts) =
            self.open.as_ref().map_or((&[][..], &[][..]), |t| (t.messages(), t.parts()));
        let first: Vec<u32> =
            messages.iter().map(|m| count(m.first_part)).chain([count(parts.len())]).collect();
        let sizes: Vec<u32> = parts.iter().map(|p| p.size).collect();
        let bytes = |list: Vec<u8>| js_sys::Uint8Array::from(&list[..]).into();
        let fields: [(Key, JsValue); 6] = [
            (Key::FirstPart, js_sys::Uint32Array::from(&first[..]).into()),
            (Key::Types, bytes(parts.iter().map(|p| p.kind).collect())),
            (Key::Statuses, bytes(parts.iter().map(|p| p.status).collect())),
            (Key::Roles, bytes(messages.iter().map(|m| m.role).collect())),
            (Key::Flags, bytes(messages.iter().map(|m| m.flags).collect())),
            (Key::Sizes, js_sys::Uint32Array::from(&sizes[..]).into()),
        ];
        let mut layout = Js::object();
        for (key, value) in fields {
            layout.put(key, &Js::hold(&value));
        }
        layout.take()
    }
}

/// An index that JavaScript gave.
fn whole(index: &JsValue) -> Option<usize> {
    let _scope = Scope::new();
    let index = Js::hold(index).number();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // in range
    (index >= 0.0 && index < f64::from(u32::MAX)).then_some(index as usize)
}

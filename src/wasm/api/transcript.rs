//! § 6 of the API: transcripts.

use crate::wasm::api::validator::ids_of;
use crate::wasm::columns::{float32, float64, int32, names, uint8, uint16, uint32};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{Problems, logged, new_id, now};
use crate::wasm::limits;
use crate::wasm::limits::bytes;
use crate::wasm::numbers::{count, whole};
use crate::wasm::options::{TRANSCRIPT, log_unknown, unreadable};
use apex_parts_model::{Build, Error, Key, Report, View, shorten};
use apex_parts_transcript::{
    Env, Format, LoopSearch, Read, Summarizer, Transcript as Core, TranscriptOptions,
};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// A transcript, held as bytes and an index: a message becomes objects only when it is read.
///
/// ```js
/// const [sessionID, messageID] = [generateMessageId(), generateMessageId()];
/// const info = createUserMessage({ id: messageID, sessionID, agent: "build", providerID: "p", modelID: "m" });
/// const parts = [createTextPart({ sessionID, messageID, text: "Read a.txt" })];
/// const transcript = Transcript.open(new TextEncoder().encode(JSON.stringify([{ info, parts }])));
/// transcript.stats().parts; // { text: 1 }
/// transcript.search("a.txt").map(({ field, start }) => [field, start]); // [["/text", 5]]
/// transcript.free();
/// ```
#[wasm_bindgen]
#[derive(Debug)]
pub struct Transcript {
    pub(super) core: Core,
    /// The time of its creation, for formats without times: the same for all of its bytes.
    pub(super) now: f64,
    /// A search for loops that has begun.
    pub(super) loop_search: Option<LoopSearch>,
    /// A summary that has begun.
    pub(super) summarizer: Option<Summarizer>,
}

fn error(message: &str) -> JsValue {
    logged(&Error::transcript("schema", message, 0))
}

/// The value of JSON from the file.
pub(crate) fn parse(json: &[u8]) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&String::from_utf8_lossy(json)).map_err(|_| {
        let message = "the message cannot be converted to objects: it is too long, or nested too deeply, or its \
                       bytes are not those that were read before";
        logged(&Error::transcript("limit", message, 0))
    })
}

/// The source of bytes that calls the `read` function of the host.
fn reader(read: js_sys::Function) -> Read {
    Box::new(move |start, end| {
        #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
        let (start, end) = (JsValue::from(start as f64), JsValue::from(end as f64));
        let given = read.call2(&JsValue::UNDEFINED, &start, &end).map_err(|thrown| {
            let _scope = Scope::new();
            let message = Js::hold(&thrown).get(Key::Message);
            message.text().map_or_else(|| "`read` threw".to_owned(), Cow::into_owned)
        })?;
        let given = bytes(&given).ok_or("`read` did not return a Uint8Array")?;
        limits::bytes_of(&given).map_err(|too_large| format!("{} (limit)", too_large.message()))
    })
}

/// Runs with the time and a source of ids.
fn with_env<T>(now_ms: f64, run: impl FnOnce(&mut Env<'_>) -> T) -> T {
    run(&mut Env { now_ms, new_id: &mut new_id })
}

fn chunk_of(chunk: &JsValue) -> Result<js_sys::Uint8Array, JsValue> {
    bytes(chunk).ok_or_else(|| error("a transcript must be bytes: a Uint8Array or an ArrayBuffer"))
}

/// Adds bytes to a transcript whose messages without a time are of the time `now`.
pub(super) fn push_to(core: &mut Core, chunk: &js_sys::Uint8Array, now: f64) -> Result<(), Error> {
    let mut fill = |at: usize, target: &mut [u8]| {
        chunk.subarray(count(at), count(at + target.len())).copy_to(target);
    };
    let length = limits::length_of(chunk)
        .map_err(|too_large| Error::transcript("limit", too_large.message(), 0))?;
    with_env(now, |env| core.push_with(length, &mut fill, env))
}

/// Ends a transcript, like [`push_to`].
pub(super) fn end_of(core: &mut Core, now: f64) -> Result<(), Error> {
    with_env(now, |env| core.end(env))
}

impl Transcript {
    /// An empty transcript with the same options, but for `read`.
    pub(super) fn another(&self, options: &JsValue) -> Core {
        let (format, ids) = (self.core.format(), ids_of(options));
        Core::new(TranscriptOptions { format, ids, read: None })
    }

    /// Forgets what was found in the messages: there will be others.
    fn forget(&mut self) {
        self.loop_search = None;
        self.summarizer = None;
    }
}

#[wasm_bindgen]
impl Transcript {
    /// Creates a transcript that is read in chunks: `push` each chunk of the file, then `end`. What has been
    /// read can be accessed at any time. Throws `TranscriptError` if an option is invalid.
    ///
    /// @param options - The format, if it is known, and how the bytes are read.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "TranscriptOptions")] options: &JsValue,
    ) -> Result<Transcript, JsValue> {
        let scope = Scope::new();
        let given = Js::hold(options);
        log_unknown(&given, "Transcript", TRANSCRIPT);
        if let Some(why) = unreadable(&given, &[Key::Format, Key::Ids, Key::Now, Key::Read]) {
            return Err(error(&why));
        }
        let format = given.get(Key::Format);
        let format = match format.text() {
            None => None,
            Some(name) => Some(Format::parse(&name).ok_or_else(|| {
                error(&format!(
                    "unknown format {:?}; pass one of {}, or none",
                    shorten(&name),
                    Format::NAMES.join(", ")
                ))
            })?),
        };
        let time = given.get(Key::Now).number();
        let read = Js::hold(options).get(Key::Read).take();
        drop(scope);
        let read = match read.dyn_into::<js_sys::Function>() {
            Ok(read) => Some(reader(read)),
            Err(other) if other.is_null() || other.is_undefined() => None,
            Err(_) => return Err(error("`read` must be a function (start, end) => Uint8Array")),
        };
        let ids = ids_of(options);
        let core = Core::new(TranscriptOptions { format, ids, read });
        let now = if time.is_finite() { time } else { now() };
        Ok(Transcript { core, now, loop_search: None, summarizer: None })
    }

    /// Opens the bytes of a whole file. The format is detected unless it is given; damaged input is read as
    /// far as possible, see `problems()`. Throws `TranscriptError` if the bytes are not a transcript, or an
    /// option is invalid.
    ///
    /// @param bytes - The file.
    /// @param options - The format, if it is known.
    /// @returns The transcript.
    pub fn open(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "TranscriptOptions")] options: &JsValue,
    ) -> Result<Transcript, JsValue> {
        let mut transcript = Transcript::new(options)?;
        transcript.push(bytes)?;
        transcript.end()?;
        Ok(transcript)
    }

    /// Adds the next bytes of the file. Throws `TranscriptError` if `chunk` is not bytes, does not fit in
    /// memory, or shows that the file is not a transcript.
    ///
    /// @param chunk - The next bytes, cut anywhere.
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] chunk: &JsValue,
    ) -> Result<(), JsValue> {
        let chunk = chunk_of(chunk)?;
        self.forget();
        push_to(&mut self.core, &chunk, self.now).map_err(|e| logged(&e))
    }

    /// Ends the file: the rest of it is read. Throws `TranscriptError` if the bytes are not a transcript.
    pub fn end(&mut self) -> Result<(), JsValue> {
        self.forget();
        end_of(&mut self.core, self.now).map_err(|e| logged(&e))
    }

    /// Between `push`es: makes everything read so far accessible, as if the file ended here, also for formats
    /// whose messages are assembled from pieces. What this cuts off is left out and is not a problem. While
    /// the format is not certain, it is guessed; more bytes may prove another one, which replaces the
    /// result. It assembles everything anew, so do not call it after every chunk of a large file.
    pub fn refresh(&mut self) {
        self.forget();
        with_env(self.now, |env| self.core.refresh(env));
    }

    /// The messages of a session; an empty array if there is no such session. Throws as `message` does.
    ///
    /// @param sessionID - The id of a session of `sessions`.
    /// @returns Its messages.
    #[wasm_bindgen(js_name = messagesOf, unchecked_return_type = "WithParts[]")]
    pub fn messages_of(
        &self,
        #[wasm_bindgen(js_name = sessionID, unchecked_param_type = "string")] session: &JsValue,
    ) -> Result<js_sys::Array, JsValue> {
        let list = js_sys::Array::new();
        let session = limits::text_of(session).map_err(|too_large| too_large.transcript())?;
        let Some(session) = session else { return Ok(list) };
        for json in self.core.messages_of(&session).map_err(|e| logged(&e))? {
            list.push(&parse(&json)?);
        }
        Ok(list)
    }

    /// The number of messages of the main session.
    #[wasm_bindgen(getter, js_name = messageCount)]
    #[must_use]
    pub fn message_count(&self) -> u32 {
        count(self.core.message_count())
    }

    /// The number of parts of the main session's messages.
    #[wasm_bindgen(getter, js_name = partCount)]
    #[must_use]
    pub fn part_count(&self) -> u32 {
        count(self.core.part_count())
    }

    /// The message of the main session at an index, with its parts; `undefined` if there is none. Throws `TranscriptError` if it
    /// cannot be read: `read` failed, or the message is too large.
    ///
    /// @param index - The index of the message, from 0.
    /// @returns A new object in each call, or `undefined`.
    #[wasm_bindgen(unchecked_return_type = "WithParts | undefined")]
    pub fn message(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] index: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let Some(index) = whole(index) else { return Ok(JsValue::UNDEFINED) };
        match self.core.message(index).map_err(|e| logged(&e))? {
            Some(json) => parse(&json),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The messages of the main session from index `start` up to, not including, `end`; by default all. Those of the
    /// other `sessions` are given by `messagesOf`. A file that has its messages as they are, in one list, shows all of
    /// it. Throws as `message` does.
    ///
    /// @param start - The index of the first message, from 0.
    /// @param end - The index before which to stop.
    /// @returns New objects in each call.
    #[wasm_bindgen(unchecked_return_type = "WithParts[]")]
    pub fn messages(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] start: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] end: &JsValue,
    ) -> Result<js_sys::Array, JsValue> {
        let list = js_sys::Array::new();
        let limit = self.core.message_count();
        let end = if end.is_undefined() { limit } else { whole(end).unwrap_or(0).min(limit) };
        let start = whole(start).unwrap_or(0).min(end);
        let mut failed = None;
        let read = self.core.each(start..end, &mut |_, json| match parse(json) {
            Ok(message) => {
                list.push(&message);
                true
            }
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        read.map_err(|e| logged(&e))?;
        failed.map_or(Ok(list), Err)
    }

    /// The range of bytes in the file that holds the messages of the main session from index `start` up to, not including, `end`:
    /// what `read` will be asked for. `undefined` if there are no such messages, or they were assembled
    /// from pieces.
    ///
    /// @param start - The index of the first message, from 0.
    /// @param end - The index before which to stop.
    /// @returns Offsets in bytes, `end` not included, or `undefined`.
    #[wasm_bindgen(js_name = byteRange, unchecked_return_type = "{ start: number; end: number } | undefined")]
    #[must_use]
    pub fn byte_range(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] start: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] end: &JsValue,
    ) -> JsValue {
        let (Some(start), Some(end)) = (whole(start), whole(end)) else {
            return JsValue::UNDEFINED;
        };
        let Some(range) = self.core.byte_range(start..end) else { return JsValue::UNDEFINED };
        let _scope = Scope::new();
        let mut value = Js::object();
        #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
        for (key, offset) in [(Key::Start, range.start), (Key::End, range.end)] {
            value.put_number(key, offset as f64);
        }
        value.take()
    }

    /// What a copy of the file, or of one session, as messages with their parts should carry, so that who reads it learns
    /// what the file says beside its messages: which ids are valid, of each session what it is and what the file says of
    /// it, its own totals, how the run ended. Set it as `apexTranscript`, the first field of the first message's `info`;
    /// `Transcript` reads it there. `undefined` where the messages say it all. Nothing in it is masked: give it to a
    /// `Redactor` as well. Throws `TranscriptError` if there is no such session, or a message cannot be read.
    ///
    /// @param scope - The session; the whole file if left out.
    /// @returns A new object, or `undefined`.
    #[wasm_bindgen(js_name = copyNote, unchecked_return_type = "Record<string, unknown> | undefined")]
    pub fn copy_note(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "SessionScope", js_name = scope)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let session = self.session_of(given)?;
        let note = self.core.copy_note(session.as_deref()).map_err(|e| logged(&e))?;
        note.map_or(Ok(JsValue::UNDEFINED), |note| parse(note.as_bytes()))
    }

    /// The rules that the file breaks, in its order, then what was lost to damage, with offsets in bytes.
    ///
    /// @returns The problems; an empty array if there are none.
    #[wasm_bindgen(unchecked_return_type = "Problem[]")]
    #[must_use]
    pub fn problems(&self) -> JsValue {
        let _scope = Scope::new();
        let mut list = Problems::new();
        for problem in self.core.problems() {
            list.report(problem);
        }
        list.list().take()
    }

    /// Totals over the whole file, or over one session: messages, parts, calls, tokens, cost. Throws `TranscriptError`
    /// if there is no such session, or a message cannot be read.
    ///
    /// @param scope - The session; the whole file if left out.
    /// @returns The totals.
    #[wasm_bindgen(unchecked_return_type = "TranscriptStats")]
    pub fn stats(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "SessionScope", js_name = scope)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let stats = match self.session_of(given)? {
            None => self.core.stats(),
            Some(id) => self.core.stats_of(&id).map_err(|e| logged(&e))?.unwrap_or_default(),
        };
        parse(&serde_json::to_vec(&stats).unwrap_or_default())
    }

    /// Facts about every message and part of the main session as columns, for a list of rows, without creating objects.
    ///
    /// @returns The columns.
    #[wasm_bindgen(unchecked_return_type = "TranscriptLayout")]
    #[must_use]
    pub fn layout(&self) -> JsValue {
        let _scope = Scope::new();
        let (messages, parts) = (self.core.messages(), self.core.parts());
        let first = messages.iter().map(|m| m.first_part).chain([count(parts.len())]);
        let fields: [(Key, JsValue); 18] = [
            (Key::FirstPart, uint32(first.collect())),
            (Key::Types, uint8(parts.iter().map(|p| p.kind).collect())),
            (Key::Statuses, uint8(parts.iter().map(|p| p.status).collect())),
            (Key::Exits, int32(parts.iter().map(|p| p.exit).collect())),
            (Key::Sizes, uint32(parts.iter().map(|p| p.size).collect())),
            (Key::Starts, float64(parts.iter().map(|p| p.from).collect())),
            (Key::Ends, float64(parts.iter().map(|p| p.to).collect())),
            (Key::Costs, float32(parts.iter().map(|p| p.cost).collect())),
            (Key::Tokens, uint32(parts.iter().map(|p| p.tokens).collect())),
            (Key::Tools, uint16(parts.iter().map(|p| p.tool).collect())),
            (Key::Roles, uint8(messages.iter().map(|m| m.role).collect())),
            (Key::Flags, uint8(messages.iter().map(|m| m.flags).collect())),
            (Key::Created, float64(messages.iter().map(|m| m.created).collect())),
            (Key::Completed, float64(messages.iter().map(|m| m.completed).collect())),
            (Key::Agents, uint16(messages.iter().map(|m| m.agent).collect())),
            (Key::Sessions, uint32(self.core.session_places())),
            (Key::ToolNames, names(self.core.tool_names())),
            (Key::AgentNames, names(self.core.agent_names())),
        ];
        let mut layout = Js::object();
        for (key, value) in fields {
            layout.put(key, &Js::hold(&value));
        }
        layout.take()
    }
}

impl Transcript {
    /// The session that options name, if they name one.
    pub(crate) fn session_of(&self, options: &JsValue) -> Result<Option<String>, JsValue> {
        let scope = Scope::new();
        let named = Js::hold(options).get(Key::Session);
        if named.kind().is_nullish() {
            return Ok(None);
        }
        let id = named.text().map(Cow::into_owned);
        drop(scope);
        match id.filter(|id| self.core.session_place(Some(id)).is_some()) {
            Some(id) => Ok(Some(id)),
            None => Err(error("`session` must be the id of one of `sessions`")),
        }
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }
}

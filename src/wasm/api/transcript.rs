//! § 6 of the API: transcripts.

use crate::model::{Build, Error, Key, Report, View, shorten};
use crate::transcript::{Env, Format, LoopSearch, Read, Transcript as Core, TranscriptOptions};
use crate::wasm::api::validator::ids_of;
use crate::wasm::columns::{float32, float64, names, uint8, uint16, uint32};
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{Problems, logged, new_id, now};
use crate::wasm::limits;
use crate::wasm::limits::bytes;
use crate::wasm::numbers::{count, whole};
use crate::wasm::options::{TRANSCRIPT, tell_unknown};
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// A transcript held as bytes and an index: nothing is turned into objects until it is asked for.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Transcript {
    core: Core,
    /// When it was made: the time for formats that have none, however its bytes come.
    now: f64,
    /// A search for loops that was begun.
    looking: Option<LoopSearch>,
}

fn error(message: &str) -> JsValue {
    logged(&Error::transcript(message, 0))
}

/// A value out of JSON that stands in the file.
pub(crate) fn parse(json: &[u8]) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&String::from_utf8_lossy(json)).map_err(|_| {
        error(
            "the message cannot be made into objects: it is too long, or nested too deep, or its \
             bytes are not those that were read before",
        )
    })
}

/// What a host's function reads.
fn reader(read: js_sys::Function) -> Read {
    Box::new(move |start, end| {
        #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
        let (start, end) = (JsValue::from(start as f64), JsValue::from(end as f64));
        let given = read.call2(&JsValue::UNDEFINED, &start, &end).map_err(|thrown| {
            let _scope = Scope::new();
            let message = Js::hold(&thrown).get(Key::Message);
            message.text().map_or_else(|| "`read` threw".to_owned(), Cow::into_owned)
        })?;
        let given = bytes(&given).ok_or("`read` gave no Uint8Array")?;
        limits::bytes_of(&given).map_err(|too_large| format!("limit: {}", too_large.message()))
    })
}

/// What the core cannot know by itself.
fn with_env<T>(now_ms: f64, run: impl FnOnce(&mut Env<'_>) -> T) -> T {
    run(&mut Env { now_ms, new_id: &mut new_id })
}

fn chunk_of(chunk: &JsValue) -> Result<js_sys::Uint8Array, JsValue> {
    bytes(chunk)
        .ok_or_else(|| error("a transcript is given as bytes: a Uint8Array or an ArrayBuffer"))
}

impl Transcript {
    /// Goes on with the search for loops, or begins one where the settings are others.
    fn look_for(&mut self, to: usize, given: &JsValue) -> Result<(), JsValue> {
        let config = super::loops::config(given)?;
        let begun = self.looking.take().filter(|search| *search.config() == config);
        let search = self.looking.insert(begun.unwrap_or_else(|| LoopSearch::new(config)));
        self.core.look_for_loops(search, to).map_err(|e| logged(&e))
    }
}

#[wasm_bindgen]
impl Transcript {
    /// Piece by piece: `push` each chunk of the file, then `end`. What was scanned can be asked for
    /// at any time.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "TranscriptOptions")] options: &JsValue,
    ) -> Result<Transcript, JsValue> {
        let scope = Scope::new();
        let given = Js::hold(options);
        tell_unknown(&given, "Transcript", TRANSCRIPT);
        let format = given.get(Key::Format);
        let format = match format.text() {
            None => None,
            Some(name) => Some(Format::parse(&name).ok_or_else(|| {
                error(&format!(
                    "unknown format {:?}; give one of {}, or none",
                    shorten(&name),
                    Format::NAMES.join(", ")
                ))
            })?),
        };
        let read = Js::hold(options).get(Key::Read).take();
        drop(scope);
        let read = match read.dyn_into::<js_sys::Function>() {
            Ok(read) => Some(reader(read)),
            Err(other) if other.is_null() || other.is_undefined() => None,
            Err(_) => return Err(error("`read` is a function (start, end) => Uint8Array")),
        };
        let core = Core::new(TranscriptOptions { format, ids: ids_of(options), read });
        Ok(Transcript { core, now: now(), looking: None })
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
        let chunk = chunk_of(chunk)?;
        let mut fill = |at: usize, room: &mut [u8]| {
            chunk.subarray(count(at), count(at + room.len())).copy_to(room);
        };
        let length = limits::length_of(&chunk).map_err(|too_large| too_large.transcript())?;
        self.looking = None;
        with_env(self.now, |env| self.core.push_with(length, &mut fill, env))
            .map_err(|e| logged(&e))
    }

    /// The file is over: what is left of it is read. Throws `TranscriptError` where the bytes hold
    /// no transcript.
    pub fn end(&mut self) -> Result<(), JsValue> {
        self.looking = None;
        with_env(self.now, |env| self.core.end(env)).map_err(|e| logged(&e))
    }

    /// Between `push`es: shows what there is so far, also of formats that are put together, as if the
    /// file ended here; what is merely cut by that is not yet there, and no problem. The reading goes
    /// on. Of so few bytes that the format is not sure it is guessed; more bytes may show another, and
    /// take back what was shown. Costs what putting everything together costs, so not after every
    /// piece of a large file.
    pub fn refresh(&mut self) {
        self.looking = None;
        with_env(self.now, |env| self.core.refresh(env));
    }

    /// The kind of file; `undefined` until it is told.
    #[wasm_bindgen(getter, unchecked_return_type = "TranscriptFormat | undefined")]
    #[must_use]
    pub fn format(&self) -> Option<String> {
        self.core.format().map(|format| format.as_str().to_owned())
    }

    /// The session, where the file has it.
    #[wasm_bindgen(getter, unchecked_return_type = "Record<string, unknown> | undefined")]
    pub fn session(&self) -> Result<JsValue, JsValue> {
        self.core.session().map_or(Ok(JsValue::UNDEFINED), parse)
    }

    /// The sessions in the file: a task has one of its own.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "{ id: string; parentID?: string; title?: string }[]"
    )]
    #[must_use]
    pub fn sessions(&self) -> JsValue {
        let _scope = Scope::new();
        let list = js_sys::Array::new();
        for session in self.core.sessions() {
            let mut made = Js::object();
            let fields = [
                (Key::Id, Some(session.id)),
                (Key::ParentID, session.parent_id),
                (Key::Title, session.title),
            ];
            for (key, text) in fields {
                if let Some(text) = text {
                    made.put(key, &Js::string(&text));
                }
            }
            list.push(&made.take());
        }
        list.into()
    }

    /// The messages of a session; none where there is no such session.
    #[wasm_bindgen(js_name = messagesOf, unchecked_return_type = "WithParts[]")]
    pub fn messages_of(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string", js_name = sessionID)] session: &JsValue,
    ) -> Result<js_sys::Array, JsValue> {
        let list = js_sys::Array::new();
        let session = limits::text_of(session).map_err(|too_large| too_large.transcript())?;
        let Some(session) = session else { return Ok(list) };
        for json in self.core.messages_of(&session).map_err(|e| logged(&e))? {
            list.push(&parse(&json)?);
        }
        Ok(list)
    }

    /// How many messages there are.
    #[wasm_bindgen(getter, js_name = messageCount)]
    #[must_use]
    pub fn message_count(&self) -> u32 {
        count(self.core.message_count())
    }

    /// How many parts there are.
    #[wasm_bindgen(getter, js_name = partCount)]
    #[must_use]
    pub fn part_count(&self) -> u32 {
        count(self.core.part_count())
    }

    /// A message with its parts; `undefined` where there is none.
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

    /// The messages from `start` to before `end`; all of them by default.
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

    /// Where the messages from `start` to before `end` stand in the file, in bytes: for who reads ahead
    /// what `read` will be asked for. `undefined` where there are none, or they were put together and
    /// stand nowhere in it.
    #[wasm_bindgen(
        js_name = byteRange,
        unchecked_return_type = "{ start: number; end: number } | undefined"
    )]
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

    /// Rules broken, in the order of the file, and what was lost to damage, with byte offsets.
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

    /// The loops in it, session by session, across messages. Throws `PartValidationError` where a
    /// setting is none.
    #[wasm_bindgen(unchecked_return_type = "(DoomLoopDetectionResult & { partIDs: string[] })[]")]
    pub fn loops(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig", js_name = config)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.look_for(usize::MAX, given)?;
        let found = self.looking.take();
        Ok(super::loops::found_value(found.as_ref().map_or(&[], LoopSearch::found)))
    }

    /// Looks for loops in the messages before the index `to` only, and says how many there are in
    /// those. It goes on where the last call stopped; `loops` with the same settings then needs to
    /// look at the rest only. So a long search goes in pieces, and other things are done between
    /// them. The messages are those of all sessions: where they were put together, the first one's
    /// come first. Throws as `loops` does.
    #[wasm_bindgen(js_name = lookForLoops, unchecked_return_type = "number")]
    pub fn look_for_loops(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] to: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "DoomLoopConfig", js_name = config)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        self.look_for(whole(to).unwrap_or(0), given)?;
        let found = self.looking.as_ref().map_or(0, |search| search.found().len());
        Ok(JsValue::from(count(found)))
    }

    /// Sums over all messages.
    #[wasm_bindgen(unchecked_return_type = "TranscriptStats")]
    pub fn stats(&self) -> Result<JsValue, JsValue> {
        parse(&serde_json::to_vec(self.core.stats()).unwrap_or_default())
    }

    /// What a list of rows needs to know of every message and part, without making objects.
    #[wasm_bindgen(unchecked_return_type = "TranscriptLayout")]
    #[must_use]
    pub fn layout(&self) -> JsValue {
        let _scope = Scope::new();
        let (messages, parts) = (self.core.messages(), self.core.parts());
        let first = messages.iter().map(|m| m.first_part).chain([count(parts.len())]);
        let fields: [(Key, JsValue); 17] = [
            (Key::FirstPart, uint32(first.collect())),
            (Key::Types, uint8(parts.iter().map(|p| p.kind).collect())),
            (Key::Statuses, uint8(parts.iter().map(|p| p.status).collect())),
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
    pub(crate) fn core(&self) -> &Core {
        &self.core
    }
}

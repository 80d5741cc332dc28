//! What `ts/opencode/` asks: a session in OpenCode's form, message by message. Not part of the API: names that begin
//! with `OpenCode` are left out of the package's entries.

use crate::wasm::api::transcript::Transcript;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::{Problems, logged, new_id, now};
use apex_parts_convert::opencode::{
    LostFields, MessageSource, OpenCodeConversion, OpenCodeOptions, SessionSource, import_problems,
    session_of,
};
use apex_parts_convert::opencode2::{self, OpenCode2Conversion};
use apex_parts_json::tape::Tape;
use apex_parts_model::{Error, Key, Kind, Path, Report, View};
use apex_parts_transcript::SessionPlace;
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// Messages as JSON.
#[derive(Debug)]
struct MessageTexts(Vec<String>);

impl MessageSource for MessageTexts {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn json(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Ok(self.0.get(index).map(|text| text.as_bytes().into()))
    }
}

/// A conversion to what either version takes.
#[derive(Debug)]
enum Conversion {
    First(Box<OpenCodeConversion>),
    Second(Box<OpenCode2Conversion>),
}

impl Conversion {
    fn new(
        messages: &dyn MessageSource,
        source: &SessionSource<'_>,
        ConversionRequest { options, is_second, .. }: &ConversionRequest,
    ) -> Result<Conversion, JsValue> {
        let made = if *is_second {
            OpenCode2Conversion::new(messages, source, options)
                .map(Box::new)
                .map(Conversion::Second)
        } else {
            OpenCodeConversion::new(messages, source, options).map(Box::new).map(Conversion::First)
        };
        made.map_err(|error| logged(&error))
    }

    fn info(&self) -> &str {
        match self {
            Conversion::First(conversion) => conversion.info(),
            Conversion::Second(conversion) => conversion.info(),
        }
    }

    fn lost(&self) -> &LostFields {
        match self {
            Conversion::First(conversion) => conversion.lost(),
            Conversion::Second(conversion) => conversion.lost(),
        }
    }

    fn next(&mut self, messages: &dyn MessageSource) -> Result<Option<String>, JsValue> {
        let next = match self {
            Conversion::First(conversion) => conversion.next(messages),
            Conversion::Second(conversion) => conversion.next(messages),
        };
        next.map_err(|error| logged(&error))
    }
}

/// A conversion, with the messages if they are not a transcript's.
#[wasm_bindgen(js_name = OpenCodeWriter, skip_typescript)]
#[derive(Debug)]
pub struct OpenCodeWriter {
    core: Conversion,
    messages: MessageTexts,
    /// Where the messages are in the transcript.
    place: Option<SessionPlace>,
}

/// What was asked for.
#[derive(Default)]
struct ConversionRequest {
    options: OpenCodeOptions,
    session: Option<String>,
    /// Is it for OpenCode 2?
    is_second: bool,
}

/// The options. They come as the JSON of `[directory, title, session, newIds, isSecond]`, for few parameters:
/// `ts/module/guard.ts` passes on five.
fn options(given: &str) -> ConversionRequest {
    let mut tape = Tape::default();
    let options = OpenCodeOptions { now_ms: Some(now()), ..OpenCodeOptions::default() };
    let mut all = ConversionRequest { options, ..ConversionRequest::default() };
    if tape.read(given.as_bytes(), 0).is_err() {
        return all;
    }
    let root = tape.root_of(given);
    let text = |index: usize| root.at(index).text().map(Cow::into_owned);
    (all.options.directory, all.options.title) = (text(0), text(1));
    all.options.copy = (root.at(3).kind() == Kind::True).then(new_id);
    all.is_second = root.at(4).kind() == Kind::True;
    all.session = text(2);
    all
}

/// The messages of an array as JSON.
#[inline(never)]
fn texts_of(given: &Js) -> Result<MessageTexts, JsValue> {
    let mut texts = Vec::new();
    let mut refused = None;
    given.each(usize::MAX, &mut |index, message| match message.json_text() {
        Some(text) => texts.push(text.into_owned()),
        None => drop(refused.get_or_insert(index)),
    });
    if let Some(index) = refused {
        let path = Path::ROOT;
        let message = "it cannot be written as JSON".to_owned();
        return Err(logged(&Error::rule("schema", &path.index(index), message)));
    }
    Ok(MessageTexts(texts))
}

#[inline(never)]
fn writer(
    messages: MessageTexts,
    source: &SessionSource<'_>,
    given: &ConversionRequest,
) -> Result<OpenCodeWriter, JsValue> {
    let core = Conversion::new(&messages, source, given)?;
    Ok(OpenCodeWriter { core, messages, place: None })
}

#[wasm_bindgen(js_class = OpenCodeWriter)]
impl OpenCodeWriter {
    /// Of an array of messages with parts.
    #[wasm_bindgen(js_name = ofMessages, skip_typescript)]
    pub fn of_messages(messages: &JsValue, given: &str) -> Result<OpenCodeWriter, JsValue> {
        let _scope = Scope::new();
        let given_messages = Js::hold(messages);
        let first = given_messages.at(0).get(Key::Info);
        let source = SessionSource {
            id: first.get(Key::SessionID).text().map(Cow::into_owned).unwrap_or_default(),
            format: "with-parts",
            ..SessionSource::default()
        };
        writer(texts_of(&given_messages)?, &source, &options(given))
    }

    /// Of the messages that a transcript gave for a session, which get the ids that the session itself gets.
    /// `undefined` if they are not as many as it has.
    #[wasm_bindgen(js_name = ofMessagesFrom, skip_typescript)]
    pub fn of_messages_from(
        messages: &JsValue,
        transcript: &Transcript,
        given: &str,
    ) -> Result<Option<OpenCodeWriter>, JsValue> {
        let _scope = Scope::new();
        let given = options(given);
        let texts = texts_of(&Js::hold(messages))?;
        let core = transcript.core();
        match session_of(core, given.session.as_deref()) {
            Some((place, source)) if core.session_messages(place).own_count() == texts.0.len() => {
                writer(texts, &source, &given).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Of a session of a transcript; without an id, of the main one. `undefined` if there is no such session.
    #[wasm_bindgen(js_name = ofTranscript, skip_typescript)]
    pub fn of_transcript(
        transcript: &Transcript,
        given: &str,
    ) -> Result<Option<OpenCodeWriter>, JsValue> {
        let given = options(given);
        let Some((place, source)) = session_of(transcript.core(), given.session.as_deref()) else {
            return Ok(None);
        };
        let list = transcript.core().session_messages(place);
        let core = Conversion::new(&list, &source, &given)?;
        Ok(Some(OpenCodeWriter { core, messages: MessageTexts(Vec::new()), place: Some(place) }))
    }

    /// The session's record, as JSON.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn info(&self) -> String {
        self.core.info().to_owned()
    }

    /// The next message as JSON; `undefined` at the end.
    #[wasm_bindgen(js_name = next, skip_typescript)]
    pub fn next_of_own(&mut self) -> Result<Option<String>, JsValue> {
        self.core.next(&self.messages)
    }

    /// The same of the transcript from which it was made.
    #[wasm_bindgen(js_name = nextOf, skip_typescript)]
    pub fn next_of(&mut self, transcript: &Transcript) -> Result<Option<String>, JsValue> {
        let Some(place) = self.place else { return Ok(None) };
        self.core.next(&transcript.core().session_messages(place))
    }

    /// What had no place so far: a JSON array of names and how often each was left out, in turn.
    #[wasm_bindgen(skip_typescript)]
    #[must_use]
    pub fn lost(&self) -> String {
        let pairs: Vec<(&str, u64)> = self.core.lost().each().collect();
        serde_json::to_string(&pairs).unwrap_or_default()
    }

    /// Why `opencode import` would stop at the file of a transcript, as problems. Not a method of the transcript, so
    /// that the viewer's module does without it.
    #[wasm_bindgen(js_name = problemsOf, skip_typescript)]
    pub fn problems_of(transcript: &Transcript, is_second: bool) -> Result<JsValue, JsValue> {
        let _scope = Scope::new();
        let mut list = Problems::new();
        let found = match is_second {
            true => opencode2::import_problems(transcript.core()),
            false => import_problems(transcript.core(), now()),
        };
        for problem in found.map_err(|error| logged(&error))? {
            list.report(problem);
        }
        Ok(list.list().take())
    }
}

//! § 6 of the API: search in transcripts.

use super::transcript::{Transcript, parse};
use crate::wasm::columns::{names, uint32};
use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::limits;
use crate::wasm::options::{SEARCH, log_unknown};
use apex_parts_json::tape::Node;
use apex_parts_model::{Build, Error, Key, Kind, Path, View};
use apex_parts_transcript::search::strings;
use apex_parts_transcript::search::{Match, MatchColumns, Query};
use apex_parts_transcript::{Found, FoundPlace, SearchScope, Transcript as Core};
use serde::Serialize;
use std::ops::{ControlFlow, Range};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/api/search.js")]
extern "C" {
    fn pattern(source: &JsValue, case_sensitive: bool) -> JsValue;
    fn matches(regex: &js_sys::RegExp, text: &str, most: u32) -> Vec<u32>;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = declared(include_str!("../types/search.d.ts"));

/// The default maximum number of matches.
const MOST: u32 = 1_000;

/// The most bytes that matches with excerpts may take.
const MOST_BYTES: usize = 1 << 28;
/// The bytes of a match besides its texts.
const ROW: usize = 128;

#[derive(Serialize)]
struct MatchRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    message: usize,
    part: usize,
    field: &'a str,
    start: u32,
    end: u32,
    excerpt: &'a str,
}

/// The options of a search.
struct SearchOptions {
    regex: bool,
    case_sensitive: bool,
    limit: u32,
    /// The indices of the messages to search, if they are given.
    range: Option<Range<usize>>,
    session: Option<String>,
}

impl SearchOptions {
    fn scope(&self) -> SearchScope<'_> {
        SearchScope { session: self.session.as_deref(), range: self.range.clone() }
    }
}

fn options(of: &Transcript, given: &JsValue) -> Result<SearchOptions, JsValue> {
    let session = of.session_of(given)?;
    let _scope = Scope::new();
    let given = Js::hold(given);
    log_unknown(&given, "search", SEARCH);
    let flag = |key: Key| match given.get(key).kind() {
        Kind::True => Ok(true),
        Kind::False | Kind::Missing | Kind::Null => Ok(false),
        kind => Err(refused(key, &format!("true or false, not {}", kind.describe()))),
    };
    let number = |key: Key, default: u32| {
        let given = given.get(key);
        let number = given.number();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
        match given.kind() {
            Kind::Missing | Kind::Null => Ok(default),
            Kind::Number if number >= 0.0 => Ok(number as u32),
            // Infinity: no limit.
            Kind::NotFinite => Ok(u32::MAX),
            _ => Err(refused(key, "a number, 0 or more")),
        }
    };
    let is_ranged = [Key::From, Key::To].iter().any(|key| !given.get(*key).kind().is_nullish());
    let range = number(Key::From, 0)? as usize..number(Key::To, u32::MAX)? as usize;
    Ok(SearchOptions {
        session,
        regex: flag(Key::Regex)?,
        case_sensitive: flag(Key::CaseSensitive)?,
        limit: number(Key::Limit, MOST)?,
        range: is_ranged.then_some(range),
    })
}

fn refused(key: Key, allowed: &str) -> JsValue {
    let root = Path::ROOT;
    let path = root.key(key);
    let message = format!("`{}` must be {allowed}", key.as_str());
    logged(&Error::rule("schema", &path, message))
}

#[wasm_bindgen]
impl Transcript {
    /// Finds the matches of `query` in the whole file, or in one session: in the texts, reasoning, inputs, outputs, errors
    /// and titles of the messages, in order, those of the main session first. A match elsewhere has `session`, and
    /// `message` is then an index in `messagesOf(session)`. `message` and `part` are indices, `field` is the JSON Pointer of the string in
    /// its part, `start` and `end` are offsets in that string in UTF-16 units. Throws `TranscriptError` if
    /// the query is not a string or not a regular expression, or a message cannot be read;
    /// `PartValidationError` if an option is invalid.
    ///
    /// @param query - A literal text, or with `regex` a regular expression.
    /// @param options - How to search, the most matches, and a range of messages.
    /// @returns The matches, each with an excerpt.
    #[wasm_bindgen(
        unchecked_return_type = "{ session?: string; message: number; part: number; field: string; start: number; end: number; excerpt: string }[]"
    )]
    pub fn search(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] query: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchOptions", js_name = options)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let options = options(self, given)?;
        let most = options.limit as usize;
        let (mut found, mut size) = (Vec::new(), 0_usize);
        let mut add = |(session, message): FoundPlace<'_>, part: usize, shown: &Match<'_>| {
            if found.len() < most {
                let hit = shown.hit();
                let session = session.map(str::to_owned);
                let id = session.as_ref().map_or(0, String::len);
                size += hit.field.len() + hit.excerpt.len() + id + ROW;
                found.push(Found { session, message, part, hit });
            }
            let goes_on = found.len() < most && size <= MOST_BYTES;
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        run(self.core(), query, &options, &mut add)?;
        if size > MOST_BYTES {
            let message = format!(
                "the first {} matches are as many as can be returned at once: set `limit`, or take \
                 searchColumns",
                found.len()
            );
            return Err(logged(&Error::transcript("limit", message, 0)));
        }
        let rows: Vec<MatchRow<'_>> = found
            .iter()
            .map(|Found { session, message, part, hit }| MatchRow {
                session: session.as_deref(),
                message: *message,
                part: *part,
                field: &hit.field,
                start: hit.start,
                end: hit.end,
                excerpt: &hit.excerpt,
            })
            .collect();
        parse(&serde_json::to_vec(&rows).unwrap_or_default())
    }

    /// The matches of `search` in the main session, or in that of the options, as columns, without excerpts: for lists that show a few of very many matches.
    /// The field names take at most 16 MB; beyond that the search ends and is `capped`. Throws as `search`
    /// does.
    ///
    /// @param query - A literal text, or with `regex` a regular expression.
    /// @param options - How to search, the most matches, and a range of messages.
    /// @returns The matches as columns.
    #[wasm_bindgen(js_name = searchColumns, unchecked_return_type = "SearchColumns")]
    pub fn search_columns(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] query: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchOptions", js_name = options)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let mut options = options(self, given)?;
        // Columns have no place for the session.
        options.range = Some(options.range.unwrap_or(0..usize::MAX));
        let mut columns = MatchColumns::new(options.limit as usize);
        let mut add = |(_, message): FoundPlace<'_>, part: usize, shown: &Match<'_>| {
            columns.add(message, part, shown)
        };
        run(self.core(), query, &options, &mut add)?;
        let _scope = Scope::new();
        let mut value = Js::object();
        for (key, list) in [
            (Key::Messages, columns.messages),
            (Key::Parts, columns.parts),
            (Key::Fields, columns.fields),
            (Key::Starts, columns.starts),
            (Key::Ends, columns.ends),
        ] {
            value.put(key, &Js::hold(&uint32(list)));
        }
        value.put(Key::FieldNames, &Js::hold(&names(&columns.field_names)));
        value.put_bool(Key::Capped, columns.is_capped);
        Ok(value.take())
    }
}

/// Takes a match: where its message is, and the index of its part.
type Add<'a> = dyn FnMut(FoundPlace<'_>, usize, &Match<'_>) -> ControlFlow<()> + 'a;

/// Passes each match of a query to `add` until that breaks.
fn run(
    core: &Core,
    query: &JsValue,
    options: &SearchOptions,
    add: &mut Add<'_>,
) -> Result<(), JsValue> {
    let query_text = limits::text_of(query).map_err(|too_large| too_large.transcript())?;
    let Some(text) = query_text else {
        return Err(logged(&Error::transcript("schema", "a query must be a string", 0)));
    };
    let searched = if options.regex {
        let regex = pattern(query, options.case_sensitive);
        let regex = regex.dyn_into::<js_sys::RegExp>().map_err(|why| {
            let why = why.as_string().unwrap_or_default();
            let message = format!("the query is not a regular expression: {why}");
            logged(&Error::transcript("schema", message, 0))
        })?;
        by_pattern(core, &regex, options, add)
    } else {
        core.each_match_of(&Query::new(&text, options.case_sensitive), &options.scope(), add)
    };
    searched.map_err(|e| logged(&e))
}

/// Finds at most `limit + 1` matches, so that a string with very many of them does not become a long list.
fn by_pattern(
    core: &Core,
    regex: &js_sys::RegExp,
    options: &SearchOptions,
    add: &mut Add<'_>,
) -> Result<(), Error> {
    let mut left = options.limit.saturating_add(1);
    core.each_part_of(&options.scope(), &mut |message, part, node: Node<'_>| {
        let looked = strings(node, &mut |pointer, string| {
            let Some(text) = string.str() else { return ControlFlow::Continue(()) };
            let places = matches(regex, &text, left);
            let mut units = Units { text: &text, unit: 0, byte: 0 };
            let (pairs, _) = places.as_chunks::<2>();
            left = left.saturating_sub(u32::try_from(pairs.len()).unwrap_or(u32::MAX));
            for (index, [start, end]) in pairs.iter().enumerate() {
                let at = units.byte_at(*start)..units.byte_at(*end);
                let (start, end, is_first) = (*start, *end, index == 0);
                add(message, part, &Match { pointer, text: &text, at, start, end, is_first })?;
            }
            ControlFlow::Continue(())
        });
        looked.is_continue()
    })
}

/// Converts ascending offsets in UTF-16 units to bytes, continuing from the last one.
struct Units<'a> {
    text: &'a str,
    unit: u32,
    byte: usize,
}

impl Units<'_> {
    fn byte_at(&mut self, unit: u32) -> usize {
        let rest = self.text.get(self.byte..).unwrap_or_default();
        for c in rest.chars() {
            if self.unit >= unit {
                break;
            }
            self.unit += if c > '\u{ffff}' { 2 } else { 1 };
            self.byte += c.len_utf8();
        }
        self.byte
    }
}

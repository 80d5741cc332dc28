//! § 6 of the API: search in transcripts.

use super::env::logged;
use super::handle::{Js, Scope};
use super::transcript::{Transcript, parse};
use crate::model::{Error, Key, Kind, Path, View};
use crate::transcript::json::Node;
use crate::transcript::search::{Hit, Query, excerpt, strings};
use crate::transcript::{Found, Transcript as Core};
use serde::Serialize;
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/search.js")]
extern "C" {
    fn pattern(source: &JsValue, case_sensitive: bool) -> JsValue;
    fn matches(regex: &js_sys::RegExp, text: &str, most: u32) -> Vec<u32>;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How a transcript is searched. */
export interface SearchOptions {
  /** The query is a regular expression of JavaScript. */
  regex?: boolean;
  /** Default: case does not matter. */
  caseSensitive?: boolean;
  /** No more matches than this. Default 1,000. */
  limit?: number;
}
"#;

/// So many matches where nothing is said.
const MOST: u32 = 1_000;

#[derive(Serialize)]
struct Row<'a> {
    message: usize,
    part: usize,
    field: &'a str,
    start: u32,
    end: u32,
    excerpt: &'a str,
}

/// How to search.
struct Options {
    regex: bool,
    case_sensitive: bool,
    limit: u32,
}

fn options(given: &JsValue) -> Result<Options, JsValue> {
    let _scope = Scope::new();
    let given = Js::hold(given);
    let flag = |key: Key| match given.get(key).kind() {
        Kind::True => Ok(true),
        Kind::False | Kind::Missing | Kind::Null => Ok(false),
        kind => Err(refused(key, &format!("true or false, not {}", kind.describe()))),
    };
    let limit = given.get(Key::Limit);
    let number = limit.number();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
    let most = match limit.kind() {
        Kind::Missing | Kind::Null => MOST,
        Kind::Number if number >= 0.0 => number as u32,
        // As many as there are.
        Kind::NotFinite => u32::MAX,
        _ => return Err(refused(Key::Limit, "a number, 0 or more")),
    };
    Ok(Options { regex: flag(Key::Regex)?, case_sensitive: flag(Key::CaseSensitive)?, limit: most })
}

fn refused(key: Key, allowed: &str) -> JsValue {
    let root = Path::ROOT;
    let path = root.key(key);
    let message = format!("`{}` is {allowed}", key.as_str());
    logged(&Error::rule("schema", &path, message))
}

#[wasm_bindgen]
impl Transcript {
    /// Every match of `query` in the texts, thoughts, inputs, outputs, errors and titles of the
    /// messages, in their order. `field` is the JSON Pointer of the string inside its part, `start`
    /// and `end` are offsets in that string, as JavaScript counts them. Throws `TranscriptError`
    /// where the query is no regular expression.
    #[wasm_bindgen(
        unchecked_return_type = "{ message: number; part: number; field: string; start: number; end: number; excerpt: string }[]"
    )]
    pub fn search(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] query: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchOptions", js_name = options)]
        given: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let Options { regex, case_sensitive, limit } = options(given)?;
        let Some(text) = query.as_string() else {
            return Err(logged(&Error::transcript("a query is a string", 0)));
        };
        let core = self.core();
        let found = if regex {
            let regex = pattern(query, case_sensitive);
            match regex.dyn_into::<js_sys::RegExp>() {
                Ok(regex) => by_pattern(core, &regex, limit),
                Err(why) => {
                    let why = why.as_string().unwrap_or_default();
                    let message = format!("the query is no regular expression: {why}");
                    return Err(logged(&Error::transcript(message, 0)));
                }
            }
        } else {
            core.search(&Query::new(&text, case_sensitive), limit as usize)
        };
        let found = found.map_err(|e| logged(&e))?;
        let rows: Vec<Row<'_>> = found
            .iter()
            .map(|Found { message, part, hit }| Row {
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
}

fn by_pattern(core: &Core, regex: &js_sys::RegExp, limit: u32) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    let most = limit as usize;
    if most == 0 {
        return Ok(found);
    }
    core.each_part(&mut |message, part, node: Node<'_>| {
        let _: ControlFlow<()> = strings(node, &mut |pointer, string| {
            let Some(text) = string.str() else { return ControlFlow::Continue(()) };
            let left = u32::try_from(most - found.len()).unwrap_or(u32::MAX);
            let places = matches(regex, &text, left);
            let mut units = Units { text: &text, unit: 0, byte: 0 };
            let (pairs, _) = places.as_chunks::<2>();
            for [start, end] in pairs {
                let range = units.byte_at(*start)..units.byte_at(*end);
                let field = pointer.to_string();
                let hit = Hit { field, start: *start, end: *end, excerpt: excerpt(&text, range) };
                found.push(Found { message, part, hit });
            }
            if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found.len() < most
    })?;
    Ok(found)
}

/// From UTF-16 units to bytes, going on from the last place that was asked for.
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

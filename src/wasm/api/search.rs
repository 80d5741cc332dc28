//! § 6 of the API: search in transcripts.

use super::transcript::{Transcript, parse};
use crate::wasm::columns::{names, uint32};
use crate::wasm::declarations::declared;
use crate::wasm::handle::{Js, Scope};
use crate::wasm::host::logged;
use crate::wasm::limits;
use crate::wasm::options::{QUERY, SEARCH, log_unknown};
use apex_parts_model::{Build, Error, Key, Kind, Path, View};
use apex_parts_transcript::search::{
    Condition, Conditions, Match, MatchColumns, ParsedQuery, Query, QueryMistake, QueryOptions,
    QueryTerm, TextPattern, parse_query,
};
use apex_parts_transcript::{Found, FoundPlace, SearchScope, TellFound, Transcript as Core};
use serde::Serialize;
use std::ops::{ControlFlow, Range};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/wasm/api/search.js")]
extern "C" {
    fn pattern(source: &JsValue, case_sensitive: bool) -> JsValue;
    fn mistake(source: &str) -> Option<String>;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
    field: &'a str,
    start: u32,
    end: u32,
    excerpt: &'a str,
}

/// The options of a search.
struct SearchOptions {
    /// The query is in the language of queries.
    query: bool,
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

/// A flag of options.
fn flag_of(given: &Js, key: Key) -> Result<bool, JsValue> {
    match given.get(key).kind() {
        Kind::True => Ok(true),
        Kind::False | Kind::Missing | Kind::Null => Ok(false),
        kind => Err(refused(key, &format!("true or false, not {}", kind.describe()))),
    }
}

fn options(of: &Transcript, given: &JsValue) -> Result<SearchOptions, JsValue> {
    let session = of.session_of(given)?;
    let _scope = Scope::new();
    let given = Js::hold(given);
    log_unknown(&given, "search", SEARCH);
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
        query: flag_of(&given, Key::Query)?,
        regex: flag_of(&given, Key::Regex)?,
        case_sensitive: flag_of(&given, Key::CaseSensitive)?,
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
    /// its part, `start` and `end` are offsets in that string in UTF-16 units. A match in the error of a message itself has
    /// no `part`, and `field` is a pointer in the message (`/info/error/data/message`). With `query`, the query is in the
    /// language of the viewer's search field: the matches are those of every text in the parts that have all of them and
    /// pass the filters; of filters alone, one for each part, with an empty `field` and what the part says as `excerpt`.
    /// Throws `TranscriptError` if the query is not a string or not a regular expression, has a mistake (rule `query`),
    /// or a message cannot be read; `PartValidationError` if an option is invalid.
    ///
    /// @param query - A literal text, with `regex` a regular expression, with `query` a query.
    /// @param options - How to search, the most matches, and a range of messages.
    /// @returns The matches, each with an excerpt.
    #[wasm_bindgen(
        unchecked_return_type = "{ session?: string; message: number; part?: number; field: string; start: number; end: number; excerpt: string }[]"
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
        let mut add =
            |(session, message): FoundPlace<'_>, part: Option<usize>, shown: &Match<'_>| {
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
        let mut add = |(_, message): FoundPlace<'_>, part: Option<usize>, shown: &Match<'_>| {
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

/// Reads a query of `search` with `{query: true}`, for its mistakes. What it finds is not asked for.
///
/// ```js
/// parseQuery("tool:bash exit code").terms; // [{ text: "exit code", regex: false, caseSensitive: false }]
/// parseQuery("cost>abc").mistake?.sentence; // "“abc” is not an amount of dollars, as in cost>0.05."
/// ```
///
/// @param text - The query.
/// @param options - How its words are read.
/// @returns The texts and filters of the query, or what is wrong with it.
#[wasm_bindgen(js_name = parseQuery, unchecked_return_type = "ParsedQuery")]
pub fn parse_query_of(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let text = text_of(text)?;
    let options = {
        let _scope = Scope::new();
        let given = Js::hold(options);
        log_unknown(&given, "parseQuery", QUERY);
        let regex = flag_of(&given, Key::Regex)?;
        QueryOptions { regex, case_sensitive: flag_of(&given, Key::CaseSensitive)? }
    };
    let parsed = match parse_query(&text, options, &mut |source| mistake(source)) {
        Ok(query) => QueryReading { query, mistake: None },
        Err(mistake) => QueryReading { query: ParsedQuery::default(), mistake: Some(mistake) },
    };
    parse(&serde_json::to_vec(&parsed).unwrap_or_default())
}

/// What a query says, and what is wrong with it.
#[derive(Serialize)]
struct QueryReading {
    #[serde(flatten)]
    query: ParsedQuery,
    #[serde(skip_serializing_if = "Option::is_none")]
    mistake: Option<QueryMistake>,
}

fn text_of(query: &JsValue) -> Result<String, JsValue> {
    let text = limits::text_of(query).map_err(|too_large| too_large.transcript())?;
    text.ok_or_else(|| logged(&Error::transcript("schema", "a query must be a string", 0)))
}

/// Passes each match of a query to `add` until that breaks.
fn run(
    core: &Core,
    query: &JsValue,
    options: &SearchOptions,
    add: &mut TellFound<'_>,
) -> Result<(), JsValue> {
    let text = text_of(query)?;
    // One more than is wanted, so that a string with very many of them does not become a long list.
    let most = (options.limit as usize).saturating_add(1);
    let SearchOptions { regex, case_sensitive, .. } = *options;
    let conditions = if options.query {
        let options = QueryOptions { regex, case_sensitive };
        let parsed = parse_query(&text, options, &mut |source| mistake(source));
        let ParsedQuery { terms, filters, .. } =
            parsed.map_err(|mistake| logged(&Error::transcript("query", mistake.sentence, 0)))?;
        let texts: Result<Vec<Condition>, JsValue> = terms.iter().map(condition).collect();
        Conditions { texts: texts?, filters, most }
    } else if regex {
        Conditions { texts: vec![compiled(query, case_sensitive)?], filters: Vec::new(), most }
    } else {
        Conditions::literal(Query::new(&text, case_sensitive), most)
    };
    core.each_match_of(&conditions, &options.scope(), add).map_err(|e| logged(&e))
}

fn condition(term: &QueryTerm) -> Result<Condition, JsValue> {
    let QueryTerm { text, regex, case_sensitive } = term;
    if *regex {
        return compiled(&JsValue::from_str(text), *case_sensitive);
    }
    Ok(Condition::Literal(Box::new(Query::new(text, *case_sensitive))))
}

fn compiled(source: &JsValue, case_sensitive: bool) -> Result<Condition, JsValue> {
    let regex = pattern(source, case_sensitive).dyn_into::<js_sys::RegExp>().map_err(|why| {
        let why = why.as_string().unwrap_or_default();
        let message = format!("the query is not a regular expression: {why}");
        logged(&Error::transcript("schema", message, 0))
    })?;
    Ok(Condition::Pattern(Box::new(HostPattern(regex))))
}

/// A regular expression of JavaScript.
struct HostPattern(js_sys::RegExp);

impl TextPattern for HostPattern {
    fn matches(&self, text: &str, most: usize) -> Vec<(u32, u32)> {
        let places = matches(&self.0, text, u32::try_from(most).unwrap_or(u32::MAX));
        let (pairs, _) = places.as_chunks::<2>();
        pairs.iter().map(|[start, end]| (*start, *end)).collect()
    }
}

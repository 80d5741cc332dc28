//! Search in parts for literal text, ignoring case unless asked otherwise, and by the language of queries
//! ([`parse_query`]).
//!
//! A [`Query`] works in two stages. [`Query::next_candidate`] scans the bytes of a whole file, at
//! gigabytes per second, for positions that may be in a match; it never misses a match.
//! [`Query::in_part`] then reads a part that has a candidate and reports its matches.
//!
//! ```
//! use apex_parts_json::tape::Tape;
//! use apex_parts_transcript::search::Query;
//! use std::ops::ControlFlow;
//! let part = br#"{"type":"text","text":"Caf\u00e9 cr\u00e8me, caf\u00e9 noir"}"#;
//! let query = Query::new("CAFÉ", false);
//! assert!(query.next_candidate(part, 0).is_some());
//! let mut tape = Tape::default();
//! tape.read(part, 0)?;
//! let mut hits = Vec::new();
//! let _ = query.in_part(part, tape.root(part), &mut |found| {
//!     hits.push(found.hit());
//!     ControlFlow::Continue(())
//! });
//! assert_eq!((hits[1].field.as_str(), hits[1].start, hits[1].end), ("/text", 12, 16));
//! # Ok::<(), apex_parts_json::JsonError>(())
//! ```

mod case_folding;
mod conditions;
mod excerpt;
mod language;
mod match_columns;
mod matches;
mod part_filter;
mod part_summary;
mod prefilter;
pub mod query;
pub(crate) mod strings;

pub use conditions::{Condition, Conditions, TextPattern};
pub use excerpt::excerpt;
pub use language::{
    CheckPattern, FilterCondition, ParsedQuery, QueryFilter, QueryMistake, QueryOptions, QueryTerm,
    parse_query,
};
pub use match_columns::MatchColumns;
pub use matches::{Found, FoundPlace, SearchScope, Tell, TellFound};
pub use query::{Hit, Match, Query};
pub(crate) use strings::searched_of;
pub use strings::{Pointer, Visit, searched, strings};

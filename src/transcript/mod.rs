//! Transcripts: files of messages, held as bytes and an index. A message becomes a value only when it is
//! asked for.
//!
//! A file is scanned once, as its bytes arrive: [`Transcript::push`] each chunk, then
//! [`Transcript::end`]. Messages that the file contains with their parts stay as they are, in memory or
//! with the host ([`TranscriptOptions::read`]); from formats that have messages in pieces, messages of
//! that form are assembled. Damaged files open with what can be read, and [`Transcript::problems`] lists
//! what was lost.
//!
//! ```
//! use apex_parts::transcript::{Env, Format, Transcript, TranscriptOptions};
//! let bytes = br#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[]},{"info":{"#;
//! let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
//! let t = Transcript::open(bytes, TranscriptOptions::default(), &mut env)?;
//! assert_eq!(t.format(), Some(Format::WithParts));
//! assert_eq!(t.message_count(), 1);
//! let lost = t.problems();
//! assert_eq!(lost.last().unwrap().offset, Some(71.0));
//! # Ok::<(), apex_parts::model::Error>(())
//! ```

mod carried_part;
mod compaction;
mod detect;
mod documents;
mod formats;
pub mod index;
mod load_state;
mod loader;
mod loop_search;
mod message_list;
mod opening;
mod provisional;
mod scope;
pub mod search;
mod session;
mod session_set;
mod sessions;
mod source;
pub mod summary;
mod transcript;

pub use formats::reader::Env;
pub use formats::registry::Format;
pub use index::{Facts, TranscriptStats};
pub use loop_search::LoopSearch;
pub use search::{Found, FoundPlace, SearchScope, Tell};
pub use session::{Session, SessionKind};
pub use sessions::{SessionMessages, SessionPlace};
pub use source::Read;
#[cfg(any(feature = "convert", target_arch = "wasm32"))]
pub(crate) use summary::said_text;
pub use summary::{BreakdownRow, Division, Summarizer, TranscriptSummary};
#[cfg(target_arch = "wasm32")]
pub(crate) use summary::{
    CallSubject, DiffPlace, IN_INPUT, IN_METADATA, PATCH_BEGIN, patched_files, recorded_diff,
};
pub use transcript::{Transcript, TranscriptOptions};

//! Reads `MessageDelta` records: by the fast path where their shape is the common one, else field by
//! field (white space, another order, fields that are not known or come twice).

use super::fast_path::{fast_path, run_of};
use super::fields::{FieldError, RecordField, content};
use crate::json::JsonError;
use crate::json::cursor::end_of;
use crate::json::scan;
use crate::model::Violation;
use crate::model::delta::{Delta, Payload};
use crate::wire::errors::other_format;
use crate::wire::foreign::no_json;
use crate::wire::provider_format::DELTA;
use crate::wire::providers::{Provider, sniff};
use std::borrow::Cow;

/// Reads deltas; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct DeltaReader {
    scratch: String,
    /// How the last record began, up to its number: the next one begins so too.
    prefix: String,
    /// What begins so is of the run at hand.
    own: bool,
    /// The last record, where it could not be read as it was.
    mended: String,
    /// It had bytes that are no UTF-8.
    replaced: bool,
}

/// A record of the common shape, of the run at hand.
#[derive(Debug)]
pub struct FastRecord<'a> {
    /// Its number.
    pub seq: i64,
    /// What it says.
    pub payload: Payload<'a>,
    /// Its time.
    pub timestamp: &'a str,
}

impl DeltaReader {
    /// Reads a record of the common shape that is of the run at hand; `None` for anything else.
    pub fn read_fast<'a>(&'a mut self, record: &'a [u8]) -> Option<FastRecord<'a>> {
        let fast = if self.own { fast_path(record, &self.prefix)? } else { return None };
        if fast.prefix.is_some() {
            return None;
        }
        let (seq, timestamp) = (fast.seq, fast.timestamp);
        Some(FastRecord { seq, payload: fast.payload(&mut self.scratch), timestamp })
    }

    /// The run at hand: records that begin as the last one did are its own, if that was.
    pub fn set_run(&mut self, run_id: Option<&str>) {
        self.own = run_id.is_some() && run_of(&self.prefix) == run_id;
    }

    /// Did the last record that was read have bytes that are no UTF-8? It was read with U+FFFD in
    /// their place.
    #[must_use]
    pub fn replaced(&self) -> bool {
        self.replaced
    }

    /// Reads the record. Objects and arrays nest at most `depth` deep.
    ///
    /// # Errors
    /// A [`Violation`] where it is no delta.
    pub fn read<'a>(&'a mut self, record: &'a [u8], depth: usize) -> Result<Delta<'a>, Violation> {
        self.replaced = false;
        if let Some(fast) = fast_path(record, &self.prefix) {
            if let Some(prefix) = fast.prefix {
                prefix.clone_into(&mut self.prefix);
                self.own = false;
            }
            return Ok(fast.delta(&self.prefix, &mut self.scratch));
        }
        let mut text = String::from_utf8_lossy(record);
        self.replaced = matches!(text, Cow::Owned(_));
        let failed = |error: JsonError| match error.is_limit() {
            true => {
                Violation::new("limit", format!("the record is nested deeper than {depth} levels"))
            }
            false => Violation::new("json", no_json(error, record)),
        };
        let start = scan::skip_space(text.as_bytes(), 0);
        if text.as_bytes().get(start) != Some(&b'{') {
            let span = scan::value(text.as_bytes(), start, depth).map_err(failed)?;
            end_of(text.as_bytes(), span.end).map_err(failed)?;
            let message = format!("a delta is an object, not {}", span.kind.describe());
            return Err(Violation::new("schema", message));
        }
        let names = ["runId", "seq", "kind", "payload", "timestamp"];
        let mut scanned = scan::fields(&text, start, names, depth);
        if let Err(error) = scanned
            && let Some(shorter) = without_raw(&text, start, error)
        {
            scanned = scan::fields(&shorter, start, names, depth);
            text = Cow::Owned(shorter);
        }
        let (found, end) = scanned.map_err(failed)?;
        end_of(text.as_bytes(), end).map_err(failed)?;
        let json: &'a str = match text {
            Cow::Borrowed(json) => json,
            Cow::Owned(mended) => {
                self.mended = mended;
                &self.mended
            }
        };
        let [run_id, seq, kind, payload, timestamp] = found;
        let run_id = RecordField { json, within: "", name: "runId", span: run_id };
        let seq = RecordField { json, within: "", name: "seq", span: seq };
        let kind = RecordField { json, within: "", name: "kind", span: kind };
        let timestamp = RecordField { json, within: "", name: "timestamp", span: timestamp };
        let read = || {
            let (run_id, seq) = (run_id.string()?, seq.integer()?);
            let (kind, timestamp) = (kind.string()?, timestamp.string()?);
            let (what, meta) = content(json, kind, payload, depth)?;
            Ok(Delta { run_id, seq, what, meta, timestamp })
        };
        read().map_err(|(path, message): FieldError| {
            let (seq, run_id) = (seq.any_integer(), run_id.string().ok().map(Cow::into_owned));
            // A record of a provider has neither.
            let other = match (&seq, &run_id) {
                (None, None) => sniff(record),
                _ => None,
            };
            let (path, message) = match other.map(Provider::as_str) {
                Some(other) => (String::new(), other_format(other, DELTA)),
                None => (path, message),
            };
            Violation { path, seq, run_id, ..Violation::new("schema", message) }
        })
    }
}

/// DC-13: `providerRaw` changes nothing, however deep it is nested. The record without it, where
/// that is what is wrong with it.
fn without_raw(json: &str, start: usize, error: JsonError) -> Option<String> {
    let ([raw], _) = scan::fields(json, start, ["providerRaw"], usize::MAX).ok()?;
    let raw = raw.filter(|raw| error.is_limit() && (raw.start..raw.end).contains(&error.offset))?;
    Some(format!("{}null{}", json.get(..raw.start)?, json.get(raw.end..)?))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

//! Reads `MessageDelta` records: by the fast path if they have the common shape, otherwise field by
//! field (white space, another order, unknown fields or ones that occur twice).

use super::fast_path::{fast_path, run_of};
use super::fields::{FieldError, RecordField, content};
use crate::errors::other_format;
use crate::foreign::no_json;
use crate::provider_format::DELTA;
use crate::providers::{Provider, sniff};
use apex_parts_json::JsonError;
use apex_parts_json::cursor::end_of;
use apex_parts_json::scan;
use apex_parts_json::utf8::to_text;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Delta, Payload};
use std::borrow::Cow;

/// Reads deltas; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct DeltaReader {
    scratch: String,
    /// How the last record began, up to its number: most records begin like the one before.
    prefix: String,
    /// Records with this prefix are of the current run.
    own: bool,
    /// The last record, repaired.
    repaired: String,
    /// It had bytes that are not UTF-8.
    replaced: bool,
}

/// A record of the common shape, of the current run.
#[derive(Debug)]
pub struct FastRecord<'a> {
    /// Its sequence number.
    pub seq: i64,
    /// Its payload.
    pub payload: Payload<'a>,
    /// Its timestamp.
    pub timestamp: &'a str,
}

impl DeltaReader {
    /// Reads a record of the common shape and of the current run; `None` for any other.
    pub fn read_fast<'a>(&'a mut self, record: &'a [u8]) -> Option<FastRecord<'a>> {
        let fast = if self.own { fast_path(record, &self.prefix)? } else { return None };
        if fast.prefix.is_some() {
            return None;
        }
        let (seq, timestamp) = (fast.seq, fast.timestamp);
        Some(FastRecord { seq, payload: fast.payload(&mut self.scratch), timestamp })
    }

    /// Sets the current run. Records that begin as the last one did belong to it if that one does.
    pub fn set_run(&mut self, run_id: Option<&str>) {
        self.own = run_id.is_some() && run_of(&self.prefix) == run_id;
    }

    /// Whether the last record that was read had bytes that are not UTF-8, which were read as
    /// U+FFFD.
    #[must_use]
    pub fn replaced(&self) -> bool {
        self.replaced
    }

    /// Reads the record. Objects and arrays nest at most `depth` deep.
    ///
    /// # Errors
    /// A [`Violation`] if it is not a delta.
    pub fn read<'a>(&'a mut self, record: &'a [u8], depth: usize) -> Result<Delta<'a>, Violation> {
        self.replaced = false;
        if let Some(fast) = fast_path(record, &self.prefix) {
            if let Some(prefix) = fast.prefix {
                prefix.clone_into(&mut self.prefix);
                self.own = false;
            }
            return Ok(fast.delta(&self.prefix, &mut self.scratch));
        }
        let mut text = to_text(record);
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
            let message = format!("a delta must be an object, not {}", span.kind.describe());
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
            Cow::Owned(repaired) => {
                self.repaired = repaired;
                &self.repaired
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

/// DC-13: `providerRaw` has no effect, however deep it is nested. Gives the record without it if
/// that is the cause of the error.
fn without_raw(json: &str, start: usize, error: JsonError) -> Option<String> {
    let ([raw], _) = scan::fields(json, start, ["providerRaw"], usize::MAX).ok()?;
    let raw = raw.filter(|raw| error.is_limit() && (raw.start..raw.end).contains(&error.offset))?;
    Some(format!("{}null{}", json.get(..raw.start)?, json.get(raw.end..)?))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

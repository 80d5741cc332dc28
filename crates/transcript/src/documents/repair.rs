//! Repairs a message that is broken in its middle: the damaged bytes are blanked one by one, so that
//! everything else keeps its offset, and the message is read again.

use crate::documents::truncated;
use crate::documents::truncated::IntactPrefix;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Key, Kind, View};

/// An error is found a few bytes after its cause: a part or a message may begin up to this number of
/// bytes before the error.
pub(crate) const BACK: usize = 64;
/// This number of bytes after an object shows what contains it.
const AHEAD: usize = 128;

/// A damaged range of a file. It is read as `head`, white space, `tail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DamagedRange {
    /// The offset of its first byte in the file.
    pub(crate) offset: u64,
    pub(crate) length: usize,
    head: &'static [u8],
    tail: &'static [u8],
}

impl DamagedRange {
    /// Overwrites the range in `bytes`, which begin at the offset `start` of the file.
    pub(crate) fn fill(&self, bytes: &mut [u8], start: u64) {
        let tail = self.length.saturating_sub(self.tail.len());
        for at in 0..self.length {
            let byte = match at {
                _ if at >= tail => self.tail.get(at - tail),
                _ => self.head.get(at),
            };
            let place = (self.offset + at as u64).checked_sub(start);
            if let Some(slot) = place.and_then(|at| bytes.get_mut(usize::try_from(at).ok()?)) {
                *slot = byte.copied().unwrap_or(b' ');
            }
        }
    }

    /// The offset of the byte after it.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.length as u64
    }
}

/// How a broken message continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepairOutcome {
    /// More bytes are needed to decide.
    More,
    /// Blank this range: the message continues after it.
    GoesOn(DamagedRange),
    /// Blank this range: the message ends there; true if another one follows.
    Ends(DamagedRange, bool),
    /// Nothing can be kept.
    Lost,
}

/// The search for the next complete part. Positions are counted from the start of the message.
#[derive(Debug)]
pub(crate) struct Repair {
    before: IntactPrefix,
    /// Look only for the end of the message, not for a part.
    ends: bool,
    /// The bytes before this one have been searched.
    looked: usize,
    /// An object that may be a part begins here.
    object: Option<usize>,
    /// If that object is complete: where it ends, and whether it may be a part.
    whole: Option<(usize, bool)>,
    tape: Tape,
}

impl Repair {
    /// The repair of the message that begins `bytes` and is broken at `error`; `None` if that is before its
    /// parts. `ends` says that no further part is looked for.
    pub(crate) fn find(bytes: &[u8], error: usize, ends: bool) -> Option<Repair> {
        let before = truncated::prefix(bytes.get(..error)?)?;
        let looked = error.saturating_sub(BACK).max(before.end);
        Some(Repair { before, ends, looked, object: None, whole: None, tape: Tape::default() })
    }

    /// Continues the search in the bytes of the message and what follows it. `start` is their offset in the
    /// file; `more` says that further bytes may follow.
    pub(crate) fn look(&mut self, bytes: &[u8], start: u64, more: bool) -> RepairOutcome {
        loop {
            let Some(at) = self.object else {
                let rest = bytes.get(self.looked..).unwrap_or_default();
                let Some(brace) = memchr::memchr(b'{', rest) else {
                    self.looked = bytes.len();
                    return if more {
                        RepairOutcome::More
                    } else {
                        self.close(bytes.len(), false, start)
                    };
                };
                let at = self.looked + brace;
                if more && bytes.len() < at + AHEAD {
                    self.looked = at;
                    return RepairOutcome::More;
                }
                if is_message(near(bytes, at), at) {
                    return self.close(at, true, start);
                }
                if self.ends {
                    self.looked = at + 1;
                } else {
                    self.object = Some(at);
                    self.tape.begin(0);
                }
                continue;
            };
            match self.object_at(bytes, at, more) {
                Some((end, _)) if more && bytes.len() < end + AHEAD => return RepairOutcome::More,
                Some((end, is_part)) => {
                    if is_part && self.before.open && is_listed(near(bytes, end), end) {
                        let head: &[u8] = if self.before.parts > 0 { b"," } else { b"" };
                        return RepairOutcome::GoesOn(self.hole(at, start, head, b""));
                    }
                    self.looked = end;
                }
                None if self.object.is_some() => return RepairOutcome::More,
                None => continue,
            }
            self.whole = None;
            self.object = None;
        }
    }

    /// Where the object ends that begins at `at`, and whether it may be a part. `None` if it is not complete
    /// yet; also if it is not JSON: `self.object` is `None` then.
    fn object_at(&mut self, bytes: &[u8], at: usize, more: bool) -> Option<(usize, bool)> {
        if self.whole.is_some() {
            return self.whole;
        }
        let object = bytes.get(at..).unwrap_or_default();
        match self.tape.go_on(object, more) {
            Ok(length) => self.whole = Some((at + length, is_part(self.tape.root(object)))),
            Err(error) if error.is_cut() && more => {}
            Err(error) => {
                // No part begins before the error: it would be complete.
                self.looked = (at + error.offset.saturating_sub(BACK)).max(at + 1);
                self.object = None;
            }
        }
        self.whole
    }

    /// Ends the message after its last complete part; the next one begins at `until`, or the file ends.
    fn close(&self, until: usize, next: bool, start: u64) -> RepairOutcome {
        let head: &[u8] = if self.before.open { b"]}" } else { b"}" };
        let tail: &[u8] = if next { b"," } else { b"" };
        let hole = self.hole(until, start, head, tail);
        match self.before.has_head && hole.length >= head.len() + tail.len() {
            true => RepairOutcome::Ends(hole, next),
            false => RepairOutcome::Lost,
        }
    }

    fn hole(
        &self,
        until: usize,
        start: u64,
        head: &'static [u8],
        tail: &'static [u8],
    ) -> DamagedRange {
        let offset = start + self.before.end as u64;
        DamagedRange { offset, length: until.saturating_sub(self.before.end), head, tail }
    }
}

/// The bytes up to [`AHEAD`] after `at`: the same ones however the file was cut into chunks.
fn near(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(..at + AHEAD).unwrap_or(bytes)
}

/// Does a message begin at this brace?
fn is_message(bytes: &[u8], brace: usize) -> bool {
    let key = bytes.get(skip_space(bytes, brace + 1)..).unwrap_or_default();
    key.starts_with(b"\"info\"") || key.starts_with(b"\"parts\"") || key.starts_with(b"\"runId\"")
}

fn is_part(object: Node<'_>) -> bool {
    let is = |key: Key, kind: Kind| object.get(key).kind() == kind;
    let of_opencode = is(Key::Type, Kind::String) && is(Key::Id, Kind::String);
    of_opencode || is(Key::Kind, Kind::String) && is(Key::Payload, Kind::Object)
}

/// Does the text after an object show that the object is in a message's list of parts? (A tool's
/// attachments are lists of parts too.)
fn is_listed(bytes: &[u8], end: usize) -> bool {
    let next = |at: usize| {
        let at = skip_space(bytes, at);
        (bytes.get(at).copied(), at + 1)
    };
    let (first, at) = next(end);
    let (second, at) = next(at);
    let (third, at) = next(at);
    match (first, second, third) {
        (Some(b','), Some(b'{'), _) => true,
        (Some(b']'), Some(b','), Some(b'"')) => is_field_of_message(bytes, at),
        (Some(b']'), Some(b'}'), None | Some(b']')) => true,
        (Some(b']'), Some(b'}'), Some(b',')) => {
            let brace = skip_space(bytes, at);
            is_message(bytes, brace)
        }
        // The next line.
        (Some(b']'), Some(b'}'), Some(b'{')) => is_message(bytes, at - 1),
        _ => false,
    }
}

/// Is the name at `at` that of a field that follows the parts of a message, not of one within a part?
fn is_field_of_message(bytes: &[u8], at: usize) -> bool {
    const FIELDS: [&[u8]; 5] = [b"info\"", b"role\"", b"runId\"", b"timestamp\"", b"meta\""];
    let name = bytes.get(at..).unwrap_or_default();
    FIELDS.iter().any(|field| name.starts_with(field))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

//! A message that is broken in its middle: what is damaged is blanked, byte by byte, so that
//! everything else stands where it stood, and the message is read again.

use crate::json::scan::skip_space;
use crate::json::tape::{Node, Tape};
use crate::model::{Key, Kind, View};
use crate::transcript::documents::truncated;
use crate::transcript::documents::truncated::IntactPrefix;

/// A error is seen a few bytes behind what caused it: a part, or a message, may begin that far before
/// it.
pub(crate) const BACK: usize = 64;
/// So many bytes behind an object show what it stands in.
const AHEAD: usize = 128;

/// A damaged place of a file, and what is read in its stead: `head`, white space, `tail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DamagedRange {
    /// Its first byte in the file.
    pub(crate) offset: u64,
    pub(crate) length: usize,
    head: &'static [u8],
    tail: &'static [u8],
}

impl DamagedRange {
    /// Writes what is read in its stead over bytes that begin at `start` in the file.
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

    /// The byte behind it.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.length as u64
    }
}

/// What is to be done with a broken message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepairOutcome {
    /// More bytes will tell.
    More,
    /// This place is to be blanked: the message goes on behind it.
    GoesOn(DamagedRange),
    /// The same, and the message ends there; true where another one follows.
    Ends(DamagedRange, bool),
    /// There is nothing to be kept.
    Lost,
}

/// The search for the next whole part. Places are counted from where the message begins.
#[derive(Debug)]
pub(crate) struct Repair {
    before: IntactPrefix,
    /// No part is looked for, only where the message ends.
    ends: bool,
    /// The bytes before this one were looked at.
    looked: usize,
    /// An object that may be a part begins here.
    object: Option<usize>,
    /// It is whole, ends here, and may be a part.
    whole: Option<(usize, bool)>,
    tape: Tape,
}

impl Repair {
    /// The message in `bytes` is broken at `error`; `None` where that is before its parts. `ends` says
    /// that it goes no further.
    pub(crate) fn of(bytes: &[u8], error: usize, ends: bool) -> Option<Repair> {
        let before = truncated::prefix(bytes.get(..error)?)?;
        let looked = error.saturating_sub(BACK).max(before.end);
        Some(Repair { before, ends, looked, object: None, whole: None, tape: Tape::default() })
    }

    /// Looks on in the bytes of the message and what follows it, `start` being where they begin in
    /// the file. `more` says that there will be more of them.
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

    /// Where the object ends that begins at `at`, and whether it may be a part; `None` where it is not
    /// there yet, or, no object being at hand then, where it is none.
    fn object_at(&mut self, bytes: &[u8], at: usize, more: bool) -> Option<(usize, bool)> {
        if self.whole.is_some() {
            return self.whole;
        }
        let object = bytes.get(at..).unwrap_or_default();
        match self.tape.go_on(object, more) {
            Ok(length) => self.whole = Some((at + length, is_part(self.tape.root(object)))),
            Err(error) if error.is_cut() && more => {}
            Err(error) => {
                // What is before the error is no part: that would be whole.
                self.looked = (at + error.offset.saturating_sub(BACK)).max(at + 1);
                self.object = None;
            }
        }
        self.whole
    }

    /// Ends the message behind its last whole part; the next one begins at `until`, or the file ends.
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

/// The bytes up to those that show what stands at `at`: always the same, in whatever pieces they came.
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

/// Does what follows an object show that it stands in the list of a message's parts? (A tool's
/// attachments are lists of parts as well.)
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

/// Does the name at `at` stand behind the parts of a message, and not within one?
fn is_field_of_message(bytes: &[u8], at: usize) -> bool {
    const FIELDS: [&[u8]; 5] = [b"info\"", b"role\"", b"runId\"", b"timestamp\"", b"meta\""];
    let name = bytes.get(at..).unwrap_or_default();
    FIELDS.iter().any(|field| name.starts_with(field))
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

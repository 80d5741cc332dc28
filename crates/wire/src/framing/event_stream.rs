//! Amazon's binary event stream (`application/vnd.amazon.eventstream`).
//!
//! A frame, all numbers big-endian:
//!
//! | bytes         | what                                                                   |
//! | ------------- | ---------------------------------------------------------------------- |
//! | 4             | the length of the frame                                                |
//! | 4             | the length of the headers                                              |
//! | 4             | CRC-32 of these 8 bytes                                                |
//! | as given      | headers: length of the name (1), name, type (1), value                 |
//! | what is left  | the payload                                                            |
//! | 4             | CRC-32 of everything before                                            |
//!
//! A frame that lies within one chunk is not copied.

use super::frame::FrameFault;
use super::lines::HeldBytes;
use apex_parts_json::saved::state;
use apex_parts_model::crc32::crc32;

/// Length, length of the headers, checksum of both.
pub const PRELUDE: usize = 12;
/// A prelude and the checksum at the end.
const LEAST: usize = 16;
/// The longest frame that servers send.
const LONGEST: usize = 24 << 20;

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventStream {
    /// The beginning of a frame whose end has not arrived.
    held: HeldBytes,
    /// The length of that frame; 0 until its prelude has arrived.
    total: u64,
    /// The number of its bytes that are still to be dropped, because it is longer than the limit.
    skip: u64,
    /// The number of bytes of the stream that were taken.
    consumed: u64,
    /// A prelude was wrong: where the next frame begins is not known.
    lost: bool,
    /// `held` was given as a frame and is to be emptied.
    given: bool,
}

state!(EventStream { held, total, skip, consumed, lost } skip { given: "`settle` comes before a save" });

/// What a message of an event stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// `:message-type` is `event`; the name is that of the event.
    Event,
    /// `exception`: an error that the service's model has; the name is that of the exception.
    Exception,
    /// `error`: the name is the code of the error, the payload its message.
    Error,
    /// Another type, or none: it says nothing.
    Other,
}

/// A message: the content of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventMessage<'a> {
    /// What it is.
    pub kind: MessageKind,
    /// The type of the event or the exception, or the code of the error.
    pub name: &'a str,
    /// The payload.
    pub payload: &'a [u8],
    /// The offset of the frame's first byte in the stream.
    pub offset: u64,
}

/// A message, or why there is none and where its frame begins.
pub type EventFrame<'a> = Result<EventMessage<'a>, (FrameFault, u64)>;

/// The big-endian number that these bytes begin with.
fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|four| u32::from_be_bytes(*four))
}

/// The length of the frame and that of its headers, if the first 12 bytes of these can be those of a frame.
///
/// ```
/// use apex_parts_wire::framing::event_stream::lengths;
///
/// assert_eq!(lengths(&[0, 0, 0, 16, 0, 0, 0, 0, 0x05, 0xC2, 0x48, 0xEB]), Some((16, 0)));
/// assert_eq!(lengths(b"data: {\"id\":"), None);
/// ```
#[must_use]
pub fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    let (numbers, rest) = bytes.split_at_checked(8)?;
    let total = number(numbers)? as usize;
    let headers = number(numbers.get(4..)?)? as usize;
    let fits = (LEAST..=LONGEST).contains(&total) && headers <= total - LEAST;
    (fits && number(rest)? == crc32(numbers)).then_some((total, headers))
}

/// The headers that matter.
#[derive(Default)]
struct Headers<'a> {
    message_type: &'a str,
    event_type: &'a str,
    exception_type: &'a str,
    error_code: &'a str,
    error_message: &'a str,
}

/// Takes the first `length` bytes of `bytes`.
fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

impl<'a> Headers<'a> {
    /// `None` if these bytes are not headers.
    fn read(mut bytes: &'a [u8]) -> Option<Headers<'a>> {
        let mut headers = Headers::default();
        while let [length, rest @ ..] = bytes {
            bytes = rest;
            let name = take(&mut bytes, usize::from(*length))?;
            let [kind] = take(&mut bytes, 1)? else { return None };
            let length = match kind {
                0 | 1 => 0,
                2 => 1,
                3 => 2,
                4 => 4,
                5 | 8 => 8,
                6 | 7 => usize::from(u16::from_be_bytes(*take(&mut bytes, 2)?.first_chunk()?)),
                9 => 16,
                _ => return None,
            };
            let value = take(&mut bytes, length)?;
            if *kind != 7 {
                continue;
            }
            let place = match name {
                b":message-type" => &mut headers.message_type,
                b":event-type" => &mut headers.event_type,
                b":exception-type" => &mut headers.exception_type,
                b":error-code" => &mut headers.error_code,
                b":error-message" => &mut headers.error_message,
                _ => continue,
            };
            *place = std::str::from_utf8(value).ok()?;
        }
        Some(headers)
    }
}

/// The message of a whole frame.
fn message(frame: &[u8], offset: u64) -> EventFrame<'_> {
    let fault = |fault| (fault, offset);
    let (_, headers) = lengths(frame).ok_or(fault(FrameFault::Prelude))?;
    let (content, sum) =
        frame.split_at_checked(frame.len().saturating_sub(4)).ok_or(fault(FrameFault::Checksum))?;
    if number(sum) != Some(crc32(content)) {
        return Err(fault(FrameFault::Checksum));
    }
    let (headers, payload) = content
        .get(PRELUDE..)
        .and_then(|rest| rest.split_at_checked(headers))
        .ok_or(fault(FrameFault::Headers))?;
    let headers = Headers::read(headers).ok_or(fault(FrameFault::Headers))?;
    let (kind, name, payload) = match headers.message_type {
        "event" => (MessageKind::Event, headers.event_type, payload),
        "exception" => (MessageKind::Exception, headers.exception_type, payload),
        "error" => (MessageKind::Error, headers.error_code, headers.error_message.as_bytes()),
        _ => (MessageKind::Other, "", payload),
    };
    Ok(EventMessage { kind, name, payload, offset })
}

impl EventStream {
    /// An event stream of which `held`, shorter than a frame, is the beginning.
    pub(crate) fn after(held: Vec<u8>) -> EventStream {
        let consumed = held.len() as u64;
        EventStream { held: HeldBytes(held), consumed, ..EventStream::default() }
    }

    /// The next frame from `at` on, which is moved after it; `None` if the chunk is used up. A frame of more than
    /// `max` bytes is given as too long.
    pub fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<EventFrame<'a>> {
        self.settle();
        let rest = chunk.get(*at..).unwrap_or_default();
        if self.lost {
            self.advance(rest.len(), at);
            return None;
        }
        if self.skip > 0 {
            let dropped = rest.len().min(usize::try_from(self.skip).unwrap_or(usize::MAX));
            self.skip -= dropped as u64;
            self.advance(dropped, at);
            return self.next_if_any(chunk, at, max);
        }
        if self.held.0.is_empty()
            && let Some((total, _)) = lengths(rest)
            && total <= max
            && let Some(frame) = rest.get(..total)
        {
            let offset = self.consumed;
            self.advance(total, at);
            return Some(message(frame, offset));
        }
        self.hold(rest, at, max)
    }

    /// As [`Self::next`], if the chunk has more bytes.
    fn next_if_any<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<EventFrame<'a>> {
        if *at < chunk.len() { self.next(chunk, at, max) } else { None }
    }

    /// Holds bytes of a frame that does not lie within the chunk, and gives it when it is whole.
    fn hold(&mut self, mut rest: &[u8], at: &mut usize, max: usize) -> Option<EventFrame<'_>> {
        if self.total == 0 {
            let missing = PRELUDE.saturating_sub(self.held.0.len()).min(rest.len());
            let begin = take(&mut rest, missing)?;
            self.held.0.extend_from_slice(begin);
            self.advance(missing, at);
            if self.held.0.len() < PRELUDE {
                return None;
            }
            let offset = self.start();
            let Some((total, _)) = lengths(&self.held.0) else {
                self.lost = true;
                self.held.clear();
                return Some(Err((FrameFault::Prelude, offset)));
            };
            if total > max {
                self.skip = (total - PRELUDE) as u64;
                self.held.clear();
                return Some(Err((FrameFault::TooLong, offset)));
            }
            self.total = total as u64;
        }
        let total = usize::try_from(self.total).unwrap_or_default();
        let missing = total.saturating_sub(self.held.0.len()).min(rest.len());
        self.held.0.extend_from_slice(take(&mut rest, missing)?);
        self.advance(missing, at);
        if self.held.0.len() < total {
            return None;
        }
        let offset = self.start();
        self.given = true;
        Some(message(&self.held.0, offset))
    }

    /// The fault of a frame that lacks its end, and its offset, when no more bytes follow.
    pub fn finish(&mut self) -> Option<(FrameFault, u64)> {
        self.settle();
        let cut = !self.held.0.is_empty() || self.skip > 0;
        let offset = self.start();
        let reported = self.skip > 0;
        self.held.clear();
        (self.total, self.skip) = (0, 0);
        // One that is too long was reported.
        (cut && !reported).then_some((FrameFault::Truncated, offset))
    }

    /// The offset of the frame that is held.
    fn start(&self) -> u64 {
        self.consumed.saturating_sub(self.held.0.len() as u64)
    }

    /// The number of bytes of the stream that were taken.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Forgets the frame that was given last; call it before the state is saved.
    pub fn settle(&mut self) {
        if self.given {
            self.given = false;
            self.total = 0;
            self.held.clear();
        }
    }

    fn advance(&mut self, length: usize, at: &mut usize) {
        *at += length;
        self.consumed += length as u64;
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

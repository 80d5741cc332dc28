//! The messages of a binary event stream as records: an event is an object of one field, which names it.

use super::event_stream::{EventMessage, EventStream, MessageKind, lengths};
use super::frame::{Frame, FrameFault};
use apex_parts_json::saved::Saved;
use apex_parts_json::writer::value_text;
use serde_json::Value;

/// The state between two chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventRecords {
    stream: EventStream,
    /// The record that was given last.
    record: Vec<u8>,
}

impl Saved for EventRecords {
    fn save(&self) -> Value {
        // The record is written anew for each message.
        let EventRecords { stream, record: _ } = self;
        stream.save()
    }
    fn put_back(&mut self, saved: Value) -> bool {
        let EventRecords { stream, record } = self;
        record.clear();
        stream.put_back(saved)
    }
}

/// Writes a string as JSON. Names of events need no escapes.
fn write_string(text: &str, out: &mut Vec<u8>) {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(value_text(&Value::from(text)).as_bytes());
    }
}

/// Writes a message as a record; false if it says nothing.
fn write(message: &EventMessage<'_>, record: &mut Vec<u8>) -> bool {
    record.clear();
    let payload = message.payload.trim_ascii();
    match message.kind {
        MessageKind::Event | MessageKind::Exception => {
            record.push(b'{');
            write_string(message.name, record);
            record.push(b':');
            record.extend_from_slice(if payload.is_empty() { b"{}" } else { payload });
            record.push(b'}');
        }
        MessageKind::Error => {
            record.extend_from_slice(b"{\"error\":{\"code\":");
            write_string(message.name, record);
            record.extend_from_slice(b",\"message\":");
            write_string(&String::from_utf8_lossy(payload), record);
            record.extend_from_slice(b"}}");
        }
        MessageKind::Other => return false,
    }
    true
}

impl EventRecords {
    /// A stream of which `held` is the beginning: nothing, or a prelude; `None` if that is none.
    pub(crate) fn begin(held: Vec<u8>) -> Option<EventRecords> {
        let fits = held.is_empty() || lengths(&held).is_some();
        fits.then(|| EventRecords { stream: EventStream::after(held), record: Vec::new() })
    }

    /// The next record from `at` on, which is moved after it; `None` if the chunk is used up.
    pub(crate) fn next<'a>(
        &'a mut self,
        chunk: &'a [u8],
        at: &mut usize,
        max: usize,
    ) -> Option<Frame<'a>> {
        loop {
            let (fault, offset) = match self.stream.next(chunk, at, max)? {
                Ok(message) if write(&message, &mut self.record) => (None, message.offset),
                Ok(_) => continue,
                Err((fault, offset)) => (Some(fault), offset),
            };
            return Some(self.frame(fault, offset));
        }
    }

    /// The fault of a frame that lacks its end, when no more bytes follow.
    pub(crate) fn finish(&mut self) -> Option<Frame<'_>> {
        let (fault, offset) = self.stream.finish()?;
        Some(self.frame(Some(fault), offset))
    }

    fn frame(&self, fault: Option<FrameFault>, offset: u64) -> Frame<'_> {
        let data = if fault.is_some() { &[] } else { &*self.record };
        Frame { event: "", data, offset, fault }
    }

    pub(crate) fn consumed(&self) -> u64 {
        self.stream.consumed()
    }

    pub(crate) fn settle(&mut self) {
        self.stream.settle();
        self.record.clear();
    }
}

//! Recorded streams as transcripts: assembled, a message a response, into the form of messages with
//! their parts.

use crate::assemble::{Context, OnProblem, Options, Status, Stream};
use crate::model::Problem;
use crate::wire::{Framing, WireFormat};

/// What a recorded stream assembles to.
pub(super) struct Assembled {
    /// A JSON array of messages with their parts.
    pub(super) json: Vec<u8>,
    /// What was wrong with the stream; offsets are those of the stream.
    pub(super) problems: Vec<Problem>,
}

/// Everything that the responses of a recording share.
struct Recording<'a> {
    format: WireFormat,
    session_id: String,
    now_ms: f64,
    new_id: &'a mut dyn FnMut() -> String,
    made: Assembled,
}

impl Recording<'_> {
    fn response(&mut self) -> Stream {
        let run_id = match self.format {
            WireFormat::Delta => None,
            WireFormat::Provider(_) => Some((self.new_id)()),
        };
        Stream::new(Options {
            format: Some(self.format),
            run_id,
            on_problem: Some(OnProblem::Collect),
            ..Options::default()
        })
    }

    /// A record, framed again for a stream of its own; its problems stand at `offset`.
    fn feed(&self, stream: &mut Stream, event: &str, data: &[u8]) {
        let mut bytes = Vec::with_capacity(event.len() + data.len() + 24);
        if !event.is_empty() {
            bytes.extend_from_slice(b"event: ");
            bytes.extend_from_slice(event.as_bytes());
            bytes.push(b'\n');
        }
        for line in data.split(|b| *b == b'\n') {
            bytes.extend_from_slice(b"data: ");
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        bytes.push(b'\n');
        // Breaches are collected.
        let _ = stream.push_bytes(&bytes, self.now_ms);
    }

    fn finish(&mut self, mut stream: Stream) {
        stream.end(self.now_ms);
        if stream.status() == Status::Empty || stream.preview().run_id().is_empty() {
            return;
        }
        let context = Context {
            session_id: &self.session_id,
            provider_id: self.format.as_str(),
            now_ms: self.now_ms,
            ..Context::default()
        };
        let message = stream.to_with_parts(&context, self.new_id);
        if self.made.json.len() > 1 {
            self.made.json.push(b',');
        }
        self.made.json.extend_from_slice(message.as_bytes());
    }

    /// Takes over what was noted since, at its place in the recording.
    fn note(&mut self, stream: &Stream, seen: &mut usize, offset: Option<u64>) {
        for problem in stream.problems().iter().skip(*seen) {
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            let offset = offset.map(|offset| offset as f64);
            self.made.problems.push(Problem { offset, path: String::new(), ..problem.clone() });
        }
        *seen = stream.problems().len();
    }
}

/// Assembles a recording. A file may hold several responses one after another: each is a message.
pub(super) fn assembled(
    bytes: &[u8],
    format: WireFormat,
    now_ms: f64,
    new_id: &mut dyn FnMut() -> String,
) -> Assembled {
    let session_id = new_id();
    let made = Assembled { json: b"[".to_vec(), problems: Vec::new() };
    let mut recording = Recording { format, session_id, now_ms, new_id, made };
    let (mut framing, mut at) = (Framing::default(), 0);
    let mut stream = recording.response();
    let mut seen = 0;
    let mut take = |event: &str, data: &[u8], offset: u64, recording: &mut Recording<'_>| {
        if data.trim_ascii() == b"[DONE]" {
            return;
        }
        if matches!(stream.status(), Status::Done | Status::Error) {
            // What follows the end belongs to another response, if it begins one.
            let mut next = recording.response();
            recording.feed(&mut next, event, data);
            if next.status() != Status::Empty {
                recording.finish(std::mem::replace(&mut stream, next));
                seen = 0;
            }
        } else {
            recording.feed(&mut stream, event, data);
        }
        recording.note(&stream, &mut seen, Some(offset));
    };
    while let Some(frame) = framing.next(bytes, &mut at, usize::MAX) {
        take(frame.event, frame.data, frame.offset, &mut recording);
    }
    if let Some(frame) = framing.finish(usize::MAX) {
        take(frame.event, frame.data, frame.offset, &mut recording);
    }
    let cut = !matches!(stream.status(), Status::Done | Status::Error | Status::Empty);
    if cut {
        stream.end(now_ms);
        recording.note(&stream, &mut seen, Some(bytes.len() as u64));
    }
    recording.finish(stream);
    recording.made.json.push(b']');
    recording.made
}

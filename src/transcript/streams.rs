//! Recorded streams as transcripts: assembled, a message a response, into the form of messages with
//! their parts.

use crate::assemble::{Assembler, Context, OnProblem, Settings, Status};
use crate::model::Problem;
use crate::model::delta::{Payload, Said, What};
use crate::wire::delta::{Records, Refusal};
use crate::wire::reader::{Reader, reader};
use crate::wire::{Frame, Framing, WireFormat};

/// What a recorded stream assembles to.
pub(super) struct Assembled {
    /// A JSON array of messages with their parts.
    pub(super) json: Vec<u8>,
    /// What was wrong with the stream; offsets are those of the stream.
    pub(super) problems: Vec<Problem>,
}

/// A recording while it is read: one reader for all of it, an assembler for each response.
struct Recording<'a> {
    format: WireFormat,
    session_id: String,
    now_ms: f64,
    /// The bytes of the recording.
    length: f64,
    new_id: &'a mut dyn FnMut() -> String,
    records: Records,
    response: Assembler,
    made: Assembled,
}

/// An assembler for the next response.
fn assembler(format: WireFormat, new_id: &mut dyn FnMut() -> String) -> Assembler {
    let run_id = match format {
        WireFormat::Delta => None,
        WireFormat::Provider(_) => Some(new_id()),
    };
    Assembler::new(Settings { run_id, on_problem: OnProblem::Collect, ..Settings::default() })
}

impl Recording<'_> {
    fn take(&mut self, frame: Frame<'_>, reader: &mut Option<Box<dyn Reader>>) {
        let data = frame.data.trim_ascii();
        if data.is_empty() {
            return;
        }
        let offset = Some(frame.offset);
        match reader {
            Some(reader) => {
                let read =
                    reader.record(frame.event, frame.data, &mut |said| self.said(said, offset));
                if let Err(fault) = read {
                    self.refuse(fault.rule, fault.message, offset);
                }
            }
            None if data == b"[DONE]" => {}
            None => self.delta(data, offset),
        }
    }

    fn delta(&mut self, data: &[u8], offset: Option<u64>) {
        let mut records = std::mem::take(&mut self.records);
        // Breaches are collected, here and below: these are all `Ok`.
        let _ = match records.read(data, Settings::default().max_depth) {
            Ok(delta) => {
                if matches!(delta.what, What::Known(Payload::Start { .. })) {
                    self.turn();
                }
                self.response.push(&delta, offset)
            }
            Err(refusal) => self.response.refuse(refusal, offset),
        };
        self.records = records;
    }

    fn said(&mut self, said: Said<'_>, offset: Option<u64>) {
        if matches!(said, Said::Delta(Payload::Start { .. })) {
            self.turn();
        }
        #[allow(clippy::cast_possible_truncation)] // it saturates
        let now = self.now_ms as i64;
        let _ = self.response.said(said, now, offset);
    }

    fn refuse(&mut self, rule: &'static str, message: String, offset: Option<u64>) {
        let refusal = Refusal { rule, message, path: String::new(), seq: None, run_id: None };
        let _ = self.response.refuse(refusal, offset);
    }

    /// A response begins: the one before it is a message, if it has ended.
    fn turn(&mut self) {
        if matches!(self.response.status(), Status::Done | Status::Error) {
            self.finish();
            self.response = assembler(self.format, self.new_id);
        }
    }

    fn finish(&mut self) {
        let Recording { response, made, length, .. } = self;
        made.problems.extend(response.problems().iter().map(|problem| Problem {
            // Paths lead into deltas, not into the transcript.
            path: String::new(),
            // What has no place of its own is about the end.
            offset: problem.offset.or(Some(*length)),
            ..problem.clone()
        }));
        if response.status() == Status::Empty {
            return;
        }
        let context = Context {
            session_id: &self.session_id,
            provider_id: self.format.as_str(),
            now_ms: self.now_ms,
            ..Context::default()
        };
        let message = response.to_with_parts(&context, self.new_id);
        if made.json.len() > 1 {
            made.json.push(b',');
        }
        made.json.extend_from_slice(message.as_bytes());
    }
}

/// Assembles a recording. A file may hold several responses one after another: each is a message.
pub(super) fn assembled(
    bytes: &[u8],
    format: WireFormat,
    now_ms: f64,
    new_id: &mut dyn FnMut() -> String,
) -> Assembled {
    let mut reader = match format {
        WireFormat::Delta => None,
        WireFormat::Provider(format) => Some(reader(format)),
    };
    #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
    let length = bytes.len() as f64;
    let mut recording = Recording {
        format,
        session_id: new_id(),
        now_ms,
        length,
        records: Records::default(),
        response: assembler(format, new_id),
        new_id,
        made: Assembled { json: b"[".to_vec(), problems: Vec::new() },
    };
    let (mut framing, mut at) = (Framing::default(), 0);
    while let Some(frame) = framing.next(bytes, &mut at, usize::MAX) {
        recording.take(frame, &mut reader);
    }
    if let Some(frame) = framing.finish(usize::MAX) {
        recording.take(frame, &mut reader);
    }
    if let Some(reader) = &mut reader {
        reader.end(&mut |said| recording.said(said, None));
    }
    if recording.response.status() == Status::Streaming {
        recording.response.end();
    }
    recording.finish();
    recording.made.json.push(b']');
    recording.made
}

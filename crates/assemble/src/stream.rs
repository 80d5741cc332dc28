//! Bytes into a message: framing, the format's reader, the assembler.

use super::backlog::Backlog;
use super::message::Message;
use super::options::StreamOptions;
use super::settings::{MessageStatus, OnProblem};
use super::state::Assembler;
use crate::change::Change;
use crate::to_parts;
use crate::to_parts::MessageContext;
use apex_parts_json::utf8::NO_UTF_8;
use apex_parts_model::Problem;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Payload, ReaderOutput};
use apex_parts_model::time;
use apex_parts_wire::delta::DeltaReader;
use apex_parts_wire::{Frame, Framing, LineAhead, Reader, Sink, ThinkTags, WireFormat};
use std::fmt;

/// Assembles one message from bytes of a stream, from deltas, or from both.
pub struct Stream {
    pub(crate) format: WireFormat,
    pub(crate) framing: Framing,
    pub(crate) records: DeltaReader,
    pub(crate) reader: Option<Box<dyn Reader>>,
    /// What the reader was made with, for a snapshot.
    pub(crate) think_tags: Option<ThinkTags>,
    pub(crate) assembler: Assembler,
    /// The rest of a chunk after a record that was a violation; it is read before the next chunk.
    pub(crate) backlog: Backlog,
    /// The ids that [`Stream::to_with_parts`] has used: the message's, then those of its parts.
    pub(crate) part_ids: Vec<String>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stream { format, framing, assembler, .. } = self;
        f.debug_struct("Stream")
            .field("format", format)
            .field("framing", framing)
            .field("assembler", assembler)
            .finish_non_exhaustive()
    }
}

/// What takes a record: everything of a stream but its framing.
struct Taker<'a> {
    records: &'a mut DeltaReader,
    reader: &'a mut Option<Box<dyn Reader>>,
    assembler: &'a mut Assembler,
    now: i64,
}

/// Reads a record with a reader, to a depth.
type ReadRecord<'a> =
    dyn FnMut(&mut dyn Reader, usize, &mut Sink<'_>) -> Result<(), Violation> + 'a;

/// Takes a record of the format `delta`.
fn take(
    records: &mut DeltaReader,
    assembler: &mut Assembler,
    record: &[u8],
    offset: Option<u64>,
) -> Result<(), Violation> {
    let read = records.read(record, assembler.settings.max_depth);
    let is_delta = read.is_ok();
    let result = match read {
        Ok(delta) => assembler.push(&delta, offset),
        Err(violation) => assembler.refuse(violation, offset),
    };
    if is_delta && result.is_ok() && records.replaced() {
        assembler.warn("json", NO_UTF_8, offset);
    }
    result
}

impl Taker<'_> {
    /// Takes a line in the most frequent spelling of its format; `None` leaves it to [`Taker::take`].
    fn take_line(&mut self, line: &LineAhead<'_>) -> Option<Result<(), Violation>> {
        let offset = Some(line.offset);
        if self.reader.is_none() {
            let delta = self.records.read_fast(line.text)?;
            let (seq, timestamp) = (delta.seq, delta.timestamp);
            return Some(self.assembler.push_own(seq, &delta.payload, timestamp, offset));
        }
        let mut is_read = false;
        let result = self.read(offset, &mut |reader, depth, out| {
            is_read = reader.line(line.event, line.text, depth, out);
            Ok(())
        });
        is_read.then_some(result)
    }

    fn take(&mut self, frame: Frame<'_>) -> Result<(), Violation> {
        let offset = Some(frame.offset);
        let assembler = &mut *self.assembler;
        // The fast path: most records are deltas of this run in the common shape.
        if self.reader.is_none()
            && let Some(delta) = self.records.read_fast(frame.data)
        {
            return assembler.push_own(delta.seq, &delta.payload, delta.timestamp, offset);
        }
        if let Some(fault) = frame.fault {
            let (rule, message) = fault.problem(assembler.settings.max_bytes);
            let run_id = assembler.run_id.clone();
            return assembler.fail(Violation { run_id, offset, ..Violation::new(rule, message) });
        }
        if frame.data.trim_ascii().is_empty() {
            return Ok(());
        }
        if self.reader.is_none() {
            if frame.data.trim_ascii() == b"[DONE]" {
                return Ok(());
            }
            let result = take(self.records, assembler, frame.data, offset);
            self.records.set_run(assembler.run_id.as_deref());
            return result;
        }
        self.read(offset, &mut |reader, depth, out| {
            reader.record_within(frame.event, frame.data, depth, out)
        })
    }

    /// Lets the reader read, and takes what it emits.
    fn read(&mut self, offset: Option<u64>, read: &mut ReadRecord<'_>) -> Result<(), Violation> {
        let Taker { reader: Some(reader), assembler, .. } = self else { return Ok(()) };
        let (mut first, now) = (None, self.now);
        let (depth, mut before) = (assembler.settings.max_depth, assembler.violations);
        let read = read(&mut **reader, depth, &mut |output| {
            // After a violation, the rest of the record would refer to something that is not there; but
            // what the reader itself left out is missed by nothing.
            if assembler.violations > before {
                return;
            }
            let left_out = matches!(output, ReaderOutput::Wrong { .. });
            if let Err(violation) = assembler.push_output(output, now, offset) {
                first.get_or_insert(violation);
            }
            if left_out {
                before = assembler.violations;
            }
        });
        assembler.settle(now, false);
        if let Err(violation) = read {
            let run_id = assembler.run_id.clone();
            assembler.fail(Violation { run_id, offset, ..violation })?;
        }
        let max = assembler.settings.max_bytes;
        let room = max.saturating_sub(assembler.held);
        if reader.held() > room as u64 {
            reader.drop_held();
            let message = format!("the message would hold more than {max} bytes (`maxBytes`)");
            let run_id = assembler.run_id.clone();
            assembler.fail(Violation { run_id, offset, ..Violation::new("limit", message) })?;
        }
        first.map_or(Ok(()), Err)
    }
}

impl Stream {
    /// A stream that begins.
    #[must_use]
    pub fn new(options: StreamOptions) -> Stream {
        let format = options.format.unwrap_or_default();
        let mut assembler = Assembler::new(options.settings());
        assembler.keep_deltas();
        Stream {
            format,
            framing: Framing::default(),
            records: DeltaReader::default(),
            reader: options.reader(),
            think_tags: options.think_tags,
            assembler,
            backlog: Backlog::default(),
            part_ids: Vec::new(),
        }
    }

    /// Takes one `MessageDelta` as JSON text.
    ///
    /// # Errors
    /// A [`Violation`], unless violations are collected. The message has not changed then.
    pub fn push(&mut self, delta: &[u8]) -> Result<(), Violation> {
        let Stream { records, assembler, .. } = self;
        take(records, assembler, delta, None)
    }

    /// An upper bound of the message's size as JSON, in bytes.
    #[must_use]
    pub fn json_size(&self) -> u64 {
        self.assembler.json_size()
    }

    /// The number of bytes of text that the next changes carry.
    #[must_use]
    pub fn pending(&self) -> u64 {
        self.assembler.pending()
    }

    /// The maximum number of bytes that a message holds, and of one record.
    #[must_use]
    pub fn max_bytes(&self) -> usize {
        self.assembler.settings.max_bytes
    }

    /// Takes a delta that the host could not write as JSON, as a violation of `rule` at `path` (a
    /// JSON Pointer into the delta).
    ///
    /// # Errors
    /// That [`Violation`], unless violations are collected.
    pub fn refuse(
        &mut self,
        rule: &'static str,
        path: String,
        message: String,
    ) -> Result<(), Violation> {
        let run_id = self.assembler.run_id.clone();
        self.assembler.fail(Violation { run_id, path, ..Violation::new(rule, message) })
    }

    /// Takes a delta of this run that the host has read itself.
    ///
    /// # Errors
    /// As [`Stream::push`].
    pub fn push_delta(
        &mut self,
        seq: i64,
        timestamp: &str,
        payload: Payload<'_>,
    ) -> Result<(), Violation> {
        self.assembler.push_own(seq, &payload, timestamp, None)
    }

    /// Takes bytes of the stream; chunks may be cut anywhere. `now_ms` is the time in milliseconds
    /// since the Unix epoch, for formats that carry no times.
    ///
    /// # Errors
    /// The first [`Violation`], unless violations are collected. Deltas before it have been taken;
    /// the rest of the chunk is read by the next call.
    pub fn push_bytes(&mut self, chunk: &[u8], now_ms: f64) -> Result<(), Violation> {
        let mut at = 0;
        if !self.backlog.is_empty() {
            let mut waiting = std::mem::take(&mut self.backlog);
            let result = self.read(waiting.bytes(), &mut at, now_ms);
            waiting.skip(at);
            self.backlog = waiting;
            if let Err(violation) = result {
                let max = self.assembler.settings.max_bytes.max(1 << 16);
                if self.backlog.bytes().len().saturating_add(chunk.len()) <= max {
                    self.backlog.extend(chunk);
                    return Err(violation);
                }
                // A caller that catches every violation and goes on must not run out of memory.
                let message = "too many records wait behind records that broke the contract: this chunk \
                               is not accepted; with onProblem \"collect\" no record has to wait";
                return self.assembler.fail(Violation::new("limit", message));
            }
            at = 0;
        }
        let result = self.read(chunk, &mut at, now_ms);
        if result.is_err() {
            self.backlog.extend(chunk.get(at..).unwrap_or_default());
        }
        result
    }

    fn read(&mut self, bytes: &[u8], at: &mut usize, now_ms: f64) -> Result<(), Violation> {
        let max = self.assembler.settings.max_bytes;
        let Stream { framing, records, reader, assembler, .. } = self;
        let mut taker = Taker { records, reader, assembler, now: time::of_clock(now_ms) };
        let mut result = Ok(());
        // Most chunks end where a record does, so `next` need not be asked again at the end.
        while *at < bytes.len() || framing.waits() {
            // The fast path: most lines are a record in the common shape.
            if let Some(line) = framing.line(bytes, *at, max)
                && let Some(taken) = taker.take_line(&line)
            {
                let used = line.used;
                framing.skip_line(used, at);
                result = taken;
                if result.is_err() {
                    break;
                }
                continue;
            }
            let Some(frame) = framing.next(bytes, at, max) else { break };
            result = taker.take(frame);
            if result.is_err() {
                break;
            }
        }
        framing.settle();
        result
    }

    /// The transport has ended: takes what is still held at `now_ms`, in milliseconds since the Unix
    /// epoch. Never fails; violations go to [`Stream::problems`].
    pub fn end(&mut self, now_ms: f64) {
        let on_problem = self.assembler.settings.on_problem;
        self.assembler.settings.on_problem = OnProblem::Collect;
        let waiting = std::mem::take(&mut self.backlog);
        // Always `Ok`, as everything below, because violations are collected now.
        let _ = self.read(waiting.bytes(), &mut 0, now_ms);
        let max = self.assembler.settings.max_bytes;
        let Stream { framing, records, reader, assembler, .. } = self;
        let now = time::of_clock(now_ms);
        let mut taker = Taker { records, reader, assembler, now };
        while let Some(frame) = framing.finish(max) {
            let _ = taker.take(frame);
        }
        framing.settle();
        let is_cut = framing.is_cut();
        if let Some(reader) = reader {
            reader.end(&mut |output| {
                if is_cut && matches!(output, ReaderOutput::Delta(Payload::Done { .. })) {
                    return;
                }
                let _ = assembler.push_output(output, now, None);
            });
        }
        self.assembler.settle(now, true);
        self.assembler.end();
        self.assembler.settings.on_problem = on_problem;
    }

    /// The status of the message.
    #[must_use]
    pub fn status(&self) -> MessageStatus {
        self.assembler.status()
    }

    /// The message, once it is complete: after `done`, never after an error (DC-12).
    #[must_use]
    pub fn message(&self) -> Option<Message<'_>> {
        self.assembler.message()
    }

    /// The message as far as it has arrived.
    #[must_use]
    pub fn preview(&self) -> Message<'_> {
        self.assembler.preview()
    }

    /// The changes since the last call; after a restore, the first call gives everything.
    pub fn take_changes(&mut self) -> Vec<Change<'_>> {
        self.assembler.take_changes()
    }

    /// The deltas since the last call, or since the snapshot, as NDJSON: what a log of the run
    /// stores. Consecutive deltas of one part are joined into one, with the `seq` of the last and
    /// the timestamp of the first. Law: all of them, assembled, give the message.
    pub fn take_deltas(&mut self) -> String {
        self.assembler.take_deltas()
    }

    /// Forgets what was taken up to this `seq`. From the first call on, what is taken is remembered (not as
    /// text, which the parts have) for [`Stream::deltas_again`].
    pub fn forget_deltas(&mut self, seq: i64) {
        self.assembler.forget_deltas(seq);
    }

    /// What was taken, and not forgotten, with a `seq` above `from` and at most `to`: the same bytes again, for
    /// a log that has lost them.
    #[must_use]
    pub fn deltas_again(&self, from: i64, to: i64) -> String {
        self.assembler.deltas_again(from, to)
    }

    /// Warnings, and violations that were collected.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        self.assembler.problems()
    }

    /// The assembler.
    #[must_use]
    pub fn assembler(&self) -> &Assembler {
        &self.assembler
    }

    /// The format of the bytes.
    #[must_use]
    pub fn format(&self) -> WireFormat {
        self.format
    }

    /// The message in the message model, with its parts, as JSON text: `{info, parts}`. Ids that the
    /// context lacks come from `fresh`; message and parts keep theirs from one call to the next.
    pub fn to_with_parts(
        &mut self,
        context: &MessageContext<'_>,
        fresh: &mut dyn FnMut() -> String,
    ) -> String {
        to_parts::write(&self.assembler, context, &mut self.part_ids, fresh)
    }
}

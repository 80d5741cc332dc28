//! Reads all deltas of a recorded stream.

use super::delta_json;
use super::delta_json::Envelope;
use super::ending::Ending;
use super::message::MessagePart;
use super::meta::EndMeta;
use super::options::StreamOptions;
use super::part_state::{blocks_before, custom_key, index_of};
use super::place::{StreamPlace, utf16_length};
use super::settings::{OnProblem, Settings};
use super::state::Assembler;
use apex_parts_json::saved::Numbering;
use apex_parts_json::writer::list;
use apex_parts_model::Violation;
use apex_parts_model::delta::{DeltaContent, Payload, ReaderOutput};
use apex_parts_model::time;
use apex_parts_wire::delta::DeltaReader;
use apex_parts_wire::{Frame, Framing, READS_PROVIDERS, Reader};

/// Collects the deltas of a recording.
struct DeltaWriter<'a> {
    /// The deltas as JSON text.
    deltas: Vec<String>,
    /// The `meta` of the response, for the delta that ends it.
    end_meta: EndMeta,
    /// The delta that ended the response: its index in `deltas`, its `seq` and the ending. It is
    /// written again with `meta` when the next response begins, because parts of `meta` may follow
    /// it.
    ending: Option<(usize, i64, Ending)>,
    /// The message of the reader, if the stream is not of the format.
    wrong: Option<String>,
    run_id: String,
    seq: i64,
    /// The `seq` at which the last step began.
    step: Option<i64>,
    /// Where the response is.
    place: RunningPlace,
    /// The response so far, where whole values follow their pieces.
    parts: Option<Box<Assembler>>,
    now: i64,
    timestamp: String,
    /// A source of run ids.
    fresh: &'a mut dyn FnMut() -> String,
}

/// The place after the deltas so far, as the assembler would have it.
#[derive(Default)]
struct RunningPlace {
    parts: Vec<RunningPart>,
    /// The index of the part of each block.
    blocks: Numbering,
}

struct RunningPart {
    /// Its kind, as of its first delta.
    kind: &'static str,
    /// The length of its text.
    units: usize,
    /// The `seq` of that delta.
    seq: i64,
}

impl RunningPlace {
    /// That of the parts of a message.
    fn of(assembler: &Assembler) -> RunningPlace {
        let parts = assembler.parts.iter().map(|part| {
            let text = part.text();
            let units = text.blocks().map(utf16_length).sum::<usize>();
            RunningPart {
                kind: MessagePart::new(part).kind(),
                units: units + usize::from(text.high().is_some()),
                seq: part.seq,
            }
        });
        RunningPlace { parts: parts.collect(), blocks: assembler.blocks.clone() }
    }

    fn take(&mut self, payload: &Payload<'_>, seq: i64) {
        let kind = delta_json::kind(payload);
        let (piece, block) = match payload {
            Payload::Text(piece) | Payload::Thinking(piece) => (piece, None),
            Payload::Block(block) => (&block.text, block.block.as_deref()),
            Payload::Custom { name, block: Some(block), .. } => {
                let next = self.parts.len();
                let number = self.blocks.entry(custom_key(name, block)).or_insert(next as u64);
                if index_of(*number) == next {
                    self.parts.push(RunningPart { kind, units: 0, seq });
                }
                return;
            }
            Payload::ToolCallStart { .. } | Payload::Custom { .. } => {
                return self.parts.push(RunningPart { kind, units: 0, seq });
            }
            Payload::Reset { since } => {
                let from = self.parts.partition_point(|part| part.seq < *since);
                self.parts.truncate(from);
                self.blocks = blocks_before(&self.blocks, from);
                return;
            }
            _ => return,
        };
        let next = self.parts.len();
        let index = match block {
            Some(block) => {
                let key = [kind, block].concat();
                index_of(*self.blocks.entry(key).or_insert(next as u64))
            }
            None if self.parts.last().is_some_and(|last| last.kind == kind) => next - 1,
            None => next,
        };
        if index == next {
            self.parts.push(RunningPart { kind, units: 0, seq });
        }
        let halves = usize::from(piece.low.is_some()) + usize::from(piece.high.is_some());
        if let Some(part) = self.parts.get_mut(index) {
            part.units += utf16_length(&piece.text) + halves;
        }
    }

    fn place(&self) -> Option<StreamPlace> {
        let last = self.parts.last()?;
        let is_text = matches!(last.kind, "text" | "thinking");
        Some(StreamPlace { part: self.parts.len() - 1, offset: is_text.then_some(last.units) })
    }
}

/// Reads the deltas of all responses in a recorded stream and returns them as JSON text: an array
/// of `MessageDelta`. Deltas of the format `delta` are copied byte for byte, without checking the
/// contract; unknown kinds are left out (DC-15). Each response of a provider gets a `runId`: the
/// first one that of the options, if it is set, and the others one from `fresh`. Their timestamp is
/// `now_ms`, in milliseconds since the Unix epoch.
///
/// # Errors
/// A [`Violation`] for the first record that is not of the format, unless problems are collected:
/// then it is left out. In any case one of the rule `limit` if all deltas together are too long for
/// a string of JavaScript.
pub fn read_deltas(
    bytes: &[u8],
    options: &StreamOptions,
    now_ms: f64,
    fresh: &mut dyn FnMut() -> String,
) -> Result<String, Violation> {
    let settings = options.settings();
    let collect = settings.on_problem == OnProblem::Collect;
    let mut reader = options.reader();
    let run_id = match (&reader, &options.run_id) {
        (None, _) => String::new(),
        (Some(_), Some(id)) => id.clone(),
        (Some(_), None) => fresh(),
    };
    let timestamp = time::format(time::of_clock(now_ms));
    let mut writer = DeltaWriter {
        deltas: Vec::new(),
        end_meta: EndMeta::default(),
        ending: None,
        wrong: None,
        run_id,
        seq: 0,
        step: None,
        place: RunningPlace::default(),
        parts: options
            .format
            .is_some_and(|format| READS_PROVIDERS && format.says_wholes())
            .then(Box::default),
        now: time::of_clock(now_ms),
        timestamp,
        fresh,
    };
    let mut records = DeltaReader::default();
    let mut framing = Framing::default();
    let mut take = |frame: Frame<'_>, writer: &mut DeltaWriter<'_>| {
        let taken = writer.take(frame, &mut reader, &mut records, &settings);
        if collect { Ok(()) } else { taken }
    };
    let (mut at, mut counted, mut size) = (0, 0, 0_usize);
    while let Some(frame) = framing.next(bytes, &mut at, settings.max_bytes) {
        let offset = Some(frame.offset);
        take(frame, &mut writer)?;
        size +=
            writer.deltas.iter().skip(counted).map(|delta| delta.len() + PER_DELTA).sum::<usize>();
        counted = writer.deltas.len();
        if size > MAX_LENGTH {
            let message = format!("all deltas together are longer than {MAX_LENGTH} bytes");
            return Err(Violation { offset, ..Violation::new("limit", message) });
        }
    }
    while let Some(frame) = framing.finish(settings.max_bytes) {
        take(frame, &mut writer)?;
    }
    let is_cut = framing.is_cut();
    if let Some(mut reader) = reader {
        reader.end(&mut |output| {
            if !is_cut || !matches!(output, ReaderOutput::Delta(Payload::Done { .. })) {
                writer.take_output(output);
            }
        });
        writer.corrected(&mut |parts, now| parts.settle(now, true));
    }
    if let Some(message) = writer.wrong.take().filter(|_| !collect) {
        return Err(Violation::new("schema", message));
    }
    writer.end_response();
    let mut out =
        String::with_capacity(writer.deltas.iter().map(|d| d.len() + 1).sum::<usize>() + 2);
    list(&mut out, &writer.deltas, |out, delta| out.push_str(delta));
    Ok(out)
}

/// The maximum length of all deltas together: that of a string in V8.
const MAX_LENGTH: usize = (1 << 29) - 24;
/// What a delta counts for besides its text, in bytes.
const PER_DELTA: usize = 32;

impl DeltaWriter<'_> {
    fn take(
        &mut self,
        frame: Frame<'_>,
        reader: &mut Option<Box<dyn Reader>>,
        records: &mut DeltaReader,
        settings: &Settings,
    ) -> Result<(), Violation> {
        let offset = Some(frame.offset);
        if let Some(fault) = frame.fault {
            let (rule, message) = fault.problem(settings.max_bytes);
            return Err(Violation { offset, ..Violation::new(rule, message) });
        }
        let data = frame.data.trim_ascii();
        if data.is_empty() {
            return Ok(());
        }
        if let Some(reader) = reader {
            let read =
                reader.record_within(frame.event, frame.data, settings.max_depth, &mut |output| {
                    self.take_output(output);
                });
            self.corrected(&mut |parts, now| parts.settle(now, false));
            return read.map_err(|violation| {
                let run_id = Some(self.run_id.clone());
                Violation { run_id, offset, ..violation }
            });
        }
        if data == b"[DONE]" {
            return Ok(());
        }
        match records.read(data, settings.max_depth) {
            Ok(delta) => {
                if matches!(delta.what, DeltaContent::Known(_)) {
                    self.deltas.push(String::from_utf8_lossy(data).into_owned());
                }
                Ok(())
            }
            Err(violation) => Err(Violation { offset, ..violation }),
        }
    }

    fn take_output(&mut self, output: ReaderOutput<'_>) {
        if !READS_PROVIDERS {
            return;
        }
        match &output {
            ReaderOutput::WholeText(_) | ReaderOutput::WholeCall(_) | ReaderOutput::Place(_) => {
                return self.corrected(&mut |parts, now| {
                    let _ = parts.push_output(output.clone(), now, None);
                });
            }
            ReaderOutput::Delta(Payload::Done { .. } | Payload::Error(_))
            | ReaderOutput::ResetStep => {
                self.corrected(&mut |parts, now| parts.settle(now, true));
            }
            _ => {}
        }
        let payload = match output {
            ReaderOutput::Delta(payload) => payload,
            ReaderOutput::Wrong { message } => {
                self.wrong = Some(message);
                return;
            }
            ReaderOutput::Step => {
                self.step = Some(self.seq + 1);
                if let Some(parts) = &mut self.parts {
                    parts.step = self.step;
                }
                return;
            }
            ReaderOutput::ResetStep => Payload::Reset { since: self.step.unwrap_or(i64::MIN) },
            output => {
                // Times of tool results are not written.
                let DeltaWriter { end_meta, place, .. } = self;
                end_meta.take(output, None, &mut || place.place());
                return;
            }
        };
        // A `start` begins a response, even if the one before it was cut.
        if self.seq > 0 && matches!(payload, Payload::Start { .. }) {
            self.end_response();
            self.run_id = (self.fresh)();
            (self.seq, self.step) = (0, None);
            self.place = RunningPlace::default();
            if let Some(parts) = &mut self.parts {
                **parts = Assembler::default();
            }
        }
        self.seq += 1;
        self.place.take(&payload, self.seq);
        if let Some(parts) = &mut self.parts {
            // What it refuses it would refuse of the deltas too.
            let _ = parts.push_output(ReaderOutput::Delta(payload.clone()), self.now, None);
            parts.last_seq = Some(self.seq);
        }
        if let Some(ending) = Ending::from_payload(&payload).filter(|_| self.ending.is_none()) {
            self.ending = Some((self.deltas.len(), self.seq, ending));
        }
        let delta = self.delta(self.seq, &payload, &EndMeta::default());
        self.deltas.push(delta);
    }

    /// Writes the deltas with which whole values correct the response so far.
    fn corrected(&mut self, correct: &mut dyn FnMut(&mut Assembler, i64)) {
        let Some(parts) = self.parts.as_mut().filter(|_| READS_PROVIDERS) else { return };
        parts.run_id = Some(self.run_id.clone());
        std::mem::swap(&mut parts.end_meta, &mut self.end_meta);
        parts.log.kept = true;
        correct(parts, self.now);
        let deltas = parts.take_deltas();
        parts.log.kept = false;
        std::mem::swap(&mut parts.end_meta, &mut self.end_meta);
        if deltas.is_empty() {
            return;
        }
        self.deltas.extend(deltas.lines().map(str::to_owned));
        self.seq = parts.last_seq.unwrap_or(self.seq);
        self.step = parts.step;
        self.place = RunningPlace::of(parts);
    }

    /// The response is complete: writes the delta that ended it again, with `meta`.
    fn end_response(&mut self) {
        let end_meta = std::mem::take(&mut self.end_meta);
        let Some((index, seq, ending)) = self.ending.take() else { return };
        let Some(payload) = ending.payload() else { return };
        let delta = self.delta(seq, &payload, &end_meta);
        if let Some(slot) = self.deltas.get_mut(index) {
            *slot = delta;
        }
    }

    fn delta(&self, seq: i64, payload: &Payload<'_>, meta: &EndMeta) -> String {
        let mut out = String::new();
        let envelope = Envelope { run_id: &self.run_id, seq, timestamp: &self.timestamp };
        envelope.write(payload, meta, &mut out);
        out
    }
}

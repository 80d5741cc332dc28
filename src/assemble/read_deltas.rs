//! All deltas of a recorded stream at once.

use super::delta_json::Envelope;
use super::ending::Ending;
use super::meta::EndMeta;
use super::options::StreamOptions;
use super::settings::OnProblem;
use crate::json::writer::list;
use crate::model::Violation;
use crate::model::delta::{DeltaContent, Payload, ReaderOutput};
use crate::model::time;
use crate::wire::delta::DeltaReader;
use crate::wire::{Frame, Framing, Reader, WireFormat};

/// Where the deltas of a provider's responses go.
struct DeltaWriter<'a> {
    /// Each as JSON text.
    deltas: Vec<String>,
    /// What the response has beyond them.
    beside: EndMeta,
    /// The delta that ended the response, which waits for its `meta`: more may be said of the
    /// response behind it. Its place in the list and its `seq`.
    ending: Option<(usize, i64, Ending)>,
    /// The stream is none of the format.
    wrong: Option<String>,
    run_id: String,
    seq: i64,
    timestamp: String,
    fresh: &'a mut dyn FnMut() -> String,
}

/// Reads the deltas of a recorded stream, of every response that it holds, as JSON text: an array
/// of `MessageDelta`. Those of format `delta` come as they stand, whatever the contract says of
/// their order; kinds that are not known are left out (DC-15). Responses of providers get a
/// `runId` each: the first one that of the options, the others come from `fresh`.
///
/// # Errors
/// The first record that is none, unless problems are collected: then it is left out.
pub fn read_deltas(
    bytes: &[u8],
    options: &StreamOptions,
    now_ms: f64,
    fresh: &mut dyn FnMut() -> String,
) -> Result<String, Violation> {
    let settings = options.settings();
    let collect = settings.on_problem == OnProblem::Collect;
    let mut reader = match options.format.unwrap_or_default() {
        WireFormat::Delta => None,
        WireFormat::Provider(format) => Some(format.reader()),
    };
    let run_id = match (&reader, &options.run_id) {
        (None, _) => String::new(),
        (Some(_), Some(id)) => id.clone(),
        (Some(_), None) => fresh(),
    };
    let timestamp = time::format(time::of_clock(now_ms));
    let mut writer = DeltaWriter {
        deltas: Vec::new(),
        beside: EndMeta::default(),
        ending: None,
        wrong: None,
        run_id,
        seq: 0,
        timestamp,
        fresh,
    };
    let mut records = DeltaReader::default();
    let mut framing = Framing::default();
    let mut take = |frame: Frame<'_>, writer: &mut DeltaWriter<'_>| {
        let taken = writer.take(frame, &mut reader, &mut records, settings.max_depth);
        if collect { Ok(()) } else { taken }
    };
    let (mut at, mut seen, mut size) = (0, 0, 0_usize);
    while let Some(frame) = framing.next(bytes, &mut at, settings.max_bytes) {
        let offset = Some(frame.offset);
        take(frame, &mut writer)?;
        size += writer.deltas.iter().skip(seen).map(|delta| delta.len() + DELTA).sum::<usize>();
        seen = writer.deltas.len();
        if size > LONGEST {
            let message = format!("all deltas together are longer than {LONGEST} bytes");
            return Err(Violation { offset, ..Violation::new("limit", message) });
        }
    }
    while let Some(frame) = framing.finish(settings.max_bytes) {
        take(frame, &mut writer)?;
    }
    if let Some(mut reader) = reader {
        reader.end(&mut |said| writer.said(said));
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

/// What the deltas come to at most: the longest string of V8.
const LONGEST: usize = (1 << 29) - 24;
/// What a delta costs beside its text.
const DELTA: usize = 32;

impl DeltaWriter<'_> {
    fn take(
        &mut self,
        frame: Frame<'_>,
        reader: &mut Option<Box<dyn Reader>>,
        records: &mut DeltaReader,
        depth: usize,
    ) -> Result<(), Violation> {
        let offset = Some(frame.offset);
        if frame.too_long {
            let message = "a record is longer than is allowed (`maxBytes`)";
            return Err(Violation { offset, ..Violation::new("limit", message) });
        }
        let data = frame.data.trim_ascii();
        if data.is_empty() {
            return Ok(());
        }
        if let Some(reader) = reader {
            let read =
                reader.record_within(frame.event, frame.data, depth, &mut |said| self.said(said));
            return read.map_err(|violation| {
                let run_id = Some(self.run_id.clone());
                Violation { run_id, offset, ..violation }
            });
        }
        if data == b"[DONE]" {
            return Ok(());
        }
        match records.read(data, depth) {
            Ok(delta) => {
                if matches!(delta.what, DeltaContent::Known(_)) {
                    self.deltas.push(String::from_utf8_lossy(data).into_owned());
                }
                Ok(())
            }
            Err(violation) => Err(Violation { offset, ..violation }),
        }
    }

    fn said(&mut self, said: ReaderOutput<'_>) {
        let payload = match said {
            ReaderOutput::Delta(payload) => payload,
            ReaderOutput::Wrong { message } => {
                self.wrong = Some(message);
                return;
            }
            said => {
                // Its time is not written.
                self.beside.take(said, None);
                return;
            }
        };
        // Each begins a response, whether the one before it has ended or was cut.
        if self.seq > 0 && matches!(payload, Payload::Start { .. }) {
            self.end_response();
            self.run_id = (self.fresh)();
            self.seq = 0;
        }
        self.seq += 1;
        if let Some(ending) = Ending::of(&payload).filter(|_| self.ending.is_none()) {
            self.ending = Some((self.deltas.len(), self.seq, ending));
        }
        let delta = self.delta(self.seq, &payload, &EndMeta::default());
        self.deltas.push(delta);
    }

    /// The response is over: the delta that ended it has the rest of the message.
    fn end_response(&mut self) {
        let beside = std::mem::take(&mut self.beside);
        let Some((index, seq, ending)) = self.ending.take() else { return };
        let Some(payload) = ending.payload() else { return };
        let delta = self.delta(seq, &payload, &beside);
        if let Some(slot) = self.deltas.get_mut(index) {
            *slot = delta;
        }
    }

    fn delta(&self, seq: i64, payload: &Payload<'_>, beside: &EndMeta) -> String {
        let mut out = String::new();
        let envelope = Envelope { run_id: &self.run_id, seq, timestamp: &self.timestamp };
        envelope.write(payload, beside, &mut out);
        out
    }
}

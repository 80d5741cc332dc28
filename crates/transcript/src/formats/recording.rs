//! Recorded streams as transcripts: each response is assembled into a message with its parts.

use apex_parts_agents::fields::text;
use apex_parts_agents::{
    Env, FormatReader, LoadedSession, LoadedSessions, Record, RecordCount, SeenFields,
};
use apex_parts_assemble::{Assembler, MessageContext, MessageStatus, OnProblem, Settings};
use apex_parts_model::Problem;
use apex_parts_model::delta::{DeltaContent, Payload, ReaderOutput};
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_wire::Reader;
use apex_parts_wire::WireFormat;
use apex_parts_wire::delta::DeltaReader;
use apex_parts_wire::sniff;

/// Reads recorded streams, with one reader for the whole file and an assembler for each response.
pub(crate) struct Recording {
    format: WireFormat,
    reader: Option<Box<dyn Reader>>,
    records: DeltaReader,
    /// The current response; `None` before the first record, because it needs an id.
    response: Option<Assembler>,
    /// The ids of the current response's message and parts.
    ids: Vec<String>,
    session_id: String,
    /// The JSON array of the messages so far, without its end.
    json: Vec<u8>,
    problems: ProblemList,
    /// The hash of the records so far.
    content: Fingerprint,
    /// How many records are of the format, as far as that shows.
    counts: RecordCount,
    /// How records begin that are of the format, though nothing comes of them.
    heads: Vec<Box<[u8]>>,
}

/// How many beginnings of records are kept.
const HEADS: usize = 16;

/// `{"type":"NAME"`, if a record begins so: it tells what a record is without the rest of it.
fn head(data: &[u8]) -> Option<&[u8]> {
    const BEGIN: &[u8] = br#"{"type":""#;
    const LONGEST: usize = 64;
    let name = data.strip_prefix(BEGIN)?;
    let end = memchr::memchr2(b'"', b'\\', name.get(..LONGEST).unwrap_or(name))?;
    data.get(..=BEGIN.len() + end)
}

/// An assembler for the next response.
fn assembler(format: WireFormat, new_id: &mut dyn FnMut() -> String) -> Assembler {
    let run_id = match format {
        WireFormat::Delta => None,
        WireFormat::Provider(_) => Some(new_id()),
    };
    Assembler::new(Settings { run_id, on_problem: OnProblem::Collect, ..Settings::default() })
}

/// Is a record with these fields a `MessageDelta`?
pub(crate) fn is_delta(seen: &SeenFields) -> bool {
    seen.has_string("runId")
        && seen.has_number("seq")
        && (seen.has_string("kind") || seen.has_object("payload"))
}

impl Recording {
    /// A reader for recordings of this format.
    pub(crate) fn new(format: WireFormat) -> Recording {
        Recording {
            format,
            reader: match format {
                WireFormat::Delta => None,
                WireFormat::Provider(format) => Some(format.reader()),
            },
            records: DeltaReader::default(),
            response: None,
            ids: Vec::new(),
            session_id: String::new(),
            json: b"[".to_vec(),
            problems: ProblemList::default(),
            content: 0,
            counts: RecordCount::default(),
            heads: Vec::new(),
        }
    }

    /// The current response.
    fn response(&mut self, env: &mut Env<'_>) -> &mut Assembler {
        if self.session_id.is_empty() {
            self.session_id = (env.new_id)();
        }
        let format = self.format;
        self.response.get_or_insert_with(|| assembler(format, env.new_id))
    }

    /// Is a record of which nothing comes one of the format? Some say nothing but that the connection is alive.
    fn is_own(&mut self, event: &str, data: &[u8]) -> bool {
        const SHORTEST: usize = 20;
        let head = head(data);
        let is_known = |head: &[u8]| self.heads.iter().any(|known| **known == *head);
        if !event.is_empty() || data.len() < SHORTEST || head.is_some_and(is_known) {
            return true;
        }
        let is_own = sniff(data).map(WireFormat::Provider) == Some(self.format);
        if is_own && self.heads.len() < HEADS {
            self.heads.extend(head.map(Box::from));
        }
        is_own
    }

    fn delta(&mut self, data: &[u8], offset: u64, env: &mut Env<'_>) {
        let mut records = std::mem::take(&mut self.records);
        let offset = Some(offset);
        // Violations are collected here and below, so that these results are all `Ok`.
        let _ = match records.read(data, Settings::default().max_depth) {
            Ok(delta) => {
                let is_start = matches!(delta.what, DeltaContent::Known(Payload::Start { .. }));
                let own = self.response(env);
                // A second start in a run that is still streaming is a violation (DC-1), not a new response.
                let goes_on = own.status() == MessageStatus::Streaming
                    && own.run_id().is_some_and(|run| run == delta.run_id);
                if is_start && !goes_on {
                    self.turn(env);
                }
                self.response(env).push(&delta, offset)
            }
            Err(violation) => self.response(env).refuse(violation, offset),
        };
        self.records = records;
    }

    fn push_output(&mut self, output: ReaderOutput<'_>, offset: Option<u64>, env: &mut Env<'_>) {
        if matches!(output, ReaderOutput::Delta(Payload::Start { .. })) {
            self.turn(env);
        }
        #[allow(clippy::cast_possible_truncation)] // it saturates
        let now = env.now_ms as i64;
        let _ = self.response(env).push_output(output, now, offset);
    }

    /// A response begins: the one before it becomes a message.
    fn turn(&mut self, env: &mut Env<'_>) {
        let response = self.response(env);
        match response.status() {
            MessageStatus::Empty => return,
            // The recorded stream was cut off here, and another one follows.
            MessageStatus::Streaming => response.end(),
            MessageStatus::Done | MessageStatus::Error => {}
        }
        self.end(None, env);
    }

    /// Ends the current response. `length` is given at the end of the file.
    fn end(&mut self, length: Option<u64>, env: &mut Env<'_>) {
        let Some(mut response) = self.response.take() else { return };
        if length.is_some() && response.status() == MessageStatus::Streaming {
            response.end();
        }
        for problem in problems_of(&response, length) {
            self.problems.push(problem);
        }
        let mut json = std::mem::take(&mut self.json);
        self.write(&response, &mut json, env);
        self.json = json;
        self.ids.clear();
    }

    /// Adds the message of a response, if it has begun.
    fn write(&mut self, response: &Assembler, json: &mut Vec<u8>, env: &mut Env<'_>) {
        if response.status() == MessageStatus::Empty {
            return;
        }
        let context = MessageContext {
            session_id: &self.session_id,
            provider_id: self.format.as_str(),
            now_ms: env.now_ms,
            keeps_empty_output: true,
            ..MessageContext::default()
        };
        let message = response.to_with_parts_again(&context, &mut self.ids, env.new_id);
        if json.len() > 1 {
            json.push(b',');
        }
        json.extend_from_slice(message.as_bytes());
    }

    fn loaded(&self, mut json: Vec<u8>, problems: ProblemList) -> LoadedSessions {
        let mut made =
            LoadedSessions { problems: problems.into_sorted(), ..LoadedSessions::default() };
        made.content = Some(self.content);
        made.records = self.counts;
        if json.len() > 1 {
            json.push(b']');
            made.sessions.push(LoadedSession {
                id: self.session_id.clone(),
                messages: json.into(),
                ..LoadedSession::default()
            });
        }
        made
    }
}

/// The problems of a response. Those without an offset get that of the end of the file, if it is known.
fn problems_of(response: &Assembler, length: Option<u64>) -> impl Iterator<Item = Problem> {
    #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
    let end = length.map(|length| length as f64);
    response.problems().iter().map(move |problem| {
        // Paths are those in deltas, which the transcript does not contain.
        Problem { path: String::new(), offset: problem.offset.or(end), ..problem.clone() }
    })
}

impl FormatReader for Recording {
    fn record(&mut self, record: Record<'_>, env: &mut Env<'_>) {
        self.content = record.hashed(self.content);
        let text = text(&record, &mut self.problems);
        let data = text.as_bytes().trim_ascii();
        if data.is_empty() {
            return;
        }
        let Some(mut reader) = self.reader.take() else {
            if data != b"[DONE]" {
                self.delta(data, record.offset, env);
            }
            return;
        };
        let offset = Some(record.offset);
        let mut is_silent = true;
        let read = reader.record(record.event, data, &mut |output| {
            is_silent = false;
            self.push_output(output, offset, env);
        });
        self.reader = Some(reader);
        if data.first() == Some(&b'{') {
            let is_own = !is_silent || read.is_err() || self.is_own(record.event, data);
            self.counts.add(is_own, record.offset);
        }
        if let Err(violation) = read {
            let _ = self.response(env).refuse(violation, offset);
        }
    }

    /// Only the current response is written: those before it are messages already.
    fn peek(&mut self, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        let (mut json, mut problems) = (self.json.clone(), self.problems.clone());
        if let Some(response) = self.response.take() {
            for problem in problems_of(&response, Some(length)) {
                problems.push(problem);
            }
            self.write(&response, &mut json, env);
            self.response = Some(response);
        }
        self.loaded(json, problems)
    }

    fn finish(mut self: Box<Self>, length: u64, env: &mut Env<'_>) -> LoadedSessions {
        if let Some(mut reader) = self.reader.take() {
            reader.end(&mut |output| self.push_output(output, None, env));
        }
        self.end(Some(length), env);
        let (json, problems) = (std::mem::take(&mut self.json), std::mem::take(&mut self.problems));
        self.loaded(json, problems)
    }
}

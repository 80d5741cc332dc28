//! The stream contract (DC-1 … DC-15 of `apex-parts explain`) as a state machine: deltas in, a message out.
//! A violation changes nothing: every rule is checked before the state is.

use super::delta_time::DeltaTime;
use super::ending::Ending;
use super::message::Message;
use super::meta::EndMeta;
use super::settings::{MessageStatus, OnDuplicate, Settings};
use super::state::Assembler;
use crate::change::Change;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Delta, DeltaContent, Payload, ReaderOutput};
use apex_parts_model::{Problem, Severity};
use apex_parts_wire::READS_PROVIDERS;

impl Assembler {
    /// An assembler of one message.
    #[must_use]
    pub fn new(settings: Settings) -> Assembler {
        Assembler { run_id: settings.run_id.clone(), settings, ..Assembler::default() }
    }

    /// The run's id; `None` before it is known.
    #[must_use]
    pub fn run_id(&self) -> Option<&str> {
        self.run_id.as_deref()
    }

    /// The provider's name of the model; empty if it has not come.
    pub(crate) fn model_id(&self) -> &str {
        let own = self.start.as_ref().map_or("", |start| start.model_id.as_str());
        if own.trim().is_empty() { &self.end_meta.model_id } else { own }
    }

    /// The provider's id of the response; empty if it has not come.
    pub(crate) fn request_id(&self) -> &str {
        let own = self.start.as_ref().map_or("", |start| start.request_id.as_str());
        if own.trim().is_empty() { &self.end_meta.request_id } else { own }
    }

    /// The message, once it is complete: after `done`, never after an error (DC-12).
    #[must_use]
    pub fn message(&self) -> Option<Message<'_>> {
        (self.status() == MessageStatus::Done).then(|| Message::new(self))
    }

    /// The message as far as it has arrived.
    #[must_use]
    pub fn preview(&self) -> Message<'_> {
        Message::new(self)
    }

    /// The changes since the last call.
    pub fn take_changes(&mut self) -> Vec<Change<'_>> {
        crate::change::take(self)
    }

    /// Warnings, and violations that were collected.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The number of bytes of text, arguments, names and `meta` that the message holds.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// Takes a delta of a stream; `offset` is that of the first byte of its record.
    ///
    /// # Errors
    /// A [`Violation`], unless violations are collected. The message has not changed then.
    pub fn push(&mut self, delta: &Delta<'_>, offset: Option<u64>) -> Result<(), Violation> {
        if self.is_ignored(Some(delta.seq)) {
            return Ok(());
        }
        let result = match &delta.what {
            DeltaContent::Known(payload) => self.check(delta).and_then(|()| {
                let when = DeltaTime::Text(&delta.timestamp);
                match &delta.meta {
                    None => self.apply(delta.seq, payload, when)?,
                    Some(meta) => self.apply_with(delta.seq, payload, meta, when)?,
                }
                self.last_seq = Some(delta.seq);
                if self.run_id.is_none() {
                    self.run_id = Some(delta.run_id.clone().into_owned());
                }
                Ok(())
            }),
            DeltaContent::Unknown(kind) => {
                self.skip(delta, kind, offset);
                return Ok(());
            }
        };
        result.or_else(|violation| {
            self.fail(Violation {
                seq: Some(delta.seq),
                run_id: Some(delta.run_id.clone().into_owned()),
                offset,
                ..violation
            })
        })
    }

    /// Takes a delta of this run whose envelope needs no check but that of its `seq`.
    ///
    /// # Errors
    /// As [`Assembler::push`].
    pub(crate) fn push_own(
        &mut self,
        seq: i64,
        payload: &Payload<'_>,
        timestamp: &str,
        offset: Option<u64>,
    ) -> Result<(), Violation> {
        if self.is_ignored(Some(seq)) {
            return Ok(());
        }
        let checked = self.check_end().and_then(|()| self.check_seq(seq));
        let result = checked.and_then(|()| self.apply(seq, payload, DeltaTime::Text(timestamp)));
        match result {
            Ok(()) => {
                self.last_seq = Some(seq);
                Ok(())
            }
            Err(violation) => {
                let run_id = self.run_id.clone();
                self.fail(Violation { seq: Some(seq), run_id, offset, ..violation })
            }
        }
    }

    /// Applies a payload with its `meta`: both or neither.
    fn apply_with(
        &mut self,
        seq: i64,
        payload: &Payload<'_>,
        meta: &str,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        let read = EndMeta::read(meta, when.ms());
        let size = read.size();
        self.hold(size)?;
        let applied = self.apply(seq, payload, when);
        let released = if applied.is_ok() { self.end_meta.carry(read) } else { size };
        self.held = self.held.saturating_sub(released);
        applied
    }

    /// Takes an output of a provider's reader. Its deltas have no `seq`: they are numbered on from
    /// the last one. `now` is their time in milliseconds since the Unix epoch, `offset` that of the
    /// first byte of the record.
    ///
    /// # Errors
    /// A [`Violation`], unless violations are collected. The message has not changed then; but after
    /// a second `start` everything belongs to another message, and deltas are refused.
    pub fn push_output(
        &mut self,
        output: ReaderOutput<'_>,
        now: i64,
        offset: Option<u64>,
    ) -> Result<(), Violation> {
        if !READS_PROVIDERS {
            return Ok(());
        }
        if matches!(
            output,
            ReaderOutput::Delta(Payload::Done { .. } | Payload::Error(_)) | ReaderOutput::ResetStep
        ) {
            self.settle(now, true);
        }
        let seq = self.next_seq();
        let result = match output {
            ReaderOutput::Delta(payload) => {
                let open = self.check_end();
                let checked = open.and_then(|()| self.apply(seq, &payload, DeltaTime::Ms(now)));
                self.other |= checked.is_err() && matches!(payload, Payload::Start { .. });
                checked.map(|()| self.last_seq = Some(seq))
            }
            ReaderOutput::Warning { rule, message } => {
                self.warn(rule, &message, offset);
                Ok(())
            }
            ReaderOutput::Wrong { message } => Err(Violation::new("schema", message)),
            _ if self.other => Ok(()),
            ReaderOutput::WholeText(whole) => self.whole_text(&whole, now, offset),
            ReaderOutput::WholeCall(whole) => self.whole_call(&whole, now, offset),
            ReaderOutput::Place(place) => {
                self.place(place.as_ref());
                Ok(())
            }
            ReaderOutput::Step => {
                self.step = Some(seq);
                Ok(())
            }
            ReaderOutput::ResetStep => {
                let reset = Payload::Reset { since: self.step.unwrap_or(i64::MIN) };
                let open = self.check_end();
                let reset = open.and_then(|()| self.apply(seq, &reset, DeltaTime::Ms(now)));
                reset.map(|()| self.last_seq = Some(seq))
            }
            output => self.take_meta(output, now),
        };
        result.or_else(|violation| {
            let run_id = self.run_id.clone();
            self.fail(Violation { seq: Some(seq), run_id, offset, ..violation })
        })
    }

    /// Takes an output that goes into `meta`.
    fn take_meta(&mut self, output: ReaderOutput<'_>, now: i64) -> Result<(), Violation> {
        self.hold(EndMeta::size_of_output(&output))?;
        let Assembler { end_meta, parts, measured, .. } = self;
        let released = end_meta.take(output, Some(now), &mut || measured.place(parts));
        self.held = self.held.saturating_sub(released);
        Ok(())
    }

    /// Takes a record that is not a delta, as the violation that it is.
    ///
    /// # Errors
    /// That [`Violation`], unless violations are collected.
    pub fn refuse(&mut self, violation: Violation, offset: Option<u64>) -> Result<(), Violation> {
        if self.is_ignored(violation.seq) {
            return Ok(());
        }
        let run_id = violation.run_id.or_else(|| self.run_id.clone());
        self.fail(Violation { run_id, offset, ..violation })
    }

    /// The transport has ended. Without a `done` or `error` before it, that is a problem (DC-2).
    pub fn end(&mut self) {
        if self.ending.is_some() {
            return;
        }
        self.close_all(None);
        self.ending = Some(Ending::Cut);
        let message = if self.start.is_none() {
            "the stream ended before its `start`"
        } else {
            "the stream ended without `done` or `error`: the message may be incomplete"
        };
        self.note(Violation::new("DC-2", message).problem());
    }

    fn is_ignored(&self, seq: Option<i64>) -> bool {
        // `None` is less than every `Some`: without a `seq`, or before the first one, nothing is
        // dropped.
        self.settings.on_duplicate == OnDuplicate::Ignore && seq.is_some() && seq <= self.last_seq
    }

    /// DC-15: skips a delta of an unknown kind. Its `seq` counts, so that the same delta is a
    /// duplicate when it comes again.
    fn skip(&mut self, delta: &Delta<'_>, kind: &str, offset: Option<u64>) {
        if self.run_id.as_deref().is_none_or(|run| run == delta.run_id) && self.ending.is_none() {
            self.last_seq = self.last_seq.max(Some(delta.seq));
        }
        let kind: String = kind.chars().take(40).collect();
        let message = format!("a delta of the unknown kind {kind:?} was skipped");
        let seq = Some(delta.seq);
        let violation = Violation { seq, offset, ..Violation::new("DC-15", message) };
        self.note(violation.as_problem(Severity::Warning));
    }

    /// An upper bound of the message's size as JSON, in bytes. A call's arguments count twice: while
    /// they arrive, their text is written beside their value.
    pub(crate) fn json_size(&self) -> u64 {
        /// The keys and punctuation of a part, at most.
        const PART: u64 = 512;
        let (mut size, mut texts) = (0, 0);
        for part in &self.parts {
            let text = part.text();
            let length = text.len() as u64;
            texts += length;
            size += PART + text.escaped_len() + part.call().map_or(0, |_| 2 * length);
            // Arguments that are kept as they came.
            size += part.state().and_then(|_| part.call()).map_or(0, |_| text.escaped_len());
        }
        size + (self.held as u64).saturating_sub(texts)
    }

    /// The number of bytes of text that the next changes carry.
    pub(crate) fn pending(&self) -> u64 {
        let changed = self.changed.iter().filter_map(|index| self.parts.get(*index));
        changed
            .map(|part| {
                let from = if part.reported.set { 0 } else { part.reported.bytes };
                let state = part.state().map_or(0, |state| state.size());
                (part.text().len().saturating_sub(from) + state) as u64
            })
            .sum()
    }
}

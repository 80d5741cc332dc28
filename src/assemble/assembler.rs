//! The stream contract (spec/deltas.md, DC-1 … DC-15) as a state machine: deltas in, a message out.
//! A violation leaves it exactly as it was: every rule is checked before anything changes.

use super::delta_time::DeltaTime;
use super::ending::Ending;
use super::message::Message;
use super::meta::EndMeta;
use super::settings::{MessageStatus, OnDuplicate, Settings};
use super::state::Assembler;
use crate::assemble::change::Change;
use crate::model::Violation;
use crate::model::delta::{Delta, DeltaContent, Payload, ReaderOutput};
use crate::model::{Problem, Severity};

impl Assembler {
    /// An assembler of one message.
    #[must_use]
    pub fn new(settings: Settings) -> Assembler {
        Assembler { run_id: settings.run_id.clone(), settings, ..Assembler::default() }
    }

    /// The run; `None` before it is known.
    #[must_use]
    pub fn run_id(&self) -> Option<&str> {
        self.run_id.as_deref()
    }

    /// The message, once it is whole (DC-12: never after an error).
    #[must_use]
    pub fn message(&self) -> Option<Message<'_>> {
        (self.status() == MessageStatus::Done).then(|| Message::of(self))
    }

    /// What there is so far.
    #[must_use]
    pub fn preview(&self) -> Message<'_> {
        Message::of(self)
    }

    /// What changed since the last call.
    pub fn take_changes(&mut self) -> Vec<Change<'_>> {
        crate::assemble::change::take(self)
    }

    /// What was noted: warnings, and the violations that were collected.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The bytes of text, arguments, names and `meta` that are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// Takes a delta of a stream; `offset` is the first byte of its record.
    ///
    /// # Errors
    /// A [`Violation`], unless they are collected. Nothing has changed then.
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

    /// Takes a delta of the run at hand.
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

    /// Applies a payload that brings `meta`: both or none.
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
        let gone = if applied.is_ok() { self.end_meta.carry(read) } else { size };
        self.held = self.held.saturating_sub(gone);
        applied
    }

    /// Takes what the reader of a provider's stream says; such deltas have no `seq` of their own.
    ///
    /// # Errors
    /// A [`Violation`], unless they are collected. Nothing has changed then; but behind a second
    /// `start` all is another message's.
    pub fn said(
        &mut self,
        said: ReaderOutput<'_>,
        now: i64,
        offset: Option<u64>,
    ) -> Result<(), Violation> {
        let seq = self.last_seq.map_or(1, |last| last.saturating_add(1));
        let result = match said {
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
            said => self.beside(said, now),
        };
        result.or_else(|violation| {
            let run_id = self.run_id.clone();
            self.fail(Violation { seq: Some(seq), run_id, offset, ..violation })
        })
    }

    /// Takes what is no delta.
    pub(crate) fn beside(&mut self, said: ReaderOutput<'_>, now: i64) -> Result<(), Violation> {
        self.hold(EndMeta::size_of_said(&said))?;
        let gone = self.end_meta.take(said, Some(now));
        self.held = self.held.saturating_sub(gone);
        Ok(())
    }

    /// Takes a record that is no delta.
    ///
    /// # Errors
    /// The [`Violation`] that it is, unless they are collected.
    pub fn refuse(&mut self, violation: Violation, offset: Option<u64>) -> Result<(), Violation> {
        if self.is_ignored(violation.seq) {
            return Ok(());
        }
        let run_id = violation.run_id.or_else(|| self.run_id.clone());
        self.fail(Violation { run_id, offset, ..violation })
    }

    /// The transport has ended. DC-2: without a `done` or `error` that is a problem.
    pub fn end(&mut self) {
        if self.ending.is_some() {
            return;
        }
        self.close_all(None);
        self.ending = Some(Ending::Cut);
        let message = if self.start.is_none() {
            "the stream ended before it had begun: not even its `start` came"
        } else {
            "the stream ended without `done` or `error`: what came may not be all"
        };
        self.note(Violation::new("DC-2", message).problem());
    }

    fn is_ignored(&self, seq: Option<i64>) -> bool {
        // None is below every number: without a `seq`, or before the first one, nothing is dropped.
        self.settings.on_duplicate == OnDuplicate::Ignore && seq.is_some() && seq <= self.last_seq
    }

    /// DC-15: a delta of a kind that is not known. Its `seq` is taken, so that it is a duplicate
    /// when it comes again.
    fn skip(&mut self, delta: &Delta<'_>, kind: &str, offset: Option<u64>) {
        if self.run_id.as_deref().is_none_or(|run| run == delta.run_id) && self.ending.is_none() {
            self.last_seq = self.last_seq.max(Some(delta.seq));
        }
        let kind: String = kind.chars().take(40).collect();
        let message = format!("a delta of kind {kind:?}, which is not known here, was skipped");
        let seq = Some(delta.seq);
        let violation = Violation { seq, offset, ..Violation::new("DC-15", message) };
        self.note(violation.as_problem(Severity::Warning));
    }

    /// How many bytes the message has as JSON, at most. That of a call's arguments stands in it, and
    /// while they arrive their text does too.
    pub(crate) fn json_size(&self) -> u64 {
        const PART: u64 = 512;
        let (mut size, mut texts) = (0, 0);
        for part in &self.parts {
            let text = part.text();
            let length = text.len() as u64;
            texts += length;
            size += PART + text.escaped_len() + part.call().map_or(0, |_| 2 * length);
        }
        size + (self.held as u64).saturating_sub(texts)
    }

    /// How many bytes of text the next changes bring.
    pub(crate) fn pending(&self) -> u64 {
        let changed = self.changed.iter().filter_map(|index| self.parts.get(*index));
        changed.map(|part| part.text().len().saturating_sub(part.reported.bytes) as u64).sum()
    }
}

//! The rules of the stream contract (DC-1 … DC-15 of `apex-parts explain`). Each is checked before anything changes.

use super::delta_time::DeltaTime;
use super::ending::{Ending, MessageStart};
use super::log::LogContent;
use super::part::{Body, CallState, Ms, StreamedCall, StreamedPart};
use super::part_state::index_of;
use super::state::Assembler;
use crate::run_check::short;
use apex_parts_json::scan;
use apex_parts_json::text::Text;
use apex_parts_model::Violation;
use apex_parts_model::delta::{Delta, Payload, Piece};
use std::sync::Arc;

impl Assembler {
    /// The rules about the envelope: DC-2, DC-4, DC-3, in this order. (A delta of another run is
    /// never a duplicate, so the run is compared before the `seq`.)
    pub(crate) fn check(&self, delta: &Delta<'_>) -> Result<(), Violation> {
        self.check_end()?;
        if let Some(run) = &self.run_id
            && !scan::same(run.as_bytes(), delta.run_id.as_bytes())
        {
            let message = format!(
                "this stream is of run {:?}, the delta of {:?}",
                short(run),
                short(&delta.run_id)
            );
            return Err(Violation::new("DC-4", message));
        }
        self.check_seq(delta.seq)
    }

    /// DC-3: `seq` increases.
    pub(crate) fn check_seq(&self, seq: i64) -> Result<(), Violation> {
        match self.last_seq {
            Some(last) if seq <= last => Err(Violation::new(
                "DC-3",
                format!("`seq` must increase, but {seq} comes after {last}"),
            )),
            _ => Ok(()),
        }
    }

    /// DC-2: nothing follows the end.
    pub(crate) fn check_end(&self) -> Result<(), Violation> {
        let how = match self.ending {
            None if self.other => {
                let message = "another response has begun; it does not belong to this message";
                return Err(Violation::new("DC-2", message.to_owned()));
            }
            None => return Ok(()),
            Some(Ending::Done { .. }) => "ended with `done`",
            Some(Ending::Error { .. }) => "ended with `error`",
            Some(Ending::Cut) => "was ended",
        };
        Err(Violation::new("DC-2", format!("the stream {how}; nothing may follow")))
    }

    /// The rules about the payload; if it breaks none, the payload goes into the message and the
    /// log.
    pub(crate) fn apply(
        &mut self,
        seq: i64,
        payload: &Payload<'_>,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        let begins = matches!(payload, Payload::Start { .. });
        match (&self.start, begins) {
            (None, false) => {
                return Err(Violation::new(
                    "DC-1",
                    "the first delta of a stream must be `start`".to_owned(),
                ));
            }
            (Some(_), true) => {
                return Err(Violation::new(
                    "DC-1",
                    "a second `start`: a stream has only one".to_owned(),
                ));
            }
            _ => {}
        }
        match payload {
            Payload::Start { model_id, request_id } => {
                self.hold(model_id.len() + request_id.len())?;
                self.start = Some(MessageStart {
                    model_id: model_id.clone().into_owned(),
                    request_id: request_id.clone().into_owned(),
                    timestamp: when.text(),
                });
                self.log.add(LogContent::Start, seq, when);
            }
            Payload::Text(piece) => self.text(piece, false, seq, when)?,
            Payload::Thinking(piece) => self.text(piece, true, seq, when)?,
            Payload::Block(block) => self.block(block, seq, when)?,
            Payload::Custom { name, block, provider } => {
                self.custom(name, block.as_deref(), provider, seq, when)?;
            }
            Payload::Reset { since } => self.reset(*since, seq, when),
            Payload::ToolCallStart { id, name, provider } => {
                let provider = self.checked(provider.as_deref())?;
                let index = self.call_start(id, name, provider, seq, when)?;
                let state = provider.is_some();
                self.log.add(LogContent::Call { part: index, state }, seq, when);
            }
            Payload::ToolCallArgs { id, text } => self.call_args(id, text, seq, when)?,
            Payload::ToolCallEnd { id, provider } => {
                let provider = self.checked(provider.as_deref())?;
                self.call_end(id, provider, seq, when)?;
            }
            Payload::Usage(usage) => {
                let sum = self.usage.map_or(*usage, |so_far| so_far.plus(*usage));
                // A single delta may be negative: a provider corrects a count by taking tokens back.
                if sum.is_negative() && !self.usage.is_some_and(|usage| usage.is_negative()) {
                    let message = "the usage so far is negative; token counts and costs cannot be";
                    self.warn("DC-11", message, None);
                }
                self.usage = Some(sum);
                self.log.add(LogContent::Usage(Box::new(*usage)), seq, when);
            }
            Payload::Done { finish_reason } => {
                self.hold(finish_reason.len())?;
                let at = when.ms();
                self.close_all(at);
                for index in 0..self.parts.len() {
                    if self
                        .parts
                        .get(index)
                        .and_then(StreamedPart::call)
                        .is_some_and(StreamedCall::is_open)
                    {
                        self.end_call(index, at);
                        self.unclosed.push(index);
                    }
                }
                self.ended = at;
                self.ending = Ending::from_payload(payload);
                self.log.add(LogContent::Ending, seq, when);
            }
            Payload::Error(error) => {
                self.hold(error.size())?;
                self.ended = when.ms();
                self.close_all(self.ended);
                self.ending = Ending::from_payload(payload);
                self.log.add(LogContent::Ending, seq, when);
            }
        }
        Ok(())
    }

    /// DC-5: text goes to the last part if that is of this kind, else to a new one.
    fn text(
        &mut self,
        piece: &Piece<'_>,
        thinking: bool,
        seq: i64,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        // A low surrogate completes a character of four bytes.
        self.hold(piece.text.len() + usize::from(piece.low.is_some()) * 4)?;
        let last = self.parts.len().wrapping_sub(1);
        let index = match self.parts.last().map(|part| &part.body) {
            Some(Body::Text(_)) if !thinking => last,
            Some(Body::Thinking(_)) if thinking => last,
            _ => {
                let body = if thinking { Body::Thinking } else { Body::Text };
                self.add(body(Text::default()), seq, when.ms())
            }
        };
        if let Some(part) = self.parts.get_mut(index)
            && let Body::Text(text) | Body::Thinking(text) = &mut part.body
        {
            let from = text.len();
            text.append(piece);
            self.log.grow(index, from, text, seq, when);
        }
        self.touch(index);
        Ok(())
    }

    /// DC-8: the id of a call is used once.
    fn call_start(
        &mut self,
        id: &str,
        name: &str,
        provider: Option<&str>,
        seq: i64,
        when: DeltaTime<'_>,
    ) -> Result<usize, Violation> {
        if self.calls.contains_key(id) {
            return Err(Violation::new(
                "DC-8",
                format!("the tool call {:?} has already started", short(id)),
            ));
        }
        self.hold(id.len() + name.len() + provider.map_or(0, str::len))?;
        let id: Arc<str> = id.into();
        let call = StreamedCall {
            id: Arc::clone(&id),
            name: name.into(),
            raw: Text::default(),
            state: CallState::Open(Box::default()),
        };
        let index = self.add(Body::Call(call), seq, when.ms());
        self.calls.insert(id, index);
        self.last_call = index;
        self.merge_state(index, provider);
        self.touch(index);
        Ok(index)
    }

    /// DC-6: the call of this id, which was started and has not ended.
    pub(crate) fn open_call(&self, id: &str) -> Result<usize, Violation> {
        let last = self.parts.get(self.last_call).and_then(StreamedPart::call);
        let index = match last {
            Some(call) if scan::same(call.id.as_bytes(), id.as_bytes()) => self.last_call,
            _ => match self.calls.get(id) {
                Some(index) => *index,
                None => {
                    return Err(Violation::new(
                        "DC-6",
                        format!("the tool call {:?} has not started", short(id)),
                    ));
                }
            },
        };
        if self.parts.get(index).and_then(StreamedPart::call).is_some_and(StreamedCall::is_open) {
            return Ok(index);
        }
        Err(Violation::new("DC-6", format!("the tool call {:?} has already ended", short(id))))
    }

    /// Appends to the arguments of an open call (DC-6) and parses what is new.
    fn call_args(
        &mut self,
        id: &str,
        piece: &Piece<'_>,
        seq: i64,
        when: DeltaTime<'_>,
    ) -> Result<(), Violation> {
        let index = self.open_call(id)?;
        let depth = self.settings.max_depth;
        let call = self.parts.get(index).and_then(StreamedPart::call);
        if let Some(StreamedCall { state: CallState::Open(partial), .. }) = call
            && !partial.fits(&piece.text, depth)
        {
            let message =
                format!("the arguments are nested deeper than {depth} levels (`maxDepth`)");
            return Err(Violation::new("limit", message));
        }
        self.hold(piece.text.len() + usize::from(piece.low.is_some()) * 4)?;
        if let Some(call) = self.parts.get_mut(index).and_then(StreamedPart::call_mut) {
            let from = call.raw.len();
            call.raw.append(piece);
            call.feed_since(from);
            self.log.grow(index, from, &call.raw, seq, when);
        }
        self.last_call = index;
        self.touch(index);
        Ok(())
    }

    /// DC-7: the call's arguments are complete.
    pub(crate) fn end_call(&mut self, index: usize, at: Ms) {
        if let Some(part) = self.parts.get_mut(index) {
            part.ended = at;
            part.reported.set = part.reported.added;
            if let Some(call) = part.call_mut() {
                call.end();
            }
            self.touch(index);
        }
    }

    /// Adds a part. DC-5: a new part closes the text before it, unless that has a block.
    pub(crate) fn add(&mut self, body: Body, seq: i64, at: Ms) -> usize {
        match self.parts.last_mut() {
            Some(last) if last.block().is_some() => last.ended = at,
            _ => self.close(self.parts.len().wrapping_sub(1), at),
        }
        self.parts.push(StreamedPart::new(body, seq, at));
        self.parts.len() - 1
    }

    /// Closes a part if it is text or reasoning: half of a surrogate pair becomes U+FFFD.
    pub(crate) fn close(&mut self, index: usize, at: Ms) {
        if let Some(part) = self.parts.get_mut(index)
            && let Body::Text(text) | Body::Thinking(text) = &mut part.body
        {
            part.ended = at;
            if text.close() {
                self.touch(index);
            }
        }
    }

    /// Closes every text, because nothing more comes: halves of surrogate pairs become U+FFFD.
    pub(crate) fn close_all(&mut self, at: Ms) {
        self.close(self.parts.len().wrapping_sub(1), at);
        let blocks: Vec<u64> = self.blocks.values().copied().collect();
        for index in blocks.into_iter().map(index_of) {
            let at = self.parts.get(index).and_then(|part| part.ended).or(at);
            self.close(index, at);
        }
        for index in 0..self.parts.len() {
            if let Some(call) = self.parts.get_mut(index).and_then(StreamedPart::call_mut) {
                let before = call.raw.len();
                call.close_text();
                if call.raw.len() > before {
                    self.touch(index);
                }
            }
        }
    }
}

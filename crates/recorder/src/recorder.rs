//! The recorder itself: what an engine calls while it runs.

use super::call_context::CallContext;
use super::call_history::CallHistory;
use super::event::{Event, EventKind};
use super::recorded_part::{RecordedMessage, RecordedPart};
use super::retained::Retained;
use super::step_usage::StepUsage;
use apex_parts_assemble::Text;
use apex_parts_json::saved::Numbering;
use apex_parts_loops::{Call, CallResult, Config, Detector, Verdict};
use apex_parts_model::delta::Piece;
use apex_parts_model::fingerprint;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::{Build, Error, Key, Status, Transition, View, Word, shorten, tool_state};
use std::borrow::Cow;
use std::collections::VecDeque;

/// The calls that the loop detector takes as parallel: those of a step. A call that starts after an equal one
/// has ended begins another round, because some engines run several turns of the model in one step.
#[derive(Clone, Debug, Default)]
struct Round {
    number: u32,
    /// The last calls of this round that have ended.
    ended: VecDeque<Fingerprint>,
}

/// This many calls of a round are kept.
const MOST_ENDED: usize = 64;

impl Round {
    fn next(&mut self) {
        self.number = self.number.saturating_add(1);
        self.ended.clear();
    }

    /// A call starts: the number of its round.
    fn start(&mut self, call: Fingerprint) -> f64 {
        if self.ended.contains(&call) {
            self.next();
        }
        f64::from(self.number)
    }

    fn end(&mut self, call: Fingerprint, round: u32) {
        if round == self.number {
            if self.ended.len() == MOST_ENDED {
                self.ended.pop_front();
            }
            self.ended.push_back(call);
        }
    }
}

/// Records a run of an engine as parts of one message, and as events.
#[derive(Clone, Debug)]
pub struct Recorder<P> {
    message: RecordedMessage,
    items: Vec<RecordedPart<P>>,
    /// The index of the last call of each id.
    calls: Numbering,
    /// The index of the reasoning part that is open.
    reasoning: Option<usize>,
    /// The index of the text part that is open.
    text: Option<usize>,
    in_step: bool,
    steps: u32,
    round: Round,
    started: f64,
    history: CallHistory<P>,
    events: Vec<Event<P>>,
    detector: Detector,
}

impl<P: Retained> Recorder<P> {
    /// A recorder of the message `message` of `session`, begun at `now`, in milliseconds since the
    /// Unix epoch.
    #[must_use]
    pub fn new(session: &str, message: &str, config: Config, now: f64) -> Recorder<P> {
        Recorder {
            message: RecordedMessage { session: session.to_owned(), id: message.to_owned() },
            items: Vec::new(),
            calls: Numbering::new(),
            reasoning: None,
            text: None,
            in_step: false,
            steps: 0,
            round: Round::default(),
            started: now,
            history: CallHistory::default(),
            events: Vec::new(),
            detector: Detector::new(config),
        }
    }

    fn emit(&mut self, kind: EventKind, data: &P::View, context: &CallContext<'_>) {
        self.events.push(Event {
            kind,
            data: P::keep(data),
            timestamp: context.now,
            iteration: self.steps,
        });
    }

    // ── Reasoning and text ──────────────────────────────────────────────────────────────────────

    fn open(&mut self, is_reasoning: bool, context: &mut CallContext<'_>) -> usize {
        self.items.push(RecordedPart::Text {
            id: (context.new_id)(),
            is_reasoning,
            text: Text::default(),
            start: context.now,
            end: None,
        });
        self.items.len() - 1
    }

    /// `{id}` of the text or reasoning at this index.
    fn text_event_data(&self, index: usize) -> P::View {
        let mut data = P::View::object();
        if let Some(RecordedPart::Text { id, .. }) = self.items.get(index) {
            data.put(Key::Id, &P::View::string(id));
        }
        data
    }

    /// Ends the text or reasoning at this index. Half of a surrogate pair at its end becomes U+FFFD.
    fn close(&mut self, index: Option<usize>, context: &CallContext<'_>) {
        if let Some(RecordedPart::Text { end, text, .. }) =
            index.and_then(|i| self.items.get_mut(i))
        {
            *end = Some(context.now);
            text.close();
        }
    }

    fn close_text(&mut self, context: &CallContext<'_>) {
        let index = self.text.take();
        self.close(index, context);
    }

    /// Appends to the text at this index; the event carries the caller's own delta.
    fn append(
        &mut self,
        index: usize,
        kind: EventKind,
        (delta, piece): (&P::View, &Piece<'_>),
        context: &CallContext<'_>,
    ) {
        if let Some(RecordedPart::Text { text, .. }) = self.items.get_mut(index) {
            text.append(piece);
        }
        let data = self.text_event_data(index).with(Key::Text, delta);
        self.emit(kind, &data, context);
    }

    /// Reasoning begins (BR-01, BR-04). Open reasoning is finished first, which is reported as
    /// `ReasoningStateError`.
    pub fn start_reasoning(&mut self, context: &mut CallContext<'_>) {
        if self.reasoning.is_some() {
            context.report("ReasoningStateError", "reasoning is already open: it ends here");
            self.finish_reasoning(context);
        }
        self.close_text(context);
        let index = self.open(true, context);
        self.reasoning = Some(index);
        let data = self.text_event_data(index);
        self.emit(EventKind::ReasoningStart, &data, context);
    }

    /// Appends to the reasoning (BR-02): the caller's delta, for the event, and its text, which may
    /// be cut within a surrogate pair. If none is open, reasoning begins here, which is reported as
    /// `ReasoningStateError`.
    pub fn append_reasoning(
        &mut self,
        delta: (&P::View, &Piece<'_>),
        context: &mut CallContext<'_>,
    ) {
        if self.reasoning.is_none() {
            context.report("ReasoningStateError", "no reasoning is open: it begins here");
            self.start_reasoning(context);
        }
        if let Some(index) = self.reasoning {
            self.append(index, EventKind::ReasoningDelta, delta, context);
        }
    }

    /// The reasoning ends (BR-03). Returns its part, or `None` if none is open, which is reported as
    /// `ReasoningStateError`.
    pub fn finish_reasoning(&mut self, context: &mut CallContext<'_>) -> Option<P::View> {
        let Some(index) = self.reasoning.take() else {
            context.report("ReasoningStateError", "no reasoning is open: there is nothing to end");
            return None;
        };
        self.close(Some(index), context);
        let data = self.text_event_data(index);
        self.emit(EventKind::ReasoningEnd, &data, context);
        self.part_at(Some(index))
    }

    /// Appends to the text of the answer: the caller's delta, for the event, and its text, which may
    /// be cut within a surrogate pair.
    pub fn append_text(&mut self, delta: (&P::View, &Piece<'_>), context: &mut CallContext<'_>) {
        let index = self.text.unwrap_or_else(|| self.open(false, context));
        self.text = Some(index);
        self.append(index, EventKind::Content, delta, context);
    }

    // ── Steps ───────────────────────────────────────────────────────────────────────────────────

    /// A step begins (BR-05, BR-06, BR-08). Returns its part. `snapshot` is the state of the work
    /// tree as an id, or anything but a string if there is none. An open step is finished with the
    /// reason `"interrupted"` first, which is reported as `StepStateError`.
    pub fn start_step(&mut self, snapshot: &P::View, context: &mut CallContext<'_>) -> P::View {
        if self.in_step {
            context
                .report("StepStateError", "a step is already open: it is finished as interrupted");
            self.finish_step("interrupted", &StepUsage::unknown(), context);
        }
        self.close_text(context);
        self.in_step = true;
        self.steps = self.steps.saturating_add(1);
        self.round.next();
        let mut part: P::View = self.message.part_base(&(context.new_id)(), Word::StepStart);
        if snapshot.kind().is_string() {
            part.put(Key::Snapshot, snapshot);
        }
        self.items.push(RecordedPart::Done(P::keep(&part)));
        self.emit(EventKind::StepStart, &part, context);
        part
    }

    /// The step ends (BR-07). Returns its part. If none is open, a step begins here. That, and each
    /// negative token count (which is kept), is reported as `StepStateError`.
    pub fn finish_step(
        &mut self,
        reason: &str,
        usage: &StepUsage<P::View>,
        context: &mut CallContext<'_>,
    ) -> P::View {
        if !self.in_step {
            context.report("StepStateError", "no step is open: one begins here");
            let missing = P::View::object().get(Key::Snapshot);
            self.start_step(&missing, context);
        }
        self.close_text(context);
        let mut part: P::View = self.message.part_base(&(context.new_id)(), Word::StepFinish);
        part.put(Key::Reason, &P::View::string(reason));
        usage.write(&mut part, context);
        self.items.push(RecordedPart::Done(P::keep(&part)));
        self.emit(EventKind::StepFinish, &part, context);
        self.in_step = false;
        part
    }

    // ── Tools ───────────────────────────────────────────────────────────────────────────────────

    /// A tool call begins: adds its running part and returns what the loop detector says of the
    /// call. `json` is the input as JSON text. A call that is still open keeps its part, which is
    /// reported as `StepStateError`; the id of a call that has ended may be used for another call,
    /// because some servers restart their numbering in every response.
    ///
    /// # Errors
    /// `MissingRequiredField` if there is no input.
    pub fn start_tool(
        &mut self,
        (call, tool): (&str, &str),
        (input, json): (&P::View, &str),
        context: &mut CallContext<'_>,
    ) -> Result<Verdict, Error> {
        let earlier = self.index_of(call).and_then(|i| self.items.get(i));
        if let Some(RecordedPart::Tool { state, .. }) = earlier
            && Status::read(&state.view()).is_some_and(|status| status.reachable().len() > 1)
        {
            context.report(
                "StepStateError",
                format!("the call {:?} has already started", shorten(call)),
            );
            return Ok(self.detect());
        }
        let missing = P::View::object().get(Key::Title);
        let pending = tool_state::create_pending("startTool", input, &P::View::string(""))?;
        let state = match tool_state::pending_to_running(&pending, &missing, context.now)? {
            Transition::New(running) => running,
            Transition::Same => pending,
        };
        self.close_text(context);
        let id = (context.new_id)();
        let mut detector_id = call.to_owned();
        if self.calls.contains_key(call) {
            detector_id = format!("{call}\u{0}{}", self.items.len());
        }
        self.calls.insert(call.to_owned(), self.items.len() as u64);
        let print = fingerprint::join(
            fingerprint::of(tool.as_bytes(), 0),
            fingerprint::of(json.as_bytes(), 0),
        );
        let round = self.round.start(print);
        self.items.push(RecordedPart::Tool {
            id,
            call: call.to_owned(),
            detector_id: detector_id.clone(),
            tool: tool.to_owned(),
            print,
            round: self.round.number,
            state: P::keep(&state),
        });
        let limit = self.detector.config().threshold.saturating_mul(2).clamp(0, 64);
        self.history.push(tool, input, context.now, usize::try_from(limit).unwrap_or_default());
        let mut data = P::View::object();
        data.put(Key::CallID, &P::View::string(call));
        data.put(Key::Tool, &P::View::string(tool));
        data.put(Key::Input, input);
        self.emit(EventKind::ToolStart, &data, context);
        let verdict = self.detector.check(&Call {
            tool,
            parameters: json,
            id: Some(&detector_id),
            // The calls of a step are parallel: the model reacts in the next one.
            round: (self.steps > 0).then_some(round),
            time_ms: context.now,
            ..Call::default()
        });
        Ok(self.with_caller_ids(verdict))
    }

    fn index_of(&self, call: &str) -> Option<usize> {
        self.calls.get(call).and_then(|index| usize::try_from(*index).ok())
    }

    /// The verdict with the callers' ids in place of the detector's.
    fn with_caller_ids(&self, mut verdict: Verdict) -> Verdict {
        for id in &mut verdict.call_ids {
            let index = id.rsplit_once('\0').and_then(|(_, index)| index.parse::<usize>().ok());
            if let Some(RecordedPart::Tool { call, detector_id, .. }) =
                index.and_then(|i| self.items.get(i))
                && detector_id == id
            {
                *id = call.clone();
            }
        }
        verdict
    }

    /// A tool call ends: its part becomes completed, or failed if `outcome` has an `error`, and the
    /// loop detector gets the result. `outcome` is `{output, title?, metadata?, attachments?}` or
    /// `{error, metadata?}`. Returns the part; a call that has ended this way already stays as it
    /// was.
    ///
    /// # Errors
    /// `InvalidStateTransition` if the call was not started or has ended the other way;
    /// `PartValidationError` if the output (BR-09) is empty or the error (BR-10) is blank. Nothing
    /// has changed then.
    pub fn finish_tool(
        &mut self,
        call: &str,
        outcome: &P::View,
        context: &mut CallContext<'_>,
    ) -> Result<P::View, Error> {
        let index = self.index_of(call);
        let known = match index.and_then(|i| self.items.get(i)) {
            Some(RecordedPart::Tool { detector_id, tool, state, .. }) => {
                Some((detector_id.clone(), tool.clone(), state.view()))
            }
            _ => None,
        };
        let missing = P::View::object().get(Key::Title);
        let error = outcome.get(Key::Error);
        let failed = !error.kind().is_nullish();
        let (detector_id, tool, state) =
            known.unwrap_or_else(|| (String::new(), String::new(), P::View::object()));
        let (output, end) = (outcome.get(Key::Output), P::View::of_number(context.now));
        let metadata = outcome.get(Key::Metadata);
        let transition = if failed {
            tool_state::running_to_error(&state, &error, &metadata, &end, context.now)?
        } else {
            let (title, files) = (outcome.get(Key::Title), outcome.get(Key::Attachments));
            tool_state::running_to_completed(&state, &output, &title, &files, &end, context.now)?
        };
        let mut ended = match transition {
            Transition::New(ended) => ended,
            Transition::Same => return Ok(self.part_at(index).unwrap_or(missing)),
        };
        if !metadata.kind().is_nullish() {
            ended.put(Key::Metadata, &metadata);
        }
        if let Some(RecordedPart::Tool { state, print, round, .. }) =
            index.and_then(|i| self.items.get_mut(i))
        {
            *state = P::keep(&ended);
            self.round.end(*print, *round);
        }
        let result = if failed { error.clone() } else { output.clone() };
        let text = result.text().map(Cow::into_owned);
        // A detector has refused the call: this one, or one beside it.
        let kind = metadata.get(Key::Kind);
        let blocked = failed && kind.text().is_some_and(|kind| kind == "loop");
        self.detector.record(&CallResult {
            id: Some(&detector_id),
            result: text.as_deref(),
            is_error: failed,
            blocked,
            ..CallResult::default()
        });
        let mut data = P::View::object();
        data.put(Key::CallID, &P::View::string(call));
        data.put(Key::Tool, &P::View::string(&tool));
        data.put_bool(Key::Success, !failed);
        data.put(if failed { Key::Error } else { Key::Output }, &result);
        self.emit(EventKind::ToolEnd, &data, context);
        Ok(self.part_at(index).unwrap_or(missing))
    }

    fn part_at(&self, index: Option<usize>) -> Option<P::View> {
        index.and_then(|i| self.items.get(i)).map(|item| item.build(&self.message))
    }

    /// The verdict on the calls so far (BR-10); records nothing.
    #[must_use]
    pub fn detect(&self) -> Verdict {
        self.with_caller_ids(self.detector.detect())
    }

    /// The loop detector.
    #[must_use]
    pub fn detector(&self) -> &Detector {
        &self.detector
    }

    // ── Results ─────────────────────────────────────────────────────────────────────────────────

    /// The events since the last call of this function.
    pub fn take_events(&mut self) -> Vec<Event<P>> {
        std::mem::take(&mut self.events)
    }

    /// The parts so far, in the order in which they began.
    #[must_use]
    pub fn parts(&self) -> Vec<P::View> {
        self.items.iter().map(|item| item.build(&self.message)).collect()
    }

    /// The state of the run: `{stepCount, startTime, reasoningStartTime?,
    /// toolCallHistory}`, the times in milliseconds since the Unix epoch.
    #[must_use]
    pub fn step_context(&self) -> P::View {
        let mut context = P::View::object();
        context.put_number(Key::StepCount, f64::from(self.steps));
        context.put_number(Key::StartTime, self.started);
        if let Some(RecordedPart::Text { start, .. }) =
            self.reasoning.and_then(|i| self.items.get(i))
        {
            context.put_number(Key::ReasoningStartTime, *start);
        }
        context.put(Key::ToolCallHistory, &self.history.build());
        context
    }
}

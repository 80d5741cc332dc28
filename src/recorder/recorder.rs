//! The recorder itself.

use super::event::{Event, EventKind};
use crate::assemble::Text;
use crate::loops::{Call, CallResult, Config, Detector, Verdict};
use crate::model::delta::Piece;
use crate::model::view::number_text;
use crate::model::{Build, Error, Key, Owned, Status, Transition, View, Word, shorten, tool_state};
use crate::validate::negative_counts;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A value that outlives a call: natively itself, in a host a reference.
pub trait Retained: Clone {
    /// What rules see of it.
    type View: Build;
    /// To look at it, or to put it somewhere.
    fn view(&self) -> Self::View;
    /// To keep it.
    fn keep(view: &Self::View) -> Self;
}

impl Retained for Owned {
    type View = Owned;
    fn view(&self) -> Owned {
        self.clone()
    }
    fn keep(view: &Owned) -> Owned {
        view.clone()
    }
}

/// The time of a call, ids for what it makes, and where what is wrong is told.
pub struct CallContext<'a> {
    /// Milliseconds since the Unix epoch.
    pub now: f64,
    new_id: Box<dyn FnMut() -> String + 'a>,
    /// What was wrong and put right: `ReasoningStateError`, `StepStateError` and the like.
    pub wrong: Vec<(&'static str, String)>,
}

impl<'a> CallContext<'a> {
    /// Now, and a source of ids.
    pub fn new(now: f64, new_id: impl FnMut() -> String + 'a) -> CallContext<'a> {
        CallContext { now, new_id: Box::new(new_id), wrong: Vec::new() }
    }

    fn tell(&mut self, name: &'static str, message: impl Into<String>) {
        self.wrong.push((name, message.into()));
    }
}

impl std::fmt::Debug for CallContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Moment").field("now", &self.now).field("wrong", &self.wrong).finish()
    }
}

/// A part so far.
#[derive(Clone, Debug)]
enum RecordedPart<P> {
    /// Text, or a thought, that may grow.
    Text { id: String, thought: bool, text: Text, start: f64, end: Option<f64> },
    /// A tool's call; `seen` is what the detector knows it by.
    Tool { id: String, call: String, seen: String, tool: String, state: P },
    /// Anything that is finished.
    Done(P),
}

/// What a step used.
#[derive(Clone, Debug)]
pub struct StepUsage<P> {
    /// US dollars.
    pub cost: P,
    /// Tokens.
    pub tokens: P,
    /// The state of the files behind it.
    pub snapshot: P,
}

/// A call that was made.
#[derive(Clone, Debug)]
struct CallRecord<P> {
    tool: String,
    input: P,
    time: f64,
}

/// Records a run of an engine as parts of one message, and as events.
#[derive(Clone, Debug)]
pub struct Recorder<P> {
    session: String,
    message: String,
    items: Vec<RecordedPart<P>>,
    /// The last call of each id.
    calls: BTreeMap<String, usize>,
    /// What the detector knows calls by whose ids were used before.
    renamed: BTreeSet<String>,
    /// The thought, and the text, that are open.
    thought: Option<usize>,
    text: Option<usize>,
    in_step: bool,
    steps: u32,
    started: f64,
    history: VecDeque<CallRecord<P>>,
    events: Vec<Event<P>>,
    detector: Detector,
}

impl<P: Retained> Recorder<P> {
    /// A recorder of one message, begun at `now`.
    #[must_use]
    pub fn new(session: &str, message: &str, config: Config, now: f64) -> Recorder<P> {
        Recorder {
            session: session.to_owned(),
            message: message.to_owned(),
            items: Vec::new(),
            calls: BTreeMap::new(),
            renamed: BTreeSet::new(),
            thought: None,
            text: None,
            in_step: false,
            steps: 0,
            started: now,
            history: VecDeque::new(),
            events: Vec::new(),
            detector: Detector::new(config),
        }
    }

    fn say(&mut self, kind: EventKind, data: &P::View, at: &CallContext<'_>) {
        self.events.push(Event {
            kind,
            data: P::keep(data),
            timestamp: at.now,
            iteration: self.steps,
        });
    }

    fn base(&self, id: &str, kind: Word) -> P::View {
        let mut part = P::View::object();
        part.put(Key::Id, &P::View::string(id));
        part.put(Key::SessionID, &P::View::string(&self.session));
        part.put(Key::MessageID, &P::View::string(&self.message));
        part.put_word(Key::Type, kind);
        part
    }

    fn part(&self, item: &RecordedPart<P>) -> P::View {
        match item {
            RecordedPart::Done(part) => part.view(),
            RecordedPart::Tool { id, call, tool, state, .. } => {
                let mut part = self.base(id, Word::Tool);
                part.put(Key::CallID, &P::View::string(call));
                part.put(Key::Tool, &P::View::string(tool));
                part.put(Key::State, &state.view());
                part
            }
            RecordedPart::Text { id, thought, text, start, end } => {
                let kind = if *thought { Word::Reasoning } else { Word::Text };
                let mut part = self.base(id, kind);
                part.put(Key::Text, &P::View::string(&text.to_str()));
                let mut time = P::View::object();
                time.put_number(Key::Start, *start);
                if let Some(end) = end {
                    time.put_number(Key::End, *end);
                }
                part.put(Key::Time, &time);
                part
            }
        }
    }

    // ── Thoughts and text ───────────────────────────────────────────────────────────────────────

    fn open(&mut self, thought: bool, at: &mut CallContext<'_>) -> usize {
        let (id, start) = ((at.new_id)(), at.now);
        self.items.push(RecordedPart::Text {
            id,
            thought,
            text: Text::default(),
            start,
            end: None,
        });
        self.items.len() - 1
    }

    fn about_thought(&self, index: usize) -> P::View {
        let mut data = P::View::object();
        if let Some(RecordedPart::Text { id, .. }) = self.items.get(index) {
            data.put(Key::Id, &P::View::string(id));
        }
        data
    }

    /// The text, or the thought, there is over. A half of a character that still waits for its other
    /// half is U+FFFD.
    fn end(&mut self, index: Option<usize>, at: &CallContext<'_>) {
        if let Some(RecordedPart::Text { end, text, .. }) =
            index.and_then(|i| self.items.get_mut(i))
        {
            *end = Some(at.now);
            text.close();
        }
    }

    fn end_text(&mut self, at: &CallContext<'_>) {
        let index = self.text.take();
        self.end(index, at);
    }

    /// More of a text: to its part, and as an event with the delta as it came.
    fn append(
        &mut self,
        index: usize,
        kind: EventKind,
        (delta, piece): (&P::View, &Piece<'_>),
        at: &CallContext<'_>,
    ) {
        if let Some(RecordedPart::Text { text, .. }) = self.items.get_mut(index) {
            text.append(piece);
        }
        let data = self.about_thought(index).with(Key::Text, delta);
        self.say(kind, &data, at);
    }

    /// A thought begins (BR-01, BR-04). One that is open is closed first.
    pub fn start_reasoning(&mut self, at: &mut CallContext<'_>) {
        if self.thought.is_some() {
            at.tell("ReasoningStateError", "a thought is open already: it ends here");
            self.finish_reasoning(at);
        }
        self.end_text(at);
        let index = self.open(true, at);
        self.thought = Some(index);
        let data = self.about_thought(index);
        self.say(EventKind::ReasoningStart, &data, at);
    }

    /// More of the thought (BR-02): the delta, and the text that it is, which may be cut within a
    /// surrogate pair. Where no thought is open, one is opened.
    pub fn append_reasoning(&mut self, delta: (&P::View, &Piece<'_>), at: &mut CallContext<'_>) {
        if self.thought.is_none() {
            at.tell("ReasoningStateError", "no thought is open: one begins here");
            self.start_reasoning(at);
        }
        if let Some(index) = self.thought {
            self.append(index, EventKind::ReasoningDelta, delta, at);
        }
    }

    /// The thought is over (BR-03); its part, or `None` where none is open.
    pub fn finish_reasoning(&mut self, at: &mut CallContext<'_>) -> Option<P::View> {
        let Some(index) = self.thought.take() else {
            at.tell("ReasoningStateError", "no thought is open: there is none to end");
            return None;
        };
        self.end(Some(index), at);
        let data = self.about_thought(index);
        self.say(EventKind::ReasoningEnd, &data, at);
        self.items.get(index).map(|item| self.part(item))
    }

    /// More of the answer: the delta, and the text that it is.
    pub fn append_text(&mut self, delta: (&P::View, &Piece<'_>), at: &mut CallContext<'_>) {
        let index = self.text.unwrap_or_else(|| self.open(false, at));
        self.text = Some(index);
        self.append(index, EventKind::Content, delta, at);
    }

    // ── Steps ───────────────────────────────────────────────────────────────────────────────────

    /// A step begins (BR-05, BR-06, BR-08). One that is open is finished as interrupted.
    pub fn start_step(&mut self, snapshot: &P::View, at: &mut CallContext<'_>) -> P::View {
        if self.in_step {
            at.tell("StepStateError", "a step is open already: it is finished as interrupted");
            let none = P::View::object();
            let none = none.get(Key::Snapshot);
            let usage = StepUsage { cost: none.clone(), tokens: none.clone(), snapshot: none };
            self.finish_step("interrupted", &usage, at);
        }
        self.end_text(at);
        self.in_step = true;
        self.steps = self.steps.saturating_add(1);
        let mut part = self.base(&(at.new_id)(), Word::StepStart);
        if snapshot.kind().is_string() {
            part.put(Key::Snapshot, snapshot);
        }
        self.items.push(RecordedPart::Done(P::keep(&part)));
        self.say(EventKind::StepStart, &part, at);
        part
    }

    /// The step is over (BR-07). Where none is open, one is begun.
    pub fn finish_step(
        &mut self,
        reason: &str,
        usage: &StepUsage<P::View>,
        at: &mut CallContext<'_>,
    ) -> P::View {
        if !self.in_step {
            at.tell("StepStateError", "no step is open: one begins here");
            let none = P::View::object();
            self.start_step(&none.get(Key::Snapshot), at);
        }
        self.end_text(at);
        let mut part = self.base(&(at.new_id)(), Word::StepFinish);
        part.put(Key::Reason, &P::View::string(reason));
        if usage.snapshot.kind().is_string() {
            part.put(Key::Snapshot, &usage.snapshot);
        }
        let cost = usage.cost.number();
        part.put_number(Key::Cost, if cost.is_finite() { cost } else { 0.0 });
        if usage.tokens.kind().is_nullish() {
            part.put(Key::Tokens, &no_tokens());
        } else {
            for (keys, count) in negative_counts(&usage.tokens) {
                let name = keys.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(".");
                let message = format!(
                    "the step ends with {} tokens (`tokens.{name}`), which are kept: a count is not negative",
                    number_text(count)
                );
                at.tell("StepStateError", message);
            }
            part.put(Key::Tokens, &usage.tokens);
        }
        self.items.push(RecordedPart::Done(P::keep(&part)));
        self.say(EventKind::StepFinish, &part, at);
        self.in_step = false;
        part
    }

    // ── Tools ───────────────────────────────────────────────────────────────────────────────────

    /// A tool is called: its part goes from pending to running, and the detector is asked. `json` is
    /// the input as JSON text. An id whose call has ended is that of another call: there are servers
    /// that count them anew in every answer.
    ///
    /// # Errors
    /// `MissingRequiredField` where there is no input.
    pub fn start_tool(
        &mut self,
        (call, tool): (&str, &str),
        (input, json): (&P::View, &str),
        at: &mut CallContext<'_>,
    ) -> Result<Verdict, Error> {
        let before = self.calls.get(call).and_then(|i| self.items.get(*i));
        let is_used = before.is_some();
        if let Some(RecordedPart::Tool { state, .. }) = before
            && Status::of(&state.view()).is_some_and(|status| status.reachable().len() > 1)
        {
            at.tell("StepStateError", format!("the call {:?} was started already", shorten(call)));
            return Ok(self.detect());
        }
        let none = P::View::object().get(Key::Title);
        let pending = tool_state::create_pending("startTool", input, &P::View::string(""))?;
        let state = match tool_state::pending_to_running(&pending, &none, at.now)? {
            Transition::New(running) => running,
            Transition::Same => pending,
        };
        self.end_text(at);
        let id = (at.new_id)();
        let mut seen = call.to_owned();
        if is_used {
            seen = format!("{call}\u{0}{}", self.items.len());
            self.renamed.insert(seen.clone());
        }
        self.calls.insert(call.to_owned(), self.items.len());
        let (call_id, tool_name) = (call.to_owned(), tool.to_owned());
        let state = P::keep(&state);
        let item =
            RecordedPart::Tool { id, call: call_id, seen: seen.clone(), tool: tool_name, state };
        self.items.push(item);
        let most = self.detector.config().threshold.saturating_mul(2).clamp(0, 64);
        self.history.push_back(CallRecord {
            tool: tool.to_owned(),
            input: P::keep(input),
            time: at.now,
        });
        while self.history.len() > usize::try_from(most).unwrap_or_default() {
            self.history.pop_front();
        }
        let mut data = P::View::object();
        data.put(Key::CallID, &P::View::string(call));
        data.put(Key::Tool, &P::View::string(tool));
        data.put(Key::Input, input);
        self.say(EventKind::ToolStart, &data, at);
        let verdict = self.detector.check(&Call {
            tool,
            parameters: json,
            id: Some(&seen),
            time_ms: at.now,
            ..Call::default()
        });
        Ok(self.named(verdict))
    }

    /// The verdict with the ids that calls came with.
    fn named(&self, mut verdict: Verdict) -> Verdict {
        for id in &mut verdict.call_ids {
            if let Some((call, _)) = id.rsplit_once('\0')
                && self.renamed.contains(id)
            {
                *id = call.to_owned();
            }
        }
        verdict
    }

    /// A tool has run: its part is completed, or failed where `outcome` has an `error`, and the
    /// detector is told.
    ///
    /// # Errors
    /// `InvalidStateTransition` where the call was not started, or has ended;
    /// `PartValidationError` where the output (BR-09) or the error (BR-10) is empty. Nothing has
    /// changed then.
    pub fn finish_tool(
        &mut self,
        call: &str,
        outcome: &P::View,
        at: &mut CallContext<'_>,
    ) -> Result<P::View, Error> {
        let index = self.calls.get(call).copied();
        let known = match index.and_then(|i| self.items.get(i)) {
            Some(RecordedPart::Tool { seen, tool, state, .. }) => {
                Some((seen.clone(), tool.clone(), state.view()))
            }
            _ => None,
        };
        let none = P::View::object().get(Key::Title);
        let error = outcome.get(Key::Error);
        let failed = !error.kind().is_nullish();
        let (seen, tool, state) =
            known.unwrap_or_else(|| (String::new(), String::new(), P::View::object()));
        let (output, end) = (outcome.get(Key::Output), P::View::of_number(at.now));
        let metadata = outcome.get(Key::Metadata);
        let step = if failed {
            tool_state::running_to_error(&state, &error, &metadata, &end, at.now)?
        } else {
            let (title, files) = (outcome.get(Key::Title), outcome.get(Key::Attachments));
            tool_state::running_to_completed(&state, &output, &title, &files, &end, at.now)?
        };
        let mut ended = match step {
            Transition::New(ended) => ended,
            // It has ended already: it stays as it is.
            Transition::Same => {
                return Ok(index.and_then(|i| self.items.get(i)).map_or(none, |i| self.part(i)));
            }
        };
        if !metadata.kind().is_nullish() {
            ended.put(Key::Metadata, &metadata);
        }
        if let Some(RecordedPart::Tool { state, .. }) = index.and_then(|i| self.items.get_mut(i)) {
            *state = P::keep(&ended);
        }
        let result = if failed { error.clone() } else { output.clone() };
        let text = result.text().map(std::borrow::Cow::into_owned);
        self.detector.record(&CallResult {
            id: Some(&seen),
            result: text.as_deref(),
            is_error: failed,
            ..CallResult::default()
        });
        let mut data = P::View::object();
        data.put(Key::CallID, &P::View::string(call));
        data.put(Key::Tool, &P::View::string(&tool));
        data.put_bool(Key::Success, !failed);
        data.put(if failed { Key::Error } else { Key::Output }, &result);
        self.say(EventKind::ToolEnd, &data, at);
        Ok(index.and_then(|i| self.items.get(i)).map_or(none, |item| self.part(item)))
    }

    /// The standing verdict (BR-10): nothing is recorded.
    #[must_use]
    pub fn detect(&self) -> Verdict {
        self.named(self.detector.detect())
    }

    /// The detector.
    #[must_use]
    pub fn detector(&self) -> &Detector {
        &self.detector
    }

    // ── What there is ───────────────────────────────────────────────────────────────────────────

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event<P>> {
        std::mem::take(&mut self.events)
    }

    /// The parts so far, in their order.
    #[must_use]
    pub fn parts(&self) -> Vec<P::View> {
        self.items.iter().map(|item| self.part(item)).collect()
    }

    /// Where the run stands (seed 001 §3.4).
    #[must_use]
    pub fn step_context(&self) -> P::View {
        let mut context = P::View::object();
        context.put_number(Key::StepCount, f64::from(self.steps));
        context.put_number(Key::StartTime, self.started);
        if let Some(RecordedPart::Text { start, .. }) = self.thought.and_then(|i| self.items.get(i))
        {
            context.put_number(Key::ReasoningStartTime, *start);
        }
        let mut history = P::View::list();
        for past in &self.history {
            let mut call = P::View::object();
            call.put(Key::ToolName, &P::View::string(&past.tool));
            call.put(Key::Parameters, &past.input.view());
            call.put_number(Key::Timestamp, past.time);
            history.push(&call);
        }
        context.put(Key::ToolCallHistory, &history);
        context
    }
}

/// Tokens of a step of which nothing is known.
fn no_tokens<V: Build>() -> V {
    let mut cache = V::object();
    cache.put_number(Key::Read, 0.0);
    cache.put_number(Key::Write, 0.0);
    let mut tokens = V::object();
    for key in [Key::Input, Key::Output, Key::Reasoning] {
        tokens.put_number(key, 0.0);
    }
    tokens.put(Key::Cache, &cache);
    tokens
}

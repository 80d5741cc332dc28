//! [`SampleEvents`]: what the events of a sample tell of its answers and calls.

use crate::fields::{get, is_true, items, pick, string};
use apex_parts_json::tape::Node;
use apex_parts_model::text_map::TextMap;
use std::borrow::Cow;
use std::collections::VecDeque;

/// A request to a model, or the output of the sample.
#[derive(Clone, Copy)]
pub(super) struct AnswerEvent<'a> {
    pub(super) start: Option<Node<'a>>,
    pub(super) end: Option<Node<'a>>,
    pub(super) stop_reason: Option<Node<'a>>,
    pub(super) usage: Option<Node<'a>>,
    /// The id of its message.
    id: Option<Node<'a>>,
}

/// A call of a tool.
#[derive(Clone, Copy)]
pub(super) struct CallEvent<'a> {
    pub(super) start: Option<Node<'a>>,
    pub(super) end: Option<Node<'a>>,
    pub(super) agent: Option<Node<'a>>,
}

/// The events of a sample.
pub(super) struct SampleEvents<'a> {
    answers: Vec<AnswerEvent<'a>>,
    /// The calls with each id, in order: some models count their calls anew in each answer.
    calls: Vec<VecDeque<CallEvent<'a>>>,
    /// Where those with an id are.
    places: TextMap,
}

impl<'a> AnswerEvent<'a> {
    /// What an output says, if it has an answer.
    pub(super) fn of_output(output: Option<Node<'a>>) -> Option<AnswerEvent<'a>> {
        let [choices, usage] = pick(output?, ["choices", "usage"]);
        let choice = items(choices).next()?;
        let [message, stop_reason] = pick(choice, ["message", "stop_reason"]);
        let id = get(message, "id");
        Some(AnswerEvent { start: None, end: None, stop_reason, usage, id })
    }

    fn id(&self) -> Option<Cow<'a, str>> {
        string(self.id)
    }
}

impl<'a> SampleEvents<'a> {
    pub(super) fn read(events: Option<Node<'a>>) -> SampleEvents<'a> {
        let mut read =
            SampleEvents { answers: Vec::new(), calls: Vec::new(), places: TextMap::default() };
        for event in items(events) {
            const NAMES: [&str; 7] =
                ["event", "timestamp", "completed", "output", "id", "agent", "pending"];
            let [kind, start, end, output, id, agent, pending] = pick(event, NAMES);
            match string(kind).as_deref() {
                Some("model") if !is_true(pending) => {
                    if let Some(answer) = AnswerEvent::of_output(output) {
                        read.answers.push(AnswerEvent { start, end, ..answer });
                    }
                }
                Some("tool") => {
                    if let Some(id) = string(id) {
                        read.add_call(&id, CallEvent { start, end, agent });
                    }
                }
                _ => {}
            }
        }
        read
    }

    fn add_call(&mut self, id: &str, event: CallEvent<'a>) {
        match self.places.get(id).and_then(|place| self.calls.get_mut(place)) {
            Some(same) => same.push_back(event),
            None => {
                self.places.insert(id, self.calls.len());
                self.calls.push(VecDeque::from([event]));
            }
        }
    }

    /// The event of each answer among the messages, by their ids; those that have none left in order.
    /// Answers that the input of the sample contains were not given by a request.
    pub(super) fn of_answers(
        &self,
        messages: &[Node<'a>],
        output: Option<Node<'a>>,
    ) -> Vec<Option<AnswerEvent<'a>>> {
        let fields = |message: &Node<'a>| pick(*message, ["role", "id", "source"]);
        let fields: Vec<_> = messages.iter().map(fields).collect();
        let is_answer =
            |role: Option<Node<'a>>| string(role).is_some_and(|role| role == "assistant");
        let mut places: TextMap = TextMap::default();
        let mut by_id: Vec<Option<AnswerEvent<'a>>> = Vec::new();
        for [role, id, _] in &fields {
            if let Some(id) = string(*id).filter(|_| is_answer(*role)) {
                places.insert(&id, by_id.len());
                by_id.push(None);
            }
        }
        let mut others = VecDeque::new();
        for answer in &self.answers {
            let place = answer.id().and_then(|id| places.get(&id));
            match place.and_then(|place| by_id.get_mut(place)) {
                Some(first) => *first = first.or(Some(*answer)),
                None => others.push_back(*answer),
            }
        }
        let mut found: Vec<Option<AnswerEvent<'a>>> = Vec::with_capacity(fields.len());
        for [role, id, source] in &fields {
            let is_input = || string(*source).is_some_and(|source| source == "input");
            if !is_answer(*role) {
                found.push(None);
                continue;
            }
            let place = string(*id).and_then(|id| places.get(&id));
            found.push(match place.and_then(|place| by_id.get_mut(place)?.take()) {
                None if !is_input() => others.pop_front(),
                event => event,
            });
        }
        // The last answer is the output of the sample, where no event tells of it.
        let last = fields.iter().rposition(|[role, ..]| is_answer(*role));
        if let (Some(last), Some(output)) = (last, AnswerEvent::of_output(output))
            && let (Some([_, id, _]), Some(event)) = (fields.get(last), found.get_mut(last))
            && event.is_none()
            && (output.id().is_none() || output.id() == string(*id))
        {
            *event = Some(output);
        }
        found
    }

    /// The event of the next call with this id.
    pub(super) fn take_call(&mut self, id: &str) -> Option<CallEvent<'a>> {
        self.calls.get_mut(self.places.get(id)?)?.pop_front()
    }
}

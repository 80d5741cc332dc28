//! The parts of a recorded message while they can still change.

use super::retained::Retained;
use apex_parts_assemble::Text;
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::{Build, Key, Word};

/// The message that is recorded: every part names it and its session.
#[derive(Clone, Debug)]
pub(super) struct RecordedMessage {
    pub(super) session: String,
    pub(super) id: String,
}

impl RecordedMessage {
    /// The fields that every part begins with.
    pub(super) fn part_base<V: Build>(&self, id: &str, kind: Word) -> V {
        let mut part = V::object();
        part.put(Key::Id, &V::string(id));
        part.put(Key::SessionID, &V::string(&self.session));
        part.put(Key::MessageID, &V::string(&self.id));
        part.put_word(Key::Type, kind);
        part
    }
}

/// A part so far.
#[derive(Clone, Debug)]
pub(super) enum RecordedPart<P> {
    /// Text or reasoning, which grows until it has an `end`.
    Text { id: String, is_reasoning: bool, text: Text, start: f64, end: Option<f64> },
    /// A tool call.
    Tool {
        id: String,
        call: String,
        /// The id under which the loop detector knows it.
        detector_id: String,
        tool: String,
        /// The fingerprint of its tool and arguments.
        print: Fingerprint,
        /// The number of its round.
        round: u32,
        state: P,
    },
    /// A part that is finished from the beginning.
    Done(P),
}

impl<P: Retained> RecordedPart<P> {
    /// The part in the message model.
    pub(super) fn build(&self, message: &RecordedMessage) -> P::View {
        match self {
            RecordedPart::Done(part) => part.view(),
            RecordedPart::Tool { id, call, tool, state, .. } => {
                let mut part: P::View = message.part_base(id, Word::Tool);
                part.put(Key::CallID, &P::View::string(call));
                part.put(Key::Tool, &P::View::string(tool));
                part.put(Key::State, &state.view());
                part
            }
            RecordedPart::Text { id, is_reasoning, text, start, end } => {
                let kind = if *is_reasoning { Word::Reasoning } else { Word::Text };
                let mut part: P::View = message.part_base(id, kind);
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
}

//! What is known of one message, and of one part.

use crate::json::tape::Node;
use crate::model::{Key, Status, View, Word};
use crate::transcript::search::searched_of;

/// The part types in the order in which [`PartFact::kind`] numbers them.
pub const PART_TYPES: &[Word] = &crate::model::spec::PART_TYPES;

/// The number of a part whose type is none of the twelve.
pub const CUSTOM: u8 = 255;

/// A part in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartFact {
    /// Where its JSON begins, counted from the beginning of its message.
    pub start: u32,
    /// The bytes of its JSON.
    pub size: u32,
    /// Where what is searched in it begins, counted from the beginning of its message, and where it
    /// ends.
    pub searched: (u32, u32),
    /// Its type: an index into [`PART_TYPES`], or [`CUSTOM`].
    pub kind: u8,
    /// The state of its tool: 0 none, 1 pending, 2 running, 3 completed, 4 error.
    pub status: u8,
    /// Its tool, by number: see [`crate::transcript::Transcript::tool_names`]; 0 for other parts.
    pub tool: u16,
    /// Tokens that a step took, in all; 0 for other parts.
    pub tokens: u32,
    /// What a step cost, in US dollars; 0 for other parts.
    pub cost: f32,
    /// When it began, in milliseconds since the Unix epoch; `NaN` where it does not say.
    pub from: f64,
    /// When it ended.
    pub to: f64,
}

impl PartFact {
    pub(crate) fn of(part: Node<'_>) -> PartFact {
        let word = part.get(Key::Type).word();
        let kind = word.and_then(|w| PART_TYPES.iter().position(|t| *t == w));
        let mut time = part.get(Key::Time);
        let mut status = 0;
        let (mut tokens, mut cost) = (0.0, 0.0);
        match word {
            Some(Word::Tool) => {
                let state = part.get(Key::State);
                status = match Status::of(&state) {
                    Some(Status::Pending) => 1,
                    Some(Status::Running) => 2,
                    Some(Status::Completed) => 3,
                    Some(Status::Error) => 4,
                    None => 0,
                };
                time = state.get(Key::Time);
            }
            Some(Word::StepFinish) => {
                cost = part.get(Key::Cost).number();
                let of = part.get(Key::Tokens);
                let cache = of.get(Key::Cache);
                let counts = [
                    of.get(Key::Input),
                    of.get(Key::Output),
                    of.get(Key::Reasoning),
                    cache.get(Key::Read),
                    cache.get(Key::Write),
                ];
                tokens = counts.iter().map(View::number).filter(|n| !n.is_nan()).sum();
            }
            _ => {}
        }
        let span = part.span();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // they saturate
        let (tokens, cost) = (tokens as u32, if cost.is_nan() { 0.0 } else { cost as f32 });
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let searched = searched_of(part, word);
        // In the order of the parts all the same where there is nothing to search.
        let searched = if searched.is_empty() { span.start..span.start } else { searched };
        PartFact {
            start: offset(span.start),
            searched: (offset(searched.start), offset(searched.end)),
            size: offset(span.len()),
            kind: kind.and_then(|k| u8::try_from(k).ok()).unwrap_or(CUSTOM),
            status,
            tool: 0,
            tokens,
            cost,
            from: time.get(Key::Start).number(),
            to: time.get(Key::End).number(),
        }
    }
}

/// A message in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageFact {
    /// Where its JSON begins in the file; where a message was put together, among all that were.
    pub start: u64,
    /// The bytes of its JSON.
    pub size: u32,
    /// The index of its first part among all parts of the file.
    pub first_part: u32,
    /// Its session, by its place among those that messages name.
    pub session: u32,
    /// 0 unknown, 1 user, 2 assistant.
    pub role: u8,
    /// Bit 0: it has an error. Bit 1: it sums up what came before. Bit 2: it has calls of tools.
    pub flags: u8,
    /// Its agent, by number: see [`crate::transcript::Transcript::agent_names`]; 0 where it names none.
    pub agent: u16,
    /// When it was made, in milliseconds since the Unix epoch; `NaN` where it does not say.
    pub created: f64,
    /// When it was complete.
    pub completed: f64,
}

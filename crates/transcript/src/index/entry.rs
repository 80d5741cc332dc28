//! The index entry of a message and of a part.

use super::step_tokens::StepTokens;
use crate::search::searched_of;
use apex_parts_compaction::{Head, ToolSet};
use apex_parts_json::tape::Node;
use apex_parts_model::{CallEnd, Key, Outcome, Status, View, Word};

/// The part types in the order in which [`PartFact::kind`] numbers them.
pub const PART_TYPES: &[Word] = &apex_parts_model::spec::PART_TYPES;

/// The [`PartFact::kind`] of a tool call.
pub(crate) const TOOL: u8 = 2;

/// The number of a part whose type is not one of [`PART_TYPES`].
pub const CUSTOM: u8 = 255;

/// [`PartFact::status`] of a call that is completed, of one that is an error, and of one that has failed.
pub(crate) const COMPLETED: u8 = 3;
pub(crate) const ERROR: u8 = 4;
pub(crate) const FAILED: u8 = 5;

/// [`PartFact::exit`] of a part without an exit code.
pub const NO_EXIT: i32 = i32::MIN;

/// What the index knows of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartFact {
    /// Where its JSON begins, in bytes from the beginning of its message.
    pub start: u32,
    /// The length of its JSON in bytes.
    pub size: u32,
    /// The range of its searched strings: first byte and end, in bytes from the beginning of its message.
    pub searched: (u32, u32),
    /// Its type: an index into [`PART_TYPES`], or [`CUSTOM`].
    pub kind: u8,
    /// How its tool call stands: 0 none, 1 pending, 2 running, 3 completed, 4 error, 5 failed. The first five
    /// are its state; one that is completed has failed if its tool says so ([`apex_parts_model::outcome()`]).
    pub status: u8,
    /// The number of its tool, see [`crate::Transcript::tool_names`]; 0 for other parts.
    pub tool: u16,
    /// All tokens of a step; 0 for other parts.
    pub tokens: u32,
    /// The cost of a step in US dollars; 0 for other parts.
    pub cost: f32,
    /// The exit code of its tool call, the low 32 bits of a larger one; [`NO_EXIT`] if there is none.
    pub exit: i32,
    /// When it began, in milliseconds since the Unix epoch; `NaN` if that is not given.
    pub from: f64,
    /// When it ended, like `from`.
    pub to: f64,
    /// The range of its id's text: first byte and end, in bytes from the beginning of its message.
    pub(crate) id: (u32, u32),
}

impl PartFact {
    pub(crate) fn new(part: Node<'_>, id: Node<'_>) -> PartFact {
        let word = part.get(Key::Type).word();
        let kind = word.and_then(|w| PART_TYPES.iter().position(|t| *t == w));
        let mut time = part.get(Key::Time);
        let (mut status, mut exit) = (0, NO_EXIT);
        let (mut tokens, mut cost) = (0.0, 0.0);
        match word {
            Some(Word::Tool) => {
                let state = part.get(Key::State);
                let known = Status::read(&state);
                let end = known.and_then(|status| CallEnd::of_state(&part, &state, status));
                status = match known {
                    Some(Status::Pending) => 1,
                    Some(Status::Running) => 2,
                    Some(Status::Error) => ERROR,
                    Some(Status::Completed) => match end.map(|end| end.outcome) {
                        Some(Outcome::Failed) => FAILED,
                        _ => COMPLETED,
                    },
                    None => 0,
                };
                #[allow(clippy::cast_possible_truncation)] // the low bits, as documented
                let code = end.and_then(|end| end.exit).map(|code| code as i32);
                exit = code.unwrap_or(NO_EXIT);
                time = state.get(Key::Time);
            }
            Some(Word::StepFinish) => {
                cost = part.get(Key::Cost).number();
                tokens = StepTokens::read(part.get(Key::Tokens)).total();
            }
            _ => {}
        }
        let span = part.span();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // they saturate
        let (tokens, cost) = (tokens as u32, if cost.is_nan() { 0.0 } else { cost as f32 });
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let id = if id.raw().is_some() { id.span() } else { span.start..span.start };
        let searched = searched_of(part, word);
        // With nothing to search the range is empty, but still in the order of the parts.
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
            exit,
            from: time.get(Key::Start).number(),
            to: time.get(Key::End).number(),
            id: (offset(id.start), offset(id.end)),
        }
    }
}

/// What the index knows of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageFact {
    /// Where its JSON begins in the file; of an assembled message, in the array of the assembled ones.
    pub start: u64,
    /// The length of its JSON in bytes.
    pub size: u32,
    /// The index of its first part among all parts.
    pub first_part: u32,
    /// The index of its session among those that messages name.
    pub session: u32,
    /// 0 unknown, 1 user, 2 assistant.
    pub role: u8,
    /// Bit 0: it has an error. Bit 1: it is a summary of earlier messages. Bit 2: it has tool calls.
    pub flags: u8,
    /// The number of its agent, see [`crate::Transcript::agent_names`]; 0 if it names none.
    pub agent: u16,
    /// All tokens that it says it took, where its steps do not say it; 0 otherwise.
    pub tokens: u32,
    /// The same of its cost in US dollars.
    pub cost: f32,
    /// When it was created, in milliseconds since the Unix epoch; `NaN` if that is not given.
    pub created: f64,
    /// When it was completed, like `created`.
    pub completed: f64,
    /// The range of its id's text: first byte and end, in bytes from its beginning.
    pub(crate) id: (u32, u32),
    /// The hash of its id.
    pub(crate) id_hash: u64,
}

/// What compaction knows of a message: it goes through all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContextFact {
    pub(crate) head: Head,
    /// The tools of its calls.
    pub(crate) tools: ToolSet,
}

//! What is known of each message and part without making values of them.

use super::json::Node;
use crate::model::{Key, Kind, Status, View, Word};

/// The part types in the order in which [`PartFact::kind`] numbers them.
pub const PART_TYPES: &[Word] = &[
    Word::Text,
    Word::Reasoning,
    Word::Tool,
    Word::StepStart,
    Word::StepFinish,
    Word::File,
    Word::Subtask,
    Word::Agent,
    Word::Compaction,
    Word::Retry,
    Word::Snapshot,
    Word::Patch,
];

/// The number of a part whose type is none of the twelve.
pub const CUSTOM: u8 = 255;

/// A part in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartFact {
    /// Its type: an index into [`PART_TYPES`], or [`CUSTOM`].
    pub kind: u8,
    /// The state of its tool: 0 none, 1 pending, 2 running, 3 completed, 4 error.
    pub status: u8,
    /// The bytes of its JSON.
    pub size: u32,
}

impl PartFact {
    pub(super) fn of(part: Node<'_>) -> PartFact {
        let word = part.get(Key::Type).word();
        let kind = word.and_then(|w| PART_TYPES.iter().position(|t| *t == w));
        let status = match Status::of(&part.get(Key::State)) {
            Some(Status::Pending) => 1,
            Some(Status::Running) => 2,
            Some(Status::Completed) => 3,
            Some(Status::Error) => 4,
            None => 0,
        };
        PartFact {
            kind: kind.and_then(|k| u8::try_from(k).ok()).unwrap_or(CUSTOM),
            status: if word == Some(Word::Tool) { status } else { 0 },
            size: u32::try_from(part.span().len()).unwrap_or(u32::MAX),
        }
    }
}

/// A message in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageFact {
    /// Where its JSON starts in the file.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The index of its first part among all parts of the file.
    pub first_part: usize,
    /// 0 unknown, 1 user, 2 assistant.
    pub role: u8,
    /// Bit 0: it has an error. Bit 1: it sums up what came before.
    pub flags: u8,
}

impl MessageFact {
    pub(super) fn of(message: Node<'_>, first_part: usize) -> MessageFact {
        let info = message.get(Key::Info);
        let span = message.span();
        let role = match info.get(Key::Role).word() {
            Some(Word::User) => 1,
            Some(Word::Assistant) => 2,
            _ => 0,
        };
        let failed = !info.get(Key::Error).kind().is_nullish();
        let summary = info.get(Key::Summary).kind() == Kind::True;
        MessageFact {
            start: span.start,
            end: span.end,
            first_part,
            role,
            flags: u8::from(failed) | (u8::from(summary) << 1),
        }
    }
}

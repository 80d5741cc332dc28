//! [`MessageAt`]: where the message is that is summed up.

use super::transcript_summary::PartRef;
use apex_parts_agents::fields::string;
use apex_parts_json::tape::Node;
use apex_parts_model::{Key, View};

/// A message, and where it is.
pub(super) struct MessageAt<'a> {
    pub(super) index: u32,
    /// Its session, if it is not the main one.
    pub(super) session: Option<&'a str>,
    /// Is it of the session whose requests, end and time are told?
    pub(super) is_main: bool,
    /// The index of its list, its own there, and that of its first part.
    pub(super) list: usize,
    pub(super) place: usize,
    pub(super) first_part: usize,
}

impl MessageAt<'_> {
    pub(super) fn part(&self, place: usize, part: Node<'_>) -> PartRef {
        PartRef {
            message: self.index,
            part: u32::try_from(place).unwrap_or(u32::MAX),
            id: string(Some(part.get(Key::Id))).unwrap_or_default().into_owned(),
            session_id: self.session.map(str::to_owned),
        }
    }
}

/// The number of the next message of a session.
pub(super) fn next_number(numbers: &mut [u32], session: u32) -> u32 {
    let Some(number) = numbers.get_mut(session as usize) else { return 0 };
    *number += 1;
    *number - 1
}

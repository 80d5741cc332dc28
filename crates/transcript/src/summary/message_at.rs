//! [`MessageAt`]: where the message is that is summed up.

use super::seen::SeenPart;
use super::transcript_summary::PartRef;

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

impl<'a> MessageAt<'a> {
    /// The message at a place of a list. `session` is its session, if it is not the main one, and `is_wanted` says that
    /// it was asked for by its id.
    pub(super) fn new(
        list: usize,
        place: usize,
        first_part: usize,
        session: Option<&'a str>,
        is_wanted: bool,
    ) -> MessageAt<'a> {
        let index = u32::try_from(place).unwrap_or(u32::MAX);
        let is_main = session.is_none() || is_wanted;
        MessageAt { index, session, is_main, list, place, first_part }
    }

    pub(super) fn part(&self, place: usize, part: SeenPart<'_>) -> PartRef {
        PartRef {
            message: self.index,
            part: u32::try_from(place).unwrap_or(u32::MAX),
            id: part.id(),
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

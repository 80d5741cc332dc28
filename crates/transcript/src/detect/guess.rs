//! The assumed format of a file while there are too few bytes to be sure.

use crate::detect::detection::Detection;
use crate::formats::registry::Format;
use apex_parts_agents::Env;

/// The assumed format.
#[derive(Debug)]
pub(crate) struct Guess {
    pub(crate) begin: Detection,
    /// The format that was given, if one was.
    pub(crate) given: Option<Format>,
    /// All bytes so far: reading starts again with them if the guess was wrong.
    pub(crate) head: Vec<u8>,
}

/// The ids that were taken under guesses. A file that is read again takes these first, so that its messages
/// get the same ids, in pieces or whole.
#[derive(Debug, Default)]
pub(crate) struct GuessedIds {
    ids: Vec<String>,
    /// How many of them the current reading has taken.
    taken: usize,
}

impl GuessedIds {
    /// The next id; a new one is kept if the format `is_guess`.
    pub(crate) fn next(&mut self, is_guess: bool, env: &mut Env<'_>) -> String {
        if let Some(id) = self.ids.get(self.taken) {
            self.taken += 1;
            return id.clone();
        }
        let id = (env.new_id)();
        if is_guess {
            self.ids.push(id.clone());
            self.taken += 1;
        }
        id
    }

    /// The file is read again.
    pub(crate) fn begin_anew(&mut self) {
        self.taken = 0;
    }
}

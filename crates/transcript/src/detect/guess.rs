//! The assumed format of a file while there are too few bytes to be sure.

use crate::detect::detection::Detection;
use crate::formats::registry::Format;

/// The assumed format.
#[derive(Debug)]
pub(crate) struct Guess {
    pub(crate) begin: Detection,
    /// The format that was given, if one was.
    pub(crate) given: Option<Format>,
    /// All bytes so far: reading starts again with them if the guess was wrong.
    pub(crate) head: Vec<u8>,
}

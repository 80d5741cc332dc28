//! What a file is taken for while there are too few bytes to be sure.

use crate::transcript::detect::detection::Detection;
use crate::transcript::formats::registry::Format;

/// What a file is taken for.
#[derive(Debug)]
pub(crate) struct Guess {
    pub(crate) begin: Detection,
    /// The format that was given, if one was.
    pub(crate) given: Option<Format>,
    /// All bytes so far: the reading begins anew with them where the guess was wrong.
    pub(crate) head: Vec<u8>,
}

//! Text that is written no further than a host can take it.

use crate::model::{Error, Path};
use std::fmt;

/// The longest string of V8; other engines have longer ones.
pub(crate) const LONGEST: usize = (1 << 29) - 24;

/// Writes to the end of a string. What would make it too long is dropped, and that is noted.
#[derive(Debug)]
pub(crate) struct BoundedOutput<'a> {
    to: &'a mut String,
    /// How long it was before.
    start: usize,
    /// How long it may become.
    most: usize,
    is_over: bool,
}

impl<'a> BoundedOutput<'a> {
    pub(crate) fn new(to: &'a mut String) -> BoundedOutput<'a> {
        BoundedOutput::within(to, LONGEST)
    }

    pub(crate) fn within(to: &'a mut String, most: usize) -> BoundedOutput<'a> {
        let start = to.len();
        BoundedOutput { to, start, most, is_over: false }
    }

    /// Another text that may become as long.
    pub(crate) fn beside<'b>(&self, to: &'b mut String) -> BoundedOutput<'b> {
        BoundedOutput::within(to, self.most)
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        let length = self.to.len().saturating_add(text.len());
        if self.is_over || length > self.most {
            self.is_over = true;
            return;
        }
        if length > self.to.capacity() {
            // Twice as much as it was, as a string grows by itself, but no more than it may have.
            let room = (self.to.capacity() * 2).clamp(length, self.most) - self.to.len();
            if self.to.try_reserve_exact(room).is_err() {
                self.is_over = true;
                return;
            }
        }
        self.to.push_str(text);
    }

    pub(crate) fn push(&mut self, c: char) {
        self.push_str(c.encode_utf8(&mut [0; 4]));
    }

    /// Is there room for so many bytes?
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        !self.is_over && self.to.len().saturating_add(bytes) <= self.most
    }

    /// It is known to become too long.
    pub(crate) fn give_up(&mut self) {
        self.is_over = true;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// What was written is all of it.
    ///
    /// # Errors
    /// `PartValidationError` (`limit`) where it is not. The string is then what it was before.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.is_over {
            self.to.truncate(self.start);
            return Err(too_long(self.most));
        }
        Ok(())
    }
}

impl fmt::Write for BoundedOutput<'_> {
    /// Who asks stops at what has no room.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        if self.is_over { Err(fmt::Error) } else { Ok(()) }
    }
}

fn too_long(most: usize) -> Error {
    let message =
        format!("what is made of it is longer than {most} bytes, or than memory has room for");
    Error::rule("limit", &Path::ROOT, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn what_fits_is_written() {
        let mut text = "ab".to_owned();
        let mut out = BoundedOutput::within(&mut text, 6);
        out.push('ä');
        out.push_str("cd");
        assert!(out.has_room(0) && !out.has_room(1));
        assert!(write!(out, "").is_ok());
        out.finish().unwrap();
        assert_eq!(text, "abäcd");
    }

    #[test]
    fn what_does_not_fit_leaves_the_text_as_it_was() {
        let mut text = "ab".to_owned();
        let mut out = BoundedOutput::within(&mut text, 6);
        out.push_str("cde");
        assert!(write!(out, "fg").is_err());
        // Nor does what would have had room: half of it would be none of it.
        out.push('f');
        assert!(out.is_over() && !out.has_room(0));
        let error = out.finish().unwrap_err().to_string();
        assert!(error.starts_with("limit: ") && error.contains("6 bytes"), "{error}");
        assert_eq!(text, "ab");
    }

    #[test]
    fn it_takes_no_more_memory_than_it_may() {
        let mut text = String::new();
        let mut out = BoundedOutput::within(&mut text, 1000);
        for _ in 0..999 {
            out.push('x');
        }
        out.finish().unwrap();
        assert!(text.capacity() <= 1000, "{}", text.capacity());
    }
}

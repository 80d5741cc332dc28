//! Output with a bound: a text never grows beyond what a host can hold.

use apex_parts_model::{Error, Path};
use std::fmt;

/// The longest string of V8, in bytes; other engines allow longer ones.
pub(crate) const LONGEST: usize = (1 << 29) - 24;

/// Appends to a string. A text that would make it too long is dropped, and so is everything after it; then
/// `finish` is an error.
#[derive(Debug)]
pub(crate) struct BoundedOutput<'a> {
    to: &'a mut String,
    /// The length of the string before.
    start: usize,
    /// The most bytes of the string.
    most: usize,
    /// A text has been dropped.
    is_full: bool,
}

impl<'a> BoundedOutput<'a> {
    pub(crate) fn new(to: &'a mut String) -> BoundedOutput<'a> {
        BoundedOutput::within(to, LONGEST)
    }

    pub(crate) fn within(to: &'a mut String, most: usize) -> BoundedOutput<'a> {
        let start = to.len();
        BoundedOutput { to, start, most, is_full: false }
    }

    /// An output to another string, with the same bound.
    pub(crate) fn beside<'b>(&self, to: &'b mut String) -> BoundedOutput<'b> {
        BoundedOutput::within(to, self.most)
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        let length = self.to.len().saturating_add(text.len());
        if self.is_full || length > self.most {
            self.is_full = true;
            return;
        }
        if length > self.to.capacity() {
            // Doubled, as a string grows by itself, but not beyond the bound.
            let room = (self.to.capacity() * 2).clamp(length, self.most) - self.to.len();
            if self.to.try_reserve_exact(room).is_err() {
                self.is_full = true;
                return;
            }
        }
        self.to.push_str(text);
    }

    pub(crate) fn push(&mut self, c: char) {
        self.push_str(c.encode_utf8(&mut [0; 4]));
    }

    /// Is there room for this number of bytes?
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        !self.is_full && self.to.len().saturating_add(bytes) <= self.most
    }

    /// Drops everything from here on: the text would become too long.
    pub(crate) fn give_up(&mut self) {
        self.is_full = true;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Ends the output.
    ///
    /// # Errors
    /// `PartValidationError` (`limit`) if a text was dropped. The string is then as it was before.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.is_full {
            self.to.truncate(self.start);
            return Err(too_long(self.most));
        }
        Ok(())
    }
}

impl fmt::Write for BoundedOutput<'_> {
    /// The caller stops at the first text that has no room.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        if self.is_full { Err(fmt::Error) } else { Ok(()) }
    }
}

fn too_long(most: usize) -> Error {
    let message = format!("the result is longer than {most} bytes, or than memory has room for");
    Error::rule("limit", &Path::ROOT, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn a_text_with_room_is_written() {
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
    fn a_text_without_room_leaves_the_string_as_it_was() {
        let mut text = "ab".to_owned();
        let mut out = BoundedOutput::within(&mut text, 6);
        out.push_str("cde");
        assert!(write!(out, "fg").is_err());
        // After it nothing is written, even if it had room.
        out.push('f');
        assert!(out.is_full() && !out.has_room(0));
        let error = out.finish().unwrap_err().to_string();
        assert!(error.ends_with(" (limit)") && error.contains("6 bytes"), "{error}");
        assert_eq!(text, "ab");
    }

    #[test]
    fn the_capacity_stays_within_the_bound() {
        let mut text = String::new();
        let mut out = BoundedOutput::within(&mut text, 1000);
        for _ in 0..999 {
            out.push('x');
        }
        out.finish().unwrap();
        assert!(text.capacity() <= 1000, "{}", text.capacity());
    }
}

//! Where something came among the parts of a message that is being streamed.

use serde_json::Value;

/// A place among the parts of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamPlace {
    /// The number of the last part that has begun.
    pub(crate) part: usize,
    /// The length of its text in UTF-16 code units, if it is text or reasoning.
    pub(crate) offset: Option<usize>,
}

impl StreamPlace {
    /// Adds itself to an object.
    pub(crate) fn add_to(self, value: &mut Value) {
        if let Value::Object(fields) = value {
            fields.insert("part".to_owned(), Value::from(self.part));
            if let Some(offset) = self.offset {
                fields.insert("offset".to_owned(), Value::from(offset));
            }
        }
    }
}

/// The number of UTF-16 code units of a text.
pub(crate) fn utf16_length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

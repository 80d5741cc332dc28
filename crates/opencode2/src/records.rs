//! [`Records`]: the records of a session, as they came.

use crate::kind::RecordKind;
use std::ops::Range;

/// The records of a session.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The JSON of the session, if there is one.
    pub info: Option<String>,
    /// Whether the records name their session themselves.
    pub(crate) session: Option<String>,
    text: String,
    ranges: Vec<Range<usize>>,
    messages: usize,
    has_marks: bool,
}

impl Records {
    /// Adds a record of this kind; its JSON is an object.
    pub fn push(&mut self, json: &str, kind: RecordKind) {
        let from = self.text.len();
        self.text.push_str(json);
        self.ranges.push(from..self.text.len());
        self.messages += kind.messages();
        self.has_marks |= kind == RecordKind::Mark;
    }

    /// The id of the session, if it has no JSON object that says it.
    pub fn set_session(&mut self, id: &str) {
        self.session.get_or_insert_with(|| id.to_owned());
    }

    /// The id of the session that the records name.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Turns their order round.
    pub fn reverse(&mut self) {
        self.ranges.reverse();
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many messages they become.
    #[must_use]
    pub fn message_count(&self) -> usize {
        if self.messages == 0 { usize::from(self.has_marks) } else { self.messages }
    }

    /// The JSON of each.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.ranges.iter().map(|range| self.text.get(range.clone()).unwrap_or_default())
    }

    /// The number of bytes of all.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }
}

//! The names of a record's fields, as far as it has been read: what formats are told apart by.

/// More names than this are not kept: no format is recognised so late.
const MAX_NAMES: usize = 256;

/// The fields of an object that have been seen so far, in their order.
#[derive(Default)]
pub(crate) struct SeenFields {
    /// Their names, and the first byte of the value of each.
    fields: Vec<(Box<str>, u8)>,
    kind: Option<Box<str>>,
}

impl SeenFields {
    /// Adds a field, given the first byte of its value. Returns false where nothing has changed.
    pub(crate) fn add(&mut self, name: &str, first: u8) -> bool {
        let is_new = self.fields.len() < MAX_NAMES && !self.has(name, |seen| seen == first);
        if is_new {
            self.fields.push((name.into(), first));
        }
        is_new
    }

    /// Sets the value of the field `type`.
    pub(crate) fn set_kind(&mut self, kind: Option<Box<str>>) {
        self.kind = kind;
    }

    /// The value of the field `type`, where it has been read and is a string.
    pub(crate) fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// Whether there is a field of this name, whatever its value.
    pub(crate) fn has_any(&self, name: &str) -> bool {
        self.has(name, |_| true)
    }

    /// Whether there is a field of this name whose value is an object.
    pub(crate) fn has_object(&self, name: &str) -> bool {
        self.has(name, |first| first == b'{')
    }

    /// Whether there is a field of this name whose value is an array.
    pub(crate) fn has_array(&self, name: &str) -> bool {
        self.has(name, |first| first == b'[')
    }

    /// Whether there is a field of this name whose value is a string.
    pub(crate) fn has_string(&self, name: &str) -> bool {
        self.has(name, |first| first == b'"')
    }

    /// Whether there is a field of this name whose value is a number.
    pub(crate) fn has_number(&self, name: &str) -> bool {
        self.has(name, |first| matches!(first, b'-' | b'0'..=b'9'))
    }

    /// Whether the last field that was seen has this name.
    pub(crate) fn ends_with(&self, name: &str) -> bool {
        self.fields.last().is_some_and(|(last, _)| **last == *name)
    }

    fn has(&self, name: &str, is_kind: impl Fn(u8) -> bool) -> bool {
        self.fields.iter().any(|(seen, first)| **seen == *name && is_kind(*first))
    }
}

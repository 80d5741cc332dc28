//! The fields of a record that have been read so far, from which its format is detected.

/// The most names that are kept: no format is detected later.
const MAX_NAMES: usize = 256;

/// The fields whose values are kept where they are strings: formats are told by them.
const KEPT: [&str; 4] = ["type", "source", "record_type", "role"];

/// The longest value that is kept; no format has a longer name for itself.
const MAX_VALUE: usize = 256;

/// The fields of an object that have been read so far, in order.
#[derive(Default)]
pub struct SeenFields {
    /// The name of each field, and the first byte of its value.
    fields: Vec<(Box<str>, u8)>,
    /// The values of those that are kept.
    values: [Option<Box<str>>; KEPT.len()],
}

impl SeenFields {
    /// Adds a field, given the first byte of its value. Returns false if nothing has changed.
    pub fn add(&mut self, name: &str, first: u8) -> bool {
        let is_new = self.fields.len() < MAX_NAMES && !self.has(name, |seen| seen == first);
        if is_new {
            self.fields.push((name.into(), first));
        }
        is_new
    }

    /// Is the value of the field with this name kept?
    pub fn keeps(name: &str) -> bool {
        KEPT.contains(&name)
    }

    /// Keeps the value of a field, if it is a string.
    pub fn keep(&mut self, name: &str, text: Option<&str>) {
        let slot = KEPT.iter().position(|kept| *kept == name);
        if let Some(slot) = slot.and_then(|slot| self.values.get_mut(slot)) {
            *slot = text.filter(|text| text.len() <= MAX_VALUE).map(Box::from);
        }
    }

    /// The value of a field that is kept, if it has been read and is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        let slot = KEPT.iter().position(|kept| *kept == name)?;
        self.values.get(slot)?.as_deref()
    }

    /// The value of the field `type`, if it has been read and is a string.
    pub fn kind(&self) -> Option<&str> {
        self.text("type")
    }

    /// Is there a field with this name?
    pub fn has_any(&self, name: &str) -> bool {
        self.has(name, |_| true)
    }

    /// Is there a field with this name whose value is an object?
    pub fn has_object(&self, name: &str) -> bool {
        self.has(name, |first| first == b'{')
    }

    /// Is there a field with this name whose value is an array?
    pub fn has_array(&self, name: &str) -> bool {
        self.has(name, |first| first == b'[')
    }

    /// Is there a field with this name whose value is a string?
    pub fn has_string(&self, name: &str) -> bool {
        self.has(name, |first| first == b'"')
    }

    /// Is there a field with this name whose value is a number?
    pub fn has_number(&self, name: &str) -> bool {
        self.has(name, |first| matches!(first, b'-' | b'0'..=b'9'))
    }

    /// Does the last field that was read have this name?
    pub fn ends_with(&self, name: &str) -> bool {
        self.fields.last().is_some_and(|(last, _)| **last == *name)
    }

    fn has(&self, name: &str, is_kind: impl Fn(u8) -> bool) -> bool {
        self.fields.iter().any(|(seen, first)| **seen == *name && is_kind(*first))
    }
}

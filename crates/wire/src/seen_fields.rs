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
    /// A bit for each name, by which most names that are not there are known.
    names: u64,
    /// The values of those that are kept.
    values: [Option<Box<str>>; KEPT.len()],
}

impl SeenFields {
    /// Adds a field, given the first byte of its value. Returns false if nothing has changed.
    pub fn add(&mut self, name: &str, first: u8) -> bool {
        let is_known = |(seen, kind): &(Box<str>, u8)| *kind == first && **seen == *name;
        let is_new = self.fields.len() < MAX_NAMES && !self.fields.iter().any(is_known);
        if is_new {
            self.fields.push((name.into(), first));
            self.names |= bit(name);
        }
        is_new
    }

    /// Has no field been read?
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
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
    #[inline]
    pub fn has_any(&self, name: &str) -> bool {
        self.has(name, |_| true)
    }

    /// Is there a field with this name whose value is an object?
    #[inline]
    pub fn has_object(&self, name: &str) -> bool {
        self.has(name, |first| first == b'{')
    }

    /// Is there a field with this name whose value is an array?
    #[inline]
    pub fn has_array(&self, name: &str) -> bool {
        self.has(name, |first| first == b'[')
    }

    /// Is there a field with this name whose value is a string?
    #[inline]
    pub fn has_string(&self, name: &str) -> bool {
        self.has(name, |first| first == b'"')
    }

    /// Is there a field with this name whose value is a number?
    #[inline]
    pub fn has_number(&self, name: &str) -> bool {
        self.has(name, |first| matches!(first, b'-' | b'0'..=b'9'))
    }

    /// Does the last field that was read have this name?
    pub fn ends_with(&self, name: &str) -> bool {
        self.fields.last().is_some_and(|(last, _)| **last == *name)
    }

    #[inline]
    fn has(&self, name: &str, is_kind: fn(u8) -> bool) -> bool {
        self.names & bit(name) != 0 && self.has_named(name, is_kind)
    }

    #[inline(never)]
    fn has_named(&self, name: &str, is_kind: fn(u8) -> bool) -> bool {
        self.fields.iter().any(|(seen, first)| **seen == *name && is_kind(*first))
    }
}

/// The bit of a name: from its first byte, its last and its length.
#[inline]
fn bit(name: &str) -> u64 {
    let [first, .., last] = name.as_bytes() else { return 1 };
    let mixed = usize::from(*first) * 7 + usize::from(*last) * 3 + name.len();
    1 << (mixed % 64)
}

//! Lists of ids for a host: JSON that is read when somebody looks at it.

/// A JSON array of ids in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdList {
    json: Vec<u8>,
}

impl IdList {
    fn begin(&mut self) {
        self.json.push(if self.json.is_empty() { b'[' } else { b',' });
    }

    /// Adds an id.
    pub fn push(&mut self, id: &str) {
        self.begin();
        let mut text = String::new();
        apex_parts_json::writer::string(&mut text, id);
        self.json.extend_from_slice(text.as_bytes());
    }

    /// Adds an id as it stands in JSON, without its quotation marks.
    pub fn push_raw(&mut self, raw: &[u8]) {
        self.begin();
        self.json.push(b'"');
        self.json.extend_from_slice(raw);
        self.json.push(b'"');
    }

    /// Makes room for so many bytes more.
    pub fn reserve(&mut self, bytes: usize) {
        self.json.reserve(bytes);
    }

    /// The JSON of the array.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if self.json.is_empty() {
            self.json.push(b'[');
        }
        self.json.push(b']');
        self.json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_json_array() {
        let mut ids = IdList::default();
        assert_eq!(ids.clone().finish(), b"[]");
        ids.push("a\"b");
        ids.push_raw(br"c\n");
        ids.push("");
        assert_eq!(ids.finish(), br#"["a\"b","c\n",""]"#);
    }
}

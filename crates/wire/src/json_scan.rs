//! How far a JSON text is, without reading it: only strings and brackets count. It can stop and continue anywhere.

use apex_parts_json::saved::state;

/// What is open in a JSON text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonScan {
    /// The number of open objects and arrays.
    depth: u64,
    string: bool,
    escape: bool,
    /// The first byte that is not blank.
    first: u64,
    /// The last one.
    last: u64,
    /// Something followed the end of the first value.
    more: bool,
}

state!(JsonScan { depth, string, escape, first, last, more });

impl JsonScan {
    /// Reads more of the text.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if self.string {
                let rest = bytes.get(at..).unwrap_or_default();
                if std::mem::take(&mut self.escape) {
                    at += 1;
                    continue;
                }
                let Some(end) = memchr::memchr2(b'"', b'\\', rest) else { return };
                at += end + 1;
                if rest.get(end) == Some(&b'\\') {
                    self.escape = true;
                } else {
                    self.string = false;
                    self.last = u64::from(b'"');
                }
                continue;
            }
            at += 1;
            if byte.is_ascii_whitespace() {
                continue;
            }
            self.more |= self.depth == 0 && self.first != 0;
            if self.first == 0 {
                // 0 means that there was none yet.
                self.first = u64::from(*byte).max(1);
            }
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.last = u64::from(*byte);
        }
    }

    /// Is it one whole object, and nothing else?
    pub(crate) fn is_object(&self) -> bool {
        self.first == u64::from(b'{') && self.depth == 0 && !self.string && !self.more
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::JsonScan;

    #[test]
    fn a_whole_object_is_known_wherever_it_is_split() {
        for (text, want) in [
            ("{}", true),
            (" {\"a\":\"}\\\"\"} \n", true),
            ("{\"a\":[1,{\"b\":2}]}", true),
            ("{\"a\":1", false),
            ("{\"a\":\"}", false),
            ("{}{}", false),
            ("[]", false),
            ("1", false),
            ("\0{}", false),
            ("", false),
        ] {
            for size in [1, 2, 3, 100] {
                let mut scan = JsonScan::default();
                text.as_bytes().chunks(size).for_each(|chunk| scan.read(chunk));
                assert_eq!(scan.is_object(), want, "{text} by {size}");
            }
        }
    }
}

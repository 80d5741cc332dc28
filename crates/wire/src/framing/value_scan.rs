//! Where a JSON value ends, and where it shows that it is not one. Only brackets, strings and what may follow what
//! count: whether it is JSON shows when the record is read.

use apex_parts_json::saved::state;

/// Values nest no deeper than this: what goes on is not JSON.
const DEEPEST: u64 = 2048;
/// The kinds of this many levels are known.
const KNOWN: u64 = 120;

/// The state within a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ValueScan {
    /// The number of open objects and arrays.
    depth: u64,
    /// Which of them are objects; the lowest bit is the innermost.
    objects: u128,
    string: bool,
    escape: bool,
    /// The last byte that is not blank; 0 before the first.
    last: u64,
}

state!(ValueScan { depth, objects, string, escape, last });

/// How far a scan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// The value goes on after the bytes.
    On,
    /// It ends before this offset.
    End(usize),
    /// It cannot be JSON because of the byte before this offset.
    Broken(usize),
}

impl ValueScan {
    /// Reads bytes of a value from `at` on.
    pub(crate) fn read(&mut self, bytes: &[u8], at: usize) -> Scanned {
        let mut at = at;
        while let Some(byte) = bytes.get(at) {
            if self.string {
                if std::mem::take(&mut self.escape) && *byte != b'\n' {
                    at += 1;
                    continue;
                }
                let rest = bytes.get(at..).unwrap_or_default();
                let Some(end) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                    return Scanned::On;
                };
                at += end + 1;
                match rest.get(end) {
                    Some(b'\\') => self.escape = true,
                    Some(b'"') => self.string = false,
                    _ => return Scanned::Broken(at),
                }
                continue;
            }
            at += 1;
            if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                continue;
            }
            if !self.fits(*byte) {
                return Scanned::Broken(at);
            }
            self.last = u64::from(*byte);
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.depth > DEEPEST {
                        return Scanned::Broken(at);
                    }
                    if self.depth <= KNOWN {
                        self.objects = self.objects << 1 | u128::from(*byte == b'{');
                    }
                }
                b'}' | b']' => {
                    if self.depth <= KNOWN {
                        self.objects >>= 1;
                    }
                    self.depth -= 1;
                    if self.depth == 0 {
                        *self = ValueScan::default();
                        return Scanned::End(at);
                    }
                }
                _ => {}
            }
        }
        Scanned::On
    }

    /// May this byte follow the last one?
    fn fits(&self, byte: u8) -> bool {
        let last = u8::try_from(self.last).unwrap_or_default();
        let in_object = self.depth <= KNOWN && self.objects & 1 == 1;
        let known = self.depth <= KNOWN && self.depth > 0;
        // Only a key may follow, which is a string.
        let needs_key = in_object && matches!(last, b'{' | b',');
        let after_value = !matches!(last, 0 | b'{' | b'[' | b',' | b':');
        match byte {
            b'}' => !known || in_object && (after_value || last == b'{'),
            b']' => !known || !in_object && (after_value || last == b'['),
            b',' => after_value,
            b':' => last == b'"' && (!known || in_object),
            b'"' => !after_value,
            b'{' | b'[' => !after_value && !needs_key,
            _ => byte >= b' ' && !needs_key && !matches!(last, b'}' | b']' | b'"'),
        }
    }
}

//! [`Record`]: a piece of a file that its format reads at once.

use apex_parts_model::fingerprint::{self, Fingerprint};

/// A record of the file.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its bytes in the file, which have not been checked to be JSON.
    pub json: &'a [u8],
    /// The type of its SSE event; empty if there is none.
    pub event: &'a str,
    /// The offset of its first byte in the file.
    pub offset: u64,
}

impl Record<'_> {
    /// The place in the file of an offset in the record's text, where bytes that are no UTF-8 have become U+FFFD.
    pub fn place(&self, at: usize) -> u64 {
        const REPLACEMENT: usize = char::REPLACEMENT_CHARACTER.len_utf8();
        let (mut text, mut own) = (0, 0);
        for chunk in self.json.utf8_chunks() {
            let valid = chunk.valid().len();
            if at <= text + valid {
                break;
            }
            text += valid + REPLACEMENT;
            own += valid + chunk.invalid().len();
        }
        self.offset + (own + at.saturating_sub(text)) as u64
    }

    /// The hash of the records so far, with this one.
    pub fn hashed(&self, before: Fingerprint) -> Fingerprint {
        fingerprint::mix(before, fingerprint::of(self.json, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_text_is_one_in_the_file() {
        let json = b"ab\xff\xffc\xe2\x82d";
        let record = Record { json, event: "", offset: 100 };
        let text = String::from_utf8_lossy(json);
        for (what, place) in [("a", 100), ("b", 101), ("c", 104), ("d", 107)] {
            assert_eq!(record.place(text.find(what).unwrap()), place, "{what}");
        }
        assert_eq!(record.place(text.len()), 108);
    }
}

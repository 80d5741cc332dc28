//! The bytes of a file as text, in pieces that may be cut anywhere.

/// How a file's text is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// Like UTF-8, but bytes of it are not; they show as U+FFFD.
    InvalidUtf8,
    /// UTF-16 with the low byte first, told by its byte order mark.
    Utf16Le,
    /// UTF-16 with the high byte first, told by its byte order mark.
    Utf16Be,
}

impl Encoding {
    /// The word for it: `utf-8`, `invalid-utf8`, `utf-16le` or `utf-16be`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::InvalidUtf8 => "invalid-utf8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
        }
    }
}

const REPLACEMENT: &str = "\u{fffd}";

/// Decodes pieces of a file; its byte order mark is no text.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    encoding: Encoding,
    has_bom: bool,
    /// Whether the encoding is known: after three bytes.
    is_known: bool,
    /// The bytes of a character, or of the mark, that is not complete: at most three.
    held: Vec<u8>,
}

impl Decoder {
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// Decodes the next bytes; the text goes to `out`, in order.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&str)) {
        if self.held.is_empty() {
            self.take(bytes, false, out);
        } else {
            let mut joined = std::mem::take(&mut self.held);
            joined.extend_from_slice(bytes);
            self.take(&joined, false, out);
        }
    }

    /// Decodes what is held: the file ends here.
    pub(super) fn finish(&mut self, out: &mut dyn FnMut(&str)) {
        let held = std::mem::take(&mut self.held);
        self.take(&held, true, out);
    }

    fn take(&mut self, mut bytes: &[u8], is_last: bool, out: &mut dyn FnMut(&str)) {
        if !self.is_known {
            let mark = match bytes {
                [0xef, 0xbb, 0xbf, ..] => 3,
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => 2,
                _ => 0,
            };
            let could_be = |mark: &[u8]| mark.starts_with(bytes);
            if mark == 0
                && !is_last
                && (could_be(b"\xef\xbb\xbf") || could_be(b"\xff\xfe") || could_be(b"\xfe\xff"))
            {
                self.held = bytes.to_vec();
                return;
            }
            self.is_known = true;
            self.has_bom = mark > 0;
            if mark == 2 {
                let is_le = bytes.first() == Some(&0xff);
                self.encoding = if is_le { Encoding::Utf16Le } else { Encoding::Utf16Be };
            }
            bytes = bytes.get(mark..).unwrap_or_default();
        }
        match self.encoding {
            Encoding::Utf8 | Encoding::InvalidUtf8 => self.take_utf8(bytes, is_last, out),
            Encoding::Utf16Le | Encoding::Utf16Be => self.take_utf16(bytes, is_last, out),
        }
    }

    fn take_utf8(&mut self, bytes: &[u8], is_last: bool, out: &mut dyn FnMut(&str)) {
        // Nearly all text is UTF-8, which is faster to check than to repair.
        if let Ok(text) = std::str::from_utf8(bytes) {
            out(text);
            return;
        }
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            out(chunk.valid());
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            let is_cut = || std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none());
            if chunks.peek().is_none() && !is_last && is_cut() {
                self.held = invalid.to_vec();
            } else {
                self.encoding = Encoding::InvalidUtf8;
                out(REPLACEMENT);
            }
        }
    }

    fn take_utf16(&mut self, bytes: &[u8], is_last: bool, out: &mut dyn FnMut(&str)) {
        let is_le = self.encoding == Encoding::Utf16Le;
        let (pairs, odd) = bytes.split_at_checked(bytes.len() & !1).unwrap_or((bytes, &[]));
        let unit = |pair: &[u8]| match *pair {
            [low, high] if is_le => u16::from_le_bytes([low, high]),
            [high, low] => u16::from_be_bytes([high, low]),
            _ => 0,
        };
        // The first half of a pair at the end waits for the second.
        let last = pairs.rchunks(2).next();
        let is_half = !is_last && last.is_some_and(|pair| (0xd800..0xdc00).contains(&unit(pair)));
        let end = pairs.len() - if is_half { 2 } else { 0 };
        let whole = pairs.get(..end).unwrap_or_default();
        // In pieces, so that little is held.
        let mut text = String::new();
        for unit in char::decode_utf16(whole.chunks(2).map(unit)) {
            text.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
            if text.len() > 4_000 {
                out(&text);
                text.clear();
            }
        }
        if is_last && !odd.is_empty() {
            text.push_str(REPLACEMENT);
        } else {
            self.held = bytes.get(end..).unwrap_or_default().to_vec();
        }
        out(&text);
    }
}

//! The pages of a PDF, counted in its bytes: the objects of type `/Page`. In a PDF that keeps its objects in compressed
//! streams none are found.

use super::data_url::Bytes;

/// How much of a PDF is looked at.
const MOST: usize = 64 << 20;

/// How many pages were found; 0 where none can be seen.
pub(super) fn pages(mut bytes: Bytes<'_>) -> u32 {
    let mut buffer = [0; 12 << 10];
    let (mut counter, mut seen) = (Counter::default(), 0);
    loop {
        let len = bytes.read(&mut buffer);
        counter.take(buffer.get(..len).unwrap_or_default());
        seen += len;
        if len == 0 || seen >= MOST {
            return counter.end();
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum At {
    #[default]
    Elsewhere,
    /// In `/Type`, after so many bytes of it.
    Key(usize),
    /// After the whole of it: blanks may come.
    Between,
    /// In `/Page`, after so many bytes of it.
    Value(usize),
}

const KEY: &[u8] = b"/Type";
const VALUE: &[u8] = b"/Page";

#[derive(Default)]
struct Counter {
    at: At,
    pages: u32,
}

impl Counter {
    fn take(&mut self, mut bytes: &[u8]) {
        loop {
            if self.at == At::Elsewhere {
                let Some(slash) = memchr::memchr(b'/', bytes) else { return };
                bytes = bytes.get(slash..).unwrap_or_default();
            }
            let Some((byte, rest)) = bytes.split_first() else { return };
            self.step(*byte);
            bytes = rest;
        }
    }

    fn step(&mut self, byte: u8) {
        let is_blank = matches!(byte, 0 | b'\t' | b'\n' | 0xc | b'\r' | b' ');
        // A name ends at a blank or at one of these.
        let ends = is_blank
            || matches!(byte, b'/' | b'<' | b'>' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'%');
        let key = if byte == b'/' { At::Key(1) } else { At::Elsewhere };
        self.at = match self.at {
            At::Key(n) if n < KEY.len() && KEY.get(n) == Some(&byte) => At::Key(n + 1),
            At::Key(n) if n == KEY.len() && byte == b'/' => At::Value(1),
            At::Key(n) if n == KEY.len() && is_blank => At::Between,
            At::Between if is_blank => At::Between,
            At::Between if byte == b'/' => At::Value(1),
            At::Value(n) if n < VALUE.len() && VALUE.get(n) == Some(&byte) => At::Value(n + 1),
            At::Value(n) if n == VALUE.len() && ends => {
                self.pages += 1;
                key
            }
            _ => key,
        };
    }

    fn end(self) -> u32 {
        self.pages + u32::from(self.at == At::Value(VALUE.len()))
    }
}

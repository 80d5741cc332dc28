//! A text as its reader sees it: without the sequences by which a terminal is told colours and links, also where they
//! are written out (`\u001b[32m`), and with the characters for which HTML and JSON have codes (`&quot;`, `\u003d`).

use std::ops::Range;

/// The most bytes of a sequence that moves or colours.
const LONGEST_CONTROL: usize = 64;
/// The most bytes of one that carries a text, as a link does.
const LONGEST_STRING: usize = 2048;

/// A shorter sequence has no place for a secret.
const LONGEST_CARRYING_NOTHING: usize = 24;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 7;

/// Ways in which the first character of a sequence is written out, behind a backslash.
const WRITTEN_ESCAPES: &[&[u8]] =
    &[b"u001b", b"u001B", b"u{1b}", b"x1b", b"x1B", b"033", b"e", b"E"];
/// The same for the character that ends a link.
const WRITTEN_BELLS: &[&[u8]] = &[b"u0007", b"x07", b"007", b"a"];
const ENTITIES: &[(&[u8], u8)] = &[
    (b"&quot;", b'"'),
    (b"&apos;", b'\''),
    (b"&#39;", b'\''),
    (b"&#x27;", b'\''),
    (b"&#34;", b'"'),
    (b"&amp;", b'&'),
    (b"&lt;", b'<'),
    (b"&gt;", b'>'),
    (b"&nbsp;", b' '),
    (b"&#61;", b'='),
    (b"&#x3d;", b'='),
];

/// From this place in the reading on its bytes stand one after the other in the text.
#[derive(Debug)]
struct Stretch {
    read: usize,
    text: usize,
    /// How many bytes of the text the first of them stands for.
    length: usize,
}

/// A text as it is read, and where each piece of it stands in the text.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) bytes: Vec<u8>,
    /// Where sequences were left out.
    pub(super) cuts: Vec<usize>,
    /// Where in the text the sequences are that carry a text.
    pub(super) carried: Vec<Range<usize>>,
    stretches: Vec<Stretch>,
}

/// May a text be read otherwise than it is written? It is asked of every text, and most have none of these.
fn next_mark(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    memchr::memchr3(ESCAPE, b'\\', b'&', rest).map(|at| from + at)
}

impl Reading {
    /// The text as it is read; `None` if that is as it is written.
    pub(super) fn new(text: &[u8]) -> Option<Reading> {
        let mut reading = Reading::default();
        let (mut copied, mut from) = (0, 0);
        while let Some(at) = next_mark(text, from) {
            let Some((end, read)) = unit(text, at) else {
                from = at + 1;
                continue;
            };
            reading.bytes.extend_from_slice(text.get(copied..at).unwrap_or_default());
            match read {
                Some(byte) => {
                    reading.begin(at, end - at);
                    reading.bytes.push(byte);
                }
                None => {
                    reading.cuts.push(reading.bytes.len());
                    if end - at > LONGEST_CARRYING_NOTHING {
                        reading.carried.push(at..end);
                    }
                }
            }
            reading.begin(end, 1);
            (copied, from) = (end, end);
        }
        if reading.stretches.is_empty() {
            return None;
        }
        reading.cuts.dedup();
        reading.bytes.extend_from_slice(text.get(copied..).unwrap_or_default());
        Some(reading)
    }

    /// Notes that what is read next stands here in the text.
    fn begin(&mut self, text: usize, length: usize) {
        let read = self.bytes.len();
        if self.stretches.last().is_some_and(|last| last.read == read) {
            self.stretches.pop();
        }
        self.stretches.push(Stretch { read, text, length });
    }

    /// Where a stretch of the reading stands in the text.
    pub(super) fn in_text(&self, range: &Range<usize>) -> Range<usize> {
        let (start, _) = self.place(range.start);
        let end = match range.end.checked_sub(1).filter(|last| *last >= range.start) {
            Some(last) => {
                let (place, length) = self.place(last);
                place + length
            }
            None => start,
        };
        start..end
    }

    /// Where a byte of the reading stands in the text, and for how many bytes.
    fn place(&self, read: usize) -> (usize, usize) {
        let behind = self.stretches.partition_point(|stretch| stretch.read <= read);
        match behind.checked_sub(1).and_then(|at| self.stretches.get(at)) {
            None => (read, 1),
            Some(stretch) if stretch.read == read => (stretch.text, stretch.length),
            Some(stretch) => (stretch.text + (read - stretch.read), 1),
        }
    }
}

/// What at this mark is read otherwise: where it ends, and the byte that is read, or none.
fn unit(text: &[u8], at: usize) -> Option<(usize, Option<u8>)> {
    if text.get(at) == Some(&b'&') {
        let rest = text.get(at..)?;
        let (code, byte) = ENTITIES.iter().find(|(code, _)| rest.starts_with(code))?;
        return Some((at + code.len(), Some(*byte)));
    }
    if let Some(behind) = escape(text, at) {
        return sequence(text, behind).map(|end| (end, None));
    }
    sign(text, at).map(|(end, byte)| (end, Some(byte)))
}

/// Where the first character of a sequence ends, if it is here: itself, or written out.
fn escape(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) == Some(&ESCAPE) {
        return Some(at + 1);
    }
    written(text, at, WRITTEN_ESCAPES)
}

/// Where one of these ends behind the backslashes that are here.
fn written(text: &[u8], at: usize, forms: &[&[u8]]) -> Option<usize> {
    let rest = text.get(at..)?;
    let slashes = rest.iter().take(4).take_while(|byte| **byte == b'\\').count();
    let body = rest.get(slashes..).filter(|_| slashes > 0)?;
    // Nearly every escape is that of a quotation mark or of the end of a line.
    if matches!(body, [b'"' | b'n' | b't' | b'r', ..]) {
        return None;
    }
    let form = forms.iter().find(|form| body.starts_with(form))?;
    Some(at + slashes + form.len())
}

/// Where the sequence ends whose first character ends here.
fn sequence(text: &[u8], at: usize) -> Option<usize> {
    let run = |from: usize, most: usize, class: fn(&u8) -> bool| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.iter().take(most).take_while(|byte| class(byte)).count()
    };
    match text.get(at)? {
        b'[' => {
            let mut end = run(at + 1, LONGEST_CONTROL, |byte| matches!(byte, 0x30..=0x3f));
            // `\e[ q` without a number is no sequence of any terminal, and `q` may begin a token.
            if end > at + 1 {
                end = run(end, LONGEST_CONTROL, |byte| matches!(byte, 0x20..=0x2f));
            }
            matches!(text.get(end), Some(0x40..=0x7e)).then_some(end + 1)
        }
        b']' | b'P' | b'_' | b'^' => string_end(text, at + 1),
        b'(' | b')' => Some((at + 2).min(text.len())),
        b'7' | b'8' | b'=' | b'>' | b'M' | b'c' => Some(at + 1),
        _ => None,
    }
}

/// Where a sequence that carries a text ends: at a bell, or at an escape and a backslash.
fn string_end(text: &[u8], from: usize) -> Option<usize> {
    let most = text.len().min(from + LONGEST_STRING);
    let mut at = from;
    while at < most {
        match text.get(at)? {
            &BELL => return Some(at + 1),
            b'\n' => return None,
            &ESCAPE | b'\\' => {
                if let Some(end) = written(text, at, WRITTEN_BELLS) {
                    return Some(end);
                }
                if let Some(end) = escape(text, at) {
                    let slashes = text.get(end..)?.iter().take(4);
                    let count = slashes.take_while(|byte| **byte == b'\\').count();
                    return (count > 0).then_some(end + count);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// A sign that is written out as JSON and JavaScript do: `\u003d`, `\x3d`. Letters and digits stay as they are.
fn sign(text: &[u8], at: usize) -> Option<(usize, u8)> {
    let rest = text.get(at..)?;
    let slashes = rest.iter().take(4).take_while(|byte| **byte == b'\\').count();
    let body = rest.get(slashes..)?;
    let (digits, length) = match body {
        [b'u', b'0', b'0', digits @ ..] => (digits.get(..2)?, 5),
        [b'x', digits @ ..] => (digits.get(..2)?, 3),
        _ => return None,
    };
    let byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    let end = at + slashes + length;
    (byte.is_ascii_punctuation() || byte == b' ').then_some((end, byte))
}

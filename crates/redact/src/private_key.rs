//! Private keys in PEM, in the format of SSH2 and in that of PuTTY: the block from its first line to its last, with
//! whatever a tool puts before and behind the lines of a file: numbers, names, quotation marks, the frame of a table, who
//! changed a line, the other file. And those in JSON Web Keys.

use super::byte_class::{is_alphanumeric, is_base64, is_blank};
use super::haystack::{Haystack, Spans};

/// The most bytes of a block.
const LONGEST: usize = 1 << 16;
/// The fewest letters and digits of a key; what has fewer only speaks of one.
const LEAST: usize = 40;
/// The most bytes of a first or last line, and of what stands before a line.
const LINE: usize = 80;
const PREFIX: usize = 512;
/// The most bytes of what stands behind each line.
const SUFFIX: usize = 24;
/// A line with as many letters is one of a key, whatever they are.
const SURE: usize = 40;

/// Reads the block at `-----BEGIN `, or at the `---- BEGIN ` of SSH2; one that is cut off ends with the last line of
/// base64.
pub(super) fn private_key(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let dashes: &[u8] = if text.at(at + 4) == Some(b' ') { b" ----" } else { b"-----" };
    let name = at + b"-----BEGIN ".len();
    let label = text.run(name, LINE, |byte| byte != b'-' && byte != b'\n');
    let label = if dashes.starts_with(b" ") { label - 1 } else { label };
    let is_key = text.has_before(label, b"PRIVATE KEY") || text.has_before(label, b"KEY BLOCK");
    let line = text.slice(name..label);
    let is_private = line.windows(7).any(|word| word == b"PRIVATE");
    if !is_key || !is_private || !text.has(label, dashes) {
        return at + 1;
    }
    block(text, at, label + 5, spans)
}

/// Reads the lines of a key of PuTTY, at `Private-Lines: `.
pub(super) fn putty(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = at + b"private-lines: ".len();
    let body = text.run(start, 4, |byte| byte.is_ascii_digit());
    if body == start { at + 1 } else { block(text, body, body, spans) }
}

/// Reads the lines behind the first one, which begins at one place and ends at the other.
fn block(text: Haystack<'_>, at: usize, body: usize, spans: &mut Spans) -> usize {
    let start = text.run_back(at, PREFIX, |byte| byte != b'\n' && byte != b'\r');
    let behind = text.run(body, SUFFIX + 1, |byte| !matches!(byte, b'\n' | b'\r' | b'\\'));
    let suffix = text.slice(body..behind);
    let is_wide = suffix.len() > SUFFIX || is_json(text, behind);
    let suffix = if is_wide { b"" } else { suffix };
    let mut block = KeyBlock { text, prefix: text.slice(start..at), suffix, is_wide, letters: 0 };
    match block.end(body) {
        Some(end) => {
            spans.push(at..end);
            end
        }
        None => body,
    }
}

/// Does a line of JSON go on behind a line feed that is written out, as `rg --json` prints the lines of a file?
fn is_json(text: Haystack<'_>, at: usize) -> bool {
    let letter = text.run(at, 4, |byte| byte == b'\\');
    let quote = text.run(letter + 1, 4, |byte| byte == b'\\');
    letter > at && text.at(letter) == Some(b'n') && text.has(quote, b"\"}")
}

/// The names of the fields of a JSON Web Key that are secret.
pub(super) const KEY_FIELDS: &[&[u8]] = &[b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];

/// `{"kty": "EC", "d": "…"}`, at the name that each key has.
pub(super) fn web_key(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let is_inside = |byte: u8| !matches!(byte, b'{' | b'}');
    let start = text.run_back(at, OBJECT, is_inside);
    let end = text.run(at, OBJECT, is_inside);
    let pieces = text.slice(start..end).split(|byte| *byte == b'"');
    let (mut from, mut name) = (start, &b""[..]);
    let mut is_value = false;
    for piece in pieces {
        let own = piece.strip_suffix(b"\\").unwrap_or(piece);
        if is_value && KEY_FIELDS.contains(&name) && own.len() >= 22 {
            let is_digit = |byte: &u8| is_base64(*byte) || matches!(byte, b'-' | b'_');
            spans.extend(own.iter().all(is_digit).then_some(from..from + own.len()));
        }
        is_value = own.trim_ascii() == b":";
        if !is_value {
            name = own;
        }
        from += piece.len() + 1;
    }
    end.max(at + 1)
}

/// The most bytes of such a key on either side of its first field.
const OBJECT: usize = 8192;

/// A block that is read.
struct KeyBlock<'t> {
    text: Haystack<'t>,
    /// What stands before the first line.
    prefix: &'t [u8],
    /// What stands behind it; it may stand behind each line.
    suffix: &'t [u8],
    /// Something else stands behind each line.
    is_wide: bool,
    /// The letters and digits of lines so far.
    letters: usize,
}

impl KeyBlock<'_> {
    /// Reads lines from the end of the first one on; gives where the block ends, none if there is no key in it.
    fn end(&mut self, from: usize) -> Option<usize> {
        let limit = from + LONGEST;
        // Where the last line ends that is one of the key for sure, and the letters up to there.
        let mut sure = (from, 0);
        let from = self.behind_suffix(from);
        let (mut at, mut before, mut unsure) = (from, usize::MAX, 0);
        while at < limit && unsure < 2 {
            let Some(line) = self.next_line(at) else { break };
            if self.text.has(line, b"-----END ") || self.text.has(line, b"---- END ") {
                let label = self.text.run(line + 9, LINE, |byte| byte != b'-' && byte != b'\n');
                let end = self.text.run(label, 5, |byte| byte == b'-');
                return (self.letters >= LEAST).then_some(end);
            }
            let end = self.text.run(line, LONGEST, is_base64);
            let content = self.text.slice(line..end);
            let letters = content.iter().filter(|byte| is_alphanumeric(**byte)).count();
            if letters == 0 || !self.ends_line(end) {
                // `Proc-Type: 4,ENCRYPTED`, before the lines.
                let is_header =
                    self.letters == 0 && self.text.at(self.name_end(line)) == Some(b':');
                if !is_header {
                    break;
                }
                at = self.text.run(line, PREFIX, |byte| !matches!(byte, b'\n' | b'\r' | b'\\'));
                continue;
            }
            self.letters += letters;
            if letters >= SURE || is_tail(content, before) {
                sure = (end, self.letters);
                unsure = 0;
            } else {
                unsure += 1;
            }
            before = content.len();
            at = self.behind_suffix(end);
        }
        let (end, letters) = sure;
        (letters >= LEAST).then_some(end)
    }

    fn name_end(&self, at: usize) -> usize {
        self.text.run(at, 32, |byte| is_alphanumeric(byte) || byte == b'-')
    }

    /// Where what stands behind each line ends, if it is here.
    fn behind_suffix(&self, at: usize) -> usize {
        if self.text.has(at, self.suffix) { at + self.suffix.len() } else { at }
    }

    /// Does a line end here, but for quotation marks and the like?
    fn ends_line(&self, at: usize) -> bool {
        let at = self.behind_suffix(at);
        let end = self.text.run(at, 8, |byte| is_blank(byte) || b"|$\"'`,;)".contains(&byte));
        self.text.at(end).is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b'\\' | b'<'))
            || end > at
    }

    /// Where the next line begins, behind what is put between lines and before them; none if it is not the next one.
    fn next_line(&self, from: usize) -> Option<usize> {
        let text = self.text;
        let mut at = from;
        if self.is_wide {
            at = text.run(at, PREFIX, |byte| byte != b'\n');
        }
        for _ in 0..4 {
            // What ends a line of a program, of a table, of `cat -A`; and line breaks that are written out.
            loop {
                let next =
                    text.run(at, 16, |byte| is_blank(byte) || b"|$\"'`,;)\\\r".contains(&byte));
                let is_escape =
                    text.before(next) == Some(b'\\') && matches!(text.at(next), Some(b'n' | b'r'));
                let is_plus = text.at(next) == Some(b'+')
                    && text.before(next).is_some_and(is_blank)
                    && text.at(next + 1).is_some_and(|byte| matches!(byte, b' ' | b'\r' | b'\n'));
                if !is_escape && !is_plus {
                    at = next;
                    break;
                }
                at = next + 1;
            }
            if text.at(at) != Some(b'\n') {
                return Some(at);
            }
            at = self.behind_prefix(at + 1);
            if text.at(at).is_some_and(|byte| is_base64(byte) || byte == b'-') {
                return Some(at);
            }
        }
        None
    }

    /// Where what stands before a line ends: the same as before the first line, but for numbers and blanks; or what is
    /// put before lines anywhere.
    fn behind_prefix(&self, at: usize) -> usize {
        if let Some(end) = self.same_prefix(at).or_else(|| self.like_prefix(at)) {
            return end;
        }
        self.text.run(at, PREFIX, |byte| is_blank(byte) || b">|#*\"'`".contains(&byte))
    }

    /// Where something ends that ends as what stands before the first line does, as `1234abcd (Ann 2026-01-01 12:00 3) `,
    /// with a line of a key behind it.
    fn like_prefix(&self, from: usize) -> Option<usize> {
        let sign = self.prefix.trim_ascii_end();
        let sign = sign.get(sign.len().checked_sub(2)?..)?;
        let last = sign.last().filter(|byte| !is_alphanumeric(**byte))?;
        let text = self.text;
        let end = text.run(from, PREFIX, |byte| byte != b'\n');
        let line = text.slice(from..end);
        let behind = |(at, byte): (usize, &u8)| {
            let start = text.run(from + at + 1, 4, is_blank);
            let is_key =
                || text.run(start, SURE, is_base64) >= start + 16 || text.has(start, b"-----END ");
            (byte == last && is_key()).then_some(start)
        };
        line.iter().enumerate().rev().find_map(behind)
    }

    fn same_prefix(&self, from: usize) -> Option<usize> {
        let text = self.text;
        let mut at = text.run(from, PREFIX, is_blank);
        let mut left = self.prefix.trim_ascii_start();
        while let Some((first, rest)) = left.split_first() {
            let next = text.at(at);
            match first {
                b'0'..=b'9' => {
                    let end = text.run(at, 12, |byte| byte.is_ascii_digit());
                    if end == at {
                        return None;
                    }
                    at = end;
                    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    left = rest.get(digits..).unwrap_or_default();
                    continue;
                }
                b' ' | b'\t' => {
                    at = text.run(at, PREFIX, is_blank);
                    left = rest.trim_ascii_start();
                    continue;
                }
                // `FILE:3:` of a line that was looked for, `FILE-4-` of one beside it.
                b':' | b'-' if matches!(next, Some(b':' | b'-')) => {}
                _ if next == Some(*first) => {}
                _ => return None,
            }
            at += 1;
            left = rest;
        }
        Some(text.run(at, PREFIX, is_blank))
    }
}

/// Is it a last line, shorter than those before it?
fn is_tail(line: &[u8], before: usize) -> bool {
    let has = |class: fn(&u8) -> bool| line.iter().any(class);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    line.len() <= before && (line.ends_with(b"=") || (is_mixed && has(u8::is_ascii_digit)))
}

//! The escapes of `$'…'`.

use std::iter::Peekable;
use std::str::Chars;

/// What is between the quotes, decoded.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => escape(&mut rest, &mut bytes),
            c => push(c, &mut bytes),
        }
    }
    // A NUL ends the string, as in C.
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn escape(rest: &mut Peekable<Chars>, out: &mut Vec<u8>) {
    let Some(c) = rest.next() else { return out.push(b'\\') };
    let byte = match c {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => c as u8,
        '0'..='7' => number(rest, 8, 2, c.to_digit(8).unwrap_or_default()).0 as u8,
        'x' => {
            let is_open = rest.next_if_eq(&'{').is_some();
            let (value, digits) = number(rest, 16, if is_open { usize::MAX } else { 2 }, 0);
            if is_open {
                rest.next_if_eq(&'}');
            } else if digits == 0 {
                return kept(c, out);
            }
            value as u8
        }
        'u' | 'U' => match number(rest, 16, if c == 'u' { 4 } else { 8 }, 0) {
            (_, 0) => return kept(c, out),
            (value, _) => {
                return push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER), out);
            }
        },
        'c' => match rest.next() {
            Some('\\') => {
                rest.next_if_eq(&'\\');
                b'\\' & 0x1f
            }
            Some(c) if c.is_ascii() => c.to_ascii_uppercase() as u8 & 0x1f,
            Some(c) => return push(c, out),
            None => return kept(c, out),
        },
        c => return kept(c, out),
    };
    out.push(byte);
}

/// What is no escape.
fn kept(c: char, out: &mut Vec<u8>) {
    out.push(b'\\');
    push(c, out);
}

/// The digits here, at most so many, and their number.
fn number(rest: &mut Peekable<Chars>, radix: u32, most: usize, first: u32) -> (u32, usize) {
    let (mut value, mut digits) = (first, 0);
    while digits < most
        && let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix))
    {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        digits += 1;
        rest.next();
    }
    (value, digits)
}

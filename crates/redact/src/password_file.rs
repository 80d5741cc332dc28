//! Passwords in the files of programs: `.netrc`, `.pgpass`.

use super::byte_class::{is_alphanumeric, is_blank};
use super::haystack::{Haystack, Spans};
use super::strength::is_given;

/// The most bytes of a word, of a field, of a value.
const WORD: usize = 256;
/// The most words of an entry.
const MOST_WORDS: usize = 8;

fn is_space(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\n' | b'\r')
}

/// `machine HOST login NAME password PASSWORD`, on one line or on more, at the first word. `default` has no host.
pub(super) fn netrc(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let next = |from: usize| {
        let start = text.run(from, 64, |byte| is_space(byte) || byte == b'"');
        let is_inside = |byte: u8| !byte.is_ascii_whitespace() && !b"\"'`\\,".contains(&byte);
        (start, text.run(start, WORD, is_inside))
    };
    let (_, mut end) = next(at);
    // A sentence has words in all places: `machine learning login page password policy`.
    let mut can_be_word = true;
    if text.slice(at..end) == b"machine" {
        let behind = end;
        let start;
        (start, end) = next(behind);
        let host = text.slice(start..end);
        can_be_word = host.iter().any(|byte| matches!(byte, b'.' | b':') || byte.is_ascii_digit());
        let is_first = matches!(text.before(at), None | Some(b'\n'));
        if start == behind || !(can_be_word || is_first) {
            return at + 1;
        }
    }
    for _ in 0..MOST_WORDS {
        let (start, word) = next(end);
        let (value, value_end) = next(word);
        end = value_end;
        match text.slice(start..word) {
            b"login" | b"account" => {}
            b"password" => {
                let password = text.slice(value..value_end);
                let is_word = password.iter().all(u8::is_ascii_alphabetic);
                if is_given(password) && (can_be_word || !is_word) {
                    spans.push(value..value_end);
                }
            }
            _ => break,
        }
    }
    at + 1
}

/// `HOST:PORT:DATABASE:NAME:PASSWORD`, all of a line, at the first colon.
pub(super) fn pgpass(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    if !text.at(at + 1).is_some_and(|byte| byte.is_ascii_digit() || byte == b'*') {
        return at + 1;
    }
    let is_host = |byte: u8| is_alphanumeric(byte) || matches!(byte, b'.' | b'-' | b'_' | b'*');
    let start = text.run_back(at, WORD, is_host);
    let host = text.slice(start..at);
    let begins = matches!(text.before(start), None | Some(b'\n' | b'\r'));
    if !begins || !(host == b"*" || host.iter().any(u8::is_ascii_alphabetic)) {
        return at + 1;
    }
    let port = text.run(at + 1, 5, |byte| byte.is_ascii_digit());
    let port = if text.at(at + 1) == Some(b'*') { at + 2 } else { port };
    let is_port = port - at > 3 || text.at(at + 1) == Some(b'*');
    let is_field = |byte: u8| byte > b' ' && byte != b':';
    let database = text.run(port + 1, WORD, is_field);
    let name = text.run(database + 1, WORD, is_field);
    let end = text.run(name + 1, WORD, |byte| byte > b' ' && !b"\"'`".contains(&byte));
    let are_joined = [port, database, name].iter().all(|place| text.at(*place) == Some(b':'));
    let are_full = database > port + 1 && name > database + 1;
    let ends = matches!(text.at(end), None | Some(b'\n' | b'\r'));
    // In `/etc/passwd` it is a folder.
    let is_folder = text.at(name + 1) == Some(b'/');
    if is_port
        && are_joined
        && are_full
        && ends
        && !is_folder
        && is_given(text.slice(name + 1..end))
    {
        spans.push(name + 1..end);
    }
    at + 1
}

//! Passwords that a program reads from its input: `echo PASSWORD | docker login --password-stdin`.

use super::byte_class::is_blank;
use super::command_password::Words;
use super::haystack::{Haystack, Spans};
use super::strength::{holds, is_given};
use std::ops::Range;

/// What a command that reads a password has in it.
const READERS: &[&[u8]] = &[
    b"--password-stdin",
    b"chpasswd",
    b"passwd --stdin",
    b"kinit",
    b"cryptsetup",
    b"wrangler secret put",
    b"gh secret set",
];

/// The most bytes of a command.
const LONGEST: usize = 256;

/// `echo PASSWORD |` and `printf PASSWORD |`, at the first word.
pub(super) fn piped(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let mut words = Words { text, at: text.run(at, 8, |byte| !is_blank(byte)), is_list: false };
    let mut last: Option<Range<usize>> = None;
    // Options and a format may stand before it.
    for _ in 0..4 {
        let Some(word) = words.next() else { break };
        let is_cut = text.at(word.end) == Some(b'\\');
        last = Some(word);
        if is_cut {
            break;
        }
    }
    // A line break that is written out may end it.
    let behind = last.as_ref().map_or(words.at, |word| word.end);
    let pipe = text.run(behind, 16, |byte| is_blank(byte) || b"\\n\"'".contains(&byte));
    if text.at(pipe) != Some(b'|') || text.at(pipe + 1) == Some(b'|') {
        return at + 1;
    }
    let end = text.run(pipe + 1, LONGEST, |byte| byte >= b' ' && !b"|;`".contains(&byte));
    add(text, last, pipe + 1..end, spans);
    at + 1
}

/// `COMMAND <<< PASSWORD`, at the sign.
pub(super) fn here(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let mut words = Words { text, at: at + 3, is_list: false };
    let start = text.run_back(at, LONGEST, |byte| byte >= b' ' && !b"|;`&".contains(&byte));
    add(text, words.next(), start..at, spans);
    at + 1
}

/// Adds the password that a command reads, if it reads one.
fn add(text: Haystack<'_>, word: Option<Range<usize>>, command: Range<usize>, spans: &mut Spans) {
    let Some(mut word) = word else { return };
    let command = text.slice(command);
    let is_option = |option: &[u8]| {
        option.first() == Some(&b'-') && option.get(1) != Some(&b'-') && option.contains(&b'S')
    };
    let mut options = command.split(|byte| is_blank(*byte)).skip_while(|word| *word != b"sudo");
    let is_asked = options.any(is_option);
    if !is_asked && !READERS.iter().any(|reader| holds(command, reader)) {
        return;
    }
    let bytes = text.slice(word.clone());
    if holds(command, b"chpasswd") {
        let Some(colon) = bytes.iter().position(|byte| *byte == b':') else { return };
        word.start += colon + 1;
    }
    // `printf 'PASSWORD\n'`
    let value = text.slice(word.clone());
    if let Some(value) = value.strip_suffix(b"\\n") {
        word.end = word.start + value.len();
    }
    if is_given(text.slice(word.clone())) && !value.starts_with(b"-") {
        spans.push(word);
    }
}

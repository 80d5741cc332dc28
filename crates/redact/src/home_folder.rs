//! Whose home folder it is: `/home/NAME`, `/Users/NAME`, `C:\Users\NAME`. The path behind the name stays.

use super::byte_class::{is_blank, is_word};
use super::haystack::{Haystack, Spans};

/// The most bytes of a name.
const LONGEST: usize = 64;
/// Folders that are nobody's, and words that stand for a name.
const NOBODY: &[&str] = &[
    "shared",
    "public",
    "default",
    "all users",
    "default user",
    "linuxbrew",
    "runner",
    "node",
    "vscode",
    "ubuntu",
    "ec2-user",
    "app",
    "name",
    "user",
    "username",
    "yourname",
    "your-name",
    "your_name",
    "yourusername",
];
/// Where folders of homes are mounted.
const MOUNTS: &[&[u8]] =
    &[b"/var", b"/export", b"/usr", b"/mnt/c", b"/mnt/d", b"/c", b"/host", b"/private", b"file://"];

/// Words before the path of a request.
const METHODS: &[&[u8]] =
    &[b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD", b"OPTIONS", b"CONNECT", b"TRACE"];

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'.' | b'-')
}

/// Reads the name in the path at an anchor.
pub(super) fn home_folder(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    match text.at(at) {
        Some(b'/') => unix(text, at, spans),
        Some(b'-') => joined(text, at, spans),
        _ => windows(text, at, spans),
    }
}

/// Reads the name in a path of Unix, at `/home/` or `/Users/`.
fn unix(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = match (text.has(at, b"/home/"), text.has(at, b"/Users/")) {
        (true, _) => at + 6,
        (_, true) => at + 7,
        // `c:/users/name`
        _ if is_drive(text, at) => at + 7,
        _ => return at + 1,
    };
    // Within another path `home` is a folder like any other.
    let is_within = text.before(at).is_some_and(|byte| is_name(byte) || byte == b'/');
    let is_mounted = MOUNTS.iter().any(|mount| {
        let before = at.checked_sub(mount.len() + 1).and_then(|before| text.at(before));
        text.has_before(at, mount) && !before.is_some_and(is_name)
    });
    if (is_within && !is_mounted) || is_route(text, at) {
        return at + 1;
    }
    name(text, start, text.run(start, LONGEST, is_name), spans)
}

/// Is it the path of a request, as in `GET /home/about`?
fn is_route(text: Haystack<'_>, at: usize) -> bool {
    let end = text.run_back(at, 8, |byte| is_blank(byte) || matches!(byte, b'"' | b'\'' | b'`'));
    end < at && METHODS.iter().any(|method| text.has_before(end, method))
}

/// Is there a drive before it, as `C:`?
fn is_drive(text: Haystack<'_>, at: usize) -> bool {
    let letter = at.checked_sub(2).and_then(|at| text.at(at));
    text.before(at) == Some(b':') && letter.is_some_and(|letter| letter.is_ascii_alphabetic())
}

/// Reads the name in a path of Windows, at `\Users\`; backslashes may be doubled.
fn windows(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let drive = text.run_back(at, 3, |byte| byte == b'\\');
    if !is_drive(text, drive) {
        return at + 1;
    }
    let start = text.run(at + b"\\users".len(), 4, |byte| byte == b'\\');
    let mut end = text.run(start, LONGEST, is_name);
    // A name of two words, if it is a folder's: a path goes on behind it.
    let long = text.run(start, LONGEST, |byte| is_name(byte) || byte == b' ');
    if matches!(text.at(long), Some(b'\\' | b'/')) && text.before(long) != Some(b' ') {
        end = long;
    }
    name(text, start, end, spans)
}

/// Reads the name in the name of a folder that stands for a path: `/-home-NAME-project`.
fn joined(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let start = match (text.has(at, b"-home-"), text.has(at, b"-Users-")) {
        (true, _) => at + 6,
        (_, true) => at + 7,
        _ => return at + 1,
    };
    if !matches!(text.before(at), Some(b'/' | b'\\')) {
        return at + 1;
    }
    name(text, start, text.run(start, LONGEST, |byte| is_word(byte) || byte == b'.'), spans)
}

fn name(text: Haystack<'_>, start: usize, end: usize, spans: &mut Spans) -> usize {
    let end = text.run_back(end, 4, |byte| matches!(byte, b'.' | b'-' | b' ')).max(start);
    let name = text.slice(start..end);
    let is_nobody = NOBODY.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    let is_named = name.iter().any(|byte| is_word(*byte));
    if is_named && !is_nobody && end - start < LONGEST {
        spans.push(start..end);
    }
    start
}

//! Pairs of a name and a password that documents and test set-ups have, at hosts that are nobody's: `root:root` at
//! localhost, `user:password` at example.com.

use super::byte_class::{is_alphanumeric, is_blank};
use super::haystack::Haystack;
use std::ops::Range;

/// The most bytes of a name, and of what stands between a pair and its host.
const NAME: usize = 32;
const REACH: usize = 256;

/// Names that stand for anybody, or that a program has when it is installed.
const NAMES: &[&[u8]] = &[
    b"user",
    b"username",
    b"name",
    b"login",
    b"root",
    b"admin",
    b"guest",
    b"test",
    b"postgres",
    b"mysql",
];
/// What stands for any password; a name is its own stock password too.
const PASSWORDS: &[&[u8]] = &[b"password", b"passwd", b"pass", b"secret"];

/// Is it the password of a stock pair, and is its host nobody's?
pub(super) fn is_stock(text: Haystack<'_>, password: &Range<usize>) -> bool {
    let value = text.slice(password.clone());
    let Some(colon) = password.start.checked_sub(1).filter(|at| text.at(*at) == Some(b':')) else {
        return false;
    };
    let name = text.slice(text.run_back(colon, NAME, is_alphanumeric)..colon);
    let is_pair = NAMES.contains(&name) && (value == name || PASSWORDS.contains(&value));
    is_pair && host(text, password.end).is_some_and(is_nobodys)
}

/// The host behind a pair: `@HOST`, or that of the address further on in the line.
fn host(text: Haystack<'_>, end: usize) -> Option<&[u8]> {
    let start = if text.at(end) == Some(b'@') {
        // `@tcp(HOST)` is a network and an address in it.
        let network = text.run(end + 1, NAME, is_alphanumeric);
        if text.at(network) == Some(b'(') { network + 1 } else { end + 1 }
    } else {
        let line = text.slice(end..text.run(end, REACH, |byte| byte != b'\n'));
        let quoted = line.first().is_some_and(|byte| matches!(byte, b'"' | b'\''));
        line.get(usize::from(quoted)).filter(|byte| is_blank(**byte))?;
        end + line.windows(3).position(|three| three == b"://")? + 3
    };
    let is_host = |byte: u8| is_alphanumeric(byte) || b".-[:]".contains(&byte);
    let host = text.slice(start..text.run(start, REACH, is_host));
    let port =
        host.iter().rposition(|byte| *byte == b':').filter(|at| !host.ends_with(b"]") && *at > 0);
    host.get(..port.unwrap_or(host.len()))
}

/// Is it this machine, or one of the names that are kept for examples?
fn is_nobodys(host: &[u8]) -> bool {
    let mut names = host.rsplit(|byte| *byte == b'.');
    let last = names.next().unwrap_or_default();
    // Also `example.co.uk`.
    names.take(2).any(|name| name.eq_ignore_ascii_case(b"example"))
        || last.eq_ignore_ascii_case(b"example")
        || [&b"localhost"[..], b"127.0.0.1", b"[::1]"].contains(&host)
}

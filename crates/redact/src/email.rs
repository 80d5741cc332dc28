//! Mail addresses.

use super::byte_class::{is_alphanumeric, is_word};
use super::haystack::{Haystack, Spans};

/// The most bytes before the `@` and after it.
const LOCAL: usize = 64;
const DOMAIN: usize = 253;

/// Names that no person reads mail under.
const NOBODY: &[&str] = &["git", "noreply", "no-reply", "donotreply", "do-not-reply", "hg", "svn"];
/// Domains that are for examples, or of nobody.
const NOWHERE: &[&str] = &[
    "example",
    "test",
    "invalid",
    "localhost",
    "example.com",
    "example.org",
    "example.net",
    "example.edu",
    "users.noreply.github.com",
    "noreply.github.com",
];
/// What ends names of files and of services, and no domain.
const ENDINGS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "js", "jsx", "ts", "tsx", "mjs",
    "cjs", "json", "css", "scss", "html", "txt", "yml", "yaml", "toml", "lock", "tgz", "gz", "map",
    "wasm", "service", "socket", "timer", "target", "mount", "slice", "path", "scope",
];

fn is_local(byte: u8) -> bool {
    is_alphanumeric(byte) || b"._%+-".contains(&byte)
}

/// Reads the address around an `@`.
pub(super) fn email(text: Haystack<'_>, at: usize, spans: &mut Spans) -> usize {
    let mut start = text.run_back(at, LOCAL, is_local);
    while matches!(text.at(start), Some(b'.' | b'-' | b'%' | b'+')) && start < at {
        start += 1;
    }
    let end = domain_end(text, at + 1);
    let local = text.slice(start..at);
    if local.is_empty() || text.before(start).is_some_and(is_word) || local.ends_with(b".") {
        return at + 1;
    }
    if !is_domain(text.slice(at + 1..end)) || is_nobody(local, text.slice(at + 1..end)) {
        return at + 1;
    }
    // `git@host:path`, `name@host.com@1.0`, `https://name@host`.
    let is_path = text.at(end) == Some(b':')
        && text.at(end + 1).is_some_and(|next| is_word(next) || matches!(next, b'/' | b'~' | b'.'));
    if is_path || text.at(end) == Some(b'@') || is_in_url(text, start) {
        return at + 1;
    }
    spans.push(start..end);
    end
}

fn domain_end(text: Haystack<'_>, at: usize) -> usize {
    let end = text.run(at, DOMAIN, |byte| is_alphanumeric(byte) || matches!(byte, b'.' | b'-'));
    text.run_back(end, 4, |byte| matches!(byte, b'.' | b'-')).max(at)
}

fn is_domain(domain: &[u8]) -> bool {
    let mut labels = domain.split(|byte| *byte == b'.');
    let first = labels.next().unwrap_or_default();
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // `logo@2x.png`.
    let is_scale = digits > 0 && matches!(first.get(digits..), Some(b"x"));
    let Some(last) = labels.clone().next_back() else { return false };
    let is_version = labels.next().is_some_and(|second| {
        let is_number = |label: &[u8]| !label.is_empty() && label.iter().all(u8::is_ascii_digit);
        is_number(first) && is_number(second)
    });
    (2..=24).contains(&last.len())
        && last.iter().all(u8::is_ascii_alphabetic)
        && !domain.windows(2).any(|pair| pair == b"..")
        && !is_scale
        && !is_version
        && !ENDINGS.iter().any(|ending| last.eq_ignore_ascii_case(ending.as_bytes()))
}

fn is_nobody(local: &[u8], domain: &[u8]) -> bool {
    let domain = domain.to_ascii_lowercase();
    let is_nowhere = NOWHERE.iter().any(|known| {
        let before = domain.strip_suffix(known.as_bytes());
        before.is_some_and(|before| before.is_empty() || before.ends_with(b"."))
    });
    is_nowhere || (NOBODY.iter().any(|name| local.eq_ignore_ascii_case(name.as_bytes())))
}

/// Does it stand before the host of a URL?
fn is_in_url(text: Haystack<'_>, start: usize) -> bool {
    let from = text.run_back(start, 256, |byte| byte > b' ' && !b"/\"'`<>()[]{}".contains(&byte));
    text.has_before(from, b"://")
}

//! Masks timestamps, durations, process ids and addresses in error texts, so that two errors that differ in
//! nothing else are equal.

/// The text with each timestamp, duration, process id and address replaced by a placeholder.
pub(crate) fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        // Only at the beginning of a word.
        let begins = c == '@' || !before.is_alphanumeric() && before != '_';
        if let Some((word, length)) = begins.then(|| volatile(rest, &out)).flatten() {
            out.push_str(word);
            rest = rest.get(length..).unwrap_or_default();
            before = '>';
            continue;
        }
        out.push(c);
        before = c;
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

const TIME: &str = "<time>";
const DURATION: &str = "<duration>";
const PID: &str = "<pid>";
const ADDRESS: &str = "<address>";

/// The placeholder for what begins here, and its length in bytes; `None` if nothing is to be masked.
/// `before` is the masked text so far.
fn volatile(rest: &str, before: &str) -> Option<(&'static str, usize)> {
    let bytes = rest.as_bytes();
    let first = *bytes.first()?;
    if first == b'0' && matches!(bytes.get(1), Some(b'x' | b'X')) {
        let digits = count(bytes, 2, u8::is_ascii_hexdigit);
        return (digits > 0 && is_word_end(bytes, 2 + digits)).then_some((ADDRESS, 2 + digits));
    }
    if first == b'@' {
        // Objects of a virtual machine: `Thread@1b2c3d4e`.
        let digits = count(bytes, 1, u8::is_ascii_hexdigit);
        return (digits >= 6 && is_word_end(bytes, 1 + digits)).then_some((ADDRESS, 1 + digits));
    }
    if first.is_ascii_digit() {
        return date(bytes)
            .or_else(|| compact_date(bytes))
            .or_else(|| clock(bytes, 0))
            .map(|length| (TIME, length))
            .or_else(|| duration(bytes).map(|length| (DURATION, length)))
            .or_else(|| pid(bytes, before).map(|length| (PID, length)))
            .or_else(|| epoch_time(bytes).map(|length| (TIME, length)));
    }
    if first.is_ascii_alphabetic() {
        return named_date(bytes).map(|length| (TIME, length));
    }
    None
}

fn count(bytes: &[u8], from: usize, is: impl Fn(&u8) -> bool) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|b| is(b)).count()
}

fn digits(bytes: &[u8], from: usize) -> usize {
    count(bytes, from, u8::is_ascii_digit)
}

/// Does no letter, digit or underscore follow?
fn is_word_end(bytes: &[u8], at: usize) -> bool {
    !bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// `2026-02-01`, `2026/02/01`, with or without a time after it.
fn date(bytes: &[u8]) -> Option<usize> {
    let mark = *bytes.get(4)?;
    let shape = digits(bytes, 0) == 4
        && matches!(mark, b'-' | b'/')
        && digits(bytes, 5) == 2
        && bytes.get(7) == Some(&mark)
        && digits(bytes, 8) == 2;
    if !shape {
        return None;
    }
    let time = match bytes.get(10) {
        Some(b'T' | b't' | b' ' | b'_') => clock(bytes, 11),
        _ => None,
    };
    match time {
        Some(length) => Some(11 + length),
        None => is_word_end(bytes, 10).then_some(10),
    }
}

/// `20260201T100000Z`
fn compact_date(bytes: &[u8]) -> Option<usize> {
    let shape = digits(bytes, 0) == 8
        && matches!(bytes.get(8), Some(b'T' | b't'))
        && matches!(digits(bytes, 9), 4 | 6)
        && has_recent_prefix(bytes);
    let mut end = 9 + digits(bytes, 9);
    if matches!(bytes.get(end), Some(b'.' | b',')) && digits(bytes, end + 1) > 0 {
        end += 1 + digits(bytes, end + 1);
    }
    end += usize::from(matches!(bytes.get(end), Some(b'Z' | b'z')));
    (shape && is_word_end(bytes, end)).then_some(end)
}

/// The length of `AM` or `PM` with an optional space before it; 0 if there is none.
fn am_pm(bytes: &[u8], at: usize) -> usize {
    let space = usize::from(bytes.get(at) == Some(&b' '));
    let is_one = matches!(
        (bytes.get(at + space), bytes.get(at + space + 1)),
        (Some(b'A' | b'a' | b'P' | b'p'), Some(b'M' | b'm'))
    );
    if is_one && is_word_end(bytes, at + space + 2) { space + 2 } else { 0 }
}

/// `10:00`, `10:00:01`, `10:00:01.123Z`, `10:00:01 +01:00`, `5:03 PM`, `00:01.23`
fn clock(bytes: &[u8], from: usize) -> Option<usize> {
    let pair = |at: usize| digits(bytes, at) == 2;
    let hours = digits(bytes, from);
    let mut at = from + hours;
    if !(1..=2).contains(&hours) || bytes.get(at) != Some(&b':') || !pair(at + 1) {
        return None;
    }
    at += 3;
    let seconds = bytes.get(at) == Some(&b':') && pair(at + 1);
    if seconds {
        at += 3;
    }
    let half = am_pm(bytes, at);
    if hours == 1 && !seconds && half == 0 {
        return None; // usually a line and a column
    }
    if matches!(bytes.get(at), Some(b'.' | b',')) && digits(bytes, at + 1) > 0 {
        at += 1 + digits(bytes, at + 1);
    }
    let half = am_pm(bytes, at);
    if half > 0 {
        at += half;
    } else if bytes.get(at) == Some(&b'Z') {
        at += 1;
    } else {
        let space = usize::from(bytes.get(at) == Some(&b' '));
        if matches!(bytes.get(at + space), Some(b'+' | b'-')) {
            let zone = at + space + 1;
            match (digits(bytes, zone), bytes.get(zone + 2)) {
                (4, _) => at = zone + 4,
                (2, Some(b':')) if pair(zone + 3) => at = zone + 5,
                _ => {}
            }
        }
    }
    // `12:30:11:4` is not a time.
    (is_word_end(bytes, at) && bytes.get(at) != Some(&b':')
        || !bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
    .then_some(at - from)
    .filter(|_| is_word_end(bytes, at))
}

const UNITS: &[&str] = &[
    "ns",
    "us",
    "µs",
    "μs",
    "ms",
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "m",
    "min",
    "mins",
    "minute",
    "minutes",
    "h",
    "hr",
    "hrs",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "millisecond",
    "milliseconds",
    "msec",
];

/// `12ms`, `1.5 s`, `1m30s`, `3 seconds`
fn duration(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut best = None;
    loop {
        let whole = digits(bytes, at);
        if whole == 0 {
            return best;
        }
        let mut end = at + whole;
        if bytes.get(end) == Some(&b'.') && digits(bytes, end + 1) > 0 {
            end += 1 + digits(bytes, end + 1);
        }
        if bytes.get(end) == Some(&b' ') && best.is_none() {
            end += 1;
        }
        let rest = bytes.get(end..).unwrap_or_default();
        // The letters of the unit; a micro sign has two bytes.
        let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
        let unit = rest.get(..letters).unwrap_or_default();
        if !UNITS.iter().any(|u| u.as_bytes() == unit) {
            return best;
        }
        end += letters;
        let more = bytes.get(end).is_some_and(u8::is_ascii_digit);
        if !more && !is_word_end(bytes, end) {
            return best;
        }
        best = Some(end);
        if !more {
            return best;
        }
        at = end;
    }
}

/// A number after `pid`, `Process ID`, `PID:` and the like, or in brackets after a name or before an
/// address.
fn pid(bytes: &[u8], before: &str) -> Option<usize> {
    let length = digits(bytes, 0);
    if !is_word_end(bytes, length) {
        return None;
    }
    let mut name = before;
    let mut word = last_word(&mut name);
    if word.eq_ignore_ascii_case("id") {
        word = last_word(&mut name);
    }
    let named = ["pid", "ppid", "tid", "pgid", "process", "thread"]
        .iter()
        .any(|w| word.eq_ignore_ascii_case(w));
    // `sshd[1234]:`
    let bracket =
        before.strip_suffix('[').is_some_and(|b| b.ends_with(|c: char| c.is_ascii_alphabetic()));
    let in_brackets = bracket && length >= 2 && bytes.get(length) == Some(&b']');
    // `[1234:0x7f8a]`, as Node.js writes it.
    let address = bytes.get(length..).is_some_and(|rest| rest.starts_with(b":0x"));
    let with_address = before.ends_with('[') && address;
    (named || in_brackets || with_address).then_some(length)
}

/// Removes the last word of a text and the separators after it; returns the word.
fn last_word<'a>(text: &mut &'a str) -> &'a str {
    let named = text.trim_end_matches([' ', '=', ':', '#', '(', '"', '\'']);
    let word = named.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    *text = named.strip_suffix(word).unwrap_or_default();
    word
}

/// Does it begin with 15 to 19 or with 20? These are the first digits of years, and of Unix times from
/// 2017 to 2036.
fn has_recent_prefix(bytes: &[u8]) -> bool {
    matches!(bytes, [b'1', b'5'..=b'9', ..] | [b'2', b'0', ..])
}

/// A recent time in seconds, milliseconds, microseconds or nanoseconds since 1970. (Another number, such as
/// that of a row, rarely has the same length and one of these six first pairs of digits out of ninety.)
fn epoch_time(bytes: &[u8]) -> Option<usize> {
    let length = digits(bytes, 0);
    let fits = matches!(length, 10 | 13 | 16 | 19) && has_recent_prefix(bytes);
    let mut end = length;
    if length == 10 && bytes.get(end) == Some(&b'.') && digits(bytes, end + 1) > 0 {
        end += 1 + digits(bytes, end + 1);
    }
    (fits && is_word_end(bytes, end)).then_some(end)
}

const DAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTHS: &[&str] =
    &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `Sun Feb  1 10:00:00 UTC 2026`, `Feb 1 2026 10:00`, `Sun, 01 Feb 2026 10:00:00 GMT`
fn named_date(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut end) = (0, 0);
    let (mut months, mut numbers) = (0, 0);
    // The words and numbers of a date, in any order.
    for _ in 0..8 {
        let letters = count(bytes, at, u8::is_ascii_alphabetic);
        let known = |list: &[&str]| {
            let word = bytes.get(at..at + letters).unwrap_or_default();
            letters >= 3
                && list
                    .iter()
                    .any(|w| word.get(..3).is_some_and(|b| b.eq_ignore_ascii_case(w.as_bytes())))
        };
        if letters > 0 {
            let word = bytes.get(at..at + letters).unwrap_or_default();
            let zone = matches!(
                word,
                b"UTC" | b"GMT" | b"AM" | b"PM" | b"CET" | b"CEST" | b"PST" | b"EST"
            );
            if letters <= 9 && known(MONTHS) && months == 0 {
                months += 1;
            } else if !(letters <= 9 && known(DAYS) || zone && end > 0) {
                break;
            }
            at += letters;
        } else if let Some(length) = clock(bytes, at) {
            numbers += 1;
            at += length;
        } else {
            let length = digits(bytes, at);
            if !matches!(length, 1 | 2 | 4) || !is_word_end(bytes, at + length) {
                break;
            }
            numbers += 1;
            at += length;
        }
        end = at;
        let gap = count(bytes, at, |b| matches!(b, b' ' | b',' | b'-' | b'/'));
        if gap == 0 || gap > 2 {
            break;
        }
        at += gap;
    }
    (months == 1 && numbers >= 1).then_some(end)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_changes_between_runs_is_masked() {
        for (text, want) in [
            ("exit 1 at 2026-02-01T10:00:00Z", "exit 1 at <time>"),
            ("exit 1 at 2026-02-01 10:00:00.123+01:00 again", "exit 1 at <time> again"),
            ("[10:00:01] no", "[<time>] no"),
            ("Sun Feb  1 10:00:00 UTC 2026: no", "<time>: no"),
            ("on Feb 1 2026 it failed", "on <time> it failed"),
            ("took 12ms, then 1.5 s and 1m30s", "took <duration>, then <duration> and <duration>"),
            ("timed out after 30 seconds", "timed out after <duration>"),
            ("pid 4711 died, PID=12, process 99:", "pid <pid> died, PID=<pid>, process <pid>:"),
            ("sshd[4711]: no", "sshd[<pid>]: no"),
            ("fault at 0x7ffd12ab (Thread@1b2c3d4e)", "fault at <address> (Thread<address>)"),
            ("at 1769940000 and 1769940000123", "at <time> and <time>"),
            ("in 12µs", "in <duration>"),
            ("backup 20261122T170000Z failed", "backup <time> failed"),
            ("20261122T170000.5 and 20261122t1700", "<time> and <time>"),
            ("at 5:03 PM, at 11:03pm", "at <time>, at <time>"),
            ("at 10:00:01.5 AM.", "at <time>."),
            ("stopped at 00:01.23", "stopped at <time>"),
            ("expired 3 days ago, 1 week left", "expired <duration> ago, <duration> left"),
            ("Process ID 123, thread id: 7", "Process ID <pid>, thread id: <pid>"),
            ("[1234:0x7f8a1c000]  30 ms: out", "[<pid>:<address>]  <duration>: out"),
        ] {
            assert_eq!(masked(text), want);
        }
    }

    #[test]
    fn what_distinguishes_errors_is_not_masked() {
        for text in [
            "error E100: reason 1",
            "error: line 12",
            "src/a.rs:10:5: no",
            "401 Unauthorized: token expired",
            "expected 3 arguments, got 4",
            "it may fail",
            "port 8080 of 10.0.0.1",
            "a[3] is out of bounds",
            "v1.2.3-4",
            "row 1234567890",
            "row 2999999999",
            "id 123 of user id 5",
            "src/a.rs:5:03 pms",
            "12345678T123456",
            "a 2d list, not a 3d list",
            "",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    proptest! {
        #[test]
        fn masking_does_not_fail_or_grow_without_bound(text in "[0-9a-zA-Z:.@\\[\\] µ=-]{0,40}") {
            let once = masked(&text);
            prop_assert!(once.len() <= text.len() * 12 + 12);
        }
    }
}

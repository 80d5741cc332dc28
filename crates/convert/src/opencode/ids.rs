//! Ids in OpenCode's own form, which sort by time: the prefix, twelve hexadecimal digits of the time in milliseconds
//! times 4096 plus a counter (their last 48 bits), and fourteen letters and digits. The latter are random in OpenCode
//! and a hash of the old id here, so that the same input gives the same ids.

use apex_parts_model::fingerprint::{self, Fingerprint};

/// How many ids a millisecond has.
pub(crate) const PER_MS: f64 = 4096.0;
/// The bits of the time and the counter.
const STAMP: u64 = (1 << 48) - 1;
/// The letters and digits at the end.
const TAIL: usize = 14;
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The number from which an id's digits are made: of a time in whole milliseconds, and of a counter.
pub(crate) fn stamp(ms: f64, counter: u64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    // an integer of at most 53 bits
    let ms = ms.max(0.0) as u64;
    ms.wrapping_mul(4096).wrapping_add(counter) & STAMP
}

/// The id of a message or a part.
pub(crate) fn id(prefix: &str, stamp: u64, of: Fingerprint) -> String {
    let mut id = format!("{prefix}_{:012x}", stamp & STAMP);
    tail(of, TAIL, &mut id);
    id
}

/// The id of a session: the newest sorts first.
pub(crate) fn session_id(ms: f64, of: Fingerprint) -> String {
    id("ses", !stamp(ms, 0), of)
}

/// Letters and digits of a hash.
pub(crate) fn tail(mut of: Fingerprint, length: usize, out: &mut String) {
    for _ in 0..length {
        let place = usize::try_from(of % 62).unwrap_or_default();
        out.push(char::from(LETTERS.get(place).copied().unwrap_or(b'0')));
        of /= 62;
    }
}

/// Is it an id as OpenCode itself makes it?
pub(crate) fn is_own_form(id: &str) -> bool {
    let Some((_, rest)) = id.split_once('_') else { return false };
    rest.len() == 12 + TAIL
        && rest.bytes().take(12).all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && rest.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// The hash of a text.
pub(crate) fn hash(text: &str) -> Fingerprint {
    fingerprint::of(text.as_bytes(), 0)
}

/// The hash of something's number within something else.
pub(crate) fn numbered(of: Fingerprint, number: usize) -> Fingerprint {
    fingerprint::join(of, number as Fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_opencodes_form_and_sort_by_time() {
        let a = id("msg", stamp(1_795_293_363_106.0, 1), hash("a"));
        let b = id("msg", stamp(1_795_293_363_106.0, 2), hash("b"));
        let c = id("msg", stamp(1_795_293_363_107.0, 0), hash("c"));
        assert!(a.starts_with("msg_1ffd2bba2001"), "{a}");
        assert!(a < b && b < c && [&a, &b, &c].iter().all(|id| is_own_form(id)));
        assert_ne!(a.get(16..), b.get(16..));
        assert_eq!(a, id("msg", stamp(1_795_293_363_106.0, 1), hash("a")));
    }

    #[test]
    fn the_newest_session_sorts_first() {
        let older = session_id(1_795_293_363_040.0, hash("a"));
        let newer = session_id(1_795_293_363_041.0, hash("a"));
        assert!(newer < older && is_own_form(&older), "{newer} {older}");
        // The digits of the session that OpenCode made at this time.
        assert!(older.starts_with("ses_e002d449ffff"), "{older}");
    }

    #[test]
    fn other_forms_are_told() {
        for other in
            ["", "msg", "msg_", "msg_1ffd2bba2001i2abuGx8R8Iww", "msg_1FFD2bba2001i2abuGx8R8IwwU"]
        {
            assert!(!is_own_form(other), "{other}");
        }
        assert!(is_own_form("msg_1ffd2bba2001i2abuGx8R8IwwU"));
    }
}

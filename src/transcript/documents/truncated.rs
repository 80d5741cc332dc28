//! What a message says whose end is cut off.

use crate::json::cursor::Cursor;
use crate::json::tape::MAX_DEPTH;

/// A message that was cut off, closed behind the last of its parts that is whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ClosedMessage {
    /// Its JSON.
    pub(crate) json: Vec<u8>,
    /// So many parts are whole.
    pub(crate) parts: usize,
}

/// What of a message stands before the place where it is cut or broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntactPrefix {
    /// Where the last whole part, or field behind the parts, ends.
    pub(crate) end: usize,
    /// So many parts are whole.
    pub(crate) parts: usize,
    /// The list of parts is open.
    pub(crate) open: bool,
    /// It has what makes it a message.
    pub(crate) has_head: bool,
}

/// The message that begins in `cut`, up to its end; `None` where that is before its parts.
pub(crate) fn prefix(cut: &[u8]) -> Option<IntactPrefix> {
    if cut.first() != Some(&b'{') {
        return None;
    }
    let mut has_head = false;
    let mut parts = None;
    // Where the message could be closed by a brace.
    let mut whole = 1;
    let mut fields = Cursor::new(cut, 0);
    while let Ok(Some(key)) = fields.field() {
        let key = cut.get(key.start..key.end)?;
        if key == b"parts" && fields.first_byte() == Some(b'[') {
            let (count, end, is_whole) = elements(cut, fields.at);
            if !is_whole {
                return Some(IntactPrefix { end, parts: count, open: true, has_head });
            }
            parts = Some(count);
            fields.at = end;
        } else {
            // Seed 004's messages have their role beside their parts.
            has_head |= key == b"info" || key == b"role";
            if fields.skip(MAX_DEPTH).is_err() {
                break;
            }
        }
        whole = fields.at;
    }
    parts.map(|parts| IntactPrefix { end: whole, parts, open: false, has_head })
}

/// The message that begins in `cut`, as far as it goes; `None` where it is cut before its parts, or
/// has none.
pub(crate) fn mend(cut: &[u8]) -> Option<ClosedMessage> {
    let IntactPrefix { end, parts, open, .. } = prefix(cut).filter(|prefix| prefix.has_head)?;
    let by: &[u8] = if open { b"]}" } else { b"}" };
    Some(ClosedMessage { json: [cut.get(..end).unwrap_or_default(), by].concat(), parts })
}

/// How many elements of the array are whole, where the last of them ends (or the array itself), and
/// whether all of it is there.
fn elements(json: &[u8], bracket: usize) -> (usize, usize, bool) {
    let (mut count, mut end) = (0, bracket + 1);
    let mut elements = Cursor::new(json, bracket);
    loop {
        match elements.element() {
            Ok(false) => return (count, elements.at, true),
            Ok(true) if elements.first_byte() == Some(b'{') && elements.skip(MAX_DEPTH).is_ok() => {
                (count, end) = (count + 1, elements.at);
            }
            _ => return (count, end, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const WHOLE: &str = r#"{"info":{"id":"m","title":"a]}\"{"}, "parts": [ {"a":[1]} , {"b":"}"} ],"more":{"c":1}}"#;

    #[test]
    fn parts_are_there_up_to_the_cut() {
        let counts: Vec<Option<usize>> =
            (0..WHOLE.len()).map(|end| mend(&WHOLE.as_bytes()[..end]).map(|m| m.parts)).collect();
        let from = |count| counts.iter().position(|found| *found == Some(count)).unwrap();
        assert!(counts.is_sorted());
        assert_eq!(from(0), WHOLE.find("[ {").unwrap() + 1);
        assert_eq!(from(1), WHOLE.find(" , {").unwrap());
        assert_eq!(from(2), WHOLE.find(" ],").unwrap());
    }

    #[test]
    fn whatever_the_cut_it_is_json() {
        for end in 0..WHOLE.len() {
            if let Some(mended) = mend(&WHOLE.as_bytes()[..end]) {
                let value: Value = serde_json::from_slice(&mended.json).unwrap();
                assert_eq!(value["info"]["id"], "m");
                assert_eq!(value["parts"].as_array().unwrap().len(), mended.parts);
            }
        }
    }

    #[test]
    fn what_is_no_message_stays_lost() {
        for cut in [
            "",
            "[",
            "{",
            r#"{"parts":[{}"#,
            r#"{"info":{"#,
            r#"{"info":{},"parts":{"#,
            r#"{"info":{}"#,
            r#"{"type":"x","properties":{"parts":[{}"#,
        ] {
            assert_eq!(mend(cut.as_bytes()), None, "{cut}");
        }
        let of_a_run =
            mend(br#"{"runId":"r","role":"user","parts":[{"kind":"text"},{"ki"#).unwrap();
        assert_eq!(of_a_run.json, br#"{"runId":"r","role":"user","parts":[{"kind":"text"}]}"#);
    }
}

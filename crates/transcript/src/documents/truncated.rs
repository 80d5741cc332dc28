//! What can be kept of a message whose end is cut off.

use apex_parts_json::cursor::Cursor;
use apex_parts_json::tape::MAX_DEPTH;

/// A message that was cut off, closed after its last complete part.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ClosedMessage {
    /// Its JSON.
    pub(crate) json: Vec<u8>,
    /// The number of its complete parts.
    pub(crate) parts: usize,
}

/// What a message has before the position where it is cut or broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IntactPrefix {
    /// Where the last complete part ends, or the last complete field after the parts.
    pub(crate) end: usize,
    /// The number of complete parts.
    pub(crate) parts: usize,
    /// The list of parts has not ended.
    pub(crate) open: bool,
    /// It has `info` or `role`, without which it is not a message.
    pub(crate) has_head: bool,
}

/// What is complete of the message that begins `cut`; `None` if it is cut before its parts.
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

/// The message that begins `cut`, closed after its last complete part; `None` if it is cut before its
/// parts or is not a message.
pub(crate) fn mend(cut: &[u8]) -> Option<ClosedMessage> {
    let IntactPrefix { end, parts, open, .. } = prefix(cut).filter(|prefix| prefix.has_head)?;
    let by: &[u8] = if open { b"]}" } else { b"}" };
    Some(ClosedMessage { json: [cut.get(..end).unwrap_or_default(), by].concat(), parts })
}

/// How many elements of the array are complete, where the last of them ends (or the array itself), and
/// whether the array is complete.
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
    fn parts_before_the_cut_are_kept() {
        let counts: Vec<Option<usize>> =
            (0..WHOLE.len()).map(|end| mend(&WHOLE.as_bytes()[..end]).map(|m| m.parts)).collect();
        let from = |count| counts.iter().position(|found| *found == Some(count)).unwrap();
        assert!(counts.is_sorted());
        assert_eq!(from(0), WHOLE.find("[ {").unwrap() + 1);
        assert_eq!(from(1), WHOLE.find(" , {").unwrap());
        assert_eq!(from(2), WHOLE.find(" ],").unwrap());
    }

    #[test]
    fn the_closed_message_is_json_at_every_cut() {
        for end in 0..WHOLE.len() {
            if let Some(mended) = mend(&WHOLE.as_bytes()[..end]) {
                let value: Value = serde_json::from_slice(&mended.json).unwrap();
                assert_eq!(value["info"]["id"], "m");
                assert_eq!(value["parts"].as_array().unwrap().len(), mended.parts);
            }
        }
    }

    #[test]
    fn nothing_is_kept_of_what_is_not_a_message() {
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

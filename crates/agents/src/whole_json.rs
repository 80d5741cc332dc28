//! [`WholeJson`]: a file that is one JSON value, read as far as it is whole.

use crate::log::session_log::SessionLog;
use crate::record::Record;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::utf8::{NO_UTF_8, whole_text};
use apex_parts_model::Kind;
use apex_parts_model::problem_list::ProblemList;
use std::borrow::Cow;

/// A file that is one JSON value. If it is cut off or broken, it is what comes before: the containers that are
/// open there are closed after the last value that is complete. A value that is cut inside, a key without a
/// value, and a container of which nothing is complete yet are left out.
pub struct WholeJson<'a> {
    text: Cow<'a, str>,
    tape: Tape,
    /// Where the value ended, or was cut or broken: an offset in the bytes.
    pub end: usize,
    /// Was the value complete?
    pub is_whole: bool,
}

impl<'a> WholeJson<'a> {
    /// Reads the value that `bytes` begin with (white space before it is skipped); their first byte is at
    /// `offset` of the file. What follows the value is not looked at: see [`WholeJson::check_end`].
    pub fn read(bytes: &'a [u8], offset: u64, problems: &mut ProblemList) -> WholeJson<'a> {
        let mut tape = Tape::default();
        tape.begin(0);
        // A number at the end of the bytes could go on: only what ends before them is complete.
        match tape.go_on(bytes, true) {
            Ok(end) => {
                let whole = bytes.get(..end).unwrap_or_default();
                let text = decoded(whole, offset, problems);
                let mut read = WholeJson { text, tape, end, is_whole: true };
                if let Cow::Owned(_) = read.text {
                    read.read_again();
                }
                read
            }
            Err(error) => {
                let (end, closing) = complete(&tape, bytes);
                let what = if error.is_cut() {
                    "the file is cut off here; what follows the last complete value is lost"
                        .to_owned()
                } else {
                    format!("{}; the file is read up to here, the rest is lost", error.message)
                };
                problems.error("json", what, offset + error.offset as u64);
                let before = bytes.get(..end).unwrap_or_default();
                let text = decoded(before, offset, problems).into_owned() + &closing;
                let text = Cow::Owned(text);
                let mut read = WholeJson { text, tape, end: error.offset, is_whole: false };
                read.read_again();
                read
            }
        }
    }

    /// Reads the value of a file that comes as one record, with what follows it. What is broken may be what has not
    /// arrived yet: only the end of the file shows that.
    pub fn of_record(record: &Record<'a>, log: &mut SessionLog) -> WholeJson<'a> {
        let mut problems = ProblemList::default();
        let read = WholeJson::read(record.json, record.offset, &mut problems);
        read.check_end(record.json, record.offset, &mut problems);
        let list = if read.is_whole { &mut log.problems } else { &mut log.at_end };
        problems.into_iter().for_each(|problem| list.push(problem));
        read
    }

    /// Adds a problem if something follows the value in the bytes that it was read from.
    pub fn check_end(&self, bytes: &[u8], offset: u64, problems: &mut ProblemList) {
        let next = skip_space(bytes, self.end);
        if self.is_whole && next < bytes.len() {
            let what = "something follows the JSON of the file; it is left out";
            problems.error("json", what, offset + next as u64);
        }
    }

    /// The text of the value, which is JSON; empty if not even the beginning of one was there.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value; its spans are those in [`WholeJson::text`].
    pub fn root(&self) -> Node<'_> {
        self.tape.root_of(&self.text)
    }

    fn read_again(&mut self) {
        // It is JSON now; were it not, the tape would be empty, which is a missing value.
        let _ = self.tape.read(self.text.as_bytes(), 0);
    }
}

/// The bytes as text; those that are no UTF-8 become U+FFFD, with a problem.
fn decoded<'a>(bytes: &'a [u8], offset: u64, problems: &mut ProblemList) -> Cow<'a, str> {
    if let Some(text) = whole_text(bytes) {
        return Cow::Borrowed(text);
    }
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    problems.error("encoding", NO_UTF_8, offset + valid as u64);
    String::from_utf8_lossy(bytes)
}

/// Where the last complete value of a document ends whose reading stopped, and what closes the containers that
/// are open there.
fn complete(tape: &Tape, bytes: &[u8]) -> (usize, String) {
    let is_object = |place: Option<&u32>| {
        let entry = place.and_then(|place| tape.entries.get(*place as usize));
        entry.is_some_and(|entry| entry.kind == Kind::Object)
    };
    let mut open = tape.open.as_slice();
    let mut kept = tape.entries.len();
    // What ends the tape: a container of which nothing is complete, or a key without a value. The outermost
    // container stays.
    while let Some(last) = kept.checked_sub(1) {
        match open {
            [before @ .., top] if *top as usize == last => {
                if before.is_empty() {
                    break;
                }
                open = before;
            }
            _ => {
                let Some(entry) = tape.entries.get(last) else { break };
                let before = bytes.get(..(entry.start as usize).saturating_sub(1));
                let is_value = !entry.kind.is_string()
                    || before.unwrap_or_default().trim_ascii_end().last() == Some(&b':')
                    || !is_object(open.last());
                if is_value {
                    break;
                }
            }
        }
        kept = last;
    }
    let mut end = 0;
    for entry in tape.entries.get(..kept).unwrap_or_default() {
        // A string's span is without its quotes; that of an open container is empty, at its bracket.
        let is_open_or_string = entry.kind.is_string() || entry.start == entry.end;
        end = end.max(entry.end as usize + usize::from(is_open_or_string));
    }
    let closing = open.iter().rev().map(|place| if is_object(Some(place)) { '}' } else { ']' });
    (end, closing.collect())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use apex_parts_json::tape::MAX_DEPTH;
    use proptest::prelude::*;
    use serde_json::Value;

    fn read(bytes: &[u8]) -> (String, ProblemList) {
        let mut problems = ProblemList::default();
        let read = WholeJson::read(bytes, 100, &mut problems);
        read.check_end(bytes, 100, &mut problems);
        assert_eq!(read.root().json(), read.text().trim_ascii_start().as_bytes());
        (read.text().to_owned(), problems)
    }

    fn said(problems: &ProblemList) -> Vec<(&str, f64)> {
        problems.iter().map(|p| (p.rule.as_str(), p.offset.unwrap())).collect()
    }

    #[test]
    fn it_is_closed_after_the_last_complete_value() {
        for (cut, expected) in [
            (r#"{"a":1,"b":"x"#, r#"{"a":1}"#),
            (r#"{"a":1,"b":12"#, r#"{"a":1}"#),
            (r#"{"a":1,"b":12 "#, r#"{"a":1,"b":12}"#),
            (r#"{"a":1,"b":tru"#, r#"{"a":1}"#),
            (r#"{"a":1,"b":true"#, r#"{"a":1,"b":true}"#),
            (r#"{"a":1,"b""#, r#"{"a":1}"#),
            (r#"{"a":1,"b":"#, r#"{"a":1}"#),
            (r#"{"a":1,"#, r#"{"a":1}"#),
            (r#"{"a":"","b":{"c":[{"d":"#, r#"{"a":""}"#),
            (r#"{"a" : "x" , "b" "#, r#"{"a" : "x"}"#),
            (r#"["a","b""#, r#"["a","b"]"#),
            (r#"{"a":[{"b":[1,{"c":{}}]},{"#, r#"{"a":[{"b":[1,{"c":{}}]}]}"#),
            (r#"{"a":[{"b":[1,{"c":{}}]},{"d":[2,"#, r#"{"a":[{"b":[1,{"c":{}}]},{"d":[2]}]}"#),
            (r#"[[],{"a":[[]"#, r#"[[],{"a":[[]]}]"#),
            ("[", "[]"),
            (r#"{"a"#, "{}"),
            (r#"{"a":{"b":{"#, "{}"),
        ] {
            let (text, problems) = read(cut.as_bytes());
            assert_eq!(text, expected, "{cut}");
            assert_eq!(problems.len(), 1, "{cut}");
            assert!(problems[0].message.contains("cut off"), "{cut}");
            let at = problems[0].offset.unwrap() as usize - 100;
            assert!(at <= cut.len(), "{cut}: {at}");
        }
    }

    #[test]
    fn it_says_where_it_is_broken() {
        for (broken, expected, offset) in [
            (r#"{"a":1,"b":[2,}"#, r#"{"a":1,"b":[2]}"#, 114.0),
            ("{\"a\":1,\"b\":\"x\ny\"}", r#"{"a":1}"#, 113.0),
            (r#"{"a":1}]"#, r#"{"a":1}"#, 107.0),
            (r#"{"a":1]"#, r#"{"a":1}"#, 106.0),
        ] {
            let (text, problems) = read(broken.as_bytes());
            assert_eq!((text.as_str(), said(&problems)), (expected, vec![("json", offset)]));
        }
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_replaced() {
        let (text, problems) = read(b" {\"a\":\"x\xffy\",\"b\":2}\n");
        assert_eq!(text, " {\"a\":\"x\u{fffd}y\",\"b\":2}");
        assert_eq!(said(&problems), [("encoding", 108.0)]);
        // A character that is cut in two belongs to a string that is cut.
        let (text, problems) = read(b"{\"a\":\"x\xff\",\"b\":\"\xc3");
        assert_eq!(text, "{\"a\":\"x\u{fffd}\"}");
        assert_eq!(problems.len(), 2);
    }

    #[test]
    fn it_is_read_up_to_the_deepest_level() {
        let deep = "[".repeat(MAX_DEPTH - 1) + "[1,[2]]";
        let (text, problems) = read(deep.as_bytes());
        assert_eq!(text, "[".repeat(MAX_DEPTH) + "1" + &"]".repeat(MAX_DEPTH));
        assert!(problems[0].message.starts_with("nested too deep"));
        let (text, _) = read("{\"a\":".repeat(MAX_DEPTH * 2).as_bytes());
        assert_eq!(text, "{}");
    }

    #[test]
    fn nothing_is_no_value() {
        for nothing in ["", "  ", "x", "tru"] {
            let mut problems = ProblemList::default();
            let read = WholeJson::read(nothing.as_bytes(), 0, &mut problems);
            assert_eq!((read.text(), problems.len()), ("", 1), "{nothing}");
            assert_eq!(apex_parts_model::View::kind(&read.root()), Kind::Missing);
        }
    }

    proptest! {
        #[test]
        fn every_cut_parses(at in 0_usize..200, bytes in proptest::collection::vec(any::<(usize, u8)>(), 0..3)) {
            const WHOLE: &str = r#" {"a":[1,-2.5e3,"x\u00e9\"",{"b":{},"c":[[],[null]]}],"d":{"e":"","f":true},"é":[{"g":"h"},7]} "#;
            let mut damaged = WHOLE.as_bytes().to_vec();
            for (place, byte) in bytes {
                let length = damaged.len();
                damaged[place % length] = byte;
            }
            damaged.truncate(at);
            let mut problems = ProblemList::default();
            let read = WholeJson::read(&damaged, 0, &mut problems);
            if !read.text().is_empty() {
                prop_assert!(serde_json::from_str::<Value>(read.text()).is_ok(), "{}", read.text());
            }
            prop_assert!(read.is_whole || !problems.is_empty());
        }
    }
}

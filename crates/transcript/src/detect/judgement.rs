//! Whether the records of a file are messages for models. Such records have few fields that only they have, so one is no
//! sign: nine in ten of those at the beginning have to be messages, and none may be of another program.

use crate::formats::message_arrays::envelope::{is_of_other_program, is_own};
use crate::formats::message_arrays::message_likeness::SHARE;
use apex_parts_agents::RecordCount;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::{Kind, View};

/// As many records are looked at, or so many bytes, if the file has them.
const RECORDS: u64 = 10;
const BYTES: usize = 64 << 10;

/// The result of looking at the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// They are messages.
    Messages,
    /// Too many are not.
    Other(RecordCount),
    /// More bytes are needed.
    More,
}

/// Judges the records from `begin` on: one after the other, or the elements of an array that begins there. `over` says that
/// nothing follows `head`.
pub(crate) fn judge(head: &[u8], begin: usize, over: bool) -> Judgement {
    let mut records = RecordCount::default();
    let mut is_of_other = false;
    let is_end = each_record(head, begin, |record, at| {
        let is_message = is_own(record);
        records.add(is_message, at as u64);
        is_of_other |= !is_message && is_of_other_program(record);
    });
    let is_enough = records.total() >= RECORDS || head.len().saturating_sub(begin) >= BYTES;
    if !(is_enough || is_end || over) {
        return Judgement::More;
    }
    match is_of_other || records.is_above(SHARE) {
        true => Judgement::Other(records),
        false => Judgement::Messages,
    }
}

/// Calls for each complete record; says whether no further one can follow.
fn each_record(head: &[u8], begin: usize, mut take: impl FnMut(Node<'_>, usize)) -> bool {
    let mut tape = Tape::default();
    let is_list = head.get(begin) == Some(&b'[');
    let mut at = begin + usize::from(is_list);
    loop {
        at = skip_space(head, at);
        match head.get(at) {
            None => return false,
            Some(b',') if is_list => {
                at += 1;
                continue;
            }
            Some(b']') if is_list => return true,
            Some(_) => {}
        }
        match tape.read(head, at) {
            Ok(end) => {
                let record = tape.root(head);
                // Damage does not count: neither what is no JSON nor what is no record.
                if record.kind() == Kind::Object {
                    take(record, at);
                }
                at = end.max(at + 1);
            }
            Err(error) if error.is_cut() => return false,
            Err(error) => {
                let from = error.offset.max(at);
                let rest = head.get(from..).unwrap_or_default();
                let Some(line) = memchr::memchr(b'\n', rest) else { return false };
                at = from + line + 1;
            }
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    const MESSAGE: &str = "{\"role\":\"user\",\"content\":\"x\"}\n";
    const NOTE: &str = "{\"stamp\":1}\n";
    const OTHER: &str =
        "{\"type\":\"turn.prompt\",\"input\":[{\"type\":\"text\",\"text\":\"x\"}]}\n";

    fn judged(text: &str, over: bool) -> Judgement {
        judge(text.as_bytes(), 0, over)
    }

    #[test]
    fn nine_in_ten_are_messages_and_none_is_of_another_program() {
        let text = |messages: usize, notes: usize| MESSAGE.repeat(messages) + &NOTE.repeat(notes);
        for (messages, notes, is_read) in [
            (1, 0, true),
            (9, 1, true),
            (10, 2, false),
            (18, 2, true),
            (0, 1, false),
            (4, 1, false),
        ] {
            let judgement = judged(&text(messages, notes), true);
            assert_eq!(judgement == Judgement::Messages, is_read, "{messages} {notes}");
        }
        let Judgement::Other(records) = judged(&(MESSAGE.repeat(30) + OTHER), true) else {
            panic!()
        };
        assert_eq!((records.foreign, records.total()), (1, 31));
        // A line that says its type and nothing else holds nothing that could be lost.
        let note = "{\"type\":\"metadata\",\"version\":\"1.5\"}\n";
        assert_eq!(judged(&(note.to_owned() + &MESSAGE.repeat(9)), true), Judgement::Messages);
    }

    #[test]
    fn ten_records_or_many_bytes_are_needed_unless_the_file_ends() {
        assert_eq!(judged(&MESSAGE.repeat(9), false), Judgement::More);
        assert_eq!(judged(&MESSAGE.repeat(10), false), Judgement::Messages);
        assert_eq!(judged(&MESSAGE.repeat(9), true), Judgement::Messages);
        let long = format!("{{\"role\":\"user\",\"content\":\"{}\"}}\n", "x".repeat(BYTES));
        assert_eq!(judged(&long, false), Judgement::Messages);
        let list = format!("[{},{}]", MESSAGE.trim(), MESSAGE.trim());
        assert_eq!(judged(&list, false), Judgement::Messages);
        assert_eq!(judged(list.strip_suffix(']').unwrap(), false), Judgement::More);
    }

    #[test]
    fn damage_does_not_count() {
        let broken = "{\"role\":\"us\n".repeat(30);
        assert_eq!(judged(&format!("{MESSAGE}{broken}{MESSAGE}"), true), Judgement::Messages);
        assert_eq!(
            judged("[7,\"x\",{\"role\":\"user\",\"content\":\"x\"}", true),
            Judgement::Messages
        );
    }

    #[test]
    fn hostile_bytes_end() {
        for text in ["", "[", "[,,,,", "}{", "\u{0}", "[[[[", "]]]", "{\"a\":\n\n"] {
            let _ = judged(text, true);
            let _ = judge(text.as_bytes(), 7, false);
        }
    }
}

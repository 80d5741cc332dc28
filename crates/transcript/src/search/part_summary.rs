//! What a part says, in a line: for those that filters alone choose.

use crate::summary::describe;
use apex_parts_json::tape::Node;
use apex_parts_model::{CallEnd, Key, Kind, Outcome, View, Word, first_chars};

/// The longest line, in characters.
const LONGEST: usize = 300;

/// The line: of a call that failed its error, as the summary has it, otherwise the first line that is not blank.
pub(crate) fn said_by_part(part: Node<'_>) -> String {
    let state = part.get(Key::State);
    let outcome = CallEnd::read(&part).map(|end| end.outcome);
    match outcome {
        Some(Outcome::Error) => return describe(&state.get(Key::Error).str().unwrap_or_default()),
        Some(Outcome::Failed) => {
            return describe(&state.get(Key::Output).str().unwrap_or_default());
        }
        _ => {}
    }
    let said = match part.get(Key::Type).word() {
        Some(Word::Tool) => first_string(state, &[Key::Output, Key::Title, Key::Raw]),
        Some(Word::Retry) => {
            let error = part.get(Key::Error);
            match first_string(error.get(Key::Data), &[Key::Message]) {
                none if none.kind() != Kind::String => first_string(error, &[Key::Message]),
                said => said,
            }
        }
        _ => first_string(
            part,
            &[Key::Text, Key::Filename, Key::Description, Key::Name, Key::Reason, Key::Url],
        ),
    };
    let said = said.str().unwrap_or_default();
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    first_chars(line.unwrap_or_default(), LONGEST).to_owned()
}

/// The value of the first of these fields that is a string.
fn first_string<'a>(object: Node<'a>, keys: &[Key]) -> Node<'a> {
    let mut fields = keys.iter().map(|key| object.get(*key));
    fields.find(|value| value.kind() == Kind::String).unwrap_or_else(|| object.get(Key::Text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use apex_parts_json::tape::Tape;

    #[test]
    fn the_line_is_what_the_part_says() {
        for (json, said) in [
            (r#"{"type":"text","text":"\n  First\nsecond"}"#, "First"),
            (r#"{"type":"step-finish","reason":"stop"}"#, "stop"),
            (r#"{"type":"step-start"}"#, ""),
            (r#"{"type":"file","url":"a.png","filename":"b.png"}"#, "b.png"),
            (r#"{"type":"retry","error":{"data":{"message":"later"}}}"#, "later"),
            (r#"{"type":"retry","error":{"message":"now"}}"#, "now"),
            (
                r#"{"type":"tool","tool":"bash","state":{"status":"completed","output":"a\nb","input":{}}}"#,
                "a",
            ),
            (
                r#"{"type":"tool","tool":"bash","state":{"status":"error","error":"x\nno","input":{}}}"#,
                "no",
            ),
            ("7", ""),
        ] {
            let mut tape = Tape::default();
            tape.read(json.as_bytes(), 0).unwrap();
            assert_eq!(said_by_part(tape.root_of(json)), said, "{json}");
        }
    }
}

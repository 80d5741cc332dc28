//! JSON inside the records of agents: arguments of calls, objects that stand in strings, and joined texts.

use crate::fields::{join, raw, token};
use crate::log::SharedText;
use apex_parts_json::scan::skip_space;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::object;
use apex_parts_model::{Kind, View};

/// The JSON object that the text is, if it is one and nothing else.
pub(crate) fn inner_object(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let start = skip_space(bytes, 0);
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    let mut tape = Tape::default();
    let end = tape.read(bytes, start).ok()?;
    if skip_space(bytes, end) < bytes.len() {
        return None;
    }
    text.get(start..end)
}

/// The arguments of a call as the JSON of an object: an object, or a string that is one, as it is; any other
/// value as `{input: VALUE}`; none is `{}`.
pub(crate) fn arguments(value: Option<Node<'_>>, json: &str) -> SharedText {
    let Some(value) = value.filter(|value| !value.kind().is_nullish()) else { return "{}".into() };
    if value.kind() == Kind::Object {
        return raw(value, json).into();
    }
    if let Some(text) = value.str()
        && let Some(inner) = inner_object(&text)
    {
        return inner.into();
    }
    let mut out = String::new();
    object(&mut out, |out| out.key("input").push_str(raw(value, json)));
    out.into()
}

/// The raw texts of strings, joined by a blank line; values that are no strings and empty ones are left out.
pub(crate) fn paragraphs<'a>(
    texts: impl IntoIterator<Item = Option<Node<'a>>>,
    json: &str,
) -> String {
    let mut all = String::new();
    for text in texts.into_iter().flatten() {
        join(&mut all, "\\n\\n", token(text, json));
    }
    all
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    fn arguments_of(json: &str) -> SharedText {
        let mut tape = Tape::default();
        tape.read(json.as_bytes(), 0).unwrap();
        arguments(Some(tape.root_of(json)), json)
    }

    #[test]
    fn arguments_are_an_object() {
        for (given, expected) in [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            (r#""{\"a\": 1}""#, r#"{"a": 1}"#),
            (r#"" {} ""#, "{}"),
            (r#""{} x""#, r#"{"input":"{} x"}"#),
            (r#""{\"a\"""#, r#"{"input":"{\"a\""}"#),
            ("[1]", r#"{"input":[1]}"#),
            ("7", r#"{"input":7}"#),
            ("null", "{}"),
        ] {
            assert_eq!(&*arguments_of(given), expected, "{given}");
        }
        assert_eq!(&*arguments(None, ""), "{}");
    }
}

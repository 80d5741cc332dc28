//! What OpenCode does not have. `convert` gives it parts of other types as a text that no model sees, with the part in
//! its metadata (`metadata.apex`), and keeps there too that a provider ran a call; here they become what they were.

use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer;
use apex_parts_model::{Key, Kind, View};
use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

/// The name below which a text carries a part.
const NAME: &str = "apex";

fn field<'a>(object: Node<'a>, name: &str) -> Option<Node<'a>> {
    let fields = object.fields().filter(|(key, _)| key.str().as_deref() == Some(name));
    fields.last().map(|(_, value)| value)
}

/// The part that a text carries.
fn carried(part: Node<'_>) -> Option<Node<'_>> {
    let is_hidden =
        [Key::Synthetic, Key::Ignored].iter().all(|key| part.get(*key).kind() == Kind::True);
    if !is_hidden || part.get(Key::Type).text().as_deref() != Some("text") {
        return None;
    }
    let own = field(part.get(Key::Metadata), NAME)?;
    own.get(Key::Type).kind().eq(&Kind::String).then_some(own)
}

/// The metadata of a call that the provider ran, as it was.
fn executed(part: Node<'_>) -> Option<(Range<usize>, String)> {
    let metadata = part.get(Key::Metadata);
    let own = field(metadata, NAME)?;
    let is_tool = part.get(Key::Type).text().as_deref() == Some("tool");
    if !is_tool || own.get(Key::ProviderExecuted).kind() != Kind::True {
        return None;
    }
    let mut json = String::new();
    writer::object(&mut json, |out| {
        for (key, value) in metadata.fields() {
            let name = key.str().unwrap_or_default();
            if name != NAME {
                out.foreign_key(&name).push_str(&String::from_utf8_lossy(value.json()));
            }
        }
        out.bool(Key::ProviderExecuted.as_str(), true);
    });
    Some((metadata.span(), json))
}

/// The text that carries a part, and that part where it stands.
fn unwrapped(part: Node<'_>) -> Option<(Range<usize>, String)> {
    let own = carried(part)?;
    let mut json = String::new();
    writer::object(&mut json, |out| {
        let places = part.fields().map(|field| (field, true));
        for ((key, value), is_of_text) in places.chain(own.fields().map(|field| (field, false))) {
            let name = key.str().unwrap_or_default();
            if is_place(&name) == is_of_text {
                out.foreign_key(&name).push_str(&String::from_utf8_lossy(value.json()));
            }
        }
    });
    Some((part.span(), json))
}

/// Is it the name of a field that says where a part stands? That is where its text stands now.
fn is_place(name: &str) -> bool {
    matches!(name, "id" | "sessionID" | "messageID")
}

/// The message with the parts that texts in it carry, and with the calls that its provider ran.
pub(crate) fn restored(message: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memmem::find(&message, b"\"apex\"").is_none() {
        return message;
    }
    let mut tape = Tape::default();
    if tape.read(&message, 0).is_err() {
        return message;
    }
    let mut out: Vec<u8> = Vec::new();
    let mut written = 0;
    for part in tape.root(&message).get(Key::Parts).children() {
        let Some((span, json)) = unwrapped(part).or_else(|| executed(part)) else { continue };
        out.extend_from_slice(message.get(written..span.start).unwrap_or_default());
        out.extend_from_slice(json.as_bytes());
        written = span.end;
    }
    if written == 0 {
        return message;
    }
    out.extend_from_slice(message.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"[x-note]","synthetic":true,"ignored":true,"metadata":{"apex":{"id":"old","sessionID":"old","messageID":"old","type":"x-note","said":"é"}}}"#;

    fn message(parts: &str) -> Vec<u8> {
        format!(r#"{{"info":{{"id":"msg_1"}},"parts":[{parts}]}}"#).into_bytes()
    }

    #[test]
    fn a_carried_part_is_what_it_was_where_its_text_stands() {
        let made = restored(Cow::Owned(message(&format!("{{\"type\":\"a\"}}, {TEXT} ,{TEXT}"))));
        let part =
            r#"{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"x-note","said":"é"}"#;
        let expected = message(&format!("{{\"type\":\"a\"}}, {part} ,{part}"));
        assert_eq!(String::from_utf8(made.into_owned()), String::from_utf8(expected));
    }

    #[test]
    fn a_call_of_the_provider_says_so_again() {
        let call = r#"{"type":"tool","metadata":{"a":{"b":1.50},"apex":{"providerExecuted":true}},"state":{}}"#;
        let was =
            r#"{"type":"tool","metadata":{"a":{"b":1.50},"providerExecuted":true},"state":{}}"#;
        let made = restored(Cow::Owned(message(call)));
        assert_eq!(String::from_utf8(made.into_owned()), String::from_utf8(message(was)));
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for part in [
            TEXT.replace("\"ignored\":true", "\"ignored\":false"),
            TEXT.replace("\"synthetic\":true,", ""),
            TEXT.replace("\"type\":\"x-note\"", "\"type\":7"),
            TEXT.replace("\"metadata\"", "\"metadata2\""),
            r#"{"type":"text","text":"\"apex\""}"#.to_owned(),
            r#"{"type":"tool","metadata":{"apex":{"providerExecuted":1}}}"#.to_owned(),
            r#"{"type":"tool","metadata":{"apex":5}}"#.to_owned(),
            r#"{"type":"file","metadata":{"apex":{"providerExecuted":true}}}"#.to_owned(),
        ] {
            let bytes = message(&part);
            assert_eq!(restored(Cow::Borrowed(&bytes)), bytes, "{part}");
        }
        assert_eq!(&*restored(Cow::Borrowed(b"{\"apex\"")), b"{\"apex\"");
    }
}

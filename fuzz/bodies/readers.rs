//! The readers of providers' formats, without the assembler.

use apex_parts::model::delta::ReaderOutput;
use apex_parts::wire::Reader;
use apex_parts::wire::{Framing, Provider, Violation};
use serde_json::Value;

/// The fast paths read the most frequent records, in one spelling. The same record spelled
/// otherwise must have the same output; a record that breaks a rule has none.
pub(super) fn spelling(format: Provider, data: &[u8]) {
    let (mut framing, mut at) = (Framing::default(), 0);
    let (mut fast, mut slow) = (format.reader(), format.reader());
    while let Some(frame) = framing.next(data, &mut at, usize::MAX) {
        let value = serde_json::from_slice::<Value>(frame.data).ok().filter(Value::is_object);
        let other = value.and_then(|_| Some(respelled(std::str::from_utf8(frame.data).ok()?)));
        let other = other.as_ref().map_or(frame.data, |text| text.as_bytes());
        let first = record(&mut *fast, frame.event, frame.data);
        let second = record(&mut *slow, frame.event, other);
        assert_eq!(first, second, "{}", String::from_utf8_lossy(frame.data));
    }
}

/// A reader's output for a record, or the rule that the record breaks.
fn record(reader: &mut dyn Reader, event: &str, data: &[u8]) -> Result<Vec<String>, &'static str> {
    let mut outputs = Vec::new();
    let result = reader.record(event, data, &mut |one: ReaderOutput<'_>| outputs.push(plain(&one)));
    match result {
        Ok(()) => Ok(outputs),
        Err(Violation { rule, .. }) => {
            assert!(outputs.is_empty(), "output in spite of a violation: {outputs:?}");
            Err(rule)
        }
    }
}

/// An output as text. Arguments may be as on the wire, so escaped letters are replaced by the
/// letters themselves.
fn plain(output: &ReaderOutput<'_>) -> String {
    let text = format!("{output:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\\\\u00") {
        out.push_str(before);
        let code = after.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        match code.filter(u8::is_ascii_alphanumeric) {
            Some(letter) => {
                out.push(char::from(letter));
                rest = &after[2..];
            }
            None => {
                out.push_str("\\\\u00");
                rest = after;
            }
        }
    }
    out + rest
}

/// The record, an object, with the first letter of each key and of its own type escaped.
fn respelled(record: &str) -> String {
    let mut out = String::new();
    let mut rest = record;
    let (mut depth, mut of_type) = (0, false);
    while let Some(quote) = rest.find('"') {
        let (before, string) = rest.split_at(quote);
        for byte in before.bytes() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        let end = closing(string);
        let (string, after) = string.split_at(end);
        let is_key = after.trim_start().starts_with(':');
        out.push_str(before);
        match string.as_bytes()[1] {
            letter if (is_key || of_type) && letter.is_ascii_alphanumeric() => {
                out.push_str(&format!("\"\\u00{letter:02x}{}", &string[2..]));
            }
            _ => out.push_str(string),
        }
        of_type = is_key && depth == 1 && matches!(string, "\"type\"" | "\"event_type\"");
        rest = after;
    }
    out + rest
}

/// The length of the JSON string that this text begins with.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    let quote = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    quote.map_or(text.len(), |quote| quote + 2)
}

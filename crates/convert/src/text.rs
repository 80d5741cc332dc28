//! What Markdown and HTML share: facts about messages in words, and values as JSON text.

use crate::output::BoundedOutput;
use apex_parts_model::error::expect_kind;
use apex_parts_model::time;
use apex_parts_model::view::{MAX_ELEMENTS, number_text};
use apex_parts_model::{CallEnd, Error, Key, Kind, Outcome, Path, Status, View, Word};

/// Checks that a value is a message with parts.
///
/// # Errors
/// `PartValidationError` if it is not.
pub(crate) fn expect_message<V: View>(message: &V) -> Result<(), Error> {
    let root = Path::ROOT;
    expect_kind(message, Kind::Object, &root)?;
    expect_kind(&message.get(Key::Info), Kind::Object, &root.key(Key::Info))?;
    let parts = message.get(Key::Parts);
    let path = root.key(Key::Parts);
    expect_kind(&parts, Kind::Array, &path)?;
    for index in 0..parts.len() {
        let mark = V::mark();
        expect_kind(&parts.at(index), Kind::Object, &path.index(index))?;
        V::release(mark);
    }
    Ok(())
}

/// Calls `look` with each part of a message and its type, until it returns `false`.
pub(crate) fn each_part<V: View>(message: &V, look: &mut dyn FnMut(Option<Word>, &V) -> bool) {
    let parts = message.get(Key::Parts);
    for index in 0..parts.len() {
        let mark = V::mark();
        let part = parts.at(index);
        let goes_on = look(part.get_word(Key::Type), &part);
        V::release(mark);
        if !goes_on {
            return;
        }
    }
}

/// The text of a field; "" if it is not a string.
#[inline(never)] // it has many callers
pub(crate) fn text_of<V: View>(value: &V, key: Key) -> String {
    value.get(key).text().map(|text| text.into_owned()).unwrap_or_default()
}

/// The role of a message, in words.
pub(crate) fn role<V: View>(info: &V) -> &'static str {
    match info.get_word(Key::Role) {
        Some(Word::User) => "User",
        Some(Word::Assistant) => "Assistant",
        _ => "Message",
    }
}

/// `provider/model`, or the one of both that is known.
pub(crate) fn model<V: View>(info: &V) -> String {
    let own = info.get(Key::Model);
    let of = if own.kind() == Kind::Object { &own } else { info };
    let (provider, model) = (text_of(of, Key::ProviderID), text_of(of, Key::ModelID));
    if provider.is_empty() || model.is_empty() {
        return provider + &model;
    }
    format!("{provider}/{model}")
}

/// `2026-01-31T08:30:00.125Z`
pub(crate) fn iso(ms: f64) -> Option<String> {
    ms.is_finite().then(|| time::format(time::of_clock(ms)))
}

/// `2026-01-31 08:30:00 UTC`
pub(crate) fn moment(ms: f64) -> Option<String> {
    let iso = iso(ms)?;
    let (date, time) = iso.split_once('T')?;
    Some(format!("{date} {} UTC", time.split('.').next()?))
}

/// A number rounded to multiples of 1/`scale`.
fn rounded(number: f64, scale: f64) -> String {
    number_text((number * scale).round() / scale)
}

/// The duration between `start` and `end`: `350 ms`, `1.2 s`, `3 min 5 s`.
pub(crate) fn duration<V: View>(time: &V) -> Option<String> {
    let ms = time.get(Key::End).number() - time.get(Key::Start).number();
    if !ms.is_finite() || ms < 0.0 {
        return None;
    }
    Some(if ms < 1000.0 {
        format!("{} ms", rounded(ms, 1.0))
    } else if ms < 60_000.0 {
        format!("{} s", rounded(ms / 1000.0, 10.0))
    } else {
        let seconds = (ms / 1000.0).round();
        format!("{} min {} s", number_text((seconds / 60.0).floor()), number_text(seconds % 60.0))
    })
}

/// The tokens and the cost of a step: `7258 in, 38 out, 800 cached, $0.0228`.
pub(crate) fn usage<V: View>(part: &V) -> String {
    let tokens = part.get(Key::Tokens);
    let counts = [
        (tokens.get(Key::Input), "in"),
        (tokens.get(Key::Output), "out"),
        (tokens.get(Key::Reasoning), "reasoning"),
        (tokens.get(Key::Cache).get(Key::Read), "cached"),
    ];
    let mut all = Vec::new();
    for (count, word) in counts {
        if count.number() > 0.0 {
            all.push(format!("{} {word}", number_text(count.number())));
        }
    }
    let cost = part.get(Key::Cost).number();
    if cost > 0.0 {
        all.push(format!("${}", rounded(cost, 10_000.0)));
    }
    all.join(", ")
}

/// The text of an error: apex-bridge's `{message}` or OpenCode's `{name, data: {message}}`.
pub(crate) fn error<V: View>(error: &V) -> String {
    if let Some(text) = error.text() {
        return text.into_owned();
    }
    let mut message = text_of(error, Key::Message);
    if message.is_empty() {
        message = text_of(&error.get(Key::Data), Key::Message);
    }
    let name = text_of(error, Key::Name);
    if name.is_empty() || message.is_empty() {
        return name + &message;
    }
    format!("{name}: {message}")
}

/// How a tool call stands, and its result.
pub(crate) struct ToolSummary {
    /// The field `status`, or `failed (exit 1)` for a call that is completed and has failed.
    pub(crate) status: String,
    /// The word of it, if the status is known.
    pub(crate) word: &'static str,
    /// `Output`, `Error`, or "" if there is neither.
    pub(crate) heading: &'static str,
    /// The output or the error.
    pub(crate) text: String,
}

pub(crate) fn summary_of_call<V: View>(part: &V, state: &V) -> ToolSummary {
    let known = Status::read(state);
    let end = CallEnd::read(part);
    let word = match (known, end) {
        (Some(_), Some(CallEnd { outcome: Outcome::Failed, .. })) => Outcome::Failed.as_str(),
        _ => known.map_or("", Status::as_str),
    };
    let bad = end.filter(|end| matches!(end.outcome, Outcome::Failed | Outcome::Error));
    let status = match bad.and_then(|end| end.exit).filter(|code| *code != 0) {
        Some(code) => format!("{word} (exit {code})"),
        None if known.is_some() => word.to_owned(),
        None => text_of(state, Key::Status),
    };
    let (heading, key) = match known {
        Some(Status::Completed) => ("Output", Key::Output),
        Some(Status::Error) => ("Error", Key::Error),
        _ => return ToolSummary { status, word, heading: "", text: String::new() },
    };
    ToolSummary { status, word, heading, text: text_of(state, key) }
}

/// The most values of one that are written, and the deepest nesting; `…` is written for what exceeds them,
/// also for circular values.
const MOST_VALUES: usize = 200_000;
const DEEPEST: usize = 64;

/// A value as indented JSON. If that has no room in `out`, `out` drops everything from here on.
pub(crate) fn json<V: View>(value: &V, out: &mut BoundedOutput<'_>) -> String {
    let mut text = String::new();
    let mut writer = ValueWriter { out: out.beside(&mut text), left: MOST_VALUES };
    writer.value(value, 0);
    if writer.out.is_full() {
        out.give_up();
    }
    text
}

struct ValueWriter<'a> {
    out: BoundedOutput<'a>,
    left: usize,
}

impl ValueWriter<'_> {
    fn value<V: View>(&mut self, value: &V, depth: usize) {
        if self.out.is_full() {
            return;
        }
        if self.left == 0 {
            self.out.push('…');
            return;
        }
        self.left -= 1;
        match value.kind() {
            Kind::Null | Kind::Missing => self.out.push_str("null"),
            Kind::False => self.out.push_str("false"),
            Kind::True => self.out.push_str("true"),
            Kind::Number => self.out.push_str(&number_text(value.number())),
            Kind::EmptyString | Kind::String => {
                self.string(&value.text().unwrap_or_default());
            }
            Kind::Array | Kind::Object if depth == DEEPEST => self.out.push('…'),
            Kind::Array => {
                let mut first = true;
                self.out.push('[');
                value.each(self.left.min(MAX_ELEMENTS), &mut |_, element| {
                    self.line(depth + 1, &mut first);
                    self.value(element, depth + 1);
                });
                self.close(']', depth, first);
            }
            Kind::Object => {
                let mut first = true;
                self.out.push('{');
                value.each_field(&mut |name, field| {
                    if self.left > 0 && field.kind() != Kind::Missing {
                        self.line(depth + 1, &mut first);
                        self.string(name);
                        self.out.push_str(": ");
                        self.value(field, depth + 1);
                    }
                });
                self.close('}', depth, first);
            }
            kind => self.string(kind.describe()),
        }
    }

    fn string(&mut self, text: &str) {
        let escaped =
            |byte: &u8| if *byte < b' ' { 6 } else { 1 + usize::from(b"\"\\".contains(byte)) };
        if !self.out.has_room(text.as_bytes().iter().map(escaped).sum()) {
            return self.out.give_up();
        }
        // Serializing a string cannot fail.
        self.out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }

    fn line(&mut self, depth: usize, first: &mut bool) {
        self.out.push_str(if *first { "\n" } else { ",\n" });
        *first = false;
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    fn close(&mut self, with: char, depth: usize, empty: bool) {
        if !empty {
            self.line(depth, &mut true);
        }
        self.out.push(with);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn values_are_written_as_json() {
        let value = json!({"a": [1, 2.5, null, []], "b": {"c": "\"\u{1b}é"}, "d": {}, "e": true});
        let written =
            |value: &Value| super::json(&Some(value), &mut BoundedOutput::new(&mut String::new()));
        let text = written(&value);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert_eq!(text, serde_json::to_string_pretty(&value).unwrap());
        let mut deep = json!(1);
        for _ in 0..500 {
            deep = json!([deep, deep.to_string().len() < 5]);
        }
        assert!(written(&deep).contains('…'));
    }

    #[test]
    fn facts_in_words() {
        assert_eq!(moment(1_738_312_200_125.0).unwrap(), "2025-01-31 08:30:00 UTC");
        assert_eq!(moment(f64::NAN), None);
        let time = |ms: f64| duration(&Some(&json!({"start": 5, "end": 5.0 + ms})));
        assert_eq!(time(350.0).unwrap(), "350 ms");
        assert_eq!(time(1249.0).unwrap(), "1.2 s");
        assert_eq!(time(185_000.0).unwrap(), "3 min 5 s");
        assert_eq!(time(-1.0), None);
        let said = |value: Value| error(&Some(&value));
        assert_eq!(said(json!({"name": "APIError", "data": {"message": "no"}})), "APIError: no");
        assert_eq!(said(json!({"message": "no", "isRetryable": false})), "no");
        let step =
            json!({"cost": 0.02277, "tokens": {"input": 7, "output": 0, "cache": {"read": 8}}});
        assert_eq!(usage(&Some(&step)), "7 in, 8 cached, $0.0228");
    }
}

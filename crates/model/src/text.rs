//! Numbers as text, blank text and pieces of text, so that every host agrees on them.

use serde_json::Value;

/// A number as JSON text. Uses the formatter of the JSON library, which the program contains anyway:
/// that of the standard library would add 17 KB to the WebAssembly module.
pub fn number_text(number: f64) -> String {
    match json_number(number) {
        Value::Number(number) if let Some(integer) = number.as_i64() => integer.to_string(),
        Value::Number(number) => number.to_string(),
        _ => "not a number".to_owned(),
    }
}

/// Is the text empty, or nothing but what JavaScript's `trim` removes? So every host agrees.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'))
}

/// The beginning of a text, at most `most` bytes, without half a character.
pub fn start_of(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The first `most` characters of a string, or all of it.
///
/// ```
/// assert_eq!(apex_parts_model::first_chars("Grüße", 3), "Grü");
/// ```
#[must_use]
pub fn first_chars(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

/// The end of a text, like [`start_of`].
pub fn end_of(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

/// A number as a JSON value; integers stay integers.
pub(super) fn json_number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: beyond it not every integer is a double
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[allow(clippy::cast_possible_truncation)]
        return Value::from(number as i64);
    }
    serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
}

//! Secrets in texts and values.

use apex_parts::redact::{Redactor, find};
use serde_json::Value;

/// What is found is in order, apart, and between characters; masked once, nothing is found any more. A value stays a
/// value with the same names of fields.
pub fn redact(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut last = 0;
    for found in find(&text) {
        assert!(last <= found.start && found.start < found.end);
        assert!(text.get(found.start..found.end).is_some(), "{text:?}");
        last = found.end;
    }
    let once = Redactor::default().redact_text(&text).unwrap_or_else(|| text.clone().into_owned());
    assert!(find(&once).is_empty(), "{text:?} becomes {once:?}");
    let Ok(value) = serde_json::from_slice::<Value>(data) else {
        return;
    };
    let Ok(Some(masked)) = Redactor::default().redact_json(data) else {
        return;
    };
    let masked_value: Value = serde_json::from_slice(&masked).expect("it stays JSON");
    assert_eq!(shape(&value), shape(&masked_value));
    assert_eq!(Redactor::default().redact_json(&masked).ok().flatten(), None);
}

/// The value with empty strings.
fn shape(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::String(String::new()),
        Value::Array(list) => list.iter().map(shape).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), shape(value))).collect())
        }
        other => other.clone(),
    }
}

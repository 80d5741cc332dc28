use super::*;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Builds the tree that the tokens spell.
#[derive(Default)]
struct TreeSink {
    open: Vec<(Value, String)>,
    key: String,
    whole: Value,
}

fn spelled(text: TokenText<'_>) -> String {
    match text {
        TokenText::Short(word, length) => {
            String::from_utf8(word.to_le_bytes().get(..length).unwrap().to_vec()).unwrap()
        }
        TokenText::Long(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
    }
}

impl TreeSink {
    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some((Value::Object(map), _)) => drop(map.insert(self.key.clone(), value)),
            Some((Value::Array(list), _)) => list.push(value),
            _ => self.whole = value,
        }
    }
}

impl CanonicalSink for TreeSink {
    fn open(&mut self, is_object: bool) {
        let empty = if is_object { Value::Object(Map::new()) } else { json!([]) };
        self.open.push((empty, std::mem::take(&mut self.key)));
    }
    fn close(&mut self) {
        let (value, key) = self.open.pop().unwrap();
        self.key = key;
        self.add(value);
    }
    fn depth(&self) -> usize {
        self.open.len()
    }
    fn innermost(&self) -> Option<bool> {
        self.open.last().map(|(value, _)| value.is_object())
    }
    fn key(&mut self, name: TokenText<'_>) {
        self.key = spelled(name);
    }
    fn string(&mut self, text: TokenText<'_>) {
        self.add(Value::String(spelled(text)));
    }
    fn word(&mut self, text: TokenText<'_>) {
        let text = spelled(text);
        self.add(serde_json::from_str(&text).unwrap_or(Value::String(text)));
    }
    fn double(&mut self, number: f64) {
        self.add(json!(number));
    }
}

fn read(json: &str) -> Option<Value> {
    let mut sink = TreeSink::default();
    write(json, &mut sink).ok()?;
    Some(sink.whole)
}

/// Numbers as doubles: canonical JSON has no others.
fn as_doubles(value: &Value) -> Value {
    match value {
        Value::Number(n) => json!(n.as_f64()),
        Value::Array(list) => list.iter().map(as_doubles).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), as_doubles(v))).collect(),
        other => other.clone(),
    }
}

#[test]
fn spelling_does_not_matter() {
    for same in ["100", "1e2", "100.0", "1E+2", "10000e-2"] {
        assert_eq!(read(same), Some(json!(100)), "{same}");
    }
    assert_eq!(read("-0"), Some(json!(0)));
    assert_eq!(
        read(r#"{"\u0061":"\u0041","b":[ true,null ]}"#),
        Some(json!({"a": "A", "b": [true, null]}))
    );
    assert_eq!(text(r#" {"b":1,"a":"\u0041"} "#), r#"{"a":"A","b":1}"#);
    assert_eq!(text("not JSON"), "not JSON");
    for not_json in ["", "{", "[1,]", "{}x", "[}", "{]", "01"] {
        assert_eq!(read(not_json), None, "{not_json}");
    }
}

proptest! {
    #[test]
    fn tokens_spell_what_serde_json_reads(json in r#"[\[\]{}",:0-9a-f\\utrlsn.eE+ -]{0,16}"#) {
        let json = json.trim();
        match serde_json::from_str::<Value>(json) {
            Ok(theirs) => prop_assert_eq!(read(json).as_ref().map(as_doubles), Some(as_doubles(&theirs))),
            Err(error) => {
                let why = error.to_string();
                let is_json = why.contains("surrogate") || why.contains("hex escape") || why.contains("out of range");
                prop_assert!(is_json || read(json).is_none(), "{json}");
            }
        }
    }
}

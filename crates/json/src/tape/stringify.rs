//! Values of a tape as `JSON.stringify` writes what `JSON.parse` reads: of a name that comes twice the last value counts,
//! at the place of the first; names that are indexes of an array come first, the smallest one first; escapes and numbers
//! are in their shortest form, and halves of surrogate pairs are kept.

use super::node::Node;
use crate::float;
use crate::number::js_number;
use crate::stringified::{index_key, is_stringified};
use apex_parts_model::{Kind, View, order};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// An object with more fields has an index of their names.
const FEW: usize = 16;

/// A container that is being written.
enum OpenValue<'a> {
    Array(Box<dyn Iterator<Item = Node<'a>> + 'a>),
    Object(std::vec::IntoIter<(Cow<'a, str>, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// The content of a string as `JSON.stringify` writes it, without its quotes: one spelling for each string, with the
    /// halves of surrogate pairs. Empty for other values.
    #[must_use]
    pub fn spelled(self) -> Cow<'a, str> {
        let raw = String::from_utf8_lossy(self.raw().unwrap_or_default());
        if !self.is_escaped() {
            return raw;
        }
        let mut out = String::with_capacity(raw.len());
        spell(&raw, &mut out);
        Cow::Owned(out)
    }

    /// The fields of an object as JavaScript has them, with their names as [`Node::spelled`] gives them.
    #[must_use]
    pub fn js_fields(self) -> Vec<(Cow<'a, str>, Node<'a>)> {
        let mut fields: Vec<(Cow<'a, str>, Node<'a>)> = Vec::new();
        let mut places: BTreeMap<Box<str>, usize> = BTreeMap::new();
        let mut has_indexes = false;
        for (name, value) in self.fields() {
            let name = name.spelled();
            has_indexes |= index_key(&name).is_some();
            if fields.len() == FEW && places.is_empty() {
                for (at, (name, _)) in fields.iter().enumerate() {
                    places.insert((&**name).into(), at);
                }
            }
            let before = match fields.len() {
                ..FEW => fields.iter().position(|(known, _)| *known == name),
                _ => places.get(&*name).copied(),
            };
            match before.and_then(|before| fields.get_mut(before)) {
                Some(before) => before.1 = value,
                None => {
                    if fields.len() >= FEW {
                        places.insert((&*name).into(), fields.len());
                    }
                    fields.push((name, value));
                }
            }
        }
        if has_indexes {
            order::sort_by(&mut fields, |(a, _), (b, _)| by_index(a, b));
        }
        fields
    }

    /// Writes the value.
    pub fn stringify(self, out: &mut Vec<u8>) {
        let json = self.json();
        if std::str::from_utf8(json).is_ok_and(is_stringified) {
            out.extend_from_slice(json);
            return;
        }
        let mut open: Vec<OpenValue<'a>> = Vec::new();
        begin(self, &mut open, out);
        while let Some(last) = open.last_mut() {
            let before = out.last().copied();
            let is_first = matches!(before, Some(b'[' | b'{'));
            let next = match last {
                OpenValue::Array(values) => values.next().map(|value| (None, value)),
                OpenValue::Object(fields) => fields.next().map(|(name, value)| (Some(name), value)),
            };
            let Some((name, value)) = next else {
                out.push(if matches!(last, OpenValue::Array(_)) { b']' } else { b'}' });
                open.pop();
                continue;
            };
            if !is_first {
                out.push(b',');
            }
            if let Some(name) = name {
                out.push(b'"');
                out.extend_from_slice(name.as_bytes());
                out.extend_from_slice(b"\":");
            }
            begin(value, &mut open, out);
        }
    }
}

/// The order in which JavaScript has two names that are not equal: indexes first.
pub fn by_index(a: &str, b: &str) -> Ordering {
    match (index_key(a), index_key(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// Writes a value, or opens it.
fn begin<'a>(value: Node<'a>, open: &mut Vec<OpenValue<'a>>, out: &mut Vec<u8>) {
    match value.kind() {
        Kind::String | Kind::EmptyString => {
            out.push(b'"');
            out.extend_from_slice(value.spelled().as_bytes());
            out.push(b'"');
        }
        Kind::Number => {
            let text = std::str::from_utf8(value.json()).unwrap_or_default();
            let number = float::parse(text).unwrap_or(f64::NAN);
            out.extend_from_slice(js_number(number).as_bytes());
        }
        Kind::Array => {
            out.push(b'[');
            open.push(OpenValue::Array(Box::new(value.children())));
        }
        Kind::Object => {
            out.push(b'{');
            open.push(OpenValue::Object(value.js_fields().into_iter()));
        }
        _ => out.extend_from_slice(value.json()),
    }
}

/// The number of four hexadecimal digits behind `\u`.
fn unit(escape: &str) -> Option<u32> {
    u32::from_str_radix(escape.get(2..6)?, 16).ok()
}

/// Appends what is between the quotes of a string as `JSON.stringify` spells it.
fn spell(raw: &str, out: &mut String) {
    let mut rest = raw;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        let Some((before, escape)) = rest.split_at_checked(slash) else { break };
        out.push_str(before);
        let mut used = 2;
        match escape.as_bytes().get(1) {
            Some(b'/') => out.push('/'),
            Some(b'u') => {
                used = 6;
                let one = unit(escape).unwrap_or(0xfffd);
                let next = escape.get(6..).filter(|next| next.starts_with("\\u")).and_then(unit);
                match (one, next) {
                    (0xd800..0xdc00, Some(low @ 0xdc00..0xe000)) => {
                        used = 12;
                        let code = 0x1_0000 + ((one & 0x3ff) << 10) + (low & 0x3ff);
                        out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    (8, _) => out.push_str("\\b"),
                    (9, _) => out.push_str("\\t"),
                    (10, _) => out.push_str("\\n"),
                    (12, _) => out.push_str("\\f"),
                    (13, _) => out.push_str("\\r"),
                    (0x22, _) => out.push_str("\\\""),
                    (0x5c, _) => out.push_str("\\\\"),
                    (0..0x20 | 0xd800..0xe000, _) => out.push_str(&format!("\\u{one:04x}")),
                    _ => out.push(char::from_u32(one).unwrap_or(char::REPLACEMENT_CHARACTER)),
                }
            }
            _ => out.push_str(escape.get(..2).unwrap_or_default()),
        }
        rest = escape.get(used..).unwrap_or_default();
    }
    out.push_str(rest);
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use crate::tape::Tape;
    use proptest::prelude::*;
    use serde_json::Value;

    fn stringified(json: &str) -> String {
        let mut tape = Tape::default();
        tape.read(json.as_bytes(), 0).unwrap();
        let mut out = Vec::new();
        tape.root_of(json).stringify(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn it_is_what_javascript_writes() {
        for (json, expected) in [
            (
                r#" { "a" : [ 1 , 2.50 , -0 , 1e3 , 1E21 , 1e999 ] , "b" : { } , "c" : [ ] } "#,
                r#"{"a":[1,2.5,0,1000,1e+21,null],"b":{},"c":[]}"#,
            ),
            (r#"{"b":1,"a":2,"b":3}"#, r#"{"b":3,"a":2}"#),
            (r#"{"b":1,"10":2,"9":3,"01":4}"#, r#"{"9":3,"10":2,"b":1,"01":4}"#),
            (
                r#"["\u0041\/\u000a\u0001\u001F\ud83c\udf89é\u0022\u005c"]"#,
                r#"["A/\n\u0001\u001f🎉é\"\\"]"#,
            ),
            (r#"["\ud83c","\uDF89\ud83c","\ud83cx"]"#, r#"["\ud83c","\udf89\ud83c","\ud83cx"]"#),
            (r#"[[], {}, [[ ]], null, true, false]"#, "[[],{},[[]],null,true,false]"),
            (" 7.0 ", "7"),
        ] {
            assert_eq!(stringified(json), expected, "{json}");
        }
        let names = |names: &[usize]| {
            let all: Vec<_> = names.iter().map(|n| format!("\"k{n}\":{n}")).collect();
            format!("{{{}}}", all.join(","))
        };
        let many: Vec<usize> = (0..40).chain([3, 20, 39]).collect();
        assert_eq!(stringified(&names(&many)), names(&(0..40).collect::<Vec<_>>()));
        let deep = "[ ".repeat(16_000) + &"]".repeat(16_000);
        assert_eq!(stringified(&deep), deep.replace(' ', ""));
    }

    /// The text with every character outside ASCII as an escape.
    fn escaped(json: &str) -> String {
        let mut units = [0; 2];
        let mut out = String::new();
        for c in json.chars() {
            match c {
                c if c.is_ascii() => out.push(c),
                c => c
                    .encode_utf16(&mut units)
                    .iter()
                    .for_each(|unit| out.push_str(&format!("\\u{unit:04X}"))),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn spaces_and_escapes_change_nothing(texts in proptest::collection::vec(any::<String>(), 0..6)) {
            let value = Value::from(texts);
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(stringified(&escaped(&pretty)), value.to_string());
        }
    }
}

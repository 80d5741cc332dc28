//! Structured content: whether the text says it already.

use apex_parts_json::string::unescaped;
use apex_parts_model::invisible::{Controls, VisibleText};
use memchr::memmem;
use std::collections::HashSet;

/// Where the structured content of a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructuredPlace {
    /// The text says all of it.
    Mirrored,
    /// After the text.
    Appended,
    /// There is no text.
    Only,
}

impl StructuredPlace {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            StructuredPlace::Mirrored => "mirrored",
            StructuredPlace::Appended => "appended",
            StructuredPlace::Only => "only",
        }
    }
}

/// How a text that is an item's own base64 comes: nothing but a NUL. Other texts that begin with NUL come with
/// one more, so that no server can write the mark.
const OWN: &str = r#""\u0000""#;
const ESCAPED_NUL: &str = r"\u0000";
const SEE: &str = r#""[see the attachments]""#;

/// The bytes of text that are searched for leaves. Leaves mostly stand in the text in their order, and each is
/// looked for from where the last one was found; only where they do not can a search go over all of it again.
/// What this does not suffice for counts as not mirrored: then it is appended, which loses nothing.
const MOST_SEARCHED: usize = 64 << 20;

/// A leaf of JSON, or what is between leaves.
enum LeafToken<'j> {
    Text(&'j str),
    Name(&'j str),
    Scalar(&'j str),
    Between(&'j str),
}

/// The tokens of compact JSON, as `JSON.stringify` writes it.
struct LeafTokens<'j>(&'j str);

impl<'j> Iterator for LeafTokens<'j> {
    type Item = LeafToken<'j>;

    fn next(&mut self) -> Option<LeafToken<'j>> {
        let bytes = self.0.as_bytes();
        let first = *bytes.first()?;
        let is_between = |b: &u8| b"{}[]:, \t\r\n".contains(b);
        let end = if first == b'"' {
            let mut at = 1;
            loop {
                match bytes.get(at) {
                    Some(b'\\') => at += 2,
                    Some(b'"') | None => break at + 1,
                    Some(_) => at += 1,
                }
            }
        } else {
            let is_kind = is_between(&first);
            bytes.iter().position(|b| *b == b'"' || is_between(b) != is_kind).unwrap_or(bytes.len())
        };
        let (token, rest) = self.0.split_at_checked(end.min(bytes.len())).unwrap_or((self.0, ""));
        self.0 = rest;
        Some(match first {
            b'"' if rest.starts_with(':') => LeafToken::Name(token),
            b'"' => LeafToken::Text(token),
            _ if is_between(&first) => LeafToken::Between(token),
            _ => LeafToken::Scalar(token),
        })
    }
}

/// The JSON as a model reads it: base64 of items is where their files are.
pub(super) fn for_model(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for token in LeafTokens(json) {
        match token {
            LeafToken::Text(OWN) => text.push_str(SEE),
            LeafToken::Text(raw) => text.push_str(&unmarked(raw)),
            LeafToken::Name(raw) | LeafToken::Scalar(raw) | LeafToken::Between(raw) => {
                text.push_str(raw)
            }
        }
    }
    text
}

/// A text without the NUL that keeps it apart from the mark.
fn unmarked(raw: &str) -> String {
    match raw.strip_prefix('"').and_then(|inner| inner.strip_prefix(ESCAPED_NUL)) {
        Some(rest) => format!("\"{rest}"),
        None => raw.to_owned(),
    }
}

/// Whether each leaf of the JSON is in the text that a model reads, or is an item's own base64. Of a leaf what is
/// seen counts, for nothing else can be in the text.
pub(super) fn is_mirrored(json: &str, text: &str) -> bool {
    let mut search = LeafSearch { text, at: 0, budget: MOST_SEARCHED, seen: HashSet::new() };
    LeafTokens(json).all(|token| match token {
        LeafToken::Text(OWN) | LeafToken::Name(_) | LeafToken::Between(_) => true,
        LeafToken::Scalar(raw) => search.has(raw),
        LeafToken::Text(raw) => {
            let raw = unmarked(raw);
            let escaped = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
            if search.has(escaped) {
                return true;
            }
            let plain = unescaped(escaped);
            // Python writes ASCII.
            if (plain != escaped && search.has(&plain))
                || (!plain.is_ascii() && search.has(&ascii(escaped)))
            {
                return true;
            }
            let seen = VisibleText::new(&plain, Controls::Remove);
            // JSON writes out what is not seen at all.
            seen.removed() > 0 && !seen.text.is_empty() && search.has(&seen.text)
        }
    })
}

/// The inside of a JSON string with all that is not ASCII escaped.
fn ascii(escaped: &str) -> String {
    let mut text = String::with_capacity(escaped.len() * 2);
    for c in escaped.chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    text
}

struct LeafSearch<'t> {
    text: &'t str,
    /// Where the last leaf was found.
    at: usize,
    budget: usize,
    seen: HashSet<String>,
}

impl LeafSearch<'_> {
    fn has(&mut self, leaf: &str) -> bool {
        if leaf.is_empty() || self.seen.contains(leaf) {
            return true;
        }
        let finder = memmem::Finder::new(leaf);
        for from in [self.at, 0] {
            let rest = self.text.as_bytes().get(from..).unwrap_or_default();
            let found = finder.find(rest);
            let cost = found.unwrap_or(rest.len()) + leaf.len();
            let Some(left) = self.budget.checked_sub(cost) else { return false };
            self.budget = left;
            if let Some(at) = found {
                self.at = from + at + leaf.len();
                // Long leaves are seldom there twice.
                if leaf.len() <= 256 {
                    self.seen.insert(leaf.to_owned());
                }
                return true;
            }
            if from == 0 {
                break;
            }
        }
        false
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_mirrored() {
        let cases = [
            (r#"{"a":"x\ny"}"#, r#"{"a":"x\ny"}"#, true),
            (r#"{"a":"x\ny"}"#, "x\ny", true),
            (r#"{"a":"ü🎉"}"#, r"\u00fc\ud83c\udf89", true),
            (r#"{"b":2,"a":1}"#, "1 then 2", true),
            (r#"{"ok":true}"#, "done", false),
            (r#"{"a":"\u0000"}"#, "", true),
            (r#"{"a":"\u0000\u0000"}"#, "", false),
            (r#"[]"#, "x", true),
            (r#"{"a":1e+21}"#, "1e+21", true),
            ("{\"a\":\"x\u{200b}y\"}", "xy", true),
            ("{\"a\":\"x\u{200b}y\"}", "x", false),
        ];
        for (json, text, mirrored) in cases {
            assert_eq!(is_mirrored(json, text), mirrored, "{json} {text}");
        }
        assert_eq!(
            for_model(r#"{"a":"\u0000","b":["\u0000\u0000x"]}"#),
            r#"{"a":"[see the attachments]","b":["\u0000x"]}"#
        );
    }

    #[test]
    fn hostile_orders_end_soon() {
        let text = "a".repeat(1 << 20);
        let many: Vec<String> =
            (0..100_000).map(|i| format!("\"{}\"", "a".repeat(i % 300 + 1))).collect();
        let _ = is_mirrored(&format!("[{}]", many.join(",")), &text);
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart(json in ".*") {
            let _ = (is_mirrored(&json, "x"), for_model(&json));
        }
        #[test]
        fn json_is_mirrored_by_itself(texts in proptest::collection::vec("[^\u{0}].*", 0..8)) {
            let json = serde_json::to_string(&texts).unwrap();
            prop_assert!(is_mirrored(&json, &json));
            prop_assert_eq!(for_model(&json), json);
        }
    }
}

//! SHA-256, and the fingerprint of a definition: another one means another tool.

use super::schema_tree::SchemaTree;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of the name, the description and the schema as the
/// server sent them. Numbers count as they are written: `JSON.stringify` writes each in one way.
pub(crate) fn fingerprint(definition: &SchemaTree<'_>) -> String {
    let parts = ["name", "description", "inputSchema"].into_iter();
    let kept = parts.filter_map(|name| Some((Cow::Borrowed(name), definition.get(name)?.clone())));
    let mut json = String::new();
    SchemaTree::Object(kept.collect()).write(&mut json, true);
    sha256(&json)
}

/// SHA-256 of a string's UTF-8, in hexadecimal.
///
/// ```
/// use apex_parts_mcp::fingerprint::sha256;
///
/// assert!(sha256("abc").starts_with("ba7816bf8f01cfea"));
/// ```
#[must_use]
pub fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> String {
        fingerprint(&SchemaTree::read(json, 32).unwrap())
    }

    #[test]
    fn only_what_the_tool_means_counts() {
        let one =
            of(r#"{"name":"a","description":"b","inputSchema":{"x":1,"é":[2,{"b":1,"a":0}]}}"#);
        let same = r#"{"inputSchema":{"\u00e9":[2,{"a":0,"b":1}],"x":1},"title":"t","name":"a","description":"b"}"#;
        // Equal but for the spelling of a key, which `JSON.stringify` never varies.
        assert_eq!(one, of(&same.replace("\\u00e9", "é")));
        assert_eq!(one.len(), 64);
        assert_ne!(one, of(&same.replace("\"b\"}", "\"c\"}")));
        assert_eq!(
            of(r#"{"name":"a"}"#),
            "d9d719b27480b55cd4918020e7473e716ed3569c8adafe926cf9b10b4f8ef064"
        );
    }
}

//! What crosses: the head of a result, its items, and what is made of them.

use super::structured::StructuredPlace;
use apex_parts_json::record::{MAX_DEPTH, tree};
use apex_parts_model::Problem;
use serde_json::Value;

/// What is known of a result beside its items, and how much of it is kept.
#[derive(Clone, Debug)]
pub struct ContentHead {
    /// The server.
    pub client: String,
    /// Whether it is of `resources/read`: each item is a resource.
    pub is_read: bool,
    /// Whether there is a result at all.
    pub is_object: bool,
    /// Whether it has a list of items.
    pub has_content: bool,
    /// Whether the field of the items is absent, not something else.
    pub is_absent: bool,
    /// Whether the server says that the call failed.
    pub is_error: bool,
    /// Whether the server asks for further input.
    pub needs_input: bool,
    /// Items that were not handed over: there are too many.
    pub left_out: usize,
    /// What could not be taken as it is: the rule, a JSON pointer, and what was done.
    pub replaced: Vec<(String, String, String)>,
    /// Bytes of the output.
    pub max_output: usize,
    /// Bytes of a file.
    pub max_file: f64,
    /// Files.
    pub max_files: usize,
}

impl Default for ContentHead {
    fn default() -> ContentHead {
        ContentHead {
            client: String::new(),
            is_read: false,
            is_object: false,
            has_content: false,
            is_absent: false,
            is_error: false,
            needs_input: false,
            left_out: 0,
            replaced: Vec::new(),
            max_output: 51_200,
            max_file: 5.0 * 1024.0 * 1024.0,
            max_files: 20,
        }
    }
}

impl ContentHead {
    /// The head that was written as JSON.
    #[must_use]
    pub fn read(json: &str) -> ContentHead {
        let given = tree(json, MAX_DEPTH).unwrap_or_default();
        let is = |name: &str| given.get(name).and_then(Value::as_bool).unwrap_or_default();
        let text = |value: Option<&Value>| {
            value.and_then(Value::as_str).map(str::to_owned).unwrap_or_default()
        };
        let replaced = given.get("replaced").and_then(Value::as_array);
        let otherwise = ContentHead::default();
        ContentHead {
            client: text(given.get("client")),
            is_read: is("isRead"),
            is_object: is("isObject"),
            has_content: is("hasContent"),
            is_absent: is("isAbsent"),
            is_error: is("isError"),
            needs_input: is("needsInput"),
            left_out: count(given.get("leftOut")).unwrap_or_default(),
            replaced: replaced
                .into_iter()
                .flatten()
                .map(|one| (text(one.get(0)), text(one.get(1)), text(one.get(2))))
                .collect(),
            max_output: count(given.get("maxOutput")).unwrap_or(otherwise.max_output),
            max_file: given.get("maxFile").and_then(Value::as_f64).unwrap_or(otherwise.max_file),
            max_files: count(given.get("maxFiles")).unwrap_or(otherwise.max_files),
        }
    }
}

/// A resource that stands for a part of the output, or that a file is the content of.
#[derive(Clone, PartialEq, Debug)]
pub struct ContentSource {
    /// Its own URI.
    pub uri: String,
    /// Its text in the output; empty for a file.
    pub value: String,
    /// Where it begins, in UTF-16 units.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// A file or a text resource.
#[derive(Clone, PartialEq, Debug)]
pub struct ContentResource {
    /// Its media type.
    pub mime: String,
    /// Its name.
    pub filename: String,
    /// The `mcp://` URI of a text resource.
    pub url: String,
    /// The number of the base64 of a file, as JavaScript gave it.
    pub data: usize,
    /// Where it comes from.
    pub source: Option<ContentSource>,
}

/// A resource that is named and not embedded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentLink {
    /// Its own URI.
    pub uri: String,
    /// Its name.
    pub name: Option<String>,
    /// Its media type.
    pub mime: Option<String>,
}

/// What a result is for a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ContentParts {
    /// Never blank.
    pub output: String,
    /// Whether the call failed.
    pub is_error: bool,
    /// Files for the model.
    pub attachments: Vec<ContentResource>,
    /// Text resources.
    pub resources: Vec<ContentResource>,
    /// Named resources.
    pub links: Vec<ContentLink>,
    /// Where the structured content is.
    pub structured: Option<StructuredPlace>,
    /// How many characters and sequences were removed because they are not seen.
    pub invisible: usize,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// What is known of base64 that stays in JavaScript.
#[derive(Clone, Debug)]
pub(super) struct Base64Facts {
    /// Its number.
    pub(super) index: usize,
    /// The bytes that it stands for; 0 if it is not valid.
    pub(super) bytes: f64,
    /// Its first 24 characters at most.
    pub(super) head: String,
    /// Whether it had to be mended.
    pub(super) mended: bool,
    /// Its text, if that was wanted and it is UTF-8.
    pub(super) text: Option<String>,
}

impl Base64Facts {
    /// The facts that stand in a field instead of base64.
    pub(super) fn read(field: Option<&Value>) -> Option<Base64Facts> {
        let facts = field.filter(|field| field.is_object())?;
        let text = |name: &str| facts.get(name).and_then(Value::as_str).map(str::to_owned);
        let bytes = facts.get("bytes").and_then(Value::as_f64).filter(|bytes| *bytes > 0.0)?;
        Some(Base64Facts {
            index: count(facts.get("index"))?,
            bytes,
            head: text("head").unwrap_or_default(),
            mended: facts.get("mended").and_then(Value::as_bool).unwrap_or_default(),
            text: text("text"),
        })
    }
}

/// A number of things.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is within bounds
fn count(value: Option<&Value>) -> Option<usize> {
    let number = value.and_then(Value::as_f64)?;
    (0.0..=4_294_967_295.0).contains(&number).then_some(number as usize)
}

//! What crosses: the head of a result, its items, and what is made of them.

use super::structured::StructuredPlace;
use crate::model::Problem;
use serde::Deserialize;
use serde_json::Value;

/// What is known of a result beside its items, and how much of it is kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
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
    /// What was replaced because JSON has no such value: pointers to it, and what it was.
    pub replaced: Vec<(String, String)>,
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
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// What is known of base64 that stays in JavaScript.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Base64Facts {
    /// Its number.
    pub(super) index: usize,
    /// The bytes that it stands for; 0 if it is not valid.
    #[serde(default)]
    pub(super) bytes: f64,
    /// Its first 24 characters at most.
    #[serde(default)]
    pub(super) head: String,
    /// Whether it had to be mended.
    #[serde(default)]
    pub(super) mended: bool,
    /// Its text, if that was wanted and it is UTF-8.
    #[serde(default)]
    pub(super) text: Option<String>,
}

impl Base64Facts {
    /// The facts that stand in a field instead of base64.
    pub(super) fn of(field: Option<&Value>) -> Option<Base64Facts> {
        let facts = field.filter(|field| field.is_object())?;
        Base64Facts::deserialize(facts).ok().filter(|facts| facts.bytes > 0.0)
    }
}
